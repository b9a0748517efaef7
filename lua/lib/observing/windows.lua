--- The events between two looks at the windows.

local M = {}

---@class observing.Event
---@field number integer      the number in its queue
---@field event string        "window_opened", ...
---@field at number           time.now()
---@field pid? integer
---@field started? integer
---@field window? sys.window.Window  as it is, or was before it closed
---@field was? string         the title before
---@field app? string         the application's own name
---@field element? {ref?: string, role: string, name: string, value?: string, items?: integer, changed?: string[],
---  set?: string[], lost?: string[], line: string}
---@field notification? {app: string, title: string, text: string}  each may be empty


local function by_id(list)
  local map = {}
  for _, each in ipairs(list) do map[each.id] = each end
  return map
end


local function same_frame(a, b)
  return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height
end


local STATES = { "minimized", "maximized", "fullscreen", "hidden", "attention" }

local function same_states(a, b)
  for _, state in ipairs(STATES) do
    if a[state] ~= b[state] then return false end
  end
  return true
end


local function of_window(event, window, was)
  return { event = event, window = window, pid = window.pid, started = window.started, app = window.app, was = was }
end


--- Adds the changes of a window that is in both lists.
local function compare(events, old, new)
  local function add(event, was) events[#events + 1] = of_window(event, new, was) end
  if old.title ~= new.title then add("window_titled", old.title) end
  if not same_states(old, new) then add "window_changed" end
  if not same_frame(old.frame, new.frame) then add "window_moved" end
  if new.focused and not old.focused then add "window_focused" end
end


--- The processes that have windows, by ID.
local function owners(list)
  local map = {}
  for _, each in ipairs(list) do
    if each.pid > 0 and each.kind ~= "popup" then map[each.pid] = map[each.pid] or each end
  end
  return map
end


local function active(list)
  for _, each in ipairs(list) do
    if each.focused and each.pid > 0 then return each end
  end
end


--- Adds events of applications. These are recognized by their windows: one had none before, or has the keyboard focus now.
--- Whether an application that has no more windows has exited is decided later.
local function of_applications(events, before, after)
  local had, has = owners(before), owners(after)
  for pid, window in pairs(has) do
    if not had[pid] then
      events[#events + 1] = { event = "application_opened", pid = pid, started = window.started, app = window.app }
    end
  end
  local was, is = active(before), active(after)
  if is and (not was or was.pid ~= is.pid) then
    events[#events + 1] = { event = "application_activated", pid = is.pid, started = is.started, app = is.app }
  end
  for pid, window in pairs(had) do
    if not has[pid] then
      events[#events + 1] = { event = "windows_gone", pid = pid, started = window.started, app = window.app }
    end
  end
end


local function closed(events, window)
  events[#events + 1] = of_window(window.kind == "popup" and "popup_closed" or "window_closed", window)
end


local function opened(events, window)
  local popup = window.kind == "popup"
  events[#events + 1] = of_window(popup and "popup_opened" or "window_opened", window)
  if window.focused and not popup then events[#events + 1] = of_window("window_focused", window) end
end


--- The events in a natural order: windows that closed, then windows that opened or changed, then applications.
---@param before sys.window.Window[]  windows of all kinds
---@param after sys.window.Window[]
---@return observing.Event[]
function M.events(before, after)
  local events, was, is = {}, by_id(before), by_id(after)
  for _, window in ipairs(before) do
    if not is[window.id] then closed(events, window) end
  end
  for _, window in ipairs(after) do
    local old = was[window.id]
    if not old then opened(events, window) elseif window.kind ~= "popup" then compare(events, old, window) end
  end
  of_applications(events, before, after)
  return events
end


return M
