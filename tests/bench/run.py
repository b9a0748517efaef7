#!/usr/bin/env python3
"""`make bench`: our server beside the floor (a program that answers canned lines) and a peer.

    tests/bench/run.py [--rounds 5] [--only-http] [--ours COMMAND] [--peer COMMAND] [--no-peer] [--json FILE]

Each round measures every server once, one after the other, so that a busy moment of the machine
hits all of them; the table shows medians over the rounds, and ratios to the floor of the same
pinning. Nothing fails by time: an aim is `met` or `missed`, and the exit code tells only whether
every answer came.
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys

import http_bench

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", os.path.join(BUILD, "perigee")))
PEER_SCRIPT = os.path.join(HERE, "peer.lua")
EVERYTHING = os.path.join(TOP, "tests/clients/node_modules/@modelcontextprotocol/server-everything",
                          "dist/index.js")
TWO, ONE = "0,1", "1,1"         # client and server on two processors, or on one

# The columns: the figure's name in mcpbench, the column's head, and digits after the point.
COLUMNS = [("start_ms", "start ms", 2), ("ready_ms", "listed ms", 2), ("list_us", "list us", 1), ("p50_us", "p50 us", 1),
           ("p99_us", "p99 us", 1), ("cpu_us", "cpu us", 1), ("calls_s", "calls/s", 0),
           ("k8", "K=8 /s", 0), ("k64", "K=64 /s", 0), ("big_ms", "1 MB ms", 2),
           ("idle_mb", "idle MB", 1), ("peak_mb", "peak MB", 1), ("exit_ms", "exit ms", 2)]

# What, the pinning it is judged under, its limit, and whether it is a ratio to the floor.
AIMS = [("p50_us", "round trip, p50, two processors", TWO, 1.5, True, "<="),
        ("k64", "throughput, 64 calls in flight", TWO, 0.25, True, ">="),
        ("start_ms", "spawn to initialize", TWO, 3.0, True, "<="),
        ("idle_mb", "idle memory, MB", TWO, 5.0, False, "<="),
        ("big_ms", "echo of 1 MB", TWO, 6.0, True, "<="),
        ("exit_ms", "stdin closed to the end, ms", TWO, 5.0, False, "<=")]


def compile_tools():
    """mcpbench and floor, in the build folder, when their sources are newer."""
    out = os.path.join(BUILD, "bench")
    os.makedirs(out, exist_ok=True)
    for name, sources in (("mcpbench", ["mcpbench.c", "talk.c", "child.c"]), ("floor", ["floor.c"]), ("httpbench", ["httpbench.c"])):
        program = os.path.join(out, name)
        paths = [os.path.join(HERE, s) for s in sources]
        newest = max(os.path.getmtime(p) for p in [*paths, *(os.path.join(HERE, h) for h in
                                                            ("bench.h", "child.h"))])
        if not os.path.exists(program) or os.path.getmtime(program) < newest:
            command = [os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", "-o", program, *paths]
            if subprocess.run(command, check=False).returncode:
                sys.exit(f"bench: {shlex.join(command)} failed")
    return os.path.join(out, "mcpbench"), os.path.join(out, "floor")


def compile_lua_peer():
    """lua_peer, in the build folder, with the Lua of the build."""
    program, source = os.path.join(BUILD, "bench", "lua_peer"), os.path.join(HERE, "lua_peer.c")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        for name in ("lua5.4", "lua-5.4", "lua"):      # as in the Makefile
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", name], capture_output=True, text=True, check=False)
            if flags.returncode == 0:
                break
        command = [os.environ.get("CC", "cc"), "-std=c11", "-O2", "-o", program, source, *flags.stdout.split()]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"bench: {shlex.join(command)} failed")
    return program


def servers(options, floor):
    """(label, command, mcpbench's own options), the floor first."""
    ours = shlex.split(options.ours) if options.ours else [
        PERIGEE, "serve", "--root", os.path.join(HERE, "root"), "--toolset", "bench", "--max-result", "0"]
    rows = [("floor", [floor], []), ("perigee", ours, []), ("perigee stateless", ours, ["-M"])]
    peer = shlex.split(options.peer or "")
    if not peer and os.path.exists(EVERYTHING) and shutil.which("node"):
        peer = ["node", EVERYTHING]
    if options.no_peer:
        return rows
    if not peer:
        print("bench: no peer; tests/clients/install gets server-everything", file=sys.stderr)
        return rows
    label = "server-everything" if EVERYTHING in peer else os.path.basename(peer[0])
    return rows + [(label, peer, ["-c", "3"])]


def measure(mcpbench, command, more, pinning):
    argv = [mcpbench, "-P", pinning, *more, "--", *command]
    env = dict(os.environ, PERIGEE_HOME=os.path.join(BUILD, "bench", "home"),
               XDG_CACHE_HOME=os.path.join(BUILD, "bench", "cache"))
    done = subprocess.run(argv, capture_output=True, text=True, env=env, timeout=600, check=False)
    try:
        figures = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"bench: {shlex.join(argv)}: {done.stderr or done.stdout or 'said nothing'}")
    if done.stderr:
        print(f"\nbench: {shlex.join(argv)}: {done.stderr.strip()}", file=sys.stderr)
    figures.update(k8=figures["piped"]["8"], k64=figures["piped"]["64"],
                   idle_mb=figures["idle_kb"] / 1024, peak_mb=figures["peak_kb"] / 1024)
    return figures


def median(rounds, name):
    values = [figures[name] for figures in rounds if figures[name] >= 0]
    return statistics.median(values) if values else None


def show(value, digits):
    return "-" if value is None else f"{value:,.{digits}f}".replace(",", " ")


def table(title, rows):
    """rows: label, then the cells; columns as wide as they must be."""
    heads = ["", *(head for _, head, _ in COLUMNS)]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    print(f"\n{title}")
    for row in [heads, *rows]:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]
        print("  ".join(cells).rstrip())


def tables(results):
    for pinning, title in ((TWO, "client and server on two processors"),
                           (ONE, "client and server on one processor")):
        rows, floor = [], {}
        for label, rounds in results[pinning].items():
            values = {name: median(rounds, name) for name, _, _ in COLUMNS}
            floor = floor or values
            rows.append([label, *(show(values[n], d) for n, _, d in COLUMNS)])
            if values is not floor:
                rows.append(["  x floor", *(show(values[n] / floor[n], 2) if values[n] is not None
                                            and floor[n] else "-" for n, _, _ in COLUMNS)])
        table(title, rows)


def aims(results):
    print("\naims")
    for name, what, pinning, limit, ratio, sign in AIMS:
        value = median(results[pinning]["perigee"], name)
        floor = median(results[pinning]["floor"], name)
        if value is None or (ratio and not floor):
            print(f"  -       {what}: not measured")
            continue
        got = value / floor if ratio else value
        met = got <= limit if sign == "<=" else got >= limit
        times = "x the floor" if ratio else ""
        print(f"  {'met' if met else 'MISSED':<7} {what}: {got:.2f} (aim {sign} {limit:g}{times})")


def arguments():
    parser = argparse.ArgumentParser(prog="tests/bench/run.py")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ours", help="command of the server under test")
    parser.add_argument("--peer", help="command of another server with a tool echo{message}")
    parser.add_argument("--only-http", action="store_true")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", help="write every figure of every round there")
    return parser.parse_args()


def over_http(options):
    """The HTTP part; the failures."""
    program = os.path.join(BUILD, "bench", "httpbench")
    results = http_bench.measure(program, PERIGEE, os.path.join(BUILD, "bench", "home"),
                                 min(options.rounds, 3))
    http_bench.show(results)
    http_bench.aims(results)
    return http_bench.failures(results)


def main():
    options = arguments()
    mcpbench, floor = compile_tools()
    if options.only_http:
        return 1 if over_http(options) else 0
    rows = servers(options, floor)
    results = {pinning: {label: [] for label, _, _ in rows} for pinning in (TWO, ONE)}
    for number in range(options.rounds):
        for pinning in results:
            print(f"\rround {number + 1} of {options.rounds} ", end="", file=sys.stderr, flush=True)
            for label, command, more in rows:
                results[pinning][label].append(measure(mcpbench, command, more, pinning))
    print("\r", end="", file=sys.stderr)
    tables(results)
    aims(results)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    failed = [f"{label}: {f['failed']} wrong answers or exits" + ("" if f["complete"] else ", gave up")
              for by in results.values() for label, rounds in by.items() for f in rounds
              if f["failed"] or not f["complete"]]
    if not options.ours:
        failed += over_http(options)
    for line in failed:
        print(f"bench: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
