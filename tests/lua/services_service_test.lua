#!/usr/bin/env tests/lua/run
--- services.service: the status of one service.
local service = require "services.service"
local t       = require "check"
local time    = require "sys.time"

t.case("failures are forgotten once it has recovered", function()
  local one = service.new("demo", "/demo.lua")
  one.now.state, one.now.failures, one.now.error, one.now.since = "runs", 3, "bad", time.now() - 10
  t.same({ one:status().failures, one:status().error }, { 3, "bad" })
  one.now.since = time.now() - 100
  t.same(one:status().failures, 0)
  t.same(one:status().error, nil)
end)

t.done()
