#!/usr/bin/env python3
"""The suite runner: a suite that dies, hangs, lies about its plan or leaves children is a failure."""

import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import suite        # noqa: E402
import tap          # noqa: E402

# Scripts of suites, and the (passed, failed, skipped) that each counts for.
CASES = [
    ("all pass", "echo 1..2; echo ok 1 - a; echo ok 2 - b", (2, 0, 0)),
    ("one fails", "echo ok 1 - a; echo not ok 2 - b; echo '# why'; echo 1..2; exit 1", (1, 1, 0)),
    ("skipped", "echo 'ok 1 - a # SKIP no display'; echo ok 2 - b; echo 1..2", (1, 0, 1)),
    ("skipped as cmocka writes it", "echo 1..1; echo 'not ok 1 # SKIP a'", (0, 0, 1)),
    ("the whole skipped", "echo '1..0 # SKIP nothing here'", (0, 0, 1)),
    ("no plan", "echo ok 1 - a", (1, 1, 0)),
    ("fewer than planned", "echo 1..2; echo ok 1 - a", (1, 1, 0)),
    ("more than planned", "echo 1..1; echo ok 1 - a; echo ok 2 - b", (2, 1, 0)),
    ("several groups", "echo 1..1; echo ok 1 - a; echo 1..1; echo ok 1 - b", (2, 0, 0)),
    ("exit code without a failure", "echo 1..1; echo ok 1 - a; exit 3", (1, 1, 0)),
    ("killed by a signal", "echo 1..1; echo ok 1 - a; kill -SEGV $$", (1, 1, 0)),
    ("bails out", "echo 1..9; echo ok 1 - a; echo 'Bail out! no disk'; exit 1", (1, 1, 0)),
    ("says nothing", "exit 0", (0, 1, 0)),
    ("a hash in a failure's name", "echo 1..1; echo 'not ok 1 - a # odd'; exit 1", (0, 1, 0)),
]


def run(script, limit=30):
    with tempfile.NamedTemporaryFile() as log:
        result = suite.run(["sh", "-c", script], limit, dict(os.environ), log.name, "/")
        with open(log.name, encoding="utf-8") as file:
            return result, file.read()


def counts(script, wanted):
    result, _ = run(script)
    got = result.passed, result.failed, len(result.skipped)
    assert got == wanted, f"{got}, expected {wanted}: {result.report}"


def hang():
    begun = time.monotonic()
    result, _ = run("echo 1..1; echo ok 1 - a; sleep 600 & sleep 600", limit=0.5)
    assert result.failed == 1 and "stopped after" in result.report[-1], result.report
    assert time.monotonic() - begun < 60, "the suite was not stopped"


def leftovers():
    mark = f"600.{os.getpid()}"
    run(f"echo 1..1; echo ok 1 - a; sleep {mark} >/dev/null 2>&1 &")
    end = time.monotonic() + 10
    while mark in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True,
                                 check=True).stdout:
        assert time.monotonic() < end, "a child outlived its suite"


def reports():
    result, log = run("echo 1..1; echo not ok 1 - a; echo '# expected 1'; echo oops >&2; exit 1")
    text = "\n".join(result.report)
    assert "expected 1" in text and "oops" in text, text
    assert "not ok 1 - a" in log and "oops" in log, log


def nothing_there():
    result = suite.run(["/no/such/suite"], 5, {}, "/dev/null", "/")
    assert result.failed == 1, result.report


def shares():
    """The pieces of a split part have every item once."""
    before = os.environ.get("PERIGEE_TEST_SHARE", "1/1")
    try:
        pieces = []
        for number in (1, 2, 3):
            os.environ["PERIGEE_TEST_SHARE"] = f"{number}/3"
            pieces.append(tap.share("abcdefgh"))
        assert pieces == [["a", "d", "g"], ["b", "e", "h"], ["c", "f"]], pieces
        del os.environ["PERIGEE_TEST_SHARE"]
        assert tap.share("abc") == ["a", "b", "c"]
    finally:
        os.environ["PERIGEE_TEST_SHARE"] = before


for a_name, a_script, a_wanted in CASES:
    tap.case(f"counted right: {a_name}", counts, a_script, a_wanted)
tap.case("a suite that hangs is stopped and fails", hang)
tap.case("a program that a suite leaves running is ended", leftovers)
tap.case("failures are shown with what was said", reports)
tap.case("a suite that cannot be run fails", nothing_there)
tap.case("the pieces of a split part have every item once", shares)
tap.done()
