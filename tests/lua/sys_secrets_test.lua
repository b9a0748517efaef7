#!/usr/bin/env tests/lua/run
--- sys.secrets: private files, whole changes, and a lock among programs.
local env     = require "sys.env"
local process = require "sys.process"
local secrets = require "sys.secrets"
local t       = require "check"

local folder = env.get "XDG_STATE_HOME" .. "/perigee/secrets"

local function sh(text)
  return (assert(process.run { "sh", "-c", text, cwd = folder }).stdout:gsub("%s+$", ""))
end

local function code_of(...) return (select(3, ...)) end

t.case("a secret is private, and comes back", function()
  t.same(code_of(secrets.read "first"), "not_found")
  t.same(secrets.write("first", "a\0b"), true)
  t.same(secrets.read "first", "a\0b")
  t.same(sh "stat -c '%a' . first", "700\n600")
  t.same(secrets.write("first", "second"), true)
  t.same(secrets.read "first", "second")
  t.same(sh "ls", "first")
end)

t.case("nothing kept is no file", function()
  t.same(secrets.write("first"), true)
  t.same(secrets.write("first"), true)
  t.same(code_of(secrets.read "first"), "not_found")
  t.same(sh "ls", "")
end)

t.case("a file that others may read is made private", function()
  secrets.write("open", "x")
  sh "chmod 644 open"
  t.same(secrets.read "open", "x")
  t.same(sh "stat -c '%a' open", "600")
end)

t.case("a link is not followed", function()
  sh "echo stolen > target; ln -s target link"
  t.same(secrets.read "link", nil)
end)

t.case("a name is no path", function()
  for _, name in ipairs { "", "../x", "a/b", "A", "a.b", ("a"):rep(65), "a\0" } do
    t.same(pcall(secrets.read, name), false, name)
  end
end)

t.case("one program at a time holds the lock", function()
  do
    local held <close> = assert(secrets.try_lock "first")
    t.same(code_of(secrets.try_lock "first"), "busy")
    t.same(assert(process.run { "flock", "-n", folder .. "/first.lock", "true" }).code, 1)
    local held_other <close> = assert(secrets.try_lock "second")
  end
  local held <close> = assert(secrets.try_lock "first")
end)

t.done()
