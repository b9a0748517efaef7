--- Checks the Python that runs code of clients: its version, its jail, and the libraries that such code often uses.

local env     = require "sys.env"
local jail    = require "doctor.jail"
local json    = require "sys.json"
local process = require "sys.process"
local python  = require "sys.python"
local run     = require "python.run"

local M = {}

local BITS = { system_calls = 1, limits = 2, landlock = 4, namespaces = 8, open = 16 }   -- enum jail_layer
local LIBRARIES = { "numpy", "pandas", "matplotlib" }
local CODE = [[
def generated_function_name(*names):
    import importlib.metadata, importlib.util, platform, sys
    found = {}
    for name in names:
        if importlib.util.find_spec(name):
            try:
                found[name] = importlib.metadata.version(name)
            except Exception:
                found[name] = "installed"
    return {"version": platform.python_version(), "program": sys.executable, "libraries": found}
]]
local INSTALL = "On Debian: apt-get install python3. With Homebrew: brew install python. Or name another interpreter, or the "
  .. "directory of a virtual environment, in PERIGEE_CODE_PYTHON."
local PACKAGES = "Only code that imports them needs them. On Debian: apt-get install %s. With Homebrew: brew install numpy "
  .. "python-matplotlib; pandas by pip into a virtual environment that PERIGEE_CODE_PYTHON names."


---@param facts {version: string, program: string, libraries: table<string, string>}
---@param held doctor.Jail
local function described(facts, held)
  local said, packages = {}, {}
  for _, name in ipairs(LIBRARIES) do
    local version = facts.libraries[name]
    said[#said + 1] = version and name .. " " .. version or "no " .. name
    if not version then packages[#packages + 1] = "python3-" .. name end
  end
  return { status = held.status, facts = { version = facts.version, program = facts.program, libraries = facts.libraries,
      jail = held.facts },
    text = ("Python %s (%s); %s; %s"):format(facts.version, facts.program, held.text, table.concat(said, ", ")),
    next = held.status ~= "ok" and held.next or packages[1] and PACKAGES:format(table.concat(packages, " ")) or nil }
end


local function missing(why, code, set)
  return { status = "warning", text = "code of clients in Python does not run: " .. why, next = INSTALL,
    facts = { code = code, interpreter = set or json.null } }
end


---@return table  as in doctor/program.lua
function M.look()
  local set = env.get "PERIGEE_CODE_PYTHON"
  if not set and not process.exists "python3" then return missing("there is no python3 on PATH", "no_interpreter") end
  local outcome, err, code = run.execute { code = CODE, args = LIBRARIES }
  local bits, layers = python.layers(), {}
  for name, bit in pairs(BITS) do layers[name] = bits ~= nil and bits & bit ~= 0 end
  local facts = outcome and outcome.result.function_result
  if type(facts) == "table" and type(facts.version) == "string" and type(facts.libraries) == "table" then
    facts.program = tostring(facts.program)
    return described(facts, jail.describe(layers))
  end
  err = err or outcome and outcome.result.message
  return missing(err, code or outcome and outcome.code or "failed", set)
end


return M
