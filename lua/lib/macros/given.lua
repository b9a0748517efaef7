--- Calls that a macro is to be made of: the names of this run in them become names that last.

local app_names = require "app_names"
local names     = require "desktop.names"
local refs      = require "elements.read.refs"
local sys_app   = require "sys.app"
local window    = require "sys.window"

local M = {}


local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end


--- A selector for the element that a ref means.
local function selector_of(ref)
  local record = refs.find(ref)
  if not record then return nil, ("%s was not listed in this run. Pass a selector, such as button \"Save\""):format(ref) end
  if record.name == "" then return record.role end
  return ("%s %s"):format(record.role, quoted(record.name))
end


--- A name of an application that lasts; nil: it is gone.
---@param pid integer
---@param started? integer
---@return string?
function M.application(pid, started)
  local found = sys_app.get { pid = pid, started = started or 0 }
  return found and (found.id ~= "" and found.id or app_names.of(found)[1]) or nil
end


--- Replaces the resource names of an application and a window.
local function lasting_place(args)
  local parsed = type(args.window) == "string" and names.parse(args.window)
  if parsed and parsed.kind == "window" then
    local each = window.get { pid = parsed.pid, started = 0, id = parsed.id }
    local name = M.application(parsed.pid)
    if not each or not name then
      return nil, ("the window %s is gone. Pass application, and the title as window"):format(args.window)
    end
    args.application = args.application or name
    args.window = #(window.list { pid = parsed.pid } or {}) > 1 and each.title or nil
  end
  parsed = type(args.application) == "string" and names.parse(args.application)
  if parsed and parsed.kind == "application" then
    local name = M.application(parsed.pid)
    if not name then return nil, ("%s is gone. Pass the application's name"):format(args.application) end
    args.application = name
  end
  return true
end


local function is_ref(text) return type(text) == "string" and text:find "^e%d+$" ~= nil end

local ELEMENTS = { "element", "to", "find", "click", "double_click", "set", "drag" }

--- Makes the names in the arguments of a call last.
local function lasting(args)
  local ok, err = lasting_place(args)
  if not ok then return nil, err end
  for _, key in ipairs(ELEMENTS) do
    if is_ref(args[key]) then
      args[key], err = selector_of(args[key])
      if not args[key] then return nil, err end
    end
  end
  for _, list in ipairs { args.steps or {}, args.predicates or {}, { args.wait }, { args.verify } } do
    for _, each in ipairs(type(list) == "table" and list or {}) do
      if type(each) == "table" then ok, err = lasting(each) end
      if not ok then return nil, err end
    end
  end
  return true
end


--- Makes the names in calls last, in place.
---@param steps macros.Given[]
---@return true? ok
---@return string? err
---@return string? code
function M.lasting(steps)
  for i, step in ipairs(steps) do
    local ok, err = lasting(step.arguments or {})
    if not ok then return nil, ("steps[%d]: %s"):format(i, err), "INVALID_ARGUMENT" end
  end
  return true
end


return M
