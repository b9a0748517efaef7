--- Dictionaries of desktop entries: their actions, which run whether the application runs or not.

local app           = require "sys.app"
local crypto        = require "sys.crypto"
local desktop_entry = require "dictionary.desktop_entry"
local time          = require "sys.time"

local M = {}

local FRESH = 1   -- seconds for which the entries are not read again

local read = {}   -- entries by the digest of their text, so that each is read once
local last        -- { entries, at }


--- The entries of the installed applications, by their ids. Those that menus do not show count: services are among them.
---@return table<string, dictionary.Entry>? entries
---@return string? err
---@return string? code
function M.entries()
  if last and time.monotonic() < last.at + FRESH then return last.entries end
  local files, err, code = app.entries()
  if not files then return nil, err, code end
  local entries, kept = {}, {}
  for _, file in ipairs(files) do
    local mark = crypto.hex(crypto.sha256(file.path .. "\0" .. file.text))
    kept[mark] = read[mark] or desktop_entry.read(file, mark)
    entries[file.id] = kept[mark]
  end
  read, last = kept, { entries = entries, at = time.monotonic() }
  return entries
end


--- The application of an entry, as far as the entry alone tells.
local function app_of(entry)
  return { id = entry.id, name = entry.name, version = "", path = entry.path, source = "desktop", words = entry.words,
    bus_names = entry.activatable and { entry.id } or {} }
end


--- Lists the applications whose entries have actions.
---@return table[]? apps
---@return string? err
---@return string? code
function M.apps()
  local entries, err, code = M.entries()
  if not entries then return nil, err, code end
  local apps = {}
  for _, entry in pairs(entries) do
    if #entry.actions > 0 then apps[#apps + 1] = app_of(entry) end
  end
  table.sort(apps, function(a, b) return a.id < b.id end)
  return apps
end


--- The path of the object that an application offers by the specification: "/org/gnome/Calculator".
---@param id string
---@return string
function M.object_path(id) return "/" .. id:gsub("%.", "/"):gsub("-", "_") end


local function command_of(entry, action)
  return { name = action.id, description = action.name, parameters = {}, call = { kind = "desktop", bus = "session",
    to = entry.activatable and entry.id or nil, path = entry.activatable and M.object_path(entry.id) or nil,
    interface = "org.freedesktop.Application", member = action.id, exec = action.exec, entry = entry.id } }
end


--- A text that changes when the entry does.
---@param which dictionary.App
---@return string
function M.mark(which)
  local entry = (M.entries() or {})[which.id]
  return entry and entry.mark or ""
end


--- The actions of an application's entry; an application without any has no suite.
---@param which dictionary.App
---@return dictionary.Suite[]? suites
---@return string? err
---@return string? code
function M.suites(which)
  local entries, err, code = M.entries()
  if not entries then return nil, err, code end
  local entry, commands = entries[which.id], {}
  for i, action in ipairs(entry and entry.actions or {}) do commands[i] = command_of(entry, action) end
  if #commands == 0 then return {} end
  return { { name = "Desktop actions", description = "Actions of the desktop entry.", source = "desktop", commands = commands,
    classes = {}, enumerations = {}, records = {} } }
end


return M
