#!/usr/bin/env python3
"""`make bench`, the part of the figures: what our server works for a call, beside the floor and beside another revision.

    tests/bench/figures.py [--rounds 5] [--against REV] [--quick] [--json FILE]

Figures are processor time, each the least of interleaved rounds (at rest the median), and times the floor's for one call in
the same rounds (tests/bench/floor.c, which answers canned lines). `--against` builds that revision in build/against, unless
it is there, and prints both columns. `--quick` measures seven figures beside a peer, a server in plain Lua
(tests/bench/peer.lua), and compares the ratios with those that docs/performance.md keeps: it warns where one is 1.3 times as
much, and fails where one is twice as much, also when it is measured again.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import http_bench
import run
from session import BUILD, INIT, TOP

PAGE = TOP / "docs" / "performance.md"
WARNS, FAILS = 1.3, 2.0
BENCH = ["--root", str(TOP / "tests" / "bench" / "root"), "--toolset", "bench", "--max-result", "0"]

# The name, the unit, digits, the aim as times the floor (None: none), and whether it belongs to the quick ones.
FIGURES = [
    ("a call alone", "us", 1, 2.6, True), ("a call of 64 in flight", "us", 2, 1.2, True), ("the first call", "us", 0, 95, True),
    ("the first call, at rest", "us", 0, 95, True), ("the first click, in memory", "us", 0, None, True),
    ("start and list", "us", 0, None, True), ("list_windows, in memory", "us", 0, None, True),
    ("HTTP, a call of one user", "us", 1, None, False), ("HTTP, a call of fifty users", "us", 1, None, False),
    ("run_lua, a script", "us", 0, None, False), ("a call by a script", "us", 1, 1.9, False),
    ("perigee run -e", "us", 0, 630, False), ("perigee call", "us", 0, 1560, False),
    ("list without a catalog", "us", 0, 11000, False), ("1,000 files, no catalog: list", "us", 0, None, False),
    ("1,000 files: list", "us", 0, None, False), ("1,000 files: the first search", "us", 0, None, False),
    ("1,000 files: a search", "us", 0, None, False),
]
# What the quick figures are judged by: what the peer takes for work of the same kind. A machine with slow caches makes a first
# call five times as expensive and one through pipes hardly at all, so that the floor, which has pipes alone, says nothing of it.
PEERS = {"a call alone": "a call alone", "a call of 64 in flight": "a call of 64 in flight", "the first call": "the first call",
         "the first call, at rest": "the first call, at rest", "the first click, in memory": "the first call",
         "start and list": "start and list", "list_windows, in memory": "a call of all files"}
# What is no processor time: the name, the unit, digits.
OTHERS = [("memory after the list", "MB", 1), ("memory after list_windows", "MB", 1), ("wake-ups at rest", "/s", 1),
          ("end without a catalog", "ms", 1)]


def build_of(revision):
    """The program of a revision, in a folder of its own."""
    name = subprocess.run(["git", "rev-parse", "--short=12", revision + "^{commit}"], cwd=TOP, capture_output=True, text=True, check=False)
    if name.returncode:
        sys.exit(f"bench: there is no revision {revision}. Pass one that `git log` shows")
    folder = BUILD / "against" / name.stdout.strip()
    program = folder / "build" / "perigee"
    if not program.exists():
        print(f"bench: building {revision} in {folder}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", name.stdout.strip()], cwd=TOP, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
        env = {key: value for key, value in os.environ.items() if key not in ("BUILD", "MAKEFLAGS", "MFLAGS", "PERIGEE")}
        if subprocess.run(["make", f"-j{os.cpu_count()}", "all"], cwd=folder, env=env, stdout=subprocess.DEVNULL, check=False).returncode:
            sys.exit(f"bench: {revision} does not build. Run `make -C {folder}` to see why")
    return str(program)


def used_us(pid):
    """Processor time of all threads."""
    with os.scandir(f"/proc/{pid}/task") as tasks:
        return sum(int(pathlib.Path(task.path, "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / 1e3


class Client:
    """A server on pipes, with nothing of ours in its figures."""

    def __init__(self, program, *options, env):
        self.process = subprocess.Popen([program, *options], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.last = 0
        self.ask("initialize", INIT)

    def ask(self, method, params=None):
        self.last += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}}).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            message = json.loads(self.process.stdout.readline() or sys.exit(f"bench: the server ended at {method}"))
            if message.get("id") == self.last and "method" not in message:
                return message

    def call(self, name, **arguments):
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        if result.get("isError"):
            sys.exit(f"bench: {name}: {result['content'][0]['text']}")

    def cost(self, count, work):
        """Processor time of one of so many."""
        before = used_us(self.process.pid)
        for _ in range(count):
            work()
        return (used_us(self.process.pid) - before) / count

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def wakeups(self):
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            total += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(encoding="ascii"), re.M)[1])
        return total

    def end(self):
        begun = time.perf_counter()
        self.process.stdin.close()
        self.process.wait()
        return (time.perf_counter() - begun) * 1e3


def on_pipes(mcpbench, command, env, quick):
    argv = [mcpbench, "-c", "0", "-e", "0", "-n", "1000" if quick else "2000", "-k", "64", "-m", "5000", "--", *command]
    done = subprocess.run(argv, capture_output=True, text=True, env=env, timeout=600, check=False)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"bench: {' '.join(argv)}: {done.stderr}")
    return {"a call alone": found["cpu_us"], "a call of 64 in flight": found["piped_cpu"]["64"], "the first call": found["first_cpu_us"],
            "start and list": found["start_cpu_ms"] * 1e3}


def in_memory(program, env, quick):
    client = Client(program, "serve", "--no-user-root", env=dict(env, PERIGEE_DESKTOP="fake"))
    client.ask("tools/list")
    found = {"memory after the list": client.memory()}
    client.call("list_windows")
    found["list_windows, in memory"] = client.cost(100, lambda: client.call("list_windows"))
    found["memory after list_windows"] = client.memory()
    found["the first click, in memory"] = client.cost(1, lambda: client.call("create_input", action="click", x=1, y=1))
    if not quick:
        client.call("run_lua", code="return 1")
        found["run_lua, a script"] = client.cost(30, lambda: client.call("run_lua", code="return 1"))
        time.sleep(1)
        before = client.wakeups()
        time.sleep(2)
        found["wake-ups at rest"] = (client.wakeups() - before) / 2
    client.end()
    return found


def at_rest(argv, env, before, act):
    """Measures what act(client) costs a client that takes its time, as a model does, after before(client): three of them. The median
    of all counts, and not the least: most of it is what other programs left of the processor's caches, by chance."""
    took = []
    for _ in range(3):
        client = Client(*argv, env=env)
        before(client)
        time.sleep(0.3)
        took.append(client.cost(1, lambda: act(client)))    # pylint: disable=cell-var-from-loop
        client.end()
    return {"the first call, at rest": took}


def by_script(program, env):
    client = Client(program, "serve", *BENCH, env=env)
    code = "for i = 1, 500 do tools.echo{message = 'x'} end"
    for _ in range(2):      # the second finds everything there
        before = client.cost(1, lambda: client.call("run_lua", code="return 1"))
        took = (client.cost(1, lambda: client.call("run_lua", code=code)) - before) / 500
    client.end()
    return took


def over_http(program, env):
    found = {}
    argv = [program, "serve", "--http", "0", "--no-token", *BENCH]
    for name, users in (("HTTP, a call of one user", 1), ("HTTP, a call of fifty users", 50)):
        with http_bench.Listening(argv, env) as server:
            http_bench.load(os.path.join(BUILD, "bench", "httpbench"), server, users, 500, 0, 0)
            before = used_us(server.process.pid)
            http_bench.load(os.path.join(BUILD, "bench", "httpbench"), server, users, 5000, 0, 0)
            found[name] = (used_us(server.process.pid) - before) / 5000
    return found


def of_command(words, env):
    """Processor time of a command."""
    process = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {' '.join(words)} failed")
    return (used.ru_utime + used.ru_stime) * 1e6


def without_catalog(program, env):
    with tempfile.TemporaryDirectory() as cache:
        client = Client(program, "serve", "--no-user-root", env=dict(env, XDG_CACHE_HOME=cache))
        client.ask("tools/list")
        time.sleep(1)
        return client.end()


def listing(program, env, *options):
    """(the server, what its start and its first list took)"""
    client = Client(program, "serve", "--no-user-root", *options, env=env)
    client.ask("tools/list")
    return client, used_us(client.process.pid)


def without_any(program, env):
    with tempfile.TemporaryDirectory() as cache:
        client, took = listing(program, dict(env, XDG_CACHE_HOME=cache))
        client.end()
    return {"list without a catalog": took}


# A file of the peer, 8 kB: functions and tables as tool files have them, and small functions and texts that cost their reading.
PEER_FILE = "local all, small, pages = {}, {}, {}\nfor i = 1, 10 do pages[i] = ('%d'):rep(4096) end\n" + "".join(
    f"all[{n}] = function(x) local t = {{ x, x + {n}, name = 'part {n} of %d', list = {{ 1, 2, 3 }} }} return #t.name + t[2] + #t.list end\n"
    f"small[{n}] = function(x) return x + {n} end\n" for n in range(1, 41)) + (
    "return { all = function(x) for i = 1, #all do x = all[i](x) end return x end,\n"
    "  small = function(x) for i = 1, #small do x = small[i](x) end for i = 1, #pages do x = x + pages[i]:byte(i * 9) end return x end }\n")


def write_peer_files(folder):
    folder.mkdir()
    for number in range(1, 41):
        (folder / f"{number}.lua").write_text(PEER_FILE.replace("%d", str(number)), encoding="utf-8")


def of_peer(mcpbench, argv, env):
    """Measures what plain Lua takes for work of the same kinds."""
    found = on_pipes(mcpbench, argv, env, True)
    found.update(at_rest(argv, env, lambda client: client.call("echo"), lambda client: client.call("small")))
    client = Client(*argv, env=env)
    client.call("all")
    found["a call of all files"] = client.cost(100, lambda: client.call("all"))
    client.end()
    return found


NUMBERED = """return { description = "Adds %d to a number, which it is given.", inputSchema = { type = "object",
  properties = { n = { type = "number", description = "A number" } } }, run = function(args) return tostring(args.n + %d) end }
"""


def write_many_files(root):
    """Writes a thousand tool files, before the rounds: the engine looks twice at files that were just written."""
    many = pathlib.Path(root, "tools", "many")
    many.mkdir(parents=True)
    for number in range(1000):
        (many / f"tool_{number}.lua").write_text(NUMBERED % (number, number), encoding="utf-8")


def of_many_files(program, env):
    with tempfile.TemporaryDirectory() as cache:
        env, many = dict(env, XDG_CACHE_HOME=cache), os.path.join(os.path.dirname(env["PERIGEE_HOME"]), "many")
        client, cold = listing(program, env, "--root", many)
        client.end()                        # writes the catalog, if it did not yet
        client, warm = listing(program, env, "--root", many)
        first = client.cost(1, lambda: client.call("search_tools", query="number adds"))
        later = client.cost(1, lambda: client.call("search_tools", query="number adds 7"))
        client.end()
    return {"1,000 files, no catalog: list": cold, "1,000 files: list": warm, "1,000 files: the first search": first,
            "1,000 files: a search": later}


def measure(mcpbench, program, env, quick):
    found = on_pipes(mcpbench, [program, "serve", *BENCH], env, quick)
    found.update(in_memory(program, env, quick))
    found.update(at_rest([program, "serve", *BENCH], env, lambda client: client.ask("tools/list"),
                         lambda client: client.call("echo", message="hello")))
    if not quick:
        found["a call by a script"] = by_script(program, env)
        found.update(over_http(program, env))
        found["perigee run -e"] = of_command([program, "run", "-e", "local x = 1"], env)
        found["perigee call"] = of_command([program, "call", "describe_tool", "name=run_lua"], env)
        found["end without a catalog"] = without_catalog(program, env)
        found.update(without_any(program, env))
        found.update(of_many_files(program, env))
    return found


def rounds(programs, count, quick):
    """{label: {figure: the least, at rest the median}}; the floor's own figure is that of one call alone."""
    mcpbench, floor = run.compile_tools()
    peer = run.compile_lua_peer()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})      # between two processors the scheduler decides about the costs
    all_of = {}

    def note(label, found):
        for name, value in found.items():
            all_of.setdefault(label, {}).setdefault(name, []).extend(value if isinstance(value, list) else [value])

    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, PERIGEE_HOME=f"{home}/home", XDG_STATE_HOME=f"{home}/state", XDG_CACHE_HOME=f"{home}/cache")
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "PERIGEE_DESKTOP"):
            env.pop(variable, None)
        write_peer_files(pathlib.Path(home, "peer"))
        peer_argv = [peer, str(run.PEER_SCRIPT), f"{home}/peer", f"{home}/peer.log"]
        if not quick:
            write_many_files(f"{home}/many")
        for program in programs.values():      # makes the catalogs
            of_command([program, "tools"], env)
            client = Client(program, "serve", *BENCH, env=env)
            client.ask("tools/list")
            client.end()
        for number in range(count):
            print(f"\rround {number + 1} of {count} ", end="", file=sys.stderr, flush=True)
            note("floor", on_pipes(mcpbench, [floor], env, quick))
            note("peer", of_peer(mcpbench, peer_argv, env))
            for label, program in programs.items():
                note(label, measure(mcpbench, program, env, quick))
    print("\r", end="", file=sys.stderr)
    return {label: {name: statistics.median(values) if name == "the first call, at rest" else min(values)
                    for name, values in found.items()} for label, found in all_of.items()}


def show(least, labels, quick):
    floor = least["floor"]["a call alone"]
    beside = "peer" if quick else "floor"
    times = "what the peer takes for such work" if quick else f"the floor's for a call ({floor:.1f} us)"
    print(f"\nprocessor time, times {times}\n" + " " * 30 + "".join(f"{label:>12}{'x ' + beside:>9}" for label in labels) + (f"{'ratio':>8}" if len(labels) > 1 else ""))
    for name, unit, digits, aim, fast in FIGURES:
        if quick and not fast:
            continue
        values = [least[label][name] for label in labels]
        base = least["peer"][PEERS[name]] if quick else floor
        line = f"{name:30}" + "".join(f"{value:9.{digits}f} {unit}{value / base:9.2f}" for value in values)
        if len(values) > 1:
            line += f"{values[-1] / values[0]:8.2f}"
        if aim and not quick:
            line += f"   {'met' if values[-1] / floor <= aim else 'MISSED'} (aim <= {aim:g}x the floor)"
        print(line)
    for name, unit, digits in [] if quick else OTHERS:
        values = [least[label][name] for label in labels]
        print(f"{name:30}" + "".join(f"{value:9.{digits}f} {unit}{'':9}" for value in values) +
              (f"{values[-1] / values[0]:8.2f}" if len(values) > 1 and values[0] else ""))


def kept():
    """The ratios of docs/performance.md: the lines `| figure | N |` of its last table."""
    found = dict(re.findall(r"^\| ([^|]+?) \| ([\d.]+) \|$", PAGE.read_text(encoding="utf-8"), re.M))
    return {name: float(found[name]) for name, _, _, _, fast in FIGURES if fast}


def worse(least, before):
    """{figure: how many times what the page keeps}, where it is too much."""
    found = {name: least["now"][name] / least["peer"][PEERS[name]] / ratio for name, ratio in before.items()}
    return {name: times for name, times in found.items() if times > WARNS}


def check(program, count):
    least = rounds({"now": program}, count, True)
    show(least, ["now"], True)
    found = worse(least, kept())
    if any(times >= FAILS for times in found.values()):
        print("bench: once more, since one took twice as much as docs/performance.md keeps")
        again = worse(rounds({"now": program}, count, True), kept())
        found = {name: min(times, again[name]) for name, times in found.items() if name in again}
    for name, times in found.items():
        print(f"bench: {'FAILED' if times >= FAILS else 'warning'}: {name} takes {times:.2f} times what docs/performance.md keeps. "
              "Find out why with `make bench AGAINST=REV`, or measure the page's table anew and say why")
    return 1 if any(times >= FAILS for times in found.values()) else 0


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/figures.py")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--against", metavar="REV")
    parser.add_argument("--old", metavar="PROGRAM", help="another build, instead of --against")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write the least of all rounds there")
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        print("bench: the figures need Linux's /proc")
        return 0
    if options.quick and not options.against:
        return check(run.PERIGEE, options.rounds)
    programs = {}
    if options.against or options.old:
        programs[options.against or "old"] = options.old or build_of(options.against)
    programs["now"] = run.PERIGEE
    least = rounds(programs, options.rounds, options.quick)
    show(least, list(programs), options.quick)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(least, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
