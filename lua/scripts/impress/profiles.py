"""LibreOffice's profiles in the state folder: one helper each, kept warm from run to run."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pathlib
from dataclasses import dataclass

from wire import Fault

PROFILES = 16                   # helpers that can run at once with one state folder
FACTORY = "/org.openoffice.Setup/Office/Factories/org.openoffice.Setup:Factory['{}']"
IMPRESS = FACTORY.format("com.sun.star.presentation.PresentationDocument")

# A new profile would greet with tips, bars and a template dialog; none may stand between a tool and a slide.
# The first window is maximized (state 4), since a slide in a corner helps nobody.
SETTINGS = (
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("/org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("/org.openoffice.Office.Impress/Misc/NewDoc", "AutoPilot", "false"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
    ("/org.openoffice.Setup/Product", "LastTimeDonateShown", "4102444800"),
    ("/org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "4102444800"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "99.9"),
    (IMPRESS, "ooSetupFactoryWindowAttributes", "40,40,1200,760;4;;"),
)
XCU = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
{}</oor:items>
"""
ITEM = '<item oor:path="{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>\n'


@dataclass(frozen=True)
class Profile:
    folder: pathlib.Path
    lock: int                   # descriptor; the profile is this helper's as long as any copy of it is open

    def sockets(self, pipe: str) -> tuple[str, str]:
        """Where the office puts its two sockets: ours, and the one that keeps a profile single."""
        digest = hashlib.md5(self.folder.as_uri().encode("utf-16-le"), usedforsecurity=False).digest()
        single = "SingleOfficeIPC_" + "".join(f"{byte:x}" for byte in digest)
        return f"/tmp/OSL_PIPE_{os.getuid()}_{pipe}", f"/tmp/OSL_PIPE_{os.getuid()}_{single}"


def claim(state: pathlib.Path) -> Profile:
    """The first profile that no other helper uses; low numbers come first because they are warm."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in range(1, PROFILES + 1):
            lock = take_lock(state / f"profile-{number}.lock")
            if lock is not None:
                folder = state / f"profile-{number}"
                write_settings(folder)
                return Profile(folder, lock)
    except OSError as error:
        raise Fault("app_start_failed", f"the state folder {state} cannot be used: {error.strerror}") from None
    raise Fault("app_start_failed", f"{PROFILES} offices already run from {state}; end one of them")


def take_lock(file: pathlib.Path) -> int | None:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def write_settings(profile: pathlib.Path) -> None:
    """The settings of a profile that does not exist yet; one that does is the user's to change."""
    file = profile / "user" / "registrymodifications.xcu"
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = file.with_suffix(".new")
    beside.write_text(XCU.format("".join(ITEM.format(*setting) for setting in SETTINGS)))
    beside.replace(file)
