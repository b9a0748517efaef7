--- Steps of act in words: their schema, the tools that they stand for, and the line for a finished one.

local predicates = require "elements.check.predicates"
local s          = require "schema"

local M = {}

M.LONGEST = 55   -- seconds of a call, and of a wait


--- `2 click button "Save" by action click: confirmed, dialog "Save As" came`
---@param i integer
function M.line(i, done)
  local head = ("%d %s%s"):format(i, done.step, done.text ~= "" and " " .. done.text or "")
  if done.route then head = head .. " by " .. done.route end
  local effect = done.effect and done.effect:gsub("_", " ") .. ", " or ""
  return ("%s: %s%s"):format(head, done.code and not done.effect and "failed, " or effect, done.evidence)
end


--- The result of all steps.
function M.headline(list, done)
  local last = done[#done]
  if last.holds then return #done == 1 and "The step is done." or ("All %d steps are done."):format(#done) end
  return ("Stopped at step %d of %d, which does not hold."):format(#done, #list)
end


-- The tool that does the same as a step of this kind, and the name of its argument for it.
local TOOLS = { find = { "get_element", "element" }, click = { "click_element", "element" },
  double_click = { "click_element", "element" }, set = { "write_element_value", "element" },
  drag = { "drag_element", "element" }, drop = { "drop_files", "files" },
  menu = { "select_menu_item", "path" }, type = { "create_input", "text" }, keys = { "create_input", "keys" } }


--- The calls that a wait and a check stand for. A wait is one for a predicate of verify, and so it is about what that is about.
local function looks(step, args, list)
  for _, kind in ipairs { "wait", "verify" } do
    local predicate = step[kind]
    if type(predicate) == "table" then
      list[#list + 1] = { tool = "verify", args = { predicates = { predicate }, application = args.application,
        window = args.window } }
      if kind == "wait" then
        local given = { application = args.application, window = args.window, condition = "element" }
        for key, value in pairs(predicate) do given[key] = value end
        list[#list + 1] = { tool = "wait_for", args = given, about_as = "verify" }
      end
    end
  end
end


--- The calls that the steps stand for, for the policy (docs/policy.md), which may deny some of them.
---@param args {steps: table[], application?: string, window?: string}
function M.stands_for(args)
  local list = {}
  for _, step in ipairs(args.steps) do
    looks(step, args, list)
    for kind, is in pairs(TOOLS) do
      if step[kind] ~= nil then
        local given = { [is[2]] = step[kind], value = step.value, to = step.to, application = args.application,
          window = args.window, action = is[1] == "create_input" and kind or nil }
        if kind == "drop" then given.element, given.to, given.path = step.to, nil, step.drop end
        list[#list + 1] = { tool = is[1], args = given }
      end
    end
  end
  return list
end


local function element_of(description) return s.string(description, { optional = true, minLength = 1, maxLength = 1000 }) end


local WAIT = { table.unpack(predicates.PARAMETERS) }
WAIT[#WAIT + 1] = { "timeout", s.number("Seconds.", { optional = true, minimum = 0, maximum = M.LONGEST, default = 10 }) }


--- A step, for the schema of act.
M.STEP = s.object {
  { "find", element_of "Must match one." },
  { "click", element_of "Ref or selector." },
  { "double_click", element_of() },
  { "drag", element_of "With to." },
  { "to", s.string(nil, { optional = true, maxLength = 1000 }) },
  { "drop", s.array(s.string(), "Paths of files, with to.", { optional = true, minItems = 1, maxItems = 1000 }) },
  { "set", element_of "With value." },
  { "value", s.string(nil, { optional = true, maxLength = 100000 }) },
  { "menu", s.string('As "File > Save As...".', { optional = true, minLength = 1, maxLength = 1000 }) },
  { "type", s.string("Text, at the focus of the window of these steps.", { optional = true, minLength = 1, maxLength = 10000 }) },
  { "keys", s.string("As ctrl+s.", { optional = true, minLength = 1, maxLength = 100 }) },
  { "wait", s.brief(s.object(WAIT, "Until a predicate of verify holds; its timeout: 10 s.", { optional = true })) },
  { "verify", s.brief(s.object(predicates.PARAMETERS, "A predicate of verify has to hold.", { optional = true })) },
  { "must", s.boolean("Also stop if no effect is seen.", { optional = true }) },
}


return M
