--- What scripts of clients and foreign tools are shut in by here.

local engine = require "sys.engine"
local env    = require "sys.env"

local M = {}

---@class doctor.Jail
---@field status "ok"|"warning"|"error"
---@field text string     "system calls, limits, Landlock, namespaces"
---@field next? string    what to do about what is missing
---@field facts table<string, boolean>  by layer

local LAYERS = env.platform == "macos" and {
  { "system_calls", "Seatbelt", "no Seatbelt profile" },
  { "limits", "limits", "no limits" },
} or {
  { "system_calls", "system calls", "no list of system calls" },
  { "limits", "limits", "no limits" },
  { "landlock", "Landlock", "no Landlock (the kernel is older than 5.13, or has it switched off)" },
  { "namespaces", "namespaces", "no namespaces (the system or its container does not allow them)" },
}
local NEXT = {
  system_calls = "Scripts of clients (run_lua) and foreign tools do not run without. Use a kernel with seccomp filters, and a "
    .. "container that allows the system call seccomp.",
  namespaces = "Nothing has to be done: the other layers hold alone. On Ubuntu an AppArmor profile with `userns,` for this "
    .. "program allows them.",
}


---@param layers table<string, boolean>
---@return doctor.Jail
function M.describe(layers)
  local held, missing, next_step = {}, {}, nil
  if layers.open then
    return { status = "warning", text = "none: this build has sanitizers, which no jail lets live", facts = layers,
      next = "Use this build for tests only." }
  end
  for _, layer in ipairs(LAYERS) do
    local list = layers[layer[1]] and held or missing
    list[#list + 1] = layer[layers[layer[1]] and 2 or 3]
    if not layers[layer[1]] then next_step = next_step or NEXT[layer[1]] end
  end
  return { status = layers.system_calls and "ok" or "error", next = next_step, facts = layers,
    text = table.concat(held, ", ") .. (#missing > 0 and "; " .. table.concat(missing, ", ") or "") }
end


--- Makes a script's process, unless one was made already: only that tells.
---@return doctor.Jail
function M.look()
  local layers = engine.status().jail
  if not layers then
    local _, err, code = engine.run_lua "return true"
    layers = engine.status().jail
    if not layers then return { status = "error", text = err or "no script's process can be made", facts = { code = code } } end
  end
  return M.describe(layers)
end


return M
