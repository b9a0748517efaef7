--- perigee analyze: asks a question about an image file.

local command = require "screen.command"
local json    = require "sys.json"
local vision  = require "screen.vision"

local bad = command.bad


local function ask(args, io, said)
  local path, question, more = args.file, args.question, args.more
  if more[1] then
    return bad("The question has several words. Put it in quotes: %q.", table.concat({ question, table.unpack(more) }, " "))
  end
  if path == "" then return bad "The path is empty." end
  if not question:find "%S" then return bad "The question is empty." end
  local answer, err, code, why = vision.file(path, question, { type = args.provider, model = args.model })
  if not answer then
    if why and not (args.json or args.json_output) then err = ("%s %s"):format(err, (why:gsub("\n", " "))) end
    return nil, err, code, why
  end
  if io.width then said:debug("answered by " .. answer.model_used) end
  return { data = json.object({ analysis_text = answer.text, model_used = answer.model_used }, { "analysis_text", "model_used" }),
    lines = { command.lines_of(answer.text) } }
end


---@type perigee.Command
return {
  summary     = "ask an AI model about an image",
  usage       = { 'analyze FILE "QUESTION" [options]' },
  description = "Sends an image (PNG, JPEG or WebP) and a question to a model that sees and prints its answer.\n\n"
             .. "PEEKABOO_AI_PROVIDERS names the providers in their order, each with its model: "
             .. "openai/gpt-4o,ollama/llava:7b. Known are openai, anthropic, gemini (with their keys in OPENAI_API_KEY, "
             .. "ANTHROPIC_API_KEY, GEMINI_API_KEY), ollama (at PEEKABOO_OLLAMA_BASE_URL) and ocr, which only recognizes text. "
             .. "The first that is available answers.",
  arguments   = { { "file", "file", "the image" }, { "question", "string", "what to find out, in quotes" },
                  { "more", "string", optional = true, repeatable = true } },
  options     = {
    { "provider", "string", "the provider to ask; ocr recognizes the text and asks no model", absent = "auto",
      enum = vision.TYPES },
    { "model", "string", "the model to ask", absent = "that of PEEKABOO_AI_PROVIDERS" },
    table.unpack(command.JSON),
  },
  notes       = "Exit status: 0 success, 1 there is no answer, 2 usage error",
  stoppable   = false,
  acts        = true,
  failure     = command.failure,

  run = function(args, io)
    return command.run(args, io, ask)
  end,

  examples = {
    { "prints the answer", args = { "a.png", "What is it?" }, out = "A dog.\n",
      given = { ["screen.vision.file"] = { n = 1, { text = "A dog.", model_used = "openai/gpt-4o" } } },
      did = { "screen.vision.file a.png \"What is it?\"" } },
    { "prints one JSON object", args = { "a.png", "What?", "--provider", "ocr", "--json-output" },
      out = '{"success":true,"data":{"analysis_text":"Save","model_used":"tesseract"},"messages":[],"debug_logs":[]}\n',
      given = { ["screen.vision.file"] = { n = 1, { text = "Save", model_used = "tesseract" } } } },
    { "needs a question", args = { "a.png" }, status = 2, err = "which question?" },
    { "wants the question in quotes", args = { "a.png", "What", "is", "it?" }, status = 2, err = '"What is it?"' },
    { "says what is missing", args = { "a.png", "What?" }, status = 1, err = "Set the PEEKABOO_AI_PROVIDERS",
      given = { ["screen.vision.file"] = { n = 3, false, "AI analysis not configured on this server. Set the "
        .. "PEEKABOO_AI_PROVIDERS environment variable.", "AI_NOT_CONFIGURED" } } },
  },
}
