#!/usr/bin/env python3
"""office.py when LibreOffice dies, hangs, does not start or is quit, and when its own end comes."""

from __future__ import annotations

import os
import pathlib
import signal
import sys
import tempfile
import time
import unittest
import zipfile
from unittest import mock

from office_client import (OFFICE, PYTHON, Office, command, leftovers, plain_environment, wait_gone, wait_until,
                           why_not)

import tap

sys.path.insert(0, str(OFFICE.parent))
sys.dont_write_bytecode = True
import process  # noqa: E402  (the helper's own module)

FOLDER = tempfile.TemporaryDirectory(prefix="perigee-test-")
BOX = {"x": 10, "y": 10, "width": 100, "height": 50}


@unittest.skipIf(why_not(), why_not())
class FaultCase(unittest.TestCase):
    path = pathlib.Path(FOLDER.name)

    def setUp(self) -> None:
        self.before = leftovers()
        self.offices: list[Office] = []

    def tearDown(self) -> None:
        leaders = [office.leader for office in self.offices if hasattr(office, "leader")]
        for office in self.offices:
            office.end()
        for leader in leaders:
            wait_gone(leader)
        wait_until(lambda: not leftovers() - self.before, "nothing is left in /tmp")

    def office(self, *more: str, opened: bool = True, **options) -> Office:
        office = Office(self.path / "state", *more, **options)
        self.offices.append(office)
        if opened:
            office.call("open")
            office.leader = office.office_pid
            leftovers()     # notes the names of what it uses
        return office

    def script(self, text: str) -> str:
        """A program that is taken for soffice."""
        file = self.path / "fake-soffice"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        return str(file)


class Death(FaultCase):
    def test_killed_between_calls_the_next_call_says_so_and_the_office_runs_again(self) -> None:
        office = self.office()
        handle = office.call("draw_rectangle", **BOX)["handle"]
        os.kill(office.program_pid, signal.SIGKILL)
        wait_gone(office.leader)
        failure = office.fails("set_text", handle=handle, text="x")
        self.assertEqual(failure.code, "app_died")
        self.assertIn("signal 9 (SIGKILL)", failure.message)
        self.assertIn("started again", failure.message)
        status = office.call("status")
        self.assertEqual((status["running"], status["starts"]), (True, 2))
        self.assertIn("signal 9", status["last_end"])
        self.assertEqual(office.fails("slide_size").code, "no_document")
        self.assertEqual(office.call("open")["warnings"], [])
        office.leader = office.office_pid
        office.call("draw_rectangle", **BOX)
        self.assertEqual(office.fails("set_text", handle=handle, text="x").code, "not_found")

    def test_killed_between_calls_open_succeeds_with_a_warning(self) -> None:
        office = self.office()
        # Not SIGSEGV: LibreOffice handles it, allocates memory meanwhile, and waits for itself forever where the
        # signal came while malloc() held its lock. That is a hang, and Hang has its cases.
        os.kill(office.program_pid, signal.SIGILL)
        wait_gone(office.leader)
        opened = office.call("open")
        office.leader = office.office_pid
        self.assertFalse(opened["reused"])
        self.assertIn("killed by signal 4 (SIGILL)", " ".join(opened["warnings"]))

    def test_killed_in_the_middle_of_a_call(self) -> None:
        office = self.office()
        handle = office.call("draw_rectangle", x=0, y=0, width=700, height=400)["handle"]
        program = office.program_pid
        number = office.send("set_text", handle=handle, text="\u4e2d" * 20_000)     # takes it a while
        wait_until(lambda: self.busy(office) == "set_text", "the call is under way")
        os.kill(program, signal.SIGKILL)
        answer = office.answer()
        self.assertEqual((answer["id"], answer["error"]["code"]), (number, "app_died"))
        self.assertIn("signal 9", answer["error"]["message"])
        self.assertIn(office.fails("draw_rectangle", **BOX).code, ("not_found", "no_document"))
        office.call("open")
        office.leader = office.office_pid
        office.call("draw_rectangle", **BOX)

    def busy(self, office: Office) -> str:
        return office.call("status")["busy"]

    def test_a_killed_parent_takes_the_program_with_it(self) -> None:
        office = self.office()
        os.kill(office.leader, signal.SIGKILL)
        wait_gone(office.leader)
        self.assertIn("signal 9", office.call("open")["warnings"][0])
        office.leader = office.office_pid

    def test_quit_by_the_user_is_not_called_a_crash(self) -> None:
        office = self.office()
        office.uno("model.close(True)\ndesktop.terminate()")
        wait_gone(office.leader)
        failure = office.fails("draw_rectangle", **BOX)
        office.leader = office.office_pid
        self.assertEqual(failure.code, "app_died")
        self.assertIn("LibreOffice was closed", failure.message)


class Hang(FaultCase):
    def test_a_stopped_office_costs_its_call_no_more_than_the_time_limit(self) -> None:
        office = self.office()
        os.kill(office.program_pid, signal.SIGSTOP)
        began = time.monotonic()
        failure = office.fails("draw_rectangle", timeout=1, **BOX)
        self.assertEqual(failure.code, "app_hung")
        self.assertGreaterEqual(time.monotonic() - began, 1)
        self.assertIn("within 1 s", failure.message)
        wait_gone(office.leader)
        failure = office.fails("draw_rectangle", **BOX)
        self.assertEqual(failure.code, "not_found")
        self.assertIn("did not answer draw_rectangle within 1 s", failure.message)
        self.assertEqual(office.call("open")["warnings"], [])
        office.leader = office.office_pid
        office.call("draw_rectangle", **BOX)

    def test_requests_behind_a_hung_one_keep_their_own_limits(self) -> None:
        office = self.office()
        os.kill(office.program_pid, signal.SIGSTOP)
        hung = office.send("slide_size", timeout=8)     # a busy machine reads the next request late
        behind = office.send("slide_size", timeout=0.5)
        later = office.send("open", timeout=60)
        self.assertEqual(office.call("status")["busy"], "slide_size")   # answered at once, in spite of all
        answers = [office.answer() for _ in range(3)]
        self.assertEqual([answer["id"] for answer in answers], [behind, hung, later])
        self.assertEqual([answer.get("error", {}).get("code") for answer in answers], ["timeout", "app_hung", None])
        office.leader = office.office_pid

    def test_quit_works_on_a_stopped_office(self) -> None:
        office = self.office()
        os.kill(office.program_pid, signal.SIGSTOP)
        self.assertEqual(office.call("quit", timeout=1), {})
        self.assertEqual(office.child.wait(60), 0)
        wait_gone(office.leader)


class Start(FaultCase):
    def test_a_start_that_takes_too_long_is_stopped(self) -> None:
        office = self.office("--soffice", self.script("sleep 1000 & sleep 1000"), opened=False)
        failure = office.fails("open", timeout=0.5)
        self.assertEqual(failure.code, "timeout")
        self.assertIn("had not started within 0.5 s", failure.message)
        wait_until(lambda: not self.sleepers(), "the program that did not start is gone")
        wait_until(lambda: not office.call("status")["running"], "its end is noticed")

    def sleepers(self) -> list[str]:
        return [entry.name for entry in pathlib.Path("/proc").iterdir()
                if entry.name.isdigit() and command(int(entry.name)).startswith(f"/bin/sh {self.path}")]

    def test_a_program_that_ends_at_once_is_quoted(self) -> None:
        office = self.office("--soffice", self.script("echo 'the profile is read-only' >&2; exit 3"), opened=False)
        failure = office.fails("open")
        self.assertEqual(failure.code, "app_start_failed")
        self.assertIn("exit code 3", failure.message)
        self.assertIn("the profile is read-only", failure.message)

    def test_a_missing_program_is_not_installed(self) -> None:
        failure = self.office("--soffice", "/nowhere/soffice", opened=False).fails("open")
        self.assertEqual(failure.code, "app_not_installed")
        self.assertIn("/nowhere/soffice", failure.message)
        with mock.patch.dict(os.environ, PATH="/nowhere"), mock.patch.object(process, "PLACES", ("/nowhere",)), \
                self.assertRaises(process.Fault) as caught:
            process.find_program()
        self.assertIn("libreoffice-impress", caught.exception.message)

    def test_a_python_without_uno_says_what_to_install(self) -> None:
        office = self.office(opened=False, python=(PYTHON, "-S"))
        failure = office.fails("open")
        self.assertEqual(failure.code, "app_not_installed")
        self.assertIn("python3-uno", failure.message)
        self.assertFalse(office.call("status")["running"])

    def test_a_state_folder_that_cannot_be_used_is_named(self) -> None:
        (self.path / "file").write_text("")
        office = Office(self.path / "file" / "state")
        self.offices.append(office)
        failure = office.fails("open")
        self.assertEqual(failure.code, "app_start_failed")
        self.assertIn(str(self.path / "file"), failure.message)

    def test_a_display_that_is_gone_means_no_window_and_a_warning(self) -> None:
        office = self.office(opened=False, env=plain_environment(DISPLAY=":4242"))
        opened = office.call("open")
        office.leader = office.office_pid
        self.assertTrue(opened["headless"])
        self.assertIn(":4242", opened["warnings"][0])

    def test_start_warms_up_and_two_helpers_do_not_meet(self) -> None:
        first, second = self.office(opened=False), self.office(opened=False)
        for office in (first, second):
            self.assertTrue(office.call("start")["running"])
            office.leader = office.office_pid
        self.assertNotEqual(first.leader, second.leader)
        profiles = {part for office in (first, second) for part in command(office.leader).split() if "profile-" in part}
        self.assertEqual(len(profiles), 2)
        first.call("open")
        self.assertEqual(second.fails("slide_size").code, "no_document")


class End(FaultCase):
    def test_everything_ends_when_stdin_closes(self) -> None:
        office = self.office()
        self.assertEqual(office.end(), 0)
        wait_gone(office.leader)

    def test_everything_ends_when_stdin_closes_during_a_start(self) -> None:
        office = self.office("--soffice", self.script("sleep 1000"), opened=False)
        office.send("open")
        wait_until(lambda: office.call("status")["running"], "the start is under way")
        office.leader = office.office_pid
        self.assertEqual(office.end(), 0)
        wait_gone(office.leader)

    def test_signals_end_it_with_their_number(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            office = self.office()
            office.child.send_signal(number)
            self.assertEqual(office.child.wait(60), 128 + number)
            wait_gone(office.leader)

    def test_a_killed_helper_leaves_no_office(self) -> None:
        office = self.office()
        os.killpg(office.child.pid, signal.SIGKILL)     # as the engine kills the group of a child
        office.child.wait()
        wait_gone(office.leader)

    def drawn(self) -> tuple[Office, pathlib.Path]:
        """An office with a text, and where it said that this is kept."""
        office = self.office()
        drawn = office.call("draw_rectangle", **BOX)
        said = drawn["warnings"][0].rpartition(" saved as ")[2]
        self.assertEqual(office.call("set_text", handle=drawn["handle"], text="not lost")["warnings"], [])
        return office, pathlib.Path(said.removesuffix("."))

    def assert_kept(self, file: pathlib.Path) -> None:
        with zipfile.ZipFile(file) as packed:
            self.assertIn("not lost", packed.read("content.xml").decode())
        self.assertEqual(file.stat().st_mode & 0o077, 0)

    def test_what_was_drawn_without_a_window_is_saved_when_stdin_closes(self) -> None:
        office, file = self.drawn()
        self.assertEqual(office.end(), 0)
        wait_gone(office.leader)
        self.assert_kept(file)

    def test_what_was_drawn_without_a_window_is_saved_when_the_helper_is_killed(self) -> None:
        office, file = self.drawn()
        os.killpg(office.child.pid, signal.SIGKILL)
        office.child.wait()
        wait_gone(office.leader)
        self.assert_kept(file)

    def test_what_was_saved_is_not_kept_a_second_time(self) -> None:
        office, file = self.drawn()
        office.call("save", path=str(self.path / "mine.odp"))
        office.end()
        wait_gone(office.leader)
        self.assertFalse(file.exists())

    def test_quit_is_answered_and_obeyed(self) -> None:
        office = self.office()
        self.assertEqual(office.call("quit"), {})
        self.assertEqual(office.child.wait(60), 0)
        wait_gone(office.leader)

    def test_it_ends_when_nobody_reads_its_answers(self) -> None:
        office = self.office()
        office.child.stdout.close()
        office.send("slide_size")
        self.assertEqual(office.child.wait(60), 0)
        wait_gone(office.leader)


if __name__ == "__main__":
    tap.main()
