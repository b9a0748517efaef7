#!/usr/bin/env tests/lua/run
--- sys.env: single variables, and no list of them.
local t       = require "check"
local env     = require "sys.env"
local process = require "sys.process"

t.case("a variable that is set, and one that is not", function()
  t.match(env.get "PATH", "/")
  t.same(env.get "PERIGEE_NO_SUCH_VARIABLE", nil)
  t.same(env.get("PERIGEE_NO_SUCH_VARIABLE", "default"), "default")
  t.same(env.get("PATH", "default"), env.get "PATH")
end)

t.case("a value of a variable may be empty", function()
  t.same(env.value "PATH", env.get "PATH")
  t.same(env.value "PERIGEE_NO_SUCH_VARIABLE", nil)
  local script = 'local env = require "sys.env" print(env.get "EMPTY", env.value "EMPTY" == "")'
  local done = assert(process.run { env.get "PERIGEE" or "build/perigee", "run", "--quiet", "--no-user-root", "-e", script,
    env = { EMPTY = "" } })
  t.same(done.stdout, "nil\ttrue\n", done.stderr)
end)

t.case("there is no way to see which there are", function()
  local names = {}
  for name in pairs(env) do names[#names + 1] = name end
  table.sort(names)
  t.same(names, { "file", "get", "platform", "value" })
  t.raises(function() env.get() end, "string expected")
end)

t.case("the platform is one of the two", function()
  t.ok(env.platform == "linux" or env.platform == "macos")
end)

t.done()
