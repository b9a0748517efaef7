--- A recorded run, read from its journal.

local fs      = require "sys.fs"
local json    = require "sys.json"
local ledger  = require "agent.ledger"
local strings = require "agent.strings"

local tape = {}

local FORMAT = "perigee.run/1"

tape.FORMAT = FORMAT
tape.LARGEST = 64 * 1024 * 1024   -- bytes of a journal

---@class agent.Tape
---@field path    string
---@field start   table    the first event
---@field turns   {request: table, reply?: table, error?: table}[]  one for each request to the model
---@field results table[]  the answers of tools, in order
---@field outcome? table   nil if the run did not end
---@field position integer the number of results played so far

--- Reads a journal. An incomplete last line, which a run leaves that was killed, is left out.
---@param path string
---@return agent.Tape?
---@return string? err
---@return string? code
function tape.read(path)
  local bytes, err, code = fs.read(path, tape.LARGEST)
  if not bytes then return nil, ("The journal cannot be read: %s"):format(err), code end
  return tape.parse(bytes, path)
end

--- Reads the text of a journal.
---@param bytes string
---@param path string  for messages
---@return agent.Tape?
---@return string? err
---@return string? code  "bad_journal"
function tape.parse(bytes, path)
  local self = { path = path, turns = {}, results = {}, position = 0 }
  local calls = {}
  for line in bytes:gmatch "[^\n]+" do
    local event = json.decode(line)
    local kind = type(event) == "table" and event.type
    -- Output of a server that starts is recorded before the run's own first event.
    if not self.start and kind ~= "server" and (kind ~= "start" or event.format ~= FORMAT) then
      return nil, ("%s is not the journal of an agent run (%s)."):format(path, FORMAT), "bad_journal"
    end
    local turn = self.turns[#self.turns]
    if kind == "start" then self.start = event
    elseif kind == "request" then self.turns[#self.turns + 1] = { request = event }
    elseif kind == "reply" and turn then turn.reply = event
    elseif kind == "model_error" and turn then turn.error = event
    elseif kind == "call" then calls[event.id .. "/" .. event.turn] = event
    elseif kind == "result" then
      local call = calls[event.id .. "/" .. event.turn]
      event.arguments, event.line = call and call.arguments or {}, call and call.line or event.tool
      self.results[#self.results + 1] = event
    elseif kind == "outcome" then self.outcome = event end
  end
  if not self.start then return nil, path .. " is empty.", "bad_journal" end
  local last = self.turns[#self.turns]
  if last and not last.reply and not last.error then self.turns[#self.turns] = nil end
  return self
end

--- Returns the recorded answer to a call; nil if the recording has another call there.
---@param self agent.Tape
---@param call {tool: string, arguments: table, line: string}
---@return {text: string, failed: boolean, structured?: any, elapsed?: number}? answer
---@return string? err
---@return string? code
function tape.answer(self, call)
  local position = self.position + 1
  local recorded = self.results[position]
  if not recorded then
    return nil, ("The run calls %s, but the recorded run made only %d calls.")
      :format(strings.cut(call.line, 200), #self.results), "diverged"
  end
  if ledger.key(recorded.tool, recorded.arguments) ~= ledger.key(call.tool, call.arguments) then
    return nil, ("Call %d of the run is %s, the recorded one was %s.")
      :format(position, strings.cut(call.line, 200), strings.cut(recorded.line, 200)), "diverged"
  end
  self.position = position
  return { text = recorded.text, failed = recorded.failed, structured = recorded.structured, elapsed = recorded.elapsed }
end

return tape
