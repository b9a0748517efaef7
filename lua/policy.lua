--- The rules that apply if the user has no policy.lua (docs/policy.md). The first rule that fits decides.

-- Text of a page, a window or another server may be an order for a model: the model's actions are compared with such text.
local OUTSIDE = { "screen", "clipboard", "web", "mount" }
local COPIED = "text in its arguments is from outside: the screen, the clipboard, a page or a mounted server"

local PASTED = "what is pasted in a terminal is run, and where the clipboard's text is from is not known"

local MODIFIERS = { ctrl = true, control = true, shift = true, cmd = true, command = true, cmdorctrl = true,
  commandorcontrol = true, meta = true, super = true, alt = true }
local PASTE_KEYS = { insert = true, ins = true, paste = true, xf86paste = true }

--- True for keys that paste, in any order and spelling, and for modifiers that are kept down for a later key.
local function pastes(call)
  local keys = type(call.args.keys) == "string" and call.args.keys:lower()
  if not keys then return call.args.text == nil end
  local v, held, others = false, false, false
  for key in keys:gmatch "[^+%s]+" do
    if PASTE_KEYS[key] then return true end
    v, held, others = v or key == "v", held or MODIFIERS[key] ~= nil, others or not MODIFIERS[key]
  end
  return held and (v or not others)
end

local RUNS = { "run_shell", "run_python*", "execute_*", "create_tool" }

-- Applications that run what is typed in them.
local TERMINALS = { "*terminal*", "*term", "xterm*", "konsole", "*.Konsole", "*.Console", "kgx", "alacritty", "kitty", "*ghostty",
  "foot", "urxvt", "rxvt*", "*.Ptyxis", "*tilix*", "*terminator*", "*wezterm*", "*iterm*", "yakuake", "guake", "st", "st-*",
  "terminology", "sakura", "warp", "*tabby*", "hyper", "rio", "contour", "*blackbox*", "ghostty*" }

return {
  rules = {
    -- A user who types a command, or wrote a script, can do all of it without Perigee.
    { allow = "you started it yourself", caller = { kind = { "terminal", "script" } } },

    { ask = "its caller has a token of an authorization server", caller = { kind = "oauth" }, per = "tool" },

    -- The claims of a foreign tool about itself are not trusted.
    { ask = "it is a foreign tool: a model wrote it, or it is from elsewhere", trust = "foreign", per = "tool" },

    { allow = "it only reads", annotations = { readOnlyHint = true } },

    { ask = COPIED, from = OUTSIDE, per = "call", tool = RUNS },
    { ask = COPIED, from = OUTSIDE, per = "call", tool = { "send_email", "delete_file*" } },
    { ask = COPIED, from = OUTSIDE, tool = "open_application", program = true, per = "call" },
    { ask = COPIED, from = OUTSIDE, tool = "open_application", args = { arguments = { given = true } }, per = "call" },
    -- A file that the caller named itself is later in titles and fields, but these do not ask to open it again.
    { ask = COPIED, from = OUTSIDE, own_paths = true, tool = "open_application", args = { files = { given = true } },
      per = "call" },
    { ask = COPIED, from = OUTSIDE, own_paths = true, tool = "drop_files", from_args = "files", per = "call" },
    { ask = COPIED, from = OUTSIDE, own_paths = true, tool = "*", annotations = { readOnlyHint = false },
      from_args = "path", args = { path = { granted = false } }, per = "call" },
    { ask = COPIED .. ", and what is typed in a terminal is run", from = OUTSIDE, own_paths = true, app = TERMINALS,
      tool = { "create_input", "write_element_value", "act" }, per = "call" },
    { ask = COPIED, from = OUTSIDE, mounted = true, tool = "*", annotations = { readOnlyHint = false }, per = "call" },

    -- Calls that these tools make are judged separately.
    { allow = "each call that it makes is judged by itself", tool = { "run_lua", "call_tool" }, mounted = false },

    -- By the protocol, a tool without hints may destroy something. Its user mounted it all the same.
    { ask = "its server says that it destroys something", mounted = true, tool = "*",
      when = function(call) return call.annotations.destructiveHint == true end },

    { ask = "it runs what it is given", tool = RUNS },
    { ask = "it starts a program that is not an application of the desktop", tool = "open_application", program = true,
      capability = "starting programs" },
    { ask = "it starts a program with arguments", tool = "open_application", args = { arguments = { given = true } },
      capability = "starting programs" },
    { ask = PASTED, tool = "create_input", args = { action = { "paste", "middle_click", "keys", "hold", "key_down" } },
      when = pastes, app = TERMINALS, per = "call" },
    { ask = PASTED, tool = "create_input", args = { button = "middle" }, app = TERMINALS, per = "call" },
    { ask = PASTED, tool = "select_menu_item", args = { path = { "*aste*", "*ASTE*" } }, app = TERMINALS, per = "call" },
    { ask = PASTED, tool = { "click_element", "perform_element_action" }, args = { element = { "*aste*", "*ASTE*" } },
      app = TERMINALS, per = "call" },
    { allow = "it sends nothing: it saves a draft", tool = "send_email", args = { draft = true }, mounted = false },
    { ask = "it sends mail in your name", tool = "send_email", per = "call" },
    { ask = "it deletes files", tool = "delete_file*", per = { "tool", "folder" } },

    { allow = "the usual tools", tool = "*" },
  },

  otherwise = "ask",

  examples = {
    { "a client may click", caller = "client", tool = "click_element", args = { element = 'button "Save"' }, want = "allow" },
    { "and so may a script of a client", caller = "client", tool = "run_lua", args = { code = "return 1" }, want = "allow" },
    { "a stranger's token asks for everything", caller = "oauth", tool = "list_windows", want = "ask" },
    { "a foreign tool asks, also if it says that it only reads", caller = "client", tool = "downloaded", trust = "foreign",
      annotations = { readOnlyHint = true }, want = "ask" },
    { "mail is asked about each time", caller = "client", tool = "send_email", args = { to = "a@b.c" }, want = "ask" },
    { "a draft is not", caller = "client", tool = "send_email", args = { to = "a@b.c", draft = true }, want = "allow" },
    { "a command may do all", caller = "terminal", tool = "quit_application", args = { name = "xterm" }, want = "allow" },
  },
}
