#!/usr/bin/env tests/lua/run
--- sys.files: the files of the roots, and one of them with stand-ins.
local t      = require "check"
local engine = require "sys.engine"
local files  = require "sys.files"
local time   = require "sys.time"

local function by_label(label)
  for _, file in ipairs(files.list()) do
    if file.label == label then return file end
  end
end

local function real() end

t.case("lists every file with its kind, name and root", function()
  local tool = by_label "tools/engine/search_tools.lua"
  t.same({ tool.kind, tool.name, tool.toolset, tool.overridden_by }, { "tool", "search_tools", "engine", nil })
  t.same(tool.path, tool.root .. "/tools/engine/search_tools.lua")
  t.same(by_label("prompts/function_call.lua").kind, "rule")
  t.same(by_label("prompts/keynote_agent.lua").kind, "prompt")
  t.same(by_label("providers/offline.lua").kind, "provider")
  local lib = by_label "lib/agent/tape.lua"
  t.same({ lib.kind, lib.name, lib.toolset }, { "lib", "agent.tape", "" })
  local mine = by_label "lib/check.lua"
  t.same(mine.root, engine.status().roots[2])
end)

t.case("gives what a file returned", function()
  t.ok(#files.table("tool", "search_tools").examples > 0)
  t.same(type(files.table("rule", "function_call").parse), "function")
  t.same({ select(3, files.table("prompt", "function_call")) }, { "not_found" })
  t.raises(function() files.table("lib", "agent.tape") end, "invalid option 'lib'")
end)

t.case("names parameters in their order", function()
  t.same(table.concat(files.parameters "draw_rectangle", " "), "x y width height")
  t.same({ select(3, files.parameters "nobody") }, { "unknown_tool" })
end)

t.case("loads a file with stand-ins for what it and its lib files require", function()
  local wanted = {}
  local file = t.ok(files.load("tool", "search_tools", function(name)
    wanted[name] = true
    if name == "sys.engine" then
      return {
        generation = function() return 1 end,
        tools      = function() return { { name = "a_zebra_finch", toolset = "x", description = "y" } } end,
      }
    end
  end))
  t.ok(wanted["sys.engine"] and wanted["rank"] and wanted["schema"] and wanted["sys.json"])
  t.same(file:table().title, "Search tools")
  t.same(file:call({ query = "zebra" }).structuredContent.tools[1].name, "a_zebra_finch")
  t.ok(engine.call("search_tools", { query = "zebra" }).isError, "the generation has its own")
end)

t.case("runs a file of tests, and no other", function()
  local root = engine.status().roots[1]
  local beside = root:match "^(.*)/" .. "/tests"
  t.ok(#files.test(beside .. "/tools/click_element_test.lua") > 2)
  t.same({ select(3, files.test(root .. "/lib/rank.lua")) }, { "not_found" })
  t.same({ select(3, files.test(beside .. "/../lua/lib/rank.lua")) }, { "not_found" })
  t.same({ select(3, files.test(beside .. "/tools/none_test.lua")) }, { "not_found" })
end)

t.case("calls as a client would: arguments checked, time limited", function()
  local file = files.load("tool", "search_tools", real)
  t.same({ select(3, file:call { query = 5 }) }, { "invalid_arguments" })
  t.raises(function() file.call({}, {}) end, "file expected")
  local slow = files.load("tool", "search_tools", function(name)
    if name == "sys.engine" then return { generation = function() time.sleep(600) end } end
  end)
  local result = slow:call({ query = "x" }, { timeout = 0.05 })
  t.same({ result.isError, result.code }, { true, "timeout" })
end)

t.case("a stand-in that raises is why the file does not load", function()
  local file, err = files.load("tool", "search_tools", function() error("refused", 0) end)
  t.same(file, nil)
  t.has(err, "refused")
end)

t.case("only tools are called, and only known files loaded", function()
  t.raises(function() files.load("rule", "function_call", real):call {} end, "only a tool")
  t.same({ select(3, files.load("tool", "nobody", real)) }, { "not_found" })
end)

t.case("a function of a loaded file outlives the file's handle", function()
  local run = files.load("tool", "search_tools", real):table().run
  local waste
  for i = 1, 20000 do waste = { waste and i } end
  t.ok(run { query = "search" }.tools, waste)
end)

t.done()
