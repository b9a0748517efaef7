#!/usr/bin/env python3
"""Perigee.app: all of the program is in it, and a link to the program leads into the bundle."""

from __future__ import annotations

import os
import pathlib
import plistlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "lib"))

import tap_unittest  # noqa: E402

# Prints the program that was started, the name in its command line, and whether Lua files and modules are found.
LOOK = """
local parts = require("sys.engine").parts()
local command = assert(require("sys.process").run { "/bin/sh", "-c", "tr '\\\\0' '\\\\n' < /proc/$PPID/cmdline | head -1" })
print(parts.program, (command.stdout:gsub("%s+$", "")), #require("sys.crypto").sha256 "x", tools.engine_status ~= nil)
"""


@unittest.skipUnless(sys.platform == "linux", "it looks into /proc")
class Bundle(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.app = self.folder / "Perigee.app"
        self.build = os.environ.get("BUILD", "build")
        env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        self.make = subprocess.run(["make", "-s", "app", f"BUILD={self.build}", f"APP={self.app}"], cwd=TOP, env=env,
                                   capture_output=True, text=True, check=False)
        self.assertEqual(self.make.returncode, 0, self.make.stdout + self.make.stderr)

    def run_by(self, path: pathlib.Path) -> list[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("PERIGEE")}
        done = subprocess.run([str(path), "run", "-e", LOOK], cwd=self.folder, env=dict(env, PERIGEE_HOME=str(self.folder)),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("\t")

    def test_a_link_in_bin_runs_the_program_of_the_bundle(self) -> None:
        link = self.folder / "perigee"
        program = self.app / "Contents/MacOS/perigee"
        link.symlink_to(program)
        for path in (link, program):
            started, called, digest, tools = self.run_by(path)
            self.assertEqual((started, called), (str(program.resolve()), str(program.resolve())))
            self.assertEqual((digest, tools.strip()), ("32", "true"))

    def test_its_list_of_properties_names_what_macos_asks_for(self) -> None:
        with open(self.app / "Contents/Info.plist", "rb") as file:
            properties = plistlib.load(file)
        self.assertEqual(properties["CFBundleExecutable"], "perigee")
        for name in ("NSScreenCaptureUsageDescription", "NSAppleEventsUsageDescription"):
            self.assertTrue(properties[name])


if __name__ == "__main__":
    tap_unittest.main()
