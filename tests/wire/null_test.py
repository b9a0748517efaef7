#!/usr/bin/env python3
"""null for an optional member says that it is not there: serializers of Go, C# and Java write it so.

Each request is sent without the member and with null in its place: the answers are equal."""

import copy

from wire import must, serve, tap

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ENVELOPE = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientInfo": {"name": "null", "version": "1"}, CAPABILITIES: {}}}
LEVEL = "io.modelcontextprotocol/logLevel"
REFERENCE = {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "mood", "value": ""}}
TEMPLATE = {"ref": {"type": "ref/resource", "uri": "test://items/{kind}/{id}{?part}"},
            "argument": {"name": "kind", "value": ""}}
LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]

# (method, params, optional members that they lack: a path each; "" is params itself)
BOTH = [(method, {}, ["_meta", "_meta.progressToken", "cursor"]) for method in LISTS] + [
    ("tools/call", {"name": "slept"}, ["arguments", "_meta", "_meta.progressToken", "task"]),
    ("tools/call", {"name": "echo", "arguments": {"text": "a"}}, ["_meta", "_meta.progressToken", "task"]),
    ("tools/call", {"name": "echo", "arguments": {"text": "a"}}, ["arguments.times"]),
    ("tools/call", {"name": "call_tool", "arguments": {"name": "echo", "arguments": {"text": "a"}}},
     ["arguments.arguments.times"]),
    ("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}, ["_meta", "_meta.progressToken"]),
    ("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}, ["arguments.mood", "arguments.other"]),
    ("prompts/get", {"name": "talk"}, ["arguments", "_meta"]),
    ("resources/read", {"uri": "test://items/a/1"}, ["_meta", "_meta.progressToken"]),
    ("completion/complete", REFERENCE, ["_meta", "context", "context.arguments", "ref.title"]),
    ("completion/complete", TEMPLATE, ["context", "context.arguments"]),
]
LEGACY = [(method, None, [""]) for method in LISTS + ["ping", "tasks/list"]] + [
    ("ping", {}, ["_meta"]),
    ("tasks/list", {}, ["cursor", "_meta"]),
    ("tools/call", {"name": "work", "task": {}}, ["arguments", "_meta"]),
    ("logging/setLevel", {"level": "error"}, ["_meta"]),
    ("resources/subscribe", {"uri": "test://items/a/1"}, ["_meta"]),
    ("resources/unsubscribe", {"uri": "test://items/a/1"}, ["_meta"]),
]
MODERN = [("server/discover", {}, [f"_meta.{LEVEL}", f"_meta.{CAPABILITIES}.roots"]),
          ("tools/call", {"name": "ask"}, [f"_meta.{CAPABILITIES}.elicitation", f"_meta.{CAPABILITIES}.extensions"]),
          ("tools/call", {"name": "slept"}, ["inputResponses", "requestState"]),
          ("prompts/get", {"name": "talk"}, ["inputResponses", "requestState"]),
          ("resources/read", {"uri": "test://items/a/1"}, ["inputResponses", "requestState"])]
WORDS = ["roots", "sampling", "elicitation", "tasks", "experimental", "extensions"]


def steps(path):
    """The names of a path; the reserved names have dots of their own."""
    head, mark, tail = path.partition("io.modelcontextprotocol/")
    if not mark:
        return path.split(".")
    name, _, more = tail.partition(".")
    return head.rstrip(".").split(".") + [mark + name] + (more.split(".") if more else [])


def with_null(params, path):
    if not path:
        return None
    params = copy.deepcopy(params)
    node, names = params, steps(path)
    for name in names[:-1]:
        node = node.setdefault(name, {})
    must(names[-1] not in node, f"{path} is in the request already")
    node[names[-1]] = None
    return params


def parents(params, path):
    """The same request with the objects around the member: an empty _meta or context."""
    params = copy.deepcopy(params)
    node = params
    for name in steps(path)[:-1] if path else []:
        node = node.setdefault(name, {})
    return params


def answer(server, method, params, null):
    server.next_id += 1
    message = {"jsonrpc": "2.0", "id": server.next_id, "method": method}
    if params is not None or null:
        message["params"] = params
    server.send(message)
    reply = server.answer(server.next_id)
    reply.pop("id")
    return reply


def plain(reply):
    """Returns the reply without the members that differ from task to task."""
    task = reply.get("result", {}).get("task")
    for key in ("taskId", "createdAt", "lastUpdatedAt"):
        if task:
            task.pop(key)
    return reply


def same(server, method, params, path):
    want = plain(answer(server, method, parents(params, path), False))
    got = plain(answer(server, method, with_null(params, path), True))
    must(got == want, f"{method} {params}, null as {path or 'params'}:\n{got}\nwithout:\n{want}")
    must("error" not in want or want["error"]["code"] == -32021, f"{method} {params}: {want}")


def all_of(requests, modern):
    with serve() as server:
        for method, params, paths in requests:
            for path in paths:
                if modern and path in ("_meta", "task"):
                    continue
                full = {**copy.deepcopy(ENVELOPE), **params} if modern else params
                same(server, method, full, path)


def capabilities():
    """A null capability of initialize is as if it were not there, and all its other optional members may be null."""
    for word in WORDS:
        with serve() as server:
            params = {"protocolVersion": "2025-11-25", "capabilities": {word: None}, "_meta": None,
                      "clientInfo": {"name": "null", "version": "1", "title": None, "icons": None, "websiteUrl": None}}
            reply = answer(server, "initialize", params, True)
            must("result" in reply, str(reply))
            server.send({"jsonrpc": "2.0", "method": "notifications/initialized", "params": None})
            text = server.text("ask")
            must("requires a client that can" in text, f"{word}: {text}")


def listen():
    with serve() as server:
        for word in ("toolsListChanged", "resourceSubscriptions", "taskIds"):
            server.send({"jsonrpc": "2.0", "id": word, "method": "subscriptions/listen",
                         "params": {**ENVELOPE, "notifications": {"promptsListChanged": True, word: None}}})
            told = server.receive()
            must(told.get("method") == "notifications/subscriptions/acknowledged", f"{word}: {told}")


def answers():
    """A client's answer to a question may have null as the `content` of a refusal, and as `error` beside a result."""
    with serve() as server:
        server.initialize(capabilities={"elicitation": {}})
        for result, want in (({"action": "decline", "content": None, "_meta": None}, "declined"),
                             ({"action": "accept", "content": {"name": "Ada", "age": 36}}, "Ada is 36")):
            identity = server.post("tools/call", {"name": "ask", "arguments": None})
            asked = server.notified("elicitation/create")
            server.send({"jsonrpc": "2.0", "id": asked["id"], "result": result, "error": None})
            text = str(server.answer(identity))
            must(want in text, text)


def cancelled():
    with serve() as server:
        identity = server.post("tools/call", {"name": "sleep", "arguments": {"seconds": 600}})
        server.text("sleep", {"seconds": 0.05})
        server.notify("notifications/cancelled", {"requestId": identity, "reason": None, "_meta": None})
        text = server.text("slept")
        must(text == "begun 2, closed 2", text)


tap.case("null for an optional member is as if it were not there", all_of, BOTH + LEGACY, False)
tap.case("null for an optional member is as if it were not there, in 2026-07-28", all_of, BOTH + MODERN, True)
tap.case("null for a capability is as if it were not there", capabilities)
tap.case("null in the members of a subscription", listen)
tap.case("null in the answer to a question", answers)
tap.case("null as the reason of a cancellation", cancelled)
tap.done()
