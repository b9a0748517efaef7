--- The common part of all providers with an HTTP API: the key, the model, the request, and errors that people understand.
--
-- A provider has an `agent.Api`: functions that write the request and read the answer. Keys, retries, statuses and codes are
-- handled here, so that every provider fails with the same words.

local effect = require "sys.effect"
local env    = require "sys.env"
local faults = require "agent.faults"
local http   = require "sys.http"
local json   = require "sys.json"

local wire = {}

---@class agent.Api
---@field title       string   "Gemini"
---@field key?        string   the environment variable with the key
---@field own?        fun(base: string): boolean  true for the user's own server, which needs no key, may be slow, and is
---                                              asked for the models that it has
---@field base        string   the API's own address
---@field base_key?   string   the environment variable that changes it
---@field port?       integer  its port if that variable names only a host
---@field models      string[] the default model, then those that replace it when it is gone
---@field installed?  fun(settings: agent.Settings): string[]  lists the models of the user's own server
---@field hint?       fun(settings: agent.Settings): string     says what to do about a missing model
---@field encode      fun(request: agent.Request, settings: agent.Settings): agent.Sent
---@field decode      fun(body: table, settings: agent.Settings): agent.Reply?, string?, string?
---@field sees?       fun(settings: agent.Settings): boolean?   true if the model takes images; nil if that is not known
---@field amend?      fun(problem: agent.Problem, memory: table): boolean?  changes memory so that the next try may succeed

---@class agent.Settings
---@field model  string
---@field base   string
---@field key?   string
---@field own    boolean  true for the user's own server
---@field memory table

---@class agent.Sent
---@field url     string
---@field headers table<string, string>
---@field body    table

---@class agent.Problem
---@field status  integer
---@field message string
---@field body    table

-- If a server says how long to wait, the client waits so long, unless that exceeds the time limit: then the call fails.
local RETRY = { attempts = 3, base = 1, max = 3600, unsafe = true }
local TIMEOUT = 180      -- seconds for a reply, tries included
local OWN_TIMEOUT = 900  -- the same on a machine that may have no graphics card

--- The text before the images of tools, for APIs that want them in a message of the user.
wire.SHOWN = "The images that the results above mention, in their order."

--- Returns the images in the results of tools, in their order.
---@param results agent.ToolResult[]
---@return agent.Image[]
function wire.images(results)
  local images = {}
  for _, result in ipairs(results) do
    local own = result.images or {}
    table.move(own, 1, #own, #images + 1, images)
  end
  return images
end


--- Makes a base URL, to which a path can be added, of "host", "host:1234" and "http://host/v1/".
---@param value string
---@param port? integer  the port for a host alone
---@return string
function wire.base(value, port)
  if port and value:match "^[%w.-]+$" then value = value .. ":" .. port end
  if not value:match "^%a[%w+.-]*://" then value = "http://" .. value end
  return (value:gsub("/+$", ""))
end


--- Maps tool names to names that every API allows: MCP allows dots and 128 bytes, the narrowest of the APIs neither.
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


--- Returns a tool's schema without the keys that APIs refuse; nil if there are no parameters.
---@param tool agent.Tool
---@return table?
function wire.schema(tool)
  local schema = {}
  for key, value in pairs(tool.inputSchema or {}) do
    if type(key) == "string" and (key:sub(1, 1) ~= "$" or key == "$defs") then schema[key] = value end
  end
  if next(schema.properties or {}) == nil then return nil end
  return schema
end


--- Returns tools in the form of OpenAI's chat API, and of those that imitate it.
---@param tools agent.Tool[]
---@param to table<string, string>  from tool_names()
---@return table[]
function wire.functions(tools, to)
  local list = json.array()
  for i, tool in ipairs(tools) do
    list[i] = { type = "function", ["function"] = {
      name = to[tool.name], description = tool.description or tool.title,
      parameters = wire.schema(tool) or { type = "object", properties = json.object() } } }
  end
  return list
end


--- Reads the arguments of a call that an API wrote as a string.
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


--- Makes one request with its retries. Returns a JSON answer of a status below 300, or nil, sentence, code, problem.
local function exchange(api, settings, sent, options)
  if sent.body then
    local passes, why, refusal = effect.model { url = sent.url, json = sent.body }
    if not passes then return nil, why, refusal end
  end
  local response, err, code = http.request {
    url = sent.url, method = sent.body and "POST" or "GET", headers = sent.headers, json = sent.body,
    timeout = options.timeout, idle_timeout = options.timeout, retry = RETRY,
  }
  if not response then return nil, faults.unanswered(api, settings, err, code) end

  local body = json.decode(response.body)
  if response.status >= 300 then
    body = type(body) == "table" and body or {}
    local text, kind = faults.refused(api, settings, response, body, options)
    return nil, text, kind, { status = response.status, message = faults.said(body) or "", body = body }
  end
  if type(body) ~= "table" or json.is_array(body) then
    return nil, ("%s sent a reply that is not a JSON object (%d bytes). Check that %s is its URL.")
      :format(api.title, #response.body, settings.base), "bad_response"
  end
  return body
end


--- Returns the model of a run, if it is known before the first reply; nil if the user's own server has to be asked for it.
---@param provider Provider
---@param named? string
---@return string?
function wire.model(provider, named)
  local api = provider.api
  if named or not api or not api.own then return named or provider.default_model end
  return not api.own(wire.base(env.get(api.base_key) or api.base, api.port)) and provider.default_model or nil
end


--- Makes a GET request of the same API; nil if it fails.
---@param api agent.Api
---@param settings agent.Settings
---@param url string
---@param headers table<string, string>
---@return table?
function wire.get(api, settings, url, headers)
  return (exchange(api, settings, { url = url, headers = headers }, { timeout = 20 }))
end


--- Makes the same request with a body, for questions about models.
---@param api agent.Api
---@param settings agent.Settings
---@param sent agent.Sent
---@return table?
function wire.ask(api, settings, sent)
  return (exchange(api, settings, sent, { timeout = 20 }))
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


local function has_images(request)
  for _, message in ipairs(request.messages) do
    if message.images and #message.images > 0 or message.results and #wire.images(message.results) > 0 then return true end
  end
  return false
end


--- True if the model is known to take no images.
local function is_blind(api, settings)
  local memory = settings.memory
  if not api.sees then return false end
  memory.sees = memory.sees or {}
  if memory.sees[settings.model] == nil then
    local sees = api.sees(settings)
    memory.sees[settings.model] = sees == nil or sees
  end
  return not memory.sees[settings.model]
end


--- Tries once, and again if the API said which part of the request it does not accept.
local function attempt(api, request, context, settings)
  local patience = settings.own and OWN_TIMEOUT or TIMEOUT
  local options = { timeout = context.timeout or patience, with_tools = request.tools ~= nil, with_images = has_images(request) }
  if options.with_images and is_blind(api, settings) then
    return nil, ("%s says that %s takes no images."):format(api.title, settings.model), "no_images"
  end
  for _ = 1, 5 do
    local body, err, code, problem = exchange(api, settings, api.encode(request, settings), options)
    if body then return api.decode(body, settings) end
    local again = problem and (code == "bad_request" or code == "no_tools") and api.amend
      and api.amend(problem, settings.memory)
    if not again then return nil, err, code end
  end
  return nil, ("%s refuses every form of the request. Choose another model with --model."):format(api.title), "bad_request"
end


--- Returns the base URL of the API for a request.
---@param api agent.Api
---@param named? string  the URL that the request names
---@return string
function wire.base_of(api, named)
  return wire.base(named or api.base_key and env.get(api.base_key) or api.base, api.port)
end


--- Sends a request to the model and returns its reply, as the `complete` of a provider.
---@param api agent.Api
---@param request agent.Request
---@param context agent.Context
---@return agent.Reply? reply
---@return string? err   a sentence
---@return string? code  "no_key", "unauthorized", "forbidden", "model_not_found", "rate_limited", "bad_request",
---                      "too_large", "overloaded", "server_error", "bad_response", "cut_off", "timeout",
---                      "unreachable", "no_tools", "no_images", "blocked", "empty_reply"
function wire.complete(api, request, context)
  local memory = context.memory
  local settings = {
    key    = api.key and env.get(api.key),
    base   = wire.base_of(api, context.base),
    memory = memory,
  }
  settings.own = api.own ~= nil and api.own(settings.base)
  if api.key and not settings.key and not settings.own then
    return nil, ("%s requires a key. Set %s in the environment, or in the .env file of the configuration or working directory.")
      :format(api.title, api.key), "no_key"
  end

  local models, missing = candidates(api, context, settings), nil
  for i, model in ipairs(models) do
    settings.model = model
    local reply, err, code = attempt(api, request, context, settings)
    if reply then
      if i > 1 then reply.note = ("%s is no longer available; using %s."):format(models[1], model) end
      memory.model, reply.model = model, reply.model or model
      return reply
    end
    if code ~= "model_not_found" then return nil, err, code end
    missing = missing or err
  end
  return nil, missing, "model_not_found"
end


return wire
