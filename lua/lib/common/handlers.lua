--- The applications of a Linux desktop that open files and URLs, as the desktop itself chooses them (`gio`).

local dbus    = require "sys.dbus"
local fail    = require "desktop.fail"
local process = require "sys.process"

local M = {}

local BUS = { to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus", interface = "org.freedesktop.DBus" }
local MANAGER = "org.freedesktop.FileManager1"


local function gio(...)
  local spec = { "gio", ... }
  spec.timeout, spec.env = 10, { LC_ALL = "C.UTF-8" }
  local done, err, code = process.run(spec)
  if not done and code == "not_found" then
    return fail.with("The program gio is not installed, which chooses applications. On Debian: apt-get install libglib2.0-bin.",
      "no_handler")
  end
  if not done then return fail.with(err, code) end
  return done.stdout
end


--- The type of a file's content.
---@param path string
---@return string? type  "text/plain"
---@return string? err
---@return string? code
function M.type_of(path)
  local said, err, code = gio("info", "-a", "standard::content-type", "--", path)
  if not said then return nil, err, code end
  local found = said:match "standard::content%-type: (%S+)"
  if found then return found end
  return fail.with(("The type of %s is not known. Name the application in using."):format(path), "no_handler")
end


--- The IDs of the applications for a type, the user's choice first.
---@param type string  a type of content, or "x-scheme-handler/https"
---@return string[]? ids
---@return string? err
---@return string? code
function M.of(type)
  local said, err, code = gio("mime", type)
  if not said then return nil, err, code end
  local ids, seen = {}, {}
  local first = said:match "^Default application for [^\n]*: ([^\n]+)%.desktop"
  local function add(id)
    if id and not seen[id] then ids[#ids + 1], seen[id] = id, true end
  end
  add(first)
  for id in said:gmatch "\n\t([^\n]+)%.desktop" do add(id) end
  return ids
end


--- The process that shows folders for other programs now; nil if none runs. None is started for it.
---@return integer? pid
function M.file_manager()
  local function ask(member)
    local call = { to = BUS.to, path = BUS.path, interface = BUS.interface, member = member, signature = "s", args = { MANAGER } }
    local answers = dbus.calls("session", { call })
    return answers and answers[1].values and answers[1].values[1]
  end
  return ask "NameHasOwner" and ask "GetConnectionUnixProcessID" or nil
end


return M
