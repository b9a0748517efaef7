--- The facts about input: keys and text for what has the keyboard, and the pointer for what is under it.

local apps     = require "policy.apps"
local chord    = require "policy.effect.chord"
local display  = require "sys.display"
local element  = require "sys.element"
local terminal = require "policy.effect.terminal"
local typed    = require "policy.effect.typed"
local window   = require "sys.window"

local M = {}

-- The first arguments of each function of sys.input, by the names that they have in its spec.
local ARGUMENTS = { click = { "x", "y" }, drag = { "path" }, drop = { "x", "y", "text" }, key_down = { "chord" },
  key_up = { "chord" }, keys = { "chord" }, move = { "x", "y" }, paste = { "text" }, press = { "x", "y" }, release = { "x", "y" },
  scroll = { "lines_x", "lines_y" }, type = { "text" } }

local BY_KEYBOARD = { keys = true, key_down = true, key_up = true, paste = true, text = true, type = true }


--- The action as one table, as sys.input.send() takes it.
function M.spec(effect)
  local names = ARGUMENTS[effect.how]
  if not names then return effect.given[1] end
  local spec = {}
  for key, value in pairs(effect.given[#names + 1] or {}) do spec[key] = value end
  for i, name in ipairs(names) do spec[name] = effect.given[i] end
  spec.kind = effect.how
  return spec
end


--- The points that the pointer acts on.
local function points_of(spec)
  if type(spec.path) == "table" and #spec.path > 0 then return { spec.path[1], spec.path[#spec.path] } end
  if tonumber(spec.x) and tonumber(spec.y) then return { { x = tonumber(spec.x), y = tonumber(spec.y) } } end
  local x, y = display.cursor()
  return x and { { x = x, y = y } } or nil
end


-- Actions on one window. The binding does them to that one alone.
local TO_ONE = { click = true, drop = true, press = true }

-- The desktop's own program, which takes some keys before any window gets them.
local MANAGER = { "window manager" }


--- The applications that get keys: those that a window manager takes, it gets as well, because only some of them are its own.
local function with_manager(list, spec)
  local keys = spec.chord and spec.kind ~= "key_up" and typed.chord(spec.chord)
  if not keys or not list or not chord.is_of_manager(keys) then return list end
  local all = table.move(list, 1, #list, 1, {})
  all[#all + 1] = MANAGER
  return all
end


--- The applications that get it. nil: it is not known.
function M.apps(effect)
  effect.goes_to = nil
  if effect.unknown then return nil end
  local spec = effect:fact "spec"
  if BY_KEYBOARD[spec.kind] then
    local list, its
    list, its, effect.windows = apps.focused()
    effect.goes_to = its and spec.kind ~= "key_up" and its.id or nil
    return with_manager(list, spec)
  end
  local all = {}
  for _, point in ipairs(points_of(spec) or {}) do
    local list, its
    list, its, effect.windows = apps.at_point(tonumber(point.x or point[1]) or 0, tonumber(point.y or point[2]) or 0,
      spec.kind == "release" and typed.button() ~= nil)
    if not list then return nil end
    table.move(list, 1, #list, #all + 1, all)
    effect.goes_to = its and TO_ONE[spec.kind] and its.id or nil
  end
  return all
end


--- True for keys that are kept down: they go on wherever the focus moves.
local function are_kept_down(spec)
  return spec.kind == "key_down" or spec.kind == "keys" and (tonumber(spec.duration) or 0) > 0
end


--- True if one of them runs what it is given. nil: it is not known.
function M.terminal(effect)
  local spec = effect:fact "spec"
  if are_kept_down(spec) and chord.pastes(typed.chord(spec.chord)) then return nil end
  local is = terminal.any(effect:fact "apps", effect.windows)
  local may = is == false and BY_KEYBOARD[spec.kind] and spec.kind ~= "key_up" and typed.is_in_prompt(effect.goes_to)
  if may then return nil end
  return is
end


--- The clipboard's text, where keys paste it; false: they do not, or it has none. nil: it cannot be told.
---@return string|false|nil
function M.pasted(effect)
  local spec = effect:fact "spec"
  local keys = spec.chord and spec.kind ~= "key_up" and typed.chord(spec.chord)
  if not keys then return false end
  if not chord.pastes(keys) and not terminal.pastes(effect:fact "apps", chord.name(keys)) then return false end
  local clip = require("sys.clipboard").read { types = { "text/plain" } }
  if not clip then return nil end
  return clip.parts["text/plain"] or false
end


---@return string|false
function M.text(effect)
  local spec = effect:fact "spec"
  return spec.text or spec.chord or false
end


---@return {x: number, y: number}[]|false
function M.points(effect) return points_of(effect:fact "spec") or false end


--- The element that is pressed or written.
---@return sys.element.Node|false|nil
function M.node(effect) return require("policy.effect.pressed").node(effect) end


---@return string|false|nil
function M.role(effect)
  local node = effect:fact "node"
  return node and node.role
end


---@return string|false|nil
function M.name(effect)
  local node = effect:fact "node"
  return node and require("policy.effect.pressed").name_of(node)
end


--- The keys that text presses by its line ends and tabs. "typed text" stands for all else in it: a rule that allows those keys
--- says nothing about that.
---@return string[]|false
local function keys_within(text)
  local list = {}
  if text:find "[\r\n]" then list[1] = "enter" end
  if text:find "\t" then list[#list + 1] = "tab" end
  if #list > 0 and text:find "[^\r\n\t]" then list[#list + 1] = "typed text" end
  return #list > 0 and list
end


---@return string|string[]|false
function M.keys(effect)
  local spec = effect:fact "spec"
  if spec.text then return keys_within(spec.text) end
  return spec.chord and chord.name(typed.chord(spec.chord)) or false
end


--- The service of this engine that has a hotkey which these keys press.
---@return string|false
function M.hotkey(effect) return require("policy.effect.hotkeys").of(effect) end


--- The line that the application has, and what it becomes.
M.writing = typed.writing
M.whole_line = typed.line_of

--- The line that the application then has, as far as this engine sent it; false: nothing but the text.
function M.line(effect)
  local writing = effect:fact "writing"
  return writing and writing.after
end


--- The window of the last point.
---@return integer|false|nil
function M.window(effect)
  local spec = effect:fact "spec"
  local points = points_of(spec)
  local _, at = apps.at_point(points[#points].x or points[#points][1], points[#points].y or points[#points][2],
    spec.kind == "release")
  return at and at.id or false
end


local function element_at(point)
  local list, at = apps.at_point(point.x or point[1], point.y or point[2])
  local pid = list and list[1] and list[1].pid
  return at and at.id or nil, pid and element.at(pid, point.x or point[1], point.y or point[2]) or nil
end


--- True if what is dragged may be let go elsewhere than where it was taken: in another window, or in another element of the same.
local function is_carried(spec)
  if type(spec.path) == "table" and #spec.path > 1 then
    local from, taken = element_at(spec.path[1])
    local to, onto = element_at(spec.path[#spec.path])
    return from ~= to or taken ~= nil and onto ~= nil and taken ~= onto
  end
  return false
end


local function has_popup(list, windows)
  windows = windows or window.list { all_kinds = true } or {}
  for _, each in ipairs(list or {}) do
    for _, its in ipairs(windows) do
      if its.pid == each.pid and its.kind == "popup" and its.on_screen then return true end
    end
  end
  return false
end


--- True if keys or text may paste: by a chord in any order and spelling, by modifiers that are kept down, in a menu. What has the
--- keyboard without being a window may be a menu.
local function pastes_by_keys(effect, spec)
  if spec.kind == "key_up" then return false end
  if effect.unknown then return nil end
  local keys = spec.chord and typed.chord(spec.chord)
  if keys and (chord.pastes(keys) or terminal.pastes(effect:fact "apps", chord.name(keys))) then return true end
  if keys and spec.kind == "key_down" and #keys.keys == 0 and chord.is_shortcut(keys.modifiers) then return true end
  local list = effect:fact "apps"
  local menus = typed.opens_menu(effect) and not terminal.is_without_menus(list and { list[1] })   -- the last is the manager's
  return typed.holds_keys() or menus or has_popup(list, effect.windows)
end


--- True if it may put there what was copied before, or what is selected or dragged: by keys, the middle button, an item of a
--- menu, a drag. Text that is pasted in place of typing is its own text.
function M.paste(effect)
  local spec = effect:fact "spec"
  if effect.effect == "drop" or spec.kind == "scroll" then return false end
  if BY_KEYBOARD[spec.kind] or spec.chord or spec.text then
    return require("policy.effect.fetched").reads_clipboard(effect) or pastes_by_keys(effect, spec)
  end
  if spec.button == "middle" and spec.kind ~= "release" then return true end
  if is_carried(spec) or spec.kind == "drag" and (spec.button and spec.button ~= "left" or next(spec.modifiers or {})) then
    return true
  end
  local button = typed.button()
  if button and spec.kind == "release" and spec.button == "right" then return true end
  if button then return button ~= effect:fact "window" end
  if spec.kind == "move" or spec.kind == "release" then return false end
  if effect.unknown then
    if terminal.has_menu() then return nil end
    return false
  end
  return require("policy.effect.press").is_in_menu(effect:fact "apps", points_of(spec) or {})
end


--- True if what it pastes is what a call wrote on the clipboard. What is selected or dragged was never there, and keys with V
--- alone paste nothing else than the clipboard.
function M.own_clipboard(effect)
  local keys = effect:fact("spec").chord
  if not keys or not chord.is_of_clipboard(typed.chord(keys)) then return false end
  return require("policy.effect.clipboard").is_own()
end


return M
