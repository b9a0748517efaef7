#!/usr/bin/env python3
"""Arguments that clients and models send as JSON in strings are read where the schema allows no string, and the result says so."""

import json
import pathlib
import tempfile

from wire import must, tap
from server import perigee      # found by wire

SCHEMA = {
    "type": "object", "$defs": {"place": {"type": "array", "items": {"type": "integer"}}},
    "properties": {
        "place": {"$ref": "#/$defs/place"}, "count": {"type": "integer"}, "ratio": {"type": "number"}, "on": {"type": "boolean"},
        "maybe": {"type": ["array", "null"]}, "options": {"type": "object", "properties": {"list": {"type": "array"}}},
        "text": {"type": "string"}, "either": {"type": ["string", "array"]}, "any": {},
        "one": {"anyOf": [{"type": "integer"}, {"type": "array"}]}, "two": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "level": {"enum": [1, 2]}, "word": {"enum": ["1", "2"]}, "rows": {"type": "array", "items": {"type": "object", "properties": {
            "n": {"type": "integer"}}}}},
    "additionalProperties": False}
TOOL = """local json = require "sys.json"
return {
  description = "Returns its arguments.",
  inputSchema = json.decode [==[%s]==],
  run = function(args) return json.encode(args) end,
}
""" % json.dumps(SCHEMA)

# sent, what the tool gets, the names that the result tells
TAKEN = [
    ({"place": "[1271, 2106]"}, {"place": [1271, 2106]}, "place"), ({"count": "3"}, {"count": 3}, "count"),
    ({"ratio": "-1.5"}, {"ratio": -1.5}, "ratio"), ({"on": "true"}, {"on": True}, "on"), ({"maybe": "[]"}, {"maybe": []}, "maybe"),
    ({"options": "{\"list\": [1]}"}, {"options": {"list": [1]}}, "options"), ({"one": "[2]"}, {"one": [2]}, "one"),
    ({"options": {"list": "[1]"}}, {"options": {"list": [1]}}, "options.list"), ({"level": "2"}, {"level": 2}, "level"),
    ({"rows": [{"n": 1}, {"n": "2"}]}, {"rows": [{"n": 1}, {"n": 2}]}, "rows[1].n"),
    ({"count": "3", "text": "[1]", "either": "[1]", "any": "[1]", "two": "1", "word": "1"},
     {"count": 3, "text": "[1]", "either": "[1]", "any": "[1]", "two": "1", "word": "1"}, "count"),
    ({"place": "[1]", "count": "2"}, {"place": [1], "count": 2}, "place, count")]
REFUSED = [
    ({"count": "three"}, "count: expected integer, got string \"three\""), ({"count": "[1]"}, "count: expected integer, got string"),
    ({"count": "3.5"}, "count: expected integer, got "), ({"place": "[\"a\"]"}, "place[0]: expected integer"),
    ({"place": "[1"}, "place: expected array, got string"), ({"options": "[]"}, "options: expected object, got string"),
    ({"on": "\"true\""}, "on: expected boolean, got string"), ({"text": 1}, "text: expected string")]


def told(names):
    return f"Read as JSON, because a string is not allowed there: {names}."


def taken(server):
    for sent, got, names in TAKEN:
        blocks = [each["text"] for each in server.call("echoed", sent)["result"]["content"]]
        must((json.loads(blocks[0]), blocks[1:]) == (got, [told(names)]), (sent, blocks))
    blocks = server.call("echoed", {"text": "[1]"})["result"]["content"]
    must(len(blocks) == 1, blocks)


def whole(server):
    for sent in (json.dumps({"count": 3}), json.dumps({"count": "3"})):
        blocks = [each["text"] for each in server.call("echoed", sent)["result"]["content"]]
        must(json.loads(blocks[0]) == {"count": 3} and blocks[1].startswith(told("arguments")[:-1]), blocks)
    for sent in ("[1]", "count", "7"):
        answer = server.call("echoed", sent)
        must(answer["error"]["message"] == "params.arguments must be an object", answer)


def refused(server):
    for sent, text in REFUSED:
        result = server.call("echoed", sent)["result"]
        must(result["isError"] and text in result["content"][0]["text"], (sent, result))


def by_call_tool(server):
    """They were refused, and no client lists all tools."""
    for sent, got, names in TAKEN:
        result = server.call("call_tool", {"name": "echoed", "arguments": sent})["result"]
        blocks = [each["text"] for each in result["content"]]
        must((json.loads(blocks[0]), blocks[1:]) == (got, [told(names)]), (sent, blocks))
    for sent, text in REFUSED:
        result = server.call("call_tool", {"name": "echoed", "arguments": sent})["result"]
        must(result["isError"] and text in result["content"][0]["text"], (sent, result))


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "tools", "mine")
        place.mkdir(parents=True)
        (place / "echoed.lua").write_text(TOOL)
        with perigee("--no-user-root", "--root", folder) as server:
            server.initialize()
            tap.case("a value in a string is taken where no string may be", taken, server)
            tap.case("all arguments in one string are taken", whole, server)
            tap.case("so are those of a tool that call_tool calls", by_call_tool, server)
            tap.case("a string that is not the wanted value is refused as before", refused, server)
    tap.done()


main()
