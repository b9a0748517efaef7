#!/usr/bin/env python3
"""The audit log of many calls at once: their lines are written together, and each stands there before its call runs."""

import concurrent.futures
import http.client
import json
import os
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, code_of                                        # noqa: E402
from recorded_test import POLICIES, audit, lines, small_files         # noqa: E402
from tools import until                                              # noqa: E402
import tap                                                          # noqa: E402

ALLOW = "return { rules = { { allow = true } } }"
WAIT = """
return { description = "Waits.", inputSchema = { type = "object" }, run = function() require("sys.time").sleep(600) end }
"""


def flood(server, first, count, tool="mark", **more):
    """Sends so many calls in one write; their ids. Each leaves its id as a trace."""
    ids = list(range(first, first + count))
    server.write(b"".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {
        "name": tool, "arguments": {"note": f"{os.getpid()}-{i}" + more.get("note", "")} if tool == "mark" else {}}}).encode() + b"\n"
                          for i in ids))
    return ids


def whole(place):
    done = audit(place, "--verify")
    assert done.returncode == 0, (done.stdout, done.stderr)


def noted(place):
    return {line["args"]["note"] for line in lines(place, "call") if line["decision"] == "allow"}


def in_order():
    """Calls of one write are recorded in their order, are answered, and share the writes of their lines."""
    with Place(ALLOW) as place, place.serve() as server:
        ids = flood(server, 1, 150)
        answers = [server.receive()["id"] for _ in ids]
        assert sorted(answers) == ids, answers
        assert [int(line["args"]["note"].split("-")[1]) for line in lines(place, "call")] == ids
        assert sorted(int(note.split("-")[1]) for note in place.trace()) == ids
        until(lambda: len(lines(place, "end")) == len(ids), "the lines of their ends")
        kinds = [line["kind"] for line in lines(place) if line["kind"] in ("call", "end")]
        changes = sum(a != b for a, b in zip(kinds, kinds[1:]))
        assert changes < len(ids) / 2, f"each line was written alone: {kinds}"
        whole(place)


def order_with_others():
    """Messages behind a call in the same write find it begun."""
    with Place(ALLOW, wait=WAIT) as place, place.serve() as server:
        flood(server, 1, 2, "wait")
        server.notify("notifications/cancelled", {"requestId": 1})
        messages = [{"id": 3, "method": "tools/call", "params": {"name": "wait", "arguments": {}}},
                    {"id": 4, "method": "tools/call", "params": {"name": "wait", "arguments": {}}},
                    {"method": "notifications/cancelled", "params": {"requestId": 4}},
                    {"id": 5, "method": "tools/call", "params": {"name": "engine_status", "arguments": {}}},
                    {"id": 6, "method": "ping"}]
        server.write(b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in messages))
        assert sorted(server.receive()["id"] for _ in range(2)) == [5, 6]
        until(lambda: len(lines(place, "end")) == 3, "the ends of two calls that were cancelled, and one")
        ends = {line["id"]: line["code"] for line in lines(place, "end")}
        begun = {line["id"]: line["tool"] for line in lines(place, "call")}
        assert sorted(ends.values()) == ["cancelled", "cancelled", "ok"] and len(begun) == 5, (ends, begun)
        whole(place)


def killed():
    """kill -9 in a flood: every call that ran has its line."""
    with Place(ALLOW) as place:
        for count in range(12):
            server = place.serve()
            flood(server, 1 + count * 1000, 400)
            for _ in range(count * 20 + 1):
                server.receive()
            server.process.kill()
            server.process.wait()
            server.__exit__(None, None, None)
            whole(place)
        ran = set(place.trace())
        assert len(ran) > 12 and ran <= noted(place), ran - noted(place)


def full():
    """A disk that becomes full in a flood: no call of a group runs, or all do, as the policy says; no half of a group stays."""
    for policy, code in POLICIES:
        with Place(policy) as place, small_files(place) as (server, free):
            ids = flood(server, 1, 100)
            codes = [code_of(server.answer(i)["result"]) for i in ids]
            refused = codes.count(code) if code else 0
            assert set(codes) <= {None, code} and (not code or refused > 30), codes
            assert len(place.trace()) == len(ids) - refused, (len(place.trace()), codes)
            if code:
                assert set(place.trace()) <= noted(place)
            whole(place)
            free()
            ids = flood(server, 1000, 100)
            assert [code_of(server.answer(i)["result"]) for i in ids] == [None] * 100
            assert {f"{os.getpid()}-{i}" for i in ids} <= noted(place)
            whole(place)


def two_engines():
    """Two engines in a flood write one chain; what one writes apart is joined to it."""
    with Place(ALLOW) as place, place.serve() as one, place.serve() as two:
        for turn in range(5):
            flood(one, 1 + turn * 1000, 100)
            flood(two, 100000 + turn * 1000, 100)
        for server in (one, two):
            for _ in range(500):
                server.receive()
        until(lambda: len(lines(place, "end")) == 1000, "all ends")
        assert len(noted(place)) == 1000 and noted(place) == set(place.trace())
        whole(place)


def over_http():
    """Many clients at once over HTTP: each call that ran has its line, whichever turn of the server it came in."""
    with Place(ALLOW) as place:
        server = subprocess.Popen(place.words("serve", "--http", "0", "--no-token"), env={**os.environ, **place.env},
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = urllib.parse.urlsplit(server.stdout.readline().strip())

            def client(number):
                connection = http.client.HTTPConnection(url.netloc, timeout=120)
                headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

                def post(method, params):
                    connection.request("POST", url.path, json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), headers)
                    answer = connection.getresponse()
                    return answer, answer.read()

                answer, _ = post("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
                headers["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
                for i in range(10):
                    _, body = post("tools/call", {"name": "mark", "arguments": {"note": f"{number}-{i}"}})
                    assert b'"marked"' in body, body
                connection.close()

            with concurrent.futures.ThreadPoolExecutor(20) as pool:
                list(pool.map(client, range(20)))
            assert len(place.trace()) == 200 and set(place.trace()) == noted(place)
            until(lambda: len(lines(place, "end")) == 200, "all ends")
            whole(place)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()


def ended():
    """The last ends are written when the input closes."""
    with Place(ALLOW) as place:
        subprocess.run(place.words("serve"), env={**os.environ, **place.env}, check=True, capture_output=True, timeout=120, input=b"".join(
            json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in (
                {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                             "clientInfo": {"name": "x", "version": "1"}}},
                *({"id": i, "method": "tools/call", "params": {"name": "mark", "arguments": {}}} for i in range(1, 6)))))
        assert len(lines(place, "call")) == len(lines(place, "end")) == 5, lines(place)
        whole(place)


def main():
    for name, function in (
            ("calls of one write are recorded in their order, and share the writes of their lines", in_order),
            ("messages behind a call find it begun", order_with_others),
            ("an engine that is killed in a flood has a line for each call that ran", killed),
            ("a disk that becomes full in a flood", full),
            ("two engines in a flood", two_engines),
            ("many clients over HTTP", over_http),
            ("the last ends are written when the input closes", ended)):
        tap.case(name, function)
    tap.done()


main()
