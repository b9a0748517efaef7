#!/usr/bin/env tests/lua/run
--- sys.state: tables by name, for as long as the engine runs.
local t      = require "check"
local engine = require "sys.engine"
local state  = require "sys.state"

t.case("the same name is the same table", function()
  state.open("a").x = 1
  t.same(state.open("a").x, 1)
  t.ok(rawequal(state.open "a", state.open "a"))
  t.ok(not rawequal(state.open "a", state.open "b"))
  t.same(state.open("b").x, nil)
end)

t.case("any text is a name", function()
  state.open("").x = "empty"
  state.open("a\0b").x = "nul"
  t.same(state.open("").x, "empty")
  t.same(state.open("a\0b").x, "nul")
  t.same(state.open("a").x, 1)
  t.same(state.open(12).x, nil)
  t.raises(function() state.open() end, "string expected")
  t.raises(function() state.open {} end, "string expected")
end)

t.case("a copy of the module opens the same tables", function()
  state.open("shared").x = "seen"
  t.same(require("sys.state").open("shared").x, "seen")
end)

t.case("the list has each table once, and who opened it", function()
  local function row(name)
    local found = {}
    for _, each in ipairs(state.list()) do
      if each.name == name then found[#found + 1] = each end
    end
    t.same(#found, 1)
    return found[1]
  end
  state.open "shared"
  t.same(#row("shared").users, 1)
  row("a").users[1] = "changed in the list alone"
  t.ok(row("a").users[1] ~= "changed in the list alone")
  t.same(row("a\0b").name, "a\0b")
end)

t.case("guest scripts have none of it", function()
  local result, err = engine.run_lua 'return require "sys.state"'
  t.same(result, nil)
  t.has(err, "module 'sys.state' is not available here")
end)

t.done()
