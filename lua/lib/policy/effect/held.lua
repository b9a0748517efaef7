--- Keys other than modifiers that calls hold down: the server repeats them in whatever window has the keyboard, and with whatever
--- modifiers are down by then. So they are let go before something is done that may give the keyboard to another window, as soon
--- as another one has it, and before modifiers change.

local apps   = require "policy.apps"
local chord  = require "policy.effect.chord"
local policy = require "sys.policy"
local task   = require "sys.task"
local window = require "sys.window"

local M = {}

-- Effects after which another window may have the keyboard.
local MOVES = { window = true, start = true, quit = true, press = true, drop = true }
local POINTER = { click = true, press = true, drag = true, release = true }

local LOOK = 60   -- seconds to wait for the windows to change


local function mine()
  local all = policy.memory()
  all.held = all.held or {}
  return all.held
end


--- No key is held any more. A transaction that is open has each effect judged all the same.
local function judge_few() policy.judge_all((policy.memory().transactions or {})[1] ~= nil) end


local function forget(name)
  local held = mine()
  held[name] = nil
  if not next(held) then judge_few() end
end


--- Lets go of the keys for which `goes` is true.
---@param goes fun(name: string, its: table): boolean
local function let_go(goes)
  local names = {}
  for name, its in pairs(mine()) do
    if goes(name, its) then names[#names + 1] = name end
  end
  for _, name in ipairs(names) do
    mine()[name] = nil   -- first: its own modifiers change by that
    require("sys.input").key_up(name)
    forget(name)
  end
end


local function any() return true end

--- Those that were pressed in another window than this one.
local function elsewhere(id)
  return function(_, its) return its.window ~= id end
end


--- True for keys that type a character, of which Shift makes another character and nothing else.
local function is_character(name) return chord.text(chord.read(name)):find "[^\n\t]" ~= nil end

--- Those of which a change of modifiers makes other keys, beside the key that is pressed or let go with them.
---@param changed table<string, true>
---@param key string?
local function made_others(changed, key)
  local only_shift = next(changed) == "shift" and next(changed, "shift") == nil
  return function(name) return chord.read(name).keys[1] ~= key and not (only_shift and is_character(name)) end
end


local function focused_id()
  local _, its = apps.focused()
  return its and its.id or 0
end


--- Watches the focus while keys are held.
local function watch()
  local mark = window.changed()
  while next(mine()) do
    let_go(elsewhere(focused_id()))
    if not next(mine()) then break end
    mark = window.changed(mark, { wait = LOOK }) or window.changed()
  end
  policy.memory().held_watch = nil
end


--- Remembers keys that are about to be pressed or let go.
---@param effect policy.Effect
function M.note(effect)
  local spec = effect:fact "spec"
  local keys = chord.read(spec.chord)
  if #keys.keys == 0 then return end
  if spec.kind == "key_up" then
    for name in pairs(mine()) do
      if chord.name(chord.read(name)) == chord.name(keys) or chord.read(name).keys[1] == keys.keys[1] then forget(name) end
    end
    return
  end
  local _ = effect:fact "apps"   -- which tells the window
  local memory = policy.memory()
  mine()[spec.chord] = { window = effect.goes_to or 0 }
  policy.judge_all(true)
  if not memory.held_watch then memory.held_watch = task.apart("a key that is held down", watch) end
end


--- Lets go of keys before an effect that may give the keyboard to another window.
---@param effect string
---@param own fun(flag: boolean)
function M.before(effect, own)
  if not MOVES[effect] then return end
  own(true)
  let_go(any)
  own(false)
end


--- The same for input, once it is known which window gets it.
---@param effect policy.Effect
---@param keys? policy.Chord  with those that are held down; nil: it has none
---@param changed table<string, true>  the modifiers that it presses or lets go
function M.before_input(effect, keys, changed)
  local spec = effect:fact "spec"
  if keys and spec.kind ~= "key_up" and (keys.modifiers.alt or keys.modifiers.meta) then let_go(any)
  elseif effect.goes_to then let_go(elsewhere(effect.goes_to))
  elseif POINTER[spec.kind] then let_go(elsewhere(effect:fact "window")) end
  if next(changed) then let_go(made_others(changed, spec.chord and chord.read(spec.chord).keys[1])) end
end


--- All keys were let go.
function M.clear()
  policy.memory().held = {}
  judge_few()
end


return M
