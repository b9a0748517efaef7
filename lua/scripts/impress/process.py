"""One life of the office process, from its start to its end.

It has a profile, a pipe and a temporary folder of its own and leads a process group of its own,
so it neither sees nor disturbs an office the user has open. `soffice` is a small parent
(oosplash) of the real program (soffice.bin): the group is what is killed, and the parent's exit
code tells how the program ended.

A guard, a shell waiting on a pipe that only this helper holds, kills the group when the helper
itself is killed: nothing else could, because the group is not the helper's.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading

from profiles import Profile
from wire import Fault

GUARD = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null; rm -rf -- "$2"; rm -f -- "$3" "$4"'
PLACES = (
    "/usr/lib/libreoffice/program",
    "/usr/lib64/libreoffice/program",
    *sorted(map(str, pathlib.Path("/opt").glob("libreoffice*/program")), reverse=True),
)


class Process:
    def __init__(self, program: str, profile: Profile, headless: bool) -> None:
        self.headless = headless
        self.scratch = tempfile.mkdtemp(prefix="perigee-office-")
        self.pipe = os.path.basename(self.scratch)
        self.sockets = profile.sockets(self.pipe)
        self.ended = threading.Event()
        self.code = 0
        self.words = ""  # the last it said, once it has ended
        self.killed_for = ""
        self._lock = threading.Lock()
        try:
            self._child = self._start(program, profile)
        except OSError as error:
            self._tidy()
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

    def _start(self, program: str, profile: Profile) -> subprocess.Popen:
        argv = [
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
        with open(self._log_file, "wb") as out:
            return subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=env,
                start_new_session=True,
            )

    def _start_guard(self, profile: Profile) -> subprocess.Popen:
        argv = ["/bin/sh", "-c", GUARD, "sh", str(self.pid), self.scratch, *self.sockets]
        return subprocess.Popen(
            argv,
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
        self._tidy()
        self.ended.set()

    @property
    def _log_file(self) -> str:
        return os.path.join(self.scratch, "office.log")

    def _last_words(self) -> str:
        try:
            text = pathlib.Path(self._log_file).read_text(errors="replace")
        except OSError:
            return ""
        lines = [line for line in text.splitlines() if line.strip() and "javaldx" not in line]
        return " ".join(lines[-3:])[-300:]

    def _tidy(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)
        for name in self.sockets:
            with contextlib.suppress(OSError):
                os.unlink(name)


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
