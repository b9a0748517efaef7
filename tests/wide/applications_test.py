#!/usr/bin/env python3
"""Input into applications that each take it in their own way (`vendor/install wide`). Runs with `make test-desktop`."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications                     # noqa: E402
from applications import copied, copy   # noqa: E402
from tap import Skip                    # noqa: E402
from tools import has, run, same, still, until      # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xclip", "xdotool")
FOREIGN = "Привет 世界 😀"
LINES = "".join(f"line {n} {FOREIGN}\n" for n in range(20)) + "\tend"
TIMES = 4
BUSY = 0.6      # seconds; more than the 0.3 in which a click is recent


def needs(program):
    if not shutil.which(program):
        raise Skip(f"{program} is not installed (vendor/install wide)")


def chromium_pastes_the_text(tools, desktop):
    """Chromium reads the clipboard twice; the second time it got the text that was there before."""
    needs("chromium")
    with applications.chromium(tools, desktop) as page:
        page.act("click", 100, 100)
        for n in range(2 * TIMES):
            user = "of the user" if n % 2 else ""
            if user:
                copy(desktop, user)
            else:
                tools("clear_clipboard")
            page.keys("ctrl+a", "Delete")
            result = tools("create_input", action="paste", text=LINES)
            same((result["settled"], result["clipboard"]), (False, "restored" if user else "was empty"))
            until(lambda: page.holds()["text"], "text in the page")
            same(still(lambda: page.holds()["text"]), LINES)
            same(copied(desktop), user)


def chromium_counts_clicks(tools, desktop):
    needs("chromium")
    with applications.chromium(tools, desktop) as page:
        page.act("click", 100, 100)
        tools("create_input", action="type", text="alpha beta gamma\nsecond line")
        for action, selected in (("double_click", "alpha"), ("triple_click", "alpha beta gamma\n")) * TIMES:
            page.act("click", 400, 250)
            still(page.holds, 0.7)     # else the next click continues this one
            page.act(action, 20, 12)
            until(lambda wanted=selected: page.holds()["selected"] == wanted, f"{selected!r} selected")


def chromium_takes_text_after_a_choice(tools, desktop):
    """Text that was typed at once after a click into an open list was lost."""
    needs("chromium")
    with applications.chromium(tools, desktop) as page:
        text = ""
        for n in range(3 * TIMES):
            choice = ("two", "three", "one")[n % 3]
            page.act("click", 100, 320)
            result = until(lambda: (r := page.act("move", 100, 321)).get("held_by") and r, "an open list")
            same(result["held_by"].split()[:3], ["a", "menu", "of"])
            page.act("click", 100, 320 + {"one": 30, "two": 50, "three": 70}[choice])
            tools("create_input", action="type", text=f"{n} ")
            text += f"{n} "
            until(lambda want=(text, choice): (page.holds()["text"], page.holds()["choice"]) == want, f"{text!r}, {choice}")


def a_browser_s_menu_makes_no_text(name, opens, place):
    """Text that went to a context menu or the list of a choice was called confirmed, even at once after the click."""
    def case(tools, desktop):
        needs(name)
        with opens(tools, desktop) as page:
            awaited = {"wait": {"condition": "popup"}}
            for action, y, more in (("right_click", 60, awaited), ("click", place, awaited), ("click", place, {})) * TIMES:
                page.act("click", 100, 60)
                page.keys("ctrl+a", "Delete")
                page.act(action, 100, y, **more)
                result = tools("create_input", action="type", text="zz")
                same((result["settled"], page.holds()["text"]), (False, ""), action)
                has(result["evidence"], "a menu of")
                until(lambda: closes(tools), "the end of the menu")
    return case


def closes(tools):
    """A menu that is just opening may lose an Escape."""
    for _ in range(2):
        tools("create_input", action="keys", keys="escape")
    return not tools.result("wait_for", condition="no_popup", timeout=1).get("isError")


def menu_of_kate(tools, desktop):
    """It opens while the text is on its way. Of some clicks Kate makes no menu: then the text arrives, and may be confirmed."""
    needs("kate")
    unsure = 0
    with applications.editor(tools, desktop, "kate") as editor:
        for _ in range(3 * TIMES):
            editor.clear()
            tools("create_input", action="right_click", x=600, y=400)
            result = tools("create_input", action="type", text="qqq")
            until(lambda: closes(tools), "the end of the menu")
            if result["settled"]:
                same(editor.holds(), "qqq", f"was confirmed: {result}")
            unsure += not result["settled"]
    same(unsure >= 2 * TIMES, True, f"a menu was open in {unsure} of {3 * TIMES} rounds")


def menu_of_a_busy_kate(tools, desktop):
    """It reads the click, the text and the question behind them at once, and answers before its menu opens and takes the text.
    That was confirmed, long after the click."""
    needs("kate")
    with applications.editor(tools, desktop, "kate") as editor:
        pid = int(editor.window.split("/")[1])
        for _ in range(TIMES):
            editor.clear()
            until(lambda: editor.holds() == "", "an empty text")
            os.kill(pid, signal.SIGSTOP)
            goes_on = threading.Timer(BUSY, os.kill, (pid, signal.SIGCONT))
            try:
                tools("create_input", action="right_click", x=600, y=400)
                goes_on.start()
                time.sleep(BUSY - 0.2)      # no click before the text is recent any more
                result = tools("create_input", action="type", text="qqq", method="type")
            finally:
                goes_on.cancel()
                os.kill(pid, signal.SIGCONT)
            same(result["settled"], False, result)
            tools("wait_for", condition="popup")
            until(lambda: closes(tools), "the end of the menu")
            same(editor.holds(), "")


def an_editor_gets_its_lines(name, by_copy=False):
    """In GTK 4 a Return sent as a key overtook the text before it."""
    def case(tools, desktop):
        needs(name)
        with applications.editor(tools, desktop, name) as editor:
            holds = (lambda: editor.copies(desktop)) if by_copy else editor.holds
            for action in ("paste", "type") * TIMES:
                copy(desktop, "of the user")
                editor.clear()
                text = LINES if action == "paste" else LINES.replace("\t", "")     # an editor may indent by spaces
                result = tools("create_input", action=action, text=text)
                same(result["characters"], len(text))
                same(copied(desktop), "of the user")
                same(holds(), text, f"{action}, of which the tool said {result}")
            editor.clear()
            sure = tools("create_input", action="type", text="typed 😀", method="type")["settled"]
            same(sure, holds() == "typed 😀", "confirmed")
    return case


def kate_drops_an_emoji_and_that_is_told(tools, desktop):
    """It was called confirmed. Qt tells of its text where an accessibility bus runs when it starts."""
    needs("kate")
    with applications.program(desktop, "/usr/libexec/at-spi-bus-launcher", "--launch-immediately"), \
         applications.editor(tools, desktop, "kate") as editor:
        def typed(text, **more):
            editor.clear()
            return tools("create_input", action="type", text=text, **more)

        def compared(text, **more):
            """The answer about a text that kate told of in time, which a busy machine may not let it."""
            result = typed(text, **more)
            return None if "did not tell in time" in result["evidence"] else result
        until(lambda: "read back" in typed("warm")["evidence"], "an application that tells of its text")
        for _ in range(TIMES):
            result = until(lambda: compared("a😀b", method="type"), "a typed text that was compared")
            same((result["settled"], result.get("code"), result.get("seen")), (False, "TEXT_DIFFERS", "ab"))
            same(editor.holds(), "ab")
            same(until(lambda: compared("a😀b"), "a pasted text that was compared")["evidence"],
                 "the text was read back from the field")
            same(editor.holds(), "a😀b")


def registry_of(desktop):
    """The process to which Qt hands each key while anybody listens to accessibility."""
    root = subprocess.run(["xprop", "-root", "AT_SPI_BUS"], env=desktop.env, check=True, capture_output=True, text=True)
    bus = root.stdout.split('"')[1]
    asked = subprocess.run(["dbus-send", f"--bus={bus}", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
                            "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.a11y.atspi.Registry"],
                           check=True, capture_output=True, text=True)
    return int(asked.stdout.split()[-1])


@contextlib.contextmanager
def slow_registry(desktop):
    """It answers now and then, as on a busy machine."""
    pid, ends = registry_of(desktop), threading.Event()

    def hinder():
        while not ends.is_set():
            for number, seconds in ((signal.SIGSTOP, 0.07), (signal.SIGCONT, 0.01)):
                os.kill(pid, number)
                time.sleep(seconds)
    hinders = threading.Thread(target=hinder)
    hinders.start()
    try:
        yield
    finally:
        ends.set()
        hinders.join()


def keys_of_qt_stay_in_order(tools, desktop):
    """A shortcut overtook the keys before it, which Qt had handed to accessibility: line ends came too late, and ctrl+s saved a
    text without its last letter."""
    needs("kate")
    with applications.editor(tools, desktop, "kate", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1") as editor:
        tools("get_ui_tree", window=editor.window)      # listens from now on
        with slow_registry(desktop):
            for n in range(1, TIMES + 1):
                before = editor.path.stat().st_mtime_ns
                for keys in ("a", "ctrl+s"):
                    tools("create_input", action="keys", keys=keys)
                until(lambda was=before: editor.path.stat().st_mtime_ns != was, "a saved file")
                same(editor.path.read_text(encoding="utf-8").strip(), "a" * n)
            editor.clear()
            result = tools("create_input", action="type", text="a 😀\nb 😀\nc\nd 😀\n1")
            same(editor.holds(), "a 😀\nb 😀\nc\nd 😀\n1", result)


def an_input_method_is_gone_round(tools, desktop):
    """Typed through libpinyin, "Hello ni hao" became other text, and that was called confirmed."""
    needs("ibus-daemon")
    with applications.program(desktop, "ibus-daemon", "--xim", "--panel", "disable", "--config", "/usr/libexec/ibus-memconf"), \
         applications.editor(tools, desktop, "mousepad", "--disable-server", GTK_IM_MODULE="ibus") as editor:
        until(lambda: ibus(desktop, "engine", "libpinyin") is not None and ibus(desktop, "engine") == "libpinyin",
              "the engine libpinyin")
        text = "Hello ni hao\nshi jie"
        result = tools("create_input", action="type", text=text)
        same((result["route"], result["settled"]), ("paste ctrl+v", True))
        has(result["note"], "libpinyin is active")
        same(editor.holds(), text)
        result = tools("create_input", action="type", text="hao", method="type")
        same((result["settled"], result["code"]), (False, "TEXT_DIFFERS"))
        has(result["note"], "libpinyin is active and may have changed what was typed")
        ibus(desktop, "engine", "xkb:us::eng")
        same(tools("create_input", action="type", text="x")["route"], "xtest")


PINYIN = """[Groups/0]
Name=Default
Default Layout=us
DefaultIM=pinyin
[Groups/0/Items/0]
Name=keyboard-us
[Groups/0/Items/1]
Name=pinyin
[GroupOrder]
0=Default
"""


def fcitx_is_gone_round(tools, desktop):
    """Not among the packages, because it makes itself the input method of every GTK application."""
    if not shutil.which("fcitx5"):
        raise Skip("fcitx5, fcitx5-frontend-gtk3 and fcitx5-pinyin are not installed")
    folder = desktop.folder / "home" / ".config" / "fcitx5"
    folder.mkdir(parents=True)
    (folder / "profile").write_text(PINYIN, encoding="utf-8")
    with applications.program(desktop, "fcitx5"), \
         applications.editor(tools, desktop, "mousepad", "--disable-server", GTK_IM_MODULE="fcitx") as editor:
        def remote(*words):
            return subprocess.run(["fcitx5-remote", *words], env=desktop.env, check=False, text=True,
                                  stdout=subprocess.PIPE).stdout.strip()
        until(lambda: remote() == "1", "Fcitx")
        same(tools("create_input", action="type", text="a")["route"], "xtest")
        remote("-o")
        until(lambda: remote() == "2", "the active method")
        editor.clear()
        text = "Hello ni hao\nshi jie"
        has(tools("create_input", action="type", text=text)["note"], "pinyin is active")
        same(editor.holds(), text)
        remote("-c")


def ibus(desktop, *words):
    """Returns the output of ibus; None if it failed."""
    done = subprocess.run(["ibus", *words], env=desktop.env, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.strip() if done.returncode in (0, 1) else None


def a_terminal_is_pasted_into_at_once(name, *options):
    """gnome-terminal asks what there is when the clipboard changes, and does not paste before it knows. urxvt asks the
    user before it inserts several lines."""
    def case(tools, desktop):
        needs(name)
        with applications.terminal(tools, desktop, name, *options) as arrived:
            for action in ("paste", "type") * TIMES:
                before = arrived()
                copy(desktop, "of the user")
                tools("create_input", action=action, text=FOREIGN + "\nx")
                until(lambda was=before: arrived() == f"{was}{FOREIGN}\rx", f"the text in {name}")
    return case


def urxvt_is_pasted_a_tab(tools, desktop):
    """It asked the user about the tab, which was called confirmed, and the next keys answered it."""
    needs("urxvt")
    with applications.terminal(tools, desktop, "urxvt", "-e") as arrived:
        for text, held in (("a\tb", "a\tb"), ("c\rd", "c\rd"), ("e\r\n\tf", "e\r\tf")):
            before = arrived()
            same(tools("create_input", action="paste", text=text)["settled"], True)
            until(lambda was=before, want=held: arrived() == was + want, f"{text!r} in urxvt")


def gnome_terminal_refuses_what_it_would_replace(tools, desktop):
    """It shows U+FFFD or the like in place of these controls, which was called confirmed."""
    needs("gnome-terminal")
    with applications.terminal(tools, desktop, "gnome-terminal", "--wait", "--") as arrived:
        for text in ("a\u0085b", "a\u009bzb"):
            has(tools.fails("INVALID_ARGUMENT", "create_input", action="paste", text=text), "which this terminal replaces")
        tools("create_input", action="paste", text="\u00a0\u00c2\tand")
        until(lambda: arrived() == "\u00a0\u00c2\tand", "the text, and nothing of what was refused")


MANAGER = """
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
board = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
board.connect("owner-change", lambda *_: board.request_text(lambda _, text: None))
Gtk.main()
"""


def clipboard_manager_reads_too(tools, desktop):
    """It reads all that is copied. That was taken for the paste into an application that hangs."""
    path = desktop.folder / "manager.py"
    path.write_text(MANAGER, encoding="utf-8")
    with applications.program(desktop, "/usr/bin/python3", str(path)), \
         applications.editor(tools, desktop, "mousepad", "--disable-server") as editor:
        with applications.stopped(desktop, int(editor.window.split("/")[1])):      # applications/42/windows/3
            tools.fails("PASTE_UNKNOWN", "create_input", action="paste", text="for the editor")


def firefox_pastes_the_text(tools, desktop):
    needs("firefox-esr")
    with applications.firefox(tools, desktop) as page:
        page.act("click", 100, 60)
        for _ in range(TIMES):
            copy(desktop, "of the user")
            page.keys("ctrl+a", "Delete")
            text = f"one {FOREIGN}\n\ttwo"      # it cuts long titles
            tools("create_input", action="paste", text=text)
            until(lambda want=text: page.holds()["text"] == want, "the text in the page")
            same(copied(desktop), "of the user")


def content_processes(pid):
    """Returns Firefox's descendants that show pages."""
    found = []
    for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="utf-8").split():
            name = pathlib.Path(f"/proc/{child}/comm").read_text(encoding="utf-8")
            found += [int(child)] * ("Content" in name) + content_processes(child)
    return found


def firefox_with_a_page_that_hangs(tools, desktop):
    """It answers pings all the same. "Not taken" was said, and the text was inserted as soon as the page went on."""
    needs("firefox-esr")
    with applications.firefox(tools, desktop) as page:
        page.act("click", 100, 60)
        stopped = content_processes(page.window.split("/")[1])
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            tools.fails("PASTE_UNKNOWN", "create_input", action="paste", text="late")
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        until(lambda: page.holds()["text"] == "late", "the text in the page")


def writer_keeps_emoji_in_their_place(tools, desktop):
    """Typed, one came before the character before it."""
    needs("soffice")
    with applications.writer(tools, desktop) as copy_all:
        text = ""
        for action in ("type", "paste") * TIMES:
            tools("create_input", action=action, text="Zürich é😀, ñ🎉. ")
            text += "Zürich é😀, ñ🎉. "
            until(lambda want=text: copy_all() == want, f"{text!r} in the document")
            tools("create_input", action="keys", keys="ctrl+end")


CASES = [
    ("Chromium pastes the text, not what was copied before", chromium_pastes_the_text),
    ("Chromium takes double and triple clicks for such", chromium_counts_clicks),
    ("text that is typed at once after a choice in a list arrives in Chromium", chromium_takes_text_after_a_choice),
    ("text under a menu of Chromium is not called confirmed",
     a_browser_s_menu_makes_no_text("chromium", applications.chromium, 320)),
    ("text under a menu of Firefox is not called confirmed",
     a_browser_s_menu_makes_no_text("firefox-esr", applications.firefox, 220)),
    ("text under a menu of kate (Qt) is not called confirmed", menu_of_kate),
    ("text that a busy kate reads together with a right click is not called confirmed", menu_of_a_busy_kate),
    # It ignores ctrl+s until it is done with all of the save before, which it does not show (editor_page_get_can_save()).
    ("lines stay in their order in gnome-text-editor (GTK 4)", an_editor_gets_its_lines("gnome-text-editor", by_copy=True)),
    ("kate (Qt 5) gets emoji and lines", an_editor_gets_its_lines("kate")),
    ("keys stay in their order while accessibility answers slowly (kate, Qt 5)", keys_of_qt_stay_in_order),
    ("an emoji that kate drops is told", kate_drops_an_emoji_and_that_is_told),
    ("text goes past an active input method (IBus, libpinyin)", an_input_method_is_gone_round),
    ("text goes past an active input method (Fcitx, pinyin)", fcitx_is_gone_round),
    ("gnome-terminal is pasted into at once",
     a_terminal_is_pasted_into_at_once("gnome-terminal", "--wait", "--")),
    ("urxvt is pasted several lines without a question", a_terminal_is_pasted_into_at_once("urxvt", "-e")),
    ("kitty is pasted into", a_terminal_is_pasted_into_at_once("kitty", "--override=confirm_os_window_close=0", "--")),
    ("urxvt is pasted tabs and returns without a question", urxvt_is_pasted_a_tab),
    ("text that gnome-terminal would replace is not pasted into it", gnome_terminal_refuses_what_it_would_replace),
    ("a clipboard manager's reading is not taken for the paste", clipboard_manager_reads_too),
    ("Firefox pastes the text", firefox_pastes_the_text),
    ("a paste into a page of Firefox that hangs is unknown", firefox_with_a_page_that_hangs),
    ("emoji typed into LibreOffice stay in their place", writer_keeps_emoji_in_their_place),
]

if __name__ == "__main__":
    run(CASES, NEEDED)
