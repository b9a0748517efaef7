--- Anthropic's Claude, by the Messages API.
--
-- No sampling parameters are sent, because current models refuse them. The model's blocks are sent back unchanged, because its
-- thoughts have to precede the calls that they led to.

local json = require "sys.json"
local wire = require "agent.wire"

local function assistant_blocks(message, to)
  local native = message.native
  if native and native.provider == "anthropic" then return native.value end
  local blocks = {}
  if message.text and message.text:find "%S" then blocks[1] = { type = "text", text = message.text } end
  for _, call in ipairs(message.tool_calls or {}) do
    blocks[#blocks + 1] = { type = "tool_use", id = call.id, name = to[call.name] or call.name,
      input = json.object(call.arguments) }
  end
  return blocks
end


--- Returns text, and the images that belong to it, each in a block of its own, behind the text that names it.
local function seen_blocks(text, images)
  local blocks = json.array()
  if text and text ~= "" then blocks[1] = { type = "text", text = text } end
  for _, image in ipairs(images) do
    blocks[#blocks + 1] = { type = "image", source = { type = "base64", media_type = image.mime_type, data = image.data } }
  end
  return blocks
end


--- Returns the blocks of results. The API refuses images in the result of a failed tool, so these follow the results.
local function result_blocks(message)
  local blocks, images = {}, {}
  for i, result in ipairs(message.results) do
    local own = result.images or {}
    if result.failed then table.move(own, 1, #own, #images + 1, images) end
    blocks[i] = { type = "tool_result", tool_use_id = result.id,
      content = #own > 0 and not result.failed and seen_blocks(result.text, own) or result.text,
      is_error = result.failed or nil }
  end
  local more = seen_blocks(nil, images)
  return table.move(more, 1, #more, #blocks + 1, blocks)
end


--- Joins consecutive messages of the same side; results of tools count as the user's.
local function messages_of(messages, to)
  local list = json.array()
  for _, message in ipairs(messages) do
    local role = message.role == "assistant" and "assistant" or "user"
    local blocks = message.role == "assistant" and assistant_blocks(message, to)
      or message.role == "tool" and result_blocks(message)
      or seen_blocks(message.text, message.images or {})
    local last = list[#list]
    if last and last.role == role then
      local joined = json.array()
      for _, block in ipairs(last.content) do joined[#joined + 1] = block end
      for _, block in ipairs(blocks) do joined[#joined + 1] = block end
      last.content = joined
    elseif #blocks > 0 then
      list[#list + 1] = { role = role, content = json.array(blocks) }
    end
  end
  return list
end


local function tools_of(tools, to)
  local list = json.array()
  for i, tool in ipairs(tools) do
    list[i] = { name = to[tool.name], description = tool.description or tool.title,
      input_schema = wire.schema(tool) or { type = "object", properties = json.object() } }
  end
  return list
end


local function encode(request, settings)
  local to, from = wire.tool_names(request.tools)
  settings.from = from
  return {
    url = settings.base .. "/v1/messages",
    headers = { ["x-api-key"] = settings.key, ["anthropic-version"] = "2023-06-01" },
    body = {
      model = settings.model,
      max_tokens = request.max_tokens or 8192,
      system = request.system,
      messages = messages_of(request.messages, to),
      tools = request.tools and tools_of(request.tools, to) or nil,
    },
  }
end


local function decode(body, settings)
  if body.stop_reason == "refusal" then
    return nil, "Claude declined this request. Rephrase it, or choose another model.", "blocked"
  end
  if type(body.content) ~= "table" then return nil, "Claude returned no reply. Try again.", "empty_reply" end

  local texts, calls = {}, {}
  for _, block in ipairs(body.content) do
    if block.type == "text" then
      texts[#texts + 1] = block.text
    elseif block.type == "tool_use" then
      calls[#calls + 1] = { id = block.id, name = (settings.from or {})[block.name] or block.name,
        arguments = json.object(type(block.input) == "table" and block.input or {}) }
    end
  end
  local usage = type(body.usage) == "table" and body.usage or {}
  return {
    text = table.concat(texts), tool_calls = #calls > 0 and calls or nil,
    stop = body.stop_reason == "max_tokens" and "length" or #calls > 0 and "tool_calls" or "end",
    usage = { input = usage.input_tokens, output = usage.output_tokens },
    model = body.model,
    native = #calls > 0 and { provider = "anthropic", value = body.content } or nil,
  }
end


---@type agent.Api
local api = {
  title    = "The Anthropic API",
  key      = "ANTHROPIC_API_KEY",
  base     = "https://api.anthropic.com",
  base_key = "ANTHROPIC_BASE_URL",
  models   = { "claude-haiku-5-5", "claude-haiku-4-5" },
  encode   = encode,
  decode   = decode,
  hint     = function() return "Choose another with --model anthropic/NAME." end,
}

local TOOL = { name = "ping", description = "Ping.", inputSchema = { type = "object", properties = {} } }
local THOUGHT = { type = "thinking", thinking = "", signature = "c2ln" }
local USE = { type = "tool_use", id = "t1", name = "ping", input = {} }

---@type Provider
return {
  description    = "Anthropic Claude",
  default_model  = api.models[1],
  needs_key      = api.key,
  supports_tools = true,
  images         = { longest = 1568, most = 3900000, side = 8000, scales = true,
    types = { "image/png", "image/jpeg", "image/webp" } },
  api            = api,
  complete       = function(request, context) return wire.complete(api, request, context) end,

  examples = {
    { "a conversation in words; two messages of one side become one",
      model    = "claude-haiku-5-5",
      request  = { system = "Be brief.", messages = {
        { role = "user", text = "Hello" }, { role = "user", text = "again" } } },
      url      = "/v1/messages",
      sends    = { model = "claude-haiku-5-5", max_tokens = 8192, system = "Be brief.", messages = {
        { role = "user", content = { { type = "text", text = "Hello" }, { type = "text", text = "again" } } } } },
      receives = { model = "claude-haiku-5-5", stop_reason = "end_turn",
        content = { THOUGHT, { type = "text", text = "Hi." } }, usage = { input_tokens = 9, output_tokens = 2 } },
      want     = { text = "Hi.", stop = "end", usage = { input = 9, output = 2 }, model = "claude-haiku-5-5" } },

    { "a tool call keeps its thought, and its result is marked when it failed",
      model    = "claude-haiku-5-5",
      request  = { tools = { TOOL }, messages = {
        { role = "user", text = "Ping" },
        { role = "assistant", text = "", tool_calls = { { id = "t1", name = "ping", arguments = {} } },
          native = { provider = "anthropic", value = { THOUGHT, USE } } },
        { role = "tool", results = { { id = "t1", name = "ping", text = "ERROR: no", failed = true } } } } },
      sends    = { model = "claude-haiku-5-5", max_tokens = 8192,
        tools = { { name = "ping", description = "Ping.", input_schema = { type = "object", properties = {} } } },
        messages = {
          { role = "user", content = { { type = "text", text = "Ping" } } },
          { role = "assistant", content = { THOUGHT, USE } },
          { role = "user", content = {
            { type = "tool_result", tool_use_id = "t1", content = "ERROR: no", is_error = true } } } } },
      receives = { stop_reason = "tool_use", content = { USE } },
      want     = { text = "", stop = "tool_calls", usage = {},
        tool_calls = { { id = "t1", name = "ping", arguments = {} } },
        native = { provider = "anthropic", value = { USE } } } },

    { "a question about an image, and a tool that returned one",
      model    = "claude-haiku-5-5",
      request  = { messages = {
        { role = "user", text = "What is it?", images = { { data = "QUJD", mime_type = "image/png" } } },
        { role = "assistant", text = "", tool_calls = { { id = "t1", name = "ping", arguments = {} } } },
        { role = "tool", results = { { id = "t1", name = "ping", text = "shot", failed = false,
          images = { { data = "REVG", mime_type = "image/jpeg" } } } } } } },
      sends    = { model = "claude-haiku-5-5", max_tokens = 8192, messages = {
        { role = "user", content = { { type = "text", text = "What is it?" },
          { type = "image", source = { type = "base64", media_type = "image/png", data = "QUJD" } } } },
        { role = "assistant", content = { USE } },
        { role = "user", content = { { type = "tool_result", tool_use_id = "t1", content = { { type = "text", text = "shot" },
          { type = "image", source = { type = "base64", media_type = "image/jpeg", data = "REVG" } } } } } } } },
      receives = { stop_reason = "end_turn", content = { { type = "text", text = "A cat." } } },
      want     = { text = "A cat.", stop = "end", usage = {} } },

    { "a refusal", receives = { stop_reason = "refusal", content = {} }, code = "blocked" },
    { "cut off at the length limit",
      receives = { stop_reason = "max_tokens", content = { { type = "text", text = "FUNCTION_CA" } } },
      want     = { text = "FUNCTION_CA", stop = "length", usage = {} } },
  },
}
