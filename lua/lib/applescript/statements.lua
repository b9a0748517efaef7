--- Checks the statements of a line by the grammar, each with the terms that are valid there.

local blocks  = require "applescript.blocks"
local grammar = require "applescript.grammar"
local scopes  = require "applescript.scopes"

local M = {}


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


--- True if terms may be valid in these tokens that are not known.
local function is_loose(judge, scope, line, first, last)
  if judge.open or scope.mixed or scope.foreign then return true end
  for _, terms in ipairs(scope.all) do
    if terms.open then return true end
  end
  return scopes.literal(line, first, last) ~= nil or scopes.names_library(line, first, last)
end


local function check_condition(judge, judged, line, scope, first)
  local after = blocks.find_then(line, first)
  local stop = after and after - 1 or line.n
  if stop <= first then
    judged:missing_after(first, "The condition is missing after 'if'.")
  else
    judged:part(scope, first + 1, stop, is_loose(judge, scope, line, first + 1, stop), "condition")
  end
end


---@param judge applescript.Judge
---@param line applescript.Line
---@param list {first: integer, scope: applescript.Scope}[]  from judge:statements()
---@param report applescript.Reporter
function M.check(judge, line, list, report)
  local judged = grammar.new(judge.source, line, report, judge.open)
  for k, statement in ipairs(list) do
    local first, following, scope = statement.first, list[k + 1], statement.scope
    local stop = following and following.first - 1 or line.n
    local text = word(line, first)
    if text == "tell" and first < line.n then
      local last = following and following.first - 2 or line.n
      judged:part(scope, first + 1, last, is_loose(judge, scope, line, first + 1, last), "object")
    elseif text == "if" then
      check_condition(judge, judged, line, scope, first)
    elseif text == "else" and stop > first then
      judged:part(scope, first + 1, stop, is_loose(judge, scope, line, first + 1, stop), "statement")
    elseif text ~= "else" then
      judged:part(scope, first, stop, is_loose(judge, scope, line, first, stop), "statement")
    end
    if judged.told then return end
  end
end


return M
