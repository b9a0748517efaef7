#!/usr/bin/env python3
"""An MCP server over HTTP that misbehaves as its path says, to test clients against. Standard library only.

    mcp_http_double.py

listens on a free port of 127.0.0.1, prints the port, and ends when its stdin does. Nothing in it waits for a clock:
what is slow waits for the client, or for ever.

  /legacy/KEY    2025-11-25 with a session; tools below
  /modern/KEY    2026-07-28
  /old-HOW/KEY   as legacy, but HOW it ends server/discover: a status with a text; html, empty, stream (200 with a page, with
                 nothing, or with a stream without an answer), cut (in the middle of the body), close (no answer at all)
  /id/KEY        as legacy, with ids as strings in its answers
  /moved/KEY     307 to /legacy/KEY;  /elsewhere  307 to another port;  /to-get  302
  /guarded/KEY   as legacy, for "Bearer good" only; /step/KEY: "good" may list, "better" may call
  /status/N      that status for everything, with a text
  /journal/KEY   what came for that key, as JSON: method, headers, and of a POST the message

Tools of a legacy server: `echo`; `resume` (the stream ends after an id and `retry: 1`, the answer comes on GET);
`broken` (the stream is cut before the answer, no id); `cut` (cut in the middle of an event, after an id); `forget`
(the session is unknown from now on, 404 for this); `huge` (an event of 11 MB); `drip` (an answer one byte at a time);
`empty` (202); `hang` (never answers); `slow` (progress, then the answer); `ask` (elicitation/create before it answers);
`announce` (tools/list_changed on the GET stream, then the answer).
Tools of a modern one: `echo`, `region` (x-mcp-header), `bad` (a wrong one), `hang`, `mrtr`, `unlisted`.
"""

import json
import socket
import sys
import threading
import urllib.parse

lock = threading.Condition()
journals = {}       # key -> requests
sessions = {}       # key -> the session that counts
streams = {}        # key -> list of open GET streams
pending = {}        # key -> {event id: message to give on GET}
gone = {}           # key -> ids of requests whose client went away
answers = {}        # key -> {id: answer of the client}


class Closed(Exception):
    """The client has gone."""


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.data = b""

    def receive(self):
        data = self.sock.recv(65536)
        if not data:
            raise Closed
        self.data += data

    def line(self):
        while b"\r\n" not in self.data:
            self.receive()
        line, self.data = self.data.split(b"\r\n", 1)
        return line.decode("latin-1")

    def request(self):
        method, target, _ = self.line().split(" ", 2)
        headers = {}
        while line := self.line():
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        size = int(headers.get("content-length", 0))
        while len(self.data) < size:
            self.receive()
        body, self.data = self.data[:size], self.data[size:]
        return method, target, headers, body

    def wait_for_close(self):
        while True:
            self.receive()

    def send(self, data):
        self.sock.sendall(data)

    def answer(self, status, body=b"", kind="application/json", headers=()):
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}"]
        lines += [f"Content-Type: {kind}"] if body else []
        self.send("\r\n".join(lines + [f"{n}: {v}" for n, v in headers]).encode() + b"\r\n\r\n" + body)

    def message(self, message, status=200, headers=()):
        self.answer(status, json.dumps(message).encode(), headers=headers)

    def stream(self, headers=()):
        lines = ["HTTP/1.1 200 X", "Content-Type: text/event-stream", "Transfer-Encoding: chunked"]
        self.send("\r\n".join(lines + [f"{n}: {v}" for n, v in headers]).encode() + b"\r\n\r\n")

    def chunk(self, data):
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def event(self, message=None, number=None, retry=None):
        text = f"id: {number}\n" if number is not None else ""
        text += f"retry: {retry}\n" if retry is not None else ""
        text += f"data: {json.dumps(message)}\n\n" if message is not None else "data: \n\n"
        self.chunk(text.encode())

    def end_stream(self):
        self.send(b"0\r\n\r\n")


def result(request_id, value):
    return {"jsonrpc": "2.0", "id": request_id, "result": value}


def error(request_id, code, message, data=None):
    body = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": request_id, "error": body | ({"data": data} if data else {})}


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def tool(name, **properties):
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


# --- 2025-11-25 ---------------------------------------------------------------------------------

LEGACY_TOOLS = ["echo", "resume", "broken", "cut", "forget", "huge", "drip", "empty", "hang", "slow", "ask", "announce"]


def call_legacy(c, key, message):
    request_id, params = message["id"], message["params"]
    name = params["name"]
    done = result(request_id, text(name))
    if name == "echo":
        c.message(result(request_id, text(params.get("arguments", {}).get("message", ""))))
    elif name == "resume":
        c.stream()
        c.event(number=f"{request_id}-1", retry=1)
        with lock:
            pending.setdefault(key, {})[f"{request_id}-1"] = done
        c.end_stream()
    elif name == "cut":
        c.stream()
        c.event(number=f"{request_id}-1", retry=1)
        with lock:
            pending.setdefault(key, {})[f"{request_id}-1"] = done
        c.chunk(b"data: {\"jsonrpc\"")
        raise Closed
    elif name == "broken":
        c.stream()
        c.chunk(b": nothing yet\n\n")
        raise Closed
    elif name == "forget":
        with lock:
            first = sessions.get(key) == "one"
            sessions[key] = "two" if first else sessions[key]
        if first:
            c.answer(404, b"no such session", "text/plain")
        else:
            c.message(done)
    elif name == "huge":
        c.stream()
        for _ in range(11):
            c.chunk(b"data: " + b"x" * 1048576 + b"\n")
        c.wait_for_close()
    elif name == "drip":
        c.stream()
        for byte in f"data: {json.dumps(done)}\n\n".encode():
            c.chunk(bytes([byte]))
        c.end_stream()
    elif name == "empty":
        c.answer(202)
    elif name == "hang":
        c.stream()
        try:
            c.wait_for_close()
        finally:
            with lock:
                gone.setdefault(key, []).append(request_id)
                lock.notify_all()
    elif name == "slow":
        c.stream()
        token = params.get("_meta", {}).get("progressToken")
        for i in (1, 2):
            c.event({"jsonrpc": "2.0", "method": "notifications/progress",
                     "params": {"progressToken": token, "progress": i, "total": 2, "message": f"step {i}"}})
        c.event(done)
        c.end_stream()
    elif name == "ask":
        c.stream()
        c.event({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
                 "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {
                     "name": {"type": "string", "default": "Ann"}, "age": {"type": "integer"}}}}})
        with lock:
            lock.wait_for(lambda: "q" in answers.get(key, {}))
            answer = answers[key].pop("q")
        c.event(result(request_id, text(json.dumps(answer, sort_keys=True))))
        c.end_stream()
    elif name == "announce":
        with lock:
            lock.wait_for(lambda: streams.get(key))
            stream = streams[key][-1]
        stream.event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, number="s1")
        c.message(done)
    else:
        c.message(error(request_id, -32602, "Unknown tool"))


def listen(c, key, headers):
    last = headers.get("last-event-id")
    with lock:
        message = pending.get(key, {}).pop(last, None)
    c.stream()
    if message:
        c.event(message, number=last + "x")
        c.end_stream()
        return
    with lock:
        streams.setdefault(key, []).append(c)
        lock.notify_all()
    try:
        c.wait_for_close()
    finally:
        with lock:
            streams[key].remove(c)


def legacy(c, key, method, headers, message):
    session = headers.get("mcp-session-id")
    if method == "POST" and message.get("method") == "initialize":
        with lock:
            name = sessions.setdefault(key, "one")
        c.message(result(message["id"], {
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "legacy", "version": "1"}}), headers=[("Mcp-Session-Id", name)])
    elif message and message.get("method") == "server/discover":
        c.answer(400, json.dumps(error(None, -32000, "Bad Request: no session")).encode())
    elif session != sessions.get(key):
        c.answer(404, b"no such session", "text/plain")
    elif method == "GET":
        listen(c, key, headers)
    elif method == "DELETE":
        c.answer(200)
    elif "method" not in message:
        with lock:
            answers.setdefault(key, {})[message["id"]] = message.get("result", message.get("error"))
            lock.notify_all()
        c.answer(202)
    elif "id" not in message:
        c.answer(202)
    elif message["method"] == "tools/list":
        c.message(result(message["id"], {"tools": [tool(n) for n in LEGACY_TOOLS]}))
    elif message["method"] == "tools/call":
        call_legacy(c, key, message)
    else:
        c.message(result(message["id"], {}))


def old(c, key, method, headers, message, how):
    if not message or message.get("method") != "server/discover":
        legacy(c, key, method, headers, message)
    elif how == "html":
        c.answer(200, b"<html>hello</html>", "text/html")
    elif how == "empty":
        c.answer(200)
    elif how == "stream":
        c.stream()
        c.end_stream()
    elif how == "cut":
        c.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
        raise Closed
    elif how == "close":
        raise Closed
    else:
        c.answer(int(how), b"unknown method", "text/plain")


# --- 2026-07-28 ---------------------------------------------------------------------------------

def modern(c, key, method, headers, message):
    if method != "POST":
        c.answer(405)
        return
    request_id, name = message.get("id"), message.get("method")
    whole = {"resultType": "complete"}
    if name == "initialize":
        c.message(error(request_id, -32601, "Method not found"), 404)
    elif name == "server/discover":
        c.message(result(request_id, whole | {"supportedVersions": ["2026-07-28"], "capabilities": {
            "tools": {"listChanged": True}}, "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "1"}}}))
    elif name == "tools/list":
        c.message(result(request_id, whole | {"tools": [
            tool("echo"), tool("region", region={"type": "string", "x-mcp-header": "Region"}),
            tool("bad", score={"type": "number", "x-mcp-header": "Score"}), tool("hang"), tool("mrtr")]}))
    elif name == "subscriptions/listen":
        c.stream()
        meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": request_id}}
        c.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                 "params": {"notifications": message["params"]["notifications"]} | meta})
        c.event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": meta})
        c.wait_for_close()
    elif name == "tools/call":
        call_modern(c, key, headers, message)
    else:
        c.message(error(request_id, -32601, "Method not found"), 404)


def call_modern(c, key, headers, message):
    request_id, params = message["id"], message["params"]
    name = params["name"]
    if name == "hang":
        c.stream()
        try:
            c.wait_for_close()
        finally:
            with lock:
                gone.setdefault(key, []).append(request_id)
                lock.notify_all()
    elif name == "mrtr" and "inputResponses" not in params:
        c.message(result(request_id, {"resultType": "input_required", "requestState": "s\u00e9 1", "inputRequests": {
            "who": {"method": "elicitation/create", "params": {"mode": "form", "message": "Who?", "requestedSchema": {
                "type": "object", "properties": {"name": {"type": "string", "default": "Ann"}}}}}}}))
    elif name == "mrtr":
        c.message(result(request_id, {"resultType": "complete"} | text(
            json.dumps([params["inputResponses"], params["requestState"]], sort_keys=True))))
    else:
        c.message(result(request_id, {"resultType": "complete"} | text(
            json.dumps({n: v for n, v in headers.items() if n.startswith("mcp-")}, sort_keys=True))))


# --- the rest -----------------------------------------------------------------------------------

def challenge(c, status, more=""):
    c.answer(status, b"", headers=[("WWW-Authenticate", f'Bearer realm="double"{more}')])


def guarded(c, key, method, headers, message, step):
    token = headers.get("authorization", "")
    if token not in ("Bearer good", "Bearer better"):
        challenge(c, 401)
    elif step and token != "Bearer better" and message and message.get("method") == "tools/call":
        challenge(c, 403, ', error="insufficient_scope", scope="call"')
    else:
        legacy(c, key, method, headers, message)


def serve(c):
    method, target, headers, body = c.request()
    kind, key = (urllib.parse.urlsplit(target).path.split("/") + ["", ""])[1:3]
    message = json.loads(body) if body else None
    if kind == "journal":
        with lock:
            lock.wait_for(lambda: not key.startswith("hang") or gone.get(key), timeout=20)
            c.message({"requests": journals.get(key, []), "gone": gone.get(key, [])})
        return
    with lock:
        journals.setdefault(key, []).append({"method": method, "headers": headers, "message": message})
    if kind == "legacy":
        legacy(c, key, method, headers, message)
    elif kind == "modern":
        modern(c, key, method, headers, message)
    elif kind.startswith("old-"):
        old(c, key, method, headers, message, kind[4:])
    elif kind == "id":
        if message and "id" in message and "method" in message:
            message["id"] = str(message["id"])
        legacy(c, key, method, headers, message)
    elif kind == "moved":
        c.answer(307, headers=[("Location", f"/legacy/{key}")])
    elif kind == "elsewhere":
        c.answer(307, headers=[("Location", "http://127.0.0.1:9/mcp")])
    elif kind == "to-get":
        c.answer(302, headers=[("Location", f"/legacy/{key}")])
    elif kind in ("guarded", "step"):
        guarded(c, key, method, headers, message, kind == "step")
    elif kind == "status":
        c.answer(int(key), b"the reason", "text/plain")
    else:
        c.answer(404)


def handle(sock):
    connection = Connection(sock)
    try:
        while True:
            serve(connection)
    except (Closed, OSError):
        pass
    finally:
        sock.close()


def accept(server):
    while True:
        sock, _ = server.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=handle, args=(sock,), daemon=True).start()


def main():
    server = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=accept, args=(server,), daemon=True).start()
    print(server.getsockname()[1], flush=True)
    sys.stdin.read()


main()
