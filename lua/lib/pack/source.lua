--- The source of a pack: a directory, or a git repository by its URL, perhaps with @REF behind it.

local M = {}

local SCHEMES = { https = true, ssh = true, file = true }
local REF_BYTES = 200
local URL_BYTES = 1000

---@class pack.Source
---@field url? string        the URL of a repository; nil for a directory
---@field ref? string        branch, tag or commit
---@field directory? string  as the user gave it


--- Splits "@REF" off a path: the part behind the last "@", unless a "/" is right before that.
local function split_ref(path)
  local before, ref = path:match "^(.*[^/])@([^@]+)$"
  if before then return before, ref end
  return path
end


--- True if git may be given this ref. It cannot begin with a dash, which would make it an option.
---@param ref string
---@return boolean
function M.ref_ok(ref)
  return #ref <= REF_BYTES and ref:find "^[%w_][%w._/+-]*$" ~= nil and not ref:find("..", 1, true) and not ref:find "[/.]$"
    and not ref:find("//", 1, true)
end


local function wrong(what, ...) return nil, what:format(...), "usage" end


local function check_url(url)
  if #url > URL_BYTES or url:find "[%c%s\\]" then
    return wrong("the URL has characters that a URL cannot have, or is too long")
  end
  local host = url:match "^%a+://([^/]*)" or url:match "^([^/]*):"
  if host:find "^[^@]*:[^@]*@" then
    return wrong("the URL has a password in it, which would be stored. Leave it to git's credential helper")
  end
  if host:gsub("^[^@]*@", ""):find "^%-" or host:find "^%-" then return wrong("%q is not a host", host) end
  return true
end


local function from_url(scheme, word)
  if not SCHEMES[scheme] then
    return wrong("%s: URLs are not supported. Use https, ssh or file", scheme)
  end
  local authority, path = word:match "^(%a+://[^/]*)(/.*)$"
  if not authority then return wrong("%q is not the URL of a repository", word) end
  local base, ref = split_ref(path)
  return { url = authority .. base, ref = ref }
end


--- Reads HOST:PATH, as ssh writes it.
local function from_ssh(host, path)
  local base, ref = split_ref(path)
  return { url = host .. ":" .. base, ref = ref }
end


---@param word string  as the user gave it
---@return pack.Source? source
---@return string? err
---@return string? code  "usage"
function M.parse(word)
  local scheme = word:match "^(%a[%w+.-]*)://"
  local host, path = word:match "^([%w._-]+@[%w.-]+):([^:].*)$"
  local source, err, code
  if scheme then
    source, err, code = from_url(scheme:lower(), word)
  elseif word:find "^%a[%w+.-]*::" then
    return wrong("%q is not the URL of a repository. Use https, ssh or file", word)
  elseif host then
    source = from_ssh(host, path)
  else
    return { directory = word }
  end
  if not source then return nil, err, code end
  local ok
  ok, err, code = check_url(source.url)
  if not ok then return nil, err, code end
  if source.ref and not M.ref_ok(source.ref) then
    return wrong("%q is not a branch, tag or commit that can be asked for", source.ref)
  end
  return source
end


return M
