#!/usr/bin/env lua5.4
--- The prompt that a run gets if its caller names none: chosen by the server's tools and by the request.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local keynote = require "keynote_tools"
local rig     = require "rig"
local stage   = require "stage"
local t       = require "check"

local DRAW, CLICK, READ = "draw_rectangle", "create_input", "list_windows"

--- The prompt of the last run in the log.
local function begun_with(seen)
  return seen.log:match ".*run started: [^\n]*, prompt ([%w_]+)," or seen.log
end

--- The prompt that a run on a server with these tools was begun with, and the names of the tools the model was offered.
local function chosen(names, request, options)
  local server = { tools = {}, calls = {} }
  for i, name in ipairs(names) do
    server.tools[i] = { name = name, description = name, inputSchema = { type = "object" } }
  end
  local model = stage.scripted({ { text = "FINAL_ANSWER: [done]", stop = "end" } }, true)
  local all = { model = "scripted", request = request }
  for key, value in pairs(options or {}) do all[key] = value end
  local _, seen = stage.run(all, server)
  local asked, offered = model.requests[1], {}
  for i, tool in ipairs(asked and asked.tools or {}) do offered[i] = tool.name end
  return begun_with(seen), offered
end

stage.case("a request about slides gets the drawing prompt, where something draws", function()
  for _, request in ipairs {
    stage.REQUEST, "Put a red box on the first SLIDE.", "rectangle!", "Open Impress", "three slides about the moon",
    "Make a presentation.", "(Keynote)",
  } do
    t.same(chosen({ DRAW, CLICK, READ }, request), "keynote_agent", request)
    t.same(chosen({ CLICK, READ }, request), "desktop_agent", request)
  end
end)

stage.case("any other request gets the general prompt, where something acts", function()
  for _, request in ipairs {
    "Close all windows of Calculator.", "Move the slider to the right.", "Write an impressive mail.",
    "Is that a fair representation?", "keynotes2go", "Was ist das für ein Fenster?", "landslide",
  } do
    t.same(chosen({ DRAW, CLICK, READ }, request), "desktop_agent", request)
  end
end)

stage.case("a server that only draws is asked to draw, whatever the words", function()
  t.same(chosen({ DRAW, READ }, "Close all windows."), "keynote_agent")
  t.same(chosen({ READ }, "Close all windows."), "desktop_agent")
  t.same(chosen({}, stage.REQUEST), "desktop_agent")
end)

stage.case("a prompt that is named is used, and a recording keeps its own", function()
  t.same(chosen({ DRAW, CLICK }, stage.REQUEST, { prompt = "desktop_agent" }), "desktop_agent")
  t.same(chosen({ DRAW, CLICK }, "Close it.", { prompt = "keynote_agent" }), "keynote_agent")
  local _, recorded = stage.run({ prompt = "desktop_agent", model = "offline" }, keynote.server())
  rig.sys "fs".files["run.jsonl"] = recorded.journal
  local _, played = stage.run({ replay = "run.jsonl", request = stage.REQUEST }, keynote.server())
  t.same(begun_with(played), "desktop_agent")
end)

stage.case("the drawing prompt offers its tools only, the general one all of them", function()
  local names = {}
  for i, tool in ipairs(keynote.server().tools) do names[i] = tool.name end
  names[#names + 1] = CLICK
  names[#names + 1] = READ
  local model = stage.scripted({ "FINAL_ANSWER: [done]" }, true)
  local server = { tools = {}, calls = {} }
  for i, name in ipairs(names) do server.tools[i] = { name = name, description = name, inputSchema = { type = "object" } } end
  local _, seen = stage.run({ model = "scripted" }, server)
  t.has(seen.output, "tools listed: " .. table.concat(names, ", ", 1, #names - 2) .. "\n")
  t.same(#model.requests, 1)
  local prompt, offered = chosen(names, "Close all windows.")
  t.same({ prompt, offered }, { "desktop_agent", names })
end)

t.done()
