#!/usr/bin/env python3
"""An answer counts once: by every door, in both eras, for every kind of question, and after a restart."""

import json
import os
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place                              # noqa: E402
from http_peer import HttpServer                   # noqa: E402
import tap                                         # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", per = "call" }, { allow = true } } }'
MODERN = "2026-07-28"
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
ABLE = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
KEY = {"PERIGEE_STATE_KEY": "a long secret of these engines"}

# Asks, and is at work for a while before it leaves its trace, so that a second answer finds it running.
ASKS = """
local fs, s, time = require "sys.fs", require "schema", require "sys.time"
local M, FORM = {}, s.object { { "name", s.string "A name." } }
local WAYS = {
  form = function(call) return call:ask { key = "it", message = "Your name?", schema = FORM } end,
  url = function(call) return call:ask { key = "it", message = "Sign in.", url = "https://example.com/x" } end,
  sample = function(call) return call:sample { key = "it", prompt = "Say a word.", maxTokens = 5 } end,
  roots = function(call) return call:roots { key = "it" } end,
}
function M.ask(call, what)
  local answer, err, code = WAYS[what](call)
  if not answer then return nil, err, code end
  time.sleep(0.05)
  assert(fs.append("trace", what .. "\\n"))
  return "done"
end
return M
"""
TOOL = """
local asks, s = require "asks", require "schema"
return { description = "Asks.", inputSchema = s.object { { "what", s.string "Kind." } },
  run = function(args, call) return asks.ask(call, args.what) end }
"""
SLOW = """
local asks, fs, s, time = require "asks", require "sys.fs", require "schema", require "sys.time"
return { description = "Becomes a task, and goes on when it is told to.", inputSchema = s.object {},
  execution = { taskSupport = "optional" },
  run = function(_, call)
    while not fs.stat "go" do time.sleep(0.02) end
    return asks.ask(call, "form")
  end }
"""
PROMPT = """
local asks = require "asks"
return { description = "Asks.", render = function(_, call) return asks.ask(call, "form") end }
"""
RESOURCE = """
local asks = require "asks"
return { uri = "once://asked", description = "Asks.", mimeType = "text/plain", read = function(_, _, call) return asks.ask(call, "form") end }
"""

FORM = {"action": "accept", "content": {"name": "Ada"}}
TOOLS = {"form": FORM, "url": {"action": "accept"}, "roots": {"roots": [{"uri": "file:///a"}]},
         "sample": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "word"}}}
# Name: method, parameters, the answer, and the trace that is left.
KINDS = {
    "an approval": ("tools/call", {"name": "mark", "arguments": {"note": "approved"}},
                    {"action": "accept", "content": {"answer": "Allow once"}}, "approved"),
    **{f"{kind} of a tool": ("tools/call", {"name": "asker", "arguments": {"what": kind}}, answer, kind)
       for kind, answer in TOOLS.items()},
    "a prompt's question": ("prompts/get", {"name": "asker"}, FORM, "form"),
    "a resource's question": ("resources/read", {"uri": "once://asked"}, FORM, "form"),
}


def place():
    made = Place(ASK, asker=TOOL)
    made.put("home/lib/asks.lua", ASKS)
    made.put("home/prompts/asker.lua", PROMPT)
    made.put("home/resources/asked.lua", RESOURCE)
    return made


class Stdio:
    def __init__(self, at, **env):
        self.at = at
        self.at.env.update(env)
        self.server = at.serve(version=None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()

    def both(self, method, params):
        """The answers to the same request, sent twice in one write."""
        ids = [self.server.next_id + 1, self.server.next_id + 2]
        self.server.next_id += 2
        self.server.write(b"".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params}).encode() + b"\n"
                                   for i in ids))
        return [self.server.answer(i) for i in ids]

    def ask(self, method, params):
        return self.server.ask(method, params)


class Http:
    """Each request has a connection of its own."""

    def __init__(self, at, where="0", **env):
        self.server = HttpServer("--grant", str(at.folder / "work"),
                                 http=where if where == "0" else f"unix:{at.folder}/socket", env={**at.env, **env})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.__exit__(None, None, None)

    def ask(self, method, params):
        heads = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                 ("MCP-Protocol-Version", MODERN), ("Mcp-Method", method), ("Mcp-Name", params.get("name") or params["uri"])]
        with self.server.connect() as peer:
            peer.request("POST", None, heads, json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
            return json.loads(peer.answer().body)

    def both(self, method, params):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.ask(method, params))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found


def envelope(able=None):
    return {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": able or ABLE,
            "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"}}


def question(door, kind):
    """Asks for it, and returns the request that answers: method, parameters."""
    method, params, answer, _ = KINDS[kind]
    params = {**params, "_meta": envelope()}
    asked = door.ask(method, params)
    assert asked.get("result", {}).get("resultType") == "input_required", asked
    asked = asked["result"]
    (key,) = asked["inputRequests"]
    return method, {**params, "requestState": asked["requestState"], "inputResponses": {key: answer}}


def used(answer):
    return answer.get("error", {}).get("code") == -32602 and "was answered before" in answer["error"]["message"]


def once(door_of, kind):
    with place() as at, door_of(at) as door:
        method, params = question(door, kind)
        answers = door.both(method, params)
        assert sorted(map(used, answers)) == [False, True], answers
        assert [each["result"]["resultType"] for each in answers if not used(each)] == ["complete"], answers
        again = door.ask(method, params)
        assert used(again), again
        assert at.trace() == [KINDS[kind][3]], at.trace()


def killed(kind):
    """An engine that knows the key and was killed: what was answered stays so, and what was not is answered once."""
    with place() as at:
        with Stdio(at, **KEY) as door:
            done = question(door, kind)
            assert "result" in door.ask(*done)
            params = question(door, kind)[1]
            door.server.process.kill()
        trace = [KINDS[kind][3]]
        with Stdio(at) as door:
            assert used(door.ask(*done)), "answered before the restart"
            assert at.trace() == trace
            answers = door.both(done[0], params)
            assert sorted(map(used, answers)) == [False, True] and at.trace() == trace * 2, answers


def two_engines():
    """A call waits in one engine, and its answer goes to another: it is used up in both."""
    with place() as at, Stdio(at, **KEY) as first, Stdio(at) as second:
        for kind in ("an approval", "form of a tool"):
            before = len(at.trace())
            request = question(first, kind)
            assert "result" in second.ask(*request)
            assert used(first.ask(*request)), "it was used up in the other engine"
            assert len(at.trace()) == before + 1, at.trace()


def superseded():
    """A state that was sent back without an answer gives another for the same question. One of them counts."""
    with place() as at, Stdio(at) as door:
        method, first = question(door, "an approval")
        empty = {name: value for name, value in first.items() if name != "inputResponses"}
        second = {**first, "requestState": door.ask(method, empty)["result"]["requestState"]}
        assert "result" in door.ask(method, second)
        for params in (first, second):
            assert used(door.ask(method, params))
        assert at.trace() == ["approved"]


def unanswered():
    """A call that no longer waits is not begun again by a state without an answer."""
    with place() as at:
        with Stdio(at, **KEY) as door:
            method, params = question(door, "an approval")
        del params["inputResponses"]
        with Stdio(at) as door:
            answer = door.ask(method, params)
        assert "no answer" in answer["error"]["message"] and at.trace() == [], answer


def legacy(kind):
    """A second response to a question of the server's is one to none."""
    _, params, answer, left = KINDS[kind]
    with place() as at, at.serve(capabilities=ABLE) as server:
        waiting = server.post("tools/call", params)
        asked = server.find(lambda each: "method" in each and "id" in each)
        for _ in range(3):
            server.send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
        assert "result" in server.answer(waiting)
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
        assert "result" in server.ask("ping") and at.trace() == [left], at.trace()


def task():
    """The questions of a task (2026-07-28) take one answer."""
    with place() as at:
        at.put("home/tools/test/slow.lua", SLOW)
        with Stdio(at) as door:
            meta = envelope({**ABLE, **TASKS})
            made = door.ask("tools/call", {"name": "slow", "arguments": {}, "_meta": meta})
            assert made["result"]["resultType"] == "task", made
            made = made["result"]
            at.put("work/go", "")

            def status(wanted):
                while True:
                    found = door.ask("tasks/get", {"taskId": made["taskId"], "_meta": meta})["result"]
                    if found["status"] == wanted:
                        return found
            status("input_required")
            for _ in range(3):
                door.ask("tasks/update", {"taskId": made["taskId"], "_meta": meta, "inputResponses": {"it": FORM}})
            status("completed")
            door.ask("tasks/update", {"taskId": made["taskId"], "_meta": meta, "inputResponses": {"it": FORM}})
            assert at.trace() == ["form"], at.trace()


def bounded():
    """The memory of answers ends with their states: the file that engines share does not grow."""
    with place() as at:
        path = at.folder / "state/perigee/answered-states"
        path.parent.mkdir(parents=True)
        path.write_text("".join(f"{i:032x} 1 1000\n" for i in range(5000)))
        with Stdio(at, **KEY) as door:
            assert "result" in door.ask(*question(door, "an approval"))
            assert len(path.read_text().splitlines()) == 1 and path.stat().st_mode & 0o777 == 0o600
        with open(path, "a", encoding="ascii") as file:
            file.write("".join(f"{i:032x} 1 99999999999\n" for i in range(8192)))
        with Stdio(at) as door:
            answer = door.ask(*question(door, "an approval"))
        assert "no room" in answer["error"]["message"] and at.trace() == ["approved"], answer


DOORS = {"stdio": Stdio, "HTTP": Http, "HTTP by a socket": lambda at: Http(at, "unix")}


def main():
    for door, door_of in DOORS.items():
        for kind in KINDS:
            tap.case(f"{MODERN}, {door}: {kind} is answered once", once, door_of, kind)
    for kind in ("an approval", *(f"{kind} of a tool" for kind in TOOLS if kind != "url")):
        tap.case(f"before {MODERN}: {kind} is answered once", legacy, kind)
    for kind in ("an approval", "form of a tool"):
        tap.case(f"after a kill: {kind} is answered once", killed, kind)
    for name, function in (("two engines with one key", two_engines), ("two states of one question", superseded),
                           ("a state without an answer", unanswered), ("a task's question is answered once", task),
                           ("the memory of answers is bounded", bounded)):
        tap.case(name, function)
    tap.done()


main()
