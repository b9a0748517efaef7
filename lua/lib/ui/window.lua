--- A window of a script: a process of this program that shows it with the toolkit of the system, because a toolkit has a loop of
--- its own and may end its process. src/platform/ui.h has the lines.

local engine  = require "sys.engine"
local json    = require "sys.json"
local process = require "sys.process"

local M = {}

local BEGIN, LONG, END = 30, 3600, 2   -- seconds: to wait for the window; for its user, at a time; for its end


---@class ui.Event
---@field what "shown"|"typed"|"moved"|"entered"|"selected"|"clicked"|"answered"|"closed"
---@field n integer    "moved": by so many rows; "selected", "clicked": the id of the row; "answered": the place of the button
---@field text string  "typed": all text of the field; "answered": the same

---@class ui.Window
---@field pid integer
---@field private child sys.process.Child
local Window = {}
Window.__index = Window


--- Sends a line.
---@param line string  JSON
function Window:send(line) self.child:write(line .. "\n") end


--- Waits for the next action of the user.
---@param seconds? number  default: without a limit
---@return ui.Event? event
---@return string? err
---@return string? code  "timeout", "lost": its process has ended
function Window:next(seconds)
  local line, err, code
  repeat
    line, err, code = self.child:read_line(seconds and math.max(seconds, 0.001) or LONG)
  until line or seconds or code ~= "timeout"
  if line then return json.decode(line) end
  if code ~= "closed" then return nil, err, code end
  return nil, ("The process that shows the window has ended: %s."):format(err), "lost"
end


--- Ends it, and waits until it is gone.
function Window:close()
  self.child:close_input()
  if self.child:running() then self.child:wait(END) end
  self.child:close()
end

Window.__close = Window.close


--- Ends it at once.
function Window:kill() self.child:close() end


--- Lets it stay on the screen when the engine ends.
function Window:leave() self.child:release() end


--- Returns the reason that the process gave before it ended.
local function reason(child, err)
  local said = child:errors():match "([^\n]+)%s*$"
  return said and said:gsub("^perigee: ", ""):gsub("^perigee %-%-ui: ", ""):gsub("^%-%-ui: ", "") or err
end


--- Shows a window.
---@param ... string  its description, and its first rows: lines of JSON
---@return ui.Window? window
---@return string? err
---@return string? code  "no_windows": there is no display or no toolkit; the message says what to do
function M.open(...)
  local child, err, code = process.start { engine.program(), "--ui", max_output = 8 << 20 }
  if not child then
    if require("refused").is(code) then return nil, err, code end
    return nil, ("Cannot start the process that shows the window: %s."):format(err), "no_windows"
  end
  local window = setmetatable({ child = child, pid = child.pid }, Window)
  window:send(table.concat({ ... }, "\n"))
  local first
  first, err = window:next(BEGIN)
  if first then return window end
  local why = reason(child, err)
  child:close()
  return nil, ("Cannot show a window: %s."):format((why:gsub("%.$", ""))), "no_windows"
end




return M
