#!/usr/bin/env python3
"""A double of a server that has a sentence of its own on every channel by which text of a server can reach a client. SENTENCES has
them by channel; a tool's argument says what it does before it answers."""

import json
import os
import sys

CHANNELS = (
    "a tool's description", "a tool's title", "an argument's description", "a choice of an argument", "a result's schema",
    "a tool's _meta", "a tool's annotations", "a prompt's description", "a prompt's title", "the description of a prompt's argument",
    "a resource's description", "a resource's title", "a resource's name", "the _meta of a resource", "a template's description",
    "a template's title", "progress", "a question", "a field of a question", "a sampling request", "the system prompt of one",
    "an error", "the data of an error", "a failed result", "a result", "structured content", "a result's _meta", "a prompt",
    "a resource", "a completion", "a description that was replaced")


def sentence(number):
    """Three words that no other sentence has."""
    first = "bdfgklmnprstvz"[number // 5] + "aeiou"[number % 5]
    return f"{first}lan {first}mor {first}tis"


SENTENCES = {channel: sentence(number) for number, channel in enumerate(CHANNELS)}


def s(channel):
    return SENTENCES[channel]


CHANGED = False


def tools():
    replaced = "Does nothing." if CHANGED else s("a description that was replaced")
    return [{
        "name": "tells", "title": s("a tool's title"), "description": s("a tool's description"), "_meta": {"x/note": s("a tool's _meta")},
        "annotations": {"title": s("a tool's annotations"), "destructiveHint": False},
        "inputSchema": {"type": "object", "properties": {
            "how": {"type": "string", "description": s("an argument's description")},
            "text": {"type": "string"}, "choice": {"enum": [s("a choice of an argument")]}}},
        "outputSchema": {"type": "object", "description": s("a result's schema")}},
        {"name": "other", "description": replaced, "inputSchema": {"type": "object"}}]


def lists(method):
    return {
        "tools/list": lambda: {"tools": tools()},
        "prompts/list": lambda: {"prompts": [{
            "name": "says", "title": s("a prompt's title"), "description": s("a prompt's description"),
            "arguments": [{"name": "mood", "description": s("the description of a prompt's argument")}]}]},
        "resources/list": lambda: {"resources": [{
            "uri": "telling://a", "name": s("a resource's name"), "title": s("a resource's title"),
            "description": s("a resource's description"), "_meta": {"x/note": s("the _meta of a resource")}}]},
        "resources/templates/list": lambda: {"resourceTemplates": [{
            "uriTemplate": "telling://{id}", "name": "template", "title": s("a template's title"),
            "description": s("a template's description")}]},
        "prompts/get": lambda: {"messages": [{"role": "user", "content": {"type": "text", "text": s("a prompt")}}]},
        "resources/read": lambda: {"contents": [{"uri": "telling://a", "text": s("a resource")}]},
        "completion/complete": lambda: {"completion": {"values": [s("a completion")]}},
        "resources/subscribe": dict, "resources/unsubscribe": dict, "logging/setLevel": dict, "ping": dict,
        "initialize": lambda: {"protocolVersion": "2025-06-18", "serverInfo": {"name": "teller", "version": "1"}, "capabilities": {
            "tools": {"listChanged": True}, "prompts": {}, "resources": {"subscribe": True}, "completions": {}, "logging": {}}},
    }[method]()


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask(method, params):
    """A request to the client, and its answer."""
    send({"id": "mine", "method": method, "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "mine":
            return message


def call(message):
    """Answers a call of the tool."""
    global CHANGED
    params, done = message["params"], {"content": [{"type": "text", "text": "done"}], "structuredContent": {}}
    how, number = params.get("arguments", {}).get("how"), message["id"]
    token = params.get("_meta", {}).get("progressToken")
    if how == "progress":
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "message": s("progress")}})
    elif how == "flood":
        for at in range(1000):
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": at + 1, "message": f"Step {at}"}})
    elif how == "question":
        ask("elicitation/create", {"message": s("a question"), "requestedSchema": {"type": "object", "properties": {
            "name": {"type": "string", "description": s("a field of a question")}}}})
    elif how == "sample":
        ask("sampling/createMessage", {"maxTokens": 5, "systemPrompt": s("the system prompt of one"), "messages": [
            {"role": "user", "content": {"type": "text", "text": s("a sampling request")}}]})
    elif how == "error":
        send({"id": number, "error": {"code": -32000, "message": s("an error"), "data": {"why": s("the data of an error")}}})
        return
    elif how == "failed":
        done = {"content": [{"type": "text", "text": s("a failed result")}], "isError": True}
    elif how == "result":
        done = {"content": [{"type": "text", "text": s("a result")}], "structuredContent": {"x": s("structured content")},
                "_meta": {"x/note": s("a result's _meta")}}
    elif how == "change":
        CHANGED = True
        send({"method": "notifications/tools/list_changed"})
    send({"id": number, "result": done})


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        if os.environ.get("TELLING_LOG"):
            with open(os.environ["TELLING_LOG"], "a", encoding="utf-8") as log:
                log.write(line)
        if message.get("method") == "tools/call":
            call(message)
            continue
        try:
            send({"id": message["id"], "result": lists(message["method"])})
        except KeyError:
            send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})


if __name__ == "__main__":
    main()
