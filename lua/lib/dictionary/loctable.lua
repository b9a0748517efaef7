--- English texts of a bundle by their keys: the tables (NAME.loctable) among its resources. Each is a property list with the
--- texts of all languages.

local files = require "sys.app_files"
local plist = require "dictionary.plist"

local M = {}

local BYTES = 16 * 1024 * 1024
local LANGUAGE = "en"
local DEFAULT = "Localizable"   -- the table of a key that names none


--- The English texts of a table.
local function read(path)
  if not files.stat(path) then return {} end
  local bytes, err = files.read(path, BYTES)
  local texts
  if bytes then texts, err = plist.member(bytes, LANGUAGE) end
  if err then return nil, ("the table %s cannot be read: %s"):format(path, err) end
  return type(texts) == "table" and texts or {}
end


--- A function that returns the text of a key, or nil. A table is read when the first of its keys is asked for.
---@param resources string  the folder of the tables
---@param notes string[]    gets a line about each table that cannot be read
---@return fun(key: string, name?: any): string?
function M.of(resources, notes)
  local tables = {}
  return function(key, name)
    if type(name) ~= "string" or name == "" then name = DEFAULT end
    if name:find "[/%z]" then return nil end
    if not tables[name] then
      local texts, err = read(("%s/%s.loctable"):format(resources, name))
      tables[name], notes[#notes + 1] = texts or {}, err
    end
    local text = tables[name][key]
    return type(text) == "string" and text ~= "" and text or nil
  end
end


return M
