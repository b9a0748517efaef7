--- A part of a recording that was done several times with other values: it can become a loop over rows.

local parameters = require "recorder.parameters"

local M = {}

---@class recorder.Loop
---@field first integer    the first step of it
---@field length integer   the steps of one time
---@field count integer    times


--- The title that a step waits for comes of the values, and is compared later.
local function free_of(step)
  if step.kind ~= "wait" then return {} end
  return { text = true, window = step.waits_for ~= nil }
end


local function literal_at(step, key)
  for _, literal in ipairs(step.literals or {}) do
    if literal.key == key then return literal end
  end
end


--- The text of arguments without the values that are literals.
local function bare(step, value, place, free)
  local literal = type(value) ~= "table" and literal_at(step, place)
  if literal then return (literal.prefix or "") .. "?" end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for key, each in pairs(value) do
    if not free[key] then
      local inner = place == "" and tostring(key) or place .. "." .. key
      parts[#parts + 1] = key .. "=" .. bare(step, each, inner, {})
    end
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end


--- Equal for two steps that differ only in what was typed and chosen.
local function signature(step)
  return ("%s %s %d %s"):format(step.kind, step.tool, step.window, bare(step, step.args, "", free_of(step)))
end


local function values_of(steps, from, to)
  local list = {}
  for i = from, to do
    for _, literal in ipairs(steps[i].literals or {}) do list[#list + 1] = literal.value or "" end
  end
  return list
end


--- How often the steps from one on are done in a row.
local function times(signs, first, length)
  local count = 1
  while true do
    for k = 0, length - 1 do
      local a, b = signs[first + k], signs[first + count * length + k]
      if not b or a ~= b then return count end
    end
    count = count + 1
  end
end


--- True if the times differ in what was typed or chosen.
local function differs(steps, first, length, count)
  local one = table.concat(values_of(steps, first, first + length - 1), "\0")
  for time = 1, count - 1 do
    local from = first + time * length
    if table.concat(values_of(steps, from, from + length - 1), "\0") ~= one then return true end
  end
  return false
end


--- True for a step in which only the row differs: two of them may be two things that were clicked.
local function is_only_row(step)
  for _, literal in ipairs(step.literals or {}) do
    if literal.kind ~= "row" then return false end
  end
  return true
end


--- Finds the part that was done most often.
---@param steps recorder.Step[]
---@return recorder.Loop?
function M.find(steps)
  local signs, best = {}, nil
  for i, step in ipairs(steps) do signs[i] = signature(step) end
  for length = 1, #steps // 2 do
    for first = 1, #steps - 2 * length + 1 do
      local count = times(signs, first, length)
      local enough = count > 1 and (length > 1 or count > 2 or not is_only_row(steps[first]))
      local more = enough and (not best or count * length > best.count * best.length)
      if more and differs(steps, first, length, count) then best = { first = first, length = length, count = count } end
    end
  end
  return best
end


-- --- its rows ------------------------------------------------------------------------------------------------

--- A literal of the loop: the values that it has from time to time.
local function values_at(steps, loop, k, j)
  local list, same = {}, true
  for time = 0, loop.count - 1 do
    list[time + 1] = steps[loop.first + time * loop.length + k].literals[j].value or ""
    same = same and list[time + 1] == list[1]
  end
  return list, same
end


---@class recorder.Rows
---@field columns string[]
---@field values string[][]      of each column
---@field signs table<recorder.Literal, string>

--- The columns for a loop: what differs from time to time, each once. A secret never is in a file.
---@param steps recorder.Step[]
---@param loop recorder.Loop
---@return recorder.Rows
function M.rows(steps, loop)
  local names, known, rows = parameters.new(), {}, { columns = {}, values = {}, signs = {} }
  for k = 0, loop.length - 1 do
    for j, literal in ipairs(steps[loop.first + k].literals or {}) do
      local values, same = values_at(steps, loop, k, j)
      if not same and literal.kind ~= "secret" then
        local key = table.concat(values, "\0")
        local name = known[key] or names:of({ key = "", kind = literal.kind, hint = literal.hint, value = key }):match "%w[%w_]*"
        if not known[key] then
          known[key] = name
          rows.columns[#rows.columns + 1], rows.values[#rows.values + 1] = name, values
        end
        rows.signs[literal] = ("${row.%s}"):format(name)
      end
    end
  end
  return rows
end


--- A text that the application showed, with the signs of the columns in it; nil: it does not come of them alone.
---@param rows recorder.Rows
---@param texts string[]  of each time
---@return string?
function M.shown(rows, texts)
  local found
  for time, text in ipairs(texts) do
    local made = parameters.new()
    for i, column in ipairs(rows.columns) do made:stand(rows.values[i][time], ("${row.%s}"):format(column)) end
    local now = made:shown(text)
    if found and now ~= found then return nil end
    found = now
  end
  return found
end


return M
