#!/usr/bin/env python3
"""`make bench`, the part of Python code (execute_python_code): what its process costs, how it ends, and whom it holds up.

    tests/bench/python_bench.py [--rounds 5] [--json FILE]

Times are the tenth percentile (p10), since other work can only add to them, and processor time is the least of the rounds: that
of the engine, of the process that makes guests, and of the guests. A call's is what is used until its answer; what making the next
guest takes is in the figure behind it. For calls, client, engine and guests are on one processor: between two, the system's
scheduler decides how much they cost. The floor of a call is one of a Lua tool that does nothing, in the same engine and the same
rounds. Beside it stand `python3 -c` for each piece of code, and a kernel of Jupyter where the `python3` in PATH has ipykernel.
Nothing fails by time: an aim is `met` or `MISSED`.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from session import HERE, TOP, Server, aim, times

sys.path.append(str(TOP / "tests" / "lib"))
from procs import descendants, parents       # noqa: E402  (its folder has to be on the path)

# aims, each over the floor
WARM_MS, COLD_MS, NESTED_US, LATE_MS, HELD_MS, GROWN_MB = 2, 60, 60, 50, 50, 0.5
CALLS = 100         # of a round
NESTED = 1000       # tool calls of a run, which may not make more
GROWTH = 1000       # calls
SECONDS = 1         # the deadline of code that goes on
TICK = os.sysconf("SC_CLK_TCK")

ADD = "def generated_function_name(a, b=2): return a + b"
# Each says, in microseconds, what the tenth of its calls took that was quickest.
EACH = ("import time\ntook = []\nfor _ in range(%d):\n  begun = time.perf_counter()\n  %s\n  took.append(time.perf_counter() - begun)\n"
        "print(1e6 * sorted(took)[len(took) // 10] / %d)")
ECHO = "_call_mcp_tool('echo', {'message': 'x'})"
NEST = {"tools.NAME()": EACH % (NESTED, "tools.echo(message='x')", 1), "await": EACH % (NESTED, f"await {ECHO}", 1),
        "of 64 at once": "import asyncio\n" + EACH % (NESTED // 64, f"await asyncio.gather(*({ECHO} for _ in range(64)))", 64)}
LATE = {"a loop": "while True: pass", "a sleep": "import time; time.sleep(60)",
        "big numbers": "x = 3\nwhile True: x = x * x % (1 << 4000)"}
ALARM = f"""
import signal, time
signal.setitimer(signal.ITIMER_REAL, {SECONDS})
print(time.monotonic() + {SECONDS}, flush=True)
signal.signal(signal.SIGALRM, lambda *_: exit(0))
while True: pass
"""
BOMBS = {"memory": "kept = []\nwhile True:\n  try: kept.append(bytearray(1 << 20))\n  except MemoryError: kept.clear()",
         "a loop": "while True:\n  try: sum(range(10000))\n  except BaseException: pass",
         "output": "while True: print('x' * 1000)",
         "threads and files": "import threading, time\ni = 0\nwhile True:\n  try:\n"
                              "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
                              "    open(str(i % 500), 'w').write('x' * 10000)\n  except (RuntimeError, OSError): pass\n  i += 1"}


class Engine(Server):
    def __init__(self):
        super().__init__("--root", str(HERE / "root"), "--toolset", "bench,python", "--max-result", "0")

    def call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def well(self, name, **arguments):
        result = self.call(name, **arguments)
        if result.get("isError"):
            sys.exit(f"bench: {name}: {result['content'][0]['text']}")
        return result

    def echo(self):
        self.well("echo", message="x")

    def python(self, code=ADD, **more):
        return self.well("execute_python_code", code=code, **more)["structuredContent"]

    def add(self):
        self.python(function_args=[1])

    def processes(self):
        return [self.process.pid, *descendants(self.process.pid)]

    def rest(self):
        """Waits until what was begun after the last answer is done: modules are imported."""
        before, now = -1.0, self.worked()
        while now > before:
            time.sleep(0.3)
            before, now = now, self.worked()

    def worked(self):
        """Seconds of processor time, in steps of a hundredth, of all processes there are and those that they waited for."""
        return sum(sum(map(int, fields[11:15])) for fields in map(stat_of, self.processes()) if fields) / TICK


@contextlib.contextmanager
def on_one_processor(engine):
    """Client, engine and those that it makes."""
    free = os.sched_getaffinity(0)
    pids = [os.getpid(), *engine.processes()]
    try:
        for pid in pids:
            os.sched_setaffinity(pid, {max(free)})
        yield
    finally:
        for pid in {*pids, *engine.processes()}:
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(pid, free)


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "0"


def names(path):
    try:
        return os.listdir(path)
    except OSError:
        return []


def stat_of(pid):
    """The fields of its status behind the name."""
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def exactly(pids):
    """Seconds of processor time of processes, of their own."""
    return sum(int(read(f"/proc/{pid}/task/{task}/schedstat").split()[0]) for pid in pids for task in names(f"/proc/{pid}/task")) / 1e9


def maker(engine):
    """The process that makes guests. They have its command line."""
    tree = parents()
    runners = [pid for pid in engine.processes() if "runner.py" in read(f"/proc/{pid}/cmdline")]
    return next(pid for pid in runners if tree.get(pid) not in runners)


def guests(pid):
    """Looked up at once: the next guest is made a millisecond after an answer."""
    return [int(each) for each in read(f"/proc/{pid}/task/{pid}/children").split() if each != "0"]


def p10(values):
    return statistics.quantiles(values, n=10, method="inclusive")[0]


def alternately(count, *works):
    """p10 of each work, in milliseconds; 10 ms pass before each, in which the next guest is made."""
    took = [[] for _ in works]
    for _ in range(count):
        for mine, work in zip(took, works):
            time.sleep(0.01)
            mine += times(1, work)
    return [1e3 * p10(each) for each in took]


def processor(worked, count, work):
    """Milliseconds of processor time of one work."""
    before = worked()
    for _ in range(count):
        work()
    return 1e3 * (worked() - before) / count


# --- a call ---------------------------------------------------------------------------------------

def until_answer(engine, count):
    """Milliseconds of processor time from the question to the answer: of the processes that stay, and of the guest. One that has
    ended by then counts with what guests take on the average until their end, which their maker knows in steps of a hundredth of a
    second."""
    pid, used, gone = maker(engine), 0.0, 0
    stay = set(engine.processes()) - set(guests(pid))

    def ended():
        fields = stat_of(pid)
        return sum(map(int, fields[13:15])) / TICK

    lives = ended()
    for _ in range(count):
        time.sleep(0.01)
        there = guests(pid)
        before = exactly(stay), exactly(there)
        engine.add()
        used += exactly(stay) - before[0] - before[1] + exactly(there)
        gone += len(set(there) - set(guests(pid)))
    time.sleep(0.01)
    return 1e3 * (used + gone / count * (ended() - lives)) / count


def warm(engine, rounds):
    wall = alternately(rounds * CALLS, engine.echo, engine.add)
    used = {"echo": [], "python": [], "all": []}
    for _ in range(rounds):
        used["echo"].append(processor(engine.worked, 10 * CALLS, engine.echo))
        used["python"].append(until_answer(engine, CALLS))
        used["all"].append(processor(engine.worked, CALLS, engine.add))
    session = alternately(rounds * CALLS, lambda: engine.python(function_args=[1], session="bench"))[0]
    return {"floor_ms": wall[0], "ms": wall[1], "session_ms": session, "floor_cpu_ms": min(used["echo"]), "cpu_ms": min(used["python"]),
            "all_cpu_ms": min(used["all"])}


def interpreter(python, code):
    """Milliseconds of the clock, and of processor time, that a process of its own takes for the code."""
    begun = time.perf_counter()
    process = subprocess.Popen([python, "-I", "-c", code], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - begun
    process.returncode = status
    return 1e3 * took, 1e3 * (usage.ru_utime + usage.ru_stime)


def first_call(more):
    """Milliseconds of the clock, and of processor time, until the answer of an engine's first code."""
    engine = Engine()
    engine.echo()
    before = exactly(engine.processes())
    took = times(1, lambda: engine.python(function_args=[1], **more))[0]
    used = exactly(engine.processes()) - before
    engine.end()
    return 1e3 * took, 1e3 * used


def cold(python, tries):
    """In a session the guest is there after the answer, so that its processor time can be read exactly."""
    rows = {"own": [], "ours": [], "session": []}
    for _ in range(tries):
        rows["own"].append(interpreter(python, "pass"))
        rows["ours"].append(first_call({}))
        rows["session"].append(first_call({"session": "bench"}))
    return {"floor_ms": p10([row[0] for row in rows["own"]]), "floor_cpu_ms": min(row[1] for row in rows["own"]),
            "ms": p10([row[0] for row in rows["ours"]]), "cpu_ms": min(row[1] for row in rows["session"])}


def nested(engine, rounds):
    """Microseconds of a tool call within a tool, and within code."""
    works = {"floor": lambda: engine.well("nest", count=NESTED)["content"][0]["text"],
             **{name: lambda code=code: engine.python(code)["stdout"] for name, code in NEST.items()}}
    took, used = ({name: [] for name in works} for _ in range(2))
    for _ in range(2 * rounds):
        for name, work in works.items():
            before = engine.worked()
            took[name].append(float(work()))
            used[name].append(engine.worked() - before)
    made = {name: NESTED // 64 * 64 if "64" in name else NESTED for name in works}
    return {"us": {name: min(took[name]) for name in works}, "cpu_us": {name: 1e6 * min(used[name]) / made[name] for name in works}}


# --- the end of code that goes on -------------------------------------------------------------------

def late(engine, python, tries):
    """Milliseconds from the deadline to the answer. The floor: from an alarm to the end of a process that has looped until then,
    whom a busy machine lets wait as long."""
    def alone():
        told = subprocess.run([python, "-I", "-c", ALARM], stdout=subprocess.PIPE, text=True, check=True).stdout
        return time.monotonic() - float(told)

    def ours(code, grace=0.0):
        begun = time.monotonic()
        engine.call("execute_python_code", code=code, timeout_seconds=SECONDS)
        return time.monotonic() - begun - SECONDS - grace

    works = {"floor": alone, **{name: lambda code=code: ours(code) for name, code in LATE.items()},
             "killed": lambda: ours(BOMBS["a loop"], 1)}       # which the engine does a second after the deadline
    took = {name: [] for name in works}
    for _ in range(tries):
        for name, work in works.items():
            took[name].append(work())
    return {name: 1e3 * p10(each) for name, each in took.items()}


# --- a thousand calls -------------------------------------------------------------------------------

def size(pid):
    """MB resident of its own, and descriptors (None: this user may not look)."""
    status = read(f"/proc/{pid}/status")
    return int(status.split("RssAnon:")[1].split()[0]) / 1024, len(names(f"/proc/{pid}/fd")) or None


def growth(engine):
    """MB and descriptors of the engine and of the process that makes guests, before and after the calls."""
    def some(count):
        for i in range(count // 4):
            engine.add()
            engine.python("print('x' * 1000); open('a', 'w').write('y' * 10000)")
            engine.call("execute_python_code", code="1/0")
            engine.python(f"print(tools.echo(message='{i}'))")

    some(GROWTH // 2)
    engine.rest()
    pids = {"engine": engine.process.pid, "maker": maker(engine)}
    before = {name: size(pid) for name, pid in pids.items()}
    some(GROWTH)
    engine.rest()
    return {name: (before[name], size(pid)) for name, pid in pids.items()}


# --- four bombs -------------------------------------------------------------------------------------

def longest(engine, going):
    """The longest of calls that are made one after the other, in ms, as long as going() says so."""
    waits = []
    while going():
        waits += times(1, engine.echo)
        time.sleep(0.002)
    return 1e3 * max(waits)


def beside_code(engine):
    runs = [engine.post("tools/call", {"name": "execute_python_code", "arguments": {"code": code, "timeout_seconds": SECONDS}})
            for code in BOMBS.values()]
    end = time.perf_counter() + SECONDS + 0.3
    found = longest(engine, lambda: time.perf_counter() < end)
    for run in runs:
        engine.answer(run)
    return found


def beside_loops(engine, python):
    loops = [subprocess.Popen([python, "-I", "-c", "while True: pass"]) for _ in BOMBS]
    end = time.perf_counter() + SECONDS + 0.3
    try:
        return longest(engine, lambda: time.perf_counter() < end)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def held(engine, python, rounds):
    """The least of the rounds' longest."""
    rows = [(beside_loops(engine, python), beside_code(engine)) for _ in range(rounds)]
    return {"floor_ms": min(row[0] for row in rows), "ms": min(row[1] for row in rows)}


# --- peers ------------------------------------------------------------------------------------------

def peers(python, rounds):
    alone = [interpreter(python, ADD + "\nprint(generated_function_name(1))") for _ in range(rounds * 4)]
    found = {"python3 -c": {"ms": p10([row[0] for row in alone]), "cpu_ms": min(row[1] for row in alone)}}
    done = subprocess.run(["python3", str(HERE / "python_peer.py"), str(rounds * CALLS)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found["ipykernel"] = json.loads(done.stdout)
    elif "ModuleNotFoundError" not in done.stderr:
        print(f"bench: ipykernel: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    return found


# --- output -----------------------------------------------------------------------------------------

def show(found):
    call, first, inner, grown = found["warm"], found["cold"], found["nested"], found["growth"]
    print(f"\nPython code (execute_python_code), p10; {found['python']}")
    print(f"  a call {call['ms']:.2f} ms, processor {call['cpu_ms']:.2f} ms, with making the next guest {call['all_cpu_ms']:.2f} ms; "
          f"in a session {call['session_ms']:.2f} ms; a tool that does nothing {call['floor_ms']:.2f} ms, {call['floor_cpu_ms']:.3f} ms")
    for name in ("python3 -c", "ipykernel"):
        peer = found["peers"].get(name)
        first_one = f", its first with the start {peer['start_ms']:.0f} ms" if peer and "start_ms" in peer else ""
        print(f"  {name}: " + (f"{peer['ms']:.2f} ms, processor {peer['cpu_ms']:.2f} ms{first_one}" if peer else
                               "not installed (`pip install ipykernel` for the python3 in PATH)"))
    print(f"  the first call {first['ms']:.1f} ms, processor {first['cpu_ms']:.1f} ms; `python3 -I -c pass` {first['floor_ms']:.1f} ms, "
          f"{first['floor_cpu_ms']:.1f} ms")
    print("  a tool call: " + ", ".join(f"{'by a tool' if name == 'floor' else name} {value:.0f} us (processor {inner['cpu_us'][name]:.0f})"
                                       for name, value in inner["us"].items()))
    print("  after the deadline: " + ", ".join(f"{'a process alone' if name == 'floor' else name} {value:.1f} ms"
                                              for name, value in found["late"].items()))
    print(f"  longest call beside four bombs {found['held']['ms']:.1f} ms, beside four loops of others {found['held']['floor_ms']:.1f} ms")
    for name, (before, after) in grown.items():
        print(f"  {name}: {before[0]:.1f} MB, {before[1]} descriptors; {GROWTH} calls later {after[0]:.1f} MB, {after[1]}")


def judge(found):
    call, first, inner = found["warm"], found["cold"], found["nested"]
    print("\naims")
    aim("a call over one that does nothing", call["ms"] - call["floor_ms"], WARM_MS, "ms")
    aim("the same, processor time", call["cpu_ms"] - call["floor_cpu_ms"], WARM_MS, "ms")
    aim("the first call over the interpreter's own start", first["ms"] - first["floor_ms"], COLD_MS, "ms")
    aim("the same, processor time", first["cpu_ms"] - first["floor_cpu_ms"], COLD_MS, "ms")
    aim("a tool call over one by a tool", inner["us"]["tools.NAME()"] - inner["us"]["floor"], NESTED_US, "us")
    aim("the same by await", inner["us"]["await"] - inner["us"]["floor"], NESTED_US, "us")
    aim("the answer after the deadline", max(found["late"][name] for name in LATE) - found["late"]["floor"], LATE_MS, "ms")
    aim("the answer after the kill", found["late"]["killed"] - found["late"]["floor"], LATE_MS, "ms")
    for name, (before, after) in found["growth"].items():
        aim(f"what {GROWTH} calls leave in the {name}", after[0] - before[0], GROWN_MB, "MB")
        if before[1] and after[1]:
            aim("... and of descriptors", after[1] - before[1], 0, "")
        else:
            print("  unknown ... and of descriptors: this user may not look")
    aim("the longest call beside four bombs, over four loops", found["held"]["ms"] - found["held"]["floor_ms"], HELD_MS, "ms")


def measure(rounds):
    engine = Engine()
    python = engine.python("import sys; sys.executable")["message"].partition("'")[2].partition("'")[0]
    engine.run("return 1")
    engine.rest()
    with on_one_processor(engine):
        found = {"python": python, "warm": warm(engine, rounds), "nested": nested(engine, rounds), "peers": peers(python, rounds)}
    found |= {"late": late(engine, python, rounds), "held": held(engine, python, rounds), "cold": cold(python, 2 * rounds)}
    engine.end()
    engine = Engine()
    found["growth"] = growth(engine)
    engine.end()
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    found = measure(options.rounds)
    show(found)
    judge(found)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
