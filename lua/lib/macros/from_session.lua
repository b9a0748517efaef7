--- The last calls of a session as calls that a macro can be made of (macros.from_calls).

local json       = require "sys.json"
local records    = require "sessions.records"
local references = require "sessions.references"
local sessions   = require "sessions.sessions"
local set_of     = require("word_set").of

local M = {}

M.LAST = 20      -- calls that are taken if none are counted
M.MOST = 200
local BEFORE = 200   -- calls before them, which say what refs mean

-- Tools that make and show macros: no call of them is a part of one.
local OWN = set_of "create_macro delete_macro get_macro list_macros update_macro"


local function decoded(text) return text and json.decode(text) or nil end


--- The call of a row. Its result is read by itself, because lists leave results out. Arguments are kept as they were sent; what
--- their references stand for is what the tool got, and becomes a variable like any other value that was read before.
local function call_of(shelf, listed, lookup, is_before)
  local row, err, code = shelf:row(listed.number)
  if not row then return nil, err, code end
  local tool, arguments = row.tool
  arguments, err, code = references.resolve(decoded(row.arguments) or {}, lookup)
  if not arguments then return nil, err, code end
  if tool == "call_tool" and type(arguments.name) == "string" then
    tool, arguments = arguments.name, type(arguments.arguments) == "table" and arguments.arguments or {}
  end
  return { tool = tool, arguments = arguments, text = row.text or "", structured = decoded(row.structured),
    failed = row.state == "failed" or row.state == "running" or row.state == "lost", reads = row.reads == 1,
    before = is_before or nil }
end


---@param said? string  the session; nil: the one that the client uses
---@return sessions.Session? session
---@return string? err
---@return string? code
local function session_of(said)
  if said then return sessions.find(said) end
  local session, err, code = sessions.current()
  if session or err then return session, err, code end
  return nil, "No session is in use. Pass session, or call create_session before the calls that are to be kept",
    "session_not_found"
end


--- Returns the last calls of a session, in the order in which they were made.
---@param from {session?: string, last?: integer}
---@return macros.Made[]? made
---@return string? err
---@return string? code
function M.calls(from)
  local session, err, code = session_of(from.session)
  if not session then return nil, err, code end
  local shelf, last = sessions.shelf(session), from.last or M.LAST
  local all
  all, err, code = shelf:last(last + BEFORE)
  if not all then return nil, err, code end
  local made, rows, lookup = {}, {}, records.lookup(shelf)
  for _, row in ipairs(all) do
    if not OWN[row.tool] then rows[#rows + 1] = row end
  end
  for i, row in ipairs(rows) do
    local call
    call, err, code = call_of(shelf, row, lookup, i <= #rows - last)
    if not call then return nil, err, code end
    made[i] = call
  end
  return made
end


return M
