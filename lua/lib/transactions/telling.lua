--- Transactions as the tools tell of them.

local fail     = require "desktop.fail"
local json     = require "sys.json"
local s        = require "schema"
local sessions = require "sessions.sessions"
local told     = require "sessions.telling"

local M = {}

M.failure = fail.with


--- The session that a tool is asked about: the named one, or the one that the client uses.
---@param name? string
---@return sessions.Session? session
---@return string? err
---@return string? code  "session_not_found", "session_ambiguous", "no_session"
function M.session(name)
  if name then return sessions.find(name) end
  local session, err, code = sessions.current()
  if session or err then return session, err, code end
  return nil, "This client uses no session. Name one, or call create_session first.", "no_session"
end


--- The member of a result that tells of the session.
---@return table[] field
function M.field() return { "session", s.object(told.fields()) } end

---@param session sessions.Session
---@return table
function M.about(session)
  local about = told.about(session)
  about.transaction_id = sessions.transaction(session)
  return about
end


local ITEM = { { "what", s.string() }, { "kind", s.string "file, moved, window, clipboard, field or other." },
  { "tool", s.string() }, { "call", s.string("The id of the call's result.", { optional = true }) },
  { "times", s.integer("How often, if more than once.", { optional = true }) } }


--- The schema of a list of what was undone, or was not.
---@param description string
---@param why? boolean  the items say why
---@return table
function M.items(description, why)
  local members = table.move(ITEM, 1, #ITEM, 1, {})
  if why then members[#members + 1] = { "why", s.string "Why it was not undone." } end
  return s.array(s.object(members), description)
end


local function ordered(items)
  local list = json.array {}
  for i, item in ipairs(items) do list[i] = json.object(item, { "what", "kind", "tool", "call", "times", "why" }) end
  return list
end


--- The structured items, and lines about them.
---@param result transactions.Undone
---@return table undone
---@return table left
---@return string text
function M.lines(result)
  local lines = {}
  for _, item in ipairs(result.undone) do lines[#lines + 1] = ("- undone: %s (%s)"):format(item.what, item.tool) end
  for _, item in ipairs(result.left) do
    lines[#lines + 1] = ("- NOT undone: %s%s (%s): %s"):format(item.what, item.times and (", %d times"):format(item.times) or "",
      item.tool, item.why)
  end
  return ordered(result.undone), ordered(result.left), table.concat(lines, "\n")
end


return M
