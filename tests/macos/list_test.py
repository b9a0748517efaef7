#!/usr/bin/env python3
"""Windows whose titles a Mac hides, because the program may not record the screen: `list` and the command say which permission is
missing. On the simulation (lua_sim_test), which shows nothing about a Mac."""

import json
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/lib"))

import server as servers    # noqa: E402
import tap                  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BUILD", str(TOP / "build"))).resolve()
MODULES = BUILD / "sim/modules"
CODE = "PERMISSION_DENIED_SCREEN_RECORDING"


def env(denied):
    return {**os.environ, "PERIGEE_DESKTOP": "x11", "PERIGEE_MODULES": str(MODULES), "PERIGEE_HOME": "/nonexistent", "SIM_DENY": denied}


def by_command(denied, *words):
    done = subprocess.run([servers.PERIGEE, "list", *words, "--json-output"], env=env(denied), capture_output=True, text=True, timeout=120,
                          check=False)
    return json.loads(done.stdout)


def by_tool(denied, **arguments):
    with servers.perigee("--no-user-root", env=env(denied)) as server:
        server.initialize()
        return server.call("list", arguments)["result"]


def titles(denied):
    said = by_command(denied, "windows", "--app", "Text Editor")
    return said["success"] and [window["window_title"] for window in said["data"]["windows"]]


def allowed():
    """Also where only the elements tell the titles."""
    for denied in ("", "accessibility", "screen"):
        assert titles(denied) == ["draft.txt", "notes.txt"], denied
        assert not by_tool(denied, item_type="application_windows", app="Text Editor").get("isError"), denied


def hidden():
    said = by_command("screen,accessibility", "windows", "--app", "Text Editor")
    assert not said["success"] and said["error"]["code"] == CODE, said
    result = by_tool("screen,accessibility", item_type="application_windows", app="Text Editor")
    text = result["content"][0]["text"]
    assert result["isError"] and result["_meta"]["backend_error_code"] == result["_meta"]["perigee/code"] == CODE, result
    assert "The titles of the windows of Text Editor" in text and "the permission Screen Recording is missing" in text, text


def without_titles():
    """The applications need no titles."""
    assert len(by_command("screen,accessibility", "apps")["data"]["applications"]) == 2
    assert not by_tool("screen,accessibility", item_type="running_applications").get("isError")


if (MODULES / "x11.so").exists():
    tap.case("titles that are there", allowed)
    tap.case("titles that the system hides", hidden)
    tap.case("applications are listed all the same", without_titles)
    tap.done()
else:
    print("1..0 # SKIP not built here: make unit")
