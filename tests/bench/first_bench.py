#!/usr/bin/env python3
"""`make bench`, the part of the first answer: how long it takes until a client has the list, and until a command is done.

    tests/bench/first_bench.py [--tries 40] [--json FILE]

Times are medians. The floor of the list is tests/bench/floor.c, which answers canned lines; beside the commands stands
`true`. The cache of declarations is there, as after the first start. Nothing fails by time:
an aim is `met` or `MISSED`.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import run
from session import ENVIRONMENT, PERIGEE, Server, aim, times

LISTED, CALL_MS, MEMORY_MB, EXIT_MS = 3.0, 6.0, 4.5, 3.0     # aims
CHEAP = {"one tool": ("call", "describe_tool", "name=run_lua"), "all tools": ("tools",)}
WAITING = """local time = require "sys.time"
return {
  description = "Waits.",
  inputSchema = { type = "object" },
  run = function() time.sleep(30) end,
}
"""


def listed(mcpbench, floor, tries):
    """Milliseconds from the start to the list, ours and the floor's."""
    figures = {}
    for label, command in (("floor", [floor]), ("ours", [PERIGEE, "serve", "--no-user-root"])):
        figures[label] = run.measure(mcpbench, command, ["-c", str(tries), "-n", "10"], run.TWO)["ready_ms"]
    return figures


def commands(tries):
    """Milliseconds that each command takes; `true` is the floor."""
    took = {name: [] for name in ("true", *CHEAP)}
    for _ in range(tries):
        for name, words in (("true", ["true"]), *((n, [PERIGEE, *w]) for n, w in CHEAP.items())):
            took[name] += times(1, lambda words=words: subprocess.run(words, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True))
    return {name: 1e3 * statistics.median(values) for name, values in took.items()}


def resident():
    """MB of a server that has sent its list."""
    server = Server("--no-user-root")
    server.ask("tools/list")
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    server.end()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def exits(tries):
    """Milliseconds from the end of the input to the end of the process, with calls of all kinds in flight."""
    with tempfile.TemporaryDirectory() as root:
        tool = pathlib.Path(root, "tools", "bench", "wait.lua")
        tool.parent.mkdir(parents=True)
        tool.write_text(WAITING, encoding="utf-8")
        took = []
        for _ in range(tries):
            server = Server("--root", root, "--no-user-root")
            for _ in range(8):
                server.post("tools/call", {"name": "wait", "arguments": {}})
            server.post("tools/call", server.script("while true do end"))
            server.post("tools/call", server.script("require('sys.time').sleep(30)"))
            for _ in range(20):             # they are under way by then: guests are started one after the other
                server.ask("ping")
                time.sleep(0.005)
            took += times(1, server.end)
        return 1e3 * statistics.median(took)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    mcpbench, floor = run.compile_tools()
    commands(1)         # makes the cache
    figures = {"listed": listed(mcpbench, floor, options.tries), "commands": commands(options.tries),
               "resident_mb": resident(), "exit_ms": exits(15)}
    ours, canned = figures["listed"]["ours"], figures["listed"]["floor"]
    print(f"\nthe first answer\n  list {ours:.2f} ms after the start, the floor {canned:.2f} ms")
    for name, value in figures["commands"].items():
        print(f"  {'perigee ' + ' '.join(CHEAP[name]) if name in CHEAP else name}: {value:.2f} ms")
    print("\naims")
    aim("start, initialize and tools/list", ours / canned, LISTED, "x the floor")
    aim("perigee call of a cheap tool", figures["commands"]["one tool"], CALL_MS, "ms")
    aim("resident memory after the list", figures["resident_mb"], MEMORY_MB, "MB")
    aim("end of the input to the end, ten calls in flight", figures["exit_ms"], EXIT_MS, "ms")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
