#!/usr/bin/env python3
"""The jail where a system lacks a layer: scripts run in those that are left, and only where the list of system calls holds."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                  # noqa: E402
from server import PERIGEE, Server          # noqa: E402

ASAN = bool(os.environ.get("PERIGEE_ASAN"))
FILTERED = [sys.executable, str(TOP / "tests/lib/filtered.py")]
TOOL = "return { description = 'x', inputSchema = { type = 'object' }, run = function() return 'ran' end }"


def opened(refused, *more):
    server = Server([*FILTERED, refused, PERIGEE, "serve", "--root", str(TOP / "tests/wire/root"), *more])
    server.initialize()
    return server


def text(answer):
    return "\n".join(part.get("text", "") for part in answer["result"]["content"])


def run(server, code):
    return server.call("run_lua", {"code": code})


def jail(server):
    return server.call("engine_status", {})["result"]["structuredContent"]["jail"]


def doctor(refused):
    said = subprocess.run([*FILTERED, refused, PERIGEE, "doctor", "--json"], stdout=subprocess.PIPE, check=False).stdout
    return next(each for each in json.loads(said)["checks"] if each["id"] == "jail")


# Rows of the call that the system refuses, the layers that still hold, and a word of the message on what is missing.
LAYERS = {
    "map": ({"system calls", "limits", "Landlock"}, "no namespaces"),
    "namespaces": ({"system calls", "limits", "Landlock"}, "no namespaces"),
    "landlock": ({"system calls", "limits", "namespaces"}, "no Landlock"),
    "limits": ({"system calls", "Landlock", "namespaces"}, "no limits"),
    "map,landlock,limits": ({"system calls"}, "no limits, no Landlock"),
}


def scripts_run_in_the_layers_that_are_left(refused):
    """Where a user namespace could be had, but not its map, every script ended as guest_lost."""
    held, missing = LAYERS[refused]
    with opened("close_range") as server:           # close_range is not one of them
        here = set(jail(server).partition(";")[0].split(", "))
    with opened(refused) as server:
        for i in range(3):                          # the first process of a namespace could be made, and no other
            assert text(run(server, f"return {i} + 40")) == str(i + 40)
        assert text(run(server, "return tools.echo{text = 'called'}")) == "called"
        said = jail(server)
        assert set(said.partition(";")[0].split(", ")) == held & here, said
        assert missing in said, said
    assert (doctor(refused)["status"], doctor(refused)["text"]) == ("ok", said), doctor(refused)


def without_the_list_nothing_runs(refused):
    folder = tempfile.mkdtemp(prefix="perigee-layers-")
    path = pathlib.Path(folder, "foreign", "ran.lua")
    path.parent.mkdir()
    path.write_text(TOOL)
    try:
        with opened(refused, "--root", folder) as server:
            for _ in range(2):
                answer = run(server, "return 1")
                assert answer["result"]["_meta"]["perigee/code"] == "no_jail", answer
                assert "seccomp" in text(answer) and "perigee doctor" in text(answer), answer
            status = server.call("engine_status", {})["result"]["structuredContent"]
            assert "no list of system calls" in status["jail"], status
            problems = [each["message"] for each in status["problems"] if each["file"].endswith("ran.lua")]
            assert len(problems) == 1 and "seccomp" in problems[0], status["problems"]
            assert "error" in server.call("ran", {}) or "ran" != text(server.call("ran", {}))
        about = doctor(refused)
        assert about["status"] == "error" and "no list of system calls" in about["text"] and "seccomp" in about["next"], about
    finally:
        shutil.rmtree(folder)


def main():
    if ASAN or not sys.platform.startswith("linux"):
        tap.skip("the jail's layers", "there is no jail in a build with sanitizers; a Mac has another")
        return tap.done()
    for refused in LAYERS:
        tap.case(f"scripts run in the layers that are left without {refused}", scripts_run_in_the_layers_that_are_left, refused)
    for refused in ("seccomp", "seccomp,map,landlock,limits"):
        tap.case(f"without {refused} nothing runs", without_the_list_nothing_runs, refused)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
