#!/usr/bin/env python3
"""A program that knows DISPLAY alone, as a client's entry may have it: it reads elements, finds the session's bus, and the
bus that the display names."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import server as servers    # noqa: E402
import tap                  # noqa: E402
from tools import has, same, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xprop", "gnome-calculator")


class Session:
    """A desktop with a calculator, and commands that know little of it."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.bare = {"PATH": os.environ["PATH"], "HOME": desktop.env["HOME"], "DISPLAY": desktop.env["DISPLAY"],
                     "PERIGEE_RUNTIME_DIR": str(desktop.folder / "perigee")}

    def run(self, *words, **more):
        done = subprocess.run([servers.PERIGEE, *words], env={**self.bare, **more}, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def tree(self, **more):
        return self.run("call", "--no-user-root", "get_ui_tree", "application=Calculator", **more)

    def checks(self, **more):
        return {check["id"]: check for check in json.loads(self.run("doctor", "--json", **more))["checks"]}


def elements_are_read(session):
    """The engine had no bus: no element was found, in an entry that `install` wrote."""
    has(until(lambda: session.tree() if "button" in session.tree() else None, "the calculator's elements"), "window \"Calculator\"")


def the_bus_is_that_of_the_display(session):
    checks = session.checks()
    same((checks["session_bus"]["status"], checks["accessibility"]["status"]), ("ok", "ok"))
    has(checks["session_bus"]["text"], session.desktop.env["DBUS_SESSION_BUS_ADDRESS"])
    has(checks["session_bus"]["text"], "the environment names none: it is that of process")


def an_empty_address_means_none(session):
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], env=session.desktop.env, check=True)
    checks = session.checks(DBUS_SESSION_BUS_ADDRESS="")
    same((checks["session_bus"]["status"], checks["accessibility"]["status"]), ("warning", "skipped"))
    has(session.tree(DBUS_SESSION_BUS_ADDRESS=""), "no D-Bus session is known")


def the_display_names_the_accessibility_bus(session):
    """As the bus's launcher writes it for applications of other sessions."""
    address = session.checks()["accessibility"]["text"]
    env = session.desktop.env
    for value, part in ((address, "button"), ("unix:path=/nowhere", "no D-Bus session is known"),
                        (f"unixexec:path=touch,argv1={session.desktop.folder}/touched", "no D-Bus session is known")):
        subprocess.run(["xprop", "-root", "-f", "AT_SPI_BUS", "8s", "-set", "AT_SPI_BUS", value], env=env, check=True)
        has(session.tree(DBUS_SESSION_BUS_ADDRESS=""), part)
        has(session.checks(DBUS_SESSION_BUS_ADDRESS="")["accessibility"]["text"], f"{address} (that of the display)" if value == address
            else "not looked at")
    same(os.path.exists(session.desktop.folder / "touched"), False, "a program was started by an address")
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], env=env, check=True)


CASES = [
    ("elements are read", elements_are_read),
    ("the bus is that of the display's session", the_bus_is_that_of_the_display),
    ("an empty address means that there is none", an_empty_address_means_none),
    ("the display names the accessibility bus", the_display_names_the_accessibility_bus),
]


def main():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install test)")
        return
    with desktops.Desktop() as desktop:
        with subprocess.Popen(["gnome-calculator"], env=desktop.env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as calculator:
            session = Session(desktop)
            until(lambda: "Calculator" in session.run("call", "list_windows"), "the calculator's window")
            for title, case in CASES:
                tap.case(title, case, session)
            calculator.kill()
    tap.done()


if __name__ == "__main__":
    main()
