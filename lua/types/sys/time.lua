---@meta sys.time

--- Clocks and waiting. sys.date has dates, and text from and to times.
---@class sys.time
local time = {}

--- Seconds since 1970-01-01 UTC, with fraction.
---@return number
function time.now() end

--- Seconds of a clock that never jumps; only differences mean something.
---@return number
function time.monotonic() end

--- "2026-01-02T03:04:05.678Z"
---@param seconds? number  since 1970; default: now
---@return string
function time.iso(seconds) end

--- The time zone of this machine then. It is looked up again when the system's was changed.
---@param seconds integer  since 1970; outside the years 0 to 9999 it raises
---@return integer offset  seconds east of UTC
---@return string name     "CET"
---@return boolean summer  daylight saving time
function time.offset(seconds) end

--- Waits; other calls go on.
---@param seconds number  0 to 86400
function time.sleep(seconds) end

--- When the local clock shows this time of day next.
---@param hour integer
---@param minute integer
---@param second integer
---@return integer seconds  since 1970
function time.next_local(hour, minute, second) end

--- Waits until the clock shows this time, also if it is set meanwhile or the machine sleeps; not at all if it is past.
---@param seconds number  since 1970
function time.sleep_until(seconds) end

return time
