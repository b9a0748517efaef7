--- PulseAudio, and PipeWire by its PulseAudio server, through pactl.

local json    = require "sys.json"
local process = require "sys.process"

local M = {}

local NOUNS = { output = "sink", input = "source" }   -- pactl's words
local ENV = { LC_ALL = "C.UTF-8" }                    -- numbers with a point, and words in English
local UNKNOWN = "(null)"                              -- pactl's JSON of text that is not ASCII


--- Runs pactl.
---@return string? output
---@return string? err
---@return string? code
local function run(...)
  local done, err, code = process.run { "pactl", env = ENV, timeout = 10, ... }
  if code == "not_found" then
    return nil, "Audio needs the program pactl. Install pulseaudio-utils (Debian, Fedora), libpulse (Arch) or pulseaudio "
      .. "(Homebrew).", "no_audio"
  end
  if not done then return nil, err, code end
  if done.code == 0 then return done.stdout end
  local why = done.stderr:match "[^\n]+" or "it failed"
  if why:find("Connection", 1, true) then
    return nil, ("No audio server answers (pactl: %s). Start pipewire-pulse or pulseaudio."):format(why), "no_audio"
  end
  return nil, ("pactl: %s"):format(why), "failed"
end


local function read(...)
  local text, err, code = run("--format=json", ...)
  if not text then return nil, err, code end
  local value, why = json.decode(text)
  if type(value) == "table" then return value end
  return nil, ("pactl did not write JSON (%s). It has to be of PulseAudio 16 or later."):format(why or "it is another value"),
    "failed"
end


--- Reads titles, which the JSON lacks.
---@return table<string, string> titles  by name
local function titles_of(noun)
  local text, titles, name = run("list", noun .. "s") or "", {}, nil
  for key, value in text:gmatch "\n\t(%a+): ([^\n]*)" do
    if key == "Name" then name = value elseif key == "Description" and name then titles[name] = value end
  end
  return titles
end


--- The volume of the loudest channel, as the system's own controls show it.
local function volume_of(channels)
  local most
  for _, channel in pairs(type(channels) == "table" and channels or {}) do
    local percent = tonumber((tostring(channel.value_percent):match "^(%d+)%%"))
    if percent and (not most or percent > most) then most = percent end
  end
  return most
end


--- Adds the devices of a kind, without the monitors of outputs.
local function add(list, kind, default)
  local noun, titles = NOUNS[kind], nil
  local all, err, code = read("list", noun .. "s")
  if not all then return nil, err, code end
  for _, each in ipairs(all) do
    if kind == "output" or (each.properties or {})["device.class"] ~= "monitor" then
      local title = each.description
      if title == UNKNOWN then
        titles = titles or titles_of(noun)
        title = titles[each.name] or each.name
      end
      list[#list + 1] = { name = each.name, title = title, kind = kind, default = each.name == default,
        volume = volume_of(each.volume), muted = each.mute }
    end
  end
  return true
end


---@return sys.audio.Device[]? devices
---@return string? err
---@return string? code
function M.devices()
  local info, err, code = read "info"
  local list, ok = {}, info ~= nil
  if ok then ok, err, code = add(list, "output", info.default_sink_name) end
  if ok then ok, err, code = add(list, "input", info.default_source_name) end
  if not ok then return nil, err, code end
  return list
end


---@param device sys.audio.Device
---@param volume? number
---@param muted? boolean
---@return true? ok
---@return string? err
---@return string? code
function M.set(device, volume, muted)
  local noun, ok, err, code = NOUNS[device.kind], true, nil, nil
  if volume then ok, err, code = run(("set-%s-volume"):format(noun), device.name, ("%d%%"):format(math.floor(volume + 0.5))) end
  if ok and muted ~= nil then ok, err, code = run(("set-%s-mute"):format(noun), device.name, muted and "1" or "0") end
  if not ok then return nil, err, code end
  return true
end


---@param device sys.audio.Device
---@return true? ok
---@return string? err
---@return string? code
function M.use(device)
  local ok, err, code = run(("set-default-%s"):format(NOUNS[device.kind]), device.name)
  if not ok then return nil, err, code end
  return true
end


-- --- events ---------------------------------------------------------------------------------------------

---@class audio.pactl.Session: audio.Session
---@field child sys.process.Child
local Session = {}
Session.__index = Session

local LONG = 3600   -- seconds to wait at a time without a limit


function Session:next(seconds)
  while true do
    local line, err, code = self.child:read_line(seconds or LONG)
    if not line and (seconds or code ~= "timeout") then return nil, err, code == "timeout" and code or "lost" end
    if line and (line:find " on sink #" or line:find " on source #" or line:find " on server") then return true end
  end
end


function Session:close() self.child:close() end


--- Opens a session. pactl writes nothing before the first change, so it is asked to report a client of its own.
function M.open()
  local child, err, code = process.start { "pactl", "subscribe", env = ENV, shared = true }
  if not child then
    if code == "not_found" then return run "info" end
    return nil, err, code
  end
  for _ = 1, 50 do
    local ok, why, what = run "info"
    if ok and child:read_line(0.1) then return setmetatable({ child = child }, Session) end
    if not ok then
      child:close()
      return nil, why, what
    end
  end
  child:close()
  return nil, "pactl reports no changes of the audio server.", "timeout"
end


return M
