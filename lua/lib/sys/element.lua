--- sys.element, the part that is Lua: events of the elements of applications.

local element = require "sys.element"
local events  = require "sys.events"
local options = require "events.options"
local source  = require "events.source"

local M = {}

local WHERE = "sys.element.events"
local KINDS = { "focus", "value", "name", "state", "children", "window", "gone" }
local NAMES = { "focus", "value", "name", "state", "children", "window", "gone", "lost", "found" }


---@class sys.element.EventOptions
---@field what? string|string[]  only these: "focus" (it has the keyboard, or has it no longer), "value" (its text, number or
---                              selection), "name", "state" (checked, expanded, enabled, ...), "children" (some came or went),
---                              "window" (one came, went or became the active one), "gone" (the application), "lost" and "found"
---                              (the desktop)
---@field pid? integer           only of this process
---@field role? string|string[]  only elements of these roles of sys.element.roles
---@field look? boolean          false: without `element`, which costs a request to the application (default: true)
---@field capacity? integer      events that are kept until they are taken (default: 1000, maximum: 100000)

---@class sys.element.Event
---@field what string
---@field at number          the time, as sys.time.monotonic() counts
---@field pid? integer
---@field id? integer        the id of the element that changed
---@field detail? string     as the system reports it: "focused on", "checked off", "insert", ...
---@field element? sys.element.Node  the element when the event is taken; absent if it is gone by then

--- Reports events of elements from now on: a loop takes them, or fn is called for each. The events are those that applications
--- report, and not all do. They may report one change several times, and many changes at once.
---@param wanted? sys.element.EventOptions
---@param fn? fun(event: sys.element.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  those of sys.element: "no_accessibility", "not_supported"
function M.events(wanted, fn)
  local given = options.check(WHERE, wanted,
    { what = "string table", pid = "number", role = "string table", look = "boolean", capacity = "number" })
  local names = options.names(WHERE, given.what, NAMES)
  local roles = options.names(WHERE, given.role, element.roles, "roles")
  local kinds = {}
  for _, kind in ipairs(KINDS) do
    if not names or names[kind] then kinds[#kinds + 1] = kind end
  end
  local function fits(event)
    if names and not names[event.what] then return nil end
    if event.about ~= "elements" then return event end
    if event.id and (roles or given.look ~= false) then
      local nodes = element.get { event.id }
      event.element = nodes and not nodes[1].gone and nodes[1] or nil
    end
    if roles and not (event.element and roles[event.element.role]) then return nil end
    return event
  end
  local function open() return events.elements(kinds, given.pid or 0, given.capacity) end
  local kind = ("elements %s %d %s"):format(table.concat(kinds, ","), given.pid or 0, given.capacity or "")
  return source.new(WHERE, kind, open, fits, fn)
end


return M
