--- The option --env of commands that start an MCP server.

local env = require "sys.env"

local M = {}

M.OPTION = { "env", "string", "a variable for a server that is started; NAME alone passes on the one that is set here",
  letter = "e", value = "NAME[=VALUE]", repeatable = true }


--- Reads --env NAME=VALUE, or NAME for our own value. The program gets no others except those that every program needs.
---@param args { env?: string[] }
---@param spec sys.mcp.Spec  its env is filled in
---@return boolean? ok
---@return string?  err
function M.add(args, spec)
  for _, word in ipairs(args.env or {}) do
    local name, value = word:match "^([^=]+)=(.*)$"
    if not name then name, value = word, env.get(word) end
    if not value or name == "" then
      return nil, ("--env %s: there is no such environment variable. Write NAME=VALUE"):format(word)
    end
    spec.env = spec.env or {}
    spec.env[name] = value
  end
  return true
end


return M
