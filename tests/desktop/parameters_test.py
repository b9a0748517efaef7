#!/usr/bin/env python3
"""Every tool for applications, windows and elements takes these as `application`, `window` and `element`, and those that had other names
for them take those as well: on the desktop in memory and on a real one."""

import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications         # noqa: E402
import server as servers    # noqa: E402
import tap                  # noqa: E402
from tools import PATIENCE, Tools, has, run, same, until     # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "/usr/bin/python3")
APPLICATIONS = {"open_application", "get_application", "delete_application", "activate_application", "quit_application"}
WINDOWS = {"get_window", "focus_window", "move_window", "resize_window", "minimize_window", "restore_window", "maximize_window",
           "fullscreen_window", "close_window"}
ELEMENTS = {"find_elements", "find_region_elements", "get_element", "click_element", "write_element_value", "perform_element_action"}
# The parameters that have another name.
OTHERS = {**{name: ("application", "name") for name in APPLICATIONS}, **{name: ("window", "name") for name in WINDOWS},
          "list_windows": ("application", "parent")}


class Called:
    """Calls that succeed, and the tools that were called so. `old`: by the other names, where there is one."""

    def __init__(self, tools, old):
        self.tools, self.old, self.names = tools, old, set()

    def __call__(self, name, /, **arguments):
        own, other = OTHERS.get(name, (None, None))
        if self.old and own:
            arguments[other] = arguments.pop(own)
        self.names.add(name)
        return self.tools(name, **arguments)


def applications_and_windows(call, program):
    """Calls those tools for a program that is not running yet. Returns the names of the application and of its window."""
    opened = call("open_application", wait=PATIENCE, **program)
    application, window = opened["application"]["name"], opened["window"]
    same(call("get_application", application=application)["name"], application)
    same([each["name"] for each in call("list_windows", application=application)["windows"]], [window])
    same(call("activate_application", application=application)["window"], window)
    same(call("get_window", window=window)["application"], application)
    same(call("focus_window", window=window)["focused"], True)
    call("resize_window", window=window, width=500, height=400)
    same(call("move_window", window=window, x=100, y=90)["after"]["x"], 100)
    for name, states in (("minimize_window", ["minimized"]), ("restore_window", []), ("maximize_window", ["maximized"]),
                         ("restore_window", []), ("fullscreen_window", ["fullscreen"]), ("restore_window", [])):
        same(call(name, window=window)["states"], states, name)
    return application, window


def the_end(call, program, application):
    call("delete_application", application=application)
    call("quit_application", application=application, force=True)
    call("close_window", window=call("open_application", wait=PATIENCE, **program)["window"])


def elements(call, application, window, field, button):
    found = call("find_elements", application=application, window=window, selector=field)["elements"]
    element = found[0]["ref"]
    same(call("find_elements", window=window, selector=field)["elements"], found)
    region = call("find_region_elements", application=application, window=window, **found[0]["bounds"])["elements"]
    same(element in [each["ref"] for each in region], True)
    same(call("get_element", element=element, application=application)["ref"], element)
    same(call("write_element_value", element=element, application=application, value="words")["effect"], "confirmed")
    same(call("get_element", element=element, window=window)["value"], "words")
    call("click_element", element=element, application=application)
    action = call("get_element", element=button, window=window)["actions"][0]
    same(call("perform_element_action", element=button, window=window, action=action)["effect"] in ("confirmed", "partial"), True)


def whole(call):
    same(call.names, APPLICATIONS | WINDOWS | ELEMENTS | {"list_windows"})


def in_memory(old):
    with contextlib.closing(Tools({**os.environ, "PERIGEE_DESKTOP": "fake"})) as tools:
        call, program = Called(tools, old), {"application": "org.perigee.Calculator"}
        application, _ = applications_and_windows(call, program)
        elements(call, "Text Editor", "notes.txt", "text", 'button "Save"')
        the_end(call, program, application)
        whole(call)


def on_a_desktop(old):
    def case(tools, desktop):
        call, form = Called(tools, old), [str(applications.HERE / "form_window.py"), "a form", str(desktop.folder / "form.json")]
        program = {"application": "/usr/bin/python3", "arguments": form, "new": True}
        application, window = applications_and_windows(call, program)
        until(lambda: not tools.result("get_ui_tree", window=window, source="tree").get("isError"), "the elements")
        elements(call, application, window, 'entry "Entry"', 'checkbox "Cleared"')
        the_end(call, program, application)
        whole(call)
    return case


# --- what goes wrong -------------------------------------------------------------------------

def refused(tools, name, arguments):
    return tools.server.call(name, arguments)["result"]["content"][0]["text"]


def wrong_ones():
    with contextlib.closing(Tools({**os.environ, "PERIGEE_DESKTOP": "fake"})) as tools:
        for name, (own, other) in OTHERS.items():
            more = {"move_window": {"x": 1, "y": 1}, "resize_window": {"width": 50, "height": 50}}.get(name, {})
            if own != "application" or name != "list_windows":
                has(refused(tools, name, {**more}), f'missing required property "{own}" (or "{other}")')
            has(refused(tools, name, {own: "a", other: "b", **more}),
                f'{own} is "a" and {other} is "b", but both name the same parameter. Pass only {own}')
            has(refused(tools, name, {own: "a", "foo": 1, **more}), f"{own} or {other}")
            alone, both = refused(tools, name, {own: "zzz", **more}), refused(tools, name, {own: "zzz", other: "zzz", **more})
            same(both, alone, name)
            same(refused(tools, name, {own: None, other: "zzz", **more}), alone, name)
            same(refused(tools, name, {own: "zzz", other: None, **more}), alone, name)


def through_others():
    """The tools that call others, and scripts, may use either name."""
    with contextlib.closing(Tools({**os.environ, "PERIGEE_DESKTOP": "fake"})) as tools:
        for key in ("window", "name"):
            has(tools.text("call_tool", name="get_window", arguments={key: "Home"}), '"Home"')
            same(tools.text("run_lua", code=f'return tools.get_window {{ {key} = "Home" }}.title'), "Home")


def listed():
    """A list has each parameter once, as required as it is; describe_tool and a list that is whole have the other name, too."""
    with contextlib.closing(Tools({**os.environ, "PERIGEE_DESKTOP": "fake"})) as tools:
        same("x-also-called" in str(tools.server.ask("tools/list")), False)
    with servers.perigee("--no-user-root", "--root", servers.TRUSTING, "--toolset", "desktop,elements") as server:
        server.initialize()
        tools = {tool["name"]: tool["inputSchema"] for tool in server.ask("tools/list")["result"]["tools"]}
        for name, schema in tools.items():
            same([key for key in ("anyOf", "oneOf", "allOf") if key in schema], [], name)
            own, other = OTHERS.get(name, (None, None))
            if own:
                same((own in schema["properties"], other in schema["properties"]), (True, False), name)
                same(own in schema.get("required", []), name != "list_windows", name)
                has(server.text("describe_tool", {"name": name}), f'"x-also-called":"{other}"')
                same(schema["properties"][own]["x-also-called"], other, name)
        for name in ELEMENTS:
            same("application" in tools[name]["properties"], True, name)


for title, case in (("each tool by these names, in memory", lambda: in_memory(False)), ("and by the others", lambda: in_memory(True)),
                    ("both names, none, and unknown ones", wrong_ones), ("calls of other tools and of scripts", through_others),
                    ("how they are listed", listed)):
    tap.case(title, case)
run([("each tool by these names, on a desktop", on_a_desktop(False)), ("and by the others, on a desktop", on_a_desktop(True))], NEEDED)
