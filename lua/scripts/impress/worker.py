"""One thread that talks to the office, so that the main thread can watch clock and engine.

A call into a hung office never returns by itself. The main thread then kills the office, which
makes the call fail; should even that not wake the thread, it is left behind and another takes
its place.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Callable

from wire import Fault, Request

Perform = Callable[[Request], "dict[str, Any]"]
Done = Callable[["Job", "dict[str, Any] | Fault"], None]


@dataclass(eq=False)
class Job:
    request: Request
    received: float = field(default_factory=time.monotonic)
    answered: bool = False

    @property
    def deadline(self) -> float:
        return self.received + self.request.timeout


class Worker:
    """Does one job at a time; `done` is called on the worker's thread."""

    def __init__(self, perform: Perform, done: Done) -> None:
        self.perform = perform
        self.done = done
        self.jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def give(self, job: Job) -> None:
        self.jobs.put(job)

    def _work(self) -> None:
        while True:
            job = self.jobs.get()
            try:
                outcome: dict[str, Any] | Fault = self.perform(job.request)
            except Fault as fault:
                outcome = fault
            except Exception as error:  # whatever UNO raises must not end the thread
                outcome = Fault("app_error", describe(error))
            self.done(job, outcome)


def describe(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__.rpartition('.')[2]}: {text[0][:300] if text else 'no message'}"
