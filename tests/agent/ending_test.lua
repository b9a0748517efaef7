#!/usr/bin/env lua5.4
--- How a run ends that the model ended in words: the two rules agree on whether it is a success.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"
local stage   = require "stage"

local json = rig.sys "json"

local DRAW = { x = 1, y = 2, width = 3, height = 4 }
local ORDER = { draw_rectangle = { "x", "y", "width", "height" }, add_text_in_keynote = { "text" } }
local OUTSIDE, REFUSED = "ERROR: The shape is outside the slide.", "ERROR: The user refused draw_rectangle."

--- The calls of a run, one a turn, then the answer; the answers with which tools fail; and how both rules end it.
local RUNS = {
  { "no call at all", calls = {}, want = "nothing_done" },
  { "a call that failed", calls = { { "draw_rectangle", DRAW } }, fails = { draw_rectangle = { OUTSIDE } }, want = "tool_error",
    has = OUTSIDE },
  { "a call that was refused", calls = { { "draw_rectangle", DRAW } }, fails = { draw_rectangle = { REFUSED } },
    want = "tool_error", has = REFUSED },
  { "a call that failed, and then worked", calls = { { "draw_rectangle", DRAW },
    { "draw_rectangle", { x = 2, y = 2, width = 3, height = 4 } } }, fails = { draw_rectangle = { OUTSIDE } }, want = "done" },
  { "a call that worked, and one that failed", calls = { { "open_keynote", {} }, { "draw_rectangle", DRAW } },
    fails = { draw_rectangle = { OUTSIDE } }, want = "tool_error", has = OUTSIDE },
  { "a call that failed, and another tool that worked", calls = { { "draw_rectangle", DRAW },
    { "add_text_in_keynote", { text = "Hi" } } }, fails = { draw_rectangle = { OUTSIDE } }, want = "tool_error", has = OUTSIDE },
  { "a call that only reads", calls = { { "get_slide_size", {} } }, want = "done" },
  { "a call that only reads and failed", calls = { { "get_slide_size", {} } }, fails = { get_slide_size = { "ERROR: busy" } },
    want = "tool_error", has = "ERROR: busy" },
  { "a failure to read, and then a call that worked", calls = { { "get_slide_size", {} }, { "draw_rectangle", DRAW } },
    fails = { get_slide_size = { "ERROR: busy" } }, want = "done" },
}


--- The replies of a model that makes the calls and then says that all is done.
local function in_lines(calls)
  local replies = {}
  for i, call in ipairs(calls) do
    local parts = { "FUNCTION_CALL: " .. call[1] }
    for _, name in ipairs(ORDER[call[1]] or {}) do parts[#parts + 1] = tostring(call[2][name]) end
    replies[i] = table.concat(parts, "|")
  end
  replies[#replies + 1] = "FINAL_ANSWER: [done]"
  return replies
end

local function by_tools(calls)
  local replies = {}
  for i, call in ipairs(calls) do
    local arguments = next(call[2]) and call[2] or json.object()
    replies[i] = { text = "", stop = "tool_calls", tool_calls = { { id = "c" .. i, name = call[1], arguments = arguments } } }
  end
  replies[#replies + 1] = { text = "I have drawn it.", stop = "end" }
  return replies
end

--- A server whose tools fail in this order. The lists are its own: each run takes from them.
local function server_of(fails)
  local own = {}
  for name, texts in pairs(fails or {}) do own[name] = { table.unpack(texts) } end
  return keynote.server(own)
end


for _, each in ipairs(RUNS) do
  for rule, replies in pairs { function_call = in_lines, tool_calling = by_tools } do
    stage.case(("%s, by %s: %s"):format(each[1], rule, each.want), function()
      stage.scripted(replies(each.calls), rule == "tool_calling")
      local outcome, seen = stage.run({ model = "scripted", prompt = "desktop_agent" }, server_of(each.fails))
      t.same(#seen.server.calls, #each.calls)
      t.same({ outcome.ok, outcome.reason }, { each.want == "done", each.want }, outcome.message)
      if each.has then t.has(outcome.message, each.has) end
    end)
  end
end

stage.case("the answer in words stays in the message of a run that failed", function()
  stage.scripted(by_tools { { "draw_rectangle", DRAW } }, true)
  local outcome = stage.run({ model = "scripted", prompt = "desktop_agent" }, server_of { draw_rectangle = { OUTSIDE } })
  t.has(outcome.message, "The model ended the run, but draw_rectangle")
  t.has(outcome.message, "Its answer: I have drawn it.")
end)

t.done()
