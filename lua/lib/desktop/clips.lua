--- Clipboard content as the tools report it: text, HTML, files and images.

local json    = require "sys.json"
local quoting = require "desktop.quoting"

local M = {}


--- Image types by their first bytes.
local PICTURES = { { "\137PNG\r\n\26\n", "image/png" }, { "\255\216\255", "image/jpeg" }, { "GIF8", "image/gif" } }

---@param bytes string
---@return string? media_type  nil: not a known image type
function M.picture_type(bytes)
  for _, kind in ipairs(PICTURES) do
    if bytes:sub(1, #kind[1]) == kind[1] then return kind[2] end
  end
end


--- A path as a URI. A URI is returned unchanged.
---@param path string
---@return string? uri  nil: neither an absolute path nor a URI
function M.uri(path)
  if path:find "^%a[%w+.-]*://" and not path:find "[%s%c]" then return path end
  if path:sub(1, 1) ~= "/" or path:find "%z" then return nil end
  return "file://" .. path:gsub("[^%w/._~!$&'()*+,;=:@-]", function(c) return ("%%%02X"):format(c:byte()) end)
end


--- The path of a file URI of this machine; nil if it is not one, or has bytes that text cannot hold.
local function path_of(uri)
  local path = uri:match "^file://[%w.-]*(/.*)$"
  path = path and path:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  return path and utf8.len(path) and quoting.plain(path) == path and path or nil
end


--- A URI with all other bytes percent-encoded.
local function encoded(uri)
  return (uri:gsub("[^\x21-\x7e]", function(c) return ("%%%02X"):format(c:byte()) end))
end


--- The files of a text/uri-list; those on this machine as paths.
---@param list string
---@return string[]
function M.files(list)
  local files = {}
  for line in list:gmatch "[^\r\n]+" do
    if line:sub(1, 1) ~= "#" then
      files[#files + 1] = path_of(line) or quoting.plain(line) == line and line or encoded(line)
    end
  end
  return files
end


--- At most so many characters, cut at a whole one.
---@param text string
---@param most integer
---@return string text
---@return boolean cut
function M.cut(text, most)
  local stop = utf8.offset(text, most + 1)
  if not stop or stop > #text then return text, false end
  return text:sub(1, stop - 1), true
end


--- The contents of a clip's parts, for a tool's result: text, html, files, image. Text is cut.
---@param parts table<string, string>
---@param most integer  characters of text
---@param facts? table  the table that receives them
---@return table facts
function M.facts(parts, most, facts)
  facts = facts or {}
  local text, html, files, image = parts["text/plain"], parts["text/html"], parts["text/uri-list"], parts["image/png"]
  if text then
    facts.length = utf8.len(text) or #text
    facts.text, facts.text_cut = M.cut(text, most)
  end
  if html then facts.html, facts.html_cut = M.cut(html, most) end
  if files then facts.files = json.array(M.files(files)) end
  if image then facts.image = { mime_type = "image/png", size = #image } end
  return facts
end


return M
