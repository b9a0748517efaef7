#!/usr/bin/env python3
"""The guides: what a reader types works, and prints what the guide shows.

Of a guide, in order: a Lua block whose first line is `-- ~/.config/perigee/PATH` is saved there, a Python block whose first line
is `# NAME.py` where the commands run; `$ COMMAND` lines of other blocks are run, and what they print is compared with the lines
below them. `...` stands for anything, alone on a line also for several lines. A comment `<!-- run: COMMAND -->` is what the
reader does in an editor; `<!-- tool: GUIDE -->` saves the first file of that guide. The desktop is the one in memory.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap      # noqa: E402

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", os.path.join(TOP, "build/perigee")))
GUIDES = ["first-tool.md", "own-rule-and-provider.md", "hammerspoon.md"]
PARTS = re.compile(r"^```(\w*)\n(.*?)^```$|^<!-- (run|tool): (.*?) -->$", re.S | re.M)
SAVED = re.compile(r"(?:-- ~/(\.config/perigee/\S+)|# (\w+\.py))\n")
LIMIT = 180
PATIENCE = 120


class Reader:
    """Someone who follows a guide, in a home directory of their own."""

    def __init__(self, home):
        self.home = home
        self.servers = []
        os.mkdir(os.path.join(home, "run"), 0o700)
        self.env = {"HOME": home, "PATH": os.path.dirname(PERIGEE) + ":" + os.environ["PATH"], "PERIGEE_DESKTOP": "fake",
                    "XDG_RUNTIME_DIR": os.path.join(home, "run"), "LANG": "C.UTF-8"}
        self.env.update((name, value) for name, value in os.environ.items() if name.endswith("SAN_OPTIONS"))

    def save(self, code):
        place = SAVED.match(code)
        if not place:
            return
        path = os.path.join(self.home, place.group(1) or place.group(2))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(code)

    def run(self, command):
        """Returns what the command prints; nothing if it runs in the background ("&")."""
        if command.endswith("&"):
            # In place of the shell: it would end before the server, which writes into the folder until its end.
            self.servers.append(subprocess.Popen("exec " + command[:-1], shell=True, cwd=self.home, env=self.env, start_new_session=True,
                                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            self.until_ready(command)
            return ""
        done = subprocess.run(command, shell=True, cwd=self.home, env=self.env, timeout=LIMIT, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        return done.stdout

    def see(self, command, shown):
        """Returns what the command prints. While a server runs, it is tried until it prints what is shown: the engine may
        not have noticed yet that a file was saved."""
        ends = time.monotonic() + (PATIENCE if self.servers else 0)
        while True:
            printed = self.run(command)
            if matches(shown, printed) or time.monotonic() > ends:
                return printed

    def until_ready(self, command):
        """Waits until the command's socket exists, or until the file that its output goes to is not empty."""
        waits_for = re.search(r"unix:(\S+)|> (\S+)", command)
        path = os.path.join(self.home, (waits_for.group(1) or waits_for.group(2)).replace("$HOME", self.home))
        ends = time.monotonic() + LIMIT
        while not (os.path.exists(path) and (waits_for.group(1) or os.path.getsize(path))):
            if time.monotonic() > ends:
                raise AssertionError(f"{command}: {path} did not come")
            time.sleep(0.02)

    def leave(self):
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(LIMIT)


def pattern_of(shown):
    """The lines of a guide as a regular expression."""
    lines = []
    for line in shown.splitlines():
        lines.append("(?:.*\n)*?" if line == "..." else ".*".join(re.escape(part) for part in line.split("...")) + "\n")
    return "".join(lines)


def matches(shown, printed):
    return re.fullmatch(pattern_of(shown), printed if printed.endswith("\n") or not printed else printed + "\n")


def commands(block):
    """(command, what is shown below it)"""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def guide(name):
    with open(os.path.join(TOP, "docs", name), encoding="utf-8") as file:
        return list(PARTS.finditer(file.read()))


def follow(name):
    count = 0
    with tempfile.TemporaryDirectory() as home:
        reader = Reader(home)
        try:
            for language, block, kind, what in (part.groups() for part in guide(name)):
                if kind == "run":
                    reader.run(what)
                elif kind == "tool":
                    for other in guide(what):
                        reader.save(other.group(2) or "")
                elif language in ("lua", "python"):
                    reader.save(block)
                for command, shown in commands(block or "") if language == "" else ():
                    count += 1
                    printed = reader.see(command, shown)
                    tap.ok(matches(shown, printed), f"{name}: {command}", f"it printed\n{printed}and the guide shows\n{shown}")
        finally:
            reader.leave()
    tap.ok(count > 0, f"{name} has commands")


def traced(text):
    """The calls of a trace in their order, and how often which function was called. Times differ, and short calls may be left
    out of one or the other."""
    calls = re.findall(r"^ +\d+\.\d+ +([\w.]+)(?=\(| = )", text, re.M)
    return calls, sorted(re.findall(r"^ +(\d+) +\d+\.\d+ +\d+\.\d+  ([\w.]+)$", text, re.M))


def trace_is_as_shown():
    with open(os.path.join(TOP, "docs/debugging.md"), encoding="utf-8") as file:
        command, shown = re.search(r"^\$ (perigee trace .*)\n((?:(?!```).*\n)*)", file.read(), re.M).groups()
    with tempfile.TemporaryDirectory() as home:
        printed = Reader(home).run(command.replace("--min-ms 0.01 ", "--min-ms 0 "))
    (calls, functions), (wanted, counts) = traced(printed), traced(shown)
    if functions != counts or len(counts) < 5:
        raise AssertionError(f"it printed\n{printed}and docs/debugging.md shows\n{shown}")
    for name in ("run", "tools.get_window"):
        if name not in calls or name not in wanted:
            raise AssertionError(f"{name} is not in\n{printed}or in\n{shown}")
    if [name for name in calls if name in set(wanted)] != wanted:
        raise AssertionError(f"{calls}, and docs/debugging.md shows {wanted}")


def differences_are_seen():
    for shown, printed, same in [("a\n", "a\n", True), ("a\n", "b\n", False), ("a ... c\n", "a b c\n", True), ("", "", True),
                                 ("a\n...\nc\n", "a\nb\nb\nc\n", True), ("a\n...\nc\n", "a\nb\n", False), ("", "x", False)]:
        if bool(matches(shown, printed)) != same:
            raise AssertionError(f"{printed!r} for {shown!r}")


if __name__ == "__main__":
    tap.case("output that differs from a guide's is noticed", differences_are_seen)
    tap.case("the trace of debugging.md is what perigee trace prints", trace_is_as_shown)
    for each in GUIDES:
        if os.path.exists(os.path.join(TOP, "docs", each)):
            follow(each)
    tap.done()
