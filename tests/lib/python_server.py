"""The engine's place beside `perigee --python-server`, taken by a test: records (src/guest/control.h), and frames of its guests
(src/guest/frame.h)."""

import array
import functools
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import sys

from server import GUARD, PERIGEE, TOP

RECORD, HEAD = struct.Struct("=IIi"), struct.Struct("<IBI")
FORK, KILL, END, READY, CHILD, FILES = range(1, 7)
JOB, CALL, ANSWER = 0, 1, 2
DONE, OUTPUT, FILE, PICTURE = range(13, 17)
CALLS, LIMITS, LANDLOCK, NAMESPACES = 1, 2, 4, 8
FILTERED = [sys.executable, str(pathlib.Path(TOP, "tests/lib/filtered.py"))]
NOBODY = 65534
# The small runner of tests/python, which does only what the jail needs.
SMALL = pathlib.Path(TOP, "tests/python/root")
SHIPPED = pathlib.Path(TOP, "lua")


FINDS = """local found, err = require("python.interpreter").find(NAME)
print(require("sys.json").encode(found or error(err, 0)))"""


def runners():
    if os.environ.get("PERIGEE_TEST_RUNNER"):
        return [pathlib.Path(os.environ["PERIGEE_TEST_RUNNER"])]
    return [SHIPPED] if (SHIPPED / "scripts/python/runner.py").exists() else [SMALL]


class Refused(Exception):
    """No such interpreter is used."""


@functools.lru_cache(maxsize=None)
def found(interpreter, path=os.environ["PATH"]):
    """Returns what python.interpreter finds: `program`, `readable` and perhaps `note`."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([PERIGEE, "run", "-e", FINDS.replace("NAME", json.dumps(interpreter))], capture_output=True, text=True,
                              check=False, env={"LC_ALL": "C", "HOME": home, "PATH": path})
    if done.returncode:
        raise Refused(done.stderr)
    return json.loads(done.stdout)


def words(interpreter):
    """Returns the words by which the engine starts its server."""
    python = found(interpreter)
    return [PERIGEE, "--python-server", python["program"], "\n".join(python["readable"])]


class Gone(Exception):
    """The server ended: its exit code or signal."""


def string(data):
    return struct.pack("<I", len(data)) + data


def strings(payload):
    found = []
    while payload:
        size = struct.unpack_from("<I", payload)[0]
        found.append(payload[4:4 + size])
        payload = payload[4 + size:]
    return found


def frames_of(data):
    """([(kind, id, payload)], the bytes that are left)."""
    found = []
    while len(data) >= HEAD.size:
        size, kind, number = HEAD.unpack_from(data)
        if len(data) < HEAD.size + size:
            break
        found.append((kind, number, data[HEAD.size:HEAD.size + size]))
        data = data[HEAD.size + size:]
    return found, data


class Guest:
    """What became of one guest: `output` and `files` by name, `done` (None: it gave no result) and `status` as waitpid() has it."""

    def __init__(self, number, line):
        self.number, self.line = number, line
        self.pidfd = self.status = self.done = self.count = None
        self.output, self.files = "", {}
        self.data = b""

    def ask(self, code, **more):
        job = {"code": code, "args": None, "kwargs": None, "seconds": 30, "output": 1 << 20, "tools": [], "session": False, "seed": 1,
               "packages": False, **more}
        payload = string(json.dumps(job).encode())
        self.line.sendall(HEAD.pack(len(payload), JOB, 0) + payload)

    def hear(self, frames):
        for kind, _, payload in frames:
            if kind == OUTPUT:
                self.output += strings(payload[1:])[0].decode("utf-8", "replace")
            elif kind == FILE:
                name, data = strings(payload)
                self.files[name.decode("utf-8", "replace")] = data
            elif kind == DONE:
                self.done = json.loads(strings(payload)[0])

    def kill(self):
        signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def close(self):
        self.line.close()
        if self.pidfd is not None:
            os.close(self.pidfd)
            self.pidfd = None


class PythonServer:
    """`refused`: the layers that the system refuses (tests/lib/filtered.py); `user`: the id of another user."""

    def __init__(self, interpreter="/usr/bin/python3", *more, root=None, refused="", user=None, env=None):
        self.line, theirs = socket.socketpair()
        self.line.settimeout(GUARD)
        self.last, self.guests, self.spawns = 0, {}, "--spawn" in more
        argv = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        argv += [*FILTERED, refused] if refused else []
        self.process = subprocess.Popen(
            [*argv, *words(interpreter), *more], cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True, pass_fds=(3,), preexec_fn=lambda: os.dup2(theirs.fileno(), 3),
            env={"LC_ALL": "C", "PERIGEE_LUA": str(root or runners()[-1]), **(env or {})})
        theirs.close()
        try:
            verb, self.layers, self.ready, _ = self.record()
            assert verb == READY, verb
        except BaseException:
            self.close()
            raise

    def record(self):
        try:
            data, rights, _, _ = self.line.recvmsg(RECORD.size, socket.CMSG_SPACE(4), socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            data, rights = b"", []
        fd = struct.unpack("i", rights[0][2][:4])[0] if rights else None
        while 0 < len(data) < RECORD.size:
            data += self.line.recv(RECORD.size - len(data))
        if not data:
            raise Gone(f"the server ended ({self.process.wait()}): {self.process.stderr.read().decode()}")
        return (*RECORD.unpack(data), fd)

    def hear(self):
        """Notes the next record; returns its verb and its guest."""
        verb, number, status, fd = self.record()
        guest = self.guests.get(number)
        if guest and verb == CHILD:
            guest.pidfd = fd
        elif guest and verb == FILES:
            guest.count = status
            if fd is not None:
                guest.hear(frames_of(os.pread(fd, 32 << 20, 0))[0])
                os.close(fd)
        elif guest and verb == END:
            guest.status = status
            del self.guests[number]
        return verb, guest

    def tell(self, verb, number, fd=None):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))] if fd is not None else []
        self.line.sendmsg([RECORD.pack(verb, number, 0)], rights)

    def fork(self):
        self.last += 1
        line, theirs = socket.socketpair()
        guest = self.guests[self.last] = Guest(self.last, line)
        self.tell(FORK, self.last, theirs.fileno())
        theirs.close()
        while guest.pidfd is None and guest.status is None and not self.spawns:
            self.hear()
        return guest

    def finish(self, guest, seconds=GUARD):
        """Hears the guest until it has ended; it is killed at its deadline."""
        open_line = True
        while guest.status is None or open_line:
            lines = [self.line] * (guest.status is None) + [guest.line] * open_line
            ready = select.select(lines, [], [], seconds)[0]
            if not ready:
                guest.kill()
            if self.line in ready:
                self.hear()
            if guest.line in ready:
                try:
                    data = guest.line.recv(1 << 20)
                except ConnectionResetError:
                    data = b""
                open_line = bool(data)
                frames, guest.data = frames_of(guest.data + data)
                guest.hear(frames)
        guest.close()
        return guest

    def run(self, code, seconds=GUARD, **more):
        guest = self.fork()
        if guest.status is None:
            guest.ask(code, **more)
        return self.finish(guest, seconds)

    def close(self):
        self.line.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.errors = self.process.stderr.read().decode("utf-8", "replace")
        self.process.stderr.close()
        for box in pathlib.Path("/tmp").glob(f"perigee-python-test-{self.process.pid}-*"):     # of the small runner
            shutil.rmtree(box, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
