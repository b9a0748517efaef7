--- A recording: listens to keys, buttons, windows and elements, and writes a macro of what a person does with them.

local app       = require "sys.app"
local book_of   = require "recorder.book"
local display   = require "sys.display"
local element   = require "sys.element"
local events    = require "sys.events"
local given     = require "macros.given"
local log       = require "sys.log"
local loops     = require "recorder.loop"
local looks     = require "recorder.looks"
local pointer   = require "recorder.pointer"
local scribe_of = require "recorder.scribe"
local screen    = require "sys.screen"
local secret    = require "recorder.secret"
local spot      = require "recorder.spot"
local tape_of   = require "recorder.tape"
local task      = require "sys.task"
local time      = require "sys.time"
local typing_of = require "recorder.typing"
local window    = require "sys.window"
local words     = require "elements.read.words"

local M = {}

M.STOP = "recorder.stop"   -- the signal that ends a recording

local PATIENCE = 1          -- seconds for one reading of an application that may hang,
local BUSY = 5              -- and of one that may be opening a window: events wait meanwhile
local LONG = 65536          -- characters of a text that is read
local SHOWN = 4000          -- characters of a terminal that are read
local LONGEST = 1280        -- pixels of a picture
local WAITING = 10000       -- events that wait for their turn
local POINTER = "recorder.pointer"   -- the lock of what looks up elements under the pointer
local STOP_KEYS = "ctrl+alt+escape"
local CHANGES = words.set "children name state window"   -- events after which a look is taken anew

---@class recorder.Session
---@field tape recorder.Tape
---@field book recorder.Book
---@field problem? string        why the last steps could not be written
---@field told? fun(session: recorder.Session)  called when steps were written
---@field private pictures boolean
---@field private own table<integer, true>  processes whose windows are left out
---@field private inbox sys.task.Channel
---@field private stirs sys.task.Channel  the pointer came to rest, or something changed
---@field private rests? sys.events.Event  where it came to rest, until it was looked at
---@field private reports_rests? true  the desktop reports them
---@field private looks recorder.Looks
---@field private pointer recorder.Pointer
---@field private scribe recorder.Scribe
---@field private typing recorder.Typing
---@field private titles table<integer, string>
---@field private came table<integer, number>  windows that opened, popups as well, and when
---@field private taken recorder.Picture[]
---@field private serial integer
---@field private watch? sys.task.Task
local Session = {}
Session.__index = Session


-- --- looking -------------------------------------------------------------------------------------------------

local function text_of(id)
  local read = element.text(id, { from = 0, to = LONG, timeout = PATIENCE })
  return read and read.length <= LONG and read.text or nil
end


local function end_of(id)
  local all = element.text(id, { from = 0, to = 0, timeout = PATIENCE })
  local read = all and element.text(id, { from = math.max(all.length - SHOWN, 0), to = all.length, timeout = PATIENCE })
  return read and read.text or ""
end


local function node_of(id)
  local nodes = element.get({ id }, { timeout = PATIENCE })
  return nodes and not nodes[1].gone and nodes[1] or nil
end


--- The element that has the keyboard.
local function keyboard()
  local field = element.field { timeout = BUSY }
  return field and field.id and node_of(field.id) or nil
end


--- Captures a window into the folder of pictures, while events go on.
---@return recorder.Picture?
function Session:picture(of)
  if not self.pictures then return nil end
  self.serial = self.serial + 1
  local picture = { name = ("%d.png"):format(self.serial), done = false }
  local path = self.book.folder .. "/" .. picture.name
  picture.task = task.spawn(function()
    picture.done = screen.capture { window = of, path = path, longest = LONGEST, timeout = PATIENCE, popups = true } ~= nil
  end)
  self.taken[self.serial] = picture
  return picture
end


--- True if the application has another window beside this one. Dialogs come and go.
local function has_others(of)
  for _, each in ipairs(window.list { pid = of.pid } or {}) do
    if each.id ~= of.id and each.kind == "normal" and not each.parent then return true end
  end
  return false
end


--- The names by which steps mean a window; nil: it is one of the recorder's own.
function Session:place(of)
  if of.pid == 0 or self.own[of.pid] then return nil end
  local owner = app.get { pid = of.pid, started = of.started }
  local id = owner and owner.id or ""
  local is_program = owner and owner.path and owner.path:match "[^/]*$" == id   -- as of any script of an interpreter
  local name = (id == "" or is_program) and of.app ~= "" and of.app or given.application(of.pid, of.started)
  if not name then return nil end
  self.book:of { name = owner and owner.name or name, id = id }
  local title = words.clean(of.title)
  local part = of.kind == "dialog" or of.modal or of.parent ~= nil
  if title == "" or not part and not has_others(of) then title = nil
  elseif not part then title = "*" .. title:gsub("^%*", "") end
  return { application = name, title = title, id = of.id, opens = id ~= "" and not is_program and not part }
end


--- True if what is at a place after a press was there before it: in the popup that was open then, or in the look before it.
local function was_there(self, found, event)
  local node = found.node
  if not node or not found.window then return false end
  if found.popup then
    local came = self.came[found.popup.id]
    return came ~= nil and came < event.at
  end
  local before = self.looks:before(node.pid, event.at)
  local then_there = before and spot.in_look(before, found.window.id, event.x, event.y)
  return then_there ~= nil and then_there.id == node.id
end


--- The spot under the pointer before a press, and whether that is sure.
function Session:before(event)
  local _ <close> = task.lock(POINTER)
  local found, in_time = self.pointer:before(event)
  if self.pointer:has_changed() then self.stirs:send(true, 0) end
  if in_time or was_there(self, found, event) then return found, true end
  log.debug(("what was at %g,%g was looked up after the press"):format(event.x, event.y))
  return found, false
end


local function eyes_of(self)
  return {
    before = function(event) return self:before(event) end,
    look_before = function(pid, at) return self.looks:before(pid, at) end,
    look = function(pid) return self.looks:of({ pid = pid, started = 0 }, true) end,
    picture = function(of) return self:picture(of) end,
    place = function(of) return self:place(of) end,
    keyboard = keyboard,
    value = function(id)
      local node = node_of(id)
      return node and node.value
    end,
    hides = secret.is_read_by,
    shown = end_of,
  }
end


-- --- events --------------------------------------------------------------------------------------------

local ON = {}

function ON.input(self, event)
  if event.key == STOP_KEYS then return end
  if event.button then
    if event.what == "pressed" then self.scribe:press_button(event) else self.scribe:release_button(event) end
  elseif event.what == "pressed" then
    self.scribe:key(event)
  end
end


--- Something changed on the screen, perhaps under the pointer.
local function change(self)
  self.pointer:change()
  self.stirs:send(true, 0)
end


function ON.windows(self, event)
  change(self)
  local of = event.window
  if of then self.looks:change(of.pid) end
  if of and event.what == "opened" then self.came[of.id] = event.at end
  if event.what == "focused" then
    self.scribe:front(of, event.at)
    self.unread = of and of.id or nil
    self.stirs:send(true, 0)
  elseif event.what == "opened" and of.kind ~= "popup" then
    self.titles[of.id] = of.title
    self.tape:open(of.id, event.at)
  elseif event.what == "closed" then
    self.scribe:flush(event.at)
    self.tape:close(of.id)
  elseif event.what == "titled" then
    self.tape:title(of.id, self.titles[of.id] or "", of.title, event.at)
    self.titles[of.id] = of.title
  end
end


function ON.elements(self, event)
  if CHANGES[event.what] then
    self.looks:change(event.pid)
    change(self)
  end
  if not event.id or self.own[event.pid] then return end
  if event.what == "value" then
    self.looks:change(event.pid)
    self.typing:change(event.id, event.at)
    if self.scribe:is_changing(event.id) then self.scribe:settle() end
  end
  if event.what == "focus" and event.detail == "focused on" then
    local node = node_of(event.id)
    if node then self.scribe:focus(node, event.at) end
  end
end


-- --- its tasks -----------------------------------------------------------------------------------------------

--- The pointer rests, which the display server reports.
local function rest(self, event)
  self.rests, self.reports_rests = event, true
  self.stirs:send(true, 0)
end


--- Passes on the events of a stream.
local function follow(self, stream)
  return task.spawn(function()
    while true do
      local event, err, code = stream:next()
      if not event then
        self.inbox:send { about = "end", err = err, code = code }
        return
      end
      stream:take()
      if event.what == "rests" then rest(self, event) else self.inbox:send(event) end
    end
  end)
end


--- The hit where the pointer rests, if it has to be looked up. Its place is asked for only if something changed, or if nothing
--- reports where it rests.
local function resting(self)
  local at = self.rests
  self.rests = nil
  if at then return self.pointer:rest(at.x, at.y) end
  if self.reports_rests and not self.pointer:has_changed() then return nil end
  local x, y = display.cursor { timeout = PATIENCE }
  if not x or self.reports_rests and not self.pointer:is_at(x, y) then return nil end   -- it moves
  return self.pointer:move(x, y)
end


--- Where the pointer is at the beginning, whether it rests there or not.
local function at_first(self)
  local x, y = display.cursor { timeout = PATIENCE }
  return x and self.pointer:rest(x, y)
end


--- Looks where the pointer rests, and at a dialog that came. Returns whether it was too early for that look.
---@param where fun(session: recorder.Session): recorder.Spot?
---@return boolean?
local function glance(self, where)
  local _ <close> = task.lock(POINTER)
  local found = where(self)
  if found then
    log.debug(("the pointer rests on %s at %g,%g%s"):format(found.node and words.called(found.node) or "no element", found.x,
      found.y, found.popup and ", in a popup" or ""))
    if found.snapshot and found.window then self.tape:see_dialog(found.snapshot, found.window) end
  end
  local front = self.unread and self.scribe.window
  if front and self.unread == front.id then
    local snapshot = self.looks:of { pid = front.pid, started = front.started }
    self.unread = nil
    if snapshot then self.tape:see_dialog(snapshot, front) end
  end
  return found and found.stale
end


--- Glances where the pointer rests, and again while something changes.
local function watch_pointer(self)
  return task.spawn(function()
    while true do
      local too_early = glance(self, resting)
      if self.reports_rests and not too_early then self.stirs:receive() end
      if not self.rests then time.sleep(pointer.SECONDS) end
    end
  end)
end


--- Writes the macro whenever there is something new.
local function write(self)
  return task.spawn(function()
    for _ in self.news:values() do
      while #self.news > 0 do self.news:receive(0) end
      self:save()
    end
  end)
end


--- The part that was done several times with other values.
---@return recorder.Loop?
function Session:repeated() return loops.find(self.tape.steps) end


--- Writes the steps that there are.
---@param loop? recorder.Loop  a part that becomes a loop
function Session:save(loop)
  local ok, err = self.book:write(self.tape, loop)
  if not ok and err ~= self.problem then log.warn(("the recording cannot be written: %s"):format(err)) end
  self.problem = not ok and err or nil
  if ok and self.told and self.book.steps > 0 then self.told(self) end
end


--- Takes events until something ends the recording.
local function take_all(self)
  while true do
    local event, _, code = self.inbox:receive(self.scribe:due_in(time.monotonic()))
    if not event and code ~= "timeout" then return "closed" end
    if event and event.about == "end" then return event.code, event.err end
    local act = event and ON[event.about]
    if act then act(self, event) end
    if self.scribe:is_due(time.monotonic()) then self.scribe:settle() end
  end
end


--- The field and the window that have the keyboard at the beginning.
local function begin_with_keyboard(self)
  for _, each in ipairs(window.list() or {}) do
    self.titles[each.id] = each.title
    if each.focused then self.scribe:front(each, time.monotonic()) end
  end
  local front = self.scribe.window
  self.unread = front and front.id
  local node = keyboard()
  if node and not self.own[node.pid] then self.scribe:focus(node, time.monotonic()) end
end


---@class recorder.Options: recorder.Titles
---@field pictures boolean
---@field own table<integer, true>

--- Opens what a recording listens to.
local function open_streams(purpose)
  local input, err, code = events.input(purpose, { rests = true })
  if not input then return nil, err, code end
  local streams = { input }
  streams[2], err, code = events.watch { "windows" }
  if streams[2] then streams[3], err, code = events.elements({ "focus", "value", "name", "state", "children", "window" }, 0) end
  if streams[3] then return streams end
  for _, stream in ipairs(streams) do stream:close() end
  return nil, err, code
end


--- Begins a recording. It listens from now on.
---@param id string
---@param options recorder.Options
---@return recorder.Session? session
---@return string? err
---@return string? code  those of sys.events.input, and of macros.shelf
function M.begin(id, options)
  local streams, err, code = open_streams("the macro " .. id)
  if not streams then return nil, err, code end
  local self = setmetatable({ pictures = options.pictures, own = options.own, titles = {}, came = {}, taken = {}, serial = 0,
    streams = streams, inbox = task.channel(WAITING), news = task.channel(100), stirs = task.channel(1), looks = looks.new() },
    Session)
  self.book, err, code = book_of.open(id, options)
  if not self.book then
    self:close()
    return nil, err, code
  end
  self.tape = tape_of.new(function() self.news:send(true, 0) end)
  self.typing = typing_of.new(text_of, time.monotonic)
  self.pointer = pointer.new(function(x, y, now) return spot.find(x, y, self.looks, now) end, time.monotonic)
  self.scribe = scribe_of.new(self.tape, self.typing, eyes_of(self))
  return self
end


--- Leaves out what is done in the windows of a process.
---@param pid? integer
function Session:leave_out(pid)
  if pid then self.own[pid] = true end
end


function Session:close()
  for _, stream in ipairs(self.streams) do stream:close() end
  if self.watch then self.watch:cancel() end
end


--- Writes what is not written yet, and removes the pictures that no step has.
function Session:finish()
  self.scribe:flush(time.monotonic(), true)
  self:save()
  self.book:tidy(self.tape, self.taken)
  self.book:close()
end


--- Takes the first look: a click after it, where the pointer is, finds its element known. What is done meanwhile waits for run().
function Session:start()
  task.spawn(function()
    task.await(M.STOP)
    self.inbox:send { about = "end", code = "asked" }
  end)
  begin_with_keyboard(self)
  for _, stream in ipairs(self.streams) do follow(self, stream) end
  glance(self, at_first)
  self.watch = watch_pointer(self)
end


--- Records until Ctrl+Alt+Esc, the stop signal, or the end of the desktop. It was started.
---@return string code  "stopped", "asked", or that of a failure
---@return string? err
function Session:run()
  local writer = write(self)
  local code, err = take_all(self)
  self:close()
  self.news:close()
  writer:join()
  for _, each in ipairs(self.taken) do
    if each.task then each.task:join() end
  end
  self:finish()
  return code, err
end


return M
