#!/usr/bin/env python3
"""`make bench`, the desktop's part: our tools beside a floor and beside other programs, on a private desktop.

    tests/bench/desktop_bench.py [--rounds 3] [--quick] [--json FILE]

The floor (desktop_floor.c) is what the display server and the libraries cost alone. The others are
programs as one starts them (wmctrl, xdotool, scrot, maim) and computer-use-mcp, an MCP server. Each round
measures all of them, one after the other. Figures are the quickest of all tries, for ours and theirs alike, since
whatever else runs on the machine can only add to them; our medians stand beside them. Nothing fails by time: an
aim is `met` or `MISSED`, and the exit code tells only whether everything could be done.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = TOP / os.environ.get("BUILD", "build")
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", BUILD / "perigee"))
OUT = BUILD / "bench"
PEER = ("computer-use-mcp", "1.8.0")
TEXT = ("the quick brown fox jumps over the lazy dog 0123456789 " * 19)[:1000]
CORNER = (1900, 1060)               # no window lies there

sys.path.insert(0, str(TOP / "tests" / "lib"))
import desktop  # noqa: E402  (its folder has to be on the path)


FIELD = """import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="field")
window.add(Gtk.Entry())
window.show_all()
Gtk.main()"""


class Failed(Exception):
    """Something did not work; there is no figure for it."""


# --- programs --------------------------------------------------------------------

def compile_floor():
    program, source = OUT / "desktop_floor", HERE / "desktop_floor.c"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        OUT.mkdir(parents=True, exist_ok=True)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "x11", "xext", "xtst", "libdeflate"],
                               capture_output=True, text=True, check=True).stdout.split()
        command = [os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", "-o", str(program), str(source), *flags]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"bench: {shlex.join(command)} failed")
    return str(program)


def install_peer():
    """The other MCP server, in the build folder; None where there is no npm or no network."""
    name, version = PEER
    folder = OUT / "node"
    script = folder / "node_modules" / name / "dist" / "main.js"
    if script.exists():
        return ["node", str(script)]
    if not shutil.which("npm"):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"{name}@{version}"],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or not script.exists():
        print(f"bench: {name} cannot be installed: {done.stderr.strip()[:200]}", file=sys.stderr)
        return None
    return ["node", str(script)]


class Session:
    """An MCP server over stdio; call() times a tool from the line sent to the line read."""

    def __init__(self, argv, env):
        self.child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, env=env, bufsize=0)
        self.kept, self.number = b"", 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.child.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def ask(self, method, params):
        """(milliseconds, the answer's line)"""
        self.number += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}) + "\n"
        mark = b'"id":%d' % self.number
        start = time.perf_counter()
        self.child.stdin.write(line.encode())
        while True:
            answer = self.line()
            if mark in answer[:200] or mark in answer[-200:]:
                return (time.perf_counter() - start) * 1e3, answer

    def line(self):
        parts = [self.kept]
        while b"\n" not in parts[-1]:
            data = os.read(self.child.stdout.fileno(), 1 << 20)
            if not data:
                raise Failed("the server ended")
            parts.append(data)
        line, _, self.kept = b"".join(parts).partition(b"\n")
        return line

    def call(self, tool, **arguments):
        ms, answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if b'"isError":true' in answer or b'"error":{' in answer[:200]:
            raise Failed(f"{tool}: {answer[:300].decode(errors='replace')}")
        return ms, answer

    def times(self, count, tool, rest=0, **arguments):
        """Milliseconds of each call; before each the desktop has `rest` seconds for what the last one began."""
        took = []
        for _ in range(count):
            time.sleep(rest)
            took.append(self.call(tool, **arguments)[0])
        return took


# --- the desktop -----------------------------------------------------------------

    def processor(self):
        """Milliseconds of processor time that its threads have had."""
        return sum(int(path.read_text().split()[0]) for path in
                   pathlib.Path(f"/proc/{self.child.pid}/task").glob("*/schedstat")) / 1e6

    def work(self, count, tool, **arguments):
        """Processor time of a call; it hardly depends on what else runs."""
        before = self.processor()
        self.times(count, tool, **arguments)
        return (self.processor() - before) / count


class Stage:
    """Four windows and a place for what is typed."""

    def __init__(self, env, folder):
        self.env, self.floor = env, compile_floor()
        self.typed = folder / "typed.txt"
        self.shots = folder
        for argv in (["xterm", "-T", "typed", "-geometry", "100x30+20+20", "-e", "sh", "-c",
                      f"stty -icanon -echo; exec cat > {self.typed}"],
                     ["xterm", "-T", "listing", "-geometry", "90x40+700+40", "-e", "sh", "-c",
                      f"cat {TOP}/Makefile; exec sleep 3600"],
                     ["mousepad", str(TOP / "README.md")],
                     ["gtk3-widget-factory"]):
            if shutil.which(argv[0]):
                subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait("four windows", lambda: self.run("wmctrl", "-l").count("\n") >= 4)
        desktop.settled_frame(pathlib.Path(env[desktop.DIR_VARIABLE]), 10)

    def run(self, *argv):
        return subprocess.run(argv, env=self.env, capture_output=True, text=True, check=False, timeout=120).stdout

    @staticmethod
    def wait(what, done):
        end = time.monotonic() + 30
        while not done():
            if time.monotonic() > end:
                raise Failed(f"{what}: nothing after 30 s")
            time.sleep(0.002)

    def program(self, count, *argv):
        """The quickest whole run, from fork to exit."""
        if not shutil.which(argv[0]):
            return None
        return float(self.run(self.floor, "time", str(count), "--", *argv) or "nan")

    def floors(self, count):
        return json.loads(self.run(self.floor, "figures", str(count)))

    def focus(self):
        """The terminal has the keys, and has taken all that came before."""
        self.run("wmctrl", "-a", "typed")
        self.wait("the focus", lambda: self.run("xdotool", "getactivewindow", "getwindowname") == "typed\n")

    @contextlib.contextmanager
    def field(self):
        """A field of GTK, which tells of its text, with the focus; False: there is no such toolkit."""
        program = subprocess.Popen(["/usr/bin/python3", "-c", FIELD], env=self.env, stderr=subprocess.DEVNULL)
        try:
            self.wait("a field", lambda: program.poll() is not None or
                      self.run("xdotool", "getactivewindow", "getwindowname") == "field\n")
            yield program.poll() is None
        finally:
            program.kill()
            program.wait()

    def typing(self, work):
        """Milliseconds until the terminal's program has all of TEXT; what it got is checked."""
        self.focus()
        before = self.typed.stat().st_size
        start = time.perf_counter()
        work()
        self.wait("what was typed", lambda: self.typed.stat().st_size >= before + len(TEXT))
        ms = (time.perf_counter() - start) * 1e3
        with open(self.typed, encoding="utf-8", errors="replace") as file:
            if file.read()[before:] != TEXT:
                raise Failed("other text arrived than was typed")
        return ms


# --- rounds ----------------------------------------------------------------------

def pictures(stage, ours, peer, quick):
    """(row, figure): one background after the other."""
    for kind in ("flat",) if quick else ("flat", "photo"):
        stage.run(stage.floor, kind)
        floor = stage.floors(7)
        yield f"screen to PNG, {kind}", "floor", floor["png_ms"]
        yield f"screen to PNG, {kind}", "perigee", ours.times(5, "capture_screenshot", max_size=0)
        yield f"screen to PNG, {kind}", "scrot", stage.program(3, "scrot", "-o", str(stage.shots / "scrot.png"))
        yield f"screen to PNG, {kind}", "maim", stage.program(3, "maim", str(stage.shots / "maim.png"))
        yield f"{kind}, processor time", "floor", floor["png_cpu_ms"]
        yield f"{kind}, processor time", "perigee", ours.work(5, "capture_screenshot", max_size=0)
        yield f"{kind}, scaled to 1568", "perigee", ours.times(5, "capture_screenshot")
        yield f"{kind}, JPEG of 1568", "perigee", ours.times(5, "capture_screenshot", format="jpeg")
        if peer:
            yield f"{kind}, scaled to 1568", PEER[0], peer.times(1, "computer", action="get_screenshot")
    stage.run(stage.floor, "flat")
    yield "region of 100 x 100", "perigee", ours.times(50, "capture_region_screenshot", x=900, y=500, width=100, height=100)


def windows_and_input(stage, ours, peer):
    floor = stage.floors(21)
    yield "list of windows", "floor", floor["list_ms"]
    yield "list of windows", "perigee", ours.times(50, "list_windows")
    yield "list of windows", "wmctrl", stage.program(15, "wmctrl", "-lGp")
    x, y = CORNER
    yield "click", "floor", floor["click_ms"]
    yield "click", "perigee", ours.times(50, "create_input", action="click", x=x, y=y)
    yield "click, at rest", "floor", floor["click_ms"]
    yield "click, at rest", "perigee", ours.times(50, "create_input", rest=0.005, action="click", x=x, y=y)
    yield "click", "xdotool", stage.program(5, "xdotool", "mousemove", str(x), str(y), "click", "1")
    if peer:
        yield "click", PEER[0], peer.times(3, "computer", action="left_click", coordinate=[1440, 800])
    stage.focus()
    yield "1000 characters", "floor", float(stage.run(stage.floor, "type", str(stage.typed), "1000") or "nan")
    yield "1000 characters", "perigee", stage.typing(lambda: ours.call("create_input", action="type", text=TEXT))
    yield "1000 characters", "xdotool", stage.typing(lambda: stage.run("xdotool", "type", "--delay", "0", TEXT))


def characters(ours, **arguments):
    """Milliseconds of each; the field draws in between."""
    for _ in range(50):
        ms, answer = ours.call("create_input", action="type", text="x", **arguments)
        if not arguments and b"read back" not in answer:
            raise Failed("what was typed is not read back from a field")
        yield ms
        time.sleep(0.01)


def one_character(stage, ours):
    """Beside a field that the application is not asked about: it says only that it has taken the key."""
    with stage.field() as there:
        if not there:
            return
        ours.times(3, "create_input", action="type", text="x")
        floor = float(stage.run(stage.floor, "key", "50") or "nan")
        for row, arguments in (("a character, read back", {}), ("a character, not read", {"secret": True})):
            yield row, "floor", floor
            ours.times(2, "create_input", action="type", text="x")
            yield row, "perigee", list(characters(ours, **arguments))
        yield "a character, read back", "xdotool", stage.program(5, "xdotool", "type", "x")


def measure(stage, peer_command, options, results, problems):
    home = dict(stage.env, PERIGEE_HOME=str(stage.shots / "home"))
    ours = Session([PERIGEE, "serve", "--no-user-root", "--toolset", "desktop"], home)
    peer = Session(peer_command, stage.env) if peer_command else None
    with ours:
        try:
            for part in (pictures(stage, ours, peer, options.quick), windows_and_input(stage, ours, peer),
                         one_character(stage, ours)):
                try:
                    for row, who, value in part:
                        tries = value if isinstance(value, list) else [] if value is None else [value]
                        results.setdefault(row, {}).setdefault(who, []).extend(tries)
                except (Failed, subprocess.SubprocessError) as error:
                    problems.append(str(error))
        finally:
            if peer:
                peer.__exit__()


# --- what is shown ---------------------------------------------------------------

MEDIAN = "median"
WHO = ["floor", "perigee", MEDIAN, "scrot", "maim", "wmctrl", "xdotool", PEER[0]]

# What, ours in which row, the limit, and of what: a column of that row, or milliseconds.
AIMS = [("a full screen as PNG", "screen to PNG, flat", 1.5, "floor"),
        ("a full screen as PNG", "screen to PNG, flat", 0.25, "scrot"),
        ("a photograph as PNG", "screen to PNG, photo", 1.5, "floor"),
        ("a photograph as PNG", "screen to PNG, photo", 0.4, "scrot"),
        ("processor time of a full screen", "flat, processor time", 1.5, "floor"),
        ("processor time of a photograph", "photo, processor time", 1.5, "floor"),
        ("list of windows", "list of windows", 0.2, "wmctrl"),
        ("a click", "click", 0.5, None),
        ("a character, read back", "a character, read back", 2.5, "floor"),
        ("a character, read back", "a character, read back", 0.25, "xdotool"),
        ("1000 characters, typed and read", "1000 characters", 1 / 3, "xdotool")]


def best(results):
    values = {row: {who: min(tries) for who, tries in by.items() if tries} for row, by in results.items()}
    for row, by in results.items():
        if by.get("perigee"):
            values[row][MEDIAN] = statistics.median(by["perigee"])
    return values


def table(values):
    width = max(len(row) for row in values)
    print("the desktop, 1920 x 1080, milliseconds (the quickest; ours also in the median)")
    print(" " * width + "".join(f"{who:>18}" if len(who) > 8 else f"{who:>10}" for who in WHO))
    for row, by in values.items():
        cells = (f"{by[who]:.2f}" if who in by else "-" for who in WHO)
        print(row.ljust(width) + "".join(c.rjust(18 if len(who) > 8 else 10) for who, c in zip(WHO, cells)))


def aims(values):
    print("\naims of the desktop")
    for what, row, limit, beside in AIMS:
        ours, other = values.get(row, {}).get("perigee"), values.get(row, {}).get(beside)
        if ours is None or (beside and not other):
            print(f"  -       {what}, beside {beside or 'nothing'}: not measured")
            continue
        got = ours / other if beside else ours
        unit = f"x {beside}" if beside else " ms"
        print(f"  {'met' if got <= limit else 'MISSED':<7} {what}: {got:.2f} (aim <= {limit:.2g}{unit})")


def arguments():
    parser = argparse.ArgumentParser(prog="tests/bench/desktop_bench.py")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="no photograph, no other MCP server")
    parser.add_argument("--json", help="write every figure of every round there")
    return parser.parse_args()


def main():
    options = arguments()
    for program in ("Xvfb", "openbox", "dbus-daemon", "xterm", "wmctrl", "xdotool"):
        if not shutil.which(program):
            print(f"bench: no desktop, {program} is not installed (vendor/install test bench)")
            return 0
    peer = None if options.quick else install_peer()
    results, problems = {}, []
    with desktop.Desktop((1920, 1080)) as screen:
        stage = Stage(screen.env, screen.folder)
        for number in range(options.rounds):
            print(f"\rround {number + 1} of {options.rounds} ", end="", file=sys.stderr, flush=True)
            measure(stage, peer, options, results, problems)
    print("\r", end="", file=sys.stderr)
    values = best(results)
    table(values)
    aims(values)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1), encoding="utf-8")
    for problem in dict.fromkeys(problems):
        print(f"bench: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
