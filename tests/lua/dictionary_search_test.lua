#!/usr/bin/env tests/lua/run
--- The search of dictionaries: which rows there are, what finds them, and how many questions it answers.
local t         = require "check"
local bus       = require "dictionary_bus"
local curated   = require "dictionary.curated"
local env       = require "sys.env"
local fs        = require "sys.fs"
local own       = require "dictionary_own"
local questions = require "dictionary_questions"
local search    = require "dictionary.search"
local standard  = require "applescript.standard"
local suites    = require "applescript.suites"


local function index_of(models, plain)
  local index = search.new()
  for _, model in ipairs(models) do index:add(model, not plain and curated.of(model) or nil) end
  return index
end


local function names(found)
  local list = {}
  for i, one in ipairs(found) do list[i] = one.id:match "[^.]*$" .. ": " .. one.name end
  return list
end


local both = index_of({ own.postbox, own.darkroom }, true)

t.case("a row has what a caller needs", function()
  local found = both:search("deliver a letter", { limit = 1 })[1]
  t.same({ found.id, found.app, found.kind, found.name, found.description },
    { "com.example.postbox", "Postbox", "command", "dispatch", "Deliver a letter to its recipients." })
  t.same(found.args, { "letter", "[by priority]" })
  t.same(both:search("who wrote it", { limit = 1 })[1].kind, "property")
  t.same(both:search("archive", { limit = 1 })[1].args, { "list<letter>", "into drawer" })
end)

t.case("words of names, synonyms, enumerators, descriptions, records and of the application", function()
  for query, wanted in pairs { ["dispatch"] = "postbox: dispatch", ["archive"] = "postbox: file away",
      ["express"] = "postbox: dispatch", ["server"] = "postbox: collect", ["postage"] = "postbox: stamp settings.postage",
      ["tiff"] = "darkroom: export", ["unopened"] = "postbox: drawer.unopened count" } do
    t.same(names(both:search(query))[1], wanted, query)
  end
  t.ok(names(both:search "turn a photograph")[1] == "darkroom: rotate")
end)

t.case("hidden things are no rows", function()
  for _, query in ipairs { "debug dump", "secret key", "ghosts", "ghost sender", "pigeon" } do
    for _, name in ipairs(names(both:search(query, { limit = 100 }))) do
      t.ok(not name:find "dump" and not name:find "secret" and not name:find "ghost", query .. " finds " .. name)
    end
  end
  t.same(both:search "pigeon", {})
end)

t.case("one application, by its id, its name, or the end of its id", function()
  for _, app in ipairs { "com.example.postbox", "Postbox", "postbox", "COM.EXAMPLE.POSTBOX" } do
    for _, one in ipairs(both:search("photo letter", { app = app, limit = 100 })) do t.same(one.app, "Postbox", app) end
    t.ok(#both:search("letter", { app = app }) > 0, app)
  end
  t.same(both:search("letter", { app = "example" }), {})
  t.same(both:search("letter", { app = "box" }), {})
end)

t.case("an application on the bus, by an interface", function()
  local index = index_of(bus.models(), true)
  t.same(index:search("full screen", { app = "org.mpris.MediaPlayer2", limit = 1 })[1].name, "MediaPlayer2.Fullscreen")
  t.same(index:search("move to trash", { app = "org.xfce.Trash", limit = 1 })[1].name, "MoveToTrash")
end)

t.case("a question that names an application is about it", function()
  local index = index_of(bus.models(), true)
  t.same(index:search("undo in gedit", { limit = 1 })[1].id, "org.gnome.gedit")
  t.same(index:search("undo in Mousepad", { limit = 1 })[1].id, "org.xfce.mousepad")
  t.ok(index:search("rename files", { limit = 1 })[1].id ~= nil, "an ordinary word is not the name of Files")
end)

t.case("limits and queries without words", function()
  t.same(#both:search("letter photo", { limit = 3 }), 3)
  t.ok(#both:search "letter photo" <= 10)
  for _, query in ipairs { "", "the of a", "?!", "zzyzx" } do t.same(both:search(query), {}, query) end
end)

t.case("an example leads to its command, and is shown with it", function()
  local index = search.new()
  index:add(own.darkroom, { words = "lab", examples = {
    { task = "Brighten a face in a portrait.", command = "Develop", script = "develop photo 1 using recipe 2" },
    { task = "Frobnicate a portrait.", command = "nothing of that name", script = "x" } } })
  local found = index:search("brighter portrait faces", { limit = 1 })[1]
  t.same({ found.name, found.example.script }, { "develop", "develop photo 1 using recipe 2" })
  t.same(index:search("apply a recipe", { limit = 1 })[1].example.script, "develop photo 1 using recipe 2")
  t.same(index:search "frobnicate", {})
  t.same(names(index:search("lab rotate", { limit = 1 })), { "darkroom: rotate" })
end)

t.case("an application that does not run has the rows of its examples", function()
  local index = search.new()
  local function example(task, command, call)
    call.path = "/x"
    return { task = task, command = command, call = call }
  end
  local examples = { example("Turn to the next page.", "go-next-page", { action = "go-next-page" }),
    example("Turn two pages ahead.", "go-next-page", { action = "go-next-page", args = { 2 } }),
    example("Find out who wrote the document.", "Author", { interface = "a.b", property = "Author" }),
    example("Send a document away.", "Send", { interface = "a.b", member = "Send" }),
    example("Open a window for reading.", "gone-window", { desktop = "viewer", action = "gone-window" }) }
  local of_entry = { { name = "Desktop actions", commands = { { name = "new-window", parameters = {} } }, classes = {}, enumerations = {},
    records = {} } }
  index:add({ id = "viewer", name = "Viewer", version = "", source = "desktop", notes = {}, suites = of_entry }, { words = "pdf",
    examples = examples })
  local found = index:search("turn the pdf two pages ahead", { limit = 1 })[1]
  t.same({ found.name, found.kind, found.example.task, found.args }, { "go-next-page", "action", "Turn two pages ahead.", {} })
  t.match(found.description, "start it with open_application")
  t.same({ index:search("who wrote it")[1].kind, index:search("send it away")[1].kind }, { "property", "command" })
  t.same(names(index:search("a window for reading")), { "viewer: new-window" }, "an action of the entry that is not there")
  index:add({ id = "viewer", name = "Viewer", version = "", source = "dbus", notes = {}, suites = of_entry },
    { words = "pdf", examples = examples })
  t.same(names(index:search "turn the pdf two pages ahead"), {}, "it runs, and has no such action")
end)

t.case("a dictionary comes, changes and goes", function()
  local index = index_of({ own.postbox }, true)
  t.same(names(index:search "crop"), {})
  index:add(own.darkroom)
  t.same(names(index:search "crop"), { "darkroom: crop" })
  local newer = { id = own.darkroom.id, name = "Darkroom", version = "3", source = "sdef", notes = {}, suites = { { name = "S",
    commands = { { name = "dodge", parameters = {} } }, classes = {}, enumerations = {}, records = {} } } }
  index:add(newer)
  t.same(names(index:search "crop"), {})
  t.same(names(index:search "dodge"), { "darkroom: dodge" })
  index:remove(own.darkroom.id)
  index:remove "never.there"
  t.same(names(index:search "dodge"), {})
  t.same(names(index:search("dispatch", { limit = 1 })), { "postbox: dispatch" })
end)

t.case("the order does not depend on the order in which dictionaries came", function()
  local models, back = bus.models(), {}
  for i, model in ipairs(models) do back[#models + 1 - i] = model end
  local one, other = index_of(models), index_of(back)
  for question in questions:gmatch "([^\n|]+) |" do t.same(names(one:search(question)), names(other:search(question)), question) end
end)


-- --- how many questions are answered ----------------------------------------------------------------

--- Is the row one of the answers "APP: NAME"? Of a property the last part may be the name.
local function answers(row, list, by_id)
  for _, answer in ipairs(list) do
    local app, name = answer:match "^(.-): (.+)$"
    app, name = app:lower(), name:lower()
    local model, own_app = by_id[row.id], app == row.id:lower() or app == row.app:lower()
    for _, suite in ipairs(model.source == "dbus" and model.suites or {}) do own_app = own_app or suite.name:lower() == app end
    local same = row.name:lower() == name or row.kind == "property" and row.name:lower():match "[^.]*$" == name
    if own_app and same then return true end
  end
  return false
end


--- Asks all questions, and returns the share whose answer is among the first five.
local function recall(index, by_id, list, given)
  local right = 0
  for _, one in ipairs(list) do
    local found = false
    for _, row in ipairs(index:search(one.question, { limit = 5, app = given and one.app or nil })) do
      found = found or answers(row, one.answers, by_id)
    end
    if found then right = right + 1 end
  end
  return right / #list
end


local function by_id(models)
  local map = {}
  for _, model in ipairs(models) do map[model.id] = model end
  return map
end


local function check_bar(models, list, note)
  local index, map = index_of(models), by_id(models)
  local given, free = recall(index, map, list, true), recall(index, map, list, false)
  t.note(("%s: %d questions, recall at 5 %.0f %% with the application given, %.0f %% without"):format(note, #list, given * 100,
    free * 100))
  t.ok(given >= 0.9, ("%.2f with the application given"):format(given))
  t.ok(free >= 0.8, ("%.2f without"):format(free))
end


local function split(text)
  local list = {}
  for one in text:gmatch "[^,]+" do list[#list + 1] = one:match "^%s*(.-)%s*$" end
  return list
end

local own_models = bus.models()
own_models[#own_models + 1], own_models[#own_models + 2] = own.postbox, own.darkroom

local function own_questions()
  local list = {}
  for question, right in questions:gmatch "([^\n|]+) | ([^\n]+)" do
    list[#list + 1] = { question = question, answers = split(right), app = right:match "^(.-):" }
  end
  return list
end

t.case("our own questions", function()
  local list = own_questions()
  t.ok(#list >= 20)
  check_bar(own_models, list, "own")
end)

t.case("examples find answers that rings do not", function()
  local list = own_questions()
  local plain = recall(index_of(own_models, true), by_id(own_models), list, false)
  t.ok(plain < recall(index_of(own_models), by_id(own_models), list, false), "examples add nothing")
end)

local shared = env.get "PERIGEE_SHARED"

local function shared_models(folder)
  local models = bus.models()
  for _, entry in ipairs(assert(fs.list(folder))) do
    local name = entry.name:match "^(.*)%.sdef$"
    if name then
      local read = assert(suites.read(assert(fs.read(folder .. "/" .. entry.name))))
      if read.includes then read.suites[#read.suites + 1] = standard.included(read.includes) end
      models[#models + 1] = { id = name, name = name, version = "", source = "sdef", suites = read.suites, notes = {} }
    end
  end
  return models
end


--- The questions of a file that these dictionaries can answer, whose IDs have this letter.
local function asked(path, letter, models)
  local list, names_of = {}, {}
  for _, model in ipairs(models) do
    names_of[model.id:lower()], names_of[model.name:lower()] = model.id, model.id
    for _, suite in ipairs(model.source == "dbus" and model.suites or {}) do names_of[suite.name:lower()] = model.id end
  end
  for line in assert(fs.read(path)):gmatch "[^\n]+" do
    local question, right, source = line:match("^" .. letter .. "%d+\t(.-)\t(.-)\t(.-)$")
    local answer, app = {}, nil
    for one in (right or ""):gmatch "[^|]+" do
      answer[#answer + 1] = one
      app = app or names_of[one:match "^(.-):":lower()]
    end
    -- questions of dictionaries that are not here count only if their own application is
    if app and (source:find "^dbus" or names_of[source:match "^sdef (.*)$":lower()]) then
      list[#list + 1] = { question = question, answers = answer, app = app }
    end
  end
  return list
end

t.case("the questions of others", function()
  if not shared or shared == "" then t.skip "../shared is not here" end
  local models = shared_models(shared .. "/data/sdef")
  local list = asked(shared .. "/data/dictionary-search/questions-dev.tsv", "d", models)
  t.ok(#list >= 27, #list .. " questions")
  check_bar(models, list, "questions-dev.tsv")
end)

--- Two writers, who had seen neither the rings nor the examples. Both sets are known since: they keep what was reached.
t.case("the questions of writers who did not know the search", function()
  local has_shared = shared and shared ~= ""
  local models = has_shared and shared_models(shared .. "/data/sdef") or bus.models()
  for _, writer in ipairs { "n", "m" } do
    local list = asked("tests/lua/lib/dictionary_questions_of_writers.tsv", writer, models)
    t.ok(#list >= (has_shared and 30 or 12), #list .. " questions")
    check_bar(models, list, "writer " .. writer)
  end
end)

t.done()
