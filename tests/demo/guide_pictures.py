#!/usr/bin/env python3
"""Makes the pictures of docs/desktop.md again, with Perigee's own tools, of mousepad and gnome-calculator.

    make guide-pictures         or: tests/demo/guide_pictures.py [FOLDER]
"""

import contextlib
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

import desktop as desktops      # noqa: E402
from tools import Tools, opened, still, until      # noqa: E402

SIZE = (760, 520)       # the display's, for small pictures


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


def dialog(tools, folder):
    """Buttons and fields of a file dialog, with the refs of the answer."""
    with opened(tools, "mousepad") as app:
        until(lambda: 'menu "File"' in outline(tools, app), "the menus")
        still(lambda: outline(tools, app))
        tools("select_menu_item", application=app, path="File > Save As...")
        until(lambda: 'dialog "Save As"' in outline(tools, app), "the dialog")
        still(lambda: outline(tools, app))
        tools("annotate_screenshot", application=app, path=str(folder / "dialog.png"))


def calculator(tools, folder):
    """Its buttons, after four of them were clicked."""
    with opened(tools, "gnome-calculator") as app:
        until(lambda: 'button "7"' in outline(tools, app), "the buttons")
        tools("act", application=app, steps=[{"click": f'button "{name}"'} for name in ("7", "×", "6", "=")])
        still(lambda: outline(tools, app))
        tools("annotate_screenshot", application=app, path=str(folder / "calculator.png"), selector="button")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "docs" / "pictures").absolute()
    folder.mkdir(exist_ok=True)
    with desktops.Desktop(size=SIZE) as desktop, contextlib.closing(Tools(dict(desktop.env, GSETTINGS_BACKEND="memory"))) as tools:
        dialog(tools, folder)
        calculator(tools, folder)
    for name in sorted(os.listdir(folder)):
        print(f"{name}: {(folder / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
