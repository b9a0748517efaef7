#!/usr/bin/python3
"""Players with MPRIS that do what the first argument says: mpris_double.py JSON, a list of players with

    name      behind org.mpris.MediaPlayer2.
    identity, entry  as users see it; ID of its desktop entry
    state     Playing, Paused or Stopped
    tracks    [{title, artist: [...], album, length: seconds}, ...]; the first one is the current one
    cannot    ["CanGoNext", ...]: these properties are false
    ignores   true: it answers, and does nothing
    refuses   true: it answers with an error
    silent    true: it tells of no change
    quits     true: it ends with Stop, without an answer
    leaves    true: it answers Stop, and ends then

Prints "ready" when all have their names, and a line for each order: NAME METHOD. With the system's Python, which has PyGObject."""

import json
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

PATH, ROOT, PLAYER = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player"
CANS = ("CanControl", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious")
XML = """<node>
<interface name="org.mpris.MediaPlayer2"><property name="Identity" type="s" access="read"/>
<property name="DesktopEntry" type="s" access="read"/></interface>
<interface name="org.mpris.MediaPlayer2.Player"><property name="PlaybackStatus" type="s" access="read"/>
<property name="Metadata" type="a{sv}" access="read"/><property name="Position" type="x" access="read"/>%s%s
<signal name="Seeked"><arg type="x"/></signal></interface></node>""" % (
    "".join(f'<property name="{name}" type="b" access="read"/>' for name in CANS),
    "".join(f'<method name="{name}"/>' for name in ("Play", "Pause", "PlayPause", "Next", "Previous", "Stop")))


class Player:
    """Each has a connection of its own, as programs have."""

    def __init__(self, given):
        self.given, self.place, self.state, self.position = given, 0, given.get("state", "Stopped"), 2500000
        self.bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
            self.bus.register_object(PATH, interface, self.called, self.read, None)
        self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                           GLib.Variant("(su)", (f"{ROOT}.{given['name']}", 4)), None, 0, -1)

    def metadata(self):
        if not self.given.get("tracks"):
            return GLib.Variant("a{sv}", {})
        track = self.given["tracks"][self.place]
        values = {"mpris:trackid": GLib.Variant("o", f"/track/{self.place}"), "xesam:title": GLib.Variant("s", track["title"])}
        if "artist" in track:
            values["xesam:artist"] = GLib.Variant("as", track["artist"])
        if "album" in track:
            values["xesam:album"] = GLib.Variant("s", track["album"])
        if "length" in track:
            values["mpris:length"] = GLib.Variant("x", track["length"] * 1000000)
        return GLib.Variant("a{sv}", values)

    def read(self, _bus, _sender, _path, _interface, name):
        if name in CANS:
            return GLib.Variant("b", name not in self.given.get("cannot", ()))
        return {"Identity": lambda: GLib.Variant("s", self.given.get("identity", self.given["name"])),
                "DesktopEntry": lambda: GLib.Variant("s", self.given.get("entry", "")),
                "PlaybackStatus": lambda: GLib.Variant("s", self.state), "Metadata": self.metadata,
                "Position": lambda: GLib.Variant("x", self.position)}[name]()

    def called(self, _bus, _sender, _path, _interface, method, _parameters, invocation):
        print(self.given["name"], method, flush=True)
        if self.given.get("refuses"):
            invocation.return_dbus_error("org.mpris.MediaPlayer2.Error.No", "not today")
            return
        if self.given.get("quits") and method == "Stop":
            self.bus.close_sync()
            return
        invocation.return_value(None)
        if not self.given.get("ignores"):
            GLib.idle_add(self.do, method)      # as players do: the answer comes first

    def do(self, method):
        step = {"Next": 1, "Previous": -1}.get(method, 0)
        last = len(self.given.get("tracks", ())) - 1
        if self.given.get("leaves") and method == "Stop":
            self.bus.close_sync()
            return
        if step and 0 <= self.place + step <= last:
            self.place, self.position = self.place + step, 0
        elif method == "Previous":
            self.position = 0
        elif method in ("Next", "Stop"):
            self.state = "Stopped"
        elif not step:
            self.state = "Paused" if method == "Pause" or method == "PlayPause" and self.state == "Playing" else "Playing"
        if not self.given.get("silent"):
            changed = {"PlaybackStatus": GLib.Variant("s", self.state), "Metadata": self.metadata()}
            self.bus.emit_signal(None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                 GLib.Variant("(sa{sv}as)", (PLAYER, changed, [])))
            self.bus.emit_signal(None, PATH, PLAYER, "Seeked", GLib.Variant("(x)", (self.position,)))


def main():
    _players = [Player(given) for given in json.loads(sys.argv[1])]
    print("ready", flush=True)
    GLib.MainLoop().run()


main()
