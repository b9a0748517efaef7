"""Offices that the user started: those on this display, and how to talk to one that listens.

LibreOffice answers programs only if it was started with an accept string:
soffice --accept='pipe,name=NAME;urp;' or --accept='socket,host=localhost,port=2002;urp;'
"""

from __future__ import annotations

import os
import pathlib
import re
from dataclasses import dataclass

from profiles import DISPLAYS, SCRATCH, here

ACCEPT = re.compile(r"^--?accept=(pipe,name=[^;,]+|socket,(?:[^;]*,)?port=\d+[^;]*);urp", re.I)
OURS = f"name={SCRATCH}"


@dataclass(frozen=True)
class Office:
    pid: int
    url: str  # empty: it does not listen
    headless: bool


def running() -> list[Office]:
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            office = look(folder)
            if office:
                found.append(office)
    return sorted(found, key=lambda office: (not office.url, office.pid))


def look(folder: pathlib.Path) -> Office | None:
    try:
        if folder.stat().st_uid != os.getuid():
            return None
        words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        if os.path.basename(words[0]) != "soffice.bin" or any(OURS in word for word in words):
            return None
        environment = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None
    values = dict(pair.partition("=")[::2] for pair in environment)
    if [values.get(name, "") for name in DISPLAYS] != here():
        return None
    asked = next((match for match in map(ACCEPT.match, words) if match), None)
    url = f"uno:{reachable(asked[1])};urp;StarOffice.ComponentContext" if asked else ""
    return Office(int(folder.name), url, "--headless" in words)


def reachable(where: str) -> str:
    """host=0 listens on every address; one is enough to get there."""
    return re.sub(r"(?<=host=)(0|0\.0\.0\.0|::)(?=,|$)", "localhost", where)
