#!/usr/bin/env tests/lua/run
--- applescript.check with dictionaries: terms that an application lacks are findings, its own are not.
local check        = require "applescript.check"
local dictionaries = require "applescript.dictionaries"
local fs           = require "sys.fs"
local t            = require "check"

local FOLDER = "tests/macos/dictionaries/"
local SCRIPTS = "lua/scripts/keynote/"
local BOTH = { "com.apple.Keynote", "com.apple.iWork.Keynote" }

local function load(names)
  local known = dictionaries.new()
  for _, name in ipairs(names) do t.ok(known:add(name, t.ok(fs.read(FOLDER .. name .. ".sdef")))) end
  return known
end

local keynote, both = load { BOTH[1] }, load(BOTH)

--- "line:code" of every finding, and the texts.
local function found(text, known)
  local list, texts = {}, {}
  for i, finding in ipairs(check.run(text, { dictionaries = known or keynote }).findings) do
    list[i], texts[i] = finding.line .. ":" .. finding.code, finding.message
  end
  return list, table.concat(texts, "\n")
end

local function told(body, known)
  return found('tell application id "com.apple.Keynote"\n' .. body .. "\nend tell", known)
end


-- --- the faults of scripts that looked right ----------------------------------------------

-- Rows of the fault, its smallest form (told to Keynote, from line 2), "line:code" of its finding, and a part of the message.
-- A fault that no check of the text can find has `why` instead of a finding.
local FAULTS = {
  { "a read-only property is set", "set frontmost to true", "2:read_only", "'activate' brings" },
  { "there is no slide size", "set s to slide size", "2:unknown_term", "'slide size' is not a term" },
  { "its first part", "tell front document\nset s to slide size\nset w to item 1 of s\nend tell", "3:unknown_term", "slide size" },
  { "its second part", "tell front document\nset s to slide size\nset h to item 2 of s\nend tell", "3:unknown_term", "slide size" },
  { "a list is printed, not a text", "set {w, h} to {width, height} of front document\nreturn w & \"|\" & h",
    "3:list_returned", "as text" },
  { "a theme by its translated name", 'set d to make new document with properties {document theme:theme "White"}', nil,
    why = "which themes there are, and what they are called, is known on the Mac alone" },
  { "a variable, no slide is selected", "tell front document\nset currentSlide to slide 1\nend tell",
    "3:unused_variable", "'current slide'" },
  { "an application by a name that two have", nil, "1:ambiguous_application", "com.apple.iWork.Keynote",
    whole = 'tell application "Keynote" to activate' },
  { "shapes have no type", "set s to make new shape with properties {shape type:rectangle, position:{1, 2}}",
    "2:unknown_term", "'shape type'" },
  { "shapes have no id", "set s to make new shape\nset i to id of s", "3:no_such_property", "The class 'shape' has no property 'id'" },
  { "no item can be selected", "set s to make new shape", nil, why = "the script does not try; only its description promised it" },
  { "a shape is looked for by an id", "tell slide 1 of document 1\nset s to (first shape whose id is 5)\nend tell",
    "3:no_such_property", "'id'" },
  { "text in a shape has no alignment", "tell object text of shape 1 of slide 1 of document 1\nset alignment to center\nend tell",
    "3:no_such_property", "that is one of: range" },
  { "PNG is no export format", "export front document to f as PNG", "2:wrong_choice", "slide images" },
  { "slides is no export option", "export front document to f as slide images with properties {slides:{1}}",
    "2:unknown_option", "'skipped slides'" },
  { "resolution is no export option", "export front document to f as slide images with properties {resolution:144}",
    "2:unknown_option", "'resolution'" },
  { "an export goes to a folder", 'export front document to POSIX file "/tmp/slide.png" as slide images', nil,
    why = "the dictionary says file; that Keynote makes a folder of it shows when it runs" },
}

for number, fault in ipairs(FAULTS) do
  t.case(("fault %d: %s"):format(number, fault[1]), function()
    local list, text
    if fault.whole then list, text = found(fault.whole, both) else list, text = told(fault[2]) end
    t.same(list, { fault[3] }, text)
    if fault[3] then t.has(text, fault[4]) else t.ok(fault.why) end
  end)
end


t.case("whole scripts with the faults together", function()
  t.same(found([[
tell application "Keynote"
  activate
  set frontmost to true
  set doc to missing value
  if (count of documents) = 0 then
    set doc to make new document
  else
    set doc to document 1
  end if
  tell doc
    set currentSlide to slide 1
    set s to slide size
    set w to item 1 of s
    set h to item 2 of s
  end tell
end tell
return w & "|" & h]], both), { "1:ambiguous_application", "3:read_only", "11:unused_variable", "12:unknown_term", "17:list_returned" })
  t.same(told [[
on run argv
  tell document 1 to tell slide 1
    set found to (first shape whose id is (item 1 of argv))
    set object text of found to (item 2 of argv)
    tell object text of found
      set alignment to center
    end tell
    export it to POSIX file (item 3 of argv) as PNG with properties {slides:{1}, resolution:144}
  end tell
end run]], { "2:nested_handler", "4:no_such_property", "7:no_such_property", "9:wrong_choice", "9:unknown_option",
    "9:unknown_option" })
end)


-- --- sound scripts -------------------------------------------------------------------------

t.case("the project's scripts pass with the dictionaries", function()
  for _, entry in ipairs(t.ok(fs.list(SCRIPTS))) do
    if entry.name:find "%.applescript$" then
      local list, text = found(t.ok(fs.read(SCRIPTS .. entry.name)), both)
      t.same(list, {}, entry.name .. " " .. text)
    end
  end
end)

local RIGHT = {
  "set {docId, w, h} to {id, width, height} of front document\nreturn docId & \"|\" & (w as text)",
  "set current slide of front document to slide 1 of front document",
  "set s to make new shape with properties {position:{1, 2}, width:3, height:4, object text:\"x\"}\nset width of s to 3",
  "set x to (object text of shape 1 of slide 1 of document 1) as text\nreturn id of x",
  "set x to object text of shape 1 of slide 1 of document 1\nreturn length of x",
  "set base to first theme whose id is \"a\"\nset n to name of base",
  "set r to {my_key:1, |my key|:2, file type:\"x\", button returned:3}",
  "set found to every iWork item of slide 1 of document 1 whose object text is \"x\"",     -- a shape is such an item
  "set x to {my doThis:1, theArray's objectAtIndex:0}",
  "set x to slide size of window 1 of application \"Other\"",
  "export front document to f as slide images with properties {image format:JPEG, compression factor:0.5}",
  "set a to 1\nset a to \"x\"\nreturn a & \"y\"",
  "return (count of slides of front document) + 1",
  "set p to position of shape 1 of slide 1 of document 1\nset {x, y} to p",
  "set skipped of every slide of front document to false",
  "if class of shape 1 of slide 1 of document 1 is shape then beep",
  "set id of thing to 5\nset width of thing to 2",
  "tell slide 1 of document 1 to set i to (count of shapes)",
  "set title showing of slide 1 of front document to false",
  "close front document saving no",
  "set x to every slide of front document whose skipped is false",             -- the test is that of the slides
  "set x to (first shape of slide 1 of front document whose locked is true)",
  "set x to (choose from list {1} OK button name \"a\" cancel button name \"b\" default items {1})",
  "set x to name of theme of slide 1 of front document",        -- a class's name asks for an element
  "repeat with i from 1 to 3\nset skipped of slide i of front document to true\nend repeat",
}

t.case("terms that a dictionary has are not findings", function()
  for _, body in ipairs(RIGHT) do
    local list, text = told(body)
    t.same(list, {}, body .. "\n" .. text)
  end
end)

t.case("without the application's dictionary nothing is judged", function()
  local body = "set frontmost to true\nset s to slide size\nset x to {shape type:1}\nend tell"
  t.same(found('tell application "Other"\n' .. body), {})
  t.same(found('tell application id "com.apple.Keynote"\ntell application "Other"\n' .. body .. "\nend tell"), {})
  local report = check.run('tell application "Other"\nend tell', { dictionaries = keynote })
  t.same({ report.checked, report.unknown, report.dictionaries }, { { "structure" }, { "Other" }, {} })
  report = check.run('tell application id "com.apple.Keynote" to activate', { dictionaries = keynote })
  t.same({ report.checked, report.unknown, report.dictionaries }, { { "structure", "dictionary" }, {}, { "com.apple.Keynote" } })
end)

t.case("an application process is not an application", function()
  local known = dictionaries.new()
  t.ok(known:add("Events", [[<dictionary title="Events" xmlns:xi="http://www.w3.org/2003/XInclude">
    <xi:include href="file:///System/Library/ScriptingDefinitions/CocoaStandard.sdef" xpointer="xpointer(/dictionary/suite)"/>
    <suite name="S" code="SSSS"><class name="application process" code="pcap" plural="application processes">
    <property name="frontmost" code="pisf" type="boolean"/></class></suite></dictionary>]]))
  local body = 'tell application "Events"\ntell application process "X"\nset frontmost to true\nend tell\n%send tell'
  t.same(found(body:format "", known), {})
  t.same(found(body:format "set frontmost to true\n", known), { "5:read_only" })
end)

t.case("terms hold for an application that is chosen when the script runs", function()
  t.same(found [[
using terms from application id "com.apple.Keynote"
  tell application id someId
    set frontmost to true
  end tell
end using terms from]], { "3:read_only" })
end)

t.case("one more of each rule", function()
  t.same(told "set background fill type of shape 1 of slide 1 of front document to no fill", { "2:read_only" })
  t.same(told "export front document to f as slide images with properties {image format:slide images}", { "2:wrong_choice" })
  t.same(told "make new slide with properties {alignment:center}", { "2:no_such_property" })
  t.same(told "make new slide with properties {colour:1}", { "2:no_such_property" })
  t.same(told "set x to shape id 5 of slide 1 of front document", { "2:no_such_property" })
  t.same(told "set x to {position, alignment} of shape 1 of slide 1 of front document", { "2:no_such_property" })
  t.same(told "set x to shape 1 of slide 1 of front document's alignment", { "2:no_such_property" })
  t.same(told "set w to width of front document\nreturn w & \" points\"", { "3:list_returned" })
  t.same(told "close front document saving PNG", { "2:wrong_choice" })
  t.same(told "tell slide 1 of front document to set slide number to 3", { "2:read_only" })
  local _, text = told "set x to {skiped slides:true}"
  t.has(text, "Did you mean 'skipped slides'?")
end)

t.case("a long chain of objects is looked at once", function()
  local looked = 0
  local terms = setmetatable({}, { __index = function(_, key)
    local value = keynote[1][key]
    if key ~= "term" then return value end
    return function(_, ...)
      looked = looked + 1
      return keynote[1]:term(...)
    end
  end })
  local known = setmetatable({ by_id = function() return terms end }, { __index = keynote })
  local line = ("width of shape 1 of "):rep(190) .. "x\n"
  check.run('tell application id "com.apple.Keynote"\n' .. line .. "end tell", { dictionaries = known })
  t.ok(looked > 190 and looked < 20 * 190, looked)
end)

t.case("scripts cut and mixed anywhere never break it", function()
  local part = t.ok(fs.read(SCRIPTS .. "export_slide_png.applescript")) .. t.ok(fs.read(SCRIPTS .. "open_keynote.applescript"))
  part = part:gsub("%-%-[^\n]*", "")
  local seed = 7
  local function random(n)
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % n + 1
  end
  local words = { "of ", "'s ", "{", "}", "(", ")", "to ", "tell ", "set ", "id ", ",", "whose ",
                  "shape ", "width ", "with properties ", "&", "\n", "make new " }
  for _ = 1, 250 do
    local from = random(#part)
    local text = 'using terms from application id "com.apple.Keynote"\ntell application id x\n' .. part:sub(from, from + random(900))
    for _ = 1, random(12) do
      local at = random(#text - 60) + 60
      text = text:sub(1, at - 1) .. words[random(#words)] .. text:sub(at)
    end
    check.run(text, { dictionaries = keynote })
  end
end)

t.done()
