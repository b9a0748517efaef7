#!/usr/bin/env python3
"""A question that nobody can answer any more does not hold up the next call: its client is gone, cancelled or asks anew."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place                              # noqa: E402
from http_peer import HttpServer                   # noqa: E402
from tools import PATIENCE                         # noqa: E402
import tap                                         # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", minutes = 5 }, { allow = true } } }'
WAIT = """
local s, time = require "schema", require "sys.time"
return { description = "Waits.", inputSchema = s.object { { "seconds", s.number "How long." } },
  run = function(args) time.sleep(args.seconds) return "waited" end }
"""
MODERN = "2026-07-28"
SENT = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]


def params(note, tool="mark", meta=True, able=None):
    envelope = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities":
                able or {"elicitation": {}}, "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"}}
    return {"name": tool, "arguments": {"note": note}, **({"_meta": envelope} if meta else {})}


def asks(note, answer):
    """The answer is the question about the call with this note."""
    result = answer.get("result", {})
    assert result.get("resultType") == "input_required" and note in json.dumps(result["inputRequests"]), answer


def modern_stdio():
    with Place(ASK) as place, place.serve(version=None) as server:
        asks("one", server.ask("tools/call", params("one")))
        asks("two", server.ask("tools/call", params("two"), PATIENCE))


def superseded():
    """The same call anew is asked about at once: before a call ends that is shorter than the wait for others."""
    with Place(ASK, wait=WAIT) as place, place.serve(version=None) as server:
        asks("one", server.ask("tools/call", params("one")))
        waiting = server.post("tools/call", {**params("", "wait"), "arguments": {"seconds": 3}})
        asks("one", server.ask("tools/call", params("one"), PATIENCE))
        assert not server.has_answered(waiting), "it waited for the question before"


def answered_late():
    """The abandoned question still takes its answer."""
    with Place(ASK) as place, place.serve(version=None) as server:
        first = server.ask("tools/call", params("one"))["result"]
        asks("two", server.ask("tools/call", params("two"), PATIENCE))
        (key,) = first["inputRequests"]
        done = server.ask("tools/call", {**params("one"), "requestState": first["requestState"], "inputResponses": {
            key: {"action": "accept", "content": {"answer": "Allow for 5 minutes"}}}})
        assert done["result"]["resultType"] == "complete" and place.trace() == ["one"], done
        assert server.ask("tools/call", params("three"))["result"]["resultType"] == "complete"


def cancelled():
    with Place(ASK) as place, place.serve(capabilities={"elicitation": {}}) as server:
        first = server.post("tools/call", params("one", meta=False))
        server.find(lambda each: each.get("method") == "elicitation/create")
        server.post("tools/call", params("two", meta=False))
        server.notify("notifications/cancelled", {"requestId": first})
        assert "two" in server.find(lambda each: each.get("method") == "elicitation/create", PATIENCE)["params"]["message"]


def connected():
    """A client that is there is waited for: a second call waits for the question to the first."""
    with Place(ASK, wait=WAIT) as place, place.serve(capabilities={"elicitation": {}}) as server:
        asked = server.post("tools/call", params("one", meta=False))
        first = server.find(lambda each: each.get("method") == "elicitation/create")
        second = server.post("tools/call", params("two", meta=False))
        server.answer(server.post("tools/call", {"name": "wait", "arguments": {"seconds": 6}}), PATIENCE)
        assert not [each for each in server.early if each.get("method") == "elicitation/create"], server.early
        server.send({"jsonrpc": "2.0", "id": first["id"],
                     "result": {"action": "accept", "content": {"answer": "Allow for 5 minutes"}}})
        assert "result" in server.answer(second) and "result" in server.answer(asked)   # in either order
        assert sorted(place.trace()) == ["one", "two"]


def modern_http(where):
    def run():
        with Place(ASK) as place, HttpServer("--grant", str(place.folder / "work"), http=where or f"unix:{place.folder}/socket",
                                             env=place.env) as server:
            for note in ("one", "two"):
                heads = [*SENT, ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "mark")]
                with server.connect(PATIENCE) as peer:
                    peer.request("POST", None, heads, json.dumps(
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params(note)}).encode())
                    body = peer.answer().body.decode()
                    text = body if body[0] == "{" else [line[5:] for line in body.split("\n") if line.startswith("data: {")][-1]
                    asks(note, json.loads(text))
    return run


class Session:
    def __init__(self, server):
        self.server, self.heads = server, SENT
        with server.connect() as peer:
            self.post(peer, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
                                           "clientInfo": {"name": "tester", "version": "1"}})
            self.heads = [*SENT, ("Mcp-Session-Id", peer.answer().header("mcp-session-id"))]

    def post(self, peer, method, given, identity=1):
        peer.request("POST", None, self.heads, json.dumps(
            {"jsonrpc": "2.0", **({"id": identity} if identity else {}), "method": method, "params": given}).encode())

    def asked(self, peer, note):
        """Calls, and reads the question."""
        self.post(peer, "tools/call", params(note, meta=False))
        peer.head()
        while True:
            event = peer.event()
            if event.text and json.loads(event.text).get("method") == "elicitation/create":
                assert note in event.text, event.text
                return


def legacy_http(leave):
    def run():
        with Place(ASK) as place, HttpServer("--grant", str(place.folder / "work"), env=place.env) as server:
            first, second = Session(server), Session(server)
            with server.connect() as peer:
                first.asked(peer, "one")
                leave(server, first, peer)
                with server.connect(PATIENCE) as other:
                    second.asked(other, "two")
    return run


def closes(_server, _session, peer):
    peer.close()


def ends(server, session, _peer):
    with server.connect() as other:
        other.request("DELETE", None, session.heads)
        other.answer("DELETE")


def cancels(server, session, _peer):
    with server.connect() as other:
        session.post(other, "notifications/cancelled", {"requestId": 1}, None)
        other.answer()


def main():
    for name, function in (
            (f"{MODERN}, stdio: nobody comes back with the answer", modern_stdio),
            (f"{MODERN}, stdio: the same call is made anew", superseded),
            (f"{MODERN}: an answer that comes late counts", answered_late),
            (f"{MODERN}, HTTP: nobody comes back", modern_http("0")),
            (f"{MODERN}, HTTP by a socket: nobody comes back", modern_http(None)),
            ("stdio: the call is cancelled", cancelled),
            ("stdio: a client that is there is waited for", connected),
            ("a session: its connection is closed", legacy_http(closes)),
            ("a session: it is ended", legacy_http(ends)),
            ("a session: the call is cancelled", legacy_http(cancels))):
        tap.case(name, function)
    tap.done()


main()
