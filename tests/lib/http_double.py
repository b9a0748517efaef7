#!/usr/bin/env python3
"""An HTTP server that behaves, or misbehaves, as its paths say. Standard library only.

    http_double.py [--cert FILE --key FILE]

listens on a free port of 127.0.0.1, prints the port, and ends when its stdin does. It speaks
HTTP/1.1 on plain sockets, since a server framework would not let it lie. Nothing in it waits for
a clock: what is slow here waits for the client, or for ever.

  /echo                         what was asked, as JSON
  /status/N                     that status; ?after=VALUE adds Retry-After
  /flaky/KEY?fail=N&status=S    S for the first N requests of that key, then 200 with their number
  /drop/KEY?fail=N              closes without an answer N times, then as above
  /fade/KEY                     503 the first time, closes without an answer ever after
  /redirect?to=URL&status=S     Location: URL
  /circle                       redirects to itself
  /bytes/N                      N bytes
  /chunked                      "one,two,three" in three chunks, with a trailer
  /gzip  /bomb/N                compressed text; N zero bytes, compressed
  /cut  /cut-chunked            ends before the length, before the last chunk
  /reset                        closes without an answer
  /part/KEY                     its number; the second time for the key, resets the connection instead, once /leave/KEY
                                was asked for
  /whole-reset                  a whole answer, and at once the connection is reset
  /never                        reads and never answers
  /stall?send=TEXT              sends a head and TEXT, then nothing more
  /hints                        103, then 200
  /twice                        two Set-Cookie headers, an empty header, an odd status text
  /big-head                     a megabyte of headers
  /garbage                      no HTTP at all
  /sse?each=N                   the events of EVENTS, N bytes at a time
"""

import argparse
import gzip
import json
import os
import socket
import ssl
import struct
import sys
import threading
import urllib.parse
import zlib

EVENTS = (
    b"\xef\xbb\xbf: hello\n\n"
    b"data: first\n\n"
    b"event: delta\r\ndata: {\"text\":\"a\\nb\"}\r\nid: 7\r\n\r\n"
    b"data: line 1\rdata: line 2\r\r"
    b"retry: 2500\ndata:\xe2\x82\xac\n\n"
    b"data: [DONE]\n\n"
)

counts = {}
leaving = {}
lock = threading.Lock()


class Closed(Exception):
    """The client has gone."""


class Request:
    def __init__(self, method, target, headers, body):
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        parts = urllib.parse.urlsplit(target)
        self.steps = [urllib.parse.unquote(step) for step in parts.path.split("/")[1:]]
        self.query = {key: values[-1] for key, values in
                      urllib.parse.parse_qs(parts.query, keep_blank_values=True).items()}

    def header(self, name):
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return None


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.pending = b""

    def receive(self):
        data = self.sock.recv(65536)
        if not data:
            raise Closed
        self.pending += data

    def take(self, size):
        while len(self.pending) < size:
            self.receive()
        data, self.pending = self.pending[:size], self.pending[size:]
        return data

    def line(self):
        while b"\r\n" not in self.pending:
            self.receive()
        line, self.pending = self.pending.split(b"\r\n", 1)
        return line.decode("latin-1")

    def request(self):
        method, target, _ = self.line().split(" ", 2)
        headers = []
        while line := self.line():
            name, value = line.split(":", 1)
            headers.append([name, value.strip()])
        request = Request(method, target, headers, b"")
        request.body = self.take(int(request.header("content-length") or 0))
        return request

    def wait_for_close(self):
        while True:
            self.receive()

    def send(self, data):
        self.sock.sendall(data)

    def answer(self, status, body=b"", headers=(), reason="Fine", head_only=False):
        lines = [f"HTTP/1.1 {status} {reason}"]
        lines += [f"{name}: {value}" for name, value in headers]
        if not any(name == "Transfer-Encoding" for name, _ in headers):
            lines.append(f"Content-Length: {len(body)}")
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        self.send(head if head_only else head + body)


def echo(connection, request):
    body = json.dumps({
        "method": request.method,
        "target": request.target,
        "headers": {key.lower(): value for key, value in request.headers},
        "body": request.body.decode("utf-8", "replace"),
        "size": len(request.body),
    }).encode()
    connection.answer(200, body, [("Content-Type", "application/json")],
                      head_only=request.method == "HEAD")


def status(connection, request):
    headers = [("Retry-After", request.query["after"])] if "after" in request.query else []
    connection.answer(int(request.steps[1]), b"status body", headers)


def turn(request):
    """How often this key was asked for, this time included."""
    with lock:
        counts[request.steps[1]] = counts.get(request.steps[1], 0) + 1
        return counts[request.steps[1]]


def flaky(connection, request):
    number = turn(request)
    if number > int(request.query["fail"]):
        connection.answer(200, str(number).encode())
    else:
        headers = [("Retry-After", request.query["after"])] if "after" in request.query else []
        connection.answer(int(request.query["status"]), b"not yet", headers)


def drop(connection, request):
    number = turn(request)
    if number <= int(request.query["fail"]):
        raise Closed
    connection.answer(200, str(number).encode())


def fade(connection, request):
    if turn(request) > 1:
        raise Closed
    connection.answer(503, b"not yet", [("X-Old", "yes")])


def redirect(connection, request):
    connection.answer(int(request.query.get("status", "302")), b"moved",
                      [("Location", request.query["to"])])


def circle(connection, request):
    connection.answer(302, b"", [("Location", request.target)])


def plain_bytes(connection, request):
    connection.answer(200, b"x" * int(request.steps[1]))


def chunked(connection, request):
    del request
    connection.answer(200, headers=[("Transfer-Encoding", "chunked"), ("Trailer", "X-After")])
    for piece in (b"one,", b"two,", b"three"):
        connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    connection.send(b"0\r\nX-After: the end\r\n\r\n")


def compressed(connection, request):
    del request
    connection.answer(200, gzip.compress(b"small when squeezed " * 50),
                      [("Content-Encoding", "gzip")])


def bomb(connection, request):
    squeeze = zlib.compressobj(wbits=31)
    left = int(request.steps[1])
    body = b""
    while left > 0:
        body += squeeze.compress(bytes(min(left, 1 << 20)))
        left -= 1 << 20
    connection.answer(200, body + squeeze.flush(), [("Content-Encoding", "gzip")])


def cut(connection, request):
    del request
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.")
    raise Closed


def cut_chunked(connection, request):
    del request
    connection.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nten bytes.\r\n")
    raise Closed


def reset(connection, request):
    del connection, request
    raise Closed


def broken_off(connection):
    """Closed with a reset instead of an end."""
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Closed


def part(connection, request):
    with lock:
        number = counts[request.steps[1]] = counts.get(request.steps[1], 0) + 1
        left = leaving.setdefault(request.steps[1], threading.Event())
    if number == 2:
        left.wait()
        broken_off(connection)
    connection.answer(200, str(number).encode())


def leave(connection, request):
    with lock:
        leaving.setdefault(request.steps[1], threading.Event()).set()
    connection.answer(200, b"")


def whole_reset(connection, request):
    del request
    connection.answer(200, b"all of it")
    broken_off(connection)


def never(connection, request):
    del request
    connection.wait_for_close()


def stall(connection, request):
    text = request.query.get("send", "").encode()
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + text)
    connection.wait_for_close()


def hints(connection, request):
    del request
    connection.send(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
    connection.answer(200, b"after hints", [("X-Real", "yes")])


def twice(connection, request):
    del request
    connection.answer(200, b"", [("Set-Cookie", "a=1"), ("X-Empty", ""), ("Set-Cookie", "b=2")],
                      reason="All: is well")


def big_head(connection, request):
    del request
    connection.answer(200, b"", [(f"X-{i}", "v" * 1000) for i in range(1000)])


def garbage(connection, request):
    del request
    connection.send(b"220 mail.example ESMTP ready\r\n")
    raise Closed


def events(connection, request):
    step = int(request.query.get("each", "1000"))
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.answer(200, headers=[("Content-Type", "text/event-stream"),
                                    ("Transfer-Encoding", "chunked")])
    for start in range(0, len(EVENTS), step):
        piece = EVENTS[start:start + step]
        connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    connection.send(b"0\r\n\r\n")


PATHS = {
    "echo": echo, "status": status, "flaky": flaky, "drop": drop, "fade": fade,
    "redirect": redirect, "circle": circle, "bytes": plain_bytes, "chunked": chunked,
    "gzip": compressed, "bomb": bomb, "cut": cut, "cut-chunked": cut_chunked, "reset": reset,
    "part": part, "leave": leave, "whole-reset": whole_reset, "never": never, "stall": stall, "hints": hints, "twice": twice, "big-head": big_head,
    "garbage": garbage, "sse": events,
}


def nothing(connection, request):
    connection.answer(404, f"no such path: {request.target}".encode())


def serve(sock, context):
    try:
        if context:
            sock = context.wrap_socket(sock, server_side=True)
        with sock:
            connection = Connection(sock)
            while True:
                request = connection.request()
                PATHS.get(request.steps[0], nothing)(connection, request)
    except (Closed, OSError, ValueError):
        sock.close()


def tls_context(cert, key):
    if not cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def accept(listener, context):
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=serve, args=(sock, context), daemon=True).start()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cert")
    parser.add_argument("--key")
    args = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(listener, tls_context(args.cert, args.key)),
                     daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
