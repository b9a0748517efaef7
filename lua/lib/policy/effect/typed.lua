--- Input that was sent to applications lately, as far as it makes a difference to what is sent next: text that came in pieces,
--- keys and buttons that are still down, menus that keys opened.

local chord  = require "policy.effect.chord"
local edited = require "policy.effect.line"
local policy = require "sys.policy"
local time   = require "sys.time"

local M = {}

local APPS = 32
local CALLERS = 8     -- of a line
local MOST = 100      -- times that keys are pressed at once
local OPENING = 10    -- seconds in which a menu that keys opened may come up

local function mine()
  local all = policy.memory()
  all.sent = all.sent or { lines = {}, order = {}, keys = {} }
  return all.sent
end


--- A chord together with the keys that are held down. A capital letter that is pressed by itself is typed with Shift.
---@param text string
---@return policy.Chord
function M.chord(text)
  local read = chord.read(text)
  if next(read.modifiers) == nil and #read.keys == 1 and read.keys[1]:find "^%u$" then read.modifiers.shift = true end
  for modifier in pairs(mine().keys) do read.modifiers[modifier] = true end
  return read
end


local function key_of(effect)
  local list = effect:fact "apps"
  return list and list[1] and (list[1].pid or list[1][1]) or false
end


local NOTHING = { line = edited.new(), callers = {}, count = 0 }

--- The line of the application, as far as this engine has sent it, with those who wrote it.
local function entry_of(effect)
  local lines = mine().lines
  return next(lines) ~= nil and lines[key_of(effect)] or NOTHING
end


local function press(line, keys, count, held) edited.press(line, keys, math.min(count, MOST), held) end


--- Adds text that is typed or pasted. With Ctrl held down, its letters are shortcuts.
local function add_text(line, spec)
  if not M.holds_keys() then return (spec.kind == "paste" and edited.paste or edited.type)(line, spec.text) end
  press(line, M.chord "?", utf8.len(spec.text) or #spec.text, false)
  edited.paste(line, spec.text)
end


local function add_keys(line, spec)
  local keys, copied = M.chord(spec.chord), policy.memory().copied_text
  if copied and chord.pastes(keys) and chord.is_of_clipboard(keys) then return edited.paste(line, copied) end
  local held = spec.kind == "key_down" or (tonumber(spec.duration) or 0) > 0
  press(line, keys, tonumber(spec.count) or 1, held)
end


local function apply(line, spec)
  if not spec.text and (not spec.chord or spec.kind == "key_up") then return end
  local down = M.key_down()
  if down then press(line, chord.read(down), 1, true) end   -- it repeats, until another key is pressed
  if spec.text then add_text(line, spec) else add_keys(line, spec) end
end


--- All that the input completed, and the line that it leaves.
local function whole(line)
  local list = { table.unpack(line.done) }
  list[#list + 1] = line.text
  return (table.concat(list, "\n"):gsub("\n$", ""))
end


---@class policy.Writing  what input makes of the line that an application has
---@field before string
---@field after string
---@field head string      its first line
---@field state policy.LineState  what that line is made of, or may be
---@field callers table[]  who wrote it, beside the caller of the input
---@field approved? string[]  what the user approved on it, which is not among the texts
---@field deletes boolean      something may be deleted


--- false: it writes nothing, or nothing but its own text.
---@return policy.Writing|false
function M.writing(effect)
  local entry, spec = entry_of(effect), effect:fact "spec"
  effect.count = entry.count
  if not spec.text and not spec.chord then return false end
  local line = edited.copy(entry.line)
  apply(line, spec)
  local before, after = entry.line.text, whole(line)
  local state = line.judged or edited.state(line)
  local deletes = spec.chord ~= nil and edited.deletes(M.chord(spec.chord))
  local same = after == before and state.steps <= edited.steps(entry.line) and not (entry.approved and deletes)
  local alone = not entry.approved and not state.texts[2] and state.steps == 0
  if same or alone and after == (spec.text or ""):gsub("\n$", "") then return false end
  return { before = before, after = after, head = line.done[1] or line.text, state = state, callers = entry.callers,
    approved = entry.approved, deletes = deletes }
end


--- The line as the input leaves it, whether or not it changes it.
---@param effect policy.Effect
---@return string
function M.line_of(effect)
  local line = edited.copy(entry_of(effect).line)
  apply(line, effect:fact "spec")
  return whole(line)
end


--- True if nothing else was sent to that line since the effect was judged.
---@return boolean
function M.is_same(effect) return effect.count == nil or entry_of(effect).count == effect.count end


--- True while keys are held down that make shortcuts of letters.
function M.holds_keys() return chord.is_shortcut(mine().keys) end


--- The modifiers that are held down.
---@return table<string, true>
function M.modifiers() return mine().keys end


--- A key other than a modifier that is still down.
---@return string?
function M.key_down()
  local held = policy.memory().held
  return held and (next(held))
end


--- The window in which the button was pressed that is still down.
function M.button() return mine().button end


--- True if keys or a button may have opened a menu there a moment ago.
function M.opens_menu(effect)
  local menu = mine().menu
  return menu ~= nil and menu.app == key_of(effect) and time.monotonic() - menu.at < OPENING
end


--- True if a window manager may read what is typed there, because keys opened a prompt of it a moment ago.
---@param window integer?  that has the focus
function M.is_in_prompt(window)
  local prompt = mine().prompt
  return prompt ~= nil and prompt.window == window and time.monotonic() - prompt.at < OPENING
end


--- Keys that open a prompt begin its line, unless a terminal has the focus, which may get them as well.
local function note_prompt(sent, effect, spec)
  local keys = spec.chord and spec.kind ~= "key_up" and M.chord(spec.chord)
  if keys and chord.opens_prompt(keys) then
    local entry = sent.lines[key_of(effect)]
    if entry and effect:fact "terminal" == false then edited.part(entry.line) end
    sent.prompt = { window = effect.goes_to, at = time.monotonic() }
  elseif keys and keys.keys[1] == "escape" or spec.kind == "click" then sent.prompt = nil end
end


local function new_entry(sent, key)
  local before = sent.lines[key]
  if not before then
    sent.order[#sent.order + 1] = key
    if #sent.order > APPS then sent.lines[table.remove(sent.order, 1)] = nil end
  end
  sent.lines[key] = { line = edited.new(), callers = {}, count = before and before.count or 0 }
  return sent.lines[key]
end


local function note_writing(sent, effect, spec, approved)
  local key = key_of(effect)
  if not key then return end
  local entry = sent.lines[key] or new_entry(sent, key)
  entry.count = entry.count + 1
  if approved then   -- lines that ended before still count: the question was not about them
    local line, before = edited.copy(entry.line), entry
    apply(line, spec)
    entry = new_entry(sent, key)
    entry.line.ended, entry.callers = before.line.ended, before.callers
    entry.approved = not line.done[1] and require("policy.effect.approved").with(before.approved, line.text) or nil
    return
  end
  entry.line = edited.copy(entry.line)   -- without what ended before
  apply(entry.line, spec)
  if entry.line.done[1] then entry.approved = nil end
  for _, caller in ipairs(entry.callers) do
    if caller == effect.caller then return end
  end
  table.insert(entry.callers, 1, effect.caller)
  entry.callers[CALLERS + 1] = nil
end


--- True if a key other than a modifier is held down.
local function holds_plain()
  local held = policy.memory().held
  return held ~= nil and next(held) ~= nil
end


--- Lets go of all keys and buttons that calls hold down: a question that opens now would get them.
function M.let_go()
  require("sys.input").release_all()
  local sent = mine()
  sent.keys, sent.button = {}, nil
  if holds_plain() then require("policy.effect.held").clear() end
end


--- Lets go of keys if calls hold them down, for a call that may not do so by itself. True: they were let go.
---@param text any
---@return boolean
function M.release(text)
  local sent, read = mine(), chord.read(type(text) == "string" and text or "")
  local holds = holds_plain() and #read.keys > 0
  for modifier in pairs(read.modifiers) do holds = holds or sent.keys[modifier] == true end
  return holds and require("sys.input").key_up(text) ~= nil
end


--- The modifiers that input presses or lets go, with those that are down; none if it changes none. To type, Shift is pressed, and
--- those that are down are let go.
---@return table<string, true>
local function changed_modifiers(spec)
  local down, changed = mine().keys, {}
  local named = spec.chord and chord.read(spec.chord).modifiers or spec.text and down or {}
  for _, modifier in ipairs(type(spec.modifiers) == "table" and spec.modifiers or {}) do
    for each in pairs(chord.read(tostring(modifier)).modifiers) do changed[each] = not down[each] or nil end
  end
  local lets_go = spec.kind == "key_up" or spec.text ~= nil
  for modifier in pairs(named) do changed[modifier] = (down[modifier] == true) == lets_go or nil end
  if spec.text or spec.chord and spec.chord:find "^%u$" then changed.shift = true end
  for modifier in pairs(next(changed) and down or {}) do changed[modifier] = true end
  return changed
end


--- Remembers an effect that is about to happen.
---@param effect policy.Effect
---@param approved boolean  the user allowed it: it does not count against what comes next
function M.note(effect, approved)
  local sent, spec = mine(), effect:fact "spec"
  sent.count = (sent.count or 0) + 1
  if holds_plain() then
    require("policy.effect.held").before_input(effect, spec.chord and M.chord(spec.chord) or nil, changed_modifiers(spec))
  end
  if spec.chord and (spec.kind == "key_down" or spec.kind == "key_up") then require("policy.effect.held").note(effect) end
  if spec.text and not approved and effect.found then require("policy.effect.origin").note(effect) end
  if effect.goes_to and sent.window ~= effect.goes_to then   -- in the window before, the line may still be open
    for _, entry in pairs(sent.window and sent.lines or {}) do edited.leave(entry.line) end
    sent.window = effect.goes_to
  end
  if spec.text or spec.chord then note_writing(sent, effect, spec, approved) end
  note_prompt(sent, effect, spec)
  if spec.chord and (spec.kind == "key_down" or spec.kind == "key_up") then
    for modifier in pairs(chord.read(spec.chord).modifiers) do sent.keys[modifier] = spec.kind == "key_down" or nil end
  end
  local pressed = spec.kind == "click" or spec.kind == "press"
  local clicked = not spec.text and not spec.chord and spec.kind ~= "move" and sent.lines[key_of(effect)]
  if clicked then edited.move(clicked.line) end
  if spec.kind == "press" then sent.button = effect:fact "window" or true
  elseif spec.kind == "release" or spec.kind == "click" or spec.kind == "drag" then sent.button = nil end
  if spec.chord and chord.opens_menu(M.chord(spec.chord)) or pressed and spec.button == "right" then
    sent.menu = { app = key_of(effect), at = time.monotonic() }
  elseif spec.kind == "click" then sent.menu = nil end
end


return M
