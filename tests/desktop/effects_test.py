#!/usr/bin/env python3
"""Effects of input and of tools that act on windows: the ones that are told at once, and the ones that `wait` waits for."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tools as kit                 # noqa: E402
import xclient                      # noqa: E402
from applications import program, tk_python, window_of      # noqa: E402
from tools import has, same         # noqa: E402

EFFECTS = pathlib.Path(__file__).resolve().parent.parent / "lib" / "tk_effects.py"


@contextlib.contextmanager
def effects(tools, desktop, title):
    with xclient.Client(desktop.env["DISPLAY"]) as client:
        client.end_repetition()     # a key that is held for longer than it should be on a busy machine has one effect
    with program(desktop, tk_python(), EFFECTS, title):
        yield window_of(tools, title)
    tools("wait_for", condition="gone", window=title, timeout=55)


def press(tools, keys, **wait):
    return tools("create_input", action="keys", keys=keys, wait={"timeout": 30, **wait})["waited"]


def late(tools, desktop):
    with effects(tools, desktop, "Late") as window:
        waited = press(tools, "F3", condition="window", window="An answer")
        same((waited["met"], waited["title"]), (True, "An answer"))
        tools("focus_window", name=window["name"])
        waited = press(tools, "F4", condition="title", window=window["name"], text="saved")
        same((waited["met"], waited["title"], waited.get("already")), (True, "Late - saved", None))
        same(press(tools, "F5", condition="gone", window="An answer")["met"], True)


def told_at_the_next_input(tools, desktop):
    """An effect that comes too late for its own result is told once, unless another tool has told it meanwhile."""
    with effects(tools, desktop, "Later") as window:
        tools("create_input", action="keys", keys="F7")
        same(tools("create_input", action="keys", keys="F3").get("effects"), None)
        kit.until(lambda: desktop_has(desktop, "An answer"), "the late window")
        result = tools.result("create_input", action="keys", keys="shift")
        late = result["structuredContent"]["late_effects"]
        same([(one["what"], one["title"]) for one in late], [("focused", "An answer"), ("opened", "An answer")])
        has(result["content"][0]["text"], 'Since the last input: "An answer" (')
        same(tools("create_input", action="keys", keys="shift").get("late_effects"), None, "once")
        tools("focus_window", name=window["name"])
        tools("create_input", action="keys", keys="F4")
        kit.until(lambda: desktop_has(desktop, "Later - saved"), "the late title")
        tools("list_windows")
        same(tools("create_input", action="keys", keys="shift").get("late_effects"), None, "listed meanwhile")


def desktop_has(desktop, title):
    """Asked of xdotool: wmctrl crashes when a window comes or goes while it lists them."""
    return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], env=desktop.env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout != b""


def at_once(tools, desktop):
    """The popup is over long before the hold of the keys is, and the wait begins before them."""
    with effects(tools, desktop, "Quick"):
        result = tools.result("create_input", action="hold", keys="F2", duration=0.5, wait={"condition": "popup", "timeout": 30})
        same(result["structuredContent"]["waited"]["met"], True)
        has(result["content"][0]["text"], "Held F2.")
        has(result["content"][0]["text"], "A popup is open")


def new_ones(tools, desktop):
    """A window that was there before is not the effect."""
    with effects(tools, desktop, "New") as window:
        press(tools, "F9", condition="window", window="An answer")
        tools("focus_window", name=window["name"])
        result = tools.result("create_input", action="keys", keys="F7",
                              wait={"condition": "window", "window": "An answer", "timeout": 0.4})
        same(result.get("isError"), None)
        same(result["structuredContent"]["waited"]["met"], False)
        has(result["content"][0]["text"], "Pressed F7.")
        has(result["content"][0]["text"], "not seen within 0.4 s after the action: no new window matches \"An answer\"")
        has(result["content"][0]["text"], "was there before the action")
        first = tools("wait_for", condition="window", window="An answer")["window"]
        second = press(tools, "F9", condition="window", window="An answer")["window"]
        same(first == second, False, "the same window twice")


def already(tools, desktop):
    with effects(tools, desktop, "Already") as window:
        waited = press(tools, "F7", condition="focused", window=window["name"])
        same((waited["met"], waited["already"]), (True, True))


def stillness(tools, desktop):
    with effects(tools, desktop, "Moving") as window:
        waited = press(tools, "F6", condition="still", window=window["name"], seconds=0.3)
        same((waited["met"], waited["seconds"] >= 0.8), (True, True), f"stillness after {waited}")
        region = {"x": window["bounds"]["x"], "y": window["bounds"]["y"], "width": 200, "height": 100}
        waited = press(tools, "F6", condition="still", region=region, seconds=0.3)
        same((waited["met"], waited["seconds"] >= 0.8), (True, True), f"stillness after {waited}")
        waited = press(tools, "F6", condition="still", window=window["name"], seconds=0.3, timeout=0.2)
        same(waited["met"], False)


def missed(tools, desktop):
    """Acting, and then waiting in vain: what was done is said, and it is not called a failure."""
    with effects(tools, desktop, "Missed") as window:
        begun = time.monotonic()
        result = tools.result("move_window", name=window["name"], x=150, y=160,
                              wait={"condition": "popup", "timeout": 0.5})
        same(time.monotonic() - begun >= 0.5, True, "it waited")
        same((result.get("isError"), result["structuredContent"]["done"]), (None, True))
        has(result["content"][0]["text"], "Moved ")
        has(result["content"][0]["text"], "was not seen within 0.5 s after the action: no popup is open. list_windows shows those that are there.")


def refused(tools, desktop):
    """Wrong words for the wait, or an action that fails: nothing is waited for, and with wrong words nothing is done."""
    with effects(tools, desktop, "Refused") as window:
        before = tools("get_window", name=window["name"])["bounds"]
        text = tools.fails("INVALID_ARGUMENT", "move_window", name=window["name"], x=0, y=0, wait={"condition": "title"})
        has(text, "wait: condition title needs")
        same(tools("get_window", name=window["name"])["bounds"], before)
        begun = time.monotonic()
        tools.fails("WINDOW_NOT_FOUND", "focus_window", name="nothing of this name", wait={"condition": "popup", "timeout": 50})
        same(time.monotonic() - begun < 40, True, "it waited after a failure")


def applications(tools, desktop):
    del desktop
    opened = tools("open_application", name=shutil.which("xterm"), new=True, arguments=["-T", "Opened", "-e", "sleep", "600"],
                   wait={"condition": "focused", "window": "Opened", "timeout": 30})
    same((opened["waited"]["met"], opened["waited"]["window"]), (True, opened["window"]))
    ended = tools("quit_application", name=opened["application"]["name"], force=True,
                  wait={"condition": "gone", "window": opened["window"], "timeout": 30})
    same((ended["done"], ended["waited"]["met"]), (True, True))


def hold(tools, keys):
    """Returns the effects on windows, which have changed by the time that the key is up, and their line of the text."""
    result = tools.result("create_input", action="hold", keys=keys, duration=0.6)
    line = [line for line in result["content"][0]["text"].splitlines() if line.startswith("Seen at once: ")]
    same(len(line), 1 if result["structuredContent"].get("effects") else 0, f"lines of {result['content'][0]['text']}")
    return result["structuredContent"].get("effects", []), "".join(line)


def told_at_once(tools, desktop):
    with effects(tools, desktop, "Told") as window:
        seen, line = hold(tools, "shift+F3")
        same([(e["what"], e["title"]) for e in seen], [("focused", "An answer"), ("opened", "An answer")])
        has(line, "An answer\" (Toplevel, " + seen[0]["window"] + ") opened and has the focus.")
        tools("focus_window", name=window["name"])
        seen, line = hold(tools, "shift+F4")
        same([(e["what"], e["window"], e["title"]) for e in seen], [("titled", window["name"], "Told - saved")])
        seen, line = hold(tools, "shift+F5")
        same([(e["what"], e["title"]) for e in seen], [("closed", "An answer")])
        seen, line = hold(tools, "F8")
        same([(e["what"], e["kind"]) for e in seen], [("opened", "popup")])
        has(line, "a popup (Toplevel, ")
        same([(e["what"], e["kind"]) for e in hold(tools, "F8")[0]], [("closed", "popup")])
        same(hold(tools, "F7"), ([], ""))


def not_of_the_input(tools, desktop):
    """A change before the input is not told as its effect, though it was not noticed before."""
    with effects(tools, desktop, "Mine"), kit.bare_client(tools, desktop) as client:
        hold(tools, "F7")
        other = client.window("before", popup=True)
        tools("wait_for", condition="popup")
        same(hold(tools, "F7"), ([], ""))
        client.bytes_property(other, "_NET_WM_NAME", client.atom("UTF8_STRING"), b"another")
        client.destroy(other)
        same(hold(tools, "F7"), ([], ""))


def many(tools, desktop):
    with effects(tools, desktop, "Many"), kit.bare_client(tools, desktop) as client:
        call = tools.server.post("tools/call", {"name": "create_input",
                                                "arguments": {"action": "hold", "keys": "F7", "duration": 5}})
        tools.server.ask("ping")
        kit.until(client.keys_down, "the key")
        for number in range(12):
            client.window(f"popup {number}", popup=True)
        result = tools.server.answer(call)["result"]
        same([e["what"] for e in result["structuredContent"]["effects"]], ["opened"] * 8)
        has(result["content"][0]["text"], "; and 5 or more.")


def without_end(tools, desktop):
    """A title that changes all the time is waited for no longer than 0.15 seconds, and told once."""
    with effects(tools, desktop, "Endless"):
        ended = threading.Event()

        def change():
            with xclient.Client(desktop.env["DISPLAY"]) as client:
                window, number = client.window("endless", popup=True), 0
                while not ended.wait(0.005):
                    number += 1
                    client.bytes_property(window, "_NET_WM_NAME", client.atom("UTF8_STRING"), b"%d" % number)
                    client.lib.XSync(client.display, False)
                client.destroy(window)

        thread = threading.Thread(target=change)
        thread.start()
        try:
            tools("wait_for", condition="popup")
            seen, _ = hold(tools, "F7")
            same([e["what"] for e in seen], ["titled"])
        finally:
            ended.set()
            thread.join()


kit.run([("effects of input on windows are told at once", told_at_once),
         ("an effect that came late is told at the next input", told_at_the_next_input),
         ("a change before the input is not told as its effect", not_of_the_input),
         ("the first of many effects are told", many),
         ("effects without an end are not awaited", without_end),
         ("an effect that comes late is waited for", late),
         ("an effect that comes and goes during the action is seen", at_once),
         ("a window that was there before is not taken for the effect", new_ones),
         ("an awaited state that held before is told as such", already),
         ("stillness after an action", stillness),
         ("an effect that does not come leaves the action done", missed),
         ("wrong waits do nothing, and failures are not waited for", refused),
         ("applications are opened and quit", applications)],
        ("Xvfb", "openbox", "xterm", "dbus-daemon", "xdotool"))
