#!/usr/bin/env python3
"""office.py with a real window on a private desktop: what a user would see, and what a user may do to it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import tempfile
import unittest

from office_client import HANGING, Office, command, group, leftovers, wait_gone, wait_until, why_no_window

import desktop
import png
import tap

BLUE, WHITE = (0x1F, 0x5F, 0xA6), (255, 255, 255)
FOLDER = tempfile.TemporaryDirectory(prefix="perigee-test-")
KEEP = os.environ.get("PERIGEE_KEEP_PICTURES")      # a folder; the pictures are copied there to be looked at


@unittest.skipIf(why_no_window(), why_no_window())
class Window(unittest.TestCase):
    path = pathlib.Path(FOLDER.name)

    @classmethod
    def setUpClass(cls) -> None:
        cls.desktop = desktop.Desktop((1280, 800))
        cls.addClassCleanup(cls.desktop.stop)
        cls.desktop.start()

    def setUp(self) -> None:
        self.office = Office(self.path / "state", env=self.desktop.env)
        self.addCleanup(self.end)
        self.opened = self.office.call("open")
        self.leader = self.office.office_pid

    def end(self) -> None:
        """Ends the office, too, which a presentation in its window would keep."""
        self.office.end()
        for pid in group(self.leader):
            if "soffice.bin" in command(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        wait_gone(self.leader)
        self.assertEqual(leftovers(), set())

    def again(self) -> Office:
        """The next helper with the same state folder."""
        office = Office(self.path / "state", env=self.desktop.env)
        self.addCleanup(office.end)
        return office

    def screen(self, name: str) -> png.Picture:
        file = self.path / f"{name}.png"
        self.desktop.screenshot(file, settle=HANGING)
        if KEEP:
            (pathlib.Path(KEEP) / file.name).write_bytes(file.read_bytes())
        return png.decode(file.read_bytes())

    def slide_on(self, picture: png.Picture) -> tuple[int, int, int, int]:
        """Where the slide's rectangle is on the screen: the widest run of blue, and how tall it is."""
        mask, width = picture.matches(BLUE, 4), picture.width
        best = max((len(run), y, x) for y in range(0, picture.height, 4)
                   for x, run in runs(mask[y * width:(y + 1) * width]))
        length, y, x = best
        column = mask[x + 20::width]     # beside the corner handle of the selection
        top, bottom = y, y
        while top > 0 and column[top - 1]:
            top -= 1
        while bottom + 1 < len(column) and column[bottom + 1]:
            bottom += 1
        return x, top, x + length, bottom + 1

    def test_the_window_shows_the_slide_as_it_is_exported(self) -> None:
        self.assertFalse(self.opened["headless"])
        drawn = self.office.call("draw_rectangle", x=159, y=156, width=476, height=134)
        self.office.call("set_text", handle=drawn["handle"], text="Hello from MCP on macOS.")
        picture = self.screen("desktop")
        left, top, right, bottom = self.slide_on(picture)
        self.assertGreater(right - left, 200)
        self.assertAlmostEqual((right - left) / (bottom - top), 476 / 134, delta=0.15)
        inside = [x for y in range(top, bottom) for x in picture.row_matches(y, WHITE) if left + 5 < x < right - 5]
        self.assertGreater(len(inside), 300, "the text is on the screen")
        self.office.call("export_png", path=str(self.path / "slide.png"))
        exported = png.decode((self.path / "slide.png").read_bytes())
        self.assertAlmostEqual(exported.bounds(BLUE)[0], 159 / 793.7 * 1920, delta=2)

    def test_a_window_closed_by_the_user_is_noticed_and_open_makes_a_new_one(self) -> None:
        drawn = self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.office.uno('model.setModified(False)\ndispatch(".uno:CloseDoc")')
        failure = self.office.fails("set_text", handle=drawn["handle"], text="x")
        self.assertEqual(failure.code, "not_found")
        self.assertIn("closed", failure.message)
        again = self.office.call("open")
        self.assertFalse(again["reused"])
        self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)

    def test_a_user_who_undoes_everything_gets_a_rectangle_that_is_gone(self) -> None:
        drawn = self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.office.uno("manager = model.getUndoManager()\nwhile manager.isUndoPossible(): manager.undo()")
        self.assertEqual(self.office.fails("set_text", handle=drawn["handle"], text="x").code, "not_found")
        self.office.uno("manager = model.getUndoManager()\nwhile manager.isRedoPossible(): manager.redo()")
        self.assertEqual(self.office.call("set_text", handle=drawn["handle"], text="back")["characters"], 4)

    def test_a_deleted_shape_is_gone(self) -> None:
        drawn = self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.office.uno('dispatch(".uno:Delete")')      # draw_rectangle left it selected
        self.assertEqual(self.office.fails("set_text", handle=drawn["handle"], text="x").code, "not_found")

    def test_quit_does_not_ask_whether_to_save(self) -> None:
        self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.assertEqual(self.office.call("quit"), {})
        self.assertEqual(self.office.child.wait(HANGING), 0)

    def test_the_window_stays_when_the_engine_ends_and_the_next_one_goes_on_with_it(self) -> None:
        drawn = self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.office.call("set_text", handle=drawn["handle"], text="not lost")
        self.assertEqual(self.office.end(), 0)
        self.assertIn("stays open for its user", self.office.log)
        again = self.again()
        opened = again.call("open")
        self.assertEqual((opened["reused"], opened["warnings"]), (True, []))
        self.assertEqual(again.office_pid, self.leader)
        self.assertEqual(again.uno("print(model.DrawPages.getByIndex(0).getByIndex(0).String)"), "not lost")

    def test_the_window_stays_when_the_helper_is_killed(self) -> None:
        os.killpg(self.office.child.pid, signal.SIGKILL)
        self.office.child.wait()
        again = self.again()
        self.assertTrue(again.call("open")["reused"])
        self.assertEqual(again.office_pid, self.leader)

    def test_a_window_that_was_left_and_closed_by_its_user_is_not_missed(self) -> None:
        left = leftovers()
        self.assertEqual(self.office.end(), 0)
        os.killpg(self.leader, signal.SIGKILL)      # all of it: nothing can tidy up
        wait_gone(self.leader)
        self.assertEqual(leftovers(), left)
        again = self.again()
        opened = again.call("open")
        self.assertEqual((opened["reused"], opened["warnings"]), (False, []))
        self.assertEqual(left & leftovers(), set(), "the next one tidies up")
        self.leader = again.office_pid

    def test_an_adopted_office_that_dies_is_missed_and_replaced(self) -> None:
        self.office.end()
        again = self.again()
        again.call("open")
        os.killpg(self.leader, signal.SIGKILL)
        wait_gone(self.leader)
        self.assertEqual(again.fails("slide_size").code, "app_died")
        again.call("open")
        self.leader = again.office_pid

    def test_a_window_that_hangs_is_left_to_its_user(self) -> None:
        hung = self.leader
        program = self.office.program_pid
        os.kill(program, signal.SIGSTOP)
        failure = self.office.fails("draw_rectangle", timeout=1, x=10, y=10, width=100, height=50)
        self.assertEqual(failure.code, "app_hung")
        self.assertIn("window was left as it is", failure.message)
        self.assertFalse(self.office.call("open")["reused"])
        self.leader = self.office.office_pid
        self.assertNotEqual(self.leader, hung)
        os.kill(program, signal.SIGKILL)
        wait_gone(hung)
        wait_until(lambda: "has come back" in self.office.said(), "the call into the hung one ends")
        self.office.call("draw_rectangle", x=10, y=10, width=100, height=50)
        self.assertEqual(self.office.office_pid, self.leader, "what was drawn since is not lost")

    def test_an_office_with_nothing_open_does_not_stay(self) -> None:
        self.office.call("close")
        self.office.end()
        wait_gone(self.leader)

    def test_a_display_that_dies_takes_the_office_but_not_the_helper(self) -> None:
        with desktop.Desktop((800, 600), display=desktop.far_display()) as fragile:
            office = Office(self.path / "state", env=fragile.env)
            self.addCleanup(office.end)
            office.call("open")
            leader = office.office_pid
        wait_until(lambda: not office.call("status")["running"], "the office ends with its display")
        wait_gone(leader)
        opened = office.call("open")
        self.assertTrue(opened["headless"])
        self.assertEqual(len(opened["warnings"]), 2, opened["warnings"])


def runs(row: bytes) -> list[tuple[int, bytes]]:
    found, at = [], row.find(1)
    while at >= 0:
        end = row.find(0, at)
        end = len(row) if end < 0 else end
        found.append((at, row[at:end]))
        at = row.find(1, end)
    return found


if __name__ == "__main__":
    tap.main()
