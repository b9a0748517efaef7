--- Reads the files of a pack in a git repository. git only fetches and prints. It checks nothing out, so hooks, filters, links
-- and submodules of the repository have no effect.

local env     = require "sys.env"
local fs      = require "sys.fs"
local process = require "sys.process"
local stage   = require "pack.stage"
local time    = require "sys.time"
local tree    = require "pack.tree"

local M = {}

local FETCH_SECONDS = 300
local PRINT_SECONDS = 60
local FETCH_BYTES = 64 * 1024 * 1024     -- limit of what a fetch may leave on the disk
local LIST_BYTES = 1024 * 1024
local LOOK_SECONDS = 0.2                 -- between two measurements of the fetched bytes

-- The user's own configuration applies, for proxies and credentials, but none of the programs that it would run meanwhile.
local SETTINGS = { "core.hooksPath=/dev/null", "protocol.ext.allow=never", "gc.auto=0", "maintenance.auto=false",
  "submodule.recurse=false", "fetch.recurseSubmodules=false", "core.fsmonitor=false", "advice.detachedHead=false" }

-- Variables that another git may have set for its children.
local DROPPED = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_PREFIX", "GIT_EXTERNAL_DIFF" }


local function environment()
  local made = { GIT_TERMINAL_PROMPT = "0", GIT_ALLOW_PROTOCOL = "https:ssh:file", GIT_PROTOCOL_FROM_USER = "0" }
  for _, name in ipairs(DROPPED) do made[name] = false end
  -- ssh would wait for an answer from a terminal that its process group does not have.
  if not env.get "GIT_SSH_COMMAND" and not env.get "GIT_SSH" then made.GIT_SSH_COMMAND = "ssh -oBatchMode=yes" end
  return made
end


--- Returns the command that runs git with these words in the repository.
local function command(repository, words, more)
  local spec = { "git" }
  for _, setting in ipairs(SETTINGS) do
    spec[#spec + 1] = "-c"
    spec[#spec + 1] = setting
  end
  spec[#spec + 1] = "--git-dir=" .. repository
  table.move(words, 1, #words, #spec + 1, spec)
  spec.env = environment()
  for key, value in pairs(more) do spec[key] = value end
  return spec
end


--- Returns the end of git's messages, without its hints.
local function said(text)
  local lines = {}
  for line in text:gmatch "[^\r\n]+" do
    if line:find "%S" and not line:find "^hint:" then lines[#lines + 1] = line:gsub("^fatal: ", ""):gsub("^error: ", "") end
  end
  return #lines > 0 and table.concat(lines, "; ", math.max(1, #lines - 4)) or "it did not say why"
end


local function failed(doing, result)
  if result.signal then return nil, ("git was ended by signal %d while it %s"):format(result.signal, doing), "git_failed" end
  return nil, ("git could not %s: %s"):format(doing, said(result.stderr)), "git_failed"
end


--- Runs git to its end.
---@return sys.process.Result? result
---@return string? err
---@return string? code
local function run(repository, doing, words, more)
  more = more or {}
  more.timeout = more.timeout or PRINT_SECONDS
  local result, err, code = process.run(command(repository, words, more))
  if not result then
    if code == "not_found" then err = "git is not installed. Install it, or add the pack from a directory" end
    return nil, err, code
  end
  if result.code ~= 0 then return failed(doing, result) end
  if result.truncated then return nil, "git printed more than a pack can be", "too_large" end
  return result
end


--- Adds up the bytes of all files below a directory that can be read: git creates and removes some meanwhile.
local function size_of(path)
  local bytes = 0
  for _, entry in ipairs(fs.list(path) or {}) do
    bytes = bytes + (entry.kind == "folder" and size_of(("%s/%s"):format(path, entry.name)) or entry.size)
  end
  return bytes
end


--- Fetches, and ends git if it takes too long or fetches too much.
local function fetch(repository, words)
  local child <close>, err, code = process.start(command(repository, words, { timeout = FETCH_SECONDS }))
  if not child then return nil, err, code end
  child:close_input()
  local next_look = time.monotonic()
  while true do
    local result, wait_err, wait_code, so_far = child:wait(LOOK_SECONDS)
    if result and result.code == 0 then return true end
    if result then return failed("fetch", result) end
    if wait_code ~= "timeout" then return nil, wait_err, wait_code end
    if so_far then
      return nil, ("git did not fetch the repository within %d s"):format(FETCH_SECONDS), "timeout"
    end
    if time.monotonic() >= next_look then
      local before = time.monotonic()
      if size_of(repository) > FETCH_BYTES then
        return nil, ("the repository is larger than %d bytes at this commit. Is it a pack?"):format(FETCH_BYTES), "too_large"
      end
      next_look = time.monotonic() + LOOK_SECONDS + 4 * (time.monotonic() - before)
    end
  end
end


--- Fetches the commit. From servers that do not serve a commit by its name it fetches all branches and tags.
local function fetch_commit(repository, source)
  local words = { "fetch", "--quiet", "--no-tags", "--depth=1", "--no-auto-gc", "--no-write-commit-graph", "--end-of-options",
    source.url, source.ref or "HEAD" }
  local ok, err, code = fetch(repository, words)
  if ok then return "FETCH_HEAD" end
  if code ~= "git_failed" or not (source.ref or ""):find "^%x+$" or #source.ref < 40 then return nil, err, code end
  local all = { "fetch", "--quiet", "--no-auto-gc", "--end-of-options", source.url, "+refs/heads/*:refs/all/heads/*",
    "+refs/tags/*:refs/all/tags/*" }
  if fetch(repository, all) then return source.ref end
  return nil, err, code
end


--- Parses a line of ls-tree: MODE TYPE OBJECT SIZE\tPATH
local function leaf_of(line)
  local mode, kind, object, size, path = line:match "^(%d+) (%a+) (%x+) +([%d-]+)\t(.*)$"
  if not mode then return nil, "git lists a file in a way that is not known", "git_failed" end
  if kind ~= "blob" then
    return nil, ("%s is a submodule, and a pack has files only"):format(path), "submodule"
  end
  return { path = path, size = tonumber(size) or 0, object = object, is_link = mode == "120000" }
end


local function list(repository, commit)
  local result, err, code = run(repository, "list the files", { "ls-tree", "-r", "-l", "-z", "--full-tree", commit },
    { max_output = LIST_BYTES })
  if not result then return nil, err, code end
  local leaves = {}
  for line in result.stdout:gmatch "([^%z]+)%z" do
    local leaf
    leaf, err, code = leaf_of(line)
    if not leaf then return nil, err, code end
    leaves[#leaves + 1] = leaf
  end
  return leaves
end


--- Returns the contents of objects by their names.
local function read_objects(repository, objects)
  local result, err, code = run(repository, "read the files", { "cat-file", "--batch" },
    { input = table.concat(objects, "\n") .. "\n", max_output = tree.MOST_BYTES + 1024 * 1024 })
  if not result then return nil, err, code end
  local contents, at = {}, 1
  for _, object in ipairs(objects) do
    local size, stop = result.stdout:match("^%x+ blob (%d+)\n()", at)
    if not size then return nil, ("git does not have the object %s"):format(object), "git_failed" end
    contents[object] = result.stdout:sub(stop, stop + tonumber(size) - 1)
    at = stop + tonumber(size) + 1
  end
  return contents
end


--- Reads the targets of the links.
local function read_links(repository, leaves)
  local objects = {}
  for _, leaf in ipairs(leaves) do
    if leaf.is_link then
      if leaf.size > 1000 then return nil, ("%s is a link to no file"):format(leaf.path), "link" end
      objects[#objects + 1] = leaf.object
    end
  end
  if #objects == 0 then return true end
  local contents, err, code = read_objects(repository, objects)
  if not contents then return nil, err, code end
  for _, leaf in ipairs(leaves) do leaf.link = leaf.is_link and contents[leaf.object] or nil end
  return true
end


local function write_files(repository, files, to)
  local objects, seen = {}, {}
  for _, file in ipairs(files) do
    local object = file.from.object
    if not seen[object] then objects[#objects + 1], seen[object] = object, true end
  end
  if #objects == 0 then return true end
  local contents, err, code = read_objects(repository, objects)
  if not contents then return nil, err, code end
  for _, file in ipairs(files) do
    local ok
    ok, err, code = fs.write(("%s/%s"):format(to, file.path), contents[file.from.object])
    if not ok then return nil, err, code end
  end
  return true
end


--- Fetches the commit and writes its files to `to`; returns the commit.
local function unpack_commit(repository, source, to)
  local wanted, err, code = fetch_commit(repository, source)
  if not wanted then return nil, err, code end
  local parsed
  parsed, err, code = run(repository, "find the commit", { "rev-parse", "--verify", "--end-of-options", wanted .. "^{commit}" })
  if not parsed then return nil, err, code end
  local commit = parsed.stdout:match "%x+"
  local leaves
  leaves, err, code = list(repository, commit)
  if not leaves then return nil, err, code end
  local ok
  ok, err, code = read_links(repository, leaves)
  if not ok then return nil, err, code end
  local files
  files, err, code = tree.files(leaves)
  if not files then return nil, err, code end
  ok, err, code = write_files(repository, files, to)
  if not ok then return nil, err, code end
  return commit
end


--- Writes the files that a repository has at a commit.
---@param source pack.Source
---@param to string  a directory that sys.fs may write
---@return string? commit
---@return string? err
---@return string? code  "git_failed" with git's message, "submodule", "link", "too_large", ..., "not_found" if git is missing
function M.copy(source, to)
  local held <close>, err, code = stage.begin()
  if not held then return nil, err, code end
  local ok
  ok, err, code = run(held.path, "make a repository", { "init", "--quiet", "--bare", "--template=", held.path })
  if not ok then return nil, err, code end
  return unpack_commit(held.path, source, to)
end


return M
