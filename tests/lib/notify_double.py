#!/usr/bin/python3
"""A notification service with a field for replies, as that of Plasma, and without buttons: notify_double.py REPLY|plain. It
prints a line when it has its name. To each notification of the first kind it replies at once, and closes it."""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
XML = """<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method></interface></node>"""


def main():
    reply = sys.argv[1]
    can = ["inline-reply", "actions"] if reply != "plain" else []
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)

    def tell(sender, member, signature, *values):
        bus.emit_signal(sender, PATH, NAME, member, GLib.Variant(signature, values))

    def called(_bus, sender, _path, _interface, method, parameters, invocation):
        if method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (can,)))
        elif method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", ("double", "tests", "1", "1.2")))
        elif method == "Notify":
            _app, _replaces, _icon, title, text, actions, hints, _timeout = parameters.unpack()
            print(title, text, actions, hints.get("x-kde-reply-placeholder-text"), flush=True)
            invocation.return_value(GLib.Variant("(u)", (4294967295,)))
            if "inline-reply" in actions:
                tell(None, "NotificationReplied", "(us)", 7, "of another")
                tell(sender, "NotificationReplied", "(us)", 4294967295, reply)     # to one receiver, as GNOME's
                tell(None, "NotificationClosed", "(uu)", 4294967295, 2)
        else:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", "there is none")

    bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], called, None, None)
    Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
    GLib.MainLoop().run()


main()
