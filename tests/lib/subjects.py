"""Applications as tests of input need them: each can be cleared and filled, tells what it holds, and has a first line of
text whose place is known. Coordinates are of the display.

The places are those of Debian 12's packages with their own fonts and settings, on a display of 1280 by 800.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import time
from dataclasses import dataclass

import applications
from tools import still, until

NOTHING = "nothing"     # is selected, or was copied
HERE = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    """An application: what it needs, how it is opened, and where its text begins in its window: the left end and the
    middle of the first line, and the way from one line to the next."""
    name: str
    program: str
    open: object
    left: int
    top: int
    pitch: int


class Subject:
    def __init__(self, row, tools, desktop, window):
        self.name, self.tools, self.desktop = row.name, tools, desktop
        self.window = window["name"]
        x, y = window["bounds"]["x"] + row.left, window["bounds"]["y"] + row.top
        self.word = (x + 40, y)
        self.start, self.end = (x, y), (x + 400, y + row.pitch)
        self.rest = (x + 300, y + 6 * row.pitch)

    def key(self, *chords):
        for chord in chords:
            self.tools("create_input", action="keys", keys=chord)

    all = "ctrl+a"      # the keys that select all

    def clear(self):
        self.key(self.all, "Delete")
        until(lambda: self.holds() == "", f"an empty field in {self.name}")

    def fill(self, text):
        self.clear()
        self.tools("create_input", action="paste", text=text)
        until(lambda: self.holds() == text, f"the text in {self.name}")

    def as_held(self, text):
        """How the application holds a text that arrived in full."""
        return text

    def focus(self):
        self.tools("create_input", action="click", x=self.rest[0], y=self.rest[1])

    def selected(self):
        """PRIMARY."""
        return subprocess.run(["xclip", "-selection", "primary", "-o"], env=self.desktop.env, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()

    def unselect(self):
        """PRIMARY is another program's."""
        subprocess.run(["xclip", "-selection", "primary"], input=NOTHING.encode(), env=self.desktop.env, check=True)
        until(lambda: self.selected() == NOTHING, "another program's selection")


# --- editors --------------------------------------------------------------------------------

class EditorSubject(Subject):
    def holds(self):
        """What it has saved by now: nothing is written where nothing has changed."""
        self.key("ctrl+s")
        return still(lambda: self.path.read_text(encoding="utf-8"), 0.2).removesuffix("\n")


def editor(*argv, **env):
    @contextlib.contextmanager
    def opened(row, tools, desktop):
        path = desktop.folder / f"{row.program}.txt"
        path.write_text("", encoding="utf-8")
        with applications.program(desktop, row.program, *argv, str(path), GSETTINGS_BACKEND="memory", **env):
            subject = EditorSubject(row, tools, desktop, applications.window_of(tools, path.name))
            subject.path = path
            subject.focus()
            yield subject
    return opened


# --- windows of one field, which keep a file of what it holds ---------------------------------

class FieldSubject(Subject):
    def holds(self):
        return applications.read_json(self.path)["field"]


class TkSubject(FieldSubject):
    all = "ctrl+/"


@contextlib.contextmanager
def tk(row, tools, desktop):
    path = desktop.folder / "tk.json"
    with applications.program(desktop, applications.tk_python(), str(HERE / "tk_window.py"), "Tk field", str(path)):
        subject = TkSubject(row, tools, desktop, applications.window_of(tools, "Tk field"))
        subject.path = path
        subject.focus()
        yield subject


@contextlib.contextmanager
def swing(row, tools, desktop):
    path = desktop.folder / "swing.json"
    with applications.program(desktop, "java", str(HERE / "SwingField.java"), "Swing field", str(path)):
        subject = FieldSubject(row, tools, desktop, applications.window_of(tools, "Swing field"))
        subject.path = path
        subject.focus()
        yield subject


# --- browsers -------------------------------------------------------------------------------

class PageSubject(Subject):
    def holds(self):
        return self.page.holds()["text"]


def browser(opener):
    @contextlib.contextmanager
    def opened(row, tools, desktop):
        with opener(tools, desktop) as page:
            subject = PageSubject(row, tools, desktop, {"name": page.window, "bounds": tools("get_window", name=page.window)["bounds"]})
            subject.page = page
            subject.focus()
            yield subject
    return opened


# --- LibreOffice ------------------------------------------------------------------------------


class WriterSubject(Subject):
    def holds(self):
        """What is copied; an empty document copies nothing."""
        self.key("ctrl+a")
        return self.selected()

    def unselect(self):
        pass

    def selected(self):
        self.tools("write_clipboard", text=NOTHING)
        self.key("ctrl+c")
        limit = time.monotonic() + 0.3
        while (text := self.copied()) in (NOTHING, None) and time.monotonic() < limit:
            time.sleep(0.02)
        return "" if text in (NOTHING, None) else text

    def copied(self):
        """None while LibreOffice copies."""
        return self.tools.result("get_clipboard").get("structuredContent", {}).get("text")


@contextlib.contextmanager
def writer(row, tools, desktop):
    with applications.writer(tools, desktop):
        yield WriterSubject(row, tools, desktop, applications.window_of(tools, "Writer"))


# --- terminals --------------------------------------------------------------------------------

SHOWN = "Alphabetical words\\r\\nand another line\\r\\n"


class TerminalSubject(Subject):
    """What arrives is in a file; the screen shows only what the text to select is."""

    def clear(self):
        self.seen = self.arrived()

    def holds(self):
        return self.arrived().removeprefix(self.seen)

    def as_held(self, text):
        return text.replace("\n", "\r")

    def fill(self, text):
        pass


def terminal(*options):
    @contextlib.contextmanager
    def opened(row, tools, desktop):
        with applications.terminal(tools, desktop, row.program, *options, shows=SHOWN) as arrived:
            subject = TerminalSubject(row, tools, desktop, applications.window_of(tools, f"reading in {row.program}"))
            subject.arrived = arrived
            yield subject
    return opened


# As root mousepad says so in a line above its text.
ROWS = {row.name: row for row in (
    Row("GTK 3 (mousepad)", "mousepad", editor("--disable-server"), 4, 81 if os.geteuid() == 0 else 57, 18),
    Row("GTK 4 (gnome-text-editor)", "gnome-text-editor", editor(), 17, 74, 20),
    Row("Qt 5 (kate)", "kate", editor(), 84, 136, 17),
    Row("Tk", "wish", tk, 4, 54, 17),
    Row("Swing", "javac", swing, 2, 28, 15),
    Row("Chromium", "chromium", browser(applications.chromium), 5, 32, 19),
    Row("Firefox", "firefox-esr", browser(applications.firefox), 5, 98, 19),
    Row("LibreOffice Writer", "soffice", writer, 283, 250, 19),
    Row("xterm", "xterm", terminal("-e"), 3, 29, 13),
    Row("urxvt", "urxvt", terminal("-e"), 15, 29, 13),
    Row("kitty", "kitty", terminal("--override=confirm_os_window_close=0", "--"), 2, 31, 18),
    Row("gnome-terminal", "gnome-terminal", terminal("--wait", "--"), 3, 55, 18),
)}


def missing(row):
    if row.open is tk:
        return not applications.tk_python()
    return not shutil.which(row.program)
