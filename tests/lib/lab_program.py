"""A GTK 3 program that does what a test tells it to, in its own main loop: LabProgram(env)("code") gives repr(R)."""

import json
import subprocess

PROGRAM = r"""
import json, sys
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, GLib
names = {"Gtk": Gtk, "GLib": GLib}

def told(source, condition):
    line = sys.stdin.readline()
    if not line:
        Gtk.main_quit()
        return False
    names["R"] = None
    try:
        exec(json.loads(line), names)
        said = repr(names["R"])
    except Exception as error:
        said = f"failed: {error!r}"
    print(json.dumps(said), flush=True)
    return True

GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT_IDLE, GLib.IO_IN | GLib.IO_HUP, told)
Gtk.main()
"""


class LabProgram:
    """In a `with`; its application's name is `.app`."""

    def __init__(self, env):
        self.process = subprocess.Popen(["/usr/bin/python3", "-c", PROGRAM], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.app = f"applications/{self.process.pid}"

    def __call__(self, code):
        """Runs it there, and says what it left in R."""
        self.process.stdin.write(json.dumps(code) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        assert not said.startswith("failed: "), said
        return said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
