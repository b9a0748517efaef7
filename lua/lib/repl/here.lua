--- The backend of `perigee repl`: this process.

local engine = require "sys.engine"
local repl   = require "repl.session"

local M = {}


---@class repl.Backend
---@field banner string
---@field evaluate fun(typed: string, width: integer, color: boolean): "shown"|"nothing"|"error"|"gone", string?
---@field complete fun(line: string): string[], integer, string?
---@field wait? fun(): string   returns the reason when the session is over

---@return repl.Backend
function M.open()
  local session = repl.new()
  return {
    banner = ("perigee %s. tools.NAME{...} calls a tool, Tab completes, Ctrl-D leaves.\n`help` says more."):format(
      engine.status().version),
    evaluate = function(typed, width, color)
      local kind, what = session:evaluate(typed, { width = width })
      return kind, kind == "shown" and repl.painted(what, color) or what
    end,
    complete = function(line) return session:complete(line) end,
  }
end


return M
