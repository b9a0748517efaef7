#!/usr/bin/env lua5.4
--- The examples in the files of lua/prompts and lua/providers.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig = require "rig"
local t   = require "check"

local examples = rig.lib "agent.examples"

local function run(kind, folder, name)
  local file = rig.file(("lua/%s/%s.lua"):format(folder, name))
  local results = examples[kind](file)
  t.case(("%s %s has examples"):format(kind, name), function() t.ok(#results > 0) end)
  for _, result in ipairs(results) do
    t.case(("%s %s: %s"):format(kind, name, result.name), function() t.ok(result.ok, result.detail) end)
  end
end

run("rule", "prompts", "function_call")
run("rule", "prompts", "tool_calling")
run("prompt", "prompts", "keynote_agent")
run("prompt", "prompts", "desktop_agent")
run("prompt", "prompts", "desktop")
for _, name in ipairs { "gemini", "openai", "anthropic", "ollama", "offline", "replay" } do
  run("provider", "providers", name)
end

t.case("an example that is not true is told", function()
  local function parse(text) return { got = text } end
  local results = examples.rule { parse = parse, examples = { { "a", want = { got = "b" } } } }
  t.same(results, { { name = 'reads "a"', ok = false, detail = 'the result.got is "a", expected "b"' } })
end)

t.done()
