--- Checks the AppleScript files of the roots' `scripts` folders, as far as that is possible without a Mac.

local applescript  = require "applescript.check"
local dictionaries = require "applescript.dictionaries"
local fs           = require "sys.fs"

local M = {}

local DEPTH, FILES = 8, 5000    -- limits of the walk through folders
local DICTIONARY_BYTES = 8 * 1024 * 1024

---@class cli.scripts.Finding
---@field file string
---@field line? integer
---@field column? integer
---@field code? string
---@field message string

---@class cli.scripts.Result
---@field count integer  the number of AppleScript files
---@field problems cli.scripts.Finding[]
---@field warnings cli.scripts.Finding[]
---@field dictionaries applescript.Dictionaries  those that were read


--- Adds the files below a folder that end in .applescript or .sdef. A missing folder has none.
local function walk(folder, found, depth)
  for _, entry in ipairs(fs.list(folder) or {}) do
    local path = folder .. "/" .. entry.name
    local ending = entry.name:match "%.(%a+)$"
    if entry.kind == "folder" and depth < DEPTH then
      walk(path, found, depth + 1)
    elseif entry.kind ~= "folder" and (ending == "applescript" or ending == "sdef") and #found < FILES then
      found[#found + 1] = { path = path, name = entry.name:match "^(.*)%.", ending = ending }
    end
  end
end


local function read_dictionary(known, file, problems)
  local bytes, err = fs.read(file.path, DICTIONARY_BYTES)
  if bytes then
    local _, why = known:add(file.name, bytes)
    err = why
  end
  if err then problems[#problems + 1] = { file = file.path, message = err } end
end


local function check_file(known, file, result)
  result.count = result.count + 1
  local bytes, err = fs.read(file.path, applescript.MAX_BYTES)
  if not bytes then
    result.problems[#result.problems + 1] = { file = file.path, message = err }
    return
  end
  local report = applescript.run(bytes, { dictionaries = known })
  for _, finding in ipairs(report.findings) do
    local list = finding.severity == "error" and result.problems or result.warnings
    finding.file = file.path
    list[#list + 1] = finding
  end
  if report.more > 0 then
    local message = ("there is more: %d findings were left out"):format(report.more)
    result.problems[#result.problems + 1] = { file = file.path, message = message }
  end
end


---@param roots string[]
---@param folders string[]  further folders with dictionaries, which override others of the same application
---@return cli.scripts.Result
function M.check(roots, folders)
  local ours, more = {}, {}
  for _, root in ipairs(roots) do walk(root .. "/scripts", ours, 1) end
  for _, folder in ipairs(folders) do walk(folder, more, 1) end

  local known = dictionaries.new()
  local result = { count = 0, problems = {}, warnings = {}, dictionaries = known }
  for _, list in ipairs { ours, more } do
    for _, file in ipairs(list) do
      if file.ending == "sdef" then read_dictionary(known, file, result.problems) end
    end
  end
  for _, file in ipairs(ours) do
    if file.ending == "applescript" then check_file(known, file, result) end
  end
  return result
end


return M
