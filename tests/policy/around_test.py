#!/usr/bin/env python3
"""Ways around a policy that denies one tool: other names, calls within calls, other doors, other eras. None may call it.

Each way is one test. That each does call the tool where the policy allows it (else it would prove nothing) is seen in a
second run, for those whose name is one that the tool has."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import DENY, PERIGEE, Place, call, code_of       # noqa: E402
from http_peer import HttpServer, wait_for                # noqa: E402
import tap                                                # noqa: E402

ALLOW = "return { rules = { { allow = true } } }"

# Names that lead to the tool, and names that somebody may hope do.
REAL = ["mark", "mark_it", "Mark.Alias"]
HOPED = ["MARK", "Mark", "mark ", " mark", "mark\n", "mark\u0000", "mark\u200b", "\uff4dark", "m\u0430rk", "test.mark", "test/mark",
         "test:mark", "user.mark", "./mark", "tools.mark", "mark.lua", "mark()", "mark;", "mark_it ", "mark.alias", "*", "m*"]

# Tools of the user's that call another.
# Its process asks for the call.
FOREIGN = """
return { description = "Calls what it is told to.", trust = "foreign",
  inputSchema = { type = "object", properties = { name = { type = "string" } } },
  run = function(args)
    local task = require "sys.task"
    return task.map({ 1 }, function() return (require "perigee".call(args.name, {})) or "no" end)[1]
  end,
}
"""

RELAY = """
local engine = require "sys.engine"
return { description = "Calls another.", annotations = { readOnlyHint = true },
  inputSchema = { type = "object", properties = { name = { type = "string" } } },
  run = function(args) local r, err = engine.call(args.name) return r and r.text or "failed: " .. tostring(err) end }
"""
APART = """
local engine, task = require "sys.engine", require "sys.task"
return { description = "Calls another later.", inputSchema = { type = "object", properties = { name = { type = "string" } } },
  run = function(args)
    task.apart("later", function() engine.call(args.name) task.signal "done" end)
    task.await "done"
    return "begun"
  end }
"""
MAPPED = """
local engine, task = require "sys.engine", require "sys.task"
return { description = "Calls others.", inputSchema = { type = "object", properties = { name = { type = "string" } } },
  run = function(args)
    task.map({ 1, 2, 3 }, function() return (engine.call(args.name)) end)
    return "called"
  end }
"""
RESOURCE = """
local engine = require "sys.engine"
return { description = "Calls a tool when it is read.", uriTemplate = "relay://{name}",
  complete = { name = function(prefix) engine.call(prefix) return {} end },
  watch = function(uri, params) engine.call(params.name) end,
  read = function(uri, params) local r, err = engine.call(params.name) return r and r.text or "failed: " .. tostring(err) end }
"""
PROMPT = """
local engine = require "sys.engine"
return { description = "Calls a tool when it is rendered.", arguments = { { name = "name", required = true } },
  complete = { name = function(prefix) engine.call(prefix) return {} end },
  render = function(args) local r, err = engine.call(args.name) return r and r.text or "failed: " .. tostring(err) end }
"""

SCRIPTS = [
    "return tools['%s']{}", "return pcall(tools['%s'], {})", "return tools.call_tool{name='%s'}",
    "return tools.call_tool{name='call_tool', arguments={name='%s'}}", "return tools.relay{name='%s'}",
    "return tools.run_lua{code=[[return tools['%s']{}]]}", "local t = tools return select(2, pcall(function() return t['%s']{} end))",
    "return require 'sys.task'.map({1, 2}, function() return tools['%s']{} end)",
    "for name, f in pairs(tools) do if name == '%s' then return f{} end end",
    "local ok = pcall(function() tools['%s']{} end) return tools.mapped{name='mark'}",
]


# --- the ways: (what, function of a server and a place) ---------------------------------------------------

def direct(name, arguments=None):
    def way(server, _):
        server.ask("tools/call", {"name": name, **({"arguments": arguments} if arguments is not None else {})})
    return way


def through(tool, **arguments):
    return lambda server, _: server.ask("tools/call", {"name": tool, "arguments": arguments})


def script(code):
    return through("run_lua", code=code)


def asking(method, params):
    return lambda server, _: server.ask(method, params)


def batch(name):
    def way(server, _):
        server.write((json.dumps([{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": name, "arguments": {}}}
                                  for n in (7001, 7002)]) + "\n").encode())
        server.ask("ping")
    return way


def nested(depth, name):
    arguments = {"name": name}
    for _ in range(depth):
        arguments = {"name": "call_tool", "arguments": arguments}
    return through("call_tool", **arguments)


def subscribed(name):
    def way(server, _):
        server.ask("resources/subscribe", {"uri": f"relay://{name}"})
        server.ask("resources/read", {"uri": f"relay://{name}"})
        server.ask("resources/unsubscribe", {"uri": f"relay://{name}"})
    return way


def over_http(era, name, session):
    """With the user's own token."""
    def way(_, place):
        with HttpServer("--grant", str(place.folder / "work"), token=True, env=place.env) as server, server.connect() as peer:
            token = place.env["PERIGEE_TOKEN"]
            heads = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                     ("Authorization", f"Bearer {token}")]
            meta = {}
            if era == "modern":
                heads += [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", name)]
                meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                  "io.modelcontextprotocol/clientCapabilities": {}}}
            elif session:
                peer.request("POST", None, heads, json.dumps(
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                     "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "http", "version": "1"}}}).encode())
                heads.append(("Mcp-Session-Id", peer.answer().header("mcp-session-id")))
            peer.request("POST", None, heads, json.dumps(
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": {}, **meta}}).encode())
            peer.answer()
    return way


def modern(name, **more):
    """On stdio, without `initialize`."""
    def way(_, place):
        with place.serve(version=None) as server:
            server.ask("tools/call", {"name": name, "arguments": {}, **more, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}})
    return way


def as_task(name):
    def way(server, _):
        made = server.ask("tools/call", {"name": name, "arguments": {}, "task": {"ttl": 60000}})
        task = made.get("result", {}).get("task", {}).get("taskId")
        if task:
            server.ask("tasks/result", {"taskId": task})
    return way


def mounted(name, rules=None, called=None):
    """Behind a mount, under the name that a rules file gives it; the policy of the mounted server allows all."""
    def way(_, place):
        far = {"mcpServers": {"far": {"command": PERIGEE, "args": ["serve", "--grant", str(place.folder / "work")],
                                      "env": {"PERIGEE_HOME": str(place.folder / "far"), "PERIGEE_DESKTOP": "fake"}}}}
        place.put("far/policy.lua", ALLOW)
        place.put("far/tools/test/mark.lua", (place.folder / "home/tools/test/mark.lua").read_text())
        place.put("home/mcp.json", json.dumps(far))
        if rules:
            place.put("home/lib/mounts/far.lua", rules)
        with place.serve("--mount", "far") as server:
            wait_for("the mounted tools", lambda: any(
                tool["name"].startswith(("far_", "innocent")) for tool in server.ask("tools/list")["result"]["tools"]))
            server.ask("tools/call", {"name": called or f"far_{name}", "arguments": {}})
    return way


def ways():
    for name in REAL + HOPED:
        yield f"call {name!a}", name in REAL, direct(name, {})
        yield f"call {name!a} without arguments", name in REAL, direct(name)
        yield f"call_tool {name!a}", name in REAL, through("call_tool", name=name)
        yield f"a tool that calls {name!a}", name in REAL, through("relay", name=name)
        yield f"a foreign tool that calls {name!a}", name in REAL, through("foreign_relay", name=name)
    for name in REAL:
        for depth in (1, 2, 5, 9):
            yield f"call_tool {depth} deep, {name}", True, nested(depth, name)
        for number, code in enumerate(SCRIPTS):
            yield f"run_lua, script {number}, {name}", number not in (8, 9) or name == "mark", script(code % name)
        yield f"three at once, {name}", True, through("mapped", name=name)
        yield f"a task apart, {name}", True, through("apart", name=name)
        yield f"a resource that calls {name}", True, asking("resources/read", {"uri": f"relay://{name}"})
        yield f"a watched resource that calls {name}", True, subscribed(name)
        yield f"a prompt that calls {name}", True, asking("prompts/get", {"name": "relayed", "arguments": {"name": name}})
        yield f"a completion of a prompt that calls {name}", True, asking("completion/complete", {
            "ref": {"type": "ref/prompt", "name": "relayed"}, "argument": {"name": "name", "value": name}})
        yield f"a completion of a resource that calls {name}", True, asking("completion/complete", {
            "ref": {"type": "ref/resource", "uri": "relay://{name}"}, "argument": {"name": "name", "value": name}})
        yield f"a task, {name}", False, as_task(name)
        yield f"a batch, {name}", False, batch(name)
        yield f"2026-07-28 on stdio, {name}", True, modern(name)
        yield f"2026-07-28 as a task, {name}", True, modern(name, task={"ttl": 1000})
        yield f"HTTP with a session, {name}", True, over_http("legacy", name, True)
        yield f"HTTP without one, {name}", False, over_http("legacy", name, False)
        yield f"HTTP, 2026-07-28, {name}", True, over_http("modern", name, False)
        for key in ("task", "_meta", "progressToken", "cursor", "name ", "trust"):
            yield f"with params.{key}, {name}", False, asking("tools/call", {"name": name, "arguments": {}, key: {"x": 1}})
    for arguments in ({"caller": {"kind": "terminal"}}, {"policy": "allow"}, {"note": "x", "approved": True},
                      {"_meta": {"perigee/approved": True}}, {"notices": False}):
        yield f"with the arguments {json.dumps(arguments)}", False, direct("mark", arguments)
    yield "a mounted server's, by its own name", True, mounted("mark")
    yield "a mounted server's, renamed", True, mounted(
        "innocent", 'return { prefix = "", tools = { mark = { name = "innocent" } } }', "innocent")


TOOLS = {"relay": RELAY, "foreign_relay": FOREIGN, "apart": APART, "mapped": MAPPED}


def prepared(policy):
    place = Place(policy, **TOOLS)
    place.put("home/resources/relay.lua", RESOURCE)
    place.put("home/prompts/relayed.lua", PROMPT)
    place.env["PERIGEE_TOKEN"] = "0123456789abcdef0123456789abcdef"
    return place


def run(policy, only=None):
    """(what, did it call the tool?) of each way."""
    with prepared(policy) as place:
        server = place.serve()
        try:
            for what, works, way in ways():
                if only and not works:
                    continue
                place.clear()
                way(server, place)
                yield what, bool(place.trace())
        finally:
            server.__exit__(None, None, None)


def main():
    count = passed = 0
    for what, called in run(DENY):
        count += 1
        passed += called
        tap.ok(not called, f"denied: {what}", "the tool was called")
    tap.ok(count >= 200, f"{count} ways were tried")
    tap.corpus("ways around policy", count, passed)
    vain = [what for what, called in run(ALLOW, only=True) if not called]
    tap.ok(not vain, "where the policy allows it these ways lead to the tool", "\n".join(vain))
    tap.done()


main()
