--- A recorded run: the replies of its journal, one after the other.
--
-- A request that differs from the recorded one is noted, not refused, because ids and times differ from run to run. A missing
-- reply ends the run.

local function last_text(messages)
  local message = messages[#messages] or {}
  if message.results then
    local texts = {}
    for i, result in ipairs(message.results) do texts[i] = result.text end
    return table.concat(texts, "\n")
  end
  return message.text or ""
end

local function difference(recorded, request)
  if not recorded then return nil end
  if #recorded.messages ~= #request.messages then
    return ("the recorded request has %d messages, this one %d"):format(#recorded.messages, #request.messages)
  end
  local was, is = last_text(recorded.messages), last_text(request.messages)
  if was ~= is then return ("the recorded request ends with %q, this one with %q"):format(was, is) end
end

local function complete(request, context)
  local tape = context.tape
  if not tape then
    return nil, "There is nothing to replay. Name a journal with --replay FILE or --model replay/FILE.", "no_journal"
  end
  local position = (context.memory.position or 0) + 1
  local turn = tape.turns[position]
  if not turn then
    local count = #tape.turns
    return nil, ("The run requests reply %d, but the journal has only %d. %s"):format(position, count,
      "The recorded run ended there, so this run differs from it."), "diverged"
  end
  context.memory.position = position
  if turn.error then return nil, turn.error.message, turn.error.code end
  local reply = {}
  for key, value in pairs(turn.reply) do reply[key] = value end
  local differs = difference(turn.request, request)
  reply.note = differs and ("replay: " .. differs) or nil
  return reply
end

local RECORDED = { turns = { { request = { messages = { { role = "user", text = "Hello" } } },
  reply = { text = "FINAL_ANSWER: [done]", stop = "end" } } } }

---@type Provider
return {
  description    = "The replies of a recorded run (--replay FILE)",
  supports_tools = true,
  complete       = complete,

  examples = {
    { "gives the recorded reply", tape = RECORDED, request = { messages = { { role = "user", text = "Hello" } } },
      want = { text = "FINAL_ANSWER: [done]", stop = "end" } },
    { "reports a request that differs", tape = RECORDED, request = { messages = { { role = "user", text = "Hi" } } },
      want = { text = "FINAL_ANSWER: [done]", stop = "end",
        note = 'replay: the recorded request ends with "Hello", this one with "Hi"' } },
    { "has only the recorded replies", tape = { turns = {} },
      request = { messages = { { role = "user", text = "Hello" } } }, code = "diverged" },
  },
}
