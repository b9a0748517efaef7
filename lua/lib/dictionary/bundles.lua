--- Applications of a Mac that describe what they can do: by a dictionary for AppleScript (SDEF), by App Intents, or by both. The
--- folder PERIGEE_SDEF_DIR may have further ones, on every system, and dictionaries without an application.
--
-- Nothing is started. An application's Info.plist is read once for each state of the file, its dictionary when it is asked for.

local env        = require "sys.env"
local files      = require "sys.app_files"
local frameworks = require "dictionary.frameworks"
local intents    = require "dictionary.intents"
local loctable   = require "dictionary.loctable"
local plist      = require "dictionary.plist"
local standard   = require "applescript.standard"
local suites     = require "applescript.suites"

local M = {}

local PLIST_BYTES = 4 * 1024 * 1024
local DEPTH = 2         -- folders of applications: /Applications/Utilities
local CORE = { "/System/Library/CoreServices", "/System/Library/ScriptingAdditions", "/Library/ScriptingAdditions" }
local OLDER = "/Link.data/extract.actionsdata"  -- the same in the older place; only applications were seen with it
-- Folders of a bundle whose members say of their intents themselves: the ending of such a member, and where it has its resources.
local MEMBERS = { { "/Contents/Frameworks/", "%.framework$", "/Versions/A/Resources" },
                  { "/Contents/PlugIns/", "%.appex$", "/Contents/Resources" },
                  { "/Contents/Extensions/", "%.appex$", "/Contents/Resources" } }

---@class dictionary.App
---@field id string         "com.apple.finder"; on Linux the ID of its desktop entry or a name on the bus
---@field name string       "Finder"
---@field version string    "" if it is not known
---@field source "sdef"|"intents"|"dbus"|"desktop"  what its commands come from; for several the first of these
---@field path? string
---@field sdef? string      path of its dictionary
---@field intents? string[] paths of what it, its frameworks and its extensions say of their intents

local infos = {}        -- by path of an Info.plist: { modified, info }


--- The members of an Info.plist.
local function info_of(path)
  local entry = files.stat(path)
  if not entry then return nil end
  local known = infos[path]
  if not known or known.modified ~= entry.modified then
    local bytes = files.read(path, PLIST_BYTES)
    local info = bytes and plist.read(bytes)
    known = { modified = entry.modified, info = type(info) == "table" and info or {} }
    infos[path] = known
  end
  return known.info
end


local function text(value) return type(value) == "string" and value or "" end


--- The dictionary of a bundle: the file that it names, otherwise the only one in its resources.
---@return string?
---@return table<string, boolean>? names  of the resources, if they were listed
local function sdef_of(bundle, info)
  local resources, named = bundle .. "/Contents/Resources/", text(info.OSAScriptingDefinition)
  if named ~= "" then
    local path = resources .. named
    if not path:find("..", 1, true) and files.stat(path) then return path end
  end
  local found, count, names = nil, 0, {}
  for _, entry in ipairs(files.list(bundle .. "/Contents/Resources") or {}) do
    names[entry.name] = true
    if entry.name:find "%.sdef$" then found, count = resources .. entry.name, count + 1 end
  end
  return count == 1 and found or nil, names
end


--- Paths of what a bundle and its members say of their intents.
---@param names? table<string, boolean>  of the bundle's resources
---@return string[]?
local function intents_of(bundle, names)
  local found = {}
  local function look(path)
    if files.stat(path) then found[#found + 1] = path end
  end
  for _, path in ipairs { intents.PATH, OLDER } do
    if not names or names[path:match "^/([^/]+)"] then look(bundle .. "/Contents/Resources" .. path) end
  end
  for _, member in ipairs(MEMBERS) do
    local folder, ending, resources = bundle .. member[1], member[2], member[3]
    for _, entry in ipairs(files.list(folder:sub(1, -2)) or {}) do
      if entry.name:find(ending) then look(folder .. entry.name .. resources .. intents.PATH) end
    end
  end
  return found[1] and found
end


--- The application of a bundle. It has no source if it describes nothing itself.
local function app_of(bundle)
  local info = info_of(bundle .. "/Contents/Info.plist")
  if not info then return nil end
  local sdef, names = sdef_of(bundle, info)
  local said = intents_of(bundle, names)
  local plain = bundle:match "([^/]+)%.%w+$"
  local id, name = text(info.CFBundleIdentifier), text(info.CFBundleDisplayName)
  if name == "" then name = text(info.CFBundleName) end
  return { id = id ~= "" and id or plain, name = name ~= "" and name or plain, version = text(info.CFBundleShortVersionString),
           source = sdef and "sdef" or said and "intents" or nil, path = bundle, sdef = sdef, intents = said }
end


--- Adds the applications in a folder, and the dictionaries that lie there without one. Those that describe nothing are in a list
--- of their own.
local function gather(folder, list, silent, depth, bare)
  for _, entry in ipairs(files.list(folder) or {}) do
    local path = folder .. "/" .. entry.name
    if entry.name:find "%.app$" or entry.name:find "%.osax$" then
      local app = app_of(path)
      local into = app and app.source and list or silent
      into[#into + 1] = app
    elseif bare and entry.name:find "%.sdef$" then
      local name = entry.name:match "^(.*)%.sdef$"
      list[#list + 1] = { id = name, name = name:match "[^.]+$" or name, version = "", source = "sdef", sdef = path }
    elseif entry.kind == "folder" and depth < DEPTH and not entry.name:find "^%." and not entry.name:find "%.framework$" then
      gather(path, list, silent, depth + 1, bare)
    end
  end
end


--- The applications that describe themselves by a file.
---@return dictionary.App[] apps
---@return dictionary.App[] silent  the others, for hosted()
function M.apps()
  local list, silent = {}, {}
  for _, folder in ipairs(files.folders()) do
    if folder == "/System/Library" or folder == "/Library/ScriptingAdditions" then
      for _, core in ipairs(CORE) do
        if core:sub(1, #folder) == folder then gather(core, list, silent, DEPTH, false) end
      end
    else
      gather(folder, list, silent, 1, folder == env.get "PERIGEE_SDEF_DIR")
    end
  end
  return list, silent
end


--- Those of the applications that describe nothing themselves for which frameworks of the system do. Frameworks are read for it.
---@param silent dictionary.App[]  of apps()
---@return dictionary.App[]
function M.hosted(silent)
  local hosts, list = frameworks.hosts(), {}
  for _, app in ipairs(silent) do
    if hosts[app.id:lower()] then
      app.source = "intents"
      list[#list + 1] = app
    end
  end
  return list
end


--- The files of frameworks that have intents of the application. A dictionary without one has none: its ID is only a name.
local function framework_files(app) return app.path and frameworks.of(app.id) or {} end


--- The time of the application's files: its dictionary is read again when it changed.
---@param app dictionary.App
---@return string
function M.mark(app)
  local marks = {}
  for i, path in ipairs { app.sdef or "", table.unpack(app.intents or {}) } do
    local entry = path ~= "" and files.stat(path)
    marks[i] = entry and ("%d %d"):format(entry.modified * 1000 // 1, entry.size) or ""
  end
  for _, file in ipairs(framework_files(app)) do marks[#marks + 1] = file.path .. " " .. file.mark end
  return table.concat(marks, " ")
end


--- Reads a file of intents.
---@param path string
---@param notes string[]
---@param of? string  only those of this application
local function read_intents(path, notes, of)
  local bytes, err, code = files.read(path, intents.BYTES)
  if not bytes then return nil, err, code end
  local suite
  suite, err, code = intents.read(bytes, { texts = loctable.of(path:match "^(.*)/[^/]+/[^/]+$", notes), of = of })
  return suite, err and ("the intents in %s cannot be read: %s"):format(path, err), code
end


--- The intents of the application, of its own files and of frameworks. One that is in a framework that cannot be read is a note.
local function intents_suite(app, notes)
  local said
  local function add(suite) said = said and intents.join(said, suite) or suite end
  for _, path in ipairs(app.intents or {}) do
    local suite, err, code = read_intents(path, notes)
    if not suite then return nil, err, code end
    add(suite)
  end
  for _, file in ipairs(framework_files(app)) do
    local suite, err = read_intents(file.path, notes, app.id)
    if not suite then notes[#notes + 1] = err
    elseif #suite.commands > 0 then add(suite) end
  end
  return said
end


---@param app dictionary.App
---@return dictionary.Suite[]? suites
---@return string? err
---@return string? code
---@return string[]? notes
---@return applescript.Suites? declared  its dictionary for AppleScript as it was read, for the checker of scripts
function M.suites(app)
  local list, notes, declared = {}, {}, nil
  if app.sdef then
    local bytes, err, code = files.read(app.sdef, suites.MAX_BYTES)
    if not bytes then return nil, err, code end
    declared, err, code = suites.read(bytes)
    if not declared then return nil, ("the dictionary %s cannot be read: %s"):format(app.sdef, err), code end
    for _, suite in ipairs(declared.suites) do
      suite.source = "sdef"
      list[#list + 1] = suite
    end
    table.move(declared.notes, 1, #declared.notes, 1, notes)
    if declared.includes then list[#list + 1] = standard.included(declared.includes) end
  end
  local said, err, code = intents_suite(app, notes)
  if err then return nil, err, code end
  list[#list + 1] = said
  return list, nil, nil, notes, declared
end


return M
