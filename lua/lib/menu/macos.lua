--- Status menus on macOS: each item is another process of this program, because AppKit needs the main thread. The process is
--- told what to show, and writes the user's actions.

local crypto  = require "sys.crypto"
local engine  = require "sys.engine"
local json    = require "sys.json"
local process = require "sys.process"

local M = {}

local BEGIN, LONG = 10, 3600   -- seconds: to wait for the first line; to wait at a time without a limit


---@param view menu.View
---@return string
local function line_of(view)
  local said = {}
  for name, value in pairs(view) do said[name] = value end
  said.png = view.png and crypto.base64(view.png)
  if #view.items == 0 then said.items = json.array {} end
  return assert(json.encode(said)) .. "\n"
end


---@class menu.macos.Session: menu.Session
---@field child sys.process.Child
---@field closed? boolean
local Session = {}
Session.__index = Session


--- Sends a view. next() notices if the process has ended.
function Session:set(view) self.child:write(line_of(view)) end


function Session:shown()
  if not self.closed and self.child:running() then return true end
  return false, "The process that shows the status menu has ended.", "no_status_area"
end


function Session:next(seconds)
  local line, err, code
  repeat
    line, err, code = self.child:read_line(seconds and math.max(seconds, 0.001) or LONG)
  until line or seconds or code ~= "timeout"
  if self.closed then return nil, "the status menu was closed", "closed" end
  if not line then
    if code ~= "closed" then return nil, err, code end
    return nil, ("The process that shows the status menu has ended: %s."):format(err), "lost"
  end
  return json.decode(line)
end


function Session:close()
  self.closed = true
  self.child:close()
end


--- Returns a backend whose helper is started by these arguments.
---@param program string[]
---@return menu.Backend
function M.new(program)
  return {
    open = function(view)
      local child, err, code = process.start(table.move(program, 1, #program, 1, {}))
      if not child then
        if require("refused").is(code) then return nil, err, code end
        return nil, ("Cannot start the process that shows the status menu: %s."):format(err), "no_status_area"
      end
      local session = setmetatable({ child = child }, Session)
      session:set(view)
      local first, why = session:next(BEGIN)
      if first and first.what == "shown" then return session end
      session:close()
      return nil, ("macOS does not show the status menu: %s"):format(why or "another line came first"), "no_status_area"
    end,
  }
end


M.open = M.new({ engine.program(), "--menu" }).open


return M
