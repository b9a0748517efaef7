#!/usr/bin/env python3
"""Text goes past an active input method, by the tool and by sys.input. The method is a double; tests/wide has IBus."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
import server as servers        # noqa: E402
from tools import has, run, same, until     # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "mousepad")
SCRIPT = """
local input = require "sys.input"
local typed = assert(input.type("by a script "))
local forced = assert(input.type("x", { paste = false }))
local key = assert(input.keys "y")
local chord = assert(input.keys "ctrl+End")
local told = {}
for i, sent in ipairs { typed, forced, key, chord } do
  told[i] = { route = sent.route, method = sent.method, settled = sent.settled }
end
print(assert((require "sys.json").encode(told)))
"""


def method_is_gone_round(tools, desktop):
    state, script = desktop.folder / "state", desktop.folder / "type.lua"
    state.write_text("1")
    script.write_text(SCRIPT)
    with applications.program(desktop, "/usr/bin/python3", str(applications.HERE / "fcitx_double.py"), str(state)), \
         applications.editor(tools, desktop, "mousepad", "--disable-server") as editor:
        same(tools("create_input", action="type", text="plain ")["route"], "xtest")
        state.write_text("2")
        result = until(lambda: (r := tools("create_input", action="type", text="a")).get("note") and r, "the double")
        same((result["route"], result["settled"]), ("paste ctrl+v", True))
        has(result["note"], "the input method pinyin is active and would change typed text, so the text was pasted")
        result = tools("create_input", action="keys", keys="b")
        same(result["settled"], False)
        has(result["note"], "pinyin is active and may have changed what was typed")
        same("note" in tools("create_input", action="keys", keys="ctrl+End"), False, "a chord is no text")
        editor.clear()
        done = subprocess.run([servers.PERIGEE, "run", "--no-user-root", str(script)], env=desktop.env, check=True,
                              stdout=subprocess.PIPE, text=True)
        typed, forced, key, chord = json.loads(done.stdout)
        same((typed["route"], typed["method"]), ("paste ctrl+v", "pinyin"))
        same((forced["route"], forced["method"], forced["settled"]), ("xtest", "pinyin", False))
        same((key["method"], chord.get("method")), ("pinyin", None))
        same(editor.holds(), "by a script xy")


def one_that_starts_between_two_calls_is_noticed(tools, desktop):
    """The engine asks for the input method again when a program takes its name on the bus, and when it gives the name up."""
    state = desktop.folder / "state"
    state.write_text("2")
    with applications.editor(tools, desktop, "mousepad", "--disable-server"):
        for _ in range(2):
            for _ in range(3):
                same(tools("create_input", action="type", text="a")["route"], "xtest")
            with applications.program(desktop, "/usr/bin/python3", str(applications.HERE / "fcitx_double.py"), str(state)):
                until(lambda: name_is_taken(desktop), "the double")
                same(tools("create_input", action="type", text="a")["route"], "paste ctrl+v")
            until(lambda: not name_is_taken(desktop), "the end of the double")


def name_is_taken(desktop):
    done = subprocess.run(["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                           "org.freedesktop.DBus.NameHasOwner", "string:org.fcitx.Fcitx5"], env=desktop.env, check=True,
                          stdout=subprocess.PIPE)
    return b"true" in done.stdout


CASES = [("text goes past an active input method", method_is_gone_round),
         ("an input method that starts between two calls is noticed", one_that_starts_between_two_calls_is_noticed)]

if __name__ == "__main__":
    run(CASES, NEEDED)
