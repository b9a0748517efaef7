"""LibreOffice's profiles in the state folder: one helper each, kept warm from run to run.

Beside profile-N lie profile-N.owner, which the helper that uses it has locked, and profile-N.lock,
which its office has: an office that was left open for its user has the lock and no owner, and
profile-N.office says how to reach it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
from dataclasses import dataclass
from typing import Any, Callable

from wire import Fault

SCRATCH = "perigee-office-"  # how the name of an office's temporary folder begins
DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY")
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
    owner: int  # a descriptor; the profile is ours as long as it is open
    lock: int  # no office uses it but one that has a copy of this descriptor; -1: one does already

    @property
    def _record(self) -> pathlib.Path:
        return self.folder.with_suffix(".office")

    def write_record(self, pid: int, scratch: str) -> None:
        """How a later helper finds the office that uses this profile."""
        record = {"pid": pid, "begun": begun(pid), "scratch": scratch, "display": here()}
        with contextlib.suppress(OSError):
            self._record.write_text(json.dumps(record), encoding="utf-8")

    def read_record(self) -> dict[str, Any] | None:
        try:
            record = json.loads(self._record.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        kinds = {"pid": int, "begun": str, "scratch": str, "display": list}
        whole = isinstance(record, dict) and all(
            isinstance(record.get(name), kind) for name, kind in kinds.items()
        )
        return record if whole else None

    def tidy(self) -> None:
        """Removes what an office left behind that ended after its helper."""
        record = self.read_record()
        if record and os.path.basename(record["scratch"]).startswith(SCRATCH):
            shutil.rmtree(record["scratch"], ignore_errors=True)
            for name in self.sockets(os.path.basename(record["scratch"])):
                with contextlib.suppress(OSError):
                    os.unlink(name)
        with contextlib.suppress(OSError):
            self._record.unlink()

    def release(self) -> None:
        for descriptor in (self.owner, self.lock):
            if descriptor >= 0:
                os.close(descriptor)

    def sockets(self, pipe: str) -> tuple[str, str]:
        """Where the office puts its two sockets: ours, and the one that keeps a profile single."""
        digest = hashlib.md5(
            self.folder.as_uri().encode("utf-16-le"), usedforsecurity=False
        ).digest()
        single = "SingleOfficeIPC_" + "".join(f"{byte:x}" for byte in digest)
        return f"/tmp/OSL_PIPE_{os.getuid()}_{pipe}", f"/tmp/OSL_PIPE_{os.getuid()}_{single}"


def claim(state: pathlib.Path, adoptable: Callable[[Profile], bool]) -> Profile:
    """The first profile that no other helper uses; low numbers come first because they are warm. One
    whose office was left open is taken if `adoptable` wants it."""
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in range(1, PROFILES + 1):
            folder = state / f"profile-{number}"
            owner = take_lock(folder.with_suffix(".owner"))
            if owner is None:
                continue
            lock = take_lock(folder.with_suffix(".lock"))
            profile = Profile(folder, owner, -1 if lock is None else lock)
            if lock is not None:
                profile.tidy()
                return profile
            if adoptable(profile):
                return profile
            profile.release()
    except OSError as error:
        raise Fault(
            "app_start_failed", f"the state folder {state} cannot be used: {error.strerror}"
        ) from None
    raise Fault("app_start_failed", f"{PROFILES} offices already run from {state}; end one of them")


def here() -> list[str]:
    """The display that a window would be on."""
    return [os.environ.get(name, "") for name in DISPLAYS]


def begun(pid: int) -> str:
    """When a process began, which with its number names it for good; empty if it is gone."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]


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
