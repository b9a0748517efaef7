#!/usr/bin/env tests/lua/run
--- Options that were misspelled counted for nothing, in silence: each is an error that names the nearest.
local engine  = require "sys.engine"
local json    = require "sys.json"
local mcp     = require "sys.mcp"
local perigee = require "perigee"
local t       = require "check"

t.case("a misspelled option of sys.mcp.connect was passed over", function()
  t.raises(function() mcp.connect { comand = "true" } end, "did you mean 'command'")
  t.raises(function() mcp.connect { command = "true", tiemout = 1 } end, "did you mean 'timeout'")
  t.raises(function() mcp.connect { url = "http://127.0.0.1:1/", tokn = "x" } end, "did you mean 'token'")
end)

t.case("a misspelled option of a client's methods was passed over", function()
  local client <close> = assert(mcp.connect { command = require "sys.env".get "PERIGEE", args = { "serve", "--lean" } })
  t.raises(function() client:call("engine_status", {}, { tiemout = 1 }) end, "did you mean 'timeout'")
  t.raises(function() client:call("engine_status", {}, { task = { tll = 1 } }) end, "field 'task.tll': there is no such option")
  t.raises(function() client:ping { tiemout = 1 } end, "did you mean 'timeout'")
  t.raises(function() client:request("tools/list", nil, { tiemout = 1 }) end, "did you mean 'timeout'")
  t.raises(function() client:complete({ prompt = "x", resorce = "y" }, "a", "b") end, "did you mean 'resource'")
  t.same(client:ping { timeout = 10 }, true)
end)

t.case("a misspelled option of a call was passed over", function()
  t.raises(function() engine.call("engine_status", {}, { tiemout = 1 }) end, "did you mean 'timeout'")
  t.raises(function() engine.read("perigee://status", { tiemout = 1 }) end, "did you mean 'timeout'")
  t.raises(function() perigee.call("engine_status", {}, { tiemout = 1 }) end, "did you mean 'timeout'")
  t.ok(engine.call("engine_status", {}, { timeout = 10 }))
end)

t.case("a misspelled option of sys.engine.run_lua was passed over, and of calls in it", function()
  t.raises(function() engine.run_lua("return 1", { tiemout = 1 }) end, "did you mean 'timeout'")
  local result, err = engine.run_lua "return require 'perigee'.call('engine_status', {}, { tiemout = 1 })"
  t.same(result, nil)
  t.has(err, "did you mean 'timeout'")
  t.ok(engine.run_lua("return require 'perigee'.call('engine_status', {}, { timeout = 5 })", { timeout = 10 }))
end)

t.case("a misspelled option of sys.json.encode was passed over", function()
  t.raises(function() json.encode({ 1 }, { prety = true }) end, "did you mean 'pretty'")
  t.same(json.encode({ 1 }, { pretty = true }), "[\n  1\n]")
end)

t.done()
