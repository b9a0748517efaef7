#!/usr/bin/env tests/lua/run
--- doctor.jail: the check's words, for each state of the jail that the engine may report.
local jail = require "doctor.jail"
local env  = require "sys.env"
local t    = require "check"

if env.platform == "macos" then
  t.case("a Linux jail says what it lacks", function() t.skip "a Mac has another jail" end)
  return t.done()
end

---@param more table
local function layers(more)
  local all = { system_calls = false, limits = false, landlock = false, namespaces = false, open = false }
  for name, value in pairs(more) do all[name] = value end
  return all
end

t.case("all layers hold", function()
  local said = jail.describe(layers { system_calls = true, limits = true, landlock = true, namespaces = true })
  t.same({ said.status, said.text, said.next }, { "ok", "system calls, limits, Landlock, namespaces" })
end)

t.case("a kernel without filters is named", function()
  local said = jail.describe(layers { limits = true })
  t.same(said.status, "error")
  t.has(said.text, "no Landlock (the kernel is older")
  t.has(said.next, "a kernel with seccomp filters")
end)

t.case("an emulator is named in place of the kernel, and an image for the machine", function()
  local said = jail.describe(layers { limits = true, emulator = "qemu-x86_64", machine = "arm64" })
  t.same({ said.status, said.text }, { "error",
    "limits; no list of system calls, no Landlock, no namespaces (qemu-x86_64 emulates this program's processor)" })
  t.has(said.next, "a container image for this machine's own processor, arm64.")
  t.hasnt(said.next, "kernel")
end)

t.case("an emulator on a machine that is not known", function()
  local said = jail.describe(layers { emulator = "odd" })
  t.same(said.text, "no list of system calls, no limits, no Landlock, no namespaces (odd emulates this program's processor)")
  t.has(said.next, "processor.")
end)

t.case("an emulator that lacks nothing is not blamed", function()
  local said = jail.describe(layers { system_calls = true, limits = true, landlock = true, namespaces = true, emulator = "odd" })
  t.same({ said.status, said.text, said.next }, { "ok", "system calls, limits, Landlock, namespaces" })
end)

t.case("an emulator in which the list holds is not blamed for what else is missing", function()
  local said = jail.describe(layers { system_calls = true, limits = true, landlock = true, emulator = "odd" })
  t.same(said.status, "ok")
  t.has(said.text, "no namespaces (the system or its container")
  t.has(said.next, "Nothing has to be done")
end)

t.case("a processor without a list is named in place of the kernel", function()
  local said = jail.describe(layers { limits = true, landlock = true, unlisted = true })
  t.same({ said.status, said.text }, { "error", "limits, Landlock; no list of system calls (none was made for this processor), "
    .. "no namespaces (the system or its container does not allow them)" })
  t.has(said.next, "Use a machine with another processor")
end)

t.case("a build with sanitizers", function()
  t.same(jail.describe(layers { open = true, emulator = "odd" }).status, "warning")
end)

t.case("a trial that a busy machine did not let end, or begin, says nothing of the jail", function()
  local ALL = { system_calls = true, limits = true, landlock = true, namespaces = true }
  for _, code in ipairs { "timeout", "too_many_guests" } do
    local said = jail.tried(jail.describe(layers(ALL)), nil, "it was late", code)
    t.same({ said.status, said.text }, { "warning",
      "system calls, limits, Landlock, namespaces; whether a script lives in it is not known now: it was late" })
    t.has(said.next, "when the machine is less busy")
    t.same(jail.tried(jail.describe(layers {}), nil, "it was late", code).status, "error")
  end
end)

t.case("a trial that lived, and one that died", function()
  local ALL = { system_calls = true, limits = true, landlock = true, namespaces = true }
  t.same(jail.tried(jail.describe(layers(ALL)), true).status, "ok")
  local said = jail.tried(jail.describe(layers(ALL)), nil, "call 425", "guest_forbidden")
  t.same(said.status, "error")
  t.has(said.text, "does not live: call 425")
  t.has(said.next, "Report this")
end)

return t.done()
