#!/usr/bin/env tests/lua/run
--- sys.xml: what is read, and what must not be.
local t   = require "check"
local xml = require "sys.xml"


--- The events that the XML reader reports, as one string; nil, message and code if it fails.
local function events(text)
  local list = {}
  local ok, err, code = xml.read(text, {
    open = function(name, attributes, namespace)
      local keys = {}
      for key in pairs(attributes) do keys[#keys + 1] = key end
      table.sort(keys)
      for i, key in ipairs(keys) do keys[i] = key .. "=" .. attributes[key] end
      list[#list + 1] = ("<%s%s %s>"):format(name, namespace ~= "" and "@" .. namespace or "", table.concat(keys, " "))
    end,
    close = function(name) list[#list + 1] = "</" .. name .. ">" end,
  })
  return ok and table.concat(list) or nil, err, code
end


t.case("elements, attributes, namespaces, references", function()
  for text, want in pairs {
    ["<a/>"] = "<a ></a>", ["<a b='1' c=\"2\"/>"] = "<a b=1 c=2></a>", ["<a\n b = '1'\t></a >"] = "<a b=1></a>",
    ["<a b='&lt;&#38;&#xE4;&apos;'/>"] = "<a b=<&ä'></a>",
    ["<?xml version='1.0'?><!-- x --><a>t&amp;t<![CDATA[<x>&]]></a> <?pi?>\n"] = "<a ></a>",
    ["<p:a xmlns:p='u'><p:b/><c xmlns='v'><d/></c></p:a>"] =
      "<a@u ><b@u ></b><c@v ><d@v ></d></c></a>",
    ["<!DOCTYPE a SYSTEM 'file:///etc/passwd'\n[ <!ELEMENT a ANY> <!-- ]> --> <!ATTLIST a b CDATA '>'> ]><a/>"] = "<a b=>></a>",
    ["<a b='x\ny'/>"] = "<a b=x y></a>",
  } do
    t.same(events(text), want, text)
  end
end)

t.case("text that is not well-formed is refused with its line", function()
  for _, text in ipairs {
    "", "x", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a b/>", "<a b=1/>", "<a b='<'/>", "<a b='1' b='2'/>", "<a b='1/>", "<a", "<a>&</a>",
    "<a>]]></a>", "<!-- -- --><a/>", "<!-- <a/>", "<a/>x", "<p:a/>", "<a b='&#0;'/>", "<a b='&#xD800;'/>", "<1/>", "<a><![CDATA[</a>",
    "<a/><!DOCTYPE a>", "<!DOCTYPE a [<a/>", "<a \1/>", "<a>&#99999999999;</a>", "<a/>&amp;&", "<a><?pi</a>",
  } do
    local got, err, code = events(text)
    t.same({ got, code == "malformed" or code == "entity" }, { nil, true }, text .. " " .. tostring(err))
  end
  t.match(select(2, events "<?xml version='1.0'\n?>\n<a>\n<b>ü</c></a>"), "^line 4, column 7: mismatched tag")
  t.match(select(2, events "<a b='&x;'/>"), "^line 1, column 1: undefined entity")
end)

t.case("nothing grows and nothing is fetched", function()
  for _, text in ipairs {
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/">%x;]><a/>',
    "<a>&x;</a>", '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>',
  } do
    local got, _, code = events(text)
    t.same({ got, code }, { nil, "entity" }, text)
  end
  t.ok(events(("<a>"):rep(256) .. ("</a>"):rep(256)))
  t.same(select(3, events(("<a>"):rep(257))), "too_deep")
  t.same(select(3, events(("<a>"):rep(10000))), "too_deep")
  t.same(select(3, events("<a>" .. ("<b/>"):rep(200001) .. "</a>")), "too_large")
  t.same(select(3, events((" "):rep(8 * 1024 * 1024) .. "<a/>")), "too_large")
  local function attributes(count)
    local list = {}
    for i = 1, count do list[i] = " a" .. i .. "=''" end
    return "<a" .. table.concat(list) .. "/>"
  end
  t.ok(xml.read(attributes(100000), { open = function() end, close = function() end }))
  t.same(select(3, events(attributes(100001))), "too_large")
  t.same(select(3, events "<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xC3\xA4'/>"), "encoding")
  t.same(events "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "<a ></a>")
  t.same(select(3, events "<a b='\xE4'/>"), "encoding")
end)

t.case("an entity that a document type could declare is refused in content and in attributes", function()
  for _, place in ipairs { "<a>&x;</a>", "<a b='&x;'/>", "<a><b c='1&x;2'/></a>" } do
    for _, head in ipairs { "<!DOCTYPE a SYSTEM 'a.dtd'>", "<!DOCTYPE a PUBLIC '-//x' 'http://127.0.0.1/a.dtd'>",
      "<?xml version='1.0' standalone='no'?><!DOCTYPE a SYSTEM 'a.dtd'>", "<!DOCTYPE a [ <!ELEMENT a ANY> ]>" } do
      t.same({ events(head .. place) == nil, select(3, events(head .. place)) }, { true, "entity" }, head .. place)
    end
  end
end)

t.case("text is joined, in the order of the elements", function()
  local root = t.ok(xml.parse "<?xml version='1.0'?><p class='x'>one &amp; <b>two</b>\n<![CDATA[<three>]]><i/></p>")
  t.same(root, { name = "p", namespace = "", attributes = { class = "x" }, children = { "one & ",
    { name = "b", namespace = "", attributes = {}, children = { "two" } }, "\n<three>",
    { name = "i", namespace = "", attributes = {}, children = {} } } })
  t.same(t.ok(xml.parse "<a xmlns:p='u' p:b='1' b='2'/>").attributes, { ["{u}b"] = "1", b = "2" })
end)

t.case("a text of several parts is cut anywhere, in characters as well", function()
  for shift = 0, 4 do
    local text = ("<a%s>%s</a>"):format((" "):rep(shift), ("äö€😀"):rep(20000))
    t.same(#t.ok(xml.parse(text)).children[1], #("äö€😀") * 20000)
  end
end)

t.case("an error in the handler is passed on", function()
  local ok, err = pcall(xml.read, "<a/>", { open = function() error("mine", 0) end, close = function() end })
  t.same({ ok, err }, { false, "mine" })
end)

t.case("spoiled texts end in an error or are well-formed, and never in anything else", function()
  local whole = "<?xml version='1.0'?><!DOCTYPE d [<!ELEMENT d ANY>]><d a='1' b='&lt;'><e>t&amp;<![CDATA[x]]></e><!-- c --><f/></d>"
  local codes, seed = { malformed = true, entity = true, too_deep = true, encoding = true }, 7
  local function random(n)
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return seed // 65536 % n + 1
  end
  local refused = 0
  for _ = 1, 3000 do
    local at, kind = random(#whole), random(4)
    local text = kind == 1 and whole:sub(1, at) or kind == 2 and whole:sub(1, at - 1) .. whole:sub(at + random(9))
      or kind == 3 and whole:sub(1, at) .. ("<>&;'\"![]?"):sub(random(10)):sub(1, 1) .. whole:sub(at + 1)
      or whole:sub(1, at) .. whole:sub(at - random(9))
    local got, err, code = xml.parse(text)
    if not got then
      refused = refused + 1
      t.ok(codes[code], tostring(code) .. ": " .. tostring(err))
    end
  end
  t.ok(refused > 1000, "refused " .. refused)
end)
t.done()
