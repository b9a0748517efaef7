--- The player of music: the application Music on a Mac, elsewhere a program with the interface of MPRIS. What it was told to do
--- is compared with what was seen afterwards.

local fail    = require "desktop.fail"
local mpris   = require "common.mpris"
local quoting = require "desktop.quoting"
local script  = require "common.script"
local system  = require "common.system"

local M = {}

local FIELD = "\31"
local MUSIC = "Music"

M.ACTIONS = { "play", "pause", "play_pause", "next", "previous", "stop" }


---@class common.Track
---@field application string  the name of the player that users see
---@field player string       its name for `player`
---@field state "playing"|"paused"|"stopped"|"unknown"
---@field id? string          of the track, in the player
---@field title? string
---@field artist? string
---@field album? string
---@field length? number      seconds
---@field position? number    seconds

---@class common.Controlled
---@field application string
---@field player string
---@field effect "changed"|"unchanged"|"unknown"
---@field state "playing"|"paused"|"stopped"|"unknown"
---@field title? string
---@field note? string


-- --- effects ---------------------------------------------------------------------------------------

local GOALS = { play = { playing = true }, pause = { paused = true, stopped = true }, stop = { stopped = true } }


--- True if there is nothing to do: the player is already in the state that the action leads to.
---@param action string
---@param before common.Track
---@return boolean
local function is_there(action, before)
  return GOALS[action] ~= nil and GOALS[action][before.state] == true
end


--- True if another track may have come, the same one has begun again, or the player has stopped.
local function has_moved(before, after)
  return after.id ~= before.id or after.title ~= before.title or after.state == "stopped" and before.state ~= "stopped"
    or after.position ~= nil and before.position ~= nil and after.position < before.position
end


--- True if what was to happen is seen. "perhaps": the player has moved, and shows no other title. That is the end if it has no
--- other track or one of the same title; and it is a moment before another one.
---@param action string
---@param before common.Track
---@param after common.Track
---@return boolean|"perhaps"
local function is_done(action, before, after)
  if GOALS[action] then return is_there(action, after) end
  if action == "play_pause" then return (after.state == "playing") ~= (before.state == "playing") end
  if after.title and after.title ~= before.title then return true end
  return has_moved(before, after) and "perhaps"
end


local UNSEEN = "%s took the order, and nothing was seen to change. It may have no other track, or still load one: look with "
  .. "music_get_track"

local function report(action, before, after, note)
  local effect = is_there(action, before) and "unchanged" or is_done(action, before, after) and "changed" or "unknown"
  return { application = after.application, player = after.player, effect = effect, state = after.state, title = after.title,
    note = effect == "unknown" and (note or UNSEEN:format(quoting.name(after.application, 100))) or note }
end


-- --- a Mac -----------------------------------------------------------------------------------------

local STATES = { playing = true, paused = true, stopped = true }

local function seconds(text) return text ~= "" and tonumber(text) / 1000 or nil end

local function filled(text) return text ~= "" and quoting.plain(text) or nil end


--- A track of what a script printed: the state, the ID, the position and the length in milliseconds, title, artist, album.
---@param parts string[]
---@param from integer  the place of the state
---@return common.Track?
local function of_parts(parts, from)
  local state, id, position, length, title, artist, album = table.unpack(parts, from, from + 6)
  if not album or not STATES[state] or not position:find "^%d*$" or not length:find "^%d*$" then return nil end
  return { application = MUSIC, player = MUSIC, state = state, id = filled(id), position = seconds(position),
    length = seconds(length), title = filled(title), artist = filled(artist), album = filled(album) }
end


--- On a Mac there is one player; another name is refused and not passed over.
local function is_music(player)
  return not player or player:lower() == "music" or player == "com.apple.Music"
end


local function run_script(name, args, player)
  if not is_music(player) then
    return fail.with(("On a Mac this tool knows one player, Music. Leave player out, or call execute_applescript for %s.")
      :format(quoting.quote(player, 100)), "not_supported")
  end
  local said, err, code = script.run(name, args, 25)
  if said then return script.split(said .. FIELD, FIELD) end
  if code == "APP_NOT_RUNNING" then err = "Music does not run. Start it with open_application Music, and choose what to play." end
  return nil, err, code
end


local function track_of_music(player)
  local parts, err, code = run_script("music_get_track", {}, player)
  if not parts then return nil, err, code end
  local track = of_parts(parts, 1)
  if #parts ~= 7 or not track then return script.strange("music_get_track", table.concat(parts, FIELD)) end
  return track
end


local function control_music(action, player)
  local parts, err, code = run_script("music_control", { action }, player)
  if not parts then return nil, err, code end
  local before, after = of_parts(parts, 1), of_parts(parts, 8)
  if #parts ~= 14 or not before or not after then return script.strange("music_control", table.concat(parts, FIELD)) end
  return report(action, before, after)
end


-- --- elsewhere -------------------------------------------------------------------------------------

local function control_mpris(action, name)
  local player <close>, err, code = mpris.open(name)
  if not player then return fail.with(err, code) end
  local before = player.track
  if is_there(action, before) then return report(action, before, before) end
  local after
  after, err, code = player:act(action, function(seen) return is_done(action, before, seen) end)
  if not after then return fail.with(err, code) end
  return report(action, before, after, after.ended and "The player has ended." or nil)
end


local function track_of_mpris(name)
  local player <close>, err, code = mpris.open(name)
  if not player then return fail.with(err, code) end
  return player.track
end


--- Returns the track of a player and its state.
---@param player? string
---@return common.Track? track
---@return string? err
---@return string? code
function M.track(player) return (system.is_mac() and track_of_music or track_of_mpris)(player) end


--- Does an action, and says what was seen.
---@param action string
---@param player? string
---@return common.Controlled? done
---@return string? err
---@return string? code
function M.control(action, player) return (system.is_mac() and control_music or control_mpris)(action, player) end


return M
