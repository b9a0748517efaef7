"""The engine's place before Python guests (lua/scripts/python/runner.py), for tests: the fork server with records on its
descriptor 3, and guests with frames on a socket of their own."""

import glob
import json
import os
import pathlib
import select
import shutil
import socket
import struct
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
RUNNER = TOP / "lua/scripts/python/runner.py"
GUARD = float(os.environ.get("PERIGEE_TEST_GUARD", "180"))
RECORD, HEAD, SIZE = struct.Struct("=IIi"), struct.Struct("<IBI"), struct.Struct("<I")
FORK, KILL, END, READY, CHILD, FILES = range(1, 7)
JOB, CALL, ANSWER, CANCEL = range(4)
TOOLS, NAMES = 6, 7
DONE, OUTPUT, FILE, PICTURE = range(13, 17)
CONTROL = 3


def found_here():
    """Yields (version, path) of each Python that may serve: the system's, those in PATH, and those of pyenv."""
    names = [os.environ.get("PERIGEE_TEST_PYTHON"), "/usr/bin/python3", shutil.which("python3"), *(shutil.which(f"python3.{minor}") for minor in range(9, 14)),
             *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))]
    for name in filter(None, names):    # PERIGEE_TEST_PYTHON: one with numpy, for example
        asked = subprocess.run([name, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            version, _, path = asked.stdout.strip().partition(" ")
            if (3, 9) <= tuple(map(int, version.split("."))) <= (3, 13):
                yield version, path


def interpreters(every=True):
    """(version, path) of each version here, or of the system's Python alone."""
    found = {}
    for version, path in found_here():
        found.setdefault(version, path)
        if not every:
            break
    return sorted(found.items(), key=lambda item: int(item[0].split(".")[1]))


def string(value):
    data = value.encode() if isinstance(value, str) else value
    return SIZE.pack(len(data)) + data


def strings(payload, at=0):
    found = []
    while at < len(payload):
        size = SIZE.unpack_from(payload, at)[0]
        found.append(payload[at + 4:at + 4 + size])
        at += 4 + size
    return found


def split(data):
    """(kind, id, payload) of each whole frame, and the bytes that are left."""
    frames = []
    while len(data) >= HEAD.size:
        size, kind, number = HEAD.unpack_from(data)
        if len(data) < HEAD.size + size:
            break
        frames.append((kind, number, data[HEAD.size:HEAD.size + size]))
        data = data[HEAD.size + size:]
    return frames, data


class Answer:
    """All that came of a job."""

    def __init__(self):
        self.outputs = {1: b"", 2: b""}
        self.pieces = []        # lengths of the OUTPUT frames
        self.done = None
        self.files, self.left_out, self.pictures, self.calls, self.cancelled = {}, "", [], [], []
        self.status = None

    @property
    def out(self):
        return self.outputs[1].decode("utf-8", "replace")

    @property
    def err(self):
        return self.outputs[2].decode("utf-8", "replace")

    def take(self, kind, payload):
        if kind == OUTPUT:
            data = strings(payload, 1)[0]
            self.outputs[payload[0]] += data
            self.pieces.append(len(data))
        elif kind == FILE:
            name, data = strings(payload)
            if name:
                self.files[name.decode()] = data
            else:
                self.left_out = data.decode()
        elif kind == PICTURE:
            mime, name, data = strings(payload)
            self.pictures.append((mime.decode(), name.decode(), data))
        elif kind == DONE:
            self.done = json.loads(strings(payload)[0])
        else:
            raise AssertionError(f"a frame of kind {kind}")

    def __repr__(self):
        return f"done {self.done}\nout {self.out[-600:]!r}\nerr {self.err[-900:]!r}\nfiles {self.files}\nstatus {self.status}"


class Guest:
    """A child, by its socket. `answer` is of the job that goes on."""

    def __init__(self, server, number, line):
        self.server, self.number, self.line = server, number, line
        self.left = b""
        self.pidfd = None
        self.left_time = lambda: 0      # seconds, as the engine says when it is asked
        self.answer = Answer()

    def post(self, kind, number, payload):
        self.line.sendall(HEAD.pack(len(payload), kind, number) + payload)

    def begin(self, code, **more):
        self.answer = Answer()
        job = {"code": code, "args": None, "kwargs": None, "seconds": 60, "output": 1 << 20, "tools": None, "session": False,
               "seed": 7, "packages": False, **more}
        self.post(JOB, 0, string(json.dumps(job)))
        return self

    def reply(self, number, value=None, error=None):
        if error:
            self.post(ANSWER, number, b"\1" + string(error[0]) + string(error[1]))
        else:
            self.post(ANSWER, number, b"\0" + string(json.dumps(value)))

    def frames(self):
        """The frames that are there, waiting for some; None at the end."""
        if not select.select([self.line], [], [], GUARD)[0]:
            raise AssertionError(f"the guest says nothing: {self.answer}")
        try:
            data = self.line.recv(1 << 18)
        except ConnectionResetError:
            data = b""
        found, self.left = split(self.left + data)
        return found if data else None

    def until(self, wanted, on_call=None, listed=()):
        """Takes frames until wanted(answer), or the end. on_call(name, arguments) gives a value, or raises ToolFailure."""
        while not wanted(self.answer):
            found = self.frames()
            if found is None:
                return self.answer
            for kind, number, payload in found:
                self.take(kind, number, payload, on_call, listed)
        return self.answer

    def take(self, kind, number, payload, on_call, listed):
        if kind == CALL:
            size = SIZE.unpack_from(payload)[0]
            name, data = strings(payload[:-8])
            assert len(name) == size
            self.answer.calls.append((name.decode(), json.loads(data)))
            if on_call:
                try:
                    self.reply(number, on_call(name.decode(), json.loads(data)))
                except ToolFailure as failure:
                    self.reply(number, error=failure.args)
        elif kind == CANCEL:
            self.answer.cancelled.append(number)
        elif kind == TOOLS:
            self.post(NAMES, number, string(json.dumps(self.left_time() if payload else listed)))
        else:
            self.answer.take(kind, payload)

    def finish(self, **more):
        """Until DONE; then, unless a session goes on, until the server has told of the end."""
        self.until(lambda answer: answer.done, **more)
        if not self.server.jobs[self.number]:
            self.end()
        return self.answer

    def end(self):
        self.until(lambda answer: False)
        self.server.until(lambda: self.number in self.server.ends)
        self.answer.status = self.server.ends[self.number]
        for kind, _, payload in self.server.left.get(self.number, ()):
            self.answer.take(kind, payload)
        self.line.close()
        return self.answer

    def kill(self):
        self.server.tell(KILL, self.number)
        return self.end()


class ToolFailure(Exception):
    """Message and code."""


class Server:
    def __init__(self, python, *words, command=None, env=None):
        self.folder = tempfile.mkdtemp(prefix="pg-")
        self.ours, theirs = socket.socketpair()
        self.errors = tempfile.TemporaryFile()
        self.spawns = "--spawn" in words
        command = command or [python, "-I", "-S", "-B", str(RUNNER), *(words or ["--no-jail"])]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, cwd="/",
                                        start_new_session=True, pass_fds=(CONTROL,),
                                        env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "TMPDIR": self.folder, **(env or {})},
                                        preexec_fn=lambda: os.dup2(theirs.fileno(), CONTROL))
        theirs.close()
        self.ends, self.left, self.counts, self.pidfds, self.jobs = {}, {}, {}, {}, {}
        self.last = 0
        self.layers = None
        self.until(lambda: self.layers is not None)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.ours.close()
        try:
            self.process.wait(GUARD)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            for fd in self.pidfds.values():
                os.close(fd)
            shutil.rmtree(self.folder, ignore_errors=True)

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def tell(self, verb, number, fd=None):
        if fd is None:
            self.ours.sendall(RECORD.pack(verb, number, 0))
        else:
            socket.send_fds(self.ours, [RECORD.pack(verb, number, 0)], [fd])

    def until(self, wanted):
        while not wanted():
            if not select.select([self.ours], [], [], GUARD)[0]:
                raise AssertionError(f"the server says nothing: {self.said()}")
            data, fds, _, _ = socket.recv_fds(self.ours, RECORD.size, 1)
            if len(data) < RECORD.size:
                raise AssertionError(f"the server ended ({self.process.wait()}): {self.said()}")
            self.take(*RECORD.unpack(data), fds[0] if fds else None)

    def take(self, verb, number, status, fd):
        if verb == READY:
            self.layers = number
        elif verb == CHILD:
            self.pidfds[number] = fd
        elif verb == FILES:
            self.counts[number] = status
            self.left[number] = []
            if fd is not None:
                with open(fd, "rb") as file:
                    self.left[number], rest = split(file.read())
                assert not rest, "half a frame"
        elif verb == END:
            self.ends[number] = status
            if number in self.pidfds:
                os.close(self.pidfds.pop(number))
        else:
            raise AssertionError(f"a record {verb}")

    def fork(self, session=False):
        self.last += 1
        ours, theirs = socket.socketpair()
        self.jobs[self.last] = session
        self.tell(FORK, self.last, theirs.fileno())
        theirs.close()
        guest = Guest(self, self.last, ours)
        self.until(lambda: self.spawns or self.last in self.pidfds or self.last in self.ends)
        return guest

    def files(self, guest):
        """The files that are in the box of a waiting guest now."""
        self.counts.pop(guest.number, None)
        self.tell(FILES, guest.number)
        self.until(lambda: guest.number in self.counts)
        answer = Answer()
        for kind, _, payload in self.left[guest.number]:
            answer.take(kind, payload)
        return answer

    def run(self, code, on_call=None, listed=(), **more):
        guest = self.fork()
        guest.begin(code, **more)
        return guest.finish(on_call=on_call, listed=listed)
