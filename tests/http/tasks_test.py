#!/usr/bin/env python3
"""Tasks over HTTP: whose they are, and on which stream what belongs to them travels."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from http_peer import HttpServer, TOP, wait_for          # noqa: E402

ROOT = ["--root", os.path.join(TOP, "tests/wire/root"), "--toolset", "test"]
TASKS = "io.modelcontextprotocol/tasks"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "extensions": {TASKS: {}}}}
SENT = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
NAMES = {"tools/call": "name", "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId"}


def must(condition, text):
    if not condition:
        raise tap.Failure(text)


def same(a, b, what=""):
    must(a == b, f"{a!r} is not {b!r} {what}")


def request(method, params, identity=1):
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode()


# --- 2026-07-28: every request stands alone ----------------------------------------------

def modern(server, method, **params):
    named = [("Mcp-Name", params[NAMES[method]])] if method in NAMES else []
    with server.connect() as connection:
        connection.request("POST", None, [*SENT, ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method),
                                          *named], request(method, {**params, "_meta": META}))
        return json.loads(connection.answer().body)


def work(server, **arguments):
    return modern(server, "tools/call", name="work", arguments=arguments)["result"]


def until(server, task, status):
    found = {}

    def there():
        found.update(modern(server, "tasks/get", taskId=task)["result"])
        return found["status"] == status
    wait_for(f"the task is {status}", there)
    return found


def outlives_its_request():
    with HttpServer(*ROOT) as server:
        made = work(server, seconds=0.6)
        same(made["resultType"], "task", made)
        done = until(server, made["taskId"], "completed")
        same(done["result"]["content"][0]["text"], "worked")


def questions_of_a_task():
    with HttpServer(*ROOT) as server:
        made = work(server, seconds=0.6, ends="asking")
        asked = until(server, made["taskId"], "input_required")
        same(list(asked["inputRequests"]), ["name"])
        answer = modern(server, "tasks/update", taskId=made["taskId"],
                        inputResponses={"name": {"action": "accept", "content": {"name": "Ada"}}})
        same(answer["result"]["resultType"], "complete")
        done = until(server, made["taskId"], "completed")
        same(done["result"]["content"][0]["text"], "worked for Ada")


def cancelled_from_another_connection():
    with HttpServer(*ROOT) as server:
        made = work(server, seconds=3000)
        modern(server, "tasks/cancel", taskId=made["taskId"])
        until(server, made["taskId"], "cancelled")
        slept = modern(server, "tools/call", name="slept", arguments={})["result"]
        same(slept["content"][0]["text"], "begun 1, closed 1")


def told_of_by_listening():
    with HttpServer(*ROOT) as server, server.connect() as connection:
        made = work(server, seconds=1)
        connection.request("POST", None, [*SENT, ("MCP-Protocol-Version", "2026-07-28"),
                                          ("Mcp-Method", "subscriptions/listen")],
                           request("subscriptions/listen",
                                   {"notifications": {"taskIds": [made["taskId"]]}, "_meta": META}, 5))
        same(connection.head().status, 200)
        same(json.loads(connection.event().text)["params"]["notifications"], {"taskIds": [made["taskId"]]})
        told = json.loads(connection.event().text)
        same((told["method"], told["params"]["status"]), ("notifications/tasks", "completed"))
        same(told["params"]["result"]["content"][0]["text"], "worked")


# --- sessions: 2025-11-25 -----------------------------------------------------------------

class Session:
    def __init__(self, server):
        self.server = server
        self.id = None
        self.id = self.answer("initialize", protocolVersion="2025-11-25", capabilities={"elicitation": {}},
                              clientInfo={"name": "t", "version": "1"}).header("mcp-session-id")

    def headers(self):
        return [*SENT, *([("Mcp-Session-Id", self.id)] if self.id else [])]

    def send(self, connection, method, **params):
        connection.request("POST", None, self.headers(), request(method, params))

    def answer(self, method, **params):
        with self.server.connect() as connection:
            self.send(connection, method, **params)
            return connection.answer()

    def ask(self, method, **params):
        return json.loads(self.answer(method, **params).body)

    def work(self, ttl=60000, **arguments):
        return self.ask("tools/call", name="work", arguments=arguments, task={"ttl": ttl})["result"]["task"]["taskId"]

    def respond(self, identity, result):
        with self.server.connect() as connection:
            connection.request("POST", None, self.headers(),
                               json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}).encode())
            return connection.answer()

    def end(self):
        with self.server.connect() as connection:
            connection.request("DELETE", None, self.headers())
            return connection.answer("DELETE")


def another_session_has_none_of_it():
    with HttpServer(*ROOT) as server:
        ann, bob = Session(server), Session(server)
        task = ann.work(seconds=3000)
        same(ann.ask("tasks/get", taskId=task)["result"]["status"], "working")
        for method in ("tasks/get", "tasks/result", "tasks/cancel"):
            same(bob.ask(method, taskId=task)["error"]["code"], -32602, method)
        same(bob.ask("tasks/list")["result"]["tasks"], [])
        same(modern(server, "tasks/get", taskId=task)["error"]["code"], -32602)
        same(modern(server, "tasks/cancel", taskId=task)["error"]["code"], -32602)
        same(ann.ask("tasks/get", taskId=task)["result"]["status"], "working")
        made = work(server, seconds=3000)["taskId"]
        same(ann.ask("tasks/get", taskId=made)["error"]["code"], -32602)
        same([t["taskId"] for t in ann.ask("tasks/list")["result"]["tasks"]], [task])


def ends_with_its_session():
    with HttpServer(*ROOT) as server:
        ann, bob = Session(server), Session(server)
        ann.work(seconds=3000)
        same(ann.end().status, 200)
        slept = bob.ask("tools/call", name="slept", arguments={})["result"]
        same(slept["content"][0]["text"], "begun 1, closed 1")


def is_told_of_on_the_session_s_stream():
    with HttpServer(*ROOT) as server, server.connect() as stream:
        ann = Session(server)
        stream.request("GET", None, [("Accept", "text/event-stream"), ("Mcp-Session-Id", ann.id)])
        same(stream.head().status, 200)
        task = ann.work(seconds=0.1)

        def told():
            event = stream.event()
            while not event.text:
                event = stream.event()
            return json.loads(event.text)
        notice = told()
        same((notice["method"], notice["params"]["taskId"], notice["params"]["status"]),
             ("notifications/tasks/status", task, "completed"))


def asks_on_the_stream_of_the_wait():
    with HttpServer(*ROOT) as server, server.connect() as wait:
        ann = Session(server)
        task = ann.work(ends="asking")
        same(ann.ask("tasks/get", taskId=task)["result"]["status"], "input_required")
        ann.send(wait, "tasks/result", taskId=task)
        head = wait.head()
        same(head.header("content-type"), "text/event-stream")

        def message():
            event = wait.event()
            while event and not event.text:
                event = wait.event()
            return json.loads(event.text)
        question = message()
        same(question["method"], "elicitation/create")
        same(question["params"]["_meta"], {"io.modelcontextprotocol/related-task": {"taskId": task}})
        same(ann.respond(question["id"], {"action": "accept", "content": {"name": "Ada"}}).status, 202)
        same(message()["result"]["content"][0]["text"], "worked for Ada")


def expired(server):
    with server.connect() as connection:
        connection.request("GET", "/metrics")
        text = connection.answer("GET").body.decode()
    return float(re.search(r"^perigee_sessions_expired_total (\S+)$", text, re.MULTILINE).group(1))


def is_not_forgotten_while_it_runs():
    """A session that nobody uses ends, but not while a task of it is at work."""
    with HttpServer(*ROOT, "--session-timeout", "1") as server:
        ann = Session(server)
        task = ann.work(seconds=3000)
        Session(server)
        wait_for("the idle session ended", lambda: expired(server))
        same(ann.ask("tasks/get", taskId=task)["result"]["status"], "working")


def the_server_ends_while_it_has_some():
    """It waited for the end of their lives, an hour."""
    for arguments, status in (({"seconds": 0.5}, "completed"), ({"seconds": 3000}, "working"),
                              ({"seconds": 0.5, "ends": "asking"}, "input_required")):
        server = HttpServer(*ROOT)
        until(server, work(server, **arguments)["taskId"], status)
        Session(server).work(seconds=3000)
        same(server.stop(), 0, f"with a task that is {status}")


for case in (outlives_its_request, questions_of_a_task, cancelled_from_another_connection, told_of_by_listening,
             another_session_has_none_of_it, ends_with_its_session, is_told_of_on_the_session_s_stream,
             asks_on_the_stream_of_the_wait, is_not_forgotten_while_it_runs,
             the_server_ends_while_it_has_some):
    tap.case(case.__name__.replace("_", " "), case)
tap.done()
