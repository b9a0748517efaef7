--- The rules that apply if the user has no policy.lua (docs/policy.md). The first rule that fits decides.

local YOU = { kind = { "terminal", "script" } }
local CLIENTS = { kind = { "agent", "client", "http", "oauth" } }
local OUTSIDE = { "screen", "clipboard", "web", "mount" }
local COPIED = "text in it is from outside: the screen, the clipboard, a page or a mounted server"
local DESTROYS = "its server says that it destroys something"   -- by the protocol a tool without hints may, too
local GRAVE = { "*.Delete*", "*.delete*", "* delete*", "*.Remove*", "*.remove*", "* remove*", "*.Unlink*", "*.Erase*",
  "*.EmptyTrash", "* empty-trash", "*.MoveToTrash", "*.TrashFiles", "*.TrashURIs",
  "*.Quit", "*.quit", "* quit", "*.Terminate", "*.Kill*", "*.kill*", "* kill*", "*.Stop*Unit",
  "*.Logout", "*.logout", "*.Reboot", "*.reboot", "*.Shutdown", "*.shutdown", "*.PowerOff",
  "*.CreateInstance", "*.Eval*", "*.Exec*", "*.HostCommand", "*.Launch*", "*.runCommand*", "*.sendText", "*.Spawn*",
  "*.Start*Unit", "*Environment" }   -- programs name their methods themselves: others are asked about, too
local SENT = COPIED .. ", and the caller did not name this host before"

--- A rule about text from outside, which may be an order for a model. A file that the caller named itself is later in titles and
--- fields, but these do not ask to open it again.
local function copied(rule)
  rule.ask, rule.from, rule.own_paths, rule.per = rule.ask or COPIED, OUTSIDE, true, "call"
  return rule
end

return {
  rules = {
    { allow = "you started it yourself", caller = YOU },
    { allow = "you started it yourself", effect = "record", caller = YOU },
    -- Effects, where they happen.
    copied { ask = COPIED .. ", and what is typed in a terminal is run", effect = { "input", "press", "drop" }, terminal = true },
    { ask = "what is pasted in a terminal is run, and the clipboard's text may be from anywhere", effect = { "input", "press" },
      terminal = true, paste = true, own_clipboard = false, per = "call" },
    { ask = "a service of yours acts at this hotkey", effect = "input", hotkey = "*", caller = CLIENTS, per = "call" },
    copied { effect = { "start", "drop", "mail" } },
    copied { effect = { "process", "python", "message" }, caller = CLIENTS },
    copied { effect = "process", shell = true },
    copied { effect = "file", granted = false, own = false },
    copied { effect = "settings", how = "settings" },
    copied { effect = "mount", mounted = false, reads = false, caller = CLIENTS },
    { deny = COPIED, effect = "record", from = OUTSIDE },
    { ask = COPIED, effect = "file", how = { "remove", "trash" }, own = false, from = OUTSIDE, per = "call" },
    { ask = SENT, effect = "request", caller = CLIENTS, from = OUTSIDE, known_host = false, per = "host" },
    { allow = "a file of yours does it by itself", effect = { "start", "process", "file", "mail" }, caller = "engine" },
    { ask = "it is not an application of the desktop", effect = "start", program = true, capability = "starting programs" },
    { ask = "it starts a program with arguments", effect = "start", arguments = true, capability = "starting programs" },
    { ask = "it runs what it is given", effect = "process", shell = true },
    { ask = "it changes what Perigee does", effect = "settings", how = { "settings", "allow" } },
    { ask = "it deletes, ends or runs something", effect = "message", tool = "call_dbus", name = GRAVE, reads = false,
      caller = CLIENTS, per = "call" },
    { ask = "it makes another program act", effect = "message", tool = "call_dbus", reads = false, caller = CLIENTS,
      capability = "calls of other programs by D-Bus" },
    { ask = "it sees all that is typed until it ends, passwords too", effect = "record", per = "call" },
    { ask = "it sends mail in your name", effect = "mail", per = "call" },
    { ask = "Perigee, a shell or your session obeys this file", effect = "file", obeyed = true, per = { "tool", "folder" } },
    { ask = "it presses keys or clicks where its caller says", effect = { "input", "press" },
      tool = { "system_events_keystroke", "system_events_click" }, caller = CLIENTS, per = "tool" },
    { ask = DESTROYS, effect = "mount", mounted = false, destructive = true, caller = CLIENTS },
    { allow = "the client made it, and nothing has changed it since", effect = "file", how = "remove",
      tool = "rollback_transaction" },
    { ask = "it deletes files", effect = "file", how = { "remove", "trash" }, own = false, per = { "tool", "folder" } },
    -- Calls, before they begin. The claims of a foreign tool about itself are not trusted.
    { ask = "its caller has a token of an authorization server", caller = { kind = "oauth" }, per = "tool" },
    { ask = "it is a foreign tool: a model wrote it, or it is from elsewhere", trust = "foreign", per = "tool" },
    { ask = SENT, mounted = true, from = OUTSIDE, known_host = false, per = "host" },
    { allow = "it only reads", annotations = { readOnlyHint = true } },
    copied { mounted = true },
    { ask = DESTROYS, mounted = true, tool = "*", when = function(call) return call.annotations.destructiveHint == true end },
    { allow = "you mounted its server", mounted = true },
    { allow = "the usual tools", tool = "*" },
  },
  otherwise = "ask",
  examples = {
    { "a client may click", caller = "client", tool = "click_element", args = { element = 'button "Save"' }, want = "allow" },
    { "a stranger's token asks for everything", caller = "oauth", tool = "list_windows", want = "ask" },
    { "a command may do all", caller = "terminal", tool = "quit_application", args = { application = "xterm" }, want = "allow" },
  },
}
