--- Finds arguments of a tool that its `about` names and that are not there, and those that it should name.

local declared   = require "policy.declared"
local keys       = require "keys"
local nearest    = require "nearest"
local parameters = require "cli.parameters"

local M = {}


--- The kind that the name of an argument suggests: "path" for "image_path".
local function suggested(name)
  local word = name:lower():match "[^._]*$"
  return word == "display" and word or declared.GUESSED[word]
end


--- True if the file says what the argument, or what it is in, names.
local function is_declared(about, name)
  while name do
    if about[name] ~= nil then return true end
    name = name:match "^(.*)%.[^.]*$"
  end
  return false
end


--- True if the schema has such an argument, or does not say what is in the one around it.
local function is_argument(rows, name)
  if rows[name] then return true end
  local outer = name:match "^(.*)%.[^.]*$"
  if not outer or not is_argument(rows, outer) then return false end
  for each in pairs(rows) do
    if each:sub(1, #outer + 1) == outer .. "." then return false end
  end
  return true
end


local function is_text(row) return row.type:find "string" ~= nil and not table.concat(row.limits, " "):find "^one of" end


---@param tool Tool
---@return string[] messages
function M.findings(tool)
  local about, rows, list = tool.about, {}, {}
  if type(about) ~= "table" then return list end
  for _, row in ipairs(parameters.rows(tool.inputSchema)) do rows[row.name:gsub("%[%]", "")] = row end
  for _, name in ipairs(keys.sorted(about)) do
    if type(name) == "string" and name ~= "1" and not is_argument(rows, name) then
      list[#list + 1] = ("about.%s: the tool has no such argument%s"):format(name,
        nearest.question(name, keys.sorted(rows), "; "))
    end
  end
  for _, name in ipairs(keys.sorted(rows)) do
    local kind = suggested(name)
    if kind and is_text(rows[name]) and not is_declared(about, name) then
      local key = name:find "^[%a_][%w_]*$" and name or ('["%s"]'):format(name)
      list[#list + 1] = ('about does not say what the argument %s names. Write %s = "%s", or "nothing" if it names nothing '
        .. "of this kind"):format(name, key, kind)
    end
  end
  return list
end


return M
