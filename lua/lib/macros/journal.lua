--- Where the runs of macros are: for each macro its last run, with the hash of its file, on the disk.
--
-- What is sent is written before it is sent. That a step was done is written with the next one, unless something comes in between
-- that may take long: a run that is resumed asks about the last step if it was killed before.

local json  = require "sys.json"
local log   = require "sys.log"
local store = require "sys.store"
local time  = require "sys.time"

local M = {}

local LONG = 20000   -- bytes of a result that is kept for a resumed run

---@class macros.State
---@field hash string       of the file
---@field step integer      the step that was begun last
---@field row? integer      its row
---@field sent boolean      it was sent, and not confirmed
---@field ended boolean     nothing is left to be done
---@field at number         seconds since 1970
---@field windows table<string, string>  windows by the step that bound them
---@field results table<string, any>     results of calls by step

---@class macros.Journal
---@field name string
---@field state macros.State
---@field private states sys.store.Store
---@field problem? string   why it cannot be written
---@field private dry? true
---@field private behind? true  what is on the disk lacks the end of the last step
local Journal = {}
Journal.__index = Journal


--- The states of runs of this engine whose last step is done, which the disk does not know yet.
---@type table<string, macros.State>
local behind = {}


--- Not flushed at each step: a loss of power ends the applications as well.
local function states() return store.open("macros", { loose = true }) end


--- The state of the last run of a macro; nil: none is known.
---@param name string
---@return macros.State?
function M.last(name)
  local kept, newer = states():get(name), behind[name]
  if kept and newer and kept.at > newer.at then return kept end   -- another engine has run it since
  return newer or kept
end


function M.forget(name)
  behind[name] = nil
  return states():set(name, nil)
end


---@param name string
---@param hash string
---@param state? macros.State  of the run that is resumed
---@param dry? true  of a dry run: nothing is written
---@return macros.Journal
function M.open(name, hash, state, dry)
  state = state or {}
  return setmetatable({ name = name, dry = dry, states = states(), state = { hash = hash, step = state.step or 0, row = state.row,
    sent = state.sent or false, ended = false, at = time.now(), windows = state.windows or {}, results = state.results or {} } },
    Journal)
end


--- Writes the state. A run goes on without it, but then cannot be resumed.
function Journal:save()
  if self.dry then return end
  self.state.at, self.behind, behind[self.name] = time.now(), nil, nil
  local _, err, code = self.states:set(self.name, self.state)
  if code and not self.problem then
    self.problem = err or code
    log.warn(("the state of the macro %s cannot be written, so it cannot be resumed: %s"):format(self.name, self.problem))
  end
end


--- Begins a step.
---@param step integer
---@param row? integer
---@param lasts? boolean  it only looks, and may wait long
function Journal:begin(step, row, lasts)
  self.state.step, self.state.row, self.state.sent = step, row, false
  if lasts and self.behind then self:save() end
end


--- Notes that a step is the next one, and was not begun.
---@param step integer
---@param row? integer
function Journal:await(step, row)
  self:begin(step, row)
  self:save()
end


function Journal:sent()
  self.state.sent = true
  self:save()
end


--- Notes that a step was done.
---@param outcome? macros.Outcome
function Journal:done(outcome)
  local key = tostring(self.state.step)
  if outcome and outcome.window then self.state.windows[key] = outcome.window end
  local result = outcome and outcome.result
  if result ~= nil and #(json.encode(result) or (" "):rep(LONG)) < LONG then self.state.results[key] = result end
  self.state.sent, self.behind = false, true
  if not self.dry then behind[self.name] = self.state end
end


--- Notes that nothing of the step was sent.
function Journal:unsent()
  self.state.sent = false
  self:save()
end


function Journal:finish()
  self.state.ended, self.state.sent = true, false
  self:save()
end


return M
