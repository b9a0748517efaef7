#!/usr/bin/env python3
"""Applications are asked by connections of their own, past the accessibility bus, where they offer them: as long as those lead
to them, and with the same faults as on the bus."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tap import Skip                                # noqa: E402
from tools import has, opened, run, same, until     # noqa: E402

TOLD = pathlib.Path(__file__).resolve().parent.parent / "lib" / "told_application.py"
PYTHON = "/usr/bin/python3"     # with PyGObject


def sockets(pid):
    """How many sockets a process has."""
    names = [os.readlink(path) for path in pathlib.Path(f"/proc/{pid}/fd").iterdir()]
    return sum(name.startswith("socket:") for name in names)


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


@contextlib.contextmanager
def told(desktop, address):
    """An application that says that it is reached at this address."""
    if subprocess.run([PYTHON, "-c", "import gi"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("PyGObject is not installed (vendor/install test)")
    with subprocess.Popen([PYTHON, str(TOLD), address], env=desktop.env, stdout=subprocess.PIPE, text=True) as program:
        try:
            same(program.stdout.readline(), "listed\n")
            yield f"applications/{program.pid}"
        finally:
            program.kill()


def one_connection(tools, _desktop):
    """Each look uses the same connection: an application never forgets one that it accepted."""
    with opened(tools, "mousepad") as app:
        pid = int(app.partition("/")[2])
        has(outline(tools, app), 'menu "File"')
        before = sockets(pid)
        for _ in range(5):
            has(outline(tools, app), 'menu "File"')
        same(sockets(pid), before, "sockets of the application")


def another_process(tools, desktop):
    """The socket is this test's, so the listener is not the application."""
    path = desktop.folder / "another.socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        with told(desktop, f"unix:path={path}") as app:
            for _ in range(2):
                has(outline(tools, app), 'window "the true window"')
        listener.settimeout(5)
        taken, _ = listener.accept()
        with taken:
            same(taken.recv(4096), b"", "what was sent there")


def a_program(tools, desktop):
    """libdbus would start it."""
    path = desktop.folder / "was started"
    with told(desktop, f"unixexec:path=/usr/bin/touch,argv1={path}".replace(" ", "%20")) as app:
        for _ in range(2):
            has(outline(tools, app), 'window "the true window"')
    same(path.exists(), False, "the program was started")


def stopped(tools, _desktop):
    """It costs each look its time, and afterwards all is as before."""
    with opened(tools, "mousepad") as app:
        has(outline(tools, app), 'menu "File"')
        pid = int(app.partition("/")[2])
        os.kill(pid, signal.SIGSTOP)
        try:
            for _ in range(2):
                same(tools.result("get_ui_tree", application=app).get("isError"), True)
        finally:
            os.kill(pid, signal.SIGCONT)
        until(lambda: not tools.result("get_ui_tree", application=app).get("isError"), "it answers again")
        has(outline(tools, app), 'menu "File"')


def ended(tools, _desktop):
    """The next look says so."""
    app = tools("open_application", name="mousepad", wait=30)["application"]["name"]
    until(lambda: 'menu "File"' in tools.text("get_ui_tree", application=app), "its elements")
    os.kill(int(app.partition("/")[2]), signal.SIGKILL)
    until(lambda: tools.result("get_ui_tree", application=app).get("isError"), "that it is gone")
    tools.fails("APP_NOT_FOUND", "get_ui_tree", application=app)



run((("one connection, and not one for each look", one_connection),
     ("a socket of another process is not believed", another_process),
     ("an address that would start a program is not believed", a_program),
     ("an application that is stopped, and goes on", stopped),
     ("an application that is killed", ended)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad"))
