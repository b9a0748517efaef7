#!/usr/bin/env python3
"""Events of the desktop for scripts, under more window managers: tests/desktop/lua/events_test.lua, which runs under openbox and
xfwm4 with the other Lua tests."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tap                  # noqa: E402
from managers import MANAGERS   # noqa: E402

LUA = pathlib.Path(__file__).resolve().parent / "lua"
NAMES = ("fluxbox", "jwm", "twm")


def told(desktop):
    """Each case of the file as one of ours."""
    run = subprocess.run([LUA / "run", "x11", LUA / "events_test.lua"], env=desktop.env, capture_output=True, text=True, timeout=120,
                         check=False)
    lines = run.stdout.splitlines()
    for at, line in enumerate(lines):
        if line.startswith(("ok ", "not ok ")):
            name = line.partition(" - ")[2]
            why = [each[2:] for each in lines[at + 1:at + 6] if each.startswith("# ")]
            tap.ok(line.startswith("ok "), f"{desktop.manager.name}: {name}", "\n".join(why))
    tap.ok(run.returncode == 0, f"{desktop.manager.name}: it runs to its end", run.stderr[-2000:])


def main():
    for name in tap.share(NAMES):
        if MANAGERS[name].missing():
            tap.skip(name, "is not installed (vendor/install test)")
            continue
        with desktops.Desktop(manager=name) as desktop:
            told(desktop)
    tap.done()


main()
