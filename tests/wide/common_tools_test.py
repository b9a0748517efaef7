#!/usr/bin/env python3
"""The common tools with other applications: Firefox, the pages that keep their tab open, Nautilus and PCManFM, mpv and Audacious."""

import contextlib
import os
import shutil
import sys
import wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications                 # noqa: E402
import desktop as desktops          # noqa: E402
import tap                          # noqa: E402
from common_world import Pages, world      # noqa: E402
from tools import same, until       # noqa: E402


MPRIS = "/etc/mpv/scripts/mpris.so"


def need(program):
    if not shutil.which(program):
        raise tap.Skip(f"{program} is not installed (vendor/install wide)")


@contextlib.contextmanager
def session(**more):
    with desktops.Desktop() as desktop, contextlib.closing(world(desktop, **more)) as tools:
        yield tools, desktop


def browser(name, program):
    need(program)
    with session(browser=name) as (tools, _), Pages() as pages:
        first = tools("safari_open_url", url=pages.url + "/first?a=b#c")
        same((first["shown"], first["url"]), (True, pages.url + "/first?a=b#c"), first)
        same(tools("safari_open_url", url=pages.url + "/second")["shown"], True)
        tools.fails("OTHER_PAGE", "safari_close_tab", url=pages.url + "/first")
        same(tools("safari_close_tab", url=pages.url + "/second")["tabs"], 1)
        window = tools("safari_open_url", url=pages.url + "/window", newWindow=True)
        same((window["shown"], window["window"] != first["window"]), (True, True), window)
        tools("safari_close_tab")
        until(lambda: tools.result("get_window", name=window["window"]).get("isError"), "the end of the window")
        same(tools("safari_get_current_url")["url"], pages.url + "/first?a=b#c")


def page_that_stays():
    need("chromium")
    with session() as (tools, _), Pages() as pages:
        opened = tools("safari_open_url", url=pages.url + "/stays")
        app = opened["window"].split("/windows/")[0]
        tools("safari_open_url", url=pages.url + "/other")
        tools("safari_close_tab", url=pages.url + "/other")
        tools("click_element", application=app, element='button "Ready"')     # a page that nobody used may not ask
        tools.fails("NOT_CLOSED", "safari_close_tab", url=pages.url + "/stays")
        tools("handle_dialog", application=app, button="Cancel")
        same(tools("safari_get_current_url")["url"], pages.url + "/stays")


def manager(program, entry, title):
    need(program)
    with session(browser="chromium", manager=entry) as (tools, desktop):
        first = tools("finder_open", target=str(desktop.granted / "from"))
        same(first["shown"], True, first)
        until(lambda: title("from") in tools("get_window", name=first["window"])["title"], "the folder's window")
        again = tools("finder_open", target=str(desktop.granted / "to"))
        same(again["application"], first["application"])
        until(lambda: any(title("to") in each["title"] for each in tools("list_windows", parent=first["application"])["windows"]),
              "the other folder")


def two_sounds(desktop):
    """Ten minutes of silence each."""
    paths = [desktop.folder / name for name in ("one.wav", "two.wav")]
    for path in paths:
        with wave.open(str(path), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(1)
            sound.setframerate(8000)
            sound.writeframes(b"\x80" * 8000 * 600)
    return map(str, paths)


def player(identity, *argv, plugin=None, titles=("one.wav", "two.wav")):
    need(argv[0])
    if plugin and not os.path.exists(plugin):
        raise tap.Skip(f"{plugin} is not installed (vendor/install wide)")
    with session() as (tools, desktop), applications.program(desktop, *argv, *two_sounds(desktop)):
        def started():
            told = tools.result("music_get_track").get("structuredContent", {})
            return told if told.get("state") == "playing" and "length" in told and "title" in told else None
        track = until(started, "the sound")
        same((track["application"], track["title"], track["length"]), (identity, titles[0], 600))
        for action, wanted in (("pause", ("changed", "paused", titles[0])), ("pause", ("unchanged", "paused", titles[0])),
                               ("play_pause", ("changed", "playing", titles[0])), ("next", ("changed", "playing", titles[1])),
                               ("previous", ("changed", "playing", titles[0]))):
            done = tools("music_control", action=action)
            same((done["effect"], done["state"], done["title"]), wanted, action)
        stopped = tools("music_control", action="stop", player=track["player"])
        same((stopped["effect"], stopped["state"]), ("changed", "stopped"))


for name, case, *arguments in (("Firefox opens, tells and closes pages", browser, "firefox-esr", "firefox-esr"),
                               ("a page that asks keeps its tab", page_that_stays),
                               ("Nautilus shows folders", manager, "nautilus", "org.gnome.Nautilus", str),
                               ("PCManFM shows folders", manager, "pcmanfm", "pcmanfm", str)):
    tap.case(name, case, *arguments)
tap.case("mpv plays, pauses, goes on and back, and ends with stop", lambda: player(
    "mpv", "mpv", "--no-config", "--ao=null", "--force-window=no", "--no-terminal", f"--script={MPRIS}", plugin=MPRIS))
tap.case("Audacious does, too", lambda: player("Audacious", "audacious", "--headless", "--play", titles=("one", "two")))
tap.done()
