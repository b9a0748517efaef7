#!/usr/bin/env python3
"""Claims of a window about itself: its process by number, and margins, classes, hints and titles that no window can have.
The numbers of one in another PID namespace (Flatpak, docker) or on another host (ssh -X) are such."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops                                               # noqa: E402
import tap                                                               # noqa: E402
import xclient                                                           # noqa: E402
from tools import OURS, Tools, bare_client, has, run, same, until      # noqa: E402
from xclient import XA_ATOM, XA_CARDINAL, XA_STRING, XA_WINDOW           # noqa: E402

MOST = 0xFFFFFFFF
CARDINALS = ([], [0], [1], [MOST], [MOST] * 4, [0x7FFFFFFF] * 4, [0x80000000] * 5, [150, 150, 60, 60], [4096] * 4, [7] * 60000)
NUMBERS = ("_NET_WM_PID", "_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS", "_NET_WM_DESKTOP", "_NET_WM_STRUT", "_NET_WM_STRUT_PARTIAL",
           "_NET_WM_ICON", "_NET_WM_USER_TIME", "_NET_WM_WINDOW_OPACITY", "_NET_WM_BYPASS_COMPOSITOR", "_MOTIF_WM_HINTS",
           "WM_NORMAL_HINTS", "WM_HINTS", "WM_STATE", "XdndAware", "XdndProxy", "WM_TRANSIENT_FOR", "_NET_WM_STATE",
           "_NET_WM_WINDOW_TYPE", "WM_PROTOCOLS", "_NET_WM_SYNC_REQUEST_COUNTER", "_NET_WM_USER_TIME_WINDOW")
KINDS = {"WM_TRANSIENT_FOR": XA_WINDOW, "XdndProxy": XA_WINDOW, "_NET_WM_STATE": XA_ATOM, "_NET_WM_WINDOW_TYPE": XA_ATOM,
         "WM_PROTOCOLS": XA_ATOM, "XdndAware": XA_ATOM, "WM_NORMAL_HINTS": 41, "WM_HINTS": 35}
TEXTS = (b"", b"\0", b"\0" * 300, b"x" * 300000, b"\xff\xfe\xc3", b"a" * 255 + "é".encode(), b"../../../etc/passwd\0/bin/sh\0",
         b"applications/1\0applications/1\0", b"\x1b[2J\n\0\x1b]0;x\x07\0", b"%s%n%f\0%k\0")
WORDS = ("_NET_WM_NAME", "WM_NAME", "WM_CLASS", "WM_CLIENT_MACHINE", "WM_WINDOW_ROLE", "_NET_STARTUP_ID", "_GTK_APPLICATION_ID",
         "_NET_WM_PID", "_NET_FRAME_EXTENTS", "WM_NORMAL_HINTS")


@contextlib.contextmanager
def innocent():
    with subprocess.Popen(["sleep", "1000"]) as process:
        try:
            yield process
        finally:
            process.kill()


def claim(client, title, pid, machine=None, **more):
    window = client.window(title, mapped=False, **more)
    client.numbers_property(window, "_NET_WM_PID", XA_CARDINAL, [pid])
    if machine is not None:
        client.bytes_property(window, "WM_CLIENT_MACHINE", XA_STRING, machine.encode())
    client.map(window)
    return window


def named(tools, title):
    return until(lambda: [w["name"] for w in tools("list_windows")["windows"] if w["title"] == title], title)[0]


def is_spared(tools, victim, title):
    """The process lives, nothing was said to be done, and the window is there."""
    text = tools.fails("APP_NOT_FOUND", "quit_application", name=f"applications/{victim.pid}", force=True)
    has(text, "nothing was sent to it")
    same(victim.poll(), None, "the innocent process")
    named(tools, title)


def of_others(tools, desktop):
    """The process of that number was killed, and the window, which was to be ended, lived on."""
    with innocent() as victim, bare_client(tools, desktop) as client:
        for machine in (None, "", "other-host.example", os.uname().nodename, "localhost"):
            window = claim(client, "claims", victim.pid, machine)
            same(named(tools, "claims").startswith(OURS + "/"), True, str(machine))
            is_spared(tools, victim, "claims")
            client.destroy(window)
        for number in (0, 1, 2, 0x7FFFFFFF, 0x80000000, MOST):
            window = claim(client, f"claims {number}", number)
            same(named(tools, f"claims {number}").startswith(OURS + "/"), True, str(number))
            client.destroy(window)


def without_vouching(_tools, _desktop):
    """A server without the extension knows no process: a claim names a window of this host, and nothing more."""
    with desktops.Desktop(server=("-extension", "X-Resource")) as desktop, contextlib.closing(Tools(desktop.env)) as tools, \
            innocent() as victim, xclient.Client(desktop.env["DISPLAY"]) as client:
        claim(client, "here", victim.pid, os.uname().nodename)
        claim(client, "elsewhere", victim.pid, "other-host.example")
        claim(client, "absurd", MOST)
        same([named(tools, title).split("/")[1] for title in ("here", "elsewhere", "absurd")], [str(victim.pid), "0", "0"])
        is_spared(tools, victim, "here")
        still_there(tools, client)


def still_there(tools, client):
    """An application that we started may be ended, but a window that claims to be its own is not gone with it."""
    _name, _window, pid = tools.xterm("ours")
    claim(client, "claims ours", pid, asked_to_close=True)  # one that is not would end this test with it
    name = named(tools, "claims ours").partition("/windows/")[0]
    result = tools("quit_application", name=name, force=True)
    same((result["done"], result["forced"]), (False, True))
    has(result["note"], f'process {pid} has ended, but its window "claims ours" is still open')


def look(tools, what):
    for window in tools("list_windows", all_kinds=True)["windows"]:
        bounds = window["bounds"]
        same((window["name"].startswith(OURS + "/"), 0 < bounds["width"] <= 20000, 0 < bounds["height"] <= 20000), (True,) * 3,
             f"{what}: {window}")
    return len(tools.server.faults)


def absurd(tools, desktop):
    count = 0
    for names, values in ((NUMBERS, CARDINALS), (WORDS, TEXTS)):
        for name in names:
            with bare_client(tools, desktop) as client:
                window = client.window("absurd")
                for value in [*values, *([[window], [window, window]] if names == NUMBERS else [])]:
                    if isinstance(value, bytes):
                        client.bytes_property(window, name, XA_STRING, value)
                    else:
                        client.numbers_property(window, name, KINDS.get(name, XA_CARDINAL), value)
                    client.lib.XSync(client.display, False)
                    same(look(tools, f"{name} {value[:5]}"), 0, f"faults at {name}")
                    count += 1
                for listed in tools("list_windows", parent=OURS)["windows"]:
                    tools.result("move_window", name=listed["name"], x=60, y=70)
                    tools.result("capture_window_screenshot", window=listed["name"], inline=False)
    tap.note(f"{count} properties")


run((("a number that a window writes is not its process", of_others),
     ("a server that knows no process vouches for none", without_vouching),
     ("properties that no window can have do no harm", absurd)),
    ("Xvfb", "openbox", "dbus-daemon", "xterm"))
