#!/usr/bin/env python3
"""`make bench`, the part of scripts that clients send (run_lua): what a process of their own costs, and whom they hold up.

    tests/bench/guest_bench.py [--tries 300] [--json FILE]

Times are medians; `ping` of the same server is the floor. While each bomb of tests/guest runs for a second, a ping is
sent every 2 ms: the longest wait counts. Nothing fails by time: an aim is `met` or `MISSED`.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = TOP / os.environ.get("BUILD", "build")
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", BUILD / "perigee"))

sys.path += [str(TOP / "tests" / "guest"), str(TOP / "tests" / "lib")]
from guest_test import BOMBS  # noqa: E402  (its folder has to be on the path)

INIT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
RUN_MS, NESTED_US, HELD_MS = 1.0, 100, 50      # aims


class Server:
    """One line out, one line in: nothing of the client is to show in the figures."""

    def __init__(self):
        env = dict(os.environ, PERIGEE_HOME=str(BUILD / "bench" / "home"))
        self.process = subprocess.Popen([PERIGEE, "serve", "--root", str(HERE / "root"), "--toolset", "bench"], env=env,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0
        self.kept = {}
        self.ask("initialize", INIT)

    def post(self, method, params):
        self.last += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.last

    def answer(self, wanted):
        while wanted not in self.kept:
            message = json.loads(self.process.stdout.readline())
            if "id" in message:
                self.kept[message["id"]] = message
        return self.kept.pop(wanted)

    def ask(self, method, params=None):
        return self.answer(self.post(method, params or {}))

    def script(self, code, **more):
        return {"name": "run_lua", "arguments": {"code": code, **more}}

    def run(self, code, **more):
        result = self.ask("tools/call", self.script(code, **more))["result"]
        if result.get("isError"):
            sys.exit(f"bench: {result['content'][0]['text']}")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def times(tries, work):
    """Seconds that each took."""
    took = []
    for _ in range(tries):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return took


def held_by(server, code):
    """The longest ping, in ms, while the script runs."""
    script = server.post("tools/call", server.script(code, timeout=1))
    waits, end = [], time.perf_counter() + 1.2
    while time.perf_counter() < end:
        waits += times(1, lambda: server.ask("ping"))
        time.sleep(0.002)
    server.answer(script)
    return 1000 * max(waits)


def measure(tries):
    server = Server()
    server.run("return 1")
    figures = {
        "ping_us": 1e6 * statistics.median(times(tries, lambda: server.ask("ping"))),
        "run_ms": 1e3 * statistics.median(times(tries, lambda: server.run("return 1"))),
        "nested_us": 1e3 * statistics.median(times(5, lambda: server.run(
            "for i = 1, 1000 do tools.echo{message = 'x'} end"))),
        "mapped_us": 1e3 * statistics.median(times(5, lambda: server.run(
            "local items = {} for i = 1, 1000 do items[i] = i end "
            "require('sys.task').map(items, function() return tools.echo{message = 'x'} end, 64)"))),
    }
    figures["held_ms"] = {name: held_by(server, code) for name, code in BOMBS.items()}
    server.end()
    return figures


def aim(what, value, limit, unit):
    print(f"  {'met' if value <= limit else 'MISSED':<7} {what}: {value:.2f} {unit} (aim <= {limit:g})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=300)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    figures = measure(options.tries)
    print(f"\nscripts of clients (run_lua)\n  ping {figures['ping_us']:.0f} us, `return 1` {figures['run_ms']:.2f} ms, "
          f"a tool call {figures['nested_us']:.0f} us, of 64 at once {figures['mapped_us']:.0f} us")
    for name, value in figures["held_ms"].items():
        print(f"  longest ping beside {name.replace('_', ' ')}: {value:.1f} ms")
    print("\naims")
    aim("run_lua of `return 1`", figures["run_ms"], RUN_MS, "ms")
    aim("a tool call from a script", figures["nested_us"], NESTED_US, "us")
    aim("longest wait beside a script", max(figures["held_ms"].values()), HELD_MS, "ms")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
