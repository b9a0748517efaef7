"""AppleScript text as the program's own check (lua/lib/applescript) reads it: lines of code, and what is wrong."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import subprocess
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
DICTIONARIES = "tests/macos/dictionaries"
PERIGEE = os.environ.get("PERIGEE", str(TOP / "build" / "perigee"))


class StructureError(ValueError):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True)
class Line:
    number: int
    code: str                   # letter case kept; comments gone; strings emptied to ""
    strings: tuple[str, ...]    # their contents, in order


@functools.cache
def _read(text: str) -> dict:
    words = [PERIGEE, "run", "--quiet", "--no-user-root", str(HERE / "applescript_lines.lua"), text, DICTIONARIES]
    run = subprocess.run(words, cwd=TOP, capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)


def lines_of(text: str) -> list[Line]:
    """The logical lines that hold code."""
    return [Line(line["number"], line["code"], tuple(line["strings"])) for line in _read(text)["lines"]]


def check(text: str) -> list[Line]:
    """The logical lines of a script whose structure is sound; raises StructureError else."""
    for finding in _read(text)["findings"]:
        if finding["severity"] == "error":
            raise StructureError(finding["line"], finding["message"])
    return lines_of(text)


def warnings(text: str) -> set[str]:
    """The codes of what the tests' dictionaries do not have."""
    return {finding["code"] for finding in _read(text)["findings"] if finding["severity"] == "warning"}
