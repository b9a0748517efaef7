#!/usr/bin/env python3
"""A server at rest: no thread of it wakes up by itself."""

import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

import tap                      # noqa: E402
from server import perigee      # noqa: E402
from tools import until         # noqa: E402

LOOK_S = 0.4    # a thread that looks every 50 ms wakes eight times meanwhile


def woken(pid):
    """How often its threads went to sleep so far."""
    return sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M)[1])
               for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def sleeps(server):
    before = woken(server.process.pid)
    time.sleep(LOOK_S)
    return woken(server.process.pid) == before


def after(tool):
    if not sys.platform.startswith("linux"):
        raise tap.Skip("needs /proc")
    with perigee("--no-user-root", env={"PERIGEE_DESKTOP": "fake"}) as server:
        server.initialize()
        server.ask("tools/list")
        server.call(tool)
        until(lambda: sleeps(server), f"{LOOK_S} s in which no thread woke up")


def main():
    for tool in ("engine_status", "list_windows"):
        tap.case(f"a server rests after {tool}", after, tool)
    tap.done()


main()
