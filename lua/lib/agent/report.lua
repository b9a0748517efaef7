--- Formats the events of a run as lines of the log, as lines on a terminal and as JSON. It changes nothing.
--
-- An event is a plain table with `type` and `time` ("2026-01-02T03:04:05.678Z"); the rest depends on the type:
--   start        run_id, version, request, prompt, provider, model, stand_in, why, servers, tools, max_turns
--   request      turn, rule, system, messages        is sent to the model
--   reply        turn, text, tool_calls, stop, usage, model, elapsed
--   model_error  turn, message, code
--   call         turn, id, tool, arguments, line     a tool is called
--   result       turn, id, tool, text, failed, elapsed, images, structured, or structured_bytes if it was too large to keep
--   note         turn, kind, text, told              `told` is true if the model was told so
--   final        turn, text                          the model ends the run
--   server       line                                the server's stderr
--   outcome      ok, reason, code, message, turns, calls, elapsed, usage

local json    = require "sys.json"
local strings = require "agent.strings"
local clean   = require("terminal.text").clean

local report = {}

local WIDTH = 240  -- columns of a line on a terminal

---@class agent.Run   the facts about the run that the lines need
---@field run_id   string
---@field speaker  string   "LLM", "planner" or "replay": only a model is called "LLM"
---@field logged   integer  the number of messages of the transcript that the log already has
---@field system?  string   the system prompt that the log already has

--- Names the side that replies.
---@param provider table
---@param name string
---@return string
function report.speaker(provider, name)
  return provider.stand_in and "planner" or name == "replay" and "replay" or "LLM"
end


local function seconds(value)
  return value and (" (%.3f s)"):format(value) or ""
end


local function tokens(usage)
  if not usage or (usage.input or 0) + (usage.output or 0) == 0 then return "" end
  return (" [%s tokens in, %s out]"):format(usage.input or "?", usage.output or "?")
end


local function names_of(tools)
  local names = {}
  for i, tool in ipairs(tools) do names[i] = tool.name end
  return names
end


local function model_of(event)
  local name = event.model and event.provider .. "/" .. event.model or event.provider
  return ("%s%s (%s)"):format(name, event.stand_in and ", a rule-based planner, not a model" or "", event.why)
end


local function tools_of(event, most)
  local names = names_of(event.tools)
  local count = #names
  if count <= most then return table.concat(names, ", ") end
  return ("%s and %d more"):format(table.concat(names, ", ", 1, most), count - most)
end


--- Adds the lines of a text, each with the label in front.
local function labelled(lines, label, text)
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = label .. "| " .. strings.one_line(line) end
end


local function called(call)
  return call.name .. " " .. (call.malformed or json.encode(call.arguments or {}) or "")
end


local client = {
  start = function(event)
    return {
      ("run started: perigee %s, prompt %s, at most %d turns"):format(event.version, event.prompt, event.max_turns),
      "model: " .. model_of(event),
      "tools listed: " .. table.concat(names_of(event.tools), ", "),
      "request: " .. strings.one_line(event.request),
    }
  end,

  --- Shows only the messages that the log does not have yet. The rest of the transcript is above.
  request = function(event, run)
    local lines = {}
    if event.system and event.system ~= run.system then
      run.system = event.system
      labelled(lines, "system prompt", event.system)
    end
    for i = run.logged + 1, #event.messages do
      local message = event.messages[i]
      if message.role == "user" then labelled(lines, "user prompt", message.text) end
    end
    run.logged = #event.messages
    return lines
  end,

  reply = function(event, run)
    local lines = {}
    if event.text ~= "" then labelled(lines, run.speaker .. " reply", event.text) end
    for _, call in ipairs(event.tool_calls or {}) do
      lines[#lines + 1] = ("%s reply, tool call: %s"):format(run.speaker, strings.one_line(called(call)))
    end
    if #lines == 0 then lines[1] = run.speaker .. " reply is empty" end
    lines[#lines] = lines[#lines] .. tokens(event.usage) .. seconds(event.elapsed)
    return lines
  end,

  model_error = function(event) return { ("model failed (%s): %s"):format(event.code or "?", event.message) } end,
  call        = function(event) return { "FUNCTION_CALL parsed: " .. event.line } end,

  final = function(event)
    local answer = event.text:match "^FINAL_ANSWER: (.*)$"
    return { answer and "FINAL_ANSWER parsed: " .. answer or "final answer: " .. strings.one_line(event.text) }
  end,

  result = function(event)
    return { ("tool result: %s -> %s%s"):format(event.tool, strings.one_line(event.text), seconds(event.elapsed)) }
  end,

  note = function(event)
    return { (event.told and "told the model (%s): %s" or "note (%s): %s")
      :format(event.kind, strings.one_line(event.text)) }
  end,

  outcome = function(event)
    return { ("run ended: %s, %d turns, %d calls%s%s: %s"):format(event.ok and "ok" or event.reason, event.turns,
      event.calls, tokens(event.usage), seconds(event.elapsed), strings.one_line(event.message)) }
  end,
}

--- Shows a time: "2025-10-02T12:01:07Z"
local function stamp(at)
  return (at:gsub("%.%d+Z$", "Z"))
end


--- Returns the event as lines of the log file, each with its line end.
---@param event table
---@param run agent.Run
---@return string
function report.log(event, run)
  if event.type == "server" then
    local line = strings.one_line(event.line)
    -- A server that stamps its own lines (ours does) keeps its stamp, in whole seconds as the others.
    line = line:gsub("^(%[%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d)%.%d+Z%]", "%1Z]")
    if not line:match "^%[%d%d%d%d%-%d%d%-%d%dT" then line = ("[%s][server] %s"):format(stamp(event.time), line) end
    return line .. "\n"
  end
  local prefix = ("[%s][client][run_id=%s] "):format(stamp(event.time), run.run_id)
  local lines = client[event.type] and client[event.type](event, run) or {}
  for i, line in ipairs(lines) do lines[i] = prefix .. line .. "\n" end
  return table.concat(lines)
end


local CYAN, GREEN, RED, PLAIN = "\27[36m", "\27[32m", "\27[31m", "\27[0m"

local shown = {
  start = function(event)
    return { "client", "model: " .. model_of(event) }, { "client", "tools listed: " .. tools_of(event, 12) }
  end,
  call        = function(event, run) return { "client", run.speaker .. " => FUNCTION_CALL: " .. event.line } end,
  final       = function(event, run) return { "client", run.speaker .. " => " .. event.text } end,
  result      = function(event) return { "server", event.text, bad = event.failed } end,
  model_error = function() end,
  note = function(event, run)
    return { "client", (event.told and "told the " .. run.speaker .. ": " or "note: ") .. event.text }
  end,
  outcome = function(event)
    if event.ok then
      return { "client", ("done: %d turns, %d calls, %.1f s"):format(event.turns, event.calls, event.elapsed or 0) }
    end
    return { "client", ("stopped (%s): %s"):format(event.reason, event.message), bad = true, whole = true }
  end,
}

local function terminal_line(item, color)
  local side, text = item[1], clean(strings.one_line(strings.trim(item[2])))
  if not item.whole then text = strings.cut(text, WIDTH) end
  if not color then return ("[%s] %s\n"):format(side, text) end
  local paint = side == "server" and GREEN or CYAN
  return ("%s[%s]%s %s%s%s\n"):format(paint, side, PLAIN, item.bad and RED or "", text, item.bad and PLAIN or "")
end


--- Returns the event for a person who watches: some lines, or "".
---@param event table
---@param run agent.Run
---@param color? boolean
---@return string
function report.terminal(event, run, color)
  local show = shown[event.type]
  local lines = {}
  for i, item in ipairs(show and { show(event, run) } or {}) do lines[i] = terminal_line(item, color) end
  return table.concat(lines)
end


--- Returns the last words of the model, without those that end the run.
---@param event table  of type final
---@return string
function report.answer(event)
  return strings.trim(event.text:match "^FINAL_ANSWER: (.*)$" or event.text)
end


--- Returns the event as one line of JSON.
---@param event table
---@return string
function report.json(event)
  return assert(json.encode(event)) .. "\n"
end


return report
