#!/usr/bin/env python3
"""Runs HTTP transcripts (*.http) against `perigee serve --http` and prints TAP.

    tests/http/run.py [FILE or FOLDER ...]

    # comment                 == name of a case (what stands before the first is for all)
    @ args: ...  @ env: N=V   for `serve`; @ token: keep the token     @ eras: A B  once for each: "$era"
    @ init VERSION            the handshake; its session's headers go with what follows
    @ modern                  from here on POSTs carry the headers of 2026-07-28, made from the body
    @ plain                   from here on nothing is added but Content-Type and Accept
    + Name: value             one more header (or another value) for the next request only
    - Name                    without this header, for the next request only
    > {json}                  POST it, on a connection of its own
    > METHOD [PATH [text]]    any other request
    >> text\\r\\n              these bytes on one raw connection, opened by the first
    < STATUS [{pattern}]      the answer: status, and its JSON body
    < STATUS /regex/          ... or its text
    < STATUS empty|events     ... without a body; or a stream, which stays open
    < STATUS page             ... with libmicrohttpd's own page: what never comes as far as our code
    < closed                  no answer: the connection ends
    < ... | 1.0: ...          ... or this, with libmicrohttpd 1.0 and later
    = Name: /regex/           a header of that answer; `= Name: absent`; "$name" in it takes or compares
    << {pattern}              the next message of the stream that was opened last
    <<id $name                the id of the event that came last
    <<prime                   an event with an id and no data
    <<end                     the stream ends
    @ as NAME / @ from NAME   name this exchange; go back to it
    @ leave                   close this exchange's connection
    @ closed                  the server closes this exchange's connection
    @ let NAME {json}

"$name" in what is sent is a captured value, in header lines too; "$meta" the envelope.
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, "tests", "lib"), os.path.join(TOP, "tests", "wire")]

import tap          # noqa: E402
from http_peer import Connection, HttpServer          # noqa: E402
from pattern import brief, mismatch          # noqa: E402
from transcript import META, Bad, fill_in, raw_bytes, repeat      # noqa: E402

ROOT = "tests/wire/root"
JSON = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
HEAD = {"args", "env", "eras", "token"}
LATER = " | 1.0: "
LIBRARY = subprocess.run(["pkg-config", "--modversion", "libmicrohttpd"], capture_output=True, text=True, check=True)


class Wrong(Exception):
    pass


def modern_headers(body):
    try:
        message = json.loads(body)
    except ValueError:
        return [("MCP-Protocol-Version", "2026-07-28")]
    if not isinstance(message, dict):
        return [("MCP-Protocol-Version", "2026-07-28")]
    headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", message.get("method", ""))]
    member = NAMED.get(message.get("method"))
    value = (message.get("params") or {}).get(member) if member else None
    return headers + ([("Mcp-Name", value)] if isinstance(value, str) else [])


class Run:
    def __init__(self, server, names):
        self.server = server
        self.names = names
        self.era = "plain"
        self.session = []
        self.extra, self.without = [], set()
        self.named = {}
        self.raw = self.current = self.answer = self.last = None
        self.method = "POST"
        self.talk = []
        self.all = []

    # --- out --------------------------------------------------------------------

    def fill_text(self, text):
        """"$name" of a header or path is the bare value."""
        def value(match):
            if match.group(1) not in self.names:
                raise Bad(f"${match.group(1)} has no value yet")
            return str(self.names[match.group(1)])
        return re.sub(r"\$([a-z_]+)", value, repeat(text))

    def headers(self, body):
        made = list(JSON) if body is not None else [JSON[1]]
        if self.era == "modern" and body is not None:
            made += modern_headers(body)
        elif self.era == "session":
            made += self.session
        given = {n.lower() for n, _ in self.extra} | self.without
        made = [(n, v) for n, v in made if n.lower() not in given] + self.extra
        made += [(n, None) for n in self.without]
        self.extra, self.without = [], set()
        return made

    def fresh(self):
        self.current = Connection(self.server.url)
        self.all.append(self.current)
        self.answer = self.last = None
        return self.current

    def send(self, text):
        path = body = None
        if text[:1] in "{[":
            self.method, body = "POST", repeat(fill_in(text, self.names)).encode()
        else:
            self.method, _, rest = text.partition(" ")
            path, _, rest = rest.partition(" ")
            path = self.fill_text(path) or None
            if rest or self.method == "POST":
                body = raw_bytes(rest)
        self.talk.append(f"> {self.method} {brief(text)}")
        self.fresh().request(self.method, path, self.headers(body), body)

    def send_raw(self, data):
        if self.raw is None or self.raw is not self.current:
            self.raw = self.fresh()
        self.method = "RAW"
        self.talk.append(f"> {data[:200]!r}")
        self.raw.send(data)

    # --- in ---------------------------------------------------------------------

    def check(self, pattern, value):
        report = mismatch(pattern, value, self.names)
        if report:
            raise Wrong(f"{report}\nin {brief(value)}")

    def expect(self, text):
        before, _, since = text.partition(LATER)
        text = since if since and not LIBRARY.stdout.startswith("0.") else before
        status, _, wanted = text.partition(" ")
        if text == "closed":
            if not self.current.ended() or self.current.rest:
                raise Wrong(f"expected no answer, got {self.current.rest[:300]!r}")
            return
        if wanted == "events":
            self.answer = self.current.head()
            if self.answer.header("content-type") != "text/event-stream":
                wanted = "no stream"
        else:
            self.answer = self.current.answer(self.method)
        body = self.answer.body.decode("utf-8", "backslashreplace")
        self.talk.append(f"< {self.answer.status} {body[:300]}")
        if str(self.answer.status) != status or wanted == "no stream":
            raise Wrong(f"expected {text}, got {self.answer.status} {self.answer.headers} {body[:300]}")
        if wanted == "empty":
            if body:
                raise Wrong(f"expected no body, got {body[:300]}")
        elif wanted == "page":
            if not body.startswith("<html>"):
                raise Wrong(f"expected a page of libmicrohttpd, got {body[:300]}")
        elif wanted.startswith("/"):
            if not re.search(wanted[1:-1], body, re.DOTALL):
                raise Wrong(f"{wanted} is not in {body[:500]!r}")
        elif wanted and wanted != "events":
            if self.answer.header("content-type") != "application/json":
                raise Wrong(f"the body is {self.answer.header('content-type')}")
            self.check(json.loads(repeat(wanted)), json.loads(body))

    def header(self, text):
        name, _, wanted = text.partition(":")
        wanted, value = wanted.strip(), self.answer.header(name)
        if wanted == "absent":
            if value is not None:
                raise Wrong(f"{name}: {value} should not be there")
        elif value is None:
            raise Wrong(f"{name} is missing in {self.answer.headers}")
        else:
            self.check(wanted, value)

    def event(self):
        while True:
            event = self.current.event()
            if event is None or not event.comment:
                return event

    def message(self, wanted):
        while True:
            event = self.event()
            if event is None:
                raise Wrong(f"the stream ended, expected {wanted}")
            if event.text:
                break
        self.last = event
        self.talk.append(f"<< {event.text[:300]}")
        self.check(json.loads(repeat(wanted)), json.loads(event.text))

    def prime(self):
        self.last = self.event()
        if self.last is None or not self.last.id or self.last.text:
            raise Wrong(f"no priming event: {vars(self.last) if self.last else None}")

    def stream_end(self):
        event = self.event()
        if event is not None:
            raise Wrong(f"the stream goes on: {event.text[:300]}")

    # --- steps ------------------------------------------------------------------

    def init(self, version):
        self.era = "plain"
        self.send(json.dumps({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "http", "version": "1"}}}))
        self.expect('200 {"id":"init","result":{"protocolVersion":"%s"}}' % version)
        self.header("Mcp-Session-Id: /^[!-~]{16,}$/")
        self.names["session"] = self.answer.header("mcp-session-id")
        self.session = [("Mcp-Session-Id", self.names["session"]), ("MCP-Protocol-Version", version)]
        self.era = "session"
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        self.expect("202 empty")

    def directive(self, word, argument):
        if word == "init":
            self.init(self.names["era"] if argument == "$era" else argument)
        elif word in ("modern", "plain"):
            self.era = word
        elif word == "as":
            self.named[argument] = (self.current, self.answer, self.method)
        elif word == "from":
            self.current, self.answer, self.method = self.named[argument]
        elif word == "leave":
            self.current.close()
        elif word == "closed":
            if not self.current.ended():
                raise Wrong("the server keeps the connection open")
        elif word == "let":
            name, _, value = argument.partition(" ")
            self.names[name] = json.loads(value)
        else:
            raise Bad(f"no directive {word}")

    def step(self, mark, rest):
        if mark == ">":
            self.send(rest)
        elif mark == ">>":
            self.send_raw(raw_bytes(self.fill_text(rest)))
        elif mark == "<":
            self.expect(rest)
        elif mark == "=":
            self.header(rest)
        elif mark == "<<":
            self.message(rest)
        elif mark == "<<id":
            self.check(rest, self.last.id)
        elif mark == "<<prime":
            self.prime()
        elif mark == "<<end":
            self.stream_end()
        elif mark == "+":
            name, _, value = rest.partition(":")
            self.extra.append((name, self.fill_text(value.strip())))
        elif mark == "-":
            self.without.add(rest.strip().lower())
        elif mark == "@":
            word, _, argument = rest.partition(" ")
            self.directive(word, argument.strip())
        else:
            raise Bad(f"cannot read {mark} {rest[:60]}")


def parse(path):
    """[(case name, head, [(line, mark, rest)])]"""
    head, common, cases = {k: [] for k in HEAD}, [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            mark, _, rest = line.partition(" ")
            if mark == "==":
                cases.append((rest.strip(), {k: list(v) for k, v in head.items()}, list(common)))
                continue
            word, _, argument = rest.partition(":")
            if mark == "@" and word in HEAD:
                (cases[-1][1] if cases else head)[word] += argument.split() or [""]
            else:
                (cases[-1][2] if cases else common).append((number, mark, rest))
    return cases


def run_case(head, steps, era):
    arguments = ["--root", os.path.join(TOP, ROOT), *head["args"]]
    at = 0
    try:
        server = HttpServer(*arguments, token=bool(head["token"]),
                            env=dict(e.split("=", 1) for e in head["env"]))
    except tap.Failure as failure:
        return str(failure)
    run = Run(server, {"meta": META, "era": era})
    try:
        for at, mark, rest in steps:
            run.step(mark, rest)
        at = "end"
        for connection in run.all:
            connection.close()
        code = server.stop()
        if code != 0:
            raise Wrong(f"exit code {code}")
    except (Wrong, Bad, tap.Failure, ValueError) as error:
        return "\n".join([f"line {at}: {error}", *run.talk[-12:], "stderr:", *server.errors[-12:]])
    finally:
        if server.process.poll() is None:
            server.stop()
    return None


def main(paths):
    paths = paths or [HERE]
    files = [p for path in paths for p in (
        sorted(os.path.join(path, f) for f in os.listdir(path) if f.endswith(".http"))
        if os.path.isdir(path) else [path])]
    for path in files:
        base = os.path.splitext(os.path.basename(path))[0]
        for name, head, steps in parse(path):
            for era in head["eras"] or [None]:
                report = run_case(head, steps, era)
                tap.ok(report is None, f"{base}: {name}" + (f" ({era})" if era else ""), report or "")
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
