--- The server's status in the screen tools: on request, and once at the end of the first result.

local choice = require "vision.choice"
local engine = require "sys.engine"
local state  = require "sys.state"

local M = {}


--- The providers of PEEKABOO_AI_PROVIDERS, each as "provider/model", in order.
---@return string[]
function M.providers()
  local list = {}
  for i, item in ipairs(choice.configured()) do list[i] = choice.label(item) end
  return list
end


---@return string
function M.text()
  local providers = table.concat(M.providers(), ", ")
  if providers == "" then providers = "None Configured. Set PEEKABOO_AI_PROVIDERS ENV." end
  return ("\n\n--- Peekaboo MCP Server Status ---\nName: Perigee\nVersion: %s\n"
    .. "Configured AI Providers (from PEEKABOO_AI_PROVIDERS ENV): %s\n---"):format(engine.status().version, providers)
end


--- Adds the status to the first text of a successful result, once per run of the engine.
---@param content table[]
function M.add_once(content)
  local mine = state.open "screen"
  if mine.status_sent then return end
  mine.status_sent = true
  for _, block in ipairs(content) do
    if block.type == "text" then
      block.text = block.text .. M.text()
      return
    end
  end
  table.insert(content, 1, { type = "text", text = M.text() })
end


return M
