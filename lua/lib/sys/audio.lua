--- sys.audio: volume, mute and default of the audio devices, and events when they change.
--
--     local audio = require "sys.audio"
--
--     local now = assert(audio.default())
--     if not now.muted then assert(audio.set { volume = now.volume / 2 }) end
--
--     for _, device in ipairs(assert(audio.devices "output")) do print(device.name, device.title) end
--     assert(audio.use "alsa_output.usb-headset.analog-stereo")

local backend = require "audio.backend"
local options = require "events.options"
local source  = require "events.source"

local M = {}

local KINDS = { output = true, input = true }


---@class sys.audio.Device
---@field name string       as its system calls it; the functions take it
---@field title string      for people
---@field kind "output"|"input"
---@field default boolean   true: what plays or records uses it unless it chooses another
---@field volume? number    0 to 100, or more where the system amplifies; nil if it has none
---@field muted? boolean

---@class sys.audio.Event
---@field what "default"|"volume"|"muted"|"added"|"removed"|"lost"|"found"  "default": another device is the default, and
---            `device` is that one. "lost": the audio server is gone; "found": it is back
---@field at number                  the time, as sys.time.monotonic() counts
---@field device? sys.audio.Device   as it is now; "removed": as it was


local function check_kind(where, kind)
  if kind == nil or KINDS[kind] then return end
  error(('%s: the kind is "output" or "input", not %s'):format(where, tostring(kind)), 3)
end


--- Lists the devices.
---@param kind? "output"|"input"  nil: both
---@return sys.audio.Device[]? devices
---@return string? err
---@return string? code  "no_audio" (no audio server, or a program is missing: the message names it), "timeout", "not_supported"
function M.devices(kind)
  check_kind("sys.audio.devices", kind)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  local all
  all, err, code = system.devices()
  if not all then return nil, err, code end
  local list = {}
  for _, device in ipairs(all) do
    if not kind or device.kind == kind then list[#list + 1] = device end
  end
  return list
end


--- The device of this kind that has the name; without a name the default one.
local function find(kind, name)
  local list, err, code = M.devices(kind)
  if not list then return nil, err, code end
  local names = {}
  for i, device in ipairs(list) do
    if name and device.name == name or not name and device.default then return device end
    names[i] = device.name
  end
  if not name then
    return nil, ("No audio %s is the default. sys.audio.devices() lists what is there, and sys.audio.use(name) chooses one.")
      :format(kind), "not_found"
  end
  return nil, ("No audio device is called %s%s. Devices: %s"):format(name, require("nearest").question(name, names, "; "),
    table.concat(names, ", ")), "not_found"
end


--- Returns the default device.
---@param kind? "output"|"input"  default "output"
---@return sys.audio.Device? device
---@return string? err
---@return string? code  as devices(); "not_found"
function M.default(kind)
  check_kind("sys.audio.default", kind)
  return find(kind or "output")
end


--- Sets the volume, mutes or unmutes a device, and returns it as it is then.
---@param wanted {volume?: number, muted?: boolean, device?: string, kind?: string}  volume: 0 to 150; device: a name (default:
---                                    the default one of the kind); kind: "output" (default) or "input"
---@return sys.audio.Device? device
---@return string? err
---@return string? code  as devices(); "not_found", "failed", "dry_run"
function M.set(wanted)
  local where = "sys.audio.set"
  local given = options.check(where, wanted, { volume = "number", muted = "boolean", device = "string", kind = "string" })
  check_kind(where, given.kind)
  if not given.volume and given.muted == nil then error(where .. ": pass volume or muted", 2) end
  if given.volume and not (given.volume >= 0 and given.volume <= 150) then error(where .. ": the volume is 0 to 150", 2) end
  local device, err, code = find(not given.device and (given.kind or "output") or given.kind, given.device)
  if not device then return nil, err, code end
  local ok
  ok, err, code = backend.get().set(device, given.volume, given.muted)
  if not ok then return nil, err, code end
  return find(device.kind, device.name)
end


--- Makes a device the default of its kind. What plays already goes on where it is, unless the system moves it.
---@param name string
---@return sys.audio.Device? device
---@return string? err
---@return string? code  as set()
function M.use(name)
  if type(name) ~= "string" then error("sys.audio.use: pass the name of a device", 2) end
  local device, err, code = find(nil, name)
  if not device then return nil, err, code end
  local ok
  ok, err, code = backend.get().use(device)
  if not ok then return nil, err, code end
  device, err, code = find(device.kind, name)
  if device and not device.default then return nil, ("%s did not become the default."):format(name), "failed" end
  return device, err, code
end


--- Reports changes from now on: a loop takes them, or fn is called for each.
---@param fn? fun(event: sys.audio.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  as devices(); for a handle also "not_lasting"
function M.events(fn)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return source.new("sys.audio.events", "audio", function() return require("audio.events").open(system) end,
    function(event) return event end, fn)
end


return M
