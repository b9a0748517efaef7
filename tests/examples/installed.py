"""A service of examples/services, installed and used as a person would: copied into the user's directory, run by an engine on a
desktop with windows, worked by keys."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "lib"))

import xlook                                                # noqa: E402
from applications import program                            # noqa: E402
from server import PERIGEE, Server                          # noqa: E402
from tools import Failure, until                            # noqa: E402

SERVICES = TESTS.parent / "examples" / "services"
# Watchers, timers and keys that each has when start() has come to its end.
HANDLES = {"clipboard_history": 2, "display_layouts": 4, "file_sorter": 2, "meetings": 4, "tiling": 11, "window_switcher": 1}
PICTURES = os.environ.get("PERIGEE_PICTURES")               # a folder: the pictures of examples/README.md are made there


class Installed:
    """`with Installed(desktop, "tiling") as service:`. `options` are lines at the top of the file that the user has changed."""

    def __init__(self, desktop, name, grants=(), env=None, **options):
        self.desktop, self.name, self.grants = desktop, name, grants
        self.home = pathlib.Path(desktop.env["HOME"])
        self.state = self.home / ".local" / "state"
        self.env = {**desktop.env, "PERIGEE_HOME": str(self.home / ".config" / "perigee"), "XDG_STATE_HOME": str(self.state),
                    **(env or {})}
        self.file = pathlib.Path(self.env["PERIGEE_HOME"], "services", f"{name}.lua")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SERVICES / f"{name}.lua", self.file)
        self.options(**options)
        self.server = None

    def options(self, **values):
        """As an editor saves: beside, and renamed."""
        text = self.file.read_text(encoding="utf-8")
        for option, value in values.items():
            text, count = re.subn(rf"(?m)^local {option} = [^\n]*", f"local {option} = {value}", text)
            if count != 1:
                raise Failure(f"{self.file} has no option {option}")
        beside = self.file.with_suffix(".new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self.file)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        if kind:
            sys.stderr.write("\n".join(self.server.errors[-12:]) + "\n")
        self.server.kill()
        shutil.rmtree(self.file.parent)
        shutil.rmtree(self.state / "perigee" / "store", ignore_errors=True)

    def start(self):
        grants = [word for folder in self.grants for word in ("--grant", str(folder))]
        self.server = Server([PERIGEE, "serve", *grants], env=self.env)
        self.server.initialize()
        until(lambda: self.status().get("state") == "failed" or self.status().get("handles", 0) >= HANDLES[self.name],
              f"the service {self.name} runs")
        if self.status()["state"] == "failed":
            raise Failure(self.status()["error"])

    def restart(self):
        self.server.kill()
        self.start()

    def status(self):
        services = self.server.call("engine_status")["result"]["structuredContent"].get("services") or []
        return services[0] if services else {}

    def await_log(self, line):
        """Until `perigee service log` shows this."""
        def log():
            return subprocess.run([PERIGEE, "service", "log", self.name, "--pid", str(self.server.process.pid)], env=self.env,
                                  capture_output=True, text=True, timeout=30, check=True).stdout
        until(lambda: line in log(), f"a line {line!r} in the log")

    def store(self):
        """What the service keeps on the disk."""
        file = self.state / "perigee" / "store" / f"{self.name}.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def keys(self, *chords):
        subprocess.run(["xdotool", "key", *chords], env=self.env, check=True, timeout=30)

    def picture(self, name):
        """Of the desktop, for the documents: its path, if it is wanted."""
        if not PICTURES or self.desktop.manager.name != "openbox":
            return None
        path = pathlib.Path(PICTURES, f"service-{name}.png")
        self.desktop.screenshot(path, settle=5)
        return path


# --- windows -------------------------------------------------------------------------------------------

def tool(desktop, *argv):
    return subprocess.run(argv, env=desktop.env, check=True, capture_output=True, text=True, timeout=30).stdout


def search(desktop, *words):
    """The numbers of the windows that are shown and fit, by xdotool; it fails where none does."""
    return [int(word) for word in subprocess.run(["xdotool", "search", "--onlyvisible", *words], env=desktop.env, timeout=30,
                                                 capture_output=True, text=True, check=False).stdout.split()]


def window_of(desktop, title):
    """The number of the window with this title."""
    return until(lambda: search(desktop, "--name", title), f"a window {title!r}")[0]


class Windows:
    """What the X server says of them: outer frames, with the window manager's borders."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.look = xlook.Look(desktop.env["DISPLAY"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.look.__exit__()

    def frame(self, window):
        return self.look.whole(window)

    def await_frame(self, window, wanted, slack=0):
        """slack: points by which a window may be smaller, because it grows by whole characters."""
        def fits():
            frame = self.frame(window)
            return frame and frame[:2] == wanted[:2] and all(0 <= w - f <= slack for f, w in zip(frame[2:], wanted[2:]))
        try:
            until(fits, f"the frame {wanted}")
        except Failure as failure:
            raise Failure(f"{failure}, but {self.frame(window)}") from None

    def focus(self, window):
        tool(self.desktop, "xdotool", "windowactivate", "--sync", str(window))
        until(lambda: self.look.has_focus(window), "the focus")

    def place(self, window, x, y, width, height):
        tool(self.desktop, "wmctrl", "-i", "-r", str(window), "-e", f"0,{x},{y},{width},{height}")


def background(desktop):
    tool(desktop, "xsetroot", "-solid", "#3b5568", "-cursor_name", "left_ptr")


@contextlib.contextmanager
def xterm(desktop, title, shows=""):
    """A terminal in which the output of a command of the shell stays."""
    font = ("-fa", "DejaVu Sans Mono", "-fs", "10")
    with program(desktop, "xterm", "-T", title, *font, "-e", "sh", "-c", f"{shows}\nexec cat"):
        yield window_of(desktop, f"^{title}$")


@contextlib.contextmanager
def mousepad(desktop, name, text=""):
    """A document in an editor; the window's title begins with its name."""
    with tempfile.TemporaryDirectory(prefix="perigee-examples-") as folder:
        file = pathlib.Path(folder, name)
        file.write_text(text, encoding="utf-8")
        with program(desktop, "mousepad", "--disable-server", str(file), GSETTINGS_BACKEND="memory"):
            yield window_of(desktop, name)


# --- displays ------------------------------------------------------------------------------------------

def plug(desktop, *monitors):
    """Connects displays, each NAME and WIDTHxHEIGHT+X+Y; others are disconnected."""
    now = [line.split()[1].strip("+*") for line in tool(desktop, "xrandr", "--listmonitors").splitlines()[1:]]
    for number, (name, geometry) in enumerate(monitors):
        if name not in now:
            size, x, y = re.fullmatch(r"(\d+x\d+)\+(\d+)\+(\d+)", geometry).groups()
            width, height = size.split("x")
            tool(desktop, "xrandr", "--setmonitor", name, f"{width}/300x{height}/200+{x}+{y}", "none" if number else "screen")
    for name in now:
        if name not in [m[0] for m in monitors] and name != "screen":
            tool(desktop, "xrandr", "--delmonitor", name)
