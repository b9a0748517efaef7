#!/usr/bin/env python3
"""Every way out of attempts.py, tried from Python guests: none reaches a file's content, a process, a socket or a secret outside.

    tests/python/escape_test.py [--wide]

Each is tried with every layer of the jail, and as an ordinary user where a system has no namespaces. With --wide they are tried
as root and as an ordinary user, with every layer and with all that a system may lack, three times in a server.
"""

import functools
import itertools
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import attempts                             # noqa: E402
import tap                                  # noqa: E402
import python_server                        # noqa: E402
from python_server import CALLS, LANDLOCK, NAMESPACES, NOBODY, PythonServer     # noqa: E402

TOKEN = "a-secret-" + os.urandom(8).hex()
# Refused layers, and those that hold then.
ORDERS = {"": CALLS | LANDLOCK | NAMESPACES, "namespaces": CALLS | LANDLOCK, "map": CALLS | LANDLOCK, "landlock": CALLS | NAMESPACES,
          "namespaces,landlock": CALLS}
SECONDS = 60
# What the system tells where a guest sees the real root: it is not content.
TOLD = {"namespaces", "map", "namespaces,landlock"}


@functools.lru_cache
def has_namespaces():
    """Whether the system gives them at all: in a chroot it does not."""
    return subprocess.run(["unshare", "--user", "--map-root-user", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Outside:
    """What a guest must not reach: a file, sockets and a process of its user."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perigee-outside-"))
        self.folder.chmod(0o777)
        self.secret = self.folder / "secret"
        self.secret.write_text(TOKEN)
        self.secret.chmod(0o666)
        (self.folder / "perigee_secret_module.py").write_text("print('REACHED by import')")
        shutil.copy("/usr/bin/true", self.folder / "x.so")
        self.abstract = "\0perigee-outside-" + os.urandom(6).hex()
        self.sockets = [self.bound(socket.AF_UNIX, kind, name) for kind, name in (
            (socket.SOCK_STREAM, self.abstract), (socket.SOCK_DGRAM, self.abstract + "d"), (socket.SOCK_DGRAM, str(self.folder / "s")))]
        self.sockets.append(self.bound(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)))
        (self.folder / "s").chmod(0o777)
        self.process = subprocess.Popen(["sleep", "100000"])
        self.state = self.look()

    @staticmethod
    def bound(family, kind, name):
        made = socket.socket(family, kind)
        made.bind(name)
        if kind == socket.SOCK_STREAM:
            made.listen(8)
        return made

    def look(self):
        found = self.secret.stat()
        return (self.secret.read_text(), found.st_mode, found.st_mtime_ns, found.st_nlink, sorted(os.listdir(self.folder)),
                self.process.poll(), os.sched_getaffinity(self.process.pid))

    def constants(self):
        values = {"SECRET": str(self.secret), "FOLDER": str(self.folder), "ABSTRACT": self.abstract, "PATH": str(self.folder / "s"),
                  "PORT": self.sockets[-1].getsockname()[1], "OUTSIDE": self.process.pid, "NUMBERS": attempts.NUMBERS}
        return "".join(f"{name} = {value!r}\n" for name, value in values.items())

    def touched(self):
        if select.select(self.sockets, [], [], 0)[0]:
            return "a socket was spoken to"
        return "" if self.look() == self.state else f"{self.state} became {self.look()}"

    def close(self):
        for each in self.sockets:
            each.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)


def verdict(guest, refused):
    """A word for what came of an attempt, and whether it got out."""
    failed = guest.done and guest.done.get("error")
    if "REACHED" in guest.output or TOKEN in guest.output or any(TOKEN.encode() in data for data in guest.files.values()):
        return "REACHED " + guest.output[-200:], True
    if "TOLD" in guest.output and refused not in TOLD and has_namespaces():
        return "told " + guest.output[-200:], "more files" not in guest.output and refused != "landlock"
    if "INSIDE" in guest.output or "TOLD" in guest.output:
        return "inside", False
    if guest.status & 127:
        return f"signal {guest.status & 127}", False
    if not guest.done:
        return f"exit {guest.status >> 8}", False
    return f"refused: {failed['message'][:60]}" if failed else "nothing", not failed


def tried(outside, root, refused, user, times):
    """(attempts that got out, number of attempts)."""
    through, count, words = [], 0, {}
    start = outside.constants() + f"RUNNER = {str(root / 'scripts/python/runner.py')!r}\n" + attempts.PRELUDE
    with PythonServer(root=root, refused=refused, user=user, env={"PERIGEE_TOKEN": TOKEN}) as server:
        held = server.layers & (CALLS | LANDLOCK | NAMESPACES)
        if not refused and held != ORDERS[""]:
            tap.note(f"this system has not all layers: {server.layers}")
        assert held & ~ORDERS[refused] == 0 and held & CALLS, (refused, server.layers)
        control = server.run(start + "ok('control')", SECONDS)
        assert verdict(control, refused)[1], (control.output, control.done)     # one that gets out would be seen
        for _ in range(times):
            for name, code in attempts.ATTEMPTS:
                guest = server.run(start + code, SECONDS)
                said, out = verdict(guest, refused)
                out = out or outside.touched()
                count += 1
                words[said.split(":")[0].split()[0]] = words.get(said.split(":")[0].split()[0], 0) + 1
                if os.environ.get("PERIGEE_SHOW_ATTEMPTS"):
                    tap.note(f"{refused or 'all'} {user or 0} {name}: {said}")
                if out:
                    through.append(f"{name}: {said} {out}")
        errors = server.run("import os; os.write(2, b'x' * 10)")
        assert errors.status == 0, errors.status
    assert "ESCAPED-TO-STDERR" not in server.errors, server.errors
    tap.note(f"{root.parent.name}, {refused or 'all layers'}, user {user or os.getuid()}: {words}")
    return through, count


def none_gets_out(root, refused, user, times):
    outside = Outside()
    try:
        through, count = tried(outside, root, refused, user, times)
    finally:
        outside.close()
    tap.corpus("escapes from Python", count, len(through))
    assert not through, "\n".join(through)


def nothing_runs_without_the_list(root, user):
    try:
        with PythonServer(root=root, refused="seccomp", user=user) as server:
            assert not server.layers & CALLS, server.layers
            guest = server.fork()
            assert guest.pidfd is None, "a guest was made"
    except (python_server.Gone, BrokenPipeError):
        pass        # it went as it should


def wide():
    return "--wide" in sys.argv[1:]


def cases(users):
    """(refused layers, user) of each server."""
    return [(refused, user) for user in users for refused in ORDERS] if wide() else [("", None), ("namespaces", users[-1])]


def main():
    if not sys.platform.startswith("linux"):
        tap.skip("escapes from Python", "the layers are Linux's")
        return tap.done()
    users = [None, NOBODY] if os.getuid() == 0 else [None]
    for root, (refused, user) in tap.share(itertools.product(python_server.runners(), cases(users))):
        name = "the small runner" if root == python_server.SMALL else "the shipped runner"
        tap.case(f"none gets out of {name} as user {user or os.getuid()} without {refused or 'nothing'}", none_gets_out, root, refused, user,
                 3 if wide() else 1)
    for user in users:
        tap.case(f"nothing runs without the list as user {user or os.getuid()}", nothing_runs_without_the_list, python_server.SMALL, user)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
