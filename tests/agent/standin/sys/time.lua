--- Stand-in for sys.time: a clock that stands at `clock` and moves when something sleeps.
local time = { clock = 1759406467.25 }

function time.now() return time.clock end
function time.monotonic() return time.clock - 1759000000 end
function time.sleep(seconds) time.clock = time.clock + seconds end

function time.iso(seconds)
  seconds = seconds or time.clock
  return os.date("!%Y-%m-%dT%H:%M:%S", math.floor(seconds)) .. (".%03dZ"):format(math.floor(seconds % 1 * 1000))
end

return time
