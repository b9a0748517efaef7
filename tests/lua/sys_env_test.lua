#!/usr/bin/env tests/lua/run
--- sys.env: single variables, and no list of them.
local t   = require "check"
local env = require "sys.env"

t.case("a variable that is set, and one that is not", function()
  t.match(env.get "PATH", "/")
  t.same(env.get "PERIGEE_NO_SUCH_VARIABLE", nil)
  t.same(env.get("PERIGEE_NO_SUCH_VARIABLE", "default"), "default")
  t.same(env.get("PATH", "default"), env.get "PATH")
end)

t.case("there is no way to see which there are", function()
  local names = {}
  for name in pairs(env) do names[#names + 1] = name end
  table.sort(names)
  t.same(names, { "file", "get", "platform" })
  t.raises(function() env.get() end, "string expected")
end)

t.case("the platform is one of the two", function()
  t.ok(env.platform == "linux" or env.platform == "macos")
end)

t.done()
