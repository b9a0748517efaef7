--- perigee pack add: fetches a pack, shows what it can reach, and puts it in place.

local copy        = require "pack.copy"
local desk        = require "pack.desk"
local git         = require "pack.git"
local packs       = require "sys.packs"
local permissions = require "pack.permissions"
local record      = require "pack.record"
local report      = require "pack.report"
local source      = require "pack.source"
local stage       = require "pack.stage"

local M = {}


---@class pack.From
---@field source string
---@field ref? string
---@field commit? string

--- Puts the files that a source has into a directory.
---@param from pack.Source
---@param to string
---@param io perigee.IO
---@return pack.From? from  where the files are from, to be recorded
---@return string? err
---@return string? code
function M.fetch(from, to, io)
  if from.url then
    local commit, err, code = git.copy(from, to)
    if not commit then return nil, ("%s: %s"):format(from.url, err), code end
    return { source = from.url, ref = from.ref, commit = commit }
  end
  local root, err, code = io:grant(from.directory, "read")
  if not root then return nil, err, code end
  local ok
  ok, err, code = copy.copy(root, to)
  if not ok then return nil, ("%s: %s"):format(root, err), code end
  return { source = root }
end


local function is_there(name)
  for _, pack in ipairs(packs.list() or {}) do
    if pack.name == name then return true end
  end
  return false
end


--- Returns the content that was put together, if it can be a pack here.
---@return pack.Content?
---@return string? err
---@return string? code
local function look(staged, from)
  local made, err, code = desk.look(staged.name, from.source)
  if not made then return nil, err, code end
  local name = made.manifest.name
  if is_there(name) then
    return nil, ("there is a pack \"%s\" already. Run `perigee pack update %s`, or remove it first"):format(name, name), "exists"
  end
  return made
end


--- True if the user approves the pack. Without a terminal to ask on it waits for approval.
---@return boolean? approved
---@return string? err
---@return string? code
local function approves(args, io)
  if not args.yes and not io.interactive then return false end
  return desk.ask(args, io, "\nApprove it? Until you do, its tools are foreign and nothing else of it is loaded.")
end


local function tell(name, approved, io)
  if approved then
    io:print(("Added %s, approved. `perigee pack list` shows your packs."):format(name))
  else
    io:print(("Added %s, not approved: its tools are foreign, and nothing else of it is loaded. "
      .. "To approve it, run `perigee pack approve %s`."):format(name, name))
  end
end


---@param args {source: string, yes?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local wanted, err, code = source.parse(args.source)
  if not wanted then return nil, err, code end
  local held <close>, hold_err, hold_code = desk.hold(io)
  if not held then return nil, hold_err, hold_code end
  local staged <close>, stage_err, stage_code = stage.begin()
  if not staged then return nil, stage_err, stage_code end
  local from, made, approved, ok
  from, err, code = M.fetch(wanted, staged.path, io)
  if not from then return nil, err, code end
  made, err, code = look(staged, from)
  if not made then return nil, err, code end
  local reach = permissions.of(made)
  report.print_pack(made, from, io)
  report.print_permissions(reach, io)
  approved, err, code = approves(args, io)
  if approved == nil then return nil, err, code end
  ok, err, code = stage.place(staged, made.manifest.name)
  if not ok then return nil, err, code end
  ok, err, code = record.set(made.manifest.name, record.of(made, reach, from, approved))
  if not ok then
    stage.remove(made.manifest.name)
    return nil, err, code
  end
  tell(made.manifest.name, approved, io)
end


return M
