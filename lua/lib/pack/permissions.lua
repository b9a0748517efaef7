--- The permissions of a pack: the modules that its files require, directly or through lib files that come with Perigee.

local engine   = require "sys.engine"
local fs       = require "sys.fs"
local requires = require "pack.requires"

local M = {}

-- Descriptions of the modules that reach beyond computing. A module without one is listed by its name.
local WHAT = {
  ["perigee"]          = "calls any tool",
  ["sys.app"]          = "lists, starts and quits applications, and opens URLs in the browser",
  ["sys.audio"]        = "reads and sets the volume and the audio devices",
  ["sys.audit"]        = "reads the audit log",
  ["sys.awake"]        = "keeps the machine awake, and locks the session",
  ["sys.clipboard"]    = "reads and writes the clipboard",
  ["sys.console"]      = "looks into your running engines and changes them",
  ["sys.dbus"]         = "talks to other programs over D-Bus",
  ["sys.desktop"]      = "acts on the whole desktop",
  ["sys.element"]      = "reads and operates the controls of applications",
  ["sys.engine"]       = "calls any tool, reads resources, runs scripts",
  ["sys.env"]          = "reads environment variables, API keys among them",
  ["sys.events"]       = "hears what happens on the desktop",
  ["sys.files"]        = "loads any tool and lib file",
  ["sys.fs"]           = "reads and writes files in directories that you grant",
  ["sys.gateway"]      = "adds tools of other servers",
  ["sys.hotkey"]       = "binds keys, whatever application has the keyboard",
  ["sys.http"]         = "sends requests to any server",
  ["sys.input"]        = "moves the mouse, clicks and types",
  ["sys.loopback"]     = "listens for connections from this machine",
  ["sys.mcp"]          = "starts programs as MCP servers, and calls servers",
  ["sys.menu"]         = "shows an item in the status area",
  ["sys.notify"]       = "shows notifications",
  ["sys.ocr"]          = "reads text on the screen",
  ["sys.osascript"]    = "runs AppleScript",
  ["sys.packs"]        = "lists your packs",
  ["sys.permission"]   = "asks for permissions of the system",
  ["sys.picture_file"] = "looks at files by any path",
  ["sys.policy"]       = "reads and writes approvals of the policy",
  ["sys.power"]        = "hears of the battery and of sleep",
  ["sys.process"]      = "starts programs: it can do all that you can",
  ["sys.python"]       = "asks for Python in the jail, which files of others never get",
  ["sys.screen"]       = "takes screenshots",
  ["sys.secrets"]      = "reads and writes stored secrets, tokens among them",
  ["sys.smtp"]         = "sends mail",
  ["sys.store"]        = "keeps values in the state directory",
  ["sys.terminal"]     = "asks you on the terminal",
  ["sys.trace"]        = "looks on while other code runs",
  ["sys.ui"]           = "shows windows in front that ask you",
  ["sys.webhook"]      = "listens for requests of other programs",
  ["sys.window"]       = "lists and moves windows",
  ["tools"]            = "calls any tool",
}

---@class pack.Permission
---@field module string
---@field what? string     nil if it only computes, or is not known
---@field files string[]   the files that require it, sorted
---@field via string[]     lib files of Perigee through which it is reached; empty if directly

---@class pack.Permissions
---@field reach pack.Permission[]    modules that reach beyond computing, by name
---@field compute string[]           names of the others
---@field unknown string[]           names of modules that do not exist
---@field hidden pack.Hidden[]


local function sorted(list)
  table.sort(list)
  return list
end


local function path_of(module) return ("lib/%s.lua"):format((module:gsub("%.", "/"))) end


--- True if the module is a part of the engine. Lua then finds no lib file of this name before it.
local function is_built_in(module) return WHAT[module] ~= nil or module:sub(1, 4) == "sys." end


--- Returns a function that is true if the pack has a lib file of this name.
local function owner(content)
  local own = {}
  for _, file in ipairs(content.files) do own[file.path] = true end
  return function(module) return own[path_of(module)] end
end


--- Returns the modules that a lib file of Perigee requires; nil if there is no such file.
local function shipped(root, module, known)
  if known[module] == nil then
    local bytes = fs.read(("%s/%s"):format(root, path_of(module)))
    known[module] = bytes and requires.of(bytes).modules or false
  end
  return known[module] or nil
end


--- Calls `add` for each part of the engine that a lib file of Perigee requires, itself or through others.
local function follow(root, module, known, add, seen)
  for name in pairs(shipped(root, module, known) or {}) do
    if is_built_in(name) then
      if WHAT[name] then add(name) end
    elseif not seen[name] then
      seen[name] = true
      follow(root, name, known, add, seen)
    end
  end
end


local function add_to(list, item)
  for _, there in ipairs(list) do
    if there == item then return end
  end
  list[#list + 1] = item
end


---@param content pack.Content
---@return pack.Permissions
function M.of(content)
  local root, known, own = engine.status().roots[1], {}, owner(content)
  local found, made = {}, { reach = {}, compute = {}, unknown = {}, hidden = content.hidden }
  local function permission(name, files, via)
    local each = found[name] or { module = name, what = WHAT[name], files = {}, via = {} }
    found[name] = each
    for _, file in ipairs(files) do add_to(each.files, file) end
    if via then add_to(each.via, via) else each.direct = true end
  end
  for module, files in pairs(content.modules) do
    if WHAT[module] then
      permission(module, files)
    elseif is_built_in(module) then
      add_to(made.compute, module)
    elseif not own(module) and shipped(root, module, known) then
      add_to(made.compute, module)
      follow(root, module, known, function(name) permission(name, files, module) end, {})
    elseif not own(module) then
      add_to(made.unknown, module)
    end
  end
  for _, each in pairs(found) do
    made.reach[#made.reach + 1] = { module = each.module, what = each.what, files = sorted(each.files),
      via = each.direct and {} or sorted(each.via) }
  end
  table.sort(made.reach, function(a, b) return a.module < b.module end)
  sorted(made.compute)
  sorted(made.unknown)
  return made
end


--- Compares the permissions with the recorded ones.
---@param before {reaches?: string[], hidden?: integer}
---@param now pack.Permissions
---@return table<string, boolean> added  names of new modules that reach beyond computing
---@return boolean hidden                true if more places cannot be determined than before
---@return string[] gone                 names of modules that are no longer reached, sorted
function M.difference(before, now)
  local had, has, added, gone = {}, {}, {}, {}
  for _, name in ipairs(before.reaches or {}) do had[name] = true end
  for _, each in ipairs(now.reach) do
    has[each.module] = true
    if not had[each.module] then added[each.module] = true end
  end
  for name in pairs(had) do
    if not has[name] then gone[#gone + 1] = name end
  end
  return added, #now.hidden > (before.hidden or 0), sorted(gone)
end


return M
