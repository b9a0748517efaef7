#!/usr/bin/env python3
"""Titles of windows and names of applications that a result tells beside what its caller asked for: only to callers whom the policy
lets list them without a question."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from kit import Place, call                               # noqa: E402
from desktop import Desktop                               # noqa: E402
from tools import OURS, until                             # noqa: E402
import tap                                                # noqa: E402
import xclient                                            # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "xterm")
LISTS = '{ "list_windows", "list_applications", "create_observation" }'
POLICY = """return { rules = {
  { allow = true, tool = %s, app = "Sentinel*" },
  { deny = "it may not look", tool = %s, caller = { kind = "client", name = "blind" } },
  { ask = "it may look if you like", tool = %s, caller = { kind = "client", name = "asked" } },
  { allow = true, app = "Bare", caller = { kind = "client", name = "only_bare" } },
  { deny = "it is another one", tool = "list_windows", caller = { kind = "client", name = { "only_bare", "only_xterm" } } },
  { allow = true },
} }""" % (LISTS, LISTS, LISTS)
SECRET = "plan nine"


class Session:
    """A client of its own, beside others on the same desktop."""

    def __init__(self, place, client, windows):
        self.server, self.windows, self.place, self.count = place.serve(client=client), windows, place, 0
        until(self.is_told, "a first notice: a session is told from a moment after its first call on")

    def is_told(self):
        self.windows.window("warm-up")
        return "Meanwhile" in self.result("list_displays")

    def result(self, name, /, **arguments):
        return json.dumps(call(self.server, name, arguments)[0])

    def window(self, title=SECRET):
        self.windows.window(title)
        self.result("wait_for", condition="window", window=title, timeout=55, notices=False)

    def noticed(self):
        """All notices up to that of a window that every client may hear of."""
        told, name = [""], ""
        while not name or name not in told[-1]:      # of many notices at once, as on a busy machine, some are only counted
            self.count += 1
            name = f"Sentinel{self.count}x"     # that an earlier one ended is no sign
            with subprocess.Popen(["xterm", "-class", name], env=self.place.env, stderr=subprocess.DEVNULL) as sentinel:
                try:
                    until(lambda: name in told[-1] or told.append(self.result("list_displays")) or "more; call" in told[-1]
                          or sentinel.poll() is not None, "a notice")     # without a terminal of the system's it ends at once
                finally:
                    sentinel.kill()
        return "".join(told)


def a_window_that_opened(session):
    session.windows.window(SECRET)
    return session.noticed()


def a_window_that_closed(session):
    window = session.windows.window(SECRET)
    session.noticed()
    session.windows.destroy(window)
    return session.noticed()


def a_notification(session):
    subprocess.run(["dbus-send", "--session", "--type=method_call", "--dest=org.freedesktop.DBus", "/org/freedesktop/Notifications",
                    "org.freedesktop.Notifications.Notify", "string:x", "uint32:0", "string:", f"string:{SECRET}", "string:x",
                    "array:string:", "dict:string:string:", "int32:-1"], check=True, env=session.place.env)
    return session.noticed()


def since_the_last_input(session):
    session.result("create_input", action="move", x=5, y=5)
    session.windows.window(SECRET)
    session.noticed()       # so it is there, and no result has named it
    return session.result("create_input", action="move", x=6, y=6, notices=False)


def awaited(session):
    session.windows.window(SECRET)
    return session.result("wait_for", condition="window", window=SECRET[:4], timeout=30)


def awaited_after_an_action(session):
    session.window()
    return session.result("create_input", action="move", x=7, y=7, wait={"condition": "popup", "window": SECRET[:4], "timeout": 0})


def a_window_with_such_a_title(session):
    session.window()
    return session.result("focus_window", name=SECRET[2:6])


def windows_with_such_titles(session):
    session.window(SECRET + " a")
    session.window(SECRET + " b")
    return session.result("focus_window", name=SECRET[2:6])


def a_window_by_its_beginning(session):
    session.window()
    return session.result("focus_window", name=SECRET[:4], notices=False)


def running_applications(session):
    """An error lists them."""
    return session.result("image", app="no such application", path="x.png").replace("XTerm", SECRET)


def an_application_with_such_a_name(session):
    return session.result("get_application", name="Ter").replace("XTerm", SECRET)


WAYS = (a_window_that_opened, a_window_that_closed, since_the_last_input, awaited, awaited_after_an_action,
        a_window_with_such_a_title, windows_with_such_titles, a_window_by_its_beginning, a_notification, running_applications, an_application_with_such_a_name)


@contextlib.contextmanager
def desk():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        raise tap.Skip("not installed: " + ", ".join(missing))
    with Desktop() as desktop, Place(POLICY) as place, xclient.Client(desktop.env["DISPLAY"]) as windows, \
            subprocess.Popen(["xterm"], env=desktop.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as terminal:
        try:
            place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
            yield place, windows
        finally:
            terminal.kill()


def tells(place, windows, client, way):
    session = Session(place, client, windows)
    try:
        session.windows.destroy_all()
        said = way(session)
        if "-v" in sys.argv:
            print(client, way.__name__, said)
        return SECRET[:6] in said
    finally:
        windows.destroy_all()
        session.server.kill()


def only_to_those_who_may_list():
    with desk() as (place, windows):
        for way in WAYS:
            told = {client: tells(place, windows, client, way) for client in ("seer", "blind", "asked")}
            assert told == {"seer": True, "blind": False, "asked": False}, (way.__name__, told)


def by_the_application():
    """A caller that may see one application hears of its windows."""
    with desk() as (place, windows):
        for way in (a_window_that_opened, a_window_that_closed):
            for client, wanted in (("only_bare", True), ("only_xterm", False)):
                assert tells(place, windows, client, way) == wanted, (way.__name__, client)


for title, function in (("results tell of windows and applications only those who may list them", only_to_those_who_may_list),
                        ("a rule about one application is about what is told of it", by_the_application)):
    tap.case(title, function)
tap.done()
