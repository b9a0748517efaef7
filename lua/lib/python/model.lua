--- A question of Python code to a model, by the providers that the agent uses.

local engine = require "sys.engine"
local models = require "agent.models"
local policy = require "sys.policy"

local M = {}

M.MOST = 32          -- questions of one run
local RUNS = 64      -- that are counted
local PATIENCE = 280 -- seconds for an answer

local asked, order, at = {}, {}, 0


--- Counts a question of the outermost call.
---@param call Call
---@return boolean
local function count(call)
  local root = policy.root(call)
  if not asked[root] then
    at = at % RUNS + 1
    if order[at] then asked[order[at]] = nil end
    order[at], asked[root] = root, 0
  end
  asked[root] = asked[root] + 1
  return asked[root] <= M.MOST
end


--- Words of the command line, for callers that have none.
local function advised(err)
  return (err:gsub(" Pass %-%-model .*$", ""):gsub("Choose another with %-%-model %S+/NAME", "Choose another model")
    :gsub("Choose another model with %-%-model", "Choose another model"))
end


---@class python.Question
---@field prompt string
---@field system? string
---@field model? string  "gemini", "openai/gpt-4o"

--- Asks it. The time of those that wait for the answer stands still meanwhile.
---@param question python.Question
---@param call Call
---@return string? answer
---@return string? err
---@return string? code
function M.ask(question, call)
  if not count(call) then
    return nil, ("This run has asked a model %d times, which is the limit. Ask for more in one question."):format(M.MOST),
      "too_many_questions"
  end
  local choice, err = models.choose(question.model)
  if not choice then return nil, advised(err), "provider_missing" end
  local provider
  provider, err = engine.provider(choice.provider)
  if not provider then return nil, err, "provider_missing" end
  if provider.stand_in then
    return nil, "No model is set up. Set GEMINI_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_HOST for the server.",
      "not_configured"
  end
  local _ <close> = policy.pause()
  local reply, why, code = provider.complete(
    { system = question.system, messages = { { role = "user", text = question.prompt } } },
    { model = choice.model, request_text = question.prompt, memory = {}, timeout = PATIENCE })
  if not reply then return nil, advised(why), code end
  if not (reply.text or ""):find "%S" then return nil, "The model returned an empty answer. Ask again.", "empty_reply" end
  if reply.stop == "length" then return nil, "The answer was cut off at the model's length limit. Ask for less.", "cut_off" end
  return reply.text
end


return M
