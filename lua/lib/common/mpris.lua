--- Players on the bus of the session ("Media Player Remote Interfacing Specification" 2.2, freedesktop.org). Nothing is started.

local connection = require "dbus.connection"
local letters    = require "letters"
local quoting    = require "desktop.quoting"
local refused    = require "refused"
local time       = require "sys.time"

local M = {}

local PREFIX, PATH = "org.mpris.MediaPlayer2.", "/org/mpris/MediaPlayer2"
local ROOT, PLAYER = "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player"
local PROXY = PREFIX .. "playerctld"   -- it repeats the player that acted last, which has a name of its own
local SETTLE = 5                       -- seconds for the player to do it after its answer
local LINGER = 1                       -- seconds that what is seen may go on to change
local MICRO = 1e6

local METHODS = { play = "Play", pause = "Pause", play_pause = "PlayPause", next = "Next", previous = "Previous", stop = "Stop" }
local NEEDS = { play = "CanPlay", pause = "CanPause", next = "CanGoNext", previous = "CanGoPrevious" }
local STATES = { Playing = "playing", Paused = "paused", Stopped = "stopped" }
local RANKS = { playing = 1, paused = 2, stopped = 3, unknown = 4 }


---@class common.mpris.Player
---@field bus dbus.Connection
---@field name string            its name on the bus
---@field entry? string          ID of its desktop entry
---@field can table<string, any> its properties
---@field track common.mpris.Track
local Player = {}
Player.__index = Player

---@class common.mpris.Track: common.Track
---@field ended? boolean  the player is gone


-- --- reading ---------------------------------------------------------------------------------------

--- The text of a value of metadata, which some players give as a list.
local function text_of(value)
  if type(value) == "table" then value = table.concat(value, ", ") end
  if type(value) ~= "string" or value == "" then return nil end
  return quoting.plain(value)
end


local function seconds(value) return type(value) == "number" and value >= 0 and value / MICRO or nil end


local function track_of(player, properties)
  local data = type(properties.Metadata) == "table" and properties.Metadata or {}
  return { application = player.title, player = player.short, state = STATES[properties.PlaybackStatus] or "unknown",
    id = text_of(data["mpris:trackid"]), title = text_of(data["xesam:title"]), artist = text_of(data["xesam:artist"]),
    album = text_of(data["xesam:album"]), length = seconds(data["mpris:length"]), position = seconds(properties.Position) }
end


--- Reads its state anew.
---@return common.mpris.Track? track
---@return string? err
---@return string? code
function Player:look()
  local properties, err, code = self.bus:properties(self.name, PATH, PLAYER)
  if not properties then return nil, err, code end
  self.can, self.track = properties, track_of(self, properties)
  return self.track
end


local function read(bus, name)
  local root, err, code = bus:properties(name, PATH, ROOT)
  if not root then return nil, err, code end
  local short = quoting.plain(name:sub(#PREFIX + 1))
  local player = setmetatable({ bus = bus, name = name, short = short, title = text_of(root.Identity) or short,
    entry = text_of(root.DesktopEntry) }, Player)
  local track
  track, err, code = player:look()
  if not track then return nil, err, code end
  return player
end


-- --- choosing --------------------------------------------------------------------------------------

--- True if this word names the player: on the bus, there also without what follows a dot, or as users see it.
local function is_called(player, wanted)
  for _, name in ipairs { player.name, player.short, player.short:match "^[^.]+", player.title, player.entry or "" } do
    if letters.fold(name) == wanted then return true end
  end
  return false
end


--- The names on the bus, in order.
local function names_on(bus)
  local values, err, code = bus:ask_bus "ListNames"
  if not values then return nil, err, code end
  local names = {}
  for _, name in ipairs(values[1]) do
    if name:sub(1, #PREFIX) == PREFIX and name ~= PROXY then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end


--- The player that plays, else a paused one, else the first by name.
local function best_of(players)
  table.sort(players, function(a, b)
    local one, other = RANKS[a.track.state], RANKS[b.track.state]
    if one ~= other then return one < other end
    return a.name < b.name
  end)
  return players[1]
end


local NONE = "No player runs that takes orders over D-Bus (MPRIS). Start one with open_application, for example mpv with "
  .. "mpv-mpris, Rhythmbox, VLC or a browser that plays, and open what it shall play."

local function unknown_player(wanted, players)
  local shown = {}
  for i, player in ipairs(players) do shown[i] = quoting.name(player.short, 100) end
  return nil, ("No player called %s runs. These run: %s. Name one of them, or start it with open_application."):format(
    quoting.quote(wanted, 100), table.concat(shown, ", ")), "app_not_running"
end


local function choose(bus, wanted)
  local names, err, code = names_on(bus)
  if not names then return nil, err, code end
  local players, silent, fits = {}, nil, {}
  for _, name in ipairs(names) do
    local player, why, what = read(bus, name)
    if player then players[#players + 1] = player
    elseif what ~= "no_service" then silent = { name, why, what } end   -- else it has ended meanwhile
    if player and wanted and is_called(player, letters.fold(wanted)) then fits[#fits + 1] = player end
  end
  if #players == 0 and silent then
    return nil, ("The player %s does not answer: %s."):format(quoting.name(silent[1], 100), silent[2]), silent[3]
  end
  if #players == 0 then return nil, NONE, "app_not_running" end
  if wanted and #fits == 0 then return unknown_player(wanted, players) end
  return best_of(wanted and fits or players)
end


--- Chooses a player that runs. Its close() ends the connection.
---@param wanted? string
---@return common.mpris.Player? player
---@return string? err
---@return string? code  "app_not_running", "no_bus", "timeout", "failed"
function M.open(wanted)
  local bus, err, code = connection.open "session"
  if not bus then return nil, ("Players are reached over the D-Bus of a session: %s."):format(err), code end
  local player
  player, err, code = choose(bus, wanted)
  if player then return player end
  bus:close()
  return nil, err, code
end


-- --- acting ----------------------------------------------------------------------------------------

--- The property that the player says false of, so that it cannot do it.
local function obstacle(player, action)
  local can, need = player.can, NEEDS[action]
  if action == "play_pause" then need = player.track.state == "playing" and "CanPause" or "CanPlay" end
  if can.CanControl == false then return "CanControl" end
  return need and can[need] == false and need or nil
end


--- Subscribes to what the player tells of itself, and to its end.
local function hear(player)
  local ok, err, code = player.bus:hear { sender = player.name, path = PATH }
  if not ok then return nil, err, code end
  return player.bus:hear { sender = "org.freedesktop.DBus", member = "NameOwnerChanged", arg0 = player.name }
end


--- Returns the track of a player that has ended, whatever the error says: it plays no more. Nil: it runs.
local function ended(player)
  if player.bus:has_owner(player.name) ~= false then return nil end
  local track = { application = player.title, player = player.short, state = "stopped", ended = true }
  player.track = track
  return track
end


--- Looks each time that the player tells of a change, until it is done, the player is gone or the time is over. A player may
--- tell nothing: the last look is at the end.
local function watch(player, is_done)
  local ends, heard, perhaps = time.monotonic() + SETTLE, true, false
  while true do
    local track, err, code = player:look()
    if not track then track = ended(player) end
    if not track then return nil, err, code end
    if track.ended then return track end
    local done = is_done(track)
    if done == true or not heard then return track end
    if done and not perhaps then ends, perhaps = time.monotonic() + LINGER, true end
    heard = player.bus.wire:next(math.max(0, ends - time.monotonic())) ~= nil
  end
end


--- Does an action, and waits until it is seen.
---@param action string
---@param is_done fun(track: common.mpris.Track): boolean|"perhaps"
---@return common.mpris.Track? track  as it was seen last
---@return string? err
---@return string? code  "cannot_now" (the player says that it cannot), "failed" (it answered with an error), "timeout", ...
function Player:act(action, is_done)
  local missing = obstacle(self, action)
  if missing then
    return nil, ("%s cannot do that now (%s is false), so nothing was sent. It may have no such track, or take no orders: look "
      .. "with music_get_track."):format(quoting.name(self.title, 100), missing), "cannot_now"
  end
  local ok, err, code = hear(self)
  if not ok then return nil, err, code end
  local values, name
  values, err, code, name = self.bus:call { to = self.name, path = PATH, interface = PLAYER, member = METHODS[action] }
  if refused.is(code, name) then return nil, err, code end
  local gone = not values and ended(self)
  if gone then return gone end
  if not values and code == "timeout" then
    return nil, ("%s did not answer: whether it was done is unknown. Look with music_get_track."):format(
      quoting.name(self.title, 100)), code
  end
  if not values then
    return nil, ("%s refused: %s."):format(quoting.name(self.title, 100), quoting.plain(err)), name and "failed" or code
  end
  return watch(self, is_done)
end


function Player:close() self.bus:close() end

Player.__close = Player.close


return M
