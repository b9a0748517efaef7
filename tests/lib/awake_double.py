#!/usr/bin/python3
"""The services that keep a session awake and lock it: awake_double.py saver|keeper|refuses. "saver" is a screen saver that takes
a moment to lock, "keeper" a power manager, "refuses" a screen saver that neither keeps awake nor locks. It prints what it is
asked, and which callers have gone."""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

INHIBIT = """<method name="Inhibit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="u" direction="out"/>
</method><method name="UnInhibit"><arg type="u" direction="in"/></method>"""
LOCK = """<method name="Lock"/><method name="GetActive"><arg type="b" direction="out"/></method>
<signal name="ActiveChanged"><arg type="b"/></signal>"""
SERVICES = {
    "saver": ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", INHIBIT + LOCK),
    "refuses": ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", INHIBIT + LOCK),
    "keeper": ("org.freedesktop.PowerManagement", "/org/freedesktop/PowerManagement/Inhibit", "org.freedesktop.PowerManagement.Inhibit",
               INHIBIT),
}


def main():
    kind = sys.argv[1]
    name, path, interface, methods = SERVICES[kind]
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    state = {"active": False, "cookie": 0}

    def say(*words):
        print(kind, *words, flush=True)

    def lock():
        state["active"] = True
        bus.emit_signal(None, path, interface, "ActiveChanged", GLib.Variant("(b)", (True,)))

    def gone(*_):
        say("lost its caller")

    def called(_bus, sender, _path, _interface, method, parameters, invocation):
        if kind == "refuses":
            invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", "no, thank you")
        elif method == "Inhibit":
            state["cookie"] += 1
            say("keeps", state["cookie"], *parameters.unpack())
            Gio.bus_watch_name_on_connection(bus, sender, Gio.BusNameWatcherFlags.NONE, None, gone)
            invocation.return_value(GLib.Variant("(u)", (state["cookie"],)))
        elif method == "UnInhibit":
            say("releases", *parameters.unpack())
            invocation.return_value(None)
        elif method == "Lock":
            say("locks")
            invocation.return_value(None)
            GLib.timeout_add(50, lock)
        else:
            invocation.return_value(GLib.Variant("(b)", (state["active"],)))

    xml = f'<node><interface name="{interface}">{methods}</interface></node>'
    bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], called, None, None)
    Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, lambda *_: say("is ready"), None)
    GLib.MainLoop().run()


main()
