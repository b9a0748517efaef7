#!/usr/bin/env python3
"""Elements are where they are drawn, also in applications that draw everything twice as large: real clicks in the middle of
them."""

import contextlib
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops                          # noqa: E402
import tap                                          # noqa: E402
from lab import page                                # noqa: E402
from tap import Skip                                # noqa: E402
from tools import Tools, has, opened, same, until   # noqa: E402


@contextlib.contextmanager
def scaled(tools, desktop, program, **environment):
    """An application that was started with accessibility and this environment."""
    if not shutil.which(program):
        raise Skip(f"{program} is not installed (vendor/install test)")
    with opened(tools, "mousepad"):     # switches accessibility on
        with subprocess.Popen([program], env={**desktop.env, **environment}, stderr=subprocess.DEVNULL) as process:
            app = f"applications/{process.pid}"
            try:
                until(lambda: not tools.result("get_ui_tree", application=app, source="tree").get("isError"), "its elements")
                yield app
            finally:
                process.kill()


def clicked(tools, app, element):
    result = tools("click_element", application=app, element=element, method="pointer")
    has(result["route"], "pointer")
    return result


def in_gtk_3(tools, desktop):
    with scaled(tools, desktop, "gtk3-widget-factory", GDK_SCALE="2") as app:
        boxes = until(lambda: tools("find_elements", application=app, selector="checkbox enabled")["elements"], "the boxes")
        for box in boxes[:3]:
            result = clicked(tools, app, box["ref"])
            same(result["effect"], "confirmed", result)
            has(result["evidence"], "checked")


def in_gtk_4(tools, desktop):
    with scaled(tools, desktop, "gnome-calculator", GDK_SCALE="2") as app:
        until(lambda: tools("find_elements", application=app, selector='button "7"')["elements"], "the buttons")
        for name in ("7", "×", "6", "="):
            clicked(tools, app, f'button "{name}"')
        tools("wait_for", condition="text", text="42", application=app, timeout=55)


def in_qt(tools, desktop):
    with scaled(tools, desktop, "featherpad", QT_SCALE_FACTOR="2") as app:
        until(lambda: tools("find_elements", application=app, selector='button "Find"')["elements"], "the buttons")
        clicked(tools, app, 'button "Find"')
        until(lambda: any("focused" in each.get("states", ()) for each in tools("find_elements", application=app, role="entry")["elements"]),
              "the focus in the entry of the search bar")


def in_chromium(tools, desktop):
    """Pages are told in pixels: everything was sought twice as far away, and the click went elsewhere."""
    html = "<title>page</title><p>a line</p><button>Ready</button><label><input type=checkbox> Agree</label>"
    if not shutil.which("chromium"):
        raise Skip("chromium is not installed (vendor/install wide)")
    with page(tools, desktop, "chromium", html, "--force-device-scale-factor=2", "--window-size=600,380") as (app, _title):
        for evidence in ("it is checked now", "it is not checked any more"):
            result = clicked(tools, app, 'checkbox "Agree"')
            same((result["effect"], result["evidence"]), ("confirmed", evidence), result)


def main():
    for name in ("Xvfb", "openbox", "dbus-daemon", "mousepad"):
        if not shutil.which(name):
            print(f"1..0 # SKIP {name} is not installed (vendor/install test)")
            return
    cases = (("elements of GTK 3 that is scaled are clicked where they are", in_gtk_3),
             ("elements of GTK 4 that is scaled are clicked where they are", in_gtk_4),
             ("elements of Qt that is scaled are clicked where they are", in_qt),
             ("elements of a page of Chromium that is scaled are clicked where they are", in_chromium))
    with desktops.Desktop(size=(1920, 1440)) as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        for name, case in cases:
            tap.case(name, case, tools, desktop)
        tap.ok(not tools.server.faults, "every line was valid", "\n".join(tools.server.faults))
    tap.done()


main()
