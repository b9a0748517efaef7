#!/usr/bin/env python3
"""The common tools with other applications: Firefox, the pages that keep their tab open, Nautilus and PCManFM."""

import contextlib
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops          # noqa: E402
import tap                          # noqa: E402
from common_world import Pages, world      # noqa: E402
from tools import same, until       # noqa: E402


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


for name, case, *arguments in (("Firefox opens, tells and closes pages", browser, "firefox-esr", "firefox-esr"),
                               ("a page that asks keeps its tab", page_that_stays),
                               ("Nautilus shows folders", manager, "nautilus", "org.gnome.Nautilus", str),
                               ("PCManFM shows folders", manager, "pcmanfm", "pcmanfm", str)):
    tap.case(name, case, *arguments)
tap.done()
