#!/usr/bin/env python3
"""The console of a running engine: perigee ps, reload and state, and its socket."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import threading
import time

from kit import FOLDER, PERIGEE, Running, done, environment, has, hasnt, must, same, soon, tap, write

from engines import ENV, RUNTIME, a_server, begin, calls_of, command, listed, modules, socket_of, tool

NOBODY = 65534


modules("nap", "time.sleep(60)", "time")
modules("holder", "local held <close> = task.lock 'office' time.sleep(60)", "task", "time")
modules("wanter", "local held <close> = task.lock 'office' return 'had it'", "task")
modules("outer", "return engine.call('nap').text", "engine")
modules("several", "task.map({ 1, 2 }, function(n) if n == 1 then time.sleep(60) else task.await 'bell' end end)", "task", "time")
modules("spin", "while true do end", "log")
modules("remember", "local mine = state.open 'mine' mine.seen = { 'a', 'b' } mine.n = (mine.n or 0) + 1 return 'ok'", "state")


# --- ps ---------------------------------------------------------------------------------------

def nothing_runs():
    answer = command("ps")
    same((answer.code, answer.out), (0, "No engine of this user is running.\n"))
    same(command("ps", "--json").out, "[]\n")
    for words in (("reload",), ("state",)):
        answer = command(*words)
        same((answer.code, answer.err), (1, f"perigee {words[0]}: no engine of this user is running. `perigee serve` or `perigee service run` starts one\n"))


def the_socket_is_private():
    with a_server() as running:
        for name in ("console", "sock"):
            path = RUNTIME / f"{running.process.pid}.{name}"
            same(oct(path.stat().st_mode & 0o777), "0o600", name)
            must(stat.S_ISSOCK(path.stat().st_mode), "it is a socket")
        same(oct(RUNTIME.stat().st_mode & 0o777), "0o700")
        path = socket_of(running)
    soon(lambda: not path.exists(), "the socket to go with the engine")


def what_calls_wait_for():
    with a_server() as running:
        for name in ("nap", "holder"):
            begin(running, name)
        soon(lambda: set(calls_of(running)) == {"nap", "holder"}, "two calls")
        for name in ("wanter", "outer", "several"):
            begin(running, name)
        soon(lambda: len(listed(running)["calls"]) == 6, "all calls")
        calls = listed(running)["calls"]
        waits = {}
        for call in calls:
            waits.setdefault(call["name"], []).append(call["waits"])
        same(waits, {"nap": ["a timer of 60 s"] * 2, "holder": ["a timer of 60 s"], "wanter": ["the lock office"],
                     "outer": ["the call of nap"], "several": ["a timer of 60 s, the signal bell"]})
        outer = next(call for call in calls if call["name"] == "outer")
        inner = next(call for call in calls if call.get("parent") == outer["id"])
        same(inner["name"], "nap")
        for call in calls:
            same((call["kind"], call["toolset"], call["caller"]["kind"]), ("tool", "mine", "client"), call)
            must(0 <= call["age"] < 120, call)
        shown = command("ps").out
        has(shown, f"{running.process.pid}  perigee serve  up ", ", fake\n", "waits for the lock office\n",
            "waits for a timer of 60 s, the signal bell\n", "\n      nap ")


def a_busy_engine_answers():
    """Lua that never waits holds up neither ps nor reload."""
    with a_server() as running:
        for _ in range(3):
            begin(running, "spin")
        soon(lambda: len(listed(running)["calls"]) == 3, "three calls")
        same({call["waits"] for call in listed(running)["calls"]}, {"its turn"})
        same(command("reload").code, 0)


def the_age_grows():
    with a_server() as running:
        begin(running, "nap")
        soon(lambda: calls_of(running).get("nap"), "a call")
        soon(lambda: calls_of(running)["nap"]["age"] > 0.2, "it gets older")


def scripts_are_listed():
    script = "print 'ready' require('sys.time').sleep(60)"
    running = Running("run", "-e", script, **ENV)
    same(running.line(), "ready")
    status = listed(running)
    same((status["command"], status["calls"]), ("run", []))
    same([(task["name"], task["waits"]) for task in status["tasks"]], [("(command line)", "a timer of 60 s")])
    running.signal(signal.SIGTERM)
    running.end()


def one_that_hangs():
    with a_server() as running:
        pid = running.process.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            answer = command("ps")
            same(answer.code, 1)
            has(answer.out, f"{pid}  the engine {pid} does not answer. It may hang; `kill {pid}` ends it")
            row = json.loads(command("ps", "--json").out)[0]
            same((row["pid"], row["reached"]), (pid, False))
        finally:
            os.kill(pid, signal.SIGCONT)


def what_a_killed_one_left():
    with a_server() as running:
        path = socket_of(running)
        os.kill(running.process.pid, signal.SIGKILL)
        running.process.wait()
        same(path.exists(), True)
        same(command("ps").out, "No engine of this user is running.\n")
        same(path.exists(), False)


def it_does_not_keep_an_idle_engine():
    """An engine with --idle ends even while `perigee ps` looks at it: that is not a call."""
    with subprocess.Popen([PERIGEE, "serve", "--http", f"unix:{FOLDER}/idle", "--idle", "2"], env=environment(**ENV),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as idle:
        seen = 0
        while idle.poll() is None:
            seen += command("ps").out.startswith(f"{idle.pid}  ")
        must(seen > 0, "it was never seen")
        same(idle.returncode, 0)


# --- reload -----------------------------------------------------------------------------------

@contextlib.contextmanager
def meanwhile(change, every=0.002):
    """Makes the change again and again: the engine notices by itself only files that changed some time ago."""
    over = threading.Event()

    def work():
        while not over.wait(every):
            change()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def renewed(path):
    """Replaces the file by one that is a byte longer; it is whole at any time."""
    part = FOLDER / "renewed"
    part.write_text(path.read_text() + " ")
    part.replace(path)


def reloads():
    path = pathlib.Path(tool("greet", "return 'one'"))
    with a_server() as running:
        same(running.text("greet"), "one")
        answer = command("reload")
        same((answer.code, answer.out), (0, "No file changed since the engine last looked.\n"))
        changed = None
        while not changed:
            with meanwhile(lambda: renewed(path)):
                answer = json.loads(command("reload", str(running.process.pid), "--json").out)
            changed = answer["changed"]
        same((answer["changed"], answer["added"], answer["removed"], answer["problems"]), ([str(path)], [], [], []))


def reload_finds_what_is_new_and_gone():
    with a_server() as running:
        running.text("engine_status")
        paths, added, removed = [], [], []

        def make():
            paths.append(tool(f"passing{len(paths)}", "return 1"))

        while not added:
            with meanwhile(make):
                added = json.loads(command("reload", "--json").out)["added"]
        same(set(added) <= set(paths), True, added)
        command("reload")
        left = list(paths)
        while not removed:
            must(left, "the engine saw by itself that all of them were gone")
            with meanwhile(lambda: left and os.unlink(left.pop()), 0.01):
                removed = json.loads(command("reload", "--json").out)["removed"]
        same(set(removed) <= set(paths), True, removed)
        for path in left:
            os.unlink(path)


def reload_fails_where_a_file_does():
    path = pathlib.Path(tool("broken", "return 1"))
    with a_server() as running:
        same(running.text("broken"), "1")
        good = path.read_text()
        path.write_text("return {")
        answer = command("reload")
        same(answer.code, 1, answer)
        has(answer.out, f"problem  {path}: tools/mine/broken.lua:1: ", "(its last good version goes on)")
        same(running.text("broken"), "1")
        path.write_text(good)
        same(command("reload").code, 0)
    path.unlink()


def engines_are_named():
    with a_server() as one, a_server() as two:
        pids = sorted((one.process.pid, two.process.pid))
        for words in (("reload",), ("state",)):
            answer = command(*words)
            same(answer.code, 2)
            has(answer.err, "2 engines are running. Name one by its process id: "
                + ", ".join(f"{pid} (serve, fake)" for pid in pids))
        same(command("reload", str(pids[0])).code, 0)
        same(command("state", "--pid", str(pids[1])).code, 0)
        answer = command("reload", "1")
        same(answer.code, 2)
        has(answer.err, "no engine of this user is process 1. Running: ")


# --- state ------------------------------------------------------------------------------------

def state_is_shown():
    with a_server() as running:
        same(command("state").out, "Nothing has been kept in sys.state since this engine began.\n")
        for _ in range(2):
            running.text("remember")
        has(command("state").out, "mine  opened by remember\n  n, seen\n")
        for name in ("mine", "remember"):
            same(command("state", name).out, 'mine  opened by remember\n  { n = 2, seen = { "a", "b" } }\n')
        rows = json.loads(command("state", "--json").out)
        same(rows, [{"name": "mine", "entries": 2, "keys": ["n", "seen"], "users": ["remember"]}])
        answer = command("state", "rememberr")
        same(answer.code, 1)
        has(answer.err, 'There is no state, and no tool, of the name "rememberr"; did you mean remember?')
        has(command("state", "nap").err, "No call of nap has opened a state since this engine began.")


# --- who may ----------------------------------------------------------------------------------

def only_a_console_has_its_tools():
    with a_server() as running:
        names = [each["name"] for each in running.ask("tools/list", {})["result"]["tools"]]
        hasnt(" ".join(names), "console_")
        has(running.call("console_calls", {})["error"]["message"], "Tool console_calls not found")
        for words in (("call_tool", {"name": "console_calls", "arguments": {}}),
                      ("run_lua", {"code": "return tools.console_calls {}"}), ("describe_tool", {"name": "console_calls"})):
            same(running.call(*words)["result"].get("isError"), True, words)
    hasnt(command("tools").out, "console_")
    same(command("call", "console_calls").code, 2)
    same(command("run", "-e", "return require('sys.engine').call('console_calls')").code, 1)


def the_policy_is_asked():
    write("strict/policy.lua", "return { rules = { { deny = 'not here', tool = 'console_state' }, { allow = 'else', tool = '*' } },"
                               " otherwise = 'deny' }")
    with a_server("--root", str(FOLDER / "strict")):
        answer = command("state")
        same(answer.code, 1)
        has(answer.err, "The policy denies console_state (not here; rule 1 of the policy). Nothing was done.")
        same(command("reload").code, 0)


def calls_are_in_the_audit_log():
    with a_server():
        command("state")
    has(command("audit", "--tool", "console_state").out, "perigee state", "console_state", "allow")


def as_nobody(function):
    """Returns the text that function() returns in a process of another user."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os.write(into, function().encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as text:
        said = text.read()
    os.waitpid(child, 0)
    return said


def others_are_refused():
    """Even where the modes of the files would let another user in."""
    if os.geteuid() != 0:
        raise tap.Skip("needs root, to be another user")

    def ask():
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(20)
            try:
                caller.connect(str(path))
                caller.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
                return repr(caller.recv(100))
            except OSError as error:
                return type(error).__name__

    with a_server() as running:
        path = socket_of(running)
        same(as_nobody(ask), "PermissionError")
        folders = [RUNTIME, *RUNTIME.parents][:-1]
        modes = {folder: folder.stat().st_mode & 0o7777 for folder in folders}
        try:
            for folder in folders:
                folder.chmod(modes[folder] | 0o755)
            path.chmod(0o666)
            must(as_nobody(ask) in ("b''", "BrokenPipeError", "ConnectionResetError"), "it was answered")
        finally:
            for folder in folders:
                folder.chmod(modes[folder])
        same(listed(running)["reached"], True)


def an_engine_of_others_is_refused():
    if os.geteuid() != 0:
        raise tap.Skip("needs root, to be another user")
    RUNTIME.mkdir(mode=0o700, exist_ok=True)
    path = RUNTIME / "4711.console"
    listening, listens = os.pipe()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            listener.listen()
            os.write(listens, b"1")
            while True:
                time.sleep(1)
    try:
        os.read(listening, 1)  # a command that finds no listener clears the socket away
        refused = command("reload", "4711")
        has(refused.err, "another user's")
        same(refused.code, 1)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(listening)
        os.close(listens)
        path.unlink(missing_ok=True)


# --- hostile lines ----------------------------------------------------------------------------

def connect(running):
    caller = socket.socket(socket.AF_UNIX)
    caller.connect(str(socket_of(running)))
    caller.settimeout(20)
    return caller


def answer_of(caller):
    text = b""
    while not text.endswith(b"\n"):
        piece = caller.recv(65536)
        must(piece, f"the connection ended after {text!r}")
        text += piece
    return json.loads(text)


def nonsense_harms_nobody():
    with a_server() as running:
        for text in (b"nonsense\n", b"\0\0\0\n", b"[]\n", b"{}\n", b"\xff\xfe\n", b'{"jsonrpc":"2.0","id":1,"method":"nope"}\n',
                     b"[" * 100000 + b"\n", b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"console_none"}}\n'):
            with connect(running) as caller:
                caller.sendall(text)
                has(json.dumps(answer_of(caller)), '"error"')
        with connect(running) as caller:        # longer than any message may be
            piece = b"x" * 1000000
            for _ in range(11):
                caller.sendall(piece)
            caller.sendall(b"\n")
            has(answer_of(caller)["error"]["message"], "the message is longer than 10485760 bytes and was skipped")
        with connect(running) as caller:        # half a line, and away
            caller.sendall(b'{"jsonrpc":"2.0","id":1,"meth')
        same(listed(running)["reached"], True)


def many_at_once():
    with a_server() as running:
        callers = [connect(running) for _ in range(100)]
        with connect(running) as caller:        # one too many
            same(caller.recv(100), b"")
        for caller in callers:
            caller.close()
        soon(lambda: listed(running), "there is room again")


def one_that_does_not_read():
    """The engine keeps a client's answers, and stops reading its requests; other clients do not wait."""
    with a_server() as running, connect(running) as caller:
        request = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{' \
                  b'"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n'
        caller.settimeout(1)
        sent = 0
        try:
            while sent < 100000:
                sent += caller.send(request * 10) // len(request)
        except TimeoutError:
            pass
        must(sent < 100000, "all was taken")
        memory = listed(running)["memory"]["resident"]
        must(memory < 100 << 20, f"{memory} bytes")


def a_client_that_leaves_ends_its_calls():
    with a_server() as running:
        with connect(running) as caller:
            caller.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "nap", "arguments": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                          "io.modelcontextprotocol/clientCapabilities": {}}}}).encode() + b"\n")
            soon(lambda: calls_of(running).get("nap"), "the call")
            same(calls_of(running)["nap"]["caller"]["kind"], "terminal")
        soon(lambda: not calls_of(running), "the end of the call")


tap.case("ps says so when nothing runs", nothing_runs)
tap.case("the sockets are for this user alone", the_socket_is_private)
tap.case("ps says what calls wait for", what_calls_wait_for)
tap.case("an engine that computes answers", a_busy_engine_answers)
tap.case("ps says how old calls are", the_age_grows)
tap.case("ps lists scripts", scripts_are_listed)
tap.case("ps names an engine that hangs, and fails", one_that_hangs)
tap.case("ps clears away what a killed one left", what_a_killed_one_left)
tap.case("ps does not keep an idle engine", it_does_not_keep_an_idle_engine)
tap.case("reload says what changed", reloads)
tap.case("reload says what is new, and what is gone", reload_finds_what_is_new_and_gone)
tap.case("reload fails where a file does not load", reload_fails_where_a_file_does)
tap.case("one of several engines is to be named", engines_are_named)
tap.case("state shows what tools keep", state_is_shown)
tap.case("only a console has the console's tools", only_a_console_has_its_tools)
tap.case("the policy is asked about the console's tools, too", the_policy_is_asked)
tap.case("a console's calls are in the audit log", calls_are_in_the_audit_log)
tap.case("other users are refused", others_are_refused)
tap.case("an engine of another user is refused", an_engine_of_others_is_refused)
tap.case("nonsense on the socket harms nobody", nonsense_harms_nobody)
tap.case("many connections harm nobody", many_at_once)
tap.case("a client that does not read harms nobody", one_that_does_not_read)
tap.case("a client that leaves ends its calls", a_client_that_leaves_ends_its_calls)
done()
