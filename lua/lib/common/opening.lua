--- Opens a file or a folder: by the Finder on a Mac, elsewhere by the desktop's application for it.

local app       = require "sys.app"
local app_names = require "app_names"
local apps      = require "desktop.apps"
local fail      = require "desktop.fail"
local handlers  = require "common.handlers"
local letters   = require "letters"
local names     = require "desktop.names"
local place     = require "common.place"
local quoting   = require "desktop.quoting"
local script    = require "common.script"
local system    = require "common.system"

local M = {}

local SECONDS = 15      -- for the window


---@class common.Opened
---@field path string
---@field shown boolean      a window of it was seen
---@field application? string  its resource name
---@field app? string          its name
---@field window? string
---@field note? string


-- --- a Mac -----------------------------------------------------------------------------------------

--- The bundle ID of an installed application; "" if none is named.
local function bundle_of(using)
  if not using then return "" end
  local wanted = letters.fold(using)
  for _, each in ipairs(app.installed() or {}) do
    if each.id ~= "" and app_names.names_app(each, wanted) then return each.id end
  end
  return fail.with(("No installed application is called %q. Call list_applications with installed=true."):format(using),
    "app_not_found")
end


local function by_finder(item, using)
  local id, err, code = bundle_of(using)
  if not id then return nil, err, code end
  local said
  said, err, code = script.run("finder_open", { item.path, id }, 35)
  if not said then return nil, err, code end
  local shown = item.kind == "folder" and id == "" and said:gsub("(.)/+$", "%1") == item.path
  return { path = item.path, shown = shown,
    note = not shown and "The Finder took it. It does not say which window it opened: call list_windows." or nil }
end


-- --- elsewhere -------------------------------------------------------------------------------------

--- The ID of the application that the desktop opens an item with. For a folder a file manager that runs comes first.
local function handler_of(item)
  if item.kind == "folder" then
    local pid = handlers.file_manager()
    local manager = pid and app.get { pid = pid, started = 0 }
    if manager and manager.id ~= "" then return manager.id end
  end
  local type, err, code = "inode/directory", nil, nil
  if item.kind ~= "folder" then type, err, code = handlers.type_of(item.path) end
  if not type then return nil, err, code end
  local ids
  ids, err, code = handlers.of(type)
  if not ids then return nil, err, code end
  if ids[1] then return ids[1] end
  return fail.with(("No application is chosen for files of the type %s. Name one in using."):format(type), "no_handler")
end


local function by_application(item, using)
  local id, err, code = using, nil, nil
  if not id then id, err, code = handler_of(item) end
  if not id then return nil, err, code end
  local opened
  opened, err, code = app.open { name = id, files = { item.path }, wait = SECONDS }
  if code == "app_not_found" then err = err .. ". Call list_applications with installed=true" end
  if not opened then return fail.with(err, code) end
  if not opened.ended then apps.track(opened.app) end
  return { path = item.path, shown = opened.window ~= nil, app = quoting.plain(opened.app.name),
    application = not opened.ended and names.application(opened.app) or nil,
    window = opened.window and names.window(opened.window), note = opened.note }
end


---@param given string
---@param using? string  an application
---@return common.Opened? opened
---@return string? err
---@return string? code
function M.open(given, using)
  local path, kind, code = place.existing(given)
  if not path then return nil, kind, code end
  return (system.is_mac() and by_finder or by_application)({ path = path, kind = kind }, using)
end


return M
