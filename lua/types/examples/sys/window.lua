local window = require "sys.window"

--- list
for _, each in ipairs(assert(window.list())) do
  print(each.app, each.title)   --> Text Editor	draft.txt
end
--> Text Editor	notes.txt
--> Files	Home

--- get
local front = assert(window.list())[1]
local now, err, code = window.get(front)
print(now.title, now.frame.width > 0)                               --> draft.txt	true

now, err, code = window.get { pid = 1, started = 1, id = 9999 }
print(now, code)                                                    --> nil	window_not_found

--- focused
print(assert(window.focused()).title)                               --> draft.txt

--- over
local home = assert(window.list())[3]
local over = window.over(home, home.frame.x + 1, home.frame.y + 1)
print(over and over.title or "a click reaches the window itself")   --> a click reaches the window itself

--- changed
local front = assert(window.list())[1]
local mark = assert(window.changed())                      -- as it is now
window.move(front, front.frame.x + 10, front.frame.y)
print(window.changed(mark, { wait = 5 }) ~= mark)          --> true

--- differences
local front = assert(window.list())[1]
local before = assert(window.changed())
window.move(front, front.frame.x + 10, front.frame.y)
for _, each in ipairs(window.differences(before, assert(window.changed(before)))) do
  print(each.what, each.window.title, each.before.x == front.frame.x)   --> moved	draft.txt	true
end

--- focus
local notes = assert(window.list())[2]
local outcome = assert(window.focus(notes))
print(outcome.done, outcome.focused)   --> true	true

--- move
local front = assert(window.list())[1]
local outcome = assert(window.move(front, 40, 60))
print(outcome.done, outcome.after.x, outcome.after.y)   --> true	40	60

--- resize
local front = assert(window.list())[1]
local outcome = assert(window.resize(front, 640, 480))
print(outcome.after.width, outcome.after.height)   --> 640	480

--- place
-- The left half of the main display.
local area = assert(require "sys.display".list())[1].work
local front = assert(window.list())[1]
local outcome = assert(window.place(front, { x = area.x, y = area.y, width = area.width / 2, height = area.height }))
print(outcome.done, outcome.after.width == area.width / 2)   --> true	true

--- minimize
local front = assert(window.list())[1]
print(assert(window.minimize(front)).minimized)   --> true

--- restore
for _, each in ipairs(assert(window.list())) do
  if each.minimized then print(each.title, assert(window.restore(each)).done) end   --> notes.txt	true
end

--- maximize
local front = assert(window.list())[1]
print(assert(window.maximize(front)).maximized)   --> true
window.restore(front)

--- fullscreen
local front = assert(window.list())[1]
print(assert(window.fullscreen(front)).fullscreen)   --> true
window.restore(front)

--- close
local outcome = assert(window.close(assert(window.list())[3]))
if not outcome.done then print(outcome.note) end   -- a dialog, for example
print(outcome.gone)                                --> true

--- events
-- One event, with a time limit.
local moves = assert(window.events { what = "moved", app = "text editor" })
local front = assert(window.list())[1]
window.move(front, front.frame.x + 5, front.frame.y)
local event = assert(moves:next(5))
print(event.what, event.before.x == front.frame.x)   --> moved	true
moves:close()

-- A function, for as long as the service or the script runs.
local handle = assert(window.events({ what = "opened" }, function(opened) print("new:", opened.window.title) end))
print(handle:runs())                                 --> true
handle:stop()
