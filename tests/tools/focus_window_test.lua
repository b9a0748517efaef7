--- Cases of focus_window beside the examples in its file: the beginning of a title or of an application's name.

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


---@type ToolExample[]
return {
  { "the only title that begins so is taken, and the answer says so",
    given = desktop { MAIL, REPORT }, args = { name = "report OF" },
    has   = { '(took "Report of May – Editor" for "report OF")\nFocused applications/9/windows/2' },
    want  = { name = "applications/9/windows/2" } },
  { "and the class of a window", given = desktop { window(4, "x", "Thunderbird"), REPORT }, args = { name = "thunder" },
    has   = { '(took "Thunderbird" for "thunder")' } },
  { "and a name that was cut when it was shown", given = desktop { MAIL, REPORT }, args = { name = "Report of M…" },
    has   = { '(took "Report of May – Editor" for "Report of M…")' } },
  { "an exact title wins over one that only begins so, without a note",
    given = desktop { REPORTS, window(5, "Reports of May", "Editor") }, args = { name = "reports" },
    has   = { "Focused applications/10/windows/3" } },
  { "so does an application that is called so",
    given = desktop({ REPORT, window(6, "Untitled", "x-report") },
      { { pid = 13, started = 1, name = "Report", id = "r", path = "" } }), args = { name = "Report" },
    want  = { name = "applications/13/windows/6" } },
  { "of several nothing is taken, and they are listed", given = desktop { MAIL, REPORT, REPORTS }, args = { name = "Repo" },
    err   = '"Repo" matches 2 windows. Use one of these resource names:\n'
         .. '  applications/9/windows/2  "Report of May – Editor" (Editor)\n  applications/10/windows/3  "Reports" (Files)',
    code  = "AMBIGUOUS_WINDOW_IDENTIFIER" },
  { "a part that is no beginning is not taken", given = desktop { MAIL, REPORT }, args = { name = "of May" },
    err   = "If you mean this one, use its resource name", code = "WINDOW_NOT_FOUND" },
  { "two letters are too few", given = desktop { MAIL, REPORT }, args = { name = "Re" },
    err   = "If you mean this one, use its resource name", code = "WINDOW_NOT_FOUND" },
}
