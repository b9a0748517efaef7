--- Cases of verify beside the examples in its file.

local ui = require "testing.interface"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo", states = { enabled = false } },
  { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } }, { 1, "entry", "Name", value = "Ada" },
  { 1, "label", "Ready" }, { 1, "button", "More" }, { 1, "button", "More" }, { 1, "password", "PIN" } }
local SAVED = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "label", "Saved" } }


--- Stubs of looks, in which nothing need be waited for.
local function stubs(...)
  return ui.with(ui.stubs(...), { ["sys.window.changed"] = "1",
    ["sys.element.text"] = function(id)
      local text = id == 5 and "Ada" or ""
      return { text = text, length = #text, from = 0, to = #text }
    end })
end


local function want(all, ...)
  local results = {}
  for i, each in ipairs { ... } do results[i] = { result = each[1], evidence = each[2] } end
  return { all = all, results = results }
end


---@type ToolExample[]
return {
  { "each with what was read",
    given = stubs(FORM),
    args  = { predicates = { { element = 'button "Save"' }, { element = 'button "Undo"', condition = "enabled" },
              { element = 'checkbox "Wrap"', condition = "checked" } } },
    has   = { '2 of 3 hold:\n1 satisfied: e2 button "Save", in window "Notes"\n2 unsatisfied: e3 button "Undo" is not '
              .. 'enabled' },
    want  = { all = "false", results = { { element = "e2" }, { element = "e3" }, { element = "e4" } } } },
  { "values, parts of them, and text anywhere",
    given = stubs(FORM),
    args  = { predicates = { { element = "entry", value = "Ada" }, { element = "entry", value_contains = "AD" },
              { text = "ready" }, { element = "button", count = 4 }, { element = 'label "Ready"', value = "Ready" } } },
    want  = want("true", { "satisfied", 'e5 entry "Name" holds "Ada"' }, { "satisfied", 'e5 entry "Name" holds "Ada"' },
              { "satisfied", 'e6 label "Ready", in window "Notes"' }, { "satisfied" },
              { "satisfied", 'e6 label "Ready" holds "Ready"' }) },
  { "what is not shown cannot be used, unless a menu opens for it",
    given = stubs { { 0, "window", "Notes" }, { 1, "button", "Erase", states = { shown = false } }, { 1, "menu", "File" },
      { 2, "menuitem", "Quit", states = { shown = false } } },
    args  = { predicates = { { element = 'button "Erase"', condition = "enabled" },
              { element = 'menuitem "Quit"', condition = "enabled" } } },
    want  = want("false", { "unsatisfied", 'e2 button "Erase" is enabled, and is not shown' }, { "satisfied" }) },
  { "another value than the one wanted",
    given = stubs(FORM), args = { predicates = { { element = "entry", value = "Eve" } } },
    want  = want("false", { "unsatisfied", 'e5 entry "Name" holds "Ada", not "Eve"' }) },
  { "several that could be meant: unknown",
    given = stubs(FORM), args = { predicates = { { element = 'button "More"', condition = "enabled" } } },
    has   = { '0 of 1 hold, 1 unknown:\n1 unknown: button "More" may be 2 elements: e7 button "More", in window "Notes"' },
    want  = want("unknown", { "unknown" }) },
  { "what an element does not tell is unknown",
    given = stubs(FORM),
    args  = { predicates = { { element = "password", value = "1234" }, { element = "label", condition = "checked" } } },
    want  = want("unknown", { "unknown", 'e9 password "PIN" does not tell what it holds' },
              { "unknown", 'e6 label "Ready" does not tell whether it is checked' }) },
  { "read from the screen, where no states are known, and what is like it may be it",
    given = ui.with(ui.read { "Send letter", "Ready" }, { ["sys.window.changed"] = "1" }),
    args  = { predicates = { { text = "letter" }, { element = '"Ready"', condition = "enabled" },
              { element = '"Raady"', condition = "gone" }, { element = '"Sent"', condition = "gone" } } },
    want  = want("unknown", { "satisfied" }, { "unknown" }, { "unknown" }, { "satisfied" }) },
  { "an application that does not answer: unknown, and not gone",
    given = ui.with(stubs(FORM), { ["sys.element.tree"] = { n = 3, false, "process 7 does not respond", "app_hung" } }),
    args  = { predicates = { { element = 'dialog "Open"', condition = "gone" }, { window = "notes" } } },
    want  = want("unknown", { "unknown", "process 7 does not respond" }, { "satisfied" }) },
  { "an application that has ended, and a name that fits none",
    given = ui.with(stubs(FORM), { ["sys.app.list"] = {},
      ["sys.app.get"] = { n = 3, false, "process 9 has exited", "app_not_found" } }),
    args  = { predicates = { { element = "button", condition = "gone", application = "applications/9" },
              { element = "button", application = "Nonesuch" },
              { element = "button", application = "Nonesuch", condition = "gone" } } },
    want  = want("false", { "satisfied" }, { "unsatisfied" }, { "unknown" }) },
  { "a tree that was cut before the element was found: unknown",
    given = ui.with(stubs(FORM), { ["sys.element.tree"] = function()
      local tree = ui.tree(FORM)
      tree.cut = true
      return tree
    end }),
    args  = { predicates = { { element = 'button "Quit"', condition = "gone" }, { element = 'button "Save"' } } },
    want  = want("unknown", { "unknown", "the application has more than the 9 elements that were read, and button \"Quit\" is "
              .. "not among these" }, { "satisfied" }) },
  { "one that is not there names the nearest",
    given = stubs(FORM), args = { predicates = { { element = 'button "Sve"' } } },
    want  = want("false", { "unsatisfied",
              'no element matches button "Sve"; the nearest is e2 button "Save", in window "Notes"' }) },
  { "a wait that ends in vain names the dialog in front",
    given = ui.with(stubs(FORM), { ["sys.window.list"] = function()
      return { { id = 3, pid = 7, title = "Notes", order = 1, states = {} },
        { id = 5, pid = 7, title = "Save changes?", kind = "dialog", parent = 3, order = 0, focused = true, states = {} } }
    end }),
    args  = { timeout = 0, predicates = { { element = 'button "Print"' } } },
    has   = { 'Dialog "Save changes?" is in front. If it holds the application up, answer it with handle_dialog.' } },
  { "within a time, all at once",
    given = stubs(FORM, SAVED), args = { timeout = 2, predicates = { { text = "Saved" }, { element = 'button "Save"' } } },
    has   = { "All 2 hold" }, want = { all = "true" } },
  { "windows", given = ui.with(stubs(FORM), { ["sys.app.list"] = {} }),
    args  = { predicates = { { window = "Notes", condition = "focused" },
              { window = "Notes", condition = "title", text = "saved" }, { window = "Quux", condition = "gone" } } },
    want  = want("false", { "satisfied", '"Notes" (applications/7/windows/3), Editor, 400x600 at 90,90, focused' },
              { "unsatisfied" }, { "satisfied", 'no window matches "Quux"' }) },
  { "a ref that nothing was given", given = {}, args = { predicates = { { element = "e99" } } },
    err   = "predicates[1]: e99 was not listed in this run", code = "ELEMENT_NOT_FOUND" },
}
