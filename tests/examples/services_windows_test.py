#!/usr/bin/env python3
"""The example services for windows, on real windows, worked by real keys."""

import pathlib
import shutil
import sys

from installed import Installed, Windows, background, mousepad, plug, tool, window_of, xterm

import png
import tap
from desktop import Desktop
from server import PERIGEE
from tools import until

HOLD = "ctrl+super+"
LEFT, RIGHT = ("LEFT", "640x800+0+0"), ("RIGHT", "640x800+640+0")


# --- tiling --------------------------------------------------------------------------------------------

def halves_and_quarters(desktop):
    with Windows(desktop) as windows, Installed(desktop, "tiling") as service, mousepad(desktop, "notes.txt") as notes:
        windows.place(notes, 200, 150, 500, 400)
        windows.focus(notes)
        begun = windows.frame(notes)
        for key, frame in (("Left", (0, 0, 640, 800)), ("Right", (640, 0, 640, 800)), ("Up", (0, 0, 1280, 400)),
                           ("Down", (0, 400, 1280, 400)), ("u", (0, 0, 640, 400)), ("i", (640, 0, 640, 400)),
                           ("j", (0, 400, 640, 400)), ("k", (640, 400, 640, 400)), ("Return", (0, 0, 1280, 800))):
            service.keys(HOLD + key)
            windows.await_frame(notes, frame)
        for _ in range(9):
            service.keys(HOLD + "z")
        windows.await_frame(notes, begun)
        service.keys(HOLD + "z")                            # nothing to undo
        service.keys(HOLD + "Return", HOLD + "Left", HOLD + "z", HOLD + "z", HOLD + "Right")      # as fast as they come
        windows.await_frame(notes, (640, 0, 640, 800))
        with xterm(desktop, "shell") as shell:
            windows.focus(shell)
            service.keys(HOLD + "Left")
            windows.await_frame(shell, (0, 0, 640, 800), slack=20)
            service.options(GAP=10)                         # saved while it runs; what can be undone stays
            until(lambda: service.status()["starts"] == 2, "the new code")
            service.keys(HOLD + "j")
            windows.await_frame(shell, (10, 405, 625, 385), slack=20)
            windows.focus(notes)
            service.keys(HOLD + "Right")
            windows.await_frame(notes, (645, 10, 625, 780))
        until(lambda: not windows.look.attributes(shell), "the end of the shell")
        service.keys(HOLD + "z")
        windows.await_frame(notes, (640, 0, 640, 800))
        service.keys(HOLD + "z")                            # nothing of the closed window is undone
        windows.await_frame(notes, begun)


def gaps(desktop):
    with Windows(desktop) as windows, Installed(desktop, "tiling", GAP=12) as service:
        with xterm(desktop, "tiling.lua", f"sed -n '13,40p' '{service.file}' | cut -c1-76") as code, \
                xterm(desktop, "perigee service", f"'{PERIGEE}' service --pid {service.server.process.pid}") as running, \
                xterm(desktop, "calendar", f"'{sys.executable}' -m calendar 2027") as shell:
            for window, key, frame in ((code, "Left", (12, 12, 622, 776)), (running, "i", (646, 12, 622, 382)),
                                       (shell, "k", (646, 406, 622, 382))):
                windows.focus(window)
                service.keys(HOLD + key)
                windows.await_frame(window, frame, slack=20)
            service.picture("tiling")


def next_display(desktop):
    plug(desktop, LEFT, RIGHT)
    try:
        with Windows(desktop) as windows, Installed(desktop, "tiling") as service, mousepad(desktop, "notes.txt") as notes:
            windows.focus(notes)
            service.keys(HOLD + "Up")
            windows.await_frame(notes, (0, 0, 640, 400))
            service.keys(HOLD + "n")
            windows.await_frame(notes, (640, 0, 640, 400))
            service.keys(HOLD + "Down")
            windows.await_frame(notes, (640, 400, 640, 400))
            service.keys(HOLD + "n")
            windows.await_frame(notes, (0, 400, 640, 400))
            service.keys(HOLD + "z")
            windows.await_frame(notes, (640, 400, 640, 400))
    finally:
        plug(desktop)


# --- the switcher --------------------------------------------------------------------------------------

def switcher(desktop):
    """Words choose a window; Enter alone goes to the one before."""
    if not (pathlib.Path(PERIGEE).parent / "modules" / "gtk.so").exists():
        raise tap.Skip("the module gtk was not built (vendor/install ui)")
    with Windows(desktop) as windows, Installed(desktop, "window_switcher") as service, \
            xterm(desktop, "first shell") as first, xterm(desktop, "second shell") as second:
        for front, words, wanted in ((first, "SHELL sec", second), (second, "", first)):
            windows.focus(front)
            service.keys(HOLD + "space")
            until(lambda: windows.look.has_focus(window_of(desktop, "^Windows$")), "the list")
            if words:
                tool(desktop, "xdotool", "type", words)
            service.keys("Return")
            until(lambda front=wanted: windows.look.has_focus(front), "the window")


# --- layouts -------------------------------------------------------------------------------------------

def half(picture, left, right):
    """A part of a picture from top to bottom, half as large: the rows."""
    rows = [picture.rgb[3 * (y * picture.width + left):3 * (y * picture.width + right)] for y in range(picture.height)]
    small = []
    for one, other in zip(rows[::2], rows[1::2]):
        double = [sum(four) // 4 for four in zip(one, one[3:], other, other[3:])]
        small.append(bytes(double[at + color] for at in range(0, 3 * (right - left), 6) for color in range(3)))
    return small


def add_display(path, desktop):
    """Behind the picture of two displays that of the left one alone."""
    if not path:
        return
    train = path.with_name("train.png")
    desktop.screenshot(train, settle=5)
    both, one = (png.decode(file.read_bytes()) for file in (path, train))
    train.unlink()
    white = [bytes((255,) * 3 * width) for width in (8, 60)]
    rows = [white[0].join((a, b)) + white[1] + c for a, b, c in zip(half(both, 0, 640), half(both, 640, 1280), half(one, 0, 640))]
    path.write_bytes(png.encode(png.Picture(len(rows[0]) // 3, len(rows), b"".join(rows)), 9))


TRAIN, DESK = "LEFT 640x800+0+0", "LEFT 640x800+0+0, RIGHT 640x800+640+0"


def layouts(desktop):
    with Windows(desktop) as windows, xterm(desktop, "notes", "echo 'Packing list:'; echo charger; echo passport") as notes, \
            xterm(desktop, "shell", "ls /usr") as shell:
        def frames():
            return windows.frame(notes), windows.frame(shell)

        plug(desktop, LEFT, RIGHT)
        windows.place(notes, 700, 100, 500, 400)
        windows.place(shell, 60, 80, 400, 300)
        with Installed(desktop, "display_layouts", QUIET=0.4) as service:
            def await_remembered(name):
                """Until the store has the windows as they are."""
                def is_so():
                    places = {w["id"]: w["frame"] for w in service.store().get("sets", {}).get(name, {}).get("windows", [])}
                    return all(places.get(window) == dict(zip(("x", "y", "width", "height"), windows.frame(window)))
                               for window in (notes, shell))
                until(is_so, f"the windows on {name} are remembered")

            await_remembered(DESK)
            desk = frames()
            picture = service.picture("layouts")
            plug(desktop, LEFT)                             # the window manager leaves them; a user brings all to the left
            windows.place(notes, 20, 30, 500, 600)
            windows.place(shell, 100, 400, 300, 200)
            await_remembered(TRAIN)
            train = frames()
            assert train != desk, train
            add_display(picture, desktop)
            plug(desktop, LEFT, RIGHT)
            until(lambda: frames() == desk, "all as it was on the desk")
            plug(desktop, LEFT)
            until(lambda: frames() == train, "all as it was in the train")
            service.await_log(f"{TRAIN}: windows put back: 2")
            service.restart()                               # while displays change
            windows.place(shell, 200, 300, 300, 200)
            await_remembered(TRAIN)
            train = frames()
            service.server.kill()
            plug(desktop, LEFT, RIGHT)
            service.start()
            tool(desktop, "wmctrl", "-i", "-r", str(notes), "-b", "add,maximized_vert,maximized_horz")
            until(lambda: windows.frame(notes)[2] == 1280 or windows.frame(notes)[2] == 640, "a maximized window")
            await_remembered(DESK)
            desk = frames()
            plug(desktop, LEFT)
            until(lambda: frames() == train, "all as it was in the train")
            plug(desktop, LEFT, RIGHT)
            until(lambda: frames() == desk, "a maximized window, again")
    plug(desktop)


def main():
    for name in ("Xvfb", "dbus-daemon", "xterm", "mousepad", "wmctrl", "xdotool", "xrandr"):
        if not shutil.which(name):
            tap.skip("example services for windows", f"{name} is not installed (vendor/install test)")
            tap.done()
    for manager in ("openbox", "xfwm4"):
        if not shutil.which(manager):
            tap.skip(f"example services under {manager}", "it is not installed (vendor/install test)")
            continue
        with Desktop((1280, 800), manager=manager) as desktop:
            background(desktop)
            tap.case(f"{manager}: tiling: halves, quarters, maximized, and back", halves_and_quarters, desktop)
            tap.case(f"{manager}: tiling: gaps between windows", gaps, desktop)
            tap.case(f"{manager}: tiling: the next display", next_display, desktop)
            tap.case(f"{manager}: window_switcher: the window that is chosen", switcher, desktop)
            tap.case(f"{manager}: display_layouts: windows go back where they were", layouts, desktop)
    tap.done()


if __name__ == "__main__":
    main()
