--- OpenAI's chat completions, and every server with the same API: llama.cpp, LM Studio, vLLM and others, whose URL is set in
--- OPENAI_BASE_URL.

local json = require "sys.json"
local wire = require "agent.wire"

local OFFICIAL = "https://api.openai.com/v1"

local function function_of(call, to)
  return { id = call.id, type = "function", ["function"] = {
    name = to[call.name] or call.name, arguments = call.malformed or json.encode(json.object(call.arguments)) } }
end


local function assistant_message(message, to)
  local native = message.native
  if native and native.provider == "openai" then return native.value end
  local calls
  for i, call in ipairs(message.tool_calls or {}) do
    calls = calls or json.array()
    calls[i] = function_of(call, to)
  end
  return { role = "assistant", content = message.text or "", tool_calls = calls }
end


--- Returns a user's text with images. Text alone stays a string, which every server reads.
local function user_message(text, images)
  if not images or #images == 0 then return { role = "user", content = text } end
  local parts = json.array { { type = "text", text = text } }
  for _, image in ipairs(images) do
    parts[#parts + 1] = { type = "image_url", image_url = { url = ("data:%s;base64,%s"):format(image.mime_type, image.data) } }
  end
  return { role = "user", content = parts }
end


local function messages_of(request, to)
  local list = json.array()
  if request.system then list[1] = { role = "system", content = request.system } end
  for _, message in ipairs(request.messages) do
    if message.role == "assistant" then
      list[#list + 1] = assistant_message(message, to)
    elseif message.role == "tool" then
      for _, result in ipairs(message.results) do
        list[#list + 1] = { role = "tool", tool_call_id = result.id, content = result.text }
      end
      local images = wire.images(message.results)  -- a tool's message takes text only
      if #images > 0 then list[#list + 1] = user_message(wire.SHOWN, images) end
    else
      list[#list + 1] = user_message(message.text, message.images)
    end
  end
  return list
end


local function headers_of(settings)
  return settings.key and { Authorization = "Bearer " .. settings.key } or {}
end


--- Adds the limits and sampling parameters. The official API and its imitations differ in the name of the length limit, and the
--- newest models refuse others than the default parameters. A parameter that a server refuses by name is left out from then on.
local function knobs(body, request, settings)
  local fixes = settings.memory.fixes or {}
  local official = settings.base == OFFICIAL
  local length = (official ~= (fixes.length == true)) and "max_completion_tokens" or "max_tokens"
  body[length] = request.max_tokens or (official and 8192 or 2048)
  if not fixes.temperature and (not official or settings.model:match "^gpt%-4") then body.temperature = 0 end
  if fixes.reasoning and request.tools then body.reasoning_effort = "none" end
  return body
end


local function encode(request, settings)
  local to, from = wire.tool_names(request.tools)
  settings.from = from
  return {
    url = settings.base .. "/chat/completions",
    headers = headers_of(settings),
    body = knobs({
      model = settings.model,
      messages = messages_of(request, to),
      tools = request.tools and wire.functions(request.tools, to) or nil,
      stream = false,
    }, request, settings),
  }
end


--- Notes the parameter that a refusal is about; false if there is none, or if it was changed already.
local function amend(problem, memory)
  local fixes = memory.fixes or {}
  local fault = type(problem.body.error) == "table" and problem.body.error or {}
  local about = (type(fault.param) == "string" and fault.param or "") .. " " .. problem.message
  local fix = about:find("reasoning_effort", 1, true) and "reasoning"
    or about:find("temperature", 1, true) and "temperature"
    or (about:find("max_tokens", 1, true) or about:find("max_completion_tokens", 1, true)) and "length"
  if not fix or fixes[fix] then return false end
  fixes[fix], memory.fixes = true, fixes
  return true
end


local function decode(body, settings)
  local choice = type(body.choices) == "table" and body.choices[1] or nil
  local message = choice and choice.message
  if type(message) ~= "table" then return nil, "The model returned no reply. Try again.", "empty_reply" end
  if type(message.refusal) == "string" then
    return nil, ('The model refused: "%s"'):format(message.refusal), "blocked"
  end
  local text = type(message.content) == "string" and message.content or ""
  if choice.finish_reason == "content_filter" and text == "" then
    return nil, "The content filter blocked the reply. Rephrase the request.", "blocked"
  end

  local calls, native
  for i, call in ipairs(type(message.tool_calls) == "table" and message.tool_calls or {}) do
    local called = call["function"] or {}
    calls = calls or {}
    calls[i] = wire.call_from_text {
      id = call.id, name = (settings.from or {})[called.name] or called.name or "",
      text = type(called.arguments) == "string" and called.arguments or json.encode(called.arguments or {}),
    }
    -- The message goes back as it came, because an API may have added fields to it; but not if some servers would fail on it.
    native = not calls[i].malformed and native ~= false and {
      provider = "openai", value = { role = "assistant", content = text, tool_calls = message.tool_calls } }
  end
  local usage = type(body.usage) == "table" and body.usage or {}
  return {
    text = text, tool_calls = calls,
    stop = choice.finish_reason == "length" and "length" or calls and "tool_calls" or "end",
    usage = { input = usage.prompt_tokens, output = usage.completion_tokens },
    model = body.model,
    native = native or nil,
  }
end


---@type agent.Api
local api = {
  title    = "The OpenAI API",
  key      = "OPENAI_API_KEY",
  base     = OFFICIAL,
  base_key = "OPENAI_BASE_URL",
  models   = { "gpt-6-luna", "gpt-4.1-mini" },
  encode   = encode,
  decode   = decode,
  amend    = amend,
  own      = function(base) return base ~= OFFICIAL end,
  hint     = function() return "Choose another with --model openai/NAME." end,
}

function api.installed(settings)
  local body = wire.get(api, settings, settings.base .. "/models", headers_of(settings))
  local names = {}
  for _, model in ipairs(body and type(body.data) == "table" and body.data or {}) do
    if type(model) == "table" and type(model.id) == "string" then names[#names + 1] = model.id end
  end
  return names
end


--- True if the model sees a smaller image than was sent: OpenAI's do. Those of other servers may see each pixel, at its cost.
local function scales(model, base)
  local name = model or ""
  return base == OFFICIAL or name:find "^gpt%-%d" ~= nil or name:find "^o%d" ~= nil
end


local TOOL = { name = "ping", description = "Ping.", inputSchema = { type = "object", properties = {} } }
local CALL = { id = "c3", type = "function", extra_content = { google = { thought_signature = "c2ln" } },
  ["function"] = { name = "ping", arguments = "{}" } }

---@type Provider
return {
  description    = "OpenAI and compatible servers (OPENAI_BASE_URL: llama.cpp, LM Studio, vLLM)",
  default_model  = api.models[1],
  needs_key      = api.key,
  supports_tools = true,
  images         = { longest = 2048, most = 10000000, scales = scales,
    types = { "image/png", "image/jpeg" } },   -- not every server reads WebP
  api            = api,
  complete       = function(request, context) return wire.complete(api, request, context) end,

  examples = {
    { "a conversation in words",
      model    = "gpt-6-luna",
      request  = { system = "Be brief.", messages = { { role = "user", text = "Hello" } } },
      url      = "/chat/completions",
      sends    = { model = "gpt-6-luna", stream = false, max_completion_tokens = 8192, messages = {
        { role = "system", content = "Be brief." }, { role = "user", content = "Hello" } } },
      receives = { model = "gpt-6-luna", choices = { { message = { role = "assistant", content = "Hi." },
        finish_reason = "stop" } }, usage = { prompt_tokens = 9, completion_tokens = 2 } },
      want     = { text = "Hi.", stop = "end", usage = { input = 9, output = 2 }, model = "gpt-6-luna" } },

    { "a question about an image, and a tool that returned one",
      model    = "local", base = "http://127.0.0.1:8080/v1",
      request  = { messages = {
        { role = "user", text = "What is it?", images = { { data = "QUJD", mime_type = "image/png" } } },
        { role = "assistant", text = "", tool_calls = { { id = "c1", name = "ping", arguments = {} } } },
        { role = "tool", results = { { id = "c1", name = "ping", text = "shot", failed = false,
          images = { { data = "REVG", mime_type = "image/jpeg" } } } } } } },
      sends    = { model = "local", stream = false, max_tokens = 2048, temperature = 0, messages = {
        { role = "user", content = { { type = "text", text = "What is it?" },
          { type = "image_url", image_url = { url = "data:image/png;base64,QUJD" } } } },
        { role = "assistant", content = "",
          tool_calls = { { id = "c1", type = "function", ["function"] = { name = "ping", arguments = "{}" } } } },
        { role = "tool", tool_call_id = "c1", content = "shot" },
        { role = "user", content = { { type = "text", text = wire.SHOWN },
          { type = "image_url", image_url = { url = "data:image/jpeg;base64,REVG" } } } } } },
      receives = { choices = { { message = { role = "assistant", content = "A cat." }, finish_reason = "stop" } } },
      want     = { text = "A cat.", stop = "end", usage = {} } },

    { "a tool call and its result, on a local server",
      model    = "local", base = "http://127.0.0.1:8080/v1",
      request  = { tools = { TOOL }, messages = {
        { role = "user", text = "Ping" },
        { role = "assistant", text = "", tool_calls = { { id = "c1", name = "ping", arguments = {} } } },
        { role = "tool", results = { { id = "c1", name = "ping", text = "pong", failed = false } } } } },
      sends    = { model = "local", stream = false, max_tokens = 2048, temperature = 0,
        tools = { { type = "function", ["function"] = { name = "ping", description = "Ping.",
          parameters = { type = "object", properties = {} } } } },
        messages = {
          { role = "user", content = "Ping" },
          { role = "assistant", content = "", tool_calls = {
            { id = "c1", type = "function", ["function"] = { name = "ping", arguments = "{}" } } } },
          { role = "tool", tool_call_id = "c1", content = "pong" } } },
      receives = { choices = { { finish_reason = "tool_calls", message = { role = "assistant", content = json.null,
        tool_calls = { { id = "c2", type = "function", ["function"] = { name = "ping", arguments = "{bad" } } } } } } },
      want     = { text = "", stop = "tool_calls", usage = {},
        tool_calls = { { id = "c2", name = "ping", malformed = "{bad" } } } },

    { "a tool call goes back as it came",
      receives = { choices = { { message = { role = "assistant", content = json.null, reasoning = "Hm.",
        tool_calls = { CALL } } } } },
      want     = { text = "", stop = "tool_calls", usage = {},
        tool_calls = { { id = "c3", name = "ping", arguments = {} } },
        native = { provider = "openai", value = { role = "assistant", content = "", tool_calls = { CALL } } } } },

    { "a refusal", receives = { choices = { { message = { content = json.null, refusal = "No." } } } },
      code = "blocked" },
    { "no choices", receives = { choices = {} }, code = "empty_reply" },
  },
}
