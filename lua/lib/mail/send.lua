--- Sends a message once, even if the call is interrupted and repeated.

local address  = require "mail.address"
local compose  = require "mail.compose"
local ledger   = require "mail.ledger"
local mime     = require "sys.mime"
local refused  = require "refused"
local settings = require "mail.settings"
local state    = require "sys.state"
local task     = require "sys.task"
local time     = require "sys.time"

local M = {}

local SAME = 600   -- seconds in which the same message, without a key, counts as a repeated call

local function fail(code, text, ...) return nil, text:format(...), code end


local function clock(seconds) return time.iso(math.floor(seconds)) end


--- The IDs of messages that were refused before the first byte was sent, and whose entries could not be removed.
local function refusals()
  local mine = state.open "mail"
  mine.refused = mine.refused or {}
  return mine.refused
end


--- Returns the outcome of an earlier call with this key; nil if the message has to be sent.
---@return table? outcome  {id, again}
---@return string? err
---@return string? code
local function earlier(call, transport, key, entry, content, own_key)
  if own_key and entry.content ~= content then
    return fail("key_reused", "idempotency_key %q was used at %s for another message. Pass a key of its own for each message",
      own_key, clock(entry.at))
  end
  if entry.state == "sent" then
    if not own_key and time.now() - entry.at >= SAME then return nil end
    return { id = entry.id, again = clock(entry.at) }
  end
  if refusals()[entry.message_id] then return nil end
  local id = transport.find and transport.find(call, entry.message_id)
  if id then
    entry.state, entry.id = "sent", id
    local ok, err, code = ledger.put(key, entry)
    if not ok then return nil, err, code end
    return { id = id, again = clock(entry.at) }
  end
  return fail("maybe_sent", "an earlier call began to send this message at %s and was cut off, so it may have arrived: nothing "
    .. "was sent now. Look for it in the sent mail (message ID %s). If it is not there, call again with %s idempotency_key",
    clock(entry.at), entry.message_id, own_key and "a new" or "an")
end


--- Returns a function that a transport calls before the first byte, when the user has allowed it: it begins the entry, unless
--- another call sent the same meanwhile. From then on no other call sends until the turn is closed.
---@param turn mail.Turn
---@param entry mail.Entry
---@param known fun(): table?, string?, string?  the outcome of another call
---@param begun {done?: boolean, known?: table}  gets what happened
local function beginning(turn, key, entry, known, begun)
  return function()
    if begun.done then return true end   -- a transport may try several times
    local ok, err, code = turn:take()
    if not ok then return nil, err, code end
    local found
    found, err, code = known()
    if found or code then
      begun.known = found
      return nil, err, code
    end
    ok, err, code = ledger.put(key, entry)
    begun.done = ok == true
    return ok, err, code
  end
end


--- Sends a message. Its entry says "begun" until the answer arrives. It has none while the user is asked, which holds no other
--- call up: if the engine is killed meanwhile, nothing was sent.
---@param known fun(): table?, string?, string?  the outcome of another call that sent the same
local function deliver(call, transport, parcel, key, content, known)
  local entry = { state = "begun", at = time.now(), message_id = parcel.message.id, content = content }
  local begun, turn <close> = {}, ledger.turn()
  parcel.begin = beginning(turn, key, entry, known, begun)
  local id, err, code, certain = transport.send(call, parcel)
  if begun.known then return begun.known end
  if not id and not begun.done then return nil, err, code end
  if not id and refused.is(code) then refusals()[entry.message_id] = true end   -- after that no file is written for this call
  if not id and (certain or refused.is(code)) then
    ledger.put(key, nil)
    return nil, err, code
  end
  if not id then
    id = transport.find and transport.find(call, parcel.message.id)
    if not id then
      return fail("maybe_sent", "%s (%s). The message may have been sent all the same: look in the sent mail for the message ID "
        .. "%s. The same call sends nothing again", err, code, parcel.message.id)
    end
  end
  entry.state, entry.id = "sent", id
  local ok
  ok, err, code = ledger.put(key, entry)
  if ok then return { id = id } end
  return { id = id, note = ("it was sent, but that could not be kept (%s: %s): do not call again"):format(code, err) }
end


local function domain_of(message, transport)
  local from = message.from and message.from[1].address
  return from and from:match "@([%w.-]+)$" or transport.domain
end


--- Does everything before the message is sent.
local function prepare(call, args, through)
  local set, err, code = settings.read(through)
  if not set then return nil, err, code end
  local transport = set.transport
  local message
  message, err, code = compose.message(args, set.from)
  if not message then return nil, err, code end
  if args.draft and not transport.draft then
    return fail("no_drafts", "%s keeps no drafts. Leave draft out, or use Gmail", transport.name)
  end
  if args.reply_to_id and not transport.thread then
    return fail("no_threads", "%s knows no IDs of messages. Leave reply_to_id out, or use Gmail", transport.name)
  end
  local checked
  checked, err, code = mime.build(message)   -- before the user is asked to log in
  if not checked then return nil, err, code end
  return { transport = transport, message = message, content = compose.content(args, message, transport.name), from = set.from }
end


--- Returns the bytes, with an ID and, for an answer, the thread.
local function stamped(call, args, made)
  local transport, message = made.transport, made.message
  local thread, err, code
  if args.reply_to_id then
    thread, err, code = transport.thread(call, args.reply_to_id)
    if not thread then return nil, err, code end
  end
  compose.stamp(message, domain_of(message, transport), thread)
  local recipients = {}
  for _, field in ipairs { "to", "cc", "bcc" } do
    for _, each in ipairs(message[field] or {}) do recipients[#recipients + 1] = each.address end
  end
  local hidden = message.bcc
  if not transport.keeps_bcc then message.bcc = nil end
  local bytes
  bytes, err, code = mime.build(message)
  message.bcc = hidden
  if not bytes then return nil, err, code end
  return { bytes = bytes, message = message, recipients = recipients, thread = thread and thread.thread, from = made.from,
    attachments = args.attachments }
end


local function send(call, args, made)
  local own_key = args.idempotency_key
  local key = own_key and "key " .. own_key or "content " .. made.content
  local transport = made.transport
  local function known()
    local entry, err, code = ledger.get(key)
    if entry == nil then return nil, err, code end
    if entry then return earlier(call, transport, key, entry, made.content, own_key) end
  end
  local held <close> = task.lock("mail " .. key)   -- the user is asked about one message once
  local outcome, err, code = ledger.alone(known)
  if outcome or code then return outcome, err, code end
  local ok
  ok, err, code = transport.ready(call, args, made.from)   -- a login may take minutes, in which other calls need not wait
  if not ok then return nil, err, code end
  local parcel
  parcel, err, code = stamped(call, args, made)
  if not parcel then return nil, err, code end
  return deliver(call, transport, parcel, key, made.content, known)
end


local function draft(call, args, made)
  local ok, err, code = made.transport.ready(call, args, made.from)
  if not ok then return nil, err, code end
  local parcel
  parcel, err, code = stamped(call, args, made)
  if not parcel then return nil, err, code end
  local id
  id, err, code = made.transport.draft(call, parcel)
  return id and { id = id } or nil, err, code
end


---@class mail.Outcome
---@field id string
---@field to string       the recipients' addresses in `to`
---@field again? string   when an earlier call sent it; nothing was sent now
---@field note? string

---@param args mail.Args
---@param call Call
---@param through? string  the way, in place of PERIGEE_MAIL
---@return mail.Outcome? outcome
---@return string? err
---@return string? code
function M.run(args, call, through)
  local made, err, code = prepare(call, args, through)
  if not made then return nil, err, code end
  local outcome
  outcome, err, code = (args.draft and draft or send)(call, args, made)
  if not outcome then return nil, err, code end
  outcome.to = address.text(made.message.to or made.message.cc or made.message.bcc)
  return outcome
end


return M
