--- The text about input that was sent.

local aftermath = require "elements.act.aftermath"
local effects   = require "desktop.effects"
local pointer   = require "desktop.input.pointer"

local M = {}

local CLIPBOARD = {
  ["restored"] = "The previous clipboard content was restored.",
  ["was empty"] = "The clipboard was empty and is empty again.",
  ["partly restored"] = "Part of the previous clipboard content was restored.",
  ["not restored"] = "The previous clipboard content is lost: its owner did not respond, or something else was copied.",
}


---@param action input.Action
local function done_text(action, args, spec, outcome)
  if action.told then return action.told(spec, outcome) end
  local done = outcome.route:find "^paste" and "Pasted" or action.done
  if args.text then return ("%s %d characters."):format(done, outcome.characters) end
  if args.keys then return ("%s %s."):format(done, args.keys) end
  return ("%s %s."):format(done:find " to$" and done or done .. " at", pointer.place(outcome.pointer))
end


--- The part of a failed action that was sent, for the end of its error.
---@param so_far sys.input.Outcome
function M.before_that(args, so_far)
  if so_far.characters > 0 then
    return (". %d of %d characters were entered before that."):format(so_far.characters, utf8.len(args.text) or 0)
  end
  if so_far.sent == 0 then return "" end
  return (". %d event%s sent before that."):format(so_far.sent, so_far.sent == 1 and " was" or "s were")
end


--- The confirmation. Without a look at the field it is only known that the application has processed all keys, not their
--- effect.
local function confirmed(args, compared)
  if not args.text or compared then return " The application confirmed it." end
  return " The application processed it; what its field holds was not read back."
end


--- Names the receiver of the next input, if that is not the focused window.
local function holder_text(outcome, open)
  if outcome.holder and not open then
    return ("Now %s holds the pointer or the keyboard and gets the next input. Choose in it, or press escape.")
      :format(outcome.holder)
  end
  return outcome.released and "The menu or popup that was open has closed." or nil
end


---@class input.Sent
---@field spec table
---@field outcome sys.input.Outcome
---@field compared? read_back.Compared
---@field note? string
---@field late table[]            effects since the last input
---@field open? string            the menu or popup that is still open and may have the keys
---@field seen? elements.Effect   the effect, if the application's elements were looked at
---@field effect? elements.Effect

--- The text of the result.
---@param action input.Action
---@param args table
---@param facts table   the structured result
---@param sent input.Sent
---@return string
function M.text(action, args, facts, sent)
  local outcome = sent.outcome
  local lines = { done_text(action, args, sent.spec, outcome) .. (facts.settled and confirmed(args, sent.compared) or "") }
  lines[#lines + 1] = action.remark and action.remark(args)
  if (args.text or outcome.got_it) and not facts.settled then
    lines[#lines + 1] = (facts.code and facts.code .. ": " or "") .. facts.evidence:gsub("^%l", string.upper) .. "."
  end
  lines[#lines + 1] = holder_text(outcome, sent.open)
  lines[#lines + 1] = effects.line("Since the last input", sent.late)
  lines[#lines + 1] = effects.line("Seen at once", outcome.effects)
  if sent.seen then lines[#lines + 1] = aftermath.text(sent.effect) end
  if outcome.clipboard then lines[#lines + 1] = CLIPBOARD[outcome.clipboard] end
  if sent.note then lines[#lines + 1] = "Note: " .. sent.note .. "." end
  return table.concat(lines, "\n")
end


return M
