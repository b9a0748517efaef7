#!/usr/bin/env python3
"""Status menus on macOS: the real `perigee --menu` on the simulation (tests/macos/sim/menu.c), as lua/lib/menu/macos.lua
has it."""

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

VIEW = """
local json = require "sys.json"
local menu = require "menu.macos"
local function show(value) print(json.encode(value)) end
local view = { id = "perigee-x", title = "Coffee", text = "1 h", tooltip = "Stays awake", png = "\\0\\1", activates = false,
  dynamic = true, items = { { id = 1, label = "Awake", enabled = true, checked = true }, { id = 2, separator = true },
  { id = 3, label = "For", enabled = true, items = { { id = 4, label = "1 hour", enabled = false } } },
  { id = 5, label = 'a "b" \\u{e9}', enabled = true, checked = false } } }
"""

SHOWN = ["Coffee|1 h|Stays awake||AAE=|", "  1 Awake [x]", "  ---", "  3 For", "    4 1 hour (off)", '  5 a "b" é [ ]']


@unittest.skipUnless((MODULES / "x11.so").exists(), "not built here: make unit")
class Menu(unittest.TestCase):
    def run_script(self, text: str, user: str = "") -> tuple[list[str], list[str]]:
        with tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
            script, does, shown = (pathlib.Path(folder, name) for name in ("script.lua", "user", "shown"))
            script.write_text(VIEW + text, encoding="utf-8")
            does.write_text(user, encoding="utf-8")
            shown.touch()
            env = dict(os.environ, PERIGEE_DESKTOP="x11", PERIGEE_MODULES=str(MODULES), SIM_MENU=str(does),
                       SIM_MENU_SHOWN=str(shown))
            ran = subprocess.run([BUILD / "perigee", "run", "--no-user-root", "--quiet", script], env=env, timeout=120,
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return ran.stdout.splitlines(), shown.read_text(encoding="utf-8").splitlines()

    def test_what_is_shown(self) -> None:
        out, shown = self.run_script("""
            local session = assert(menu.open(view))
            print(session:shown())
            session:close()
            print(session:shown())
            print(select(3, session:next(1)))
        """)
        self.assertEqual(shown, SHOWN)
        self.assertEqual(out, ["true", "false\tThe process that shows the status menu has ended.\tno_status_area", "closed"])

    def test_what_the_user_does(self) -> None:
        out, _ = self.run_script("""
            local session = assert(menu.open(view))
            for _ = 1, 2 do show(assert(session:next(30))) end
            print(select(3, session:next(0)))
        """, "choose 4\nclick\n")
        self.assertEqual(out, ['{"what":"chosen","id":4}', '{"what":"activated"}', "timeout"])

    def test_a_dynamic_menu_is_renewed_when_it_opens(self) -> None:
        out, shown = self.run_script("""
            local session = assert(menu.open(view))
            show(assert(session:next(30)))
            view.items, view.activates, view.text, view.png = {}, true, nil, nil
            session:set(view)
            show(assert(session:next(30)))
        """, "open\nchoose 1\n")
        self.assertEqual(out, ['{"what":"opening"}', '{"what":"chosen","id":1}'])
        self.assertEqual(shown[len(SHOWN):], ["Coffee||Stays awake|||activates"])

    def test_a_menu_that_nobody_renews_opens_as_it_is(self) -> None:
        out, shown = self.run_script("""
            local session = assert(menu.open(view))
            for _ = 1, 2 do show(assert(session:next(30))) end
        """, "open\nchoose 1\n")
        self.assertEqual(out, ['{"what":"opening"}', '{"what":"chosen","id":1}'])
        self.assertEqual(shown, SHOWN)

    def test_a_large_icon(self) -> None:
        _, shown = self.run_script("""
            view.png = ("x"):rep(300000)
            assert(menu.open(view)):close()
        """)
        self.assertEqual(len(shown[0].split("|")[4]), 400000)

    def test_a_helper_that_ends_or_says_nothing(self) -> None:
        out, _ = self.run_script("""
            print(select(3, menu.new({ "/nonexistent/perigee" }).open(view)))
            print(select(3, menu.new({ "/bin/true" }).open(view)))
            local session = assert(menu.new({ "/bin/sh", "-c", [[echo '{"what":"shown"}']] }).open(view))
            print(select(3, session:next(30)))
        """)
        self.assertEqual(out, ["no_status_area", "no_status_area", "lost"])


if __name__ == "__main__":
    tap_unittest.main()
