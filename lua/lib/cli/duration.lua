--- Shows in a few words how long something takes, or has taken.

local M = {}


--- Returns "0.2 s", "12 s", "3 min", "2 h 5 min" or "4 d", only as exact as is useful.
---@param seconds number
---@return string
function M.shown(seconds)
  if seconds < 9.95 then return ("%.1f s"):format(seconds) end
  local whole = math.floor(seconds)
  if whole < 120 then return whole .. " s" end
  if whole < 7200 then return whole // 60 .. " min" end
  if whole < 172800 then return ("%d h %d min"):format(whole // 3600, whole % 3600 // 60) end
  return whole // 86400 .. " d"
end


return M
