#!/usr/bin/env lua5.4
--- The decisions of the two rules: the calls that are made, the results that go back to the model, the end.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"

local line   = rig.file "lua/prompts/function_call.lua"
local native = rig.file "lua/prompts/tool_calling.lua"

local function state()
  return { request = "Draw", system = "System.", tools = keynote.tools, turn = 1, max_turns = 8,
    messages = { { role = "user", text = "Draw" } }, calls = {}, memory = {} }
end

--- As if the call had been made.
local function made(run, tool, arguments, text)
  run.calls[#run.calls + 1] = { id = "c" .. #run.calls, tool = tool, arguments = arguments, line = tool, text = text,
    failed = text:find "^ERROR:" ~= nil }
end

local DRAW = { x = 1, y = 2, width = 3, height = 4 }

-- function_call ---------------------------------------------------------------

local function decide(run, text, stop) return line.decide(run, { text = text, stop = stop or "end" }) end

t.case("a call is made with its arguments coerced", function()
  local decision = decide(state(), "FUNCTION_CALL: draw_rectangle|1|2|3|4.0")
  t.same(decision.calls,
    { { id = "call_1", tool = "draw_rectangle", arguments = DRAW, line = "draw_rectangle|1|2|3|4.0" } })
  t.same(decision.stop, nil)
  t.same(decision.messages, { { role = "assistant", text = "FUNCTION_CALL: draw_rectangle|1|2|3|4.0" } })
end)

t.case("only the line that counts stays in the transcript", function()
  local decision = decide(state(), "Sure!\n```\nFUNCTION_CALL: open_keynote\n```\nFINAL_ANSWER: [done]")
  t.same(decision.messages, { { role = "assistant", text = "FUNCTION_CALL: open_keynote" } })
end)

t.case("a tool's answer goes back word for word, and so does an error", function()
  local call = { tool = "draw_rectangle", text = "ERROR: outside the slide", failed = true }
  t.same(line.results(state(), { call }),
    { { role = "user", text = "draw_rectangle returned: ERROR: outside the slide" } })
end)

t.case("an enormous answer is cut and says so", function()
  local text = line.results(state(), { { tool = "x", text = ("é"):rep(20000) } })[1].text
  t.ok(#text <= 20050 and utf8.len(text))
  t.has(text, "[truncated: 40000 bytes in all]")
end)

t.case("an unknown tool is answered with the tools that exist", function()
  local decision = decide(state(), "FUNCTION_CALL: paint|red")
  t.same(decision.calls, nil)
  t.same(decision.messages[2].text, "Unknown tool paint. Available: open_keynote, get_slide_size, draw_rectangle, "
    .. "add_text_in_keynote, screenshot_slide")
  t.same(decision.notes[1].kind, "unknown_tool")
end)

t.case("wrong parameters go back with the parameter's name", function()
  local decision = decide(state(), "FUNCTION_CALL: draw_rectangle|1|2|wide|4")
  t.same(decision.messages[2].text, 'draw_rectangle: width must be a whole number, got "wide".')
  t.same(decision.notes[1].kind, "bad_arguments")
end)

t.case("a reply of another form is reminded, and says when it was cut off", function()
  t.has(decide(state(), "I will draw now.").messages[2].text, "exactly one line")
  t.has(decide(state(), "I will dr", "length").messages[2].text, "cut off")
  t.same(decide(state(), "").messages[1].text, "(empty)")
end)

t.case("three useless replies in a row end the run, a call in between starts the count anew", function()
  local run = state()
  t.same(decide(run, "hm").stop, nil)
  t.same(decide(run, "hm").stop, nil)
  decide(run, "FUNCTION_CALL: open_keynote")
  t.same(decide(run, "hm").stop, nil)
  t.same(decide(run, "FUNCTION_CALL: nothing").stop, nil)
  local stop = decide(run, "hm").stop
  t.same(stop.reason, "no_progress")
  t.same(stop.ok, false)
end)

t.case("the same call with the same parameters is refused", function()
  local run = state()
  made(run, "draw_rectangle", DRAW, "RECTANGLE_OK: id=1")
  local decision = decide(run, "FUNCTION_CALL: draw_rectangle|1|2|3|4")
  t.same(decision.calls, nil)
  t.has(decision.messages[2].text, "Never call the same tool twice with the same parameters")
  t.has(decision.messages[2].text, "RECTANGLE_OK: id=1")
end)

t.case("a failed call is retried once, with other parameters", function()
  local run = state()
  made(run, "draw_rectangle", DRAW, "ERROR: outside")
  t.has(decide(run, "FUNCTION_CALL: draw_rectangle|1|2|3|4").messages[2].text, "Adjust the parameters")
  t.ok(decide(run, "FUNCTION_CALL: draw_rectangle|1|2|3|3").calls)
  made(run, "draw_rectangle", { x = 1, y = 2, width = 3, height = 3 }, "ERROR: outside")
  local third = decide(run, "FUNCTION_CALL: draw_rectangle|1|1|1|1")
  t.same(third.calls, nil)
  t.same(third.notes[1].kind, "retry_refused")
end)

t.case("a tool without parameters may be retried as it is, once", function()
  local run = state()
  made(run, "open_keynote", {}, "ERROR: not running")
  t.ok(decide(run, "FUNCTION_CALL: open_keynote").calls)
  made(run, "open_keynote", {}, "ERROR: not running")
  t.same(decide(run, "FUNCTION_CALL: open_keynote").calls, nil)
end)

t.case("a failed call may be repeated when another one succeeded meanwhile", function()
  local run = state()
  made(run, "add_text_in_keynote", { text = "Hi" }, "ERROR: No rectangle context. Call draw_rectangle first.")
  t.same(decide(run, "FUNCTION_CALL: add_text_in_keynote|Hi").calls, nil)
  made(run, "draw_rectangle", DRAW, "RECTANGLE_OK: id=1")
  t.ok(decide(run, "FUNCTION_CALL: add_text_in_keynote|Hi").calls)
end)

t.case("FINAL_ANSWER ends the run well if the calls worked", function()
  local run = state()
  made(run, "open_keynote", {}, "ERROR: busy")
  made(run, "open_keynote", {}, "KEYNOTE_READY")
  t.same(decide(run, "FINAL_ANSWER: [done]").stop, { ok = true, reason = "done", message = "done" })
end)

t.case("FINAL_ANSWER after a failure, or after nothing, is not taken for success", function()
  local run = state()
  t.same(decide(run, "FINAL_ANSWER: [done]").stop.reason, "nothing_done")
  made(run, "open_keynote", {}, "KEYNOTE_READY")
  made(run, "draw_rectangle", DRAW, "ERROR: outside")
  local stop = decide(run, "FINAL_ANSWER: [done]").stop
  t.same({ stop.ok, stop.reason }, { false, "tool_error" })
  t.has(stop.message, "ERROR: outside")
end)

t.case("tools are described with their line, in the order of their parameters", function()
  local text = line.describe(keynote.tools)
  t.has(text, "3. draw_rectangle(x: integer, y: integer, width: integer, height: integer) - Draw a rectangle on")
  t.has(text, "FUNCTION_CALL: draw_rectangle|x|y|width|height")
  t.has(text, "   path: Where to.")
end)

t.case("a prompt that does not teach the lines gets them added", function()
  t.has(line.request(state()).system, "FUNCTION_CALL: function_name|param1")
  local run = state()
  run.system = "Say FUNCTION_CALL: x or FINAL_ANSWER: [done]."
  t.same(line.request(run).system, run.system)
end)

-- tool_calling ----------------------------------------------------------------

local function call(name, arguments, id) return { id = id or name, name = name, arguments = arguments } end

local function reply(...) return { text = "", stop = "tool_calls", tool_calls = { ... } } end

t.case("native calls are made, each with its id and line", function()
  local run = state()
  local decision = native.decide(run, reply(call("open_keynote", {}, "a"), call("draw_rectangle", DRAW, "b")))
  t.same(#decision.calls, 2)
  t.same(decision.calls[2].line, "draw_rectangle|1|2|3|4")
  t.ok(not decision.parallel, "tools that change something run one after the other")
  t.same(#decision.messages[1].tool_calls, 2)
end)

t.case("calls that only read may run at the same time", function()
  local decision = native.decide(state(), reply(call("get_slide_size", {}, "a"), call("get_slide_size", {}, "b")))
  t.ok(decision.parallel)
end)

t.case("every call gets a result: good ones the tool's, bad ones what was wrong", function()
  local run = state()
  local decision = native.decide(run, reply(call("paint", {}, "a"), call("open_keynote", {}, "b"),
    { id = "c", name = "draw_rectangle", malformed = '{"x": 1' }))
  t.same(#decision.calls, 1)
  local results = native.results(run, { { id = "b", tool = "open_keynote", text = "KEYNOTE_READY", failed = false } })
  t.same(#results, 1)
  local list = results[1].results
  t.same({ list[1].id, list[2].id, list[3].id }, { "a", "b", "c" })
  t.has(list[1].text, "Unknown tool paint. Available: open_keynote")
  t.same({ list[2].text, list[2].failed }, { "KEYNOTE_READY", false })
  t.has(list[3].text, "the arguments must be one JSON object")
  t.same({ list[1].failed, list[3].failed }, { true, true })
end)

t.case("when no call can be made the results go back at once, three times at most", function()
  local run = state()
  for turn = 1, 3 do
    run.turn = turn
    local decision = native.decide(run, reply(call("draw_rectangle", { x = "wide" })))
    t.same(#decision.calls, 0)
    t.same(decision.messages[2].role, "tool")
    t.has(decision.messages[2].results[1].text, "x must be integer")
    t.same(decision.stop and decision.stop.reason, turn == 3 and "no_progress" or nil)
  end
end)

t.case("calls without an id get one", function()
  local decision = native.decide(state(), { text = "", tool_calls = { { name = "open_keynote", arguments = {} } } })
  t.same(decision.calls[1].id, "call_1_1")
  t.same(decision.messages[1].tool_calls[1].id, "call_1_1")
end)

t.case("a call that keeps giving the same answer is stopped after three", function()
  local run = state()
  for _ = 1, 3 do made(run, "get_slide_size", {}, "SLIDE_SIZE: width=1, height=1") end
  t.same(native.decide(run, reply(call("get_slide_size", {}))).notes[1].kind, "repeat_refused")
end)

t.case("words without a call are no success", function()
  t.same(native.decide(state(), { text = "Done.", stop = "end" }).stop,
    { ok = false, reason = "nothing_done", message = "The model ended the run without calling a tool: Done." })
end)

t.case("words end the run; an empty reply does not", function()
  local run = state()
  made(run, "get_slide_size", {}, "SLIDE_SIZE: width=1, height=1")
  t.same(native.decide(run, { text = "There.", stop = "end" }).stop, { ok = true, reason = "done", message = "There." })
  t.same(native.decide(state(), { text = " ", stop = "end" }).stop, nil)
  t.same(native.decide(state(), { text = "The", stop = "length" }).stop.ok, false)
end)

t.done()
