#!/usr/bin/env python3
"""open_application with applications that show a splash screen, are served by another process, or have several entries."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap              # noqa: E402
from tools import has, run, same    # noqa: E402

# Program, what is opened, the application's name, a part of the title.
CASES = (
    ("libreoffice", "libreoffice-calc", "LibreOffice Calc", "LibreOffice Calc"),
    ("gimp", "gimp", "GNU Image Manipulation Program", "GNU Image Manipulation Program"),
    ("thunar", "thunar", "Thunar File Manager", "Thunar"),
    ("gnome-terminal", "org.gnome.Terminal", "Terminal", "Terminal"),
)


def case(program, name, display_name, title):
    def opens(tools, _desktop):
        if not shutil.which(program):
            raise tap.Skip(f"{program} is not installed (vendor/install wide)")
        opened = tools("open_application", name=name, wait=100)
        app = opened["application"]
        try:
            same((app["display_name"], opened["already"]), (display_name, False))
            window = tools("get_window", name=opened["window"])
            same(window["kind"], "normal", window["title"])
            has(window["title"], title)
            listed = [a["display_name"] for a in tools("list_applications")["applications"] if a["pid"] == app["pid"]]
            same(listed, [display_name])
        finally:
            tools("quit_application", name=app["name"], force=True)
    return f"{name} is called {display_name}, and its window is the main one", opens


def one_process_for_two(tools, _desktop):
    """Impress could not be named while Calc was the one that their process was listed as."""
    if not shutil.which("libreoffice"):
        raise tap.Skip("libreoffice is not installed (vendor/install wide)")
    office = tools("open_application", name="libreoffice-impress", wait=100)["application"]["name"]
    try:
        calc = tools("open_application", name="libreoffice-calc", wait=100)["window"]
        tools("focus_window", name=calc)
        same(tools("get_application", name="LibreOffice Calc")["name"], office)
        refused = tools.result("quit_application", name="Impress")
        same(refused["isError"], True)
        for part in ('"Impress" has windows of its own', f"or {office} for all", f"  {office}/windows/"):
            has(refused["content"][0]["text"], part)
    finally:
        tools("quit_application", name=office, force=True)


run([case(*row) for row in CASES] + [("applications of one process are told apart", one_process_for_two)], ("Xvfb", "openbox", "dbus-daemon"))
