--- A flame graph as an SVG file: self-contained, without a script. Titles explain what the mouse is over.
--
-- Each function is a bar on top of the one that called it, as wide as its share of the time.

local html = require "html"

local M = {}

local WIDTH, MARGIN = 1200, 10  -- pixels
local ROW, FONT = 18, 12
local CHARACTER = 7.2           -- pixels of one character in this font
local HEAD = 34                 -- pixels above the bars of a part
local THIN = 0.25               -- pixels: a bar that is not wider is left out

---@class trace.Node
---@field name string
---@field source? string
---@field line integer
---@field own number      seconds
---@field total number    seconds, including those of the functions above it
---@field below trace.Node[]  the functions that it called


--- Returns "name (source:line)".
---@param frame {name: string, source?: string, line: integer}
---@return string
function M.label(frame)
  if not frame.source then return frame.name end
  if frame.name == "main chunk" then return frame.source end
  local place = ("%s:%d"):format(frame.source, frame.line)
  return frame.name == "a function" and place or ("%s (%s)"):format(frame.name, place)
end


local function add_up(node)
  node.total = node.own
  for _, each in ipairs(node.below) do node.total = node.total + add_up(each) end
  table.sort(node.below, function(a, b)
    if a.total ~= b.total then return a.total > b.total end
    return a.name < b.name
  end)
  return node.total
end


--- Joins a script's task and its file, which have the same name.
local function join_same(node)
  local only = #node.below == 1 and node.below[1]
  if only and node.own == 0 and M.label(only) == M.label(node) then
    node.name, node.source, node.line, node.own, node.below = only.name, only.source, only.line, only.own, only.below
  end
  for _, each in ipairs(node.below) do join_same(each) end
end


--- Returns the functions as a tree.
---@param frames sys.trace.Frame[]
---@param what "runs"|"waits"
---@return trace.Node root
function M.tree(frames, what)
  local root = { name = "all", line = 0, own = 0, below = {} }
  local above = { [0] = root }
  for _, frame in ipairs(frames) do
    local node = { name = frame.name, source = frame.source, line = frame.line, own = frame[what], below = {} }
    table.insert(above[frame.depth - 1].below, node)
    above[frame.depth] = node
  end
  join_same(root)
  add_up(root)
  return root
end


--- Returns the height of a stack of bars, in bars.
local function height_of(node, scale)
  local most = 0
  for _, each in ipairs(node.below) do
    if each.total * scale > THIN then most = math.max(most, height_of(each, scale)) end
  end
  return most + 1
end


-- --- colors -----------------------------------------------------------------------------------

--- Chooses a color that is the same for the same file, so that related bars look alike.
local function shade(text, count)
  local hash = 0
  for i = 1, #text do hash = (hash * 31 + text:byte(i)) % 1000003 end
  return hash % count
end


local function color_of(node, what)
  local shift = shade(node.source or node.name, 30)
  if what == "waits" then return ("hsl(%d,55%%,%d%%)"):format(200 + shift, node.source and 82 or 72) end
  if not node.source then return ("hsl(%d,75%%,72%%)"):format(46 + shift // 3) end
  return ("hsl(%d,85%%,72%%)"):format(5 + shift)
end


-- --- bars ---------------------------------------------------------------------------------------

local function milliseconds(seconds) return ("%.2f ms"):format(seconds * 1000) end


local function title_of(node, whole)
  local text = ("%s\n%s, %.1f %%"):format(M.label(node), milliseconds(node.total), node.total / whole * 100)
  if #node.below > 0 and node.own > 0 then text = ("%s; %s of its own"):format(text, milliseconds(node.own)) end
  return text
end


--- Returns the name alone, or the file without its directory.
local function short_label(node)
  if node.source and (node.name == "a function" or node.name == "main chunk") then return M.label(node):match "[^/]*$" end
  return node.name
end


--- Returns as much of a name as fits.
local function fitting(node, width)
  local room = math.floor((width - 6) / CHARACTER)
  if room < 3 then return "" end
  local label = M.label(node)
  if (utf8.len(label) or #label) <= room then return label end
  label = short_label(node)
  if (utf8.len(label) or #label) <= room then return label end
  return label:sub(1, (utf8.offset(label, room) or room) - 1) .. "…"
end


local function add_bar(out, node, x, y, width, view)
  out[#out + 1] = ('<g><title>%s</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"/>'):format(
    html.escape(title_of(node, view.whole)), x, y, width, ROW - 1, color_of(node, view.what))
  local text = fitting(node, width)
  if text ~= "" then
    out[#out + 1] = ('<text x="%.2f" y="%d">%s</text>'):format(x + 3, y + ROW - 5, html.escape(text))
  end
  out[#out + 1] = "</g>\n"
end


local function add_bars(out, node, x, y, view)
  add_bar(out, node, x, y, node.total * view.scale, view)
  for _, each in ipairs(node.below) do
    local width = each.total * view.scale
    if width > THIN then add_bars(out, each, x, y - ROW, view) end
    x = x + width
  end
end


--- Adds a heading, and the bars with the first one at the bottom. Returns where they end.
local function add_part(out, part, top)
  local root = M.tree(part.frames, part.what)
  out[#out + 1] = ('<text class="head" x="%d" y="%d">%s: %s</text>\n'):format(MARGIN, top + 22, html.escape(part.title),
    milliseconds(root.total))
  if root.total <= 0 then return top + HEAD end
  local view = { what = part.what, whole = root.total, scale = (WIDTH - 2 * MARGIN) / root.total }
  local height = height_of(root, view.scale) * ROW
  add_bars(out, root, MARGIN, top + HEAD + height - ROW, view)
  return top + HEAD + height
end


---@class trace.Part
---@field title string
---@field what "runs"|"waits"
---@field frames sys.trace.Frame[]

---@param title string
---@param note string
---@param parts trace.Part[]
---@return string svg
function M.svg(title, note, parts)
  local out, bottom = {}, 56
  for _, part in ipairs(parts) do bottom = add_part(out, part, bottom) + 14 end
  local head = ([[
<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">
<title>%s</title>
<style>text{font:%dpx ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#222;pointer-events:none}
.head{font-weight:bold;font-size:14px}.name{font-weight:bold;font-size:18px}
g:hover rect{stroke:#000;stroke-width:1}</style>
<rect width="100%%" height="100%%" fill="#fff"/>
<text class="name" x="%d" y="26">%s</text>
<text x="%d" y="46">%s</text>
]]):format(WIDTH, bottom, WIDTH, bottom, html.escape(title), FONT, MARGIN, html.escape(title), MARGIN, html.escape(note))
  return head .. table.concat(out) .. "</svg>\n"
end


return M
