--- The reason why input counts as settled or not: the reports of the application, its field and an input method.

local windows = require "desktop.windows"

local M = {}


--- The effect of an active input method on the input. Text bypasses it if possible.
---@return string? name  the input method, if it may have changed the input
---@return string? note
function M.past_method(args, outcome)
  if not outcome.method or args.method == "paste" then return nil end
  if not outcome.route:find "^paste" then
    return outcome.method, ("the input method %s is active and may have changed what was typed"):format(outcome.method)
  end
  return nil, ("the input method %s is active and would change typed text, so the text was pasted"):format(outcome.method)
end


--- Names the menu or popup that has the keys of text, and gives advice.
---@param outcome sys.input.Outcome
local function taken_by(outcome)
  local check = "check whether the text arrived before you enter it again"
  if not outcome.still_open then return ("%s may have taken the keys; %s"):format(outcome.open, check) end
  local what = outcome.open:find "^a " and "is open and takes the keys"
    or "holds the keyboard or the pointer, as an open menu does"
  return ("%s %s; close it with escape first, then %s"):format(outcome.open, what, check)
end


--- The reason why text that might have been read back was not.
---@param compared read_back.Compared
local function unread(compared)
  if compared.read_only then return "the focused field is read-only, as its application tells" end
  if compared.nowhere then
    return "the application tells that no text field had the keyboard focus; take a screenshot to check"
  elseif compared.keys then
    return "Return or Tab in the text left the field or emptied it, so not all could be read back; take a screenshot to check"
  elseif compared.lost then
    return "the field lost the keyboard focus, so the text could not be read back; take a screenshot to check"
  end
  return "the application did not tell in time what its field holds; take a screenshot to check"
end


--- The reason why `settled` is true or false.
---@param args table
---@param outcome sys.input.Outcome
---@param changed_by? string  an input method
---@param compared? read_back.Compared
---@return string
function M.of(args, outcome, changed_by, compared)
  if compared and compared.arrived and (outcome.settled or not compared.keys) then
    return compared.keys and "all but Return and Tab was read back from the field" or "the text was read back from the field"
  end
  if outcome.open then return taken_by(outcome) end
  if compared and compared.arrived == false then
    return ("the field holds %s where the text was entered; do not enter it again, but correct what differs")
      :format(windows.quote(compared.seen))
  end
  if outcome.got_it and not outcome.settled then
    return ("%s held the keyboard and got the input in place of the focused window; take a screenshot to check")
      :format(outcome.got_it)
  end
  if changed_by then
    return ("the input method %s is active and may have changed the text; take a screenshot to check"):format(changed_by)
  end
  if compared then return unread(compared) end
  if outcome.settled and args.text then
    return "the frontmost application responded after it had processed the input; its text was not read back"
  end
  if outcome.settled then return "the frontmost application responded after it had processed the input" end
  if outcome.route:find "^paste" then
    return "an application read the text, but has not confirmed that it inserted it; take a screenshot to check"
  elseif args.text then
    return "sent, but the frontmost application has not confirmed it; take a screenshot to check"
  end
  return "sent to the display; take a screenshot or list the windows to check its effect"
end


--- The reason in place of the first one, if the effect that was seen later contradicts that.
---@param compared? read_back.Compared
---@param effect? elements.Effect
---@return string?
function M.corrected(compared, effect)
  if not (compared and compared.read_only and effect and effect.effect == "confirmed") then return nil end
  return ("the focused field is read-only, as its application tells, but %s; do not enter the text again before you look"):format(
    effect.evidence)
end


return M
