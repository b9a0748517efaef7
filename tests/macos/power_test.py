#!/usr/bin/env python3
"""Power and sleep on macOS: the real `perigee --power` on the simulation (tests/macos/sim/power.c), as lua/lib/power/macos.lua
reads it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

import tap_unittest  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BUILD", HERE.parent.parent / "build")).resolve()
MODULES = BUILD / "sim" / "modules"

SHOW = """
local json = require "sys.json"
local power = require "power.macos"
local function show(value) print(json.encode(value)) end
"""


@unittest.skipUnless((MODULES / "x11.so").exists(), "not built here: make unit")
class Power(unittest.TestCase):
    def run_script(self, text: str, news: str = "") -> list[str]:
        with tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
            script, lines = pathlib.Path(folder, "script.lua"), pathlib.Path(folder, "news")
            script.write_text(SHOW + text, encoding="utf-8")
            lines.write_text(news, encoding="utf-8")
            env = dict(os.environ, PERIGEE_DESKTOP="x11", PERIGEE_MODULES=str(MODULES), SIM_POWER=str(lines))
            ran = subprocess.run([BUILD / "perigee", "run", "--no-user-root", "--quiet", script], env=env, timeout=120,
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def test_a_machine_without_a_battery(self) -> None:
        self.assertEqual(self.run_script("show(assert(power.state()))"), ['{"source":"mains"}'])

    def test_what_happens_in_its_order(self) -> None:
        lines = self.run_script("""
            local session = assert(power.open())
            for _ = 1, 4 do show(assert(session:next(30))) end
            print(select(3, session:next(0)), session:dropped())
            session:close()
            print(select(3, session:next(0)))
        """, "Battery 81 0 120\nsleep\nwake\nAC 82 1 30\n")
        self.assertEqual(lines, [
            '{"state":{"source":"battery","percent":81,"charging":false,"seconds_left":7200},"what":"state"}',
            '{"what":"sleeping"}', '{"what":"woke"}',
            '{"state":{"source":"mains","percent":82,"charging":true,"seconds_to_full":1800},"what":"state"}',
            "timeout\t0", "lost"])

    def test_times_that_macos_does_not_know_yet_are_left_out(self) -> None:
        lines = self.run_script("show(assert(assert(power.open()):next(30)))", "Battery 50 0 -1\n")
        self.assertEqual(lines, ['{"state":{"source":"battery","percent":50,"charging":false},"what":"state"}'])

    def test_a_helper_that_says_something_else_or_ends(self) -> None:
        lines = self.run_script("""
            print(select(2, power.new({ "/bin/echo", "hello" }).state()))
            print(select(3, power.new({ "/nonexistent/perigee" }).open()))
            local session = assert(power.new({ "/bin/echo", '{"what":"state"}' }).open())
            print(select(3, session:next(30)))
        """)
        self.assertEqual(lines, ["macOS does not tell of the power supply (a line of it is not an event).\tno_power",
                                 "no_power", "lost"])

    def test_the_helper_ends_with_its_input(self) -> None:
        env = dict(os.environ, PERIGEE_DESKTOP="x11", PERIGEE_MODULES=str(MODULES))
        ran = subprocess.run([BUILD / "perigee", "--power"], env=env, stdin=subprocess.DEVNULL, timeout=120,
                             capture_output=True, text=True, check=False)
        self.assertEqual((ran.returncode, ran.stdout), (0, '{"what":"state","source":"mains"}\n'))


if __name__ == "__main__":
    tap_unittest.main()
