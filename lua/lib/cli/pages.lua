--- The pages of the documentation: docs/NAME.md and README.md beside the shipped Lua files, in a checkout and as `make install`
--- puts them.

local engine = require "sys.engine"
local fs     = require "sys.fs"

local M = {}

local PAGE_BYTES = 4 * 1024 * 1024


--- Returns the directory that has README.md and docs/; nil if the pages are not installed.
---@param io perigee.IO
---@return string?
local function top(io)
  local shipped = engine.status().roots[1] or ""
  local directory = shipped:match "^(.+)/[^/]+$"
  return directory and io:grant(directory, "read") or nil
end


---@param io perigee.IO
---@return string[] names  "services", "README", ...
function M.names(io)
  local directory, names = top(io), {}
  if not directory then return names end
  for _, entry in ipairs(fs.list(directory .. "/docs") or {}) do
    local name = entry.kind ~= "folder" and entry.name:match "^(.+)%.md$"
    if name then names[#names + 1] = name end
  end
  if #names > 0 and fs.read(directory .. "/README.md", PAGE_BYTES) then names[#names + 1] = "README" end
  table.sort(names)
  return names
end


--- Returns the text of a page.
---@param name string  "services", "services.md" or "docs/services.md"
---@param io perigee.IO
---@return string? text
function M.read(name, io)
  local page = name:gsub("^docs/", ""):gsub("%.md$", "")
  local directory = page:find "^[%w_%-]+$" and top(io)
  if not directory then return nil end
  return fs.read(("%s/docs/%s.md"):format(directory, page), PAGE_BYTES)
    or page == "README" and fs.read(directory .. "/README.md", PAGE_BYTES) or nil
end


---@param text string
---@return string
function M.title(text) return text:match "^# ([^\n]+)" or "" end


--- Returns the places where a page has all words in a heading or a line, the heading first.
---@param text string
---@param has fun(line: string): boolean
---@return {heading: string, line?: string}[]
function M.places(text, has)
  local places, heading, last = {}, M.title(text), nil
  local code = false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    if line:find "^%s*```" then code = not code end
    local title = not code and line:match "^#+ (.+)"
    if title then heading = title end
    if has(line) and heading ~= last then
      places[#places + 1] = { heading = heading, line = not title and line:gsub("^%s+", "") or nil }
      last = heading
    end
  end
  return places
end


return M
