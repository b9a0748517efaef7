#!/usr/bin/python3
"""An application of one window on the accessibility bus, which tells where else it can be reached: at the address in argv[1].
Prints a line when it is listed. With the system's Python, which has PyGObject."""

import sys

from gi.repository import Gio, GLib

ROOT, WINDOW, NULL = "/org/a11y/atspi/accessible/root", "/org/a11y/atspi/accessible/1", "/org/a11y/atspi/null"
XML = """<node>
<interface name="org.a11y.atspi.Accessible">
<property name="Name" type="s" access="read"/><property name="Description" type="s" access="read"/>
<property name="ChildCount" type="i" access="read"/><property name="Parent" type="(so)" access="read"/>
<method name="GetRole"><arg type="u" direction="out"/></method>
<method name="GetState"><arg type="au" direction="out"/></method>
<method name="GetInterfaces"><arg type="as" direction="out"/></method>
<method name="GetChildren"><arg type="a(so)" direction="out"/></method>
</interface>
<interface name="org.a11y.atspi.Application">
<property name="ToolkitName" type="s" access="read"/><property name="Version" type="s" access="read"/>
<property name="Id" type="i" access="readwrite"/>
<method name="GetApplicationBusAddress"><arg type="s" direction="out"/></method>
</interface></node>"""
SHOWN = 1 << 8 | 1 << 24 | 1 << 25 | 1 << 30        # enabled, sensitive, showing, visible


def main():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1).unpack()[0]
    bus = Gio.DBusConnection.new_for_address_sync(
        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    own = bus.get_unique_name()
    children = {ROOT: [(own, WINDOW)], WINDOW: []}
    answers = {"GetRole": lambda path: ("(u)", (75 if path == ROOT else 23,)), "GetState": lambda _: ("(au)", ([SHOWN, 0],)),
               "GetInterfaces": lambda _: ("(as)", (["org.a11y.atspi.Accessible"],)),
               "GetChildren": lambda path: ("(a(so))", (children[path],)),
               "GetApplicationBusAddress": lambda _: ("(s)", (sys.argv[1],))}
    values = {"Name": lambda path: GLib.Variant("s", "told" if path == ROOT else "the true window"),
              "Description": lambda _: GLib.Variant("s", ""), "Parent": lambda _: GLib.Variant("(so)", (own, NULL)),
              "ChildCount": lambda path: GLib.Variant("i", len(children[path])),
              "ToolkitName": lambda _: GLib.Variant("s", "told"), "Version": lambda _: GLib.Variant("s", "1"),
              "Id": lambda _: GLib.Variant("i", 1)}

    def call(_bus, _sender, path, _interface, method, _args, invocation):
        invocation.return_value(GLib.Variant(*answers[method](path)))

    def get(_bus, _sender, path, _interface, name):
        return values[name](path)
    node = Gio.DBusNodeInfo.new_for_xml(XML)
    for path in children:
        for interface in node.interfaces:
            bus.register_object(path, interface, call, get, None)
    bus.call_sync("org.a11y.atspi.Registry", ROOT, "org.a11y.atspi.Socket", "Embed", GLib.Variant("((so))", ((own, ROOT),)),
                  None, 0, -1)
    print("listed", flush=True)
    GLib.MainLoop().run()


main()
