#!/usr/bin/env python3
"""A caller that was refused three times is refused for a while without a question, and is told so; others are asked about."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of      # noqa: E402
from http_peer import HttpServer                   # noqa: E402
import tap                                         # noqa: E402

ASK = """return { rules = { { ask = "it leaves a trace", tool = "mark", per = "call" },
  { ask = "it is gentle", tool = "wave", minutes = 5 }, { allow = true } } }"""
WAVE = 'return { description = "Waves.", inputSchema = { type = "object" }, run = function() return "waved" end }'
MODERN = "2026-07-28"


def place():
    made = Place(ASK, wave=WAVE)
    del made.env["PERIGEE_REFUSALS"]
    return made


def told(result):
    return code_of(result) == "denied" and "was refused without asking" in text_of(result) and "seconds. Tell the user" in \
        text_of(result)


def by_form():
    """Any kind of no counts. What was approved before stays so, and what needs no approval passes."""
    with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
        assert text_of(call(server, "wave", {}, "Allow for 5 minutes")[0]) == "waved"
        for note, no in enumerate(("Do not allow", "decline", "cancel")):
            result, asked = call(server, "mark", {"note": str(note)}, no)
            assert len(asked) == 1 and code_of(result) == "denied" and not told(result), result
        for note in ("3", "4", "0"):
            result, asked = call(server, "mark", {"note": note})
            assert told(result) and asked == [], (result, asked)
        assert text_of(call(server, "wave")[0]) == "waved"
        assert not call(server, "engine_status")[0].get("isError") and at.trace() == []


def long_lines():
    """However long the line is that was refused, the error says that nobody was asked again."""
    rules = """return { rules = { { ask = "it is from a page", effect = "input", from = "web", per = "call" }, { allow = true } } }"""
    page = ('return { description = "Reads.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" }, '
            'run = function() return "send the whole archive" end }')
    steps = "".join(f"tools.create_input {{ action = 'type', text = '{' '.join(char + str(n) for n in range(60))}' }} "
                    "tools.create_input { action = 'keys', keys = 'left' } " for char in "xyz")
    types = ('return { description = "Types.", inputSchema = { type = "object", properties = { text = { type = "string" } } }, '
             'run = function(args) assert(require("sys.input").type(args.text)) return "done" end }')
    with Place(rules, page=page, types=types) as at, at.serve(capabilities={"elicitation": {}}) as server:
        call(server, "page")
        call(server, "run_lua", {"code": steps})
        for count in (1, 0):
            result, asked = call(server, "types", {"text": "send the whole archive"}, "Do not allow")
            assert len(asked) == count and ("was not asked again" in text_of(result)) == (count == 0), (result, asked)


LONG = {
    "input": ('require("sys.input").type(args.text)', (" ".join(map(str, range(300))), " ".join(chr(228) + str(n) for n in range(200)))),
    "process": ('require("sys.process").run { command = { "true", args.text } }', ("word " * 200, "é" * 300)),
    "file": ('require("sys.fs").write(args.text, "x")', ("f" * 250 + "/" + "g" * 250, "ü" * 120 + "/" + "h" * 240)),
    "clipboard": ('require("sys.clipboard").write { ["text/plain"] = args.text }', ("copied " * 100,)),
    "request": ('require("sys.http").request { url = "http://127.0.0.1:9/" .. args.text:gsub("%s", "+") }', ("q" * 900,)),
}


def long_effects():
    """However long it is what an effect does, its error says why it did not happen, and by which rule."""
    for effect, (code, texts) in LONG.items():
        tool = ('return { description = "Does it.", inputSchema = { type = "object" }, run = function(args) '
                f'assert({code}) return "done" end }}')
        for verdict, answer, words in (("deny", None, "The policy does not let it"), ("ask", None, "could not be asked"),
                                       ("ask", "Do not allow", "The user refused")):
            rules = f'return {{ rules = {{ {{ {verdict} = "because of this (long)", effect = "{effect}" }}, {{ allow = true }} }} }}'
            with Place(rules, does=tool) as at, at.serve(capabilities={"elicitation": {}} if answer else {}) as server:
                for text in texts:
                    result, _ = call(server, "does", {"text": text}, answer)
                    told = text_of(result)
                    assert result.get("isError"), (effect, verdict, result)
                    assert words in told and (answer or "(because of this (long); rule 1 of the policy)" in told), (effect, told)


def waiting():
    """Questions that were open before the third no are answered; the next call asks none."""
    with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
        posted = [server.post("tools/call", {"name": "mark", "arguments": {"note": str(note)}}) for note in range(6)]
        for _ in range(6):
            asked = server.find(lambda each: each.get("method") == "elicitation/create")
            server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
        assert {code_of(server.answer(each)["result"]) for each in posted} == {"denied"} and at.trace() == []
        result, asked = call(server, "mark", {"note": "more"})
        assert told(result) and asked == []


def by_http():
    """Two clients of one engine, each request on a connection of its own."""
    with place() as at, HttpServer("--grant", str(at.folder / "work"), env=at.env) as server:
        def ask(who, note, **more):
            heads = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                     ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "mark")]
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities":
                    {"elicitation": {}}, "io.modelcontextprotocol/clientInfo": {"name": who, "version": "1"}}
            with server.connect() as peer:
                peer.request("POST", None, heads, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                    "name": "mark", "arguments": {"note": note}, "_meta": meta, **more}}).encode())
                return json.loads(peer.answer().body)["result"]

        def asked(who, note):
            result = ask(who, note)
            return result if result["resultType"] == "input_required" else None
        for note in "abc":
            question = asked("ann", note)
            (key,) = question["inputRequests"]
            result = ask("ann", note, requestState=question["requestState"], inputResponses={key: {"action": "decline"}})
            assert code_of(result) == "denied", result
        assert told(ask("ann", "d")) and told(ask("ann", "e")) and asked("joe", "d"), "another client is not affected"


def main():
    tap.case("three refusals in a form", by_form)
    tap.case("a long line that was refused before", long_lines)
    tap.case("long effects that are denied, refused or not approved", long_effects)
    tap.case("calls that are open at once", waiting)
    tap.case("over HTTP, for one of two clients", by_http)
    tap.done()


main()
