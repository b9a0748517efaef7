#!/usr/bin/env python3
"""A recording of keys and buttons (sys.events.input), of which xdotool is the person."""

import contextlib
import ctypes
import json
import os
import pathlib
import select
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops              # noqa: E402
import server as servers                # noqa: E402
import tap                              # noqa: E402
import xclient                          # noqa: E402
from tools import PATIENCE, has, same, until      # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xdotool", "setxkbmap")

RECORDS = """
local events, json = require "sys.events", require "sys.json"
local stream <close> = assert(events.input "a test")
print '{"what":"ready"}'
while true do
  local event, err, code = stream:next()
  print(json.encode(event or { err = err, code = code }))
  if not event then return end
end
"""


class Recording:
    """A script that records, and prints each event."""

    def __init__(self, desktop, script=RECORDS):
        path = desktop.folder / "records.lua"
        path.write_text(script, encoding="utf-8")
        self.process = subprocess.Popen([servers.PERIGEE, "run", str(path)], env=desktop.env, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self.rest = b""
        same(self.line()["what"], "ready")

    def line(self):
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise tap.Failure("nothing was recorded")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise tap.Failure(f"the script ended: {self.rest.decode()}")
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def words(self, count):
        """The next events: "+shift+a A" for a press that types a character, "-left" for a release."""
        return [told(self.line()) for _ in range(count)]

    @contextlib.contextmanager
    def stopped(self):
        """It reads nothing meanwhile."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def told(event):
    name = event["key"] if "key" in event else event["held"] + " " * (event["held"] != "") + event["button"]
    text = " " + event["text"] if "text" in event else ""
    return {"pressed": "+", "released": "-"}[event["what"]] + name + text


@contextlib.contextmanager
def recorded(desktop, script=RECORDS):
    with contextlib.closing(Recording(desktop, script)) as recording:
        yield recording


@contextlib.contextmanager
def client_of(desktop):
    client = desktop.__dict__.setdefault("bare", None) or xclient.Client(desktop.env["DISPLAY"])
    desktop.bare = client
    client.xtest = ctypes.CDLL("libXtst.so.6")
    try:
        yield client
    finally:
        client.let_go()
        client.destroy_all()


def press(desktop, *words):
    subprocess.run(["xdotool", *words], env=desktop.env, check=True)


def both(*names):
    return [sign + name for name in names for sign in "+-"]


def keys(desktop):
    with recorded(desktop) as it:
        press(desktop, "key", "a", "space", "Return", "F5", "Page_Up", "KP_Enter", "BackSpace", "period", "Caps_Lock", "Caps_Lock")
        same(it.words(20), both("a a", "space  ", "return", "f5", "pageup", "kp_enter", "backspace", ". .", "capslock", "capslock"))


def modifiers(desktop):
    with recorded(desktop) as it:
        press(desktop, "keydown", "shift", "key", "b", "keyup", "shift")
        same(it.words(4), ["+shift", "+shift+b B", "-shift+b B", "-shift"])
        press(desktop, "keydown", "ctrl", "keydown", "alt", "key", "t", "keyup", "ctrl", "keyup", "alt")
        same(it.words(6), ["+ctrl", "+ctrl+alt", "+ctrl+alt+t", "-ctrl+alt+t", "-ctrl+alt", "-alt"])
        press(desktop, "keydown", "super", "key", "Print", "keyup", "super")
        same(it.words(4), ["+meta", "+meta+print", "-meta+print", "-meta"])


def held(desktop):
    """The keyboard's repetition is told as presses without releases."""
    with recorded(desktop) as it:
        press(desktop, "keydown", "x")
        same(it.words(4), ["+x x"] * 4)
        press(desktop, "keyup", "x")
        words = it.words(1)
        while words[-1] != "-x x":
            words += it.words(1)
        same(set(words[:-1]) <= {"+x x"}, True, words)


def layouts(desktop):
    """Each key is read in the layout that was in effect when it went down, though another one is by the time it is read."""
    subprocess.run(["setxkbmap", "us,ru"], env=desktop.env, check=True)
    try:
        with recorded(desktop) as it, client_of(desktop) as client:
            xtest = ctypes.CDLL("libXtst.so.6")
            for group in (0, 1, 0, 1, 0):
                client.lib.XkbLockGroup(ctypes.c_void_p(client.display), 0x100, group)
                for down in (1, 0):
                    xtest.XTestFakeKeyEvent(ctypes.c_void_p(client.display), 38, down, ctypes.c_ulong(0))
            client.lib.XSync(client.display, False)
            same(it.words(10), both("a a", "ф ф", "a a", "ф ф", "a a"))
    finally:
        subprocess.run(["setxkbmap", "us"], env=desktop.env, check=True)


def characters_of_no_key(desktop):
    """xdotool gives a key to a character that the layout lacks."""
    with recorded(desktop) as it:
        press(desktop, "type", "é")
        same(it.words(2), both("é é"))


def characters_taken_away(desktop):
    """Each is read as its key was when it went down, though the key has another character, or none, by the time it is read."""
    with recorded(desktop) as it:
        with it.stopped():
            press(desktop, "type", "é1üÉ")
            press(desktop, "type", "ж")
        same(it.words(10), both("é é", "1 1", "ü ü", "é é", "ж ж"))
        press(desktop, "key", "a", "F5")
        same(it.words(4), both("a a", "f5"))


def layouts_that_are_set(desktop):
    """A layout that is set while it records is in effect for all keys after it."""
    try:
        with recorded(desktop) as it:
            for layout, typed in (("de", "z z"), ("us", "y y"), ("ru", "н н")):
                subprocess.run(["setxkbmap", layout], env=desktop.env, check=True)
                press(desktop, "key", "29")
                same(it.words(2), both(typed))
    finally:
        subprocess.run(["setxkbmap", "us"], env=desktop.env, check=True)


def buttons(desktop):
    with recorded(desktop) as it:
        press(desktop, "mousemove", "300", "210", "click", "1", "click", "3", "click", "2", "click", "8")
        events = [it.line() for _ in range(8)]
        same([told(event) for event in events], both("left", "right", "middle", "back"))
        same({(event["x"], event["y"]) for event in events}, {(300, 210)})
        press(desktop, "click", "4", "click", "5", "click", "6", "click", "7")
        same(it.words(8), both("wheel_up", "wheel_down", "wheel_left", "wheel_right"))
        press(desktop, "keydown", "ctrl", "mousedown", "1", "mousemove", "400", "300", "mouseup", "1", "keyup", "ctrl")
        same(it.words(1), ["+ctrl"])
        drag = [it.line() for _ in range(2)]
        same([(told(event), event["x"], event["y"]) for event in drag], [("+ctrl left", 300, 210), ("-ctrl left", 400, 300)])
        same(it.words(1), ["-ctrl"])


def during_a_grab(desktop):
    """An open menu has keyboard and pointer."""
    with recorded(desktop) as it, client_of(desktop) as client:
        window = client.window("menu", popup=True)
        client.grab_keyboard(window)
        client.grab_pointer(window)
        press(desktop, "key", "b", "click", "1")
        same(it.words(4), both("b b", "left"))


def in_order_of_time(desktop):
    """The times are those of the keys, as sys.time.monotonic() counts."""
    with recorded(desktop) as it:
        press(desktop, "key", "a", "b")
        at = [it.line()["at"] for _ in range(4)]
        same(at, sorted(at))
        same(0 < at[0], True)


def own_input(desktop):
    script = RECORDS.replace('print \'{"what":"ready"}\'', 'print \'{"what":"ready"}\' require("sys.input").keys "ctrl+u"')
    with recorded(desktop, script) as it:
        same(it.words(4), ["+ctrl", "+ctrl+u", "-ctrl+u", "-ctrl"])


def stopped_by_the_user(desktop):
    with recorded(desktop) as it:
        press(desktop, "key", "a", "ctrl+alt+Escape", "b")
        same(it.words(5), [*both("a a"), "+ctrl", "+ctrl+alt", "+ctrl+alt+escape"])
        same(it.line()["code"], "stopped")
        same(it.process.wait(PATIENCE), 0)


ENDS = """
local events, task = require "sys.events", require "sys.task"
local kept
task.map({ 1 }, function() kept = assert(events.input "one") end)
local _, _, closed = kept:next(0)
local second = assert(events.input "two")
local _, _, busy = events.input "three"
second:close()
local third <close> = assert(events.input "three")
print(('{"what":"ready","codes":"%s %s"}'):format(closed, busy))
"""


def ends_with_its_task(desktop):
    """It ends though its stream is kept. A second one at the same time is refused."""
    path = desktop.folder / "ends.lua"
    path.write_text(ENDS, encoding="utf-8")
    done = subprocess.run([servers.PERIGEE, "run", str(path)], env=desktop.env, capture_output=True, text=True, check=False,
                          timeout=PATIENCE)
    same((done.stdout, done.stderr, done.returncode), ('{"what":"ready","codes":"closed busy"}\n', "", 0))


def display_lost(_desktop):
    with desktops.Desktop(display=desktops.far_display(), manager="openbox") as other, recorded(other) as it:
        other.servers[0].kill()
        event = it.line()
        same((event["about"], event["what"]), ("desktop", "lost"))


def refused(desktop, part):
    path = desktop.folder / "refused.lua"
    path.write_text('print(select(2, require "sys.events".input "a test"))', encoding="utf-8")
    done = subprocess.run([servers.PERIGEE, "run", str(path)], env=desktop.env, capture_output=True, text=True, check=False,
                          timeout=PATIENCE)
    has(done.stdout, part)
    same(done.stdout.split()[-1], "not_supported", done.stdout + done.stderr)


def where_it_cannot_work(desktop):
    with desktops.Desktop(server=("-extension", "RECORD")) as other:
        refused(other, "has no RECORD extension")
    with desktops.Desktop() as other, xclient.Client(other.env["DISPLAY"]) as client:
        client.atom("WL_SURFACE_ID")        # Xwayland has it, and what window managers for both leave on any display
        client.lib.XSync(client.display, False)
        with recorded(other) as it:
            press(other, "key", "a")
            same(it.words(2), both("a a"))
        other.env["WAYLAND_DISPLAY"] = "wayland-0"
        refused(other, "Log in to an X11 session to record")
    desktop.env["PERIGEE_DESKTOP"] = "fake"
    try:
        refused(desktop, "cannot be recorded")
    finally:
        del desktop.env["PERIGEE_DESKTOP"]


RESTS = RECORDS.replace('events.input "a test"', 'events.input("a test", { rests = true })')


def move(client, x, y):
    """A move as of a mouse; xdotool has the display server put the pointer there."""
    client.xtest.XTestFakeMotionEvent(ctypes.c_void_p(client.display), -1, x, y, ctypes.c_ulong(0))
    client.lib.XSync(client.display, False)


def places_of_rest(desktop):
    """Where the pointer is at the beginning, and each place where it came to rest, once, however it got there."""
    press(desktop, "mousemove", "7", "9")
    with recorded(desktop) as keys_alone, recorded(desktop, RESTS) as it, client_of(desktop) as client:
        told_last = [None]

        def rests_at(*place):
            """On a busy machine it may rest on its way as well."""
            while told_last[0] != place:
                event = it.line()
                same((event["what"], (event["x"], event["y"]) == told_last[0]), ("rests", False), event)
                told_last[0] = event["x"], event["y"]

        rests_at(7, 9)
        for i in range(25):
            for step in range(i % 7):
                move(client, 300 + step, 200 + i)
            move(client, 310, 200 + i)
            rests_at(310, 200 + i)
            press(desktop, "mousemove", str(600 + i), "200")
            rests_at(600 + i, 200)
        press(desktop, "key", "a", "mousemove", "624", "200", "key", "b")      # it rests there already
        same(it.words(4), both("a a", "b b"))
        press(desktop, "mousemove", "20", "30")
        rests_at(20, 30)
        same(keys_alone.words(4), both("a a", "b b"))
        press(desktop, "key", "c")
        same(keys_alone.words(2), both("c c"))


def processor_time(pid):
    """Seconds that its threads have run."""
    return sum(int(path.read_text(encoding="ascii").split()[0])
               for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def a_mouse_costs_nothing(desktop):
    """At 500 moves a second it takes less than 1 % of a processor: less than 20 us for each."""
    with recorded(desktop) as it, client_of(desktop) as client:
        moves, spent = 1000, []
        while not spent or min(spent) >= 0.01 and len(spent) < 5:
            press(desktop, "key", "a")
            same(it.words(2), both("a a"))
            before = processor_time(it.process.pid)
            for i in range(moves):
                client.xtest.XTestFakeMotionEvent(ctypes.c_void_p(client.display), -1, 100 + i % 500, 200, ctypes.c_ulong(0))
            client.lib.XSync(client.display, False)
            press(desktop, "key", "b")
            same(it.words(2), both("b b"))
            spent.append((processor_time(it.process.pid) - before) / (moves / 500))
        same(min(spent) < 0.01, True, f"{100 * min(spent):.2f} %")


CASES = [
    ("keys have their names, and what they type", keys),
    ("modifiers are keys, and are named with the keys that they change", modifiers),
    ("a key that is held down is pressed again and again", held),
    ("a key is read in its own layout", layouts),
    ("characters that the layout lacks", characters_of_no_key),
    ("characters whose keys are taken away before they are read", characters_taken_away),
    ("a layout that is set while it records", layouts_that_are_set),
    ("buttons and the wheel, with their places", buttons),
    ("another client has grabbed keyboard and pointer", during_a_grab),
    ("times are in order", in_order_of_time),
    ("input of Perigee's own is there, too", own_input),
    ("Ctrl+Alt+Esc ends it", stopped_by_the_user),
    ("it ends with the task that began it, and is one at a time", ends_with_its_task),
    ("the end of the display is told", display_lost),
    ("it is refused where it cannot work", where_it_cannot_work),
    ("the places where the pointer rests are told to who wants them", places_of_rest),
    ("moves of the pointer cost nothing", a_mouse_costs_nothing),
]


def main():
    missing = [program for program in NEEDED if not desktops.shutil.which(program)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install test)")
        return
    with desktops.Desktop() as desktop:
        for name, case in CASES:
            tap.case(name, case, desktop)
    tap.done()


if __name__ == "__main__":
    main()
