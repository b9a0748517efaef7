--- Finds the interpreter that runs code of clients, and the paths that it and its libraries read.

local env   = require "sys.env"
local files = require "sys.files"

local M = {}

-- The loader's paths, time zones, fonts, and Debian's packages; then those of macOS and Homebrew.
local COMMON = { "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime",
  "/usr/share/zoneinfo", "/usr/share/fonts", "/usr/share/matplotlib", "/etc/matplotlibrc", "/dev/null", "/dev/urandom",
  "/System/Library", "/Library/Fonts", "/private/var/db/timezone", "/opt/homebrew/Cellar", "/opt/homebrew/lib",
  "/opt/homebrew/opt" }
local PATH = "/usr/local/bin:/usr/bin:/bin"

---@class python.Interpreter
---@field program string
---@field readable string[]  paths, of which none lies below another
---@field note? string       what scripts cannot import

local function there(path) return files.look((path:gsub("[%*%?%[\\]", "\\%0")))[1] end


local function is_script(found) return found.head:sub(1, 2) == "#!" end


--- The directory that is so many levels up.
local function above(path, levels)
  for _ = 1, levels do path = path:match "^(.*)/" or "" end
  return path
end


--- The first program with the name on PATH; scripts such as pyenv's are passed over.
local function on_path(name)
  for folder in (env.get "PATH" or PATH):gmatch "[^:]+" do
    local found = folder:sub(1, 1) == "/" and there(folder .. "/" .. name)
    if found and found.runs and found.head ~= "" and not is_script(found) then return found end
  end
end


---@param name string  a path, a name on PATH, or the directory of a virtual environment
---@return sys.files.Found? program
---@return string? err
local function program_of(name)
  if not name:find("/", 1, true) then
    local found = on_path(name)
    if found then return found end
    return nil, ('no program "%s" is on PATH, or only a script. Install Python 3.9 or later, or set '
      .. "PERIGEE_CODE_PYTHON to an interpreter"):format(name)
  end
  local found = name:sub(1, 1) == "/" and (there(name .. "/bin/python3") or there(name))
  if not found or not found.runs or found.head == "" then
    return nil, name .. " is not the absolute path of a program. Set PERIGEE_CODE_PYTHON to another interpreter"
  elseif is_script(found) then
    return nil, name .. " is a script that starts an interpreter, and only the interpreter itself can be shut in. Set "
      .. "PERIGEE_CODE_PYTHON to its path, which `pyenv which python3` or sys.executable tells"
  end
  return found
end


--- Adds the libraries below a prefix. Returns whether a standard library is there.
local function add_prefix(paths, prefix)
  paths[#paths + 1] = prefix .. "/lib"
  paths[#paths + 1] = prefix .. "/lib64"
  if prefix == "/usr" then
    for _, found in ipairs(files.look "/usr/local/lib/python3*") do paths[#paths + 1] = found.path end
  end
  return files.look(prefix .. "/lib*/python3.*/os.py")[1] ~= nil
end


--- Packages in editable mode are links to places that guests do not see.
local function editable(prefix)
  local found = files.look(prefix .. "/lib/python3*/*-packages/__editable__*.pth")
  if not found[1] then return nil end
  return ("%d packages of %s are installed in editable mode (the first: %s). Python scripts cannot import them: install them "
    .. "without -e"):format(#found, prefix, found[1].path:match "[^/]+$")
end


local function is_below(path, paths)
  for _, other in ipairs(paths) do
    if (path .. "/"):sub(1, #other + 1) == other .. "/" then return true end
  end
  return false
end


--- The paths that are there, without those that lie below another.
local function outermost(paths)
  local kept = {}
  table.sort(paths)   -- so that a directory comes before what it holds
  for _, path in ipairs(paths) do
    if there(path) and not is_below(path, kept) then kept[#kept + 1] = path end
  end
  return kept
end


--- Finds it. A virtual environment is asked nothing: its own code would run.
---@param name? string  default: PERIGEE_CODE_PYTHON, or python3 on PATH
---@return python.Interpreter? interpreter
---@return string? err
---@return string? code  "no_interpreter"
function M.find(name)
  if not name then name = env.get "PERIGEE_CODE_PYTHON" or "" end
  local found, err = program_of(name ~= "" and name or "python3")
  if not found then return nil, err, "no_interpreter" end
  local own, paths, program = above(found.path, 2), table.move(COMMON, 1, #COMMON, 1, {}), found.path
  local standard = add_prefix(paths, above(found.real, 2))
  local config = there(own .. "/pyvenv.cfg")
  local home = config and ("\n" .. config.head):match "\n%s*home%s*=%s*([^\r\n]+)"
  if home then
    paths[#paths + 1] = config.path
    add_prefix(paths, own)
    standard = add_prefix(paths, above(home, 1)) or standard
  else
    program = found.real   -- links on the way to it are not there for guests
  end
  if not standard then
    return nil, ("the standard library of %s was not found: there is no lib/python3.*/os.py above the program. Set "
      .. "PERIGEE_CODE_PYTHON to another interpreter"):format(found.path), "no_interpreter"
  end
  paths[#paths + 1] = program
  return { program = program, readable = outermost(paths), note = editable(own) }
end


return M
