--- What all providers with an HTTP API share: which key, which model, the request, and errors that people understand.
--
-- A provider gives an `agent.Api`: how to write the request and how to read the answer. Everything about keys, retries,
-- statuses and codes is here, so that every provider fails in the same words.

local env     = require "sys.env"
local http    = require "sys.http"
local json    = require "sys.json"
local strings = require "agent.strings"

local wire = {}

---@class agent.Api
---@field title       string   "Gemini"
---@field key?        string   the environment variable with the key
---@field own?        fun(base: string): boolean  is this a server of one's own? It needs no key, may be slow, and is
---                                              asked which models it has
---@field base        string   the API's own address
---@field base_key?   string   the environment variable that changes it
---@field port?       integer  where it listens when that variable names only a host
---@field models      string[] the default, then what replaces it when it is gone
---@field installed?  fun(settings: agent.Settings): string[]  which models a server of one's own has
---@field hint?       fun(settings: agent.Settings): string     what to do about a missing model
---@field encode      fun(request: agent.Request, settings: agent.Settings): agent.Sent
---@field decode      fun(body: table, settings: agent.Settings): agent.Reply?, string?, string?
---@field amend?      fun(problem: agent.Problem, memory: table): boolean?  changes memory so that the next try may do

---@class agent.Settings
---@field model  string
---@field base   string
---@field key?   string
---@field own    boolean  a server of one's own
---@field memory table

---@class agent.Sent
---@field url     string
---@field headers table<string, string>
---@field body    table

---@class agent.Problem
---@field status  integer
---@field message string
---@field body    table

-- What a server asks to wait is waited, unless that is more than the reply may take: then it is told.
local RETRY = { attempts = 3, base = 1, max = 3600, unsafe = true }
local TIMEOUT = 180      -- seconds for a reply, tries included
local OWN_TIMEOUT = 900  -- the same on a machine that may have no graphics card

local UNREACHABLE = { dns = true, connection_refused = true, tls = true, bad_url = true }

--- "host", "host:1234" and "http://host/v1/" all become something a path can be put after.
---@param value string
---@param port? integer  for a host alone
---@return string
function wire.base(value, port)
  if port and value:match "^[%w.-]+$" then value = value .. ":" .. port end
  if not value:match "^%a[%w+.-]*://" then value = "http://" .. value end
  return (value:gsub("/+$", ""))
end

--- Names as every API allows them: MCP allows dots and 128 bytes, the narrowest of the APIs neither.
---@param tools agent.Tool[]?
---@return table<string, string> to    from the tool's name
---@return table<string, string> from  to the tool's name
function wire.tool_names(tools)
  local to, from = {}, {}
  for _, tool in ipairs(tools or {}) do
    local name = tool.name:gsub("[^%w_-]", "_"):gsub("^[^%a_]", "_%0"):sub(1, 60)
    local unique, n = name, 1
    while from[unique] do
      n = n + 1
      unique = name .. "_" .. n
    end
    to[tool.name], from[unique] = unique, tool.name
  end
  return to, from
end

--- A tool's schema without what the APIs refuse; nil when there are no parameters.
---@param tool agent.Tool
---@return table?
function wire.schema(tool)
  local schema = {}
  for key, value in pairs(tool.inputSchema or {}) do
    if key:sub(1, 1) ~= "$" or key == "$defs" then schema[key] = value end
  end
  if next(schema.properties or {}) == nil then return nil end
  return schema
end

--- The arguments of a call as an API wrote them in a string.
---@param call {id?: string, name: string, text: string}
---@return agent.ToolCall
function wire.call_from_text(call)
  local text = call.text == "" and "{}" or call.text
  local value = json.decode(text)
  if type(value) == "table" and (next(value) == nil or not json.is_array(value)) then
    return { id = call.id, name = call.name, arguments = json.object(value) }
  end
  return { id = call.id, name = call.name, malformed = text }
end

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

--- What the API itself says is wrong.
local function said(body)
  local fault = type(body) == "table" and (body.error or body.message or body.detail)
  if type(fault) == "table" then fault = fault.message end
  return type(fault) == "string" and fault ~= "" and fault or nil
end

local function is_about_tools(message)
  local text = message:lower()
  return text:find "tool" and (text:find("not support", 1, true) or text:find("requires %-%-") or
    text:find("enable%-auto%-tool"))
end

local function is_about_key(body)
  for _, detail in ipairs(type(body.error) == "table" and body.error.details or {}) do
    if type(detail) == "table" and detail.reason == "API_KEY_INVALID" then return true end
  end
end

--- From a response that is not a success to a sentence and a code.
local function failure(api, settings, response, body, with_tools)
  local status, message = response.status, said(body)
  local quote = message and (': "%s"'):format(strings.cut(strings.one_line(message), 300)) or ""
  local function sentence(format, ...) return without_key(api.title .. " " .. format:format(...) .. quote, settings) end

  if status == 401 or (status == 400 and is_about_key(body)) then
    local todo = api.key and (" Set %s to a valid key."):format(api.key) or ""
    return sentence("refused the key (%d)", status) .. "." .. todo, "unauthorized"
  elseif status == 403 then
    return sentence("does not allow this (403)") .. ". The key may lack the right, or the model may need access.",
      "forbidden"
  elseif with_tools and message and is_about_tools(message) then
    return sentence("cannot call tools with %s (%d)", settings.model, status), "no_tools"
  elseif status == 404 then
    local hint = api.hint and api.hint(settings) or "Choose another with --model."
    return sentence("does not have %s at %s (404)", settings.model, settings.base) .. ". " .. hint, "model_not_found"
  elseif status == 429 then
    local wait = tonumber(response.headers["retry-after"])
    local after = wait and (" It asks to wait %d s."):format(wait) or ""
    return sentence("is limiting the rate (429)") .. "." .. after .. " Wait, or choose another model.", "rate_limited"
  elseif status == 413 then
    return sentence("finds the request too long (413)"), "too_large"
  elseif status == 503 or status == 529 then
    return sentence("is overloaded (%d)", status) .. ". Try again in a while.", "overloaded"
  elseif status >= 500 then
    return sentence("had an error of its own (%d)", status) .. ". Try again in a while.", "server_error"
  end
  return sentence("refused the request (%d)", status), "bad_request"
end

local function unanswered(api, settings, err, code)
  local where = settings.base
  if code == "timeout" then
    return ("%s at %s did not answer in time."):format(api.title, where), "timeout"
  elseif code == "cut_off" then
    return ("The answer of %s was cut off before it was complete. Try again."):format(api.title), "cut_off"
  elseif UNREACHABLE[code] then
    local todo = api.base_key and ("Is it running? %s says where it is."):format(api.base_key) or "Is there a network?"
    return ("%s cannot be reached at %s: %s. %s"):format(api.title, where, err, todo), "unreachable"
  end
  return without_key(("The request to %s failed: %s"):format(api.title, err), settings), code or "request_failed"
end

--- One request with its retries. A JSON answer of a status below 300, or nil, sentence, code, problem.
local function exchange(api, settings, sent, options)
  local response, err, code = http.request {
    url = sent.url, method = sent.body and "POST" or "GET", headers = sent.headers, json = sent.body,
    timeout = options.timeout, idle_timeout = options.timeout, retry = RETRY,
  }
  if not response then return nil, unanswered(api, settings, err, code) end

  local body = json.decode(response.body)
  if response.status >= 300 then
    body = type(body) == "table" and body or {}
    local text, kind = failure(api, settings, response, body, options.with_tools)
    return nil, text, kind, { status = response.status, message = said(body) or "", body = body }
  end
  if type(body) ~= "table" or json.is_array(body) then
    return nil, ("%s answered something that is not a JSON object (%d bytes). Is %s its address?")
      :format(api.title, #response.body, settings.base), "bad_response"
  end
  return body
end

--- The model a run will have, as far as it is known before the first reply: nil when a server of one's own is to be
--- asked for it.
---@param provider Provider
---@param named? string
---@return string?
function wire.model(provider, named)
  local api = provider.api
  if named or not api or not api.own then return named or provider.default_model end
  return not api.own(wire.base(env.get(api.base_key) or api.base, api.port)) and provider.default_model or nil
end

--- A GET of the same API; nil when it does not answer as hoped.
---@param api agent.Api
---@param settings agent.Settings
---@param url string
---@param headers table<string, string>
---@return table?
function wire.get(api, settings, url, headers)
  return (exchange(api, settings, { url = url, headers = headers }, { timeout = 20 }))
end

local function candidates(api, context, settings)
  local known = context.memory.model or context.model
  if known then return { known } end
  local installed = settings.own and api.installed(settings) or {}
  if #installed == 0 then return api.models end
  for _, model in ipairs(api.models) do
    for _, name in ipairs(installed) do
      if name == model or name == model .. ":latest" then return { name } end
    end
  end
  return { installed[1] }
end

--- Tries once, and again when the API said which part of the request it cannot take.
local function attempt(api, request, context, settings)
  local patience = settings.own and OWN_TIMEOUT or TIMEOUT
  local options = { timeout = context.timeout or patience, with_tools = request.tools ~= nil }
  for _ = 1, 5 do
    local body, err, code, problem = exchange(api, settings, api.encode(request, settings), options)
    if body then return api.decode(body, settings) end
    local again = problem and (code == "bad_request" or code == "no_tools") and api.amend
      and api.amend(problem, settings.memory)
    if not again then return nil, err, code end
  end
  return nil, ("%s keeps refusing the request."):format(api.title), "bad_request"
end

--- Sends a request to the model and gives its reply: the `complete` of a provider.
---@param api agent.Api
---@param request agent.Request
---@param context agent.Context
---@return agent.Reply? reply
---@return string? err   a sentence
---@return string? code  "no_key", "unauthorized", "forbidden", "model_not_found", "rate_limited", "bad_request",
---                      "too_large", "overloaded", "server_error", "bad_response", "cut_off", "timeout",
---                      "unreachable", "no_tools", "blocked", "empty_reply"
function wire.complete(api, request, context)
  local memory = context.memory
  local settings = {
    key    = api.key and env.get(api.key),
    base   = wire.base(api.base_key and env.get(api.base_key) or api.base, api.port),
    memory = memory,
  }
  settings.own = api.own ~= nil and api.own(settings.base)
  if api.key and not settings.key and not settings.own then
    return nil, ("%s needs a key: set %s in the environment or in the .env file of the configuration folder.")
      :format(api.title, api.key), "no_key"
  end

  local models, missing = candidates(api, context, settings), nil
  for i, model in ipairs(models) do
    settings.model = model
    local reply, err, code = attempt(api, request, context, settings)
    if reply then
      if i > 1 then reply.note = ("%s is not offered any more; using %s."):format(models[1], model) end
      memory.model, reply.model = model, reply.model or model
      return reply
    end
    if code ~= "model_not_found" then return nil, err, code end
    missing = missing or err
  end
  return nil, missing, "model_not_found"
end

return wire
