#!/usr/bin/env python3
"""The commands that the manual page has as an example: each is a process of its own, and they draw on one slide."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from office_client import why_not

import png
import tap

TOP = pathlib.Path(__file__).resolve().parents[2]
PERIGEE = os.environ.get("PERIGEE", str(TOP / "build/perigee"))


def example() -> list[list[str]]:
    lines = re.findall(r"^\.Dl (perigee call .*)$", (TOP / "man/perigee.1").read_text(encoding="utf-8"), re.M)
    return [shlex.split(line)[1:] for line in lines if "mcp" not in line]


@unittest.skipIf(why_not(), why_not())
class Commands(unittest.TestCase):
    def test_the_example_of_the_manual_page_draws_one_slide(self) -> None:
        with tempfile.TemporaryDirectory(prefix="pk-") as folder:
            env = dict(os.environ, PERIGEE_HOME=folder + "/home", XDG_STATE_HOME=folder + "/state",
                       PERIGEE_RUNTIME_DIR=folder + "/run", DISPLAY="")
            self.addCleanup(self.end_engines, env)
            answers = []
            for words in example():
                done = subprocess.run([PERIGEE, *words], env=env, cwd=folder, capture_output=True, text=True, timeout=200,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                answers.append(done.stdout)
            self.assertEqual([answer.split(":")[0] for answer in answers],
                             ["KEYNOTE_READY", "RECTANGLE_OK", "TEXT_OK", "SCREENSHOT_SAVED"])
            slide = png.decode((pathlib.Path(folder) / "slide.png").read_bytes())
            self.assertIn(bytes((0x1F, 0x5F, 0xA6)), slide.rgb, "no rectangle on the slide")
            self.end_engines(env)

    def end_engines(self, env: dict[str, str]) -> None:
        for _ in range(600):
            listed = subprocess.run([PERIGEE, "stop", "--status", "--json"], env=env, capture_output=True, text=True, check=False)
            engines = [each for each in json.loads(listed.stdout or "[]") if each["pid"]]     # not the displays that are stopped
            if not engines:
                return
            for engine in engines:
                with contextlib.suppress(ProcessLookupError):      # it ended since it was listed
                    os.kill(engine["pid"], signal.SIGTERM)
            time.sleep(0.1)
        self.fail("an engine lives on")


if __name__ == "__main__":
    tap.main()
