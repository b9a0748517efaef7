#!/usr/bin/env python3
"""The fork server by itself (`perigee --guest-server`, src/guest/control.h): what it and its guests have of ours, and that it
tells of each end."""

import array
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                          # noqa: E402
from procs import descendants, words_of                       # noqa: E402
from server import GUARD, PERIGEE, Server           # noqa: E402

RECORD = struct.Struct("=IIi")
FORK, KILL, END, READY = 1, 2, 3, 4
CONTROL = 3
REGION_MAX = 256 << 20      # sanitizers reserve terabytes
SECRET = b"a-secret-of-the-env-file-" + os.urandom(8).hex().encode()


class Direct:
    """The engine's place, taken by us."""

    def __init__(self, **env):
        self.ours, theirs = socket.socketpair()
        self.ours.settimeout(GUARD)
        self.process = subprocess.Popen([PERIGEE, "--guest-server"], env={"LC_ALL": "C", "TZ": ":/etc/localtime", **env}, cwd="/",
                                        stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=(CONTROL,),
                                        preexec_fn=lambda: os.dup2(theirs.fileno(), CONTROL))
        theirs.close()
        self.lines = []
        assert self.record()[0] == READY

    def record(self):
        data = b""
        while len(data) < RECORD.size:
            data += self.ours.recv(RECORD.size - len(data)) or self.gone()
        return RECORD.unpack(data)

    def gone(self):
        raise AssertionError(f"the server ended: {self.process.wait()}")

    def fork(self, number):
        """The guest's pid."""
        before = set(descendants(self.process.pid))
        line, theirs = socket.socketpair()
        self.lines.append(line)
        self.ours.sendmsg([RECORD.pack(FORK, number, 0)],
                          [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs.fileno()]))])
        theirs.close()
        end = time.monotonic() + GUARD
        while not set(descendants(self.process.pid)) - before:
            assert time.monotonic() < end, "no guest was made"
            time.sleep(0.01)
        time.sleep(0.05)        # and shut in
        return (set(descendants(self.process.pid)) - before).pop()

    def all(self):
        return [self.process.pid, *descendants(self.process.pid)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ours.close()
        self.process.wait(GUARD)
        for line in self.lines:
            line.close()


def memory_has(pid, what):
    """True if these bytes are anywhere in its memory that can be written."""
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for first, last in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw", pathlib.Path(f"/proc/{pid}/maps").read_text(), re.MULTILINE):
            size = int(last, 16) - int(first, 16)
            try:
                memory.seek(int(first, 16))
                if size < REGION_MAX and what in memory.read(size):
                    return True
            except (OSError, OverflowError):
                continue
    return False


def may_read_memory(pid):
    try:
        return memory_has(pid, b"LC_ALL=C")
    except PermissionError:
        return False


def the_env_file_is_not_read():
    """The values of the user's .env were in its environment, and so in the memory of every guest."""
    folder = tempfile.mkdtemp(prefix="perigee-server-")
    pathlib.Path(folder, ".env").write_bytes(b"OPENAI_API_KEY=" + SECRET + b"\n")
    try:
        with Direct(PERIGEE_HOME=folder) as server:
            server.fork(1)
            if not may_read_memory(server.all()[-1]):
                tap.note("this user may not read the memory of a process that is shut in: not tried")
                return
            assert len(server.all()) >= 2
            for pid in server.all():
                assert not memory_has(pid, SECRET), pid
    finally:
        shutil.rmtree(folder)


def files_of(pid):
    """Returns the paths of its open files by descriptor. Only root may see those of a process that is shut in."""
    found = {}
    for each in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            found[int(each.name)] = os.readlink(each)
        except FileNotFoundError:
            continue
    return found


def makers_and_guests(server):
    return [pid for pid in descendants(server.process.pid) if b"--guest-server" in words_of(pid)]


def no_file_of_the_engine_is_inherited(*filtered):
    """Files that the engine's own parent had left open were in every guest."""
    argv = ["sh", "-c", 'exec 7</etc/passwd 8<"$0" 9>&2; exec "$@"', str(TOP / "README.md"), *filtered,
            PERIGEE, "serve", "--root", str(TOP / "tests/wire/root"), "--toolset", "test"]
    with Server(argv) as server:
        server.initialize()
        assert server.call("run_lua", {"code": "return 1"})["result"]["content"][0]["text"] == "1"
        assert "/etc/passwd" in files_of(server.process.pid).values(), "the engine has them"
        errors, end = files_of(server.process.pid)[2], time.monotonic() + GUARD
        for _ in range(2):
            server.post("tools/call", {"name": "run_lua", "arguments": {"code": "require('sys.time').sleep(60)"}})
        while len(makers_and_guests(server)) < 3:       # one makes them, one may wait for it
            assert time.monotonic() < end, makers_and_guests(server)
            time.sleep(0.01)
        for pid in makers_and_guests(server):
            try:
                files = files_of(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue                                # the script that is tried after the first one has ended
            except PermissionError:
                tap.note("this user may not see the files of a process that is shut in: not tried")
                return
            for fd, name in files.items():
                known = name == "/dev/null" if fd < 2 else name == errors if fd == 2 else name.startswith(("socket:", "anon_inode:", "pipe:"))
                assert known and (fd < 3 or name != errors), (pid, fd, name)


def each_end_is_told_without_being_asked():
    """After the first one it waited for a record of the engine, deaf to the ends of others."""
    with Direct() as server:
        guests = {number: server.fork(number) for number in range(1, 6)}
        for number, pid in guests.items():
            os.kill(pid, signal.SIGKILL)
            assert server.record() == (END, number, signal.SIGKILL)


def main():
    if not sys.platform.startswith("linux"):
        tap.skip("the fork server", "/proc is Linux's")
        return tap.done()
    for case in (the_env_file_is_not_read, no_file_of_the_engine_is_inherited, each_end_is_told_without_being_asked):
        tap.case(case.__name__.replace("_", " "), case)
    tap.case("no file of the engine is inherited even without close_range()", no_file_of_the_engine_is_inherited, sys.executable,
             str(TOP / "tests/lib/filtered.py"), "close_range")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
