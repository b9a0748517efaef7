#!/usr/bin/env python3
"""Ways around a policy that denies one tool: other names, calls within calls, other doors, other eras. None may call it.

Each way is one test, and each is tried twice: under a policy that allows everything, where it must leave the tool's trace (a way
that leads nowhere proves nothing), and under one that denies the tool, where it must leave none. Names that the tool does not
have lead nowhere under either policy. They are tried as well, and counted apart."""

import contextlib
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import DENY, PERIGEE, Place                       # noqa: E402
from http_peer import GUARD, HttpServer, wait_for          # noqa: E402
import tap                                                 # noqa: E402

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

# It takes longer than a call may before it becomes a task (2026-07-28).
SLOW = """
local engine, time = require "sys.engine", require "sys.time"
return { description = "Calls another after a while.", execution = { taskSupport = "%s" },
  inputSchema = { type = "object", properties = { name = { type = "string" } } },
  run = function(args) time.sleep(0.4) local r, err = engine.call(args.name) return r and r.text or "failed: " .. tostring(err) end }
"""
COMMAND = """
return { summary = "call a tool", arguments = { { "name", "string", "its name" } },
  run = function(args) local r, err, code = require "sys.engine".call(args.name) if r then return true end return nil, err, code end }
"""
# A model that asks for the call that the request is.
SAYS = """
return { description = "Says what it is asked for.", supports_tools = false,
  complete = function(request, context)
    local first = #request.messages == 1
    return { text = first and "FUNCTION_CALL: " .. context.request_text or "FINAL_ANSWER: [done]", stop = "end" }
  end }
"""
TOOLS = {"relay": RELAY, "foreign_relay": FOREIGN, "apart": APART, "mapped": MAPPED, "slow": SLOW % "optional",
         "only_task": SLOW % "required"}

SCRIPTS = [
    "return tools['%s']{}", "return pcall(tools['%s'], {})", "return tools.call_tool{name='%s'}",
    "return tools.call_tool{name='call_tool', arguments={name='%s'}}", "return tools.relay{name='%s'}",
    "return tools.run_lua{code=[[return tools['%s']{}]]}", "local t = tools return select(2, pcall(function() return t['%s']{} end))",
    "return require 'sys.task'.map({1, 2}, function() return tools['%s']{} end)",
    "return tools.foreign_relay{name='%s'}", "return require 'perigee'.call('%s', {})", "return tools.apart{name='%s'}",
    "local ok = pcall(function() tools['%s']{} end) return tools.mapped{name='mark'}",
    "return setmetatable({}, { __index = function(_, name) return tools[name]{} end })['%s']",
    "return select(2, xpcall(tools['%s'], print, {}))",
]

VERSIONS = "2024-11-05", "2025-03-26", "2025-06-18"
MODERN = "2026-07-28"
TOKEN = "0123456789abcdef0123456789abcdef"


class Doors:
    """A place, and the servers in it, each started when a way first needs it."""

    def __init__(self, policy):
        self.place = Place(policy, **TOOLS)
        self.place.put("home/resources/relay.lua", RESOURCE)
        self.place.put("home/prompts/relayed.lua", PROMPT)
        self.place.put("home/commands/relays.lua", COMMAND)
        self.place.put("home/providers/says.lua", SAYS)
        self.stack = contextlib.ExitStack()
        self.servers = {}
        self.http_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()
        self.place.__exit__(None, None, None)

    def _kept(self, key, start):
        if key not in self.servers:
            self.servers[key] = self.stack.enter_context(start())
        return self.servers[key]

    def stdio(self, version="2025-11-25"):
        return self._kept(version, lambda: self.place.serve(version=None if version == MODERN else version))

    def ask(self, method, params, version="2025-11-25"):
        if version == MODERN:
            params = {**params, "_meta": meta()}
        return self.stdio(version).ask(method, params)

    def mount(self, rules=None, far_policy=ALLOW):
        """A server with the mounted server `far`, whose tools have the names that a rules file gives them."""
        def start():
            place = self.place
            name = f"far{len(self.servers)}"
            place.put(f"{name}/policy.lua", far_policy)
            place.put(f"{name}/tools/test/mark.lua", (place.folder / "home/tools/test/mark.lua").read_text())
            place.put("home/mcp.json", json.dumps({"mcpServers": {name: {
                "command": PERIGEE, "args": ["serve", "--grant", str(place.folder / "work")],
                "env": {"PERIGEE_HOME": str(place.folder / name), "PERIGEE_DESKTOP": "fake"}}}}))
            place.put(f"home/lib/mounts/{name}.lua", rules or 'return { prefix = "far_" }')
            server = place.serve("--mount", name)
            wait_for("the mounted tools", lambda: any(
                tool["name"].startswith(("far_", "innocent")) for tool in server.ask("tools/list")["result"]["tools"]))
            return server
        return self._kept(("mount", rules, far_policy), start)

    def http(self, where="0"):
        if where == "unix":
            where = f"unix:{self.place.folder}/socket"
        return self._kept(("http", where), lambda: HttpServer(
            "--grant", str(self.place.folder / "work"), http=where, token=True, env={**self.place.env, "PERIGEE_TOKEN": TOKEN}))

    def session(self, server):
        """The headers of a session, with the user's own token."""
        heads = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                 ("Authorization", f"Bearer {TOKEN}")]
        if ("session", server) not in self.servers:
            answer = self.post(server, heads, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                                             "clientInfo": {"name": "http", "version": "1"}})
            self.servers["session", server] = answer.header("mcp-session-id")
        return [*heads, ("Mcp-Session-Id", self.servers["session", server])]

    def post(self, server, heads, method, params):
        self.http_id += 1
        with server.connect() as peer:
            peer.request("POST", None, heads, json.dumps(
                {"jsonrpc": "2.0", "id": self.http_id, "method": method, "params": params}).encode())
            return peer.answer()

    def command(self, *words, stdin=""):
        """A command of the program, in the granted folder."""
        place = self.place
        grant = [] if words[0] == "relays" else ["--grant", str(place.folder / "work")]
        return subprocess.run([PERIGEE, words[0], *grant, *words[1:]], input=stdin, env={**os.environ, **place.env}, text=True,
                              cwd=place.folder / "work", capture_output=True, timeout=60, check=False)


def meta():
    return {"io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}


# --- the ways: functions of the doors ---------------------------------------------------------------------

def asking(method, params, version="2025-11-25"):
    return lambda doors: doors.ask(method, params, version)


def direct(name, arguments=None, version="2025-11-25"):
    return asking("tools/call", {"name": name, **({"arguments": arguments} if arguments is not None else {})}, version)


def through(tool, version="2025-11-25", /, **arguments):
    return direct(tool, arguments, version)


def nested(depth, name):
    arguments = {"name": name}
    for _ in range(depth):
        arguments = {"name": "call_tool", "arguments": arguments}
    return through("call_tool", **arguments)


def batch(name, arguments):
    """Only 2025-03-26 has them."""
    def way(doors):
        server = doors.stdio("2025-03-26")
        server.write((json.dumps([{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
                                  for n in (7001, 7002)]) + "\n").encode())
        server.find(lambda message: isinstance(message, list))
    return way


def watched(name):
    """Nobody reads it: the file's watch() calls the tool."""
    def way(doors):
        doors.ask("resources/subscribe", {"uri": f"relay://{name}"})
        yield
        doors.ask("resources/unsubscribe", {"uri": f"relay://{name}"})
    return way


def listened(name):
    """The same in 2026-07-28."""
    def way(doors):
        server = doors.stdio(MODERN)
        stream = server.post("subscriptions/listen", {
            "notifications": {"resourceSubscriptions": [f"relay://{name}"]}, "_meta": meta()})
        yield
        server.notify("notifications/cancelled", {"requestId": stream})
    return way


def as_task(tool, name):
    """2025-11-25, where the client decides that a call is a task."""
    def way(doors):
        made = doors.ask("tools/call", {"name": tool, "arguments": {"name": name}, "task": {"ttl": 60000}})
        doors.ask("tasks/result", {"taskId": made["result"]["task"]["taskId"]})
    return way


def became_task(name):
    """2026-07-28, where a call becomes a task by taking long."""
    def way(doors):
        made = doors.ask("tools/call", {"name": "slow", "arguments": {"name": name}}, MODERN)["result"]
        assert made["resultType"] == "task", made
        wait_for("the task's end", lambda: doors.ask("tasks/get", {"taskId": made["taskId"]}, MODERN)["result"]["status"] != "working")
    return way


def in_http(era, method, params, where="0", session=True):
    """Sends the request over HTTP with the user's own token."""
    def way(doors):
        server = doors.http(where)
        heads = doors.session(server)
        if era == "legacy":
            doors.post(server, heads if session else heads[:-1], method, params)
        else:
            heads = [*heads[:-1], ("MCP-Protocol-Version", MODERN), ("Mcp-Method", method), ("Mcp-Name", params.get("name") or params["uri"])]
            doors.post(server, heads, method, {**params, "_meta": meta()})
    return way


def command(*words, stdin=""):
    return lambda doors: doors.command(*words, stdin=stdin)


def script_file(name):
    def way(doors):
        doors.place.put("work/script.lua", f"return tools['{name}']{{}}")
        doors.command("run", "script.lua")
    return way


def client(tool, *words):
    """`perigee mcp call`, with a server as its child."""
    def way(doors):
        doors.command("mcp", "call", tool, *words, "--", PERIGEE, "serve", "--grant", ".")
    return way


def agent(line):
    """A model of the user's own asks for this call; the server is the agent's."""
    def way(doors):
        said = doors.command("agent", "--model", "says", line)
        assert f"LLM => FUNCTION_CALL: {line}" in said.stderr, said
    return way


def replayed(line):
    """A recorded run whose model asks for this call. The server is one that the command line names, and the call is made."""
    def way(doors):
        events = [{"type": "start", "format": "perigee.run/1"}]
        for text in (f"FUNCTION_CALL: {line}", "FINAL_ANSWER: [done]"):
            events += [{"type": "request", "rule": "function_call", "messages": []}, {"type": "reply", "text": text, "stop": "end"}]
        doors.place.put("run.jsonl", "".join(json.dumps(event) + "\n" for event in events))
        named = [word for name in ("PERIGEE_HOME", "XDG_STATE_HOME", "PERIGEE_DESKTOP") for word in ("--env", name)]
        said = doors.command("agent", *named, "--server", f"'{PERIGEE}' serve --grant '{doors.place.folder}/work'",
                             "--replay", f"{doors.place.folder}/run.jsonl", "Do it.")
        assert f"replay => FUNCTION_CALL: {line}" in said.stderr, said
    return way


def mounted(tool, arguments=None, rules=None, far_policy=ALLOW):
    return lambda doors: doors.mount(rules, far_policy).ask("tools/call", {"name": tool, "arguments": arguments or {}})


# --- all of them: (what, does it lead to the tool where the policy allows it, way) ------------------------

def by_name(name, real):
    """Ways for any name."""
    yield f"call {name!a}", real, direct(name, {})
    yield f"call {name!a} without arguments", real, direct(name)
    yield f"call_tool {name!a}", real, through("call_tool", name=name)
    yield f"a tool that calls {name!a}", real, through("relay", name=name)
    yield f"a foreign tool that calls {name!a}", real, through("foreign_relay", name=name)


def of_stdio(name):
    for depth in (1, 2, 5, 9):
        yield f"call_tool {depth} deep, {name}", nested(depth, name)
    for number, code in enumerate(SCRIPTS):
        yield f"run_lua, script {number}, {name}", through("run_lua", code=code % name)
    for tool, what in (("mapped", "three at once"), ("apart", "a task apart"), ("slow", "later"), ("only_task", "a task only")):
        yield f"{what}, {name}", as_task(tool, name) if tool == "only_task" else through(tool, name=name)
    for tool in ("relay", "foreign_relay", "mapped", "apart"):
        yield f"call_tool of {tool}, {name}", through("call_tool", name=tool, arguments={"name": name})
        yield f"{tool} as 2025-11-25 has tasks, {name}", as_task("call_tool", name) if tool == "relay" else None
    yield f"run_lua as a task, {name}", lambda doors: doors.ask("tasks/result", {"taskId": doors.ask("tools/call", {
        "name": "run_lua", "arguments": {"code": f"return tools['{name}']{{}}"}, "task": {"ttl": 60000}})["result"]["task"]["taskId"]})
    yield f"a batch, {name}", batch(name, {})
    yield f"a batch of call_tool, {name}", batch("call_tool", {"name": name})
    yield f"a watched resource that calls {name}", watched(name)
    yield f"a watched resource of {MODERN} that calls {name}", listened(name)
    yield f"a call that becomes a task, {name}", became_task(name)
    for key in ("_meta", "progressToken", "cursor", "name ", "trust"):
        yield f"with params.{key}, {name}", asking("tools/call", {"name": name, "arguments": {}, key: {"x": 1}})


def of_requests(name):
    """(what, method, params) that are the same in every era and by every transport."""
    yield "a call", "tools/call", {"name": name, "arguments": {}}
    yield "call_tool", "tools/call", {"name": "call_tool", "arguments": {"name": name}}
    yield "run_lua", "tools/call", {"name": "run_lua", "arguments": {"code": f"return tools['{name}']{{}}"}}
    yield "a resource", "resources/read", {"uri": f"relay://{name}"}
    yield "a prompt", "prompts/get", {"name": "relayed", "arguments": {"name": name}}


def of_completions(name):
    yield "a completion of a prompt", "completion/complete", {
        "ref": {"type": "ref/prompt", "name": "relayed"}, "argument": {"name": "name", "value": name}}
    yield "a completion of a resource", "completion/complete", {
        "ref": {"type": "ref/resource", "uri": "relay://{name}"}, "argument": {"name": "name", "value": name}}


def of_eras(name):
    for version in (*VERSIONS, "2025-11-25", MODERN):
        for what, method, params in (*of_requests(name), *of_completions(name)):
            if version != "2024-11-05" or method != "completion/complete":
                yield f"{version}: {what}, {name}", asking(method, params, version)
    for what, method, params in of_requests(name):
        yield f"HTTP with a session: {what}, {name}", in_http("legacy", method, params)
        yield f"HTTP, {MODERN}: {what}, {name}", in_http("modern", method, params)
        yield f"HTTP by a socket: {what}, {name}", in_http("legacy", method, params, "unix")


def of_commands(name):
    yield f"perigee call {name}", command("call", name)
    yield f"perigee call call_tool, {name}", command("call", "call_tool", f"name={name}")
    yield f"perigee call --args, {name}", command("call", "relay", "--args", json.dumps({"name": name}))
    yield f"perigee run -e, {name}", command("run", "-e", f"return tools['{name}']{{}}")
    yield f"perigee run -, {name}", command("run", "-", stdin=f"return require('perigee').call('{name}', {{}})")
    yield f"perigee run FILE, {name}", script_file(name)
    yield f"perigee repl, {name}", command("repl", stdin=f"tools['{name}']{{}}\n")
    yield f"a command of one's own that calls {name}", command("relays", name)
    yield f"perigee mcp call call_tool, {name}", client("call_tool", f"name={name}")
    yield f"the agent, call_tool {name}", agent(f"call_tool|{name}")
    yield f"the agent, relay {name}", agent(f"relay|{name}")
    yield f"the agent on a recorded run, call_tool {name}", replayed(f"call_tool|{name}")


def of_mounts():
    renamed = 'return { prefix = "", tools = { mark = { name = "innocent" } } }'
    for name, rules in (("far_mark", None), ("innocent", renamed)):
        what = "by its own name" if not rules else "renamed"
        yield f"a mounted server's, {what}", mounted(name, {}, rules)
        for tool in ("call_tool", "relay", "foreign_relay", "mapped", "apart"):
            yield f"a mounted server's, {what}, by {tool}", mounted(tool, {"name": name}, rules)
        yield f"a mounted server's, {what}, by run_lua", mounted("run_lua", {"code": f"return tools['{name}']{{}}"}, rules)


def ways():
    for name in REAL + HOPED:
        yield from by_name(name, name in REAL)
    for name in REAL:
        for what, way in (*of_stdio(name), *of_eras(name), *of_commands(name)):
            if way:
                yield what, True, way
        yield f"HTTP without a session, {name}", False, in_http("legacy", "tools/call", {"name": name, "arguments": {}}, session=False)
        yield f"params.task of a tool that is no task, {name}", False, asking(
            "tools/call", {"name": name, "arguments": {}, "task": {"ttl": 60000}})
    yield "perigee mcp call mark", True, client("mark")
    yield "the agent, mark", True, agent("mark")
    yield "the agent on a recorded run, mark", True, replayed("mark")
    for arguments in ({"caller": {"kind": "terminal"}}, {"policy": "allow"}, {"note": "x", "approved": True},
                      {"_meta": {"perigee/approved": True}}, {"notices": False}):
        yield f"with the arguments {json.dumps(arguments)}", True, direct("mark", arguments)
    for what, way in of_mounts():
        yield what, True, way


# --- both runs --------------------------------------------------------------------------------------------

BRIEF = 0.05        # seconds after which a trace counts as late


def try_way(doors, way, wait):
    """Goes this way; wait(whether it only begins something) is called before that is ended."""
    doors.place.clear()
    going = way(doors)
    if hasattr(going, "__next__"):
        next(going)
        wait(True)
        for _ in going:
            pass
    else:
        wait(False)
    return bool(doors.place.trace())


def allowed(which):
    """The ways that lead to the tool: {what: seconds until its trace was seen}."""
    found = {}
    with Doors(ALLOW) as doors:
        for what, real, way in which:
            def wait(_):
                begun = time.monotonic()
                with contextlib.suppress(tap.Failure):
                    wait_for("a trace", doors.place.trace, GUARD if real else BRIEF)    # pylint: disable=cell-var-from-loop
                return time.monotonic() - begun
            waited = []
            if try_way(doors, way, lambda begins: waited.append(wait(begins))):      # pylint: disable=cell-var-from-loop
                found[what] = waited[0]
    return found


def denied(which, seconds):
    """(what, did it call the tool?). It waits longer for a trace than that took where the policy allowed it."""
    with Doors(DENY) as doors:
        for what, _, way in which:
            def wait(begins):
                late = seconds.get(what, 0)                             # pylint: disable=cell-var-from-loop
                end = time.monotonic() + max(10 * BRIEF if begins else 0, 2 * late if late > BRIEF else 0)
                while time.monotonic() < end and not doors.place.trace():
                    time.sleep(0.01)
            yield what, try_way(doors, way, wait)


def main():
    which = list(ways())
    real = {what for what, leads, _ in which if leads}
    assert len({what for what, _, _ in which}) == len(which), "two ways have one name"
    reached = allowed(which)
    passed = 0
    for what, called in denied(which, reached):
        passed += called
        tap.ok(not called, f"denied: {what}", "the tool was called")
    vain = sorted(real - set(reached))
    tap.ok(not vain, "where the policy allows it these ways lead to the tool", "\n".join(vain))
    tap.ok(set(reached) <= real, "the others lead nowhere", "\n".join(sorted(set(reached) - real)))
    tap.ok(len(reached) >= 200, f"{len(reached)} ways lead to the tool where the policy allows it, at least 200")
    tap.note(f"{len(which)} ways: {len(reached)} reach the tool under a policy that allows it, {passed} under one that denies it; "
             f"{len(which) - len(real)} have names or forms that lead nowhere")
    tap.corpus("ways around policy", len(reached), passed)
    tap.done()


main()
