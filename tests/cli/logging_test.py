#!/usr/bin/env python3
"""The log by the environment: its level, its file, and both at once."""

import os
import stat
import subprocess

from kit import FOLDER, PERIGEE, done, environment, folder, has, must, perigee, same, tap


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


def files():
    for name in ("PERIGEE_LOG_FILE", "PEEKABOO_LOG_FILE"):
        path = FOLDER / "logs" / "deep" / f"{name}.log"
        same(broken(**{name: str(path)}), "")
        has(path.read_text(), "[server]", "bad.lua")
        same(stat.S_IMODE(path.stat().st_mode), 0o600)
        before = path.read_text()
        broken(**{name: str(path)})
        must(path.read_text().startswith(before) and len(path.read_text()) > len(before), "lines are added")


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


tap.case("a level is taken from the first variable that is set", levels)
tap.case("a file gets the server's lines", files)
tap.case("and stderr, too, when it is wished", both)
tap.case("a file that cannot be opened leaves stderr", no_file)
tap.case("commands for people keep to stderr", commands_stay_on_stderr)
done()
