--- The actions that a GApplication and its windows export (org.gtk.Actions), as commands.

local dbus      = require "sys.dbus"
local json      = require "sys.json"
local signature = require "dbus.signature"
local types     = require "dictionary.bus_types"

local M = {}

local INTERFACE = "org.gtk.Actions"
local WAIT = 2      -- seconds for all groups
local MOST = 100    -- groups
local LONGEST = 128 -- bytes of a name
local STATE = 300   -- bytes of a state that a dictionary tells

---@class dictionary.Action
---@field name string
---@field enabled boolean
---@field type string    the signature of its parameter; "" if it has none
---@field stateful boolean
---@field state? any


--- The call that asks a group about all its actions, or about one.
---@param to string
---@param path string
---@param name? string
---@return sys.dbus.Call
function M.question(to, path, name)
  return { to = to, path = path, interface = INTERFACE, member = name and "Describe" or "DescribeAll",
    signature = name and "s" or nil, args = name and { name } or nil }
end


--- Reads an action's description: whether it is enabled, the type of its parameter, and its state in a list.
---@param name string
---@param told any[]
---@return dictionary.Action
function M.read(name, told)
  local states = type(told[3]) == "table" and told[3] or {}
  return { name = name, enabled = told[1] == true, type = told[2] or "", stateful = #states > 0, state = states[1] }
end


local function command_of(action, program, paths, of)
  local parameters = {}
  if action.type ~= "" then
    parameters[1] = { name = "parameter", types = { types.named(action.type) }, required = true }
  end
  local call = { kind = "action", bus = "session", to = program.to, unique = program.unique, path = paths[1],
    paths = #paths > 1 and paths or nil,
    interface = INTERFACE, member = action.name, of = of, parameter_type = action.type ~= "" and action.type or nil,
    stateful = action.stateful, disabled = not action.enabled or nil }
  if #(json.encode(action.state) or "") <= STATE then call.state = action.state end
  return { name = action.name, parameters = parameters, call = call }
end


--- A suite of the actions of one kind. Windows of one application have the same actions: each is one command with their paths.
---@param program {to: string, unique: string}  its names
---@param of "app"|"win"
---@param groups {path: string, actions: dictionary.Action[]}[]
---@return table?
function M.suite(program, of, groups)
  local by_name, names = {}, {}
  for _, group in ipairs(groups) do
    for _, action in ipairs(group.actions) do
      if not by_name[action.name] then
        by_name[action.name] = { action = action, paths = {} }
        names[#names + 1] = action.name
      end
      table.insert(by_name[action.name].paths, group.path)
    end
  end
  if #names == 0 then return nil end
  table.sort(names)
  local commands = {}
  for i, name in ipairs(names) do commands[i] = command_of(by_name[name].action, program, by_name[name].paths, of) end
  return { name = of == "win" and "Window actions" or "Application actions", source = "dbus", commands = commands, classes = {},
    enumerations = {}, records = {},
    description = of == "win" and "Actions of the application's windows." or "Actions of the application." }
end


--- Asks groups about their actions, all at once. A group that does not answer has none.
---@param to string
---@param paths string[]
---@return {path: string, actions: dictionary.Action[]}[]? groups
---@return string? err
---@return string? code
function M.groups(to, paths)
  local calls, groups = {}, {}
  for i = 1, math.min(#paths, MOST) do calls[i] = M.question(to, paths[i]) end
  if #calls == 0 then return groups end
  local answers, err, code = dbus.calls("session", calls, { timeout = WAIT })
  if not answers then return nil, err, code end
  for i, answer in ipairs(answers) do
    local actions = {}
    for name, told in pairs(answer.values and answer.values[1] or {}) do
      local action = type(told) == "table" and #name <= LONGEST and name:find "^[%w._-]+$" and M.read(name, told)
      if action and (action.type == "" or signature.is_valid(action.type, true)) then actions[#actions + 1] = action end
    end
    if #actions > 0 then groups[#groups + 1] = { path = paths[i], actions = actions } end
  end
  return groups
end


return M
