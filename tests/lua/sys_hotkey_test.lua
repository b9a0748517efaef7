#!/usr/bin/env -S PERIGEE_DESKTOP=fake tests/lua/run
--- sys.hotkey.mode, with keys on the desktop in memory. tests/desktop/lua/events_test.lua has sys.hotkey.bind on a real one.
local hotkey = require "sys.hotkey"
local input  = require "sys.input"
local t      = require "check"
local task   = require "sys.task"
local time   = require "sys.time"

local LONG = 60   -- seconds; only against hanging

--- Presses keys, and waits for the note of the function that they call.
local function press(keys, notes)
  local count = #notes
  task.apart("presses", function() assert(input.keys(keys)) end)
  t.same(select(3, task.with_timeout(LONG, function()
    while #notes == count do task.await "note" end
  end)), nil)
end

local function is_free(keys)
  local handle, _, code = hotkey.bind(keys, function() end)
  if handle then handle:stop() end
  return handle ~= nil or code
end

t.case("its keys are bound while it is on, and one of them can end it", function()
  local notes = {}
  local function note(word)
    return function()
      notes[#notes + 1] = word
      task.signal "note"
    end
  end
  local mode = hotkey.mode({ h = note "left", x = function() note "fails" () error "it failed" end, f9 = function(mode)
    mode:exit()
    note "end" ()
  end }, { entered = note "entered", exited = note "exited" })
  t.same({ mode:is_on(), is_free "h" }, { false, true })
  for _ = 1, 2 do t.same(mode:enter(), true) end
  t.same({ mode:is_on(), is_free "h", is_free "f9" }, { true, "hotkey_taken", "hotkey_taken" })
  press("h", notes)
  press("x", notes)
  press("h", notes)
  press("f9", notes)
  t.same(select(3, task.with_timeout(LONG, function() while is_free "f9" ~= true do time.sleep(0.01) end end)), nil)
  t.same({ mode:is_on(), is_free "h", is_free "x" }, { false, true, true })
  t.same(mode:enter(), true)
  mode:exit()
  mode:exit()
  t.same(notes, { "entered", "left", "fails", "left", "exited", "end", "entered", "exited" })
  t.same(is_free "h", true)
end)

t.case("if one key cannot be bound, none is", function()
  local taken = assert(hotkey.bind("j", function() end))
  local mode = hotkey.mode { h = function() end, j = function() end }
  t.same(select(3, mode:enter()), "hotkey_taken")
  t.same({ mode:is_on(), is_free "h" }, { false, true })
  taken:stop()
  t.same(mode:enter(), true)
  mode:exit()
end)

t.case("wrong arguments raise", function()
  t.raises(function() hotkey.mode() end, "expected a table")
  t.raises(function() hotkey.mode { h = true } end, "expected functions by keys")
  t.raises(function() hotkey.mode { print } end, "expected functions by keys")
end)

t.done()
