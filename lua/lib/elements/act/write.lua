--- The ways to give an element a value: setting its text or number at once, choosing an option, pressing a check mark, keys.

local asking     = require "elements.read.asking"
local await      = require "elements.read.await"
local cells      = require "elements.act.cells"
local choices    = require "elements.choose.options"
local date_keys  = require "elements.act.date_keys"
local dates      = require "elements.choose.dates"
local element    = require "sys.element"
local hands      = require "elements.read.hands"
local judge      = require "elements.read.judge"
local keyboard   = require "elements.act.keyboard"
local modal      = require "elements.read.modal"
local steps      = require "elements.act.number_steps"
local press      = require "elements.press.ways"
local same       = require "elements.act.same_value"
local target     = require "elements.find.target"
local values     = require "elements.choose.values"
local ways       = require "elements.choose.option_ways"
local visibility = require "elements.press.visibility"
local words      = require "elements.read.words"

local M = {}

local ON = { ["true"] = true, on = true, yes = true, checked = true, ["1"] = true }
local OFF = { ["false"] = true, off = true, no = true, unchecked = true, ["0"] = true }
local CHANGES = 0.5       -- seconds for a check mark to change after a press
local BUSY = 2            -- seconds for a busy application to do what the next step depends on


-- --- by keys -------------------------------------------------------------------------------------

local ONE_LINE = { entry = true, password = true, spin = true, combobox = true }

--- Refuses a line end for a field of one line: there it would be the Return key, which submits a form.
local function fits(node, value)
  if not ONE_LINE[node.role] or node.states.multiline or not value:find "[\r\n]" then return true end
  return nil, ("%s holds one line, and the value has a line end. Pass a value of one line."):format(words.called(node)),
    "bad_argument"
end


--- Enters text. Text with a line end or a tab is pasted: typed, these are the Return key and a key that leaves the field.
local function enter(node, value)
  if value:find "[%c]" then return keyboard.paste(node, value) end
  node.typed = true
  return hands.type(node, value)
end


--- Selects all that the element holds and types over it. Keys go to the focused window, so the element's window is focused
--- first.
---@param node elements.Node
---@param value string
---@return string? route
---@return string? err
---@return string? code
function M.by_keys(node, value)
  local err, code = hands.refusal(node, "written", "it takes only what is typed, which takes the focus")
  if err then return nil, err, code end
  local ok
  node.unleft = node.unleft and node.states.multiline
  ok, err, code = keyboard.focus(node)
  if not ok then return nil, err, code end
  err, code = modal.keys_refusal()
  if err then return nil, err, code end
  ok, err, code = hands.keys(node, "cmd+a")
  if ok and value == "" then ok, err, code = hands.keys(node, "delete") end
  if ok and value ~= "" then ok, err, code = enter(node, value) end
  if not ok then return nil, err, code end
  return value:find "[%c]" and "paste" or "keys"
end


-- --- at once --------------------------------------------------------------------------------------

--- True for a field of one line that can have the keyboard focus. Applications save what was typed into one when it loses the
--- focus, and hear nothing of text that accessibility puts there. Chromium takes only what is typed.
local function can_be_left(node)
  local takes_text = node.abilities.write or node.role == "entry" and node.states.editable
  return ONE_LINE[node.role] and takes_text and node.states.focusable and not node.states.multiline or false
end


--- Sets the text. Marks the node as `unleft` if its application may not have taken it over.
local function by_text(node, value)
  local route, err, code = asking.route(node, { verb = "set_text", text = value }, "text")
  node.unleft = route and can_be_left(node) or nil
  return route, err, code
end


--- True for a number of a page. Firefox tells the page nothing of one that accessibility sets as a number.
local function is_in_page(node)
  return node.role == "spin" and node.states.editable and visibility.page_of(node) ~= nil
end


--- Refuses a number that is none, or beyond the limits. Chromium says 0 for the least one of a page that has only a greatest.
local function counts(node, value)
  local number = tonumber(value)
  if not number then
    return nil, ("%s holds a number, and %s is not a number."):format(words.called(node), words.quote(value, 40)), "bad_argument"
  end
  local least = is_in_page(node) and node.least == 0 and number or node.least
  if node.least and node.most and node.least < node.most and (number < least or number > node.most) then
    return nil, ("%s holds %g to %g. Pass a number between them."):format(words.called(node), node.least, node.most),
      "bad_argument"
  end
  return true
end


local function by_number(node, value)
  local ok, err, code = counts(node, value)
  if not ok then return nil, err, code end
  if is_in_page(node) and node.abilities.write then return by_text(node, value) end
  return asking.route(node, { verb = "set_number", number = tonumber(value) }, "number")
end


--- The state of the check mark that the value means; nil: it means neither.
local function wanted_check(value)
  if ON[value:lower()] then return true end
  if OFF[value:lower()] then return false end
end


local ROWS = { cell = true, listitem = true, row = true, treeitem = true }

--- The action that sets and clears the check mark of a cell or row; nil: it has no mark.
local function toggling(node)
  for _, name in ipairs(ROWS[node.role] and not node.abilities.count and node.actions or {}) do
    if name:lower() == "toggle" then return name end
  end
end


--- True for a cell of GTK 3. Its actions do what the next one in the list says: "toggle" opens or closes the row.
local function has_wrong_actions(node) return (node.actions[2] or ""):find "^Expands or contracts" ~= nil end


--- The way to press the check mark. Cells of Qt agree to toggle and may do something else, so a click on the mark, at the
--- beginning of the cell, follows if it stayed.
local function pressing(node)
  local action = toggling(node)
  if not action then return press.way(node, "auto") end
  if has_wrong_actions(node) then return press.way(node, "pointer") end
  return function()
    local since = await.mark(node.pid)
    local route, err, code = press.by_action(node, action)
    if not route then return nil, err, code end
    local changed = await.until_seen(node.pid, since, CHANGES, function()
      local fresh = element.get { node.id }
      return not fresh or fresh[1].gone or fresh[1].states.checked ~= node.states.checked
    end)
    if changed or node.background then return route end
    node.mark_first = action == "Toggle"
    return press.by_pointer(node)
  end
end


--- Waits until the mark of a mixed one changes, because the end of the mixed state may be reported later, and returns the
--- states; nil: it is gone.
local function states_after(node, since)
  local before, now = node.states.checked, nil
  await.until_seen(node.pid, since, BUSY, function()
    local fresh = element.get { node.id }
    now = fresh and not fresh[1].gone and fresh[1].states or nil
    return not now or now.checked ~= before
  end)
  return now
end


--- Presses a check mark. A mixed one is neither on nor off, and its application decides the result of a press: a second press
--- may be needed.
local function by_check(node, value)
  local wanted = wanted_check(value)
  if wanted == nil then return nil, ("%s is on or off. Pass true or false."):format(words.called(node)), "bad_argument" end
  if not node.states.mixed and (node.states.checked or false) == wanted then return "nothing to do" end
  local mixed, since = node.states.mixed, await.mark(node.pid)
  local act, err, code = pressing(node)
  if not act then return nil, err, code end
  local route
  route, err, code = act()
  if not route or not mixed then return route, err, code end
  local now = states_after(node, since)
  if not now or (now.checked or false) == wanted then return route end
  local fresh = element.get { node.id }     -- browsers have another action for a box that is on
  if not fresh or fresh[1].gone then return route end
  node.actions, node.states = fresh[1].actions, fresh[1].states
  act = pressing(node)
  return act and act() or route
end


--- Writes into the field that is in the element.
local function enter_field(node, field, value)
  local route, err, code = M.enter(field, value)
  node.unleft, node.left, node.typed = field.unleft, field.left, field.typed
  return route, err, code
end


local function by_option(node, value)
  local options, option, err, code
  options, err, code = choices.of(node, true)
  local field = not options and values.field(node)
  if field and target.renew(field) then return enter_field(node, field, value) end   -- GTK 4 tells no options beside a field
  if not options and node.states.editable then return M.by_keys(node, value) end   -- a field with suggestions, in a page
  if not options then return nil, err, code end
  option, err, code = choices.find(options, value)
  field = code == "bad_argument" and values.field(node)
  if field and target.renew(field) then return enter_field(node, field, value) end
  if not option then return nil, err, code end
  return ways.choose(options, option)
end


-- --- the best of them -------------------------------------------------------------------------------

local CHECKS = { checkbox = true, switch = true, radio = true, toggle = true, checkitem = true, radioitem = true }


--- True for a date, or a time, in a field that counts: Qt reports a number of a date that is always 0.
local function is_date(node, value)
  return node.role == "spin" and not tonumber(value) and not tonumber(node.value) and (node.value or ""):find "%d" ~= nil
end


--- Gives the element the value in the way that fits it; nil with the reason if it takes none.
---@param node elements.Node  renewed
---@param value string
---@return string? route  the first way that was tried: "text", "number", ...
---@return string? err
---@return string? code
function M.put(node, value)
  if M.is_check(node, value) then return by_check(node, value) end
  if node.role == "combobox" and not node.abilities.write then return by_option(node, value) end
  if cells.is_cell(node) and not tonumber(value) or cells.is_row(node) or cells.is_tree_cell(node) then
    return cells.write(node, value)
  end
  if node.abilities.count and not is_date(node, value) then return by_number(node, value) end
  if node.abilities.write and not words.BUTTONS[node.role] then return by_text(node, value) end
  if node.states.editable or is_date(node, value) then return M.by_keys(node, value) end
  local picker = value:find "^#%x+$" and words.BUTTONS[node.role] and " If it opens a choice of colors, click it and write there."
  return nil, ("%s takes no value. Pass a field, a number, a check box or a combo box.%s"):format(words.called(node),
    picker or ""), "not_supported"
end


--- The number of characters of a password. Nothing else of a password is read.
local function length_of(node)
  local text = element.text(node.id, { to = 0 })
  return text and text.length
end


--- Sets a password. Firefox accepts the text of one and does nothing: then it is typed.
local function sure_password(node, value)
  local before = length_of(node)
  local route, err, code = M.put(node, value)
  local after = route == "text" and length_of(node)
  if route ~= "text" or not after or after ~= before or after == utf8.len(value) then return route, err, code end
  return M.by_keys(node, value)
end


local STEPS = { slider = true, scrollbar = true }   -- roles of what moves by steps

--- True once the field holds the value, which it may show in its own way.
local function await_value(node, value)
  return await.until_seen(node.pid, await.mark(node.pid), CHANGES, function()
    local held = values.read(node)
    return held ~= nil and same.told(node, value, held) ~= nil
  end)
end


--- Sets the value and makes sure that it arrived. Some applications accept it and do nothing, browsers do so with numbers: then
--- it is typed.
---@param node elements.Node
---@param value string
---@param before? string  the value that it held
---@return string? route
---@return string? err
---@return string? code
function M.sure(node, value, before)
  local ok, misfit, why = fits(node, value)
  if not ok then return nil, misfit, why end
  if node.role == "password" then return sure_password(node, value) end
  before = before or values.read(node)
  if before and not M.is_check(node, value) and same.exactly(node, value, before) then return "nothing to do" end
  local route, err, code = M.put(node, value)
  if route ~= "text" and route ~= "number" then return route, err, code end
  local held = values.read(node)
  local arrived = held ~= before or held and same.told(node, value, held)
  if route == "number" and STEPS[node.role] and not arrived and steps.can(node) then
    arrived = await_value(node, value)
    if arrived then return route end
    return steps.to(node, tonumber(value))
  end
  local typed = node.states.editable or node.role == "spin" and node.states.focusable and not node.background
  if arrived or not typed or cells.is_cell(node) then return route end
  return M.by_keys(node, value)
end


local LEFT = { entry = true, combobox = true }
local UNFOCUSED = { element_refused = true, window_covered = true, not_in_view = true, not_supported = true }

local function can_get_focus(node)
  return node.states.focusable and not node.background and press.is_in_front(node) or false
end


local function is_left(node)
  return (LEFT[node.role] and can_be_left(node) or is_in_page(node)) and can_get_focus(node)
end


--- Leaves the field. Delete removes what the application has added to complete the text, which is selected.
local function leave(node, value)
  if value ~= "" then hands.keys(node, "delete") end
  return hands.keys(node, "tab")
end


--- True if what it holds is the beginning of the value, of which the rest may come.
local function is_beginning(value, held) return held ~= nil and held ~= value and value:sub(1, #held) == held end


--- True once what was typed is there, or another value than before.
local function arrives(node, value, before)
  return await.until_seen(node.pid, await.mark(node.pid), BUSY, function()
    local held = values.read(node)
    return held ~= before and not is_beginning(value, held) or held ~= nil and same.told(node, value, held) ~= nil
  end) or values.read(node) ~= before
end


--- True for a field that gets its value at once, also where it could be typed.
local function is_set(node)
  if node.role == "spin" then return not is_in_page(node) end
  return node.role == "password" or node.role == "combobox" and node.states.editable and not node.abilities.write
end


local PARTS = 4   -- times that Tab is pressed, at most: Qt moves from part to part of a date

--- Sets a value as in sure() and leaves its field: applications may hear of it only then. A number that is typed depends on the
--- language.
local function enter_and_leave(node, value, before)
  local route, err, code = M.sure(node, value, before)
  local leaves = route and route ~= "nothing to do" and not asking.is_unanswered(route) and can_get_focus(node)
  local since = await.mark(node.pid)
  if not leaves or not keyboard.has_focus(node) and not asking.focus(node) then return route, err, code end
  if not await.until_seen(node.pid, since, BUSY, function() return keyboard.has_focus(node) end) then return route end
  for _ = 1, PARTS do
    if modal.keys_refusal() or not hands.keys(node, "tab") then break end
    if not keyboard.has_focus(node) then
      node.unleft = nil
      return route .. ", then tab"
    end
  end
  return route
end


--- Gives an element a value as a person does, if keys can go to it: applications take over what was typed when the field is left.
--- A field that takes no keys gets the value as in sure(), and one that cannot be focused by accessibility alone.
---@param node elements.Node
---@param value string
---@param before? string  what it held
---@return string? route
---@return string? err
---@return string? code
function M.enter(node, value, before)
  local entry, why, what = dates.entry(node)
  if entry then return date_keys.write(node, entry, value) end
  if why then return nil, why, what end
  before = before or values.read(node)
  local editor = values.editor(node)
  if editor and target.renew(editor) then return enter_field(node, editor, value) end
  if is_set(node) then return enter_and_leave(node, value, before) end
  if node.states.multiline and visibility.page_of(node) then
    node.unleft = true      -- Tab may be text there
    return M.sure(node, value, before)
  end
  if not is_left(node) or value:find "%c" or before and same.exactly(node, value, before) then
    return M.sure(node, value, before)
  end
  local route, err, code
  if is_in_page(node) and value ~= "" then
    route, err, code = counts(node, value)
    if not route then return nil, err, code end
  end
  route, err, code = M.by_keys(node, value)
  if route and not arrives(node, value, before) then
    route, err, code = M.sure(node, value, before)
    node.unleft = route and true
    return route, err, code
  end
  node.left = route and leave(node, value)
  if node.left then return route .. ", then tab" end
  if route or not UNFOCUSED[code] then return route, err, code end
  route = M.put(node, value)
  if asking.is_unanswered(route) or route and arrives(node, value, before) then return route end
  return nil, err, code
end


--- True if the value is written as a check mark.
---@param node elements.Node  renewed
---@param value string
---@return boolean
function M.is_check(node, value)
  return CHECKS[node.role] or toggling(node) ~= nil and wanted_check(value) ~= nil
end


-- --- the verdict ------------------------------------------------------------------------------------

local UNLEFT = "; it may be not taken over until the field is left"

local function check_verdict(now, wanted, before)
  if now and now.states.mixed then
    local same_as_before = before.mixed and now.states.checked == before.checked
    return { effect = same_as_before and "none_seen" or "partial",
      evidence = ("it is %s mixed, neither on nor off"):format(before.mixed and "still" or "now") }
  end
  return judge.state(now, "checked", wanted, not before.mixed and (before.checked or false) == wanted)
end


--- The request of a write, and how its result is read back.
---@param node elements.Node  as it was
---@param value string
---@param before? string      the value that it held
---@return elements.Asked
function M.asked(node, value, before)
  local shown, states = node.value, { checked = node.states.checked, mixed = node.states.mixed }
  if M.is_check(node, value) then
    return { node = node, own = function(seen) return check_verdict(seen.now, wanted_check(value), states) end }
  end
  local entry = dates.entry(node)
  local wanted = entry and select(2, dates.numbers(entry, value)) or value
  local function own(seen)
    local by_id = cells.is_row(node) or cells.is_tree_cell(node)   -- its text is its name, which has changed
    local now = by_id and node or seen.now
    local held = now and values.read(now)
    local told = held and same.told(now, wanted, held, before)
    local leaving = node.left and now and now.states.focused or nil   -- the page may change it when Tab has arrived there
    local rest = ((node.unleft or leaving) and UNLEFT or "")
      .. (node.stepped and ("; it moves by steps of %g"):format(node.stepped) or "")
    if told and (told.effect ~= "unknown" or held ~= before) then
      return { effect = told.effect, evidence = told.evidence .. rest, held = held, awaited = leaving }
    end
    told = now and not now.abilities.write and choices.of_id(now, wanted, now.value, shown) or judge.text(wanted, held, before)
    told.awaited = node.typed and is_beginning(value, held) or nil
    if node.stepped then told.evidence = told.evidence .. rest end
    return told
  end
  return { node = node, own = own, same = function(text)
    local told = same.told(node, value, text, before)
    return told ~= nil and told.effect ~= "unknown"
  end }
end


return M
