--- Enters a path into a dialog, presses its buttons, and reports the effect.

local attempt    = require "elements.act.attempt"
local dialogs    = require "elements.read.dialogs"
local fail       = require "desktop.fail"
local file_path  = require "elements.dialogs.file_path"
local json       = require "sys.json"
local judge      = require "elements.read.judge"
local pressing   = require "elements.dialogs.press"
local tool       = require "elements.tools.shared"
local unreadable = require "elements.dialogs.unreadable"
local words      = require "elements.read.words"

local M = {}


-- --- results ----------------------------------------------------------------------------------------


local function facts(dialog)
  local told = dialogs.facts(dialog)
  told.buttons, told.fields = json.array(told.buttons), json.array(told.fields)
  return told
end


--- The result: the lines, then the dialog that came next, or its next page, if one did.
---@param call Call
---@param dialog elements.Dialog
---@param lines string[]
---@param report? table
---@param next_dialog? elements.Dialog
---@param same? boolean  it is the same dialog with another page
function M.answer(call, dialog, lines, report, next_dialog, same)
  local structured = report or {}
  structured.dialog = facts(dialog)
  if next_dialog then
    structured.next = facts(next_dialog)
    lines[#lines + 1] = (same and "It shows now:\n" or "In front now:\n") .. dialogs.describe(next_dialog)
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = structured }
end


-- --- dialogs that cannot be read ----------------------------------------------------------------------


local function plain_facts(dialog)
  return { kind = "other", title = dialog.window.title, text = unreadable.text(dialog), buttons = json.array {},
    fields = json.array {} }
end


local EFFECTS = { confirmed = "Confirmed", partial = "Partial", none_seen = "No effect seen", unknown = "Unknown effect" }

--- The effect of a press on a dialog that is still open: what is read in it now is all that shows it.
---@return string effect
---@return string evidence
---@return elements.UntoldDialog? now  if it shows something else
local function of_untold(dialog)
  local now, called = unreadable.read(dialog.window), unreadable.called(dialog)
  local before, after = unreadable.text(dialog), unreadable.text(now)
  if before ~= after then return "partial", called .. " is still open, and something else is read in it now", now end
  if after == "" then return "unknown", called .. " is still open, and nothing is read in it" end
  return "none_seen", called .. " is still open" .. judge.LOOK
end


local function press_untold(report, lines, dialog, button)
  local done, err, code = unreadable.press(dialog, button)
  if not done then return nil, err, code end
  report.route, report.effect, report.evidence = done.route, "confirmed", unreadable.called(dialog) .. " closed"
  local now
  if not done.closed then report.effect, report.evidence, now = of_untold(dialog) end
  lines[#lines + 1] = ("Pressed %s by %s. %s: %s."):format(words.quote(button, 60), done.route, EFFECTS[report.effect],
    report.evidence)
  if now then
    report.next = plain_facts(now)
    lines[#lines + 1] = "It shows now:\n" .. unreadable.describe(now)
  end
  return true
end


--- Does the requested work in a dialog whose application reports nothing of it.
---@param call Call
---@param args {button?: string, path?: string, background?: boolean}
function M.untold(call, dialog, args)
  local lines, report = {}, { dialog = plain_facts(dialog) }
  local done, err, code
  if not (args.path or args.button) then lines[1] = unreadable.describe(dialog) end
  if args.path then
    done, err, code = unreadable.enter(dialog, args.path)
    if not done then return fail.with(err, code) end
    lines[1] = "Typed the path. What the field holds is not told."
    report.route, report.effect, report.evidence = "text", "unknown", "the application tells nothing of this dialog"
  end
  if args.button then
    if args.path then dialog = unreadable.read(dialog.window, args.background) end
    done, err, code = press_untold(report, lines, dialog, args.button)
    if not done then return fail.with(err, code) end
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = report }
end


-- --- the work -----------------------------------------------------------------------------------------


--- Enters a path. A button that is pressed afterwards is judged by what changes after that.
---@return table? report
---@return elements.Node? field
---@return string? err
---@return string? code
function M.enter(seen, path)
  local field
  local found = { place = seen.place, snapshot = seen.snapshot, node = seen.dialog.node, hidden = false, mark = seen.mark }
  local report, err, code = attempt.run(found, function()
    local why, what
    field, why, what = file_path.enter(seen.place, seen.dialog, path)
    if not field then return nil, why, what end
    return "text"
  end, attempt.verdict { node = seen.dialog.node, own = function() return judge.text(path, file_path.held(field)) end })
  if not report then return nil, nil, err, code end
  report.value = file_path.held(field)
  if report.snapshot then seen.snapshot, seen.mark = report.snapshot, report.mark end
  return report, field
end


--- Presses a button, or Escape if there is none, and watches what becomes of the dialog.
---@param call Call
function M.press(call, seen, button, lines, path)
  local dialog = seen.dialog
  local may, why, what = true, nil, nil
  if button and not path then may, why, what = file_path.choose_held(dialog) end
  if not may then return fail.with(why, what) end
  local node, came, same = button or dialog.node, nil, nil
  local found = { place = seen.place, snapshot = seen.snapshot, node = node, hidden = false, mark = seen.mark }
  local judged = attempt.verdict(pressing.asked(dialog, button))
  local report, err, code = attempt.run(found, pressing.act(dialog, button), function(after, restless)
    came, same = pressing.next(dialog, after)
    return judged(after, restless)
  end, pressing.await(dialog))
  if not report then return fail.with(err, code) end
  report.value = path
  lines[#lines + 1] = tool.told(button and "Pressed" or "Pressed Escape in", node, report)
  return M.answer(call, dialog, lines, tool.report(node, report), came, same)
end


return M
