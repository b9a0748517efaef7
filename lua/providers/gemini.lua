--- Google's Gemini, by its REST API (generateContent, v1beta).
--
-- The model's parts are kept as the API returned them and sent back unchanged: newer models sign their function calls and
-- refuse a history without the signatures.

local json = require "sys.json"
local wire = require "agent.wire"

--- Reasons for which a candidate ends without usable content.
local BLOCKED = {
  SAFETY = true, RECITATION = true, LANGUAGE = true, BLOCKLIST = true, PROHIBITED_CONTENT = true, SPII = true,
  IMAGE_SAFETY = true,
}

local function assistant_parts(message, to)
  local parts = {}
  if message.text and message.text ~= "" then parts[1] = { text = message.text } end
  for _, call in ipairs(message.tool_calls or {}) do
    parts[#parts + 1] = { functionCall = { name = to[call.name] or call.name, args = json.object(call.arguments) } }
  end
  return parts
end


--- Returns the ids that the API itself gave to the calls of a message. Other ids are ours and mean nothing to it.
local function ids_of(parts)
  local ids = {}
  for _, part in ipairs(parts) do
    local call = type(part) == "table" and part.functionCall
    if type(call) == "table" and call.id then ids[call.id] = true end
  end
  return ids
end


local function image_parts(images)
  local parts = {}
  for i, image in ipairs(images or {}) do
    parts[i] = { inlineData = { mimeType = image.mime_type, data = image.data } }
  end
  return parts
end


--- Returns the response of a function. From version 3 on its images are inside it, before that they follow it.
local function response_parts(result, id, name, within)
  local images = image_parts(result.images)
  local part = { functionResponse = { id = id, name = name,
    response = { [result.failed and "error" or "output"] = result.text } } }
  if not within or #images == 0 then return part, images end
  part.functionResponse.parts = json.array(images)
  return part, {}
end


local function contents_of(messages, to, within)
  local contents, ids = {}, {}
  local function add(role, parts)
    local last = contents[#contents]
    if last and last.role == role and role == "user" then
      for _, part in ipairs(parts) do last.parts[#last.parts + 1] = part end
    else
      contents[#contents + 1] = { role = role, parts = json.array(parts) }
    end
  end

  for _, message in ipairs(messages) do
    if message.role == "assistant" then
      local native = message.native
      local kept = native and native.provider == "gemini" and native.value.parts
      local parts = type(kept) == "table" and kept or assistant_parts(message, to)
      ids = ids_of(parts)
      add("model", parts)
    elseif message.role == "tool" then
      local parts, images = {}, {}
      for i, result in ipairs(message.results) do
        local more
        parts[i], more = response_parts(result, ids[result.id] and result.id or nil, to[result.name] or result.name, within)
        table.move(more, 1, #more, #images + 1, images)
      end
      add("user", table.move(images, 1, #images, #parts + 1, parts))
    else
      local parts = image_parts(message.images)
      table.insert(parts, 1, { text = message.text })
      add("user", parts)
    end
  end
  return json.array(contents)
end


local function declarations(tools, to)
  local list = json.array()
  for i, tool in ipairs(tools) do
    list[i] = { name = to[tool.name], description = tool.description or tool.title or tool.name,
      parametersJsonSchema = wire.schema(tool) }
  end
  return list
end


local function encode(request, settings)
  local to, from = wire.tool_names(request.tools)
  settings.from = from
  local config = { maxOutputTokens = request.max_tokens or 8192 }
  if settings.model:match "^gemini%-[12]%." then config.temperature = 0 end  -- newer ones should keep their default
  return {
    url = ("%s/v1beta/models/%s:generateContent"):format(settings.base, settings.model),
    headers = { ["x-goog-api-key"] = settings.key },
    body = {
      systemInstruction = request.system and { parts = { { text = request.system } } } or nil,
      contents = contents_of(request.messages, to, not settings.model:match "^gemini%-[12]%."),
      tools = request.tools and { { functionDeclarations = declarations(request.tools, to) } } or nil,
      generationConfig = config,
    },
  }
end


local function nothing_said(body, candidate)
  local why = body.promptFeedback and body.promptFeedback.blockReason
  if why then return nil, ("Gemini blocked the request (%s). Rephrase it."):format(why), "blocked" end
  if not candidate then return nil, "Gemini returned no reply. Try again.", "empty_reply" end
  why = candidate.finishReason
  if BLOCKED[why] then
    return nil, ("Gemini blocked its own reply (%s). Rephrase the request."):format(why), "blocked"
  end
  if why == "MAX_TOKENS" then
    return nil, "Gemini used its whole output for thinking. Choose another model with --model.", "empty_reply"
  end
  return { text = "", stop = "end", note = why and why ~= "STOP" and "Gemini ended with " .. why or nil }
end


local function decode(body, settings)
  local candidate = type(body.candidates) == "table" and body.candidates[1] or nil
  local parts = candidate and type(candidate.content) == "table" and candidate.content.parts
  if type(parts) ~= "table" or #parts == 0 then return nothing_said(body, candidate) end

  local texts, calls = {}, {}
  for _, part in ipairs(parts) do
    local call = part.functionCall
    if call then
      calls[#calls + 1] = { id = call.id, name = (settings.from or {})[call.name] or call.name,
        arguments = json.object(type(call.args) == "table" and call.args or {}) }
    elseif part.text and not part.thought then
      texts[#texts + 1] = part.text
    end
  end
  local usage = body.usageMetadata or {}
  return {
    text = table.concat(texts), tool_calls = #calls > 0 and calls or nil,
    stop = candidate.finishReason == "MAX_TOKENS" and "length" or #calls > 0 and "tool_calls" or "end",
    usage = { input = usage.promptTokenCount, output = usage.candidatesTokenCount },
    model = body.modelVersion,
    native = { provider = "gemini", value = candidate.content },
  }
end


---@type agent.Api
local api = {
  title    = "Gemini",
  key      = "GEMINI_API_KEY",
  base     = "https://generativelanguage.googleapis.com",
  base_key = "GEMINI_BASE_URL",
  models   = { "gemini-2.0-flash", "gemini-3.8-flash", "gemini-flash-latest" },
  encode   = encode,
  decode   = decode,
  hint     = function() return "Choose another with --model gemini/NAME." end,
}

local TOOL = { name = "draw.rectangle", description = "Draw it.",
  inputSchema = { ["$schema"] = "x", type = "object", properties = { x = { type = "integer" } }, required = { "x" } } }
local SIGNED = { functionCall = { id = "f1", name = "draw_rectangle", args = { x = 1 } }, thoughtSignature = "c2ln" }

---@type Provider
return {
  description    = "Google Gemini",
  default_model  = api.models[1],
  needs_key      = api.key,
  supports_tools = true,
  images         = { longest = 3072, most = 4500000, scales = true, types = { "image/png", "image/jpeg", "image/webp" } },
  api            = api,
  complete       = function(request, context) return wire.complete(api, request, context) end,

  examples = {
    { "a conversation in words",
      model    = "gemini-2.0-flash",
      request  = { system = "Be brief.", messages = {
        { role = "user", text = "Hello" }, { role = "assistant", text = "Hi" }, { role = "user", text = "Who?" } } },
      url      = "/v1beta/models/gemini-2.0-flash:generateContent",
      sends    = {
        systemInstruction = { parts = { { text = "Be brief." } } },
        contents = { { role = "user", parts = { { text = "Hello" } } }, { role = "model", parts = { { text = "Hi" } } },
          { role = "user", parts = { { text = "Who?" } } } },
        generationConfig = { temperature = 0, maxOutputTokens = 8192 } },
      receives = {
        candidates = { { content = { role = "model", parts = { { text = "Me." } } }, finishReason = "STOP" } },
        usageMetadata = { promptTokenCount = 7, candidatesTokenCount = 2 } },
      want     = { text = "Me.", stop = "end", usage = { input = 7, output = 2 },
        native = { provider = "gemini", value = { role = "model", parts = { { text = "Me." } } } } } },

    { "a function call, its signature and its result",
      model    = "gemini-3.8-flash",
      request  = { tools = { TOOL }, messages = {
        { role = "user", text = "Draw" },
        { role = "assistant", tool_calls = { { id = "f1", name = "draw.rectangle", arguments = { x = 1 } } },
          native = { provider = "gemini", value = { role = "model", parts = { SIGNED } } } },
        { role = "tool", results = { { id = "f1", name = "draw.rectangle", text = "done", failed = false } } } } },
      sends    = {
        contents = {
          { role = "user", parts = { { text = "Draw" } } },
          { role = "model", parts = { SIGNED } },
          { role = "user", parts = {
            { functionResponse = { id = "f1", name = "draw_rectangle", response = { output = "done" } } } } } },
        tools = { { functionDeclarations = { { name = "draw_rectangle", description = "Draw it.",
          parametersJsonSchema = { type = "object", required = { "x" },
            properties = { x = { type = "integer" } } } } } } },
        generationConfig = { maxOutputTokens = 8192 } },
      receives = { candidates = { { content = { role = "model", parts = {
        { functionCall = { name = "draw_rectangle", args = { x = 2 } } } } }, finishReason = "STOP" } } },
      want     = { text = "", stop = "tool_calls", usage = {},
        tool_calls = { { name = "draw.rectangle", arguments = { x = 2 } } },
        native = { provider = "gemini", value = { role = "model", parts = {
          { functionCall = { name = "draw_rectangle", args = { x = 2 } } } } } } } },

    { "a question about an image, and a function that returned one",
      model    = "gemini-3.8-flash",
      request  = { messages = {
        { role = "user", text = "What is it?", images = { { data = "QUJD", mime_type = "image/png" } } },
        { role = "assistant", tool_calls = { { id = "f1", name = "shot", arguments = {} } } },
        { role = "tool", results = { { id = "f1", name = "shot", text = "done", failed = false,
          images = { { data = "REVG", mime_type = "image/jpeg" } } } } } } },
      sends    = { generationConfig = { maxOutputTokens = 8192 }, contents = {
        { role = "user", parts = { { text = "What is it?" }, { inlineData = { mimeType = "image/png", data = "QUJD" } } } },
        { role = "model", parts = { { functionCall = { name = "shot", args = {} } } } },
        { role = "user", parts = { { functionResponse = { name = "shot", response = { output = "done" },
          parts = { { inlineData = { mimeType = "image/jpeg", data = "REVG" } } } } } } } } },
      receives = { candidates = { { content = { role = "model", parts = { { text = "A cat." } } }, finishReason = "STOP" } } },
      want     = { text = "A cat.", stop = "end", usage = {},
        native = { provider = "gemini", value = { role = "model", parts = { { text = "A cat." } } } } } },

    { "an older model gets it behind the function's response",
      model    = "gemini-2.0-flash",
      request  = { messages = {
        { role = "user", text = "Look" },
        { role = "assistant", tool_calls = { { id = "f1", name = "shot", arguments = {} } } },
        { role = "tool", results = { { id = "f1", name = "shot", text = "done", failed = false,
          images = { { data = "REVG", mime_type = "image/jpeg" } } } } } } },
      sends    = { generationConfig = { temperature = 0, maxOutputTokens = 8192 }, contents = {
        { role = "user", parts = { { text = "Look" } } },
        { role = "model", parts = { { functionCall = { name = "shot", args = {} } } } },
        { role = "user", parts = { { functionResponse = { name = "shot", response = { output = "done" } } },
          { inlineData = { mimeType = "image/jpeg", data = "REVG" } } } } } },
      receives = { candidates = {} }, code = "empty_reply" },

    { "a blocked request", receives = { promptFeedback = { blockReason = "SAFETY" } }, code = "blocked" },
    { "a blocked answer", receives = { candidates = { { finishReason = "RECITATION" } } }, code = "blocked" },
    { "no answer", receives = { candidates = {} }, code = "empty_reply" },
  },
}
