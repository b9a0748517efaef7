#!/usr/bin/env tests/lua/run
--- sys.process: programs that run to their end, and children that are talked to.
local t       = require "check"
local engine  = require "sys.engine"
local fs      = require "sys.fs"
local process = require "sys.process"
local state   = require "sys.state"
local task    = require "sys.task"
local time    = require "sys.time"

local folder = ...

--- A shell command that holds the lifeline (a file it locks by being open) until it is killed.
local function sh(text, extra)
  local spec = { "sh", "-c", text }
  for key, value in pairs(extra or {}) do spec[key] = value end
  return spec
end

--- Waits until no process with this id is alive; a zombie is dead.
local function gone(pid)
  for _ = 1, 2000 do
    local result = process.run { "ps", "-o", "stat=", "-p", pid }
    if result.stdout == "" or result.stdout:match "^Z" then return true end
    time.sleep(0.01)
  end
  return false
end

t.case("a result has code, stdout and stderr", function()
  local r = process.run(sh "echo out; echo err >&2; exit 3")
  t.same({ r.code, r.signal, r.stdout, r.stderr, r.truncated }, { 3, nil, "out\n", "err\n", false })
  t.same(math.type(r.elapsed), "float")
end)

t.case("arguments arrive as they are", function()
  local odd = { "", " ", "a b", "$HOME", "`id`", "*", "'", '"', "\\", "\n", "é😀", "-n", "--", "\xff" }
  local r = process.run { "printf", "<%s>", table.unpack(odd) }
  t.same(r.stdout, "<" .. table.concat(odd, "><") .. ">")
  t.same(process.run({ "printf", "%s %s", 12, 1.5 }).stdout, "12 1.5")
end)

t.case("input goes to stdin, which is empty otherwise", function()
  t.same(process.run({ "cat", input = "a\0b" }).stdout, "a\0b")
  t.same(process.run({ "cat" }).stdout, "")
  local large = ("0123456789"):rep(300000)
  t.ok(process.run({ "cat", input = large, max_output = #large }).stdout == large)
  t.same(process.run({ "true", input = large }).code, 0)
end)

t.case("env adds, changes and removes names", function()
  local r = process.run(sh("echo $ONE-$HOME-$PATH", { env = { ONE = "1 2", HOME = false } }))
  t.match(r.stdout, "^1 2%-%-/")
end)

t.case("clean_env leaves out what other programs have no use for", function()
  local inner = ('print(require "sys.process".run { "env", clean_env = %s, env = %s }.stdout)')
  local function names(clean, env)
    local r = process.run { engine.program(), "run", "-e", inner:format(clean, env), env = { API_KEY = "k", PERIGEE_TOKEN = "t",
      LC_TIME = "C", ["f%%"] = "() { :; }" } }
    local found = {}
    for name in r.stdout:gmatch "([%w_]+)=" do found[name] = true end
    return found
  end
  local all, clean = names("false", "nil"), names("true", "{ ONE = '1', HOME = false }")
  t.same({ all.API_KEY, all.PERIGEE_TOKEN, all.LC_TIME }, { true, true, true })
  t.same({ clean.API_KEY, clean.PERIGEE_TOKEN, clean.LC_TIME, clean.PATH, clean.ONE, clean.HOME }, { nil, nil, true, true, true, nil })
  t.same(names("true", "nil").HOME, true)
end)

t.case("cwd is where it runs", function()
  t.same(process.run({ "pwd", cwd = "/" }).stdout, "/\n")
  t.same(select(3, process.run { "pwd", cwd = "/no/such/folder" }), "not_found")
end)

t.case("more output than wanted is dropped and said to be", function()
  local r = process.run(sh("yes | head -c 100000", { max_output = 10 }))
  t.same({ r.stdout, r.truncated, r.code }, { "y\ny\ny\ny\ny\n", true, 0 })
end)

t.case("a program that cannot be started is an error that says what to do", function()
  local r, err, code = process.run { "no-such-program" }
  t.same({ r, code }, { nil, "not_found" })
  t.has(err, "Install it or give its full path")
  t.same(select(3, process.run { "/etc/passwd" }), "permission_denied")
  t.same(select(3, process.run { "true", ("x"):rep(4000000) }), "arguments_too_long")
end)

t.case("a program that takes too long is stopped, with what it said so far", function()
  local r, err, code, so_far = process.run(sh("echo begun; echo trouble >&2; sleep 600", { timeout = 0.2 }))
  t.same({ r, code, so_far.stdout, so_far.signal }, { nil, "timeout", "begun\n", 15 })
  t.same(err, '"sh" was stopped after 0.2 s, its time limit. Its last message: trouble')
end)

t.case("a program that ignores SIGTERM is killed", function()
  local _, _, code, so_far = process.run(sh("trap '' TERM; while :; do sleep 600; done", { timeout = 0.1 }))
  t.same({ code, so_far.signal }, { "timeout", 9 })
end)

t.case("the children of a program end with it", function()
  local path = folder .. "/pid"
  process.run(sh("sleep 600 & echo $! > " .. path .. "; wait", { timeout = 0.3 }))
  t.ok(gone(fs.read(path):match "%d+"))
end)

t.case("with whole_group, what a program leaves running ends with it", function()
  local left = process.run(sh "sleep 600 >/dev/null 2>&1 & echo $!").stdout:match "%d+"
  t.ok(process.run({ "ps", "-o", "stat=", "-p", left }).stdout ~= "", "it is left alone otherwise")
  process.run { "kill", "-9", left }
  t.ok(gone(process.run(sh("sleep 600 >/dev/null 2>&1 & echo $!", { whole_group = true })).stdout:match "%d+"))
end)

t.case("a stopped task takes its program along", function()
  local path = folder .. "/pid2"
  local code = select(3, task.with_timeout(0.3, function()
    process.run(sh("echo $$ > " .. path .. "; exec sleep 600"))
  end))
  t.same(code, "timeout")
  t.ok(gone(fs.read(path):match "%d+"))
end)

t.case("several programs run at once", function()
  local meet = "touch %s/meet%d; while [ $(ls %s | grep -c meet) -lt 4 ]; do sleep 0.01; done; echo %d"
  local results = task.map({ 1, 2, 3, 4 }, function(i)
    return process.run(sh(meet:format(folder, i, folder, i), { timeout = 60 })).stdout
  end)
  t.same(results, { "1\n", "2\n", "3\n", "4\n", n = 4 })
end)

t.case("a conversation, line by line", function()
  local child <close> = assert(process.start { "cat" })
  t.ok(child.pid > 1 and child:running())
  for i = 1, 20 do
    t.same(child:write("line " .. i .. "\n"), true)
    t.same(child:read_line(), "line " .. i)
  end
  child:write "the end"
  child:close_input()
  t.same(child:read_line(), "the end")
  t.same(select(3, child:read_line()), "closed")
  t.same(child:wait().code, 0)
  t.same(child:running(), false)
  t.same(select(3, child:write "x"), "closed")
end)

t.case("a line that does not come is waited for as long as wanted", function()
  local child <close> = process.start { "cat" }
  local line, err, code = child:read_line(0.05)
  t.same({ line, code }, { nil, "timeout" })
  t.has(err, "wrote no line in time")
  child:write "now\n"
  t.same(child:read_line(), "now")
end)

t.case("a line beyond max_output is skipped, the next one is read", function()
  local child <close> = process.start(sh("head -c 50000 /dev/zero | tr '\\0' x; echo; echo next", { max_output = 1000 }))
  t.same(select(3, child:read_line()), "too_large")
  t.same(child:read_line(), "next")
end)

t.case("how a child ended is part of the message", function()
  local child <close> = process.start(sh "echo hint >&2; exit 4")
  local _, err, code = child:read_line()
  t.same({ err, code }, { '"sh" exited with code 4. Its last message: hint', "closed" })
  t.same(child:errors(), "hint\n")
  local killed <close> = process.start { "sleep", "600" }
  killed:kill "kill"
  t.has(select(2, killed:read_line()), '"sleep" was killed by signal 9')
end)

t.case("wait gives what was not read, and can be asked again", function()
  local child <close> = process.start(sh "echo a; echo b; echo c >&2")
  t.same(child:read_line(), "a")
  local result = child:wait()
  t.same({ result.code, result.stdout, result.stderr }, { 0, "b\n", "c\n" })
  t.same(child:wait().stdout, "")
  local slow <close> = process.start { "sleep", "600" }
  t.same(select(3, slow:wait(0.02)), "timeout")
  t.same(slow:running(), true)
end)

t.case("one task at a time reads a child", function()
  local child <close> = process.start { "cat" }
  local results = task.map({ 1, 2 }, function(_, i)
    if i == 1 then return (child:read_line()) end
    local code = select(3, child:read_line())
    child:write "for the first\n"
    return code
  end)
  t.same(results, { "for the first", "busy", n = 2 })
end)

t.case("closing kills the child, and wakes the task that reads from it", function()
  local child = process.start { "cat" }
  local results = task.map({ 1, 2 }, function(_, i)
    if i == 1 then return select(3, child:read_line(60)) end
    child:close()
    return "closed it"
  end)
  t.same(results, { "closed", "closed it", n = 2 })
  t.same({ child:running(), select(3, child:wait()) }, { false, "closed" })
  child:close()
  t.ok(gone(child.pid))
end)

t.case("a child in sys.state lives from one place to the next", function()
  local kept = state.open "process_test"
  task.map({ 1 }, function() kept.child = process.start { "cat" } end)
  task.map({ 1 }, function()
    kept.child:write "hello\n"
    t.same(kept.child:read_line(), "hello")
  end)
  kept.child:close()
end)

t.case("signals are sent to the whole group by name", function()
  for name, number in pairs { term = 15, kill = 9, int = 2, hup = 1 } do
    local child <close> = process.start(sh "echo up; exec sleep 600")
    child:read_line()
    child:kill(name)
    t.same(child:wait().signal, number, name)
  end
  local child <close> = process.start(sh "trap 'echo got it; exit 7' TERM; echo up; while :; do sleep 0.01; done")
  child:read_line()
  child:kill()
  t.same({ child:read_line(), child:wait().code }, { "got it", 7 })
  t.raises(function() child:kill "nonsense" end, "invalid option")
end)

t.case("wrong arguments raise", function()
  t.raises(function() process.run "ls" end, "table expected")
  t.raises(function() process.run {} end, "the program's name is missing")
  t.raises(function() process.run { "ls", "a\0b" } end, "%[2%] has a NUL byte")
  t.raises(function() process.run { "ls", {} } end, "%[2%]: string expected, got table")
  t.raises(function() process.run { "ls", tiemout = 1 } end, "'tiemout': there is no such option")
  t.raises(function() process.run { "ls", timeout = -1 } end, "'timeout'")
  t.raises(function() process.start { "ls", env = { ["a="] = "x" } } end, "'env'")
  t.raises(function() process.start({ "true" }).write({}, "x") end, "sys.process.Child expected")
end)

t.case("guest scripts have none of it", function()
  local result, err = engine.run_lua 'return require "sys.process"'
  t.same(result, nil)
  t.has(err, "module 'sys.process' is not available here")
end)

t.case("a child that is released lives on, and its handle is closed", function()
  local child = assert(process.start { "sleep", "600", discard = true })
  local pid = child.pid
  child:release()
  t.same({ child:running(), select(3, child:read_line(1)) }, { false, "closed" })
  child:release()
  child:close()
  local function alive() return assert(process.run { "kill", "-0", pid }).code == 0 end
  t.ok(alive())
  process.run { "kill", pid }
end)

t.case("the output can be discarded", function()
  local r = assert(process.run { "sh", "-c", "echo a; echo b >&2", discard = true })
  t.same({ r.code, r.stdout, r.stderr }, { 0, "", "" })
end)

t.done()
