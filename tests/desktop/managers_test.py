#!/usr/bin/env python3
"""Actions on windows under the window managers that start at once: what was once answered wrongly there. `make
test-desktop` has every action under every manager."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import tap                  # noqa: E402
from managers import MANAGERS   # noqa: E402
from tap import Failure     # noqa: E402
from tools import has, quickest, same, until    # noqa: E402
from window_cells import CELLS, staged  # noqa: E402

LIB = pathlib.Path(__file__).resolve().parent.parent / "lib"
STARTER, SIZER, LATE_MANAGER = LIB / "slow_starter.py", LIB / "late_sizer.py", LIB / "late_manager.py"
TRIES = 5       # for a program to be given the processor in time
CLOSE, QUIT = 2.0, 3.0  # seconds that the engine waits for a window and for an application to close

# Manager, action, what the cell must come to, and what broke.
CASES = (
    ("openbox", "workspace", "done", "a window elsewhere is brought forward by a manager that only says it asks for attention"),
    ("openbox", "place", "done", "a maximized, high, wide, full-screen or shaded window is moved and resized as asked"),
    ("twm", "order", "done", "windows in frames are found without a list of them"),
    ("twm", "focus", "done", "a window is raised and gets the keyboard without a message for it"),
    ("twm", "move", "done", "a frame is placed exactly by a manager that reads the place in its own way"),
    ("twm", "minimize", "done", "a window is minimized without EWMH"),
    ("twm", "restore", "done", "a window comes back without EWMH"),
    ("twm", "maximize", "refused", "a manager that cannot maximize is said not to"),
    ("twm", "close", "done", "a window is closed by WM_DELETE_WINDOW"),
    ("twm", "quit", "done", "an application quits without EWMH"),
    ("twm", "click", "done", "a picture has the frame that the manager says nothing of"),
    ("jwm", "order", "done", "the list is front-most first although the manager has it the other way round"),
    ("jwm", "click", "done", "a window is not called covered by one below it"),
    ("fluxbox", "move", "done", "a window does not grow by its title bar with each move"),
    ("fluxbox", "order", "done", "the list is front-most first although the manager never changes it"),
    ("fluxbox", "click", "done", "a picture has the frame's border"),
    ("i3", "restore", "done", "the frame that is reported is the one after the restoring"),
    ("fluxbox", "own frame", "done", "a size is not called done before the application has made it its smallest one"),
    ("none", "order", "done", "the order of one window is that of the list"),
    ("none", "move", "done", "a window is placed by the server itself"),
    ("none", "click", "done", "a picture has the border that the server draws"),
    ("none", "close", "done", "a window is closed without any manager"),
    ("none", "quit", "done", "an application quits without any manager"),
)


def case(stage, action, wanted):
    stage.fresh()
    word, why = CELLS[action](stage)
    assert word == wanted, f"{word}, wanted {wanted}: {why}"


def deaf(stage):
    """A window that takes no request to close stays, and the answers say why, at once; force ends it."""
    program = subprocess.Popen([sys.executable, str(STARTER), "deaf", "a deaf window"], env=stage.desktop.env)
    try:
        window = until(lambda: stage.find("a deaf window"), "the window")["name"]
        for tool, name, wait in (("close_window", window, CLOSE), ("quit_application", window.partition("/windows/")[0], QUIT)):
            def refused():
                answer = stage.tools(tool, name=name)       # pylint: disable=cell-var-from-loop
                same(answer["done"], False, tool)           # pylint: disable=cell-var-from-loop
                has(answer["note"], "does not take part in it (WM_DELETE_WINDOW)")
            quickest(wait, refused)
        answer = stage.tools("quit_application", name=window.partition("/windows/")[0], force=True)
        same((answer["done"], answer["forced"]), (True, True))
    finally:
        program.kill()
        program.wait()


@contextlib.contextmanager
def late_sizer(stage, how):
    title = f"a late size, {how}"
    with stage.program(title, sys.executable, str(SIZER), how, title):
        yield title


def late(stage, how):
    """An application changes a size after its window was still, and the answer has the size that stays."""
    with late_sizer(stage, how) as title:
        answer = stage.act("resize_window", title, width=400, height=200)
        same((answer["done"], answer["effect"], answer["after"]["height"]), (False, "partial", 300))
        has(answer["note"], "the window is 400 x 300")


def next_frame(stage):
    """An application that answers at once and draws its size with its next frame: no size is told before that has passed."""
    with late_sizer(stage, "frames") as title:
        for _ in range(TRIES):
            stage.act("resize_window", title, width=400, height=400)
            told = stage.tools("resize_window", name=stage.names[title], width=400, height=200)["after"]["height"]
            stage.still()
            same(stage.find(title)["bounds"]["height"], 300, "its own size")
            if told == 300:
                return
        raise Failure(f"the size before the frame was told, {TRIES} times")


@contextlib.contextmanager
def late_manager(stage, *options):
    with subprocess.Popen([sys.executable, str(LATE_MANAGER), *options], env=stage.desktop.env, stdout=subprocess.PIPE) as manager:
        try:
            same(manager.stdout.readline(), b"managing\n")
            yield
        finally:
            manager.kill()


def filled_and_restored(stage, title, own):
    """Each answer has the width that stays."""
    for tool in ("maximize_window", "restore_window", "fullscreen_window", "restore_window"):
        answer = stage.act(tool, title)
        same((answer["done"], answer["after"]["width"]), (True, own if tool == "restore_window" else 900), f"{tool}: {answer.get('note')}")


def state_first(stage):
    """A manager that sets the state and then the size: the size is told that goes with the state."""
    with late_manager(stage), stage.program("stateful", sys.executable, str(SIZER), "pings", "stateful") as title:
        stage.act("resize_window", title, width=420, height=380)
        filled_and_restored(stage, title, 420)


def shadow_first(stage):
    """An application takes its shadow off, and the manager gives the size for that later: that size is told."""
    with late_manager(stage, "shadows"), stage.program("shady", sys.executable, str(SIZER), "shadow", "shady") as title:
        stage.act("resize_window", title, width=420, height=380)
        filled_and_restored(stage, title, 420)


def stopped(stage, how):
    """An application that hangs has not said what it makes of a size; one that goes on says so."""
    with late_sizer(stage, how) as title:
        process = stage.programs[title]
        process.send_signal(signal.SIGSTOP)
        answer = stage.act("resize_window", title, width=400, height=200)
        same((answer["done"], answer["effect"]), (False, "unknown"))
        has(answer["note"], "its application does not respond")
        same(stage.act("move_window", title, x=70, y=60)["done"], True, "a move, which is the manager's alone")
        process.send_signal(signal.SIGCONT)
        until(lambda: stage.find(title)["bounds"]["height"] == 300, "its own size")


def main():
    for name in tap.share(dict.fromkeys(row[0] for row in CASES)):
        if MANAGERS[name].missing():
            tap.skip(name, "is not installed (vendor/install test)")
            continue
        with desktops.Desktop(manager=name) as desktop, staged(desktop) as stage:
            for _, action, wanted, what in (row for row in CASES if row[0] == name):
                tap.case(f"{name}, {action}: {what}", case, stage, action, wanted)
            if name == "none":
                for how in ("pings", "deaf", "threads"):
                    tap.case(f"{name}: a size that the application changes late is told ({how})", late, stage, how)
                for how in ("pings", "deaf"):
                    tap.case(f"{name}: the size of a stopped application is not called done ({how})", stopped, stage, how)
                tap.case(f"{name}: a size that comes with the application's next frame is told", next_frame, stage)
                tap.case("the size that a manager sets after the state is told with it", state_first, stage)
                tap.case("the size that a manager sets after the shadow has changed is told", shadow_first, stage)
            if not MANAGERS[name].ewmh:
                tap.case(f"{name}: a window that takes no request to close is said to", deaf, stage)
    tap.done()


main()
