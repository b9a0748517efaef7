--- Handles of work that goes on after the function that began it has returned: a watcher, a timer, a hotkey. The work ends when
--- the handle is stopped, or with its service or script; dropping the handle ends nothing.

local log   = require "sys.log"
local state = require "sys.state"
local task  = require "sys.task"

local M = {}


---@class Handle
---@field name string  for the log
---@field failures integer  how often its function failed
---@field private anchor sys.task.Anchor
local Handle = {}
Handle.__index = Handle
Handle.__name = "Handle"


--- Stops it. It may be called twice.
function Handle:stop() self.anchor:stop() end

--- True until it has ended.
---@return boolean
function Handle:runs() return self.anchor:runs() end

function Handle:__tostring() return ("%s (%s)"):format(self.name, self:runs() and "runs" or "ended") end


--- Calls a function of a script. If it fails, the log has the error, and later events call it again.
---@param handle Handle
---@param fn function
---@param ... any
function M.call(handle, fn, ...)
  local ok, err = pcall(fn, ...)
  if ok then return end
  handle.failures = handle.failures + 1
  log.error(tostring(err))   -- the log names the task
  local note = M.listeners()[task.owner() or false]
  if note then note(("%s: %s"):format(handle.name, tostring(err))) end
end


--- The functions that get the errors of such functions, by the owner of the handle: task.owner().
---@return table<string, fun(text: string)>
function M.listeners() return state.open "handles" end


--- Runs loop(handle) until it returns or the handle is stopped.
---@param name string
---@param loop fun(handle: Handle)
---@param fields? table  further fields of the handle
---@return Handle? handle
---@return string? err
---@return string? code  "not_lasting": it would end with the call at once
function M.new(name, loop, fields)
  local handle = fields or {}
  handle.name, handle.failures = name, 0
  setmetatable(handle, Handle)
  local anchor, err, code = task.anchor(name, function() loop(handle) end)
  if not anchor then return nil, err, code end
  handle.anchor = anchor
  return handle
end


return M
