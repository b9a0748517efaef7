#!/usr/bin/env python3
"""Windows of scripts on macOS: the real `perigee --ui` on the simulation (tests/macos/sim/ui.c), as sys.ui has it."""

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
MODULE = BUILD / "sim" / "modules" / "x11.so"


@unittest.skipUnless(MODULE.exists(), "not built here: make unit")
class Ui(unittest.TestCase):
    def run_script(self, text: str, user: str = "") -> tuple[list[str], list[str]]:
        """The simulation's module under the name of the one that has the toolkit on Linux."""
        with tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
            script, does, shown = (pathlib.Path(folder, name) for name in ("script.lua", "user", "shown"))
            script.write_text('local ui = require "sys.ui"\n' + text, encoding="utf-8")
            does.write_text(user, encoding="utf-8")
            shown.touch()
            modules = pathlib.Path(folder, "modules")
            modules.mkdir()
            for module in MODULE.parent.glob("*.so"):
                if module.name != "gtk.so":
                    (modules / module.name).symlink_to(module.resolve() if module != MODULE else MODULE)
            (modules / "gtk.so").symlink_to(MODULE)
            env = dict(os.environ, PERIGEE_DESKTOP="x11", PERIGEE_MODULES=str(modules), SIM_UI=str(does),
                       SIM_UI_SHOWN=str(shown))
            ran = subprocess.run([BUILD / "perigee", "run", "--no-user-root", "--quiet", script], env=env, timeout=120,
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return ran.stdout.splitlines(), shown.read_text(encoding="utf-8").splitlines()

    def test_a_list(self) -> None:
        out, shown = self.run_script('print(ui.choose({ { text = "Mail", subtext = "two" }, "Ma\\u{df}e" },'
                                     '{ title = "T", placeholder = "P" }))', "typed MASS\nentered\n")
        self.assertEqual(out, ["Maße"])
        self.assertEqual(shown, ['open {"hint":"P","kind":"choose","tall":true,"title":"T"}', 'row ["Mail","two",1]',
                                 'row ["Maße","",2]', "select 0", 'row ["Maße","",2]', "select 0"])

    def test_keys_and_closing(self) -> None:
        out, _ = self.run_script('print(ui.choose { "a", "b", "c" }) ', "moved 5\nentered\n")
        self.assertEqual(out[0], "c")
        out, _ = self.run_script('print(select(3, ui.choose { "a" }))', "closed\n")
        self.assertEqual(out, ["closed"])

    def test_questions(self) -> None:
        out, shown = self.run_script('print(ui.ask("Q", { title = "T", value = "v", secret = true }))', "answered 1\n")
        self.assertEqual(out, ["text"])
        self.assertEqual(shown, ['open {"buttons":["OK","Cancel"],"field":true,"hint":"","kind":"ask","secret":true,'
                                 '"text":"Q","title":"T","value":"v"}'])
        out, _ = self.run_script('print(ui.ask("Q", { buttons = { "a", "b" } }))', "answered 2\n")
        self.assertEqual(out, ["b"])


if __name__ == "__main__":
    tap_unittest.main()
