--- Finds the text field of an application that has the keyboard focus, as the application reports it through AT-SPI.

local talking = require "desktop.field_talk"

local M = {}

local ask, call, has, value = talking.ask, talking.call, talking.has, talking.value
local ACCESSIBLE, REGISTRY, ROOT = talking.ACCESSIBLE, talking.REGISTRY, talking.ROOT

local NODES_MAX = 600     -- objects that are looked at if an application has to be searched
local FOCUSED_MAX = 4     -- objects with the focus, of an application

local DBUS = "org.freedesktop.DBus"

--- Bits of the first word of an object's states, and roles (atspi-constants.h).
local ACTIVE, EDITABLE, FOCUSED, SHOWING = 1 << 1, 1 << 7, 1 << 12, 1 << 25
local WANTED = EDITABLE | FOCUSED   -- Qt reports that even a tab has the focus

--- Roles of containers, which take no keys themselves: frame, panel, root pane, scroll pane, window, filler.
local HOLDERS = { [23] = true, [39] = true, [46] = true, [49] = true, [69] = true, [20] = true }

--- Roles of text fields, also if they are read-only: password field, spin button, text, paragraph, entry.
local FIELDS = { [40] = true, [52] = true, [61] = true, [73] = true, [79] = true }


--- The root object of the application with this process.
---@return string[]? application
---@return boolean? absent  true: it is not on the bus
function M.application(talk, pid)
  local listed = ask(talk, { call({ REGISTRY, ROOT }, ACCESSIBLE, "GetChildren") })
  local found, calls = value(listed and listed[1]), {}
  if not found then return nil end
  for i, object in ipairs(found) do
    calls[i] = call({ DBUS, "/org/freedesktop/DBus" }, DBUS, "GetConnectionUnixProcessID", "s", { object[1] })
  end
  local answers = ask(talk, calls)
  for i, answer in ipairs(answers or {}) do
    if value(answer) == pid then return found[i] end
  end
  return nil, answers ~= nil
end


--- Facts of an application in which no editable field has the focus.
---@class field_focus.Without
---@field nowhere?   boolean  no element that takes keys has the focus. LibreOffice drops keys while its panel has it, before
--- its document gets it
---@field read_only? boolean  a field that takes no keys has the focus

--- Facts of objects that have the focus and cannot be edited.
---@return field_focus.Without
local function without_field(talk, objects)
  local calls, nowhere = {}, true
  for i, object in ipairs(objects) do calls[i] = call(object, ACCESSIBLE, "GetRole") end
  local answers = #calls > 0 and ask(talk, calls) or {}
  for i in ipairs(calls) do
    local role = value(answers[i])
    if FIELDS[role] then return { read_only = true } end
    nowhere = nowhere and HOLDERS[role] == true
  end
  return { nowhere = nowhere }
end


--- Asks the application for its focused object. GTK 3, Firefox, LibreOffice and others can search themselves.
---@return string[]? object
---@return string[][]? others  other objects with the focus; nil: it does not search
local function match(talk, app)
  local calls = {}
  for i, wanted in ipairs { { WANTED, 1 }, { FOCUSED, FOCUSED_MAX } } do
    local rule = { { wanted[1], 0 }, 1, {}, 1, {}, 1, {}, 1, false }    -- 1: all of these
    calls[i] = call(app, "org.a11y.atspi.Collection", "GetMatches", "(aiia{ss}iaiiasib)uib", { rule, 1, wanted[2], true })
  end
  local answers = ask(talk, calls) or {}
  local found = value(answers[1])
  return found and found[1], value(answers[2])
end


--- Finds the focused field among the objects that GTK 4 has shown so far. Adds other objects with the focus to `others`.
local function cached(talk, app, others)
  local answers = ask(talk, { call({ app[1], "/org/a11y/atspi/cache" }, "org.a11y.atspi.Cache", "GetItems") })
  for _, item in ipairs(value(answers and answers[1]) or {}) do
    if has(item[10], WANTED) then return item[1] end
    if has(item[10], FOCUSED) then others[#others + 1] = item[1] end
  end
end


---@return table[] states  those of each object; nil: it did not report them
---@return table[] children
local function look(talk, objects)
  local calls, states, children = {}, {}, {}
  for i, object in ipairs(objects) do
    calls[2 * i - 1] = call(object, ACCESSIBLE, "GetState")
    calls[2 * i] = call(object, ACCESSIBLE, "GetChildren")
  end
  local answers = ask(talk, calls) or {}
  for i in ipairs(objects) do
    states[i], children[i] = value(answers[2 * i - 1]), value(answers[2 * i]) or {}
  end
  return states, children
end


--- Finds the focused field by walking through an application of Qt: level by level, through the shown objects of the active
--- window. Adds other objects with the focus to `others`.
local function walked(talk, app, others)
  local level, seen = { app }, 0
  for depth = 0, 40 do
    local states, children = look(talk, level)
    local below = {}
    for i, object in ipairs(level) do
      if has(states[i], WANTED) then return object end
      if has(states[i], FOCUSED) then others[#others + 1] = object end
      if depth == 0 or has(states[i], depth == 1 and ACTIVE or SHOWING) then
        table.move(children[i], 1, #children[i], #below + 1, below)
      end
    end
    seen = seen + #below
    if #below == 0 or seen > NODES_MAX then return nil end
    level = below
  end
end


---@return string[]? object
---@return field_focus.Without? without  nil: it is not known
function M.find(talk, app)
  local object, others = match(talk, app)
  if object then return object end
  local told = others ~= nil
  others = others or {}
  object = cached(talk, app, others) or walked(talk, app, others)
  if object then return object end
  if not told and not others[1] then return nil end
  local without = without_field(talk, others)
  without.nowhere = told and without.nowhere
  return nil, without
end


return M
