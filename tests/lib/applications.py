"""Real applications on a test's desktop, and what they hold: for tests of input.

Each is a context manager's value with `window` (its resource name) and functions that click into it and read it.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from desktop import frame_buffer
from tools import Failure, PATIENCE, still, until

HERE = pathlib.Path(__file__).resolve().parent


def button_box(title):
    """The beginning of a GTK 3 program: a `window` with a `box`, and button(text), which makes a button in it and returns it."""
    return f"""
import gi
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk

window = Gtk.Window(title="{title}", default_width=400, default_height=300)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)

def button(text):
    made = Gtk.Button(label=text)
    box.pack_start(made, True, True, 0)
    return made
"""


def window_of(tools, part):
    """The window that has this in its title, once it has the focus and stays where it is: before that a click may be
    lost, or meet something else."""
    def look():
        return [(w["name"], w["bounds"]) for w in tools("list_windows")["windows"] if part in w["title"] and w["focused"]]
    until(look, f"a window {part!r} with the focus")
    name, bounds = until(lambda: still(look, 0.3), f"a window {part!r} that is still")[0]
    return {"name": name, "bounds": bounds}


@contextlib.contextmanager
def program(desktop, *argv, **env):
    """A program of this desktop, ended with the block."""
    with open(desktop.folder / (os.path.basename(argv[0]) + ".log"), "ab") as log:
        process = subprocess.Popen(argv, env=dict(desktop.env, **env), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def stops_alone(desktop, pid):
    """Stops it, unless that stops the server as well."""
    os.kill(pid, signal.SIGSTOP)
    try:
        subprocess.run(["xdotool", "getmouselocation"], env=desktop.env, stdout=subprocess.DEVNULL, check=True, timeout=2)
        return True
    except subprocess.TimeoutExpired:
        os.kill(pid, signal.SIGCONT)
        return False


@contextlib.contextmanager
def stopped(desktop, pid):
    """An application that hangs, where the server still answers. GTK 3 locks the whole server for a moment after a click
    (gdk asks which window is under the pointer), Tk as it takes the focus, and stopped within it would keep it locked:
    that is a case of tool_faults_test.py."""
    until(lambda: stops_alone(desktop, pid), "a moment in which it has not locked the server")
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def copy(desktop, text):
    """Another program's content of the clipboard; xclip may leave before it owns it."""
    subprocess.run(["xclip", "-selection", "clipboard"], input=text.encode(), env=desktop.env, check=True)
    until(lambda: copied(desktop) == text, "what was copied")


def copied(desktop):
    return subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=desktop.env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


# --- Tk -----------------------------------------------------------------------------------

class Tk:
    def __init__(self, tools, window, path):
        self.tools, self.path = tools, path
        self.window, self.bounds = window["name"], window["bounds"]

    def click(self, field):
        self.tools("create_input", action="click", x=self.bounds["x"] + 100,
                   y=self.bounds["y"] + {"entry": 35, "field": 120}[field])

    def holds(self):
        return read_json(self.path)


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


@contextlib.contextmanager
def tk(tools, desktop, title="a Tk window", *options):
    path = desktop.folder / (title.replace(" ", "-") + ".json")
    with program(desktop, tk_python(), str(HERE / "tk_window.py"), title, str(path), *options):
        window = window_of(tools, title)
        until(path.exists, "the fields of the window")
        yield Tk(tools, window, path)


def tk_python():
    """A Python that has tkinter, or None: that of the system may have it where another one runs the tests."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import tkinter"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


# --- a page in Chromium ---------------------------------------------------------------------

PAGE = """<!doctype html><meta charset="utf-8"><title>starting</title><body style="margin:0">
<textarea id="field" style="display:block; width:600px; height:300px; font:16px monospace"></textarea>
<select id="choice" style="width:300px; height:40px"><option>one<option>two<option>three</select>
<script>
const field = document.getElementById("field"), choice = document.getElementById("choice");
function show() {
  const selected = field.value.substring(field.selectionStart, field.selectionEnd);
  document.title = "page " + JSON.stringify({ text: field.value, selected: selected, choice: choice.value });
}
for (const event of ["input", "selectionchange"]) document.addEventListener(event, show);
choice.onchange = () => { field.focus(); show(); };
field.focus();
show();
</script>"""


class Page:
    """A text field, 600 by 300 from the page's corner, and a list below it."""

    def __init__(self, tools, window):
        self.tools, self.window = tools, window["name"]
        bounds = window["bounds"]
        self.x, self.y = bounds["x"] + 1, bounds["y"] + bounds["height"] - HEIGHT

    def act(self, action, x, y, **more):
        return self.tools("create_input", action=action, x=self.x + x, y=self.y + y, **more)

    def keys(self, *chords):
        for chord in chords:
            self.tools("create_input", action="keys", keys=chord)

    def holds(self):
        title = self.tools("get_window", name=self.window)["title"]
        return json.JSONDecoder().raw_decode(title[title.index("{"):])[0]   # a browser adds its name


HEIGHT = 600


@contextlib.contextmanager
def chromium(tools, desktop):
    page = desktop.folder / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    with program(desktop, "chromium", "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
                 f"--user-data-dir={desktop.folder / 'chromium'}", f"--app=file://{page}", f"--window-size=900,{HEIGHT}"):
        yield Page(tools, window_of(tools, "page {"))


FIREFOX = """user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


@contextlib.contextmanager
def firefox(tools, desktop):
    page, profile = desktop.folder / "page.html", pathlib.Path(tempfile.mkdtemp(prefix="firefox-", dir=desktop.folder))
    page.write_text(PAGE, encoding="utf-8")
    (profile / "user.js").write_text(FIREFOX, encoding="utf-8")
    with program(desktop, "firefox-esr", "--no-remote", "--profile", str(profile), f"file://{page}"):
        yield Page(tools, window_of(tools, "page {"))


def copied_by(tools, desktop, seconds=PATIENCE):
    """All that the application with the focus copies within so many seconds, else nothing. The copy is awaited: a late one
    would be taken for somebody else's."""
    copy(desktop, "copied by nobody")
    for chord in ("ctrl+a", "ctrl+c"):
        tools("create_input", action="keys", keys=chord)
    ends = time.monotonic() + seconds
    while copied(desktop) in ("copied by nobody", ""):
        if time.monotonic() > ends:
            return None
        time.sleep(0.05)
    return copied(desktop)


def takes_keys(tools, desktop):
    """While Writer starts its window has the keyboard and drops what comes, under load for seconds. That was confirmed."""
    sure = tools("create_input", action="type", text="ready", method="type")["settled"]
    held = copied_by(tools, desktop, PATIENCE if sure else 1)
    if sure and held != "ready":
        raise Failure(f"confirmed, and it holds {held!r}")
    return held == "ready"


@contextlib.contextmanager
def writer(tools, desktop):
    """A function that copies all that an empty document of LibreOffice holds."""
    def copy_all():
        return copied_by(tools, desktop)
    with program(desktop, "soffice", "--writer", "--norestore", "--nologo", SAL_USE_VCLPLUGIN="gtk3"):
        bounds = window_of(tools, "Writer")["bounds"]
        still(lambda: frame_buffer(desktop.folder))
        tools("create_input", action="click", x=bounds["x"] + bounds["width"] // 2, y=bounds["y"] + bounds["height"] // 2)
        until(lambda: takes_keys(tools, desktop), "a Writer that takes keys")
        tools("create_input", action="keys", keys="Delete")
        yield copy_all


# --- editors of files, terminals ----------------------------------------------------------------

class Editor:
    """Holds what it has saved."""

    def __init__(self, tools, window, path):
        self.tools, self.path, self.window = tools, path, window["name"]
        bounds = window["bounds"]
        tools("create_input", action="click", x=bounds["x"] + bounds["width"] // 2, y=bounds["y"] + bounds["height"] // 2)

    def clear(self):
        for chord in ("ctrl+a", "Delete"):
            self.tools("create_input", action="keys", keys=chord)

    def holds(self):
        """Without the line end that editors add."""
        before = self.path.stat().st_mtime_ns
        self.tools("create_input", action="keys", keys="ctrl+s")
        until(lambda: self.path.stat().st_mtime_ns != before, "a saved file")
        return still(lambda: self.path.read_text(encoding="utf-8"), 0.2).removesuffix("\n")

    def copies(self, desktop):
        """What it holds by its own copy of all: for an editor whose saving may be off for a while."""
        return copied_by(self.tools, desktop)


@contextlib.contextmanager
def editor(tools, desktop, name, *options, **env):
    path = desktop.folder / f"{name}.txt"
    path.write_text("", encoding="utf-8")
    with program(desktop, name, *options, str(path), GSETTINGS_BACKEND="memory", **env):
        yield Editor(tools, window_of(tools, path.name), path)


@contextlib.contextmanager
def terminal(tools, desktop, name, *options, shows=""):
    """A terminal with the focus that shows a text without quotes. Yields a function that returns the text that arrived in it."""
    path = desktop.folder / f"{name}.read"
    shell = f"stty raw -echo; printf '{shows}\\033]2;reading in {name}\\007'; echo > {path}; exec cat >> {path}"
    with program(desktop, name, *options, "sh", "-c", shell):
        window = window_of(tools, f"reading in {name}")
        tools("focus_window", name=window["name"])
        yield lambda: path.read_bytes()[1:].decode()
