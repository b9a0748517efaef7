#!/usr/bin/env python3
"""sys.awake on doubles of a screen saver and a power manager: no machine that tests run on may be locked. tests/wide has a real
session manager."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
import tap                      # noqa: E402
from desktop import Desktop     # noqa: E402
from script import SAY, bare_bus, running    # noqa: E402
from tools import has, same, until      # noqa: E402

DOUBLE = str(applications.HERE / "awake_double.py")
HEAD = 'local awake, json, time = require "sys.awake", require "sys.json", require "sys.time"' + SAY


class Told:
    """The words of a double that have not been compared."""

    def __init__(self, path):
        self.path, self.read = path, 0

    def lines(self):
        return self.path.read_text().splitlines()[self.read:]

    def says(self, *lines):
        until(lambda: len(self.lines()) >= len(lines) or self.lines() != list(lines)[:len(self.lines())], f"the double says {lines}")
        same(self.lines()[:len(lines)], list(lines))
        self.read += len(lines)


@contextlib.contextmanager
def double(desktop, address, kind):
    path = desktop.folder / f"{kind}.log"
    with open(path, "wb") as log:
        process = subprocess.Popen(["/usr/bin/python3", DOUBLE, kind], stdout=log, stderr=log,
                                   env=dict(desktop.env, DBUS_SESSION_BUS_ADDRESS=address))
    told = Told(path)
    try:
        told.says(f"{kind} is ready")
        yield told
    finally:
        process.terminate()
        process.wait()


def script_on(desktop, address, text, *options):
    return running(desktop, HEAD + text, *options, DBUS_SESSION_BUS_ADDRESS=address,
                   DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={desktop.folder}/none")


def kept_and_released(desktop):
    """All services that run keep it; what is started later does as well; the end of the script releases it."""
    with bare_bus(desktop, "awake") as address, double(desktop, address, "saver") as saver:
        with script_on(desktop, address, """
                local film = assert(awake.keep { reason = "a film" })
                say(tostring(film), film.reason)
                film:release()
                say(film:runs())
                assert(awake.keep { reason = "a talk" })
                say "keeps"
                """) as script:
            script.says('["sys.awake.keep a film (runs)","a film"]', "[false]", '["keeps"]')
            saver.says("saver keeps 1 Perigee a film", "saver releases 1", "saver lost its caller", "saver keeps 2 Perigee a talk")
            with double(desktop, address, "keeper") as keeper:
                keeper.says("keeper keeps 1 Perigee a talk")
                script.process.kill()
                keeper.says("keeper lost its caller")
        saver.says("saver lost its caller")


def the_machine_alone(desktop):
    with bare_bus(desktop, "awake") as address, double(desktop, address, "saver") as saver, \
         double(desktop, address, "keeper") as keeper:
        with script_on(desktop, address, """
                assert(awake.keep { reason = "a backup", display = false }):release()
                say((awake.lock()))""") as script:
            script.says("[true]")
        keeper.says("keeper keeps 1 Perigee a backup", "keeper releases 1", "keeper lost its caller")
        saver.says("saver locks")
        same(saver.lines(), [])


def why_not(desktop):
    """Errors say what is missing, and a dry run does nothing."""
    ask = """
        local function try(fn, ...) local _, err, code = fn(...) say(code, err) end
        try(awake.keep, { reason = "a film" })
        try(awake.keep, { reason = "a film", display = false })
        try(awake.lock)
        say(pcall(awake.keep, {}))"""
    with bare_bus(desktop, "awake") as address:
        with script_on(desktop, address, ask) as script:
            film, backup, lock, wrong = [json.loads(line) for line in script.ends().splitlines()]
        same((film[0], backup[0], lock[0]), ("no_awake", "no_awake", "no_lock"))
        has(film[1], "Nothing here can keep the display awake. Install and start a screen saver or power manager")
        has(backup[1], "Nothing here can keep the machine awake (")
        has(backup[1], "Install and start a power manager")
        has(lock[1], "Nothing here locks the session. Install and start a screen saver that locks")
        has(wrong[1], "sys.awake.keep: pass a reason")
        with double(desktop, address, "refuses"), script_on(desktop, address, ask) as script:
            film = json.loads(script.ends().splitlines()[0])
        has(film[1], "Nothing here can keep the display awake (org.freedesktop.ScreenSaver: no, thank you)")
        with double(desktop, address, "saver") as saver:
            with script_on(desktop, address, ask, "--dry-run") as script:
                film, _, lock, _ = [json.loads(line) for line in script.ends().splitlines()]
            same((film[0], lock[0]), ("dry_run", "dry_run"))
            same(saver.lines(), [])


CASES = [("kept by all services, until it is released", kept_and_released), ("the machine alone, and the lock", the_machine_alone),
         ("where nothing keeps awake or locks, the message says why", why_not)]


def main():
    if subprocess.run(["/usr/bin/python3", "-c", "import gi"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("1..0 # SKIP python3-gi is not installed (vendor/install test)")
        return
    with Desktop() as desktop:
        for name, case in CASES:
            tap.case(name, case, desktop)
    tap.done()


if __name__ == "__main__":
    main()
