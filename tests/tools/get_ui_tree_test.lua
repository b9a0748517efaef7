--- Cases of get_ui_tree beside the examples in its file.

local ui = require "testing.interface"

local NOTES = { { 0, "window", "Notes" }, { 1, "toolbar" }, { 2, "button", "Save" },
  { 2, "button", "Undo", states = { enabled = false } },
  { 1, "label", "Name:", bounds = { x = 100, y = 300, width = 60, height = 24 } },
  { 1, "entry", "", value = "Ada", bounds = { x = 170, y = 300, width = 200, height = 24 } }, { 1, "separator" } }
local LONG = { { 0, "window", "Notes" }, { 1, "list", "Lines" } }
for i = 1, 100 do LONG[#LONG + 1] = { 2, "listitem", "Line " .. i } end


--- Boxes as GTK 4 has them, with their label as their name and value.
local BOXES = { { 0, "window", "Form" },
  { 1, "combobox", "Color:", value = "Color:" }, { 2, "button", "(None)" }, { 3, "group", "" },
  { 4, "label", "(None)", states = { shown = false } }, { 4, "label", "Red" },
  { 1, "combobox", "Silent:", value = "Silent:" }, { 2, "group", "" }, { 3, "button", "" },
  { 1, "combobox", "Free:", value = "Free:" }, { 2, "group", "" }, { 3, "entry", "", value = "Two" } }


---@type ToolExample[]
return {
  { "boxes have the value that they show", given = ui.stubs(BOXES), args = {},
    has = { 'combobox "Color:" ="Red"', 'combobox "Silent:"\n', 'combobox "Free:" ="Two"' } },
  { "a part of it, of a long list",
    given = ui.stubs(LONG), args = { element = 'list "Lines"', depth = 1 }, has = { 'e2 list "Lines"\n e3 listitem' } },
  { "a long list is folded to stay in the budget",
    given = ui.stubs(LONG), args = { max_tokens = 200 },
    has   = { ' e2 list "Lines"\n  e3 listitem "Line 1"', "... 90 more" }, want = { cut = true } },
  { "what was not read of a large application is told",
    given = ui.with(ui.stubs(NOTES), { ["sys.element.tree"] = function()
      local tree = ui.tree { NOTES[1], { 1, "button", "Save" }, { 1, "panel", "Hidden" } }
      tree.nodes[3].states.shown, tree.nodes[3].children, tree.cut = nil, 900, true
      return tree
    end }),
    args  = {}, want = { cut = true },
    has   = { ' e2 button "Save"\n... Only 3 elements were looked at: the application has more (cut). Pass window' } },
  { "an application that says of nothing that it is shown, as Firefox when it is covered: what has a place is",
    given = ui.with(ui.stubs(NOTES), { ["sys.element.tree"] = function(query)
      local tree = ui.tree(query.hidden and NOTES or { { 0, "window", "Notes" } })
      for i, node in ipairs(tree.nodes) do
        node.states.shown = i == 1 or nil
        node.children = i == 1 and 6 or 0
      end
      return tree
    end }),
    args  = {}, has = { ' e3 button "Save"\n e4 button "Undo" off' } },
  { "an application that tells nothing of itself is read from the screen, and why is told: opened otherwise it may tell",
    given = ui.read { "File Edit", "Ready" }, args = {},
    has   = { 'letters may be misread. Process 7 tells nothing of its interface.\ne1 window "Notes" active\n',
              ' e2 label "File Edit" ocr 90%\n e3 label "Ready" ocr 90%' } },
  { "one that tells of its window, and of nothing in it, is not shown as empty",
    given = ui.with(ui.stubs(NOTES), { ["sys.element.tree"] = function()
      local tree = ui.tree { { 0, "window", "p - Chromium" } }
      tree.nodes[1].children, tree.cut = 1, true
      return tree
    end }), args = { source = "tree" }, err = "open it with open_application", code = "NO_TREE" },
}
