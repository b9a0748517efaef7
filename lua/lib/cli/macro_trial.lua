--- Tries a new macro before it is kept: on a fresh desktop, with the values that it was made with, and then with others.

local fresh   = require "cli.fresh_desktop"
local json    = require "sys.json"
local letters = require "letters"
local others  = require "macros.others"
local process = require "sys.process"

local M = {}

local SECONDS = 600

---@class cli.Trial
---@field name string       of the macro
---@field text string       its file
---@field taken macros.Taken
---@field given table<string, string>  other values that the user passed, by parameter
---@field here boolean      true: on the desktop of the user
---@field io perigee.IO


-- --- values -------------------------------------------------------------------------------------------------

local OPENS = { "open", "add", "import", "load", "choose", "select" }

--- True if the macro reads the file of a parameter, rather than writes it.
local function is_read(taken, wish)
  local mark = "${" .. wish.name .. "}"
  for _, step in ipairs(taken.steps) do
    local args = step.arguments
    for _, file in ipairs(type(args.files) == "table" and args.files or {}) do
      if file == mark then return true end
    end
    local button = letters.fold(tostring(args.button or "") .. " " .. tostring(args.window or ""))
    for _, word in ipairs(args.path == mark and OPENS or {}) do
      if button:find("%f[%a]" .. word .. "%f[%A]") then return true end
    end
  end
  return false
end


local function base_of(path) return path:match "([^/]+)/*$" or "file" end


local LARGEST = 1024 * 1024   -- bytes of a file in which values are replaced

local function run(words)
  words.timeout = words.timeout or 60
  local done, err = process.run(words)
  if done and done.code == 0 then return done end
  return nil, done and done.stderr:match "[^\n]+" or err or "it gave no reason"
end


--- Puts the other values in the places of the same ones in a copied file of text, as the macro may look for them there.
local function renew(place, taken, values)
  local done = run { "cat", "--", place, max_output = LARGEST }
  if not done or done.truncated or done.stdout:find "\0" then return end
  local list = {}
  for _, wish in ipairs(taken.wishes) do
    if wish.kind == "text" and values[wish.name] ~= wish.value then list[#list + 1] = wish end
  end
  table.sort(list, function(a, b) return #a.value > #b.value end)
  local text = done.stdout
  for i, wish in ipairs(list) do text = text:gsub(wish.value:gsub("%p", "%%%0"), ("\1%d\2"):format(i)) end
  text = text:gsub("\1(%d+)\2", function(i) return values[list[math.tointeger(tonumber(i))].name] end)
  if text ~= done.stdout then run { "tee", "--", place, input = text, max_output = 1 } end
end


--- The place of a file of this trial. A file that the macro reads is copied there.
local function file_of(trial, folder, wish, values)
  local place = ("%s/files/%s"):format(folder, base_of(tostring(values[wish.name])))
  if not is_read(trial.taken, wish) then return place end
  local from = tostring(wish.value):gsub("^file://", "")
  local ok = run { "cp", "-RL", "--", from, place }
  if not ok then return nil, ("the macro reads %s, which cannot be copied for the trial"):format(from) end
  renew(place, trial.taken, values)
  return place
end


--- The values of one run, and the names of those for which no other value is known.
local function values_of(trial, folder, other)
  local values, same = {}, {}
  for _, wish in ipairs(trial.taken.wishes) do
    local given, found = trial.given[wish.name], other and others.of(wish, trial.taken.reading)
    values[wish.name] = other and (given or found.value) or wish.value
    if found and found.same and not given then same[#same + 1] = wish.name end
  end
  for _, wish in ipairs(trial.taken.wishes) do
    if wish.kind == "path" and not (other and trial.given[wish.name]) then
      local err
      values[wish.name], err = file_of(trial, folder, wish, values)
      if err then return nil, err end
    end
  end
  return values, same
end


-- --- a run ----------------------------------------------------------------------------------------------------

--- Writes the macro and its record below the folder of the trial.
local function write(trial, folder)
  local place = folder .. "/own/tools/macros"
  local file = ("%s/%s"):format(place, trial.name)
  local ok, err = run { "mkdir", "-p", "--", place }
  if ok then
    ok, err = run { "tee", "--", file .. ".steps.json", input = json.encode(trial.taken.record), max_output = 1 }
  end
  if ok then ok, err = run { "tee", "--", file .. ".lua", input = trial.text, max_output = 1 } end
  if ok then return true end
  return nil, ("the macro cannot be written for the trial: %s"):format(err)
end


--- The last words of a run that failed.
local function why_of(done, err)
  if not done then return err end
  local text = (done.stderr:find "%S" and done.stderr or done.stdout):gsub("perigee macro: ", ""):gsub("%s+$", "")
    :gsub(' Then go on with resume_from="[^"]*"%.$', "")
  return text ~= "" and text or ("it ended with the code %s"):format(done.code or done.signal)
end


--- Runs the macro once. Returns the values for which there were no others.
local function run_once(trial, desktop, other)
  local ok, err = write(trial, desktop.folder)
  if not ok then return nil, err end
  local values, same = values_of(trial, desktop.folder, other)
  if not values then return nil, same end
  local words = { trial.io.program, "macro", "run", trial.name, "--root", desktop.folder .. "/own", "--args", "-",
    input = json.encode(json.object(values)), env = desktop.env, cwd = desktop.folder, timeout = SECONDS, whole_group = true }
  local done
  done, err = process.run(words)
  if done and done.code == 0 then return same, nil, values end
  return nil, why_of(done, err)
end


--- The user's own desktop, with a folder for the files of the trial.
local function own_desktop()
  local done, err = run { "mktemp", "-d", "--tmpdir", "perigee-trial-XXXXXX" }
  if not done then return nil, err end
  local folder = done.stdout:match "^[^\n]+"
  run { "mkdir", folder .. "/files" }
  local function close() run { "rm", "-rf", "--", folder } end
  return setmetatable({ folder = folder, env = {} }, { __close = close })
end


---@param trial cli.Trial
---@param other boolean
---@return string[]? same
---@return string? err
---@return table|string|nil values_or_code
local function on_desktop(trial, other)
  local desktop, err, code = (trial.here and own_desktop or fresh.start)()
  if not desktop then return nil, err, code end
  local held <close> = desktop
  return run_once(trial, held, other)
end


--- Tries a macro twice.
---@param trial cli.Trial
---@return {same: string[], values: table}? tried  the parameters that were not tried with another value, and the other values
---@return string? err
---@return string? code
function M.run(trial)
  local same, err, code = on_desktop(trial, false)
  if not same then
    return nil, code == "NO_DESKTOP" and err or ("with the same values it failed: %s"):format(err), code
  end
  if #trial.taken.wishes == 0 then return { same = {}, values = {} } end
  local values
  same, err, values = on_desktop(trial, true)
  if not same then return nil, ("with other values it failed: %s"):format(err), values end
  return { same = same, values = values }
end


return M
