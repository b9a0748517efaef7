#!/usr/bin/env tests/lua/run
--- applescript.check: faults of statements and terms, put into valid scripts by kind; and valid scripts, in which it finds nothing.
local check        = require "applescript.check"
local dictionaries = require "applescript.dictionaries"
local fs           = require "sys.fs"
local mutants      = require "applescript_mutants"
local t            = require "check"
local writer       = require "applescript_writer"

local KEYNOTE = "tests/macos/dictionaries/com.apple.Keynote.sdef"
local SCRIPTS = { "lua/scripts/keynote/", "lua/scripts/mail/" }
local WRITTEN = 400         -- scripts that are written at random
local FAULTS = 45           -- faults of a kind in them; at least 40 differ
local SHARE = 0.9           -- of each kind that must be found

local known = dictionaries.new()
local terms = { Keynote = t.ok(known:add("com.apple.Keynote", t.ok(fs.read(KEYNOTE)))), Desk = t.ok(known:add("Desk", writer.DESK)) }


local function findings_of(text, plain)
  return check.run(text, { dictionaries = not plain and known or nil }).findings
end


--- "line:code" of every finding, and the messages.
local function found(text)
  local list, messages = {}, {}
  for i, finding in ipairs(findings_of(text)) do
    list[i], messages[i] = finding.line .. ":" .. finding.code, finding.message
  end
  return list, table.concat(messages, "\n")
end


local function told(body) return found('tell application id "com.apple.Keynote"\n' .. body .. "\nend tell") end


--- The lines of the project's own scripts, each with its place, by script.
local function our_scripts()
  local scripts = {}
  for _, folder in ipairs(SCRIPTS) do
    for _, entry in ipairs(t.ok(fs.list(folder))) do
      local lines, place = {}, "plain"
      for text in (t.ok(fs.read(folder .. entry.name)) .. "\n"):gmatch "(.-)\n" do
        if text:find "tell application" then place = folder:find "keynote" and "Keynote" or "other" end
        lines[#lines + 1] = { text = text, place = place }
        if text:find "^%s*end using terms" or text:find "^end tell" then place = "plain" end
      end
      scripts[#scripts + 1] = lines
    end
  end
  return scripts
end

local OURS = our_scripts()


-- --- valid scripts -------------------------------------------------------------------------

t.case("nothing is found in valid scripts of every kind, with dictionaries and without", function()
  local lines, different = 0, {}
  for seed = 1, WRITTEN do
    local script = writer.script(seed)
    local text = writer.text(script)
    for _, plain in ipairs { false, true } do
      local first = findings_of(text, plain)[1]
      t.ok(not first, first and ("seed %d: line %d: %s\n%s"):format(seed, first.line, first.message, text))
    end
    lines = lines + #script
    for _, line in ipairs(script) do different[line.text:gsub("^%s+", "")] = true end
  end
  local count = 0
  for _ in pairs(different) do count = count + 1 end
  t.note(("%d scripts with %d lines, %d of them different"):format(WRITTEN, lines, count))
  t.ok(count > 2000, count)
end)

local ACCEPTED = {
  "if x > 3\nbeep\nend", "x = 5", "print(x)", "x", "if a /= b then beep", "repeat 3\nend repeat", "if x then\nelse beep\nend if",
    "tell x\nend",
  "set x to - 5", "set x to 1 - -1", "set x to {a, b} & {c}", "set x to (a) + (b)", "return", "exit", "log", "set x to 5.", "set x to .5",
  "set x to a's b's c of d", "set x to item 1 of my list", "my f(1)'s g(2)", "f(1, {2}, (3))", "theArray's objectAtIndex:0 withObject:1",
  "set {a, b} to f({c, d})", "try\non error number -128\nend try", "on run\nend run", "on f(x, {y, z})\nend f", "to f(x)\nend f",
  "property x : 5\nproperty y: {1}", "property x", "global a, b", "set x to |set x|", "set |end if| to «class abcd» 5",
    "«event abcdefgh» 5 given «class x»:1",
  "considering case but ignoring white space, hyphens and punctuation\nend considering", "with timeout of 5 seconds\nend timeout",
  "with timeout 5\nend timeout", "set x to not (not true)", "set x to not x is y", "if x isn't y and z doesn't contain w then beep",
  "if not (exists file x) then beep", "if x exists then beep", "count of x", "set x to count x", "set x to x count",
    "set x to 1 as text as integer",
  "set x to {name:1, |b c|:2, text returned:3}", "f of x for y given z:1, w:2", "set x to first item of reverse of y",
  "set x to y's text 1 thru 3", "set x to text 1 thru -2 of y", "set x to date \"1/1/2020\"", "set x to alias \"a:b\" as text",
  "set x to POSIX path of file y of folder z", "copy x to {a, b}", "say \"x\" using \"y\" without waiting until completion",
    "use x : script \"y\"\nfoo bar baz",
  "use framework \"AppKit\"\nuse scripting additions\nbeep",
    "tell application \"Other\"\nset foo bar\nfoo bar baz 5 with things\nset x y\nend tell",
  "tell application \"Other\" to do odd thing 5 with verbosity",
    "using terms from application \"Other\"\non odd event a with parts b for rule c\nend odd event\nend using terms from",
  "set x to odd thing of application \"Other\"", "tell x to tell y to set z to 5", "if a then tell b to set c to d",
    "set x to \"a\" & ¬\n \"b\"",
  "set x to (a ¬\n+ b)", "script x\nproperty parent : y\nend script", "continue f(x)", "error \"x\" number 5 from y to z partial result {}",
    "set x to system attribute \"A\"",
  "set end of x to 5\ncopy 5 to end of x\nset beginning of x to 1", "set x to every item of y whose class is text",
    "set x to 2nd word of \"a b\"",
  "set x to some item of y", "set x to any item of y", "set x to a reference to y", "set x to a ref to y", "set x to reference to y",
    "set a to 5\nset b to a",
  "set x to {{1, 2}, {3, {}}}", "set x to f()", "set x to f(g(), h(1))", "repeat while true\nend repeat",
    "repeat with x in y as list\nend repeat",
  "repeat with i from a + 1 to (b - 1) by -c\nend repeat", "return x as {text, list}", "if (x) then (y)", "set x to 5 * minutes",
    "set x to {}'s y",
  "i - 1", "if a then beep else beep 2", "repeat with my i from 1 to 3\nend repeat", "count x each text",
  "try\non error (m)\nbeep\nend try", "set x to item result of y", "set x to y's text beginning thru end",
  "set x to text last word thru -1 of y", "if x end with y then beep", "set x to alias choose file with prompt y",
    "display notification x with title \"subtitle\" subtitle \"subtitle\"",
  'tell application id "com.apple.Keynote"\nmake new slide at end with properties {skipped:true}\nend tell', "copy a to b",
  "set item 1 of x to 5", "set item -1 of x to 5", "set item (n - 1) of x to 5", "set text 1 thru -2 of x to y", "set (x) to 5",
  "set name of every file of x whose size > 5 and kind is \"a\" & \"b\" to y", "set {a, {b, c}} to x", "set x's y to 5",
  "set {name:a, size:b} to x", "set {} to x", "set 1st item of x to 5", "set the end of x to 5", "set «class abcd» 5 of x to y",
  "copy 5 to item 1 of x", "copy {1, 2} to {a, b}", "copy x to the end of y", "copy 1 + 2 to x",
  "on f({a, b}, c)\nend f", "on f(a as text)\nend f", "on f given a:x\nend f", "if greater then beep", "if x is greater than y then beep",
  "if x is greater then beep", "if x is less then\nbeep\nend if", "set greater to 5\nif x is greater then\nbeep\nend if",
  "script s\non a()\nend a\nend script", "on a()\nscript s\non b()\nend b\nend script\nend a", "set |then| to |than|",
  "using terms from application \"Other\"\non a()\nend a\nend using terms from", "on a()\ntry\non error\nend try\nend a",
  "script s\nscript t\non a()\nend a\nend script\non b()\nend b\nend script", "if x then if y then beep", "tell x to if y then beep",
  "tell script \"Library\" to show odd things", "set x to script \"Library\"'s odd thing 5", "set x to \"to\" & \"times\"",
}

t.case("nothing is found in the scripts that Lua files hold", function()
  local count = 0
  for _, path in ipairs { "lua/lib/notify/applescript.lua", "examples/services/clipboard_history.lua" } do
    for text in t.ok(fs.read(path)):gmatch "%[%[\n?(.-)%]%]" do
      if text:find "on run" then
        local list, messages = found(text)
        t.same(list, {}, path .. "\n" .. messages)
        count = count + 1
      end
    end
  end
  t.ok(count >= 2, count)
end)

t.case("forms that the compiler takes, or completes, are accepted", function()
  for _, text in ipairs(ACCEPTED) do
    local list, messages = found(text)
    t.same(list, {}, text .. "\n" .. messages)
  end
end)


-- --- single faults -------------------------------------------------------------------------

local REFUSED = {
  { "set x 5", "1:missing_to" }, { "set x = 5", "1:missing_to" }, { "set to 5", "1:missing_operand" }, { "set", "1:missing_operand" },
  { "set x to", "1:missing_operand" }, { "set x to 1 + * 2", "1:missing_operand" }, { "set x to a & & b", "1:missing_operand" },
    { "set x to 3 +", "1:missing_operand" },
  { "set x to (1 + )", "1:missing_operand" }, { "set x to a and", "1:missing_operand" }, { "set x to item 1 of", "1:missing_operand" },
    { "return * 2", "1:missing_operand" },
  { "if then", "1:missing_operand" }, { "if then\nend if", "1:missing_operand" }, { "if x is then\nend", "1:missing_operand" },
    { "if and x then\nend", "1:missing_operand" },
  { "retrun x", "1:misspelt" }, { "sett x to 5", "1:misspelt" }, { "repaet 3 times", "1:misspelt" }, { "beep beep", "1:two_statements" },
  { "set x to 5 set y to 6", "1:two_statements" }, { "set x to y tell z to beep", "1:two_statements" }, { "if x = 1 set y to 2\nend if",
    "1:two_statements" },
  { "try beep\nend try", "1:two_statements" }, { "repeat with x\nend", "1:bad_repeat" }, { "repeat with x of y\nend", "1:bad_repeat" },
  { "repeat with x from 1\nend", "1:bad_repeat" }, { "repeat with x from 1 to\nend", "1:bad_repeat" }, { "repeat i from 1 to 3\nend",
    "1:bad_repeat" },
  { "repeat while\nend", "1:bad_repeat" }, { "repeat for x in y\nend", "1:bad_repeat" }, { "repeat with i = 1 to 3\nend", "1:bad_repeat" },
  { "set x to {1, , 2}", "1:missing_operand" }, { "set x to {1, 2,}", "1:missing_operand" }, { "set x to {, 1}", "1:missing_operand" },
    { "set x to {a:, b:2}", "1:missing_operand" },
  { "set x to {a:1 b:2}", "1:adjacent" }, { "set x to {1 2}", "1:adjacent" }, { 'set x to {"a" "b"}', "1:adjacent" }, { "f(1, )",
    "1:missing_operand" }, { "f(a)(b)", "1:adjacent" },
  { "var x = 5;", "1:bad_sign" }, { "var x = 5", "1:bad_declaration" }, { "let x = 5", "1:bad_declaration" }, { "def f(x):",
    "1:bad_declaration" }, { "x != 5", "1:bad_sign" },
  { "if a == b then beep", "1:missing_operand" }, { "if a && b then beep", "1:missing_operand" }, { "x += 1", "1:missing_operand" },
    { "x.y()", "1:bad_sign" }, { "set x to 'a'", "1:bad_sign" },
  { "on doIt a b\nend doIt", "1:adjacent" }, { "on f(a b)\nend f", "1:adjacent" }, { "on f(a,)\nend f", "1:missing_operand" },
  { "property x = 5", "1:bad_declaration" }, { "property : 5", "1:bad_declaration" }, { "global a = 5", "1:bad_declaration" },
    { "local x to 5", "1:bad_declaration" },
  { "repeat\nexit loop\nend", "2:bad_exit" }, { "copy x y", "1:missing_to" }, { "then beep", "1:stray_then" },
    { "display dialog \"a\" \"b\"", "1:adjacent" },
  { "try\nend try beep", "2:two_statements" }, { "tell x\nend tell x", "2:two_statements" }, { "repeat\nend repeat 5", "2:two_statements" },
  { 'use framwork "AppKit"', "1:misspelt" }, { 'use library "X"', "1:adjacent" },
  { "set 5 to x", "1:bad_target" }, { 'set "a" to 1', "1:bad_target" }, { "set 3 + 4 to x", "1:bad_target" },
  { "set -5 to x", "1:bad_target" }, { "set true to x", "1:bad_target" }, { "set a & b to x", "1:bad_target" },
  { "set missing value to 5", "1:bad_target" }, { "set {a, 5} to x", "1:bad_target" }, { "set {{a, 1}, b} to x", "1:bad_target" },
  { "set x * 2 to y", "1:bad_target" }, { "set x and y to 5", "1:bad_target" }, { "copy x to 5", "1:bad_target" },
  { 'copy x to "a"', "1:bad_target" }, { "copy x to {a, 5}", "1:bad_target" }, { "copy x to theItem + 1", "1:bad_target" },
  { "repeat with 5 from 1 to 2\nend", "1:bad_repeat" }, { 'repeat with "x" in y\nend', "1:bad_repeat" },
  { "repeat with true in y\nend", "1:bad_repeat" }, { "property 5 : 3", "1:bad_declaration" }, { "on f(5)\nend", "1:bad_declaration" },
  { 'on f(a, "b")\nend', "1:bad_declaration" }, { "on f({a, 1})\nend", "1:bad_declaration" },
  { 'tell application "Other" to set "a" to 1', "1:bad_target" }, { "if x is greater then 3 then beep", "1:misspelt" },
  { "if x is greater then y then\nbeep\nend if", "1:misspelt" }, { "if x is not less then 3 then\nbeep\nend", "1:misspelt" },
  { "if x is greater then or equal to 3 then\nbeep\nend", "1:misspelt" }, { "set b to x is less then 3", "1:misspelt" },
  { "if a then\nelse if x is less then 3 then\nend", "2:misspelt" }, { "repeat while x is less then 5\nend", "1:misspelt" },
  { "return (x is greater then y)", "1:misspelt" }, { "if x > 3 than\nbeep\nend if", "1:misspelt" },
  { "set x to y then z", "1:stray_then" }, { "on a()\non b()\nend b\nend a", "2:nested_handler" },
  { "on a()\nto b()\nend b\nend a", "2:nested_handler" }, { "tell x\non b()\nend b\nend tell", "2:nested_handler" },
  { "on a()\nif x then\non b()\nend b\nend if\nend a", "3:nested_handler" },
  { "set x to not", "1:missing_operand" }, { "tell x to set y z", "1:missing_to" }, { "set x to 1 } + 2", "1:unbalanced" },
}

t.case("a fault in a statement is an error, at its line, with a code", function()
  for _, row in ipairs(REFUSED) do
    local findings = findings_of(row[1])
    local first = t.ok(findings[1], row[1])
    t.same({ first.line .. ":" .. first.code, first.severity }, { row[2], "error" }, row[1] .. "\n" .. first.message)
  end
end)

t.case("where an application without a dictionary is addressed, only what none allows is a fault", function()
  for _, body in ipairs { "set x 5", "foo bar", "retrieve x", "set x to 5 seconds later", "exit loop", "sett x to 5", "on",
    "print \"x\" as thing", "click at {1, 2}" } do
    t.same(found('tell application "Other"\n' .. body .. "\nend tell"), {}, body)
  end
  for body, code in pairs { ["set x to 1 + * 2"] = "missing_operand", ["set x to {1, , 2}"] = "missing_operand", ["x != 5"] = "bad_sign",
    ["set x to"] = "missing_operand",
                            ["foo bar \"a\" \"b\""] = "adjacent", ["retrun x"] = "misspelt", ["if then"] = "missing_operand",
                              ["foo and"] = "missing_operand" } do
    t.same(found('tell application "Other"\n' .. body .. "\nend tell")[1], "2:" .. code, body)
  end
end)

local WARNED = {
  { "export front document as PDF", "2:missing_parameter", "'to'", "to" }, { "export front document to f as PDFX", "2:wrong_choice", "PDF",
    "PDF" },
  { "export front document to f as PDF with quietly", "2:unknown_option", "'with quietly' switches" },
  { "exprot front document to f as PDF", "2:unknown_term", "'export'", "export" }, { "set x to naem of front document", "2:unknown_term",
    "'name'", "name" },
  { "set x to curent slide of front document", "2:unknown_term", "'current slide'", "current slide" },
    { "set x to every slde of front document", "2:unknown_term", "'slide'", "slide" },
  { 'display dialog "a" subtitle "b"', "2:unknown_term", "between this string and 'subtitle'" },
  { "set x to nuix id of front document", "2:unknown_term", "between 'nuix' and 'id'" },
  { "set x to big slide of front document", "2:unknown_term", "no operator between 'big' and 'slide'" },
    { "make new shape with properties {widht:5}", "2:no_such_property", "'width'", "width" },
  { "close front document saving maybe", "2:wrong_choice", "ask, no, yes" },
    { 'tell slide 1 of front document to set titel showing to false', "2:unknown_term", "title showing" },
  { "set the slide number of slide 1 of front document to 2", "2:read_only", "slide number" },
    { "tell shape 1 of slide 1 of front document to set widht to 5", "2:unused_variable", "'width'", "width" },
  { "get every slide of front document whose opacity is 5", "2:no_such_property", "opacity" },
}

t.case("a fault against the dictionary is a warning, with the term that was meant", function()
  for _, row in ipairs(WARNED) do
    local text = 'tell application id "com.apple.Keynote"\n' .. row[1] .. "\nend tell"
    local first = t.ok(findings_of(text)[1], row[1])
    t.same({ first.line .. ":" .. first.code, first.severity, first.nearest }, { row[2], "warning", row[4] or first.nearest }, row[1]
      .. "\n" .. first.message)
    t.has(first.message, row[3])
  end
end)

t.case("comparisons consider only what they know", function()
  for text, near in pairs { ["considering cases\nend"] = "case", ["ignoring case and whitespace\nend"] = "white space",
    ["ignoring punctuation but considering hyphen\nend"] = "hyphens" } do
    local findings = findings_of(text)
    t.same({ #findings, findings[1].code, findings[1].severity, findings[1].nearest }, { 1, "wrong_choice", "warning", near }, text)
  end
  for _, text in ipairs { "ignoring white space, numeric strings and diacriticals\nend ignoring", "considering application responses\nend",
    'tell application "Other"\nconsidering odd things\nend\nend tell', "try\nend error", "using terms from x\nend using terms from",
    "use", "use = 5", 'use app "X"',
    'use application id "x.y"', 'use x : application "X"', 'use AppleScript version "2.4"\nuse scripting additions' } do
    t.same(found(text), {}, text)
  end
end)

t.case("the name of a parameter needs its value", function()
  for text, at in pairs { ['display dialog "x" buttons'] = 20, ['display dialog "x" buttons default button 1'] = 20,
    ['display dialog "x" with title & y'] = 20, ['set x to (display dialog "x" giving up after) & y'] = 30,
    ["choose file with prompt"] = 13, ['if (display dialog "x" buttons) = y then beep'] = 24 } do
    local findings = findings_of(text)
    t.same({ #findings, findings[1].code, findings[1].column, findings[1].severity }, { 1, "missing_parameter", at, "warning" }, text)
  end
  for _, text in ipairs { "display alert message", "set x to (display alert y) & message", "display alert x message message",
    "choose file with multiple selections allowed", 'display dialog "x" with hidden answer', "set buttons to y\nset x to buttons",
    "display dialog x with title title with icon note", "beep\nf(x, buttons)" } do
    t.same(found(text), {}, text)
  end
end)

t.case("a window stands for the tab that it shows", function()
  t.same(found 'tell application "Desk"\nset x to busy of window 1\nrepeat while busy of front window\nend repeat\nend tell', {})
  t.same(found 'tell application "Desk"\nset x to depth of window 1\nend tell', { "2:no_such_property" })
end)

t.case("a command whose dictionary has it twice may be either", function()
  local twice = dictionaries.new()
  t.ok(twice:add("Twice",
    [[<dictionary title="Twice"><suite name="S" code="SSSS">
    <command name="send" code="aaaa"><parameter name="to" code="to  " type="text"/></command>
    <command name="send" code="bbbb"><parameter name="via" code="via " type="text"/></command></suite></dictionary>]]))
  t.same(check.run('tell application "Twice"\nsend 5 via "x"\nend tell', { dictionaries = twice }).findings, {})
end)

t.case("a dictionary that includes a file that is not there may have more terms", function()
  local head = '<dictionary title="Part" xmlns:xi="http://www.w3.org/2003/XInclude"><xi:include href="%s"/></dictionary>'
  for file, count in pairs { ["file:///Other.sdef"] = 0, ["FolderActions.sdef"] = 1 } do
    local part = dictionaries.new()
    t.ok(part:add("Part", head:format(file)))
    local text = 'tell application "Part"\nset x to odd thing of y\nset folder actions enabled to true\nend tell'
    t.same(#check.run(text, { dictionaries = part }).findings, count, file)
  end
end)

t.case("a message has the script's own letters, and no finding comes twice", function()
  local list, text = told "set fooBar to Foo Bar"
  t.same(list, { "2:unknown_term" })
  t.has(text, "between 'Foo' and 'Bar'")
  t.same(told "set s to slide size", { "2:unknown_term" })
end)


t.case("lines with letters of an unknown encoding are not judged", function()
  t.same(check.run('set x to "a" & \x80"b" & \x81\x82 5').findings, {})                        -- a string of old Japanese scripts
  t.same(#check.run('set x to "\xA5" & "a"\nset y to "a" "b" \xC2\n& \xC7class abcd\xC8').findings, 1)  -- signs of the language are known
end)


-- --- faults by kind ------------------------------------------------------------------------

--- The script with one line changed.
local function with_fault(lines, k, text, count)
  local changed = {}
  for i, line in ipairs(lines) do
    if i == k then changed[#changed + 1] = { text = text } end
    if i < k or i >= k + count then changed[#changed + 1] = line end
  end
  return writer.text(changed)
end


--- Calls visit(lines, k, text, count) for up to `limit` different faults of a kind, one in each script.
local function each_fault(kind, scripts, random, limit, visit)
  local seen, number = {}, 0
  for lines in scripts do
    if number >= limit then return number end
    local start = random(#lines)
    for j = 0, #lines - 1 do
      local k = (start + j - 1) % #lines + 1
      local text, count
      if k == 1 or not lines[k - 1].text:find "¬" then text, count = kind.change(lines[k], random, lines[k + 1]) end
      if text and text ~= lines[k].text and not seen[text] then
        seen[text], number = true, number + 1
        visit(lines, k, text, count or 1)
        break
      end
    end
  end
  return number
end


--- True if the fault is found in its own line, and the finding. A fault of several lines may be `below` the first.
local function is_found(kind, text, line)
  for _, finding in ipairs(findings_of(text)) do
    if finding.line == line + (kind.below or 0) and (kind.severity == "any" or finding.severity == "error") then return true, finding end
  end
  return false
end


local function written(limit)
  local seed = WRITTEN
  return function()
    seed = seed + 1
    return seed < WRITTEN + limit and writer.script(seed) or nil
  end
end


local function ours(times)
  local i = 0
  return function()
    i = i + 1
    return i <= times * #OURS and OURS[(i - 1) % #OURS + 1] or nil
  end
end


local KINDS = { table.unpack(mutants.STATEMENTS) }
for _, kind in ipairs(mutants.dictionary(terms, dictionaries.language())) do KINDS[#KINDS + 1] = kind end

for _, kind in ipairs(KINDS) do
  t.case("found in nine of ten scripts at least: " .. kind.name, function()
    local good, missed = 0, {}
    local function visit(lines, k, text, count)
      local got = is_found(kind, with_fault(lines, k, text, count), k)
      if got then good = good + 1 else missed[#missed + 1] = lines[k].place .. ": " .. text end
    end
    local number = each_fault(kind, written(2500), writer.random(4711), FAULTS, visit)
    number = number + each_fault(kind, ours(5), writer.random(17), 10, visit)
    t.note(("%d of %d"):format(good, number))
    t.ok(number >= 40, "only " .. number .. " faults of this kind")
    t.ok(good >= SHARE * number, ("%d of %d\n%s"):format(good, number, table.concat(missed, "\n")))
  end)
end

t.case("the term that was meant is the one that is suggested, in four of five", function()
  local kind
  for _, one in ipairs(KINDS) do
    if one.near then kind = one end
  end
  local good, number = 0, 0
  each_fault(kind, written(400), writer.random(99), 80, function(lines, k, text, count)
    local got, finding = is_found(kind, with_fault(lines, k, text, count), k)
    if not got then return end
    number = number + 1
    local near, whole = finding.nearest, (" " .. lines[k].text:lower():gsub("[^%w]", " ") .. " ")
    for word in (near or "?"):lower():gmatch "%S+" do
      if not whole:find(" " .. word .. " ", 1, true) then near = nil end
    end
    if near then good = good + 1 end
  end)
  t.note(("%d of %d"):format(good, number))
  t.ok(number >= 40 and good >= 0.8 * number, ("%d of %d"):format(good, number))
end)

t.case("text that invites quadratic work takes no longer than its length says", function()
  local words = {}
  for i = 1, 20000 do words[i] = "foo" .. string.char(97 + i % 26, 97 + i // 26 % 26, 97 + i // 676) .. " barr" .. i end
  for _, text in ipairs { table.concat(words, "\n"), ("set "):rep(900) .. "to x", ("{a:1 "):rep(200), ("retrun x\n"):rep(20000),
    ("x of "):rep(900),
                          ("beep 5 "):rep(400), ("if "):rep(900) } do
    check.run(text, { dictionaries = known })
    check.run('tell application id "com.apple.Keynote"\n' .. text, { dictionaries = known })
  end
end)

t.done()
