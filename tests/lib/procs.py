"""Processes that a test did not start itself."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import threading


def alive(pid: int) -> bool:
    """False also for one that ended and waits for whoever takes its status: not every first process does that."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def parents() -> dict[int, int]:
    """Every process's parent, from /proc; nothing where there is no /proc."""
    found = {}
    with contextlib.suppress(FileNotFoundError):
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError):
                    stat = pathlib.Path(entry.path, "stat").read_text()
                    found[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def descendants(root: int) -> list[int]:
    tree = parents()
    found, frontier = [], [root]
    while frontier:
        frontier = [pid for pid, parent in tree.items() if parent in frontier]
        found += frontier
    return found


def words_of(pid: int) -> bytes:
    """Its command line, with a NUL after each word; b"" once it has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def leads(pid: int) -> bool:
    """True for the first process of a pid namespace."""
    try:
        return re.search(r"^NSpid:.*\t1$", pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE) is not None
    except (FileNotFoundError, ProcessLookupError):
        return False


def cpu(pid: int) -> int:
    """Ticks of processor time, of its own; 0 once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])


def seconds_of_work(pid: int) -> float:
    """Seconds of processor time, of its own; 0 once it has ended."""
    if os.path.isdir("/proc/self"):
        return cpu(pid) / os.sysconf("SC_CLK_TCK")
    said = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    minutes, seconds = (said.strip() or "0:0").split(":")[-2:]      # macOS: "0:01.23"
    return 60 * int(minutes) + float(seconds)


@contextlib.contextmanager
def pulses(pids, stopped=lambda: 0.4, going=lambda: 0.25):
    """Stops these processes and lets them go on, again and again, until the block ends; `stopped` and `going` give the seconds."""
    over = threading.Event()

    def send(number):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def beat():
        while not over.wait(going()):
            send(signal.SIGSTOP)
            over.wait(stopped())
            send(signal.SIGCONT)
    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        send(signal.SIGCONT)
