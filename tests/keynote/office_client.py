"""The parts that the tests of lua/scripts/impress share: a client of office.py, processes, and a second way into the office."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
OFFICE = HERE.parent.parent / "lua" / "scripts" / "impress" / "office.py"
PYTHON = os.environ.get("PERIGEE_UNO_PYTHON", "/usr/bin/python3")
HANGING = 300.0                 # seconds after which a test gives up; no measure of speed

sys.path.insert(0, str(HERE.parent / "lib"))


def why_not() -> str:
    """Why LibreOffice cannot be tested here; empty when it can."""
    if not shutil.which("soffice"):
        return "soffice is not installed (package libreoffice-impress)"
    if not os.access(PYTHON, os.X_OK):
        return f"{PYTHON} is missing"
    if subprocess.run([PYTHON, "-c", "import uno"], capture_output=True).returncode:
        return f"{PYTHON} has no module uno (package python3-uno)"
    return ""


def why_no_window() -> str:
    missing = [name for name in ("Xvfb", "openbox", "dbus-daemon") if not shutil.which(name)]
    return why_not() or (f"{', '.join(missing)} not installed" if missing else "")


def plain_environment(**more: str) -> dict[str, str]:
    """No display, and nothing of the user's session."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return dict(kept, LC_ALL="C.UTF-8", **more)


class Failure(Exception):
    """An error answer."""

    def __init__(self, error: dict[str, str]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]


class Office:
    """office.py as the engine runs it. Use as a context manager."""

    def __init__(self, state: str | os.PathLike, *more: str, env: dict[str, str] | None = None,
                 python: tuple[str, ...] = (PYTHON,)) -> None:
        self.child = subprocess.Popen([*python, str(OFFICE), "--state", str(state), *more], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env=env or plain_environment(), start_new_session=True)
        self.asked = 0
        self.log = ""
        self.rest = b""

    def __enter__(self) -> "Office":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> int:
        """Closes stdin and waits, as the engine does; the exit code. May be called again."""
        if self.child.stderr.closed:
            return self.child.returncode
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.close()
        try:
            code = self.child.wait(HANGING)
        except subprocess.TimeoutExpired:
            os.killpg(self.child.pid, signal.SIGKILL)
            raise
        finally:
            self.child.stdout.close()
            self.log += self.child.stderr.read().decode(errors="replace")
            self.child.stderr.close()
        return code

    def said(self) -> str:
        """Its log until now."""
        while select.select([self.child.stderr], [], [], 0)[0]:
            data = os.read(self.child.stderr.fileno(), 65536)
            if not data:
                break
            self.log += data.decode(errors="replace")
        return self.log

    def send(self, method: str, timeout: float = HANGING / 2, **params: Any) -> int:
        self.asked += 1
        request = {"id": self.asked, "method": method, "params": params, "timeout": timeout}
        self.raw(json.dumps(request).encode() + b"\n")
        return self.asked

    def raw(self, data: bytes) -> None:
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def answer(self) -> dict[str, Any]:
        deadline = time.monotonic() + HANGING
        while b"\n" not in self.rest:
            if not select.select([self.child.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"no answer within {HANGING:.0f} s")
            data = os.read(self.child.stdout.fileno(), 65536)
            if not data:
                raise AssertionError("the helper closed its stdout")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def call(self, method: str, timeout: float = HANGING / 2, **params: Any) -> dict[str, Any]:
        number = self.send(method, timeout, **params)
        answer = self.answer()
        if answer["id"] != number:
            raise AssertionError(f"answer {answer} to request {number}")
        if "error" in answer:
            raise Failure(answer["error"])
        return answer["result"]

    def fails(self, method: str, timeout: float = HANGING / 2, **params: Any) -> Failure:
        try:
            result = self.call(method, timeout, **params)
        except Failure as failure:
            return failure
        raise AssertionError(f"{method} should have failed and answered {result}")

    # --- behind its back ---

    @property
    def office_pid(self) -> int:
        """The shell that leads the office's process group."""
        return self.call("status")["pid"]

    @property
    def program_pid(self) -> int:
        """soffice.bin itself."""
        leader = self.office_pid
        return next(pid for pid in group(leader) if "soffice.bin" in command(pid))

    def uno(self, code: str) -> str:
        """Runs Python with `desktop` and `model` (the newest document) over a connection of its own."""
        pipe = re.search(r"pipe,name=([^;]+)", command(self.program_pid)).group(1)
        done = subprocess.run([PYTHON, "-c", SECOND_CONNECTION.format(pipe=pipe, code=code)], capture_output=True,
                              text=True, timeout=HANGING)
        if done.returncode:
            raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
        return done.stdout.strip()


SECOND_CONNECTION = """
import os, sys, uno
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
context = resolver.resolve("uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
models = [frame.Controller.Model for frame in desktop.Frames if frame.Controller and hasattr(frame.Controller, "Model")]
model = models[-1] if models else None
def dispatch(command):
    helper = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
    helper.executeDispatch(model.CurrentController.Frame, command, "", 0, ())
{code}
sys.stdout.flush()
os._exit(0)     # taking down a bridge crashes pyuno now and then
"""


# --- processes ---------------------------------------------------------------

def command(pid: int) -> str:
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def group(leader: int) -> list[int]:
    """The living processes of a group."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(of) == leader and state not in "ZX":
                    found.append(int(entry.name))
    return found


def wait_until(what, text: str) -> None:
    deadline = time.monotonic() + HANGING
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {HANGING:.0f} s: {text}")
        time.sleep(0.01)


def wait_gone(leader: int) -> None:
    wait_until(lambda: not group(leader), f"process group {leader} ends; left: "
               + ", ".join(command(pid) for pid in group(leader)))


def leftovers() -> set[str]:
    """What offices of this test may leave behind: temporary folders, and the sockets named after them, which lie in
    /tmp, as do those of other tests that run meanwhile."""
    folders = set(pathlib.Path(tempfile.gettempdir()).glob("perigee-office-*"))
    SEEN.update(folder.name for folder in folders)
    return {str(path) for path in folders} | {str(path) for path in pathlib.Path("/tmp").glob("OSL_PIPE_*")
                                              if path.name.partition("_perigee")[1] and any(map(path.name.endswith, SEEN))}


SEEN: set[str] = set()
