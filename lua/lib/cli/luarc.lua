--- .luarc.json: the settings of lua-language-server for files of Perigee.

local json = require "sys.json"

local M = {}

M.NAME = ".luarc.json"

--- The standard libraries that files of Perigee do not have.
local ABSENT = { coroutine = "disable", debug = "disable", io = "disable", os = "disable", package = "disable" }


--- Adds the settings to those that the file has already.
---@param shipped string  the root that comes with Perigee
---@param had table
---@return table had
function M.settings(shipped, had)
  had["$schema"] = had["$schema"] or "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json"
  had["runtime.version"] = "Lua 5.4"
  had["runtime.path"] = { "lib/?.lua", "?.lua", shipped .. "/lib/?.lua", shipped .. "/?.lua",
    shipped .. "/types/?.lua" }
  had["runtime.builtin"] = ABSENT
  local own = { shipped .. "/types", shipped .. "/lib", shipped .. "/testing" }
  local libraries, wanted = {}, {}
  for _, path in ipairs(own) do wanted[path] = true end
  for _, path in ipairs(type(had["workspace.library"]) == "table" and had["workspace.library"] or {}) do
    if not wanted[path] and not tostring(path):find "/perigee/lua/%a+$" then libraries[#libraries + 1] = path end
  end
  table.move(own, 1, #own, #libraries + 1, libraries)
  had["workspace.library"] = libraries
  return had
end


--- Writes one setting a line, as people do.
---@param object table
---@return string
function M.text(object)
  local names, lines = {}, {}
  for name in pairs(object) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do lines[i] = ("  %s: %s"):format(json.encode(name), json.encode(object[name])) end
  return "{\n" .. table.concat(lines, ",\n") .. "\n}\n"
end


return M
