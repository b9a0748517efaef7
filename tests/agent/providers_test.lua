#!/usr/bin/env lua5.4
--- Every provider against a server that behaves like the real API: its shapes, its errors, its moods.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local double  = require "double"
local keynote = require "keynote_tools"

local env   = rig.sys "env"
local model = double.start(3)

local KEYS = { gemini = "GEMINI_API_KEY", openai = "OPENAI_API_KEY", anthropic = "ANTHROPIC_API_KEY" }
local BASES = { gemini = "GEMINI_BASE_URL", openai = "OPENAI_BASE_URL", anthropic = "ANTHROPIC_BASE_URL",
  ollama = "OLLAMA_HOST" }
local NAMES = { "gemini", "openai", "anthropic", "ollama" }

local sessions = 0

--- Points the provider at a scenario, in a session of its own; gives the session.
local function aim(name, scenario, replies)
  sessions = sessions + 1
  local session = name .. sessions
  env.values = { [BASES[name]] = model:base(session, scenario) .. (name == "openai" and "/v1" or "") }
  if KEYS[name] then env.values[KEYS[name]] = ("test-%s-key"):format(name) end
  if replies then model:script(session, replies) end
  return session
end

local HELLO = { system = "Be brief.", messages = { { role = "user", text = "Hello" } } }

--- The models that every scenario knows; the provider's own choice is tested where that is the point.
local MODELS = { openai = "local-model", ollama = "llama3.2" }

local function complete(name, request, context)
  context = context or { memory = {}, model = MODELS[name] }
  return rig.file(("lua/providers/%s.lua"):format(name)).complete(request or HELLO, context)
end

local KEYED, OFFICIAL = { "gemini", "openai", "anthropic" }, { "gemini", "anthropic" }

--- The case for each provider.
local function each(title, fn, names)
  for _, name in ipairs(names or NAMES) do
    t.case(name .. ": " .. title, function() fn(name) end)
  end
end

local function no_problems(session)
  for i, request in ipairs(model:requests(session)) do t.same(request.problem, nil, "request " .. i) end
end

each("a reply in words", function(name)
  local session = aim(name, "ok", { { text = "FUNCTION_CALL: open_keynote" } })
  local reply, err = complete(name)
  t.ok(reply, err)
  t.same({ reply.text, reply.stop, reply.usage.input, reply.usage.output },
    { "FUNCTION_CALL: open_keynote", "end", 11, 5 })
  no_problems(session)
end)

each("a conversation in words keeps its order", function(name)
  local session = aim(name, "ok")
  local request = { system = "S", messages = {
    { role = "user", text = "one" }, { role = "assistant", text = "two" }, { role = "user", text = "three" },
    { role = "user", text = "four" } } }
  t.ok(complete(name, request))
  no_problems(session)
end)

each("tool calls, their results, and the answer", function(name)
  local tools = { keynote.tools[1], keynote.tools[3] }
  local session = aim(name, "ok", {
    { tool_calls = { { name = "open_keynote" }, { name = "draw_rectangle", arguments = { x = 1 } } } },
    { text = "There." },
  })
  local context = { memory = {}, model = MODELS[name] }
  local request = { system = "S", tools = tools, messages = { { role = "user", text = "Draw" } } }
  local reply, err = complete(name, request, context)
  t.ok(reply, err)
  t.same({ reply.stop, #reply.tool_calls, reply.tool_calls[2].name }, { "tool_calls", 2, "draw_rectangle" })
  t.same(reply.tool_calls[2].arguments.x, 1)

  -- As the rule does it: calls get ids where the API gave none, every call gets a result.
  local results = {}
  for i, call in ipairs(reply.tool_calls) do
    call.id = call.id or "ours_" .. i
    results[i] = { id = call.id, name = call.name, text = i == 2 and "ERROR: no" or "fine", failed = i == 2 }
  end
  request.messages[2] = { role = "assistant", text = reply.text, tool_calls = reply.tool_calls, native = reply.native }
  request.messages[3] = { role = "tool", results = results }
  reply, err = complete(name, request, context)
  t.ok(reply, err)
  t.same(reply.text, "There.")
  local asked = model:requests(session)
  t.same(asked[#asked].problem, nil)
end)

local PNG = { mime_type = "image/png", width = 1, height = 1,
  data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" }
local LOOK = { system = "S", messages = { { role = "user", text = "What is it?", images = { PNG, PNG } } } }
--- Models that take images, where the others do not.
local SEEING = { openai = { "local-model" }, ollama = { "llava" }, anthropic = { "claude-haiku-4-5" },
  gemini = { "gemini-2.0-flash", "gemini-3.8-flash" } }

each("images of the user and of tools go along in the API's own form", function(name)
  for _, chosen in ipairs(SEEING[name]) do
    local session = aim(name, "ok", {
      { tool_calls = { { name = "open_keynote" }, { name = "draw_rectangle", arguments = { x = 1 } } } }, { text = "A dot." } })
    local context = { memory = {}, model = chosen }
    local request = { system = "S", tools = { keynote.tools[1], keynote.tools[3] }, messages = { LOOK.messages[1] } }
    local reply, err = complete(name, request, context)
    t.ok(reply, err)
    local results = {}
    for i, call in ipairs(reply.tool_calls) do
      call.id = call.id or "ours_" .. i
      results[i] = { id = call.id, name = call.name, text = "fine", failed = i == 1, images = { PNG } }
    end
    request.messages[2] = { role = "assistant", text = reply.text, tool_calls = reply.tool_calls, native = reply.native }
    request.messages[3] = { role = "tool", results = results }
    request.messages[4] = { role = "user", text = "Well?", images = { PNG } }
    reply, err = complete(name, request, context)
    t.ok(reply, err)
    t.same(reply.text, "A dot.")
    no_problems(session)
    local asked = model:requests(session)
    t.same(select(2, asked[#asked].raw:gsub(PNG.data:gsub("%p", "%%%0"), "")), 5, "all images arrived")
  end
end)

each("a model that takes only text is told apart from a bad request", function(name)
  aim(name, "no-images")
  local reply, err, code = complete(name, LOOK, { memory = {}, model = SEEING[name][1] })
  t.same({ reply, code }, { nil, "no_images" }, err)
  t.has(err, SEEING[name][1])
end)

t.case("ollama: a model is asked once whether it sees; where that is not told, the refusal counts", function()
  local session = aim("ollama", "ok")
  local context = { memory = {}, model = "llama3.2" }
  t.same(select(3, complete("ollama", LOOK, context)), "no_images")
  t.same(select(3, complete("ollama", LOOK, context)), "no_images")
  t.ok(complete("ollama", HELLO, context))
  local paths = {}
  for i, request in ipairs(model:requests(session)) do paths[i] = request.path end
  t.same(paths, { "/api/show", "/api/chat" })
  aim("ollama", "untold")
  t.ok(complete("ollama", LOOK, { memory = {}, model = "llava" }))
end)

t.case("an image that an API cannot take is a bad request, not a blind model", function()
  aim("anthropic", "ok")
  local wrong = { data = "QUJD", mime_type = "image/png" }
  local request = { messages = { { role = "user", text = "?", images = { wrong } } } }
  t.same(select(3, complete("anthropic", request, { memory = {} })), "bad_request")
end)

t.case("gemini: signatures of newer models go back with their calls", function()
  local session = aim("gemini", "ok", { { tool_calls = { { name = "open_keynote" } } } })
  local request = { tools = keynote.tools, messages = { { role = "user", text = "Draw" } } }
  local context = { memory = {}, model = "gemini-3.8-flash" }
  local reply = assert(complete("gemini", request, context))
  request.messages[2] = { role = "assistant", tool_calls = reply.tool_calls, native = reply.native }
  request.messages[3] = { role = "tool", results = {
    { id = reply.tool_calls[1].id, name = "open_keynote", text = "fine", failed = false } } }
  t.ok(complete("gemini", request, context))
  no_problems(session)
end)

t.case("openai: arguments that are not JSON are kept for the rule to answer", function()
  aim("openai", "ok", { { tool_calls = { { name = "open_keynote", raw = "{broken" } } } })
  local reply = assert(complete("openai", { tools = keynote.tools, messages = HELLO.messages },
    { memory = {}, model = "gpt-4.1-mini" }))
  t.same({ reply.tool_calls[1].malformed, reply.native }, { "{broken", nil })
end)

t.case("openai: a parameter that a newer model refuses is left out from then on", function()
  local session = aim("openai", "ok", { { tool_calls = { { name = "open_keynote" } } }, { text = "There." } })
  local context = { memory = {}, model = "gpt-6-luna" }
  local request = { tools = keynote.tools, messages = HELLO.messages }
  t.ok(complete("openai", request, context))
  local before = #model:requests(session)
  t.same(before, 4, "length, temperature and reasoning were refused, one after the other")
  t.ok(complete("openai", request, context))
  t.same(#model:requests(session), before + 1)
end)

t.case("openai: a server of one's own needs no key, and its first model is taken", function()
  sessions = sessions + 1
  env.values = { OPENAI_BASE_URL = model:base("own" .. sessions, "nokey") .. "/v1/" }
  t.same(assert(complete("openai", HELLO, { memory = {} })).model, "local-model")
end)

t.case("ollama: the default is taken when it is installed; a named model is not second-guessed", function()
  aim("ollama", "ok")
  t.same(assert(complete("ollama", HELLO, { memory = {} })).model, "llama3.2:latest")
  local _, err, code = complete("ollama", HELLO, { memory = {}, model = "mistral" })
  t.same(code, "model_not_found")
  t.has(err, "Get it with `ollama pull mistral`.")
end)

each("a key that is missing is named", function(name)
  env.values = {}
  local reply, err, code = complete(name)
  t.same({ reply, code }, { nil, "no_key" })
  t.has(err, KEYS[name])
end, KEYED)

--- scenario, code, what the sentence says
local ERRORS = {
  { "401", "unauthorized", "refused the key" }, { "403", "forbidden", "403" }, { "404", "model_not_found", "404" },
  { "413", "too_large", "413" }, { "429-always", "rate_limited", "It asks to wait 3600 s." },
  { "500-always", "server_error", "500" }, { "503", "overloaded", "503" }, { "529", "overloaded", "529" },
  { "malformed", "bad_response", "not a JSON object" }, { "not-an-object", "bad_response", "not a JSON object" },
  { "cut-off", "cut_off", "cut off" }, { "empty", "empty_reply", "no reply" },
}

for _, expected in ipairs(ERRORS) do
  local scenario, want, says = table.unpack(expected)
  each("scenario " .. scenario .. " is " .. want, function(name)
    local session = aim(name, scenario)
    local reply, err, code = complete(name)
    t.same({ reply, code }, { nil, want })
    t.has(err, says)
    if scenario == "401" and KEYS[name] then t.has(err, KEYS[name]) end
    t.hasnt(err, ("test-%s-key"):format(name))
    t.ok(#model:requests(session) >= 1)
  end)
end

each("a wrong key is refused by the API itself", function(name)
  aim(name, "ok")
  env.values[KEYS[name]] = "wrong-key-here"
  local _, err, code = complete(name)
  t.same(code, "unauthorized")
  t.has(err, "Set " .. KEYS[name])
  t.hasnt(err, "wrong-key-here")
end, KEYED)

each("a limited rate and one bad moment pass", function(name)
  for _, scenario in ipairs { "429", "500" } do
    local session = aim(name, scenario)
    local reply, err = complete(name)
    t.ok(reply, err)
    t.same(#model:requests(session), 2)
  end
end)

each("no answer in time", function(name)
  aim(name, "slow")
  local _, err, code = complete(name, HELLO, { memory = {}, timeout = 1, model = MODELS[name] })
  t.same(code, "timeout")
  t.has(err, "did not respond in time")
end)

each("nobody listens", function(name)
  aim(name, "ok")
  env.values[BASES[name]] = "http://127.0.0.1:9"
  local _, err, code = complete(name)
  t.same(code, "unreachable")
  t.has(err, BASES[name])
end)

each("a blocked answer", function(name)
  aim(name, "blocked")
  t.same(select(3, complete(name)), "blocked")
end, KEYED)

each("an answer that is cut at the length limit says so", function(name)
  aim(name, "length", { { text = "FUNCTION_CA" } })
  t.same(assert(complete(name)).stop, "length")
end)

each("a default model that is gone gives way to its successor, a named one does not", function(name)
  local session = aim(name, "retired")
  local context = { memory = {} }
  local reply, err = complete(name, HELLO, context)
  t.ok(reply, err)
  t.has(reply.note, "is no longer available")
  local asked = #model:requests(session)
  t.same(assert(complete(name, HELLO, context)).note, nil)
  t.same(#model:requests(session), asked + 1, "the successor is remembered")
  local named = rig.file(("lua/providers/%s.lua"):format(name)).default_model
  t.same(select(3, complete(name, HELLO, { memory = {}, model = named })), "model_not_found")
end, OFFICIAL)

for _, name in ipairs { "openai", "ollama" } do
  t.case(name .. ": a model without tools is told apart from a bad request", function()
    aim(name, "no-tools")
    local _, _, code = complete(name, { tools = keynote.tools, messages = HELLO.messages },
      { memory = {}, model = MODELS[name] })
    t.same(code, "no_tools")
  end)
end

model:stop()
t.done()
