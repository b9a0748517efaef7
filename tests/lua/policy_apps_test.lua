#!/usr/bin/env tests/lua/run
--- policy.apps: windows that do not say their process.
local apps = require "policy.apps"
local t    = require "check"


t.case("windows without a process are told apart by their application", function()
  local windows = {}
  for i, app in ipairs { "A", "B", "A", "C", "B" } do windows[i] = { pid = 0, started = 0, id = i, app = app } end
  t.same(apps.of_windows(windows), { { "A" }, { "B" }, { "C" } })
  t.same(apps.of_windows {}, {})
end)

t.done()
