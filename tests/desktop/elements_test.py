#!/usr/bin/env python3
"""Elements of real applications over AT-SPI: GTK 3, GTK 4 and Qt 5, opened by open_application, which switches
accessibility on."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import png      # noqa: E402
from tools import Tools, has, opened, run, same, until     # noqa: E402


def outline(tools, app, **more):
    return tools("get_ui_tree", application=app, **more)["outline"]


def a_sum_by_buttons(tools, _desktop):
    """GTK 4, whose actions come in any order and which says of nothing that it is shown."""
    with opened(tools, "gnome-calculator") as app:
        until(lambda: 'button "7"' in outline(tools, app), "the buttons")
        for name in ("7", "×", "6", "="):
            result = tools("click_element", application=app, element=f'button "{name}"')
            same(result["effect"] in ("confirmed", "partial"), True, result)    # on a busy machine it may come late
        until(lambda: '"42"' in outline(tools, app), "the result")


def a_text_is_written(tools, desktop):
    """GTK 3: the text goes into the field in one piece, and the saved file has it."""
    path = desktop.folder / "written.txt"
    path.write_text("before\n", encoding="utf-8")
    with opened(tools, "mousepad", files=[str(path)]) as app:
        text = "first line\nПривет 世界 😀\n"
        field = [e for e in tools("find_elements", application=app, role="text")["elements"]][0]["ref"]
        result = tools("write_element_value", application=app, element=field, value=text)
        same(result["effect"], "confirmed", result)
        tools("create_input", action="keys", keys="ctrl+s")
        until(lambda: path.read_text(encoding="utf-8").rstrip("\n") == text.rstrip("\n"), "the file")


def buttons_are_where_they_are_drawn(tools, _desktop):
    """Qt 5 makes no cache, and its bounds are right; a real click at the center of one does what it says."""
    with opened(tools, "featherpad") as app:
        until(lambda: 'button "Find"' in outline(tools, app), "the buttons")
        result = tools("click_element", application=app, element='button "Find"', method="pointer")
        has(result["route"], "pointer")
        until(lambda: any("focused" in each.get("states", ()) for each in tools("find_elements", application=app, role="entry")["elements"]),
              "the focus in the entry of the search bar")


def one_is_pictured(tools, desktop):
    """A screenshot of one element by its ref, and one of a window with a box for each element that takes input."""
    with opened(tools, "gtk3-widget-factory") as app:
        box = tools("find_elements", application=app, selector='checkbox')["elements"][0]
        path = desktop.folder / "element.png"
        shot = tools("capture_element_screenshot", element=box["ref"], path=str(path), padding=3)
        same((shot["element"], shot["window"]), (box["ref"], box["window"]))
        same((shot["width"], shot["height"]), (box["bounds"]["width"] + 6, box["bounds"]["height"] + 6))
        same((shot["origin"]["x"], shot["origin"]["y"]), (box["bounds"]["x"] - 3, box["bounds"]["y"] - 3))
        path = desktop.folder / "annotated.png"
        shot = tools("annotate_screenshot", application=app, path=str(path), selector="checkbox")
        has(shot["elements"], box["ref"])
        same(png.decode(path.read_bytes()).bounds((0xC8, 0x1C, 0x1C), 0) is not None, True, "the first box is drawn")


def one_that_hangs(tools, _desktop):
    """It costs its own call its time; others are answered meanwhile."""
    with opened(tools, "mousepad") as hung, opened(tools, "gnome-calculator") as other:
        pid = int(hung.partition("/")[2])
        os.kill(pid, signal.SIGSTOP)
        try:
            result = tools.result("get_ui_tree", application=hung)
            same(result.get("isError"), True, result["content"][0]["text"][:200])
            has(outline(tools, other), "Calculator")
        finally:
            os.kill(pid, signal.SIGCONT)


def many_calls_to_one_that_hangs(tools, _desktop):
    """They held every thread that reads elements, so that looks at others waited for their time limit."""
    with opened(tools, "mousepad") as hung, opened(tools, "gnome-calculator") as other:
        pid = int(hung.partition("/")[2])
        os.kill(pid, signal.SIGSTOP)
        try:
            calls = [tools.server.post("tools/call", {"name": "get_ui_tree", "arguments": {"application": hung}}) for _ in range(10)]
            has(outline(tools, other), "Calculator")
            same([m["id"] for m in tools.server.early if m.get("id") in calls], [], "answers before that of the other application")
        finally:
            os.kill(pid, signal.SIGCONT)
        for call in calls:
            tools.server.answer(call)


run((("a sum is made by the buttons of gnome-calculator (GTK 4)", a_sum_by_buttons),
     ("a text is written into mousepad (GTK 3)", a_text_is_written),
     ("a button of FeatherPad (Qt 5) is clicked where it is", buttons_are_where_they_are_drawn),
     ("an element is pictured, and boxes are drawn", one_is_pictured),
     ("an application that hangs is told so, others go on", one_that_hangs),
     ("many calls to an application that hangs hold up no other", many_calls_to_one_that_hangs)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gnome-calculator", "featherpad"), lambda desktop: Tools(desktop.env))
