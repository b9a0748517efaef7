--- perigee pack list: shows the installed packs and their problems.

local desk     = require "pack.desk"
local engine   = require "sys.engine"
local fs       = require "sys.fs"
local json     = require "sys.json"
local manifest = require "pack.manifest"
local record   = require "pack.record"
local report   = require "pack.report"
local text     = require "terminal.text"

local M = {}

local STATES = { approved = "approved", foreign = "not approved", changed = "changed since you approved it",
  unusable = "not loaded" }


---@param pack sys.packs.Pack
local function state_of(pack)
  if not pack.usable then return "unusable" end
  return pack.approved and "approved" or pack.changed and "changed" or "foreign"
end


--- Returns the manifest in its pack.lua, or nil and why it cannot be read.
local function said_by(pack)
  local bytes, err = fs.read(("%s/%s"):format(pack.path, manifest.FILE), 100000)
  if not bytes then return nil, err end
  return manifest.read(bytes)
end


--- Lists its problems: those that the engine finds, missing requirements, and files of it that are not in effect.
local function problems_of(pack)
  local list = { pack.problem }
  if not pack.usable then return list end
  local said, err = said_by(pack)
  if not said then
    list[#list + 1] = err
  elseif said.name ~= pack.name then
    list[#list + 1] = ("its pack.lua says that it is %s. Rename the directory"):format(said.name)
  else
    list[#list + 1] = desk.missing(said)
  end
  for _, problem in ipairs(engine.status().problems) do
    local inside = problem.file:sub(1, #pack.path + 1) == pack.path .. "/"
    if inside or problem.file == pack.path and not pack.problem then
      local file = inside and problem.file:sub(#pack.path + 2)
      list[#list + 1] = file and not problem.message:find(file, 1, true) and ("%s: %s"):format(file, problem.message)
        or problem.message
    end
  end
  return list, said
end


local function row_of(pack, known)
  known = known or {}
  local problems, said = problems_of(pack)
  return {
    name = pack.name, version = said and said.version or known.version, description = said and said.description,
    state = state_of(pack), approved = pack.approved, source = known.source, ref = known.ref, commit = known.commit,
    digest = known.digest, recorded = known.recorded, path = pack.path, problems = json.array(problems),
  }
end


local function print_list(rows, io)
  local lines = {}
  for i, row in ipairs(rows) do
    lines[i] = { row.name, row.version or "?", STATES[row.state], report.source(row.source, row.ref, row.commit) }
  end
  report.print_rows(lines, io)
  for _, row in ipairs(rows) do
    for _, problem in ipairs(row.problems) do io:print(("%s: %s"):format(text.clean(row.name), text.clean(problem))) end
  end
end


---@param args {json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local ok, err, code = desk.open(io, "read")
  if not ok then return nil, err, code end
  local all, records
  all, err, code = desk.chosen()
  if not all then return nil, err, code end
  records, err, code = record.all()
  if not records and code ~= "not_granted" then return nil, err, code end
  local rows = {}
  for i, pack in ipairs(all) do rows[i] = row_of(pack, (records or {})[pack.name]) end
  if args.json then
    io:json { packs = json.array(rows) }
  elseif #rows == 0 then
    io:print "There are no packs. Add one with `perigee pack add SOURCE`."
  else
    print_list(rows, io)
  end
end


return M
