"""A double of Google's front door, for what the emulator never does: limits, failures, answers that are cut off, and multipart
uploads, which reach the emulator in the form that it knows. Everything else is passed on to it, byte for byte."""

import base64
import http.client
import http.server
import json
import re
import threading
import urllib.parse


UPLOAD = re.compile(r"/upload(/gmail/v1/users/me/(messages/send|drafts))\?uploadType=multipart")


class Refused(Exception):
    """What Google answers with status 400."""


def need(holds, why):
    if not holds:
        raise Refused(why)


def part_of(block, kind):
    """The content of one part of this type."""
    head, blank, content = block.partition(b"\r\n\r\n")
    need(blank, "a part has no end of its headers")
    fields = {}
    for line in head.split(b"\r\n"):
        name, colon, value = line.decode("ascii").partition(":")
        need(colon, f"a part has the header {line!r}")
        fields[name.strip().lower()] = value.strip()
    need(fields.get("content-type", "").split(";")[0].strip() == kind, f"a part is {fields}, expected {kind}")
    need(fields.get("content-transfer-encoding", "binary") in ("binary", "8bit"), "the media are encoded")
    return content


def as_json(path, headers, body):
    """A multipart upload as Google's guide to uploads describes it (multipart/related of two parts: JSON, then the message), in the
    form without an upload. None: it is none. Anything else about it is refused."""
    upload = UPLOAD.fullmatch(path)
    if not upload:
        return None
    kind = re.fullmatch(r'multipart/related;\s*boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?', headers.get("Content-Type", ""))
    need(kind, f"Content-Type is {headers.get('Content-Type')!r}")
    line = b"--" + kind[1].encode()
    need(body.startswith(line + b"\r\n"), "the body does not begin with the boundary")
    blocks = body[len(line) + 2:].split(b"\r\n" + line)
    need(len(blocks) == 3 and re.fullmatch(rb"--(\r\n)?", blocks[2]), f"there are {len(blocks) - 1} parts, or the end is missing")
    need(blocks[1].startswith(b"\r\n"), "the boundary is not followed by a line's end")
    about = json.loads(part_of(blocks[0], "application/json"))
    message = about.get("message", {}) if upload[2] == "drafts" else about
    need(set(about) <= {"message"} if upload[2] == "drafts" else True, f"the metadata are {about}")
    need(set(message) <= {"threadId"}, f"the metadata are {about}")
    raw = base64.urlsafe_b64encode(part_of(blocks[1][2:], "message/rfc822")).decode()
    message = {**message, "raw": raw}
    return upload[1], json.dumps({"message": message} if upload[2] == "drafts" else message).encode()


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
            status, headers, answer = door.pass_on(self.command, self.path, self.headers, body)
        except Refused as why:
            return self.reply(400, {"error": {"code": 400, "message": str(why), "status": "INVALID_ARGUMENT"}}, {})
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


class Door:
    """`url` in place of the emulator's; fail() says what goes wrong with the next requests of a path."""

    def __init__(self, emulator):
        self.target = urllib.parse.urlparse(emulator.url).netloc
        self.faults, self.log = [], []
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

    def pass_on(self, method, path, headers, body):
        small = as_json(path, headers, body)
        connection = http.client.HTTPConnection(self.target, timeout=60)
        wanted = {name: value for name, value in headers.items() if name.lower() not in ("host", "connection", "accept-encoding")}
        if small:
            path, body = small
            wanted = {name: value for name, value in wanted.items() if name.lower() not in ("content-type", "content-length")}
            wanted["Content-Type"] = "application/json"
        connection.request(method, path, body=body, headers=wanted)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.headers, data

    def count(self, part="/messages/send"):
        """How often this was asked for."""
        return sum(1 for _, path in self.log if part in path)

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
