--- The parts that actions of the pointer share: the point at which they act, and its text.

local pictures = require "desktop.pictures"
local windows  = require "desktop.windows"

local M = {}

---@class input.Action
---@field name string
---@field done string       "Clicked", for the result; with " to" at its end before the place
---@field takes string[]    arguments that it takes besides `action`
---@field needs? string[]   those of them that are required
---@field sends table       its part of the argument of sys.input.send(); the rest is in the arguments
---@field misfit? fun(args: table): string?  the error in arguments that do not belong together
---@field complete? fun(spec: table, args: table): table?, string?, string?  adds to the spec, and returns it with a note; or nil,
---                         message, code
---@field told? fun(spec: table, outcome: sys.input.Outcome): string  the text in place of `done`
---@field remark? fun(args: table): string?  a line of the result

--- The arguments of an action that uses a button.
M.BUTTON = { "x", "y", "image_id", "button", "modifiers" }


--- A position in the arguments as a point of the desktop.
---@return {x: number, y: number, note?: string}? point
---@return string? err
---@return string? code
function M.point(args, x, y)
  if not args.image_id then return { x = x, y = y } end
  return pictures.point(args.image_id, x, y)
end


--- Adds the point. Without one the action happens where the pointer is.
---@param spec table
---@param args table
---@return table? spec
---@return string? note_or_err
---@return string? code
function M.complete(spec, args)
  if not args.x then return spec end
  local at, err, code = M.point(args, args.x, args.y)
  if not at then return nil, err, code end
  spec.x, spec.y = at.x, at.y
  return spec, at.note
end


--- "12,30.5"
---@param at {x: number, y: number}
---@return string
function M.place(at)
  return ("%s,%s"):format(windows.number(at.x), windows.number(at.y))
end


return M
