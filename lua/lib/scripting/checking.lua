--- Runs the commands that only check what they read.

local process = require "sys.process"

local M = {}

M.PATIENCE = 20   -- seconds


--- Runs one of the checkers on a text, which is its standard input.
---@param argv string[]  one of `checkers`
---@param text string
---@return sys.process.Result? ended
---@return string? err
---@return string? code
function M.run(argv, text)
  local spec = table.move(argv, 1, #argv, 1, { input = text, cwd = "/", clean_env = true, whole_group = true,
    timeout = M.PATIENCE })
  local ended, err, code = process.run(spec)
  if ended and ended.signal then
    return nil, ("The script was not checked: %s was ended by signal %d while it read it."):format(argv[1], ended.signal),
      "check_failed"
  end
  return ended, err and "The script was not checked: " .. err, code
end


return M
