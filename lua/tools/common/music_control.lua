--- Let the player of music play, pause, go to another track or stop.

local common  = require "common.told"
local music   = require "common.music"
local quoting = require "desktop.quoting"
local s       = require "schema"


local STATES = { playing = "plays", paused = "is paused", stopped = "is stopped", unknown = "does not say whether it plays" }

local function told(done)
  local text = ("%s %s%s"):format(quoting.name(done.application, 100), done.effect == "unchanged" and "already " or "",
    STATES[done.state])
  return done.title and ("%s: %s"):format(text, quoting.quote(done.title, 200)) or text .. "."
end


---@param args {action: string, player?: string}
---@param call Call
local function run(args, call)
  local done, err, code = music.control(args.action, args.player)
  if not done then return nil, err, code end
  return common.told(call, told(done), done, done.note)
end


--- For the examples: what the script prints of one look at Music.
local function looks(state, id, title) return table.concat({ state, id, "1000", "240000", title, "Ada", "Songs" }, "\31") end


---@type Tool
return {
  title        = "Control music",
  description  = "Control the music player that runs: play, pause, skip or stop. That is Music on a Mac, elsewhere one that "
              .. "takes orders over D-Bus (MPRIS); of several the one that plays. Nothing is started. `effect` says what was "
              .. "seen. To see the track, call music_get_track.",
  inputSchema  = s.object {
    { "action", s.enum(music.ACTIONS, "What it shall do.") },
    common.player,
  },
  outputSchema = s.object {
    { "application", s.string "Name of the player." },
    { "player", s.string "Its name for `player`." },
    { "effect", s.enum({ "changed", "unchanged", "unknown" }, "unchanged: it was in that state already, and nothing was sent. "
      .. "unknown: it took the order, and no change was seen.") },
    common.state,
    { "title", s.string("Title of the track now.", { optional = true }) },
    { "note", s.string("What else to know.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout      = 90,
  from         = "screen",
  common       = "com.apple.Music",
  codes        = common.codes("APP_NOT_RUNNING", "CANNOT_NOW", "FAILED", "NOT_SUPPORTED", "NO_BUS", "TIMEOUT"),

  about = { "every", player = "nothing" },
  run = run,

  examples = {
    { "names the track that plays then",
      given = { ["common.system.is_mac"] = true,
                ["sys.osascript.run"] = looks("playing", "A", "One") .. "\31" .. looks("playing", "B", "Two") },
      args  = { action = "next" },
      has   = { 'Music plays: "Two"' },
      want  = { effect = "changed", state = "playing", title = "Two" },
      did   = { "common.system.is_mac", "osascript.run args={next} file=common/music_control.applescript timeout=25" } },

    { "does not claim what was not seen",
      given = { ["common.system.is_mac"] = true,
                ["sys.osascript.run"] = looks("paused", "A", "One") .. "\31" .. looks("paused", "A", "One") },
      args  = { action = "play" },
      has   = { "Note: Music took the order, and nothing was seen to change." },
      want  = { effect = "unknown", state = "paused" } },

    { "starts no player",
      given = { ["common.system.is_mac"] = true,
                ["sys.osascript.run"] = { n = 4, false, "Application isn't running.", "app_not_running", -600 } },
      args  = { action = "play" },
      err   = "Music does not run. Start it with open_application Music", code = "APP_NOT_RUNNING" },
  },
}
