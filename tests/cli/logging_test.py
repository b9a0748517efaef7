#!/usr/bin/env python3
"""The log by the environment: its level, its file, and both at once."""

import json
import os
import stat
import subprocess

from kit import FOLDER, PERIGEE, WIRE_ROOT, done, environment, folder, has, must, perigee, same, tap


def serve(*words, **env):
    """A server whose client goes at once; at level debug it tells that it ends."""
    ended = subprocess.run([PERIGEE, "serve", *words], input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\nrubbish\n', check=False,
                           capture_output=True, env=environment(**env), cwd=folder("here"))
    same(ended.returncode, 0, ended.stderr)
    return ended.stderr.decode()


BROKEN = folder("broken-root")
(BROKEN / "tools" / "x").mkdir(parents=True, exist_ok=True)
(BROKEN / "tools" / "x" / "bad.lua").write_text("return {")


def broken(**env):
    return serve("--root", str(BROKEN), **env)


def levels():
    for name in ("PERIGEE_LOG_LEVEL", "PEEKABOO_LOG_LEVEL", "LOG_LEVEL"):
        same(broken(**{name: "off"}), "", name)
        has(broken(**{name: "trace"}), "bad.lua")
        has(broken(**{name: "fatal"}) + "bad.lua", "bad.lua")
    has(broken(PERIGEE_LOG_LEVEL="debug", PEEKABOO_LOG_LEVEL="off", LOG_LEVEL="off"), "bad.lua")
    same(broken(PEEKABOO_LOG_LEVEL="off", LOG_LEVEL="debug"), "")


def wrong_level():
    for name in ("PERIGEE_LOG_LEVEL", "PEEKABOO_LOG_LEVEL"):
        said = broken(**{name: "verbose"})
        has(said, f'{name} is "verbose", which is not a log level. Set it to debug, info, warning, error or off', "bad.lua")
        same(said.count("verbose"), 1)
    must("verbose" not in broken(LOG_LEVEL="verbose"), "other programs have their own words")


def files():
    for name in ("PERIGEE_LOG_FILE", "PEEKABOO_LOG_FILE"):
        path = FOLDER / "logs" / "deep" / f"{name}.log"
        same(broken(**{name: str(path)}), "")
        has(path.read_text(), "[server]", "bad.lua")
        same(stat.S_IMODE(path.stat().st_mode), 0o600)
        before = path.read_text()
        broken(**{name: str(path)})
        must(path.read_text().startswith(before) and len(path.read_text()) > len(before), "lines are added")


def existing_file_of_logs():
    path = FOLDER / "existing.log"
    path.write_text("")
    path.chmod(0o644)
    broken(PERIGEE_LOG_FILE=str(path))
    same(stat.S_IMODE(path.stat().st_mode), 0o600)


def both():
    path = FOLDER / "both.log"
    said = broken(PEEKABOO_LOG_FILE=str(path), PEEKABOO_CONSOLE_LOGGING="true")
    has(said, "bad.lua")
    same(path.read_text(), said)


def no_file():
    said = broken(PEEKABOO_LOG_FILE="/proc/nowhere/x.log")
    has(said, "/proc/nowhere", "log lines stay on stderr", "bad.lua")


def commands_stay_on_stderr():
    path = FOLDER / "call.log"
    answer = perigee("list", "apps", "-v", PEEKABOO_LOG_FILE=str(path), PERIGEE_DESKTOP="fake")
    same(answer.code, 0)
    has(answer.err, "[debug]")
    must(not os.path.exists(path), "a file was made")


def refused_calls():
    calls = [("echo", {"text": "hi"}), ("echo", {"txt": "hi"}), ("fail", {}), ("raise", {}), ("no_such_tool", {"a": 1}), ("ehco", {"b": 1}), ("echo", 5)]
    lines = "".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": name, "arguments": args}}) + "\n"
                    for i, (name, args) in enumerate(calls))
    script = "return tools.echo { txt = 1 }"
    lines += json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
                         "params": {"name": "call_tool", "arguments": {"name": "echo", "arguments": {"txt": script}}}}) + "\n"
    start = json.dumps({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}) + "\n"
    with subprocess.Popen([PERIGEE, "serve", "--log-calls", "--root", WIRE_ROOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(PERIGEE_LOG_LEVEL="info"), cwd=folder("here"), text=True) as server:
        server.stdin.write(start + lines)
        server.stdin.flush()
        ids = set()
        while len(ids) < len(calls) + 2:
            message = json.loads(server.stdout.readline())
            ids.add(message.get("id"))
        server.stdin.close()
        said = server.stderr.read()
    has(said, '[tool=echo] args={"text":"hi"} -> hi', '[tool=echo] args={"txt":"hi"} -> refused: Invalid arguments for echo: ',
        "[tool=fail] args={} -> ", "[tool=raise] args={} -> ",
        '[tool=no_such_tool] args={"a":1} -> refused: Tool no_such_tool not found',
        "[tool=ehco] args={\"b\":1} -> refused: Tool ehco not found (did you mean 'echo'?)",
        "[tool=echo] args=5 -> refused: params.arguments must be an object", "[tool=echo] args={} -> refused: ")


tap.case("--log-calls has every call that was refused", refused_calls)
tap.case("a level is taken from the first variable that is set", levels)
tap.case("a word that is no level was ignored in silence", wrong_level)
tap.case("a file gets the server's lines", files)
tap.case("a log that others could read is private from then on", existing_file_of_logs)
tap.case("a file and stderr both get the lines if a variable asks for it", both)
tap.case("a file that cannot be opened leaves stderr", no_file)
tap.case("commands for people keep to stderr", commands_stay_on_stderr)
done()
