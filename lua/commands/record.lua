--- perigee record: records what you do as a macro. lua/lib/cli/record.lua does the work.

local function part(name) return function(...) return require("cli.record")[name](...) end end

---@type perigee.Command
return {
  summary     = "record what you do in windows as a macro",
  usage       = { "record [NAME] [options]", "record --stop" },
  description = "Writes a macro while you work: a step for each menu item, option, value, button, dialog and text, by the "
             .. "elements of the application and not by places on the screen (docs/macros.md). Each step is saved at once. "
             .. "Ctrl+Alt+Esc ends it, and so does --stop. Passwords are not recorded: they become parameters. Nothing is kept "
             .. "from the applications.",
  arguments   = { { "name", "string", "the macro (default: recording, recording_2, ...)", optional = true } },
  options     = {
    { "stop", "flag", "end the recording that runs" },
    { "title", "string", "title of the macro (default: made of its name)", value = "TEXT" },
    { "rows", "flag", "make steps that are done again with other values a loop over the rows of a CSV file, unasked" },
    { "no-pictures", "flag", "save no picture of the window before each step" },
    { "json", "flag", "print one JSON object at the end: macro, file, steps, notes" },
  },
  log         = "warning",   -- the file is loaded anew after each step
  notes       = "Exit status: 0 success, 1 it cannot record, or the last steps were not saved, 2 usage error, 130 interrupted",
  run         = part "run",
  cancelled   = part "cancelled",

  examples = {
    { "says what is wrong with a name", args = { "Save Note" }, status = 2, err = "Save Note cannot name a macro" },
    { "does not replace a macro", args = { "note" }, status = 1, err = "There is a tool note already",
      given = { ["sys.engine.tool"] = { name = "note" } } },
    { "passes on why it cannot record", args = { "note" }, status = 1, err = "Wayland",
      given = { ["sys.engine.tool"] = { n = 1, false }, ["sys.process.run"] = { code = 0, stdout = "", stderr = "" },
                ["sys.console.engine"] = { pid = 9, desktop = "-" },
                ["recorder.session.begin"] = { n = 3, false, "not on Wayland", "not_supported" } } },
    { "knows that nothing is recorded", args = { "--stop" }, status = 1, err = "No recording runs",
      given = { ["sys.console.engines"] = { n = 1, {} }, ["recorder.sign.sweep"] = { n = 0 } } },
  },
}
