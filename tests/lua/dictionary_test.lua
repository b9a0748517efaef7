#!/usr/bin/env tests/lua/run
--- The model of dictionaries: property lists, intents, and what is written of a model.
local full    = require "dictionary.full"
local intents = require "dictionary.intents"
local json    = require "sys.json"
local kinds   = require "dictionary.kinds"
local plist   = require "dictionary.plist"
local rows    = require "dictionary.rows"
local short   = require "dictionary.short"
local suites  = require "applescript.suites"
local summary = require "dictionary.summary"
local t       = require "check"


local function random_of(seed)
  return function(n)
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return seed // 65536 % n + 1
  end
end


--- The model of a dictionary's text.
local function model_of(text, name)
  local read = t.ok(suites.read(text))
  return { id = "com.example.X", name = name or "X", version = "1.2", source = "sdef", suites = read.suites, notes = read.notes }
end


local function written(model)
  local shown = t.ok(json.decode(short.text(model)))
  local whole = t.ok(json.decode(full.pages(model, "osa://apps/com.example.X/dictionary/full")[1]))
  return shown, whole, t.ok(json.decode(summary.text(model, {})))
end


-- --- the three forms of a model -----------------------------------------------------------

t.case("the sample of a dictionary, in its three forms", function()
  local model = model_of([[<dictionary><suite name="Standard Suite"><command name="open" code="aevtodoc"><cocoa class="NSOpenCommand"/>
    <parameter name="target" type="file" code="----"/></command></suite></dictionary>]])
  local shown, whole, summed = written(model)
  t.same(shown, { commands = { { name = "open", parameters = { { name = "target", type = "file", required = true } } } },
    classes = {}, version = "1.2" })
  t.same(whole, { version = "1.2", suites = { { name = "Standard Suite", description = "", classes = {}, commands = { {
    name = "open", code = "aevtodoc", parameters = {},
    directParameter = { name = "target", code = "----", type = "file", required = true } } } } } })
  t.same(summed, { app = "X", categories = { ["Standard Suite"] = { { command = "open", args = { "file" } } } }, examples = {} })
end)

t.case("everything that a dictionary declares is in the full form, and hidden things only there", function()
  local model = model_of([[<dictionary><suite name="A" code="AAAA" description="All."><command name="export" code="KnSTexpo"
    description="Exports a document. More of it."><direct-parameter type="document" description="what"/>
    <parameter name="to" code="kfil" type="file"/><parameter name="as" code="exft" type="format" optional="yes" description="how"/>
    <result type="file" list="yes" description="the files"/></command><command name="secret" code="ssssssss" hidden="yes"/>
    <class name="slide" code="KnSd" plural="slides" inherits="item" description="A slide."><element type="image" access="r"/>
    <property name="number" code="numb" access="r"><type type="integer"/><type type="missing value"/></property>
    <property name="shown" code="show" type="boolean" hidden="yes"/></class>
    <enumeration name="format" code="exfm"><enumerator name="PDF" code="pdff"/><enumerator name="old" code="oldf" hidden="yes"/>
    </enumeration><record-type name="options" code="opts"><property name="quality" code="qual" type="real"/></record-type>
    </suite></dictionary>]])
  local shown, whole, summed = written(model)
  local suite = whole.suites[1]
  t.same(suite.commands[1], { name = "export", code = "KnSTexpo", description = "Exports a document. More of it.",
    directParameter = { type = "document", required = true, description = "what" },
    parameters = { { name = "to", code = "kfil", type = "file", required = true },
                   { name = "as", code = "exft", type = "format", required = false, description = "how" } },
    result = { type = "file", list = true, description = "the files" } })
  t.same(suite.commands[2].hidden, true)
  t.same(suite.classes[1].elements, { { type = "image", access = "r" } })
  t.same(suite.classes[1].properties[1], { name = "number", code = "numb", type = "integer|missing value", access = "r" })
  t.same({ suite.classes[1].plural, suite.classes[1].inherits, suite.description }, { "slides", "item", "All." })
  t.same({ #suite.enumerations, #suite.enumerations[1].values, #suite.records }, { 1, 2, 1 })
  t.same(#shown.commands, 1)
  t.same(shown.classes, { { name = "slide", properties = { { name = "number", type = "integer|missing value", access = "r" } } } })
  t.same(summed.categories.A, { { command = "export", args = { "document", "to file", "[as PDF]" },
    description = "Exports a document." } })
end)

t.case("types as text", function()
  t.same(kinds.text {}, "any")
  t.same(kinds.text { { name = "text", list = true }, { name = "file", list = false } }, "list<text>|file")
  t.same(kinds.text { { name = "list", list = false, of = { { name = "record", list = true } } } }, "list<list<record>>")
end)

--- A dictionary of so many commands and classes, each with long descriptions.
local function large(commands, classes, words)
  local parts, about = { '<dictionary><suite name="Large" code="larg">' }, ("It does much more than that, %d times. "):rep(words)
  for i = 1, commands do
    parts[#parts + 1] = ([[<command name="do thing number %d" code="thng%04d" description="%s"><direct-parameter type="document"/>
      <parameter name="with options" code="opts" type="record" optional="yes"/><parameter name="to" code="to  " type="file"/></command>]])
      :format(i, i, about:gsub("%%d", tostring(i)))
  end
  for i = 1, classes do
    parts[#parts + 1] = ('<class name="thing %d" code="t%03d" description="%s">'):format(i, i % 1000, about:gsub("%%d", tostring(i)))
    for k = 1, 10 do parts[#parts + 1] = ('<property name="part %d" code="p%03d" type="text"/>'):format(k, k) end
    parts[#parts + 1] = "</class>"
  end
  return table.concat(parts) .. "</suite></dictionary>"
end

t.case("a summary has each command in at most 2000 tokens, or names those that it cut", function()
  for _, count in ipairs { 1, 20, 40, 60, 90, 130, 160, 300, 400, 1000 } do
    local model = model_of(large(count, 0, 2))
    local text = summary.text(model, { 'tell application "X" to do thing number 1' })
    local read = t.ok(json.decode(text))
    t.ok(summary.tokens(text) <= 2000, count .. " commands: " .. summary.tokens(text) .. " tokens")
    local seen, named, others = {}, 0, 0
    for _, one in ipairs(read.categories.Large or {}) do seen[one.command] = true end
    for _, one in ipairs(read.more or {}) do
      others = math.tointeger(one:match "^%.%.%. and (%d+) others") or others
      if others == 0 then seen[one] = true end
    end
    for _ in pairs(seen) do named = named + 1 end
    t.same(named + others, count)
    if count <= 160 then t.same({ #read.categories.Large, read.more }, { count, nil }, count .. " commands") end
    if count <= 300 then t.same(others, 0, count .. " commands") end
  end
end)

--- A model of seven suites with so many commands, whose names have so many characters, and more of each other kind.
local function many(count, length, others)
  local model = { id = "com.example.X", name = "X", version = "1", source = "sdef", suites = {}, notes = {} }
  for i = 0, 6 do
    local suite = { name = "Suite " .. i, source = "sdef", commands = {}, classes = {}, enumerations = {}, records = {} }
    for k = 1, others do
      local name = ("thing %d %d "):format(i, k) .. ("of many "):rep(length // 8)
      suite.classes[k] = { name = name, properties = {}, elements = {} }
      suite.enumerations[k] = { name = name, values = { { name = name } } }
    end
    model.suites[i + 1] = suite
  end
  for i = 1, count do
    local name = (("do with things "):rep(length // 15 + 1) .. ("%05d"):format(i)):sub(-length)
    local parameter = { name = "as", types = { { name = "thing 0 1 " .. ("of many "):rep(length // 8) } }, required = true }
    table.insert(model.suites[i % 7 + 1].commands, { name = name, parameters = { parameter }, description = "It does." })
  end
  return model
end


--- Reads a summary: how many commands its categories have, how many it names besides, and how many it counts.
local function counts_of(text)
  local read, shown, named, others, seen = t.ok(json.decode(text)), 0, 0, 0, {}
  local function see(name)
    t.ok(not seen[name], "twice: " .. name)
    seen[name] = true
  end
  for name, list in pairs(read.categories) do
    t.ok(#list > 0, "empty: " .. name)
    shown = shown + #list
    for _, one in ipairs(list) do see(one.command) end
  end
  for _, line in ipairs(read.more or {}) do
    local count = line:match "^%.%.%. and (%d+) others: "
    if count then
      others = math.tointeger(count)
      t.match(line, "search_commands .* get_app_capabilities with format full")
    else
      see(line)
      named = named + 1
    end
  end
  return shown, named, others
end

t.case("a summary of very many commands shows some of each category, and counts what it leaves out", function()
  for _, count in ipairs { 700, 2000, 10000 } do
    for _, length in ipairs { 5, 60, 300 } do
      local what = ("%d commands of %d characters"):format(count, length)
      local text = summary.text(many(count, length, 50), { 'tell application "X" to go' })
      local shown, named, others = counts_of(text)
      t.ok(summary.tokens(text) <= 2000, what .. ": " .. summary.tokens(text) .. " tokens")
      t.same(shown + named + others, count, what)
      t.ok(shown >= (count == 700 and length == 5 and 1 or 7), what .. ": " .. shown .. " in categories")
      t.ok(others > 0 or count == 700 and length == 5, what)
      t.ok(summary.tokens(text) > 1800, what .. ": " .. summary.tokens(text) .. " tokens are used")
    end
  end
end)

t.case("neither very many classes and enumerations nor very long names take the place of commands", function()
  for _, others in ipairs { 700, 2000 } do
    local text = summary.text(many(100, 12, others), {})
    t.same({ counts_of(text) }, { 100, 0, 0 })
    t.ok(summary.tokens(text) <= 2000)
  end
  local model = many(30, 20, 0)
  table.insert(model.suites[1].commands, 1, { name = ("long "):rep(4000), parameters = {} })
  model.name, model.suites[2].name = ("X"):rep(30000), ("Suite "):rep(9000)
  local text = summary.text(model, {})
  t.same({ counts_of(text) }, { 30, 0, 1 })
  t.ok(summary.tokens(text) <= 2000, summary.tokens(text) .. " tokens")
end)

t.case("a summary without commands says how many classes there are", function()
  local read = t.ok(json.decode(summary.text(many(0, 12, 100), {})))
  t.same(read.categories, {})
  t.match(read.more[1], "^no commands, but 700 classes: search_commands finds them")
  t.same(json.decode(summary.text(many(0, 12, 0), {})), { app = "X", categories = {}, examples = {} })
end)

t.case("a full dictionary is cut into pages that lose nothing", function()
  local model = model_of(large(300, 300, 4))
  local pages = full.pages(model, "osa://apps/com.example.X/dictionary/full")
  t.ok(#pages > 2, #pages .. " pages")
  local commands, classes = 0, 0
  for i, text in ipairs(pages) do
    t.ok(#text <= full.PAGE, #text .. " bytes")
    local page = t.ok(json.decode(text))
    t.same({ page.page, page.pages, page.version }, { i, #pages, "1.2" })
    t.same(page.next, i < #pages and "osa://apps/com.example.X/dictionary/full?page=" .. i + 1 or nil)
    for _, suite in ipairs(page.suites) do
      commands, classes = commands + #(suite.commands or {}), classes + #(suite.classes or {})
    end
  end
  t.same({ commands, classes }, { 300, 300 })
end)

t.case("spoiled dictionaries are refused, or read and written", function()
  local whole, random = large(3, 2, 1), random_of(11)
  local codes = { malformed = true, entity = true, too_deep = true, encoding = true, not_sdef = true, too_large = true }
  local refused, read_ = 0, 0
  for _ = 1, 1500 do
    local at, kind = random(#whole), random(5)
    local text = kind == 1 and whole:sub(1, at) or kind == 2 and whole:sub(1, at - 1) .. whole:sub(at + random(40))
      or kind == 3 and whole:sub(1, at) .. whole:sub(at - math.min(random(60), at - 1))
      or kind == 4 and whole:gsub("%f[%w]%w+%f[%W]", function(word) return random(60) == 1 and "" or word end)
      or whole:sub(1, at) .. ("<>&\"'=/"):sub(random(7)):sub(1, 1) .. whole:sub(at + 1)
    local read, err, code = suites.read(text)
    if read then
      read_ = read_ + 1
      local model = { id = "x", name = "X", version = "", source = "sdef", suites = read.suites, notes = read.notes }
      t.ok(short.text(model)) t.ok(full.pages(model, "u")[1]) t.ok(summary.text(model, {}))
    else
      refused = refused + 1
      t.ok(codes[code], tostring(code) .. " " .. tostring(err))
    end
  end
  t.ok(refused > 300 and read_ > 100, refused .. " refused, " .. read_ .. " read")
end)


-- --- App Intents ----------------------------------------------------------------------

--- A small example of Xcode's file.
local INTENTS = [[{"version":1,"generator":{"name":"appintentsmetadataprocessor"},"actions":{
  "DeleteNote":{"identifier":"DeleteNote","title":{"key":"Delete Note","alternatives":[]},
    "descriptionMetadata":{"descriptionText":{"key":"Deletes a note.","alternatives":[]}},"openAppWhenRun":false,
    "visibilityMetadata":{"isDiscoverable":true,"assistantOnly":false},"systemProtocols":["com.apple.link.systemProtocol.DeleteEntity"],
    "parameters":[{"name":"note","isOptional":false,"title":{"key":"Note","alternatives":[]},
      "valueType":{"entity":{"wrapper":{"typeName":"NoteEntity"}}}},
     {"name":"when","isOptional":true,"parameterDescription":{"key":"WHEN_DESCRIPTION_KEY","alternatives":[]},"title":{"key":"When"},
      "valueType":{"primitive":{"wrapper":{"typeIdentifier":8}}}},
     {"name":"files","isOptional":true,"valueType":{"array":{"wrapper":{"memberValueType":{"intents":{"wrapper":{"typeIdentifier":12}}}}}}},
     {"name":"how","valueType":{"linkEnumeration":{"wrapper":{"identifier":"HowOption"}}}},
     {"name":"new","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":99}}}},
     {"name":"either","valueType":{"alternative":{"wrapper":{"memberValueTypes":[{"primitive":{"wrapper":{"typeIdentifier":0}}},
      {"measurement":{"wrapper":{"unitType":7}}}]}}}}],
    "outputType":{"primitive":{"wrapper":{"typeIdentifier":1}}}},
  "Hidden":{"identifier":"Hidden","title":{"key":"HIDDEN_TITLE"},"isDiscoverable":false,"openAppWhenRun":true,"parameters":[]}},
  "entities":{"NoteEntity":{"typeName":"NoteEntity","displayTypeName":{"key":"Note"},
    "properties":[{"identifier":"name","title":{"key":"Name"},"valueType":{"primitive":{"wrapper":{"typeIdentifier":0}}}}]}},
  "enums":[{"identifier":"HowOption","displayTypeName":{"key":"How"},"cases":[{"identifier":"slow",
    "displayRepresentation":{"title":{"key":"Slowly"}}}]}],"queries":{},"autoShortcuts":[]}]]

t.case("intents are commands with their parameters, described and never called", function()
  local suite = t.ok(intents.read(INTENTS))
  local command = suite.commands[1]
  t.same({ command.name, command.title, command.description, command.destructive, command.hidden },
    { "DeleteNote", "Delete Note", "Deletes a note.", true, nil })
  local parameters = {}
  for i, one in ipairs(command.parameters) do parameters[i] = { one.name, kinds.text(one.types), one.required, one.description or "" } end
  t.same(parameters, { { "note", "NoteEntity", true, "Note" }, { "when", "date", false, "When" }, { "files", "list<file>", false, "" },
    { "how", "HowOption", true, "" }, { "new", "primitive 99", false, "" }, { "either", "text|measurement", true, "" } })
  t.same(kinds.text(command.result.types), "boolean")
  t.same({ suite.commands[2].hidden, suite.commands[2].opens_app, suite.commands[2].description }, { true, true, nil })
  t.same(suite.enumerations, { { name = "HowOption", description = "How", values = { { name = "slow", description = "Slowly" } } } })
  t.same(suite.classes[1].properties[1].name, "name")
  local model = { id = "x", name = "X", version = "", source = "intents", suites = { suite }, notes = {} }
  t.same(t.ok(json.decode(summary.text(model, {}))).categories["App Intents"][1].args,
    { "note NoteEntity", "[when date]", "[files list<file>]", "how slow", "[new primitive 99]", "either text|measurement" })
end)

--- Newer metadata: modes, and defaults of each kind.
local NEWER = [[{"version":1,"actions":{
  "Append":{"identifier":"Append","title":{"key":"Append to Note"},"supportedModes":1,"openAppWhenRun":false,"parameters":[
    {"name":"operation","isOptional":false,"valueType":{"linkEnumeration":{"wrapper":{"identifier":"Operation"}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"string":{"wrapper":"append"}}]},
    {"name":"quiet","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":1}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyOther",{"int":{"wrapper":7}},
       "LNValueTypeSpecificMetadataKeyDefaultValue",{"int":{"wrapper":0}}]},
    {"name":"loud","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":1}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"bool":{"wrapper":true}}]},
    {"name":"count","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":2}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"int":{"wrapper":1}}]},
    {"name":"size","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":7}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"double":{"wrapper":0.5}}]},
    {"name":"text","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":0}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"string":{"wrapper":"%s"}}]},
    {"name":"when","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":8}}},
     "typeSpecificMetadata":["LNValueTypeSpecificMetadataKeyDefaultValue",{"date":{"wrapper":700000000}}]},
    {"name":"none","isOptional":true,"valueType":{"primitive":{"wrapper":{"typeIdentifier":0}}},"typeSpecificMetadata":[]}]},
  "Both":{"identifier":"Both","supportedModes":3,"openAppWhenRun":true,"parameters":[]},
  "Newer":{"identifier":"Newer","supportedModes":9,"parameters":[]},
  "Old":{"identifier":"Old","openAppWhenRun":true,"parameters":[]},
  "Open":{"identifier":"Open","supportedModes":2,"parameters":[]},
  "Quiet":{"identifier":"Quiet","supportedModes":1,"openAppWhenRun":true,"parameters":[]}},
  "entities":{},"enums":[{"identifier":"Operation","cases":[{"identifier":"append"},{"identifier":"prepend"}]}]}]]


t.case("an intent opens its application by its modes, or by the older member, and unknown modes are kept", function()
  local suite = t.ok(intents.read(NEWER))
  local seen = {}
  for i, command in ipairs(suite.commands) do seen[i] = { command.name, command.opens_app or false, command.modes or 0 } end
  t.same(seen, { { "Append", false, 0 }, { "Both", true, 3 }, { "Newer", false, 9 }, { "Old", true, 0 }, { "Open", true, 0 },
    { "Quiet", false, 0 } })
  local shown, whole, summed = written { id = "x", name = "X", version = "", source = "intents", suites = { suite }, notes = {} }
  for i, one in ipairs(seen) do
    local opens = one[2] or nil
    t.same({ shown.commands[i].opensApp, whole.suites[1].commands[i].opensApp, summed.categories["App Intents"][i].opensApp },
      { opens, opens, opens }, one[1])
    t.same(whole.suites[1].commands[i].supportedModes, one[3] > 0 and one[3] or nil, one[1])
  end
end)

t.case("a summary that leaves out descriptions and optional arguments says which intents open the application", function()
  local suite = { name = "App Intents", source = "intents", classes = {}, enumerations = {}, records = {}, commands = {} }
  for i = 1, 60 do
    suite.commands[i] = { name = "Intent" .. i, description = ("It does much. "):rep(8), opens_app = i == 60 or nil,
      parameters = { { name = "aLongName", types = { { name = ("Thing "):rep(20) } } } } }
  end
  local read = t.ok(json.decode(summary.text({ name = "X", suites = { suite } }, {}))).categories["App Intents"]
  t.same({ read[59], read[60] }, { { command = "Intent59", args = {} }, { command = "Intent60", args = {}, opensApp = true } })
end)

t.case("defaults of parameters, and none of a kind that is not known", function()
  local suite = t.ok(intents.read((NEWER:gsub("%%s", "My note"))))
  local shown, whole, summed = written { id = "x", name = "X", version = "", source = "intents", suites = { suite }, notes = {} }
  local wanted = { { "append" }, { false }, { true }, { 1 }, { 0.5 }, { "My note" }, {}, {} }
  for i, one in ipairs(wanted) do
    t.same({ suite.commands[1].parameters[i].default }, one, i)
    t.same({ shown.commands[1].parameters[i].default }, one, i)
    t.same({ whole.suites[1].commands[1].parameters[i].default }, one, i)
  end
  t.same(summed.categories["App Intents"][1].args, { 'operation append/prepend = "append"', "[quiet boolean = false]",
    "[loud boolean = true]", "[count integer = 1]", "[size real = 0.5]", '[text text = "My note"]', "[when date]", "[none text]" })
  suite = t.ok(intents.read((NEWER:gsub("%%s", ("x"):rep(200)))))
  local model = { id = "x", name = "X", version = "", source = "intents", suites = { suite }, notes = {} }
  t.same(t.ok(json.decode(summary.text(model, {}))).categories["App Intents"][1].args[6], "[text text]", "a long one")
  local args
  rows.each(model, function(row) args = args or row.args end)
  t.same({ args[1], args[6] }, { 'operation Operation = "append"', "[text text]" })
end)

t.case("texts of keys come from the tables of the bundle, or from beside the key, or are left out", function()
  local asked = {}
  local function texts(key, name)
    asked[#asked + 1] = key .. " " .. tostring(name)
    return ({ RECORD_TITLE = "Record", RECORD_NAME = "Name", ["MODE.SLOW"] = "Slowly", NOTE_TYPE = "Note" })[key]
  end
  local suite = t.ok(intents.read([[{"actions":{"Record":{"title":{"key":"RECORD_TITLE","table":"Recording"},
    "descriptionMetadata":{"descriptionText":{"key":"RECORD_ABOUT","defaultValue":"Records sound."}},"parameters":[
    {"name":"name","title":{"key":"RECORD_NAME"}},{"name":"gone","title":{"key":"GONE_NAME","defaultValue":"GONE_DEFAULT"}},
    {"name":"plain","title":{"key":"A plain text","table":"Recording","defaultValue":"Another"}}]}},
    "entities":{"Note":{"displayTypeName":{"key":"NOTE_TYPE"},"properties":[]}},
    "enums":[{"identifier":"Mode","displayTypeName":{"key":"Mode"},"cases":[{"identifier":"slow",
    "displayRepresentation":{"title":{"key":"MODE.SLOW"}}}]}]}]], { texts = texts }))
  local command = suite.commands[1]
  t.same({ command.title, command.description }, { "Record", "Records sound." })
  t.same({ command.parameters[1].description, command.parameters[2].description, command.parameters[3].description },
    { "Name", nil, "A plain text" })
  t.same({ suite.classes[1].description, suite.enumerations[1].description, suite.enumerations[1].values[1].description },
    { "Note", "Mode", "Slowly" })
  table.sort(asked)
  t.same(asked, { "GONE_NAME nil", "MODE.SLOW nil", "NOTE_TYPE nil", "RECORD_ABOUT nil", "RECORD_NAME nil", "RECORD_TITLE Recording" })
end)

--- Metadata of a framework: intents of two applications and of none.
local SHARED = [[{"actions":{
  "Own":{"attributionBundleIdentifier":"com.example.Notes","parameters":[{"name":"in","valueType":{"array":{"wrapper":
    {"memberValueType":{"array":{"wrapper":{"memberValueType":{"entity":{"wrapper":{"typeName":"Folder"}}}}}}}}}}],
    "outputType":{"entity":{"wrapper":{"typeName":"Note"}}}},
  "Other":{"attributionBundleIdentifier":"com.example.other","parameters":[{"name":"a","valueType":{"entity":{"wrapper":
    {"typeName":"Account"}}}}]},
  "Nobody":{"attributionBundleIdentifier":null,"parameters":[]},"Odd":{"attributionBundleIdentifier":7},"Odder":[]},
  "entities":{"Account":{"properties":[]},"Attachment":{"properties":[{"identifier":"back","valueType":{"entity":{"wrapper":
    {"typeName":"Note"}}}}]},"Folder":{"properties":[]},"Note":{"properties":[{"identifier":"file","valueType":{"entity":{"wrapper":
    {"typeName":"Attachment"}}}},{"identifier":"kind","valueType":{"linkEnumeration":{"wrapper":{"identifier":"Kind"}}}}]}},
  "enums":[{"identifier":"Kind","cases":[]},{"identifier":"Unused","cases":[]}]}]]

t.case("intents of one application, with the types that they name and those that these name", function()
  t.same(intents.hosts(SHARED), { ["com.example.notes"] = true, ["com.example.other"] = true })
  local function names(list)
    for i, one in ipairs(list) do list[i] = one.name end
    return list
  end
  local suite = t.ok(intents.read(SHARED, { of = "com.example.NOTES" }))
  t.same({ names(suite.commands), names(suite.classes), names(suite.enumerations) },
    { { "Own" }, { "Attachment", "Folder", "Note" }, { "Kind" } })
  suite = t.ok(intents.read(SHARED, { of = "com.example.absent" }))
  t.same({ #suite.commands, #suite.classes, #suite.enumerations }, { 0, 0, 0 })
  t.same({ #t.ok(intents.read(SHARED)).commands, #t.ok(intents.read(SHARED)).classes }, { 5, 4 })
  for _, text in ipairs { "", "[]", "{", '{"actions":7}', '"attributionBundleIdentifier"', '{"attributionBundleIdentifier":"x"}' } do
    t.same(intents.hosts(text), {}, text)
  end
end)

t.case("spoiled intents are refused, or read and written", function()
  local random = random_of(5)
  local values = { "null", "7", '"x"', "[]", "{}", "[null]", "true", "1e999" }
  for i = 1, 3000 do
    local whole = ({ INTENTS, NEWER, SHARED })[i % 3 + 1]
    local at = random(#whole)
    local from, to = whole:find("%b{}", at)
    local text = random(3) == 1 and whole:sub(1, at)
      or from and whole:sub(1, from - 1) .. values[random(#values)] .. whole:sub(to + 1) or whole
    local suite, err, code = intents.read(text, i % 3 == 2 and { of = "com.example.notes" } or nil)
    intents.hosts(text)
    if suite then
      local model = { id = "x", name = "X", version = "", source = "intents", suites = { suite }, notes = {} }
      t.ok(short.text(model)) t.ok(full.pages(model, "u")[1]) t.ok(summary.text(model, {}))
    else
      t.same({ code, type(err) }, { "malformed", "string" })
    end
  end
end)


-- --- property lists -------------------------------------------------------------------------

--- Writes a binary list of objects that are written already; the last one is the top.
local function binary(objects)
  local parts, offsets, at = { "bplist00" }, {}, 8
  for i, object in ipairs(objects) do
    parts[#parts + 1], offsets[i] = object, (">I2"):pack(at)
    at = at + #object
  end
  parts[#parts + 1] = table.concat(offsets)
  parts[#parts + 1] = ("\0"):rep(6) .. "\2\1" .. (">I8I8I8"):pack(#objects, #objects - 1, at)
  return table.concat(parts)
end

t.case("a binary property list and one in XML have the same values", function()
  local objects = { "\x54name", "\x56Finder", "\x55count", "\x11\x01\x2C", "\x52on", "\x09", "\x55wide:", "\x62\x00\xE4\x20\xAC",
    "\x54list",
    "\xA2\x01\x03", "\xD5\x00\x02\x04\x06\x08\x01\x03\x05\x07\x09" }
  local wanted = { name = "Finder", count = 300, on = true, ["wide:"] = "ä€", list = { "Finder", 300 } }
  t.same(t.ok(plist.read(binary(objects))), wanted)
  t.same(t.ok(plist.read [[<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/P.dtd">
    <plist version="1.0"><dict><key>name</key><string>Finder</string><key>count</key><integer>300</integer><key>on</key><true/>
    <key>wide:</key><string>&#228;€</string><key>list</key><array><string>Finder</string><integer>300</integer></array></dict></plist>]]),
    wanted)
end)

t.case("one member of a list is read without the others", function()
  local whole = binary { "\x52de", "\xF0", "\x52en", "\x53KEY", "\x54Text", "\xD1\x03\x04", "\xD2\x00\x02\x01\x05" }
  t.same(select(3, plist.read(whole)), "malformed", "the other member cannot be read")
  t.same(t.ok(plist.member(whole, "en")), { KEY = "Text" })
  t.same({ plist.member(whole, "fr") }, {})
  t.same(select(3, plist.member(whole, "de")), "malformed")
  t.same(select(3, plist.member(binary { "\x54name" }, "en")), "malformed", "no dictionary")
  t.same(select(3, plist.member(binary { "\x52en", "\xD1\x00\x01" }, "en")), "malformed", "one that contains itself")
  local text = '<plist version="1.0"><dict><key>en</key><dict><key>KEY</key><string>Text</string></dict></dict></plist>'
  t.same(t.ok(plist.member(text, "en")), { KEY = "Text" })
  t.same({ plist.member(text, "fr") }, {})
  t.same(select(3, plist.member("<plist><string>en</string></plist>", "en")), "malformed")
  t.same(type(select(3, plist.member("no list", "en"))), "string")
end)

t.case("a binary list that is spoiled anywhere is refused or read, and never without end", function()
  local whole = binary { "\x54name", "\x56Finder", "\xD1\x00\x01", "\xA2\x02\x00", "\xD1\x00\x03" }
  local random, refused = random_of(3), 0
  for _ = 1, 4000 do
    local at = random(#whole)
    local text = random(4) == 1 and whole:sub(1, at) or whole:sub(1, at - 1) .. string.char(random(256) - 1) .. whole:sub(at + 1)
    local value, err, code = plist.read(text)
    if value == nil then
      refused = refused + 1
      t.same({ type(err), type(code) }, { "string", "string" }, err)
    end
    value, err, code = plist.member(text, "name")
    t.ok(value == nil or not err)
    t.same(type(err), type(code), err)
  end
  t.ok(refused > 500, refused .. " refused")
  t.same(select(3, plist.read(binary { "\xA1\x00" })), "malformed", "a list that contains itself")
  local bomb = { "\x54name" }
  for i = 1, 30 do bomb[i + 1] = "\xA8" .. string.char(i - 1):rep(8) end
  t.same(select(3, plist.read(binary(bomb))), "malformed", "8^30 values")
end)

t.case("a name means the application that people call so, before one that ends so on the bus", function()
  local library = require "dictionary.library"
  local function app(id, path) return { id = id, name = "Files", bus_names = {}, source = "dbus", path = path } end
  local miner, files, other = app "a.Miner.Files", app("b.Nautilus", "/b.desktop"), app("c.Dolphin", "/c.desktop")
  t.same(library.find("files", { miner, files }), files)
  t.same(library.find("files", { miner }), miner)
  local none, err = library.find("Files", { miner, files, other })
  t.same(none, nil)
  t.ok(err:find("a.Miner.Files, b.Nautilus, c.Dolphin", 1, true), err)
end)

t.done()
