#!/usr/bin/env tests/lua/run
--- desktop.names: which windows were named since the last input.
local names = require "desktop.names"
local t     = require "check"

local MOST = 1000

local function window(id) return { id = id, pid = 7, started = 1 } end

t.case("a window that was named is remembered until it is forgotten", function()
  t.same(names.is_named(window(1)), false)
  for _ = 1, 2 * MOST do t.same(names.window(window(1)), "applications/7/windows/1") end
  names.window(window(2))
  t.same({ names.is_named(window(1)), names.is_named(window(2)), names.is_named(window(3)) }, { true, true, false })
  names.forget_named()
  t.same({ names.is_named(window(1)), names.is_named(window(2)) }, { false, false })
end)

t.case("without input the windows that were named do not pile up", function()
  for id = 1, MOST do names.window(window(id)) end
  t.same({ names.is_named(window(1)), names.is_named(window(MOST)) }, { true, true })
  names.window(window(MOST + 1))
  t.same({ names.is_named(window(1)), names.is_named(window(MOST)), names.is_named(window(MOST + 1)) }, { false, false, true })
end)

t.done()
