--- Events of audio devices: the differences between what they were and what they are.

local returning = require "events.returning"

local M = {}


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
  local function hear(_, add)
    local now = system.devices()
    if not now then return false end
    for _, event in ipairs(M.between(devices, now)) do add(event) end
    devices = now
  end
  local function found(_, add)
    add { what = "found" }
    return hear(nil, add)
  end
  return returning.follow({ open = system.open, hear = hear, found = found }, session)
end


return M
