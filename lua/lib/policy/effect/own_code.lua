--- Words that a file of the user's has in its code: they are its own, no matter what it read.

local engine = require "sys.engine"
local policy = require "sys.policy"
local task   = require "sys.task"

local M = {}


--- The file of the service that does it.
local function service_file()
  local name = (task.owner() or ""):match "^service (.*)$"
  for _, each in ipairs(name and engine.services() or {}) do
    if each.name == name then return each.file end
  end
end


local function escaped(text)
  return (text:gsub("[\\\n\t\"]", { ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\""] = "\\\"" }))
end


--- Does each text stand there as a whole, in quotation marks?
local function all_in(value, code)
  if type(value) == "table" then
    for _, each in pairs(value) do
      if not all_in(each, code) then return false end
    end
    return true
  end
  if type(value) ~= "string" then return type(value) ~= "number" end
  return code:find('"' .. escaped(value) .. '"', 1, true) ~= nil or code:find("'" .. value .. "'", 1, true) ~= nil
    or code:find("[[" .. value .. "]]", 1, true) ~= nil
end


--- True if all these words are in the code of the file that does it. A run, which is given its code, has none of its own.
---@param effect policy.Effect
---@param words any
---@return boolean
function M.has(effect, words)
  local subject = effect.subject
  if subject.shipped or subject.mounted or subject.runs or subject.trust == "foreign" then return false end
  local path
  if effect.call then path = policy.file(effect.call) else path = service_file() end
  local code = path and policy.code(path)
  return type(code) == "string" and next(words) ~= nil and all_in(words, code)
end


return M
