--- perigee pack test: runs the examples of a pack's files, then its own tests. Each runs in a process of its own, with the pack
-- as its last root.

local desk    = require "pack.desk"
local fs      = require "sys.fs"
local process = require "sys.process"
local text    = require "terminal.text"

local M = {}

local SECONDS = 600        -- time limit of the examples
local TEST_SECONDS = 120   -- time limit of a test


--- Returns the directory of an approved pack, or the one that the user named.
local function directory_of(word, io)
  if word:find "[/.]" then return io:grant(word, "read") end
  local ok, err, code = desk.open(io, "read")
  if not ok then return nil, err, code end
  local chosen
  chosen, err, code = desk.chosen { word }
  if not chosen then return nil, err, code end
  if not chosen[1].approved then
    return nil, ("%s is not approved, and its tests would run outside the jail. Approve it, or name its directory to test it all "
      .. "the same"):format(word), "not_approved"
  end
  return chosen[1].path
end


--- Runs Perigee with the pack as its last root, and prints its output.
---@return boolean? passed
---@return string? err
---@return string? code
local function run(directory, words, seconds, io)
  local spec = { io.program, words[1], "--no-user-root", "--root", directory, cwd = directory, timeout = seconds,
    merge_stderr = true }
  table.move(words, 2, #words, #spec + 1, spec)
  local result, err, code, so_far = process.run(spec)
  io:write(text.clean((result or so_far or { stdout = "" }).stdout))
  if not result then return nil, err, code end
  return result.code == 0
end


--- The names of the pack's tests, sorted.
local function tests_of(directory)
  local names = {}
  for _, entry in ipairs(fs.list(directory .. "/tests") or {}) do
    if entry.kind == "file" and entry.name:find "_test%.lua$" then names[#names + 1] = entry.name end
  end
  return names
end


---@param args {name: string}
---@param io perigee.IO
function M.run(args, io)
  local directory, err, code = directory_of(args.name, io)
  if not directory then return nil, err, code end
  local passed, failed
  passed, err, code = run(directory, { "test", "--only", directory }, SECONDS, io)
  if passed == nil then return nil, err, code end
  failed = passed and 0 or 1
  for _, name in ipairs(tests_of(directory)) do
    passed, err = run(directory, { "run", ("%s/tests/%s"):format(directory, name) }, TEST_SECONDS, io)
    io:print(("%s tests/%s%s"):format(passed and "ok  " or "FAIL", text.clean(name), err and ": " .. err or ""))
    failed = failed + (passed and 0 or 1)
  end
  return failed == 0 and 0 or 1
end


return M
