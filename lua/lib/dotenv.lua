--- `.env` of the working directory, which may be a stranger's.

local env = require "sys.env"

local M = {}

--- Beginnings of names that look as if they were meant for this program, and how much of such a list is shown.
local OURS = { "PERIGEE_", "PEEKABOO_", "KEYNOTE_", "GEMINI_", "OPENAI_", "ANTHROPIC_", "OLLAMA_" }
local SHOWN = 400


--- True if such a file set the variable: that of this program, or of the Perigee that started it, perhaps in another directory.
---@param name string
---@return boolean
function M.of_directory(name)
  return (env.get("PERIGEE_OF_DIRECTORY", "") .. ","):find((", %s,"):format(name), 1, true) ~= nil
end


local function is_ours(name)
  for _, beginning in ipairs(OURS) do
    if name:sub(1, #beginning) == beginning then return not name:find "[^%u%d_]" end  -- it may be anything, and is shown
  end
end


--- Names of settings, "A, B"; nil: there is none.
---@param names? string  those that the file may not set, as sys.env.file() tells them
---@return string?
function M.ours(names)
  local list
  for name in (names or ""):gmatch "[^\n]+" do
    if is_ours(name) and #(list or "") < SHOWN then list = (list and list .. ", " or "") .. name:sub(1, 60) end
  end
  return list
end


return M
