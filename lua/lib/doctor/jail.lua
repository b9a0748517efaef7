--- Checks the jail in which scripts of clients and foreign tools run here.

local engine = require "sys.engine"
local env    = require "sys.env"

local M = {}

---@class doctor.Jail
---@field status "ok"|"warning"|"error"
---@field text string     "system calls, limits, Landlock, namespaces"
---@field next? string    how to get what is missing
---@field facts table<string, boolean|string>  each layer and its state

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
  libraries = "Report this with the versions of the C library and of libuv (ldd --version, the list of packages): a library "
    .. "makes a system call that is not on the list. Until it is mended, use single tool calls instead of scripts.",
  script = "Try again when the machine is less busy, and report it if it stays so.",
  namespaces = "Nothing has to be done: the other layers hold alone. On Ubuntu an AppArmor profile with `userns,` for this "
    .. "program allows them.",
}
local RIGHT_BUILD = "Scripts of clients (run_lua) and foreign tools do not run without. Use a build or a container image for "
  .. "this machine's own processor%s."
local RIGHT_MACHINE = "Scripts of clients (run_lua) and foreign tools do not run without. Use a machine with another "
  .. "processor: x86_64, arm64 or riscv64."


--- Explains layers that are missing because of the processor, not of the kernel or the container that LAYERS and NEXT blame.
---@param layers sys.engine.Jail
---@param held string[]     labels of the layers that work
---@param missing string[]  labels, each with its reason in parentheses
---@return string? text
---@return string? next
local function of_processor(layers, held, missing)
  local reason, next_step
  if layers.system_calls then return nil end
  if layers.emulator then
    reason = layers.emulator .. " emulates this program's processor"
    next_step = RIGHT_BUILD:format(layers.machine and ", " .. layers.machine or "")
  elseif layers.unlisted then
    reason, next_step = "none was made for this processor", RIGHT_MACHINE
  end
  if not reason then return nil end
  local last = layers.emulator and #missing or 1
  local said = { table.unpack(missing) }
  for i = 1, last do said[i] = said[i]:gsub(" %(.*%)$", "") end
  said[last] = said[last] .. " (" .. reason .. ")"
  return table.concat(held, ", ") .. (#held > 0 and "; " or "") .. table.concat(said, ", "), next_step
end


--- Codes of a trial that says nothing about the jail: the machine is busy, or runs as many scripts as may be.
local UNTRIED = { timeout = true, too_many_guests = true }


---@param layers sys.engine.Jail
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
  local text, other_step = of_processor(layers, held, missing)
  return { status = layers.system_calls and "ok" or "error", next = other_step or next_step, facts = layers,
    text = text or table.concat(held, ", ") .. (#missing > 0 and "; " .. table.concat(missing, ", ") or "") }
end


--- Adds what a trial says of the jail.
---@param held doctor.Jail  of M.describe()
---@param lived boolean?    the results of sys.engine.try_jail()
---@param err? string
---@param code? string
---@return doctor.Jail
function M.tried(held, lived, err, code)
  if lived or code == "no_jail" then return held end
  if UNTRIED[code] then
    held.text = ("%s; whether a script lives in it is not known now: %s"):format(held.text, err)
    if held.status == "ok" then held.status, held.next = "warning", NEXT.script end
    return held
  end
  held.status = "error"
  held.text = ("%s; but a script that calls a tool, waits and works until a time limit does not live: %s"):format(held.text, err)
  held.next = NEXT[code == "guest_forbidden" and "libraries" or "script"]
  return held
end


--- Runs a script to try the jail, unless one is known to have worked.
---@return doctor.Jail
function M.look()
  local lived, err, code = engine.try_jail()
  local layers = engine.status().jail
  if not layers then return { status = "error", text = err or "no script's process can be made", facts = { code = code } } end
  return M.tried(M.describe(layers), lived, err, code)
end


return M
