--- Does one of an element's own actions, or one that all systems have.

local attempt = require "elements.act.attempt"
local element = require "sys.element"
local fail    = require "desktop.fail"
local judge   = require "elements.read.judge"
local press   = require "elements.press.ways"
local s       = require "schema"
local tool    = require "elements.tool"
local words   = require "elements.read.words"

local function by_verb(node, verb, more)
  local change = { verb = verb }
  for key, value in pairs(more or {}) do change[key] = value end
  local done, err, code = element.act(node.id, change)
  if not done then return nil, err, code end
  return verb
end


--- For an action that puts it into a state: nothing is done where it is so already.
local function into(state, wanted, act)
  return {
    act = function(node)
      if (node.states[state] or false) == wanted then return "nothing to do" end
      return act(node)
    end,
    verdict = function(node)
      local before = (node.states[state] or false) == wanted
      return function(seen) return judge.state(seen.now, state, wanted, before) end
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
  focus           = into("focused", true, function(node) return by_verb(node, "focus") end),
  select          = into("selected", true, press.by_selection),
  expand          = into("expanded", true, function(node) return press.by_opening(node, true) end),
  collapse        = into("expanded", false, function(node) return press.by_opening(node, false) end),
  increment       = by_step(1),
  decrement       = by_step(-1),
  show            = { act = function(node) return by_verb(node, "show") end },
}


local NAMES = { "press", "focus", "select", "expand", "collapse", "increment", "decrement", "show" }


--- One of its own first: their names are what get_element told.
local function chosen(node, action)
  if action:lower() == "expand" or action:lower() == "collapse" then return VERBS[action:lower()] end   -- those do it, too
  for _, name in ipairs(node.actions or {}) do
    if name ~= "" and name:lower() == action:lower() then
      return { act = function() return press.by_action(node, name) end }
    end
  end
  if action:lower() == "select" and words.in_sheet(node) then return VERBS.press end   -- its cursor is what counts there
  if VERBS[action:lower()] then return VERBS[action:lower()] end
  local own = {}
  for i, name in ipairs(node.actions or {}) do own[i] = words.quote(name, 40) end
  return nil, ("%s has no action %s. It has %s; and %s."):format(words.called(node), words.quote(action, 40),
    #own > 0 and table.concat(own, ", ") or "none of its own", table.concat(NAMES, ", ")), "bad_argument"
end


---@param args {element: string, action: string, application?: string, window?: string}
---@param call Call
local function run(args, call)
  local found, err, code = attempt.begin(args)
  if not found then return fail.with(err, code) end
  local node = found.node
  local doing
  doing, err, code = chosen(node, args.action)
  if not doing then return fail.with(err, code) end
  local verdict = doing.verdict and doing.verdict(node) or attempt.press_verdict(node)
  local report
  report, err, code = attempt.run(found, function() return doing.act(node) end, verdict)
  if not report then return fail.with(err, code) end
  return tool.answer(call, ("Did %s of"):format(args.action), node, report)
end


---@type Tool
return {
  title        = "Perform an element's action",
  description  = "Perform one of an element's own actions, or one that all have. get_element lists its own; the others are "
              .. "press, focus, select, expand, collapse, increment, decrement, and show (scrolls it into view). To click, use "
              .. "click_element.",
  inputSchema  = s.object {
    tool.element,
    { "action", s.string("Name of the action.", { minLength = 1, maxLength = 256 }) },
    tool.application, tool.window,
  },
  outputSchema = tool.report_schema,
  annotations  = tool.acting,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  run = run,

  examples = {
    { "a menu is opened, and its items come",
      shows = { { { 0, "window", "Notes" }, { 1, "menu", "File", actions = { "click" }, states = { expandable = true } } },
                { { 0, "window", "Notes" },
                  { 1, "menu", "File", actions = { "click" }, states = { expandable = true, expanded = true } },
                  { 2, "menuitem", "New" } } },
      args  = { element = 'menu "File"', action = "expand" },
      want  = { effect = "confirmed", route = "action click", evidence = "it is expanded now",
                changes = { '+ e3 menuitem "New"', '~ e2 menu "File" expanded' } } },
    { "what is so already is left alone",
      shows = { { { 0, "window", "Notes" }, { 1, "menu", "File", states = { expandable = true, expanded = true } } } },
      args  = { element = 'menu "File"', action = "expand" },
      want  = { effect = "none_seen", route = "nothing to do", evidence = "it was expanded before, and still is" } },
    { "an action that it does not have",
      shows = { { { 0, "window", "Notes" }, { 1, "text", "", actions = { "text.redo", "clipboard.paste" }, value = "abc" } } },
      args  = { element = "text", action = "fold" },
      err   = 'text has no action "fold". It has "text.redo", "clipboard.paste"; and press, focus', code = "INVALID_ARGUMENT" },
  },
}
