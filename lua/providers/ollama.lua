--- Models on the user's own machine, by Ollama's chat API.

local json = require "sys.json"
local wire = require "agent.wire"

--- Returns images as the API takes them: base64 alone.
local function data_of(images)
  if not images or #images == 0 then return nil end
  local list = json.array()
  for i, image in ipairs(images) do list[i] = image.data end
  return list
end


local function messages_of(request, to)
  local list = json.array()
  if request.system then list[1] = { role = "system", content = request.system } end
  for _, message in ipairs(request.messages) do
    if message.role == "tool" then
      for _, result in ipairs(message.results) do
        list[#list + 1] = { role = "tool", tool_name = to[result.name] or result.name, content = result.text }
      end
      local images = wire.images(message.results)  -- templates of models leave out images of a tool's message
      if #images > 0 then list[#list + 1] = { role = "user", content = wire.SHOWN, images = data_of(images) } end
    else
      local calls
      for i, call in ipairs(message.tool_calls or {}) do
        calls = calls or json.array()
        calls[i] = { ["function"] = { name = to[call.name] or call.name, arguments = json.object(call.arguments) } }
      end
      list[#list + 1] = { role = message.role, content = message.text or "", tool_calls = calls,
        images = data_of(message.images) }
    end
  end
  return list
end


local function encode(request, settings)
  local to, from = wire.tool_names(request.tools)
  settings.from = from
  return {
    url = settings.base .. "/api/chat",
    headers = {},
    body = {
      model = settings.model,
      messages = messages_of(request, to),
      tools = request.tools and wire.functions(request.tools, to) or nil,
      stream = false,
      -- The default window would cut off the beginning, which is the prompt.
      options = { temperature = 0, num_ctx = 8192, num_predict = request.max_tokens or 2048 },
    },
  }
end


local function decode(body, settings)
  local message = body.message
  if type(message) ~= "table" then return nil, "Ollama returned no reply. Try again.", "empty_reply" end
  local calls
  for i, call in ipairs(type(message.tool_calls) == "table" and message.tool_calls or {}) do
    local called = call["function"] or {}
    calls = calls or {}
    calls[i] = { id = call.id, name = (settings.from or {})[called.name] or called.name or "",
      arguments = json.object(type(called.arguments) == "table" and called.arguments or {}) }
  end
  return {
    text = type(message.content) == "string" and message.content or "", tool_calls = calls,
    stop = body.done_reason == "length" and "length" or calls and "tool_calls" or "end",
    usage = { input = body.prompt_eval_count, output = body.eval_count },
    model = body.model,
  }
end


---@type agent.Api
local api = {
  title    = "Ollama",
  base     = "http://127.0.0.1:11434",
  base_key = "OLLAMA_HOST",
  port     = 11434,
  models   = { "llama3.2" },
  own      = function() return true end,
  encode   = encode,
  decode   = decode,
  hint     = function(settings) return ("Get it with `ollama pull %s`."):format(settings.model) end,
}

function api.installed(settings)
  local body = wire.get(api, settings, settings.base .. "/api/tags", {})
  local names = {}
  for _, model in ipairs(body and type(body.models) == "table" and body.models or {}) do
    if type(model) == "table" and type(model.name) == "string" then names[#names + 1] = model.name end
  end
  return names
end


--- True if the model takes images; nil if the server does not say.
function api.sees(settings)
  local body = wire.ask(api, settings, { url = settings.base .. "/api/show", headers = {}, body = { model = settings.model } })
  if not body or type(body.capabilities) ~= "table" then return nil end
  for _, capability in ipairs(body.capabilities) do
    if capability == "vision" then return true end
  end
  return false
end


--- Families that scale an image to one size, or to a limited number of tiles. Others take longer for each pixel.
local SCALING = { "llava", "bakllava", "gemma3", "llama3.2-vision", "moondream", "minicpm-v" }

local function scales(model)
  for _, family in ipairs(SCALING) do
    if (model or ""):sub(1, #family) == family then return true end
  end
  return false
end


local OPTIONS = { temperature = 0, num_ctx = 8192, num_predict = 2048 }
local TOOL = { name = "ping", description = "Ping.", inputSchema = { type = "object", properties = {} } }

---@type Provider
return {
  description    = "Local models through Ollama (OLLAMA_HOST)",
  default_model  = api.models[1],
  supports_tools = true,
  images         = { longest = 1568, most = 8000000, scales = scales, types = { "image/png", "image/jpeg" } },
  api            = api,
  complete       = function(request, context) return wire.complete(api, request, context) end,

  examples = {
    { "a conversation in words",
      model    = "llama3.2",
      request  = { system = "Be brief.", messages = { { role = "user", text = "Hello" } } },
      url      = "/api/chat",
      sends    = { model = "llama3.2", stream = false, options = OPTIONS,
        messages = { { role = "system", content = "Be brief." }, { role = "user", content = "Hello" } } },
      receives = { model = "llama3.2", message = { role = "assistant", content = "Hi." }, done = true,
        done_reason = "stop", prompt_eval_count = 9, eval_count = 2 },
      want     = { text = "Hi.", stop = "end", usage = { input = 9, output = 2 }, model = "llama3.2" } },

    { "a tool call and its result",
      model    = "llama3.2",
      request  = { tools = { TOOL }, messages = {
        { role = "user", text = "Ping" },
        { role = "assistant", text = "", tool_calls = { { id = "a", name = "ping", arguments = {} } } },
        { role = "tool", results = { { id = "a", name = "ping", text = "pong", failed = false } } } } },
      sends    = { model = "llama3.2", stream = false, options = OPTIONS,
        tools = { { type = "function", ["function"] = { name = "ping", description = "Ping.",
          parameters = { type = "object", properties = {} } } } },
        messages = {
          { role = "user", content = "Ping" },
          { role = "assistant", content = "", tool_calls = { { ["function"] = { name = "ping", arguments = {} } } } },
          { role = "tool", tool_name = "ping", content = "pong" } } },
      receives = { message = { role = "assistant", content = "", tool_calls = {
        { ["function"] = { name = "ping", arguments = { n = 1 } } } } }, done = true },
      want     = { text = "", stop = "tool_calls", usage = {},
        tool_calls = { { name = "ping", arguments = { n = 1 } } } } },

    { "a question about an image",
      model    = "llava",
      request  = { messages = {
        { role = "user", text = "What is it?", images = { { data = "QUJD", mime_type = "image/png" } } } } },
      sends    = { model = "llava", stream = false, options = OPTIONS,
        messages = { { role = "user", content = "What is it?", images = { "QUJD" } } } },
      receives = { message = { role = "assistant", content = "A cat." }, done = true },
      want     = { text = "A cat.", stop = "end", usage = {} } },

    { "no message", receives = { done = true }, code = "empty_reply" },
  },
}
