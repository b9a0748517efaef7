#!/usr/bin/env python3
"""perigee call of tools that keep something: commands reach one engine, which is started on demand and ends when idle."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys

from kit import FOLDER, PERIGEE, TOP, Terminal, done, environment, folder, has, hasnt, must, perigee, same, soon, tap, write

sys.path.insert(0, str(TOP / "tests" / "lib"))
from procs import alive     # noqa: E402

write("home/tools/mine/count.lua", """local state = require "sys.state"
local process = require "sys.process"
return { description = "Count.", inputSchema = { type = "object", properties = { path = { type = "string" } } }, keeps = true,
  run = function(args)
    local mine = state.open "count"
    mine.n = (mine.n or 0) + 1
    return { n = mine.n, path = args.path, pid = math.tointeger(tonumber(process.run { "sh", "-c", "echo $PPID" }.stdout)) }
  end }
""")
write("home/tools/mine/menu.lua", """
return { description = "A path of menus.", keeps = true,
  inputSchema = { type = "object", properties = { path = { type = { "string", "array" }, items = { type = "string" } } } },
  run = function(args) return { path = args.path } end }
""")
KEPT = FOLDER / "state/perigee/kept"


def count(*words, **more):
    answer = perigee("call", "count", *words, **more)
    same((answer.code, answer.err), (0, ""), answer)
    return json.loads(answer.out)


def end_all():
    """Ends the engines that this test started, by the process numbers that they reported."""
    for pid in STARTED:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    soon(lambda: not any(alive(pid) for pid in STARTED), "an engine lives on")


STARTED = set()


def commands_share_an_engine():
    first = count()
    STARTED.add(first["pid"])
    same([first["n"], count()["n"], json.loads(perigee("call", "count", "--json").out)["structuredContent"]["n"]], [1, 2, 3])
    same(count()["pid"], first["pid"])
    same(oct(KEPT.stat().st_mode & 0o777), "0o700")


def a_command_stays_a_command():
    """A policy judges the call as one from a terminal, and another configuration has another engine."""
    write("other/tools/mine/count.lua", (FOLDER / "home/tools/mine/count.lua").read_text())
    write("other/policy.lua", 'return { rules = { { allow = "typed", caller = "terminal" } }, otherwise = "deny" }')
    mine = count(PERIGEE_HOME=str(FOLDER / "other"))
    STARTED.add(mine["pid"])
    same(mine["n"], 1)


def another_socket_is_no_command():
    """The variable that tells an engine that it is kept names its socket, and does not hold for another socket."""
    path = pathlib.Path(folder("socket")) / "s"
    home = str(FOLDER / "other")
    answer = perigee("serve", "--http", f"unix:{path}", "--idle", "5", "--background", PERIGEE_HOME=home, PERIGEE_KEPT="1")
    same(answer.code, 0, answer)
    said = perigee("mcp", "call", f"unix:{path}", "count", PERIGEE_HOME=home)
    has(said.out + said.err, "The policy denies count")


def another_display_has_its_own():
    other = count(DISPLAY=":4711")
    STARTED.add(other["pid"])
    same(other["n"], 1)
    must(other["pid"] not in (count()["pid"],), "the same engine")


def another_setting_has_its_own():
    other = count(KEYNOTE_THEME="Black")
    STARTED.add(other["pid"])
    here = count()
    must(other["pid"] != here["pid"], "the same engine")
    same(count(PATH=os.environ["PATH"] + ":/nowhere")["pid"], here["pid"])      # as `perigee help call` says


def options_that_change_an_engine_keep_nothing():
    root = str(folder("root"))
    for words in (["--root", root], ["--grant", root], ["--toolset", "mine"]):
        same([count(*words)["n"], count(*words)["n"]], [1, 1], words)


def what_such_a_call_created_is_told_to_be_gone():
    made = perigee("call", "--no-user-root", "create_observation", "what=windows", PERIGEE_DESKTOP="fake")
    same(made.code, 0, made)
    must("What this call created ended with it" in made.err, made)


def paths_start_where_the_user_is():
    here = folder("elsewhere")
    same(count("path=x/y.png", cwd=here)["path"], str(here / "x/y.png"))
    same(count("path=/x.png", cwd=here)["path"], "/x.png")


def a_path_of_menus_stays_as_it_is():
    answer = perigee("call", "menu", "path=File > Save", cwd=folder("elsewhere"))
    same((answer.code, json.loads(answer.out)), (0, {"path": "File > Save"}), answer)


def one_that_was_killed_is_started_again():
    gone = count()["pid"]
    os.kill(gone, signal.SIGKILL)
    soon(lambda: not alive(gone), "it lives")
    again = count()
    STARTED.add(again["pid"])
    same(again["n"], 1)


def where_none_can_be_kept_the_call_is_made_here():
    state = FOLDER / ("long" * 40)
    state.mkdir()
    answer = perigee("call", "count", XDG_STATE_HOME=str(state))
    same(answer.code, 0)
    same(json.loads(answer.out)["n"], 1)
    has(answer.err, "could not be started", "What this call leaves is lost")


def it_says_so_at_a_terminal():
    with Terminal("call", "count", DISPLAY=":4712", width=200) as terminal:
        ended = terminal.end()
    has(ended.out, "It ends after 10 minutes without one")
    STARTED.add(int(ended.out.split('"pid":')[1].split()[0].strip(",")) if '"pid":' in ended.out else 0)


def an_idle_server_ends():
    path = pathlib.Path(folder("idle")) / "s"
    answer = perigee("serve", "--http", f"unix:{path}", "--idle", "0.4", "--background")
    same(answer.code, 0, answer)
    has(answer.out, str(path))
    soon(lambda: not path.exists(), "it does not end")
    mine = {"PERIGEE_RUNTIME_DIR": str(folder("idler") / "perigee")}
    same(perigee("serve", "--http", f"unix:{path}", "--idle", "600", "--background", **mine).code, 0)
    must(perigee("mcp", "info", f"unix:{path}").code == 0, "it does not serve")      # however late this comes
    same(perigee("end", **mine).code, 0)
    soon(lambda: not path.exists(), "it was not ended")
    same(perigee("serve", "--background").code, 2)
    bad = perigee("serve", "--http", "unix:/no/such/folder/s", "--background")
    must(bad.code != 0 and bad.err, bad)


def the_users_engine_is_meant_before_it():
    """`log` and the others met two engines after any call that keeps one, and asked for a number."""
    mine = {"PERIGEE_RUNTIME_DIR": str(folder("runtime") / "perigee")}
    kept = count(PERIGEE_HOME=str(FOLDER / "home"), KEYNOTE_THEME="White", **mine)["pid"]
    STARTED.add(kept)
    has(perigee("ps", **mine).out, f"{kept}  engine that stays for calls  up ")
    has(perigee("state", **mine).out, "count")                       # alone, it is meant
    path = pathlib.Path(folder("user")) / "s"
    with subprocess.Popen([PERIGEE, "serve", "--quiet", "--http", f"unix:{path}"], env=environment(**mine),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as served:
        try:
            soon(lambda: f"{served.pid}  perigee serve" in perigee("ps", **mine).out, "the server")
            for words in (["log"], ["state"], ["reload"], ["service"]):
                answer = perigee(*words, **mine)
                same((answer.code, answer.err), (0, ""), words)
            hasnt(perigee("state", **mine).out, "count")
            answer = perigee("end", **mine)
            same(answer.code, 2)
            has(answer.err, "2 engines are running", f"{kept} (stays for calls, ", f"{served.pid} (serve, ")
            same(perigee("end", str(kept), **mine).out, f"the engine {kept} has ended\n")
            soon(lambda: not alive(kept), "the engine that stays")
            same(perigee("end", **mine).out, f"the engine {served.pid} has ended\n")
            same(served.wait(), 0)
            has(perigee("end", **mine).err, "no engine of this user is running")
        finally:
            served.kill()


tap.case("commands reach one engine", commands_share_an_engine)
tap.case("such a call is judged as a command", a_command_stays_a_command)
tap.case("a call through another socket is not judged as a command", another_socket_is_no_command)
tap.case("another display has an engine of its own", another_display_has_its_own)
tap.case("a call with other settings has an engine of its own, one with another PATH has not", another_setting_has_its_own)
tap.case("a call with options that change an engine keeps nothing", options_that_change_an_engine_keep_nothing)
tap.case("a call that keeps no engine says that what it created is gone", what_such_a_call_created_is_told_to_be_gone)
tap.case("relative paths start where the user is", paths_start_where_the_user_is)
tap.case("a path of menus is passed on as it is", a_path_of_menus_stays_as_it_is)
tap.case("one that was killed is started again", one_that_was_killed_is_started_again)
tap.case("a call is made without an engine if none can be started, and says so", where_none_can_be_kept_the_call_is_made_here)
tap.case("a terminal is told that an engine stays", it_says_so_at_a_terminal)
tap.case("serve --background --idle ends by itself", an_idle_server_ends)
tap.case("an engine of the user is meant before one that stays, and each can be ended", the_users_engine_is_meant_before_it)
tap.case("no engine is left", end_all)
done()
