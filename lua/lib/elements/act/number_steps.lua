--- Brings sliders that take no number from accessibility to a number by their steps, as those of Swing.
--
-- The size of a step is measured. Steps are made by actions, which also work in the background, otherwise by arrow keys, after
-- pages where the number is far away.

local await    = require "elements.read.await"
local element  = require "sys.element"
local hands    = require "elements.read.hands"
local keyboard = require "elements.act.keyboard"
local words    = require "elements.read.words"

local M = {}

local MOST = 300      -- steps at once
local MOVES = 0.5     -- seconds for a step to be seen
local ROUNDS = 3      -- corrections, because steps need not be alike

local ACTIONS = { up = { "increment" }, down = { "decrement" } }


local function read(node)
  local fresh = element.get { node.id }
  if not fresh or fresh[1].gone then return nil end
  return fresh[1].number or tonumber(fresh[1].value)
end


local function action_of(node, names)
  for _, each in ipairs(node.actions or {}) do
    for _, name in ipairs(names) do
      if each:lower() == name then return each end
    end
  end
end


--- The ways to step: each is a function that goes so many steps up, or down if the count is negative.
local function by_actions(node)
  local up, down = action_of(node, ACTIONS.up), action_of(node, ACTIONS.down)
  if not up or not down then return nil end
  return function(count)
    for _ = 1, math.abs(count) do
      local done, err, code = element.act(node.id, { verb = "do", name = count > 0 and up or down })
      if not done then return nil, err, code end
    end
    return true
  end
end


local function by_keys(node, up, down)
  return function(count) return hands.keys(node, count > 0 and up or down, { count = math.abs(count) }) end
end


--- Goes so many steps, and returns the number that is there then.
local function go(node, step, count, expected)
  local since, before = await.mark(node.pid), read(node)
  local ok, err, code = step(count)
  if not ok then return nil, err, code end
  local now
  await.until_seen(node.pid, since, MOVES, function()
    now = read(node)
    return now == expected or not expected and now ~= before
  end)
  return now
end


--- The size of a step; nil: steps do nothing. One at an end of the range may go the other way only.
local function measure(node, step, wanted)
  local before = read(node)
  local first = before and wanted >= before and 1 or -1
  for _, count in ipairs { first, -first } do
    local now, err, code = go(node, step, count)
    if not now then return nil, err, code end
    if now ~= before then return (now - before) / count end
  end
end


local function approach(node, step, unit, wanted)
  for _ = 1, ROUNDS do
    local now = read(node)
    local count = now and math.floor((wanted - now) / unit + 0.5) or 0
    if count == 0 then return true end
    count = math.max(-MOST, math.min(MOST, count))
    local seen, err, code = go(node, step, count, now + count * unit)
    if not seen then return nil, err, code end
    if seen == now then return true end
  end
  return true
end


--- True if it may move by steps.
---@param node elements.Node
---@return boolean
function M.can(node) return node.states.focusable or by_actions(node) ~= nil end


--- Brings it as near to the number as its steps allow. Sets its `stepped`, the size of a step, if it is not exactly there then.
---@param node elements.Node  renewed
---@param wanted number
---@return string? route
---@return string? err
---@return string? code
function M.to(node, wanted)
  local route, step, unit = "steps", by_actions(node), nil
  local ok, err, code
  local fresh = element.get { node.id }   -- trees tell nothing of a scroll bar
  if fresh and not fresh[1].gone and fresh[1].least and fresh[1].least == fresh[1].most then
    return nil, ("%s took no number, and tells neither its value nor its range. Drag it, or turn the wheel over what it scrolls, "
      .. "with create_input."):format(words.called(node)), "not_supported"
  end
  if step then
    unit, err, code = measure(node, step, wanted)
    if code then return nil, err, code end
  end
  if not unit then
    err, code = hands.refusal(node, "set", "it takes no number, and its keys take the focus")
    if err then return nil, err, code end
    ok, err, code = keyboard.focus(node)
    if not ok then return nil, err, code end
    route, step = "keys", by_keys(node, "up", "down")
    unit, err, code = measure(node, step, wanted)
    if code then return nil, err, code end
    if not unit then
      return nil, ("%s takes no number and does not move by keys. Drag it with drag_element or create_input."):format(
        words.called(node)), "not_supported"
    end
  end
  local left = math.abs(wanted - (read(node) or wanted)) / math.abs(unit)
  local pages = left > MOST and not node.background and (route == "keys" or keyboard.focus(node))
  local page = pages and by_keys(node, "pageup", "pagedown")
  local size = page and measure(node, page, wanted)
  if size then approach(node, page, size, wanted) end
  ok, err, code = approach(node, step, unit, wanted)
  if not ok then return nil, err, code end
  node.stepped = read(node) ~= wanted and math.abs(unit) or nil
  return route
end


return M
