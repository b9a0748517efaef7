--- Cases of create_macro beside the examples in its file.

--- Stubs that let a macro be written.
local function given(more)
  local all = {
    ["sys.engine.tool"] = { n = 0 }, ["sys.policy.code"] = { n = 1, false },
    ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
    ["sys.process.run"] = { code = 0, stdout = "", stderr = "" }, ["sys.crypto.sha256"] = "d", ["sys.crypto.hex"] = "64",
    ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 2 },
    ["sys.app.get"] = { pid = 7, started = 70, name = "Notes", id = "org.example.Notes", path = "", icon = "" },
    ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Letter", app = "Notes" },
  }
  for name, value in pairs(more or {}) do all[name] = value end
  return all
end


local function click(arguments, more)
  local step = { tool = "click_element", arguments = arguments }
  return { given = given(more), args = { display_name = "Press", steps = { step } } }
end


local function case(title, example, more)
  example[1] = title
  for key, value in pairs(more) do example[key] = value end
  return example
end


local WINDOW = { element = "button", window = "applications/7/windows/3" }
local ONE = { ["sys.window.list"] = function() return { { pid = 7, id = 3, title = "Letter" } } end }
local TWO = { ["sys.window.list"] = function()
  return { { pid = 7, id = 3, title = "Letter" }, { pid = 7, id = 4, title = "x" } }
end }

--- A recording that was made before this began.
local function recording(more)
  local one = { book = { path = "/mine/tools/macros/shown.lua", steps = 1, text = '  note:keys("ctrl+s")\n' },
    tape = { steps = {} } }
  for key, value in pairs(more or {}) do one[key] = value end
  return { display_name = "Shown", record = true },
    given { ["recorder.recording.begin"] = function() return one end, ["recorder.recording.run"] = { n = 1, "stopped" },
            ["recorder.recording.notes"] = function() return { "step 1: the click came early" } end }
end

local SHOWN, SHOWS = recording()
local _, NOTHING = recording { book = { path = "/mine/tools/macros/shown.lua", steps = 0 } }
local _, UNSAVED = recording { problem = "the disk is full" }

return {
  { "a recording tells what is to be looked at", given = SHOWS, args = SHOWN,
    want = { name = "macros/shown", steps = { { text = 'note:keys("ctrl+s")' } }, notes = { "step 1: the click came early" } },
    has = { "Wrote macros/shown with 1 step: /mine/tools/macros/shown.lua\nstep 1: the click came early\n" } },
  { "a recording of nothing is no macro", given = NOTHING, args = SHOWN, err = "Nothing was recorded", code = "NOTHING_DONE" },
  { "a recording that was not saved is a failure", given = UNSAVED, args = SHOWN,
    err = "The last steps were not saved: the disk is full", code = "WRITE_FAILED" },
  { "a user who does not want to be recorded is obeyed", args = SHOWN,
    given = given { ["recorder.recording.begin"] = { n = 3, false, "No.", "denied" } }, err = "No.", code = "DENIED" },
  { "a desktop that ends while it records is told", args = SHOWN,
    given = given { ["recorder.recording.begin"] = function() return { book = {}, tape = { steps = {} } } end,
                    ["recorder.recording.run"] = { n = 2, "display_lost", "The display is gone." } },
    err = "The display is gone.", code = "DISPLAY_LOST" },
  { "a recording has no other steps", given = given(), args = { display_name = "Both", record = true, from = {} },
    err = "Pass one of steps, with their parameters, from, and record", code = "INVALID_ARGUMENT" },
  case("the only window of an application is named by the application", click(WINDOW, ONE),
    { want = { steps = { { text = 'local notes = macro:window { application = "org.example.Notes" }' },
                         { text = 'notes:click("button")' } } } }),
  case("one of several is named by its title as well", click(WINDOW, TWO),
    { want = { steps = { { text = 'local notes = macro:window { application = "org.example.Notes", title = "Letter" }' },
                         {} } } }),
  case("a window that is gone names nothing",
    click(WINDOW, { ["sys.window.get"] = { n = 3, false, "gone", "window_not_found" } }),
    { err = "steps[1]: the window applications/7/windows/3 is gone. Pass application", code = "INVALID_ARGUMENT" }),
  case("an application is named by its ID", click { element = "button", application = "applications/7" },
    { want = { steps = { { text = 'local notes = macro:window { application = "org.example.Notes" }' }, {} } } }),
  case("a ref that was not listed names nothing", click { element = "e999999", application = "Notes" },
    { err = "steps[1]: e999999 was not listed in this run. Pass a selector", code = "INVALID_ARGUMENT" }),
  case("a file that cannot be written is a failure",
    click({ element = "button", application = "Notes" },
      { ["sys.process.run"] = { code = 1, stdout = "", stderr = "mkdir: cannot create directory: Read-only file system\n" } }),
    { err = "cannot be written: mkdir: cannot create directory: Read-only file system", code = "WRITE_FAILED" }),
  case("a user who refuses is obeyed",
    click({ element = "button", application = "Notes" }, { ["sys.effect.settings"] = { n = 3, false, "No.", "denied" } }),
    { err = "No.", code = "denied" }),
  case("without a root of the user's there is no place",
    click({ element = "button", application = "Notes" },
      { ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua" }, problems = {} } }),
    { err = "There is no directory for files of your own", code = "NO_ROOT" }),
}
