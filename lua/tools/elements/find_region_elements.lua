--- The elements within a rectangle of the screen.

local fail        = require "desktop.fail"
local find        = require "elements.find.search"
local json        = require "sys.json"
local outline     = require "elements.read.outline"
local pages       = require "desktop.pages"
local recognition = require "elements.read.recognition"
local s           = require "schema"
local selector    = require "elements.find.selector"
local target      = require "elements.find.target"
local tool        = require "elements.tool"
local window      = require "sys.window"

local LIMIT = 1000000


local function overlaps(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


--- The application whose window is in front in the middle of the region.
local function place_there(args, region)
  if args.application or args.window then return target.place(args) end
  local list, err, code = window.list()
  if not list then return nil, err, code end
  local middle = { x = region.x + region.width / 2, y = region.y + region.height / 2, width = 0.01, height = 0.01 }
  for _, each in ipairs(list) do
    if each.on_screen and overlaps(each.frame, middle) then
      return { pid = each.pid, started = each.started, source = args.source }
    end
  end
  return nil, "No window is in the middle of the region. Pass application or window.", "window_not_found"
end


--- Those with their own line whose bounds touch the region; the ones they are in only if they lie inside of it.
local function within(nodes, region)
  local found = {}
  for _, node in ipairs(nodes) do
    local b = node.bounds
    local inside = b and b.x >= region.x and b.y >= region.y and b.x + b.width <= region.x + region.width
      and b.y + b.height <= region.y + region.height
    if b and node.states.shown and outline.says(node) and overlaps(b, region) and (inside or #node.down == 0) then
      found[#found + 1] = node
    end
  end
  return found
end


local function wanted_nodes(args, snapshot)
  if not args.selector then return snapshot.nodes end
  local wanted, err, code = selector.parse(args.selector)
  if not wanted then return nil, err, code end
  return find.all(recognition.widen(snapshot, wanted), wanted)
end


---@param args {x: number, y: number, width: number, height: number, application?: string, window?: string, selector?: string,
---  source?: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local region = { x = args.x, y = args.y, width = args.width, height = args.height }
  args.source = args.source or "auto"
  local place, err, code = place_there(args, region)
  if not place then return fail.with(err, code) end
  local snapshot
  snapshot, err, code = target.look(place, { region = region })
  if not snapshot then return fail.with(err, code) end
  local nodes
  nodes, err, code = wanted_nodes(args, snapshot)
  if not nodes then return fail.with(err, code) end
  nodes = within(nodes, region)
  local page, token
  page, token, code = pages.cut(nodes, args, "ref")
  if not page then return fail.with(token, code) end
  local elements, lines = json.array {}, { ("%d element%s in the region:"):format(#nodes, #nodes == 1 and "" or "s") }
  for i, node in ipairs(page) do elements[i], lines[i + 1] = tool.facts(node, place), tool.line(node) end
  if #nodes == 0 then lines = { "No elements are in the region." } end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #nodes, token) } },
    structuredContent = { elements = elements, total_size = #nodes, next_page_token = token },
  }
end


---@type Tool
return {
  title        = "Find elements in a region",
  description  = "Find the elements of an application within a rectangle of the screen. Use it to learn what a part of a "
              .. "screenshot is. To search by name, use find_elements.",
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
    { "elements", s.array(tool.schema, "In the application's order.") },
    table.unpack(pages.results()),
  },
  annotations  = tool.annotations,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.codes(),

  run = run,

  examples = {
    { "those that the region touches",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo" }, { 1, "checkbox", "Wrap" } } },
      args  = { x = 95, y = 155, width = 50, height = 60 },
      has   = { '2 elements in the region:\ne2 button "Save", in window "Notes"\ne3 button "Undo"' },
      want  = { total_size = 2, elements = { { ref = "e2" }, { ref = "e3" } } } },
    { "only those that match",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "checkbox", "Wrap" } } },
      args  = { x = 0, y = 0, width = 900, height = 900, selector = "checkbox" },
      want  = { elements = { { ref = "e3", name = "Wrap" } } } },
    { "where no window is", shows = { { { 0, "window", "Notes" } } }, args = { x = 5000, y = 0, width = 10, height = 10 },
      err   = "No window is in the middle", code = "WINDOW_NOT_FOUND" },
  },
}
