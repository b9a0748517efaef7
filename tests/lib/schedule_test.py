#!/usr/bin/env python3
"""schedule.py: how much work runs at a time, in which order, and how failures are reported."""

import os
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import schedule     # noqa: E402
import tap          # noqa: E402

LONG = 30           # seconds; only against hanging


def run(works, jobs, do, alone=(), seconds=len, heavy=(0, lambda work: False)):
    heard = []
    schedule.run(works, jobs, do, lambda work, result, error: heard.append((work, result, error)),
                 alone=lambda work: work in alone, seconds=seconds, heavy=heavy)
    return heard


def same(got, wanted):
    assert got == wanted, f"{got}, expected {wanted}"


def as_many_as_asked():
    together = threading.Barrier(3, timeout=LONG)
    running, most, lock = 0, 0, threading.Lock()

    def do(_):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait()
        with lock:
            running -= 1

    heard = run(["a", "b", "c", "d", "e", "f"], 3, do)
    same([error for _, _, error in heard], [None] * 6)
    same(most, 3)


def longest_first():
    begun = []
    run(["aa", "a", "aaaa", "aaa"], 1, begun.append)
    same(begun, ["aaaa", "aaa", "aa", "a"])


def few_heavy_at_once():
    """The lighter work does not wait for the heavy; both run at the same time."""
    together = threading.Barrier(4, timeout=LONG)
    running, most, lock = 0, 0, threading.Lock()

    def do(work):
        nonlocal running, most
        heavy = work.startswith("heavy")
        with lock:
            running += heavy
            most = max(most, running)
        together.wait()
        with lock:
            running -= heavy

    works = ["heavy 1", "heavy 2", "heavy 3", "heavy 4", "a", "b", "c", "d"]
    heard = run(works, 4, do, heavy=(2, lambda work: work.startswith("heavy")))
    same([error for _, _, error in heard], [None] * 8)
    same(most, 2)


def alone_among_the_heavy():
    """Light work runs at the same time; heavy work and other such work do not, and come afterwards."""
    together = {name: threading.Barrier(2, timeout=LONG) for name in ("alone 1", "alone 2")}
    light = {"alone 1": "light 1", "alone 2": "light 2"}
    running, beside, lock = set(), {}, threading.Lock()

    def do(work):
        with lock:
            running.add(work)
            for other in running:
                beside.setdefault(other, set()).update(running - {other})
                beside.setdefault(work, set()).update(running - {work})
        for name, other in light.items():
            if work in (name, other):
                together[name].wait()
        with lock:
            running.remove(work)

    heard = run(["heavy 1", "alone 1", "light 1", "heavy 2", "alone 2", "light 2"], 6, do, alone=("alone 1", "alone 2"),
                heavy=(2, lambda work: not work.startswith("light")))
    same([error for _, _, error in heard], [None] * 6)
    for name in light:
        same({other for other in beside[name] if not other.startswith("light")}, set())
    order = [work for work, _, _ in heard if not work.startswith("light")]
    same((sorted(order[:2]), sorted(order[2:])), (["alone 1", "alone 2"], ["heavy 1", "heavy 2"]))


def alone_without_heavy():
    same(sorted(work for work, _, _ in run(["a", "b", "c"], 1, str.upper, alone=("b", "c"))), ["a", "b", "c"])


def one_raises():
    def do(work):
        if work == "bad":
            raise ValueError("no")
        return work.upper()

    heard = {work: (result, error) for work, result, error in run(["a", "bad", "c"], 2, do)}
    same((heard["a"], heard["c"]), (("A", None), ("C", None)))
    assert isinstance(heard["bad"][1], ValueError), heard


def one_exits():
    """sys.exit() on a worker thread is reported as well."""
    (_, _, error), = run(["a"], 1, lambda _: sys.exit(0))
    assert isinstance(error, SystemExit), error


def times_are_kept():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "times")
        times = schedule.Times(path, {"known": 7.0})
        same((times.of("known"), times.of("known 1/2", "known"), times.of("new")), (7.0, 7.0, 1.0))
        times.keep({"known": 3.0, "new": 5.25})
        times = schedule.Times(path, {"known": 7.0, "other": 2.0})
        same((times.of("known"), times.of("new"), times.of("other")), (3.0, 5.25, 2.0))
        times.keep({"new": 6.0})
        same(schedule.Times(path, {}).of("known"), 3.0)


def spoiled_times():
    for text in ("", "{", "[]", "7", '{"a": "b"}', '{"a": null}', "\udcff"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "times")
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            same(schedule.Times(path, {"a": 7.0}).of("a"), 7.0)


tap.case("the requested number runs at a time", as_many_as_asked)
tap.case("the longest begins first", longest_first)
tap.case("only some of the heavy work runs at once, beside lighter work", few_heavy_at_once)
tap.case("exclusive work runs first, one at a time, beside light work only", alone_among_the_heavy)
tap.case("exclusive work runs on one thread, too", alone_without_heavy)
tap.case("an exception is reported, and the others continue", one_raises)
tap.case("an exit is reported", one_exits)
tap.case("times are kept from run to run", times_are_kept)
tap.case("a damaged file of times is ignored", spoiled_times)
tap.done()
