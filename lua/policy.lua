--- The rules that apply if the user has no policy.lua (docs/policy.md). The first rule that fits decides.

-- Text of a page, a window or another server may be an order for a model: what the model then does is compared with such text.
local OUTSIDE = { "screen", "clipboard", "web", "mount" }
local COPIED = "text in it is from outside: the screen, the clipboard, a page or a mounted server"
local CLIENTS = { kind = { "agent", "client", "http", "oauth" } }

return {
  rules = {
    -- A user who types a command, or wrote a script, can do all of it without Perigee.
    { allow = "you started it yourself", caller = { kind = { "terminal", "script" } } },

    -- Effects, where they happen.
    { ask = COPIED .. ", and what is typed in a terminal is run", effect = { "input", "press", "drop" }, terminal = true,
      from = OUTSIDE, own_paths = true, per = "call" },
    { ask = "what is pasted in a terminal is run, and the clipboard's text may be from anywhere", effect = { "input", "press" },
      terminal = true, paste = true, own_clipboard = false, per = "call" },
    -- A file that the caller named itself is later in titles and fields, but these do not ask to open it again.
    { ask = COPIED, effect = { "start", "drop" }, from = OUTSIDE, own_paths = true, per = "call" },
    { ask = COPIED, effect = "process", caller = CLIENTS, from = OUTSIDE, own_paths = true, per = "call" },
    { ask = COPIED, effect = "process", shell = true, from = OUTSIDE, own_paths = true, per = "call" },
    { ask = COPIED, effect = "file", granted = false, own = false, from = OUTSIDE, own_paths = true, per = "call" },
    { ask = COPIED, effect = { "mail", "settings" }, how = { "mail", "send", "settings" }, from = OUTSIDE, own_paths = true,
      per = "call" },
    { ask = COPIED, effect = "file", how = "remove", own = false, from = OUTSIDE, per = "call" },
    { ask = COPIED .. ", and the caller did not name this host before", effect = "request",
      caller = CLIENTS, from = OUTSIDE, known_host = false, per = "host" },
    { allow = "a file of yours does it by itself", effect = { "start", "process", "file", "mail" }, caller = "engine" },
    { ask = "it starts a program that is not an application of the desktop", effect = "start", program = true,
      capability = "starting programs" },
    { ask = "it starts a program with arguments", effect = "start", arguments = true, capability = "starting programs" },
    { ask = "it runs what it is given", effect = "process", shell = true },
    { ask = "it changes what Perigee does", effect = "settings", how = { "settings", "allow" } },
    { ask = "it sends mail in your name", effect = "mail", per = "call" },
    { ask = "it deletes files", effect = "file", how = "remove", own = false, per = { "tool", "folder" } },

    -- Calls, before they begin.
    { ask = "its caller has a token of an authorization server", caller = { kind = "oauth" }, per = "tool" },
    -- The claims of a foreign tool about itself are not trusted.
    { ask = "it is a foreign tool: a model wrote it, or it is from elsewhere", trust = "foreign", per = "tool" },
    { ask = COPIED .. ", and the caller did not name this host before", mounted = true, from = OUTSIDE,
      known_host = false, per = "host" },
    { allow = "it only reads", annotations = { readOnlyHint = true } },
    { ask = COPIED, from = OUTSIDE, own_paths = true, mounted = true, per = "call" },
    -- By the protocol, a tool without hints may destroy something. Its user mounted it all the same.
    { ask = "its server says that it destroys something", mounted = true, tool = "*",
      when = function(call) return call.annotations.destructiveHint == true end },
    { allow = "you mounted its server", mounted = true },
    { allow = "the usual tools", tool = "*" },
  },

  otherwise = "ask",

  examples = {
    { "a client may click", caller = "client", tool = "click_element", args = { element = 'button "Save"' }, want = "allow" },
    { "and so may a script of a client", caller = "client", tool = "run_lua", args = { code = "return 1" }, want = "allow" },
    { "a stranger's token asks for everything", caller = "oauth", tool = "list_windows", want = "ask" },
    { "a foreign tool asks, also if it says that it only reads", caller = "client", tool = "downloaded", trust = "foreign",
      annotations = { readOnlyHint = true }, want = "ask" },
    { "a command may do all", caller = "terminal", tool = "quit_application", args = { name = "xterm" }, want = "allow" },
  },
}
