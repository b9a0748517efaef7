--- The interface to audio devices. Each system has a file audio/SYSTEM.lua, which returns an audio.Backend; scripts see only
--- sys.audio.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "audio.pactl", macos = "audio.macos",
  nowhere = "Perigee cannot reach the audio devices of this system.",
  memory = "The desktop in memory has no audio devices.",
}


--- Reports that something changed.
---@class audio.Session
---@field next fun(self: audio.Session, seconds?: number): true?, string?, string?  waits for a change; "timeout"; "lost"
---@field close fun(self: audio.Session)  may be called twice

---@class audio.Backend
---@field devices fun(): sys.audio.Device[]?, string?, string?  "no_audio", "timeout"
---@field set fun(device: sys.audio.Device, volume?: number, muted?: boolean): true?, string?, string?
---@field use fun(device: sys.audio.Device): true?, string?, string?
---@field open fun(): audio.Session?, string?, string?  "not_supported"


---@return audio.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
