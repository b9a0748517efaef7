--- Drags from a point to another, or along a path.

local pointer = require "desktop.input.pointer"


---@return table? path
---@return string? err
---@return string? code
local function path_of(args)
  local given = args.path or { { x = args.x, y = args.y }, { x = args.to_x, y = args.to_y } }
  local path = {}
  for i, place in ipairs(given) do
    local at, err, code = pointer.point(args, place.x, place.y)
    if not at then return nil, err, code end
    path[i] = { x = at.x, y = at.y }
  end
  return path
end


---@type input.Action
return {
  name  = "drag",
  done  = "Dragged to",
  takes = { "path", "to_x", "to_y", "duration", table.unpack(pointer.BUTTON) },
  sends = { kind = "drag" },

  misfit = function(args)
    if args.path or args.x and args.to_x and args.to_y then return nil end
    return "drag requires x, y, to_x and to_y, or a path of at least two points."
  end,

  complete = function(spec, args)
    local path, err, code = path_of(args)
    if not path then return nil, err, code end
    spec.path = path
    return spec
  end,
}
