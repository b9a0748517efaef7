#!/usr/bin/env python3
"""Every action on windows under every window manager, as a table.

    tests/wide/managers_test.py [--table FILE] [--cells ACTION,...] [MANAGER ...]

With --table the table replaces what is between the marks in FILE (`make desktop-support`).
"""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tables               # noqa: E402
import tap                  # noqa: E402
from managers import MANAGERS   # noqa: E402
from window_cells import CELLS, staged  # noqa: E402

WORDS = {"done": "yes", "refused": "refused", "wrong": "**wrong**"}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("manager", nargs="*", default=list(MANAGERS))
    return parser.parse_args()


def run_cell(stage, name, action, table):
    stage.fresh()
    table[name, action], why = CELLS[action](stage)
    if why:
        tap.note(f"{name}, {action}: {why}")


def main():
    options = arguments()
    actions, table = options.cells.split(","), {}
    for name in tap.share(options.manager):
        if MANAGERS[name].missing():
            tap.skip(name, "is not installed (vendor/install wide)")
            continue
        with desktops.Desktop(manager=name) as desktop, staged(desktop) as stage:
            for action in actions:
                table[name, action] = "wrong"
                tap.case(f"{name}: {action}", run_cell, stage, name, action, table)
    text = tables.markdown(options.manager, actions, lambda *cell: WORDS.get(table.get(cell), "not run"))
    tap.note(text)
    if options.table:
        tables.replace(options.table, "windows", text)
    tap.done()


main()
