--- perigee pack approve: binds the user's approval to the files as they are.

local desk        = require "pack.desk"
local packs       = require "sys.packs"
local permissions = require "pack.permissions"
local record      = require "pack.record"
local report      = require "pack.report"

local M = {}

local WORDS = { missing = "removed" }


--- True if the files are still those that were shown.
local function unchanged(made)
  local now = packs.files(made.manifest.name) or {}
  if #now ~= #made.files then return false end
  for i, file in ipairs(made.files) do
    if now[i].path ~= file.path or now[i].stamp ~= file.stamp then return false end
  end
  return true
end


--- Returns the pack's content, if it may be approved.
---@param name string
---@return pack.Content?
---@return string? err
---@return string? code
local function look(name)
  local made, err, code = desk.look(name, name)
  if not made then return nil, err, code end
  if made.manifest.name ~= name then
    return nil, ("%s: its pack.lua says that it is %s. Rename the directory"):format(name, made.manifest.name), "bad_pack"
  end
  return made
end


--- Shows what would be approved. Anything new since it was recorded is marked.
local function show(made, reach, known, io)
  report.print_pack(made, known or {}, io)
  if known and known.digest ~= made.digest then
    io:print "\nSince it was recorded:"
    report.print_changes(report.changes(known.files, made.files), io, WORDS)
  end
  if known and known.approved then
    local added, hidden = permissions.difference(known, reach)
    report.print_permissions(reach, io, added, hidden)
  else
    report.print_permissions(reach, io)
  end
end


---@param args {name: string, yes?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local held <close>, hold_err, hold_code = desk.hold(io)
  if not held then return nil, hold_err, hold_code end
  local chosen, err, code = desk.chosen { args.name }
  if not chosen then return nil, err, code end
  local records, made
  records, err, code = record.all()
  if not records then return nil, err, code end
  made, err, code = look(args.name)
  if not made then return nil, err, code end
  if chosen[1].approved then
    io:print(("%s is approved as it is."):format(args.name))
    return 0
  end
  local known, reach = records[args.name], permissions.of(made)
  show(made, reach, known, io)
  local yes, ok
  yes, err, code = desk.ask(args, io, "\nApprove it?")
  if yes == nil then return nil, err, code end
  if not yes then
    io:print(("%s stays not approved."):format(args.name))
    return 1
  end
  if not unchanged(made) then return nil, "its files changed since they were shown. Look at them again", "changed" end
  ok, err, code = record.set(args.name, record.of(made, reach, known or {}, true))
  if not ok then return nil, err, code end
  io:print(("Approved %s %s."):format(args.name, made.manifest.version))
end


return M
