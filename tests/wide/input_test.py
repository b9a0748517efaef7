#!/usr/bin/env python3
"""Text and pointer actions into applications, many runs each, as a table.

    tests/wide/input_test.py [--table FILE] [--cells ACTION,...] [--times N] [APPLICATION ...]

With --table the table replaces what is between the marks in FILE (`make desktop-support`); cells that were not run stay.
"""

import argparse
import contextlib
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tables               # noqa: E402
import tap                  # noqa: E402
from input_cells import CELLS, as_text, check, run_cell  # noqa: E402
from subjects import ROWS, missing      # noqa: E402
from tools import Tools     # noqa: E402

TIMES = 20


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("application", nargs="*", default=list(ROWS))
    return parser.parse_args()


def case(subject, action, times, table):
    count = table[subject.name, action] = run_cell(subject, action, times)
    check(count)


def main():
    options = arguments()
    actions, table = options.cells.split(","), {}
    for name in tap.share(options.application):
        row = ROWS[name]
        if missing(row):
            tap.skip(name, "is not installed (vendor/install wide)")
            continue
        with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools, \
             row.open(row, tools, desktop) as subject:
            for action in actions:
                tap.case(f"{name}: {action}", case, subject, action, options.times, table)
    tap.note(tables.markdown(options.application, actions, lambda *cell: as_text(table.get(cell))))
    if options.table:
        old = tables.read(options.table, "input")
        tables.replace(options.table, "input", tables.markdown(
            ROWS, CELLS, lambda *cell: as_text(table[cell]) if cell in table else old.get(cell, "not run")))
    tap.done()


main()
