--- The elements within a rectangle of the screen.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local json       = require "sys.json"
local pages      = require "desktop.pages"
local regions    = require "elements.tools.regions"
local s          = require "schema"
local tool       = require "elements.tools.shared"

local LIMIT = 1000000


---@param args {x: number, y: number, width: number, height: number, application?: string, window?: string, selector?: string,
---  source?: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local region = { x = args.x, y = args.y, width = args.width, height = args.height }
  args.source = args.source or "auto"
  local nodes, place, code = regions.find(args, region)
  if not nodes then return fail.with(place, code) end
  local page, token
  page, token, code = pages.cut(nodes, args, "ref")
  if not page then return fail.with(token, code) end
  local counted = ("Found %d element%s in the region%s"):format(#nodes, #nodes == 1 and "" or "s", #nodes == 0 and "." or ":")
  local elements, lines = json.array {}, { counted }
  for i, node in ipairs(page) do elements[i], lines[i + 1] = tool.facts(node, place), tool.line(node) end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #nodes, token) } },
    structuredContent = { elements = elements, total_size = #nodes, next_page_token = token },
  }
end


---@type Tool
return {
  title        = "Find elements in a region",
  description  = "Find the elements of an application within a rectangle of the screen. Use it to learn what a part of a "
              .. "screenshot is. Of a sheet it finds also empty cells. To search by name, use find_elements.",
  inputSchema  = s.object {
    { "x", s.number("Left edge, in desktop points.", { minimum = -LIMIT, maximum = LIMIT }) },
    { "y", s.number("Top edge.", { minimum = -LIMIT, maximum = LIMIT }) },
    { "width", s.number("Width.", { minimum = 1, maximum = LIMIT }) },
    { "height", s.number("Height.", { minimum = 1, maximum = LIMIT }) },
    { "application", s.string("Resource name, name or ID. Default: the one in front there.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    tool.window, tool.source,
    { "selector", s.string('Only those that match: button "Save", checkbox checked.',
      { optional = true, minLength = 1, maxLength = 1000 }) },
    table.unpack(pages.parameters()),
  },
  outputSchema = s.object {
    { "elements", s.array(tool.schema, "Those of menus first, else in the application's order.") },
    table.unpack(pages.results()),
  },
  annotations  = tool.annotations,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.codes(),

  about = { "every", application = "application", window = "window", selector = "element" },
  run = beginnings.run(run),

  examples = {
    { "those that the region touches",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo" }, { 1, "checkbox", "Wrap" } } },
      args  = { x = 95, y = 155, width = 50, height = 60 },
      has   = { 'Found 2 elements in the region:\ne2 button "Save", in window "Notes"\ne3 button "Undo"' },
      want  = { total_size = 2, elements = { { ref = "e2" }, { ref = "e3" } } } },
    { "cells of a sheet",
      shows = { { { 0, "window", "Costs" }, { 1, "table", "Sheet1", children = 1e6 }, { 2, "cell", "A1" },
        { 2, "cell", "A2" } } },
      args  = { x = 95, y = 170, width = 50, height = 100, page_size = 1 },
      has   = { 'Found 2 elements in the region:\ne3 cell "A1", in window "Costs"' },
      want  = { total_size = 2, elements = { { name = "A1" } } } },
    { "only those that match",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "checkbox", "Wrap" } } },
      args  = { x = 0, y = 0, width = 900, height = 900, selector = "checkbox" },
      want  = { elements = { { ref = "e3", name = "Wrap" } } } },
    { "where no window is", shows = { { { 0, "window", "Notes" } } }, args = { x = 5000, y = 0, width = 10, height = 10 },
      err   = "No window is in the middle", code = "WINDOW_NOT_FOUND" },
  },
}
