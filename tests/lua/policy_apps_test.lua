#!/usr/bin/env tests/lua/run
--- policy.apps: windows that do not say their process; rect: what a display shows.
local apps = require "policy.apps"
local rect = require "rect"
local t    = require "check"


t.case("windows without a process are told apart by their application", function()
  local windows = {}
  for i, app in ipairs { "A", "B", "A", "C", "B" } do windows[i] = { pid = 0, started = 0, id = i, app = app } end
  t.same(apps.of_windows(windows), { { "A" }, { "B" }, { "C" } })
  t.same(apps.of_windows {}, {})
end)

t.case("a display shows what reaches into it, and nothing beside it", function()
  local one, two = { x = 0, y = 0, width = 100, height = 100 }, { x = 100, y = 0, width = 100, height = 100 }
  for _, row in ipairs { { 0, 100, true, false }, { 0, 101, true, true }, { 99, 1, true, false }, { 100, 1, false, true },
    { 99.5, 1, true, true }, { -50, 50, false, false }, { 200, 9, false, false }, { -50, 300, true, true } } do
    for _, side in ipairs { { 10, 20, true }, { -30, 30, false }, { 100, 5, false }, { -5, 300, true } } do
      local window = { x = row[1], y = side[1], width = row[2], height = side[2] }
      t.same({ rect.meet(window, one), rect.meet(two, window) }, { row[3] and side[3], row[4] and side[3] })
    end
  end
end)

t.done()
