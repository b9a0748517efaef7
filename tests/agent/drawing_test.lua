#!/usr/bin/env lua5.4
--- The drawing, whole, with every provider: in lines and with native tool calls, against the model double.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig    = require "rig"
local t      = require "check"
local double = require "double"
local stage  = require "stage"

local model = double.start(1)

local SETTINGS = {
  { "gemini", "GEMINI_BASE_URL", "GEMINI_API_KEY", "gemini/gemini-3.8-flash" },
  { "openai", "OPENAI_BASE_URL", "OPENAI_API_KEY", "openai/gpt-6-luna", "/v1" },
  { "anthropic", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "anthropic" },
  { "ollama", "OLLAMA_HOST", nil, "ollama/llama3.2" },
}

for _, setting in ipairs(SETTINGS) do
  local name, base, key, choice, tail = table.unpack(setting, 1, 5)
  for _, prompt in ipairs { "keynote_agent", "desktop_agent" } do
    stage.case(("%s draws with the prompt %s"):format(name, prompt), function()
      local session = name .. prompt
      model:draw(session)
      local values = rig.sys "env".values
      values[base] = model:base(session, "ok") .. (tail or "")
      if key then values[key] = ("test-%s-key"):format(name) end

      local outcome, seen = stage.run { model = choice, prompt = prompt }
      t.ok(outcome.ok, outcome.message)
      t.same(seen.server.calls, {
        { "open_keynote", {} },
        { "draw_rectangle", { x = 384, y = 378, width = 1152, height = 324 } },
        { "add_text_in_keynote", { text = "Hello from MCP on macOS." } },
      })
      local asked = model:requests(session)
      t.same(asked[#asked].problem, nil)
      t.same(asked[#asked].body.tools ~= nil, prompt == "desktop_agent")
      t.has(seen.output, "LLM => FUNCTION_CALL: draw_rectangle|384|378|1152|324")
    end)
  end
end

stage.case("a local model without tools is spoken to in lines", function()
  model:draw "gemma"
  rig.sys "env".values.OLLAMA_HOST = model:base("gemma", "ok")
  local outcome, seen = stage.run { model = "ollama/gemma3:270m", prompt = "desktop_agent" }
  t.ok(outcome.ok, outcome.message)
  t.has(seen.output, "does not support tools")
  t.same(#seen.server.calls, 3)
end)

stage.case("a server of one's own is asked which model it has, and it is said", function()
  rig.sys "env".values.OPENAI_BASE_URL = model:base("own", "nokey") .. "/v1"
  model:draw "own"
  local outcome, seen = stage.run()
  t.ok(outcome.ok, outcome.message)
  t.has(seen.output, "[client] model: openai (OPENAI_BASE_URL is set)")
  t.has(seen.output, "[client] note: local-model answers")
end)

stage.case("without --model the key in the environment chooses, and it is said", function()
  local values = rig.sys "env".values
  values.GEMINI_API_KEY, values.GEMINI_BASE_URL = "test-gemini-key", model:base("chosen", "retired")
  model:draw "chosen"
  local outcome, seen = stage.run()
  t.ok(outcome.ok, outcome.message)
  t.has(seen.output, "[client] model: gemini/gemini-2.0-flash (GEMINI_API_KEY is set)")
  t.has(seen.output, "[client] note: gemini-2.0-flash is no longer available; using gemini-3.8-flash.")
end)

model:stop()
t.done()
