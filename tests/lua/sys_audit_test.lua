#!/usr/bin/env tests/lua/run
--- sys.audit: the files of the log, pieces of them, and waiting for more. tests/cli/audit_test.py has logs that are written.
local audit   = require "sys.audit"
local env     = require "sys.env"
local process = require "sys.process"
local t       = require "check"

local folder = env.get "XDG_STATE_HOME" .. "/perigee/audit"

local function sh(text) assert(process.run { "sh", "-c", text, cwd = folder }) end

local function code_of(...) return (select(3, ...)) end

t.case("no log is no files", function()
  t.same(audit.files(), {})
end)

t.case("a watch makes the directory, and sees what changes", function()
  local watch <close> = assert(audit.watch())
  t.same(watch:wait(0.01), false)
  sh "echo one > audit.jsonl"
  t.same(watch:wait(60), true)
end)

t.case("files are in order, and others are not among them", function()
  sh [[echo old > audit-20261125T101112.345Z.jsonl; echo mine > own-20261125T101112.345Z-42.jsonl; echo x > x.jsonl
    ln -s x.jsonl own-link.jsonl; mkdir own-directory.jsonl]]
  local names = {}
  for i, file in ipairs(audit.files()) do names[i] = ("%s %d %s"):format(file.name, file.size, file.own) end
  t.same(names, { "audit-20261125T101112.345Z.jsonl 4 false", "audit.jsonl 4 false",
    "own-20261125T101112.345Z-42.jsonl 5 true" })
end)

t.case("a piece is of the file that was meant", function()
  local file = audit.files()[2]
  t.same(audit.read(file, 0, 100), "one\n")
  t.same(audit.read(file, 2, 1), "e")
  t.same(audit.read(file, 4, 1), "")
  sh "mv audit.jsonl audit-20261125T101113.000Z.jsonl; echo two > audit.jsonl"
  t.same(code_of(audit.read(file, 0, 100)), "moved")
  t.same(audit.read({ name = "audit-20261125T101113.000Z.jsonl", id = file.id }, 0, 100), "one\n")
  sh "rm audit-20261125T101113.000Z.jsonl"
  t.same(code_of(audit.read({ name = "audit-20261125T101113.000Z.jsonl", id = file.id }, 0, 100)), "moved")
end)

t.case("a name is no path", function()
  for _, name in ipairs { "../secrets/x", "/etc/passwd", "a\0" } do
    t.same(pcall(audit.read, { name = name, id = "1" }, 0, 1), false, name)
  end
  t.same(pcall(audit.read, {}, 0, 1), false)
  t.same(pcall(audit.read, { name = "audit.jsonl", id = "1" }, -1, 1), false)
  t.same(pcall(audit.read, { name = "audit.jsonl", id = "1" }, 0, 0), false)
end)

t.case("a closed watch does not wait", function()
  local watch = assert(audit.watch())
  watch:close()
  watch:close()
  t.same(watch:wait(60), false)
end)

t.done()
