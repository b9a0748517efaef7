--- What happens on the desktop by itself. The engine watches this for each client that uses the desktop, and adds what is noted
--- to the client's next result.

local desk          = require "observing.desk"
local env           = require "sys.env"
local notifications = require "observing.notifications"
local time          = require "sys.time"

local VARIABLE = "PERIGEE_NOTICES"   -- "off": none


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
    if not desk.begin() then return end   -- the call that began this found a desktop that is gone now
    notifications.begin()                 -- without a D-Bus there are none
    while true do time.sleep(86400) end
  end,

  examples = {
    { "on", env = {}, has = { "Notices are on." } },
    { "off", env = { PERIGEE_NOTICES = "off" }, has = { "Notices are off" } },
  },
}
