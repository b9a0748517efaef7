--- Events of audio devices: the differences between what they were and what they are.

local stream = require "events.stream"
local time   = require "sys.time"

local M = {}

local AGAIN, LATEST = 2, 60   -- seconds between attempts after the server was lost


local function by_name(devices)
  local named = {}
  for _, device in ipairs(devices) do named[device.kind .. " " .. device.name] = device end
  return named
end


--- Returns the events that lead from some devices to others.
---@param before sys.audio.Device[]
---@param now sys.audio.Device[]
---@return {what: string, device: sys.audio.Device}[]
function M.between(before, now)
  local list, old, new = {}, by_name(before), by_name(now)
  local function add(what, device) list[#list + 1] = { what = what, device = device } end
  for _, device in ipairs(before) do
    if not new[device.kind .. " " .. device.name] then add("removed", device) end
  end
  for _, device in ipairs(now) do
    local was = old[device.kind .. " " .. device.name]
    if not was then add("added", device) end
    if device.default and not (was and was.default) then add("default", device) end
    if was and was.volume ~= device.volume then add("volume", device) end
    if was and was.muted ~= device.muted then add("muted", device) end
  end
  return list
end


local function add(following, what, device)
  following.ready[#following.ready + 1] = { what = what, at = time.monotonic(), device = device }
end


local function lose(following)
  following.session:close()
  following.session = nil
  add(following, "lost")
end


local function look(following)
  local now = following.system.devices()
  if not now then return lose(following) end
  for _, event in ipairs(M.between(following.devices, now)) do add(following, event.what, event.device) end
  following.devices = now
end


--- Waits, then tries to open a session again.
local function find(following, seconds)
  time.sleep(math.min(following.pause, seconds))
  if following.closed or following.pause > seconds then return end
  following.session = following.system.open()
  following.pause = following.session and AGAIN or math.min(following.pause * 2, LATEST)
  if not following.session then return end
  add(following, "found")
  look(following)
end


local function pull(following, seconds)
  local ends = seconds and time.monotonic() + seconds
  while #following.ready == 0 do
    local left = ends and math.max(ends - time.monotonic(), 0)
    if following.closed then return nil, "it was closed", "closed" end
    if following.session then
      local changed, _, code = following.session:next(left and math.max(left, 0.001))
      if changed then look(following)
      elseif code == "timeout" then return nil, "nothing happened in time", code
      elseif not following.closed then lose(following) end
    else
      if left == 0 then return nil, "nothing happened in time", "timeout" end
      find(following, left or math.huge)
    end
  end
  return table.remove(following.ready, 1)
end


---@param system audio.Backend
---@return events.Stream? stream
---@return string? err
---@return string? code
function M.open(system)
  local session, err, code = system.open()
  if not session then return nil, err, code end
  local devices
  devices, err, code = system.devices()
  if not devices then
    session:close()
    return nil, err, code
  end
  local following = { system = system, session = session, devices = devices, ready = {}, pause = AGAIN }
  return stream.new(function(seconds) return pull(following, seconds) end,
    function()
      following.closed = true
      if following.session then following.session:close() end
    end,
    function() return 0 end)
end


return M
