--- Where screenshot_slide saves if it is given no path.

local dotenv = require "dotenv"
local env    = require "sys.env"
local fs     = require "sys.fs"

local M = {}

local USUAL = "/tmp/mcp_keynote_slide.png"


--- Returns SCREENSHOT_PATH, or the usual path. A setting of `.env` in the working directory may be a stranger's, and an image at
--- its path would be replaced: it counts only in the directories that the user granted for writing.
---@return string path
---@return string? note  why the setting was not used
function M.get()
  local path = env.get("SCREENSHOT_PATH", USUAL)
  if path == USUAL or not dotenv.of_directory "SCREENSHOT_PATH" or fs.resolve(path, { write = true }) then return path end
  return USUAL, ("SCREENSHOT_PATH is %q by .env of the working directory, which was not used: it is not in a directory that is "
    .. "granted for writing. Pass path, or set it in ~/.config/perigee/.env."):format(path)
end


return M
