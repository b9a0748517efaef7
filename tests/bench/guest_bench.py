#!/usr/bin/env python3
"""`make bench`, the part of scripts that clients send (run_lua): what a process of their own costs, and whom they hold up.

    tests/bench/guest_bench.py [--tries 300] [--json FILE]

Times are medians; `ping` of the same server is the floor. Between two scripts there are 2 ms, in which the next guest is made;
`in a row` there are none. While each bomb of tests/guest runs for a second, a ping is
sent every 2 ms: the longest wait counts, and so with four bombs at once. A guest that waits for its script is weighed by
what is its own (Private_* of smaps_rollup; reading that takes root, or the owner of a process that is not shut in). Nothing fails by time: an aim is `met` or `MISSED`.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

from session import HERE, TOP, Server, aim, times

sys.path += [str(TOP / "tests" / "guest"), str(TOP / "tests" / "lib")]
from guest_test import BOMBS, memory, processes  # noqa: E402  (its folder has to be on the path)

RUN_MS, NESTED_US, HELD_MS, HELD_BY_FOUR_MS, WAITING_MB = 0.4, 80, 50, 50, 0.5      # aims
AT_ONCE = 4


def held_by(server, *codes):
    """The longest ping, in ms, while the scripts run."""
    scripts = [server.post("tools/call", server.script(code, timeout=1)) for code in codes]
    waits, end = [], time.perf_counter() + 1.2
    while time.perf_counter() < end:
        waits += times(1, lambda: server.ask("ping"))
        time.sleep(0.002)
    for script in scripts:
        server.answer(script)
    return 1000 * max(waits)


def apart(count, work):
    """times(), with a pause before each."""
    taken = []
    for _ in range(count):
        time.sleep(0.002)
        taken += times(1, work)
    return taken


def measure(tries):
    server = Server("--root", str(HERE / "root"), "--toolset", "bench")
    server.run("return 1")
    figures = {
        "ping_us": 1e6 * statistics.median(times(tries, lambda: server.ask("ping"))),
        "run_ms": 1e3 * statistics.median(apart(tries, lambda: server.run("return 1"))),
        "row_ms": 1e3 * statistics.median(times(tries, lambda: server.run("return 1"))),
        "nested_us": 1e3 * statistics.median(times(5, lambda: server.run(
            "for i = 1, 1000 do tools.echo{message = 'x'} end"))),
        "mapped_us": 1e3 * statistics.median(times(5, lambda: server.run(
            "local items = {} for i = 1, 1000 do items[i] = i end "
            "require('sys.task').map(items, function() return tools.echo{message = 'x'} end, 64)"))),
    }
    figures["held_ms"] = {name: held_by(server, code) for name, code in BOMBS.items()}
    bombs = list(BOMBS.values())
    figures["held_by_four_ms"] = max(held_by(server, *(bombs[(first + i) % len(bombs)] for i in range(AT_ONCE)))
                                     for first in range(0, len(bombs), 2))
    server.run("return 1")
    time.sleep(0.2)     # one is made
    figures["waiting_mb"] = max((memory(pid) for pid in processes(server)[1]), default=0) / (1 << 20)
    server.end()
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=300)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    figures = measure(options.tries)
    print(f"\nscripts of clients (run_lua)\n  ping {figures['ping_us']:.0f} us, `return 1` {figures['run_ms']:.2f} ms, "
          f"in a row {figures['row_ms']:.2f} ms, a tool call {figures['nested_us']:.0f} us, of 64 at once {figures['mapped_us']:.0f} us")
    for name, value in figures["held_ms"].items():
        print(f"  longest ping beside {name.replace('_', ' ')}: {value:.1f} ms")
    print(f"  longest ping beside {AT_ONCE} of them at once: {figures['held_by_four_ms']:.1f} ms")
    print("\naims")
    aim("run_lua of `return 1`", figures["run_ms"], RUN_MS, "ms")
    aim("a tool call from a script", figures["nested_us"], NESTED_US, "us")
    aim("longest wait beside a script", max(figures["held_ms"].values()), HELD_MS, "ms")
    aim(f"longest wait beside {AT_ONCE} scripts", figures["held_by_four_ms"], HELD_BY_FOUR_MS, "ms")
    if figures["waiting_mb"]:
        aim("a waiting guest's own memory", figures["waiting_mb"], WAITING_MB, "MB")
    else:
        print("  unknown a waiting guest's own memory: this user may not read it")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
