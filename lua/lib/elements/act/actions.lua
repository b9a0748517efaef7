--- Clicks, values and keys, each as one whole action: it finds the element, acts, looks again and judges the effect.

local attempt  = require "elements.act.attempt"
local copies   = require "elements.act.copies"
local hands    = require "elements.read.hands"
local left     = require "elements.act.left_open"
local modal    = require "elements.read.modal"
local popups   = require "elements.read.popups"
local press    = require "elements.press.ways"
local receiver = require "elements.read.receiver"
local same     = require "elements.act.same_value"
local sending  = require "desktop.sending"
local target   = require "elements.find.target"
local values   = require "elements.choose.values"
local window   = require "sys.window"
local words    = require "elements.read.words"
local write    = require "elements.act.write"

local M = {}


-- --- clicks ------------------------------------------------------------------------------------

--- The button and count of a click that only the pointer can do; nil: a plain click, which an action can replace.
local function click_of(args)
  local count = args.count and args.count > 1 and args.count or nil
  local button = args.button and args.button ~= "left" and args.button or nil
  return (count or button) and { count = count, button = button } or nil
end


--- Corrects a click without an effect if a popup opened: Qt tells nothing of the menu that a right click opens, and GTK 2 does
--- not tell that a menu is open.
---@param node elements.Node
---@param report? elements.Report
---@param before table<integer, sys.window.Window>?  the popups before
local function of_popup(node, report, before)
  local popup = report and report.effect == "none_seen" and popups.came(before)
  if popup and node.role == "menu" and popup.pid == node.pid then
    report.effect, report.evidence = "confirmed", "its menu opened: choose from it with select_menu_item"
  elseif popup then
    report.effect = "partial"
    report.evidence = "a menu or another popup opened, of which the application tells nothing: take a screenshot, and "
      .. "choose from it with create_input"
  end
  return report
end


---@param args {element: string, application?: string, window?: string, source?: string, method?: string, button?: string,
---  count?: integer, must?: boolean}  must: waits longer for an effect
---@return elements.Report? report
---@return string? err
---@return string? code
function M.click(args)
  local found, err, code = attempt.begin(args)
  if not found then return nil, err, code end
  local way
  way, err, code = press.way(found.node, args.method or "auto", click_of(args))
  if not way then return nil, err, code end
  local opens = args.button == "right" or found.node.role == "menu" or found.node.states.has_popup
  local before = opens and popups.now() or nil
  local menu = left.begin(found.node)
  local report
  found.must = args.must and not opens or nil
  report, err, code = attempt.run(found, way, attempt.press_verdict(found.node))
  left.close(menu, report)
  return of_popup(found.node, report, before), err, code
end


-- --- values ------------------------------------------------------------------------------------

---@param args {element: string, value: string, application?: string, window?: string}
---@return elements.Report? report
---@return string? err
---@return string? code
function M.write(args)
  local found, err, code = attempt.begin(args)
  if not found then return nil, err, code end
  local node = found.node
  local before = values.read(node)
  local report
  report, err, code = attempt.run(found, function() return write.enter(node, args.value, before) end,
    attempt.verdict(write.asked(node, args.value, before)))
  if not report then return nil, err, code end
  local held = report.now and values.read(report.now)
  report.value = held and words.clean(held):sub(1, 200) or nil
  return report
end


-- --- keys --------------------------------------------------------------------------------------

--- The window that the keys are meant for: the one that is named or that earlier steps worked in, otherwise one of the
--- application.
local function meant(place, args)
  local list, err, code = window.list()
  if not list then return nil, err, code end
  local named, wanted
  for _, each in ipairs(list) do
    if each.pid == place.pid then
      if each.id == args.bound then wanted = each end
      if each.id == place.window or not (args.application or args.window) and each.focused then named = each end
    end
  end
  wanted = wanted or named
  if wanted then return wanted, list end
  if args.window then return nil, "Nothing was sent: the window does not exist any more.", "window_not_found" end
  wanted, err, code = receiver.of_application(list, place.pid)
  return wanted, wanted and list or err, code
end


--- Gives the keyboard focus to the window that is meant, unless a dialog would get its keys.
---@param place elements.Place
---@return integer? id  the window
---@return string? err
---@return string? code
local function focus(place, args)
  local wanted, list, code = meant(place, args)
  if not wanted then return nil, list, code end
  local ok, err = true, nil
  if not args.window then ok, err, code = receiver.undisturbed(list, wanted) end
  if ok and not wanted.focused and not receiver.over(list, wanted) then ok, err, code = window.focus(wanted) end
  if not ok then return nil, err, code end
  local id
  id, err, code = receiver.of { window = wanted.id, pid = place.pid }
  if id or err then return id, err, code end
  return nil, ("Nothing was sent: the window %s did not get the keyboard focus."):format(words.quote(wanted.title, 60)),
    "no_focus"
end


--- Sends the text or keys. Notes in `told` the comparison with the field's content, and any other window that got them.
local function send(told, args)
  local spec = args.text and { kind = "text", text = args.text } or { kind = "keys", chord = args.keys }
  spec.window = told.window
  local compared, outcome, err, code, so_far = sending.send(args, spec)
  if code == "moved" then
    if not receiver.holds_itself(told.window) then return receiver.moved(told.window) end
    spec.window = nil
    compared, outcome, err, code, so_far = sending.send(args, spec)
  end
  if not outcome then
    local part = so_far and so_far.sent > 0 and (" %d events were sent before that."):format(so_far.sent) or ""
    return nil, (err or "the input failed") .. "." .. part, code
  end
  told.text, told.compared, told.got_it = args.text, compared, outcome.got_it or outcome.open
  return outcome.route
end


--- Judges what was read back from the field that got the text; nil: nothing was.
local function of_text(told)
  local compared = told.compared
  if compared and compared.arrived then return { effect = "confirmed", evidence = "the text was read back" } end
  local form = compared and compared.arrived == false and told.text and same.in_form(told.text, compared.seen or "")
  if form then return form end
  if told.got_it then return { effect = "unknown", evidence = told.got_it .. " got them in place of the focused window" } end
  if compared and compared.arrived == false then
    return { effect = "partial", evidence = "the field holds something else: " .. words.quote(compared.seen or "", 120) }
  end
  if compared and compared.read_only then return { effect = "none_seen", evidence = "the focused field is read-only" } end
end


local function keys_verdict(told)
  return attempt.verdict { keys = true, own = function() return of_text(told) end }
end


--- Sends keys to an application whose elements cannot be read.
local function send_blindly(place, args, told, why)
  local mark = copies.mark()
  local route, err, code = send(told, args)
  if not route then return nil, err, code end
  local verdict = keys_verdict(told) { changes = {}, copied = copies.since(mark, place) }
  if verdict.effect == "none_seen" then verdict = { effect = "unknown", evidence = "what came of it cannot be read: " .. why } end
  return { route = route, effect = verdict.effect, evidence = verdict.evidence, changes = {}, found = { place = place } }
end


--- Types text or presses keys in the application's window.
---@param args {action: "type"|"keys", text?: string, keys?: string, application?: string, window?: string, background?: boolean,
---  bound?: integer, must?: boolean}  bound: the window that earlier steps worked in; must: waits longer for an effect
---@return elements.Report? report
---@return string? err
---@return string? code
function M.keys(args)
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  err, code = hands.refusal(place, args.text and "typed into" or "given keys")
  if err then return nil, err, code end
  local id
  id, err, code = focus(place, args)
  if not id then return nil, err, code end
  err, code = modal.keys_refusal()
  if err then return nil, err, code end
  local found
  found, err = target.whole(place)
  local told = { window = id }
  if not found then return send_blindly(place, args, told, err or "no reason was given") end
  local report
  found.must = args.must
  report, err, code = attempt.run(found, function() return send(told, args) end, keys_verdict(told))
  if not report then return nil, err, code end
  report.window, report.elsewhere = id, told.got_it and not (told.compared and told.compared.arrived)
  return report
end


return M
