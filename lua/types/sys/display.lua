---@meta sys.display

--- Displays. Points are the unit of everything on the desktop. The origin is the top left corner of the main display; others
--- may have negative coordinates. Failures are nil, message, code: "no_display", "display_lost", "timeout", "desktop_hung".
---@class sys.display
local display = {}

---@class sys.display.Display
---@field id integer
---@field name string               "HDMI-1"
---@field bounds sys.window.Rect    points
---@field work sys.window.Rect      the bounds without panels and docks
---@field scale number              pixels per point
---@field rotation number           clockwise rotation in degrees: 0, 90, 180, 270
---@field main boolean              true if its corner is 0, 0

---@class sys.display.Options
---@field timeout? number  seconds; default 10, at most 600

--- Lists all displays, the main one first.
---@param options? sys.display.Options
---@return sys.display.Display[]? displays
---@return string? err
---@return string? code
function display.list(options) end

--- Returns the position of the pointer.
---@param options? sys.display.Options
---@return number? x
---@return number|string y_or_err
---@return string? code
function display.cursor(options) end

return display
