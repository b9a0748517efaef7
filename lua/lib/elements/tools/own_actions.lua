--- An element's own actions by their names, and the actions that all elements have.

local asking = require "elements.read.asking"
local judge  = require "elements.read.judge"
local press  = require "elements.press.ways"
local words  = require "elements.read.words"

local M = {}


local function by_verb(node, verb, more)
  local change = { verb = verb }
  for key, value in pairs(more or {}) do change[key] = value end
  return asking.route(node, change, verb)
end


--- An action that brings the element into a state. It does nothing if the element is in the state already.
local function into(state, wanted, act)
  return {
    act = function(node)
      if (node.states[state] or false) == wanted then return "nothing to do" end
      return act(node)
    end,
    asked = function(node)
      local before = (node.states[state] or false) == wanted
      return { node = node, own = function(seen) return judge.state(seen.now, state, wanted, before) end }
    end,
  }
end


local function by_step(direction)
  return { act = function(node)
    if not node.abilities.count then return nil, words.called(node) .. " holds no number.", "not_supported" end
    local step = node.step and node.step > 0 and node.step or 1
    return by_verb(node, "set_number", { number = (node.number or 0) + direction * step })
  end }
end


local VERBS = {
  press           = { act = function(node)
                      local way, err, code = press.way(node, "auto")
                      if not way then return nil, err, code end
                      return way()
                    end },
  focus           = into("focused", true, function(node)
                      local done, err, code = asking.focus(node)
                      return done and "focus", err, code
                    end),
  select          = into("selected", true, press.by_selection),
  expand          = into("expanded", true, function(node) return press.by_opening(node, true) end),
  collapse        = into("expanded", false, function(node) return press.by_opening(node, false) end),
  increment       = by_step(1),
  decrement       = by_step(-1),
  show            = { act = function(node) return by_verb(node, "show") end },
}


local NAMES = { "press", "focus", "select", "expand", "collapse", "increment", "decrement", "show" }


--- The action of that name. The element's own actions come first, because get_element lists their names.
---@param node elements.Node
---@param action string
---@return {act: fun(node: elements.Node): string?, string?, string?}? doing
---@return string? err
---@return string? code
function M.find(node, action)
  if action:lower() == "expand" or action:lower() == "collapse" then return VERBS[action:lower()] end   -- these use it
  for _, name in ipairs(node.actions or {}) do
    if name ~= "" and name:lower() == action:lower() then
      return { act = function() return press.by_action(node, name) end }
    end
  end
  if action:lower() == "select" and words.in_sheet(node) then return VERBS.press end   -- in a sheet the cursor counts
  if VERBS[action:lower()] then return VERBS[action:lower()] end
  local own = {}
  for i, name in ipairs(node.actions or {}) do own[i] = words.quote(name, 40) end
  return nil, ("%s has no action %s. It has %s; and %s."):format(words.called(node), words.quote(action, 40),
    #own > 0 and table.concat(own, ", ") or "none of its own", table.concat(NAMES, ", ")), "bad_argument"
end


return M
