--- The files of a pack before they are put in place, from any source: the paths that they may have, and the targets of links.

local M = {}

-- The same limits as in src/registry/pack_files.h, which checks the result again.
local FILES = 1000
local FILE_BYTES = 4 * 1024 * 1024
local ALL_BYTES = 16 * 1024 * 1024
local PATH_BYTES = 400

---@class pack.Leaf
---@field path string    inside the pack
---@field size integer   bytes
---@field link? string   the target of a link; nil for a file
---@field [string] any   what its source needs besides


--- True if a file of a pack may have this path: it must not lead out of the pack, or hide what it is.
---@param path string
---@return boolean
function M.path_ok(path)
  if path == "" or #path > PATH_BYTES or path:find "[%c\\]" or not utf8.len(path) then return false end
  for part in (path .. "/"):gmatch "([^/]*)/" do
    if part == "" or part == "." or part == ".." or part:lower() == ".git" then return false end
  end
  return true
end


--- Returns the path inside the pack that a link leads to; nil if it leads out of it.
---@param path string  the path of the link
---@param target string
---@return string?
function M.resolve(path, target)
  if target:sub(1, 1) == "/" then return nil end
  local parts = {}
  for part in path:gmatch "[^/]+" do parts[#parts + 1] = part end
  parts[#parts] = nil
  for part in target:gmatch "[^/]+" do
    if part == ".." then
      if #parts == 0 then return nil end
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end


local function refuse(code, what, ...) return nil, what:format(...), code end


local function check_one(leaf)
  if not M.path_ok(leaf.path) then
    return refuse("bad_name", "it has a file whose name a pack cannot have: %q", leaf.path:sub(1, 100))
  end
  if leaf.size > FILE_BYTES then
    return refuse("too_large", "%s has %d bytes. A file of a pack has at most %d", leaf.path, leaf.size, FILE_BYTES)
  end
  return true
end


--- Refuses names that differ only by case: on some systems they are one file.
local function check_cases(leaves)
  local seen = {}
  for _, leaf in ipairs(leaves) do
    local lower = leaf.path:lower()
    if seen[lower] then return refuse("bad_name", "%s and %s differ by case only. Rename one", seen[lower], leaf.path) end
    seen[lower] = leaf.path
  end
  return true
end


--- Returns the file to copy for a link: its target.
local function follow(leaf, by_path)
  local target = M.resolve(leaf.path, leaf.link)
  local file = target and by_path[target]
  if file and not file.link then return file end
  return refuse("link", "%s is a link to %s, which is not a file of the pack. A pack has links to its own files only",
    leaf.path, leaf.link == "/" and "nothing that exists" or ("%q"):format((target or leaf.link):sub(1, 100)))
end


--- Leaves out the files that file managers create.
local function counted(leaves)
  local list = {}
  for _, leaf in ipairs(leaves) do
    if leaf.path:match "[^/]*$" ~= ".DS_Store" then list[#list + 1] = leaf end
  end
  return list
end


--- Returns the files to write, with links replaced by their targets.
---@param leaves pack.Leaf[]
---@return {path: string, from: pack.Leaf}[]? files
---@return string? err
---@return string? code  "link", "bad_name", "too_many", "too_large"
function M.files(leaves)
  local by_path, files, bytes = {}, {}, 0
  leaves = counted(leaves)
  if #leaves > FILES then return refuse("too_many", "it has more than %d files", FILES) end
  for _, leaf in ipairs(leaves) do
    local ok, err, code = check_one(leaf)
    if not ok then return nil, err, code end
    by_path[leaf.path] = leaf
  end
  local ok, err, code = check_cases(leaves)
  if not ok then return nil, err, code end
  for _, leaf in ipairs(leaves) do
    local from = leaf
    if leaf.link then
      from, err, code = follow(leaf, by_path)
      if not from then return nil, err, code end
    end
    bytes = bytes + from.size
    files[#files + 1] = { path = leaf.path, from = from }
  end
  if bytes > ALL_BYTES then return refuse("too_large", "its files have %d bytes in all (limit: %d)", bytes, ALL_BYTES) end
  return files
end


M.MOST_FILES, M.MOST_BYTES = FILES, ALL_BYTES

return M
