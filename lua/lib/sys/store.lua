--- Values that outlive the engine: `local layouts = require "sys.store".open "layouts"`.
--
-- A store is one file of JSON in the state folder, private to the user and shared by all processes. A change is on the disk
-- when the call returns, whole or not at all; of a loose store it is at least in the file. It needs no grant. lua/lib/store.lua
-- has the functions of a store.

local engine    = require "sys.engine"
local file_lock = require "file_lock"
local fs        = require "sys.fs"
local store     = require "store"

local M = {}

local PATIENCE = 5   -- seconds to wait while another process uses it


--- Returns the store of this name; its file is made with the first value. Files that open the same name share it.
---@param name string  a-z, 0-9 and _
---@param options? {loose?: boolean}  loose: a change outlives the process, but perhaps not a loss of power; quicker
---@return sys.store.Store
function M.open(name, options)
  local folder, err = engine.state_folder "store"
  if not folder then error(err, 2) end
  local path = ("%s/%s.json"):format(folder, tostring(name))
  return store.new(name, {
    path = path,
    read = function(most) return fs.read(path, most) end,
    write = function(text) return fs.write(path, text, options and { loose = options.loose }) end,
    hold = function() return file_lock.hold("store_" .. name, PATIENCE) end,
  })
end


return M
