--- The events of an observation, from the differences between two looks at the windows.

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


--- The applications that have windows.
---@class observing.Applications
---@field windows table<integer, integer>  how many windows a process has, popups excepted
---@field active? integer                  the process that has the keyboard focus

---@return observing.Applications
function M.applications() return { windows = {} } end


local function of_window(change)
  local window, popup = change.window, change.window.kind == "popup"
  local event = (popup and "popup_" or "window_") .. change.what
  if popup and change.what ~= "opened" and change.what ~= "closed" then return nil end
  return { event = event, window = window, pid = window.pid, started = window.started, app = window.app, was = change.was }
end


local function of_application(event, window)
  return { event = event, pid = window.pid, started = window.started, app = window.app }
end


--- Counts the windows of each application. Returns a window of each that came or lost one, by the process, and the earlier
--- numbers.
local function count(changes, known)
  local touched, had = {}, {}
  for _, change in ipairs(changes) do
    local window, by = change.window, change.what == "opened" and 1 or change.what == "closed" and -1
    if by and window.pid > 0 and window.kind ~= "popup" then
      local pid = window.pid
      touched[pid], had[pid] = window, had[pid] or known.windows[pid] or 0
      known.windows[pid] = (known.windows[pid] or 0) + by
    end
  end
  return touched, had
end


--- Adds events of applications. These are recognized by their windows: one had none before, or has the keyboard focus now.
--- Whether an application that has no more windows has exited is decided later.
local function of_applications(events, changes, known)
  local touched, had = count(changes, known)
  for pid, window in pairs(touched) do
    if had[pid] == 0 and known.windows[pid] > 0 then events[#events + 1] = of_application("application_opened", window) end
  end
  for _, change in ipairs(changes) do
    if change.what == "focused" then
      local window = change.window
      local pid = window and window.pid > 0 and window.pid or nil
      if pid and pid ~= known.active then events[#events + 1] = of_application("application_activated", window) end
      known.active = pid
    end
  end
  for pid, window in pairs(touched) do
    if known.windows[pid] == 0 then
      known.windows[pid] = nil
      events[#events + 1] = of_application("windows_gone", window)
    end
  end
end


--- The events in a natural order: windows that closed, then windows that opened or changed, then applications.
---@param changes sys.window.Difference[]  between windows of all kinds
---@param known observing.Applications     those before, which become the present ones
---@return observing.Event[]
function M.events(changes, known)
  local events = {}
  for _, change in ipairs(changes) do
    if change.window then events[#events + 1] = of_window(change) end
  end
  of_applications(events, changes, known)
  return events
end


return M
