--- Sends, drafts and reads messages by the Gmail API.

local account = require "mail.gmail.account"
local api     = require "mail.gmail.api"
local crypto  = require "sys.crypto"
local effect  = require "sys.effect"
local http    = require "sys.http"
local json    = require "sys.json"
local mime    = require "sys.mime"
local payload = require "mail.gmail.payload"

local M = {}

M.name = "Gmail"
M.keeps_bcc = true    -- Gmail reads the recipients from the message, and removes this header
M.domain = "gmail.com" -- the domain of message IDs, if no sender is named

local ME = "/gmail/v1/users/me/"
local SMALL = 3 * 1024 * 1024          -- bytes of a message that is sent as JSON
local NEWEST = 10                      -- the number of newest sent messages that are searched
local LARGEST = 35 * 1024 * 1024       -- bytes: Gmail's limit for a message


---@param call Call
---@param args table  the arguments of send_email
---@return true? ok
---@return string? err
---@return string? code
function M.ready(call, args)
  local wanted = args.draft and account.COMPOSE or account.SEND
  local access, err, code = account.access(call, wanted)
  if not access then return nil, err, code end
  return true
end


--- Returns the thread of a message, for an answer to it.
---@param call Call
---@param id string  as list_emails returns it
---@return {thread: string, in_reply_to?: string, references: string[]}? thread
---@return string? err
---@return string? code
function M.thread(call, id)
  if not id:find "^[%w_-]+$" then
    return nil, ("reply_to_id %q is not an ID of Gmail. Pass the id of list_emails or read_email"):format(id), "bad_id"
  end
  local got, err, code = api.request(call, { scope = account.READ,
    path = ME .. "messages/" .. id .. "?format=metadata&metadataHeaders=Message-ID&metadataHeaders=References" })
  if not got then return nil, err, code end
  local found = { thread = got.threadId, references = {} }
  found.in_reply_to = (payload.header(got.payload, "message-id") or ""):match "<([^<>%s]+)>"
  for each in (payload.header(got.payload, "references") or ""):gmatch "<([^<>%s]+)>" do
    found.references[#found.references + 1] = each
  end
  return found
end


--- Returns the request that uploads a message: small ones as JSON, others as they are.
---@return mail.gmail.Request? request
---@return string? err
---@return string? code  "too_large"
local function carried(kind, bytes, thread)
  if #bytes > LARGEST then
    return nil, ("the message has %d bytes (Gmail's limit: %d). Attach less"):format(#bytes, LARGEST), "too_large"
  end
  local path = ME .. (kind == "draft" and "drafts" or "messages/send")
  if #bytes <= SMALL then
    local message = { raw = crypto.base64url(bytes), threadId = thread }
    return { path = path, json = kind == "draft" and { message = message } or message }
  end
  path = "/upload" .. path
  if not thread and kind == "send" then
    return { path = path .. "?uploadType=media", headers = { ["Content-Type"] = "message/rfc822" }, body = bytes }
  end
  local boundary = "perigee" .. crypto.hex(crypto.random(16))
  local about = kind == "draft" and { message = { threadId = thread } } or { threadId = thread }
  return { path = path .. "?uploadType=multipart", headers = { ["Content-Type"] = "multipart/related; boundary=" .. boundary },
    body = table.concat { "--", boundary, "\r\nContent-Type: application/json\r\n\r\n", json.encode(json.object(about)),
      "\r\n--", boundary, "\r\nContent-Type: message/rfc822\r\n\r\n", bytes, "\r\n--", boundary, "--\r\n" } }
end


---@class mail.Parcel
---@field bytes string                the message
---@field message sys.mime.Message    the source of the bytes
---@field thread? string              the transport's ID of the thread
---@field recipients string[]         addresses of all kinds
---@field from? sys.mime.Address
---@field attachments? string[]       the paths, as the caller passed them
---@field begin? fun(): true?, string?, string?  to be called before the first byte is sent, once that is allowed

---@param call Call
---@param parcel mail.Parcel
---@return string? id
---@return string? err
---@return string? code
---@return boolean? certain  true if it was certainly not sent
function M.send(call, parcel)
  local spec, err, code = carried("send", parcel.bytes, parcel.thread)
  if not spec then return nil, err, code, true end
  local passes
  passes, err, code = effect.mail { recipients = parcel.recipients, message = parcel.bytes, attachments = parcel.attachments }
  if passes then passes, err, code = parcel.begin() end
  if not passes then return nil, err, code, true end
  spec.method, spec.scope = "POST", account.SEND
  local got, certain
  got, err, code, certain = api.request(call, spec)
  if not got then return nil, err, code, certain end
  if type(got.id) ~= "string" then return nil, "Gmail's answer has no ID", "bad_response", false end
  return got.id
end


---@param call Call
---@param parcel mail.Parcel
---@return string? id
---@return string? err
---@return string? code
function M.draft(call, parcel)
  local spec, err, code = carried("draft", parcel.bytes, parcel.thread)
  if not spec then return nil, err, code end
  spec.method, spec.scope = "POST", account.COMPOSE
  local got
  got, err, code = api.request(call, spec)
  if not got then return nil, err, code end
  if type(got.id) ~= "string" then return nil, "Gmail's answer has no ID", "bad_response" end
  return got.id
end


--- Returns the first of the found messages that has this message ID.
local function find_among(call, query, count, message_id)
  local got = api.request(call, { scope = account.READ, quiet = true,
    path = ("%smessages?maxResults=%d&q=%s"):format(ME, count, http.escape(query)) })
  for _, each in ipairs(got and type(got.messages) == "table" and got.messages or {}) do
    local one = api.request(call, { scope = account.READ, quiet = true, path = ME .. "messages/" .. http.escape(tostring(each.id))
      .. "?format=metadata&metadataHeaders=Message-ID&metadataHeaders=X-Google-Original-Message-ID" })
    for _, name in ipairs { "message-id", "x-google-original-message-id" } do
      if one and (payload.header(one.payload, name) or ""):find("<" .. message_id .. ">", 1, true) then return one.id end
    end
  end
end


--- Returns the ID of the sent message with this message ID. nil alone means that it does not exist, or cannot be looked up
--- without asking the user for a further permission. The search finds a message only some time after it was sent, so the newest
--- sent messages are also read.
---@param call Call
---@param message_id string
---@return string? id
function M.find(call, message_id)
  return find_among(call, "rfc822msgid:" .. message_id, 1, message_id) or find_among(call, "in:sent", NEWEST, message_id)
end


-- --- reading ----------------------------------------------------------------------------------------

--- Decodes encoded words, if Gmail left them.
local function decoded(value)
  if not value or not value:find("=?", 1, true) then return value end
  local message = mime.read("Subject: " .. value:gsub("[\r\n]+", " ") .. "\r\n\r\n")
  return message and message.subject or value
end


---@param call Call
---@param query? string  in Gmail's search syntax
---@param count integer
---@return {id: string, thread: string, from?: string, subject?: string, date?: string, snippet?: string}[]? list
---@return string? err
---@return string? code
function M.list(call, query, count)
  local got, err, code = api.request(call, { scope = account.READ,
    path = ("%smessages?maxResults=%d%s"):format(ME, count, query and "&q=" .. http.escape(query) or "") })
  if not got then return nil, err, code end
  local list = {}
  for i, each in ipairs(type(got.messages) == "table" and got.messages or {}) do
    local one
    one, err, code = api.request(call, { scope = account.READ, path = ME .. "messages/" .. http.escape(tostring(each.id))
      .. "?format=metadata&metadataHeaders=From&metadataHeaders=Subject&metadataHeaders=Date&metadataHeaders=To" })
    if not one then return nil, err, code end
    list[i] = { id = one.id, thread = one.threadId, from = decoded(payload.header(one.payload, "from")),
      to = decoded(payload.header(one.payload, "to")), subject = decoded(payload.header(one.payload, "subject")),
      date = payload.header(one.payload, "date"), snippet = one.snippet }
    if i == count then break end
  end
  return list
end


---@param call Call
---@return {messages: integer, unread: integer}? count  of the inbox
---@return string? err
---@return string? code
function M.count(call)
  local got, err, code = api.request(call, { scope = account.READ, path = ME .. "labels/INBOX" })
  if not got then return nil, err, code end
  local messages, unread = math.tointeger(got.messagesTotal), math.tointeger(got.messagesUnread)
  if not messages or not unread then return nil, "Gmail's answer has no numbers of messages. Try again", "bad_response" end
  return { messages = messages, unread = unread }
end


--- Reads a message whose attachments are too large to be loaded with it.
local function read_parts(call, path)
  local got, err, code = api.request(call, { scope = account.READ, path = path .. "?format=full" })
  if not got then return nil, err, code end
  local message
  message, err, code = payload.read(got.payload, function(id)
    local part, why, what = api.request(call, { scope = account.READ, path = path .. "/attachments/" .. http.escape(id) })
    if not part then return nil, why, what end
    local bytes = payload.bytes(part.data)
    if not bytes then return nil, "Gmail's answer has no text", "bad_response" end
    return bytes
  end)
  if not message then return nil, err, code end
  return message, got.threadId
end


---@param call Call
---@param id string
---@return sys.mime.Message? message
---@return string? err       or the ID of the thread
---@return string? code
function M.read(call, id)
  local path = ME .. "messages/" .. http.escape(id)
  local got, err, code = api.request(call, { scope = account.READ, path = path .. "?format=raw" })
  if code == "too_large" then return read_parts(call, path) end
  if not got then return nil, err, code end
  local bytes = payload.bytes(got.raw)
  if not bytes then return nil, "Gmail's answer has no message", "bad_response" end
  local message
  message, err, code = mime.read(bytes)
  if not message then return nil, err, code end
  return message, got.threadId
end


return M
