--- Chooses the model of a run and says why, and chooses one of the prompt's rules for it.

local engine  = require "sys.engine"
local env     = require "sys.env"
local files   = require "sys.files"
local strings = require "agent.strings"

local models = {}

--- Variables in order of preference: the first that is set decides. The address of the user's own server counts like a key.
local BY_VARIABLE = {
  { "GEMINI_API_KEY", "gemini" },
  { "OPENAI_API_KEY", "openai" },
  { "OPENAI_BASE_URL", "openai" },
  { "ANTHROPIC_API_KEY", "anthropic" },
  { "OLLAMA_HOST", "ollama" },
}

---@class agent.Choice
---@field provider string
---@field model?   string  nil means the provider's default
---@field why      string

--- Returns the choice of `--model`, or else that of the environment.
---@param wanted? string  "gemini", "gemini/gemini-2.0-flash"
---@return agent.Choice? choice
---@return string? err
function models.choose(wanted)
  if wanted and wanted ~= "" then
    local provider, model = wanted:match "^([^/]+)/(.+)$"
    provider = provider or wanted:gsub("/$", "")
    local known, err = engine.provider(provider)
    if not known then
      return nil, ("%s. Pass --model PROVIDER or PROVIDER/MODEL, for example gemini/gemini-2.0-flash."):format(err)
    end
    return { provider = provider, model = model, why = "chosen with --model" }
  end

  local names = {}
  for i, pair in ipairs(BY_VARIABLE) do
    if env.get(pair[1]) then return { provider = pair[2], why = pair[1] .. " is set" } end
    names[i] = pair[1]
  end
  local unset = strings.list(names, "or")
  return { provider = "offline", why = ("none of %s is set; choose another with --model"):format(unset) }
end

--- Returns the first of a prompt's rules that works with the provider.
---@param rules string[]
---@param provider Provider
---@param skipped? table<string, boolean>
---@return string? name
---@return agent.Rule|string rule  or the message
function models.rule(rules, provider, skipped)
  local native_only = false
  for _, name in ipairs(rules) do
    local rule, err = engine.rule(name)
    if not rule then return nil, err end
    if not (skipped and skipped[name]) then
      if not rule.native or provider.supports_tools then return name, rule end
      native_only = true
    end
  end
  return nil, native_only and "The prompt requires a model that can call tools. Choose one with --model."
    or "The model failed with every rule of the prompt. Choose another with --model."
end

--- Returns the rules of a prompt: those that its file names, otherwise those that fit its text.
---@param prompt string
---@param text string
---@return string[]
function models.rules_of(prompt, text)
  local file = files.table("prompt", prompt)
  if file and file.rules and #file.rules > 0 then return file.rules end
  if text:find("FUNCTION_CALL:", 1, true) then return { "function_call" } end
  return { "tool_calling", "function_call" }
end

return models
