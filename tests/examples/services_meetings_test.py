#!/usr/bin/env python3
"""The example service for meetings, on a real desktop with a real notification service."""

import contextlib
import datetime
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import threading
import time
import zoneinfo

from installed import Installed, background, search, tool

import tap
from desktop import Desktop
from tools import same, until

HOLD = "ctrl+super+"
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
PATIENCE = 30       # seconds; only a guard

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Perigee//tests//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
%sEND:VCALENDAR
"""


# --- a calendar, a notification service, a browser -----------------------------------------------------

def event(summary, starts, *more, seconds=3600, uid=None):
    """starts: seconds since 1970; more: lines."""
    shown = datetime.datetime.fromtimestamp(starts, BERLIN).strftime("%Y%m%dT%H%M%S")
    return "\n".join(("BEGIN:VEVENT", f"UID:{uid or summary}", f"SUMMARY:{summary}", f"DTSTART;TZID=Europe/Berlin:{shown}",
                      f"DURATION:PT{seconds}S", *more, "END:VEVENT", ""))


def write(file, *events):
    beside = file.with_suffix(".new")
    beside.write_text((CALENDAR % "".join(events)).replace("\n", "\r\n"), encoding="utf-8", newline="")
    beside.replace(file)


class Dunst:
    """Shows notifications, and prints them."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.process = subprocess.Popen(["dunst", "-print"], env=desktop.env, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        until(lambda: str(self.process.pid) in self.owner().split(), "dunst owns the name")

    def owner(self):
        """The process of who shows notifications. To ask that one itself would have the bus start another."""
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.Notifications"], env=self.desktop.env,
            capture_output=True, text=True, timeout=PATIENCE, check=False).stdout

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def summary(self):
        """Of the next notification."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                name, _, value = self.lines.get(timeout=1).partition(":")
                if name.strip() == "summary":
                    return value.strip().strip("'\"")
        raise tap.Failure(f"no notification in {PATIENCE} s")

    def shown(self):
        return int(tool(self.desktop, "dunstctl", "count", "displayed"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Stage:
    """The calendars, dunst, and a browser that only notes what it shall show."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.folder = pathlib.Path(desktop.env["HOME"], "Calendars")
        self.folder.mkdir()
        self.opened = pathlib.Path(desktop.env["HOME"], "opened")
        browser = pathlib.Path(desktop.env["HOME"], "browser")
        browser.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{self.opened}'\n", encoding="utf-8")
        browser.chmod(0o755)
        self.env = {"BROWSER": str(browser)}
        self.dunst = Dunst(desktop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.dunst.__exit__()
        self.opened.unlink(missing_ok=True)
        shutil.rmtree(self.folder)

    def installed(self, **options):
        return Installed(self.desktop, "meetings", grants=[self.folder], env=self.env, **options)

    def await_opened(self, *urls):
        def opened():
            return self.opened.read_text(encoding="utf-8").splitlines() if self.opened.exists() else []
        until(lambda: opened() == list(urls), f"{urls} are opened")

    def click(self):
        """On the notification, as dunst wants it for an action: with the middle button."""
        window = until(lambda: search(self.desktop, "--class", "dunst"), "its window")[0]
        tool(self.desktop, "xdotool", "mousemove", "--window", str(window), "40", "20", "click", "2")


# --- cases ---------------------------------------------------------------------------------------------

def weekly(desktop):
    """Each week at this time in Berlin, since two weeks."""
    with Stage(desktop) as stage:
        starts = int(time.time()) + 5
        first = datetime.datetime.fromtimestamp(starts, BERLIN) - datetime.timedelta(days=14)    # by the clock in Berlin
        write(stage.folder / "work.ics",
              event("Standup", int(first.timestamp()), "RRULE:FREQ=WEEKLY", "LOCATION:https://meet.example.com/standup?a=1"),
              f"BEGIN:VEVENT\nUID:x\nSUMMARY:All day\nDTSTART;VALUE=DATE:{time.strftime('%Y%m%d')}\nEND:VEVENT\n",
              event("Tomorrow", starts + 86400))
        with stage.installed(BEFORE=2) as service:
            same(stage.dunst.summary(), "Standup")
            assert time.time() > starts - 2.1, "too early"
            service.picture("meetings")
            stage.click()
            stage.await_opened("https://meet.example.com/standup?a=1")
            until(lambda: stage.dunst.shown() == 0, "it disappears")
            service.keys(HOLD + "m")
            stage.await_opened(*["https://meet.example.com/standup?a=1"] * 2)


def changed(desktop):
    """Files that come, change, break and go, and an engine that starts again."""
    with Stage(desktop) as stage, stage.installed(BEFORE=1, QUIET=0.2) as service:
        now = int(time.time())
        first, second = stage.folder / "first.ics", stage.folder / "second.ics"
        write(first, event("Review", now - 60, "URL:https://example.com/review"))
        same(stage.dunst.summary(), "Review")               # it goes on already
        until(lambda: service.store().get("told"), "that it was told of is remembered")
        service.restart()
        (stage.folder / "broken.ics").write_text("<html>", encoding="utf-8")
        service.await_log("broken.ics: the text is not an iCalendar file")
        write(second, event("Lunch", now - 30, "DESCRIPTION:Call us:\\n<https://example.com/lunch>."))
        same(stage.dunst.summary(), "Lunch")                # and not the first one again
        service.keys(HOLD + "m")
        stage.await_opened("https://example.com/lunch")
        write(first, event("Review, later", int(time.time()) + 3, uid="Review"))
        same(stage.dunst.summary(), "Review, later")
        second.unlink()
        write(first, event("", now - 20, uid="nameless"))
        same(stage.dunst.summary(), "Meeting")
        write(first, event("Planning" * 500, now - 10))
        same(stage.dunst.summary()[:16], "PlanningPlanning")
        service.keys(HOLD + "m")
        service.await_log("PlanningPlanning")
        service.await_log(" has no URL")


def sleeping(desktop):
    """The engine is stopped while meetings begin, as a machine that sleeps stops it."""
    for seconds in (3, 15, 60):                             # until then it has to run, which takes long on a busy machine
        with Stage(desktop) as stage:
            begins = int(time.time()) + seconds
            write(stage.folder / "work.ics", event("Short", begins, seconds=1), event("Long", begins), event("Next", begins + 4))
            with stage.installed(BEFORE=0) as service:
                os.kill(service.server.process.pid, signal.SIGSTOP)
                late = time.time() >= begins
                time.sleep(max(begins + 1.2 - time.time(), 0))
                os.kill(service.server.process.pid, signal.SIGCONT)
                if not late:
                    same(stage.dunst.summary(), "Long")     # and not the one that is over
                    same(stage.dunst.summary(), "Next")
                    return
    raise tap.Skip("this machine is too busy")


def main():
    for name in ("Xvfb", "openbox", "dbus-daemon", "dunst", "xdotool"):
        if not shutil.which(name):
            tap.skip("the example service for meetings", f"{name} is not installed (vendor/install test)")
            tap.done()
    with Desktop((520, 280)) as desktop:
        background(desktop)
        tap.case("meetings: a weekly one in another time zone is told of and opened", weekly, desktop)
        tap.case("meetings: calendars that change", changed, desktop)
        tap.case("meetings: a machine that slept", sleeping, desktop)
    tap.done()


if __name__ == "__main__":
    main()
