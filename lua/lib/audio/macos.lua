--- Volumes of a Mac by AppleScript; its devices by SwitchAudioSource, where that is installed.

local json      = require "sys.json"
local osascript = require "sys.osascript"
local process   = require "sys.process"

local M = {}

local PROGRAM = "SwitchAudioSource"
local MISSING = "Other audio devices need the program SwitchAudioSource. Install switchaudio-osx (Homebrew)."
local SETTINGS = [[set now to get volume settings
return (output volume of now as text) & " " & (input volume of now as text) & " " & (output muted of now as text)]]


--- Runs SwitchAudioSource, and decodes the lines that it writes.
local function switch(...)
  local done, err, code = process.run { PROGRAM, "-f", "json", ... }
  if not done then return nil, code == "not_found" and MISSING or err, code == "not_found" and "no_audio" or code end
  if done.code ~= 0 then return nil, ("%s: %s"):format(PROGRAM, done.stderr:match "[^\n]+" or "it failed"), "failed" end
  local list = {}
  for line in done.stdout:gmatch "[^\n]+" do list[#list + 1] = json.decode(line) end
  return list
end


--- The names of the devices of a kind, and of the default one. Without SwitchAudioSource there is one without a name.
local function names_of(kind)
  local all = switch("-a", "-t", kind)
  local current = all and switch("-c", "-t", kind)
  if not current or not current[1] then return { "default" }, "default" end
  local names = {}
  for i, each in ipairs(all) do names[i] = each.name end
  return names, current[1].name
end


---@return sys.audio.Device[]? devices
---@return string? err
---@return string? code
function M.devices()
  local text, err, code = osascript.run { text = SETTINGS }
  if not text then return nil, err, code end
  local output, input, muted = text:match "^(%S+) (%S+) (%S+)"
  local volumes, list = { output = tonumber(output), input = tonumber(input) }, {}
  for _, kind in ipairs { "output", "input" } do
    local names, current = names_of(kind)
    for _, name in ipairs(names) do
      local device = { name = name, title = name, kind = kind, default = name == current }
      if device.default then device.volume = volumes[kind] end
      if device.default and kind == "output" and muted ~= "missing" then device.muted = muted == "true" end
      list[#list + 1] = device
    end
  end
  return list
end


---@param device sys.audio.Device
---@param volume? number
---@param muted? boolean
---@return true? ok
---@return string? err
---@return string? code
function M.set(device, volume, muted)
  if not device.default then
    return nil, "macOS sets the volume of the default device only. Pass it to use() first.", "not_supported"
  end
  if muted ~= nil and device.kind == "input" then
    return nil, "macOS does not mute inputs. Set the volume to 0.", "not_supported"
  end
  local lines = {}
  if volume then lines[1] = ("set volume %s volume %d"):format(device.kind, math.min(math.floor(volume + 0.5), 100)) end
  if muted ~= nil then lines[#lines + 1] = ("set volume output muted %s"):format(muted) end
  local done, err, code = osascript.run { text = table.concat(lines, "\n") }
  if not done then return nil, err, code end
  return true
end


---@param device sys.audio.Device
---@return true? ok
---@return string? err
---@return string? code
function M.use(device)
  local done, err, code = switch("-t", device.kind, "-s", device.name)
  if not done then return nil, err, code end
  return true
end


function M.open() return nil, "Perigee hears of no changes of audio devices on macOS.", "not_supported" end


return M
