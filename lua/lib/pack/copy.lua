--- Copies the files of a pack from a directory of the user.

local fs     = require "sys.fs"
local policy = require "sys.policy"
local tree   = require "pack.tree"

local M = {}

local DEPTH = 8   -- levels of nested directories


local function refuse(code, what, ...) return nil, what:format(...), code end


--- Returns the path that a link leads to: relative to the directory of the link, or absolute if it leads out of the pack; "/"
--- if it leads nowhere.
local function link_of(root, path)
  local link = ("%s/%s"):format(root, path)
  local target = fs.resolve(link)
  if not target or target:sub(1, #root + 1) ~= root .. "/" then return policy.real(link) or "/" end
  return ("../"):rep(select(2, path:gsub("/", ""))) .. target:sub(#root + 2)
end


--- Adds the files of a directory. `.git` at the top is the author's, not the pack's.
local function walk(root, inside, depth, leaves)
  if depth > DEPTH then return refuse("too_deep", "it has more than %d directories in one another", DEPTH) end
  local entries, err, code = fs.list(root .. "/" .. inside)
  if not entries then return nil, err, code end
  for _, entry in ipairs(entries) do
    local path = inside == "" and entry.name or ("%s/%s"):format(inside, entry.name)
    if path == ".git" then
      goto continue
    elseif #leaves >= tree.MOST_FILES then
      return refuse("too_many", "it has more than %d files", tree.MOST_FILES)
    elseif entry.kind == "folder" then
      local ok
      ok, err, code = walk(root, path, depth + 1, leaves)
      if not ok then return nil, err, code end
    elseif entry.kind == "other" then
      local _, why = fs.read(("%s/%s"):format(root, path))   -- the message has the kind
      local kind = why and why:match "not a regular file but a ([%a ]+)$"
      return refuse("not_a_file", "%s is not a file%s. A pack has plain files only", path, kind and " but a " .. kind or "")
    else
      leaves[#leaves + 1] = { path = path, size = entry.size, link = entry.kind == "link" and link_of(root, path) or nil }
    end
    ::continue::
  end
  return true
end


--- Copies the pack in `root` to `to`. sys.fs must be allowed to read the one and write the other.
---@param root string  absolute, links resolved
---@param to string
---@return true? ok
---@return string? err
---@return string? code
function M.copy(root, to)
  local leaves = {}
  local ok, err, code = walk(root, "", 0, leaves)
  if not ok then return nil, err, code end
  local files
  files, err, code = tree.files(leaves)
  if not files then return nil, err, code end
  for _, file in ipairs(files) do
    local bytes
    bytes, err, code = fs.read(("%s/%s"):format(root, file.from.path))
    if not bytes then return nil, err, code end
    ok, err, code = fs.write(("%s/%s"):format(to, file.path), bytes)
    if not ok then return nil, err, code end
  end
  return true
end


return M
