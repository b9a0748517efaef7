#!/usr/bin/env tests/lua/run
--- The curated examples: their files, and each example against the dictionary of its application where that is here.
local t            = require "check"
local bus          = require "dictionary_bus"
local check        = require "dictionary.example_check"
local curated      = require "dictionary.curated"
local dictionaries = require "applescript.dictionaries"
local env          = require "sys.env"
local fs           = require "sys.fs"
local own          = require "dictionary_own"
local rows         = require "dictionary.rows"
local standard     = require "applescript.standard"
local suites       = require "applescript.suites"


t.case("how many there are", function()
  local examples, applications = 0, {}
  for _, file in ipairs(curated.all()) do
    examples = examples + #file.examples
    if #file.examples > 0 then applications[file.app] = true end
  end
  local count = 0
  for _ in pairs(applications) do count = count + 1 end
  t.note(("%d examples, %d applications"):format(examples, count))
  t.ok(examples >= 120 and count >= 30)
  t.same(curated.problems(), {})
end)

t.case("a task is one sentence, and no application has one twice", function()
  for _, file in ipairs(curated.all()) do
    local seen = {}
    for _, example in ipairs(file.examples) do
      t.ok(example.task:find "^%u.*[%.]$" and not example.task:find "%. %u", file.label .. ": " .. example.task)
      t.ok(#example.task <= 120, file.label .. ": " .. example.task)
      t.ok(not seen[example.task], file.label .. " twice: " .. example.task)
      seen[example.task] = true
    end
  end
end)

t.case("files of a root of the user count", function()
  local found
  for _, file in ipairs(curated.all()) do found = found or file.app == "com.example.postbox" and file end
  t.same(found and found.label, "dictionary/postbox.lua")
  t.same(curated.of(own.postbox).words, "mail letters post")
  t.same(#curated.of(own.postbox).examples, 1)
  t.same(curated.of(own.darkroom), { words = "", examples = {} })
end)

t.case("an application gets the files about its interfaces, and the same table each time", function()
  for _, model in ipairs(bus.models()) do
    local first = curated.of(model)
    t.ok(first == curated.of(model), model.id)
    t.ok(#first.examples > 0, model.id)
  end
end)


-- --- against dictionaries ---------------------------------------------------------------------------

--- The names of the rows of a dictionary; of a property on the bus also the last part.
local function row_names(model)
  local names = {}
  rows.each(model, function(row)
    names[row.name:lower()] = true
    if model.source == "dbus" and row.kind == "property" then names[row.name:lower():match "[^.]*$"] = true end
  end)
  return names
end


t.case("each call fits the dictionary of its application", function()
  local checked = 0
  for _, model in ipairs(bus.models()) do
    local names = row_names(model)
    for _, example in ipairs(curated.of(model).examples) do
      if not example.call.desktop then
        local how, err = check.run(example, { model = model })
        t.same(how, "dictionary", ("%s: %s: %s"):format(model.id, example.task, err))
        t.ok(names[example.command:lower()], ("%s has no %s"):format(model.id, example.command))
        checked = checked + 1
      end
    end
  end
  t.ok(checked >= 200, checked .. " calls")
end)


--- The dictionaries in ../shared/data/sdef, for the checker and as models. Others may be of older versions.
local function at_hand()
  local known, models, shared = dictionaries.new(), {}, env.get "PERIGEE_SHARED"
  if not shared or shared == "" then t.skip "../shared is not here" end
  for _, entry in ipairs(assert(fs.list(shared .. "/data/sdef"))) do
    local name = entry.name:match "^(.*)%.sdef$"
    if name then
      local bytes = assert(fs.read(shared .. "/data/sdef/" .. entry.name))
      local read = assert(suites.read(bytes))
      if read.includes then read.suites[#read.suites + 1] = standard.included(read.includes) end
      models[name] = { id = name, name = name, source = "sdef", suites = read.suites }
      assert(known:add(name, bytes))
    end
  end
  return known, models
end


t.case("each script passes the check of its structure", function()
  local count = 0
  for _, file in ipairs(curated.all()) do
    for _, example in ipairs(file.examples) do
      if example.script then
        local how, err = check.run(example, {})
        t.same(how, "structure", ("%s: %s: %s"):format(file.label, example.task, err))
        count = count + 1
      end
    end
  end
  t.ok(count >= 100, count .. " scripts")
end)

t.case("each script fits the dictionary of its application, where that is here", function()
  local known, models = at_hand()
  local counts = { dictionary = 0, structure = 0 }
  for _, model in pairs(models) do
    local names = row_names(model)
    for _, example in ipairs(curated.of(model).examples) do
      if example.script then
        local how, err = check.run(example, { dictionaries = known })
        t.ok(how, ("%s: %s: %s"):format(model.name, example.task, err))
        counts[how] = counts[how] + 1
        t.ok(names[example.command:lower()], ("%s has no %s"):format(model.name, example.command))
      end
    end
  end
  t.note(("%d scripts by their dictionary, %d by their structure"):format(counts.dictionary, counts.structure))
  t.ok(counts.dictionary > 0)
end)


-- --- the check itself -------------------------------------------------------------------------------

t.case("calls that do not fit are found", function()
  local model = bus.models()[2]   -- Thunar
  local path, interface = "/org/xfce/FileManager", "org.xfce.FileManager"
  local function fault(call)
    call.path, call.interface = path, call.interface or interface
    local how, err = check.run({ task = "x", command = "x", call = call }, { model = model })
    t.same(how, nil)
    return err
  end
  t.match(fault { member = "DisplayFoldr", args = { "x", "", "" } }, "has no DisplayFoldr")
  t.match(fault { interface = "org.xfce.Trash", member = "DisplayFolder", args = { "x", "", "" } }, "has no DisplayFolder")
  t.match(fault { member = "DisplayFolder", args = { "x", "" } }, "takes 3 arguments, not 2")
  t.match(fault { member = "DisplayFolder", args = { 1, "", "" } }, "argument 1 of DisplayFolder is not a string")
  t.match(fault { member = "CopyInto", args = { "/", "x", "y", "", "" } }, "argument 2 of CopyInto is not a list of strings")
  t.match(fault { member = "CopyInto", args = { "/", { 1 }, "y", "", "" } }, "argument 2 of CopyInto is not a list of strings")
  local player = bus.models()[7]
  local function player_fault(call)
    call.path, call.interface = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
    return select(2, check.run({ task = "x", command = "x", call = call }, { model = player }))
  end
  t.match(player_fault { property = "Metadata", value = {} }, "Metadata cannot be set")
  t.match(player_fault { property = "Volume", value = "loud" }, "Volume is not a number")
  t.match(player_fault { property = "Loudness" }, "has no Loudness")
  t.same(player_fault { property = "Volume", value = 0.5 }, nil)
  local editor = bus.models()[1]   -- Mousepad
  local function state_fault(action, state)
    return select(2, check.run({ task = "x", command = action, call = { path = "/x", action = action, state = state } },
      { model = editor }))
  end
  t.same(state_fault("preferences.view.word-wrap", true), nil, "its state is false")
  t.match(state_fault("preferences.view.word-wrap", "on"), "the state of preferences.view.word%-wrap is a boolean, not a string")
  t.match(state_fault("edit.select-all", true), "edit.select%-all has no state")
end)

t.case("an action whose state is false has a state", function()
  local action = { name = "wrap", parameters = {}, call = { kind = "action", stateful = true, state = false } }
  local plain = { name = "undo", parameters = {}, call = { kind = "action", stateful = false } }
  local model = { id = "x.y", suites = { { name = "Window actions", commands = { action, plain }, classes = {} } } }
  local function checked(name)
    return check.run({ task = "x", command = name, call = { path = "/x/window/1", action = name, state = true } }, { model = model })
  end
  t.same(checked "wrap", "dictionary")
  t.same({ checked "undo" }, { nil, "undo has no state" })
end)

t.case("without a dictionary only the structure is checked, and the label says so", function()
  t.same(check.run({ task = "x", command = "x", call = { path = "/x", interface = "a.b", member = "M" } }, {}), "structure")
  t.same(check.run({ task = "x", command = "x", script = 'tell application "Nothing" to frob x' }, {}), "structure")
  local how, err = check.run({ task = "x", command = "x", script = 'tell application "Nothing' }, {})
  t.same(how, nil)
  t.match(err, "^line 1: ")
end)

t.done()
