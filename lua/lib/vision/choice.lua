--- Chooses the provider for an image: those that PEEKABOO_AI_PROVIDERS enables, in its order, and the one that a request names.

local engine = require "sys.engine"
local env    = require "sys.env"
local http   = require "sys.http"
local ocr    = require "sys.ocr"
local wire   = require "agent.wire"

local M = {}

M.VARIABLE = "PEEKABOO_AI_PROVIDERS"

local OLLAMA = "http://localhost:11434"
local UP_S   = 3   -- seconds within which Ollama has to answer

--- Models for images of providers whose own default is not for images, or that need the name of a model.
local DEFAULTS = { ollama = "llava:latest" }
local OCR = "ocr"

--- Providers whose model need not be named in the variable.
M.KNOWN = { openai = true, ollama = true, anthropic = true, gemini = true, [OCR] = true }

local UNSET = "AI analysis not configured on this server. Set the PEEKABOO_AI_PROVIDERS environment variable."
local NOT_ENABLED = "Provider '%s' is not enabled in server's PEEKABOO_AI_PROVIDERS configuration."
local HOW = "Set it for example to openai (which needs OPENAI_API_KEY) or ollama, or pass the provider \"ocr\", which recognizes "
  .. "text without a model. `perigee help vision.md` has the others."
local NONE_UP = "No configured AI providers in PEEKABOO_AI_PROVIDERS are currently operational."


---@class vision.Item
---@field provider string
---@field model? string

--- Returns the variable's entries, in their order. Unknown names are left out.
---@return vision.Item[]
function M.configured()
  local list = {}
  for item in env.get(M.VARIABLE, ""):gmatch "[^,]+" do
    local text = item:match "^%s*(.-)%s*$"
    local provider, model = text:match "^([^/%s]+)/(%S+)$"
    if provider then
      list[#list + 1] = { provider = provider, model = model }
    elseif M.KNOWN[text] then
      list[#list + 1] = { provider = text }
    end
  end
  return list
end


--- Returns "openai/gpt-4o", or "openai" alone for the default model.
---@param item vision.Item
---@return string
function M.label(item) return item.model and item.provider .. "/" .. item.model or item.provider end


---@class vision.Choice
---@field name string         the provider's name; "ocr" is text recognition
---@field provider? Provider  nil for "ocr"
---@field model? string       nil means the provider's own default
---@field base? string        the URL of the API


local function ollama_base() return wire.base(env.get "PEEKABOO_OLLAMA_BASE_URL" or env.get "OLLAMA_HOST" or OLLAMA, 11434) end


--- True if a provider can be asked now; otherwise false and why not.
---@param item vision.Item
---@return boolean up
---@return string? why
local function available(item)
  local name = item.provider
  if name == OCR then
    local installed, err = ocr.installed()
    return installed ~= nil, err
  end
  local provider, err = engine.provider(name)
  if not provider then return false, err end
  if not provider.images then return false, "its models take no images" end
  if name == "ollama" then
    local answer, why = http.request { url = ollama_base() .. "/api/tags", timeout = UP_S }
    if not answer then return false, why end
    return answer.status < 300, ("it answers with status %d"):format(answer.status)
  end
  local api = provider.api
  local own = api and api.base_key and env.get(api.base_key)
  if provider.needs_key and not env.get(provider.needs_key) and not (own and api.own and api.own(wire.base(own))) then
    return false, provider.needs_key .. " is not set"
  end
  return true
end


---@param item vision.Item
---@param model? string  the model that the request names
---@return vision.Choice? choice
---@return string? err
---@return string? code
local function chosen(item, model)
  local name = item.provider
  if name == OCR then return { name = OCR } end
  local provider, err = engine.provider(name)
  if not provider then return nil, err, "provider_missing" end
  if not provider.images then
    return nil, ("The models of %s take no images. Choose another provider."):format(name), "no_images"
  end
  return { name = name, provider = provider, model = model or item.model or DEFAULTS[name],
    base = name == "ollama" and ollama_base() or nil }
end


local function named(items, kind, model)
  for _, item in ipairs(items) do
    if item.provider == kind then return chosen(item, model) end
  end
  return nil, NOT_ENABLED:format(kind), "provider_not_enabled"
end


--- Chooses the provider to ask. `why` says what is wrong with each that was skipped, or how
--- to configure one.
---@param config? {type?: string, model?: string}
---@return vision.Choice? choice
---@return string? err
---@return string? code  "not_configured", "provider_not_enabled", "no_provider", ...
---@return string? why
function M.choose(config)
  config = config or {}
  local kind = config.type or "auto"
  if kind == OCR then return { name = OCR } end
  if not env.get(M.VARIABLE, ""):find "%S" then return nil, UNSET, "not_configured", HOW end
  local items = M.configured()
  if kind ~= "auto" then return named(items, kind, config.model) end
  local reasons = {}
  for _, item in ipairs(items) do
    local up, why = available(item)
    if up then return chosen(item, config.model) end
    reasons[#reasons + 1] = ("%s: %s."):format(M.label(item), (why or "unknown"):gsub("%.$", ""))
  end
  if #items == 0 then reasons[1] = "It names no provider. Write for example openai/gpt-4o,ollama/llava:7b." end
  return nil, NONE_UP, "no_provider", table.concat(reasons, "\n")
end


return M
