--- Sessions of Python: a process that stays between two runs, and with it their variables.
--
-- Each caller has names of its own. Few sessions are kept, and none that no call used for ten minutes. However one ends, the next
-- answer of that name says that its variables are gone.

local owner  = require "owner"
local python = require "sys.python"
local state  = require "sys.state"
local task   = require "sys.task"
local time   = require "sys.time"

local M = {}

M.KEPT, M.IDLE = 4, 600   -- sessions of all callers; seconds
local REMEMBERED = 64     -- names of sessions that ended

---@class python.Session
---@field name string
---@field key string
---@field handle sys.python.Process
---@field used number
---@field busy boolean

--- The sessions by key, why others are gone by key, and those in their order: they outlive a reload.
local function kept()
  local mine = state.open "python.sessions"
  mine.open, mine.gone, mine.order = mine.open or {}, mine.gone or {}, mine.order or {}
  return mine
end


--- Notes why a session's variables are gone.
local function forget(key, why)
  local mine = kept()
  if not mine.gone[key] then
    mine.order[#mine.order + 1] = key
    if #mine.order > REMEMBERED then mine.gone[table.remove(mine.order, 1)] = nil end
  end
  mine.gone[key] = why
end


---@param session python.Session
---@param why string
local function close(session, why)
  kept().open[session.key] = nil
  forget(session.key, why)
  session.handle:close()
end


local function oldest()
  local found
  for _, session in pairs(kept().open) do
    if not session.busy and (not found or session.used < found.used) then found = session end
  end
  return found
end


--- Ends those that nobody has used for long. Returns the seconds until the next may be.
---@param now? number
---@return number? seconds  nil: there are none
function M.tidy(now)
  local first
  now = now or time.monotonic()
  for _, session in pairs(kept().open) do
    local left = session.used + M.IDLE - now
    if not session.busy and left <= 0 then
      close(session, ("no call used it for %d minutes"):format(M.IDLE // 60))
    else
      first = math.min(first or M.IDLE, math.max(left, 1))
    end
  end
  return first
end


--- Watches over them while there are any.
local function watch()
  if kept().watching and kept().watching:runs() then return end
  kept().watching = task.apart("sessions of Python", function()
    local seconds = M.tidy()
    while seconds do
      time.sleep(seconds)
      seconds = M.tidy()
    end
  end)
end


local function count()
  local n = 0
  for _ in pairs(kept().open) do n = n + 1 end
  return n
end


--- Opens the caller's session of this name, or goes on with it. It is busy until its end() is called.
---@param name string
---@return python.Session? session
---@return string? note_or_err  what the answer has to say of its variables
---@return string? code  "busy", "too_many_sessions"
function M.enter(name)
  local key = (owner.key() or "") .. "\0" .. name
  local session = kept().open[key]
  if session and session.busy then
    return nil, ("Code of the session %q runs already. Wait for its result, or use another session."):format(name), "busy"
  end
  if session and session.handle:alive() then
    session.busy = true
    return session
  end
  if session then close(session, "its process ended between two runs") end
  if count() >= M.KEPT then
    local other = oldest()
    if not other then
      return nil, ("%d sessions run code. Wait for one, or leave out session."):format(M.KEPT), "too_many_sessions"
    end
    close(other, ("%d newer sessions took its place"):format(M.KEPT))
  end
  session = { name = name, key = key, handle = python.process(), used = time.monotonic(), busy = true }
  kept().open[key] = session
  watch()
  local why = kept().gone[key]
  kept().gone[key] = nil
  if why then return session, ("The session's variables are gone: %s. This run began without any."):format(why) end
  return session, ("The session %q is new: it has no variables of earlier runs."):format(name)
end


--- The run of a session has ended.
---@param session python.Session
---@param why? string  its variables are lost, for this reason
---@return string? note
function M.leave(session, why)
  session.busy, session.used = false, time.monotonic()
  if not why and session.handle:alive() then return nil end
  why = (why or "its process ended"):gsub("%.$", "")
  close(session, why)
  return ("The session's variables are gone: %s."):format(why)
end


--- Nothing ran in the session, for example because the policy refused it: it stays as it was.
---@param session python.Session
function M.release(session)
  session.busy = false
  if not session.handle:alive() then kept().open[session.key] = nil end
end


--- Notes for the next run that a session ended without an answer.
---@param session python.Session
function M.abandon(session)
  if session.busy then close(session, "its last run was cancelled") end
end


return M
