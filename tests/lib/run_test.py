#!/usr/bin/env python3
"""tests/run as a whole, on suites made here: its output, and that it loses no result and leaves no process."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import tap                      # noqa: E402
from procs import alive         # noqa: E402

LONG = 240          # seconds; only against hanging
GOOD = "echo 1..1; echo ok 1 - fine"
SECONDS = re.compile(r" \(\d+\.\d s, processor \d+\.\d s\)$")
WORKS = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; "      # some tenths of a second of the processor
LOGS = 'logs=$(echo "$ASAN_OPTIONS" | sed "s/.*log_path=//; s/:.*//")\n'


class Tree:
    """A project with nothing but tests: suite__part=script."""

    def __init__(self, **scripts):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="perigee-run-"))
        (self.top / "tests").mkdir()
        (self.top / "build").mkdir()
        shutil.copy(HERE.parent / "run", self.top / "tests" / "run")
        (self.top / "tests" / "lib").symlink_to(HERE)
        for name, script in scripts.items():
            self.part(name.replace("__", "/"), script)
        self.names = sorted({name.split("__")[0] for name in scripts})

    def part(self, name, script):
        path = self.top / "tests" / (name if name.endswith(".py") else name + "_test")
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)

    def command(self, *words):
        return [sys.executable, str(self.top / "tests" / "run"), *words, *self.names]

    @property
    def env(self):
        env = {name: value for name, value in os.environ.items() if name not in ("BUILD", "PERIGEE", "PERIGEE_ASAN")}
        return dict(env, TREE=str(self.top))

    def start(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=LONG, env=self.env,
                              check=False)

    def run(self, *words, status=0):
        """Its output in lines, without the seconds."""
        done = self.start(*words)
        assert done.returncode == status, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        return [SECONDS.sub("", line) for line in done.stdout.splitlines()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)


def same(got, wanted, note=""):
    assert got == wanted, f"{got}, expected {wanted} {note}"


def until(condition, what):
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def the_same_output():
    with Tree(a__slow="sleep 0.3; " + GOOD, a__quick=GOOD, b__bad="echo 1..1; echo not ok 1 - it; echo '# why'; exit 1",
              d__skips="echo '1..1'; echo 'ok 1 - much # SKIP not here'") as tree:
        for jobs in "1", "4":
            same(tree.run("-j", jobs, status=1), [
                "a:         2 passed, 0 failed", "b:         0 passed, 1 failed", "  in b/bad:", "    not ok 1 - it",
                "      # why", "d:         0 passed, 0 failed, 1 skipped", "skipped: d/skips: much: not here",
                "2 passed, 1 failed, 1 skipped"])


def side_by_side():
    meet = 'touch "$TREE/%s"; while [ ! -e "$TREE/%s" ]; do sleep 0.01; done; ' + GOOD
    with Tree(a__one=meet % ("one", "two"), b__two=meet % ("two", "one")) as tree:
        same(tree.run("-j", "2")[-1], "2 passed, 0 failed")


def folders_of_their_own():
    script = ('echo "$TMPDIR $XDG_RUNTIME_DIR $XDG_STATE_HOME $PERIGEE_RUNTIME_DIR" >"$TREE/%s"; touch "$TMPDIR/left"; '
              + GOOD)
    with Tree(a__one=script % "1", a__two=script % "2") as tree:
        same(tree.run()[-1], "2 passed, 0 failed")
        first, second = ((tree.top / name).read_text().split() for name in "12")
        same(len({*first, *second}), 8)
        same([path for path in first + second if os.path.exists(path)], [])


def in_pieces():
    """PIECES splits this part: the pieces count as one part, and each has its own log."""
    script = 'echo 1..1; echo "not ok 1 - share $PERIGEE_TEST_SHARE"; exit 1'
    with Tree(clients__other=GOOD) as tree:
        tree.part("clients/run.py", script)
        lines = tree.run(status=1)
        same(lines[:2], ["clients:   1 passed, 4 failed", "  in clients/run:"])
        same(sorted(lines[2:6]), [f"    not ok 1 - share {n}/4" for n in range(1, 5)])
        same(sorted(path.name for path in (tree.top / "build/test-logs").iterdir()),
             ["clients-other.log", *(f"clients-run-{n}-4.log" for n in range(1, 5))])


def a_runner_that_fails():
    """An error in the runner (here the folder of logs is gone) fails that part; the others continue."""
    logs = '"$TREE/build/test-logs"; '
    with Tree(a__bad="rm -r " + logs + GOOD, b__good="mkdir -p " + logs + GOOD) as tree:
        lines = tree.run("-j", "1", status=1)
        same(lines[:3], ["a:         0 passed, 1 failed", "  in a/bad:", "    tests/run itself failed:"])
        same(lines[-2:], ["b:         1 passed, 0 failed", "1 passed, 1 failed"])


def reports_by_part():
    """A sanitizer report fails the part that wrote it, even if others ran at the same time."""
    writes = LOGS + 'echo "ERROR: %s" >"$logs.$$"; ' + GOOD
    with Tree(a__leaks=writes % "leak", a__leaks_too=writes % "leak too", a__good=GOOD) as tree:
        (tree.top / "build/asan").mkdir()
        same(tree.run("--asan", status=1), [
            "a:         3 passed, 2 failed",
            "  in a/leaks:", "    a sanitizer's report:", "      ERROR: leak",
            "  in a/leaks_too:", "    a sanitizer's report:", "      ERROR: leak too", "3 passed, 2 failed"])


def need_setsid():
    if not shutil.which("setsid") or not os.path.isdir("/proc/self"):
        raise tap.Skip("needs setsid and /proc")


def a_report_that_comes_late():
    need_setsid()
    waits = "while [ ! -%s %s ]; do sleep 0.01; done; "
    report = '"$TREE/build/asan/test-logs/a-first.report.77"'
    later = f'echo >"$TREE/there"; {waits % ("e", "$TREE/go")} echo "ERROR: late" >"$0.77"'
    first = f"{LOGS} setsid sh -c '{later}' \"$logs\" >/dev/null 2>&1 & {waits % ('e', '$TREE/there')} {GOOD}"
    with Tree(a__first=first,
              b__second=f'echo >"$TREE/go"; {waits % ("s", report)} {GOOD}') as tree:
        (tree.top / "build/asan").mkdir()
        same(tree.run("--asan", "-j", "1", status=1)[2:], [
            "reported after the part's end:", "  in a-first:", "    a sanitizer's report:", "      ERROR: late",
            "2 passed, 1 failed"])


def catalogs_that_are_not_made():
    """The run goes on and shows why, and a sanitizer's report of the program that makes them counts."""
    with Tree(a__one=GOOD) as tree:
        (tree.top / "build/asan").mkdir()
        for build in "build", "build/asan":
            program = tree.top / build / "perigee"
            program.write_text(f'#!/bin/sh\n{LOGS}[ "$PERIGEE_ASAN" ] && echo "ERROR: leak" >"$logs.$$"\necho "no room" >&2; exit 3\n')
            program.chmod(0o755)
        done = tree.start()
        same((done.returncode, done.stdout.splitlines()[-1]), (0, "1 passed, 0 failed"))
        same(done.stderr.count("exit status 3:\nno room\n"), 3, done.stderr)
        same(tree.run("--asan", status=1)[1:5], [
            "reported after the part's end:", "  in catalogs:", "    a sanitizer's report:", "      ERROR: leak"])


def stopped_by(number):
    """All running processes end, even those in a session of their own; no further part starts."""
    need_setsid()
    script = 'echo $$ >>"$TREE/pids"; setsid sh -c \'echo $$ >>"$TREE/pids"; exec sleep 600\' & exec sleep 600'
    with Tree(a__one=script, a__two=script, b__three=script) as tree:
        child = subprocess.Popen(tree.command("-j", "2"), stdout=subprocess.PIPE, text=True, env=tree.env)
        pids = tree.top / "pids"
        until(lambda: pids.exists() and pids.read_text().count("\n") == 4, "four processes")
        child.send_signal(number)
        said, _ = child.communicate(timeout=LONG)
        same((said, child.returncode), ("", 128 + number))
        started = [int(line) for line in pids.read_text().split()]
        same(len(started), 4)
        until(lambda: not any(map(alive, started)), f"the end of {started}")


def corpora():
    """They are counted over parts and pieces, and one that did not run is not named."""
    says = "echo 1..1; echo '# corpus: %s %d, %d passed'; echo ok 1 - fine"
    with Tree(a__one=says % ("ways in", 5, 0), b__two=says % ("ways out", 7, 0), b__three=says % ("ways in", 6, 0),
              c__four=GOOD + "; echo '# corpus: not one'") as tree:
        same(tree.run("-j", "1")[-1], "4 passed, 0 failed (ways in 11, ways out 7: none passed)")
        tree.part("clients/run.py", says % ("pieces", 1, 0))
        tree.names.append("clients")
        same(tree.run("-j", "1")[-1], "8 passed, 0 failed (pieces 4, ways in 11, ways out 7: none passed)")
    bad = "echo 1..2; echo not ok 1 - it; echo '# corpus: ways in 9, 2 passed'; echo '# why'; echo 'ok 2 # SKIP no'; exit 1"
    with Tree(a__bad=bad) as tree:
        same(tree.run(status=1)[2:], ["    not ok 1 - it", "      # why", "skipped: a/bad: no",
                                      "0 passed, 1 failed, 1 skipped (ways in 9: 2 passed)"])


def nothing_chosen():
    with Tree(a__one=GOOD) as tree:
        tree.names = ["b"]
        done = tree.start()
        same((done.returncode, done.stdout), (1, ""))
        assert "no suite b" in done.stderr, done.stderr
        with contextlib.suppress(FileNotFoundError):
            os.remove(tree.top / "tests/a/one_test")
        tree.names = ["c"]
        same(tree.run(status=1), ["c:         nothing to run", "0 passed, 0 failed"])


def the_slowest():
    with Tree(a__one=GOOD, a__two="sleep 0.2; " + GOOD) as tree:
        lines = tree.run("--slow")
        same(lines[1], "the longest:")
        same([line.split()[-1] for line in lines[2:4]], ["a/two", "a/one"])
        same(lines[4], "by processor time:")
        same(sorted(re.findall(r'"(.*)":', (tree.top / "build/test-times").read_text()))[:2], ["a/one", "a/two"])


def over_its_budget():
    """Named before the closing line, and no failure: waiting costs nothing, work does, also that of a child."""
    with Tree(a__waits="sleep 0.5; " + GOOD, a__works=WORKS + GOOD, b__child=f"sh -c '{WORKS}'; " + GOOD) as tree:
        budgets = tree.top / "tests/budgets"
        budgets.write_text("# seconds, part\n0.05 a/waits\n0.02 a/works  # too few\n\n0.03 b/child\n")
        lines = tree.run()
        same([re.sub(r" \d+\.\d of", " N of", line) for line in lines[2:]],
             ["over its budget of processor time: a/works N of 0.02 s", "over its budget of processor time: b/child N of 0.03 s",
              "3 passed, 0 failed"])
        used = json.loads((tree.top / "build/test-processor").read_text())
        same((used["a/waits"] < used["a/works"], used["b/child"] > 0.03), (True, True), used)
        budgets.write_text("0.05 a/waits\nsome a/works\n")
        done = tree.start()
        same((done.returncode, done.stdout), (1, ""))
        assert "budgets:2: expected SECONDS PART" in done.stderr, done.stderr


tap.case("the output does not depend on which part ends first", the_same_output)
tap.case("parts run side by side", side_by_side)
tap.case("each part has its own folders, removed at its end", folders_of_their_own)
tap.case("a long part is split into pieces", in_pieces)
tap.case("an error of the runner itself is a failure", a_runner_that_fails)
tap.case("a sanitizer report fails its own part", reports_by_part)
tap.case("a late sanitizer report is not lost", a_report_that_comes_late)
tap.case("catalogs that are not made are reported", catalogs_that_are_not_made)
tap.case("Ctrl-C ends all parts", stopped_by, signal.SIGINT)
tap.case("SIGTERM ends all parts", stopped_by, signal.SIGTERM)
tap.case("the closing line names the corpora that ran", corpora)
tap.case("an unknown suite, and one with nothing to run", nothing_chosen)
tap.case("--slow lists the slowest parts; durations are kept", the_slowest)
tap.case("a part over its budget of processor time is named, and fails nothing", over_its_budget)
tap.done()
