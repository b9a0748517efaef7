#!/usr/bin/env python3
"""sys.notify with real notification services and real clicks: dunst, and that of Xfce, which has buttons. The service with a
field for replies is a double, because Plasma's does not run without Plasma."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
import server as servers        # noqa: E402
from desktop import frame_buffer, settled_frame     # noqa: E402
from script import SAY, bare_bus, running                # noqa: E402
from tap import Skip            # noqa: E402
from tools import PATIENCE, Tools, has, run, same, until     # noqa: E402

XFCE = "/usr/lib/{}-linux-gnu/xfce4/notifyd/xfce4-notifyd".format(os.uname().machine)
DOUBLE = str(applications.HERE / "notify_double.py")
NOTIFY_TOOL = applications.HERE / "notify_tool.lua"

HEAD = '\nlocal json, notify, time = require "sys.json", require "sys.notify", require "sys.time"' + SAY


def owner(desktop):
    """The service that shows notifications now, started by nobody."""
    done = subprocess.run(["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                           "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Notifications"], env=desktop.env,
                          check=True, stdout=subprocess.PIPE)
    return b"true" in done.stdout


@contextlib.contextmanager
def service(desktop, *argv):
    until(lambda: not owner(desktop), "the end of the last service")
    with applications.program(desktop, *argv) as process:
        until(lambda: owner(desktop), argv[0])
        yield process
    until(lambda: not owner(desktop), "its end")


def place(desktop, name):
    """Where the only window of this class is, in pixels."""
    def look():
        done = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", name, "getwindowgeometry"], env=desktop.env,
                              check=False, stdout=subprocess.PIPE, text=True)
        found = re.search(r"Position: (\d+),(\d+).*\n.*Geometry: (\d+)x(\d+)", done.stdout)
        return found and tuple(int(each) for each in found.groups())
    return until(look, f"a window of {name}")


def click(desktop, x, y, button=1):
    settled_frame(desktop.folder, 5)     # it is drawn, and takes clicks
    subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", str(button)], env=desktop.env, check=True)


def nothing_shows_them(_tools, desktop):
    with bare_bus(desktop, "bare") as address:
        with running(desktop, HEAD + 'say(notify.show { title = "x" }) say(notify.capabilities())',
                     DBUS_SESSION_BUS_ADDRESS=address) as script:
            _, message, code = json.loads(script.line())
            same(code, "no_notifications")
            has(message, "Start a notification service in this session, for example dunst")
            same(json.loads(script.line())[2], "no_notifications")
    with running(desktop, HEAD + 'say(notify.show { title = "x" })', DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere") as script:
        same(json.loads(script.line())[2], "no_notifications")


def one_that_is_shown(_tools, desktop):
    """It is on the screen, with its words as they are, and its end is told."""
    empty = settled_frame(desktop.folder, 5)
    with service(desktop, "dunst"), running(desktop, HEAD + """
            local shown = assert(notify.show { title = "Build <b>", text = "a & b", urgency = "critical" })
            say(tonumber(shown.id) > 0, #shown.ignored)
            say(shown:next(0.1))
            say(shown:update { title = "Rebuilt" })
            say(shown:close())
            say(shown:close())
            say(shown:next(1))
            say(notify.show({ title = "short", timeout = 0.3 }):next(20))
            say(notify.show({ title = "x", reply = true }))
            say(select(3, notify.show { title = "x", image = "/nowhere.png" }), select(3, notify.show { title = "x", icon = "/" }))
            say(notify.capabilities().buttons)""") as script:
        same(json.loads(script.line()), [True, 0])
        same(json.loads(script.line())[2], "timeout")
        script.says("[true]")
        same(json.loads(script.line())[0], True)
        same(json.loads(script.line())[2], "closed")
        same(json.loads(script.line())[2], "closed")
        same(json.loads(script.line()), [{"what": "closed", "reason": "expired"}])
        same(json.loads(script.line())[2], "not_supported")
        script.says('["not_found","not_found"]', "[true]")
        same(script.ends(), "")
    until(lambda: frame_buffer(desktop.folder) == empty, "an empty screen")


def clicks(_tools, desktop):
    """With dunst the left button dismisses, and the middle one does what a click means."""
    text = HEAD + """
        local shown = assert(notify.show { title = "click me", timeout = 0 })
        print "shown"
        say(shown:next(20))
        say(shown:next(20))"""
    with service(desktop, "dunst"):
        for button, wanted in ((2, [{"what": "clicked"}]), (1, [{"what": "closed", "reason": "dismissed"}])):
            with running(desktop, text) as script:
                script.says("shown")
                x, y, _, _ = place(desktop, "dunst")
                click(desktop, x + 20, y + 20, button)
                same(json.loads(script.line()), wanted)
                last = json.loads(script.line())
                same(last[2] if last[0] is None else last[0]["what"], "closed")


def a_function(_tools, desktop):
    """The script goes on until the notification is gone; one that is stopped takes it along."""
    with service(desktop, "dunst"), running(desktop, HEAD + """
            local count = 0
            local handle = assert(notify.show({ title = "stay", timeout = 0 }, function(event)
              count = count + 1
              say(event)
              if event.what == "clicked" then error "as it should" end
            end))
            say(handle:runs(), handle.id ~= nil)
            time.after(0.1, function() say(handle:update { text = "more" }) end)""") as script:
        script.says("[true,true]", "[true]")
        x, y, _, _ = place(desktop, "dunst")
        click(desktop, x + 20, y + 20, 2)
        said = script.ends()
        has(said, '[{"what":"clicked"}]\n')
        has(said, "as it should")
        with running(desktop, HEAD + """
                local handle = assert(notify.show({ title = "stopped", timeout = 0 }, say))
                print "shown"
                time.after(0.2, function() handle:stop() print "stopped" end)""") as other:
            other.says("shown", "stopped")
            same(other.ends(), "")
        counted = subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=True, stdout=subprocess.PIPE)
        same(counted.stdout.strip(), b"0")


def a_service_that_dies(_tools, desktop):
    with service(desktop, "dunst") as process, running(desktop, HEAD + """
            local shown = assert(notify.show { title = "x", timeout = 0 })
            print "shown"
            say(shown:next(20))
            say(shown:next(1))""") as script:
        script.says("shown")
        process.kill()
        same(json.loads(script.line()), [{"what": "closed", "reason": "lost"}])
        same(json.loads(script.line())[2], "closed")


def buttons(_tools, desktop):
    if not os.access(XFCE, os.X_OK):
        raise Skip("xfce4-notifyd is not installed (vendor/install test)")
    with service(desktop, XFCE), running(desktop, HEAD + """
            local shown = assert(notify.show { title = "Deploy?", text = "a < b", buttons = { "Yes", "No" }, timeout = 0 })
            print "shown"
            say(shown:next(20))
            say(shown:next(20))""") as script:
        script.says("shown")
        x, y, width, height = place(desktop, "xfce4-notifyd")
        click(desktop, x + width - 55, y + height - 30)      # the right one of two, and there is no third for the click itself
        same(json.loads(script.line()), [{"what": "button", "button": "No", "index": 2}])
        same(json.loads(script.line()), [{"what": "closed", "reason": "dismissed"}])


def the_sign_of_a_recording(_tools, desktop):
    """Its button ends the recording, and the click on it is no step."""
    if not os.access(XFCE, os.X_OK):
        raise Skip("xfce4-notifyd is not installed (vendor/install test)")
    with service(desktop, XFCE):
        process = subprocess.Popen([servers.PERIGEE, "record", "signed", "--no-user-root", "--root", str(desktop.folder)],
                                   env=desktop.env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            x, y, width, height = place(desktop, "xfce4-notifyd")
            click(desktop, x + width - 55, y + height - 30)
            said = process.communicate(timeout=PATIENCE)[1]
        finally:
            process.kill()
        same("shows no notification" in said, False, said)
        has(said, "Nothing was recorded")
        same(process.returncode, 1)


@contextlib.contextmanager
def double(desktop, address, reply):
    """A service that replies so; yields what reads its lines."""
    log = desktop.folder / "double.log"
    with open(log, "wb") as out:
        process = subprocess.Popen(["/usr/bin/python3", DOUBLE, reply], stdout=out, stderr=out,
                                   env=dict(desktop.env, DBUS_SESSION_BUS_ADDRESS=address))
    try:
        until(lambda: log.read_text().startswith("ready\n"), "the double")
        yield lambda: log.read_text().splitlines()[1:]
    finally:
        process.kill()
        process.wait()


def replies(_tools, desktop):
    with bare_bus(desktop, "replies") as address:
        with double(desktop, address, "I will") as told, running(desktop, HEAD + """
                local shown = assert(notify.show { title = "Mail", text = "a & b", reply = "Answer" })
                say(shown:next(20)) say(shown:next(20))""", DBUS_SESSION_BUS_ADDRESS=address) as script:
            same(json.loads(script.line()), [{"what": "reply", "text": "I will"}])
            same(json.loads(script.line()), [{"what": "closed", "reason": "dismissed"}])
            same(told(), ["Mail a & b ['default', '', 'inline-reply', 'Reply'] Answer"])
        with double(desktop, address, "plain") as told, running(desktop, HEAD + """
                say(select(3, notify.show { title = "x", reply = true }))
                say(select(3, notify.show { title = "x", buttons = { "y" } }))
                say(notify.show { title = "Mail", icon = "x", text = "a" }.ignored)
                say(notify.capabilities())""", DBUS_SESSION_BUS_ADDRESS=address) as script:
            script.says('["not_supported"]', '["not_supported"]', '[["text","icon"]]')
            same(json.loads(script.line()), [{"service": "double 1", "buttons": False, "reply": False, "images": False,
                                              "stays": False}])
            same(told(), ["Mail a [] None"])


def tools_and_dry_runs(_tools, desktop):
    """A tool ends with its call: it shows a notification, and a function has no time. A dry run shows nothing."""
    folder = desktop.folder / "root" / "tools" / "mine"
    folder.mkdir(parents=True)
    shutil.copy(NOTIFY_TOOL, folder / "tell.lua")
    with service(desktop, "dunst"):
        with contextlib.closing(Tools(desktop.env, "--root", str(folder.parent.parent))) as tools:
            result = tools("tell")
            same((result["code"], int(result["id"]) > 0), ("not_lasting", True))
        counted = subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=True, stdout=subprocess.PIPE)
        same(counted.stdout.strip(), b"1")
        with running(desktop, HEAD + 'say(select(3, notify.show { title = "x" })) '
                     'say(select(3, require("sys.menu").new { title = "x" }))', "--dry-run") as script:
            script.says('["dry_run"]', '["dry_run"]')
        counted = subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=True, stdout=subprocess.PIPE)
        same(counted.stdout.strip(), b"1")
    with running(desktop, HEAD + 'say(select(3, notify.show { title = "x" })) '
                 'say(select(3, require("sys.menu").new { title = "x" }))', PERIGEE_DESKTOP="fake") as script:
        script.says('["not_supported"]', '["not_supported"]')


def wrong_options(_tools, desktop):
    for options, part in (('{ titel = "x" }', "did you mean title?"), ("{}", "'title' is missing"), ('"x"', "table of options"),
                          ('{ title = "x", buttons = { 1 } }', "list of labels"), ('{ title = "x", image = "a" }', "absolute path"),
                          ('{ title = "x", timeout = -1 }', "0 to 86400"), ('{ title = "x", urgency = "high" }', '"critical"'),
                          ('{ title = "\\xff" }', "UTF-8"), ('{ title = "x" }, 1', "expected a function")):
        with running(desktop, HEAD + f"local ok, err = pcall(function() notify.show({options}) end) say(ok, err)") as script:
            ok, message = json.loads(script.line())
            same(ok, False, options)
            has(message, part)
            has(message, ".lua:9: ")


CASES = [("where nothing shows notifications, the message says what to do", nothing_shows_them),
         ("a notification is shown, replaced, closed and expires", one_that_is_shown),
         ("clicks are told", clicks),
         ("a function is called until the notification is gone", a_function),
         ("a service that dies is told", a_service_that_dies),
         ("buttons are told by their labels", buttons),
         ("the sign of a recording has a button that ends it", the_sign_of_a_recording),
         ("a reply is told where the service has a field for it", replies),
         ("tools, dry runs and the desktop in memory", tools_and_dry_runs),
         ("wrong options raise where the script called", wrong_options)]

if __name__ == "__main__":
    run(CASES, ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "dunst", "xdotool"))
