--- A recorder without a desktop: events as the system reports them, on interfaces that the test shows.

local interface = require "testing.interface"
local lines     = require "macros.lines"
local scribe_of = require "recorder.scribe"
local snapshots = require "elements.read.snapshot"
local tape_of   = require "recorder.tape"
local typing_of = require "recorder.typing"

local M = {}

---@class recorder.Scene
local Scene = {}
Scene.__index = Scene


--- Windows by name: { title, kind, rows of testing.interface }, the elements of all of which the application tells of.
function M.new(windows)
  local self = setmetatable({ now = 100, texts = {}, windows = {}, pictures = 0, hidden = {}, shown = "",
    values = {}, before = true }, Scene)
  for id, each in pairs(windows) do
    self.windows[id] = { id = id, pid = 7, started = 70, title = each.title or "Notes", kind = each.kind or "normal", app = "Notes",
      parent = each.parent, modal = each.modal, frame = { x = 90, y = 90, width = 400, height = 600 },
      content = { x = 90, y = 90, width = 400, height = 600 } }
    self:show(id, each)
  end
  self.tape = tape_of.new()
  self.typing = typing_of.new(function(node) return self.texts[node] end, function() return self.now end)
  self.scribe = scribe_of.new(self.tape, self.typing, {
    before = function(event) return event.hit, self.before end,
    look = function() return self.snapshot end,
    look_before = function() return self.earlier end,
    picture = function()
      self.pictures = self.pictures + 1
      return { name = self.pictures .. ".png", done = true }
    end,
    place = function(of)
      return of.pid == 7 and { application = "notes", title = of.kind == "dialog" and of.title or nil, id = of.id,
        opens = of.kind ~= "dialog" } or nil
    end,
    keyboard = function() return self.keyboard end,
    hides = function() return self.hidden.now or false end,
    shown = function() return self.shown end,
    value = function(id) return self.values[id] end,
  })
  return self
end


--- Another interface is shown in a window. The elements keep their numbers if they keep their places.
function Scene:show(id, rows)
  local tree = interface.tree(rows)
  for _, node in ipairs(tree.nodes) do node.window = id end
  self.snapshot = snapshots.of(tree, { pid = 7, started = 70 })
  self.snapshot.at = self.now
  self.window = self.windows[id]
end


--- The element of a role and a name.
function Scene:node(role, name)
  for _, node in ipairs(self.snapshot.nodes) do
    if node.role == role and (not name or node.name == name) then return node end
  end
  error(("there is no %s %s"):format(role, name or ""), 2)
end


function Scene:wait(seconds) self.now = self.now + (seconds or 1) end


--- A window comes to the front.
function Scene:front(id, rows)
  if rows then self:show(id, rows) end
  self.window = self.windows[id]
  self.scribe:front(self.window, self.now)
end


--- The pointer clicks what is there.
function Scene:click(role, name, more) self:click_node(role and self:node(role, name), more) end


--- The pointer clicks an element.
function Scene:click_node(node, more)
  more = more or {}
  self:wait(more.after)
  local event = { button = more.button or "left", x = more.x or 150, y = more.y or 150, at = self.now,
    hit = { x = more.x or 150, y = more.y or 150, window = self.window, node = node, snapshot = self.snapshot,
            popup = more.popup and { frame = self.window.frame, pid = 7 } or nil } }
  self.scribe:press_button(event)
  if more.between then more.between() end
  self.scribe:release_button(event)
end


--- An element gets the keyboard.
function Scene:focus(role, name, text)
  local node = self:node(role, name)
  self.texts[node.id] = self.texts[node.id] or text or ""
  self.scribe:focus(node, self.now)
  return node
end


--- Presses keys by their names.
function Scene:keys(chords)
  for chord in chords:gmatch "%S+" do
    self:wait(0.1)
    self.scribe:key { what = "pressed", key = chord, at = self.now }
  end
end


--- Types characters; the field then holds `now`, and tells of it.
function Scene:type(text, now)
  for _, code in utf8.codes(text) do
    self:wait(0.1)
    local char = utf8.char(code)
    self.scribe:key { what = "pressed", key = char == " " and "space" or char:lower(), text = char, at = self.now }
  end
  local field = self.typing.field
  if field and now ~= false then
    self.texts[field.node.id] = now or (self.texts[field.node.id] or "") .. text
    self.typing:change(field.node.id, self.now)
  end
end


--- A window closes, as sys.window tells.
function Scene:close(id)
  self:wait()
  self.scribe:flush(self.now)
  self.tape:close(id)
end


--- The lines of the macro, and its parameters.
function Scene:lines(loop)
  self.scribe:flush(self.now)
  local given, parameters = self.tape:given(loop)
  local types = {}
  for _, each in ipairs(parameters) do types[each.name] = each.type end
  return assert(lines.of(given, types)), parameters
end


return M
