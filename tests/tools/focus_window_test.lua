--- Cases of focus_window beside the examples in its file: the beginning of a title or of an application's name, and the window
--- that lies over the focused one.

local BOX = { x = 10, y = 20, width = 640, height = 480 }

local function window(id, title, app) return { pid = 7 + id, started = 1, id = id, title = title, app = app } end

--- The desktop with these windows. Only applications that `apps` names run.
local function desktop(windows, apps)
  return {
    ["sys.window.list"] = windows, ["sys.app.list"] = apps or {},
    ["sys.window.focus"] = { before = BOX, after = BOX, done = true, gone = false, focused = true },
  }
end

local MAIL, REPORT, REPORTS = window(1, "Inbox", "Mail"), window(2, "Report of May – Editor", "Editor"),
  window(3, "Reports", "Files")


local function placed(w, more)
  w.on_screen, w.frame = true, BOX
  for name, value in pairs(more or {}) do w[name] = value end
  return w
end

--- The desktop with the window "x", which gets the keyboard, behind another one.
local function behind(more)
  local given = desktop { placed(window(1, "Other", "Editor"), more), placed(window(2, "x", "Editor")) }
  given["sys.window.changed"] = "1"
  return given
end


---@type ToolExample[]
return {
  { "a focused window that the window manager leaves behind another one is not called done",
    given = behind(), args = { window = "x" },
    has   = { "Not done: the window manager gave it keyboard focus, and did not raise it. applications/9/windows/2: it is "
           .. '640x480 at 10,20, focused, partly behind applications/8/windows/1 "Other".' },
    want  = { done = false, effect = "partial", focused = true } },
  { "one that is kept above others is named, and is no failure", given = behind { above = true }, args = { window = "x" },
    has   = { "Focused applications/9/windows/2: it is 640x480 at 10,20, focused, "
           .. 'partly behind applications/8/windows/1 "Other".' },
    want  = { done = true, effect = "confirmed" } },
  { "so is a dialog of the same application", given = behind { pid = 9, kind = "dialog" }, args = { window = "x" },
    has   = { "focused, partly behind applications/9/windows/1" }, want = { done = true } },
  { "one beside it, and one that is not shown, do not cover it",
    given = desktop { placed(window(1, "Other", "Editor"), { frame = { x = 650, y = 20, width = 9, height = 9 } }),
      placed(window(3, "Hidden", "Editor"), { on_screen = false }), placed(window(2, "x", "Editor")) }, args = { window = "x" },
    has   = { "focused, in front." }, want = { done = true } },
  { "the only title that begins so is taken, and the answer says so",
    given = desktop { MAIL, REPORT }, args = { window = "report OF" },
    has   = { '(took "Report of May – Editor" for "report OF")\nFocused applications/9/windows/2' },
    want  = { name = "applications/9/windows/2" } },
  { "and the class of a window", given = desktop { window(4, "x", "Thunderbird"), REPORT }, args = { window = "thunder" },
    has   = { '(took "Thunderbird" for "thunder")' } },
  { "and a name that was cut when it was shown", given = desktop { MAIL, REPORT }, args = { window = "Report of M…" },
    has   = { '(took "Report of May – Editor" for "Report of M…")' } },
  { "an exact title wins over one that only begins so, without a note",
    given = desktop { REPORTS, window(5, "Reports of May", "Editor") }, args = { window = "reports" },
    has   = { "Focused applications/10/windows/3" } },
  { "so does an application that is called so",
    given = desktop({ REPORT, window(6, "Untitled", "x-report") },
      { { pid = 13, started = 1, name = "Report", id = "r", path = "" } }), args = { window = "Report" },
    want  = { name = "applications/13/windows/6" } },
  { "of several nothing is taken, and they are listed", given = desktop { MAIL, REPORT, REPORTS }, args = { window = "Repo" },
    err   = '"Repo" matches 2 windows. Use one of these resource names:\n'
         .. '  applications/9/windows/2  "Report of May – Editor" (Editor)\n  applications/10/windows/3  "Reports" (Files)',
    code  = "AMBIGUOUS_WINDOW_IDENTIFIER" },
  { "a part that is no beginning is not taken", given = desktop { MAIL, REPORT }, args = { window = "of May" },
    err   = "If you mean this one, use its resource name", code = "WINDOW_NOT_FOUND" },
  { "two letters are too few", given = desktop { MAIL, REPORT }, args = { window = "Re" },
    err   = "If you mean this one, use its resource name", code = "WINDOW_NOT_FOUND" },
}
