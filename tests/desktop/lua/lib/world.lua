--- What the tests of a desktop act on: the same things by other names on each desktop.

local app     = require "sys.app"
local perigee = require "perigee"

local M = { name = perigee.args[1] }

M.is_fake = M.name == "fake"

--- An application that opens a window and answers a second opening itself; its desktop id and its name.
M.id   = M.is_fake and "org.perigee.Calculator" or "org.xfce.mousepad"
M.called = M.is_fake and "Calculator" or "Mousepad"


--- A new process with one window; ended when the result is closed. Nothing of it stays: an editor that was ended by force
--- would ask the next one whether to go on with its files.
---@return sys.app.Opened
function M.open()
  local opened, err = app.open(M.is_fake and { name = "Calculator", new = true }
    or { name = "/usr/bin/env", arguments = { "GSETTINGS_BACKEND=memory", "mousepad", "--disable-server" },
         new = true, wait = 30 })
  if not opened then error(err, 2) end
  return setmetatable(opened, { __close = function() app.quit(opened.app, { force = true }) end })
end


--- A process that shows no window and lives on.
---@return sys.app.Open
function M.windowless()
  return M.is_fake and { name = "Daemon" } or { name = "/bin/sleep", arguments = { "60" }, wait = 0.5 }
end


return M
