--- Native tool calling, for models with an API for it.
--
-- Every request has the tools; a reply either calls some of them or is the answer. Every call gets a result, because the APIs
-- require it: a call that cannot be made is answered with what was wrong.

local arguments = require "agent.arguments"
local json      = require "sys.json"
local ledger    = require "agent.ledger"
local strings   = require "agent.strings"

local LIMITS = {
  unusable  = 3,      -- turns in a row that lead to no call, before the run is given up
  identical = 3,      -- times the same call may give the same answer in a row
  answer    = 20000,  -- bytes of a tool's answer that the model gets
}

local EMPTY = "Your reply was empty. Call a tool, or answer in words when the task is done."

local function parse(reply)
  if type(reply) == "string" then reply = { text = reply } end
  local calls = {}
  for i, call in ipairs(reply.tool_calls or {}) do
    local values, malformed = call.arguments, call.malformed
    if malformed == nil and type(values) ~= "table" then values = json.object() end
    calls[i] = { id = call.id, tool = call.name, arguments = not malformed and values or nil, malformed = malformed }
  end
  if #calls > 0 then return { calls = calls } end
  local text = strings.trim(reply.text or "")
  if text ~= "" then return { final = text } end
end


--- Returns the call as it may be made, or nil and what to answer instead.
local function checked(state, call)
  local tool = ledger.tool(state.tools, call.tool)
  if not tool then
    return nil, "unknown_tool", ("Unknown tool %s. Available: %s")
      :format(strings.cut(call.tool, 60), table.concat(ledger.names(state.tools), ", "))
  end
  if call.malformed then
    local _, why = json.decode(call.malformed)
    return nil, "bad_arguments", ("%s: the arguments must be one JSON object (%s). Parameters: %s")
      :format(tool.name, why or "it is another value", arguments.signature(tool))
  end
  local values, problem = arguments.from_call(tool, call.arguments)
  if not values then return nil, "bad_arguments", problem end
  if ledger.streak(state.calls, tool.name, values) >= LIMITS.identical then
    return nil, "repeat_refused", ("%s was called %d times in a row with the same arguments and gave the same answer "
      .. "each time. Do something else, or answer in words."):format(tool.name, LIMITS.identical)
  end
  return {
    id = call.id, tool = tool.name, arguments = values, line = arguments.line(tool, values),
    read_only = (tool.annotations or {}).readOnlyHint == true,
  }
end


--- Returns one result for each call of the reply, in its order: the answer of the tool, or what was wrong with the call.
local function results_of(pending, calls)
  local answered = {}
  for _, call in ipairs(calls) do answered[call.id] = call end
  local results = {}
  for i, item in ipairs(pending) do
    local call = answered[item.id]
    results[i] = {
      id = item.id, name = item.name,
      text = strings.budget(call and call.text or item.text or "", LIMITS.answer),
      failed = not call or call.failed,
    }
  end
  return { role = "tool", results = results }
end


local function given_up(state, problem)
  local memory = state.memory
  memory.unusable = (memory.unusable or 0) + 1
  if memory.unusable < LIMITS.unusable then return nil end
  return { ok = false, reason = "no_progress",
    message = ("%d replies in a row led to no tool call. The last problem: %s"):format(memory.unusable, problem) }
end


local function called(state, reply, parsed)
  local decision = { messages = {}, calls = {}, notes = {} }
  local pending, made, parallel = {}, {}, true
  for i, call in ipairs(parsed.calls) do
    call.id = call.id or ("call_%d_%d"):format(state.turn, i)
    made[i] = { id = call.id, name = call.tool, arguments = call.arguments or json.object() }
    local good, kind, why = checked(state, call)
    if good then
      decision.calls[#decision.calls + 1] = good
      parallel = parallel and good.read_only
    else
      decision.notes[#decision.notes + 1] = { kind = kind, text = why }
    end
    pending[i] = { id = call.id, name = call.tool, text = why }
  end
  decision.messages[1] = { role = "assistant", text = reply.text, tool_calls = made, native = reply.native }
  if #decision.calls > 0 then
    state.memory.unusable, state.memory.pending = 0, pending
    decision.parallel = parallel and #decision.calls > 1
  else
    decision.messages[2] = results_of(pending, {})
    decision.stop = given_up(state, decision.notes[1].text)
  end
  return decision
end


--- Returns how a run ends with this answer.
local function ending(state, text, cut)
  if cut then
    return { ok = false, reason = "no_progress", message = text .. " [the reply was cut off at the model's length limit]" }
  end
  local stop = ledger.ending(state, text)
  if stop.reason == "tool_error" then stop.message = ("%s\nIts answer: %s"):format(stop.message, text) end
  return stop
end


local function decide(state, reply)
  local parsed = parse(reply)
  if not parsed then
    return { messages = { { role = "user", text = EMPTY } }, notes = { { kind = "malformed_reply", text = EMPTY } },
      stop = given_up(state, EMPTY) }
  end
  if parsed.calls then return called(state, reply, parsed) end
  return {
    messages = { { role = "assistant", text = parsed.final, native = reply.native } },
    stop = ending(state, parsed.final, reply.stop == "length"),
  }
end


---@type agent.Rule
return {
  description = "The model calls tools through its own API and ends with an answer in words",
  native      = true,
  parse       = parse,
  decide      = decide,

  describe = function(tools)
    local lines = {}
    for i, tool in ipairs(tools) do
      lines[i] = ("%d. %s"):format(i, arguments.signature(tool))
    end
    return table.concat(lines, "\n")
  end,

  request = function(state)
    return { system = state.system, messages = state.messages, tools = state.tools }
  end,

  results = function(state, calls)
    return { results_of(state.memory.pending, calls) }
  end,

  examples = {
    { { text = "", tool_calls = { { id = "a", name = "draw_rectangle", arguments = { x = 1 } } } },
      want = { calls = { { id = "a", tool = "draw_rectangle", arguments = { x = 1 } } } } },
    { { text = "", tool_calls = { { id = "a", name = "draw_rectangle", malformed = "{x:" } } },
      want = { calls = { { id = "a", tool = "draw_rectangle", malformed = "{x:" } } } },
    { { text = " The rectangle is there. " }, want = { final = "The rectangle is there." } },
    { { text = "" }, want = nil },
  },
}
