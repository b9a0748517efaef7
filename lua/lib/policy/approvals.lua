--- The user's approvals: each is of a capability, for one caller, until it expires or is revoked.
--
-- Each is a private file, so that revoking one in a terminal takes effect in every engine at once.

local crypto = require "sys.crypto"
local json   = require "sys.json"
local policy = require "sys.policy"
local time   = require "sys.time"

local M = {}

local SESSION = 12 * 3600   -- seconds that an approval for a session lasts, at most
local SLACK = 60            -- seconds by which the clock may go back

---@class policy.Approval
---@field id string
---@field what string       the capability, for people
---@field caller string     the caller, for people
---@field given number      seconds since 1970
---@field expires number
---@field session boolean   it ends with the connection of its caller


local function id_of(...)
  return crypto.hex(assert(crypto.sha256(json.encode { ... }))):sub(1, 32)
end


--- The ID of a session: this process, and the caller's connection in it.
local function session_of(caller)
  local mine = policy.memory()
  mine.engine = mine.engine or crypto.hex(crypto.random(8))
  return ("%s.%d"):format(mine.engine, caller.id)
end


local function ids(key, caller)
  return id_of(key), id_of(key, session_of(caller))
end


--- Writes to the audit log that an approval ended.
local function record_end(outcome, id, approval)
  policy.record("approval", { outcome = outcome, what = approval and approval.what, id = id,
    caller = approval and (approval.whose or { name = approval.caller }) })
end


local function read(id)
  local text = policy.approval(id)
  local approval = text and json.decode(text)
  if type(approval) ~= "table" then return nil end
  local now = time.now()
  if type(approval.expires) ~= "number" or type(approval.given) ~= "number" or now >= approval.expires
      or now < approval.given - SLACK then
    policy.revoke(id)
    record_end("expired", id, approval)
    return nil
  end
  approval.id = id
  return approval
end


--- The ID that an approval has.
---@param capability policy.Capability
---@param caller table
---@param session boolean  true: it ends with the connection
---@return string
function M.id(capability, caller, session)
  local lasting, of_session = ids(capability.key, caller)
  return session and of_session or lasting
end


--- Ends an approval of something that is another one now. It does not hold again if what it was for comes back.
local function end_of(id, approval)
  policy.revoke(id)
  record_end("changed", id, approval)
end


---@param capability policy.Capability
---@param caller table
---@return policy.Approval?
function M.covers(capability, caller)
  for i = 0, #capability.wider do
    local lasting, session = ids(i == 0 and capability.key or capability.wider[i], caller)
    for _, id in ipairs { lasting, session } do
      local approval = read(id)
      if approval and (approval.state or "") == capability.state then return approval end
      if approval then end_of(id, approval) end
    end
  end
end


---@param capability policy.Capability
---@param caller table
---@param seconds? number  nil: until the connection ends
---@return string? id
---@return string? err
---@return string? code
function M.give(capability, caller, seconds)
  local now, id = time.now(), M.id(capability, caller, not seconds)
  local without = require("sys.secrets").without   -- it is for people: `perigee approvals`
  local ok, err, code = policy.approve(id, json.encode {
    what = without(capability.covers), caller = without(capability.who), given = now, expires = now + (seconds or SESSION),
    whose = { kind = caller.kind, name = caller.name, subject = caller.subject }, session = not seconds,
    state = capability.state })
  return ok and id or nil, err, code
end


--- All approvals that hold now; the next to expire first.
---@return policy.Approval[]
function M.list()
  local list = {}
  for id in policy.approvals():gmatch "%x+" do
    local approval = read(id)
    if approval then list[#list + 1] = approval end
  end
  table.sort(list, function(a, b)
    if a.expires ~= b.expires then return a.expires < b.expires end
    return a.id < b.id
  end)
  return list
end


---@param id string
---@return boolean? there_was_one
---@return string? err
---@return string? code
function M.revoke(id)
  local approval = read(id)
  local was, err, code = policy.revoke(id)
  if was then record_end("revoked", id, approval) end
  return was, err, code
end


return M
