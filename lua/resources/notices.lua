--- Notices of events on the desktop that no call caused. The engine observes it for each client that uses the desktop, and adds
--- the notices to the client's next result.

local desk          = require "observing.desk"
local env           = require "sys.env"
local notifications = require "observing.notifications"
local time          = require "sys.time"

local VARIABLE = "PERIGEE_NOTICES"   -- "off" for no notices


---@type Resource
return {
  uri         = "perigee://notices",
  title       = "Notices",
  description = "Whether results of desktop tools carry notices of what happened meanwhile: windows that opened or closed by "
             .. "themselves, applications that exited, notifications.",
  mimeType    = "text/plain",

  read = function()
    if env.get(VARIABLE, "") == "off" then return "Notices are off (PERIGEE_NOTICES=off)." end
    return "Notices are on. Pass notices=false with a call to leave them out, or start the server with PERIGEE_NOTICES=off."
  end,

  watch = function()
    if env.get(VARIABLE, "") == "off" then return end
    local held <close> = desk.hold()
    local held_too <close> = notifications.hold()
    if not desk.begin() then return end   -- the desktop that the call found is gone
    notifications.begin()                 -- there are none without a D-Bus
    while true do time.sleep(86400) end
  end,

  examples = {
    { "on", env = {}, has = { "Notices are on." } },
    { "off", env = { PERIGEE_NOTICES = "off" }, has = { "Notices are off" } },
  },
}
