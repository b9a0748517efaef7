--- Writes steps on a tape for what a person does: clicks by what they mean, typed text by what arrived, keys that are commands.

local chord    = require "recorder.chord"
local click    = require "recorder.click"
local target   = require "recorder.target"
local line_of  = require "recorder.terminal_line"
local words    = require "elements.read.words"

local M = {}

local NEAR = 8        -- points between press and release of a click
local SETTLED = 0.3   -- seconds after a click in which its application changes what it is for

---@class recorder.Scribe
---@field private tape recorder.Tape
---@field private typing recorder.Typing
---@field private eyes recorder.Eyes
---@field private line recorder.TerminalLine
---@field private down? {hit: recorder.Spot, event: table, picture?: recorder.Picture}
---@field private asked boolean  what has the keyboard was asked since the window got it
---@field private clicked_in? elements.Snapshot
---@field private selected? string[]            chords that selected text before a button was pressed
---@field private cell? sys.element.Node        the cell that the line is typed into
---@field private typed_cell? recorder.TypedCell
---@field private menu? elements.Node          the menu that the last click opened
---@field private clicked? elements.Node  the field that the last click was in
---@field private box? elements.Node  the combo box that the last click opened
---@field private shows? recorder.Picture  the window at the click into that field
---@field private written? recorder.Picture  the window when the text began that is typed now
---@field private changing? recorder.Changing
local Scribe = {}
Scribe.__index = Scribe

--- Text that was typed into a cell, which may not have it yet.
---@class recorder.TypedCell
---@field node sys.element.Node
---@field window sys.window.Window
---@field at number
---@field text? string
---@field picture? recorder.Picture

--- A value that the last click may change: it is read later.
---@class recorder.Changing
---@field deed recorder.Deed
---@field found recorder.Target
---@field hit recorder.Spot
---@field step table
---@field at number
---@field is_due? boolean

--- The answers that a scribe cannot give by itself.
---@class recorder.Eyes
---@field before fun(event: table): recorder.Spot, boolean  what was under the pointer before a press; false: it was looked up
---  later, and may have come in its place
---@field look fun(pid: integer): elements.Snapshot?
---@field look_before fun(pid: integer, at: number): elements.Snapshot?  the latest one that ended before then
---@field keyboard fun(): sys.element.Node?         what has the keyboard now
---@field picture fun(window: sys.window.Window): recorder.Picture?  captures a window
---@field place fun(window: sys.window.Window): recorder.Place?  nil: the window is the recorder's own
---@field value fun(id: integer): string?           the value of an element now
---@field hides fun(pid: integer): boolean           a program in that terminal reads a secret
---@field shown fun(id: integer): string             what a terminal shows

---@param tape recorder.Tape
---@param typing recorder.Typing
---@param eyes recorder.Eyes
---@return recorder.Scribe
function M.new(tape, typing, eyes)
  return setmetatable({ tape = tape, typing = typing, eyes = eyes, line = line_of.new() }, Scribe)
end


--- Adds a step in a window.
local function put(self, window, step)
  local place = self.eyes.place(window)
  if not place then return end
  self.tape:place(window.id, place)
  step.window = window.id
  self.tape:add(step)
end


local function has_kind(text) return text and text ~= "" end


--- Keeps how the window looks before the first key of a text: at the click into the field, if one was.
---@param field? recorder.Field
local function picture_before(self, field)
  local clicked = self.shows and field and self.clicked and self.clicked.id == field.node.id
  self.written = clicked and self.shows or not (field and field.secret) and self.eyes.picture(self.window) or nil
  self.shows = nil
end


--- True for a cell that may take text.
local function is_cell(node) return node ~= nil and node.role == "cell" end


-- --- text ----------------------------------------------------------------------------------------------------

--- The calls that bring a field from one text to another.
local function writes(typed, found)
  local added = typed.before ~= "" and typed.node.states.multiline and typed.after:sub(1, #typed.before) == typed.before
    and typed.after:sub(#typed.before + 1)
  if added and not typed.secret then
    return { kind = "type", tool = "act", args = { steps = { { type = added } } },
      literals = { { key = "steps.1.type", kind = "text", hint = found.hint, value = added } } }, true
  end
  local literal = { key = "value", kind = typed.secret and "secret" or "text", hint = found.hint,
    value = not typed.secret and typed.after or nil }
  return { kind = "set", tool = "write_element_value", target = found, literals = { literal },
    args = { element = found.line, value = "" }, unseen = typed.node.role == "password" or nil }
end


--- Writes down what was typed into the field with the keyboard.
---@param at number
function Scribe:text(at)
  local window, typed = self.window, self.typing:take()
  if not typed or not window then return end
  local snapshot = self.eyes.look(typed.node.pid)
  local node = snapshot and snapshot.by_id[typed.node.id]
  if not node then
    snapshot = self.eyes.look_before(typed.node.pid, at)   -- a dialog that the press closed
    node = snapshot and snapshot.by_id[typed.node.id]
  end
  local found = node and target.of("set", snapshot, window.id, node)
  self.tape:dialog_text(window.id, typed, at)
  if not found then
    put(self, window, { kind = "type", tool = "act", args = { steps = { { type = "" } } }, at = at,
      told = "the field that it was typed into is not known",
      literals = { { key = "steps.1.type", kind = typed.secret and "secret" or "text", hint = "",
                     value = not typed.secret and typed.after or nil } } })
    return
  end
  local step, appends = writes(typed, found)
  step.at, step.picture = at, not typed.secret and self.written or nil
  if appends then
    put(self, window, { kind = "keys", tool = "act", args = { steps = { { keys = "ctrl+end" } } }, at = at })
  end
  put(self, window, step)
end


--- Writes what was typed into the cell of a sheet, which has it once the typing is over.
---@param last? boolean  it is not looked at again
local function cell_text(self, last)
  local typed = self.typed_cell
  local snapshot = self.clicked_in
  local node = snapshot and snapshot.by_id[typed.node.id]
  local has_it = typed.text and (self.eyes.value(typed.node.id) or ""):find(typed.text, 1, true)
  if not has_it and not last then return end
  self.typed_cell = nil
  local found = node and target.of("set", snapshot, typed.window.id, node)
  if found and has_it then
    put(self, typed.window, { kind = "set", tool = "write_element_value", target = found, at = typed.at, picture = typed.picture,
      literals = { { key = "value", kind = "text", hint = found.hint, value = typed.text } },
      args = { element = found.line, value = "" } })
    return
  end
  put(self, typed.window, { kind = "type", tool = "act", args = { steps = { { type = "" } } }, at = typed.at,
    told = "the cell shows something else than what was typed, so it was not recorded",
    literals = { { key = "steps.1.type", kind = "secret", hint = "", value = nil } } })
end


--- Writes a line that was typed into a terminal, or into a window that tells of no field.
local function terminal_text(self, at)
  local node, window = self.focused, self.window
  if self.line:is_empty() or not window then return end
  if self.cell then
    self.typed_cell = { node = self.cell, window = window, at = at, text = self.line:take(), picture = self.written }
    self.cell = nil
    return
  end
  local text = self.line:take(node and self.eyes.shown(node.id) or "")
  put(self, window, { kind = "type", tool = "act", args = { steps = { { type = "" } } }, at = at,
    picture = text and self.written or nil,
    told = not text and "it was typed where nothing showed it, so it was not recorded" or nil,
    literals = { { key = "steps.1.type", kind = text and "text" or "secret", hint = "", value = text } } })
end


--- Writes down all that was done so far.
---@param at number
---@param last? boolean  other input follows
function Scribe:flush(at, last)
  self:settle(last)
  self:text(at)
  terminal_text(self, at)
end


-- --- keys ----------------------------------------------------------------------------------------------------

local function put_keys(self, keys, at)
  local window = self.window
  if not window then return end
  local place = self.eyes.place(window)
  if not place then return end
  local step = { kind = "keys", tool = "act", args = { steps = { { keys = keys } } }, at = at, window = window.id }
  if self.tape:repeats(step) then return end
  step.picture = self.eyes.picture(window)
  put(self, window, step)
end


local function is_terminal(node) return node ~= nil and node.role == "terminal" end


--- A key in a field.
local function key_in_field(self, event, meaning)
  local multiline = self.typing.field.node.states.multiline
  if meaning == "text" or meaning == "edit" or meaning == "line" and multiline then
    if not self.typing.field.keyed then picture_before(self, self.typing.field) end
    return self.typing:key(event.at)
  end
  if meaning == "move" then return self.typing:move(event.key) end
  self:text(event.at)
  local moves = self.typing:moved()
  if meaning == "focus" then return end
  for _, each in ipairs(meaning == "command" and moves or {}) do put_keys(self, each, event.at) end
  put_keys(self, event.key, event.at)
end


--- The item of a menu that a key chooses, by the menus above it.
local function choose_item(self, event)
  local snapshot = self.eyes.look(self.focused.pid)
  local node = snapshot and snapshot.by_id[self.focused.id]
  local path = node and click.path(node)
  if not path or not self.window then return false end
  put(self, self.window, { kind = "menu", tool = "select_menu_item", args = { path = path }, at = event.at,
    picture = self.eyes.picture(self.window) })
  return true
end


local ITEMS = words.set "menuitem checkitem radioitem"
local PRESSED = words.set "button toggle checkbox radio switch link"

--- A key where no field has the keyboard.
local function key_elsewhere(self, event, meaning)
  local node = self.focused
  local presses = meaning == "line" or event.key == "space"
  if node and ITEMS[node.role] and presses and choose_item(self, event) then return end
  local is_text = event.key ~= "space" or not node or is_terminal(node) or not self.line:is_empty()
  if meaning == "text" and is_text then
    self.cell = self.line:is_empty() and is_cell(node) and node or not self.line:is_empty() and self.cell or nil
    local hidden = not self.cell and (not is_terminal(node) or self.eyes.hides(node.pid))
    if not hidden and self.line:is_empty() then picture_before(self) end
    return self.line:add(event.text, hidden)
  end
  if meaning == "edit" and event.key == "backspace" and not self.line:is_empty() then return self.line:back() end
  local of_cell = self.cell and not self.line:is_empty()
  terminal_text(self, event.at)
  if of_cell and (meaning == "line" or meaning == "focus") then   -- it ends the typing, as any step after it does,
    self.focused, self.clicked, self.asked = nil, nil, true       -- and which cell is next is not known
    return
  end
  if meaning == "focus" and node and not is_terminal(node) then return end
  if node and PRESSED[node.role] and presses and self:press(node, event) then return end
  put_keys(self, event.key, event.at)
end


--- Return or the space bar pressed the element that has the keyboard.
---@return boolean
function Scribe:press(node, event)
  local snapshot, window = self.eyes.look(node.pid), self.window
  local here = snapshot and snapshot.by_id[node.id]
  if not here or not window then return false end
  self:act({ x = 0, y = 0, at = event.at, window = window, node = here, snapshot = snapshot }, event)
  return true
end


--- A key was pressed.
---@param event table
function Scribe:key(event)
  if self.typed_cell then self:settle(true) end
  local meaning = chord.meaning(event)
  if meaning == "modifier" or not self.window or not self.eyes.place(self.window) then return end
  self.box = nil
  self:settle(true)
  local is_known = self.typing.field or is_terminal(self.focused)
  if not is_known and not self.asked then self:find_focus(event.at) end
  if self.typing.field then return key_in_field(self, event, meaning) end
  key_elsewhere(self, event, meaning)
end


-- --- clicks --------------------------------------------------------------------------------------------------

local MAKE = {}

function MAKE.menu(deed) return { kind = "menu", tool = "select_menu_item", args = { path = deed.path } } end

--- The name of the row that a selector has, which may differ from time to time.
local function row_literals(found, first)
  local list, row = { first }, found.row
  if row then list[#list + 1] = { key = "element", kind = "row", hint = "item", value = row.name, prefix = row.prefix } end
  return list
end


function MAKE.choose(deed, found)
  return { kind = "choose", tool = "select_option", args = { element = found.line, option = "" }, target = found,
    literals = row_literals(found, { key = "option", kind = "option", hint = found.hint, value = deed.option }) }
end

function MAKE.set(deed, found)
  return { kind = "set", tool = "write_element_value", args = { element = found.line, value = deed.value }, target = found,
    literals = row_literals(found) }
end

function MAKE.click(deed, found, event)
  local button = event.button ~= "left" and event.button or nil
  return { kind = "click", tool = "click_element", args = { element = found.line, button = button }, target = found,
    literals = row_literals(found),
    button = deed.node.role == "button" and has_kind(words.name(deed.node)) and words.name(deed.node) or nil }
end


function MAKE.adjust(deed, found)
  if deed.node.role == "combobox" then return MAKE.choose(deed, found) end
  return MAKE.set(deed, found)
end


local TARGETED = words.set "choose set click adjust"

--- Writes the step for what was clicked.
---@param hit recorder.Spot
---@param event table
---@param picture? recorder.Picture
function Scribe:act(hit, event, picture)
  self:settle(true)
  local deed = click.deed(hit, self.box, self.menu)
  if event.button and event.button ~= "left" and deed.node then deed = { kind = "click", node = hit.node } end
  self.box = deed.kind == "open_box" and deed.node or nil
  self.menu = deed.kind == "open_menu" and deed.node or nil
  local is_field = deed.kind == "focus" or deed.kind == "click" and is_cell(deed.node)
  self.clicked, self.clicked_in, self.asked = is_field and deed.node or nil, hit.snapshot, false
  self.shows = deed.kind == "focus" and picture or nil
  local acts = deed.kind ~= "focus" and deed.kind ~= "none"
  for _, each in ipairs(acts and self.selected or {}) do put_keys(self, each, event.at) end
  self.selected = nil
  local make = MAKE[deed.kind]
  if not make and deed.kind ~= "point" then return end
  local found = TARGETED[deed.kind] and target.of(deed.kind, hit.snapshot, hit.window.id, deed.node)
  if deed.kind == "point" or TARGETED[deed.kind] and not found then return self:point(hit, event, picture) end
  local step = make(deed, found, event)
  step.at, step.picture = event.at, picture
  if deed.kind == "adjust" then
    self.changing = { deed = deed, found = found, hit = hit, step = step, at = event.at }
    return
  end
  if found and found.counted then step.told = "only its place among equal elements tells it" end
  if step.kind == "click" and not step.args.button then
    step.window = hit.window.id
    if self.tape:doubles(step) then return end
  end
  put(self, hit.window, step)
end


local NO_ELEMENT = "no element is known there: it is a place in the window"
local TOO_EARLY = "what was clicked was not known before it was pressed: a run stops here, until you record the step again"
local UNKNOWN = "unknown"   -- no place looks so

--- Writes the value that a click or a drag gave to a slider, a number or a box, if it is another one.
---@param last? boolean  other input follows: nothing more comes of that one
function Scribe:settle(last)
  if self.typed_cell then cell_text(self, last) end
  local changing = self.changing
  if not changing then return end
  local deed, found = changing.deed, changing.found
  local is_box = deed.node.role == "combobox"
  local was = deed.node.value
  local snapshot = is_box and self.eyes.look(deed.node.pid)
  local value = is_box and snapshot and snapshot.by_id[deed.node.id] and snapshot.by_id[deed.node.id].value
    or not is_box and self.eyes.value(deed.node.id)
  if last then self.changing = nil end
  if not value or value == (deed.option or deed.value or was) then return end
  if is_box then deed.option = value else deed.value = value end
  local step = MAKE.adjust(deed, found)
  step.at, step.picture = changing.at, changing.step.picture
  put(self, changing.hit.window, step)
end


--- True, once, when the value that the last click changed can be read.
---@param now number
---@return boolean
function Scribe:is_due(now)
  local changing = self.changing or self.typed_cell
  if not changing or changing.is_due or now - changing.at < SETTLED then return false end
  changing.is_due = true
  return true
end


--- Seconds until the value that the last click changed can be read; nil: there is none.
---@param now number
---@return number?
function Scribe:due_in(now)
  local changing = self.changing or self.typed_cell
  if changing and not changing.is_due then return math.max(changing.at + SETTLED - now, 0) end
end


--- True if that element is what the last click may change.
---@param id integer
---@return boolean
function Scribe:is_changing(id) return self.changing ~= nil and self.changing.deed.node.id == id end


--- Writes a click at a place in a window where no element is, or a late one: one whose element was looked up after the press.
function Scribe:point(hit, event, picture, late)
  local content = hit.window.content
  local x, y = math.floor(hit.x - content.x), math.floor(hit.y - content.y)
  local inside = x >= 0 and y >= 0 and x < content.width and y < content.height
  if not inside and not hit.popup then return end   -- the window manager's part
  local line = ("%d, %d"):format(x, y)
  put(self, hit.window, { kind = "point", tool = "click_point", at = event.at, picture = picture,
    told = late and TOO_EARLY or NO_ELEMENT,
    target = { line = line, counted = false, hint = "", role = "", id = 0, window = hit.window.id,
               known = { kind = "point", selector = line, picture = not late and hit.print or UNKNOWN } },
    args = { x = x, y = y, button = event.button ~= "left" and event.button or nil } })
end


--- A button was pressed.
---@param event table
function Scribe:press_button(event)
  if event.button:find "^wheel" or event.button == "" then return end
  self:flush(event.at, true)
  self.selected = self.typing:selected()
  local hit, in_time = self.eyes.before(event)
  local own = hit.window and not self.eyes.place(hit.window)
  local picture = hit.window and not own and self.eyes.picture(hit.window) or nil
  self.down = { hit = hit, event = event, picture = picture, own = own, late = not in_time }
  if hit.window and hit.snapshot and not own then self.tape:see_dialog(hit.snapshot, hit.window) end
end


--- A button was released.
---@param event table
function Scribe:release_button(event)
  local down = self.down
  if not down or down.event.button ~= event.button then return end
  self.down = nil
  if down.own or not down.hit.window then return end
  local hit, from = down.hit, down.event
  if down.late then return self:point(hit, from, down.picture, true) end
  if math.abs(from.x - event.x) > NEAR or math.abs(from.y - event.y) > NEAR then
    local to = self.eyes.before(event)
    if hit.node and click.is_number(hit.node) then return self:act(hit, from, down.picture) end
    local chosen = hit.node and hit.node.role == "menu" and to.popup and to.node
    if chosen then return self:act(to, event, down.picture) end
    return self:drag(hit, to, event, down.picture)
  end
  self:act(hit, from, down.picture)
end


--- Writes a drag from one element to another.
function Scribe:drag(from, to, event, picture)
  local a = from.node and from.window and target.of("drag", from.snapshot, from.window.id, from.node)
  local b = to.node and to.window and target.of("drag", to.snapshot, to.window.id, to.node)
  if not a or not b or a.id == b.id or event.button ~= "left" then return end
  put(self, from.window, { kind = "drag", tool = "drag_element", args = { element = a.line, to = b.line }, target = a,
    at = event.at, picture = picture })
end


-- --- the keyboard ----------------------------------------------------------------------------------------------

--- True if an element that got the keyboard before its window did is in this one.
local function is_in(node, window)
  return node ~= nil and window ~= nil and node.pid == window.pid and (not node.window or node.window == window.id)
end


--- Another window has the keyboard.
---@param window? sys.window.Window
---@param at number
function Scribe:front(window, at)
  if self.window and window and self.window.id == window.id then
    self.window = window
    return
  end
  self:flush(at)
  self.window, self.asked = window or self.window, false
  if window and not is_in(self.focused, window) then
    self.focused = nil
    self.typing:focus(nil)
  end
end


--- Another element has the keyboard.
---@param node sys.element.Node
---@param at number
function Scribe:focus(node, at)
  if self.focused and self.focused.id == node.id then return end
  if self.cell and node.pid == self.cell.pid and not is_cell(node) then return end   -- Calc's line for the cell has the keyboard
  self:flush(at)
  self.focused = node
  self.typing:focus(node)
end


--- Asks what has the keyboard, because keys came before it was reported. If nothing answers it is the field that was clicked.
---@param at number
function Scribe:find_focus(at)
  self.asked = true   -- once for a window and a click: an application that does not answer makes each question slow
  local node = not is_cell(self.clicked) and self.eyes.keyboard() or nil
  if not is_in(node, self.window) then node = self.clicked end
  if not is_in(node, self.window) then return end
  self:focus(node, at)
  self.typing:miss()
end


return M
