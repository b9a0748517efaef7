--- Copies a folder with all that is in it.

local fail = require "desktop.fail"
local fs   = require "sys.fs"

local M = {}

M.MOST = 20000   -- files and folders in it


---@class common.Tree
---@field entries {path: string, kind: string}[]  relative to the folder; folders before what is in them
---@field left_out integer  links and special files, which are not copied

--- Looks at all that is in a folder.
---@param folder string
---@return common.Tree? tree
---@return string? err
---@return string? code
function M.of(folder)
  local tree, queue = { entries = {}, left_out = 0 }, { "" }
  local at = 1
  while queue[at] do
    local below = queue[at]
    local list, err, code = fs.list(folder .. below)
    if not list then return fail.with(("%s: %s"):format(folder .. below, err), code) end
    for _, entry in ipairs(list) do
      local path = below .. "/" .. entry.name
      if entry.kind == "folder" then queue[#queue + 1] = path end
      if entry.kind == "file" or entry.kind == "folder" then
        tree.entries[#tree.entries + 1] = { path = path, kind = entry.kind }
      else
        tree.left_out = tree.left_out + 1
      end
    end
    if #tree.entries > M.MOST then
      return fail.with(("%s has more than %d files and folders. Copy its parts."):format(folder, M.MOST), "too_large")
    end
    at = at + 1
  end
  return tree
end


--- Copies. If it fails, what was copied before that stays.
---@param from string
---@param to string  nothing is there yet
---@return common.Tree? tree
---@return string? err
---@return string? code
function M.copy(from, to)
  local tree, err, code = M.of(from)
  if not tree then return nil, err, code end
  local ok
  ok, err, code = fs.make_folder(to)
  if not ok then return fail.with(err, code) end
  for i, entry in ipairs(tree.entries) do
    if entry.kind == "folder" then
      ok, err, code = fs.make_folder(to .. entry.path)
    else
      ok, err, code = fs.copy(from .. entry.path, to .. entry.path)
    end
    if not ok then
      return fail.with(("%s: %s. %d of %d were copied before; they are in %s."):format(from .. entry.path, err, i - 1,
        #tree.entries, to), code)
    end
  end
  return tree
end


return M
