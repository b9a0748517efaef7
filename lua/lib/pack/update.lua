--- perigee pack update: fetches packs again, shows what is new, and replaces them.

local add         = require "pack.add"
local content     = require "pack.content"
local desk        = require "pack.desk"
local permissions = require "pack.permissions"
local record      = require "pack.record"
local report      = require "pack.report"
local source      = require "pack.source"
local stage       = require "pack.stage"
local text        = require "terminal.text"

local M = {}

local WORDS = { missing = "removed" }


--- Returns the source of the pack: the recorded one, or another ref of it.
local function source_of(known, ref)
  if not known.commit then return { directory = known.source } end
  return { url = known.source, ref = ref or known.ref }
end


--- Shows what is new. Returns the permissions of the new files.
local function show(pack, known, made, from, io)
  local reach = permissions.of(made)
  local added, hidden, gone = permissions.difference(known, reach)
  io:print(("%s %s -> %s"):format(text.paint(io.color, "bold", pack.name), text.clean(known.version or "?"),
    made.manifest.version))
  io:print("  from " .. text.clean(report.source(from.source, from.ref, from.commit)))
  report.print_changes(report.changes(known.files, made.files), io, WORDS)
  report.print_permissions(reach, io, added, hidden)
  if #gone > 0 then io:print("No longer required: " .. table.concat(gone, ", ")) end
  return reach
end


--- True if its files differ from the recorded ones: the user changed them here.
local function changed_here(pack, known)
  local now = content.look(pack.name)
  return not now or now.digest ~= known.digest
end


local function question(pack, known, here)
  local warning = here and "Its files were changed here, and these changes are lost. " or ""
  if known.approved then return ("\n%sInstall and approve this version of %s?"):format(warning, pack.name) end
  return ("\n%sInstall this version of %s? It stays not approved."):format(warning, pack.name)
end


--- Returns the fetched content, if it may replace the pack.
local function look(pack, staged)
  local made, err, code = desk.look(staged.name, pack.name)
  if not made then return nil, err, code end
  if made.manifest.name ~= pack.name then
    return nil, ("%s: it is called %s now. Add that one, and remove this one"):format(pack.name, made.manifest.name), "bad_pack"
  end
  return made
end


---@return boolean? done  false if the user answered no
---@return string? err
---@return string? code
local function update(pack, known, args, io)
  local staged <close>, stage_err, stage_code = stage.begin()
  if not staged then return nil, stage_err, stage_code end
  local from, err, code = add.fetch(source_of(known, args.ref), staged.path, io)
  if not from then return nil, err, code end
  local made
  made, err, code = look(pack, staged)
  if not made then return nil, err, code end
  local here = changed_here(pack, known)
  if made.digest == known.digest and not here then
    io:print(("%s %s is up to date."):format(pack.name, made.manifest.version))
    known.ref, known.commit = from.ref, from.commit
    return record.set(pack.name, known)
  end
  local reach = show(pack, known, made, from, io)
  local yes, ok
  yes, err, code = desk.ask(args, io, question(pack, known, here))
  if not yes then return yes, err, code end
  ok, err, code = stage.place(staged, pack.name)
  if not ok then return nil, err, code end
  ok, err, code = record.set(pack.name, record.of(made, reach, from, known.approved))
  if not ok then return nil, err, code end
  io:print(("Updated %s to %s."):format(pack.name, made.manifest.version))
  return true
end


--- Returns the packs to update: the named ones, or all that have a source.
local function wanted(args, records)
  local chosen, err, code = desk.chosen(args.name)
  if not chosen then return nil, err, code end
  local list = {}
  for _, pack in ipairs(chosen) do
    if records[pack.name] and records[pack.name].source then
      list[#list + 1] = pack
    elseif #args.name > 0 then
      return nil, ("%s was put there by hand, so there is nothing to fetch it from. Add it with `perigee pack add`"):format(
        pack.name), "no_source"
    end
  end
  return list
end


local function check(args, list, records)
  if not args.ref then return true end
  if #list ~= 1 then return nil, "--ref is for one pack. Name it", "usage" end
  if not records[list[1].name].commit then return nil, "--ref is for packs from a repository", "usage" end
  if not source.ref_ok(args.ref) then return nil, ("%q cannot be a branch, tag or commit"):format(args.ref), "usage" end
  return true
end


---@param args {name: string[], ref?: string, yes?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local held <close>, hold_err, hold_code = desk.hold(io)
  if not held then return nil, hold_err, hold_code end
  local records, err, code = record.all()
  if not records then return nil, err, code end
  local list, ok
  list, err, code = wanted(args, records)
  if not list then return nil, err, code end
  ok, err, code = check(args, list, records)
  if not ok then return nil, err, code end
  if #list == 0 then io:print "There is nothing to update." end
  for _, pack in ipairs(list) do
    local done
    done, err, code = update(pack, records[pack.name], args, io)
    if done == nil then return nil, err, code end
    if not done then io:print(("%s stays as it is."):format(pack.name)) end
  end
end


return M
