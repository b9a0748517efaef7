--- A screenshot of a window on which what can be worked with has a box with its ref.

local fail     = require "desktop.fail"
local find     = require "elements.find.search"
local json     = require "sys.json"
local names    = require "desktop.names"
local s        = require "schema"
local selector = require "elements.find.selector"
local shots    = require "desktop.shots"
local target   = require "elements.find.target"
local tool     = require "elements.tool"
local window   = require "sys.window"
local windows  = require "desktop.windows"
local words    = require "elements.read.words"

local MOST = 100    -- boxes; more are not legible


--- The window that is pictured: the one that is named, else the application's frontmost.
---@return sys.window.Window? shown
---@return string? err
---@return string? code
local function pictured(args, place)
  local list, err, code = window.list { pid = place.pid }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    local meant = not place.window or each.id == place.window
    if meant and each.on_screen and each.kind ~= "popup" then return names.look_at_window(names.window(each)) end
  end
  return nil, ("%s has no window on the screen."):format(args.application or "The application"), "window_not_found"
end


local function overlaps(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


--- Has it a place in this window's picture?
local function in_sight(node, shown)
  local b = node.bounds
  return node.window == shown.id and node.states.shown and b ~= nil and b.width > 2 and b.height > 2 and overlaps(b, shown.frame)
end


--- Those that are asked for, or all that take input.
---@return elements.Node[]? nodes
---@return string? err
---@return string? code
local function marked(args, snapshot, shown)
  local nodes, found = snapshot.nodes, {}
  if args.selector then
    local wanted, err, code = selector.parse(args.selector)
    if not wanted then return nil, err, code end
    nodes = find.all(snapshot, wanted)
  end
  for _, node in ipairs(nodes) do
    if (args.selector or words.WORKED[node.role]) and in_sight(node, shown) then found[#found + 1] = node end
  end
  return found
end


local function box_of(node)
  local b = node.bounds
  return { x = b.x, y = b.y, width = b.width, height = b.height, label = node.ref }
end


---@param args {application?: string, window?: string, selector?: string}
---@param call Call
local function run(args, call)
  local place, err, code = target.place(args)
  if not place then return fail.with(err, code) end
  local shown, snapshot, nodes
  shown, err, code = pictured(args, place)
  if not shown then return fail.with(err, code) end
  snapshot, err, code = target.look { pid = place.pid, started = place.started }
  if not snapshot then return fail.with(err, code) end
  nodes, err, code = marked(args, snapshot, shown)
  if not nodes then return fail.with(err, code) end
  local boxes, elements, lines = {}, json.array {}, {}
  for i = 1, math.min(#nodes, MOST) do
    boxes[i], elements[i], lines[i] = box_of(nodes[i]), nodes[i].ref, tool.line(nodes[i])
  end
  if #nodes > MOST then lines[#lines + 1] = ("... and %d more without a box. Pass a selector."):format(#nodes - MOST) end
  local shot = { options = { window = shown, boxes = boxes }, window = shown,
                 what = ("window %s with %d boxes"):format(windows.quote(shown.title), #boxes),
                 members = { window = names.window(shown), elements = elements } }
  local result
  result, err, code = shots.take(call, args, shot)
  if not result then return nil, err, code end
  result.content[1].text = result.content[1].text .. "\n" .. table.concat(lines, "\n")
  return result
end


---@type Tool
return {
  title        = "Annotate a screenshot",
  description  = "Capture a window with a box around each element that takes input, labeled with its ref. Pass a ref to "
              .. "click_element and other tools. get_ui_tree costs less, where the looks do not matter.",
  inputSchema  = shots.parameters({
    tool.application,
    { "window", s.string("Resource name or title. Default: the application's frontmost.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "selector", s.string('Only these: button, entry near "Name:", ...', { optional = true, minLength = 1, maxLength = 1000 }) },
  }, "since"),
  outputSchema = shots.results {
    { "window", s.string "Resource name." },
    { "elements", s.array(s.string "A ref.", "Those with a box.") },
  },
  annotations  = shots.annotations,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = shots.codes(tool.codes("WINDOW_MINIMIZED")),

  run = run,

  examples = {
    { "what takes input and is shown",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "label", "Name:" }, { 1, "entry", "", value = "Ada" },
                  { 1, "button", "Hidden", states = { shown = false } } } },
      given = { ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes",
                  frame = { x = 90, y = 90, width = 400, height = 600 } },
                ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 400, height = 600, scale = 1,
                  route = "image", origin = { x = 90, y = 90 } } },
      args  = {}, want = { window = "applications/7/windows/3", elements = { "e2", "e4" } },
      has   = { 'of window "Notes" with 2 boxes', 'e2 button "Save"' } },
    { "an application that tells nothing of itself", shows = { {} },
      given = { ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes",
                  frame = { x = 90, y = 90, width = 400, height = 600 } },
                ["sys.element.tree"] = { n = 3, false, "Chromium runs without a tree", "no_tree" } },
      args  = {}, err = "Chromium runs without a tree", code = "NO_TREE" },
  },
}
