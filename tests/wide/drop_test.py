#!/usr/bin/env python3
"""drop_files in file managers, an editor of Qt and a page of Chromium, and the menu that a drop opens."""

import contextlib
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tap import Skip            # noqa: E402
from tools import Tools, opened, run, same, until         # noqa: E402

FOLDER = tempfile.mkdtemp()
FILE = os.path.join(FOLDER, "a b.txt")

PAGE = """<!doctype html><title>Drop page</title><input type=file id=f aria-label=Upload>
<div role=button aria-label=Zone id=z style="border:2px solid;width:300px;height:120px"></div><p id=o>nothing</p>
<script>f.onchange = () => o.textContent = "chosen " + f.files[0].name
z.ondragover = e => e.preventDefault()
z.ondrop = async e => {
  e.preventDefault()
  const file = e.dataTransfer.files[0]
  o.textContent = "dropped " + file.name + ": " + await file.text()
}</script>"""


@contextlib.contextmanager
def application(tools, name, *arguments):
    if not shutil.which(name):
        raise Skip(f"{name} is not installed (vendor/install wide)")
    with opened(tools, name, arguments=list(arguments)) as app:
        yield app, until(lambda: tools("list_windows", parent=app)["windows"], "its window")[0]["name"]


def folder(name):
    path = os.path.join(FOLDER, name)
    os.mkdir(path)
    return path


def holds_copy(place):
    path = os.path.join(place, os.path.basename(FILE))
    until(lambda: os.path.exists(path) and os.path.getsize(path) == os.path.getsize(FILE), f"a copy in {place}")
    same(os.path.exists(FILE), True, "the file itself")


def file_manager(name, *arguments):
    def copied(tools, _desktop):
        place = folder(name)
        with application(tools, name, *arguments, place) as (_app, window):
            result = tools("drop_files", files=[FILE], window=window)
            same(result["effect"], "confirmed", result)
            holds_copy(place)
    return copied


def menu(tools, _desktop):
    place = folder("menu")
    with application(tools, "pcmanfm", "--no-desktop", place) as (_app, window):
        result = tools("drop_files", files=[FILE], window=window, action="ask")
        item = re.search(r'(e\d+) menuitem "Copy Here"', "\n".join(result["changes"]))
        same((result["effect"], os.listdir(place)), ("partial", []), result)
        tools("click_element", element=item.group(1))
        holds_copy(place)


def editor(tools, _desktop):
    with application(tools, "featherpad", "--standalone") as (_app, window):
        result = tools("drop_files", files=[FILE], window=window)
        same(result["effect"], "confirmed", result)
        until(lambda: 'text ="cargo"' in tools.text("get_ui_tree", window=window), "its text")


def page(tools, desktop):
    path = desktop.folder / "drop.html"
    path.write_text(PAGE, encoding="utf-8")
    with application(tools, "chromium", "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
                     f"--user-data-dir={desktop.folder / 'chromium'}", f"--app=file://{path}") as (_app, window):
        until(lambda: "Zone" in tools.text("get_ui_tree", window=window), "the page")
        for element, text in (('button "Zone"', "dropped a b.txt: cargo"), ('button "Upload: No file chosen"', "chosen a b.txt")):
            result = tools("drop_files", files=[FILE], element=element, window=window)
            same(result["effect"], "confirmed", result)
            until(lambda text=text: text in tools.text("get_ui_tree", window=window), text)


def terminal(tools, _desktop):
    """xterm tells nothing of its elements, and takes no drops."""
    _app, window, _pid = tools.xterm("no drops")
    tools.fails("NO_DROP_TARGET", "drop_files", files=[FILE], window=window)


if __name__ == "__main__":
    with open(FILE, "w", encoding="utf-8") as file:
        file.write("cargo")
    try:
        run((("a file is copied by PCManFM", file_manager("pcmanfm", "--no-desktop")), ("by Thunar", file_manager("thunar")),
             ("the menu of a drop is chosen from (PCManFM)", menu), ("an editor opens it (FeatherPad)", editor),
             ("a window that takes no drops is told (xterm)", terminal),
             ("a page takes it, in a zone and a field for files (Chromium)", page)),
            ("Xvfb", "openbox", "dbus-daemon", "xterm"), lambda desktop: Tools(desktop.env, "--grant", FOLDER))
    finally:
        shutil.rmtree(FOLDER)
