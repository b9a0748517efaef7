#!/usr/bin/env python3
"""`make bench`, the part of events: from the system's event to the script that is told of it.

    tests/bench/events_bench.py [--events 400]

A program on a private X display changes a title, moves a window and takes the clipboard; it notes the time just before each
request is sent, and a script the time when it has the event. Both read the same clock. At rest, the processor time of a process
that watches is measured. Nothing fails by time: an aim is `met` or `MISSED`."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

from session import ENVIRONMENT, PERIGEE, TOP, aim

sys.path.insert(0, str(TOP / "tests" / "lib"))

import xclient                  # noqa: E402
from desktop import Desktop     # noqa: E402

AIM_MS = 5.0          # p50
LATE_MS = 50.0        # each

SCRIPT = """
local events, time, json = require "sys.events", require "sys.time", require "sys.json"
local stream = assert(events.watch { "windows", "clipboard" })
print "ready"
while true do
  local event = assert(stream:next())
  print(json.encode { what = event.what, title = event.window and event.window.title, x = event.window and event.window.frame.x,
    now = time.monotonic(), told = event.at })
end
"""


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def show(what, times, aimed=True):
    times = sorted(times)
    middle, worst = statistics.median(times), times[-1]
    if aimed:
        aim(f"{what}, p50", middle, AIM_MS, "ms")
        aim(f"{what}, the latest of {len(times)}", worst, LATE_MS, "ms")
    else:
        print(f"          {what}: {middle:.2f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=400)
    count = parser.parse_args().events
    with Desktop() as desktop, xclient.Client(desktop.env["DISPLAY"]) as client:
        window = client.window("bench")
        script = subprocess.Popen([PERIGEE, "run", "--no-user-root", "-e", SCRIPT], env={**ENVIRONMENT, **desktop.env},
                                  stdout=subprocess.PIPE, text=True)
        assert script.stdout.readline() == "ready\n"
        took, inside = [], []
        for i in range(count):
            begun = time.monotonic()
            client.retitle(window, f"title {i}")
            while True:
                event = json.loads(script.stdout.readline())
                if event.get("title") == f"title {i}":
                    break
            took.append((event["now"] - begun) * 1000)
            inside.append((event["now"] - event["told"]) * 1000)
        show("a title, from the request to the script", took)
        show("of it between the watching thread and the script", inside, aimed=False)
        opened = []
        for i in range(count // 10):
            begun = time.monotonic()
            other = client.window(f"window {i}")
            while True:
                event = json.loads(script.stdout.readline())
                if event["what"] == "opened":
                    break
            opened.append((event["now"] - begun) * 1000)
            client.destroy(other)
        show("a window that a manager has to frame first, from the request", opened, aimed=False)
        before, begun = processor_seconds(script.pid), time.monotonic()
        time.sleep(5)
        used = (processor_seconds(script.pid) - before) / (time.monotonic() - begun) * 1000
        aim("processor time at rest, a second", used, 1, "ms")
        script.kill()
        script.wait()


main()
