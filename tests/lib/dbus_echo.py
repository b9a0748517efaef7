#!/usr/bin/python3
"""A D-Bus service that returns what it gets: dbus_echo.py ADDRESS NAME. It prints a line when it has its name.

Each method takes what it returns. "Fail" fails, and "Never" never returns.
"""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

METHODS = {
    "Numbers": list("bynqiuxtd"), "Strings": list("sog"), "Lists": ["as", "a(ib)", "(i(ss))"], "Words": ["a{sv}"],
    "Other": ["a{us}"], "Any": ["v"], "Fail": [], "Never": [],
}


def interface():
    def arguments(types):
        return "".join(f'<arg type="{one}" direction="{way}"/>' for way in ("in", "out") for one in types)
    methods = "".join(f'<method name="{name}">{arguments(types)}</method>' for name, types in METHODS.items())
    return Gio.DBusNodeInfo.new_for_xml(f'<node><interface name="test.Echo">{methods}</interface></node>').interfaces[0]


def called(_connection, _sender, _path, _interface, method, parameters, invocation):
    if method == "Fail":
        invocation.return_dbus_error("test.Echo.Failed", "as it should")
    elif method != "Never":
        invocation.return_value(parameters)


def main():
    address, name = sys.argv[1:3]
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    bus.register_object("/test/echo", interface(), called, None, None)
    Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
    GLib.MainLoop().run()


main()
