#!/usr/bin/env python3
"""desktop.py: a desktop comes up, shows pictures and goes away whole, whatever its command does."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import desktop
import png
import tap
from procs import alive, descendants

TOOL = str(pathlib.Path(desktop.__file__).resolve())
MISSING = [name for name in ("Xvfb", "openbox", "dbus-daemon") if not shutil.which(name)]
HANGING = 60.0


@unittest.skipIf(MISSING, ", ".join(MISSING) + " not installed")
class DesktopCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def run_command(self, *command: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, TOOL, "run", "--size", "640x480", "--", *command], capture_output=True,
                              text=True, timeout=HANGING)

    def test_run_gives_a_private_environment_and_the_commands_exit_code(self) -> None:
        done = self.run_command("sh", "-c", "echo $DISPLAY $HOME $XDG_RUNTIME_DIR $DBUS_SESSION_BUS_ADDRESS; "
                                'stat -c "%i %.9Z" "/tmp/.X11-unix/X${DISPLAY#:}"; exit 7')
        display, home, runtime, bus, *socket = done.stdout.split()
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertNotEqual(home, os.environ.get("HOME"))
        self.assertNotEqual(display, os.environ.get("DISPLAY"))
        self.assertIn(runtime, bus)
        self.assertFalse(pathlib.Path(home).exists(), "the folder is removed")
        now = subprocess.run(["stat", "-c", "%i %.9Z", f"/tmp/.X11-unix/X{display[1:]}"], capture_output=True, text=True, check=False)
        self.assertEqual(len(socket), 2)
        self.assertNotEqual(now.stdout.split(), socket, "Xvfb took its socket with it")     # another's may be there by now

    def test_a_server_that_was_killed_leaves_no_socket(self) -> None:
        with desktop.Desktop((640, 480), display=desktop.far_display()) as mine:
            left = desktop.socket_of(mine.env["DISPLAY"])
            self.assertTrue(left.exists())
            mine.servers[0].kill()
        self.assertFalse(left.exists())

    def test_run_kills_what_the_command_left_even_in_another_session(self) -> None:
        done = self.run_command("sh", "-c", "setsid sleep 600 & echo $!; (sleep 600 & echo $!)")
        for pid in map(int, done.stdout.split()):
            self.assertFalse(alive(pid))
        self.assertEqual(done.returncode, 0)

    def test_a_signal_is_passed_on_and_ends_everything(self) -> None:
        child = subprocess.Popen([sys.executable, TOOL, "run", "--", "sh", "-c",
                                  "trap 'echo ended; exit 0' TERM; echo $$; sleep 600 & wait"],
                                 stdout=subprocess.PIPE, text=True)
        pid = int(child.stdout.readline())
        child.send_signal(signal.SIGTERM)
        rest, _ = child.communicate(timeout=HANGING)
        self.assertEqual((rest.strip(), child.returncode), ("ended", 128 + signal.SIGTERM))
        self.assertFalse(alive(pid))

    def test_a_command_killed_by_a_signal_is_told_by_the_exit_code(self) -> None:
        self.assertEqual(self.run_command("sh", "-c", "kill -KILL $$").returncode, 137)
        done = self.run_command("/nowhere/command")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere/command", done.stderr)

    def test_screenshot_has_the_screens_size(self) -> None:
        target = self.path / "deep" / "shot.png"
        done = self.run_command(sys.executable, TOOL, "screenshot", "--settle", "5", str(target))
        self.assertEqual(done.returncode, 0, done.stderr)
        picture = png.decode(target.read_bytes())
        self.assertEqual((picture.width, picture.height), (640, 480))
        self.assertEqual(png.decode(png.encode(picture)), picture)

    def test_start_prints_an_environment_and_stop_ends_it(self) -> None:
        folder = str(self.path / "desktop")
        started = subprocess.run([sys.executable, TOOL, "start", folder], capture_output=True, text=True,
                                 timeout=HANGING)
        self.assertEqual(started.returncode, 0, started.stderr)
        script = started.stdout + f'echo "$DISPLAY $HOME"; exec "$PYTHON" {TOOL} screenshot {self.path}/x.png'
        shown = subprocess.run(["sh", "-c", script], env=dict(os.environ, PYTHON=sys.executable), capture_output=True,
                               text=True, timeout=HANGING)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        display, home = shown.stdout.split()
        self.assertEqual(home, folder + "/home")
        keeper = int((self.path / "desktop" / "keeper.pid").read_text().split()[0])
        below = descendants(keeper)
        self.assertGreaterEqual(len(below), 3)
        self.assertEqual(subprocess.run([sys.executable, TOOL, "stop", folder], timeout=HANGING).returncode, 0)
        deadline = time.monotonic() + HANGING
        while any(map(alive, [keeper, *below])) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual([pid for pid in [keeper, *below] if alive(pid)], [])
        self.assertEqual(subprocess.run([sys.executable, TOOL, "stop", folder], capture_output=True).returncode, 1)

    def test_two_desktops_have_different_displays(self) -> None:
        with desktop.Desktop((320, 240)) as first, desktop.Desktop((320, 240)) as second:
            self.assertNotEqual(first.env["DISPLAY"], second.env["DISPLAY"])

    def test_bad_sizes_and_missing_desktops_are_refused(self) -> None:
        for arguments in (["run", "--size", "10x10", "--", "true"], ["run", "--size", "wide", "--", "true"]):
            self.assertEqual(subprocess.run([sys.executable, TOOL, *arguments], capture_output=True).returncode, 2)
        env = {key: value for key, value in os.environ.items() if key != desktop.DIR_VARIABLE}
        done = subprocess.run([sys.executable, TOOL, "screenshot", "/tmp/x.png"], env=env, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("which desktop", done.stderr)


if __name__ == "__main__":
    tap.main()
