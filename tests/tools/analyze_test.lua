--- Cases of analyze beside the examples in its file.

local PNG = { bytes = "png", path = "/tmp/a.png", mime_type = "image/png", width = 8, height = 6 }


--- A model that answers; `context` and `request` are what it must be asked with.
local function model(more)
  local stub = { images = { longest = 1568 }, needs_key = "OPENAI_API_KEY",
    complete = function(request, context)
      local message = request.messages[1]
      if message.images[1].data ~= "cG5n" or message.text ~= "What is it?" then return nil, "another request", "bad_request" end
      context.memory.model = context.model or "gpt-6-luna"
      return { text = "A dog.", stop = "end" }
    end }
  for key, value in pairs(more or {}) do stub[key] = value end
  return stub
end


local function given(more)
  local all = {
    ["sys.engine.status"] = { version = "1" },
    ["sys.engine.provider"] = { n = 1, model() },
    ["sys.engine.text"] = "Answer.",
    ["sys.crypto.base64"] = "cG5n",
    ["sys.picture.read"] = PNG,
    ["sys.picture.fit"] = { bytes = "png", mime_type = "image/png", width = 8, height = 6, factor = 1 },
  }
  for key, value in pairs(more or {}) do all[key] = value end
  return all
end


--- A file of a large screen, and a model that says how wide the image is that it got.
local function large(images)
  return given {
    ["sys.picture.read"] = { bytes = "png", path = "/tmp/a.png", mime_type = "image/png", width = 3840, height = 2160 },
    ["sys.picture.fit"] = function(_, wanted)
      return { bytes = "png", mime_type = "image/png", width = wanted.longest or 3840, height = 2160, factor = 1 }
    end,
    ["sys.engine.provider"] = { n = 1, { images = images, complete = function(request)
      return { text = request.messages[1].images[1].width .. " pixels wide", stop = "end" }
    end } },
  }
end


local ARGS = { image_path = "/tmp/a.png", question = "What is it?" }


local function asking(config) return { image_path = "/tmp/a.png", question = "What is it?", provider_config = config } end


---@type ToolExample[]
return {
  { "asks the first provider that is available",
    given = given(), args = ARGS,
    env   = { PEEKABOO_AI_PROVIDERS = "anthropic,openai/gpt-4o", OPENAI_API_KEY = "k" },
    want  = { analysis_text = "A dog.", model_used = "anthropic/gpt-6-luna" },
    has   = { "A dog.", "(from PEEKABOO_AI_PROVIDERS ENV): anthropic, openai/gpt-4o\n" } },
  { "asks the provider and the model of the request",
    given = given(), args = asking { type = "openai", model = "gpt-4.1" },
    env   = { PEEKABOO_AI_PROVIDERS = "openai/gpt-4o", OPENAI_API_KEY = "k" },
    want  = { model_used = "openai/gpt-4.1" } },
  { "uses the configured model otherwise",
    given = given(), args = asking { type = "openai" },
    env   = { PEEKABOO_AI_PROVIDERS = "openai/gpt-4o", OPENAI_API_KEY = "k" },
    want  = { model_used = "openai/gpt-4o" } },
  { "sends a larger image as it is if the API scales it itself",
    given = large { longest = 1568, scales = true, side = 8000 }, args = ARGS, env = { PEEKABOO_AI_PROVIDERS = "mine/m" },
    want  = { analysis_text = "3840 pixels wide" } },
  { "asks for the model and the URL whether the API scales",
    given = large { longest = 1568, scales = function(name) return name ~= "m" end }, args = ARGS,
    env   = { PEEKABOO_AI_PROVIDERS = "mine/m" },
    want  = { analysis_text = "1568 pixels wide" } },
  { "scales what is larger than the API takes",
    given = large { longest = 1568, scales = true, side = 2000 }, args = ARGS, env = { PEEKABOO_AI_PROVIDERS = "mine/m" },
    want  = { analysis_text = "1568 pixels wide" } },
  { "says that a provider is not enabled",
    given = given(), args = asking { type = "gemini" }, env = { PEEKABOO_AI_PROVIDERS = "openai/gpt-4o" },
    code  = "PROVIDER_NOT_ENABLED",
    err   = "Provider 'gemini' is not enabled in server's PEEKABOO_AI_PROVIDERS configuration." },
  { "says that no provider is available, and why of each",
    given = given { ["sys.http.request"] = { n = 3, false, "connection refused", "connection_refused" } },
    args  = ARGS, env = { PEEKABOO_AI_PROVIDERS = "ollama/llava:7b, openai/gpt-4o" }, code = "NO_PROVIDER",
    err   = "No configured AI providers in PEEKABOO_AI_PROVIDERS are currently operational." },
  { "passes on what the API said",
    given = given { ["sys.engine.provider"] = { n = 1, model { complete = function()
      return nil, "The OpenAI API does not have x at u (404). Choose another with --model openai/NAME.", "model_not_found"
    end } } },
    args  = ARGS, env = { PEEKABOO_AI_PROVIDERS = "openai/x", OPENAI_API_KEY = "k" }, code = "MODEL_NOT_FOUND",
    err   = "The OpenAI API does not have x at u (404). Choose another model." },
  { "refuses what is not an image",
    given = given { ["sys.picture.read"] = { n = 3, false, "/tmp/a.png: it is not a PNG, JPEG or WebP image",
      "not_an_image" } },
    args  = ARGS, code = "INVALID_ARGUMENT", err = "Unsupported image format: /tmp/a.png" },
  { "says that a file is missing",
    given = given { ["sys.picture.read"] = { n = 3, false, 'cannot open "/tmp/a.png": No such file', "not_found" } },
    args  = ARGS, code = "FILE_IO_ERROR", err = "No such file" },
}
