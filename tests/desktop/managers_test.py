#!/usr/bin/env python3
"""Actions on windows under the window managers that start at once: what was once answered wrongly there. `make
test-desktop` has every action under every manager."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tap                  # noqa: E402
from managers import MANAGERS   # noqa: E402
from window_cells import CELLS, staged  # noqa: E402

# Manager, action, what the cell must come to, and what broke.
CASES = (
    ("twm", "order", "done", "windows in frames are found without a list of them"),
    ("twm", "focus", "done", "a window is raised and gets the keyboard without a message for it"),
    ("twm", "move", "done", "a frame is placed exactly by a manager that reads the place in its own way"),
    ("twm", "minimize", "done", "a window is minimized without EWMH"),
    ("twm", "restore", "done", "a window comes back without EWMH"),
    ("twm", "maximize", "refused", "a manager that cannot maximize is said not to"),
    ("twm", "close", "done", "a window is closed by WM_DELETE_WINDOW"),
    ("twm", "click", "done", "a picture has the frame that the manager says nothing of"),
    ("jwm", "order", "done", "the list is front-most first although the manager has it the other way round"),
    ("jwm", "click", "done", "a window is not called covered by one below it"),
    ("fluxbox", "move", "done", "a window does not grow by its title bar with each move"),
    ("fluxbox", "order", "done", "the list is front-most first although the manager never changes it"),
    ("fluxbox", "click", "done", "a picture has the frame's border"),
    ("i3", "restore", "done", "the frame that is reported is the one after the restoring"),
    ("none", "order", "done", "the order of one window is that of the list"),
    ("none", "move", "done", "a window is placed by the server itself"),
    ("none", "click", "done", "a picture has the border that the server draws"),
    ("none", "close", "done", "a window is closed without any manager"),
)


def case(stage, action, wanted):
    stage.fresh()
    word, why = CELLS[action](stage)
    assert word == wanted, f"{word}, wanted {wanted}: {why}"


def main():
    for name in tap.share(dict.fromkeys(row[0] for row in CASES)):
        if MANAGERS[name].missing():
            tap.skip(name, "is not installed (vendor/install test)")
            continue
        with desktops.Desktop(manager=name) as desktop, staged(desktop) as stage:
            for _, action, wanted, what in (row for row in CASES if row[0] == name):
                tap.case(f"{name}, {action}: {what}", case, stage, action, wanted)
    tap.done()


main()
