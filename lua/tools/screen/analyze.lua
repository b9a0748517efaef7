--- A question about an image file, answered by a model that sees, or by text recognition.

local answer = require "screen.answer"
local notes  = require "screen.notes"
local s      = require "schema"
local vision = require "screen.vision"


---@param args {image_path: string, question: string, provider_config?: {type?: string, model?: string}}
---@param call Call
local function run(args, call)
  local said = notes.new()
  if not args.image_path:find "^[/~]" then
    return answer.failure(('image_path is "%s". Pass an absolute path.'):format(args.image_path), "INVALID_ARGUMENT", nil, said)
  end
  if not args.question:find "%S" then return answer.failure("The question is empty. Ask one.", "INVALID_ARGUMENT", nil, said) end
  local got, err, code, why = vision.file(args.image_path, args.question, args.provider_config)
  if not got then return answer.refusal(call, err, code, why, said) end
  return answer.success(call, { got.text }, {}, { analysis_text = got.text, model_used = got.model_used }, said)
end


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


---@type Tool
return {
  title       = "Ask about an image",
  description = "Answer a question about an image file with an AI model. To capture and ask in one call, use image with "
    .. "question. Without a model, type ocr returns the text.",
  inputSchema = s.object {
    { "image_path", s.string("Absolute path (.png, .jpg, .webp).", { minLength = 1, maxLength = 4096 }) },
    { "question", s.string("About the image.", { minLength = 1, maxLength = 20000 }) },
    { "provider_config", s.brief(vision.config()) },
  },
  outputSchema = s.object {
    { "analysis_text", s.string "The answer." },
    { "model_used", s.string "\"openai/gpt-4o\", or \"tesseract\" for recognized text." },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout     = 300,
  codes       = answer.codes(vision.CODES, {
    INVALID_ARGUMENT = "The path is not absolute, or the file is not a PNG, JPEG or WebP image.",
    FILE_IO_ERROR = "The file cannot be read.",
  }),

  run = run,

  examples = {
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
    { "says that no provider is configured",
      given = given(), args = ARGS, code = "AI_NOT_CONFIGURED",
      err   = "AI analysis not configured on this server. Set the PEEKABOO_AI_PROVIDERS environment variable." },
    { "says that a provider is not enabled",
      given = given(), args = asking { type = "gemini" }, env = { PEEKABOO_AI_PROVIDERS = "openai/gpt-4o" },
      code  = "PROVIDER_NOT_ENABLED",
      err   = "Provider 'gemini' is not enabled in server's PEEKABOO_AI_PROVIDERS configuration." },
    { "says that no provider is available, and why of each",
      given = given { ["sys.http.request"] = { n = 3, false, "connection refused", "connection_refused" } },
      args  = ARGS, env = { PEEKABOO_AI_PROVIDERS = "ollama/llava:7b, openai/gpt-4o" }, code = "NO_PROVIDER",
      err   = "No configured AI providers in PEEKABOO_AI_PROVIDERS are currently operational." },
    { "recognizes text if that is all there is",
      given = given { ["sys.picture.words"] = { cut = false, words = {
        { text = "Save", x = 10, y = 10, width = 30, height = 10, confidence = 0.9, label = 1 },
        { text = "as", x = 44, y = 10, width = 10, height = 10, confidence = 0.9, label = 1 } } } },
      args  = { image_path = "/tmp/a.png", question = 'Where is "save"?', provider_config = { type = "ocr" } },
      want  = { model_used = "tesseract", analysis_text = "Text in the image, recognized by tesseract. No AI model looked at it, "
        .. 'so only its text is answered:\nSave as\n"save" is at pixel 32,15.' } },
    { "passes on what the API said",
      given = given { ["sys.engine.provider"] = { n = 1, model { complete = function()
        return nil, "The OpenAI API does not have x at u (404). Choose another with --model openai/NAME.", "model_not_found"
      end } } },
      args  = ARGS, env = { PEEKABOO_AI_PROVIDERS = "openai/x", OPENAI_API_KEY = "k" }, code = "MODEL_NOT_FOUND",
      err   = "The OpenAI API does not have x at u (404). Choose another model." },
    { "requires an absolute path",
      args  = { image_path = "a.png", question = "?" }, code = "INVALID_ARGUMENT", err = "Pass an absolute path." },
    { "refuses what is not an image",
      given = given { ["sys.picture.read"] = { n = 3, false, "/tmp/a.png: it is not a PNG, JPEG or WebP image",
        "not_an_image" } },
      args  = ARGS, code = "INVALID_ARGUMENT", err = "Unsupported image format: /tmp/a.png" },
    { "says that a file is missing",
      given = given { ["sys.picture.read"] = { n = 3, false, 'cannot open "/tmp/a.png": No such file', "not_found" } },
      args  = ARGS, code = "FILE_IO_ERROR", err = "No such file" },
  },
}
