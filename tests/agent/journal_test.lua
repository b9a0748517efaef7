#!/usr/bin/env lua5.4
--- The journal of a run, its replay, and runs that were broken off.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"
local stage   = require "stage"

local json = rig.sys "json"
local case, run, scripted, REQUEST = stage.case, stage.run, stage.scripted, stage.REQUEST

local function called(server)
  local names = {}
  for i, call in ipairs(server.calls) do names[i] = call[1] end
  return table.concat(names, " ")
end

case("the journal tells the whole run, named by time and run id", function()
  local outcome, seen = run { journal = "runs" }
  t.same(outcome.journal, ("runs/20251002T120107Z-%s.jsonl"):format(outcome.run_id))
  local events = {}
  for text in seen.journal:gmatch "[^\n]+" do events[#events + 1] = assert(json.decode(text)) end
  local start = events[1]
  t.same({ start.type, start.format, start.request, start.prompt, start.provider, start.version },
    { "start", "perigee.run/1", REQUEST, "keynote_agent", "offline", "0.1.0" })
  t.same(#start.tools, 5)
  t.same({ events[#events].type, events[#events].reason, events[#events].turns }, { "outcome", "done", 4 })
end)

--- Runs a model that makes one call, whose result this is. Returns the event of the result, and the journal.
local function result_of(result)
  scripted { "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]" }
  local server = keynote.server()
  server.call = function() return result end
  local _, seen = run({ model = "scripted" }, server)
  for text in seen.journal:gmatch "[^\n]+" do
    local event = json.decode(text)
    if event.type == "result" then return event, seen.journal end
  end
end

local function answer(text, structured)
  return { content = { { type = "text", text = text } }, structuredContent = structured }
end

case("the journal keeps structured results, without what the text has already", function()
  local outline = ("e1 window\n"):rep(40)
  local event = result_of(answer(outline, { application = "applications/7", outline = outline, cut = false, list = { 1, 2 } }))
  t.same(event.structured, { application = "applications/7", cut = false, list = { 1, 2 } })
  t.same({ event.text, event.structured_bytes }, { outline, nil })
  t.same(result_of(answer("Hello")).structured, nil)
  t.same(result_of(answer("Hello", { text = "Hello" })).structured, { text = "Hello" })
end)

case("a structured result that is too large is counted, and no run keeps more than its part", function()
  local large = result_of(answer("large", { value = ("x"):rep(65 * 1024) }))
  t.same({ large.structured, large.structured_bytes }, { nil, 65 * 1024 + #'{"value":""}' })
  local keeping, kept, most = rig.lib "agent.keeping", { bytes = 0 }, 0
  local each = { text = "", structured = { value = ("x"):rep(60 * 1024) } }
  while keeping.of(kept, each) do most = most + 1 end
  t.same({ most, kept.bytes <= 8 * 1024 * 1024 }, { 8 * 1024 * 1024 // (60 * 1024 + 12), true })
end)

local function replay(journal, options)
  rig.sys "fs".files["old.jsonl"] = journal
  local all = { request = false, replay = "old.jsonl", server = false }
  for key, value in pairs(options or {}) do all[key] = value end
  return run(all)
end

case("a replay repeats the run without model, server or desktop", function()
  local first, recorded = run()
  local outcome, seen = replay(recorded.journal)
  t.same({ outcome.ok, outcome.turns, outcome.calls }, { first.ok, first.turns, first.calls })
  t.same(called(seen.server), "")
  t.has(seen.output, "replay => FUNCTION_CALL: draw_rectangle|384|378|1152|324\n[server] RECTANGLE_OK: id=R1")
  t.hasnt(seen.output, "note:")
end)

case("a replay keeps the structured results of its recording, and takes journals without any", function()
  local event, journal = result_of(answer("Hello", { greeting = "Hello" }))
  local _, seen = replay(journal)
  t.has(seen.journal, '"structured":{"greeting":"Hello"}')
  local old = journal:gsub(',?"structured":{"greeting":"Hello"}', "")
  t.hasnt(old, "structured")
  t.same({ event.turn, replay(old).ok }, { 1, true })
end)

case("a journal may begin with what the server said while it started", function()
  local _, recorded = run()
  local outcome = replay('{"type":"server","line":"starting"}\n' .. recorded.journal)
  t.same({ outcome.ok, outcome.turns }, { true, 4 })
end)

case("a replay with a server makes the calls for real", function()
  local _, recorded = run()
  local outcome, seen = replay(recorded.journal, { server = { command = "keynote" } })
  t.ok(outcome.ok)
  t.same(called(seen.server), "open_keynote draw_rectangle add_text_in_keynote")
end)

case("a replay speaks by the rule of its recording", function()
  local no_tools = { err = "no tools with gemma", code = "no_tools" }
  scripted({ no_tools, "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]" }, true)
  local _, recorded = run { model = "scripted", prompt = "desktop_agent" }
  local outcome = replay(recorded.journal)
  t.same({ outcome.ok, outcome.turns, outcome.calls }, { true, 2, 1 })
end)

case("a replay that leaves its recording says where", function()
  local _, recorded = run()
  local other = recorded.journal:gsub("draw_rectangle|384", "draw_rectangle|385")
  local outcome = replay(other)
  t.same(outcome.reason, "diverged")
  t.has(outcome.message, "Call 2 of the run is draw_rectangle|385|378|1152|324, the recorded one was draw_rectangle|")
end)

case("a replay that runs out of replies says so", function()
  scripted { "FUNCTION_CALL: open_keynote", "hm", "hm", "hm" }
  local _, recorded = run { model = "scripted" }
  local short = {}
  for text in recorded.journal:gmatch "[^\n]+" do short[#short + 1] = text end
  local kept = table.concat(short, "\n", 1, 6) .. '\n{"type":"repl'
  local outcome = replay(kept)
  t.same({ outcome.reason, outcome.code }, { "diverged", "diverged" })
  t.has(outcome.message, "requests reply 2, but the journal has only 1")
end)

case("a file that is not a journal is refused", function()
  rig.sys "fs".files["old.jsonl"] = '{"type":"other"}\n'
  t.has(run({ request = false, replay = "old.jsonl", server = false }).message, "not the journal of an agent run")
end)

case("a cancelled run closes its books, once", function()
  local model = scripted {}
  model.complete = function() coroutine.yield() end
  rig.sys "mcp".started.keynote = function() return keynote.server() end
  local options = { request = REQUEST, server = { command = "keynote" }, output = function() end, model = "scripted" }
  local agent = rig.lib "agent"
  coroutine.wrap(function() agent.run(options) end)()  -- its task is dropped where it waits for the model

  local outcome = agent.cancelled(options)
  t.same({ outcome.ok, outcome.reason, outcome.turns }, { false, "cancelled", 1 })
  t.same(agent.cancelled(options), outcome)
  local journal = rig.sys "fs".files[outcome.journal]
  t.same(json.decode(journal:match "([^\n]+)\n$").reason, "cancelled")
  t.same(select(2, journal:gsub('"type":"outcome"', "")), 1)
  t.same(rig.sys "mcp".closed, 1)
end)

t.done()
