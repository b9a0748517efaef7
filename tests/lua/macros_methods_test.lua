#!/usr/bin/env tests/lua/run
--- macros.methods, which has what macros.runner has, and the check of macros that reads it.
local check   = require "cli.macro_check"
local engine  = require "sys.engine"
local fs      = require "sys.fs"
local methods = require "macros.methods"
local t       = require "check"

--- The methods of a class in the text of macros.runner.
local function of_runner(class)
  local list = {}
  for name in assert(fs.read(engine.status().roots[1] .. "/lib/macros/runner.lua")):gmatch("\nfunction " .. class .. "[.:]([%w_]+)") do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end


local function sorted(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  table.sort(all)
  return all
end


t.case("the lists are those of the runner", function()
  local state = { "state" }   -- a field
  t.same(sorted(methods.MACRO, methods.VALUES), sorted(of_runner "Macro", state))
  t.same(sorted(methods.WINDOW), of_runner "Window")
end)


local HEAD = 'local macro_tool = require "macros.tool"\nlocal function run(args, m)\n  local note = m:open("Notes")\n'

local function findings(lines) return check.findings(HEAD .. lines .. "\nend\nreturn macro_tool { run = run }\n") end


t.case("a wrong method is told with its line and the nearest", function()
  for line, message in pairs {
    ['m:opn "Notes"'] = "m, a macro, has no opn; did you mean open?",
    ['m:sett("text", "x")'] = "m, a macro, has no sett; a window of it has set",
    ['note:sett("text", "x")'] = "note, a window of a macro, has no sett; did you mean set?",
    ['note:clik "button"'] = "note, a window of a macro, has no clik; did you mean click?",
    ['note:rows("x")'] = "note, a window of a macro, has no rows; the macro itself has rows",
    ['note:check { title = m.bass(args.file) }'] = "m, a macro, has no bass; did you mean base?",
    ['local other = m:window { title = "x" }; other:zzz()'] = "other, a window of a macro, has no zzz",
  } do
    t.same(findings("  " .. line), { { line = 4, message = message } }, line)
  end
end)


t.case("nothing is said of what is right, or of something else", function()
  for _, line in ipairs { 'note:set("text", m.base(args.file))', "-- note:sett()", 'print("m:sett")', "local x = args.m.sett",
    "for row in m:rows(args.file) do note:type(row.name) end", "local s = m.state.step .. note.name", 'args:sett "x"',
    "local text = m.part('a b', '', ' ')", "if note then" } do
    t.same(findings("  " .. line), {}, line)
  end
  t.same(check.findings 'local function run(args, macro) macro:sett() end', {}, "a file that is no macro")
end)


t.done()
