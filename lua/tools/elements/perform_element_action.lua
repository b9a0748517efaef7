--- Performs one of an element's own actions, or one that all systems have.

local attempt     = require "elements.act.attempt"
local beginnings  = require "desktop.beginnings"
local fail        = require "desktop.fail"
local own_actions = require "elements.tools.own_actions"
local s           = require "schema"
local tool        = require "elements.tools.shared"


---@param args {element: string, action: string, application?: string, window?: string, background?: boolean}
---@param call Call
local function run(args, call)
  local found, err, code = attempt.begin(args)
  if not found then return fail.with(err, code) end
  local node = found.node
  local doing
  doing, err, code = own_actions.find(node, args.action)
  if not doing then return fail.with(err, code) end
  local asked, report = doing.asked and doing.asked(node) or { node = node, press = true }
  report, err, code = attempt.run(found, function() return doing.act(node) end, attempt.verdict(asked))
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
    tool.application, tool.window, tool.background,
  },
  outputSchema = tool.report_schema,
  annotations  = tool.acting,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  about = { "focused", element = "element", application = "application", window = "window" },
  run = beginnings.run(run),

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
