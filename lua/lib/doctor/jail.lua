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
  libraries = "Report this with the versions of the C library and of libuv (ldd --version, the system's list of packages): a library "
    .. "makes a system call that is not on the list. Until it is mended, use single tool calls instead of scripts.",
  script = "Try again when the machine is less busy, and report it if it stays so.",
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


--- Tries a script, unless one was seen to live already.
---@return doctor.Jail
function M.look()
  local lived, err, code = engine.try_jail()
  local layers = engine.status().jail
  if not layers then return { status = "error", text = err or "no script's process can be made", facts = { code = code } } end
  local held = M.describe(layers)
  if lived or code == "no_jail" then return held end
  held.status = "error"
  held.text = ("%s; but a script that calls a tool, waits and works until a time limit does not live: %s"):format(held.text, err)
  held.next = NEXT[code == "guest_forbidden" and "libraries" or "script"]
  return held
end


return M
