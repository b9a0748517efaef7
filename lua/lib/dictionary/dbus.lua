--- Dictionaries of the programs on the session's bus: their interfaces and the actions of their windows. Nothing is started to
--- read them.

local actions      = require "dictionary.actions"
local app          = require "sys.app"
local bus_programs = require "dictionary.bus_programs"
local bus_types    = require "dictionary.bus_types"
local desktop      = require "dictionary.desktop"
local objects      = require "dictionary.objects"
local refused      = require "refused"

local M = {}

local PLAYER = "org.mpris.MediaPlayer2."
local MOST_MEMBERS = 5000
local MOST_PATHS = 50    -- of one interface, for other objects of a program than the first

--- Interfaces that every program of a kind has, and none calls by itself: no part of summaries and of search.
local PLUMBING = { ["org.gtk.Actions"] = true, ["org.gtk.Menus"] = true, ["org.gtk.Application"] = true,
  ["org.gnome.Sysprof3.Profiler"] = true }
local DEPRECATED = "org.freedesktop.DBus.Deprecated"
local DOCUMENTED = { "org.gtk.GDBus.DocString", "org.gtk.GDBus.DocString.Short", "org.freedesktop.DBus.DocString" }


-- --- applications -----------------------------------------------------------------------------------

--- The ids by which a program may have a desktop entry: its names, those of its windows, a player's own name.
local function candidates(program)
  local list = {}
  for _, each in ipairs(program.names) do list[#list + 1] = each end
  for _, each in ipairs(program.windows) do list[#list + 1] = each.application ~= "" and each.application or nil end
  for _, each in ipairs(program.names) do
    if each:sub(1, #PLAYER) == PLAYER then list[#list + 1] = each:sub(#PLAYER + 1):gsub("%.instance.*$", "") end
  end
  return list
end


--- The desktop ids of the running applications, by their processes.
local function running()
  local ids = {}
  for _, each in ipairs(app.list() or {}) do ids[each.pid] = each.id ~= "" and each.id or nil end
  return ids
end


local by_process = {}   -- the ids that were found by processes, or false, by key_of(): connections never change hands

--- A text that changes when the program opens or closes windows, by which it may get an entry.
local function key_of(program) return ("%s %d"):format(program.unique, #program.windows) end


--- The desktop entry of a program: by its names, else by its process.
local function entry_of(program, entries, by_pid)
  for _, id in ipairs(candidates(program)) do
    if entries[id] then return entries[id] end
  end
  local key = key_of(program)
  if by_process[key] == nil then by_process[key] = by_pid()[program.pid or 0] or false end
  return entries[by_process[key] or ""]
end


--- Forgets the connections that are gone.
local function forget(programs)
  local there = {}
  for _, program in ipairs(programs) do there[key_of(program)] = true end
  for key in pairs(by_process) do
    if not there[key] then by_process[key] = nil end
  end
end


--- The id of a program without a desktop entry.
local function own_id(program)
  if program.names[1] then return program.names[1] end
  local window = program.windows[1]
  return window and window.application ~= "" and window.application or program.unique
end


local function app_of(program, entry, taken)
  local id = entry and entry.id or own_id(program)
  if taken[id] then id = not taken[program.names[1]] and program.names[1] or program.unique end
  taken[id] = true
  local bus_names = table.move(program.names, 1, #program.names, 1, {})
  bus_names[#bus_names + 1] = program.unique
  return { id = id, name = entry and entry.name or id:match "([^.]+)$" or id, version = "", path = entry and entry.path,
    pid = program.pid, bus_names = bus_names, source = "dbus", words = entry and entry.words, windows = program.windows }
end


--- True if the program's name says that it is the application of the entry, and not only a service of it.
local function is_named(program, entry)
  for _, name in ipairs(program.names) do
    if entry and name == entry.id then return true end
  end
  return false
end


--- Lists the programs that can be called now, one for each connection, without looking into them. Where there is no D-Bus, none.
---@return table[]? apps
---@return string? err
---@return string? code
function M.apps()
  local programs, err, code = bus_programs.list()
  if not programs then
    if code == "module_missing" then return {} end
    return nil, err, code
  end
  forget(programs)
  local entries, found, ids = desktop.entries() or {}, {}, nil
  local function by_pid()
    ids = ids or running()
    return ids
  end
  for _, program in ipairs(programs) do found[program] = entry_of(program, entries, by_pid) end
  table.sort(programs, function(a, b)   -- a program gets its entry's id before another one that only has a part of it
    local one, two = is_named(a, found[a]), is_named(b, found[b])
    if one ~= two then return one end
    if (#a.windows > 0) ~= (#b.windows > 0) then return #a.windows > 0 end
    return a.unique < b.unique
  end)
  local apps, taken = {}, {}
  for i, program in ipairs(programs) do apps[i] = app_of(program, found[program], taken) end
  table.sort(apps, function(a, b) return a.id < b.id end)
  return apps
end


-- --- suites ----------------------------------------------------------------------------------------

local function description_of(notes)
  for _, name in ipairs(DOCUMENTED) do
    if notes[name] then return notes[name] end
  end
  return notes[DEPRECATED] == "true" and "Deprecated." or nil
end


local function parameters_of(arguments)
  local list = {}
  for i, each in ipairs(arguments) do
    list[i] = { name = each.name or "arg" .. i, types = { bus_types.named(each.type) }, required = true }
  end
  return list
end


local function signature_of(arguments)
  local parts = {}
  for i, each in ipairs(arguments) do parts[i] = each.type end
  return table.concat(parts)
end


local function result_of(arguments)
  if #arguments == 0 then return nil end
  local result = { types = {} }
  local names = {}
  for i, each in ipairs(arguments) do
    result.types[i], names[#names + 1] = bus_types.named(each.type), each.name
  end
  result.description = #names == #arguments and table.concat(names, ", ") or nil
  return result
end


--- The name of a program by which an interface is called: the one that the interface is named after, else the first, else the
--- unique one. A policy and a user read names of programs, not numbers of connections.
local function address(which, interface)
  local best, length = which.bus_names[1], 0
  for _, name in ipairs(which.bus_names) do
    if #name > length and (interface == name or interface:sub(1, #name + 1) == name .. ".") then best, length = name, #name end
    if name == which.id and length == 0 then best = name end
  end
  return best
end


local function target(which, paths, interface, member, kind)
  return { kind = kind, bus = "session", to = address(which, interface), unique = which.bus_names[#which.bus_names],
    path = paths[1], paths = #paths > 1 and paths or nil, interface = interface, member = member }
end


local function command_of(method, interface, which, paths)
  local call = target(which, paths, interface.name, method.name, "method")
  call.signature, call.gives = signature_of(method.takes), signature_of(method.gives)
  call.no_reply = method.notes["org.freedesktop.DBus.Method.NoReply"] == "true" or nil
  return { name = method.name, description = description_of(method.notes), parameters = parameters_of(method.takes),
    result = result_of(method.gives), call = call }
end


local function class_of(interface, which, paths)
  local properties = {}
  for i, each in ipairs(interface.properties) do
    local call = target(which, paths, interface.name, each.name, "property")
    call.signature, call.access = each.type, each.access
    properties[i] = { name = each.name, types = { bus_types.named(each.type) }, access = each.access,
      description = description_of(each.notes), call = call }
  end
  if #properties == 0 then return nil end
  return { name = interface.name:match "([^.]+)$", description = description_of(interface.notes), properties = properties,
    elements = {} }
end


local function is_hidden(name) return PLUMBING[name] or name:find "^org%.freedesktop%.DBus%." ~= nil or nil end


local function suite_of(interface, which, paths)
  local commands, class = {}, class_of(interface, which, paths)
  for _, method in ipairs(interface.methods) do
    if not method.broken then commands[#commands + 1] = command_of(method, interface, which, paths) end
  end
  return { name = interface.name, description = description_of(interface.notes), hidden = is_hidden(interface.name),
    source = "dbus", commands = commands, classes = class and { class } or {}, enumerations = {}, records = {} }
end


--- The interfaces by their names, with the paths of the objects that have them, in the order in which they were found.
local function gathered(found)
  local list, by_name, signals, members = {}, {}, 0, 0
  for _, path in ipairs(found.paths) do
    for _, interface in ipairs(found.interfaces[path]) do
      local known = by_name[interface.name]
      if not known then
        members = members + #interface.methods + #interface.properties
        if members > MOST_MEMBERS then
          found.notes[#found.notes + 1] = ("only the first %d methods and properties were read"):format(MOST_MEMBERS)
          return list, by_name, signals
        end
        known = { interface = interface, paths = {} }
        by_name[interface.name], list[#list + 1] = known, known
        signals = signals + interface.signals
      end
      if #known.paths < MOST_PATHS then table.insert(known.paths, path) end
    end
  end
  return list, by_name, signals
end


--- The paths at which a program should have objects by its names and its windows.
local function seeds(which)
  local list = {}
  for _, name in ipairs(which.bus_names) do
    if name:sub(1, 1) ~= ":" then list[#list + 1] = desktop.object_path(name) end
    if name:sub(1, #PLAYER) == PLAYER then list[#list + 1] = "/org/mpris/MediaPlayer2" end
  end
  for _, each in ipairs(which.windows or {}) do
    for _, path in ipairs { each.app_path, each.window_path, each.menubar_path } do
      if path ~= "" then list[#list + 1] = path end
    end
  end
  return list
end


--- Parts the paths of action groups into those of windows, the frontmost window first, and the others.
local function action_paths(which, by_name)
  local of_windows, others, seen, is_window = {}, {}, {}, {}
  local function add(path)
    if path == "" or seen[path] then return end
    seen[path] = true
    local list = (is_window[path] or path:find "/window/%d+$") and of_windows or others
    list[#list + 1] = path
  end
  for _, each in ipairs(which.windows or {}) do is_window[each.window_path] = true end
  for _, each in ipairs(which.windows or {}) do
    add(each.window_path)
    add(each.app_path)
  end
  for _, path in ipairs(by_name["org.gtk.Actions"] and by_name["org.gtk.Actions"].paths or {}) do add(path) end
  return of_windows, others
end


local function add_actions(suites, notes, which, by_name)
  local of_windows, others = action_paths(which, by_name)
  local names = { to = address(which, ""), unique = which.bus_names[#which.bus_names] }
  for of, paths in pairs { win = of_windows, app = others } do
    local groups, err, code = actions.groups(names.to, paths)
    if not groups then
      if refused.is(code) then return nil, err, code end
      notes[#notes + 1] = "its actions were not read: " .. err
    end
    local suite = groups and actions.suite(names, of, groups)
    suites[#suites + 1] = suite
  end
  return true
end


local function by_name_of(a, b)
  if (a.hidden or false) ~= (b.hidden or false) then return not a.hidden end
  return a.name < b.name
end


--- A text that changes when the program is another one, or has other windows.
---@param which dictionary.App
---@return string
function M.mark(which)
  local marks = { which.bus_names[#which.bus_names] }
  for i, each in ipairs(which.windows or {}) do marks[i + 1] = each.window_path end
  return table.concat(marks, " ")
end


--- Reads what a running program can do.
---@param which dictionary.App  one of M.apps()
---@return dictionary.Suite[]? suites
---@return string? err
---@return string? code
---@return string[]? notes
function M.suites(which)
  local found, err, code = objects.read(address(which, ""), seeds(which))
  if not found then return nil, err, code end
  local list, by_name, signals = gathered(found)
  local suites, notes = {}, found.notes
  for i, each in ipairs(list) do suites[i] = suite_of(each.interface, which, each.paths) end
  local ok
  ok, err, code = add_actions(suites, notes, which, by_name)
  if not ok then return nil, err, code end
  table.sort(suites, by_name_of)
  if signals > 0 then notes[#notes + 1] = ("%d signals are left out"):format(signals) end
  return suites, nil, nil, notes
end


return M
