--- A pack as it is on the disk: its files with their digests, its manifest and the modules that it requires.

local crypto   = require "sys.crypto"
local fs       = require "sys.fs"
local manifest = require "pack.manifest"
local packs    = require "sys.packs"
local requires = require "pack.requires"

local M = {}

---@class pack.File: sys.packs.File
---@field sha256 string  hexadecimal

---@class pack.Hidden
---@field file string
---@field line integer
---@field why string

---@class pack.Content
---@field files pack.File[]                 sorted by path
---@field digest string                     the digest of all files, hexadecimal
---@field bytes integer
---@field manifest pack.Manifest
---@field modules table<string, string[]>   each module that its Lua files require -> these files
---@field hidden pack.Hidden[]              places whose required modules cannot be determined


--- Computes the digest of a pack: that of the lines that `sha256sum` prints for its files, sorted by path.
---@param files pack.File[]
---@return string? digest
---@return string? err
---@return string? code
function M.digest(files)
  local lines = {}
  for i, file in ipairs(files) do lines[i] = ("%s  %s\n"):format(file.sha256, file.path) end
  local sum, err, code = crypto.sha256(table.concat(lines))
  if not sum then return nil, err, code end
  return crypto.hex(sum)
end


--- Notes the modules that a Lua file requires.
local function scan(content, path, bytes)
  local found = requires.of(bytes)
  for name in pairs(found.modules) do
    local list = content.modules[name] or {}
    content.modules[name] = list
    list[#list + 1] = path
  end
  for _, place in ipairs(found.hidden) do
    content.hidden[#content.hidden + 1] = { file = path, line = place.line, why = place.why }
  end
end


local function read_file(folder, content, file)
  local bytes, err, code = fs.read(("%s/%s"):format(folder, file.path))
  if not bytes then return nil, err, code end
  local sum
  sum, err, code = crypto.sha256(bytes)
  if not sum then return nil, err, code end
  file.sha256 = crypto.hex(sum)
  content.bytes = content.bytes + #bytes
  if file.path == manifest.FILE then
    content.manifest, err, code = manifest.read(bytes)
    if not content.manifest then return nil, err, code end
  elseif file.path:find "%.lua$" then
    scan(content, file.path, bytes)
  end
  return true
end


--- True if the files did not change since they were read.
local function same_files(before, now)
  if not now or #before ~= #now then return false end
  for i, file in ipairs(before) do
    if file.path ~= now[i].path or file.stamp ~= now[i].stamp then return false end
  end
  return true
end


--- Reads the pack in a directory of sys.packs.folder(), which sys.fs may read.
---@param name string  the name of the directory
---@return pack.Content?
---@return string? err
---@return string? code  as from sys.packs.files(), or "bad_pack", "changed"
function M.look(name)
  local folder = ("%s/%s"):format(packs.folder(), name)
  local files, err, code = packs.files(name)
  if not files then return nil, err, code end
  local content = { files = files, bytes = 0, modules = {}, hidden = {} }
  for _, file in ipairs(files) do
    local ok
    ok, err, code = read_file(folder, content, file)
    if not ok then return nil, err, code end
  end
  if not same_files(files, packs.files(name)) then
    return nil, "its files change while they are read. Try again when nothing writes them", "changed"
  end
  if not content.manifest then
    return nil, ("it has no %s. A pack needs one: see docs/packs.md"):format(manifest.FILE), "bad_pack"
  end
  content.digest, err, code = M.digest(files)
  if not content.digest then return nil, err, code end
  return content
end


local KINDS = { "tools", "foreign", "prompts", "resources", "providers", "commands", "services", "lib", "dictionary",
  "testing", "scripts", "tests" }

--- Returns in words how many files each of its folders has: "2 tools, 1 prompt".
---@param content pack.Content
---@return string
function M.summary(content)
  local counts, said = {}, {}
  for _, file in ipairs(content.files) do
    local kind = file.path:match "^([^/]+)/.*$"
    if kind then counts[kind] = (counts[kind] or 0) + 1 end
  end
  for _, kind in ipairs(KINDS) do
    local one = kind == "lib" and "lib file" or kind == "foreign" and "foreign tool" or kind == "testing" and "testing file"
      or kind == "dictionary" and "example file" or kind:gsub("s$", "")
    local count = counts[kind]
    if count then said[#said + 1] = ("%d %s%s"):format(count, one, count == 1 and "" or "s") end
  end
  return table.concat(said, ", ")
end


return M
