"""A double of Google's front door, for what the emulator never does: uploads, limits, failures and answers that are cut off.
Everything else is passed on to the emulator, byte for byte."""

import http.client
import http.server
import json
import re
import threading
import urllib.parse

import gmail_upload


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        pass

    def do_GET(self):
        self.handle_any()

    def do_POST(self):
        self.handle_any()

    def handle_any(self):
        door = self.server.door
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = door.next_fault(self.path)
        door.log.append((self.command, self.path))
        kind = fault.get("kind")
        if kind == "status":
            return self.reply(fault["status"], fault.get("body", {}), fault.get("headers", {}))
        if kind == "cut before":
            return self.hang_up()
        try:
            status, headers, answer = door.pass_on(self.command, *door.small(self.path, self.headers, body))
        except gmail_upload.Refused as why:
            return self.reply(400, why.body, {})
        if kind == "cut after":
            return self.hang_up()
        if kind == "status after":          # done, but told otherwise
            return self.reply(fault["status"], fault.get("body", {}), {})
        if kind == "hang after":
            door.reached.set()
            door.released.wait(60)
            return self.hang_up()
        self.send_response(status)
        self.send_header("Content-Type", headers.get("Content-Type", "application/json"))
        if headers.get("Location"):
            self.send_header("Location", headers["Location"])
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        try:
            self.wfile.write(answer)
        except ConnectionError:                 # it is larger than its reader takes
            self.close_connection = True
        return None

    def hang_up(self):
        self.close_connection = True
        self.connection.close()

    def reply(self, status, body, headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def padded(answer):
    """Base64 as Google writes it: with padding, which the emulator leaves out."""
    def pad(found):
        return found[0][:-1] + b"=" * (-len(found[2]) % 4) + b'"'
    return re.sub(rb'"(raw|data)":"([A-Za-z0-9_-]+)"', pad, answer)


class Door:
    """`url` in place of the emulator's; fail() says what goes wrong with the next requests of a path."""

    def __init__(self, emulator):
        self.target = urllib.parse.urlparse(emulator.url).netloc
        self.faults, self.log = [], []
        self.uploads = []                   # the messages in uploads, as they came
        self.reached, self.released = threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.door = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def fail(self, kind, part="/messages/send", **more):
        with self.lock:
            self.faults.append({"kind": kind, "part": part, **more})

    def next_fault(self, path):
        with self.lock:
            for at, fault in enumerate(self.faults):
                if fault["part"] in path:
                    return self.faults.pop(at)
        return {}

    def small(self, path, headers, body):
        """The request as the emulator knows it."""
        if not path.startswith("/upload/"):
            return path, headers, body
        path, headers, body, message = gmail_upload.as_json(path, headers, body)
        self.uploads.append(message)
        return path, headers, body

    def pass_on(self, method, path, headers, body):
        connection = http.client.HTTPConnection(self.target, timeout=60)
        wanted = {name: value for name, value in headers.items() if name.lower() not in ("host", "connection", "accept-encoding")}
        connection.request(method, path, body=body, headers=wanted)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.headers, padded(data) if method == "GET" and "/messages/" in path else data

    def count(self, part="/messages/send"):
        """How often this was asked for."""
        return sum(1 for _, path in self.log if part in path)

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
