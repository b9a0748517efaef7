--- Drags an element onto another, with the pointer.

local drag  = require "elements.act.drag"
local fail  = require "desktop.fail"
local s     = require "schema"
local tool  = require "elements.tools.shared"
local words = require "elements.read.words"


---@param its elements.End
local function called(its)
  local node = its.found.node
  return node and (node.ref and node.ref .. " " or "") .. words.called(node) or ("%g,%g"):format(its.point.x, its.point.y)
end


---@param args elements.Drag
---@param call Call
local function run(args, call)
  local report, err, code, from = drag.run(args)
  if not report then return fail.with(err, code) end
  local node = report.found.node
  local facts = tool.report({ ref = from.found.node and from.found.node.ref }, report)
  facts.to = node and node.ref
  local text = tool.told(("Dragged %s to"):format(called(from)), node or { role = "point", name = args.to }, report)
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Drag an element",
  description  = "Drag an element or point to another with the pointer, also between applications. A menu that the drop opens "
              .. "is in the changes: choose from it with click_element. effect is confirmed only if a change beside the "
              .. "selection was read back.",
  inputSchema  = s.object {
    { "element", s.string('What to drag: a ref, a selector, or a point as "120,300".', { minLength = 1, maxLength = 1000 }) },
    { "to", s.string("Where to drop it: the same.", { minLength = 1, maxLength = 1000 }) },
    tool.application, tool.window,
    { "to_application", s.string("The application of the target, if it is another.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "to_window", s.string("The window of the target, if it is another.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "button", s.enum({ "left", "middle", "right" }, "Mouse button. Default: left.",
      { optional = true }) },
    { "modifiers", s.array(s.enum({ "shift", "ctrl", "alt", "meta", "cmd" }, "A modifier key."),
      "Keys to hold: often ctrl copies, shift moves.", { optional = true, maxItems = 4 }) },
  },
  outputSchema = s.object {
    { "element", s.string("Ref of the dragged element; absent for a point.", { optional = true }) },
    { "to", s.string("Ref of the target; absent for a point.", { optional = true }) },
    { "route", s.string 'As "pointer from 10,20 to 10,80".' },
    { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed only if it was read back.") },
    { "evidence", s.string "What was read afterwards." },
    { "changes", s.array(s.string(), "What changed in the applications: + came, ~ changed, - went.") },
  },
  annotations  = tool.acting,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  about = { "focused", element = "element", to = "element", application = "application", window = "window",
    to_application = "application", to_window = "window" },
  run = run,

  examples = {
    { "a file onto a folder",
      shows = { { { 0, "window", "Files" }, { 1, "listitem", "a.txt" }, { 1, "listitem", "Folder" } },
                { { 0, "window", "Files" }, { 1, "listitem", "Folder", id = 3 } } },
      args  = { element = 'listitem "a.txt"', to = 'listitem "Folder"' },
      has   = { 'Dragged e2 listitem "a.txt" to e3 listitem "Folder" by pointer from' },
      want  = { element = "e2", to = "e3", effect = "confirmed", evidence = 'listitem "a.txt" went' } },
    { "a drop that opens a menu",
      shows = { { { 0, "window", "Files" }, { 1, "listitem", "a.txt" }, { 1, "listitem", "Folder" } },
                { { 0, "window", "Files" }, { 1, "listitem", "a.txt" }, { 1, "listitem", "Folder" },
                  { 0, "menu", "" }, { 1, "menuitem", "Move Here" }, { 1, "menuitem", "Copy Here" } } },
      args  = { element = 'listitem "a.txt"', to = "e3", button = "right" },
      want  = { effect = "confirmed", changes = { '+ e4 menu', '+  e5 menuitem "Move Here"', '+  e6 menuitem "Copy Here"' } } },
    { "a target that takes nothing",
      shows = { { { 0, "window", "Files" }, { 1, "listitem", "a.txt" }, { 1, "button", "Close" } },
                { { 0, "window", "Files" }, { 1, "listitem", "a.txt", states = { selected = true } },
                  { 1, "button", "Close" } } },
      args  = { element = 'listitem "a.txt"', to = 'button "Close"' },
      want  = { effect = "none_seen", evidence = "only the selection or the focus moved" } },
  },
}
