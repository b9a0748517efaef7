"""LibreOffice's profiles in the state folder: one helper each, kept warm from run to run."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pathlib
import re
from dataclasses import dataclass

from wire import Fault

PROFILES = 16  # helpers that can run at once with one state folder
FACTORY = "/org.openoffice.Setup/Office/Factories/org.openoffice.Setup:Factory['{}']"
# Place and state of the first window, set anew for each start: a window that was maximized when
# it was closed may come back as a stamp of 24 by 1 (seen with GTK 3 under openbox).
WINDOW = "40,40,1200,760;1;;"
REMEMBERED = re.compile(r'("ooSetupFactoryWindowAttributes" oor:op="fuse"><value>)[^<]*')
IMPRESS = FACTORY.format("com.sun.star.presentation.PresentationDocument")

# A new profile would greet with tips, bars and a template dialog, all in a tool's way.
SETTINGS = (
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("/org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("/org.openoffice.Office.Impress/Misc/NewDoc", "AutoPilot", "false"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
    ("/org.openoffice.Setup/Product", "LastTimeDonateShown", "4102444800"),
    ("/org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "4102444800"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "99.9"),
    (IMPRESS, "ooSetupFactoryWindowAttributes", WINDOW),
)
XCU = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"
  xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
{}</oor:items>
"""
ITEM = '<item oor:path="{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>\n'


@dataclass(frozen=True)
class Profile:
    folder: pathlib.Path
    lock: int  # a descriptor; the profile is ours as long as any copy of it is open

    def sockets(self, pipe: str) -> tuple[str, str]:
        """Where the office puts its two sockets: ours, and the one that keeps a profile single."""
        digest = hashlib.md5(
            self.folder.as_uri().encode("utf-16-le"), usedforsecurity=False
        ).digest()
        single = "SingleOfficeIPC_" + "".join(f"{byte:x}" for byte in digest)
        return f"/tmp/OSL_PIPE_{os.getuid()}_{pipe}", f"/tmp/OSL_PIPE_{os.getuid()}_{single}"


def claim(state: pathlib.Path) -> Profile:
    """The first profile that no other helper uses; low numbers come first because they are warm."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in range(1, PROFILES + 1):
            lock = take_lock(state / f"profile-{number}.lock")
            if lock is not None:
                return Profile(state / f"profile-{number}", lock)
    except OSError as error:
        raise Fault(
            "app_start_failed", f"the state folder {state} cannot be used: {error.strerror}"
        ) from None
    raise Fault("app_start_failed", f"{PROFILES} offices already run from {state}; end one of them")


def take_lock(file: pathlib.Path) -> int | None:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def prepare(profile: pathlib.Path) -> None:
    """Before each start: our settings if it is new, and the window's place in any case."""
    file = profile / "user" / "registrymodifications.xcu"
    beside = file.with_suffix(".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = (
            file.read_text(encoding="utf-8", errors="surrogateescape")
            if file.exists()
            else XCU.format("".join(ITEM.format(*setting) for setting in SETTINGS))
        )
        text = REMEMBERED.sub(lambda found: found[1] + WINDOW, text)
        beside.write_text(text, encoding="utf-8", errors="surrogateescape")
        beside.replace(file)
    except OSError as error:
        raise Fault(
            "app_start_failed", f"the profile {profile} cannot be used: {error.strerror}"
        ) from None
