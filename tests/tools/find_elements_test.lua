--- Cases of find_elements beside the examples in its file.

local ui = require "testing.interface"

local WINDOW = { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor",
  frame = { x = 90, y = 90, width = 400, height = 600 } }
local FORM = { { 0, "window", "Notes" }, { 1, "label", "Name:", bounds = { x = 100, y = 300, width = 60, height = 24 } },
  { 1, "entry", "", value = "Ada", states = { focused = true }, bounds = { x = 170, y = 300, width = 200, height = 24 } },
  { 1, "button", "Save" }, { 1, "group", "More" }, { 2, "button", "Save as" },
  { 2, "checkbox", "Wrap", states = { checked = true } } }


---@type ToolExample[]
return {
  { "a field by the label beside it, among others",
    given = ui.stubs(FORM), args = { selector = 'entry near "Name:"' },
    has   = { 'Found 1 element that matches entry near "Name:":\ne3 entry "Name" ="Ada" focused, in window "Notes"' },
    want  = { elements = { { ref = "e3", role = "entry", name = "Name", value = "Ada", states = { "focused" },
              bounds = { x = 170, y = 300, width = 200, height = 24 }, window = "applications/7/windows/3" } },
              total_size = 1 } },
  { "in another element, and by a state, among others",
    given = ui.stubs(FORM), args = { selector = 'checked in group "More"' }, want = { elements = { { ref = "e7" } } } },
  { "the whole name comes before a part of it",
    given = ui.stubs(FORM), args = { text_contains = "save", page_size = 1 },
    want  = { elements = { { ref = "e4", name = "Save" } }, total_size = 2, next_page_token = "1:e4" } },
  { "by a regular expression",
    given = ui.stubs(FORM), args = { role = "AXButton", regex = "as$" }, want = { elements = { { ref = "e6" } } } },
  { "none that is shown: what is scrolled out of sight or in a closed menu is told",
    given = ui.with(ui.stubs(FORM), { ["sys.element.tree"] = function(query)
      local tree = ui.tree { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save as" } }
      tree.nodes[3].states.shown = nil
      if not query.hidden then tree.nodes[3] = nil end
      return tree
    end }), args = { selector = 'menuitem "Save as"' },
    has   = { 'No element that is shown matches menuitem "Save as". Not shown, for example in a closed menu or scrolled out '
              .. 'of sight (hidden=true lists all):\n  e3 menuitem "Save as"' },
    want  = { elements = {}, total_size = 0, not_shown = 1 } },
  { "none: the nearest are named",
    given = ui.stubs(FORM), args = { selector = 'button "Sve"' },
    has   = { 'No element matches button "Sve". Nearest:\n  e4 button "Save", in window "Notes"' }, want = { total_size = 0 } },
  { "none, in a look that read only a part: it says so, and how to go on",
    given = ui.with(ui.stubs(FORM), { ["sys.element.tree"] = function()
      local tree = ui.tree { { 0, "window", "Sums" }, { 1, "table", "Sheet 1" }, { 2, "cell", "A1" } }
      tree.nodes[2].children, tree.cut = 1 << 30, true
      return tree
    end }), args = { selector = 'cell "ZZ99"' },
    has   = { 'No element matches cell "ZZ99". Only 3 elements were looked at: the application has more (cut). e2 table '
              .. '"Sheet 1" holds 1073741823 that were not read: scroll in it, or pass window, and look again.' },
    want  = { total_size = 0, cut = true } },
  { "an application without a tree is read from the screen; a word of a line has its own place",
    given = ui.read { "File Edit", "Ready to print" }, args = { selector = '"Ready"' },
    has   = { 'Found 1 element that matches "Ready":\ne4 label "Ready" ocr 90%, in window "Notes"' },
    want  = { elements = { { role = "label", source = "ocr", confidence = 0.9, bounds = { x = 100, y = 160, width = 40,
              height = 10 } } }, total_size = 1 } },
  { "which tells no roles",
    given = ui.read { "Save" }, args = { selector = 'button "Save"' }, has = { "roles and states are not known" },
    want  = { total_size = 0 } },
  { "only from the tree",
    given = ui.read { "Save" }, args = { selector = '"Save"', source = "tree" }, err = "tells nothing of its interface",
    code  = "NO_TREE" },
  { "no window has the keyboard focus, and none is named",
    given = { ["sys.window.list"] = { { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor" } } },
    args  = { selector = 'button "Save"' }, err = "No window has keyboard focus. Pass application or window.",
    code  = "INVALID_ARGUMENT" },
  { "a role beside the line that is none",
    given = {}, args = { selector = '"Save"', role = "buton" }, err = '"buton" is not a role: did you mean button?',
    code  = "INVALID_ARGUMENT" },
  { "without a selector and an application", given = {}, args = {}, err = "Pass selector", code = "INVALID_ARGUMENT" },
  { "each element of an application, those to work with first",
    given = ui.stubs(FORM), args = { application = "applications/7", page_size = 2 },
    has   = { 'Found 7 elements:\ne3 entry "Name"', "\ne4 button" }, want = { total_size = 7, next_page_token = "2:e4" } },
  { "each element of a window",
    given = ui.with(ui.stubs(FORM), { ["sys.window.get"] = WINDOW }), args = { window = "applications/7/windows/3" },
    has   = { "Found 7 elements:\n" }, want = { total_size = 7 } },
  { "an application of which nothing is shown",
    given = ui.with(ui.stubs(FORM), { ["sys.element.tree"] = function(query)
      local tree = ui.tree { { 0, "window", "Notes" } }
      if not query.hidden then tree.nodes[1] = nil end
      return tree
    end }), args = { application = "applications/7" },
    has   = { "Found 0 elements. No element is shown. Not shown" }, want = { total_size = 0, not_shown = 1 } },
  { "items of a menu that a ref names",
    shows = { { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save" }, { 1, "menu", "Edit" },
      { 2, "menuitem", "Undo" } } },
    args  = { selector = "menuitem in e4" }, want = { elements = { { ref = "e5", name = "Undo" } }, total_size = 1 } },
}
