--- Applications by what the desktop tells of them: a process, a window, the focus, a point.

local app    = require "sys.app"
local rect   = require "rect"
local time   = require "sys.time"
local window = require "sys.window"

local M = {}

---@class policy.App: string[]  its name, its ID, and its name in its windows
---@field pid? integer
---@field like? string[]  names that it may be taken for: rules that ask or deny also test these

---@alias policy.Apps policy.App[]


local function names_of(found, classes)
  local list = { pid = found.pid, found.name, found.id ~= "" and found.id or nil }
  return table.move(classes, 1, #classes, #list + 1, list)
end


local function classes_of(pid, windows)
  local list = {}
  for _, each in ipairs(windows or {}) do
    if each.pid == pid and each.app ~= "" then list[#list + 1] = each.app end
  end
  return list
end


local FRESH = 5    -- seconds for which the names of a process are used again
local MOST = 100   -- processes

local looked_up, count = {}, 0   -- by process: what was found, when, and for which classes of windows

--- The application of a process. To ask for it takes as long as to list all windows, and input is judged for each key.
---@param pid integer
---@param started integer   0 is not checked, and looked up each time
---@param classes string[]  of its windows, on which its name and ID depend
local function application(pid, started, classes)
  local mine, now, of = looked_up[pid], time.monotonic(), table.concat(classes, "\0")
  if mine and started ~= 0 and mine.started == started and mine.of == of and now - mine.at < FRESH then return mine.found end
  local found = app.get { pid = pid, started = started }
  if not found or started == 0 then return found end
  if not mine then count = count + 1 end
  if count > MOST then looked_up, count = {}, 1 end
  looked_up[pid] = { started = started, of = of, at = now, found = { pid = pid, name = found.name, id = found.id } }
  return found
end


---@param pid integer
---@param started? integer  0 or nil is not checked
---@param windows? sys.window.Window[]  all that there are; nil: they are looked up
---@return policy.Apps?  nil: it is not known
function M.of_pid(pid, started, windows)
  local classes = classes_of(pid, windows or window.list { pid = pid, all_kinds = true })
  local found = application(pid, started or 0, classes)
  return found and { names_of(found, classes) }
end


---@param each sys.window.Window
---@param windows? sys.window.Window[]  all that there are; nil: they are looked up
---@return policy.Apps
function M.of_window(each, windows)
  local list = each.pid ~= 0 and M.of_pid(each.pid, each.started, windows)
  return list or { { each.app } }
end


--- The applications of several windows, each once. Windows without a process are of several if these have other names.
---@param windows sys.window.Window[]
---@return policy.Apps
function M.of_windows(windows)
  local list, seen = {}, {}
  for _, each in ipairs(windows) do
    local owner = each.pid ~= 0 and each.pid or each.app
    if not seen[owner] then
      seen[owner] = true
      list[#list + 1] = M.of_window(each)[1]
    end
  end
  return list
end


--- The application whose window has the keyboard.
---@return policy.Apps?    nil: no window has it
---@return sys.window.Window? its_window
---@return sys.window.Window[]? windows  all that there are
function M.focused()
  local windows = window.list { all_kinds = true }
  for _, each in ipairs(windows or {}) do
    if each.focused and each.kind ~= "panel" and each.kind ~= "popup" then return M.of_window(each, windows), each, windows end
  end
  return nil, nil, windows
end


--- The application of the frontmost window at a point; an empty list: only the desktop is there.
---@param x number
---@param y number
---@param below_popups? boolean  true: popups do not count: what is dragged is shown in one, below the pointer
---@return policy.Apps?  nil: it is not known
---@return sys.window.Window? its_window
---@return sys.window.Window[]? windows  all that there are
function M.at_point(x, y, below_popups)
  local windows = window.list { all_kinds = true }
  if not windows then return nil end
  local front
  for _, each in ipairs(windows) do
    local counts = each.on_screen and not (below_popups and each.kind == "popup")
    if counts and rect.holds(each.frame, x, y) and (not front or each.order < front.order) then
      front = each
    end
  end
  if not front then return {}, nil, windows end
  return M.of_window(front, windows), front, windows
end


return M
