--- A screenshot of a window, with a box and the ref around each element that a user can work with.

local annotation = require "elements.tools.annotation"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local json       = require "sys.json"
local names      = require "desktop.names"
local s          = require "schema"
local shots      = require "desktop.shots"
local target     = require "elements.find.target"
local tool       = require "elements.tools.shared"
local windows    = require "desktop.windows"

local MOST = 100    -- boxes; more are not legible


---@param args {application?: string, window?: string, selector?: string}
---@param call Call
local function run(args, call)
  local place, err, code = target.place(args)
  if not place then return fail.with(err, code) end
  local shown, snapshot, nodes
  shown, err, code = annotation.window(args, place)
  if not shown then return fail.with(err, code) end
  snapshot, err, code = target.look { pid = place.pid, started = place.started }
  if not snapshot then return fail.with(err, code) end
  nodes, err, code = annotation.marked(args, snapshot, shown)
  if not nodes then return fail.with(err, code) end
  local boxes, elements, lines = {}, json.array {}, {}
  for i = 1, math.min(#nodes, MOST) do
    boxes[i], elements[i], lines[i] = annotation.box(nodes[i]), nodes[i].ref, tool.line(nodes[i])
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

  about = { "focused", application = "application", window = "window", selector = "element", path = "path" },
  run = beginnings.run(run),

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
