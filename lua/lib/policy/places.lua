--- Names of places in rules about arguments: paths and URLs, which the arguments may spell in other ways.

local address = require "policy.address"
local policy  = require "sys.policy"
local words   = require "policy.words"

local M = {}


local function is_url(text) return text:find "^[%a*][%w+.*-]*://" ~= nil and not text:find "^[Ff][Ii][Ll][Ee]:" end

local function is_path(text)
  return text:find "^[/~]" ~= nil or text:find "^%$HOME" ~= nil or text:find "^[Ff][Ii][Ll][Ee]:" ~= nil
end


--- True if the name in a rule is a path or a URL.
---@param name any
---@return boolean
function M.is_place(name) return type(name) == "string" and (is_url(name) or is_path(name)) end


--- The readings of a path, and whether these are all.
local function path_forms(text, allows)
  local path = address.path(text) and address.path(address.expanded(text))
  if not path then
    local rest = text:gsub("[%c]", ""):match "^%s*(.-)%s*$"
    while rest:find "^%a[%w+.-]*:" do rest = rest:gsub("^%a[%w+.-]*:", "") end
    rest = address.decoded(address.decoded(rest:gsub("^//[^/]*/", "/"):gsub("\\", "/")))
    return { text, policy.real(address.expanded(rest)) }, false
  end
  local real = (is_path(text) or text:find("..", 1, true)) and policy.real(path) or nil
  if allows then return { real or path }, real ~= nil or not is_path(text) end
  local forms = address.word_forms(text, true)
  forms[#forms + 1] = real
  return forms, true
end


local function path_names(names)
  local list = {}
  for _, name in ipairs(names) do
    table.move(address.path_names(address.expanded(name)), 1, 2, #list + 1, list)
    list[#list + 1] = name:match "^[Ff][Ii][Ll][Ee]:" and address.path(name) or nil
  end
  return list
end


local function sort(names)
  local urls, paths, others = {}, {}, {}
  for _, name in ipairs(names) do
    local list = is_url(name) and urls or is_path(name) and paths or others
    list[#list + 1] = name
  end
  return urls, paths, others
end


local WRAPS = { ["view-source"] = true, blob = true, jar = true, feed = true, http = true, https = true }

--- May a program read text as a URL? Some leave blanks out, and take one slash for two.
local function may_be_url(text)
  local bare = text:gsub("[%c%s]", "")
  local scheme, rest = bare:match "^(%a[%w+.-]*):(.*)$"
  return scheme ~= nil and scheme:lower() ~= "file" and #scheme > 1
    and (rest:find "^[/\\]" ~= nil or WRAPS[scheme:lower()] == true)
end


--- Makes a function that tests whether an argument is one of the names. nil: it cannot be told.
---@param names string[]
---@param allows boolean  true: programs have to read it as that place alone
---@return fun(text: any): boolean?
function M.test(names, allows)
  local urls, paths, others = sort(names)
  local at_url = address.urls(urls, allows)
  local is_plain = words.any(allows and others or table.move(paths, 1, #paths, #others + 1, others))
  return function(text)
    if type(text) ~= "string" then return false end
    if is_plain(text) then return true end
    local as_url = may_be_url(text)
    local fits = as_url and #urls > 0 and at_url(text)
    if fits or #paths == 0 or as_url and (allows or address.is_remote(text)) or not text:find "[/\\:%%~$`]" then return fits end
    local forms, sure = path_forms(text, allows)
    local is = address.any(forms, words.any(path_names(paths)))   -- now: links may have changed
    if allows and not sure then return nil end
    if is or fits == nil then return is or nil end
    return false
  end
end


return M
