#!/usr/bin/env python3
"""Transactions on a real desktop: windows, fields and the clipboard are as they were, also after the engine was killed. What is
typed counts as what is written, and what was done by keys or the pointer beside that is said."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab import lab                                 # noqa: E402
from tools import Tools, has, run, same, until      # noqa: E402

FORM = """
w, v = Gtk.Window(title="Form"), Gtk.VBox()
w.add(v)
w.set_default_size(400, 300)
def field(name, text, visible=True):
    entry = Gtk.Entry(text=text, visibility=visible)
    entry.get_accessible().set_name(name)
    entry.connect("changed", lambda e: log(name + "=" + e.get_text()))
    v.pack_start(entry, False, False, 0)
    return entry
field("Name", "Ada")
field("Town", "Bern")
field("Twin", "one")
field("Twin", "two")
field("Password", "secret", False)
spin = Gtk.SpinButton(adjustment=Gtk.Adjustment(value=5, upper=100, step_increment=1))
spin.get_accessible().set_name("Count")
spin.connect("value-changed", lambda s: log("Count=%d" % s.get_value()))
v.pack_start(spin, False, False, 0)
area = Gtk.TextView()
area.get_accessible().set_name("Notes")
area.get_buffer().set_text("first\\nsecond")
area.get_buffer().connect("changed", lambda b: log("Notes=" + b.get_text(b.get_start_iter(), b.get_end_iter(), False).replace("\\n", "/")))
v.pack_start(area, True, True, 0)
button = Gtk.Button(label="Press")
button.connect("clicked", lambda _: log("pressed"))
v.pack_start(button, False, False, 0)
w.show_all()
"""


def session(desktop):
    return Tools({**desktop.env, "XDG_STATE_HOME": str(desktop.folder / "state")}, "--toolset", "sessions,desktop,elements,engine")


def begin(tools, name):
    tools("create_session", session_id=name)
    return tools("begin_transaction", session=name)["transaction_id"]


def back(tools, name, transaction):
    return tools("rollback_transaction", name=name, transaction_id=transaction)


def left(result):
    return [(each["what"], each["why"]) for each in result["not_undone"]]


def value_of(tools, it, element):
    return tools("get_element", application=it.app, element=element).get("value")


def place_of(tools, it):
    window = tools("list_windows", parent=it.app)["windows"][0]
    return window["name"], window["bounds"], window["states"] if "states" in window else window


def fields_are_as_they_were(tools, desktop):
    with lab(tools, desktop, FORM) as it:
        transaction = begin(tools, "fields")
        for element, value in (('entry "Name"', "Grace"), ('entry "Name"', "Barbara"), ('"Count"', "17"), ('"Notes"', "all/new")):
            tools("write_element_value", application=it.app, element=element, value=value)
        tools("click_element", application=it.app, element='entry "Town"')
        tools("create_input", action="type", text=" and Zug")
        until(lambda: "Zug" in " ".join(it.log()), "what was typed")
        result = back(tools, "fields", transaction)
        same({name: value_of(tools, it, name) for name in ('entry "Name"', 'entry "Town"', '"Count"', '"Notes"')},
             {'entry "Name"': "Ada", 'entry "Town"': "Bern", '"Count"': "5", '"Notes"': "first\nsecond"}, result)
        tools("delete_session", name="fields")


def what_is_not_known_is_said(tools, desktop):
    with lab(tools, desktop, FORM) as it:
        transaction = begin(tools, "unknown")
        tools("click_element", application=it.app, element='button "Press"')
        tools("click_element", application=it.app, element='"Password"')
        tools("create_input", action="type", text="x")
        tools("create_input", action="keys", keys="ctrl+q")
        tools("write_element_value", application=it.app, element='entry "Name"', value="Grace")
        it.log()
        tools("write_element_value", application=it.app, element='entry "Town"', value="Zug")
        said = left(back(tools, "unknown", transaction))
        same(len(said), 3, said)
        words = "\n".join(f"{what}: {why}" for what, why in said)
        for part in ('button "Press": what the application did with it is not known', "text to the window Form", "the keys ctrl+q"):
            has(words, part)
        same("secret" in words, False)
        same((value_of(tools, it, 'entry "Name"'), value_of(tools, it, 'entry "Town"')), ("Ada", "Bern"))
        tools("delete_session", name="unknown")


def a_killed_engine_leaves_it_to_the_next(tools, desktop):
    """Another engine finds the windows, and the fields by what they are called and hold."""
    with lab(tools, desktop, FORM) as it:
        window, bounds, _ = place_of(tools, it)
        tools("write_clipboard", text="the user's own")
        first = session(desktop)
        try:
            transaction = begin(first, "killed")
            first("move_window", window=window, x=bounds["x"] + 60, y=bounds["y"] + 40)
            first("resize_window", window=window, width=500, height=450)
            for tool in ("maximize_window", "minimize_window", "restore_window"):
                first(tool, window=window)
            for element, value in (('entry "Name"', "Grace"), ('entry "Twin" nth 2', "three")):
                first("write_element_value", application=it.app, element=element, value=value)
            first("write_clipboard", text="the model's")
            os.killpg(first.server.process.pid, signal.SIGKILL)
            first.server.process.wait()
        finally:
            first.close()
        second = session(desktop)
        try:
            same(second("get_session", name="killed", use=True)["transaction_id"], transaction)
            result = back(second, "killed", transaction)
            same(left(result), [])
            same(place_of(second, it)[1], bounds, result)
            same([value_of(second, it, name) for name in ('entry "Name"', 'entry "Twin" nth 1', 'entry "Twin" nth 2')], ["Ada", "one", "two"])
            same(second("get_clipboard")["text"], "the user's own")
            second("delete_session", name="killed")
        finally:
            second.close()


def what_the_user_changed_stays(tools, desktop):
    with lab(tools, desktop, FORM) as it:
        window, bounds, _ = place_of(tools, it)
        user = session(desktop)       # another client, as good as the user's own hands
        try:
            transaction = begin(tools, "user")
            tools("move_window", window=window, x=bounds["x"] + 60, y=bounds["y"] + 40)
            tools("write_element_value", application=it.app, element='entry "Name"', value="Grace")
            tools("write_clipboard", text="the model's")
            user("move_window", window=window, x=bounds["x"] + 10, y=bounds["y"] + 10)
            user("write_element_value", application=it.app, element='entry "Name"', value="Edith")
            user("write_clipboard", text="the user's")
            moved = place_of(tools, it)[1]
            said = dict(left(back(tools, "user", transaction)))
            same(said, {"the clipboard": "something else was copied since", 'entry "Name"': "its value was changed since by something else",
                        next(what for what in said if "window" in what): "it was moved, resized or changed since by something else"})
            same((place_of(tools, it)[1], value_of(tools, it, 'entry "Name"'), tools("get_clipboard")["text"]), (moved, "Edith", "the user's"))
            tools("delete_session", name="user")
        finally:
            user.close()


run((("fields are as they were", fields_are_as_they_were),
     ("a click and keys that did something unknown are told", what_is_not_known_is_said),
     ("a killed engine leaves it to the next one", a_killed_engine_leaves_it_to_the_next),
     ("changes of the user stay", what_the_user_changed_stays)),
    ("Xvfb", "openbox", "dbus-daemon"), session)
