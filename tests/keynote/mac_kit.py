"""The parts that the tests of the Keynote driver share: a folder of the osascript double, and a server that uses it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest
from typing import Any, Iterator

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "lib"))

import keynote_model  # noqa: E402
import osascript_double  # noqa: E402
import server  # noqa: E402

BOX = {"x": 384, "y": 378, "width": 1152, "height": 324}
HANDLE = r"[A-Za-z0-9_.:-]+"
SETTINGS = ("KEYNOTE_DOCUMENT_MODE", "KEYNOTE_THEME", "SCREENSHOT_PATH")


class Double:
    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.env = {"PERIGEE_OSASCRIPT": osascript_double.__file__, "OSASCRIPT_DOUBLE": str(self.folder),
                    "KEYNOTE_DRIVER": "keynote", "PERIGEE_LUA": str(TOP / "lua")}

    @contextlib.contextmanager
    def model(self) -> Iterator[dict[str, Any]]:
        """The model of Keynote, to be read and changed."""
        with osascript_double.shared(self.folder, "keynote.json") as state:
            yield keynote_model.complete(state)

    def plan(self, script: str, *answers: dict[str, Any]) -> None:
        """What the next calls of a script do, one answer each."""
        with osascript_double.shared(self.folder, "plan.json") as plan:
            plan.setdefault("answers", []).extend(dict(answer, script=script, times=1) for answer in answers)

    def plan_nothing(self) -> None:
        with osascript_double.shared(self.folder, "plan.json") as plan:
            plan.clear()

    def calls(self, script: str | None = None) -> list[dict[str, Any]]:
        path = self.folder / "calls.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [call for call in map(json.loads, lines) if script in (None, call["script"])]

    def is_running(self) -> bool:
        with open(self.folder / ".busy", "w") as busy:
            try:
                fcntl.flock(busy, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False


class MacCase(unittest.TestCase):
    """A server and a double of its own for each case."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.double = Double(self.folder / "double")
        self.server = None

    def start(self, *arguments: str, cwd: pathlib.Path | None = None, unset: str = "", **environment: str) -> server.Server:
        """A setting that is `unset` is left to the files .env; the others are set to nothing."""
        env = dict(self.double.env, TMPDIR=str(self.temporary))
        env.update({name: "" for name in SETTINGS if name != unset}, **environment)
        self.server = server.perigee("--toolset", "keynote", *arguments, env=env, cwd=cwd)
        self.addCleanup(self.stop)
        self.server.initialize()
        return self.server

    def stop(self) -> None:
        self.server.kill()
        self.assertEqual(self.server.faults, [])
        self.assertEqual(list(self.temporary.iterdir()), [], "left in TMPDIR")
        self.assertFalse([call for call in self.double.calls() if "overlaps" in call])

    def _call(self, name: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        result = (self.server or self.start()).call(name, arguments)["result"]
        self.blocks = [block["text"] for block in result["content"]]
        return not result.get("isError"), "\n".join(block["text"] for block in result["content"])

    def call(self, name: str, **arguments) -> str:
        """The text of a call that must succeed."""
        good, text = self._call(name, arguments)
        self.assertTrue(good, text)
        return text

    def fails(self, name: str, **arguments) -> str:
        good, text = self._call(name, arguments)
        self.assertFalse(good, text)
        self.assertTrue(text.startswith("ERROR: "), text)
        return text

    def draw(self) -> str:
        self.call("open_keynote")
        return self.call("draw_rectangle", **BOX)

    def argv(self, script: str) -> list[str]:
        return self.double.calls(script)[-1]["argv"]

    def texts(self) -> list[str]:
        with self.double.model() as model:
            return [shape["text"] for shape in model["documents"][0]["slides"][0]["shapes"]]


def wait_until(what, text: str) -> None:
    deadline = time.monotonic() + server.GUARD
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {server.GUARD:g} s: {text}")
        time.sleep(0.01)
