#!/usr/bin/env python3
"""A test double of the models' APIs: Gemini, OpenAI (and compatible), Anthropic, Ollama, on one local port.

    model_double.py [--port N] [--ready FILE] [--until-eof] [--slow SECONDS]

It answers as the real API does, and refuses what the real one refuses: a request of another shape
than the API's documentation says is a 400 with that API's own error body, and is kept as a problem.
The port is printed as `port N`, and written to FILE (which may be a FIFO).

The first two parts of a path choose how it behaves: http://127.0.0.1:PORT/SESSION/SCENARIO is the base
address to give to a provider (for OpenAI with /v1 behind it). A session is any name; its scripted
replies, requests and counters are its own. Scenarios: ok, 401, 403, 404, 413, 429 (once, Retry-After: 1),
429-always, 500 (once), 500-always, 503, 529, retired (the provider's default model and its old
names are gone), malformed,
not-an-object, cut-off, slow, empty, blocked, length, no-tools, no-images (the
model takes text only), untold (Ollama does not say what its models can do), refuse (says why a request is refused).

    POST /control/SESSION/script   a JSON list of replies: {"text": ...}, {"tool_calls": [{"name":, "arguments":}]},
                                   {"tool_calls": [{"name":, "raw": "not json"}]} (OpenAI), plus "stop": "length"
                                   and "pace": seconds to think
    POST /control/SESSION/draw     no script: plays the drawing agent, from what the tools really answered
    GET  /control/SESSION/requests everything that was asked: [{api, path, headers, body, raw, problem}]
    POST /control/quit
"""

import argparse
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import model_apis  # noqa: E402

ERRORS = {"401": 401, "403": 403, "413": 413, "429-always": 429, "500-always": 500, "503": 503, "529": 529}
ONCE = {"429": 429, "500": 500}


class Session:
    """What belongs to one name: scripted replies, what was asked, and counters."""

    def __init__(self):
        self.replies = []
        self.draw = False
        self.requests = []
        self.faults = 0
        self.lock = threading.Lock()

    def next_reply(self, api, body):
        with self.lock:
            if self.draw:
                return model_apis.draw(api, body)
            if self.replies:
                return self.replies.pop(0)
        return {"text": "FINAL_ANSWER: [done]"}


class Double(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, slow):
        super().__init__(("127.0.0.1", port), Handler)
        self.slow = slow
        self.sessions = {}
        self.lock = threading.Lock()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a client that gave up waiting is no fault
            super().handle_error(request, client_address)

    def session(self, name):
        with self.lock:
            return self.sessions.setdefault(name, Session())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes

    def log_message(self, *_):
        pass

    # -- answering ------------------------------------------------------------

    def send(self, status, body, headers=(), cut=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data if cut is None else data[:cut])
        if cut is not None:
            self.wfile.flush()
            self.close_connection = True

    def refuse(self, api, status, message, headers=(), **more):
        self.send(api.statuses.get(status, status), api.error(status, message, **more), headers)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    # -- dispatch -------------------------------------------------------------

    def do_GET(self):
        self.handle_request("GET")

    def do_POST(self):
        self.handle_request("POST")

    def handle_request(self, method):
        data = self.body()
        parts = self.path.lstrip("/").split("/", 2)
        if parts[0] == "control":
            return self.control(method, parts[1:], data)
        if len(parts) < 3:
            return self.send(404, {"error": "the path begins with /SESSION/SCENARIO/"})
        name, scenario, rest = parts
        session, path = self.server.session(name), "/" + rest
        api = model_apis.find(method, path)
        if api is None:
            session.requests.append({"api": None, "path": path, "problem": "no API has this path"})
            return self.send(404, {"error": {"message": f"Unknown request URL: {method} {path}", "code": 404}})
        if method == "GET":
            return self.send(200, api.listing(scenario))
        return self.converse(api, session, scenario, path, data)

    def control(self, method, parts, data):
        if parts == ["quit"]:
            self.send(200, {})
            threading.Thread(target=self.server.shutdown).start()
            return None
        session, verb = self.server.session(parts[0]), parts[1] if len(parts) > 1 else ""
        if (method, verb) == ("POST", "script"):
            session.replies, session.draw = json.loads(data), False
        elif (method, verb) == ("POST", "draw"):
            session.draw = True
        elif (method, verb) == ("GET", "requests"):
            return self.send(200, session.requests)
        else:
            return self.send(404, {"error": "no such control"})
        return self.send(200, {})

    def converse(self, api, session, scenario, path, data):
        record = {"api": api.name, "path": path, "headers": {k.lower(): v for k, v in self.headers.items()}}
        session.requests.append(record)
        try:
            body = json.loads(data)
            record["body"], record["raw"] = body, data.decode()
            api.check(path, self.headers, body, scenario)
        except model_apis.Refused as refused:
            record["problem"] = str(refused)
            return self.refuse(api, refused.status, str(refused), param=refused.param)
        except ValueError as error:
            record["problem"] = f"not JSON: {error}"
            return self.refuse(api, 400, "We could not parse the JSON body of your request.")
        return self.act(api, session, scenario, path, body)

    def act(self, api, session, scenario, path, body):
        aside = api.aside(path, body, scenario) if hasattr(api, "aside") else None
        if aside:
            return self.send(200, aside)
        with session.lock:
            session.faults += 1
            first = session.faults == 1
        if scenario in ERRORS or (scenario in ONCE and first):
            status = ERRORS.get(scenario) or ONCE[scenario]
            wait = {"429": "1", "429-always": "3600"}.get(scenario)
            return self.refuse(api, status, model_apis.SAYS[status], [("Retry-After", wait)] if wait else ())
        if scenario == "malformed":
            return self.send(200, b"<html>502 Bad Gateway</html>")
        if scenario == "not-an-object":
            return self.send(200, b"[1, 2]")
        if scenario == "slow":
            time.sleep(self.server.slow)
        if scenario == "empty":
            return self.send(200, api.empty())
        if scenario == "blocked":
            return self.send(200, api.blocked())
        reply = dict(session.next_reply(api, body))
        time.sleep(reply.pop("pace", 0))
        if scenario == "length":
            reply["stop"] = "length"
        answer = api.answer(api.model(path, body), reply)
        return self.send(200, answer, cut=20 if scenario == "cut-off" else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--ready", help="write the port here when listening")
    parser.add_argument("--until-eof", action="store_true", help="end when stdin ends")
    parser.add_argument("--slow", type=float, default=30.0, help="seconds that the scenario slow waits")
    options = parser.parse_args()

    double = Double(options.port, options.slow)
    port = double.server_address[1]
    print(f"port {port}", flush=True)
    if options.ready:
        with open(options.ready, "w", encoding="ascii") as file:
            file.write(f"{port}\n")
    if options.until_eof:
        def wait():
            sys.stdin.buffer.read()
            double.shutdown()
        threading.Thread(target=wait, daemon=True).start()
    try:
        double.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
