local time = require "sys.time"

return {
  uri         = "test://ticks",
  description = "Changes again and again while somebody is subscribed.",

  read  = function() return "tick" end,
  watch = function(_, _, call)
    while true do
      time.sleep(0.05)
      call:updated()
    end
  end,
}
