"""An MCP server as a child process, seen from outside: bytes in, lines out.

Nothing here knows how the server is built. Every line of its stdout goes through check_line():
valid UTF-8, one JSON value, `\\n` alone at the end. What breaks that is kept in `faults`, and
tests fail on it. Reading happens on threads, so that a server which writes much while we write
much cannot lock us up.
"""

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time

import folders
from tap import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", os.path.join(TOP, "build", "perigee")))

# Only a guard against hanging; sanitizers and busy machines are slow.
GUARD = float(os.environ.get("PERIGEE_TEST_GUARD", "20"))
CLOSED = object()


class Closed(Failure):
    """The server's stdout ended while a message was awaited."""


class Silent(Failure):
    """No message came before the guard's time."""


def check_line(raw):
    """(message, fault): the parsed line, or what is wrong with it."""
    if not raw.endswith(b"\n"):
        return None, "the last line has no newline"
    if b"\r" in raw:
        return None, "a carriage return in the line"
    try:
        text = raw[:-1].decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        return None, f"not UTF-8: {error}"
    try:
        message = json.loads(text, parse_constant=refuse_constant)
        json.dumps(message, ensure_ascii=False).encode("utf-8", "strict")
    except UnicodeEncodeError:
        return None, "a lone surrogate"
    except ValueError as error:
        return None, f"not JSON: {error}"
    return message, None


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


class Server:
    """Starts argv; messages arrive in the order of the lines. Use as a context manager."""

    def __init__(self, argv, env=None, cwd=None):
        self.home = folders.fresh("perigee-home-")
        full = dict(os.environ, PERIGEE_HOME=self.home, NO_COLOR="1")
        full.update(env or {})
        try:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=full, cwd=cwd or self.home, start_new_session=True, bufsize=0)
        except OSError as error:
            os.rmdir(self.home)
            raise Failure(f"cannot start {argv[0]}: {error.strerror}") from None
        self.lines = queue.Queue()
        self.early = []
        self.faults = []
        self.errors = []
        self.next_id = 1000
        self.readers = [threading.Thread(target=f, daemon=True)
                        for f in (self._read_out, self._read_err)]
        for reader in self.readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    # --- bytes ----------------------------------------------------------------

    def _read_out(self):
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb") as out:
            for raw in out:
                message, fault = check_line(raw)
                if fault:
                    self.faults.append(f"{fault}: {raw[:200]!r}")
                self.lines.put(message if not fault else {"fault": fault, "line": repr(raw[:200])})
        self.lines.put(CLOSED)

    def _read_err(self):
        with os.fdopen(os.dup(self.process.stderr.fileno()), "rb") as err:
            for raw in err:
                self.errors.append(raw.decode("utf-8", "replace").rstrip("\n"))

    def write(self, data):
        """All of the bytes; a server that has gone is no error here, it shows when reading."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self.process.stdin.fileno(), view[:65536]):]
        except (BrokenPipeError, ValueError):
            pass

    def close_stdin(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    # --- messages -------------------------------------------------------------

    def send(self, message):
        self.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def post(self, method, params=None):
        """Sends a request and returns its id without waiting."""
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method,
                   **({"params": params} if params is not None else {})})
        return self.next_id

    def receive(self, guard=GUARD):
        """The next line of stdout, as a value."""
        if self.early:
            return self.early.pop(0)
        return self._line(guard)

    def _line(self, guard):
        try:
            message = self.lines.get(timeout=guard)
        except queue.Empty:
            raise Silent(f"nothing on stdout for {guard:g} s") from None
        if message is CLOSED:
            self.lines.put(CLOSED)
            self.wait(1)
            raise Closed("\n".join(["the server closed its stdout", *self.errors[-8:]]))
        return message

    def find(self, wanted, guard=GUARD):
        """The first message, read or to come, that wanted(message) accepts; the others stay."""
        for at, message in enumerate(self.early):
            if wanted(message):
                return self.early.pop(at)
        end = time.monotonic() + guard
        while True:
            message = self._line(max(0.01, end - time.monotonic()))
            if wanted(message):
                return message
            self.early.append(message)

    def answer(self, request_id, guard=GUARD):
        return self.find(lambda m: isinstance(m, dict) and m.get("id") == request_id
                         and "method" not in m, guard)

    def has_answered(self, request_id):
        """Whether its answer came before the message that was read last. Nothing is waited for."""
        return any(isinstance(m, dict) and m.get("id") == request_id and "method" not in m for m in self.early)

    def notified(self, method, guard=GUARD):
        return self.find(lambda m: isinstance(m, dict) and m.get("method") == method, guard)

    def ask(self, method, params=None, guard=GUARD):
        return self.answer(self.post(method, params), guard)

    def initialize(self, version="2025-11-25", capabilities=None, client="perigee-tests"):
        """The handshake. A server that fails it is ended here."""
        try:
            answer = self.ask("initialize", {
                "protocolVersion": version, "capabilities": capabilities or {},
                "clientInfo": {"name": client, "version": "1"}})
        except Failure:
            self.kill()
            raise
        self.notify("notifications/initialized")
        return answer

    def call(self, name, arguments=None, guard=GUARD):
        """tools/call; the whole response."""
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}}, guard)

    def text(self, name, arguments=None, guard=GUARD):
        """tools/call; the text blocks joined, or the error's message."""
        answer = self.call(name, arguments, guard)
        if "error" in answer:
            return answer["error"]["message"]
        return "\n".join(b.get("text", "") for b in answer["result"]["content"])

    def drain(self):
        """Everything up to the end of stdout."""
        rest = []
        try:
            while True:
                rest.append(self.receive())
        except Closed:
            return rest

    # --- the end --------------------------------------------------------------

    def wait(self, guard=GUARD):
        """The exit code; None when the process still runs."""
        try:
            code = self.process.wait(guard)
        except subprocess.TimeoutExpired:
            return None
        for reader in self.readers:
            reader.join(2)
        return code

    def kill(self):
        """Ends the process and what it started, by its own group. It may end by itself first, so
        that a sanitizer can look for leaks."""
        self.close_stdin()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            pass
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def stderr(self):
        return "\n".join(self.errors)


# A policy that allows everything, for tests of other things: ("--root", TRUSTING).
TRUSTING = os.path.join(HERE, "trusting")


def perigee(*arguments, **options):
    """`perigee serve` with these arguments."""
    return Server([PERIGEE, "serve", *arguments], **options)
