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


--- The result: the lines, then the dialog that came next, if one did.
---@param call Call
---@param dialog elements.Dialog
---@param lines string[]
---@param report? table
---@param next_dialog? elements.Dialog
function M.answer(call, dialog, lines, report, next_dialog)
  local structured = report or {}
  structured.dialog = facts(dialog)
  if next_dialog then
    structured.next = facts(next_dialog)
    lines[#lines + 1] = "In front now:\n" .. dialogs.describe(next_dialog)
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = structured }
end


-- --- dialogs that cannot be read ----------------------------------------------------------------------


local function plain_facts(dialog)
  return { kind = "other", title = dialog.window.title, text = unreadable.text(dialog), buttons = json.array {},
    fields = json.array {} }
end


--- Does the requested work in a dialog whose application reports nothing of it.
---@param call Call
---@param args {button?: string, path?: string}
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
    done, err, code = unreadable.press(dialog, args.button)
    if not done then return fail.with(err, code) end
    report.route, report.effect = done.route, done.closed and "confirmed" or "none_seen"
    report.evidence = unreadable.called(dialog) .. (done.closed and " closed" or " is still open")
    lines[#lines + 1] = ("Pressed %s by %s. %s: %s."):format(words.quote(args.button, 60), done.route,
      done.closed and "Confirmed" or "No effect seen", report.evidence)
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = report }
end


-- --- the work -----------------------------------------------------------------------------------------


--- Enters a path.
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
  end, function() return judge.text(path, file_path.held(field)) end)
  if not report then return nil, nil, err, code end
  report.value = file_path.held(field)
  return report, field
end


--- Presses a button, or Escape if there is none, and watches the dialog close.
---@param call Call
function M.press(call, seen, button, lines, path)
  local dialog, came = seen.dialog, nil
  local node = button or dialog.node
  local found = { place = seen.place, snapshot = seen.snapshot, node = node, hidden = false, mark = seen.mark }
  local report, err, code = attempt.run(found, pressing.act(dialog, button), function(after)
    local verdict
    verdict, came = pressing.judge(dialog, after)
    return verdict
  end)
  if not report then return fail.with(err, code) end
  report.value = path
  lines[#lines + 1] = tool.told(button and "Pressed" or "Pressed Escape in", node, report)
  return M.answer(call, dialog, lines, tool.report(node, report), came)
end


return M
