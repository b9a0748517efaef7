--- Sends input, and compares entered text with the content of its field.

local input    = require "sys.input"
local readback = require "desktop.read_back"

local M = {}


--- The field that text will go to. Only typing uses the remembered state: a paste is slow in any case.
---@return read_back.Field? field
---@return read_back.Unread? unread
local function field_for(args, spec)
  if not args.text then return readback.forget() end
  if args.secret then return nil end
  local field, unread = readback.before(args.text)
  if field and field.still and spec.kind ~= "text" then return readback.look() end
  return field, unread
end


--- The comparison, if a menu or popup is open and the text was read back; otherwise nil. A field with other text may just be
--- unchanged, and a field whose length need not change proves nothing.
---@param field read_back.Field
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
  local field, unread = field_for(args, spec)
  spec.still = field and field.still or nil
  local outcome, err, code, so_far = input.send(spec)
  if spec.still and code == "changed" then
    local late = so_far and so_far.late
    spec.still = nil
    field, unread = readback.look()
    outcome, err, code, so_far = input.send(spec)
    if outcome then outcome.late = outcome.late or late end
  end
  if not outcome then return nil, nil, err, code, so_far end
  if outcome.got_it and not outcome.open then return nil, outcome end
  if outcome.open and not field then return nil, outcome end
  if not field then return unread and { [unread] = true } or nil, outcome end
  local compared = readback.after(field, args.text, args.action == "type", outcome.told)
  if outcome.open then compared = past_open(field, args.text, compared) end
  return compared, outcome
end


return M
