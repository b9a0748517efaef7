--- Opens a URL in the user's browser.

local env     = require "sys.env"
local process = require "sys.process"

local M = {}

-- A launcher that still runs after so long is the browser itself.
local SECONDS = 3


--- Returns the program that opens URLs here; nil and a message if there is none.
local function launcher()
  if env.platform == "macos" then return "open" end
  local named = (env.get "BROWSER" or ""):match "^[^:%%]+"
  if named and not named:find "%s" then return named end
  if not env.get "DISPLAY" and not env.get "WAYLAND_DISPLAY" then return nil, "there is no display" end
  return "xdg-open"
end


---@param address string
---@return true? ok
---@return string? err
---@return string? code  "no_display", "not_found", "failed"
function M.open(address)
  local program, why = launcher()
  if not program then return nil, why, "no_display" end
  local child, err, code = process.start { program, address, discard = true }
  if not child then return nil, err, code end
  local result = child:wait(SECONDS)
  if not result then
    child:release()
    return true
  end
  if result.code == 0 then return true end
  return nil, ("%s could not open the URL"):format(program), "failed"
end

return M
