--- Which applications a call is about, told from its arguments as the tools themselves read them.
--
-- Between this look and what the tool then does, another window may take the focus: a rule about an application that
-- gets keys holds for the moment of the decision.

local app      = require "sys.app"
local names    = require "desktop.names"
local pictures = require "desktop.pictures"
local refs     = require "elements.refs"
local window   = require "sys.window"

local M = {}

-- Toolsets whose tools are about applications.
local DESKTOP = { desktop = true, elements = true, screen = true }

---@alias policy.Apps string[][]  of each application its name, its id, and what its windows call it


-- --- one application ----------------------------------------------------------------------------

local function names_of(found, windows)
  local list = { found.name, found.id ~= "" and found.id or nil }
  for _, each in ipairs(windows or {}) do
    if each.pid == found.pid and each.app ~= "" then list[#list + 1] = each.app end
  end
  return list
end


local function of_pid(pid, started)
  local found = app.get { pid = pid, started = started or 0 }
  return found and { names_of(found, window.list { pid = pid, all_kinds = true }) }
end


local function of_window(each)
  local list = each.pid ~= 0 and of_pid(each.pid, each.started)
  return list or { { each.app } }
end


--- A name that the caller gave counts as well: of an application that is to be opened it is all that there is.
local function of_name(given)
  if names.parse(given) then
    local parsed = names.parse(given)
    return parsed.pid and of_pid(parsed.pid)
  end
  local pid = given:match "^PID:(%d+)$"
  if pid then return of_pid(math.tointeger(tonumber(pid))) end
  local found = names.find_application(given)
  if found then return of_pid(found.pid, found.started) end
  for _, each in ipairs(app.installed() or {}) do
    if each.id:lower() == given:lower() or each.name:lower() == given:lower() then return { { each.name, each.id } } end
  end
  return { { given, given:match "[^/]*$" } }
end


-- --- where nothing is named -----------------------------------------------------------------------

local function focused()
  for _, each in ipairs(window.list() or {}) do
    if each.focused then return of_window(each) end
  end
  return nil
end


local function every()
  local windows = window.list { all_kinds = true }
  if not windows then return nil end
  local list, seen = {}, {}
  for _, each in ipairs(windows) do
    if each.on_screen and not seen[each.pid] then
      seen[each.pid] = true
      list[#list + 1] = of_window(each)[1]
    end
  end
  return list
end


--- The frontmost window at a point of the desktop; none: the desktop itself.
local function at_point(x, y)
  local windows = window.list { all_kinds = true }
  if not windows then return nil end
  local front
  for _, each in ipairs(windows) do
    local frame = each.frame
    if each.on_screen and x >= frame.x and y >= frame.y and x < frame.x + frame.width and y < frame.y + frame.height
        and (not front or each.order < front.order) then
      front = each
    end
  end
  return front and of_window(front) or {}
end


local function joined(...)
  local list = {}
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if not part then return nil end
    table.move(part, 1, #part, #list + 1, list)
  end
  return list
end


local function of_points(args)
  local points = { { args.x, args.y }, { args.to_x, args.to_y } }
  for _, each in ipairs(type(args.path) == "table" and args.path or {}) do
    points[#points + 1] = { each.x or each[1], each.y or each[2] }
  end
  local list = {}
  for _, each in pairs(points) do
    local x, y = tonumber(each[1]), tonumber(each[2])
    if x and y then
      if args.image_id then
        local point = pictures.point(args.image_id, x, y)
        if not point then return nil end
        x, y = point.x, point.y
      end
      list = joined(list, at_point(x, y))
      if not list then return nil end
    end
  end
  return list
end


--- Keys go to the focused window, clicks to what is at their point; a drag of both.
local function of_input(args)
  if args.action == "type" or args.action == "keys" or args.text or args.keys then return focused() end
  if not args.x and not args.path then return nil end   -- where the pointer is
  return of_points(args)
end


-- --- all ------------------------------------------------------------------------------------------

local function named(subject, args)
  for _, key in ipairs { "window", "application", "app", "parent", "element" } do
    local given = args[key]
    if type(given) == "string" and given ~= "" then
      local record = key == "element" and refs.find(given)
      if record then return true, of_pid(record.pid, record.started) end
      if key ~= "element" then return true, of_name(given) end
    end
  end
  local is_display = type(args.name) == "string" and (names.parse(args.name) or {}).kind == "display"
  if type(args.name) == "string" and subject.toolset == "desktop" and not is_display then return true, of_name(args.name) end
  return false
end


--- nil: it cannot be told. An empty list: it is about none.
---@param subject {name: string, toolset: string, kind: string, mounted: boolean}
---@param args table
---@return policy.Apps?
function M.apps(subject, args)
  if subject.mounted or subject.kind ~= "tool" or not DESKTOP[subject.toolset] then return {} end
  local is, list = named(subject, args)
  if is then return list end
  if subject.name == "create_input" then return of_input(args) end
  if subject.name:find "clipboard" or subject.name:find "observation" or subject.name:find "display" then return {} end
  if subject.toolset == "elements" and subject.name ~= "find_region_elements" then return focused() end
  return every()
end


return M
