"""Costs of Lua work, as times a floor that the same engine works in the same moment: tests/lib/pace.lua cuts 100 kB of a
dictionary by patterns. A machine that is slow or busy makes both dearer, so that the ratio says what our code does."""

from __future__ import annotations

import pathlib
import resource
import subprocess
from collections.abc import Callable

from server import PERIGEE

FLOOR = str(pathlib.Path(__file__).with_suffix(".lua"))
ROUNDS = 20


def spent(argv: list[str]) -> tuple[float, str]:
    """Seconds of processor time of a script with its arguments, run by `perigee run`, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run([PERIGEE, "run", "--quiet", "--no-user-root", *argv], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


def of_one(argv: Callable[[int], list[str]], count: int) -> float:
    """Seconds for one of so many; argv(count) is what does that many, and argv(0) the start alone."""
    return (spent(argv(count))[0] - spent(argv(0))[0]) / count


def cut(times: int) -> list[str]:
    return [FLOOR, str(times)]


def times_the_floor(argv: Callable[[int], list[str]], count: int, most: float, floor: Callable[[int], list[str]] = cut,
                    floor_count: int = 40) -> tuple[float, float]:
    """(least cost of one over least cost of the floor, the former in seconds), of rounds of both until it is below `most`. Work with
    much in memory needs a floor with as much: on a busy machine the caches hold neither, but they always hold a small one."""
    works, floors = [], []
    while len(works) < ROUNDS and (not works or min(works) / min(floors) >= most):
        works.append(of_one(argv, count))
        floors.append(of_one(floor, floor_count))
    return min(works) / min(floors), min(works)
