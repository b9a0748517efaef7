"""Runs one suite, a command that prints TAP, and counts what it says.

Every suite ends: after its time limit, the suite and all processes it started are killed. A suite
that dies, hangs, prints no plan or another number of points than planned has one failure more.

Several threads may call run() at the same time; stop_all() ends their suites.
"""

import os
import re
import signal
import subprocess
import threading
import time

from procs import descendants

POINT = re.compile(r"^(not )?ok\b *(\d*)(?: *-)? *([^#]*)(?:# *(SKIP)\b\S* *(.*))?", re.I)
CORPUS = re.compile(r"^# corpus: (.*\S) (\d+), (\d+) passed$")      # as tap.corpus() writes it
PLAN = re.compile(r"^1\.\.(\d+)(?: *# *skip\b *(.*))?", re.I)


class Result:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = []       # (name, why)
        self.seconds = 0.0
        self.processor = 0.0    # seconds that a processor worked for it
        self.corpora = {}       # name -> (attempts, those that succeeded)
        self.report = []        # lines that explain the failures

    def fail(self, line):
        self.failed += 1
        self.report.append(line)

    def corpus(self, name, count, passed):
        """Adds attempts of a corpus, and those that succeeded."""
        before = self.corpora.get(name, (0, 0))
        self.corpora[name] = (before[0] + count, before[1] + passed)

    def add(self, other):
        """Adds the result of another piece of the same part."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.seconds += other.seconds
        self.processor += other.processor
        for name, numbers in other.corpora.items():
            self.corpus(name, *numbers)
        self.report += other.report


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
        point, plan, corpus = POINT.match(line), PLAN.match(line), CORPUS.match(line)
        if corpus:
            self.result.corpus(corpus.group(1), int(corpus.group(2)), int(corpus.group(3)))
        elif plan and not line.startswith(("ok", "not")):
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


class Command(subprocess.Popen):
    """A command that a thread of its own waits for, because only wait4() says what its processes used."""

    def __init__(self, argv, **options):
        super().__init__(argv, **options)
        self.processor = 0.0
        self.ended = threading.Event()
        threading.Thread(target=self.reap, daemon=True).start()

    def reap(self):
        _, status, usage = os.wait4(self.pid, 0)
        self.processor = usage.ru_utime + usage.ru_stime
        self.returncode = os.waitstatus_to_exitcode(status)
        self.ended.set()

    def wait(self, timeout=None):
        if not self.ended.wait(timeout):
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.returncode


class Running:
    """The running suites. After stop(), no further suite starts."""

    def __init__(self):
        self.lock = threading.Lock()
        self.processes = set()
        self.stopped = False

    def start(self, argv, env, cwd):
        with self.lock:
            if self.stopped:
                return None
            process = Command(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True, env=env, cwd=cwd)
            self.processes.add(process)
            return process

    def forget(self, process):
        with self.lock:
            self.processes.discard(process)

    def stop(self):
        with self.lock:
            self.stopped = True
            return list(self.processes)


PATIENCE = 5.0          # seconds between asking a suite to end and killing it
RUNNING = Running()


def signal_group(process, number):
    """The group has the suite's own id, and only what the suite started is in it."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def end(processes):
    """Ends running suites. SIGTERM comes first, so that a desktop can remove its display's socket. Then kills all that
    they started, even processes in a session of their own."""
    below = {pid for process in processes for pid in descendants(process.pid)}
    for process in processes:
        signal_group(process, signal.SIGTERM)
    late = time.monotonic() + PATIENCE
    for process in processes:
        try:
            process.wait(max(0, late - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        signal_group(process, signal.SIGKILL)
    for pid in below:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def stop_all():
    """Ends the suites of run() on all threads; no further suite starts."""
    end(RUNNING.stop())


def collect(stream, lines):
    for raw in stream:
        lines.append(raw.decode("utf-8", "replace").rstrip("\n"))


def wait(process, limit):
    """True if it ended by itself. Afterwards no process of its group is left."""
    try:
        process.wait(limit)
        return True
    except subprocess.TimeoutExpired:
        end([process])
        return False
    finally:
        signal_group(process, signal.SIGKILL)
        process.wait()
        RUNNING.forget(process)


def run(argv, limit, env, log, cwd):
    """Runs argv for at most `limit` seconds; all it says goes to the file `log`."""
    result, out, err = Result(), [], []
    begun = time.monotonic()
    try:
        process = RUNNING.start(argv, env, cwd)
    except OSError as error:
        result.fail(f"cannot run {argv[0]}: {error.strerror}")
        return result
    if not process:
        result.fail("not run: the run was stopped")
        return result
    readers = [threading.Thread(target=collect, args=pair, daemon=True)
               for pair in ((process.stdout, out), (process.stderr, err))]
    for reader in readers:
        reader.start()
    ended = wait(process, limit)
    for reader in readers:
        reader.join(5)
    result.seconds, result.processor = time.monotonic() - begun, process.processor
    parser = Parser(result)
    for line in list(out):
        parser.line(line)
    parser.end(process.returncode if ended else None)
    if not ended:
        result.fail(f"stopped after {limit:g} s")
    with open(log, "w", encoding="utf-8") as file:
        file.write("\n".join(out + (["--- stderr"] + err if err else [])) + "\n")
    if result.failed and err:
        result.report += ["stderr, the last lines:"] + ["  " + e for e in err[-15:]]
    return result
