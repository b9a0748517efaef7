--- The settings window of the fake desktop, whose elements are always the same.

local app   = require "sys.app"
local t     = require "check"
local world = require "world"

local M = {}


--- Its application, which is opened. nil on another desktop: the test is over then, and says why.
---@return sys.app.App?
function M.open()
  if world.is_fake then return assert(app.open { name = "Settings" }).app end
  t.case("elements of the fake", function() t.skip "only on the fake desktop" end)
  t.done()
end


return M
