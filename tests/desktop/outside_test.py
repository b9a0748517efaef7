#!/usr/bin/env python3
"""Names that windows, applications, elements and notifications give themselves reach a model fit for one line of text."""

import contextlib
import os
import re
import subprocess
import sys

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib")
sys.path.insert(0, LIB)

from outside_window import ODD                                  # noqa: E402
from tap import Failure                                         # noqa: E402
from tools import has, run, same, until                         # noqa: E402

HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
                    "\U000e0000-\U000e007f]")


def strings(value, at=""):
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from strings(member, f"{at}.{key}")
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from strings(member, f"{at}[{i}]")


def clean(result, note):
    """No hidden character anywhere, no break of a line in a structured string, and none that begins what a title says."""
    for at, text in strings(result):
        if at.endswith(".data"):
            continue
        found = HIDDEN.search(text)
        if found or "\n" in text and not at.endswith((".text", ".outline")):
            raise Failure(f"{note}{at} holds {found and found[0]!r}: {text!r}")
        for line in text.split("\n"):
            if line.lstrip().startswith(("line2", "e99", "line")):
                raise Failure(f"{note}{at} has a line of the title: {text!r}")


class Window:
    def __init__(self, desktop):
        self.process = subprocess.Popen(["/usr/bin/python3", os.path.join(LIB, "outside_window.py")],
                                        env={**os.environ, **desktop.env}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        same(self.process.stdout.readline(), "shown\n")
        self.app = f"applications/{self.process.pid}"

    def tell(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        same(self.process.stdout.readline(), "done\n")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@contextlib.contextmanager
def shown(tools, desktop):
    window = Window(desktop)
    with contextlib.closing(window):
        window.name = until(lambda: tools("list_windows", parent=window.app)["windows"], "the window")[0]["name"]
        until(lambda: not tools.result("get_ui_tree", application=window.app).get("isError"), "the elements")
        yield window


def managed(desktop):
    """How many windows the window manager lists."""
    listed = subprocess.run(["xprop", "-root", "_NET_CLIENT_LIST"], env={**os.environ, **desktop.env}, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return listed.count("0x")


CALLS = (
    ("list_windows", {}), ("get_window", {"name": "W"}), ("list_applications", {}), ("get_application", {"name": "A"}),
    ("list", {}), ("list", {"item_type": "application_windows", "app": "PID:P", "include_window_details": ["ids", "bounds"]}),
    ("image", {"app": "PID:P", "path": "F/one.png"}), ("image", {"app": "PID:P", "mode": "multi", "return_data": True}),
    ("image", {"app": "PID:P", "window_specifier": {"title": "absent"}}), ("image", {"app": "zzzz"}),
    ("image", {"app": "PID:P", "window_specifier": {"index": 9}}),
    ("capture_window_screenshot", {"window": "W", "inline": False}), ("wait_for", {"condition": "window", "window": "W"}),
    ("wait_for", {"condition": "title", "window": "W", "text": "absent", "timeout": 0}),
    ("wait_for", {"condition": "still", "window": "W", "timeout": 5}),
    ("focus_window", {"name": "W"}), ("move_window", {"name": "W", "x": 30, "y": 40}), ("close_window", {"name": "W"}),
    ("activate_application", {"name": "A"}), ("quit_application", {"name": "A"}), ("get_window", {"name": "red"}),
    ("get_application", {"name": "red"}), ("get_ui_tree", {"application": "A"}),
    ("find_elements", {"application": "A", "role": "checkbox"}), ("annotate_screenshot", {"application": "A", "inline": False}),
    ("get_element", {"application": "A", "element": "button"}), ("click_element", {"application": "A", "element": "checkbox"}),
    ("capture_element_screenshot", {"application": "A", "element": "button", "inline": False}),
    ("handle_dialog", {"application": "A"}), ("select_menu_item", {"application": "A", "path": "x > y"}),
    ("verify", {"predicates": [{"window": "red", "condition": "gone"}, {"element": "checkbox", "condition": "unchecked"}],
                "application": "A"}),
    ("list_inputs", {}),
)


def every_answer(tools, desktop):
    with shown(tools, desktop) as window:
        values = {"W": window.name, "A": window.app}

        def filled(value):
            if isinstance(value, str):
                return values.get(value, value.replace("PID:P", f"PID:{window.process.pid}").replace("F/", f"{desktop.folder}/"))
            return value

        for name, arguments in CALLS:
            result = tools.result(name, **{key: filled(value) for key, value in arguments.items()})
            clean(result, f"{name} {arguments}: ")
        window.tell("dialog")
        clean(tools.result("close_window", name=window.name), "close_window with a dialog: ")
        clean(tools.result("quit_application", name=window.app), "quit_application with a dialog: ")


def input_and_pictures(tools, desktop):
    """Effects of input, and the refusals of pictures that are out of date."""
    with shown(tools, desktop) as window:
        picture = tools("capture_window_screenshot", window=window.name, inline=False)["image_id"]
        tools("resize_window", name=window.name, width=500, height=400)
        clean(tools.result("create_input", action="click", x=5, y=5, image_id=picture), "an image of another size: ")
        picture = tools("capture_window_screenshot", window=window.name, inline=False)["image_id"]
        tools("create_input", action="move", x=710, y=500)
        window.tell("dialog")
        # Not by a tool, which would have told of it, nor by input, during which it would be an effect of that.
        until(lambda: managed(desktop) > 1, "the dialog")
        result = tools.result("create_input", action="move", x=700, y=500)
        same(bool(result["structuredContent"].get("late_effects")), True, result)
        clean(result, "late effects: ")
        clean(tools.result("create_input", action="click", x=50, y=50, image_id=picture), "a covered window: ")
        tools("minimize_window", name=window.name)
        clean(tools.result("create_input", action="click", x=5, y=5, image_id=picture), "a minimized window: ")
        clean(tools.result("capture_window_screenshot", window=window.name), "a minimized window: ")


def observations(tools, desktop):
    names = [tools("create_observation", what=what)["name"] for what in ("windows", "applications")]
    with shown(tools, desktop) as window:
        names += [tools("create_observation", what=what, application=window.app)["name"] for what in ("tree", "attributes")]
        window.tell("dialog")
        window.tell("title")
        tools("click_element", application=window.app, element="checkbox")
        until(lambda: tools("get_observation", name=names[2])["events"], "an element that came")
        until(lambda: [e for e in tools("get_observation", name=names[3])["events"] if "checked" in e["changed"]], "the check")
        window.tell("closed")
        until(lambda: [e for e in tools("get_observation", name=names[0])["events"] if e["event"] == "window_closed"], "the events")
    until(lambda: [e for e in tools("get_observation", name=names[1])["events"] if e["event"] == "application_exited"], "its end")
    changes = [e for e in tools("get_observation", name=names[3])["events"] if e["role"] == "checkbox"]
    same([(e["changed"], e.get("set"), e.get("lost")) for e in changes if "checked" in e["changed"]], [(["checked"], ["checked"], None)])
    for name in names:
        result = tools.result("get_observation", name=name)
        same(bool(result["structuredContent"]["events"]), True, result)
        clean(result, f"{name}: ")
    seen = [e["event"] for e in tools("get_observation", name=names[0])["events"]]
    same({"window_opened", "window_titled", "window_closed"} - set(seen), set(), seen)


def notifications(tools, desktop):
    name = tools("create_observation", what="notifications")["name"]
    subprocess.run(["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--type=method_call", "/org/freedesktop/Notifications",
                    "org.freedesktop.Notifications.Notify", f"string:{ODD}", "uint32:0", "string:", f"string:{ODD}",
                    f"string:{ODD}", "array:string:", "dict:string:string:", "int32:-1"],
                   env={**os.environ, **desktop.env}, check=True)
    result = tools.result("get_observation", name=name, wait=20)
    same([e["event"] for e in result["structuredContent"]["events"]], ["notification"], result)
    clean(result, "notifications: ")
    has(result["content"][0]["text"], "odd [31mred")


def by_either_title(tools, desktop):
    """The title as the window has it, and as an answer shows it, both name the window."""
    with shown(tools, desktop) as window:
        title = tools("get_window", name=window.name)["title"]
        same(HIDDEN.search(title), None, title)
        for wanted in (title, ODD, title.upper()):
            same(tools("get_window", name=wanted)["name"], window.name)
            same(tools("wait_for", condition="title", window=wanted, text=wanted)["window"], window.name)
        for wanted in (title, ODD, title[5:25]):
            saved = tools("image", app=f"PID:{window.process.pid}", window_specifier={"title": wanted},
                          path=str(desktop.folder / "titled.png"))["saved_files"]
            same([file["window_title"] for file in saved], [title])


run((("no answer holds what nobody sees, or a line of a title", every_answer),
     ("effects of input and refusals of pictures", input_and_pictures),
     ("events of windows, applications and elements", observations),
     ("a notification", notifications),
     ("a window is found by its title and by what is shown of it", by_either_title)),
    ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "xprop"))
