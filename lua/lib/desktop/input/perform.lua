--- Performs one action of the pointer or the keyboard: checks its arguments, sends it, and finds out its effect.

local aftermath = require "elements.act.aftermath"
local effects   = require "desktop.effects"
local evidence  = require "desktop.input.evidence"
local fail      = require "desktop.fail"
local inputs    = require "desktop.inputs"
local names     = require "desktop.names"
local sending   = require "desktop.sending"
local told      = require "desktop.input.told"
local windows   = require "desktop.windows"

local M = {}

-- Actions that go to no window: they let go of what is held down, wherever that is, or only move.
local UNTIED = { key_up = true, move = true, release = true }


---@param list string[]
---@param wanted string
local function among(list, wanted)
  for _, item in ipairs(list) do
    if item == wanted then return true end
  end
  return false
end


--- The error in arguments that do not belong together; nil: there is none.
---@param action input.Action
---@return string? err
local function misfit(action, args)
  for name in pairs(args) do
    local taken = name == "action" or name == "window" and not UNTIED[action.name] or among(action.takes, name)
    if not taken then
      return ("%s does not accept %s. It accepts %s."):format(action.name, name, table.concat(action.takes, ", "))
    end
  end
  for _, name in ipairs(action.needs or {}) do
    if args[name] == nil then return ("%s requires %s."):format(action.name, table.concat(action.needs, " and ")) end
  end
  if (args.x == nil) ~= (args.y == nil) then return "x and y must be passed together. Pass both or neither." end
  if args.image_id and not args.x and not args.path then
    return "image_id requires x and y. Pass them as pixels in that screenshot."
  end
  return action.misfit and action.misfit(args)
end


--- The argument of sys.input.send().
---@param action input.Action
---@return table? spec
---@return string? note_or_err
---@return string? code
local function spec_of(action, args)
  local spec = {}
  for key, value in pairs(action.sends) do spec[key] = value end
  spec.count, spec.duration, spec.modifiers = spec.count or args.count, args.duration, args.modifiers
  spec.button = spec.button or args.button
  spec.chord, spec.text = args.keys, args.text
  if not action.complete then return spec end
  return action.complete(spec, args)
end


--- Ties the input to the window that the caller names. Keys are refused here if another one would get them.
---@return true? ok
---@return string? err
---@return string? code
local function tie(args, spec)
  if not args.window then return true end
  local ref, err, code = names.find_window(args.window)
  if not ref then return nil, err, code end
  spec.window = ref.id
  if not args.keys and not args.text then return true end
  return require("elements.read.receiver").check(ref.id)
end


--- The error for tied input that another window would have got.
local function untied(args, spec)
  if args.keys or args.text then return require("elements.read.receiver").moved(spec.window) end
  return nil, ("Nothing was sent: another window or popup is at that point, and not %s. Call focus_window, or close what covers "
    .. "it."):format(args.window), "window_covered"
end


--- The point at which the pointer is to act; nil: keys, or the pointer stays in place.
local function point_of(spec)
  local last = spec.path and spec.path[#spec.path]
  return last or spec.x and { x = spec.x, y = spec.y } or nil
end


--- Looks at the application before the action. It does not look for secret text, and for a move only if the caller wants it.
local function look_before(args, spec, wanted)
  if args.secret or args.action == "move" and not wanted then return nil end
  return aftermath.begin_input(point_of(spec), wanted)
end


--- The effect: text that was read back is the best evidence.
---@return elements.Effect?
local function effect_of(compared, seen)
  if not compared or compared.arrived == nil or compared.keys then return seen end
  local changes = seen and seen.changes
  if compared.arrived then return { effect = "confirmed", evidence = "the text was read back", changes = changes } end
  return { effect = "partial", evidence = "the field holds " .. windows.quote(compared.seen), changes = changes }
end


--- Logs an action that failed, and returns its error.
local function failed(args, err, code, so_far)
  if so_far then err = err .. told.before_that(args, so_far) end
  inputs.remember(args, { error = code, characters = so_far and so_far.characters, sent = so_far and so_far.sent or 0,
                          settled = false, route = so_far and so_far.route })
  return fail.with(err, code)
end


--- The structured result, without the effect.
---@param sent input.Sent
local function facts_of(args, sent)
  local outcome, compared, spec = sent.outcome, sent.compared, sent.spec
  local changed_by, round = evidence.past_method(args, outcome)
  sent.note = sent.note or round
  local settled = outcome.settled and not changed_by
  if compared then settled = compared.arrived == true and (settled or not compared.keys) end
  sent.open = not settled and outcome.still_open and outcome.open or nil
  return {
    action = args.action, pointer = outcome.pointer, sent = outcome.sent, settled = settled,
    evidence = evidence.of(args, outcome, changed_by, compared), route = outcome.route, clipboard = outcome.clipboard,
    note = sent.note, code = compared and compared.arrived == false and "TEXT_DIFFERS" or nil, seen = compared and compared.seen,
    characters = args.text and outcome.characters or nil, held_by = outcome.holder or sent.open,
    effects = effects.facts(outcome.effects), late_effects = effects.facts(sent.late),
    notches = spec.kind == "scroll" and { x = spec.lines_x, y = spec.lines_y } or nil,
  }
end


---@param action input.Action
---@param args table
---@param call Call
function M.run(action, args, call)
  local wanted = args.diff
  args.diff = nil
  local wrong = misfit(action, args)
  if wrong then return fail.with(wrong, "bad_argument") end
  local spec, note, why = spec_of(action, args)
  if not spec then return fail.with(note, why) end
  if args.keys or args.text then
    local refusal, code = require("elements.read.modal").keys_refusal()
    if refusal then return fail.with(refusal, code) end
  end
  local tied, unfit, reason = tie(args, spec)
  if not tied then return fail.with(unfit, reason) end
  local before = look_before(args, spec, wanted)
  local compared, outcome, err, code, so_far = sending.send(args, spec)
  if code == "moved" and (args.keys or args.text) and require("elements.read.receiver").holds_itself(spec.window) then
    spec.window = nil
    compared, outcome, err, code, so_far = sending.send(args, spec)
  elseif code == "moved" then
    outcome, err, code = untied(args, spec)
  end
  if not outcome then return failed(args, err, code, so_far) end
  local sent = { spec = spec, outcome = outcome, compared = compared, note = note, late = effects.untold(outcome.late) }
  local facts = facts_of(args, sent)
  sent.seen = aftermath.finish(before)
  sent.effect = effect_of(compared, sent.seen)
  facts.evidence = evidence.corrected(compared, sent.effect) or facts.evidence
  aftermath.add(facts, sent.effect)
  facts.name = inputs.remember(args, facts)
  return call:result {
    content = { { type = "text", text = told.text(action, args, facts, sent) } },
    structuredContent = facts,
  }
end


return M
