#!/usr/bin/env tests/lua/run
--- applescript.targets: the applications that a script names, wherever it does, and where it cannot be told.
local t       = require "check"
local targets = require "applescript.targets"

--- "Finder, id com.apple.mail" and what makes it unknown.
local function seen(text)
  local found, list = targets.of(text), {}
  for i, each in ipairs(found.list) do list[i] = (each.by_id and "id " or "") .. each.name end
  return table.concat(list, ", "), found.unknown and found.unknown.what
end

local KNOWN = {
  { "beep", "" }, { 'tell application "Finder" to activate', "Finder" }, { 'TELL APP "Finder"\nend tell', "Finder" },
  { 'tell application id "com.apple.finder" to beep', "id com.apple.finder" },
  { 'tell app "A"\ntell app "B" to quit\nend tell', "A, B" }, { 'set x to application "A"\ntell x to quit', "A" },
  { 'tell application "/Applications/Safari.app" to quit', "/Applications/Safari.app" },
  { 'quit application "A"', "A" }, { 'get version of application "A"', "A" }, { 'activate application "A"', "A" },
  { 'tell application ¬\n"A" to quit', "A" }, { 'tell (* app "C" *) application -- app "D"\n"A"', "" },
  { 'tell application "A \\"b\\"" to quit', 'A "b"' }, { 'set x to "tell application \\"A\\" to quit"', "" },
  { 'tell current application to beep', "" }, { 'tell me to beep', "" },
  { 'tell application "System Events" to tell application process "X"\nend tell', "System Events" },
  { "set x to path to application support", "" }, { "set x to path to frontmost application", "" },
  { "ignoring application responses\nend ignoring", "" }, { 'using terms from application "A"\nend using terms from', "" },
  { "set x to |application|", "" }, { "display dialog \"x\"\nset the clipboard to 1", "" },
  { 'tell application id "com.apple.systemevents"\ncount every application process whose name is "x"\nend', "id com.apple.systemevents" },
  { 'tell app "Finder" to open application file id "x"', "Finder" },
  { "considering application responses\nend considering", "" },
  { 'tell application "A"\'s window 1 to close', "A" }, { "set x to (class of y is application)", "" },
  { 'tell (application "A") to quit', "A" }, { 'if application "A" is running then beep', "A" },
}

local UNKNOWN = {
  'tell application ("Fin" & "der") to quit', "tell application x to quit", 'tell application id x to quit',
  "tell application (item 1 of argv)",
  'tell application |x| to quit', "tell application 1 to quit", 'do shell script "id"', 'tell application "A" to do script "id"',
  'run script "beep"', 'load script POSIX file "/x"', "«event sysoexec» \"id\"", "«event sysodsct» \"beep\"", '«class capp» "Finder"',
  'tell (choose application) to quit', 'use framework "AppKit"', 'use script "X"', 'tell application "Finder" of machine "eppc://x"',
  'tell app "A', "tell application my x to quit", 'tell application item 1 of {"A"} to quit', "tell application named x",
  'open location "shortcuts://x"', "current application's NSTask's x()", "count every application process",
  'set support to "Finder"\ntell application support to quit', 'set process to "Finder"\ntell application process to quit',
  "tell application responses to quit", "tell application file to quit", "tell application menu to quit",
  'DO   ¬\n SHELL script "id"', "tell application |A| to quit", 'set x to "a\nrun script "b"',
}

t.case("all names are found, and nothing else", function()
  for _, each in ipairs(KNOWN) do
    local names, unknown = seen(each[1])
    t.same({ each[1], names, unknown }, { each[1], each[2], nil })
  end
end)

t.case("it says where it cannot be told", function()
  for _, text in ipairs(UNKNOWN) do
    local _, unknown = seen(text)
    t.same({ text, unknown ~= nil }, { text, true })
  end
end)

t.case("a name has its place, in any encoding", function()
  local list = targets.of('beep\n  tell application "Ä"\nend tell').list
  t.same(list, { { name = "Ä", by_id = false, line = 2, column = 8 } })
  local wide = "\xFF\xFE" .. ('tell app "A" to quit'):gsub(".", "%0\0")
  t.same(targets.of(wide).list[1].name, "A")
end)

t.done()
