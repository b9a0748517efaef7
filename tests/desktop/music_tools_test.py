#!/usr/bin/env python3
"""music_control, music_get_track and notification_show: doubles of players, which do all that players do or fail to do, and
dunst. tests/wide/common_tools_test.py has mpv and Audacious."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from script import bare_bus                 # noqa: E402
from tools import Tools, has, run, same, until      # noqa: E402

DOUBLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "mpris_double.py")
TRACKS = [{"title": "One: \"quoted\"\n🎵", "artist": ["Ada", "Bob"], "album": "Songs", "length": 185}, {"title": "Two"}]


@contextlib.contextmanager
def players(desktop, *given):
    """Doubles of players. The value is filled with the orders that reached them when the block ends."""
    orders = []
    process = subprocess.Popen(["/usr/bin/python3", DOUBLE, json.dumps(given)], env=desktop.env, stdout=subprocess.PIPE, text=True)
    try:
        same(process.stdout.readline(), "ready\n", "the players")
        yield orders
    finally:
        process.terminate()
        orders.extend(line.strip() for line in process.stdout)
        process.wait()
        process.stdout.close()


def player(name, **more):
    return {"name": name, "tracks": TRACKS, "state": "Playing", **more}


# --- players ----------------------------------------------------------------------------------------

def nothing_runs(tools, _desktop):
    for name, more in (("music_get_track", {}), ("music_control", {"action": "play"})):
        has(tools.fails("APP_NOT_RUNNING", name, **more), "No player runs that takes orders over D-Bus (MPRIS). Start one")


def tells_the_track(tools, desktop):
    with players(desktop, player("one", identity="The Player")) as orders:
        same(tools("music_get_track"), {"application": "The Player", "player": "one", "state": "playing", "title": "One: \"quoted\" 🎵",
                                        "artist": "Ada, Bob", "album": "Songs", "length": 185, "position": 2.5})
        has(tools.text("music_get_track"), 'The Player: playing, title "One: \\"quoted\\" 🎵", artist "Ada, Bob"')
    same(orders, [])
    with players(desktop, {"name": "empty"}):
        same(tools("music_get_track"), {"application": "empty", "player": "empty", "state": "stopped", "position": 2.5})


def does_what_is_seen(tools, desktop):
    def act(action):
        done = tools("music_control", action=action)
        return done["effect"], done["state"], done.get("title", "")[:3]

    with players(desktop, player("one")) as orders:
        same([act(action) for action in ("play", "pause", "pause", "play", "play_pause", "play_pause", "next", "previous", "previous",
                                         "next", "next", "stop", "pause", "play")],
             [("unchanged", "playing", "One"), ("changed", "paused", "One"), ("unchanged", "paused", "One"),
              ("changed", "playing", "One"), ("changed", "paused", "One"), ("changed", "playing", "One"), ("changed", "playing", "Two"),
              ("changed", "playing", "One"), ("unknown", "playing", "One"), ("changed", "playing", "Two"),
              ("changed", "stopped", "Two"), ("unchanged", "stopped", "Two"), ("unchanged", "stopped", "Two"),
              ("changed", "playing", "Two")])
    same([order.split()[1] for order in orders], ["Pause", "Play", "PlayPause", "PlayPause", "Next", "Previous", "Previous", "Next",
                                                  "Next", "Play"])


def claims_nothing(tools, desktop):
    """One that answers and does nothing; one that does it and tells of no change."""
    with players(desktop, player("lazy", ignores=True)) as orders:
        done = tools("music_control", action="pause")
        same((done["effect"], done["state"]), ("unknown", "playing"))
        has(done["note"], "lazy took the order, and nothing was seen to change")
    same(orders, ["lazy Pause"])
    with players(desktop, player("mute", silent=True)):
        same(tools("music_control", action="pause")["effect"], "changed")


def refusals(tools, desktop):
    with players(desktop, player("one", cannot=["CanGoNext", "CanPause"])) as orders:
        has(tools.fails("CANNOT_NOW", "music_control", action="next"), "one cannot do that now (CanGoNext is false), so nothing was sent")
        has(tools.fails("CANNOT_NOW", "music_control", action="play_pause"), "CanPause is false")
        same(tools("music_control", action="play")["effect"], "unchanged")
    same(orders, [])
    with players(desktop, player("one", cannot=["CanControl"])) as orders:
        has(tools.fails("CANNOT_NOW", "music_control", action="stop"), "CanControl is false")
    same(orders, [])
    with players(desktop, player("one", refuses=True)):
        has(tools.fails("FAILED", "music_control", action="stop"), "one refused: not today")


def ends_with_stop(tools, desktop):
    for how in ("quits", "leaves"):
        with players(desktop, player("one", **{how: True})) as orders:
            done = tools("music_control", action="stop")
            same((done["effect"], done["state"], done["note"]), ("changed", "stopped", "The player has ended."))
            tools.fails("APP_NOT_RUNNING", "music_get_track")
        same(orders, ["one Stop"])


def chooses(tools, desktop):
    """The one that plays, then a paused one, then the first by name; or the named one."""
    with players(desktop, player("b.instance7", state="Paused", identity="Bee"), player("a", state="Stopped", entry="org.example.A"),
                 player("c", state="Playing"), player("playerctld", state="Playing")) as orders:
        same(tools("music_get_track")["player"], "c")
        for name, wanted in (("a", "a"), ("A", "a"), ("org.example.A", "a"), ("bee", "b.instance7"), ("b", "b.instance7"),
                             ("b.instance7", "b.instance7"), ("org.mpris.MediaPlayer2.c", "c")):
            same(tools("music_get_track", player=name)["player"], wanted)
        tools("music_control", action="pause")
        same(tools("music_get_track")["player"], "b.instance7")
        tools("music_control", action="stop", player="b")
        tools("music_control", action="stop", player="c")
        same(tools("music_get_track")["player"], "a")
        has(tools.fails("APP_NOT_RUNNING", "music_control", action="play", player="d"),
            'No player called "d" runs. These run: a, b.instance7, c.')
    same(orders, ["c Pause", "b.instance7 Stop", "c Stop"])


# --- notifications ----------------------------------------------------------------------------------

def owner(desktop):
    """The process that shows notifications, as text; started by nobody. A look at dunst by dunstctl would start one."""
    done = subprocess.run(["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                           "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.Notifications"], env=desktop.env,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.split()[-1:]


def displayed(desktop):
    done = subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.strip()


def notifies(tools, desktop):
    with bare_bus(desktop, "bare") as address:
        with contextlib.closing(Tools(dict(desktop.env, DBUS_SESSION_BUS_ADDRESS=address))) as alone:
            has(alone.fails("NO_NOTIFICATIONS", "notification_show", title="x"), "Start a notification service in this session")
    with subprocess.Popen(["dunst", "-print"], env=desktop.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as dunst:
        try:
            until(lambda: owner(desktop) == [str(dunst.pid)], "dunst")
            shown = tools("notification_show", title='Build "1" 🎉', body="<b>All</b> & more\\n\nline")
            same((shown["accepted"], int(shown["id"]) > 0, "note" in shown), (True, True, False))
            until(lambda: displayed(desktop) == b"1", "the notification")
            tools("notification_show", title="x" * 250, body="🎉" * 2500)
            until(lambda: displayed(desktop) == b"2", "the other one")
        finally:
            dunst.terminate()
            said = dunst.stdout.read()
    has(said, 'Build "1" 🎉')
    has(said, "&lt;b&gt;All&lt;/b&gt; &amp; more\\n\nline")


run((("without a player the message says what to start", nothing_runs),
     ("the track of a player is told", tells_the_track),
     ("orders are done, and seen", does_what_is_seen),
     ("an effect that was not seen is not claimed", claims_nothing),
     ("a player that cannot or will not", refusals),
     ("a player may end with stop", ends_with_stop),
     ("the player that plays is chosen, or the named one", chooses),
     ("dunst shows notifications", notifies)),
    ("Xvfb", "dbus-daemon", "dbus-send", "dunst", "dunstctl"), lambda desktop: Tools(desktop.env))
