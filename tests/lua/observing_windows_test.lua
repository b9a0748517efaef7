#!/usr/bin/env tests/lua/run
--- observing.windows: events of windows and applications from the differences between two looks.
local t       = require "check"
local windows = require "observing.windows"

local function win(id, pid, kind) return { id = id, pid = pid, started = pid * 10, kind = kind or "normal", app = "App " .. pid } end

--- The events as words: "window_opened 3", "application_opened 7".
local function said(changes, known)
  local list = {}
  for _, event in ipairs(windows.events(changes, known or windows.applications())) do
    list[#list + 1] = ("%s %d"):format(event.event, event.window and event.window.id or event.pid)
  end
  return table.concat(list, ", ")
end

local function change(what, window, was) return { what = what, window = window, was = was } end


t.case("an event has the window, its process and the title before", function()
  local event = windows.events({ change("titled", win(3, 7), "Untitled") }, windows.applications())[1]
  t.same(event, { event = "window_titled", window = win(3, 7), pid = 7, started = 70, app = "App 7", was = "Untitled" })
end)


t.case("a popup only opens and closes, and is not a window of an application", function()
  local popup, known = win(3, 7, "popup"), windows.applications()
  t.same(said({ change("opened", popup), change("moved", popup), change("changed", popup), change("focused", popup) }, known),
    "popup_opened 3, application_activated 7")
  t.same(said({ change("closed", popup) }, known), "popup_closed 3")
end)


t.case("an application opens with its first window, and is followed when the last one is gone", function()
  local known = windows.applications()
  t.same(said({ change("opened", win(1, 7)) }, known), "window_opened 1, application_opened 7")
  t.same(said({ change("opened", win(2, 7)) }, known), "window_opened 2")
  t.same(said({ change("closed", win(1, 7)), change("opened", win(3, 7)) }, known), "window_closed 1, window_opened 3")
  t.same(said({ change("closed", win(2, 7)), change("closed", win(3, 7)) }, known),
    "window_closed 2, window_closed 3, windows_gone 7")
  t.same(said({ change("opened", win(4, 7)) }, known), "window_opened 4, application_opened 7")
end)


t.case("the last window that is followed by another one in the same look is not the end", function()
  local known = windows.applications()
  said({ change("opened", win(1, 7)) }, known)
  t.same(said({ change("closed", win(1, 7)), change("opened", win(2, 7)) }, known), "window_closed 1, window_opened 2")
end)


t.case("an application is activated when the keyboard comes to it, and again after it was nowhere", function()
  local known = windows.applications()
  t.same(said({ change("focused", win(1, 7)) }, known), "window_focused 1, application_activated 7")
  t.same(said({ change("focused", win(2, 7)) }, known), "window_focused 2")
  t.same(said({ change "focused" }, known), "")
  t.same(said({ change("focused", win(2, 7)) }, known), "window_focused 2, application_activated 7")
  t.same(said({ change("focused", win(5, 0)) }, known), "window_focused 5")
end)


--- Some windows of a few processes, by their numbers.
local function some(random)
  local map = {}
  for id = 1, 8 do
    if random(2) == 1 then map[id] = win(id, id % 4, id == 8 and "popup" or nil) end
  end
  return map
end

local function owners(map)
  local set = {}
  for _, window in pairs(map) do
    if window.pid > 0 and window.kind ~= "popup" then set[window.pid] = true end
  end
  return set
end

local function differences(before, after)
  local list = {}
  for id, window in pairs(before) do
    if not after[id] then list[#list + 1] = change("closed", window) end
  end
  for id, window in pairs(after) do
    if not before[id] then list[#list + 1] = change("opened", window) end
  end
  return list
end

t.case("applications are those that own windows, look after look", function()
  math.randomseed(1)
  local known, before = windows.applications(), {}
  for step = 1, 500 do
    local after = some(math.random)
    local had, has, told = owners(before), owners(after), {}
    for _, event in ipairs(windows.events(differences(before, after), known)) do
      if not event.window then told[event.event .. " " .. event.pid] = true end
    end
    for pid = 0, 3 do
      t.same(told["application_opened " .. pid], has[pid] and not had[pid] or nil, "step " .. step)
      t.same(told["windows_gone " .. pid], had[pid] and not has[pid] or nil, "step " .. step)
    end
    before = after
  end
end)


t.done()
