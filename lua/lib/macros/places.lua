--- Places in windows that no element tells of: what they look like.

local crypto = require "sys.crypto"
local screen = require "sys.screen"

local M = {}

local HALF = 12   -- points to each side


--- A digest of the picture around a point of a window; nil: it cannot be captured.
---@param each sys.window.Window
---@param x number  in points of the desktop
---@param y number
---@return string?
function M.picture(each, x, y)
  local box = { x = x - HALF, y = y - HALF, width = 2 * HALF, height = 2 * HALF }
  local taken = screen.capture { window = each, region = box, bytes = true }
  return taken and crypto.hex(crypto.sha256(taken.bytes) or "") or nil
end


return M
