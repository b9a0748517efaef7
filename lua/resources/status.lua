--- The engine's current state; subscribed clients are notified of each reload.

local engine = require "sys.engine"
local time   = require "sys.time"

local SECONDS = 0.5  -- between two checks


--- Returns a string that changes when the status is worth reading again: memory and uptime always change.
local function mark()
  local status = engine.status()
  return ("%d %d"):format(status.generation, #status.problems)
end


---@type Resource
return {
  uri         = "perigee://status",
  title       = "Engine status",
  description = "The engine's version, roots, load errors, uptime, memory and call counts.",
  mimeType    = "application/json",
  annotations = { audience = { "user", "assistant" }, priority = 0.3 },

  read = function()
    return engine.status()
  end,

  watch = function(_, _, call)
    local seen = mark()
    while true do
      time.sleep(SECONDS)
      local now = mark()
      if now ~= seen then call:updated() end
      seen = now
    end
  end,

  examples = {
    { "is what engine_status returns",
      given = { ["sys.engine.status"] = { version = "1.0", problems = {} } },
      want  = { version = "1.0" } },
  },
}
