#!/usr/bin/env python3
"""budgets.py: which parts took more of the processor than they may, and all parts together."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import budgets      # noqa: E402
import tap          # noqa: E402


def read(text, **more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "budgets")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return budgets.Budgets(path, **more)


def same(got, wanted):
    assert got == wanted, f"{got}, expected {wanted}"


def parts():
    limits = read("# a comment\n5 a/b\n\n0.5 a/c # another\n")
    same((limits.of("a/b"), limits.of("a/c"), limits.of("a/d")), (5, 0.5, budgets.EACH))
    same(limits.warnings({"a/b": 5.0, "a/c": 0.6, "a/d": budgets.EACH + 1}),
         ["over its budget of processor time: a/c 0.6 of 0.5 s", "over its budget of processor time: a/d 4.0 of 3 s"])
    same(limits.warnings({"a/b": 0.0}), [])


def together():
    limits = read("", whole=True)
    same(limits.warnings({"a/b": 1.0, "a/c": 2.0}), ["processor time: all parts 3 of 880 s"])
    many = {f"a/{n}": 2.0 for n in range(441)}
    same(limits.warnings(many), ["over the budget of processor time: all parts 882 of 880 s"])


def sanitized():
    limits = read("2 a/b\n", factor=4, whole=True)
    same(limits.warnings({"a/b": 8.0, "a/c": 12.0}), ["processor time: all parts 20 of 3520 s"])


def damaged():
    for text in ("5\n", "x a/b\n", "1 2 3\n"):
        try:
            read("1 a/a\n" + text)
        except SystemExit as said:
            assert "budgets:2: expected SECONDS PART" in str(said), said
        else:
            raise AssertionError(f"{text!r} was read")


tap.case("a part over its budget is named", parts)
tap.case("all parts together have a budget", together)
tap.case("under sanitizers all budgets are larger", sanitized)
tap.case("a line that is none is told with its number", damaged)
tap.done()
