--- The lines of source that take the most time, as a table.

local text = require "terminal.text"

local M = {}

local MOST = 12         -- lines in a table
local SHARE = 0.005     -- a line with a smaller share of the whole is left out
local SOURCE = 60       -- characters of source that are shown of a line

---@class trace.Sources
---@field paths table<string, string>  the paths of files, by the names that lines have
---@field read fun(path: string): string?


--- Returns the lines of a file; none if it cannot be read.
local function lines_of(sources, name, known)
  if not known[name] then
    known[name] = {}
    local bytes = sources.read(sources.paths[name] or name)
    for line in (bytes or ""):gmatch "([^\n]*)\n?" do table.insert(known[name], line) end
  end
  return known[name]
end


local function shown_source(sources, line, known)
  local source = lines_of(sources, line.source, known)[line.line]
  return source and text.cut(text.clean((source:gsub("^%s+", ""):gsub("%s+", " "))), SOURCE) or ""
end


--- Returns the lines with the most time, and their shares.
---@param lines sys.trace.Line[]
---@param what "runs"|"waits"
---@param whole number  seconds
---@return {line: sys.trace.Line, share: number}[]
function M.top(lines, what, whole)
  local sorted = table.move(lines, 1, #lines, 1, {})
  table.sort(sorted, function(a, b)
    if a[what] ~= b[what] then return a[what] > b[what] end
    if a.source ~= b.source then return a.source < b.source end
    return a.line < b.line
  end)
  local top = {}
  for i = 1, math.min(MOST, #sorted) do
    local share = whole > 0 and sorted[i][what] / whole or 0
    if share < SHARE then break end
    top[i] = { line = sorted[i], share = share }
  end
  return top
end


---@param title string
---@param lines sys.trace.Line[]
---@param what "runs"|"waits"
---@param whole number
---@param sources trace.Sources
---@return string[] rows
function M.rows(title, lines, what, whole, sources)
  local rows, known, width = { ("%s: %.2f ms"):format(title, whole * 1000) }, {}, 0
  local top = M.top(lines, what, whole)
  for _, each in ipairs(top) do
    each.place = text.clean(("%s:%d"):format(each.line.source, each.line.line))
    width = math.max(width, text.width(each.place))
  end
  for _, each in ipairs(top) do
    local row = ("%6.1f %%%10.2f ms  %s  %s"):format(each.share * 100, each.line[what] * 1000, text.pad(each.place, width),
      shown_source(sources, each.line, known))
    rows[#rows + 1] = row:gsub("%s+$", "")
  end
  return rows
end


return M
