--- Reads a message in Gmail's format=full: a tree of parts with the text, and with a description of each attachment. The result
--- is that of sys.mime.read() for the message itself.

local crypto = require "sys.crypto"
local mime   = require "sys.mime"

local M = {}

local DEPTH, PARTS, FILES = 20, 1000, 100   -- the limits of sys.mime.read()
local TEXT = 4 * 1024 * 1024                -- bytes of a text that is fetched separately

local function fail(text, ...) return nil, "Gmail's answer has " .. text:format(...), "bad_response" end

local function text_of(value) return type(value) == "string" and value or "" end


--- Returns the value of a header, on one line.
---@param part table
---@param wanted string  the name in lower case
---@return string? value
function M.header(part, wanted)
  for _, header in ipairs(type(part) == "table" and type(part.headers) == "table" and part.headers or {}) do
    if type(header) == "table" and text_of(header.name):lower() == wanted then
      return (text_of(header.value):gsub("%c+", " "))
    end
  end
end


--- Decodes base64url, which Gmail pads; nil if it is not a string, or not base64url.
---@param value any
---@return string?
function M.bytes(value)
  return type(value) == "string" and crypto.unbase64url((value:gsub("==?$", ""))) or nil
end


--- Reads From, To, the subject and the other headers.
local function heads(payload)
  local lines = {}
  for _, name in ipairs { "From", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "In-Reply-To", "References" } do
    local value = M.header(payload, name:lower())
    if value then lines[#lines + 1] = ("%s: %s\r\n"):format(name, value) end
  end
  return mime.read(table.concat(lines) .. "\r\n")
end


--- Returns the value of a parameter of Content-Type, if it is a short word.
local function parameter(value, name)
  local lower = value:lower()
  return lower:match(";%s*" .. name .. '%s*=%s*"([%w._-]+)"') or lower:match(";%s*" .. name .. "%s*=%s*([%w._-]+)")
end


--- Returns the charset of a text. Gmail converts most to UTF-8, whatever the part says; those that are not UTF-8 keep theirs.
local function charset_of(bytes, kind)
  local named = parameter(kind, "charset")
  return named and (not utf8.len(bytes) or bytes:find "[\0\27]") and named or "utf-8"   -- UTF-16, ISO 2022
end


---@class mail.gmail.Walk
---@field message sys.mime.Message
---@field fetch fun(attachment_id: string): string?, string?, string?  returns the bytes of a text that is not in the answer
---@field parts integer

--- Returns the decoded text of a part.
---@param walk mail.gmail.Walk
local function text_in(walk, part)
  local body = part.body
  local bytes, err, code
  if type(body.data) == "string" then
    bytes = M.bytes(body.data)
    if not bytes then return fail "text that is not base64url" end
  elseif type(body.attachmentId) == "string" then
    bytes, err, code = walk.fetch(body.attachmentId)
    if not bytes then return nil, err, code end
  else
    bytes = ""
  end
  local kind = M.header(part, "content-type") or ""
  local made
  made, err, code = mime.read(("Content-Type: text/plain; charset=%s\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n"):format(
    charset_of(bytes, kind), crypto.base64(bytes)))
  if not made then return nil, err, code end
  walk.message.cut = walk.message.cut or made.cut
  local text = made.text or ""
  if (M.header(part, "content-transfer-encoding") or ""):lower():match "^%s*(.-)%s*$" ~= "base64" then
    text = text:gsub("\r\n", "\n")
  end
  local flowed = parameter(kind, "format") == "flowed"
  return text, flowed, flowed and parameter(kind, "delsp") == "yes" or nil
end


local function add_file(walk, part, size)
  local files = walk.message.attachments
  if #files >= FILES then
    walk.message.cut = true
    return
  end
  local name = text_of(part.filename):gsub("%c+", " ")
  files[#files + 1] = { name = name ~= "" and name or nil, type = text_of(part.mimeType):lower(), size = size }
end


--- Returns which field a part is shown in: a part without a name that is not an attachment is text.
local function shown_as(part, kind)
  local where = (M.header(part, "content-disposition") or ""):lower()
  if text_of(part.filename) ~= "" or where:find "^%s*attachment" then return nil end
  return kind == "text/plain" and "text" or kind == "text/html" and "html" or nil
end


local take

local function take_parts(walk, parts, depth)
  for _, part in ipairs(parts) do
    local ok, err, code = take(walk, part, depth)
    if not ok then return nil, err, code end
  end
  return true
end


---@param walk mail.gmail.Walk
function take(walk, part, depth)
  if type(part) ~= "table" then return fail "a part that is not an object" end
  walk.parts = walk.parts + 1
  if depth > DEPTH or walk.parts > PARTS then
    walk.message.cut = true
    return true
  end
  local kind = text_of(part.mimeType):lower()
  if kind:find "^multipart/" then return take_parts(walk, type(part.parts) == "table" and part.parts or {}, depth + 1) end
  part.body = type(part.body) == "table" and part.body or {}
  local size = math.max(0, math.tointeger(tonumber(part.body.size)) or 0)
  local as = shown_as(part, kind)
  -- A blank text may have a better one behind it.
  local filled = as and walk.message[as] and (as == "html" or walk.message[as]:find "%S")
  if not as or filled or not part.body.data and size > TEXT then
    add_file(walk, part, size)
    return true
  end
  local text, flowed, delsp = text_in(walk, part)
  if not text then return nil, flowed, delsp end
  walk.message[as] = text
  if as == "text" then walk.message.flowed, walk.message.delsp = flowed, delsp end
  return true
end


---@param payload table
---@param fetch fun(attachment_id: string): string?, string?, string?
---@return sys.mime.Message? message
---@return string? err
---@return string? code  "bad_response", those of sys.mime.read() and of fetch()
function M.read(payload, fetch)
  if type(payload) ~= "table" then return fail "no message" end
  local message, err, code = heads(payload)
  if not message then return nil, err, code end
  message.text, message.html, message.attachments = nil, nil, {}
  local ok
  ok, err, code = take({ message = message, fetch = fetch, parts = 0 }, payload, 0)
  if not ok then return nil, err, code end
  return message
end


return M
