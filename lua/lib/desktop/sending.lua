--- Sends input, and compares entered text with the content of its field.

local input    = require "sys.input"
local readback = require "desktop.read_back"

local M = {}


--- The field that text will go to.
---@return sys.element.Field? field
---@return read_back.Unread? unread
local function field_for(args)
  if not args.text then return readback.forget() end
  if args.secret then return nil end
  return readback.before()
end


--- The comparison, if a menu or popup is open and the text was read back; otherwise nil. A field with other text may just be
--- unchanged, and a field whose length need not change proves nothing.
---@param field sys.element.Field
local function past_open(field, text, compared)
  return compared and compared.arrived and readback.changes_length(field, text) and compared or nil
end


--- Sends input. Entered text is compared with the content of its field, if that can be read.
---@param args {action: string, text?: string, secret?: boolean}
---@param spec sys.input.Spec
---@return read_back.Compared? compared
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function M.send(args, spec)
  local field, unread = field_for(args)
  local outcome, err, code, so_far = input.send(spec)
  if not outcome then return nil, nil, err, code, so_far end
  if outcome.got_it and not outcome.open then return nil, outcome end
  if outcome.open and not field then return nil, outcome end
  if not field then return unread and { [unread] = true } or nil, outcome end
  local compared = readback.after(field, args.text, args.action == "type")
  if outcome.open then compared = past_open(field, args.text, compared) end
  return compared, outcome
end


return M
