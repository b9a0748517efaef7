--- Finds applications that describe what they can do, and reads the model of one when it is asked for.
--
-- A model is kept until the application's version or files change. Nothing is started to read one.

local bundles   = require "dictionary.bundles"
local dbus      = require "dictionary.dbus"
local desktop   = require "dictionary.desktop"
local installed = require "dictionary.installed"
local nearest   = require "nearest"
local time      = require "sys.time"

local M = {}

local KEPT = 64         -- models; the one that was used longest ago goes first
local FRESH = 1         -- seconds for which an application that was found need not be looked for again

--- Each lists applications, says whether one changed, and reads what one declares.
local SOURCES = { bundles, dbus, desktop }

---@class dictionary.Suite : applescript.Suite
---@field source? "sdef"|"intents"|"dbus"|"desktop"

---@class dictionary.Model
---@field id string
---@field name string
---@field version string
---@field source string
---@field suites dictionary.Suite[]
---@field notes string[]          the parts that were not understood, for people
---@field words? string           further words about the application, for the search
---@field app dictionary.App
---@field declared? applescript.Suites  its dictionary for AppleScript as it was read

local kept, uses = {}, 0    -- by ID: { mark, model, texts, used }
local last                  -- { list, at }: the applications as they were found last


--- Adds an application to those known so far. One ID that two sources know is one application with the parts of both.
local function merge(list, by_id, app, source)
  local key = app.id:lower()
  local known = by_id[key]
  if not known then
    known = {}
    for name, value in pairs(app) do known[name] = value end
    known.parts = {}
    by_id[key] = known
    list[#list + 1] = known
  end
  if known.version == "" then known.version = app.version end
  known.path, known.pid = known.path or app.path, known.pid or app.pid
  known.parts[#known.parts + 1] = { source = source, app = app }
end


local function sort(list)
  table.sort(list, function(a, b)
    local first, second = a.name:lower(), b.name:lower()
    if first ~= second then return first < second end
    return a.id < b.id
  end)
end


--- Lists the applications by what each source finds without reading.
---@return dictionary.App[] list
---@return fun() add  adds those of which others say what they can do, for which files are read
local function gather()
  local list, by_id, silent = {}, {}, {}
  for _, source in ipairs(SOURCES) do
    local apps, others = source.apps()
    for _, app in ipairs(apps or {}) do merge(list, by_id, app, source) end
    silent[source] = source.hosted and others
  end
  sort(list)
  last = { list = list, at = time.monotonic() }
  return list, function()
    for source, others in pairs(silent) do
      for _, app in ipairs(source.hosted(others)) do merge(list, by_id, app, source) end
    end
    sort(list)
  end
end


--- The applications that describe themselves, by name. Those of the folder that the user names come before others of their ID.
---@return dictionary.App[]
function M.apps() return (gather()) end


--- The same with those of which only frameworks of the system say what they can do. Files are read to know them.
---@return dictionary.App[]
function M.all()
  local list, add = gather()
  add()
  return list
end


--- Finds the one among applications of one name that people call so. Those without a desktop entry have only the end of their
--- name on the bus for a name.
local function by_entry(named)
  local found
  for _, app in ipairs(named) do
    if app.source ~= "dbus" or app.path then
      if found then return nil end
      found = app
    end
  end
  return found
end


---@param all boolean  true: there are no others, so one that is installed describes nothing
local function find_in(apps, wanted, all)
  local key, named, ids, on_bus = wanted:lower(), {}, {}, nil
  for i, app in ipairs(apps) do
    if app.id:lower() == key then return app end
    if app.name:lower() == key then named[#named + 1] = app end
    for _, name in ipairs(app.bus_names or {}) do
      if name:lower() == key then on_bus = app end
    end
    ids[i] = app.id
  end
  if on_bus then return on_bus end
  local only = #named == 1 and named[1] or by_entry(named)
  if only then return only end
  if #named > 1 then
    for i, app in ipairs(named) do named[i] = app.id end
    return nil, ("Several applications are called %q: pass one of the IDs %s."):format(wanted, table.concat(named, ", ")),
      "not_found"
  end
  local fault = all and installed.fault(wanted)
  if fault then return nil, fault, "not_found" end
  local near = nearest.question(wanted, ids, "; ")
  return nil, ("No application %q describes what it can do%s"):format(wanted, near ~= "" and near or
    #apps == 0 and ", nor does any other." or ". discover_apps lists those that do."), "not_found"
end


--- Finds an application by its ID, by a name that it has on the D-Bus, or by its name if only one has it.
---@param wanted string
---@param apps? dictionary.App[]  default: all()
---@return dictionary.App? app
---@return string? err   with the nearest IDs
---@return string? code  "not_found"
function M.find(wanted, apps)
  if not apps and last and time.monotonic() < last.at + FRESH then
    local app = find_in(last.list, wanted, false)
    if app then return app end
  end
  if apps then return find_in(apps, wanted, false) end
  local list, add = gather()
  local app = find_in(list, wanted, false)
  if app then return app end
  add()
  return find_in(list, wanted, true)
end


--- A text that changes when the application's version or files change.
---@param app dictionary.App
---@return string
function M.mark(app)
  local marks = { app.version }
  for i, part in ipairs(app.parts) do marks[i + 1] = part.source.mark(part.app) end
  return table.concat(marks, "\n")
end


local function read(app)
  local model = { id = app.id, name = app.name, version = app.version, source = app.source, suites = {}, notes = {}, app = app }
  for _, part in ipairs(app.parts) do
    local suites, err, code, notes, declared = part.source.suites(part.app)
    if not suites then return nil, err, code end
    table.move(suites, 1, #suites, #model.suites + 1, model.suites)
    for _, note in ipairs(notes or {}) do model.notes[#model.notes + 1] = note end
    model.declared = model.declared or declared
    if part.app.words then model.words = (model.words and model.words .. " " or "") .. part.app.words end
  end
  return model
end


--- Forgets the model that was used longest ago.
local function forget_one()
  local count, oldest = 0, nil
  for id, entry in pairs(kept) do
    count = count + 1
    if not oldest or entry.used < kept[oldest].used then oldest = id end
  end
  if count > KEPT then kept[oldest] = nil end
end


--- The kept entry of an application, read anew if it changed.
local function entry_of(app)
  local mark, entry = M.mark(app), kept[app.id]
  uses = uses + 1
  if not entry or entry.mark ~= mark then
    local model, err, code = read(app)
    if not model then return nil, err, code end
    entry = { mark = mark, model = model, texts = {} }
  end
  entry.used, kept[app.id] = uses, entry
  forget_one()
  return entry
end


--- Returns the model of an application.
---@param app dictionary.App  of apps() or find()
---@return dictionary.Model? model  do not change it
---@return string? err
---@return string? code
function M.model(app)
  local entry, err, code = entry_of(app)
  if not entry then return nil, err, code end
  return entry.model
end


--- Returns the text that make() writes from an application's model; it is kept with the model.
---@param app dictionary.App
---@param name string
---@param make fun(model: dictionary.Model): string
---@return string? text
---@return string? err
---@return string? code
function M.text(app, name, make)
  local entry, err, code = entry_of(app)
  if not entry then return nil, err, code end
  entry.texts[name] = entry.texts[name] or make(entry.model)
  return entry.texts[name]
end


--- The models of all applications that can be read.
---@return dictionary.Model[] models
---@return string[] problems
function M.models()
  local models, problems = {}, {}
  for _, app in ipairs(M.all()) do
    local model, err = M.model(app)
    if model then models[#models + 1] = model else problems[#problems + 1] = ("%s: %s"):format(app.id, err) end
  end
  return models, problems
end


return M
