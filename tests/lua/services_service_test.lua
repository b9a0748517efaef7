#!/usr/bin/env tests/lua/run
--- services.service: the status of one service.
local service = require "services.service"
local t       = require "check"
local time    = require "sys.time"

t.case("failures are forgotten once it has recovered", function()
  local one = service.new("demo", "/demo.lua")
  for _, state in ipairs { "runs", "ended" } do     -- of one that had ended they were shown for ever
    one.now.state, one.now.failures, one.now.error, one.now.since = state, 3, "bad", time.now() - 10
    t.same({ one:status().failures, one:status().error }, { 3, "bad" })
    one.now.since = time.now() - 100
    t.same({ state, one:status().failures, one:status().error }, { state, 0, nil })
  end
end)

t.case("failures of one that does not work are kept", function()
  local one = service.new("demo", "/demo.lua")
  for _, state in ipairs { "failed", "starting", "stopped", "disabled" } do
    one.now.state, one.now.failures, one.now.since = state, 3, time.now() - 100
    t.same({ state, one:status().failures }, { state, 3 })
  end
end)

t.case("an engine that has a service is named, also where the service is stopped or has ended there", function()
  local one = service.new("demo", "/demo.lua")
  one:wait_for_engine(4711)
  t.ok(one:log()[1]:find("the engine 4711 has it, and this one starts it when that ends", 1, true), one:log()[1])
end)

t.done()
