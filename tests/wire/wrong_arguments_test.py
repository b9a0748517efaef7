#!/usr/bin/env python3
"""Wrong arguments of every tool, made of its own schema: each call fails with `invalid_arguments`, and nothing starts."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap                                # noqa: E402
from procs import descendants             # noqa: E402
from server import TRUSTING, perigee      # noqa: E402
from tap import Failure                   # noqa: E402

SAMPLES = {"string": "a", "number": 1, "integer": 1, "boolean": True, "array": [], "object": {}}
WRONG = {"string": 7, "number": "x", "integer": 1.5, "boolean": "x", "array": "x", "object": "x"}
MANY = 2000     # items that are still sent


def sample(schema):
    """Some value of a required property; of a type at least, if the schema wants more."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    return max(SAMPLES[kind], schema.get("minimum", 1)) if kind in ("number", "integer") else SAMPLES[kind]


def wrong_values(schema):
    """(what is wrong, a value) for each limit of a property."""
    kind = schema.get("type")
    if isinstance(kind, str):
        yield "type", WRONG[kind]
    if "enum" in schema:
        yield "other value", "none of these"
    if "maxLength" in schema:
        yield "too long", "a" * (schema["maxLength"] + 1)
    if schema.get("minLength"):
        yield "too short", ""
    if kind == "array" and schema.get("maxItems", MANY) < MANY:
        yield "too many", [sample(schema.get("items", {}))] * (schema["maxItems"] + 1)
    if "maximum" in schema:
        yield "too large", schema["maximum"] + 1
    if "minimum" in schema:
        yield "too small", schema["minimum"] - 1


def cases(schema):
    """(what is wrong, arguments); all else is right as far as the types say."""
    properties = schema.get("properties", {})
    right = {name: sample(properties[name]) for name in schema.get("required", [])}
    yield "unknown", {**right, "no_such_property": 1}
    for name in right:
        yield f"{name}: missing", {key: value for key, value in right.items() if key != name}
    for name, each in properties.items():
        for what, value in wrong_values(each):
            yield f"{name}: {what}", {**right, name: value}


def refused(server, tool, what, arguments):
    answer = server.call(tool, arguments)
    result = answer.get("result", {})
    if not result.get("isError") or result["_meta"].get("perigee/code") != "invalid_arguments":
        raise Failure(f"{tool}, {what}: {answer}")
    if not result["content"][0]["text"].startswith(("Invalid arguments for ", "ERROR: Invalid arguments for ")):
        raise Failure(f"{tool}, {what}: {result['content'][0]['text']}")


def of_every_tool():
    count = 0
    with perigee("--no-user-root", "--root", TRUSTING, "--toolset", "all", env={"PERIGEE_DESKTOP": "fake"}) as server:
        server.initialize()
        tools = server.ask("tools/list")["result"]["tools"]
        before = set(descendants(server.process.pid))
        for tool in tools:
            for what, arguments in cases(tool["inputSchema"]):
                refused(server, tool["name"], what, arguments)
                count += 1
        if set(descendants(server.process.pid)) - before:
            raise Failure("a process was started")
    tap.note(f"{count} calls of {len(tools)} tools")
    if len(tools) < 100 or count < 1000:
        raise Failure("tools or their properties are missing")


tap.case("wrong arguments of every tool are refused", of_every_tool)
tap.done()
