--- Further cases of search_commands.

local FINDER = { id = "com.apple.finder", name = "Finder", version = "14.1", source = "sdef" }

local function found(more)
  local row = { id = "com.apple.finder", app = "Finder", kind = "command", name = "empty", description = "", args = {},
                score = 1.005 }
  for key, value in pairs(more or {}) do row[key] = value end
  return row
end

local function answer(rows, problems) return { n = 2, rows, problems or {} } end

return {
  { "passes the application's ID and the limit on",
    given = { ["dictionary.library.find"] = FINDER, ["dictionary.lookup.search"] = answer { found() } },
    args  = { query = "trash", appBundleId = "finder", limit = 3 },
    did   = { "dictionary.library.find finder", "dictionary.lookup.search trash app=com.apple.finder limit=3" },
    want  = { results = { { bundleId = "com.apple.finder", command = "empty", description = "", args = {} } } } },

  { "asks for ten without a limit",
    given = { ["dictionary.lookup.search"] = answer {} },
    args  = { query = "trash" },
    did   = { "dictionary.lookup.search trash limit=10" },
    want  = { results = {} } },

  { "shows calls over D-Bus as arguments of call_dbus",
    given = { ["dictionary.lookup.search"] = answer {
      found { id = "org.gnome.gedit", kind = "action", example = { call = {
        path = "/org/gnome/gedit/window/1", action = "use-spaces", state = false } } },
      found { id = "org.gnome.gedit", kind = "action", example = { call = { path = "/org/gnome/gedit", action = "quit" } } },
      found { id = "mpv", example = { call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player",
        member = "Seek", args = { 5 } } } },
      found { id = "mpv", kind = "property", example = { call = { path = "/org/mpris/MediaPlayer2", property = "Volume",
        interface = "org.mpris.MediaPlayer2.Player", value = 0.5 } } },
      found { id = "thunar", kind = "action", example = { call = { desktop = "thunar", action = "open-home" } } },
    } },
    args  = { query = "sort" },
    want  = { results = {
      { example = '{"app":"org.gnome.gedit","method":"win.use-spaces","state":false}' },
      { example = '{"app":"org.gnome.gedit","method":"app.quit"}' },
      { example = '{"app":"mpv","method":"Player.Seek","args":[5]}' },
      { example = '{"app":"mpv","method":"Player.Volume","args":[0.5]}' },
      { example = '{"app":"thunar","method":"desktop.open-home"}' } } } },

  { "names the nearest application",
    given = { ["dictionary.library.find"] = { n = 3, false, 'No application "Findr" describes what it can do; did you mean '
                .. "com.apple.finder?", "not_found" } },
    args  = { query = "trash", appBundleId = "Findr" },
    err   = "did you mean com.apple.finder?", code = "not_found" },

  { "tells which files cannot be read, beside what was found",
    given = { ["dictionary.lookup.search"] = answer({ found() }, { "dictionary/mail.lua:3: unexpected symbol" }) },
    args  = { query = "trash" },
    want  = { results = { { command = "empty" } }, problems = { "dictionary/mail.lua:3: unexpected symbol" } } },

  { "refuses spaces as a query",
    args  = { query = " \n\t" },
    err   = "The query is empty.", code = "bad_argument" },

  { "refuses an empty query",
    args  = { query = "" },
    err   = "The query is empty.", code = "bad_argument" },
}
