--- perigee pack remove: removes packs and their records.

local desk   = require "pack.desk"
local record = require "pack.record"
local stage  = require "pack.stage"
local text   = require "terminal.text"

local M = {}


---@param args {name: string[], yes?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local held <close>, hold_err, hold_code = desk.hold(io)
  if not held then return nil, hold_err, hold_code end
  local chosen, err, code = desk.chosen(args.name)
  if not chosen then return nil, err, code end
  for _, pack in ipairs(chosen) do
    local yes, ok
    yes, err, code = desk.ask(args, io, ("Remove the pack %s (%s)?"):format(text.clean(pack.name), text.clean(pack.path)))
    if yes == nil then return nil, err, code end
    if yes then
      ok, err, code = stage.remove(pack.name)
      if not ok then return nil, err, code end
      ok, err, code = record.set(pack.name, nil)
      if not ok then return nil, err, code end
      io:print("Removed " .. text.clean(pack.name) .. ".")
    end
  end
end


return M
