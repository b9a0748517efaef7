--- The messages for failed requests to a model: each names the next step, and has a stable code.

local strings = require "agent.strings"

local faults = {}

local UNREACHABLE = { dns = true, connection_refused = true, connection_failed = true, tls = true, bad_url = true }


local function without_key(text, settings)
  local key = settings.key
  if not key or #key < 6 then return text end
  local at, stop = text:find(key, 1, true)
  while at do
    text = text:sub(1, at - 1) .. "[key]" .. text:sub(stop + 1)
    at, stop = text:find(key, at, true)
  end
  return text
end


--- Returns the API's own message about the failure.
---@param body any  the body of its response
---@return string?
function faults.said(body)
  local fault = type(body) == "table" and (body.error or body.message or body.detail)
  if type(fault) == "table" then fault = fault.message end
  return type(fault) == "string" and fault ~= "" and fault or nil
end


local function is_about_tools(message)
  local text = message:lower()
  return text:find "tool" and (text:find("not support", 1, true) or text:find("requires %-%-") or
    text:find("enable%-auto%-tool"))
end


--- The words by which the APIs, and the servers that imitate them, say that a model takes only text.
local IMAGES  = { "image", "vision", "multimodal", "multi%-modal" }
local REFUSED = { "not support", "n't support", "not enabled", "only supported by", "not a multimodal", "missing data",
  "at most 0 ", "unsupported", "support image input" }


local function is_about_images(message)
  local text, about, refused = message:lower(), false, false
  for _, word in ipairs(IMAGES) do about = about or text:find(word) ~= nil end
  for _, word in ipairs(REFUSED) do refused = refused or text:find(word, 1, true) ~= nil end
  -- A server that knows only text does not know the word for an image either.
  return about and refused or text:find("expected `text`", 1, true) or text:find("content must be a string", 1, true)
end


local function is_about_key(body)
  for _, detail in ipairs(type(body.error) == "table" and body.error.details or {}) do
    if type(detail) == "table" and detail.reason == "API_KEY_INVALID" then return true end
  end
end


--- Explains a response that is not a success.
---@param api agent.Api
---@param settings agent.Settings
---@param response sys.http.Response
---@param body table
---@param options {with_tools?: boolean, with_images?: boolean}  the parts that the request had
---@return string sentence
---@return string code
function faults.refused(api, settings, response, body, options)
  local status, message = response.status, faults.said(body)
  local quote = message and (': "%s"'):format(strings.cut(strings.one_line(message):gsub("%.%s*$", ""), 300)) or ""
  local function sentence(format, ...) return without_key(api.title .. " " .. format:format(...) .. quote, settings) end

  if status == 401 or (status == 400 and is_about_key(body)) then
    local advice = api.key and (" Set %s to a valid key."):format(api.key) or ""
    return sentence("refused the key (%d)", status) .. "." .. advice, "unauthorized"
  elseif status == 403 then
    return sentence("does not allow this (403)") .. ". Check that the key may use this model.",
      "forbidden"
  elseif options.with_images and status ~= 413 and status ~= 429 and message and is_about_images(message) then
    return sentence("takes no images with %s (%d)", settings.model, status), "no_images"
  elseif options.with_tools and message and is_about_tools(message) then
    return sentence("cannot call tools with %s (%d)", settings.model, status), "no_tools"
  elseif status == 404 then
    local hint = api.hint and api.hint(settings) or "Choose another with --model."
    return sentence("does not have %s at %s (404)", settings.model, settings.base) .. ". " .. hint, "model_not_found"
  elseif status == 429 then
    local wait = tonumber(response.headers["retry-after"])
    local after = wait and (" It asks to wait %.0f s."):format(wait) or ""
    return sentence("limits the request rate (429)") .. "." .. after .. " Wait, or choose another model.", "rate_limited"
  elseif status == 413 then
    return sentence("rejected the request as too long (413)"), "too_large"
  elseif status == 503 or status == 529 then
    return sentence("is overloaded (%d)", status) .. ". Try again later.", "overloaded"
  elseif status >= 500 then
    return sentence("failed with a server error (%d)", status) .. ". Try again later.", "server_error"
  end
  return sentence("refused the request (%d)", status), "bad_request"
end


--- Rewords a sentence for a caller that names the model in the request and has no option for it.
---@param text string
---@return string
function faults.without_option(text)
  return (text:gsub("another with %-%-model", "another model"):gsub("another model %S+/NAME", "another model")
    :gsub("another model with %-%-model", "another model"))
end


--- Explains why a request got no complete response.
---@param api agent.Api
---@param settings agent.Settings
---@param err string
---@param code? string
---@return string sentence
---@return string code
function faults.unanswered(api, settings, err, code)
  local where = settings.base
  if code == "timeout" then
    return ("%s at %s did not respond in time."):format(api.title, where), "timeout"
  elseif code == "cut_off" then
    return ("The reply from %s was cut off. Try again."):format(api.title), "cut_off"
  elseif UNREACHABLE[code] then
    local advice = api.base_key and ("Check that it is running and that %s is its URL."):format(api.base_key)
      or "Check the network connection."
    return ("%s cannot be reached at %s: %s. %s"):format(api.title, where, err, advice), "unreachable"
  end
  return without_key(("The request to %s failed: %s"):format(api.title, err), settings), code or "request_failed"
end


return faults
