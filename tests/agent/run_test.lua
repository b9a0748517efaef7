#!/usr/bin/env lua5.4
--- Whole runs: the loop, what is shown and logged, and every way a run ends.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"
local stage   = require "stage"

local json = rig.sys "json"
local case, run, scripted, REQUEST = stage.case, stage.run, stage.scripted, stage.REQUEST

case("the offline stand-in draws a centred rectangle and writes the exact text", function()
  local outcome, seen = run()
  t.same({ outcome.ok, outcome.reason, outcome.turns, outcome.calls }, { true, "done", 4, 3 })
  t.same(seen.server.calls, {
    { "open_keynote", {} },
    { "draw_rectangle", { x = 384, y = 378, width = 1152, height = 324 } },
    { "add_text_in_keynote", { text = "Hello from MCP on macOS." } },
  })
end)

case("the terminal gets one line a step", function()
  local _, seen = run()
  local why = "none of GEMINI_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_HOST is set; "
    .. "choose another with --model"
  t.same(seen.output, "[client] model: offline/rules, a rule-based planner, not a model (" .. why .. ")\n" .. [=[
[client] tools listed: open_keynote, get_slide_size, draw_rectangle, add_text_in_keynote, screenshot_slide
[client] planner => FUNCTION_CALL: open_keynote
[server] KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080
[client] planner => FUNCTION_CALL: draw_rectangle|384|378|1152|324
[server] RECTANGLE_OK: id=R1, x=384, y=378, width=1152, height=324
[client] planner => FUNCTION_CALL: add_text_in_keynote|Hello from MCP on macOS.
[server] TEXT_OK: id=R1, characters=24
[client] planner => FINAL_ANSWER: [done]
[client] done: 4 turns, 3 calls, 0.0 s
]=])
end)

case("a model is called LLM, and colours are only for terminals that want them", function()
  scripted { "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]" }
  local _, seen = run { model = "scripted/big-1", color = true }
  t.has(seen.output, "\27[36m[client]\27[0m LLM => FUNCTION_CALL: open_keynote\n")
  t.has(seen.output, "\27[32m[server]\27[0m KEYNOTE_READY")
  t.has(seen.output, "model: scripted/big-1 (chosen with --model)")
end)

case("the log has prompts, raw replies, parsed calls, results and the summary, each line stamped", function()
  scripted { "Sure.\nFUNCTION_CALL: draw_rectangle|384|378|1152|324", "FINAL_ANSWER: [done]" }
  local outcome, seen = run { model = "scripted" }
  local prefix = "[2025-10-02T12:01:07Z][client][run_id=" .. outcome.run_id .. "] "
  t.match(outcome.run_id, "^%x%x%x%x%x%x$")
  for _, text in ipairs {
    "run started: perigee 0.1.0, prompt keynote_agent, at most 8 turns", "model: scripted (chosen with --model)",
    "system prompt| - Never call the same tool twice with the same parameters.", "user prompt| " .. REQUEST,
    "LLM reply| Sure.", "FUNCTION_CALL parsed: draw_rectangle|384|378|1152|324",
    "tool result: draw_rectangle -> RECTANGLE_OK: id=R1, x=384, y=378, width=1152, height=324 (0.000 s)",
    "user prompt| draw_rectangle returned: RECTANGLE_OK", "FINAL_ANSWER parsed: [done]",
    "run ended: ok, 2 turns, 1 calls",
  } do
    t.has(seen.log, prefix .. text)
  end
  t.has(seen.log, "[2025-10-02T12:01:07Z][server][tool=draw_rectangle] called\n")
  for text in seen.log:gmatch "[^\n]+" do t.match(text, "^%[2025%-10%-02T12:01:07Z%]%[%l+%]") end
  t.same(select(2, seen.log:gsub("You are a Keynote drawing agent", "")), 1, "the system prompt is logged once")
end)

case("server lines without a stamp get one", function()
  local server = keynote.server()
  local real = server.call
  server.call = function(name, args, spec)
    spec.log "plain line"
    return real(name, args, spec)
  end
  local _, seen = run({}, server)
  t.has(seen.log, "[2025-10-02T12:01:07Z][server] plain line\n")
end)

case("--json gives the steps as JSON lines", function()
  local _, seen = run { json = true }
  local kinds = {}
  for text in seen.output:gmatch "[^\n]+" do kinds[#kinds + 1] = json.decode(text).type end
  t.same(table.concat(kinds, " "),
    "start reply call result reply call result reply call result reply final outcome")
end)

case("a run that fails says so", function()
  local outcome, seen = run({}, keynote.server { draw_rectangle = { "ERROR: no", "ERROR: no" } })
  t.same({ outcome.ok, outcome.reason }, { false, "tool_error" })
  t.has(seen.output, "[client] stopped (tool_error):")
end)

case("the stand-in retries a failed rectangle once, a little smaller", function()
  local outcome, seen = run({}, keynote.server { draw_rectangle = { "ERROR: The shape is outside the slide." } })
  t.ok(outcome.ok, outcome.message)
  t.same(seen.server.calls[3], { "draw_rectangle", { x = 385, y = 379, width = 1150, height = 322 } })
end)

case("a model that calls an unknown tool is told and goes on", function()
  local model = scripted { "FUNCTION_CALL: paint", "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]" }
  local outcome, seen = run { model = "scripted" }
  t.ok(outcome.ok)
  local told = model.requests[2].messages
  t.has(told[#told].text, "Unknown tool paint. Available: open_keynote")
  t.has(seen.output, "[client] told the LLM: Unknown tool paint.")
  t.has(seen.log, "told the model (unknown_tool): Unknown tool paint.")
end)

case("the run ends when the turns are used up", function()
  local outcome = run { max_turns = 2 }
  t.same({ outcome.ok, outcome.reason, outcome.turns }, { false, "max_turns", 2 })
end)

case("a model's error ends the run with its sentence and code", function()
  scripted { { err = "Gemini refused the key (401). Set GEMINI_API_KEY to a valid key.", code = "unauthorized" } }
  local outcome, seen = run { model = "scripted" }
  t.same({ outcome.reason, outcome.code }, { "model_error", "unauthorized" })
  t.has(seen.output, "stopped (model_error): Gemini refused the key (401). Set GEMINI_API_KEY to a valid key.")
end)

case("a server that cannot start is told", function()
  local outcome, seen = run { server = { command = "nowhere" } }
  t.same({ outcome.reason, outcome.code }, { "server_error", "not_found" })
  t.has(seen.output, "The server did not start: nowhere: no such program")
end)

case("a server that dies ends the run", function()
  local server = keynote.server()
  server.call = function() return nil, "connection closed", "closed" end
  local outcome = run({}, server)
  t.same(outcome.reason, "server_error")
  t.has(outcome.message, "exited while it ran open_keynote")
end)

case("a tool that takes too long is an error the model can react to", function()
  local server = keynote.server()
  local real, late = server.call, true
  server.call = function(...)
    if late then
      late = false
      return nil, "no answer in 60 s", "timeout"
    end
    return real(...)
  end
  local outcome, seen = run({}, server)
  t.ok(outcome.ok, outcome.message)
  t.has(seen.log, "tool result: open_keynote -> ERROR: open_keynote did not respond in time")
end)

case("a broken rule ends the run and names the file", function()
  scripted { "FUNCTION_CALL: open_keynote" }
  rig.sys "engine".override.rule.function_call = { parse = print, describe = function() return "" end,
    request = function(state) return { messages = state.messages } end, decide = function() error "oh dear" end }
  local outcome = run { model = "scripted" }
  t.same(outcome.reason, "rule_error")
  t.match(outcome.message, "run_test%.lua:%d+: oh dear")
end)

local CANNOT = "decide() returned what the agent cannot use: "

local function returning(decision, results)
  scripted { "anything", "anything" }
  rig.sys "engine".override.rule.function_call = { parse = print, describe = function() return "" end,
    request = function(state) return { messages = state.messages } end,
    decide = function() return decision end, results = function() return results end }
  return run { model = "scripted" }
end

case("the values that a rule returns are checked, and the rule is named", function()
  local call = { id = "1", tool = "open_keynote", arguments = {}, line = "open_keynote" }
  local function told(decision, what, results)
    local outcome = returning(decision, results)
    t.same(outcome.reason, "rule_error")
    t.has(outcome.message, "the rule function_call (prompts/function_call.lua): " .. what)
    t.hasnt(outcome.message, "lua/lib")
  end
  told(nil, CANNOT .. "the decision must be a table, not nil")
  told({ call = { call } }, CANNOT .. "the decision has no field \"call\"; did you mean calls?")
  told({ calls = { { id = "1", tool = "open_keynot", arguments = {}, line = "x" } } },
    CANNOT .. "calls[1].tool is \"open_keynot\", which no server lists; did you mean open_keynote?")
  told({ calls = { { id = "1", tool = "open_keynote", arguments = {} } } },
    CANNOT .. "calls[1].line is missing")
  told({ stop = { ok = true, reason = "done" } }, CANNOT .. "stop.message is missing")
  told({ messages = { { role = "asistant", text = "x" } } },
    CANNOT .. "messages[1].role is \"asistant\"; did you mean assistant?")
  told({ calls = { call } }, "results() returned what the agent cannot use: the results must be a list of messages, not nil")
end)

case("the values that a provider returns are checked, and the provider is named", function()
  local function told(what, ...)
    local returned = table.pack(...)
    local function complete() return table.unpack(returned, 1, returned.n) end
    rig.sys "engine".override.provider.scripted = { complete = complete }
    local outcome = run { model = "scripted" }
    t.same(outcome.reason, "model_error")
    t.has(outcome.message, "the provider scripted (providers/scripted.lua): complete() returned what the agent cannot use: "
      .. what)
  end
  told("the reply must be a table, not number", 5)
  told("nil without a message", nil)
  told("the reply.text must be a string, not a table", { text = {} })
  told("the reply has neither text nor tool_calls", { txt = "hello" })
  told("tool_calls[1].name is missing", { tool_calls = { { nmae = "open_keynote" } } })
  told("tool_calls[1].arguments must be a table, not a string", { tool_calls = { { name = "x", arguments = "{}" } } })
  told('the reply.stop is "hm"', { text = "hello", stop = "hm" })
  told('the reply.stop is "lenght"; did you mean length?', { text = "hello", stop = "lenght" })
  told("usage.input must be a number, not a string", { text = "hello", stop = "end", usage = { input = "many" } })
  told("the reply.native.value is missing", { text = "hello", stop = "end", native = { provider = "x" } })
end)

case("the inside of a rule's messages is checked before anything reads it", function()
  local call = { id = "1", tool = "open_keynote", arguments = {}, line = "open_keynote" }
  for _, wrong in ipairs {
    { { role = "user" }, '[1] (role "user") needs text' },
    { { role = "user", text = 5 }, "[1].text must be a string, not a number" },
    { { role = "tool" }, '[1] (role "tool") needs results' },
    { { role = "tool", results = { 5 } }, "[1].results[1] must be a table, not number" },
    { { role = "tool", results = { {} } }, "[1].results[1].id is missing" },
    { { role = "tool", results = { id = "1" } }, '[1].results must be a list, and it has the key "id"' },
    { { role = "assistant" }, '[1] (role "assistant") needs text or tool_calls or native' },
    { { role = "assistant", tool_calls = { 5 } }, "[1].tool_calls[1] must be a table, not number" },
    { { role = "assistant", text = "x", tool_calls = { { id = 1, name = "x" } } },
      "[1].tool_calls[1].id must be a string, not a number" },
    { { role = "assistant", native = 5 }, "[1].native must be a table, not a number" },
    { { role = "assistant", native = { provider = "gemini", value = 5 } },
      "[1].native.value must be a table, not a number" },
  } do
    local message, what = wrong[1], wrong[2]
    local outcome = returning { messages = { message } }
    t.same(outcome.reason, "rule_error")
    t.has(outcome.message, "prompts/function_call.lua): decide() returned what the agent cannot use: messages" .. what)
    outcome = returning({ calls = { call } }, { message })
    t.has(outcome.message, "results() returned what the agent cannot use: the results" .. what)
  end
  local outcome = returning { messages = { role = "user", text = "not in a list" } }
  t.has(outcome.message, "messages must be a list, and it has the key \"")
end)

case("the tools of a rule's request are checked", function()
  for _, wrong in ipairs {
    { { 5 }, "tools[1] must be a table, not number" }, { { {} }, "tools[1].name is missing" },
    { { { name = "x", inputSchema = { properties = 5 } } },
      "tools[1].inputSchema.properties must be a table, not a number" },
  } do
    scripted { "anything" }
    rig.sys "engine".override.rule.function_call = { parse = print, describe = function() return "" end,
      request = function(state) return { messages = state.messages, tools = wrong[1] } end }
    t.has(run { model = "scripted" }.message, "request() returned what the agent cannot use: " .. wrong[2])
  end
end)

case("a reply may have calls and no text", function()
  scripted({ { tool_calls = { { id = "1", name = "open_keynote", arguments = {} } } }, "It is open." }, true)
  local outcome = run { model = "scripted", prompt = "desktop_agent" }
  t.same({ outcome.ok, outcome.message }, { true, "It is open." })
end)

case("a rule may stop without a message", function()
  local outcome = returning { stop = { ok = true, reason = "done", message = "enough" } }
  t.same({ outcome.ok, outcome.message }, { true, "enough" })
end)

case("an edited prompt and rule count from the next turn on", function()
  local engine = rig.sys "engine"
  local model
  model = scripted {
    function()
      engine.override.prompt.keynote_agent = { description = "d", rules = { "function_call" },
        arguments = {}, render = function() return "Edited. FUNCTION_CALL: FINAL_ANSWER:" end }
      return { text = "FUNCTION_CALL: open_keynote", stop = "end" }
    end,
    "FINAL_ANSWER: [done]",
  }
  run { model = "scripted" }
  t.has(model.requests[1].system, "You are a Keynote drawing agent")
  t.same(model.requests[2].system, "Edited. FUNCTION_CALL: FINAL_ANSWER:")
end)

case("a model with tools is spoken to natively by the general prompt", function()
  local model = scripted({
    { text = "", stop = "tool_calls", tool_calls = { { id = "1", name = "open_keynote", arguments = {} } } },
    { text = "It is open.", stop = "end" },
  }, true)
  local outcome, seen = run { model = "scripted", prompt = "desktop_agent" }
  t.same({ outcome.ok, outcome.message }, { true, "It is open." })
  t.same(#model.requests[1].tools, 5)
  t.same(model.requests[2].messages[3].results[1].text, "KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080")
  t.has(seen.output, "LLM => FUNCTION_CALL: open_keynote")
  t.has(seen.output, "LLM => It is open.")
end)

case("a model that turns out to have no tools is spoken to in lines", function()
  local model = scripted({
    { err = "Ollama cannot call tools with gemma (400)", code = "no_tools" },
    "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]",
  }, true)
  local outcome = run { model = "scripted", prompt = "desktop_agent" }
  t.same({ outcome.ok, outcome.turns }, { true, 2 })
  t.same(model.requests[2].tools, nil)
  t.has(model.requests[2].system, "FUNCTION_CALL: function_name|param1")
end)

case("a prompt rendered as messages is one text, and its rules are those of its file", function()
  rig.sys "engine".override.prompt.talk = { description = "d", arguments = {}, rules = { "mine" },
    render = function()
      return { { role = "user", content = { type = "text", text = "One." } }, { role = "user", content = "Two." } }
    end }
  rig.sys "engine".override.rule.mine = rig.file "lua/prompts/function_call.lua"
  local model = scripted { "FUNCTION_CALL: open_keynote", "FINAL_ANSWER: [done]" }
  local outcome, seen = run { model = "scripted", prompt = "talk" }
  t.ok(outcome.ok, outcome.message)
  t.has(model.requests[1].system, "One.\n\nTwo.")
  t.has(seen.journal, '"rule":"mine"')
end)

case("without --prompt a server that cannot draw gets the general prompt", function()
  local model = scripted({ { text = "Nothing to do.", stop = "end" } }, true)
  run({ model = "scripted" }, { tools = {}, calls = {} })
  t.has(model.requests[1].system, "You are an agent that works on a user's computer.")
end)

case("tools of several servers are joined; a name taken twice gets its server in front", function()
  local tools = {}
  for i, name in ipairs { "a_ping", "b_ping", "b_x_say", "plain" } do
    tools[i] = { name = name, inputSchema = { type = "object" } }
  end
  rig.sys "mcp".started.own = function() return { tools = tools, call = function(name) return "it is " .. name end } end
  local model = scripted { "FUNCTION_CALL: ping", "FUNCTION_CALL: b_ping", "FUNCTION_CALL: say", "FUNCTION_CALL: plain",
    "FINAL_ANSWER: [done]" }
  local outcome, seen = run { model = "scripted", server = { command = "own", mounted = { "a", "b", "b_x", "gone" } } }
  t.ok(outcome.ok, outcome.message)
  t.has(seen.output, "note: the server gone lists no tools. If it did not start, the log has the cause: logs/agent.log")
  local said = {}
  for i, message in ipairs(model.requests[5].messages) do
    if i % 2 == 1 and i > 1 then said[#said + 1] = message.text end
  end
  t.same(said, { "ping returned: it is a_ping", "b_ping returned: it is b_ping", "say returned: it is b_x_say",
    "plain returned: it is plain" })
  t.same(rig.sys "mcp".closed, 1)
end)

case("wrong use is told before anything starts", function()
  t.has(run { request = " " }.message, "Pass what the agent should do")
  t.has(run { model = "nobody/x" }.message, "PROVIDER/MODEL")
  t.has(run { prompt = "nothing" }.message, 'There is no prompt "nothing". Use one of these: desktop_agent, keynote_agent.')
  t.same(run({ replay = "gone.jsonl" }).reason, "usage")
end)

case("a log that cannot be written does not stop the run", function()
  rig.sys "fs".broken["logs/agent.log"] = true
  t.ok(run().ok)
  t.has(table.concat(rig.sys "log".lines, "\n"), "cannot write logs/agent.log: logs/agent.log: permission denied")
end)

case("keys never get into log, journal or output", function()
  rig.sys "env".values.OPENAI_API_KEY = "sk-very-secret"
  scripted { "FUNCTION_CALL: add_text_in_keynote|sk-very-secret", "FINAL_ANSWER: [done]" }
  local _, seen = run { model = "scripted" }
  for _, text in ipairs { seen.log, seen.journal, seen.output } do
    t.hasnt(text, "sk-very-secret")
    t.has(text, "***")
  end
end)

case("a structured result without words is what the model reads", function()
  local toolbox = rig.lib "agent.toolbox"
  local empty = { type = "text", text = "" }
  for _, content in ipairs { {}, { empty }, { empty, empty } } do
    t.same(toolbox.text_of { content = content, structuredContent = { answer = 42 } }, '{"answer":42}')
  end
  local words = { type = "text", text = "forty-two" }
  t.same(toolbox.text_of { content = { empty, words }, structuredContent = { answer = 42 } }, "\nforty-two")
end)

t.done()
