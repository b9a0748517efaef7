#!/usr/bin/env python3
"""wait_for: what comes, goes and changes is seen when it does, and what does not come is not said to have come."""

import contextlib
import os
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tools as kit                 # noqa: E402
from tools import bare_client, has, same, until     # noqa: E402


class Waiting(contextlib.AbstractContextManager):
    """A call of wait_for that is under way."""

    def __init__(self, tools, **arguments):
        self.tools = tools
        self.call = tools.server.post("tools/call", {"name": "wait_for", "arguments": {"timeout": 40, **arguments}})
        tools.server.ask("ping")

    def result(self):
        result = self.tools.server.answer(self.call)["result"]
        same(result.get("isError"), None, result["content"][0]["text"])
        return result["structuredContent"]

    def __exit__(self, *_):
        self.tools.server.notify("notifications/cancelled", {"requestId": self.call})


def under_way(tools, waiting):
    """It waits, and has not answered: other calls have, some time after it."""
    for _ in range(5):
        tools("list_windows")
    same([m for m in tools.server.early if m.get("id") == waiting.call], [], "answers before anything came")


def comes_and_goes(tools, desktop):
    with bare_client(tools, desktop) as client:
        waiting = Waiting(tools, condition="window", window="the late")
        under_way(tools, waiting)
        client.window("another")
        late = client.window("The Late One")
        seen = waiting.result()
        same(seen["title"], "The Late One")
        name = seen["window"]
        has(tools.text("wait_for", condition="window", window=name), f'The window is there: "The Late One" ({name})')
        waiting = Waiting(tools, condition="gone", window=name)
        under_way(tools, waiting)
        client.destroy(late)
        same("window" in waiting.result(), False)
        has(tools.text("wait_for", condition="gone", window=name), "No window matches")


def title(tools, desktop):
    with bare_client(tools, desktop) as client:
        window = client.window("Report")
        name = tools("wait_for", condition="window", window="Report")["window"]
        waiting = Waiting(tools, condition="title", window=name, text="SAVED")
        under_way(tools, waiting)
        client.bytes_property(window, "_NET_WM_NAME", client.atom("UTF8_STRING"), "Report – saved".encode())
        client.lib.XSync(client.display, False)
        same(waiting.result()["title"], "Report – saved")


def focus(tools, desktop):
    with bare_client(tools, desktop) as client:
        client.window("first")
        client.window("second")
        for title_ in ("first", "second", "first"):
            tools("wait_for", condition="window", window=title_)
            waiting = Waiting(tools, condition="focused", window=title_)
            tools("focus_window", name=title_)
            same(waiting.result()["title"], title_)


def popup(tools, desktop):
    with bare_client(tools, desktop) as client:
        client.window("owner")
        tools("wait_for", condition="window", window="owner")
        has(tools.text("wait_for", condition="no_popup", window="owner"), "No popup is open.")
        waiting = Waiting(tools, condition="popup")
        under_way(tools, waiting)
        menu = client.window("menu", popup=True)
        waiting.result()
        text = tools.fails("WAIT_TIMEOUT", "wait_for", condition="no_popup", timeout=0.3)
        has(text, "a popup is still open")
        waiting = Waiting(tools, condition="no_popup", window="owner")
        under_way(tools, waiting)
        client.destroy(menu)
        waiting.result()


def still(tools, desktop):
    """A clock that runs, and then stands."""
    clock = desktop.folder / "clock"
    clock.write_text("on")
    script = f"while test -e {clock}; do date +%N; sleep 0.02; done; exec sleep 600"
    opened = tools("open_application", name=shutil.which("xterm"), new=True, wait=30, arguments=["-T", "clock", "-e", "sh", "-c", script])
    name = opened["window"]
    text = tools.fails("WAIT_TIMEOUT", "wait_for", condition="still", window=name, seconds=1, timeout=2)
    has(text, "still changes")
    waiting = Waiting(tools, condition="still", window=name, seconds=0.5)
    clock.unlink()
    same(waiting.result()["waited"] >= 0.5, True, "how long it waited")
    has(tools.text("wait_for", condition="still", window=name, seconds=0.2), "has not changed for")
    tools("close_window", name=name)


def refused(tools, desktop):
    del desktop
    begun = time.monotonic()
    text = tools.fails("WAIT_TIMEOUT", "wait_for", condition="window", window="nothing of this name", timeout=0.5)
    has(text, "no window matches \"nothing of this name\"")
    same(time.monotonic() - begun >= 0.5, True, "it waited")
    tools.fails("INVALID_ARGUMENT", "wait_for", condition="window")
    tools.fails("INVALID_ARGUMENT", "wait_for", condition="title", window="x")
    tools.fails("INVALID_ARGUMENT", "wait_for", condition="gone", window="applications/1")
    tools.fails("WINDOW_NOT_FOUND", "wait_for", condition="still", window="nothing of this name")


def cancelled(tools, desktop):
    """Twelve at once, more than there are threads for waiting; all are given up, and others go on."""
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(Waiting(tools, condition="window", window="never there"))
        has(tools.text("list_windows"), "")
    with bare_client(tools, desktop) as client:
        client.window("after them")
        same(until(lambda: tools("wait_for", condition="window", window="after them"), "the window")["title"], "after them")


kit.run([("a window is seen when it comes and when it goes", comes_and_goes),
         ("a title is seen when it changes", title),
         ("the focus is seen where it goes", focus),
         ("a popup is seen when it opens and when it closes", popup),
         ("stillness is seen once nothing changes", still),
         ("a condition that does not come is told", refused),
         ("many wait, and are given up", cancelled)],
        ("Xvfb", "openbox", "xterm", "dbus-daemon"))
