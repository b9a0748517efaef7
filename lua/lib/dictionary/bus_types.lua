--- Types of D-Bus by the names that dictionaries have for types.

local signature = require "dbus.signature"

local M = {}

local NAMES = { y = "byte", b = "boolean", n = "integer", q = "integer", i = "integer", u = "integer", x = "integer",
  t = "integer", d = "number", s = "string", o = "object path", g = "signature", v = "any", h = "file descriptor" }


--- The type of a signature of one type.
---@param kind string
---@return {name: string, list: boolean}
function M.named(kind)
  if NAMES[kind] then return { name = NAMES[kind], list = false } end
  if kind == "ay" then return { name = "bytes", list = false } end
  if kind:find "^a{" then return { name = "object", list = false } end
  if kind:find "^a" then
    local item = M.named(kind:sub(2))
    return item.list and { name = "list", list = true } or { name = item.name, list = true }
  end
  local parts = {}
  for i, each in ipairs(signature.types(kind:sub(2, -2))) do
    local type = M.named(each)
    parts[i] = type.list and ("list of %s"):format(type.name) or type.name
  end
  return { name = ("(%s)"):format(table.concat(parts, ", ")), list = false }
end


return M
