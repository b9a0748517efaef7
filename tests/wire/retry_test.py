#!/usr/bin/env python3
"""A call that asked for input goes on in another process that has the same key, and in no other."""

import json

from wire import PERIGEE, ROOT, must, tap
from server import Server

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


def ask(key, **more):
    """The answer of a fresh server to a call of `ask`."""
    argv = [PERIGEE, "serve", "--root", ROOT, "--toolset", "test"]
    with Server(argv, {"PERIGEE_STATE_KEY": key} if key else {}) as server:
        params = {"name": "ask", "arguments": {"what": "form"}, "_meta": META, **more}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        server.write(json.dumps(message).encode() + b"\n")
        return server.receive()


def retry(first, second):
    begun = ask(first)["result"]
    must(begun["resultType"] == "input_required", begun)
    return ask(second, requestState=begun["requestState"],
               inputResponses={"input_1": {"action": "accept", "content": {"name": "Ada", "age": 36}}})


def same_key():
    answer = retry("a long secret of some engines", "a long secret of some engines")
    must(answer.get("result", {}).get("content", [{}])[0].get("text") == "Ada is 36", answer)


def other_key():
    for first, second in (("one secret", "another secret"), (None, None)):
        answer = retry(first, second)
        must(answer.get("error", {}).get("code") == -32602, answer)


tap.case("with the same key another process takes the call on", same_key)
tap.case("with another key the state is refused", other_key)
tap.done()
