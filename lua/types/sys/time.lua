---@meta sys.time

--- Clocks, waiting, and how busy the machine is. sys.date has dates, and converts times from and to text.
---@class sys.time
local time = {}

--- Returns the seconds since 1970-01-01 UTC, with fraction.
---@return number
function time.now() end

--- Returns the seconds of a clock that never jumps; only differences have a meaning.
---@return number
function time.monotonic() end

--- Returns "2026-01-02T03:04:05.678Z".
---@param seconds? number  since 1970; default: now
---@return string
function time.iso(seconds) end

--- Returns the time zone of this machine at a time. It is looked up again after the system's zone changed.
---@param seconds integer  since 1970; outside the years 0 to 9999 it raises an error
---@return integer offset  seconds east of UTC
---@return string name     "CET"
---@return boolean summer  daylight saving time
function time.offset(seconds) end

--- Returns how busy the machine is: the processes that wanted to run, on average of the last minute, for each processor. Above 1,
--- everything takes that many times as long. getloadavg(3).
---@return number load  0 where the system does not tell it
function time.load() end

--- Waits; other calls go on.
---@param seconds number  0 to 86400
function time.sleep(seconds) end

--- Returns when the local clock next shows this time of day.
---@param hour integer
---@param minute integer
---@param second integer
---@return integer seconds  since 1970
function time.next_local(hour, minute, second) end

--- Waits until the clock shows this time, even if it is set meanwhile or the machine sleeps; it does not wait for a past time.
---@param seconds number  since 1970
function time.sleep_until(seconds) end

return time
