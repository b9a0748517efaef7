--- Cases of act beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "checkbox", "Wrap", states = { checkable = true } },
  { 1, "entry", "Name", value = "Ada", states = { editable = true } } }
local WRAPPED = { FORM[1], FORM[2], { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } }, FORM[4] }


local NAMED = { FORM[1], FORM[2], WRAPPED[3], { 1, "entry", "Name", value = "Eve", states = { editable = true } } }
local SAVED = { NAMED[1], NAMED[2], NAMED[3], NAMED[4], { 1, "label", "Saved" } }


--- An application that changes as it is worked with.
local function notes(more)
  local rows = FORM
  return ui.with(ui.stubs(FORM), ui.with({
    ["sys.window.changed"] = "1",
    ["sys.element.tree"] = function() return ui.tree(rows) end,
    ["sys.element.get"] = function(ids) return { ui.tree(rows).nodes[ids[1]] } end,
    ["sys.element.text"] = function(id)
      local text = ui.tree(rows).nodes[id].value
      return { text = text, length = #text, from = 0, to = #text }
    end,
    ["sys.element.act"] = function(id)
      rows = id == 3 and WRAPPED or id == 4 and NAMED or SAVED
      return { agreed = true, route = "stub" }
    end,
    ["sys.input.send"] = function()
      rows = SAVED
      return { pointer = { x = 0, y = 0 }, sent = 4, characters = 0, settled = true, route = "xtest" }
    end,
    ["desktop.read_back.before"] = false, ["desktop.read_back.forget"] = false,
  }, more or {}))
end


--- A field that calls itself read-only.
local function read_only(takes)
  local value = "1"
  return ui.with(ui.live(function()
    return { { 0, "window", "Notes" }, { 1, "spin", "Date", value = value, states = { focused = true } } }
  end, function() end), { ["desktop.sending.send"] = function()
    value = takes and "9" or value
    return { read_only = true }, { sent = 2, characters = 1, settled = true, route = "xtest" }
  end })
end


---@type ToolExample[]
local CASES = {
  { "a drag, to an element and to a point",
    given = notes { ["sys.input.drag"] = { sent = 9 } },
    args  = { steps = { { drag = 'checkbox "Wrap"', to = "entry" }, { drag = "entry", to = "150,120" } } },
    has   = { '1 drag checkbox "Wrap" to entry by pointer from', '2 drag entry to 150,120 by pointer from' },
    want  = { done = true } },
  { "a drag takes the pointer, also between points",
    given = notes(), args = { background = true, steps = { { drag = "140,110", to = "150,120" } } },
    has   = { "1 drag: failed, 140,110 cannot be dragged in the background: that takes the pointer. To do it in front, call "
           .. "again without background." } },
  { "a drop needs its place", args = { steps = { { drop = { "/a" } } } }, err = "steps[1]: drop and to go together.",
    code = "INVALID_ARGUMENT" },
  { "a drag needs both ends", args = { steps = { { drag = "button" } } }, err = "steps[1]: drag and to go together.",
    code = "INVALID_ARGUMENT" },
  { "a wait that ends in vain names the dialog in front",
    given = notes { ["sys.window.list"] = function()
      return { { id = 3, pid = 7, title = "Notes", order = 1, states = {} },
        { id = 5, pid = 7, title = "Save changes?", kind = "dialog", parent = 3, order = 0, focused = true, states = {} } }
    end },
    args  = { application = "applications/7", steps = { { wait = { element = 'button "Print"', timeout = 0 } } } },
    has   = { 'unsatisfied, no element matches button "Print"', '; dialog "Save changes?" is in front' } },
  { "stops at the first that does not hold, with changes before",
    given = notes(),
    args  = { steps = { { click = 'checkbox "Wrap"' }, { verify = { element = "entry", value = "Eve" } },
              { keys = "ctrl+s" } } },
    has   = { 'Stopped at step 2 of 3, which does not hold.', '2 verify: unsatisfied, e4 entry "Name" holds "Ada", not "Eve"' },
    want  = { done = false, stopped_at = 2, changes = { '~ e3 checkbox "Wrap" checked' } } },
  { "steps with their evidence, and what changed in all",
    given = notes(),
    args  = { steps = { { click = 'checkbox "Wrap"' }, { set = 'entry "Name"', value = "Eve" }, { keys = "ctrl+s" },
              { wait = { text = "Saved", timeout = 2 } }, { verify = { element = "entry", value = "Eve" } } } },
    has   = { "All 5 steps are done.\n1 click checkbox \"Wrap\" by action click: confirmed, it is checked now\n"
              .. '2 set entry "Name" by text: confirmed, the value was read back\n'
              .. '3 keys ctrl+s by xtest: confirmed, label "Saved" came\n'
              .. '4 wait 0.0 s: satisfied, e5 label "Saved", in window "Notes"\n'
              .. '5 verify: satisfied, e4 entry "Name" holds "Eve"\n'
              .. '+ e5 label "Saved"\n~ e3 checkbox "Wrap" checked\n~ e4 entry "Name" ="Eve"' },
    want  = { done = true, changes = { '+ e5 label "Saved"', '~ e3 checkbox "Wrap" checked', '~ e4 entry "Name" ="Eve"' } } },
  { "an item of a menu that is not there",
    given = notes {}, args = { steps = { { find = "entry" }, { menu = "Fils > Save" } } },
    has   = { '2 menu: failed, The application shows no menu, and no button "Fils".' },
    want  = { done = false, stopped_at = 2, steps = { { holds = true }, { step = "menu", code = "ELEMENT_NOT_FOUND" } } } },
  { "an element that is not there",
    given = notes(), args = { steps = { { find = 'button "Sve"' }, { keys = "ctrl+s" } } },
    has   = { '1 find: failed, No element matches button "Sve". Nearest:\n  e2 button "Save"' },
    want  = { done = false, stopped_at = 1, steps = { { step = "find", holds = false, code = "ELEMENT_NOT_FOUND" } } } },
  { "a click without a seen effect goes on",
    given = notes { ["sys.element.act"] = { agreed = true, route = "stub" } },
    args  = { steps = { { click = 'button "Save"' }, { find = "entry" } } },
    want  = { done = true, steps = { { effect = "none_seen", holds = true }, { holds = true, element = "e4" } } } },
  { "unless it must have one",
    given = notes { ["sys.element.act"] = { agreed = true, route = "stub" } },
    args  = { steps = { { click = 'button "Save"', must = true }, { find = "entry" } } },
    want  = { done = false, stopped_at = 1, steps = { { effect = "none_seen", holds = false } }, changes = {} } },
  { "a value that is not taken as it was written",
    given = notes { ["sys.element.act"] = { agreed = true, route = "stub" }, ["sys.input.click"] = { sent = 2 },
      ["sys.input.keys"] = { sent = 4 }, ["sys.input.type"] = { sent = 6 } },
    args  = { steps = { { set = "entry", value = "Eve" }, { keys = "ctrl+s" } } },
    want  = { done = false, stopped_at = 1, steps = { { effect = "none_seen" } } } },
  { "text into an application that tells nothing of itself",
    given = notes { ["sys.element.tree"] = { n = 3, false, "Tk runs without a tree", "no_tree" } },
    args  = { steps = { { type = "hello" } } },
    want  = { done = true, steps = { { effect = "unknown", holds = true,
              evidence = "what came of it cannot be read: Tk runs without a tree" } } } },
  { "text for a field that calls itself read-only and takes it", given = read_only(true), args = { steps = { { type = "9" } } },
    want  = { steps = { { effect = "confirmed", evidence = 'spin "Date" has another value' } } } },
  { "text for a field that is read-only", given = read_only(false), args = { steps = { { type = "9" } } },
    want  = { steps = { { effect = "none_seen", evidence = "the focused field is read-only" } } } },
  { "a step of nothing", given = {}, args = { steps = { { must = true } } }, err = "A step needs one of find, click",
    code  = "INVALID_ARGUMENT" },
}


--- The members of a result of one step.
local function step(effect) return { steps = { { effect = effect } } } end

local FIELD = verdicts.dialog("entry", { value = "old", states = { editable = true, focused = true } })

return verdicts.joined(CASES,
  verdicts.cases("a step that clicks", { rows = verdicts.dialog "button", args = { steps = { { click = 'button "Target"' } } },
    press = true, of = step }),
  verdicts.cases("a step that sets", { rows = FIELD, args = { steps = { { set = 'entry "Target"', value = "new" } } },
    of = step }),
  verdicts.cases("a step of keys", { rows = FIELD, args = { steps = { { keys = "ctrl+s" } } }, press = true, of = step,
    effects = { ["the focus"] = "confirmed", ["by itself, its name"] = "none_seen", ["by itself, its value"] = "none_seen" } }))
