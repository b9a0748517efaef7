#!/usr/bin/env python3
"""Things that belong to a caller: other callers of the engine neither see, read nor end them."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from http_peer import HttpServer, TOP          # noqa: E402
from kit import answered, ask, must          # noqa: E402

TRUSTING = ["--no-user-root", "--root", os.path.join(TOP, "tests/lib/trusting")]
SENT = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]


class Caller:
    """A session of its own."""

    def __init__(self, server):
        self.server, self.headers = server, []
        answer = self.post("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "tester", "version": "1"})
        self.headers = [("Mcp-Session-Id", answer.header("mcp-session-id")), ("MCP-Protocol-Version", "2025-11-25")]

    def post(self, method, **params):
        with self.server.connect() as connection:
            connection.request("POST", None, [*SENT, *self.headers], json.dumps(
                {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
            return connection.answer()

    def ask(self, method, **params):
        return message(self.post(method, **params))

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]


    def subscribe(self, uri):
        """Both ways agree on whether there is something."""
        ways = [self.ask(f"resources/{method}", uri=uri) for method in ("unsubscribe", "subscribe", "unsubscribe")]
        must(len({"result" in each for each in ways}) == 1, ways)
        must("result" in ways[0] or all("Resource not found" in each["error"]["message"] for each in ways), ways)
        return "result" in ways[0]


class Stateless:
    """A client of the user's without a session: all of them are one caller."""

    def __init__(self, server):
        self.server = server

    def ask(self, method, **params):
        extra = [("Mcp-Name", params["uri"])] if "uri" in params else []
        return message(answered(self.server, extra, method, **params))

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]


    def subscribe(self, uri):
        with self.server.connect() as connection:
            ask(connection, "subscriptions/listen", notifications={"resourceSubscriptions": [uri]})
            connection.head()
            event = connection.event()
            while not event.text.strip():
                event = connection.event()
            return uri in json.loads(event.text)["params"]["notifications"].get("resourceSubscriptions", [])


def message(answer):
    """The response, of JSON or of a stream."""
    lines = [line[5:] for line in answer.body.decode().splitlines() if line.startswith("data:") and line[5:].strip()]
    return json.loads(lines[-1] if lines else answer.body)


def code_of(result):
    return result.get("_meta", {}).get("perigee/code", "").lower() if result.get("isError") else None


def seen(caller, things):
    """The things that this caller gets to see, by each way to them."""
    observation, picture = things["observation"], things["picture"]
    lists = [json.dumps(caller.call(name)) for name in ("list_inputs", "list_observations")]
    read = caller.ask("resources/read", uri=f"perigee://{observation}")
    subscribed = caller.subscribe(f"perigee://{observation}")
    return {
        "subscribe to its resource": subscribed,
        "list_inputs": things["text"] in lists[0],
        "list_observations": f'"{observation}"' in lists[1],
        "get_observation": code_of(caller.call("get_observation", name=observation)) != "observation_not_found",
        "read its resource": "result" in read,
        "click by its screenshot": code_of(caller.call("create_input", action="move", x=5, y=5, image_id=picture))
        != "image_not_found",
        "compare with its screenshot": code_of(caller.call("capture_screenshot", since=picture)) != "image_not_found",
    }


def make(caller, text):
    made = caller.call("create_observation", what="windows")
    must("structuredContent" in made, made)
    must(not code_of(caller.call("create_input", action="type", text=text)), "it does not type")
    return {"text": text, "observation": made["structuredContent"]["name"],
            "picture": caller.call("capture_screenshot")["structuredContent"]["image_id"]}


def each_by_each():
    """Every way to what one caller made, for that caller and for the others."""
    with HttpServer(*TRUSTING, env={"PERIGEE_DESKTOP": "fake"}) as server:
        callers = {"one session": Caller(server), "another session": Caller(server), "none": Stateless(server)}
        things = {name: make(caller, f"words of {name}") for name, caller in callers.items()}
        for mine, thing in things.items():
            for name, caller in callers.items():
                for way, there in seen(caller, thing).items():
                    must(there == (name == mine), f"{way}: of {mine}, for {name}: {there}")
        for name, caller in callers.items():
            for mine, thing in things.items():
                if name != mine:
                    code = code_of(caller.call("cancel_observation", name=thing["observation"]))
                    must(code == "observation_not_found", f"{name} cancels that of {mine}: {code}")
        for name, caller in callers.items():
            must(not code_of(caller.call("cancel_observation", name=things[name]["observation"])), f"{name} cannot cancel its own")


def while_subscribed():
    with HttpServer(*TRUSTING, env={"PERIGEE_DESKTOP": "fake"}) as server:
        first, second = Caller(server), Caller(server)
        made = make(first, "words of the first")
        uri = f"perigee://{made['observation']}"
        must("result" in first.ask("resources/subscribe", uri=uri), "it subscribes to its own")
        must("error" in second.ask("resources/subscribe", uri=uri), "another one does while it is subscribed")
        must("result" in first.ask("resources/unsubscribe", uri=uri), "it unsubscribes")


def the_limit():
    """The limit of observations is for all together, and names no one else's."""
    with HttpServer(*TRUSTING, env={"PERIGEE_DESKTOP": "fake"}) as server:
        one, other = Caller(server), Caller(server)
        for _ in range(32):
            must(not code_of(one.call("create_observation", what="windows")), "it is refused")
        for caller, words in ((other, "They belong to other clients"), (one, "for example observations/1")):
            result = caller.call("create_observation", what="windows")
            must(code_of(result) == "too_many_observations" and words in result["content"][0]["text"], result)


tap.case("no caller gets at what another made", each_by_each)
tap.case("a subscription of one caller lets no other one subscribe", while_subscribed)
tap.case("the limit of observations names no one else's", the_limit)
tap.done()
