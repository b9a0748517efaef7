"""The parts that the tests of running engines share: servers with tools of the test's own, and commands that reach them."""

import json
import pathlib
import sys

from kit import FOLDER, TOP, perigee, soon, write

sys.path.insert(0, str(TOP / "tests" / "lib"))
import server  # noqa: E402

RUNTIME = FOLDER / "runtime"
ENV = {"PERIGEE_RUNTIME_DIR": str(RUNTIME), "PERIGEE_DESKTOP": "fake", "PERIGEE_HOME": str(FOLDER / "home"),
       "XDG_STATE_HOME": str(FOLDER / "state"), "XDG_CACHE_HOME": str(FOLDER / "cache")}


def tool(name, body, schema="{ type = 'object' }", folder="mine", more=""):
    return write(f"home/tools/{folder}/{name}.lua",
                 f"return {{ description = 'For a test.', inputSchema = {schema}, {more} run = function(args, call) {body} end }}\n")


def modules(name, body, *names):
    lines = "".join(f"local {each} = require 'sys.{each}'\n" for each in names)
    path = pathlib.Path(tool(name, body))
    path.write_text(lines + path.read_text())


def command(*words, **env):
    return perigee(*words, **dict(ENV, **env))


def a_server(*words, **env):
    running = server.perigee(*words, env=dict(ENV, **env))
    running.initialize()
    soon(lambda: socket_of(running).exists(), "a console")
    return running


def socket_of(running):
    return RUNTIME / f"{running.process.pid}.console"


def begin(running, name):
    return running.post("tools/call", {"name": name, "arguments": {}})


def listed(running):
    """Returns the row of this engine from `ps --json`; None if it has none."""
    for each in json.loads(command("ps", "--json").out):
        if each["pid"] == running.process.pid:
            return each
    return None


def calls_of(running):
    return {call["name"]: call for call in listed(running)["calls"]}
