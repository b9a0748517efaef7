#!/usr/bin/python3
"""Says on the session bus what Fcitx 5 says of itself: fcitx_double.py FILE. FILE has its state: 2 is active."""

import pathlib
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  (the version has to be said before)

XML = """<node><interface name="org.fcitx.Fcitx.Controller1">
<method name="State"><arg type="i" direction="out"/></method>
<method name="CurrentInputMethod"><arg type="s" direction="out"/></method>
</interface></node>"""


def main():
    state = pathlib.Path(sys.argv[1])

    def called(_connection, _sender, _path, _interface, method, _parameters, invocation):
        answer = GLib.Variant("(i)", (int(state.read_text()),)) if method == "State" else GLib.Variant("(s)", ("pinyin",))
        invocation.return_value(answer)

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object("/controller", Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], called, None, None)
    Gio.bus_own_name_on_connection(bus, "org.fcitx.Fcitx5", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


main()
