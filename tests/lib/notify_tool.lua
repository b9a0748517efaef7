--- A tool that shows a notification, once with a function, which has no time in a tool, and once without.
local notify = require "sys.notify"

return {
  description = "Shows a notification.",
  inputSchema = { type = "object" },
  run         = function()
    local code = select(3, notify.show({ title = "x" }, print))
    return { code = code, id = assert(notify.show { title = "From a tool" }).id }
  end,
}
