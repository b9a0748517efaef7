--- Gives a date entry of a page its value, as a person does: types each part into its own field, and leaves the entry.

local await    = require "elements.read.await"
local dates    = require "elements.choose.dates"
local element  = require "sys.element"
local hands    = require "elements.read.hands"
local keyboard = require "elements.act.keyboard"
local modal    = require "elements.read.modal"
local words    = require "elements.read.words"

local M = {}

local TAKES = 2   -- seconds for a part to show what was typed,
local LEAVES = 1  -- and for the focus to move


local function now_of(part)
  local fresh = element.get { part.id }
  return fresh and not fresh[1].gone and fresh[1] or nil
end


local function held_by(part, kind)
  local now = now_of(part)
  if now then return dates.held_by(now, kind) end
end


local function await_number(part, kind, since, number)
  return await.until_seen(part.pid, since, TAKES, function()
    return held_by(part, kind) == number
  end)
end


local WIDTHS = { year = 4, milliseconds = 3 }

--- Types a number into the part that has the focus.
local function type_number(part, kind, number)
  local since = await.mark(part.pid)
  local ok, err, code = hands.type(part, ("%%0%dd"):format(WIDTHS[kind] or 2):format(number))
  if not ok then return nil, err, code end
  return await_number(part, kind, since, number) or false
end


local FILLS = { month = true, week = true, day = true, hours = true, minutes = true, seconds = true }

--- The one of these elements that has the focus.
---@param ids integer[]
---@return integer?
local function focused_of(ids)
  for _, each in ipairs(element.get(ids) or {}) do
    if not each.gone and each.states.focused then return each.id end
  end
end


--- Waits until the browser has gone on to a later part by itself, as it does once a part is full. Between the two neither has
--- the focus.
local function await_next(list, i)
  local later = {}
  for at = i + 1, #list do later[#later + 1] = list[at].id end
  await.until_seen(list[i].pid, await.mark(list[i].pid), LEAVES, function() return focused_of(later) end)
end


--- Sets the half of the day: Firefox knows it by a letter in every language, Chromium only counts.
local function set_half(part, half)
  if part.role ~= "spin" then
    local since = await.mark(part.pid)
    local ok, err, code = hands.type(part, half == 1 and "a" or "p")
    if not ok then return nil, err, code end
    return await_number(part, "half", since, half) or false
  end
  for _ = 1, 2 do
    local since = await.mark(part.pid)
    local before = held_by(part, "half")
    local ok, err, code = hands.keys(part, "up")
    if not ok then return nil, err, code end
    await.until_seen(part.pid, since, TAKES, function() return held_by(part, "half") ~= before end)
    if held_by(part, "half") == half then return true end
  end
  return false
end


local function clear(part, kind)
  local since = await.mark(part.pid)
  local ok, err, code = hands.keys(part, "backspace")
  if not ok then return nil, err, code end
  return await_number(part, kind, since, nil) or false
end


local function set(part, kind, number)
  if number == nil then return clear(part, kind) end
  if kind == "half" then return set_half(part, number) end
  return type_number(part, kind, number)
end


--- Gives a part the focus, unless it has it. A browser that is busy carries a request out later than it agrees to it: one for
--- a part that has the focus would take it back from the next part, to which the browser goes on meanwhile.
local function focus(part)
  if keyboard.has_focus(part) then return true end
  return keyboard.focus(part)
end


--- Writes a part, unless it holds the number already. number: nil clears it.
local function write_part(node, part, kind, number)
  if held_by(part, kind) == number then return "held" end
  local ok, err, code = focus(part)
  if not ok then return nil, err, code end
  err, code = modal.keys_refusal()
  if err then return nil, err, code end
  ok, err, code = set(part, kind, number)
  if ok then return "written" end
  if ok == nil then return nil, err, code end
  return nil, ("%s did not take %s: the part %s shows %s. Look at the page: the entry may be read-only, or allow no such value.")
    :format(words.called(node), number and tostring(number) or "being cleared", words.called(part),
    words.quote((now_of(part) or part).value or "", 40)), "element_refused"
end


--- Leaves the entry by Tab, through its other parts and its button.
local function leave(node)
  local inner = {}
  local function add(each)
    for _, below in ipairs(each.down or {}) do
      inner[#inner + 1] = below.id
      add(below)
    end
  end
  add(node)
  local at = focused_of(inner)
  for _ = 1, #inner do
    if not at then return true end
    local since, was = await.mark(node.pid), at
    local ok, err, code = hands.keys(node, "tab")
    if not ok then return nil, err, code end
    await.until_seen(node.pid, since, LEAVES, function() return focused_of(inner) ~= was end)
    at = focused_of(inner)
    if at == was then return false end
  end
  return at == nil
end


--- Refuses a number that a part cannot hold.
local function fits(node, entry, numbers)
  for kind, number in pairs(numbers) do
    local part = entry.parts[kind]
    if dates.has_limits(part) and (number < part.least or number > part.most) then
      return nil, ("%s of %s holds %g to %g. Pass a value between them."):format(words.called(part), words.called(node),
        part.least, part.most), "bad_argument"
    end
  end
  return true
end


---@param node elements.Node
---@param entry elements.DateEntry
---@param value string  in the form of HTML; "" clears it
---@return string? route
---@return string? err
---@return string? code
function M.write(node, entry, value)
  local numbers = value == "" and {} or dates.numbers(entry, value)
  if not numbers then
    return nil, ("%s takes a value such as %s, and %s is none. Pass that form, in whatever order the page shows its parts.")
      :format(words.called(node), entry.shape, words.quote(value, 40)), "bad_argument"
  end
  local err, code = hands.refusal(node, "written", "its parts take only what is typed, which takes the focus")
  if err then return nil, err, code end
  if numbers.hours then numbers.hours, numbers.half = dates.shown_hour(entry, numbers.hours) end
  local ok
  ok, err, code = fits(node, entry, numbers)
  if not ok then return nil, err, code end
  local kinds, route = {}, "nothing to do"
  for kind, part in pairs(entry.parts) do kinds[part] = kind end
  for i, part in ipairs(entry.list) do
    local kind = kinds[part]
    ok, err, code = write_part(node, part, kind, numbers[kind])
    if not ok then return nil, err, code end
    if ok == "written" then route = "keys" end
    if ok == "written" and numbers[kind] and FILLS[kind] and i < #entry.list then await_next(entry.list, i) end
  end
  if route == "keys" and leave(node) then route = "keys, then tab" end
  return route
end


return M
