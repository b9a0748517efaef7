#!/usr/bin/env python3
"""The common tools on a desktop: files with sys.fs and the desktop's trash, Thunar, Mousepad and Chromium."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from common_world import NAMES, Pages, world     # noqa: E402
from tap import Skip                             # noqa: E402
from tools import has, run, same, until          # noqa: E402


def missing(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed (vendor/install test)")


# --- files ------------------------------------------------------------------------------------------

def lists(tools, desktop):
    folder = desktop.granted / "from"
    (folder / ".hidden").write_text("")
    listed = tools("finder_list_folder", folder=str(folder))
    same([each["name"] for each in listed["items"]], sorted(NAMES, key=lambda name: name.encode()))
    found = tools("finder_get_items", folder=str(folder), filter="wörter")["items"]
    same([(each["path"], each["size"]) for each in found], [(str(folder / NAMES[3]), len(NAMES[3].encode()))])
    same(tools("finder_get_items", folder=str(folder), filter="*")["items"], [], "a filter is text, not a pattern")
    tools.fails("NOT_A_FOLDER", "finder_list_folder", folder=str(folder / "plain.txt"))


def moves_and_copies(tools, desktop):
    for name in NAMES:
        source, target = desktop.granted / "from" / name, desktop.granted / "to" / name
        same(tools("finder_copy", target=str(source), to=str(target.parent))["path"], str(target))
        same((source.read_text(), target.read_text()), (name, name))
        has(tools.fails("EXISTS", "finder_move", target=str(source), to=str(target.parent)), "already exists")
        same(target.read_text(), name, "nothing was replaced")
        target.unlink()
        same(tools("finder_move", target=str(source), to=str(target.parent))["path"], str(target))
        same((source.exists(), target.read_text()), (False, name))
        target.rename(source)


def folders(tools, desktop):
    tree = desktop.granted / "tree"
    (tree / "in/deep").mkdir(parents=True)
    (tree / "in/deep/file").write_text("deep")
    (tree / "link").symlink_to("in")
    copied = tools("finder_copy", target=str(tree) + "/", to=str(desktop.granted / "to"))
    same((copied["left_out"], (desktop.granted / "to/tree/in/deep/file").read_text()), (1, "deep"))
    tools.fails("INTO_ITSELF", "finder_move", target=str(tree), to=str(tree / "in"))
    tools.fails("IS_LINK", "finder_move", target=str(tree / "link"), to=str(desktop.granted / "to"))
    shutil.rmtree(desktop.granted / "to/tree")


def stays_in_grants(tools, desktop):
    """Neither by .., nor by a link, nor for the granted folder itself."""
    outside = desktop.folder / "home/outside"
    outside.mkdir()
    (outside / "file").write_text("x")
    inside = desktop.granted / "from/plain.txt"
    (desktop.granted / "way out").symlink_to(outside)
    for path in (str(outside / "file"), str(desktop.granted / "../outside/file"), str(desktop.granted / "way out/file"),
                 str(desktop.granted), "/etc/passwd"):
        for name in ("finder_trash",) if path == str(desktop.granted) else ("finder_trash", "finder_open"):
            tools.fails("NOT_GRANTED", name, target=path)
        for name in ("finder_copy", "finder_move"):
            tools.fails("NOT_GRANTED", name, target=path, to=str(desktop.granted / "to"))
    for name in ("finder_copy", "finder_move"):
        tools.fails("NOT_GRANTED", name, target=str(inside), to=str(desktop.granted / "way out"))
    same((sorted(os.listdir(outside)), inside.exists()), (["file"], True))


def trashes(tools, desktop):
    missing("gio")
    trash = desktop.folder / "home/.local/share/Trash/files"
    for name in NAMES:
        path = desktop.granted / "to" / name
        path.write_text("gone")
        done = tools("finder_trash", target=str(path))
        same((done["in_trash"], path.exists(), (trash / name).read_text()), (True, False, "gone"), name)
    tools.fails("NOT_FOUND", "finder_trash", target=str(desktop.granted / "to/plain.txt"))


# --- opening ----------------------------------------------------------------------------------------

def opens_folders(tools, desktop):
    """The second time by the manager that runs: it owns org.freedesktop.FileManager1."""
    missing("thunar")
    first = tools("finder_open", target=str(desktop.granted / "from"))
    same((first["shown"], first["app"]), (True, "Thunar File Manager"))
    try:
        until(lambda: "from" in tools("get_window", name=first["window"])["title"], "the folder's window")
        again = tools("finder_open", target=str(desktop.granted / "to"))
        same(again["application"], first["application"])
        until(lambda: any("to" in each["title"].split() for each in tools("list_windows", parent=first["application"])["windows"]),
              "the other folder")
        same(tools("finder_open", target=str(desktop.granted))["shown"], True, "the granted folder itself")
    finally:
        tools("quit_application", name=first["application"], force=True)


def opens_and_types(tools, desktop):
    missing("mousepad")
    path = desktop.granted / "from/plain.txt"
    opened = tools("finder_open", target=str(path))
    same((opened["shown"], opened["app"]), (True, "Mousepad"))
    try:
        until(lambda: not tools.result("get_ui_tree", application=opened["application"], source="tree").get("isError"), "its elements")
        listed = tools("system_events_get_processes")["processes"]
        same((listed[0]["id"], listed[0]["frontmost"], listed[0]["visible"]), ("org.xfce.mousepad", True, True))
        tools("system_events_keystroke", text="end", using=["command"])
        typed = tools("system_events_keystroke", text=" \\ \"é\"")
        same((typed["settled"], typed["characters"]), (True, 6), typed)
        tools("system_events_keystroke", text="s", using=["command"])
        until(lambda: path.read_text().rstrip("\n") == 'plain.txt \\ "é"', "the saved text")
        clicked = tools("system_events_click", element='menu "File"', application=opened["application"])
        same(clicked["effect"], "confirmed", clicked)
        tools("create_input", action="keys", keys="escape")
    finally:
        tools("quit_application", name=opened["application"], force=True)
    has(tools.fails("APP_NOT_FOUND", "finder_open", target=str(path), using="no such application"), "list_applications")


# --- the browser ------------------------------------------------------------------------------------

def browses(tools, _desktop):
    missing("chromium", "gio")
    tools.fails("APP_NOT_RUNNING", "safari_get_current_url")
    with Pages() as pages:
        first, second = pages.url + "/first?a=%22b%22&c=d#e", pages.url + "/second"
        opened = tools("safari_open_url", url=first)
        same((opened["shown"], opened["url"]), (True, first), opened)
        app = opened["window"].split("/windows/")[0]
        try:
            same(tools("safari_open_url", url=second)["shown"], True)
            shown = tools("safari_get_current_url")
            same((shown["url"], shown["window"]), (second, opened["window"]))
            has(shown["title"], "/second")
            tools.fails("OTHER_PAGE", "safari_close_tab", url=first)
            closed = tools("safari_close_tab", url=second)
            same((closed["url"], closed["tabs"]), (second, 1), closed)
            same(tools("safari_get_current_url")["url"], first)
            other = tools("safari_open_url", url=pages.url + "/window", newWindow=True)
            same((other["shown"], other["window"] != opened["window"]), (True, True), other)
            same(tools("safari_close_tab", url=pages.url + "/window")["tabs"], 0, "the last one of its window")
            until(lambda: tools.result("get_window", name=other["window"]).get("isError"), "the end of the window")
        finally:
            tools("quit_application", name=app, force=True)


run((("folders are listed without hidden files, and a filter is text", lists),
     ("files with odd names are moved and copied, and replace nothing", moves_and_copies),
     ("a folder is copied whole, without its links", folders),
     ("nothing outside of the granted folders is touched", stays_in_grants),
     ("files are trashed, and seen in the trash", trashes),
     ("Thunar shows folders, also the one that runs", opens_folders),
     ("Mousepad gets a file, keys and clicks", opens_and_types),
     ("Chromium opens, tells and closes pages", browses)),
    ("Xvfb", "openbox", "dbus-daemon"), world)
