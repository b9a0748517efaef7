--- Finds the scope of a line of AppleScript: the application whose terms are valid, and the object of `tell`, from the
--- surrounding `tell` and `using terms from`.

local blocks      = require "applescript.blocks"
local expressions = require "applescript.expressions"

local M = {}

---@class applescript.Scope
---@field terms? applescript.Terms   the terms of the innermost application, if known
---@field all applescript.Terms[]    the terms of all surrounding applications
---@field foreign boolean            the innermost application's terms are not known
---@field mixed boolean              the terms of a surrounding application are not known
---@field target? string             the class of the object of `tell`
---@field variables table<string, applescript.Type|false>  false: several, or unknown

---@return applescript.Scope
function M.new()
  return { all = {}, foreign = false, mixed = false, variables = {} }
end


local function derived(scope)
  return { terms = scope.terms, all = scope.all, foreign = scope.foreign, mixed = scope.mixed, target = nil,
           variables = scope.variables }
end


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


--- The application in a range of tokens, named by a literal: its name or ID, and the literal's token.
---@return string? name
---@return boolean? by_id
---@return integer? token
function M.literal(line, first, last)
  for i = first, last do
    local text = word(line, i)
    if text == "application" or text == "app" then
      local by_id = word(line, i + 1) == "id"
      local at = by_id and i + 2 or i + 1
      if at <= last and line.kinds[at] == "string" then return line.texts[at], by_id, at end
    end
  end
  return nil
end


--- Commands whose names end in `script`.
local SCRIPT_COMMANDS = { shell = true, run = true, load = true, store = true }

--- True if a range of tokens names a library of scripts, which may have terms of its own: script "X".
function M.names_library(line, first, last)
  for i = first, last - 1 do
    local named = word(line, i) == "script" and line.kinds[i + 1] == "string"
    if named and not SCRIPT_COMMANDS[word(line, i - 1) or ""] then return true end
  end
  return false
end


--- The scope inside `tell`. The tokens first to last are its object.
---@param judge applescript.Judge
function M.tell(judge, scope, line, first, last)
  local inner = derived(scope)
  local name, by_id, at = M.literal(line, first, last)
  if name then judge:enter(inner, name, by_id, line.ats[at]) end
  if M.names_library(line, first, last) then inner.terms, inner.foreign, inner.mixed = nil, true, true end
  local head = word(line, first) == "the" and first + 1 or first
  local text = word(line, head)
  local longer = inner.terms and inner.terms:term(line, head)     -- "application process" is a term of System Events
  if (text == "application" or text == "app") and (not longer or longer == "application") then
    inner.target = "application"
  elseif text ~= "me" and text ~= "current" and text ~= "script" and inner.terms and not inner.foreign then
    local context = judge:context(line, inner)
    context.target = scope.target
    local kind = expressions.object(context, first)
    inner.target = kind and not kind.list and kind.name or kind and kind.name or nil
  end
  return inner
end


--- The scope inside a block that a line opened.
---@param judge applescript.Judge
---@param scope applescript.Scope  the scope of that line
---@param block applescript.Block
function M.of_block(judge, scope, block)
  local line, first = block.line, block.first
  if block.kind == "tell" then return M.tell(judge, scope, line, first + 1, line.n) end
  if block.kind == "using terms from" then
    local inner = derived(scope)
    inner.target = scope.target
    local name, by_id, at = M.literal(line, first + 3, line.n)
    if name then judge:enter(inner, name, by_id, line.ats[at]) end
    return inner
  end
  if block.kind == "handler" or block.kind == "script" then
    local inner = derived(scope)
    inner.variables = judge:variables(block.at)
    return inner
  end
  return scope
end


--- The statements of a line, outermost first: those after `tell x to`, `then` and `else`, each with its scope.
---@param judge applescript.Judge
---@return {first: integer, scope: applescript.Scope}[]
function M.statements(judge, scope, line)
  local list, first = {}, 1
  while first and first <= line.n do
    list[#list + 1] = { first = first, scope = scope }
    local text, next_first = word(line, first), nil
    if text == "tell" then
      next_first = blocks.told(line, first)
      if next_first then scope = M.tell(judge, scope, line, first + 1, next_first - 2) end
    elseif text == "if" then
      local after = blocks.find_then(line, first)
      next_first = after and after + 1
    elseif text == "else" then
      next_first = first + 1
    end
    first = next_first
  end
  return list
end


return M
