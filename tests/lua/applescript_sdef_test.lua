#!/usr/bin/env tests/lua/run
--- applescript.suites and applescript.sdef: dictionaries as applications have them, and as they must not be.
local dictionaries = require "applescript.dictionaries"
local env          = require "sys.env"
local fs           = require "sys.fs"
local sdef         = require "applescript.sdef"
local t            = require "check"
local time         = require "sys.time"

local FOLDER = "tests/macos/dictionaries/"
local XI = 'xmlns:xi="http://www.w3.org/2003/XInclude"'


local function dictionary(inside, attributes)
  return ('<?xml version="1.0"?>\n<dictionary title="X" %s><suite name="S" code="SSSS">%s</suite></dictionary>')
    :format(attributes or "", inside)
end

local function read(inside, attributes)
  return t.ok(sdef.read(dictionary(inside, attributes)))
end


t.case("a file that is not a dictionary is refused, with a code", function()
  for bytes, code in pairs {
    ["<plist/>"] = "not_sdef", ["<dictionary>"] = "malformed", ["\0\1"] = "malformed", ["\xFF"] = "encoding",
    ['<!DOCTYPE d [<!ENTITY a "b">]><dictionary/>'] = "entity",
  } do
    local got, err, why = sdef.read(bytes)
    t.same({ got, why }, { nil, code }, err)
  end
  local got, err = dictionaries.new():add("X", "<dictionary>")
  t.same(got, nil)
  t.has(err, "The dictionary X cannot be read: line 1, column 13: no element found")
end)

t.case("a mark, UTF-16, and line ends of every kind", function()
  local text = dictionary '<class name="ünit" code="abcd"/>'
  for _, bytes in ipairs { "\xEF\xBB\xBF" .. text, (text:gsub("\n", "\r\n")), (text:gsub("\n", "\r")) } do
    t.ok(t.ok(sdef.read(bytes)).classes["ünit"])
  end
  local wide = { "\xFF\xFE" }
  for _, code in utf8.codes(text) do wide[#wide + 1] = ("<I2"):pack(code) end
  t.ok(t.ok(sdef.read(table.concat(wide))).classes["ünit"])
end)

t.case("types are an attribute or elements, one or more", function()
  local class = read([[<class name="c" code="cccc"><property name="a" type="integer"/><property name="b" code="bbbb">
    <type type="text" list="yes"/><type type="missing value"/></property><property name="d"/></class>]]).classes.c
  t.same(class.properties.a.types, { { name = "integer", list = false } })
  t.same(class.properties.b.types, { { name = "text", list = true }, { name = "missing value", list = false } })
  t.same(class.properties.d.types, {})
  t.same(class.properties.a.access, "rw")
end)

t.case("a class that is there twice, is extended, or inherits its own name is one", function()
  local known = dictionaries.new()
  local terms = t.ok(known:add("X", dictionary [[
    <class name="window" inherits="window"><property name="a" type="text"/></class>
    <class name="thing"><property name="b" type="text"/></class><class name="thing"><property name="c" type="text"/></class>
    <class-extension extends="thing"><property name="d" type="text"/></class-extension>
    <class name="x" inherits="y"/><class name="y" inherits="x"/>]]))
  local thing = terms.classes.thing
  t.ok(thing.properties.b and thing.properties.c and thing.properties.d)
  t.ok(terms:property(terms.classes.window, "a"))
  t.same(terms:property(terms.classes.x, "zzz"), nil)                     -- and ends
  t.same(terms:may_have(terms.classes.thing, "e"), false)
  t.same(terms:may_have(terms.classes.x, "zzz"), false)
end)

t.case("a parameter is optional if the dictionary says so, and a command may be there twice", function()
  local got = read([[<command name="send"><parameter name="to" type="text"/><parameter name="as" type="text" optional="yes"/></command>
    <command name="put"><parameter name="in" type="text"/></command>
    <command name="put"><parameter name="in" type="text" optional="yes"/></command>]])
  local send, put = got.commands.send, got.commands.put
  t.same({ send.parameters.to.optional, send.parameters.as.optional, put.parameters["in"].optional }, { false, true, true })
end)

t.case("the contents of a class stand for it", function()
  local terms = t.ok(dictionaries.new():add("X", dictionary [[<class name="pane"><contents name="selected tab" type="tab"/>
    <property name="width" type="integer"/></class><class name="tab"><property name="busy" type="boolean"/></class>
    <class name="lamp"><property name="bright" type="boolean"/></class>]]))
  local pane = terms.classes.pane
  t.same({ terms:may_have(pane, "busy"), terms:may_have(pane, "bright"), pane.contents.name }, { true, false, "selected tab" })
end)

t.case("odd codes, old elements and missing names do no harm", function()
  local got = read([==[<class name="a" code="H™L&gt;" plural="as"><property name="ID" code="ID  "/><property code="none"/>
    <responds-to name="go"><cocoa method="go:"/></responds-to><responds-to command="run"/><element type="b"><accessor style="id"/></element>
    <contents name="stuff" code="ctnt" type="any"/><synonym name="alpha" code="alph"/><synonym code="beta"/>
    <documentation><html><![CDATA[<p>Text & more</p>]]></html></documentation><xref target="x"/></class>
    <value-type name="v" code="0x00000000"/><enumeration name="e"><enumerator name="one" code=""/><enumerator code="x"/></enumeration>
    <event name="happened"><parameter name="with" type="text"/></event><access-group identifier="*"/>
    <record-type name="r"><property name="key" type="text"/></record-type><class code="noname"/>]==])
  t.same(got.classes.alpha, got.classes.a)
  t.ok(got.classes.a.properties.id and got.classes.a.properties.stuff)
  t.same(got.enumerations.e.values, { one = "one" })
  t.ok(got.records.r.properties.key and got.commands.happened.parameters.with)
end)

t.case("the standard suite stands for CocoaStandard.sdef, whole or in part", function()
  local function include(where, pointer, more)
    return read(("<xi:include href=\"%s\" xpointer=\"%s\"/>%s"):format(where, pointer, more or ""), XI)
  end
  local file = "file:///System/Library/ScriptingDefinitions/CocoaStandard.sdef"
  local whole = include(file, "xpointer(/dictionary/suite)")
  t.same(whole.classes.application.properties.frontmost.access, "r")
  t.ok(whole.commands.make and whole.commands.count)
  t.same(whole.notes, {})
  local part = include("file://localhost/System/Library/ScriptingDefinitions/CocoaStandard.sdef",
    "/dictionary/suite/node()[not(self::command and ((@name='delete') or (@name='make')))]")
  t.same({ part.commands.make, part.commands.delete }, {})
  t.ok(part.commands.duplicate)
  local strange = include("file:///etc/passwd", "xpointer(/dictionary/suite)", '<class name="c"/>')
  t.same(#strange.notes, 1)
  t.ok(strange.classes.c.partial)
  local without = read '<class name="application"/>'
  t.same(without.classes.application.properties.frontmost.access, "rw")   -- it may mean something else by it
end)

t.case("the tests' dictionaries are what they say", function()
  local known = dictionaries.new()
  local terms = t.ok(known:add("com.apple.Keynote", t.ok(fs.read(FOLDER .. "com.apple.Keynote.sdef"))))
  t.same(terms.notes, {})
  t.same({ terms.name, terms.id }, { "Keynote", "com.apple.Keynote" })
  t.same(known:by_name "/Applications/Keynote.app"[1], terms)
  t.same(known:by_name "keynote"[1], terms)
  t.same(known:by_id "COM.apple.keynote", terms)
  t.same({ known:by_id "x", #known:by_name "x" }, { nil, 0 })
  t.same(terms:class "shapes".name, "shape")
  known:add("com.apple.keynote", "<dictionary title='Keynote'/>")                  -- the later one counts
  t.same({ #known:by_name "Keynote", known:by_id "com.apple.Keynote" ~= terms }, { 1, true })
  t.ok(terms:may_have(terms.classes.shape, "width") and not terms:may_have(terms.classes.shape, "id"))
end)

t.case("a name that is one slip away is found", function()
  for _, word in ipairs { "shpe", "shappe", "shupe", "hsape", "shaep" } do t.ok(dictionaries.one_slip(word, "shape"), word) end
  for _, word in ipairs { "shape", "shp", "hasep", "shapely" } do t.ok(not dictionaries.one_slip(word, "shape"), word) end
  local terms = t.ok(dictionaries.new():add("X", dictionary '<class name="shape"/><class name="paragraph style"/>'))
  t.same({ terms:nearly "hsape", terms:nearly "shapess", terms:nearly "zzz" }, { "shape", "shapes" })
  t.same({ dictionaries.nearest("paragraf style", terms:names()) }, { "paragraph style", 2 })
  t.same({ dictionaries.nearest("zzz", { "shape" }) }, {})
end)

t.case("names that are near", function()
  t.same(dictionaries.near("skiped", { "skipped", "width", "skipped" }), { "skipped" })
  t.same(dictionaries.near("slide size", { "slide", "size", "color" }), { "size", "slide" })
  t.same(dictionaries.near("qqq", { "width" }), {})
end)

t.case("dictionaries of other applications, where they are at hand", function()
  local shared = env.get "PERIGEE_SHARED"
  if not shared then t.skip "there is no ../shared/data/sdef" end
  for _, name in ipairs { "UTM", "Quicksilver" } do
    local terms = t.ok(dictionaries.new():add(name, t.ok(fs.read(shared .. "/data/sdef/" .. name .. ".sdef"))))
    t.same(terms.notes, {})
    t.ok(next(terms.commands), name)
  end
end)

t.case("dictionaries cut anywhere are refused, never worse", function()
  local text = t.ok(fs.read(FOLDER .. "com.apple.Keynote.sdef"))
  local start = time.monotonic()
  for at = 1, #text - 20, 97 do
    local got, err, code = sdef.read(text:sub(1, at))
    t.same({ got, code == "malformed" }, { nil, true }, err)
    sdef.read(text:sub(1, at) .. text:sub(at + 5))
  end
  t.ok(time.monotonic() - start < 120)
end)

t.done()
