#!/usr/bin/python3
"""A program on the session's bus that answers before it has done what it was called for: dbus_late.py NAME.

It prints "ready", and a line for each call that reaches it. All changes come 0.2 seconds after the answer, but that of Early.
It ends when Deadly is read after it was set.
"""

import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

LATE = 200      # milliseconds
PATH, NAME = "/org/perigee/Late", "org.perigee.Late"
SCENE = """<node>
  <interface name="org.perigee.Late">
    <method name="Echo"><arg name="text" type="s" direction="in"/><arg name="text" type="s" direction="out"/></method>
    <property name="Told" type="s" access="readwrite"/>
    <property name="Untold" type="s" access="readwrite">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/></property>
    <property name="Early" type="s" access="readwrite"/>
    <property name="Invalidated" type="s" access="readwrite">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/></property>
    <property name="Twice" type="s" access="readwrite"/>
    <property name="Amid" type="s" access="readwrite"/>
    <property name="Deadly" type="s" access="readwrite"/>
    <property name="Other" type="s" access="read"/>
  </interface>
  <interface name="org.gtk.Actions">
    <method name="DescribeAll"><arg type="a{s(bgav)}" direction="out"/></method>
    <method name="Describe"><arg type="s" direction="in"/><arg type="(bgav)" direction="out"/></method>
    <method name="Activate"><arg type="s" direction="in"/><arg type="av" direction="in"/><arg type="a{sv}" direction="in"/></method>
    <method name="SetState"><arg type="s" direction="in"/><arg type="v" direction="in"/><arg type="a{sv}" direction="in"/></method>
  </interface>
</node>"""

values = {name: "one" for name in ("Told", "Untold", "Early", "Invalidated", "Twice", "Amid", "Deadly", "Other")}
states = {"told": False, "untold": False}


def say(*words):
    print(*words, flush=True)


class Late:
    def __init__(self, bus):
        self.bus = bus
        scene, actions = Gio.DBusNodeInfo.new_for_xml(SCENE).interfaces
        bus.register_object(PATH, scene, self.called, self.got, self.put)
        bus.register_object(PATH, actions, self.acted, None, None)

    # --- properties ---

    def tell(self, changed, invalidated=()):
        told = {name: GLib.Variant("s", values[name]) for name in changed}
        self.bus.emit_signal(None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                             GLib.Variant("(sa{sv}as)", (NAME, told, list(invalidated))))

    def change(self, name, value):
        values[name] = value
        if name in ("Told", "Twice", "Amid"):
            self.tell([name])
        elif name == "Invalidated":
            self.tell([], [name])

    def put(self, _connection, _sender, _path, _interface, name, value):
        value = value.get_string()
        say("set", name, value)
        if name == "Early":
            values[name] = value
            self.tell([name])
            return True
        if name == "Deadly":
            values[name] = value
            return True
        if name == "Twice":         # a value in between
            self.change(name, "half " + value)
        if name == "Amid":          # among signals of other properties
            for _ in range(50):
                self.tell(["Other"])
        GLib.timeout_add(LATE, self.change, name, value)
        return True

    def got(self, _connection, _sender, _path, _interface, name):
        say("get", name)
        if name == "Deadly" and values[name] != "one":
            os._exit(0)
        return GLib.Variant("s", values[name])

    def called(self, _connection, _sender, _path, _interface, method, parameters, invocation):
        say(method, parameters.print_(False))
        invocation.return_value(parameters)

    # --- actions ---

    def set_state(self, name, value):
        states[name] = value
        if name == "told":
            self.bus.emit_signal(None, PATH, "org.gtk.Actions", "Changed",
                                 GLib.Variant("(asa{sb}a{sv}a{s(bgav)})", ([], {}, {name: GLib.Variant("b", value)}, {})))

    def acted(self, _connection, _sender, _path, _interface, method, parameters, invocation):
        say(method, parameters[0] if parameters.n_children() else "")
        told = {name: (True, "", [GLib.Variant("b", value)]) for name, value in states.items()}
        if method == "DescribeAll":
            invocation.return_value(GLib.Variant("(a{s(bgav)})", (told,)))
        elif method == "Describe":
            invocation.return_value(GLib.Variant("((bgav))", (told[parameters[0]],)))
        else:
            name = parameters[0]
            GLib.timeout_add(LATE, self.set_state, name, parameters[1] if method == "SetState" else not states[name])
            invocation.return_value(None)


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    late = Late(bus)
    Gio.bus_own_name_on_connection(bus, sys.argv[1], Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), None)
    GLib.MainLoop().run()
    del late


main()
