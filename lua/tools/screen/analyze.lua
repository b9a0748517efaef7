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


---@type Tool
return {
  title       = "Ask about an image",
  description = "Answer a question about an image file with the server's AI model, local (Ollama) or in the cloud. "
    .. "To capture and ask in one call, use image with question. Without a model, type ocr returns the text.",
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

  about = { "every", image_path = "path" },
  run = run,

  examples = {
    { "recognizes text if that is all there is",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.picture.read"] = { bytes = "png", path = "/tmp/a.png", mime_type = "image/png", width = 80, height = 60 },
                ["sys.picture.words"] = { cut = false, words = {
                  { text = "Save", x = 10, y = 10, width = 30, height = 10, confidence = 0.9, label = 1 },
                  { text = "as", x = 44, y = 10, width = 10, height = 10, confidence = 0.9, label = 1 } } } },
      args  = { image_path = "/tmp/a.png", question = 'Where is "save"?', provider_config = { type = "ocr" } },
      want  = { model_used = "tesseract", analysis_text = "Text in the image, recognized by tesseract. No AI model looked at it, "
        .. 'so only its text is answered:\nSave as\n"save" is at pixel 32,15.' } },
    { "says that no provider is configured",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.picture.read"] = { bytes = "png", path = "/tmp/a.png", mime_type = "image/png", width = 8, height = 6 } },
      args  = { image_path = "/tmp/a.png", question = "What is it?" }, code = "AI_NOT_CONFIGURED",
      err   = "AI analysis not configured on this server. Set the PEEKABOO_AI_PROVIDERS environment variable." },
    { "requires an absolute path",
      args  = { image_path = "a.png", question = "?" }, code = "INVALID_ARGUMENT", err = "Pass an absolute path." },
  },
}
