#!/usr/bin/python3
"""Has the accessibility bus's name on the session's bus, and answers nothing, as a launcher on a busy machine. Prints a line when
it has the name. With the system's Python, which has PyGObject."""

from gi.repository import Gio, GLib

LOOP = GLib.MainLoop()


def drop(_connection, message, incoming):
    return None if incoming and message.get_message_type() == Gio.DBusMessageType.METHOD_CALL else message


CONNECTION = Gio.bus_get_sync(Gio.BusType.SESSION)
CONNECTION.add_filter(drop)
Gio.bus_own_name_on_connection(CONNECTION, "org.a11y.Bus", Gio.BusNameOwnerFlags.NONE, lambda *_: print("named", flush=True),
                               lambda *_: LOOP.quit())
LOOP.run()
