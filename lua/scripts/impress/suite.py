"""The office as the rest of the helper sees it: `connect()` gives a living one, or starts one.

Only the worker's thread talks UNO; `kill()` and `status()` may come from any thread.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import socket
import sys
import threading
import time
from typing import Any

import foreign
import profiles
import unokit
from process import Adopted, Foreign, Life, Process, adopt, find_program
from wire import Fault

ASK_AGAIN = 0.01  # seconds between two attempts to connect to an office that is starting
QUIT_LIMIT = 3.0  # seconds to end politely


def log(text: str) -> None:
    print("office: " + text, file=sys.stderr, flush=True)


class Suite:
    def __init__(self, state: pathlib.Path, program: str | None, headless: bool) -> None:
        self.state = state
        self.program = program
        self.want_headless = headless
        self.process: Life | None = None
        self.starting = False
        self.starts = 0
        self.version = ""
        self.last_end = ""
        self._notices: list[str] = []
        self._context: Any = None
        self._profile: profiles.Profile | None = None
        self._hung: set[int] = set()  # offices that were given up and are not adopted again
        self._crew = 0  # the thread whose call is under way

    def begin(self) -> None:
        """A call begins on this thread. One that hung before may come back later: it must not judge, end or
        start what came after its office."""
        self._crew = threading.get_ident()

    def _check_crew(self) -> None:
        if self._crew != threading.get_ident():
            raise Fault("app_hung", "LibreOffice was given up while it was asked")

    def connect(self, reuse: bool = False) -> None:
        """Raises Fault when no office can be had. `reuse`: rather than starting one, takes one that the
        user has open, with a presentation, where it listens."""
        process = self.process
        alive = process is not None and not process.ended.is_set()
        if self._is_gone():
            lost = self._lost()
            if process and alive and process.killed_for:
                raise Fault("app_died", lost)  # the clock ran out meanwhile; the caller was told
            self._notices.append(lost)
        if self._context is None:
            self.starting = True
            try:
                if not (reuse and self._join()):
                    self._start()
            finally:
                self.starting = False

    def take_notices(self) -> list[str]:
        """What happened to the office since the last answer and the next one must say."""
        notices, self._notices = self._notices, []
        return notices

    def create(self, service: str) -> Any:
        """A service of the office, which must be connected."""
        return self._context.ServiceManager.createInstanceWithContext(service, self._context)

    def desktop(self) -> Any:
        return self.create("com.sun.star.frame.Desktop")

    def check_alive(self) -> None:
        """After a call failed: raises app_died if that was because the office is gone."""
        if not self._is_gone():
            return
        raise Fault(
            "app_died",
            f"{self._lost()} in the middle of the call, and its presentations are gone with it. "
            "The next call starts it again; open a presentation first.",
        )

    def quit(self) -> None:
        """Ends the office politely, or not."""
        process = self.process
        if process is None or process.ended.is_set() or isinstance(process, Foreign):
            return
        if self._context is not None:
            with contextlib.suppress(
                Exception
            ):  # it may die while it answers; the end is what counts
                desktop = self.desktop()
                forget_changes(desktop)
                desktop.terminate()
        if not process.ended.wait(QUIT_LIMIT):
            process.kill("LibreOffice was told to quit")
            process.ended.wait(QUIT_LIMIT)

    def kill(self, why: str) -> None:
        if self.process:
            self.process.kill(why)

    def give_up(self, why: str) -> bool:
        """An office that does not answer: killed, or left to its user with what is in its window. Whether
        it was killed."""
        process = self.process
        if process is None or not process.lasting:
            self.kill(why)
            return True
        self._hung.add(process.pid)
        self._crew = 0
        self.process, self._context = None, None
        if self._profile and not isinstance(process, Foreign):
            self._profile.release()
            self._profile = None
        return False

    def leave(self, why: str) -> None:
        """Before the helper ends. An office with a window stays for its user while there is anything in
        it; from one without, its guard saves what must be kept."""
        process = self.process
        if process is None or process.ended.is_set():
            return
        if process.lasting and self._holds_anything():
            log(f"LibreOffice stays open for its user (process {process.pid})")
        elif not process.keeping:
            process.kill(why)
            if not process.ended.wait(QUIT_LIMIT):  # a busy machine: what it left goes all the same
                process.tidy()

    def _holds_anything(self) -> bool:
        """Asked on a thread of its own: an office that does not say in time may hold something."""
        said: list[bool] = []

        def ask() -> None:
            with contextlib.suppress(Exception):
                said.append(any(True for _ in unokit.components(self.desktop())))

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(QUIT_LIMIT)
        return said != [False]

    def status(self) -> dict[str, Any]:
        process = self.process
        running = process is not None and not process.ended.is_set()
        answer: dict[str, Any] = {
            "running": running,
            "starts": self.starts,
            "last_end": self.last_end,
        }
        if process and running:
            answer.update(pid=process.pid, headless=process.headless, version=self.version)
        elif process:
            answer["last_end"] = process.how_it_ended()
        return answer

    def _is_gone(self) -> bool:
        """Whether there was an office that ended, even if it is not reaped yet."""
        self._check_crew()
        process = self.process
        gone = process is not None and (process.ended.is_set() or self._bridge_broken())
        self._check_crew()
        if process is None or not gone:
            return False
        if not process.ended.wait(1.0):
            process.kill("LibreOffice broke off the connection and was stopped")
            process.ended.wait(QUIT_LIMIT)
        return True

    def _lost(self) -> str:
        if self.process:
            self.last_end = self.process.how_it_ended()
            log(self.last_end)
        self.process, self._context = None, None
        return self.last_end

    def _bridge_broken(self) -> bool:
        try:
            self.desktop()
            return False
        except Exception:  # pyuno has no common base for what a dead bridge raises
            return True

    def _start(self) -> None:
        program = self.program or find_program()
        began = time.monotonic()
        headless = self.want_headless or not display_answers(self._notices)
        if self._claim_profile(headless):
            return
        process = self._launch(program, self._profile, headless)
        if self._context is None and not headless and not process.killed_for:
            why = process.words or process.how_it_ended()
            self._notices.append(f"no window could be opened, so there is none: {why}")
            process = self._launch(program, self._profile, True)
        if self._context is None:
            self.process = None
            raise Fault(
                "app_start_failed",
                f"{process.how_it_ended()} while it was starting. {process.words}".strip(),
            )
        self.starts += 1
        self.version = self._read_version()
        log(
            f"LibreOffice {self.version} runs (process {process.pid}, "
            f"{'headless' if process.headless else 'with a window'}), "
            f"started in {time.monotonic() - began:.2f} s"
        )

    def _join(self) -> bool:
        """Whether an office of the user's own was taken."""
        for found in foreign.running():
            if not found.url or found.pid in self._hung:
                continue
            with contextlib.suppress(Fault):
                self.process = Foreign(found.pid, found.url, found.headless)
                self._connect(self.process, once=True)
                usable = self._context is not None and unokit.presentations(self.desktop())
                self._check_crew()
                if usable:
                    self.starts += 1
                    self.version = self._read_version()
                    log(f"LibreOffice {self.version} of the user is used (process {found.pid})")
                    return True
            self.process, self._context = None, None
        return False

    def _claim_profile(self, headless: bool) -> bool:
        """Sees to it that there is a profile; whether an office came with it that was left open."""
        found: list[Adopted] = []

        def adoptable(profile: profiles.Profile) -> bool:
            office = None if headless else adopt(profile)
            if office and office.pid in self._hung:
                office = None
            if office:
                found.append(office)
            return office is not None

        if self._profile and self._profile.lock < 0:  # of an office that was adopted and has ended
            self._profile.release()
            self._profile = None
        if self._profile is None:
            self._profile = profiles.claim(self.state, adoptable)
        if not found:
            return False
        self.process = found[0]
        self._connect(found[0])
        if self._context is None:  # it ended meanwhile
            self._lost()
            return self._claim_profile(headless)
        self.starts += 1
        self.version = self._read_version()
        log(f"LibreOffice {self.version} was left open and goes on (process {found[0].pid})")
        return True

    def _launch(self, program: str, profile: profiles.Profile, headless: bool) -> Process:
        """Waits until the office answers or ends; the caller's time limit ends too long a wait."""
        unokit.module()
        profiles.prepare(profile.folder)
        self.process = process = Process(program, profile, headless)
        self._connect(process)
        return process

    def _connect(self, process: Life, once: bool = False) -> None:
        """Ends when the office answers, or when it ends, or after `once`."""
        local = unokit.module().getComponentContext()
        resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
        while self._context is None and not process.ended.is_set():
            try:
                self._context = resolver.resolve(process.url)
            except Exception:  # NoConnectException until the office listens
                if once:
                    return
                process.ended.wait(ASK_AGAIN)

    def _read_version(self) -> str:
        node = unokit.properties(nodepath="/org.openoffice.Setup/Product")
        provider = self.create("com.sun.star.configuration.ConfigurationProvider")
        access = provider.createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationAccess", node
        )
        return str(access.getByName("ooSetupVersionAboutBox"))


def forget_changes(desktop: Any) -> None:
    """Else it would ask, on quitting, whether to save, and wait for the answer."""
    for frame in desktop.Frames:
        with contextlib.suppress(Exception):  # the start centre has no document
            frame.Controller.Model.setModified(False)


def display_answers(notices: list[str]) -> bool:
    """Whether a window can be shown; a local X display is tried by its socket."""
    display = os.environ.get("DISPLAY", "")
    if os.environ.get("WAYLAND_DISPLAY") or not display:
        return bool(os.environ.get("WAYLAND_DISPLAY"))
    host, _, number = display.rpartition(":")
    if host not in ("", "unix"):
        return True
    name = "/tmp/.X11-unix/X" + number.partition(".")[0]
    for address in (name, "\0" + name):  # a file, or a name in Linux's abstract space
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(address)
            return True
    notices.append(f"the display {display} does not answer, so LibreOffice runs without a window")
    return False
