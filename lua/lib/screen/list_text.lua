--- The answers of the tool list, as text and with the short names of bounds.

local json    = require "sys.json"
local quoting = require "desktop.quoting"

local M = {}


local function plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end


--- Applications, one line for each.
---@return string
function M.applications(rows)
  local lines = { ("Found %s."):format(plural(#rows, "running application")) }
  for _, row in ipairs(rows) do
    local id = row.bundle_id ~= "" and " (" .. quoting.name(row.bundle_id) .. ")" or ""
    lines[#lines + 1] = ("%s%s: PID %d, %s%s"):format(quoting.name(row.app_name), id, row.pid, plural(row.window_count, "window"),
      row.is_active and ", active" or "")
  end
  return table.concat(lines, "\n")
end


--- A number without an unnecessary fraction.
local function point(n)
  return ("%g"):format(n)
end


--- Windows of an application, one line for each.
---@return string
function M.windows(list)
  local lines = { ("Found %s of %s (PID %d)."):format(plural(#list.rows, "window"), quoting.name(list.app.app_name),
    list.app.pid) }
  for _, row in ipairs(list.rows) do
    local line = ("%d: %s"):format(row.window_index, quoting.quote(row.window_title))
    if row.window_id then line = line .. (", id %d"):format(row.window_id) end
    if row.bounds then
      local b = row.bounds
      line = line .. (", %s x %s at %s, %s"):format(point(b.width), point(b.height), point(b.x), point(b.y))
    end
    if row.is_on_screen == false then line = line .. ", not on the screen" end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end


--- The rows with the short names that the tool uses for bounds.
---@return table[]
function M.short(rows)
  local list = json.array {}
  for i, row in ipairs(rows) do
    local b = row.bounds
    list[i] = json.object({ window_title = row.window_title, window_id = row.window_id, window_index = row.window_index,
      is_on_screen = row.is_on_screen,
      bounds = b and json.object({ x = b.x, y = b.y, w = b.width, h = b.height }, { "x", "y", "w", "h" }) },
      { "window_title", "window_id", "window_index", "bounds", "is_on_screen" })
  end
  return list
end


return M
