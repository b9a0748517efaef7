-- Your own agent: a model on an OpenAI-compatible server, the tools of an MCP server, and a loop.
-- `perigee agent` does this with more care; these are the essentials.
--
--   OPENAI_BASE_URL=http://127.0.0.1:8080/v1 perigee run examples/scripts/own_agent.lua "Draw a rectangle."

local engine  = require "sys.engine"
local mcp     = require "sys.mcp"
local perigee = require "perigee"

local model = assert(engine.provider "openai")
local server <close> = assert(mcp.connect { command = "perigee", args = { "serve", "--toolset", "keynote" } })
local messages = { { role = "user", text = perigee.args[1] or "What can you do?" } }
local context = { request_text = messages[1].text, memory = {} }

for _ = 1, 8 do
  local reply = assert(model.complete({ messages = messages, tools = server:list_tools() }, context))
  messages[#messages + 1] = { role = "assistant", text = reply.text, tool_calls = reply.tool_calls, native = reply.native }
  if not reply.tool_calls or #reply.tool_calls == 0 then
    print(reply.text)
    break
  end
  local results = {}
  for i, call in ipairs(reply.tool_calls) do
    local result, err = server:call(call.name, call.arguments)
    local text = result and result.text or err
    print(call.name, text)
    results[i] = { id = call.id, name = call.name, text = text, failed = not result or result.isError == true }
  end
  messages[#messages + 1] = { role = "tool", results = results }
end
