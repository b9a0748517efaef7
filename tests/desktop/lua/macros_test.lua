--- Steps of macros on the fake desktop: what they do, and each reason why one refuses.
local failure = require "macros.failure"
local runner  = require "macros.runner"
local t       = require "check"
local tools   = require "tools"

if not require("settings").open() then return end

local SETTINGS = { application = "Settings" }
local EDITOR = { application = "Text Editor", title = "draft.txt" }

local count = 0

--- A call of a macro's tool. answer: what its user says to a question; nil: there is none who could be asked.
local function call_of(name, answer)
  return { tool = name, progress = function() end,
    ask = function() if answer ~= nil then return { again = answer } end return nil, "nobody", "missing_capability" end }
end


--- Runs steps as a macro does. Returns the run, and the failure that ended it.
local function run(steps, begun, options)
  options = options or {}
  count = count + 1
  local macro, err, code = runner.new(call_of(options.name or "macro_" .. count, options.answer), options, begun or {})
  if not macro then return nil, { message = err, code = code } end
  local ok, failed = pcall(steps, macro)
  if not ok and not failure.of(failed) then error(failed, 0) end
  if ok then runner.finish(macro) end
  return macro, not ok and failed or nil
end


--- The failure of steps that have to fail.
local function refused(code, steps, begun, options)
  local macro, failed = run(steps, begun, options)
  t.same(failed and failed.code, code, failed and failed.message or "no failure")
  return failed and failed.message or "", macro
end


local function known(steps, more)
  local identity = { steps = steps }
  for key, value in pairs(more or {}) do identity[key] = value end
  return { identity = identity, hash = "h" }
end


local function value_of(selector)
  return assert(tools.get_element { element = selector, application = "Settings" }).value
end


t.case("steps set, choose, click, press keys, and check", function()
  local macro, failed = run(function(macro)
    local settings = macro:window(SETTINGS)
    settings:set('entry "Name"', "Grace")
    settings:choose('combobox "Font"', "Sans")
    settings:click('checkbox "Wrap long lines"')
    settings:click 'button "Apply"'
    settings:check { text = "Applied" }
    settings:check { element = 'checkbox "Wrap long lines"', condition = "checked" }
    settings:wait { element = 'entry "Name"', value = "Grace" }
  end)
  t.same(failed, nil)
  t.same(#macro.done, 7)
  t.same(value_of 'entry "Name"', "Grace")
  t.same({ macro.done[1].text, macro.done[1].ok }, { 'set entry "Name"', true })
end)


t.case("a selector that matches nothing names the nearest", function()
  local message = refused("MACRO_NO_MATCH", function(macro) macro:window(SETTINGS):click 'button "Aply"' end)
  t.has(message, 'Step 1, click button "Aply": No element of the window "Settings" matches button "Aply".')
  t.has(message, 'button "Apply"')
end)


t.case("several that match are listed, and none is taken", function()
  local message = refused("MACRO_SEVERAL_MATCH", function(macro) macro:window(SETTINGS):click 'button "Browse..."' end)
  t.has(message, "2 elements of the window \"Settings\" match")
  t.has(message, "Add in, near or nth")
  local _, failed = run(function(macro)
    macro:window(SETTINGS):click 'button "Browse..." near "Export folder:"'
    macro:window(SETTINGS):check { text = "Browsing for exports" }
  end)
  t.same(failed, nil)
end)


t.case("an index counts only while as many match as when it was recorded", function()
  local line = 'button "Browse..." nth 2'
  local recorded = known { { kind = "click", selector = line, role = "button", count = 3 } }
  t.has(refused("MACRO_COUNT_CHANGED", function(macro) macro:window(SETTINGS):click(line) end, recorded),
    "2 elements match it without nth, and there were 3")
  recorded.identity.steps[1].count = 2
  local _, failed = run(function(macro) macro:window(SETTINGS):click(line, { unseen = true }) end, recorded)
  t.same(failed, nil)
end)


t.case("another role, name, label or place than the recorded one is refused", function()
  local function differs(code, step)
    step.kind, step.selector = "click", '"Apply"'
    return refused(code, function(macro) macro:window(SETTINGS):click '"Apply"' end, known { step })
  end
  t.has(differs("MACRO_OTHER_ROLE", { role = "link" }), 'its role is "button", and was "link"')
  t.has(differs("MACRO_OTHER_ELEMENT", { role = "button", name = "Use" }), 'its name is "Apply", and was "Use"')
  t.has(differs("MACRO_OTHER_ELEMENT", { role = "button", label = "Now" }), 'its label is empty, and was "Now"')
  t.has(differs("MACRO_OTHER_ELEMENT", { role = "button", row = "Pear" }), 'its row is empty, and was "Pear"')
  local elsewhere = { role = "button", ancestors = { "Extras" } }
  t.has(differs("MACRO_OTHER_ELEMENT", elsewhere), 'its place is empty, and was "Extras"')
end)


t.case("an element that takes no input is refused", function()
  local message = refused("MACRO_DISABLED", function(macro) macro:window(SETTINGS):click 'checkbox "Keep backups"' end)
  t.has(message, "takes no input now")
end)


t.case("an effect that is not seen ends the run, unless the step says that it cannot be", function()
  local message, macro = refused("MACRO_EFFECT_MISSING", function(macro)
    macro:window(SETTINGS):click 'button "Swallow"'
    macro:window(SETTINGS):click 'button "Apply"'
  end)
  t.has(message, "Its effect was not seen")
  t.same({ #macro.done, macro.state.step, macro.state.sent }, { 1, 1, true })
  local _, failed = run(function(each) each:window(SETTINGS):click('button "Swallow"', { unseen = true }) end)
  t.same(failed, nil)
end)


t.case("a check and a wait that do not hold say what is there", function()
  t.has(refused("MACRO_CHECK_FAILED", function(macro)
    macro:window(SETTINGS):check { element = 'entry "Name"', value = "Eve", timeout = 0 }
  end), 'holds "Grace", not "Eve"')
  refused("MACRO_WAIT_TIMEOUT", function(macro) macro:window(SETTINGS):wait { text = "never shown", timeout = 0.1 } end)
  refused("MACRO_CHECK_FAILED", function(macro) macro:window(SETTINGS):check { title = "Other", timeout = 0 } end)
end)


t.case("a window is the only one that matches", function()
  t.has(refused("MACRO_NO_WINDOW", function(macro) macro:window { title = "Nowhere" } end), '"draft.txt"')
  t.has(refused("MACRO_SEVERAL_WINDOWS", function(macro) macro:window { application = "Text Editor" } end), '"notes.txt"')
  t.has(refused("MACRO_SEVERAL_WINDOWS", function(macro) macro:window { title = "*.txt" } end), "2 windows match")
  local macro = run(function(macro) macro.found = macro:window { title = "DRAFT.*" }.name end)
  t.same(macro.found, run(function(each) each.found = each:window(EDITOR).name end).found)
end)


t.case("a window that is missing between two steps does not have the step before it done again", function()
  local message, macro = refused("MACRO_NO_WINDOW", function(macro)
    macro:window(SETTINGS):click 'checkbox "Wrap long lines"'
    macro:window { title = "Nowhere" }
  end)
  t.has(message, 'Before step 2, window "Nowhere"')
  t.same({ macro.state.step, macro.state.sent }, { 2, false })
end)


t.case("opening an application with several windows takes none of them", function()
  local message = refused("MACRO_SEVERAL_WINDOWS", function(macro) macro:open "Text Editor" end)
  t.has(message, "2 windows of Text Editor are open")
  t.has(message, '"notes.txt"')
  local macro = run(function(each) each.found = each:open("Settings").name end)
  t.same(macro.found, run(function(each) each.found = each:window(SETTINGS).name end).found)
end)


t.case("a window of another application than the recorded one is refused", function()
  local recorded = known({}, { application = { name = "Mousepad", id = "org.xfce.mousepad" } })
  t.has(refused("MACRO_OTHER_APPLICATION", function(macro) macro:window(SETTINGS) end, recorded),
    "window of Settings, and the macro was recorded in Mousepad")
  local _, failed = run(function(macro) macro:window(SETTINGS) end, known({}, { application = { name = "settings" } }))
  t.same(failed, nil)
end)


t.case("a dialog is told by its title, and another one in front is refused", function()
  refused("MACRO_NO_WINDOW", function(macro) macro:window(EDITOR):dialog("Save As", { button = "Save", timeout = 0 }) end)
  local _, failed = run(function(macro) macro:window(EDITOR):menu "File > Save As..." end)
  t.same(failed, nil)
  t.has(refused("MACRO_DIALOG_IN_FRONT", function(macro) macro:window(EDITOR):dialog("Open", { button = "Open" }) end),
    'dialog "Save As" is in front, not the dialog "Open"')
  _, failed = run(function(macro)
    macro:window(EDITOR):dialog("Save*", { path = "other.txt", button = "Save" })
    macro:window { title = "other.txt" }:check { title = "other" }
  end)
  t.same(failed and failed.message, nil)
end)


t.case("a ref is no target of a step, and a selector that cannot be read is told", function()
  refused("INVALID_ARGUMENT", function(macro) macro:window(SETTINGS):click "e3" end)
  refused("INVALID_ARGUMENT", function(macro) macro:window(SETTINGS):click 'buton "Apply"' end)
end)


-- --- resuming ----------------------------------------------------------------------------------------------

local TICK = 'checkbox "Wrap long lines"'   -- has an effect each time

--- Three steps; the second one may have no effect.
local function three(second)
  return function(macro)
    local settings = macro:window(SETTINGS)
    settings:click(TICK)
    settings:click(second)
    settings:click('checkbox "Show line numbers"')
  end
end

local function texts(macro)
  local list = {}
  for _, note in ipairs(macro.done) do list[#list + 1] = note.left_out and "-" or note.ok and "+" or "!" end
  return table.concat(list)
end


t.case("a run goes on from where it stopped, and does nothing twice", function()
  refused("MACRO_NO_MATCH", three 'button "None"', known {}, { name = "three" })
  local macro, failed = run(three(TICK), known {}, { name = "three", resume_from = "last" })
  t.same(failed and failed.message, nil)
  t.same(texts(macro), "-++")
  t.has(refused("MACRO_NO_STATE", three(TICK), known {}, { name = "three", resume_from = "last" }), "came to its end")
  require("macros.journal").forget "never"
  t.has(refused("MACRO_NO_STATE", three(TICK), known {}, { name = "never", resume_from = "last" }), "no interrupted run")
  macro = run(three(TICK), known {}, { name = "never", resume_from = "3" })
  t.same(texts(macro), "--+")
end)


t.case("a step that was sent and not confirmed is asked about, and not repeated", function()
  refused("MACRO_EFFECT_MISSING", three 'button "Swallow"', known {}, { name = "sent" })
  local message, macro = refused("MACRO_UNCONFIRMED", three 'button "Swallow"', known {}, { name = "sent", resume_from = "last" })
  t.has(message, 'pass repeat_sent=true; if it did, resume_from="3"')
  t.same(texts(macro), "-")
  local failed
  macro, failed = run(three 'button "Swallow"', known {}, { name = "sent", resume_from = "last", answer = false })
  t.same({ failed and failed.message, texts(macro) }, { nil, "--+" })
end)


t.case("a step is repeated if the user says so", function()
  refused("MACRO_EFFECT_MISSING", three 'button "Swallow"', known {}, { name = "again" })
  refused("MACRO_UNCONFIRMED", three(TICK), known {}, { name = "again", resume_from = "2" })
  local macro = run(three(TICK), known {}, { name = "again", resume_from = "last", answer = true })
  t.same(texts(macro), "-++")
  refused("MACRO_EFFECT_MISSING", three 'button "Swallow"', known {}, { name = "again" })
  macro = run(three(TICK), known {}, { name = "again", resume_from = "last", repeat_sent = true })
  t.same(texts(macro), "-++")
end)


t.case("a file that was changed is resumed by a number only", function()
  refused("MACRO_NO_MATCH", three 'button "None"', { hash = "old" }, { name = "changed" })
  t.has(refused("MACRO_CHANGED", three(TICK), { hash = "new" }, { name = "changed", resume_from = "last" }), "step 2")
  local macro = run(three(TICK), { hash = "new" }, { name = "changed", resume_from = "2" })
  t.same(texts(macro), "-++")
  refused("INVALID_ARGUMENT", three(TICK), known {}, { name = "changed", resume_from = "step two" })
end)


t.case("rows that were done are left out, and each begins with the same number", function()
  local fs = require "sys.fs"
  assert(fs.write("rows.csv", "name,size\nAnn,1\nBen,2\nCid,3\n"))
  local function rows(stop_at)
    return function(macro)
      local settings = macro:window(SETTINGS)
      settings:click('checkbox "Wrap long lines"')
      for row in macro:rows("rows.csv", { "name", "size" }) do
        settings:set('entry "Name"', row.name)
        settings:click(row.name == stop_at and 'button "None"' or 'button "Apply"', { unseen = true })
      end
      settings:check { element = 'entry "Name"', value = "Cid" }
    end
  end
  local macro, failed = run(rows(), known {}, { name = "rows" })
  t.same({ failed and failed.message, texts(macro) }, { nil, "++++++++" })
  t.has(refused("MACRO_NO_MATCH", rows "Ben", known {}, { name = "rows" }), "Step 3 of row 2")
  macro, failed = run(rows(), known {}, { name = "rows", resume_from = "last" })
  t.same({ failed and failed.message, texts(macro) }, { nil, "--++++" })
  local list = {}
  for i, note in ipairs(macro.done) do list[i] = ("%s.%d"):format(note.row or "", note.step) end
  t.same(table.concat(list, " "), ".1 2.2 2.3 3.2 3.3 .4")
  macro = run(rows(), known {}, { name = "rows", resume_from = "row 3" })
  t.same(texts(macro), "-+++")
  macro = run(rows(), known {}, { name = "rows", resume_from = "row 3 step 3" })
  t.same(texts(macro), "--++")
  t.has(refused("MACRO_ROWS", function(each) each:rows("rows.csv", { "age" }) end), 'no column "age"')
  refused("MACRO_ROWS", function(each) each:rows "none.csv" end)
  refused("MACRO_ROWS", function(each) each:rows "/etc/passwd" end)
end)


t.case("any tool can be a step, and its failure is the step's", function()
  local macro = run(function(macro) macro.found = macro:call "list_displays" end)
  t.same(#macro.found.displays > 0, true)
  refused("DISPLAY_NOT_FOUND", function(each) each:call("get_display", { name = "displays/99" }) end)
  refused("unknown_tool", function(each) each:call "no_such_tool" end)
  refused("invalid_arguments", function(each) each:call("get_display", { odd = 1 }) end)
end)


t.case("a window that was closed is refused", function()
  t.has(refused("MACRO_WINDOW_GONE", function(macro)
    local settings = macro:window(SETTINGS)
    settings:click 'button "Close"'
    settings:click 'button "Apply"'
  end), "Its window was closed")
end)


t.done()
