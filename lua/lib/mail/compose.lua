--- Builds a message from the arguments of a call.

local address = require "mail.address"
local crypto  = require "sys.crypto"
local files   = require "mail.files"
local flowed  = require "mail.flowed"
local json    = require "sys.json"
local time    = require "sys.time"

local M = {}

---@class mail.Args
---@field to string
---@field subject string
---@field body string
---@field body_html? string
---@field cc? string
---@field bcc? string
---@field reply_to? string
---@field attachments? string[]
---@field reply_to_id? string
---@field draft? boolean
---@field format? "plain"|"flowed"
---@field idempotency_key? string

local LISTS = { "to", "cc", "bcc", "reply_to" }


--- Returns the content of the message, without the parts that identify it: its ID, its date and its thread.
---@param args mail.Args
---@param from? sys.mime.Address
---@return sys.mime.Message? message
---@return string? err
---@return string? code
function M.message(args, from)
  local message = { from = from and { from } or nil, subject = args.subject, text = args.body, html = args.body_html }
  for _, field in ipairs(LISTS) do
    local list, err, code = address.list(args[field], field)
    if not list then return nil, err, code end
    message[field] = list[1] and list or nil
  end
  local attached, err, code = files.read(args.attachments)
  if not attached then return nil, err, code end
  message.attachments = attached[1] and attached or nil
  local text = args.format == "flowed" and flowed.encode(args.body)
  if text then message.text, message.flowed = text, true end
  return message
end


--- Returns a digest of the content, which is the same if the call is repeated.
---@param args mail.Args
---@param message sys.mime.Message
---@param way string  how it is sent
---@return string
function M.content(args, message, way)
  local parts = { way, message.subject, args.body, args.body_html or "", args.reply_to_id or "", args.format or "" }
  for _, field in ipairs(LISTS) do parts[#parts + 1] = json.encode(json.array(message[field] or {})) end
  for _, file in ipairs(message.attachments or {}) do
    parts[#parts + 1] = file.name .. " " .. crypto.hex(assert(crypto.sha256(file.bytes)))
  end
  return crypto.hex(assert(crypto.sha256(json.encode(json.array(parts)))))
end


--- Adds the parts that identify the message.
---@param message sys.mime.Message
---@param domain string  the domain of the message ID
---@param thread? {in_reply_to?: string, references: string[]}
function M.stamp(message, domain, thread)
  message.id = ("%s@%s"):format(crypto.hex(crypto.random(16)), domain)
  message.date = time.now()
  if thread then
    message.in_reply_to = thread.in_reply_to
    local references = table.move(thread.references, math.max(1, #thread.references - 98), #thread.references, 1, {})
    references[#references + 1] = thread.in_reply_to
    message.references = references[1] and references or nil
  end
end


return M
