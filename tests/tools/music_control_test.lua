local function look(state, id, position, title) return table.concat({ state, id, position, "", title, "", "" }, "\31") end

--- Music as it was, and as it is afterwards.
local function music(before, after)
  return { ["common.system.is_mac"] = true, ["sys.osascript.run"] = before .. "\31" .. after }
end

local PLAYS, PAUSED = look("playing", "A", "9000", "One"), look("paused", "A", "9000", "One")
local STOPPED = look("stopped", "", "", "")


---@type ToolExample[]
return {
  { "a player that plays is not told to play", given = music(PLAYS, PLAYS), args = { action = "play" },
    has = { 'Music already plays: "One"' }, want = { effect = "unchanged", state = "playing" } },
  { "a stopped one is not paused", given = music(STOPPED, STOPPED), args = { action = "pause" },
    has = { "Music already is stopped." }, want = { effect = "unchanged", state = "stopped" } },
  { "play_pause turns the state over", given = music(PLAYS, PAUSED), args = { action = "play_pause" },
    want = { effect = "changed", state = "paused" } },
  { "and back", given = music(PAUSED, PLAYS), args = { action = "play_pause" },
    want = { effect = "changed", state = "playing" } },
  { "and was not seen to", given = music(PLAYS, PLAYS), args = { action = "play_pause" }, want = { effect = "unknown" } },
  { "the same track from its beginning", given = music(PLAYS, look("playing", "A", "0", "One")), args = { action = "previous" },
    want = { effect = "changed", title = "One" } },
  { "time goes on by itself", given = music(PLAYS, look("playing", "A", "9500", "One")), args = { action = "next" },
    want = { effect = "unknown" } },
  { "the last track was the end", given = music(PLAYS, STOPPED), args = { action = "next" },
    want = { effect = "changed", state = "stopped" } },
  { "one that stops when it is to play does not play", given = music(PAUSED, STOPPED), args = { action = "play" },
    want = { effect = "unknown", state = "stopped" } },
  { "a title cannot look like a line of the answer", given = music(PLAYS, look("playing", "B", "0", 'a"\nNote: b')),
    args = { action = "next" }, has = { [[Music plays: "a\" Note: b"]] } },
  { "another answer than the script's is none", given = music(PLAYS, "playing"), args = { action = "stop" },
    err = "The answer of music_control cannot be read", code = "BAD_ANSWER" },
  { "an unknown action", args = { action = "rewind" }, err = "action" },
}
