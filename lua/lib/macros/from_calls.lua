--- A macro of calls that were made: of the run of an agent, or of a session.
--
-- 1. What acted, did not fail and was not undone is kept (macros.kept).
-- 2. Refs become selectors, by the last outline before the call (macros.outlines, macros.selector).
-- 3. Values of the request become parameters (macros.wishes).
-- 4. Values that were read and used later become variables (macros.carried).
-- 5. The last look or verify becomes the check (macros.last_look).

local carried   = require "macros.carried"
local deeds     = require "macros.deeds"
local identity  = require "macros.identity"
local json      = require "sys.json"
local kept      = require "macros.kept"
local last_look = require "macros.last_look"
local set_of    = require("word_set").of
local wishes    = require "macros.wishes"

local M = {}

local SEEN  = set_of "confirmed partial"
local WAITS = set_of "element element_gone text enabled value title window gone"

---@class macros.Taken
---@field steps macros.Given[]
---@field wishes macros.Wish[]
---@field unseen integer    steps without a seen effect
---@field checked boolean   it ends with a check
---@field reading macros.Reading
---@field record macros.Identity  the language, the application if there is one, and how many match selectors with nth


--- True for a deed that is a step.
local function is_step(deed)
  if deed.kind == "look" or deed.kind == "verify" then return false end
  return deed.kind ~= "wait" or WAITS[deed.given.arguments.condition] == true or deed.given.tool == "act"
end


--- The step of a deed.
local function step_of(deed)
  local given = deed.given
  local args = given.arguments
  if given.tool == "create_input" and args.action ~= "keys" and args.action ~= "type" and args.action ~= "paste" then
    return nil, ("%s at a point of the screen cannot be repeated: other things may be there. Do the task with elements")
      :format(args.action or "an input")
  end
  if args.action == "paste" then args.action = "type" end
  for key in pairs(args) do
    if given.tool == "create_input" and not set_of("action keys count text application window")[key] then args[key] = nil end
  end
  local step = { tool = given.tool, arguments = args }
  if deed.popup then step.plain = true end
  -- Return and Tab leave the field, so that what was typed cannot be read back.
  local leaves = args.action == "type" and (args.text or ""):find "[\n\t]"
  if leaves or deed.effect and not SEEN[deed.effect] then step.unseen = true end
  deed.unseen = step.unseen and not leaves
  return step
end


--- Adds the opening of each application that was open before the run began.
local function with_openings(steps)
  local list, open = {}, {}
  for _, step in ipairs(steps) do
    local name = step.arguments.application
    if step.tool == "open_application" then open[name] = true end
    if name and not open[name] then
      list[#list + 1] = { tool = "open_application", arguments = { application = name } }
      open[name] = true
    end
    list[#list + 1] = step
  end
  return list
end


--- The steps in order, with those that read a value and the check in their places.
local function steps_of(list, reads, check, check_at, options)
  local steps, unseen, last = {}, 0, nil
  for at, deed in ipairs(list) do
    for _, step in ipairs(reads[at] or {}) do steps[#steps + 1] = step end
    if at == check_at then
      steps[#steps + 1] = check
    elseif is_step(deed) then
      local step, err = step_of(deed)
      if not step then return nil, err end
      if deed.unseen then unseen = unseen + 1 end
      if not deed.unseen or options.unseen then
        if deed.kind ~= "call" and not step.plain then step.arguments.application = step.arguments.application or last end
        steps[#steps + 1] = step
      end
      last = step.arguments.application or last
    end
  end
  return steps, unseen
end


local ON_ELEMENTS = set_of "set choose click"

--- The record beside the file.
local function record_of(reading, list, steps)
  local record = { format = identity.FORMAT, locale = identity.locale(), steps = json.array {} }
  local used, last, count = {}, nil, 0
  for _, step in ipairs(steps) do
    local name, resource = reading.places:application(step.arguments.application or "")
    if step.arguments.application and not used[name] then used[name], last, count = true, resource, count + 1 end
  end
  local of = count == 1 and reading.places.applications[last or ""]
  if of and of.display then record.application = { name = of.display, id = of.id } end
  for _, deed in ipairs(list) do
    if ON_ELEMENTS[deed.kind] and deed.seen and deed.seen.count and deed.given.arguments.element == deed.seen.line then
      record.steps[#record.steps + 1] = { kind = deed.kind, selector = deed.seen.line, role = deed.seen.node.role,
        count = deed.seen.count }
    end
  end
  return record
end


--- Returns the steps and parameters of a macro.
---@param made macros.Made[]
---@param request string  "": no value becomes a parameter
---@param options? {unseen?: boolean}  unseen: with the steps whose effect was not seen
---@return macros.Taken? taken
---@return string? err
---@return string? code  "NOTHING_DONE", "NOT_REPEATABLE"
function M.of(made, request, options)
  local reading, err = deeds.read(made)
  if not reading then return nil, err, "NOT_REPEATABLE" end
  local list = kept.of(reading.deeds)
  local check, check_at = last_look.of(reading, list)
  local reads = carried.put(reading, list, request, check)
  local steps, unseen = steps_of(list, reads, check, check_at, options or {})
  if not steps then return nil, unseen, "NOT_REPEATABLE" end
  local acts = 0
  for _, step in ipairs(steps) do acts = acts + ((step == check or step.as) and 0 or 1) end
  if acts == 0 then return nil, "No call of it acted, did not fail and was not undone", "NOTHING_DONE" end
  steps = with_openings(steps)
  local wished = wishes.put(steps, request)
  return { record = record_of(reading, list, steps), steps = steps, wishes = wished, unseen = unseen, checked = check ~= nil,
    reading = reading }
end


return M
