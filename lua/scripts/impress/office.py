#!/usr/bin/env python3
"""Drives LibreOffice Impress for the keynote tools: a helper that lives as long as its engine.

    office.py --state FOLDER [--headless] [--soffice PATH]

FOLDER keeps LibreOffice's profiles between runs (a warm one starts in a fifth of the time).
Without a display, or with --headless, there is no window. Needs the module `uno`, which on Debian
belongs to /usr/bin/python3 (package python3-uno).

Protocol: one JSON object a line. stdin has requests, stdout answers and nothing else, stderr a log.

    {"id": 1, "method": "open", "params": {"mode": "reuse_or_create"}, "timeout": 30}
    {"id": 1, "result": {...}}  or  {"id": 1, "error": {"code": "not_found", "message": "..."}}

`timeout` is in seconds from the request's arrival (default 30, at most 600). Requests are answered
in order, except `status`, which is answered at once. All lengths are points from the slide's top
left corner, whole numbers or with at most two decimals. `warnings` is a list of sentences for the
user, usually empty. A parameter that is null counts as not given.

    start           {}
                    -> running, starts, last_end, pid, headless, version, warnings
                       starts LibreOffice if it does not run (every method below does, too)
    open            {mode?: "reuse_or_create" | "always_new" | "reuse", template?: path}
                    -> document, slide (1), slides, width, height, reused, headless, warnings
                       reuse: the presentation used last, else any other open one, also of a LibreOffice
                       that the user started with --accept; else a new one, of which "reuse" warns
    slide_size      {document?, slide?}
                    -> document, slide, width, height
    draw_rectangle  {x, y, width, height, document?, slide?}
                    -> handle, document, slide, x, y, width, height as settled, warnings
    set_text        {handle, text}
                    -> handle, characters (code points read back), font_size, warnings
    export_png      {path (.png), slide?, document?, width? (pixels, 1920)}
                    -> path, slide, width, height, bytes, warnings
    save            {path (.odp), document?, replace? (true)}
                    -> path, bytes, warnings
                       replace false: a file that is there stays unless it is this document's own from
                       an earlier save, and the new one is called NAME-2.odp, NAME-3.odp, ...
    close           {document?}
                    -> closed; what was not saved is lost
    status          {}
                    -> running, starts, last_end, pid?, headless?, version?, busy
    quit            {}
                    -> {} and then the helper ends

`document` is what `open` gave, by default the one opened last. A handle stays good through every
edit until its shape is deleted or its document is closed.

Error codes: bad_request (not a request), bad_argument, not_found (slide, shape or document gone),
no_document (nothing opened yet), timeout (its turn did not come, or LibreOffice did not start, in
time), app_hung (LibreOffice did not answer in time and was killed), app_died (LibreOffice ended,
during the call or since the last one; this call or the next starts it again), app_not_installed,
app_start_failed, app_error (LibreOffice refused, in its own words), io_error, permission_denied.

It ends when stdin closes, after `quit`, on SIGTERM, SIGINT and SIGHUP. LibreOffice ends with it,
except in a window with something open in it: that is the user's, stays, and is adopted by the next
helper with this state folder. Without a window, what was drawn and not saved is written to
FOLDER/kept first, under the name that draw_rectangle's warning tells. `quit` ends LibreOffice in
any case, and what was not saved is lost.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import select
import signal
import sys
import time
from typing import Any, NoReturn

STRAGGLER = 5.0  # seconds a thread may need to return once its office was killed
METHODS = {  # name: (needed, optional) parameters
    "start": ((), ()),
    "open": ((), ("mode", "template")),
    "slide_size": ((), ("document", "slide")),
    "draw_rectangle": (("x", "y", "width", "height"), ("document", "slide")),
    "set_text": (("handle", "text"), ()),
    "export_png": (("path",), ("slide", "document", "width")),
    "save": (("path",), ("document", "replace")),
    "close": ((), ("document",)),
    "status": ((), ()),
    "quit": ((), ()),
}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="office.py", description="LibreOffice Impress behind JSON lines."
    )
    parser.add_argument(
        "--state", required=True, type=pathlib.Path, help="folder for LibreOffice's profiles"
    )
    parser.add_argument(
        "--headless", action="store_true", help="no window even if there is a display"
    )
    parser.add_argument("--soffice", help="the program to start; default: found on PATH")
    return parser.parse_args()


OPTIONS = options() if __name__ == "__main__" else argparse.Namespace(state=pathlib.Path("."))
# The folder of this file may not be ours to write.
sys.pycache_prefix = str(OPTIONS.state.absolute() / "pycache")

from slides import Slides  # noqa: E402
from suite import Suite, log  # noqa: E402
from wire import Fault, LineReader, Request, decode, request_of, write_answer  # noqa: E402
from worker import Job, Worker  # noqa: E402


class Helper:
    def __init__(
        self, state: pathlib.Path, headless: bool, soffice: str | None, answers: int
    ) -> None:
        self.suite = Suite(state.absolute(), soffice, headless)
        self.slides = Slides(self.suite)
        self.answers = answers  # descriptor
        self.waiting: collections.deque[Job] = collections.deque()
        self.running: Job | None = None
        self.overdue = 0.0  # when a killed office should have freed the worker
        self.finished: collections.deque[tuple[Job, dict[str, Any] | Fault]] = collections.deque()
        self.woken, self.wake = os.pipe()
        os.set_blocking(self.wake, False)
        self.worker = Worker(self.perform, self.report)

    # --- on the worker's thread ---

    def perform(self, request: Request) -> dict[str, Any]:
        self.suite.begin()
        try:
            if request.method == "quit":
                self.suite.quit()
                return {}
            return getattr(self.slides, request.method)(**request.params)
        except Fault:
            raise
        except Exception:
            self.suite.check_alive()
            raise

    def report(self, job: Job, outcome: dict[str, Any] | Fault) -> None:
        self.finished.append((job, outcome))
        os.write(self.wake, b"\0")

    # --- on the main thread ---

    def serve(self) -> int:
        reader = LineReader()
        while True:
            ready, _, _ = select.select([0, self.woken], [], [], self.patience())
            if self.woken in ready:
                for byte in os.read(self.woken, 4096):
                    if byte:  # signal numbers; report() writes zeros
                        self.leave(128 + byte)
            if 0 in ready:
                data = os.read(0, 65536)
                if not data:
                    self.leave(0)
                for line in reader.feed(data):
                    self.receive(line)
            self.collect()
            self.expire()
            self.next_job()

    def receive(self, line: bytes | Fault) -> None:
        identity = None
        try:
            if isinstance(line, Fault):
                raise line
            message = decode(line)
            identity = message.get("id")
            request = request_of(message)
            check_params(request)
        except Fault as fault:
            self.answer(identity, fault)
            return
        if request.method == "status":
            busy = self.running.request.method if self.running else ""
            self.answer(identity, dict(self.suite.status(), busy=busy))
        else:
            self.waiting.append(Job(request))
            self.next_job()

    def collect(self) -> None:
        while self.finished:
            job, outcome = self.finished.popleft()
            if job is self.running:
                self.running = None
            else:
                log("the thread that was left behind has come back")
            if not job.answered:
                self.answer(job.request.id, outcome)
                if job.request.method == "quit":
                    self.leave(0)

    def expire(self) -> None:
        now = time.monotonic()
        for job in [job for job in self.waiting if job.deadline <= now]:
            self.waiting.remove(job)
            self.answer(
                job.request.id,
                Fault(
                    "timeout",
                    f"{job.request.method} waited {job.request.timeout:g} s "
                    "for its turn behind an earlier request",
                ),
            )
        running = self.running
        if running and not running.answered and running.deadline <= now:
            self.overrun(running)
        elif running and running.answered and self.overdue <= now:
            log("a thread did not come back after its office was killed; it is left behind")
            self.running = None
            self.slides = Slides(self.suite)
            self.worker = Worker(self.perform, self.report)

    def overrun(self, job: Job) -> None:
        method, limit = job.request.method, f"{job.request.timeout:g} s"
        if method == "quit":
            self.suite.kill("LibreOffice was told to quit")
            self.answer(job.request.id, {})
            self.leave(0)
        starting = self.suite.starting
        if not self.suite.give_up(
            f"LibreOffice was killed because it did not answer {method} within {limit}"
        ):
            fault = Fault(
                "app_hung",
                f"LibreOffice did not answer {method} within {limit}. Its window was left as it is: "
                "look at it, and close it or end it there. The next call starts another LibreOffice.",
            )
        elif starting:
            fault = Fault(
                "timeout",
                f"LibreOffice had not started within {limit} and was stopped; try again, "
                "with more time if this machine is slow",
            )
        else:
            fault = Fault(
                "app_hung",
                f"LibreOffice did not answer {method} within {limit} and was killed; "
                "its presentations are gone. The next call starts it again.",
            )
        job.answered = True
        self.overdue = time.monotonic() + STRAGGLER
        self.answer(job.request.id, fault)

    def next_job(self) -> None:
        if self.running is None and self.waiting:
            self.running = self.waiting.popleft()
            self.worker.give(self.running)

    def patience(self) -> float | None:
        """Seconds until the next deadline; None when nothing is under way."""
        deadlines = [job.deadline for job in self.waiting]
        if self.running:
            deadlines.append(self.overdue if self.running.answered else self.running.deadline)
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def answer(self, identity: Any, outcome: dict[str, Any] | Fault) -> None:
        try:
            write_answer(self.answers, identity, outcome)
        except BrokenPipeError:
            self.leave(0)

    def leave(self, code: int) -> NoReturn:
        """Ends this process, and the office if nobody needs it; a thread stuck in UNO must not delay it."""
        self.suite.leave("the helper ended")
        sys.stderr.flush()
        os._exit(code)


def check_params(request: Request) -> None:
    if request.method not in METHODS:
        raise Fault(
            "bad_request", f"there is no method {request.method!r}; there are {', '.join(METHODS)}"
        )
    needed, optional = METHODS[request.method]
    request.params = {name: value for name, value in request.params.items() if value is not None}
    missing = [name for name in needed if name not in request.params]
    unknown = [name for name in request.params if name not in needed + optional]
    if missing:
        raise Fault("bad_argument", f"{request.method}: {', '.join(missing)} is missing")
    if unknown:
        raise Fault(
            "bad_argument",
            f"{request.method}: unknown parameter {unknown[0]!r}; "
            f"it takes {', '.join(needed + optional) or 'none'}",
        )


def main() -> int:
    answers = os.dup(1)
    os.set_inheritable(answers, False)
    os.dup2(2, 1)  # a stray print, ours or a library's, must not spoil the protocol
    helper = Helper(OPTIONS.state, OPTIONS.headless, OPTIONS.soffice, answers)
    signal.set_wakeup_fd(helper.wake, warn_on_full_buffer=False)
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda *_: None)  # the wake-up pipe gets its number
    return helper.serve()


if __name__ == "__main__":
    sys.exit(main())
