#!/usr/bin/env python3
"""Some cells of the table of input (tests/wide/input_test.py has all), a few runs each."""

import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tap                  # noqa: E402
from input_cells import as_text, check, run_cell    # noqa: E402
from subjects import ROWS, missing      # noqa: E402
from tools import Tools     # noqa: E402

CASES = {
    "GTK 3 (mousepad)": (("type", 3), ("type plain", 3), ("paste", 3), ("triple click", 2)),
    "Tk": (("paste", 3), ("drag", 2)),
    "xterm": (("type", 3), ("double click", 2)),
}


def case(subject, action, times):
    count = run_cell(subject, action, times)
    check(count)
    assert count["exact"] == times, as_text(count)
    assert action != "type plain" or count.ways == {"by keys"}, as_text(count)


def main():
    for name in tap.share(CASES):
        row = ROWS[name]
        if missing(row):
            tap.skip(name, "is not installed (vendor/install test)")
            continue
        with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools, \
             row.open(row, tools, desktop) as subject:
            for action, times in CASES[name]:
                tap.case(f"{name}: {action} is exact, {times} of {times}", case, subject, action, times)
    tap.done()


main()
