--- The parameters of a recorded macro: what was typed and chosen, and the paths. Equal literals share one.

local tool_text = require "dictionary.tool_text"
local words     = require "word_set"

local M = {}

local LONG = 24      -- characters of a name
local LEAST = 3      -- characters of a value that is also looked for in titles
local MOST = 4000    -- bytes of a default

local TAKEN = words.of "resume_from repeat_sent"

local BASES = { text = "text", option = "option", path = "file", secret = "secret", row = "item" }
local ABOUTS = { text = "Text for %s.", option = "Option of %s.", path = "Absolute path.",
  secret = "Secret for %s: never recorded.", row = "Name of %s." }

--- A value in a step that becomes a parameter.
---@class recorder.Literal
---@field key string    its place in the arguments: "value", "steps.1.type"
---@field kind "text"|"option"|"path"|"secret"|"row"  row: the name of a row in a selector, which only a loop replaces
---@field prefix? string  row: what the selector has before the name
---@field hint string   what it is called: the label of its field
---@field value? string nil: it is not known, or secret


--- A string in which nothing stands for a parameter.
---@param text string
---@return string
function M.plain(text) return (text:gsub("%${", "$${")) end


local function free_name(literal, taken)
  local hint = literal.kind ~= "path" and literal.hint ~= "" and tool_text.slug(literal.hint) or BASES[literal.kind]
  local base = hint:sub(1, LONG):gsub("_+$", "")
  if TAKEN[base] or not base:find "^[a-z]" then base = BASES[literal.kind] end
  local name, count = base, 2
  while taken[name] do name, count = base .. count, count + 1 end
  taken[name] = true
  return name
end


local function new_parameter(literal, taken)
  local what = literal.hint ~= "" and literal.hint or "the field"
  local known = literal.kind ~= "secret" and literal.value and #literal.value <= MOST and utf8.len(literal.value)
  return { name = free_name(literal, taken), type = "string", description = (ABOUTS[literal.kind]):format(what),
    default = known and literal.value or nil, about = literal.kind == "path" and "path" or nil }
end


---@class recorder.Parameters
---@field list macros.Parameter[]
---@field private taken table<string, true>
---@field private by_value table<string, string>  names
---@field private values {value: string, sign: string}[]
---@field private paths table<string, string>  signs of the last names of paths, by the signs of the paths
local Parameters = {}
Parameters.__index = Parameters

---@return recorder.Parameters
function M.new() return setmetatable({ list = {}, taken = {}, by_value = {}, values = {}, paths = {} }, Parameters) end


--- Makes a sign stand for a value in texts that are shown; another one for the last name of a path.
---@param value string
---@param sign string
---@param base? string
function Parameters:stand(value, sign, base)
  self.values[#self.values + 1] = { value = value, sign = sign }
  if base then self.paths[sign] = base end
  local last = base and value:match "[^/]+$"
  if last then self.values[#self.values + 1] = { value = last, sign = base } end
end


--- Adds a parameter that stands for no literal, and returns the name that it got.
---@param parameter macros.Parameter
---@return string
function Parameters:add(parameter)
  local base, count = parameter.name, 2
  while self.taken[parameter.name] do parameter.name, count = base .. count, count + 1 end
  self.taken[parameter.name] = true
  self.list[#self.list + 1] = parameter
  return parameter.name
end


--- The sign of the parameter for a literal: "${text}".
---@param literal recorder.Literal
---@return string
function Parameters:of(literal)
  local key = literal.kind ~= "secret" and literal.value
  local name = key and self.by_value[key]
  if not name then
    local parameter = new_parameter(literal, self.taken)
    self.list[#self.list + 1], name = parameter, parameter.name
    if key then
      self.by_value[key] = name
      self:stand(key, ("${%s}"):format(name), literal.kind == "path" and ("${%s.base}"):format(name) or nil)
    end
  end
  return ("${%s}"):format(name)
end


--- True if a value stands there as whole words.
local function stands(text, from, to)
  local before, behind = text:sub(from - 1, from - 1), text:sub(to + 1, to + 1)
  return not (from > 1 and before:find "%w") and not behind:find "%w"
end


local function replaced(text, value, sign)
  local from, to = text:find(value, 1, true)
  if not from or not stands(text, from, to) then return nil end
  return M.plain(text:sub(1, from - 1)) .. sign .. M.plain(text:sub(to + 1))
end


--- A text that an application shows, with the signs of parameters in place of their values. The longest value counts.
---@param text string
---@return string
function Parameters:shown(text)
  local best, least = nil, LEAST - 1
  for _, each in ipairs(self.values) do
    local found = #each.value > least and replaced(text, each.value, each.sign)
    if found then best, least = found, #each.value end
  end
  return best or M.plain(text)
end


--- The same of a part of a window's title. Of a path it has the last name, because a title abbreviates the folders or not.
---@param text string
---@return string
function Parameters:title(text)
  local shown = self:shown(text)
  for sign, base in pairs(self.paths) do
    for _, each in ipairs { sign, "/" .. base } do
      local _, to = shown:find(each, 1, true)
      if to then return base .. shown:sub(to + 1) end
    end
  end
  return shown
end


--- Sets a member by its place: "value", "steps.1.type".
local function put(at, place, value)
  local outer, last = place:match "^(.*)%.([^.]+)$"
  for key in (outer or ""):gmatch "[^.]+" do at = at[tonumber(key) or key] end
  at[last or place] = value
end


--- A copy of arguments in which nothing stands for a parameter but what replaces the literals.
---@param args table
---@param literals? recorder.Literal[]
---@param signs? table<recorder.Literal, string>  of those that are no parameters
---@return table
function Parameters:arguments(args, literals, signs)
  local function copied(value)
    if type(value) == "string" then return M.plain(value) end
    if type(value) ~= "table" then return value end
    local copy = {}
    for key, each in pairs(value) do copy[key] = copied(each) end
    return copy
  end
  local made = copied(args)
  for _, literal in ipairs(literals or {}) do
    local sign = signs and signs[literal]
    if literal.kind ~= "row" then put(made, literal.key, sign or self:of(literal))
    elseif sign then put(made, literal.key, ('%s"%s"'):format(M.plain(literal.prefix), sign)) end
  end
  return made
end


return M
