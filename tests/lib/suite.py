"""Runs one suite, a command that prints TAP, and counts what it says.

Whatever a suite does, it ends: past its time limit its whole process group is killed. A suite
that dies, hangs, prints no plan or another number of points than planned has one failure more.
"""

import os
import re
import signal
import subprocess
import threading
import time

POINT = re.compile(r"^(not )?ok\b *(\d*)(?: *-)? *([^#]*)(?:# *(SKIP)\b\S* *(.*))?", re.I)
PLAN = re.compile(r"^1\.\.(\d+)(?: *# *skip\b *(.*))?", re.I)


class Result:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = []       # (name, why)
        self.seconds = 0.0
        self.report = []        # lines that explain the failures

    def fail(self, line):
        self.failed += 1
        self.report.append(line)


class Parser:
    """TAP, a line at a time; also cmocka's, in which one program prints several groups."""

    def __init__(self, result):
        self.result = result
        self.points = 0
        self.planned = None
        self.plans = 0
        self.bailed = False
        self.in_failure = False

    def line(self, line):
        point, plan = POINT.match(line), PLAN.match(line)
        if plan and not line.startswith(("ok", "not")):
            self.plans += 1
            self.planned = (self.planned or 0) + int(plan.group(1))
            if int(plan.group(1)) == 0:
                self.result.skipped.append(("the whole suite", plan.group(2) or "nothing to run"))
        elif point:
            self.point(line, *point.groups())
        elif line.startswith("Bail out!"):
            self.bailed = True
            self.result.fail(line)
        elif self.in_failure and line.startswith("#"):
            self.result.report.append("  " + line)

    def point(self, line, bad, _, name, directive, why):
        self.points += 1
        self.in_failure = False
        if directive:
            self.result.skipped.append((name.strip(), why or ""))
        elif bad:
            self.result.fail(line)
            self.in_failure = True
        else:
            self.result.passed += 1

    def end(self, code):
        if self.bailed:
            return
        if self.planned is None:
            self.result.fail(f"no plan: the suite ended early (exit code {code})")
        elif self.planned != self.points:
            self.result.fail(f"{self.planned} points planned, {self.points} seen (exit code {code})")
        elif code not in (0, None) and not self.result.failed:
            self.result.fail(f"every point passed, yet the exit code is {code}")


def kill_group(process):
    """The group has the suite's own id, and only what the suite started is in it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def collect(stream, lines):
    for raw in stream:
        lines.append(raw.decode("utf-8", "replace").rstrip("\n"))


def run(argv, limit, env, log, cwd):
    """Runs argv for at most `limit` seconds; all it says goes to the file `log`."""
    result, out, err = Result(), [], []
    begun = time.monotonic()
    try:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True, env=env, cwd=cwd)
    except OSError as error:
        result.fail(f"cannot run {argv[0]}: {error.strerror}")
        return result
    readers = [threading.Thread(target=collect, args=pair, daemon=True)
               for pair in ((process.stdout, out), (process.stderr, err))]
    for reader in readers:
        reader.start()
    hung = False
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        hung = True
    finally:
        kill_group(process)     # also what a suite that ended well left behind
        process.wait()
    for reader in readers:
        reader.join(5)
    result.seconds = time.monotonic() - begun
    parser = Parser(result)
    for line in out:
        parser.line(line)
    parser.end(None if hung else process.returncode)
    if hung:
        result.fail(f"stopped after {limit:g} s")
    with open(log, "w", encoding="utf-8") as file:
        file.write("\n".join(out + (["--- stderr"] + err if err else [])) + "\n")
    if result.failed and err:
        result.report += ["stderr, the last lines:"] + ["  " + e for e in err[-15:]]
    return result
