--- One line a turn: `FUNCTION_CALL: name|p1|p2|...` or `FINAL_ANSWER: [done]`.
--
-- It works with any model that can follow an instruction. The first line in one of the two forms counts. Text that models like
-- to put around it (prose, fences, bold, quotes, thoughts) is ignored. Mistakes in the line itself go back to the model as a
-- message that names the parameter.

local arguments = require "agent.arguments"
local ledger    = require "agent.ledger"
local strings   = require "agent.strings"

local LIMITS = {
  unusable = 3,      -- replies in a row that lead to no call, before the run is given up
  retries  = 1,      -- further calls of a tool that answered ERROR
  answer   = 20000,  -- bytes of a tool's answer that the model gets
  echo     = 2000,   -- bytes of an unusable reply that stay in the transcript
}

local PROTOCOL = [[


Respond with EXACTLY ONE SINGLE LINE each turn, in one of these formats, and nothing before or after it:
FUNCTION_CALL: function_name|param1|param2|...
FINAL_ANSWER: [done]
Parameters go in the order given, separated by |. Inside a parameter write ¦ instead of |, and no line breaks.
Never call the same tool twice with the same parameters. If a tool returns an ERROR, adjust and retry at most once.]]

local REMINDER = "Respond with exactly one line and no other text: FUNCTION_CALL: function_name|param1|param2|... "
  .. "or FINAL_ANSWER: [done]."

--- Marks that may enclose a line, and the marks that then close it. Longest first.
local WRAPPERS = {
  { "```", "```" }, { "***", "***" }, { "**", "**" }, { "__", "__" },
  { "`", "`" }, { "*", "*" }, { '"', '"' }, { "'", "'" }, { "“", "”" }, { "«", "»" },
}

--- Returns the line without bullet or number, and the marks that have to close it.
local function unwrapped(line)
  line = line:gsub("^%s*", ""):gsub("\r$", "")
  line = line:gsub("^[>*%-+]%s+", ""):gsub("^%d+[.)]%s+", "")
  local closing = {}
  local found
  repeat
    found = false
    for _, pair in ipairs(WRAPPERS) do
      if line:sub(1, #pair[1]) == pair[1] then
        line, found = line:sub(#pair[1] + 1), true
        table.insert(closing, 1, pair[2])
        break
      end
    end
  until not found
  return line, closing
end


--- Returns what follows `WORD:` on the line; nil if the line does not begin with it.
local function after(line, word)
  local rest, closing = unwrapped(line)
  rest = rest:gsub("^(%a+)\\?[_ ](%a+)", "%1_%2")
  if rest:sub(1, #word):upper() ~= word then return nil end
  rest = rest:sub(#word + 1)

  local early = 0
  local function close_here()
    for i = early + 1, #closing do
      if rest:sub(1, #closing[i]) ~= closing[i] then break end
      rest, early = rest:sub(#closing[i] + 1), i
    end
  end
  close_here()                                    -- **FUNCTION_CALL**: ...
  local colon = rest:match "^%s*:" or rest:match "^%s*：" or (rest:match "^%s*$" or rest:match "^%s*%[") and ""
  if not colon then return nil end
  rest = rest:sub(#colon + 1)
  close_here()                                    -- **FUNCTION_CALL:** ...
  rest = rest:gsub("^%s+", "")
  for i = #closing, early + 1, -1 do              -- `FUNCTION_CALL: ...`
    local body = rest:match "^(.-)%s*$"
    if body:sub(-#closing[i]) == closing[i] then rest = body:sub(1, -#closing[i] - 1) end
  end
  return rest
end


local function split(text)
  local parts = {}
  for part in (text .. "|"):gmatch "([^|]*)|" do parts[#parts + 1] = part end
  return parts
end


local function call_of(line)
  local rest = after(line, "FUNCTION_CALL")
  local parameters = rest and split(rest)
  local name = parameters and strings.trim(table.remove(parameters, 1)):gsub("%(%)$", ""):match "^[`*]*(.-)[`*]*$"
  if name and name ~= "" then return { tool = name, parameters = parameters } end
end


local function answer_of(line)
  local rest = after(line, "FINAL_ANSWER")
  if rest then return { final = rest:match "^%[(.-)%]" or strings.trim(rest) } end
end


--- Removes thoughts: models that think aloud do it between tags, and a line in there is not their answer.
local function without_thoughts(text)
  text = text:gsub("<think>.-</think>", ""):gsub("^.-</think>", "")
  return (text:gsub("<think>.*$", ""))
end


local function parse(reply)
  local text = type(reply) == "table" and reply.text or reply
  for line in without_thoughts(text or ""):gmatch "[^\n]+" do
    local parsed = call_of(line) or answer_of(line)
    if parsed then return parsed end
  end
end


local function described(number, tool)
  local function joined(text) return (strings.trim(text):gsub("%s*\n%s*", " ")) end

  local text = ("%d. %s"):format(number, arguments.signature(tool))
  if tool.description then text = text .. " - " .. joined(tool.description) end
  local lines = { text, "   FUNCTION_CALL: " .. arguments.usage(tool) }
  for _, name in ipairs(arguments.order(tool)) do
    local schema = tool.inputSchema.properties[name]
    local about = type(schema) == "table" and schema.description
    if about then lines[#lines + 1] = ("   %s: %s"):format(name, joined(about)) end
  end
  return table.concat(lines, "\n")
end


--- Sends the model's reply back with what was wrong. Ends the run after too many such replies in a row.
local function told(state, said, kind, text)
  local memory = state.memory
  memory.unusable = (memory.unusable or 0) + 1
  local decision = {
    messages = { { role = "assistant", text = said }, { role = "user", text = text } },
    notes    = { { kind = kind, text = text } },
  }
  if memory.unusable >= LIMITS.unusable then
    decision.stop = {
      ok = false, reason = "no_progress",
      message = ("%d replies in a row led to no tool call. The last problem: %s"):format(memory.unusable, text),
    }
  end
  return decision
end


--- Says why this call may not be made (again); nil if it may.
local function refusal(calls, tool, values)
  local failures = ledger.failures(calls, tool.name)
  if failures > LIMITS.retries then
    return "retry_refused", ("%s has failed %d times and may be retried only once. Take another step, or answer "
      .. "FINAL_ANSWER: [done]."):format(tool.name, failures)
  end
  local same, changed = ledger.same(calls, tool.name, values)
  if not same then return nil end
  if not same.failed then
    return "repeat_refused", ("You already called %s and it answered: %s. Never call the same tool twice with the "
      .. "same parameters. Take the next step, or answer FINAL_ANSWER: [done].")
      :format(same.line, strings.cut(same.text, 300))
  end
  -- The same call may be the one retry if it has no parameters to adjust, or if another call has succeeded meanwhile.
  if not changed and next(values) ~= nil then
    return "repeat_refused", ("You already called %s and it failed: %s. Adjust the parameters, do not repeat the "
      .. "same call."):format(same.line, strings.cut(same.text, 300))
  end
end


local function finished(state, parsed)
  local said = "[" .. parsed.final .. "]"
  local stop = ledger.ending(state, said)
  if stop.ok then stop.message = parsed.final end
  return { messages = { { role = "assistant", text = "FINAL_ANSWER: " .. said } }, stop = stop }
end


local function decide(state, reply)
  local parsed = parse(reply)
  if not parsed then
    local said = strings.trim(reply.text or "")
    local cut = reply.stop == "length" and "Your reply was cut off before it was complete. " or ""
    return told(state, said == "" and "(empty)" or strings.cut(said, LIMITS.echo), "malformed_reply", cut .. REMINDER)
  end
  if parsed.final then return finished(state, parsed) end

  local line = table.concat({ parsed.tool, table.unpack(parsed.parameters) }, "|")
  local said = "FUNCTION_CALL: " .. line
  local tool = ledger.tool(state.tools, parsed.tool)
  if not tool then
    return told(state, strings.cut(said, LIMITS.echo), "unknown_tool", ("Unknown tool %s. Available: %s")
      :format(strings.cut(parsed.tool, 60), table.concat(ledger.names(state.tools), ", ")))
  end
  local values, problem = arguments.from_line(tool, parsed.parameters)
  if not values then return told(state, said, "bad_arguments", problem) end
  local kind, why = refusal(state.calls, tool, values)
  if kind then return told(state, said, kind, why) end

  state.memory.unusable = 0
  return {
    messages = { { role = "assistant", text = said } },
    calls    = { { id = "call_" .. state.turn, tool = tool.name, arguments = values, line = strings.one_line(line) } },
  }
end


---@type agent.Rule
return {
  description = "One line a turn: FUNCTION_CALL: name|p1|p2|... or FINAL_ANSWER: [done]",
  native      = false,
  parse       = parse,
  decide      = decide,

  describe = function(tools)
    local lines = {}
    for i, tool in ipairs(tools) do lines[i] = described(i, tool) end
    return table.concat(lines, "\n")
  end,

  request = function(state)
    local system = state.system
    if not system:find("FUNCTION_CALL:", 1, true) or not system:find("FINAL_ANSWER:", 1, true) then
      system = system .. PROTOCOL
    end
    return { system = system, messages = state.messages }
  end,

  results = function(_, calls)
    local texts = {}
    for i, call in ipairs(calls) do
      texts[i] = ("%s returned: %s"):format(call.tool, strings.budget(call.text, LIMITS.answer))
    end
    return { { role = "user", text = table.concat(texts, "\n") } }
  end,

  examples = {
    { "FUNCTION_CALL: open_keynote", want = { tool = "open_keynote", parameters = {} } },
    { "FUNCTION_CALL: draw_rectangle|384|378|1152|324",
      want = { tool = "draw_rectangle", parameters = { "384", "378", "1152", "324" } } },
    { "FUNCTION_CALL: add_text_in_keynote|  a ¦ b ",
      want = { tool = "add_text_in_keynote", parameters = { "  a ¦ b " } } },
    { "FUNCTION_CALL:get_slide_size", want = { tool = "get_slide_size", parameters = {} } },
    { "FUNCTION_CALL: open_keynote()", want = { tool = "open_keynote", parameters = {} } },
    { "I will open it first.\n\nFUNCTION_CALL: open_keynote\nFINAL_ANSWER: [done]",
      want = { tool = "open_keynote", parameters = {} } },
    { "```\nFUNCTION_CALL: open_keynote\n```", want = { tool = "open_keynote", parameters = {} } },
    { "**FUNCTION_CALL:** draw_rectangle|1|2|3|4",
      want = { tool = "draw_rectangle", parameters = { "1", "2", "3", "4" } } },
    { "`FUNCTION_CALL: add_text_in_keynote|say `hi``",
      want = { tool = "add_text_in_keynote", parameters = { "say `hi`" } } },
    { '"FUNCTION_CALL: open_keynote"', want = { tool = "open_keynote", parameters = {} } },
    { "1) FUNCTION\\_CALL: open_keynote", want = { tool = "open_keynote", parameters = {} } },
    { "<think>FUNCTION_CALL: draw_rectangle?</think>FUNCTION_CALL: open_keynote",
      want = { tool = "open_keynote", parameters = {} } },
    { "FINAL_ANSWER: [done]", want = { final = "done" } },
    { "FINAL_ANSWER: [done] The text is inside the rectangle.", want = { final = "done" } },
    { "I would call FUNCTION_CALL: open_keynote", want = nil },
    { "", want = nil },
  },
}
