--- perigee pack verify: compares every file with the recorded digest.

local content = require "pack.content"
local desk    = require "pack.desk"
local json    = require "sys.json"
local record  = require "pack.record"
local report  = require "pack.report"
local text    = require "terminal.text"

local M = {}


--- Lists how the pack differs from its record.
---@param pack sys.packs.Pack
---@param known? pack.Record
---@return {path?: string, what: string}[]
local function differences(pack, known)
  if not known then
    return { { what = ("nothing is recorded of it. To approve it, run `perigee pack approve %s`"):format(pack.name) } }
  end
  local made, err = content.look(pack.name)
  if not made then return { { what = err } } end
  return report.changes(known.files or {}, made.files)
end


local function print_result(result, io)
  if #result.differences == 0 then
    io:print(("%s: %s, as recorded%s"):format(text.clean(result.name), report.plural(result.files, "file"),
      result.approved and " and approved" or ", not approved"))
  end
  for _, each in ipairs(result.differences) do
    local what = each.path and ("%s was %s"):format(each.path, each.what) or each.what
    if each.what == "missing" then what = each.path .. " is missing" end
    io:print(("%s: %s"):format(text.clean(result.name), text.clean(what)))
  end
end


---@param args {name: string[], json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local ok, err, code = desk.open(io, "read")
  if not ok then return nil, err, code end
  local chosen, records
  chosen, err, code = desk.chosen(args.name)
  if not chosen then return nil, err, code end
  records, err, code = record.all()
  if not records and code ~= "not_granted" then return nil, err, code end
  local results, wrong = {}, false
  for i, pack in ipairs(chosen) do
    local known = (records or {})[pack.name]
    local found = differences(pack, known)
    results[i] = { name = pack.name, files = #(known and known.files or {}), approved = pack.approved,
      differences = json.array(found) }
    wrong = wrong or #found > 0
    if not args.json then print_result(results[i], io) end
  end
  if args.json then io:json { packs = json.array(results) } end
  return wrong and 1 or 0
end


return M
