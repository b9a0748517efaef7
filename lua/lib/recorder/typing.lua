--- The field that has the keyboard, and the text that was typed into it: what arrived, not which keys were pressed.

local secret = require "recorder.secret"
local words  = require "elements.read.words"

local M = {}

local FIELDS = words.set "entry text password spin combobox document paragraph"

---@class recorder.Field
---@field node sys.element.Node
---@field secret boolean
---@field before? string   its text before the first key
---@field now? string      its text when it was read last
---@field begun number     when `before` was read
---@field late boolean     it had changed before that, so `before` is not what it was
---@field keyed boolean    keys were pressed that change text
---@field moves string[]   chords that only moved the caret or selected, since the text changed

--- Text that was typed into a field.
---@class recorder.Typed
---@field node sys.element.Node
---@field secret boolean
---@field before string
---@field after string

---@class recorder.Typing
---@field field? recorder.Field
---@field private read fun(id: integer): string?  the text of an element; nil: it is gone, or too long
---@field private clock fun(): number
local Typing = {}
Typing.__index = Typing

---@param read fun(id: integer): string?
---@param clock fun(): number
---@return recorder.Typing
function M.new(read, clock) return setmetatable({ read = read, clock = clock }, Typing) end


--- True if text can be typed into it.
---@param node sys.element.Node
---@return boolean
function M.takes(node)
  return node.role == "password" or FIELDS[node.role] ~= nil and (node.states.editable or node.abilities.write) == true
end


--- Another element has the keyboard. Call take() before.
---@param node? sys.element.Node  nil: none that takes text
function Typing:focus(node)
  if not node or not M.takes(node) then
    self.field = nil
    return
  end
  local field = { node = node, secret = secret.is_field(node), keyed = false, late = false, moves = {} }
  if not field.secret then field.before = self.read(node.id) end
  field.now, field.begun = field.before, self.clock()
  self.field = field
end


--- The text of an element changed.
---@param id integer
---@param at number
function Typing:change(id, at)
  local field = self.field
  if not field or field.node.id ~= id or field.secret then return end
  if field.keyed and at <= field.begun then field.late = true end
  local text = self.read(id)
  if text and secret.is_masked(text) and text ~= field.before then
    field.secret, field.now = true, nil
  elseif text then
    field.now = text
  end
  if not field.keyed then field.before, field.begun = field.now, self.clock() end
end


--- Keys were pressed before the text was read: what it was is not known.
function Typing:miss()
  if self.field then self.field.late = true end
end


--- A key was pressed that changes text. If the text was read after that, it may have what the key wrote, so what it was before is
--- not known.
---@param at number  when
function Typing:key(at)
  local field = self.field
  if not field then return end
  if not field.keyed and at <= field.begun then field.late = true end
  field.keyed, field.moves = true, {}
end


--- A key was pressed that moves the caret, or selects.
---@param chord string
function Typing:move(chord)
  if self.field then table.insert(self.field.moves, chord) end
end


--- The chords that moved the caret and that no change of the text covers.
---@return string[]
function Typing:moved()
  local field = self.field
  local moves = field and field.moves or {}
  if field then field.moves = {} end
  return moves
end


--- Those of them that selected text, as far as none of them did away with it.
---@return string[]
function Typing:selected()
  local list = {}
  for _, chord in ipairs(self:moved()) do
    if chord == "ctrl+a" then list = { chord }
    elseif chord:find "shift%+" then list[#list + 1] = chord
    else list = {} end
  end
  return list
end


--- The text that was typed: a field that is empty now was emptied by its application, which took the text.
local function arrived(field, text)
  if not text or text == "" then return field.now end
  return text
end


--- Takes what was typed since the last time; nil: nothing.
---@return recorder.Typed?
function Typing:take()
  local field = self.field
  if not field or not field.keyed then return nil end
  if not field.secret then field.now = arrived(field, self.read(field.node.id)) end
  local typed = { node = field.node, secret = field.secret, before = not field.late and field.before or "",
    after = field.now or "" }
  field.keyed, field.late, field.before, field.begun = false, false, field.now, self.clock()
  if not typed.secret and typed.before == typed.after then return nil end
  return typed
end


return M
