"""An HTTP/1.1 client made of sockets, for tests that want to see every byte: one connection, raw
sending, answers that are whole or a stream of events. Knows nothing of the server under test."""

import os
import re
import socket
import ssl
import subprocess
import threading
import time

import folders
from server import GUARD, PERIGEE, TOP
from tap import Failure


class Answer:
    def __init__(self, status, headers):
        self.status = status
        self.headers = headers      # [(lower-case name, value)]
        self.body = b""

    def header(self, name):
        for known, value in self.headers:
            if known == name.lower():
                return value
        return None


class Event:
    def __init__(self):
        self.id = self.retry = None
        self.name = "message"
        self.data = []
        self.comment = False

    @property
    def text(self):
        return "\n".join(self.data)


def connect(url, guard=GUARD):
    """A connected socket to what `perigee serve --http` printed."""
    if url.startswith("unix:"):
        plug = socket.socket(socket.AF_UNIX)
        plug.settimeout(guard)
        plug.connect(url[5:])
        return plug
    scheme, host, port, _ = re.match(r"(https?)://\[?([^/]*?)\]?:(\d+)(/.*)", url).groups()
    plug = socket.create_connection((host, int(port)), guard)
    plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        plug = context.wrap_socket(plug, server_hostname=host)
    return plug


class Connection:
    def __init__(self, url, guard=GUARD):
        self.url = url
        self.host = "localhost" if url.startswith("unix:") else url.split("/")[2]
        self.path = "/mcp" if url.startswith("unix:") else "/" + url.split("/", 3)[3]
        self.plug = connect(url, guard)
        self.rest = b""
        self.chunked = self.left = None

    def close(self):
        self.plug.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- out ------------------------------------------------------------------

    def send(self, data):
        self.plug.sendall(data)

    def request(self, method, path=None, headers=(), body=None):
        """headers: (name, value) pairs; Host and Content-Length are added unless they are there, or
        there with the value None, which leaves them out."""
        given = {name.lower() for name, _ in headers}
        lines = [f"{method} {path or self.path} HTTP/1.1"]
        if "host" not in given:
            lines.append(f"Host: {self.host}")
        lines += [f"{name}: {value}" for name, value in headers if value is not None]
        if body is not None and not given & {"content-length", "transfer-encoding"}:
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b""))

    # --- in -------------------------------------------------------------------

    def more(self):
        """Reads what is there; False at the end."""
        try:
            data = self.plug.recv(65536)
        except ConnectionResetError:
            data = b""
        except (socket.timeout, TimeoutError):
            raise Failure("nothing came from the server") from None
        self.rest += data
        return bool(data)

    def line(self):
        while b"\r\n" not in self.rest:
            if not self.more():
                raise Failure(f"the connection ended, {self.rest[:100]!r} was left")
        line, self.rest = self.rest.split(b"\r\n", 1)
        return line.decode("latin-1")

    def head(self):
        """The next answer's status and headers; its body is read by body() or event()."""
        while True:
            status = int(self.line().split(" ")[1])
            headers = []
            while (line := self.line()):
                name, _, value = line.partition(":")
                headers.append((name.strip().lower(), value.strip()))
            if status != 100:
                break
        answer = Answer(status, headers)
        self.chunked = answer.header("transfer-encoding") == "chunked"
        length = answer.header("content-length")
        self.left = int(length) if length is not None else None
        self.body_rest = b""
        self.over = status in (204, 304)
        return answer

    def piece(self):
        """Some of the body; b"" at its end."""
        if self.over:
            return b""
        if self.chunked:
            size = int(self.line(), 16)
            while len(self.rest) < size + 2:
                if not self.more():
                    raise Failure("the connection ended inside a chunk")
            data, self.rest = self.rest[:size], self.rest[size + 2:]
            self.over = not size
            return data
        if not self.rest and self.left != 0 and not self.more():
            if self.left:
                raise Failure(f"the connection ended {self.left} bytes too early")
            self.over = True
            return b""
        data = self.rest if self.left is None else self.rest[:self.left]
        self.rest = self.rest[len(data):]
        if self.left is not None:
            self.left -= len(data)
            self.over = self.left == 0
        return data

    def answer(self, method="POST"):
        """The next answer, whole."""
        answer = self.head()
        if method == "HEAD":
            return answer
        parts = []
        while not self.over and (data := self.piece()):
            parts.append(data)
        answer.body = b"".join(parts)
        return answer

    def event(self):
        """The next event of a stream (comments are events without data); None at its end."""
        while b"\n\n" not in self.body_rest:
            data = self.piece()
            if not data:
                if self.body_rest:
                    raise Failure(f"the stream ended inside an event: {self.body_rest[:100]!r}")
                return None
            self.body_rest += data
        text, self.body_rest = self.body_rest.split(b"\n\n", 1)
        event = Event()
        for line in text.decode("utf-8").split("\n"):
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "":
                event.comment = True
            elif name == "data":
                event.data.append(value)
            elif name == "event":
                event.name = value
            elif name in ("id", "retry"):
                setattr(event, name, value)
        return event

    def ended(self):
        """Has the server closed the connection? Waits for it."""
        try:
            while self.more():
                pass
        except Failure:
            return False
        return True


class HttpServer:
    """`perigee serve --http 0 ...` as a child; `url` is the first that it printed."""

    def __init__(self, *arguments, http="0", env=None, token=False):
        self.home = folders.fresh("perigee-home-")
        full = dict(os.environ, PERIGEE_HOME=self.home, NO_COLOR="1")
        full.pop("PERIGEE_TOKEN", None)
        full.update(env or {})
        argv = [PERIGEE, "serve", "--http", http, *([] if token else ["--no-token"]), *arguments]
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=full, cwd=self.home,
                                        start_new_session=True)
        self.errors = []
        self.reader = threading.Thread(target=self._read_errors, daemon=True)
        self.reader.start()
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            self.process.wait()
            self.reader.join(2)
            raise Failure("the server did not start:\n" + "\n".join(self.errors))

    def _read_errors(self):
        for raw in self.process.stderr:
            self.errors.append(raw.decode("utf-8", "replace").rstrip("\n"))

    def stderr(self):
        return "\n".join(self.errors)

    def connect(self, guard=GUARD):
        return Connection(self.url, guard)

    def wait(self, guard=GUARD):
        """The exit code; None when it still runs."""
        try:
            code = self.process.wait(guard)
        except subprocess.TimeoutExpired:
            return None
        self.reader.join(2)
        return code

    def stop(self):
        """SIGTERM, and SIGKILL if that is not heard; the exit code."""
        self.process.terminate()
        code = self.wait()
        if code is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        subprocess.run(["rm", "-rf", self.home], check=False)
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def wait_for(what, condition, guard=GUARD):
    """Until condition() is true; nothing here is fast or slow, only not yet."""
    end = time.monotonic() + guard
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"not within {guard:g} s: {what}")
        time.sleep(0.005)


__all__ = ["Answer", "Connection", "Event", "HttpServer", "TOP", "connect", "wait_for"]
