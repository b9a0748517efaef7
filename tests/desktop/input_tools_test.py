#!/usr/bin/env python3
"""create_input, list_inputs and the clipboard's tools through a real MCP session, and what becomes of held keys."""

import base64
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications         # noqa: E402
import desktop as desktops  # noqa: E402
import png                  # noqa: E402
import server as servers    # noqa: E402
from tap import Failure     # noqa: E402
from tools import PATIENCE, Tools, bare_client, has, run, same, still, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xterm", "mousepad", "xev", "xdotool", "xclip")
LATE_POPUP = pathlib.Path(__file__).resolve().parent.parent / "lib" / "late_popup.py"
FOREIGN = "héllo – 世界 ñ ß €5 Привет שלום ひらがな 한국어 ąćęłńóśźż 😀🎉"


def click(tools, window):
    content = tools("get_window", name=window)["bounds"]
    return tools("create_input", action="click", x=content["x"] + content["width"] // 2,
                 y=content["y"] + content["height"] // 2)


@contextlib.contextmanager
def editor(tools):
    opened = tools("open_application", name="/usr/bin/env", new=True, wait=PATIENCE,
                   arguments=["GSETTINGS_BACKEND=memory", "mousepad", "--disable-server"])
    click(tools, opened["window"])
    try:
        yield opened["window"]
    finally:
        tools.result("quit_application", name=opened["application"]["name"], force=True)


def held(tools, expected):
    """All that the editor in front holds."""
    def look():
        tools("create_input", action="keys", keys="ctrl+a")
        tools("create_input", action="keys", keys="ctrl+c")
        return tools("get_clipboard").get("text") == expected
    until(look, f"the text {expected!r}")


class Watcher:
    """An xev with the focus, and what it printed."""

    def __init__(self, tools, desktop, title):
        self.path = desktop.folder / f"{title}.events"
        with open(self.path, "wb") as out:
            self.process = subprocess.Popen(["xev", "-name", title, "-geometry", "400x300+100+100"], env=desktop.env, stdout=out)
        window = until(lambda: [w for w in tools("list_windows")["windows"] if w["title"] == title], title)[0]
        tools("focus_window", name=window["name"])
        frame = window["bounds"]
        self.x, self.y = frame["x"] + 150, frame["y"] + 150

    def count(self, text):
        return self.path.read_text(errors="replace").count(text)

    def sees(self, text, times=1):
        until(lambda: self.count(text) >= times, f"{text} in {self.path.name}")

    def close(self):
        self.process.kill()
        self.process.wait()


# --- input ----------------------------------------------------------------------------

def text_into_an_editor(tools, _desktop):
    with editor(tools):
        text = f"First line\n\t{FOREIGN}"
        result = tools("create_input", action="type", text=text)
        same((result["characters"], result["settled"]), (len(text), True))
        held(tools, text)


def long_text_is_pasted(tools, _desktop):
    """A long text is pasted unless the caller passes method="type"."""
    with editor(tools):
        text = "".join(f"line {n} of a text that is long\n" for n in range(400))[:10000]
        result = tools("create_input", action="type", text=text)
        same((result["route"], result["characters"], result["settled"]), ("paste ctrl+v", 10000, True))
        held(tools, text)
        same(tools("create_input", action="type", text=text, method="type")["route"], "xtest")


def paste_into_one_that_hangs(tools, desktop):
    """The application may still paste, so the answer must not be "not taken": a second try could double the text."""
    with editor(tools) as window:
        pid = int(window.split("/")[1])     # applications/42/windows/3
        with applications.stopped(desktop, pid):
            has(tools.fails("PASTE_UNKNOWN", "create_input", action="paste", text="late"), "has not responded")


@contextlib.contextmanager
def terminal(tools, desktop, name):
    """A terminal with the focus. Yields a function that returns the bytes that arrived in it."""
    path = desktop.folder / name
    opened = tools("open_application", name=shutil.which("xterm"), new=True, wait=PATIENCE,
                   arguments=["-u8", "-e", "sh", "-c", f"stty raw -echo; echo > {path}; exec cat >> {path}"])
    until(lambda: path.exists() and path.stat().st_size == 1, "a shell that reads")
    tools("focus_window", name=opened["window"])
    yield lambda: path.read_bytes()[1:]
    tools("quit_application", name=opened["application"]["name"], force=True)


def text_into_a_terminal(tools, desktop):
    with terminal(tools, desktop, "typed") as arrived:
        result = tools("create_input", action="type", text=FOREIGN + "\n\tend\n")
        same((result["route"], result["clipboard"]), ("paste shift+insert, primary", "was empty"))
        until(lambda: arrived().decode() == FOREIGN + "\r\tend\r", "the text")


def ctrl_pressed_while_typing(tools, desktop):
    """It does not make shortcuts of the rest: that waits until Ctrl is up, and is given up after a while."""
    def ctrl(direction):
        subprocess.run(["xdotool", direction, "Control_L"], env=desktop.env, check=True)

    def begin(text):
        return tools.server.post("tools/call", {"name": "create_input", "arguments": {"action": "type", "text": text}})

    with terminal(tools, desktop, "while-ctrl") as arrived:
        text = "a" * 20000
        typing = begin(text)
        until(lambda: len(arrived()) > 200, "the first characters")
        ctrl("keydown")
        if still(lambda: len(arrived()), 0.3) == len(text):
            raise Failure("typing went on with Ctrl down")
        ctrl("keyup")
        same(tools.server.answer(typing)["result"]["structuredContent"]["characters"], len(text))
        until(lambda: len(arrived()) == len(text), "the rest")
        same((arrived().count(b"\x01") < 100, set(arrived()) <= set(b"a\x01")), (True, True), "few shortcuts")
        typing = begin(text)
        until(lambda: len(arrived()) > len(text) + 200, "the first characters again")
        ctrl("keydown")
        result = tools.server.answer(typing)["result"]
        ctrl("keyup")
        same(result["_meta"]["perigee/code"], "INTERRUPTED")
        has(result["content"][0]["text"], "the user is holding Ctrl")
        has(result["content"][0]["text"], "of 20000 characters were entered")


def click_in_a_picture(tools, _desktop):
    shot = tools("capture_screenshot", max_size=640)
    result = tools("create_input", action="move", x=100, y=50, image_id=shot["image_id"])
    scale = shot["scale"]
    same((abs(result["pointer"]["x"] - 100 / scale) <= 1, abs(result["pointer"]["y"] - 50 / scale) <= 1), (True, True))
    tools.fails("IMAGE_NOT_FOUND", "create_input", action="click", x=1, y=1, image_id="image-none-1")
    tools.fails("INVALID_ARGUMENT", "create_input", action="click", x=-9999, y=1)
    tools.fails("INVALID_ARGUMENT", "create_input", action="keys", keys="ctrl+hyper")


def wheel(tools, desktop):
    with contextlib.closing(Watcher(tools, desktop, "wheel")) as xev:
        result = tools("create_input", action="scroll", x=xev.x, y=xev.y, scroll_y=200, scroll_unit="pixels")
        same(result["notches"], {"x": 0, "y": 4})
        xev.sees("button 5, same_screen", 8)
        tools("create_input", action="right_click", modifiers=["shift"])
        xev.sees("state 0x1, button 3")


def pointer_held_back(tools, desktop):
    """A window manager may have the server hold events back while it looks at a click. The place that was reported then
    was the old one."""
    with bare_client(tools, desktop) as client:
        tools("create_input", action="move", x=10, y=10)
        client.freeze_pointer()
        moving = tools.server.post("tools/call", {"name": "create_input",
                                                  "arguments": {"action": "move", "x": 500, "y": 400}})
        time.sleep(0.1)     # the old engine has answered by then
        client.let_go()
        same(tools.server.answer(moving)["result"]["structuredContent"]["pointer"], {"x": 500, "y": 400})


def held_by_a_menu(tools, desktop):
    """The focused window answered, and what a menu of another program had got was called confirmed."""
    with editor(tools), bare_client(tools, desktop) as client:
        menu = client.window("menu", at=(900, 500, 80, 60), popup=True)
        client.grab_keyboard(menu)
        result = tools("create_input", action="type", text="lost")
        same((result["settled"], result["held_by"]), (False, "a popup of Bare"))
        has(result["evidence"], "a popup of Bare is open and takes the keys; close it with escape first")
        same(tools("create_input", action="keys", keys="ctrl+a")["settled"], False)
        client.let_go()
        client.destroy(menu)
        result = tools("create_input", action="type", text="here")
        same((result["settled"], result.get("held_by")), (True, None))
        held(tools, "here")


def text_under_a_popup(tools, desktop):
    """The application answered, and what its popup had got was called confirmed: some hold nothing, some the pointer alone.
    Secret text, which is not read back."""
    with editor(tools) as window, bare_client(tools, desktop) as client:
        editors = int(window.split("/")[1])

        def typed(**popup):
            shown = client.window("popup", at=(900, 500, 80, 60), popup=True, **popup)
            if "owner" not in popup and "kind" in popup:
                client.grab_pointer(shown)
            result = tools("create_input", action="type", text="x", secret=True)
            client.let_go()
            client.destroy(shown)
            return result["settled"], result.get("held_by")

        same(typed(owner=editors), (False, "a popup of Bare"))
        same(typed(owner=editors, kind="POPUP_MENU"), (False, "a menu of Bare"))
        same(typed(kind="POPUP_MENU"), (False, "a menu of Bare"), "one that holds the pointer")
        for kind in ("TOOLTIP", "NOTIFICATION", "DND"):
            same(typed(owner=editors, kind=kind), (True, None), kind)
        same(typed(), (True, None), "another application's")
        held(tools, "x" * 7)


def text_after_a_click(tools, desktop):
    """The list that a click opens in Chromium came after the answer to the text, had taken it, and it was called confirmed.
    An Emacs, too, answers without having come to its keys."""
    for seconds, taken in (("0", None), ("1000", "is open and takes the keys"), ("0.001", "may have taken the keys")):
        title = f"popup for {seconds}"
        with applications.program(desktop, sys.executable, str(LATE_POPUP), title, "Emacs", seconds):
            at = applications.window_of(tools, title)["bounds"]
            tools("create_input", action="click", x=at["x"] + 50, y=at["y"] + 60)
            result = tools("create_input", action="type", text="x", secret=True)
            same(result["settled"], not taken, result["evidence"])
            has(result["evidence"], f"a popup of Emacs {taken}" if taken else "responded after it had processed the input")
            if not taken:
                same(tools("create_input", action="type", text="x", secret=True)["settled"], True, "with no click before it")


def paste_under_a_popup(tools, desktop):
    """The advice was to click into a text field, or to look whether the text came; who had the keys was not said."""
    with editor(tools), bare_client(tools, desktop) as client:
        client.grab_keyboard(client.root)
        has(tools.fails("PASTE_NOT_TAKEN", "create_input", action="paste", text="lost"), "another application has the keyboard")
        client.let_go()
        client.grab_keyboard(client.window("menu", at=(900, 500, 80, 60), popup=True, kind="POPUP_MENU"))
        has(tools.fails("PASTE_NOT_TAKEN", "create_input", action="paste", text="lost"),
            "a menu of Bare has the keyboard and took the key to paste, so no application read the text. Close it with escape first")
        client.let_go()


def text_under_a_menu_of_its_own(tools, _desktop):
    """The text is sent at once after the click that opens the menu, and later."""
    with editor(tools) as window:
        for _ in range(3):
            bounds = tools("get_window", name=window)["bounds"]
            tools("create_input", action="right_click", x=bounds["x"] + 200, y=bounds["y"] + 200)
            at_once = tools("create_input", action="type", text="qx")     # an editor that is busy may take it before its menu opens
            same(not at_once["settled"] or "read back" in at_once["evidence"], True, at_once)
            until(lambda: tools("create_input", action="move", x=5, y=5).get("held_by"), "a menu")
            result = tools("create_input", action="type", text="qx")
            same((result["settled"], result["held_by"]), (False, "a menu of Mousepad"))
            has(tools.fails("PASTE_NOT_TAKEN", "create_input", action="paste", text="lost"), "a menu of Mousepad has the keyboard")
            same(tools("create_input", action="keys", keys="Down")["settled"], True)
            tools("create_input", action="keys", keys="escape")
        tools("create_input", action="keys", keys="ctrl+a")
        same(tools("create_input", action="type", text="here")["settled"], True)
        held(tools, "here")


def menu_that_closes(tools, _desktop):
    with editor(tools):
        tools("create_input", action="keys", keys="F10")
        result = until(lambda: (r := tools("create_input", action="move", x=5, y=5)).get("held_by") and r, "a menu")
        same(result["held_by"], "a menu of Mousepad")
        text = tools.text("create_input", action="keys", keys="escape")
        has(text, "The menu or popup that was open has closed.")
        tools("create_input", action="type", text="here")
        held(tools, "here")


def keys_after_a_click(tools, desktop):
    """The window manager looks at a click before it gives the window the focus. F10 sent at once overtook it."""
    with contextlib.closing(Watcher(tools, desktop, "left")) as left, contextlib.closing(Watcher(tools, desktop, "right")) as right:
        window = [w for w in tools("list_windows")["windows"] if w["title"] == "right"][0]
        tools("move_window", name=window["name"], x=620, y=100)
        right.x = 620 + 150
        for turn in range(1, 21):
            for xev in (left, right):
                tools("create_input", action="click", x=xev.x, y=xev.y)
                tools("create_input", action="keys", keys="F9")
        for xev in (left, right):
            xev.sees("(keysym 0xffc6, F9)", 2 * turn)
            same(xev.count("(keysym 0xffc6, F9)"), 2 * turn)


def clicks_have_a_distance(tools, desktop):
    """Chromium took the two clicks of a double click, in the same millisecond, for one."""
    with contextlib.closing(Watcher(tools, desktop, "clicks")) as xev:
        tools("create_input", action="triple_click", x=xev.x, y=xev.y)
        xev.sees("ButtonRelease event", 3)
        lines = xev.path.read_text(errors="replace").splitlines()
        times = [int(lines[n + 1].partition("time ")[2].split(",")[0])
                 for n, line in enumerate(lines) if line.startswith("ButtonPress event")]
        gaps = [after - before for before, after in zip(times, times[1:])]
        same((len(gaps), min(gaps) >= 10), (2, True), f"gaps {gaps}")


def sent_is_listed(tools, _desktop):
    with editor(tools):
        tools("create_input", action="type", text="an open word")
        tools("create_input", action="type", text="hunter2", secret=True)
    page = tools("list_inputs", page_size=1)
    same((page["inputs"][0].get("preview"), page["inputs"][0]["secret"], page["inputs"][0]["length"]), (None, True, 7))
    page = tools("list_inputs", page_size=1, page_token=page["next_page_token"])
    same(page["inputs"][0]["preview"], "an open word")
    has(tools.text("list_inputs", page_token="1000:inputs/0"), "No more results; there are ")
    has(tools.text("list_inputs", page_size=1), "More: page_token=1:inputs/")
    if "hunter2" in str(tools.result("list_inputs")):
        raise Failure("a secret is listed")


def far_out(tools, _desktop):
    """Coordinates and turns of the wheel that no desktop has."""
    tools.fails("invalid_arguments", "create_input", action="click", x=1e300, y=5)
    has(tools.fails("INVALID_ARGUMENT", "create_input", action="click", x=-5, y=5), "outside all displays")
    has(tools.fails("INVALID_ARGUMENT", "create_input", action="scroll", scroll_y=5000), "at most 1000 notches")


def cancelled_drag(tools, desktop):
    with contextlib.closing(Watcher(tools, desktop, "dragged")) as xev:
        drag = tools.server.post("tools/call", {"name": "create_input", "arguments": {
            "action": "drag", "x": xev.x, "y": xev.y, "to_x": xev.x + 100, "to_y": xev.y, "duration": 50}})
        xev.sees("ButtonPress")
        tools.server.notify("notifications/cancelled", {"requestId": drag})
        xev.sees("ButtonRelease")
        tools("create_input", action="move", x=xev.x, y=xev.y)


def stop_at_the_keyboard(tools, desktop):
    env = dict(desktop.env, PERIGEE_RUNTIME_DIR=tools.runtime)
    with contextlib.closing(Watcher(tools, desktop, "stopped")) as xev:
        tools("create_input", action="key_down", keys="shift")
        drag = tools.server.post("tools/call", {"name": "create_input", "arguments": {
            "action": "drag", "x": xev.x, "y": xev.y, "to_x": xev.x + 100, "to_y": xev.y, "duration": 50}})
        xev.sees("ButtonPress")
        subprocess.run(["xdotool", "keyup", "shift", "key", "ctrl+alt+Escape"], env=env, check=True)
        same(tools.server.answer(drag)["result"]["_meta"]["perigee/code"], "INPUT_STOPPED")
        xev.sees("ButtonRelease")
        has(tools.fails("INPUT_STOPPED", "create_input", action="click", x=5, y=5), "perigee stop --allow")
        done = subprocess.run([servers.PERIGEE, "stop", "--allow"], env=env, capture_output=True, text=True, check=True)
        has(done.stdout, "input is allowed")
        tools("create_input", action="move", x=5, y=5)


def stop_lets_go_of_what_is_held(tools, desktop):
    env = dict(desktop.env, PERIGEE_RUNTIME_DIR=tools.runtime)
    with contextlib.closing(Watcher(tools, desktop, "let-go")) as xev:
        tools("create_input", action="key_down", keys="ctrl")
        xev.sees("KeyPress event")
        subprocess.run([servers.PERIGEE, "stop"], env=env, capture_output=True, check=True)
        xev.sees("KeyRelease event")
        subprocess.run([servers.PERIGEE, "stop", "--allow"], env=env, capture_output=True, check=True)


def ended_by(number):
    def case(tools, desktop):
        # A sanitizer would report the signal that we send.
        env = dict(desktop.env, ASAN_OPTIONS=desktop.env.get("ASAN_OPTIONS", "") + ":handle_segv=0")
        with contextlib.closing(Watcher(tools, desktop, f"signal-{number}")) as xev, \
                contextlib.closing(Tools(env)) as other:
            other("create_input", action="key_down", keys="ctrl+shift")
            other("create_input", action="press", x=xev.x, y=xev.y)
            xev.sees("KeyPress event", 2)
            xev.sees("ButtonPress event")
            os.kill(other.server.process.pid, number)
            xev.sees("KeyRelease event", 2)
            xev.sees("ButtonRelease event")
    return case


def application_killed_while_typing(tools, _desktop):
    name, window, pid = tools.xterm("victim")
    tools("focus_window", name=window)
    typing = tools.server.post("tools/call", {"name": "create_input", "arguments": {"action": "type", "text": "victim " * 20000}})
    time.sleep(0)
    os.kill(pid, signal.SIGKILL)
    result = tools.server.answer(typing)["result"]
    if not result.get("isError"):
        same(result["structuredContent"]["settled"], False)
    tools.result("list_windows")
    same(name.startswith("applications/"), True)


def focus_lost_while_typing(tools, desktop):
    """The rest of a long text went into the window that got the focus."""
    with terminal(tools, desktop, "second") as second, terminal(tools, desktop, "first") as first:
        other = next(w for w in tools("list_windows")["windows"] if not w["focused"])
        typing = tools.server.post("tools/call", {"name": "create_input", "arguments": {"action": "type", "text": "a" * 200000}})
        until(lambda: len(first()) > 200, "the first characters")
        subprocess.run(["xdotool", "windowactivate", other["name"].split("/")[-1]], env=desktop.env, check=True)
        result = tools.server.answer(typing)["result"]
        same(result["_meta"]["perigee/code"], "FOCUS_LOST", result["content"][0]["text"])
        has(result["content"][0]["text"], "lost the keyboard focus to")
        has(result["content"][0]["text"], "of 200000 characters were entered before that")
        assert still(lambda: len(second()), 0.3) <= 32, f"{len(second())} characters in the other window"


def display_killed_while_typing(_tools, _desktop):
    with desktops.Desktop(display=desktops.far_display()) as own, contextlib.closing(Tools(own.env)) as tools:
        tools("create_input", action="move", x=10, y=10)
        drag = tools.server.post("tools/call", {"name": "create_input", "arguments": {
            "action": "drag", "x": 10, "y": 10, "to_x": 900, "to_y": 10, "duration": 50}})
        until(lambda: tools("list_displays")["displays"][0].get("cursor", {}).get("x", 0) > 12, "a drag on its way")
        own.servers[0].kill()
        result = tools.server.answer(drag)["result"]
        same(result["_meta"]["perigee/code"], "DISPLAY_LOST", result["content"][0]["text"])
        same(tools.server.ask("ping")["result"], {})


# --- the clipboard ----------------------------------------------------------------------

def xclip(desktop, *words, **options):
    return subprocess.run(["xclip", "-selection", "clipboard", *words], env=desktop.env, check=True, timeout=PATIENCE,
                          capture_output="-o" in words, **options).stdout


def display_killed_at_any_moment(_tools, _desktop):
    """The display ends even while a connection is being opened, when Xlib by itself would end the process."""
    for _ in range(4):
        with desktops.Desktop(display=desktops.far_display()) as own, contextlib.closing(Tools(own.env)) as tools:
            calls = [tools.server.post("tools/call", {"name": name, "arguments": arguments}) for name, arguments in (
                ("create_input", {"action": "click", "x": 10, "y": 10}), ("list_windows", {}), ("get_clipboard", {}))]
            own.servers[0].kill()
            for call in calls:
                tools.server.answer(call)
            same(tools.server.ask("ping")["result"], {})


def keepers(desktop):
    """The processes that hold on to the clipboard of this display after its owner's end."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text() == "perigee-clip\n" and \
                    f"DISPLAY={desktop.env['DISPLAY']}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def stays_after_the_end(tools, desktop):
    """A command takes nothing with it: neither what it copied, nor what it put back after pasting."""
    def call(*words):
        done = subprocess.run([servers.PERIGEE, "call", *words, "--no-user-root"], env=desktop.env, capture_output=True,
                              text=True, check=False, timeout=PATIENCE)
        same((done.returncode, done.stderr), (0, ""))

    call("write_clipboard", "text=kept", "html=<b>kept</b>")
    same((xclip(desktop, "-o"), xclip(desktop, "-o", "-t", "text/html")), (b"kept", b"<b>kept</b>"))
    same(len(keepers(desktop)), 1)
    call("write_clipboard", "text=" + "long " * 20000)
    same(len(xclip(desktop, "-o")), 100000)
    xclip(desktop, "-i", input=b"precious")
    until(lambda: tools("get_clipboard").get("text") == "precious", "the other's copy")
    until(lambda: not keepers(desktop), "the end of the keeper")
    with terminal(tools, desktop, "pasted-by-call") as arrived:
        call("create_input", "action=paste", "text=pasted")
        until(lambda: arrived() == b"pasted", "what was pasted")
    same(xclip(desktop, "-o"), b"precious")
    tools("clear_clipboard")
    until(lambda: not keepers(desktop), "the end of the keeper")


def texts_and_types(tools, desktop):
    tools("write_clipboard", text="plain", html="<b>rich</b>")
    same(xclip(desktop, "-o"), b"plain")
    same(xclip(desktop, "-o", "-t", "text/html"), b"<b>rich</b>")
    xclip(desktop, "-i", input="von außen".encode())
    until(lambda: tools("get_clipboard").get("text") == "von außen", "what another program copied")
    same(tools("clear_clipboard"), {"empty": True})
    same(tools("get_clipboard")["empty"], True)
    tools.fails("INVALID_ARGUMENT", "write_clipboard")


def files_and_pictures(tools, desktop):
    odd = ["file:///tmp/%FF%FE", "file:///tmp/a%0Ab"]     # no text can hold these paths
    tools("write_clipboard", files=odd)
    same(tools("get_clipboard")["files"], odd)
    tools("write_clipboard", files=["/tmp/a b.txt", "/tmp/ü"])
    same(xclip(desktop, "-o", "-t", "text/uri-list"), b"file:///tmp/a%20b.txt\r\nfile:///tmp/%C3%BC\r\n")
    same(xclip(desktop, "-o", "-t", "x-special/gnome-copied-files"), b"copy\nfile:///tmp/a%20b.txt\nfile:///tmp/%C3%BC")
    same(tools("get_clipboard")["files"], ["/tmp/a b.txt", "/tmp/ü"])
    picture = png.encode(png.Picture(2, 2, bytes(12)))
    tools("write_clipboard", image_base64=base64.b64encode(picture).decode())
    same(xclip(desktop, "-o", "-t", "image/png"), picture)
    result = tools.result("get_clipboard")
    same((result["content"][1]["type"], base64.b64decode(result["content"][1]["data"])), ("image", picture))


def history(tools, desktop):
    same(tools("get_clipboard_history"), {"keeping": 0, "entries": []})
    tools("get_clipboard_history", keep=2)
    for text in ("one", "two", "three"):
        xclip(desktop, "-i", input=text.encode())
        until(lambda wanted=text: tools("get_clipboard").get("text") == wanted, text)
        until(lambda wanted=text: tools("get_clipboard_history")["entries"][:1] and
              tools("get_clipboard_history")["entries"][0]["text"] == wanted, f"{text} in the history")
    tools("write_clipboard", text="hunter2", secret=True)
    same(tools("get_clipboard").get("text"), None)
    same([e["text"] for e in tools("get_clipboard_history")["entries"]], ["three", "two"])
    picture = png.encode(png.Picture(2, 2, bytes(12)))
    xclip(desktop, "-i", "-t", "image/png", input=picture)
    until(lambda: "image" in tools("get_clipboard_history")["entries"][0], "a picture in the history")
    xclip(desktop, "-i", "-t", "text/uri-list", input=b"file:///tmp/a%20b.txt\r\n")
    until(lambda: tools("get_clipboard_history")["entries"][0].get("files") == ["/tmp/a b.txt"], "files in the history")
    result = tools.result("get_clipboard_history", entry=2)
    same(result["structuredContent"]["entries"][0]["image"], {"mime_type": "image/png", "size": len(picture)})
    same((result["content"][1]["type"], base64.b64decode(result["content"][1]["data"])), ("image", picture))
    has(tools.fails("ENTRY_NOT_FOUND", "get_clipboard_history", entry=3), "The history has no entry 3. It has 2.")
    same(tools("get_clipboard_history", keep=0)["entries"], [])


CASES = [
    ("text arrives in an editor", text_into_an_editor),
    ("text that cannot be typed into a terminal is pasted from PRIMARY", text_into_a_terminal),
    ("a text of 10,000 characters is pasted", long_text_is_pasted),
    ("pasting into an application that hangs is unknown, not lost", paste_into_one_that_hangs),
    ("Ctrl pressed while it is typed makes no shortcuts of the text", ctrl_pressed_while_typing),
    ("a pixel of a picture is a point", click_in_a_picture),
    ("the wheel turns by notches, clicks hold modifiers", wheel),
    ("the pointer is reported where it comes to be", pointer_held_back),
    ("text that another program's menu gets is not called confirmed", held_by_a_menu),
    ("text under a popup that holds no keyboard is not called confirmed", text_under_a_popup),
    ("text sent at once after a click that opens a popup is not called confirmed", text_after_a_click),
    ("a paste under a menu names it", paste_under_a_popup),
    ("text under a menu of GTK is not called confirmed", text_under_a_menu_of_its_own),
    ("the end of a menu is waited for", menu_that_closes),
    ("keys sent right after a click do not overtake it", keys_after_a_click),
    ("the clicks of a triple click are 10 ms and more apart", clicks_have_a_distance),
    ("sent input is listed, secrets are not", sent_is_listed),
    ("a point far outside is refused with a message", far_out),
    ("a cancelled drag lets go of the button", cancelled_drag),
    ("Ctrl+Alt+Esc stops, perigee stop --allow goes on", stop_at_the_keyboard),
    ("perigee stop releases keys and buttons that are held", stop_lets_go_of_what_is_held),
    ("SIGTERM releases keys and buttons that are held", ended_by(signal.SIGTERM)),
    ("SIGSEGV releases keys and buttons that are held", ended_by(signal.SIGSEGV)),
    ("SIGKILL releases keys and buttons that are held", ended_by(signal.SIGKILL)),
    ("an application killed while it is typed to", application_killed_while_typing),
    ("typing stops where another window gets the focus", focus_lost_while_typing),
    ("a display killed during a drag", display_killed_while_typing),
    ("a display killed while connections are opened", display_killed_at_any_moment),
    ("the text that a command put on the clipboard stays after its end", stays_after_the_end),
    ("texts of several types go to and come from other programs", texts_and_types),
    ("files and pictures, as file managers and browsers want them", files_and_pictures),
    ("the history is asked for, bounded, and without secrets", history),
]


def session(desktop):
    runtime = str(desktop.folder / "run" / "perigee-test")
    tools = Tools(dict(desktop.env, PERIGEE_RUNTIME_DIR=runtime))
    tools.runtime = runtime
    return tools


if __name__ == "__main__":
    run(CASES, NEEDED, session)
