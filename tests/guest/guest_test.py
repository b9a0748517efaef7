#!/usr/bin/env python3
"""Scripts of clients, each in a process of its own: what one of them does costs nobody else, and none outlives its call."""

import contextlib
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                          # noqa: E402
from procs import alive, cpu, descendants, leads, parents, words_of    # noqa: E402
from server import GUARD, perigee                   # noqa: E402

FOREVER = "while true do end"
SLOWER = 6 if os.environ.get("PERIGEE_ASAN") else 1


def opened(*more):
    server = perigee("--root", str(TOP / "tests/wire/root"), "--toolset", "test", *more)
    server.initialize()
    return server


def begin(server, code, **more):
    return server.post("tools/call", {"name": "run_lua", "arguments": {"code": code, **more}})


def text(answer):
    return answer["result"]["content"][0]["text"]


def run(server, code, **more):
    return server.answer(begin(server, code, **more))


def until(condition, what):
    end = time.monotonic() + GUARD
    while not (value := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.01)
    return value


def processes(server):
    """(fork server, guests), as the kernel has them. The first process of the namespace is a fork server, too."""
    own = [pid for pid in descendants(server.process.pid) if alive(pid)]
    forks = [pid for pid in own if b"--guest-server" in words_of(pid)]
    tree = parents()
    first = [pid for pid in forks if tree.get(pid) == server.process.pid]
    return first[0] if first else None, [pid for pid in forks if pid not in first and not leads(pid)]


# --- one line that no hook interrupts -----------------------------------------------------------

BOMBS = {
    "colliding_keys": "local t = {} for i = 1, 65537 do t[i * 131071] = i end for i = 1, 20 do "
                      "local u = {} for k in pairs(t) do u[k] = 1 end end",
    "many_labels": "local s = {} for i = 1, 32000 do s[i] = '::l' .. i .. '::' end return #table.concat(s, ' ')",
    "ephemerons": "local t = setmetatable({}, {__mode = 'k'}) local k = {} for i = 1, 300000 do local n = {} "
                  "t[k] = n k = n end",
    "packsize": "return string.packsize(('i4'):rep(15000000))",
    "blanks": "return (('x' .. (' '):rep(100000) .. 'x'):gsub('%s+$', ''))",
    "memory_caught_for_ever": "while true do pcall(function() local t = {} for i = 1, 1e9 do t[i] = {i} end end) end",
    "sorting": "local t = {} for i = 1, 1e6 do t[i] = i * 7919 % 1000003 end while true do table.sort(t) end",
    "printing_for_ever": "while true do print(('x'):rep(100)) end",
    "calling_for_ever": "while true do pcall(tools.fail) end",
}


def a_bomb_holds_nobody_up(code):
    with opened() as server:
        run(server, "return 1")
        held = begin(server, code, timeout=1)
        for _ in range(20):
            server.ask("ping")          # answered while it runs, or it is over by itself
        answer = server.answer(held)
        assert "result" in answer, answer
        assert text(run(server, "return 41 + 1")) == "42"


# --- ends ---------------------------------------------------------------------------------------

def a_guest_that_is_killed_is_told():
    with opened() as server:
        run(server, "return 1")
        held = begin(server, FOREVER)
        busy = []

        def found():
            busy[:] = [pid for pid in processes(server)[1] if cpu(pid) > 2]
            return busy
        until(found, "no guest computes")
        os.kill(busy[0], signal.SIGKILL)
        answer = server.answer(held)
        assert answer["result"]["isError"] and "memory" in text(answer), answer
        assert answer["result"]["_meta"]["perigee/code"] == "guest_killed", answer
        assert text(run(server, "return 'next'")) == "next"


def a_crash_is_told():
    with opened() as server:
        run(server, "return 1")
        held = begin(server, FOREVER)
        busy = []
        until(lambda: busy or busy.extend(pid for pid in processes(server)[1] if cpu(pid) > 2) or busy, "no guest computes")
        os.kill(busy[0], signal.SIGABRT)     # sanitizers do not take SIGABRT for a fault of the program
        answer = server.answer(held)
        assert answer["result"]["_meta"]["perigee/code"] in ("guest_crashed", "guest_lost"), answer


def a_lost_fork_server_is_replaced():
    with opened() as server:
        run(server, "return 1")
        held = begin(server, FOREVER)
        until(lambda: any(cpu(pid) > 2 for pid in processes(server)[1]), "no guest computes")
        first, _ = processes(server)
        os.kill(first, signal.SIGKILL)
        answer = server.answer(held)
        assert answer["result"]["isError"], answer
        assert text(run(server, "return 'again'")) == "again"
        second, _ = processes(server)
        assert second and second != first, (first, second)


def an_end_that_is_not_noticed_yet_harms_no_script():
    """The end of the guest that waits for a script, or of the server that makes guests."""
    with opened() as server:
        for which in ("guest", "server"):
            run(server, "return 1")
            maker, guests = until(lambda: next((each for each in [processes(server)] if len(each[1]) == 1), None), "no guest waits")
            all_of_them = [pid for pid in descendants(server.process.pid) if b"--guest-server" in words_of(pid)]
            ending = guests[:1] if which == "guest" else all_of_them
            os.kill(server.process.pid, signal.SIGSTOP)
            held = begin(server, "return 'again'")
            with contextlib.suppress(ProcessLookupError):     # the guest may be that of the last script, which ends by itself
                os.kill(guests[0] if which == "guest" else maker, signal.SIGKILL)
            until(lambda: not any(alive(pid) for pid in ending), "they live on")
            os.kill(server.process.pid, signal.SIGCONT)
            answer = server.answer(held)
            assert text(answer) == "again", (which, answer)


def a_lost_fork_server_ends_a_script_and_the_script_that_it_runs():
    """The end of the first one freed the second, which was next in the list of those to be ended."""
    with opened("--toolset", "engine") as server:
        run(server, "return 1")
        held = begin(server, f"return tools.run_lua{{code = '{FOREVER}'}}")
        until(lambda: any(cpu(pid) > 2 for pid in processes(server)[1]), "no guest computes")
        first, guests = processes(server)
        makers = [pid for pid in descendants(server.process.pid) if leads(pid)] or [first]
        for pid in makers:
            os.kill(pid, signal.SIGSTOP)        # so that it does not tell of their ends
        for pid in guests:
            os.kill(pid, signal.SIGKILL)
        for _ in range(20):
            server.ask("ping")
            time.sleep(0.01)
        for pid in makers:
            os.kill(pid, signal.SIGKILL)
        answer = server.answer(held)
        assert answer["result"]["_meta"]["perigee/code"] == "guest_lost", answer
        assert text(run(server, "return 'again'")) == "again"


def a_cancelled_script_is_gone():
    with opened() as server:
        run(server, "return 1")
        held = begin(server, FOREVER)
        until(lambda: any(cpu(pid) > 2 for pid in processes(server)[1]), "no guest computes")
        server.notify("notifications/cancelled", {"requestId": held})
        until(lambda: len(processes(server)[1]) == 1 and not any(cpu(pid) > 2 for pid in processes(server)[1]),
              "it computes on")


def none_outlives_the_engine():
    for how in ("end of input", "kill -9"):
        with opened() as server:
            run(server, "return 1")
            begin(server, FOREVER)
            until(lambda: any(cpu(pid) > 2 for pid in processes(server)[1]), "no guest computes")
            first, guests = processes(server)
            if how == "kill -9":
                server.process.kill()
            else:
                server.close_stdin()
            until(lambda: not any(alive(pid) for pid in [first, *guests]), f"after {how} some live on")


def more_than_may_run_are_refused():
    with opened() as server:
        run(server, "return 1")                 # the first one loads what the others find, and may be overtaken
        held = [begin(server, "require('sys.time').sleep(60)") for _ in range(33)]
        answer = server.find(lambda message: message.get("id") in held)      # the last one, if none was overtaken
        assert answer["result"]["_meta"]["perigee/code"] == "too_many_guests", answer
        server.ask("ping")
        for request in held:
            if request != answer["id"]:
                server.notify("notifications/cancelled", {"requestId": request})
        assert text(run(server, "return 'room again'")) == "room again"


# --- what it may do -----------------------------------------------------------------------------

def its_secrets_are_not_there():
    os.environ["OPENAI_API_KEY"] = "sk-not-for-guests"
    try:
        with opened() as server:
            run(server, "return 1")
            until(lambda: len(processes(server)[1]) == 1, "the ends of the others")
            first, guests = processes(server)
            looked = 0
            for pid in [first, *guests]:
                try:
                    seen = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
                except PermissionError:     # an ordinary user may not look where a process gave up its privileges
                    assert os.geteuid() != 0
                    return
                except (FileNotFoundError, ProcessLookupError):     # it has ended, and another one takes its place
                    continue
                assert b"sk-not-for-guests" not in seen, seen
                looked += 1
            assert looked, "a process to look at"
    finally:
        del os.environ["OPENAI_API_KEY"]


def with_desktop(*options, toolsets="desktop,screen"):
    os.environ["PERIGEE_DESKTOP"] = "fake"
    try:
        server = perigee("--toolset", toolsets, *options)
    finally:
        del os.environ["PERIGEE_DESKTOP"]
    server.initialize()
    return server


def it_writes_pictures_only_where_files_may_be_written():
    # A client must not do by the path of a screenshot what it could not do with require('sys.fs').
    with tempfile.TemporaryDirectory() as granted, tempfile.TemporaryDirectory() as other:
        with with_desktop("--grant", granted) as server:
            take = "local d = tools.list_displays{}.displays[1].name return tools.%s"
            for where in (other, granted + "/../x"):
                for call in ("capture_screenshot{display = d, path = '%s/p.png'}", "image{path = '%s/p.png'}"):
                    answer = run(server, take % (call % where))
                    assert answer["result"]["isError"] and "outside the directories" in text(answer), text(answer)
            assert os.listdir(other) == []
            answer = run(server, take % f"capture_screenshot{{display = d, path = '{granted}/p.png'}}.path")
            assert text(answer) == os.path.realpath(granted) + "/p.png", text(answer)
            outside = server.call("capture_screenshot", {"path": other + "/q.png", "display": "all"})
            assert os.listdir(other) == ["q.png"], outside


def the_next_call_had_only_the_directories_of_a_script():
    """A task that had run a script was used again for a tool that call_tool calls."""
    with tempfile.TemporaryDirectory() as granted, tempfile.TemporaryDirectory() as other:
        with with_desktop("--grant", granted) as server:
            server.call("run_lua", {"code": "return tools.list_displays{}.displays[1].name"})
            for name in ("p.png", "q.png"):
                arguments = {"path": f"{other}/{name}", "display": "all"}
                answer = server.call("call_tool", {"name": "capture_screenshot", "arguments": arguments})
                assert not answer["result"].get("isError"), text(answer)
        assert sorted(os.listdir(other)) == ["p.png", "q.png"]


KEEPER = """
local engine = require "sys.engine"
local fs = require "sys.fs"
local s = require "schema"

return {
  description = "Keep a note in a folder of this tool's own.",
  inputSchema = s.object {},
  run = function()
    local folder, err, code = engine.state_folder "notes"
    if not folder then return nil, err, code end
    local done
    done, err, code = fs.write(folder .. "/a.txt", "kept")
    if not done then return nil, err, code end
    return folder
  end,
}
"""


def a_folder_that_a_tool_made_for_itself_was_open_to_scripts():
    """Once a tool had asked for its folder in the state directory, scripts' screenshots could go there."""
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as granted:
        pathlib.Path(root, "tools", "mine").mkdir(parents=True)
        pathlib.Path(root, "tools", "mine", "keep_note.lua").write_text(KEEPER)
        for options in ((), ("--grant", granted)):
            with with_desktop(*options, "--root", root, toolsets="desktop,screen,mine") as server:
                own = text(run(server, "return tools.keep_note{}"))
                assert os.listdir(own) == ["a.txt"], own    # the tool itself may write there, for a script as well
                take = "local d = tools.list_displays{}.displays[1].name return tools.%s"
                for call in ("capture_screenshot{display = d, path = '%s/p.png'}", "image{path = '%s/p.png'}"):
                    answer = run(server, take % (call % own))
                    assert answer["result"]["isError"], answer
                    assert ("Granted: " + granted if options else "--grant") in text(answer), text(answer)
                    assert os.listdir(own) == ["a.txt"], os.listdir(own)


def a_path_that_is_not_granted_says_nothing_of_what_is_there():
    with tempfile.TemporaryDirectory() as granted, tempfile.TemporaryDirectory() as other:
        for name, data in (("letter.png", b"Dear Ann"), ("empty.png", b"")):
            pathlib.Path(other, name).write_bytes(data)
            pathlib.Path(granted, name).write_bytes(data)
        os.mkdir(other + "/folder.png")
        os.symlink(other + "/letter.png", granted + "/link.png")
        with with_desktop("--grant", granted) as server:

            def said(path):
                answer = run(server, f"return tools.image{{app = 'Files', path = '{path}'}}")
                return text(answer).replace(path, "PATH")
            first = said(other + "/nothing.png")
            assert "outside the directories" in first, first
            for name in ("letter.png", "empty.png", "folder.png", "no/such/folder.png"):
                assert said(f"{other}/{name}") == first, (name, said(f"{other}/{name}"))
            assert said(granted + "/link.png") == first, said(granted + "/link.png")
            assert "not an image" in said(granted + "/letter.png"), said(granted + "/letter.png")
            for name in ("empty.png", "new/folder.png"):
                answer = said(f"{granted}/{name}")
                assert os.path.getsize(f"{granted}/{name}") > 0, answer


def values_come_as_they_are():
    with opened() as server:
        assert text(run(server, "return 9007199254740993")) == "9007199254740993"
        assert text(run(server, "return {1, 2, {a = 'b\\0c'}}")) == '[1,2,{"a":"b\\u0000c"}]'
        assert text(run(server, "local a = ... return #a", args=["x", "y"])) == "2"
        assert text(run(server, "return ...", args={"a": 2 ** 70, "b": [-(10 ** 30)]})) == \
            '{"a":1180591620717411303424,"b":[-1000000000000000000000000000000]}'
        assert text(run(server, "local a = ... a.a = 2 ^ 71 return a.a", args={"a": 2 ** 70})) == "2.3611832414348226e+21"
        answer = run(server, "return print")
        assert answer["result"]["isError"] and "function" in text(answer), answer


# Each wrote a line to stderr, which no guest may.
SAID_ASIDE = {
    "while closing": "task.with_timeout(0.05, function() local x <close> = setmetatable({}, {__close = function() error 'oops' end}) "
                     "require('sys.time').sleep(5) end) return 'went on'",
    "apart": "task.apart('apart', function() error 'oops' end) require('sys.time').sleep(0.05) return 'went on'",
    "printing apart": "task.apart('apart', function() print 'oops' end) require('sys.time').sleep(0.05) return 'went on'",
    "a log line of 5000 bytes": "require('sys.log').warn('oops' .. ('x'):rep(5000)) return 'went on'",
}


def what_is_said_aside_is_a_line_of_the_log():
    with opened() as server:
        for name, code in SAID_ASIDE.items():
            answer = run(server, "local task = require 'sys.task' " + code)
            said = "\n".join(part["text"] for part in answer["result"]["content"])
            assert said.endswith("went on") and not answer["result"].get("isError"), (name, said)
            if name == "printing apart":
                assert "oops" in said, said
            else:
                until(lambda: any("oops" in line for line in server.errors), f"{name}: {server.errors}")
            server.errors.clear()


def log_lines_without_end_take_no_memory():
    with opened() as server:
        held = begin(server, "local log, line, t = require 'sys.log', ('x'):rep(4000), {} for i = 1, 200000 do t[i] = i * 7919 % 200003 end "
                     "table.sort(t, function(a, b) log.debug(line) return a < b end)", timeout=3)
        most, end = 0, time.monotonic() + 2
        while time.monotonic() < end:
            most = max([most, *(memory(pid) for pid in processes(server)[1])])
            time.sleep(0.05)
        server.answer(held)
        assert most < SLOWER * (64 << 20), most     # sanitizers keep what was freed
        if not most:
            tap.note("this user may not weigh a process that is shut in: not tried")


def memory(pid):
    """Bytes that are its own."""
    try:
        rows = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return 1024 * sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB$", rows, re.MULTILINE))


def objects_may_have_many_names():
    """From 64 names on, sorting them asked the system for the size of its memory, which no guest may."""
    with opened() as server:
        for count in (63, 64, 1000, 4000):
            make = f"local t = {{}} for i = 1, {count} do t['name' .. i] = i end "
            for what in ("t", "tools.echo{text = 'x', more = t} and t", "require('sys.json').decode(require('sys.json').encode(t))"):
                answer = run(server, make + "return " + what)
                assert "name1" in text(answer) or "more" in text(answer), text(answer)[:300]
                assert "guest_forbidden" not in str(answer["result"].get("_meta")), answer
            back = run(server, make + "return tools.run_lua{code = 'return ...', args = t}.content[1].text")
            assert json.loads(text(back)) == {f"name{i}": i for i in range(1, count + 1)}, text(back)[:300]
            given = run(server, "local n = 0 for _ in pairs(...) do n = n + 1 end return n", args={f"name{i}": i for i in range(count)})
            assert text(given) == str(count), text(given)[:300]


def what_it_returns_is_limited():
    with opened() as server:
        for code, said in (("return ('x'):rep(30000000)", "takes 28 MB (limit: 16)"),
                           ("return {('\\1'):rep(3000000)}", "takes 17 MB (limit: 16)"),
                           ("return 0 / 0", "NaN")):
            answer = run(server, code)
            assert answer["result"]["isError"] and said in text(answer), text(answer)[:200]
        assert text(run(server, "local t = {} for i = 1, 1e6 do t[i] = 1 end return t")).startswith("[1,1,")
        assert "not enough memory" not in text(run(server, "return {[10] = 1, [2^53] = 2}"))


def worked(server):
    """Seconds for which the engine's own thread has worked, whatever else the machine does."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/schedstat").read_text().split()[0]) / 1e9


def a_value_costs_the_engine_what_its_text_does():
    """A table was made of it and written as JSON there, for up to 0.3 s in which nothing else was served."""
    with opened() as server:
        def cost(code):
            begun = worked(server)
            assert len(text(run(server, code))) > 100000
            return worked(server) - begun
        run(server, "return 1")
        as_text = min(cost("return ('0.1234567890123456,'):rep(240000)") for _ in range(3))
        table = min(cost("local t = {} for i = 1, 240000 do t[i] = 1 / i end return t") for _ in range(3))
        assert table < 4 * as_text, (table, as_text)


def a_table_that_is_in_another_many_times_takes_no_memory():
    """The bytes are the process's, which the limit of Lua's memory does not see."""
    with opened() as server:
        big = "local s = ('x'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return "
        for what in ("t", "tools.echo{text = t}", "assert(require('sys.json').encode(t))"):
            answer = run(server, big + what)
            assert answer["result"]["isError"] and "MB as JSON text" in text(answer), text(answer)[:300]


def modules_that_only_compute_are_there():
    with opened() as server:
        assert text(run(server, "return require('sys.csv').decode('a,b')[1][2] .. require('sys.path').name('/x/y')")) == "by"
        assert text(run(server, "return require 'inspect' { a = 1 }")) == "{ a = 1 }"
        assert text(run(server, "local t = require 'sys.text' return t.pad(t.upper 'äö', 4) .. t.width '日本'")) == "ÄÖ  4"
        assert text(run(server, "return require('sys.regex').gsub('größe', '(?i)[Ö]', '<$0>')")) == "gr<ö>ße"
        assert text(run(server, "return require('sys.date').format(0, '%A', 'utc')")) == "Thursday"
        assert text(run(server, "return select(2, require('sys.ics').decode '')")).startswith("the text is not an iCalendar file")
        assert text(run(server, "return require('sys.date').of().offset .. require('sys.duration').format(90)")).endswith("1m30s")
        assert text(run(server, "local c = require 'sys.crypto' return c.hex(c.md5 'abc') .. #c.random(4)")) == "900150983cd24fb0d6963f7d28e17f724"
        assert text(run(server, "return require('sys.url').join('http://a/b/', '../c?d')")) == "http://a/c?d"
        for code in ("require 'sys.store'", "require 'sys.path'.expand '~/x'", "require 'file_lock'"):
            answer = run(server, code)
            assert answer["result"]["isError"] and "is not available here" in text(answer), (code, text(answer))


def a_long_message_is_cut():
    with opened() as server:
        for letter in ("x", "\\1"):   # invisible characters are taken out
            answer = run(server, f"error(('{letter}'):rep(14000000))")
            said = text(answer)
            assert answer["result"]["isError"] and len(said) < 70000, len(said)
            assert said.startswith("run_lua:1: " + ("xx" if letter == "x" else "\n[")) and said.endswith("more bytes]"), said[-100:]


def what_many_ask_in_a_loop_holds_nobody_up():
    """A turn of the loop began 64 calls for every script: what came meanwhile waited for 0.1 to 1.3 s of the engine's work."""
    with opened("--toolset", "desktop") as server:
        run(server, "return 1")
        flood = ("local task, items = require 'sys.task', {} for i = 1, 64 do items[i] = i end while true do task.map(items, "
                 "function() pcall(function() return tools.search_tools{query = 'make an image of it'} end) end, 64) end")
        held = [begin(server, flood) for _ in range(16)]
        begun = worked(server)
        for _ in range(40):
            server.ask("ping")
        mean = (worked(server) - begun) / 40
        for request in held:
            server.notify("notifications/cancelled", {"requestId": request})
        assert mean < 0.025 * SLOWER, mean


MEET = """
local time = require "sys.time"
local come = 0
return {
  description = "Waits until six calls are here.", inputSchema = { type = "object" },
  run = function()
    come = come + 1
    while come < 6 do time.sleep(0.005) end
    return "met"
  end,
}
"""


def calls_that_go_side_by_side():
    """One after another, the first would wait for ever."""
    with tempfile.TemporaryDirectory() as folder, opened_with(folder, meet=MEET) as server:
        code = "local r = require('sys.task').map({1, 2, 3, 4, 5, 6}, function() return tools.meet{} end, 6) return #r .. r[6]"
        assert text(run(server, code)) == "6met"


def as_many_calls_as_may_go_at_once_can_be_given_up():
    with opened() as server:
        code = ("local task = require 'sys.task' local items = {} for i = 1, 64 do items[i] = i end "
                "local r = task.map(items, function() local _, _, code = task.with_timeout(0.2, function() "
                "return tools.sleep{seconds = 3600} end) return code end, 64) "
                "tools.echo{text = 'x'} return r[1] .. ' ' .. r[64]")
        assert text(run(server, code)) == "timeout timeout"


SLOW_TO_CLOSE = """
local time = require "sys.time"
local live, most = 0, 0
return {
  description = "Takes a while to close.", inputSchema = { type = "object" },
  run = function(args)
    if args.ask then return { most = most } end
    live = live + 1
    most = math.max(most, live)
    local held <close> = setmetatable({}, { __close = function()
      local done <close> = setmetatable({}, { __close = function() live = live - 1 end })
      time.sleep(60)    -- stopped after two seconds, as every closing
    end })
    time.sleep(60)
  end,
}
"""
BIG = """
return { description = "Big.", inputSchema = { type = "object" }, run = function(args) return ("x"):rep(args.size) end }
"""


def opened_with(folder, **tools):
    pathlib.Path(folder, "tools", "mine").mkdir(parents=True)
    for name, code in tools.items():
        pathlib.Path(folder, "tools", "mine", name + ".lua").write_text(code)
    return opened("--toolset", "mine", "--root", folder)


def calls_that_were_given_up_count_until_they_have_closed():
    """A thousand calls of one script could be closing what they had opened, each of which has two seconds for that."""
    with tempfile.TemporaryDirectory() as folder, opened_with(folder, slow=SLOW_TO_CLOSE) as server:
        code = ("local task, items = require 'sys.task', {} for i = 1, 64 do items[i] = i end for _ = 1, 4 do task.map(items, "
                "function() task.with_timeout(0.05, function() return pcall(tools.slow) end) end, 64) end "
                "local refused, most = select(2, pcall(tools.slow)) repeat require('sys.time').sleep(0.05) "
                "most = select(2, pcall(tools.slow, {ask = true})) until type(most) == 'table' "
                "return refused .. '\\n' .. most.most")
        refused, most = text(run(server, code)).rsplit("\n", 1)
        assert "still closing" in refused, refused
        assert 60 < int(most) <= 128, most


def an_answer_that_is_too_long_is_an_error_of_its_call():
    """One that could be packed, but did not fit into a frame, ended the script."""
    with tempfile.TemporaryDirectory() as folder, opened_with(folder, big=BIG) as server:
        for size in ((64 << 20) - 5, (64 << 20) - 4, 65 << 20):
            answer = run(server, f"local _, err, code = require('perigee').call('big', {{size = {size}}}) return {{err = err, code = code}}")
            assert answer["result"]["_meta"].get("perigee/code") is None if "_meta" in answer["result"] else True, answer
            assert not answer["result"].get("isError"), answer
            assert json.loads(text(answer)).get("code") in ("too_large", "not_plain"), answer


def chance_differs_from_run_to_run():
    with opened() as server:
        assert len({text(run(server, "return math.random(1 << 50)")) for _ in range(8)}) == 8


def main():
    for name, code in BOMBS.items():
        tap.case(f"{name.replace('_', ' ')} hold nobody up", a_bomb_holds_nobody_up, code)
    for case in (a_guest_that_is_killed_is_told, a_crash_is_told, a_lost_fork_server_is_replaced,
                 an_end_that_is_not_noticed_yet_harms_no_script,
                 a_lost_fork_server_ends_a_script_and_the_script_that_it_runs, a_cancelled_script_is_gone,
                 none_outlives_the_engine, more_than_may_run_are_refused,
                 its_secrets_are_not_there, it_writes_pictures_only_where_files_may_be_written,
                 the_next_call_had_only_the_directories_of_a_script,
                 a_folder_that_a_tool_made_for_itself_was_open_to_scripts,
                 a_path_that_is_not_granted_says_nothing_of_what_is_there, values_come_as_they_are,
                 objects_may_have_many_names, what_is_said_aside_is_a_line_of_the_log,
                 log_lines_without_end_take_no_memory,
                 what_it_returns_is_limited, a_value_costs_the_engine_what_its_text_does,
                 a_table_that_is_in_another_many_times_takes_no_memory, a_long_message_is_cut, modules_that_only_compute_are_there,
                 what_many_ask_in_a_loop_holds_nobody_up, calls_that_go_side_by_side,
                 as_many_calls_as_may_go_at_once_can_be_given_up,
                 calls_that_were_given_up_count_until_they_have_closed, an_answer_that_is_too_long_is_an_error_of_its_call,
                 chance_differs_from_run_to_run):
        tap.case(case.__name__.replace("_", " "), case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
