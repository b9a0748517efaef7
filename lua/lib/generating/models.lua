--- Models by the names that tools for generated text take, and asking one: the provider and the wire name of each, and the models
--- that answer in place of one that is gone.

local engine = require "sys.engine"
local faults = require "agent.faults"
local s      = require "schema"
local wire   = require "agent.wire"

local M = {}

M.NAMES = { "gemini-2.5-flash-preview-05-20", "gemini-2.5-pro-preview-05-06", "models/gemini-2.0-flash", "gemini-2.0-flash",
  "claude-3-7-sonnet-latest", "gpt-4.1-2025-04-14", "o4-mini-2025-04-16" }
M.DEFAULT = "gemini-2.5-pro-preview-05-06"

-- A provider's file in lua/providers, by the beginning of a name.
local FAMILIES = { { "^gemini", "gemini" }, { "^claude", "anthropic" }, { "^gpt", "openai" }, { "^o%d", "openai" } }

local PATIENCE = 270      -- seconds for a reply: two of them fit into the time of a tool (M.SECONDS)
M.SECONDS = 600           -- the time limit of a tool that asks, and asks once more
local TOKENS = 32768      -- of a reply, thoughts included
local FEWER  = { "^gemini%-2%.0" }   -- models that write up to 8192, which providers ask for by themselves
local OF_OWN = 4096       -- of a model on the user's own server, which may have room for a few thousand in all

--- The codes of ask() in capitals, and their meanings, for a tool's `codes`.
M.CODES = {
  NO_KEY = "The provider's key is not set; the message names the variable.",
  MODEL_NOT_FOUND = "The provider has neither the model nor one that replaced it.",
  UNAUTHORIZED = "The provider refused the key.",
  RATE_LIMITED = "The provider limits the request rate.",
  UNREACHABLE = "The provider cannot be reached.",
  TIMEOUT = "The provider did not answer in time.",
  BLOCKED = "The provider or the model declined the request.",
  CUT_OFF = "The reply broke off: at the model's length limit, or because the connection ended.",
  EMPTY_REPLY = "The model answered nothing.",
}


--- The parameter that names a model.
---@param description? string
---@return table
function M.parameter(description)
  return s.enum(M.NAMES, description or "Model to ask.", { default = M.DEFAULT })
end


--- Returns the name that the API knows, and the name of the provider.
---@param name string
---@return string model
---@return string provider
function M.of(name)
  local model = name:gsub("^models/", "")
  for _, family in ipairs(FAMILIES) do
    if model:find(family[1]) then return model, family[2] end
  end
  error(("no provider has the model %s"):format(name))
end


--- Returns the models of a provider that none of the names stands for: its newer ones, which replace those that are gone.
local function successors(provider)
  local named, list = {}, {}
  for _, name in ipairs(M.NAMES) do named[M.of(name)] = true end
  for _, model in ipairs(provider.api and provider.api.models or {}) do
    if not named[model] then list[#list + 1] = model end
  end
  return list
end


---@class generating.Talk
---@field provider Provider
---@field models (string|false)[]  to try, in their order; false: the one that the user's own server has
---@field at integer               the place of the one that answers
---@field context agent.Context
---@field model? string            the one that was asked last and answered
---@field said? string             how its API calls it, if it says another name

--- Begins to talk with a model.
---@param name string
---@return generating.Talk? talk
---@return string? err
---@return string? code
function M.open(name)
  local model, of = M.of(name)
  local provider, err = engine.provider(of)
  if not provider then return nil, err, "provider_missing" end
  local list, api = { model, table.unpack(successors(provider)) }, provider.api
  if api and api.own and api.own(wire.base_of(api)) then list[#list + 1] = false end
  return { provider = provider, models = list, at = 1, context = { request_text = "", memory = {}, timeout = PATIENCE } }
end


local function tokens(model)
  if not model then return OF_OWN end
  for _, pattern in ipairs(FEWER) do
    if model:find(pattern) then return nil end
  end
  return TOKENS
end


--- Returns a reply that is whole.
local function whole(reply, model)
  if reply.stop == "length" then
    return nil, ("The reply of %s was cut off at its length limit. Ask for less, or choose another model.")
      :format(model or "the model"), "cut_off"
  end
  if not (reply.text or ""):find "%S" then return nil, "The model returned an empty reply. Try again.", "empty_reply" end
  return reply
end


--- Returns the name that an API gives to the model which answered; nil: it is the one that was asked, or no name.
local function other_name(said, asked)
  if type(said) ~= "string" or #said > 100 or not said:find "^[%w._:/-]+$" then return nil end
  return said:gsub("^models/", "") ~= asked and said or nil
end


--- Asks the model: its whole reply, or why there is none. If the model is gone, one that replaced it is asked, also from then on.
---@param talk generating.Talk
---@param system string
---@param messages agent.Message[]
---@return agent.Reply? reply
---@return string? err   a sentence
---@return string? code  those of agent.wire
function M.ask(talk, system, messages)
  local missing
  for at = talk.at, #talk.models do
    local model = talk.models[at]
    talk.context.model = model or nil
    local reply, err, code = talk.provider.complete({ system = system, messages = messages, max_tokens = tokens(model) },
      talk.context)
    if code ~= "model_not_found" then
      talk.at, talk.model = at, reply and (talk.context.memory.model or model or reply.model)
      if reply then
        talk.said = other_name(reply.model, talk.model)
        return whole(reply, talk.model)
      end
      return nil, faults.without_option(err), code
    end
    missing = missing or err
  end
  return nil, faults.without_option(missing), "model_not_found"
end


--- Returns the name of the model that answered, with that by which its API calls it.
---@param talk generating.Talk
---@return string
function M.name(talk)
  local name = talk.model or "the model"
  return talk.said and ("%s (%s)"):format(name, talk.said) or name
end


--- Says that another model answered than the one that was named; nil: that one did.
---@param talk generating.Talk
---@return string?
function M.replaced(talk)
  if talk.at == 1 or not talk.model then return nil end
  return ("%s is no longer available; %s answered in its place."):format(talk.models[1], talk.model)
end


return M
