"""A display with a terminal and a window that is none, at the same place."""

import contextlib
import os
import pathlib
import shlex
import subprocess

from kit import TOP
from tools import until

LIB = TOP / "tests/lib"


class World:
    """A window that is a terminal to the policy, and one that is none. What is typed in either ends in a file."""

    def __init__(self, desktop):
        self.env, self.folder = desktop.env, pathlib.Path(desktop.folder)
        self.stack = contextlib.ExitStack()
        self.terminal = self.window("terminal", "xterm", "-T", "the terminal", "-geometry", "80x24+100+100", "-e", "sh", "-c",
                                    f"exec cat >> {shlex.quote(str(self.folder / 'terminal'))}")
        self.notes = self.window("notes", "/usr/bin/python3", str(LIB / "noting_window.py"), str(self.folder / "notes"), "the notes")

    def start(self, *words, **more):
        process = subprocess.Popen(words, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   **more)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def window(self, name, *words):
        """All windows are at the same place."""
        (self.folder / name).write_text("")
        self.start(*words)
        return until(lambda: self.xdo("search", "--onlyvisible", "--name", f"^the {name}$").split(), name)[-1]

    def xdo(self, *words):
        return subprocess.run(["xdotool", *words], env=self.env, check=False, capture_output=True, text=True, timeout=120).stdout

    def typed(self, name):
        return (self.folder / name).read_text()

    @contextlib.contextmanager
    def jumping(self, how):
        """Now one window is in front, now the other, again and again."""
        script = self.folder / "turns"
        script.write_text("".join(f"{how} {window}\nsleep 0.002\n" for window in (self.terminal, self.notes)) * 1000)
        with subprocess.Popen(["sh", "-c", f"while xdotool {shlex.quote(str(script))}; do :; done"], env=self.env,
                              start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as jumper:
            try:
                yield
            finally:
                os.killpg(jumper.pid, 9)

    def lines_end(self):
        """What was typed so far is in the files."""
        for name, window in (("terminal", self.terminal), ("notes", self.notes)):
            before = self.typed(name)
            self.xdo("windowfocus", "--sync", window, "key", "x", "Return")
            until(lambda name=name, before=before: self.typed(name) != before, "the line's end")
