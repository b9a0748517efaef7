--- Notes for a transaction while it is open: each effect comes here from the judge (policy.effects), before it is done,
--- and each call when it has ended (policy.guard).

local calls   = require "sessions.calls"
local clients = require "sessions.clients"
local log     = require "sys.log"
local policy  = require "sys.policy"
local store   = require "transactions.store"
local things  = require "transactions.things"

local M = {}

---@class transactions.Open  a transaction that a connection of this engine has
---@field key string       of the client
---@field id integer
---@field name string
---@field session integer
---@field calls table<integer, table<string, integer>>  what calls that run have changed: ids of changes by what they are of
---@field bytes integer


---@return transactions.Open[]
local function all()
  local memory = policy.memory()
  memory.transactions = memory.transactions or {}
  return memory.transactions
end


--- Every effect is judged while there is one: see policy.judge_all().
local function heed()
  local held = policy.memory().held
  policy.judge_all(all()[1] ~= nil or held ~= nil and next(held) ~= nil)
end


---@param client sessions.Client
---@return transactions.Open?
function M.of(client)
  for _, each in ipairs(all()) do
    if each.key == client.key then return each end
  end
end


--- From now on what this client does is noted.
---@param transaction transactions.Transaction
---@param client sessions.Client
function M.open(transaction, client)
  if M.of(client) then return end
  local list = all()
  list[#list + 1] = { key = client.key, id = transaction.id, name = transaction.name, session = transaction.session,
    bytes = transaction.bytes, calls = {} }
  heed()
end


--- It is over.
---@param id integer
function M.close(id)
  local list = all()
  for i = #list, 1, -1 do
    if list[i].id == id then table.remove(list, i) end
  end
  heed()
end


--- True if calls of the client run that have changed something, beside this one.
---@param client sessions.Client
---@param call Call
---@return boolean
function M.is_busy(client, call)
  local open = M.of(client)
  for root, changed in pairs(open and open.calls or {}) do
    if root ~= policy.root(call) and next(changed) ~= nil then return true end
  end
  return false
end


-- --- an effect ---------------------------------------------------------------------------------------------

--- The state of a thing before it is changed, and whatever of it is needed to bring it back.
local function before_of(open, thing)
  local kind = things.KINDS[thing.kind]
  if not kind then return nil, nil, thing.why end
  local state, content = kind.state(thing.place, true)
  if not state then return nil, nil, content end
  if open.bytes + #(content or "") > store.BYTES then content = nil end
  local why = kind.cannot(state, content)
  return state, not why and content or nil, why
end


--- How a thing will be left. A file that grows or gets another content keeps its permissions.
local function expected(thing, state, content)
  local after = thing.expected
  if not state or thing.kind ~= "file" then return after end
  if thing.grows then
    local before = state.kind == "absent" and "" or content
    after = before and { kind = "file", sha = things.digest(before .. thing.grows) } or nil
  end
  if after and after.kind == "file" and state.kind == "file" then after.mode = after.mode or state.mode end
  return after
end


local function note_again(thing, id)
  local after = thing.expected
  if thing.grows then
    local state, content = things.KINDS.file.state(thing.place, true)
    after = expected(thing, state, content)
  end
  return store.left(id, after, 1)
end


--- Notes one thing. Returns the id of its change if this effect is the first of the call to change it.
local function note(open, subject, call, thing)
  local mine = open.calls[policy.root(call)] or {}   -- without one it goes on after the call: nothing looks at it later
  local known = mine[things.key(thing)]
  if known then return nil, select(2, note_again(thing, known)) end
  local state, content, why = before_of(open, thing)
  local entry = calls.entry(call)
  local id, err = store.add(open.id, { kind = thing.kind, key = thing.key, what = thing.what, tool = subject.name,
    call = entry and entry.number or 0, place = thing.place, before = state, content = content, why = why,
    after = state and expected(thing, state, content) or nil })   -- of what cannot be read, not even a digest is kept
  if err then return nil, err end
  if not id then   -- another engine has ended it
    M.close(open.id)
    return nil
  end
  mine[things.key(thing)], open.bytes = id, open.bytes + #(content or "")
  return id
end


---@return integer[]? ids
---@return string? err
local function note_all(open, subject, call, effect, how, ...)
  local ids = {}
  for _, thing in ipairs(things.of(subject, effect, how, ...)) do
    local id, err = note(open, subject, call, thing)
    if err then return nil, err end
    ids[#ids + 1] = id
  end
  return ids
end


local function take_back(open, call, ids)
  local mine = open.calls[policy.root(call)] or {}
  for _, id in ipairs(ids) do
    store.forget(id)
    for key, each in pairs(mine) do
      if each == id then mine[key] = nil end
    end
  end
end


local function refused(err)
  return nil, ("The transaction cannot keep how it was before: %s. Nothing was done. Commit the transaction or roll it back, "
    .. "then do it without one."):format(err), "not_recorded"
end


--- Judges an effect, and notes what it changes. Input is noted first: what comes between the judge and its sending would change
--- its order.
---@param judge function    as policy.effects makes it
---@param decide function|string
---@param subject? table
---@param caller table
---@param call? Call
---@param effect string
---@param how string
---@param unknown boolean
---@param ... any
---@return any ...          what the judge returns
function M.around(judge, decide, subject, caller, call, effect, how, unknown, ...)
  local open = call and subject and subject.toolset ~= "sessions" and M.of(clients.of(caller))
  if not open then return judge(decide, subject, caller, call, effect, how, unknown, ...) end
  if effect == "input" then
    local ids, err = note_all(open, subject, call, effect, how, ...)
    if not ids then return refused(err) end
    local ok, why, code = judge(decide, subject, caller, call, effect, how, unknown, ...)
    if not ok then take_back(open, call, ids) end
    return ok, why, code
  end
  local ok, why, code = judge(decide, subject, caller, call, effect, how, unknown, ...)
  if not ok then return ok, why, code end
  local ids, err = note_all(open, subject, call, effect, how, ...)
  if not ids then return refused(err) end
  return ok, why, code
end


-- --- the end of a call ------------------------------------------------------------------------------------------

--- Notes how a thing was left, where that was not known beforehand or an effect failed.
local function look(change)
  local state, err = things.KINDS[change.kind].state(change.place)
  if not state then return nil, err end
  local failed = change.after and change.before and things.KINDS[change.kind].same(state, change.before)
  if change.after and not failed then return true end
  return store.left(change.id, state)
end


--- Looks at what a call has changed.
local function settle(watched)
  local changed = watched.open.calls[watched.root]
  watched.open.calls[watched.root] = nil
  if not changed or next(changed) == nil then return end
  for _, change in ipairs(store.changes(watched.open.id) or {}) do
    if things.KINDS[change.kind] and changed[things.key(change)] == change.id then
      local ok, err = look(change)
      if not ok then log.warn(("a transaction does not know how %s was left: %s"):format(change.what, err or "unseen")) end
    end
  end
end

local SETTLES = { __close = settle }


--- Watches an outermost call; close it when the call has ended.
---@param call Call
---@param caller table
---@return table?
function M.watch(call, caller)
  local open = M.of(clients.of(caller))
  if not open then return nil end
  open.calls[policy.root(call)] = {}
  return setmetatable({ open = open, root = policy.root(call) }, SETTLES)
end


--- A client uses a session: if it began the open transaction of that, what it does is noted again.
---@param session sessions.Session
---@param client? sessions.Client
function M.resume(session, client)
  client = client or clients.of()
  local transaction = store.open(session.id)
  if transaction and transaction.owner == client.owner then M.open(transaction, client) end
end


return M
