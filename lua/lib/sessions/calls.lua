--- Calls that are recorded: those of a client that uses a session and of an agent, which the gate tells of (policy.guard), those
--- whose result is too long to be shown, and those whose tool asks for it, because its result is made to be referred to.

local clients  = require "sessions.clients"
local log      = require "sys.log"
local policy   = require "sys.policy"
local records  = require "sessions.records"
local request  = require "sessions.request"
local sessions = require "sessions.sessions"
local shelf    = require "sessions.shelf"
local shown    = require "sessions.shown"
local state    = require "sys.state"
local time     = require "sys.time"

local M = {}

local IN_MEMORY = 16                                   -- clients without a session whose results are kept
local MOST_LEFT = 32                                   -- results that are not their client's yet
local UNTOLD = { sessions = true, console = true }     -- toolsets whose calls are not recorded


--- Returns the shelf in memory of a client without a session.
---@param client sessions.Client
---@param make? boolean
---@return sessions.Shelf?
local function in_memory(client, make)
  local mine = state.open "sessions"
  mine.memory = mine.memory or {}
  for i, each in ipairs(mine.memory) do
    if each.key == client.key then
      table.insert(mine.memory, table.remove(mine.memory, i))
      return shelf.in_memory(each.data)
    end
  end
  if not make then return nil end
  local one = { key = client.key, data = {} }
  mine.memory[#mine.memory + 1] = one
  if #mine.memory > IN_MEMORY then table.remove(mine.memory, 1) end
  return shelf.in_memory(one.data)
end


--- Returns the shelf of a client: that of the session which it uses, or one in memory. nil: it has none.
---@param client? sessions.Client
---@param make? boolean  true: it gets one in memory
---@return sessions.Shelf?
---@return string? err
---@return string? code
function M.shelf(client, make)
  client = client or clients.of()
  local session, err, code = sessions.current(client)
  if session then return sessions.shelf(session) end
  if err then return nil, err, code end
  return in_memory(client, make)
end


---@return table<integer, sessions.Entry>  the calls that are recorded now, by the number of the outermost call
local function running()
  local mine = state.open "sessions"
  mine.running = mine.running or {}
  return mine.running
end


---@class sessions.Entry
---@field shelf sessions.Shelf
---@field number integer
---@field root integer
---@field call Call
---@field id string
---@field quiet? boolean  no text says the id
---@field ended? boolean

--- A call that raised an error or was stopped has no result.
local function close(entry)
  running()[entry.root] = nil
  if entry.ended then return end
  records.finish(entry.shelf, entry.number, { error = "it was stopped, or failed by an error of its code", code = "stopped" })
end

local CLOSES = { __close = close }


local function warn(what, err) log.warn(("a session does not have %s: %s"):format(what, err)) end


--- The id of the transaction that a client has in a session; nil: none.
local function transaction_of(client, session)
  for _, each in ipairs(policy.memory().transactions or {}) do
    if each.key == client.key and each.session == session then return each.name end
  end
end


--- Begins the record of a call; close it. nil: the call is not recorded.
---@param call Call
---@param subject sys.policy.Subject
---@param caller table
---@param args any
---@return sessions.Entry?
function M.begin(call, subject, caller, args)
  if subject.kind ~= "tool" or UNTOLD[subject.toolset] or policy.dry_run() or call:via()[1] then return nil end
  local client = clients.of(caller)
  local id = sessions.active(client)
  local quiet = not id and caller.kind == "agent"   -- its model refers to results by the ids of its own calls
  local mine = id and shelf.in_book(id) or quiet and in_memory(client, true)
  if not mine then return nil end
  local begun = request.record((policy.sent(call)), subject, args)
  begun.transaction_id = id and transaction_of(client, id) or nil
  local number, err, code = records.begin(mine, begun)
  if not number then
    if code ~= "session_not_found" then warn(("a call of %s"):format(subject.name), err) end   -- another client deleted it
    return nil
  end
  local entry = setmetatable({ shelf = mine, number = number, root = policy.root(call), call = call, quiet = quiet,
    id = records.id(number) }, CLOSES)
  running()[entry.root] = entry
  return entry
end


--- Returns the record of the client's call that led to this one; nil: it has none.
---@param call Call
---@return sessions.Entry?
function M.entry(call) return running()[policy.root(call)] end


M.outcome = shown.outcome


--- Records the result of a call, and passes it on.
---@param entry? sessions.Entry
---@param call Call
---@param subject sys.policy.Subject
---@param sources integer  the bits of its own content
---@param ... any          what its function returned
function M.ended(entry, call, subject, sources, ...)
  if not entry then
    if policy.memory().left then M.adopt(call, subject) end
    return ...
  end
  local outcome = M.outcome(...)
  outcome.source = sources | policy.brought(call)
  local ok, err = records.finish(entry.shelf, entry.number, outcome)
  entry.ended = true
  if not ok then
    warn(("the result of %s"):format(subject.name), err)
    return ...
  end
  local id = entry.id
  local observed = subject.name == "create_observation" and type(outcome.structured) == "table" and outcome.structured.name
  if type(observed) == "string" then records.put(entry.shelf, "observation", observed, { call = id }) end
  policy.sent(call, entry.number)
  return shown.told(call, subject, id, entry.quiet, ...)
end


--- Keeps a result that is too long to be shown, of a call that has no record. It is put into its form when the answer is out.
---@param call Call
---@param subject sys.policy.Subject
---@param caller table
---@param args any
---@param sources integer  the bits of its own content
---@param cap integer      the bytes of a text that the client gets
---@param ... any          what its function returned
function M.long(call, subject, caller, args, sources, cap, ...)
  local is_cut, bytes = shown.is_cut(call, (...), cap)
  if not is_cut or bytes > shelf.MEMORY then return ... end
  local mine, source = in_memory(clients.of(caller), true), policy.sent(call)
  local number = mine and mine:add { tool = subject.name, arguments = "{}", reads = 0, engine = "", begun = time.now() }
  if not number then return ... end
  local outcome = shown.outcome(...)
  outcome.source = sources | policy.brought(call)
  mine:later(function()
    records.fill(mine, number, request.record(source, subject, args))
    records.finish(mine, number, outcome)
  end)
  policy.sent(call, number)
  if shown.has_parts(subject) then return ... end
  return shown.told(call, subject, records.id(number), true, ...)
end


--- Notes what the user answered about a call.
---@param caller table
---@param subject sys.policy.Subject
---@param decision string
---@param reason string
function M.decided(caller, subject, decision, reason)
  local session = sessions.current(clients.of(caller))
  if not session then return end
  local of_session = sessions.shelf(session)
  local count = #(records.all(of_session, "approval") or {})
  local ok, err = records.put(of_session, "approval", ("%s %d"):format(subject.name, count + 1), { tool = subject.name,
    decision = decision, reason = reason })
  if not ok then warn(("the answer about %s"):format(subject.name), err) end
end


--- Remembers that a client's call_tool led to a result which is kept: adopt() makes it that of the client's own call.
local function leave(call, mine, number)
  local memory = policy.memory()
  memory.left = memory.left or { count = 0, of = {} }
  if memory.left.count >= MOST_LEFT then memory.left = { count = 0, of = {} } end   -- of calls that failed behind it
  memory.left.count = memory.left.count + 1
  memory.left.of[policy.root(call)] = { shelf = mine, number = number }
end


--- Makes a result that was kept below a client's call that of the call: its ids and its reference are told for it.
---@param call Call
---@param subject sys.policy.Subject
function M.adopt(call, subject)
  local memory, root = policy.memory(), policy.root(call)
  local left = memory.left
  local found = left.of[root]
  if not found or call:via()[1] then return end
  left.of[root], left.count = nil, left.count - 1
  if left.count == 0 then memory.left = nil end
  local begun = request.record((policy.sent(call)), subject)
  begun.arguments = begun.arguments and begun.arguments.arguments
  records.fill(found.shelf, found.number, begun)
  policy.sent(call, found.number)
end


--- Keeps the result of the running call, so that its client can refer to it: for a tool whose results are made for that. A client
--- without a session has it until its connection ends. It may have made the call by call_tool.
---@param call Call
---@param tool string
---@param args table
---@param outcome sessions.Outcome
---@return string? id  "r3", for its text; nil: a script or a command made the call and has its value
---@return string? err
---@return string? code
function M.keep(call, tool, args, outcome)
  local via = call:via()
  local below = via[1] == "call_tool" and not via[2]
  if via[1] and not below or policy.dry_run() then return nil end
  local entry = M.entry(call)
  if entry then return entry.id end
  local client = clients.of()
  if client.kind == "terminal" then return nil end   -- nobody is there later to refer to it
  local mine, err, code = M.shelf(client, true)
  if not mine then return nil, err, code end
  local number
  number, err, code = records.begin(mine, { tool = tool, arguments = request.arguments(call) or args,
    aliases = request.aliases(call) })
  if not number then return nil, err, code end
  if below then leave(call, mine, number) else policy.sent(call, number) end
  outcome.source = outcome.source or policy.brought(call)
  local ok
  ok, err, code = records.finish(mine, number, outcome)
  if not ok then return nil, err, code end
  return records.id(number)
end


return M
