--- Builds the results of list_emails and read_email.

local address  = require "mail.address"
local flowed   = require "mail.flowed"
local json     = require "sys.json"
local settings = require "mail.settings"
local time     = require "sys.time"

local M = {}

local PLACEHOLDER = 300 -- bytes of a plain text that only sends its reader to the HTML, at most


local function transport_that(what)
  local set, err, code = settings.read()
  if not set then return nil, err, code end
  if not set.transport[what] then
    return nil, ("%s only sends mail. Unset PERIGEE_MAIL to use Gmail"):format(set.transport.name), "cannot_read"
  end
  return set.transport
end


---@param args {query?: string, max_results?: integer}
---@param call Call
function M.list(args, call)
  local transport, err, code = transport_that "list"
  if not transport then return nil, err, code end
  local list
  list, err, code = transport.list(call, args.query, args.max_results or 10)
  if not list then return nil, err, code end
  return { emails = json.array(list) }
end


---@param call Call
---@return {messages: integer, unread: integer}? count
---@return string? err
---@return string? code
function M.count(call)
  local transport, err, code = transport_that "count"
  if not transport then return nil, err, code end
  return transport.count(call)
end


local function files_of(message)
  local list = json.array()
  for i, file in ipairs(message.attachments) do list[i] = { name = file.name, type = file.type, size = file.size } end
  return list
end


--- Returns the first characters, and true if there are more.
local function cut(whole, most)
  local shown = whole:sub(1, (utf8.offset(whole, most + 1) or #whole + 1) - 1)
  return shown, #shown < #whole
end


--- True if the plain text is blank, or no more than a line that sends its reader to the HTML. Banks and newsletters have such.
local function says_nothing(text, html)
  local shown = text:gsub("\u{a0}", " "):gsub("\u{200b}", ""):gsub("\u{feff}", "")
  if not shown:find "%S" then return true end
  local lower = shown:lower()
  return #shown < PLACEHOLDER and #html > 2 * #shown and (lower:find "html" or lower:find "browser" or lower:find "navigateur"
    or lower:find "navegador") ~= nil
end


--- Returns the text to read: the plain one, or the HTML where that is all.
---@param message sys.mime.Message
---@return string body
---@return true? is_html
function M.body(message)
  local body = message.text or ""
  if message.flowed then body = flowed.decode(body, message.delsp) end
  if message.html and says_nothing(body, message.html) then return message.html, true end
  return body
end


---@param args {id: string, max_characters?: integer}
---@param call Call
function M.read(args, call)
  local transport, err, code = transport_that "read"
  if not transport then return nil, err, code end
  local message, thread
  message, thread, code = transport.read(call, args.id)
  if not message then return nil, thread, code end
  local body, html = M.body(message)
  local shown, is_cut = cut(body, args.max_characters or 20000)
  return {
    id = args.id, thread = thread, from = address.full(message.from), to = address.full(message.to),
    cc = message.cc[1] and address.full(message.cc) or nil, subject = message.subject or "",
    date = message.date and time.iso(message.date) or nil, message_id = message.id, body = shown, body_is_html = html,
    body_cut = is_cut or nil, incomplete = message.cut or nil, attachments = files_of(message),
  }
end


return M
