--- Turns the wheel.

local pointer = require "desktop.input.pointer"

--- Pixels that browsers scroll for one notch of the wheel. Other applications may scroll by another amount.
local NOTCH_PIXELS = 53

local NOTCHES_MAX = 1000  -- the most that sys.input accepts at once


--- Whole notches of the wheel, and at least one if the amount is not 0.
---@param amount number?
---@param unit string
---@return integer
local function notches(amount, unit)
  if not amount or amount == 0 then return 0 end
  local exact = math.abs(unit == "pixels" and amount / NOTCH_PIXELS or amount)
  local whole = math.max(1, math.floor(exact + 0.5))
  return amount < 0 and -whole or whole
end


local function misfit(args)
  local unit = args.scroll_unit or "lines"
  local x, y = notches(args.scroll_x, unit), notches(args.scroll_y, unit)
  if x == 0 and y == 0 then
    return "scroll requires scroll_x or scroll_y. Pass how far to scroll right or down; negative values scroll left or up."
  end
  if math.max(math.abs(x), math.abs(y)) > NOTCHES_MAX then
    return ("One call scrolls by at most %d notches. Split the scroll into several calls."):format(NOTCHES_MAX)
  end
end


local function scroll_text(spec)
  local parts = {}
  local function add(amount, back, forth)
    local count = math.abs(amount)
    if count == 0 then return end
    parts[#parts + 1] = ("%d notch%s %s"):format(count, count == 1 and "" or "es", amount < 0 and back or forth)
  end
  add(spec.lines_y, "up", "down")
  add(spec.lines_x, "left", "right")
  return "Scrolled " .. table.concat(parts, ", ")
end


---@type input.Action
return {
  name   = "scroll",
  done   = "Scrolled",
  takes  = { "x", "y", "image_id", "modifiers", "scroll_x", "scroll_y", "scroll_unit" },
  sends  = { kind = "scroll" },
  misfit = misfit,

  complete = function(spec, args)
    local placed, note, code = pointer.complete(spec, args)
    if not placed then return nil, note, code end
    spec.lines_x = notches(args.scroll_x, args.scroll_unit or "lines")
    spec.lines_y = notches(args.scroll_y, args.scroll_unit or "lines")
    return spec, note
  end,

  told = function(spec, outcome)
    return ("%s, at %s."):format(scroll_text(spec), pointer.place(outcome.pointer))
  end,

  remark = function(args)
    if args.scroll_unit ~= "pixels" then return nil end
    return ("A notch is about %d pixels in browsers; other applications may scroll by another amount."):format(NOTCH_PIXELS)
  end,
}
