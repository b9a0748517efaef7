"""One life of the office process, from its start to its end.

It has a profile, a pipe and a temporary folder of its own and a process group of its own, so it
neither sees nor disturbs an office the user has open. A shell leads the group: it starts `soffice`,
which is a small parent (oosplash) of the real program (soffice.bin), and removes the temporary files
when that has ended, whoever is left to care. The group is what is killed, and the shell's exit code
tells how the program ended.

A guard, a shell waiting on a pipe that only this helper holds, ends the group when the helper
itself is killed: nothing else could, because the group is not the helper's. It first has keep.py
save what was drawn, if it is nowhere else.

Once a presentation is open in a window, it is the user's: the guard is dismissed, the office
outlives this helper, and a later helper adopts it by the record that lies beside its profile.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from typing import Any

from profiles import SCRATCH, Profile, begun, here
from wire import Fault

KEEP = str(pathlib.Path(__file__).with_name("keep.py"))
GUARD = (
    'read -r _; [ ! -s "$2/keep.json" ] || "$5" "$6" "$2"; '
    'kill -s KILL -- "-$1" 2>/dev/null; rm -rf -- "$2"; rm -f -- "$3" "$4"'
)
LEADER = (
    'scratch=$1 one=$2 other=$3; shift 3; "$@"; code=$?; '
    'rm -rf -- "$scratch"; rm -f -- "$one" "$other"; exit "$code"'
)
PLACES = (
    "/usr/lib/libreoffice/program",
    "/usr/lib64/libreoffice/program",
    *sorted(map(str, pathlib.Path("/opt").glob("libreoffice*/program")), reverse=True),
)


class Life:
    """What an office that we started and one that we found have in common."""

    url = ""  # where it listens
    lasting = False  # it outlives this helper

    def __init__(self, headless: bool) -> None:
        self.headless = headless
        self.ended = threading.Event()
        self.code = 0
        self.words = ""  # the last it said, once it has ended
        self.killed_for = ""
        self.keeping = False  # its guard has something to save
        self._lock = threading.Lock()

    @property
    def pid(self) -> int:
        raise NotImplementedError

    def kill(self, why: str) -> None:
        raise NotImplementedError

    def last(self) -> None:
        """From now on it outlives this helper."""

    def tidy(self) -> None:
        """Removes what one of ours leaves in folders for temporary files. May be called again."""

    def keep(self, documents: dict[str, str]) -> None:
        """What to save should the helper end: where, by the document's RuntimeUID."""

    def how_it_ended(self) -> str:
        if self.killed_for:
            return self.killed_for
        number = -self.code if self.code < 0 else max(0, self.code - 128)
        if number:
            return f"LibreOffice was killed by signal {number} ({signal_name(number)})"
        return (
            f"LibreOffice ended with exit code {self.code}"
            if self.code
            else "LibreOffice was closed"
        )


class Own(Life):
    """One with a profile of ours: its temporary folder, and a pipe named after that."""

    def __init__(self, profile: Profile, scratch: str, headless: bool) -> None:
        super().__init__(headless)
        self.profile = profile
        self.scratch = scratch
        self.pipe = os.path.basename(scratch)
        self.url = f"uno:pipe,name={self.pipe};urp;StarOffice.ComponentContext"
        self.sockets = profile.sockets(self.pipe)

    def keep(self, documents: dict[str, str]) -> None:
        file = os.path.join(self.scratch, "keep.json")
        self.keeping = False
        with contextlib.suppress(OSError):  # without it the office is ended all the same
            if not documents:
                os.unlink(file)
                return
            with open(file + ".new", "w", encoding="utf-8") as out:
                json.dump({"pipe": self.pipe, "documents": documents}, out)
            os.replace(file + ".new", file)
            self.keeping = True

    def tidy(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)
        for name in self.sockets:
            with contextlib.suppress(OSError):
                os.unlink(name)


class Process(Own):
    """An office that we started."""

    def __init__(self, program: str, profile: Profile, headless: bool) -> None:
        super().__init__(profile, tempfile.mkdtemp(prefix=SCRATCH), headless)
        try:
            self._child = self._start(program, profile)
        except OSError as error:
            self.tidy()
            raise Fault(
                "app_not_installed", f"{program} cannot be started: {error.strerror}"
            ) from None
        self._guard = self._start_guard(profile)
        threading.Thread(target=self._reap, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._child.pid

    def kill(self, why: str) -> None:
        """Kills the whole group now. Any thread may; `why` is told to whoever calls next."""
        with self._lock:
            if self._child.returncode is None:
                self.killed_for = self.killed_for or why
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)

    def last(self) -> None:
        if self.lasting or self.headless:
            return
        with self._lock:
            if self._child.returncode is None:
                self.profile.write_record(self.pid, self.scratch)
                self.lasting = True
                self._guard.kill()
                self._guard.wait()

    def _start(self, program: str, profile: Profile) -> subprocess.Popen:
        if not os.access(program, os.X_OK):
            os.close(os.open(program, os.O_RDONLY))  # says why, if it is not there
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        argv = ["/bin/sh", "-c", LEADER, "sh", self.scratch, *self.sockets]
        argv += [
            program,
            f"-env:UserInstallation={profile.folder.as_uri()}",
            "--nologo",
            "--norestore",
            "--nodefault",
            "--nolockcheck",
            f"--accept=pipe,name={self.pipe};urp;StarOffice.ComponentContext",
        ]
        if self.headless:
            argv.append("--headless")
        env = dict(os.environ, TMPDIR=self.scratch, OOO_DISABLE_RECOVERY="1")
        self._log = open(os.path.join(self.scratch, "office.log"), "w+b")
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            env=env,
            pass_fds=(profile.lock,),  # the profile is taken for as long as it runs
            start_new_session=True,
        )

    def _start_guard(self, profile: Profile) -> subprocess.Popen:
        argv = ["/bin/sh", "-c", GUARD, "sh", str(self.pid), self.scratch, *self.sockets]
        return subprocess.Popen(
            [*argv, sys.executable, KEEP],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(profile.lock,),  # the profile stays locked until the guard is done
            start_new_session=True,
        )

    def _reap(self) -> None:
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._lock:  # not reaped yet: the number still names this group alone
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            self._guard.kill()
            self._guard.wait()
            self.code = self._child.wait()
        self.words = self._last_words()
        self.tidy()
        self.ended.set()

    def _last_words(self) -> str:
        with self._log as log:
            log.seek(0)
            text = log.read().decode(errors="replace")
        lines = [line for line in text.splitlines() if line.strip() and "javaldx" not in line]
        return " ".join(lines[-3:])[-300:]


class Watch:
    """The end of a process that is no child of ours, so nobody tells its exit code."""

    def __init__(self, pid: int, began: str) -> None:
        self.pid = pid
        try:
            self._handle = os.pidfd_open(pid)
        except OSError:
            raise Fault("app_died", "LibreOffice was closed") from None
        if begun(pid) != began:  # the number was given to another process
            os.close(self._handle)
            raise Fault("app_died", "LibreOffice was closed")

    def over(self, patience: float | None = 0) -> bool:
        return bool(select.select([self._handle], [], [], patience)[0])


class Adopted(Own):
    """An office that an earlier helper left open."""

    lasting = True

    def __init__(self, profile: Profile, record: dict[str, Any]) -> None:
        super().__init__(profile, record["scratch"], False)
        self._watch = Watch(record["pid"], record["begun"])
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._watch.pid

    def kill(self, why: str) -> None:
        with self._lock:
            if not self.ended.is_set() and not self._watch.over():
                self.killed_for = self.killed_for or why
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)

    def _wait(self) -> None:
        self._watch.over(None)
        self.tidy()
        with self._lock:
            self.ended.set()


class Foreign(Life):
    """An office of the user's own, which is never killed."""

    lasting = True

    def __init__(self, pid: int, url: str, headless: bool) -> None:
        super().__init__(headless)
        self.url = url
        self._watch = Watch(pid, begun(pid))
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._watch.pid

    def kill(self, why: str) -> None:
        """Not ours to kill."""

    def _wait(self) -> None:
        self._watch.over(None)
        self.ended.set()


def adopt(profile: Profile) -> Adopted | None:
    """The office that has this profile, if it is on this display."""
    record = profile.read_record()
    if record is None or record["display"] != here():
        return None
    with contextlib.suppress(Fault):
        return Adopted(profile, record)
    return None


def find_program() -> str:
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        found = next(
            (f"{place}/soffice" for place in PLACES if os.access(f"{place}/soffice", os.X_OK)), None
        )
    if not found:
        raise Fault(
            "app_not_installed",
            "LibreOffice is not installed: there is no soffice on PATH; "
            "install the packages libreoffice-impress and python3-uno",
        )
    return found


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
