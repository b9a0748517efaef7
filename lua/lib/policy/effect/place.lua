--- The facts about files that are written, moved and deleted, and about secrets that are kept.

local policy = require "sys.policy"

local M = {}

-- Those of the functions whose first two arguments are paths, of which the second may be missing.
local TWO = { rename = true, copy = true, save_file = true }

-- Those after which the first path is gone.
local GOES = { remove = true, rename = true, trash = true }

local function count_of(effect) return TWO[effect.how] and (effect.how ~= "save_file" or effect.given[2]) and 2 or 1 end


--- The files, with links resolved.
---@return string[]|false|nil
function M.paths(effect)
  if effect.effect == "settings" then return false end
  if effect.how == "capture" then
    local path = type(effect.given[1]) == "table" and effect.given[1].path
    if not path then return false end
    local real = policy.real(path)
    return real and { real } or nil
  end
  if effect.how == "choose_file" then   -- a relative path starts in the directory that the dialog shows
    local path = require("policy.arguments").path_of(effect.given[1])
    local real = path and path:find "^[/~]" and policy.real(path)
    return real and { real } or nil
  end
  local list = {}
  for i = 1, count_of(effect) do
    list[i] = type(effect.given[i]) == "string" and effect.given[i] ~= "" and policy.real(effect.given[i]) or nil
    if not list[i] then return nil end
  end
  return list
end


--- The words that others may have chosen: paths also as they were given, or may have been to a tool that made them absolute.
function M.words(effect)
  local list = { effect:fact "paths" or false, effect:fact "text" or false, effect:fact "name" or false }
  for _, path in ipairs(effect:fact "paths" or {}) do list[#list + 1] = require("policy.relative").of_server(path) end
  for i = 1, count_of(effect) do
    if type(effect.given[i]) == "string" then list[#list + 1] = effect.given[i] end
  end
  local spec = type(effect.given[1]) == "table" and effect.given[1] or {}
  list[#list + 1] = spec.path
  list[#list + 1] = spec.named
  return list
end


--- True if all paths of an effect are in one of the directories.
---@param effect policy.Effect
---@param tops string[]
---@return boolean?
function M.all_below(effect, tops)
  local paths = effect:fact "paths"
  if not paths then return paths end
  for _, path in ipairs(paths) do
    local is = false
    for _, top in ipairs(tops) do
      is = is or path == top or path:sub(1, #top + 1) == top .. "/" or top == "/"
    end
    if not is then return false end
  end
  return true
end


--- True if all are in directories that the user granted. What a script may not write elsewhere is refused there anyway.
---@return boolean?
function M.granted(effect) return policy.confined() or M.all_below(effect, policy.grants()) end


--- True if one is a file that Perigee, a shell or the session obeys by itself.
---@return boolean?
function M.obeyed(effect)
  local paths = effect:fact "paths"
  if not paths then return paths end
  local given, first = {}, effect.given[1]
  for i = 1, #paths do given[i] = type(effect.given[i]) == "string" and effect.given[i] or nil end
  if type(first) == "table" then given[1] = first.path end
  return require("policy.effect.obeyed").any(paths, given, GOES[effect.how] or false)
end


--- True if all are in directories where the engine keeps files of its own.
---@return boolean?
function M.own(effect) return M.all_below(effect, policy.grants(true)) end


---@return string|false
function M.text(effect)
  if effect.effect == "settings" then return type(effect.given[1]) == "table" and effect.given[1].text or false end
  local bytes = effect.given[2]
  local is_text = effect.effect == "file" and (effect.how == "write" or effect.how == "append") and type(bytes) == "string"
  return is_text and bytes or false
end


function M.name(effect)
  local first = effect.given[1]
  if effect.how == "allow" then return "input.allow" end
  return effect.effect == "settings" and (type(first) == "table" and first.name or tostring(first))
end


return M
