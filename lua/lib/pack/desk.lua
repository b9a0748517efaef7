--- The parts that the subcommands of `perigee pack` share: access to the packs, and questions to the user.

local content  = require "pack.content"
local engine   = require "sys.engine"
local manifest = require "pack.manifest"
local nearest  = require "nearest"
local packs    = require "sys.packs"
local record   = require "pack.record"
local stage    = require "pack.stage"
local terminal = require "sys.terminal"

local M = {}

local SECONDS = 600   -- time limit of an answer


--- Lets sys.fs use the packs, their record and the files that come with Perigee.
---@param io perigee.IO
---@param access "read"|"write"
---@return true? ok
---@return string? err
---@return string? code
function M.open(io, access)
  local folder, err, code = packs.folder()
  if not folder then return nil, err, code end
  local ok
  ok, err, code = io:grant(folder:match "^(.*)/", access)
  if not ok and code == "not_found" and access == "read" then return true end -- no pack was added yet
  if not ok then return nil, err, code end
  ok, err, code = io:grant(engine.status().roots[1], "read")
  if not ok then return nil, err, code end
  return true
end


--- Opens the packs as M.open does to change them, and locks out every other process that would. Close the returned value.
---@param io perigee.IO
---@return table? held
---@return string? err
---@return string? code
function M.hold(io)
  local ok, err, code = M.open(io, "write")
  if not ok then return nil, err, code end
  local held
  held, err, code = record.hold()
  if held then stage.clean() end
  return held, err, code
end


--- Returns the packs with these names; all if none are given.
---@param names? string[]
---@return sys.packs.Pack[]? chosen
---@return string? err
---@return string? code
function M.chosen(names)
  local all, err, code = packs.list()
  if not all then return nil, err, code end
  if not names or #names == 0 then return all end
  local by_name, known, chosen = {}, {}, {}
  for i, pack in ipairs(all) do by_name[pack.name], known[i] = pack, pack.name end
  for _, name in ipairs(names) do
    if not by_name[name] then
      return nil, ("there is no pack \"%s\"%s"):format(name, nearest.question(name, known, "; ")), "not_found"
    end
    chosen[#chosen + 1] = by_name[name]
  end
  return chosen
end


--- Returns a message that names the requirements of a pack that are missing here; nil if none are.
---@param made pack.Manifest
---@return string? err
function M.missing(made)
  local list = packs.list() or {}
  local missing = manifest.missing(made, engine.status().version, function(name)
    for _, pack in ipairs(list) do
      if pack.name == name then return true end
    end
    return false
  end)
  if #missing > 0 then return ("%s requires %s"):format(made.name, table.concat(missing, ", ")) end
end


--- Returns the pack in a directory of sys.packs.folder(), if it can be one here.
---@param directory string
---@param shown string   its name in a failure's message
---@return pack.Content?
---@return string? err
---@return string? code  as from content.look(), or "missing"
function M.look(directory, shown)
  local made, err, code = content.look(directory)
  if not made then return nil, ("%s: %s"):format(shown, err), code end
  local missing = M.missing(made.manifest)
  if missing then return nil, missing, "missing" end
  return made
end


--- Asks the user on the terminal. `--yes` counts as the answer yes.
---@param args table
---@param io perigee.IO
---@param question string
---@return boolean? yes  nil if there is no terminal to ask on
---@return string? err
---@return string? code
function M.ask(args, io, question)
  if args.yes then return true end
  if not io.interactive then return nil, "there is no terminal to ask you on. Use --yes to say yes", "usage" end
  local line, err, code = terminal.ask(question .. " [y/N] ", SECONDS)
  if not line then return nil, err, code end
  local answer = line:match "^%s*(.-)%s*$":lower()
  return answer == "y" or answer == "yes"
end


return M
