#!/usr/bin/env python3
"""The tools for applications, windows and displays, through a real MCP session on a private desktop."""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import server as servers    # noqa: E402
import tap                  # noqa: E402
from tap import Failure     # noqa: E402
from xclient import XA_WINDOW     # noqa: E402
from tools import OURS, PATIENCE, bare_client, has, run, same, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xterm", "mousepad", "xrandr")
# --- the list -------------------------------------------------------------------------

def default_list(tools, _desktop):
    listed = tools.server.ask("tools/list")["result"]["tools"]
    names = [tool["name"] for tool in listed]
    if len(names) >= 40:
        raise Failure(f"{len(names)} tools in the default list: {names}")
    same("list_windows" in names and "open_application" in names, True)
    same([n for n in ("delete_application", "get_display") if n in names], [], "left out")
    for tool in listed:
        same(sorted(k for k in tool["annotations"] if k.endswith("Hint")),
             ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"], tool["name"])


def whole_toolset(_tools, desktop):
    with servers.perigee("--no-user-root", "--root", servers.TRUSTING, "--toolset", "desktop", env=desktop.env) as server:
        server.initialize()
        names = [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]]
    for name in ("delete_application", "get_display", "fullscreen_window"):
        same(name in names, True, name)
    same("open_keynote" in names, False)


# --- applications -----------------------------------------------------------------------

def open_and_quit(tools, _desktop):
    opened = tools("open_application", name="mousepad", wait=PATIENCE)
    name = opened["application"]["name"]
    same((opened["already"], opened["application"]["display_name"], opened["application"]["tracked"]),
         (False, "Mousepad", True))
    has(tools.text("list_applications"), f"- Mousepad ({name}), org.xfce.mousepad, 1 window, active, tracked")
    same(tools("get_application", name="mousepad")["name"], name)
    tools("delete_application", name=name)
    same(tools("list_applications")["applications"][0]["tracked"], False)
    has(tools.fails("APP_NOT_FOUND", "delete_application", name=name), "not tracked")
    has(tools.text("quit_application", name=name), "has exited")
    has(tools.fails("APP_NOT_FOUND", "get_application", name=name), "has exited")
    has(tools.fails("WINDOW_NOT_FOUND", "focus_window", name=opened["window"]), "list_windows")


def other_processes(tools, _desktop):
    """The number of a process that is no application was described as one, and tracked."""
    with subprocess.Popen(["sleep", "1000"], env={"PATH": os.environ["PATH"]}) as other:
        try:
            are_no_applications(tools, (1, other.pid))
        finally:
            other.kill()


def are_no_applications(tools, pids):
    for pid in pids:
        name = f"applications/{pid}"
        for tool in ("get_application", "activate_application", "quit_application"):
            has(tools.fails("APP_NOT_FOUND", tool, application=name), f"{name} is not an application (process {pid} runs and")
        has(tools.fails("APP_NOT_FOUND", "list_windows", application=name), "is not an application")
    same([each["pid"] for each in tools("list_applications")["applications"] if each["pid"] in pids], [])


def open_files(tools, desktop):
    path = desktop.folder / "a letter é.txt"
    path.write_text("Dear X,\n")
    opened = tools("open_application", name="org.xfce.mousepad", files=[str(path)], wait=PATIENCE)
    until(lambda: "a letter é.txt" in tools("get_window", name=opened["window"])["title"], "the file's title")
    tools("quit_application", name=opened["application"]["name"])


def no_such_application(tools, _desktop):
    has(tools.fails("APP_NOT_FOUND", "open_application", name="no such thing"), "no such thing")
    tools.fails("APP_NOT_FOUND", "activate_application", name="no such thing")
    has(tools.text("list_applications", query="no such thing"), 'No running application has "no such thing"')
    tools.fails("APP_NOT_FOUND", "quit_application", name="applications/4000000")
    tools.fails("INVALID_ARGUMENT", "quit_application", name="applications/1/windows/2")


def several_of_a_name(tools, _desktop):
    one, two = tools.xterm("same"), tools.xterm("same")
    try:
        text = tools.fails("AMBIGUOUS_APP_IDENTIFIER", "activate_application", name="xterm")
        has(text, one[0])
        has(text, two[0])
        text = tools.fails("AMBIGUOUS_WINDOW_IDENTIFIER", "close_window", name="same")
        has(text, one[1])
        has(text, two[1])
        for _, window, _ in (one, two):
            same(tools("get_window", name=window)["title"], "same")
        same(tools("close_window", name=one[1])["gone"], True)
        same(tools("get_window", name="same")["name"], two[1])
        has(tools.text("get_window", name="sam"), '(took "same" for "sam")')
        has(tools.text("get_application", name="xter"), 'for "xter")')
        same(tools.text("run_lua", code='print(tools.get_window { name = "sam" }.title)'), '(took "same" for "sam")\nsame')
        has(tools.fails("WINDOW_NOT_FOUND", "close_window", name="ame"), f"If you mean this one, use its resource name:\n  {two[1]}")
        has(tools.fails("APP_NOT_FOUND", "quit_application", name="term"), f"If you mean this one, use its resource name:\n  {two[0]}")
        if "x" * 100 in tools.fails("WINDOW_NOT_FOUND", "get_window", name="x" * 1000):
            raise Failure("a long name is repeated whole")
    finally:
        tools("quit_application", name=two[0], force=True)


# --- windows ------------------------------------------------------------------------------

def act_on_one(tools, _desktop):
    name, window, _ = tools.xterm("acted upon")
    try:
        moved = tools("move_window", name=window, x=111, y=77)
        same((moved["done"], moved["after"]["x"], moved["after"]["y"]), (True, 111, 77))
        same(tools("get_window", name=window)["bounds"], moved["after"])
        same(tools("maximize_window", name=window)["states"], ["maximized"])
        same(tools("restore_window", name=window)["after"], moved["after"])
        same(tools("maximize_window", name=window)["states"], ["maximized"])
        again = tools("move_window", name=window, x=5, y=5)["after"]
        same((again["x"], again["y"], again["width"]), (5, 5, moved["after"]["width"]))
        same(tools("minimize_window", name=window)["states"], ["minimized"])
        same(tools("get_window", name=window)["on_screen"], False)
        same(tools("activate_application", name=name)["window"], window)
        same(tools("fullscreen_window", name=window)["states"], ["fullscreen"])
        same(tools("restore_window", name=window)["states"], [])
    finally:
        tools("quit_application", name=name, force=True)


def leftover_number(tools, desktop):
    """The manager's list holds a number whose new owner never shows the window: no such window is listed."""
    with bare_client(tools, desktop) as client:
        client.window("shown")
        hidden = client.window("never shown", mapped=False)
        until(lambda: tools("list_windows", parent=OURS)["windows"], "the window that is shown")
        for name in ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING"):
            client.numbers_property(client.root, name, XA_WINDOW, [*sorted(client.windows - {hidden}), hidden])
        same([w["title"] for w in tools("list_windows", parent=OURS)["windows"]], ["shown"])


def refused_size(tools, _desktop):
    """xterm takes whole characters only; the answer says what came of it."""
    name, window, _ = tools.xterm("in steps")
    try:
        result = tools("resize_window", name=window, width=403, height=307)
        same(result["done"], False)
        has(result["note"], "instead of 403 x 307")
        same(result["after"], tools("get_window", name=window)["bounds"])
    finally:
        tools("quit_application", name=name, force=True)


def many_windows(tools, desktop):
    with bare_client(tools, desktop) as client:
        made = {client.window(f"bare {i}") for i in range(200)}
        until(lambda: tools("list_windows", parent=OURS, page_size=1)["total_size"] == 200, "200 windows")
        seen, token, pages = [], None, 0
        while pages == 0 or token:
            page = tools("list_windows", parent=OURS, page_size=60, **({"page_token": token} if token else {}))
            seen += [w["name"] for w in page["windows"]]
            token = page.get("next_page_token")
            pages += 1
        same((pages, len(seen), {int(n.rpartition("/")[2]) for n in seen}), (4, 200, made))
        started = time.monotonic()
        tools("list_windows", page_size=1000)
        tap.note(f"a list of 200 windows took {(time.monotonic() - started) * 1000:.1f} ms")


def settled(tools, newest):
    """Its name, once the window manager has placed it and the stacking stands."""
    listed = tools("list_windows", parent=OURS)["windows"]
    return len(listed) == 4 and all(w["on_screen"] for w in listed) and listed[0]["name"] == newest and newest


def a_page_goes_on_after_its_last_item(tools, desktop):
    with bare_client(tools, desktop) as client:
        windows = [client.window(f"paged {i}") for i in range(4)]
        newest = f"{OURS}/windows/{windows[-1]}"
        tools("focus_window", name=until(lambda: settled(tools, newest), "4 windows"))
        page = tools("list_windows", parent=OURS, page_size=2)
        rest = {w["name"] for w in tools("list_windows", parent=OURS)["windows"][2:]}
        first = int(page["windows"][0]["name"].rpartition("/")[2])
        client.destroy(first)
        until(lambda: tools("list_windows", parent=OURS)["total_size"] == 3, "one less")
        after = tools("list_windows", parent=OURS, page_token=page["next_page_token"])
        same({w["name"] for w in after["windows"]}, rest)
        has(tools.fails("INVALID_ARGUMENT", "list_windows", page_token="x"), "page_token")


def odd_titles(tools, desktop):
    with bare_client(tools, desktop) as client:
        client.window(b"bad \xff\xfe utf-8 \xc3")
        client.window("long " + "é" * 50000)
        client.window("two\nlines\tand \x1b[31m")
        client.window("")
        until(lambda: tools("list_windows", parent=OURS)["total_size"] == 4, "4 windows")
        listed = tools("list_windows", parent=OURS)["windows"]
        titles = {w["title"][:5]: w for w in listed}
        has(titles["bad \ufffd"]["title"], "\ufffd utf-8 \ufffd")
        same(len(titles["long "]["title"].encode()) <= 1024, True)
        same([w["title"][:4] for w in listed if w.get("title_cut")], ["long"])
        text = tools.text("list_windows", parent=OURS)
        same(len(text.splitlines()), 5)     # a line each: no title breaks out of its own
        same("\x1b" in text, False)


def popups(tools, desktop):
    with bare_client(tools, desktop) as client:
        client.window("managed")
        popup = client.window("a menu", popup=True)
        until(lambda: tools("list_windows", parent=OURS)["total_size"] >= 1, "the window")
        same([w["title"] for w in tools("list_windows", parent=OURS)["windows"]], ["managed"])
        found = [w for w in tools("list_windows", parent=OURS, all_kinds=True)["windows"] if w["title"] == "a menu"]
        same([(w["kind"], int(w["name"].rpartition("/")[2])) for w in found], [("popup", popup)],
             tools.text("list_windows", all_kinds=True))


# --- displays ------------------------------------------------------------------------------

def displays(tools, desktop):
    (only,) = tools("list_displays")["displays"]
    same((only["bounds"], only["main"], only["scale"]), ({"x": 0, "y": 0, "width": 1280, "height": 800}, True, 1))
    same(tools("get_display", name=only["name"])["bounds"], only["bounds"])
    same(tools("get_display", name=only["display_name"])["name"], only["name"])
    has(tools.fails("DISPLAY_NOT_FOUND", "get_display", name="displays/4711"), only["name"])
    same("cursor" in only, True)
    monitors = (["LEFT", "640/339x800/423+0+0", "screen"], ["RIGHT", "640/339x800/423+640+0", "none"])
    try:
        for monitor in monitors:
            subprocess.run(["xrandr", "--setmonitor", *monitor], env=desktop.env, check=True, capture_output=True)
        both = tools("list_displays")["displays"]
        same([(d["display_name"], d["bounds"]["x"], d["bounds"]["width"]) for d in both],
             [("LEFT", 0, 640), ("RIGHT", 640, 640)])
        same(len({d["name"] for d in both}), 2)
        same(sum("cursor" in d for d in both), 1)
        name, window, _ = tools.xterm("on the right")
        same(tools("move_window", name=window, x=700, y=60)["after"]["x"], 700)
        same(tools("get_window", name=window)["on_screen"], True)
        tools("quit_application", name=name, force=True)
    finally:
        for monitor in monitors:
            subprocess.run(["xrandr", "--delmonitor", monitor[0]], env=desktop.env, check=False, capture_output=True)


def tile(tools, desktop):
    """examples/scripts/tile_windows.lua leaves no window on another."""
    with bare_client(tools, desktop) as client:
        for i in range(5):
            client.window(f"tile {i}")
        until(lambda: all(w["on_screen"] for w in listed_of(tools, 5)), "5 windows")
        tools("maximize_window", name=listed_of(tools, 5)[0]["name"])
        script = subprocess.run([servers.PERIGEE, "run", "--no-user-root", f"{servers.TOP}/examples/scripts/tile_windows.lua",
                                 "--gap", "0", "--columns", "3"],
                                env=desktop.env, check=False, capture_output=True, text=True)
        same((script.returncode, script.stderr), (0, ""))
        for i in range(5):
            has(script.stdout, f"tile {i}")
        bounds = [w["bounds"] for w in listed_of(tools, 5)]
        same({(b["x"], b["y"], b["width"], b["height"]) for b in bounds},
             {(0, 0, 426, 400), (426, 0, 426, 400), (853, 0, 426, 400), (0, 400, 640, 400), (640, 400, 640, 400)})


def listed_of(tools, count):
    return until(lambda: [w for w in [tools("list_windows", parent=OURS)["windows"]] if len(w) == count], "windows")[0]


def libreoffice(tools, desktop):
    office = shutil.which("soffice")
    if not office:
        raise tap.Skip("LibreOffice is not installed (vendor/install demo)")
    profile = desktop.folder / "office"
    opened = tools("open_application", name=office, wait=90, arguments=[
        "--norestore", "--nologo", "--nofirststartwizard", f"-env:UserInstallation=file://{profile}", "--writer"])
    name, window = opened["application"]["name"], opened["window"]
    has(tools("get_window", name=window)["app"].lower(), "libreoffice")

    def is_sized():
        """It may begin maximized, or maximize itself a moment after it is there."""
        tools("restore_window", name=window)
        result = tools("resize_window", name=window, width=1000, height=740)
        size = (result["after"]["width"], result["after"]["height"])
        # One that is busy has not taken its size yet, which may change: that is told, and is not done.
        busy = "so its size is not final" in result.get("note", "")      # it does not respond, or is still at work
        same(result["done"], size == (1000, 740) and not busy, result.get("note", ""))
        return result["done"]
    until(is_sized, "the size that was asked for")
    same(tools("quit_application", name=name, force=True)["done"], True)


CASES = [
    ("fewer than 40 tools by default, rare ones left out", default_list),
    ("--toolset lists all of a toolset", whole_toolset),
    ("an application is opened, tracked, forgotten and quit", open_and_quit),
    ("processes that are no applications", other_processes),
    ("a file with blanks and accents is opened", open_files),
    ("an application that does not exist is an error that says what to do", no_such_application),
    ("a name that two have is refused with both", several_of_a_name),
    ("a window is moved, minimized, maximized and restored", act_on_one),
    ("a size that is not taken is told as it became", refused_size),
    ("a number of a window that is gone is not taken for its successor", leftover_number),
    ("200 windows come in pages", many_windows),
    ("a page goes on after the last item of the one before", a_page_goes_on_after_its_last_item),
    ("titles of invalid UTF-8, of 100 kB, of several lines", odd_titles),
    ("popups that nobody manages are listed on request", popups),
    ("displays, also two of them", displays),
    ("the example script puts windows side by side", tile),
    ("LibreOffice opens, is resized and quit", libreoffice),
]


if __name__ == "__main__":
    run(CASES, NEEDED)
