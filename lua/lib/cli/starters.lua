--- The files that `perigee new` writes, one of each kind: each works as it is, with examples that pass. NAME, TITLE, SCHEME and
-- VARIABLE stand for the user's name for it.

local M = {}

---@class cli.Starter
---@field folder string  in a root; TOOLSET stands for the tool's
---@field text   string
---@field try    string  how to see it at work

M.tool = { folder = "tools/TOOLSET", try = "perigee call NAME name=Ann", text = [==[
--- TITLE: one line for those who read this file.

local s = require "schema"

---@type Tool
return {
  title       = "TITLE",
  description = "Greet a person by name. (What a model reads before it calls the tool.)",
  inputSchema = s.object { { "name", s.string "The person's name." } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  about       = { "nothing" },   -- for the policy: of an argument that names a file, a host, ...: path = "path"

  run = function(args)
    if not args.name:find "%S" then return nil, "The name is empty. Pass the name of a person.", "empty_name" end
    return "Hello, " .. args.name .. "."
  end,

  -- Two to five examples that a reader learns from. tests/tools/NAME_test.lua returns a list of further cases.
  examples = {
    { "greets by name", args = { name = "Ann" }, want = "Hello, Ann." },
    { "needs a name", args = { name = " " }, code = "empty_name" },
  },
}
]==] }

M.prompt = { folder = "prompts", try = "perigee mcp prompt NAME subject=rainbows -- perigee serve", text = [==[
--- TITLE: one line for those who read this file.

local TEXT = [[
Explain {subject} in three short sentences, to a person who hears of it for the first time.]]

---@type Prompt
return {
  title       = "TITLE",
  description = "Explains something. (What people read when they choose a prompt.)",
  arguments   = { { name = "subject", description = "What is to be explained." } },

  render = function(args)
    return (TEXT:gsub("{subject}", function() return args.subject or "how tides come about" end))
  end,

  examples = {
    { "names the subject", args = { subject = "100% pure gold" }, has = { "Explain 100% pure gold in three" } },
    { "has a subject of its own", args = {}, has = { "tides" } },
  },
}
]==] }

M.resource = { folder = "resources", try = "perigee mcp read SCHEME://ann -- perigee serve", text = [==[
--- TITLE: one line for those who read this file.

local PEOPLE = { ann = { name = "Ann", mail = "ann@example.com" } }

---@type Resource
return {
  uriTemplate = "SCHEME://{id}",
  title       = "TITLE",
  description = "A person. (What people and models read before they read it.)",
  mimeType    = "application/json",

  read = function(_, params)
    local person = PEOPLE[params.id]
    if not person then return nil, "No person has the ID " .. params.id .. ".", "not_found" end
    return person
  end,

  complete = { id = { "ann" } },   -- what a client suggests while one types

  examples = {
    { "is a person", uri = "SCHEME://ann", want = { name = "Ann" } },
    { "says who is not there", uri = "SCHEME://joe", code = "not_found" },
  },
}
]==] }

M.rule = { folder = "prompts", try = "write `rules = { \"NAME\" }` into a prompt, then `perigee agent --prompt PROMPT`",
  text = [==[
--- TITLE: how the agent talks with a model. Here: `CALL tool {"argument": "value"}`, then `DONE answer`.
--- The file lua/types/agent.lua has the whole contract.

local json = require "sys.json"

local PROTOCOL = [[


Answer with one line and nothing else, either
CALL tool {"argument": "value"}
or, when all is done,
DONE your answer]]


local function parse(reply)
  local text = type(reply) == "table" and reply.text or reply
  local name, arguments = text:match "CALL%s+([%w_%-.]+)%s*(%b{})"
  if name then return { tool = name, arguments = json.decode(arguments) } end
  local final = text:match "DONE:?%s*([^\n]*)"
  return final and { final = final } or nil
end


--- Tells the model what was wrong with its reply. The third unusable reply in a row ends the run.
local function told(state, reply, problem)
  state.memory.unusable = (state.memory.unusable or 0) + 1
  return {
    messages = { { role = "assistant", text = reply.text ~= "" and reply.text or "(empty)" }, { role = "user", text = problem } },
    stop = state.memory.unusable >= 3 and { ok = false, reason = "no_progress", message = problem } or nil,
  }
end


---@type agent.Rule
return {
  description = "One line a turn: CALL tool {...} or DONE answer",
  native      = false,   -- true: it uses the tool calls of the model's API
  parse       = parse,

  describe = function(tools)
    local lines = {}
    for i, tool in ipairs(tools) do
      lines[i] = ("%s: %s %s"):format(tool.name, tool.description or "", json.encode(tool.inputSchema))
    end
    return table.concat(lines, "\n")
  end,

  request = function(state)
    return { system = state.system .. PROTOCOL, messages = state.messages }
  end,

  decide = function(state, reply)
    local parsed = parse(reply)
    if not parsed then return told(state, reply, "That was neither CALL nor DONE." .. PROTOCOL) end
    local said = { role = "assistant", text = reply.text }
    if parsed.final then
      return { messages = { said }, stop = { ok = true, reason = "done", message = parsed.final } }
    end
    if not parsed.arguments then return told(state, reply, "The arguments are not a JSON object.") end
    state.memory.unusable = 0
    return { messages = { said }, calls = { { id = "call_" .. state.turn, tool = parsed.tool, arguments = parsed.arguments,
      line = parsed.tool .. " " .. json.encode(parsed.arguments) } } }
  end,

  results = function(_, calls)
    local lines = {}
    for i, call in ipairs(calls) do lines[i] = ("%s returned: %s"):format(call.tool, call.text) end
    return { { role = "user", text = table.concat(lines, "\n") } }
  end,

  examples = {
    { 'CALL open_application {"application": "Editor"}',
      want = { tool = "open_application", arguments = { application = "Editor" } } },
    { "DONE It is open.", want = { final = "It is open." } },
    { "I am not sure.", want = nil },
  },
}
]==] }

M.provider = { folder = "providers", try = "VARIABLE_URL=http://127.0.0.1:8080/v1 perigee agent --model NAME REQUEST", text = [==[
--- TITLE: models of a server of one's own that has OpenAI's chat API. The file lua/types/agent.lua has the whole contract.

local json = require "sys.json"
local wire = require "agent.wire"


local function messages_of(request)
  local list = json.array()
  if request.system then list[1] = { role = "system", content = request.system } end
  for _, message in ipairs(request.messages) do
    list[#list + 1] = { role = message.role, content = message.text or "" }
  end
  return list
end


---@type agent.Api
local api = {
  title    = "TITLE",
  base     = "http://127.0.0.1:8080/v1",
  base_key = "VARIABLE_URL",      -- the variable that names another address
  models   = { "default" },
  own      = function() return true end,   -- it needs no key, and may be slow

  encode = function(request, settings)
    return { url = settings.base .. "/chat/completions", headers = {},
      body = { model = settings.model, messages = messages_of(request), max_tokens = request.max_tokens or 2048 } }
  end,

  decode = function(body)
    local choice = type(body.choices) == "table" and body.choices[1]
    local message = type(choice) == "table" and choice.message
    if type(message) ~= "table" then return nil, "The server returned no reply. Try again.", "empty_reply" end
    return { text = message.content or "", stop = choice.finish_reason == "length" and "length" or "end", model = body.model }
  end,
}


---@type Provider
return {
  description    = "TITLE: a server of one's own (VARIABLE_URL)",
  default_model  = api.models[1],
  supports_tools = false,   -- true: encode() sends request.tools, and decode() returns tool_calls
  api            = api,
  complete       = function(request, context) return wire.complete(api, request, context) end,

  examples = {
    { "a conversation in words",
      request  = { system = "Be brief.", messages = { { role = "user", text = "Hello" } } },
      url      = "/chat/completions",
      sends    = { model = "model", max_tokens = 2048,
        messages = { { role = "system", content = "Be brief." }, { role = "user", content = "Hello" } } },
      receives = { model = "model-1", choices = { { message = { content = "Hi." }, finish_reason = "stop" } } },
      want     = { text = "Hi.", stop = "end", model = "model-1" } },
    { "an answer without a reply", receives = { choices = {} }, code = "empty_reply" },
  },
}
]==] }

M.command = { folder = "commands", try = "perigee NAME Ann --loud", text = [==[
--- perigee NAME: one line for those who read this file.

---@type perigee.Command
return {
  summary     = "greet a person",
  description = "Prints a greeting.",
  arguments   = { { "name", "string", "name of the person", optional = true } },
  options     = {
    { "loud", "flag", "print in capitals", letter = "l" },
    { "json", "flag", "print one JSON object: text" },
  },

  run = function(args, io)
    local text = ("Hello, %s."):format(args.name or "you")
    if args.loud then text = text:upper() end
    if args.json then io:json { text = text } else io:print(text) end
  end,

  examples = {
    { "greets by name", args = { "Ann", "--loud" }, out = "HELLO, ANN.\n" },
    { "greets you", out = "Hello, you.\n" },
  },
}
]==] }


M.service = { folder = "services", try = "perigee service run NAME", text = [==[
--- TITLE: one line for those who read this file.

local time   = require "sys.time"
local window = require "sys.window"


local function start(context)
  local seen = context.state   -- keeps its values when this file is saved

  assert(window.events({ what = "opened" }, function(event)
    seen.count = (seen.count or 0) + 1
    context.log(("%d. window: %s"):format(seen.count, event.window.title))
  end))
  assert(time.every(3600, function() context.log(("%d windows so far"):format(seen.count or 0)) end))
end


---@type Service
return {
  description = "Counts the windows that open.",
  start       = start,

  examples = {
    { "counts windows", log = { "1. window: Notes", "1 windows so far" }, kept = { count = 1 },
      events = { { "window.events", { what = "opened", window = { title = "Notes" } } }, { "time.every 3600" } } },
    { "goes on counting when it is saved", state = { count = 7 }, log = { "8. window: Mail" },
      events = { { "window.events what=opened", { what = "opened", window = { title = "Mail" } } } } },
  },
}
]==] }


return M
