#!/usr/bin/env python3
"""An MCP server whose every answer is good JSON of an odd shape: members of wrong types, missing, null, too much.

    odd_double.py SEED [--odd METHOD]

The same seed makes the same mistakes. The handshake is good unless --odd initialize says otherwise; with --odd only the
answers to that method are spoiled. After an answer it may tell what no one asked for, or ask. Standard library only."""

import copy
import json
import random
import sys

SCHEMA = {
    "type": "object", "title": "T", "description": "D", "required": ["a"], "additionalProperties": False,
    "$defs": {"z": {"type": "string"}}, "allOf": [{"type": "object"}],
    "properties": {
        "a": {"type": "string", "description": "An a.", "pattern": "^.*$", "format": "uri", "minLength": 0, "maxLength": 9},
        "b": {"type": ["integer", "null"], "minimum": 0, "exclusiveMaximum": 9, "default": 3},
        "c": {"enum": ["x", 1, None], "const": "x"},
        "d": {"type": "array", "items": {"type": "object", "properties": {"e": {"$ref": "#/$defs/z"}}}, "minItems": 0},
        "f": {"anyOf": [{"type": "boolean"}, {"oneOf": [{"const": 1}, True]}], "x-mcp-header": "Fee"}},
}
META = {"a/b": [1], "io.modelcontextprotocol/serverInfo": {"name": "odd", "version": "1"}}
ICONS = [{"src": "data:,", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}]
HINTS = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"}
CONTENTS = {"uri": "odd:/a", "mimeType": "text/plain", "text": "hello", "_meta": META}
BLOCKS = [
    {"type": "text", "text": "said", "annotations": HINTS, "_meta": META},
    {"type": "image", "data": "QUJD", "mimeType": "image/png"}, {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
    {"type": "resource", "resource": CONTENTS}, {"type": "resource_link", "uri": "odd:/b", "name": "b", "size": 3},
    {"type": "resource", "resource": {"uri": "odd:/c", "blob": "QUJD"}}]
TOOLS = [{"name": name, "title": "T", "description": "Does.", "inputSchema": SCHEMA, "outputSchema": SCHEMA, "icons": ICONS,
          "annotations": {"title": "A", "readOnlyHint": True}, "execution": {"taskSupport": "optional"}, "_meta": META}
         for name in ("one", "two", "three")]
PROMPTS = [{"name": name, "title": "P", "description": "Says.", "icons": ICONS, "_meta": META,
            "arguments": [{"name": "who", "title": "W", "description": "Whom.", "required": True}, {"name": "how"}]}
           for name in ("hail", "bye")]
RESOURCES = [{"uri": uri, "name": uri, "title": "R", "description": "Is.", "mimeType": "text/plain", "size": 5, "icons": ICONS,
              "annotations": HINTS, "_meta": META} for uri in ("odd:/a", "odd:/b")]
TEMPLATES = [{"uriTemplate": "odd:/{kind}/{id}", "name": "t", "title": "T", "description": "Are.", "mimeType": "text/plain",
              "annotations": HINTS, "_meta": META}]
GOOD = {
    "initialize": {"protocolVersion": "2025-11-25", "instructions": "Be kind.", "_meta": META, "capabilities": {
        "tools": {"listChanged": True}, "prompts": {"listChanged": True}, "resources": {"subscribe": True}, "completions": {},
        "logging": {}, "experimental": {"x": {}}},
        "serverInfo": {"name": "odd", "title": "Odd", "version": "1", "icons": ICONS, "websiteUrl": "https://x.example"}},
    "tools/list": {"tools": TOOLS, "_meta": META},
    "prompts/list": {"prompts": PROMPTS, "_meta": META},
    "resources/list": {"resources": RESOURCES, "_meta": META},
    "resources/templates/list": {"resourceTemplates": TEMPLATES, "_meta": META},
    "tools/call": {"content": BLOCKS, "structuredContent": {"a": "x"}, "isError": False, "_meta": META},
    "prompts/get": {"description": "D", "messages": [{"role": "user", "content": block} for block in BLOCKS], "_meta": META},
    "resources/read": {"contents": [CONTENTS, {"uri": "odd:/c", "blob": "QUJD"}], "_meta": META},
    "completion/complete": {"completion": {"values": ["a", "b"], "total": 2, "hasMore": False}, "_meta": META},
}
TOLD = [
    ("notifications/tools/list_changed", {}), ("notifications/prompts/list_changed", {}),
    ("notifications/resources/list_changed", {}), ("notifications/resources/updated", {"uri": "odd:/a"}),
    ("notifications/message", {"level": "info", "logger": "l", "data": {"a": 1}}),
    ("notifications/progress", {"progressToken": 1, "progress": 0.5, "total": 1, "message": "half"}),
    ("notifications/cancelled", {"requestId": 1, "reason": "r"})]
ASKED = [
    ("elicitation/create", {"message": "Who?", "requestedSchema": {"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string", "title": "A", "default": "x"}, "b": {"type": "boolean"}}}}),
    ("sampling/createMessage", {"messages": [{"role": "user", "content": BLOCKS[0]}], "maxTokens": 9, "systemPrompt": "s",
                                "modelPreferences": {"hints": [{"name": "m"}]}, "stopSequences": ["x"]}),
    ("roots/list", {}), ("ping", {})]
DEEP = []
for _ in range(60):
    DEEP = [DEEP]
SALT = [None, True, False, 0, 7, -1.5, 2 ** 70, 1e300, "", "text", "\u001b]0;x\u0007\u202e", "x" * 5000, [], {}, [1], [None], [[]],
        {"a": 1}, {"type": 7}, [{"name": 1}], DEEP]


def places(value, found):
    """Every (container, key) within."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found.append((value, key))
        places(inner, found)
    return found


def odd(chance, good):
    value = copy.deepcopy(good)
    if chance.random() < 0.04:
        return chance.choice(SALT)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        found = places(value, [])
        if not found:
            break
        container, key = chance.choice(found)
        if isinstance(container, dict) and chance.random() < 0.25:
            del container[key]
        else:
            container[key] = copy.deepcopy(chance.choice(SALT))
    return value


def main():
    chance = random.Random(int(sys.argv[1]))
    only = sys.argv[3] if sys.argv[2:3] == ["--odd"] else None

    def send(message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    for line in sys.stdin:
        message = json.loads(line)
        method, identity = message.get("method"), message.get("id")
        if method is None or identity is None:
            continue
        if method == "tools/call" and not only and chance.random() < 0.2:
            asked, params = chance.choice(ASKED)
            send({"id": f"q{chance.random()}", "method": asked, "params": odd(chance, params)})
        if method in GOOD:
            spoil = method == only if only else method != "initialize"
            send({"id": identity, "result": odd(chance, GOOD[method]) if spoil else GOOD[method]})
        elif method == "server/discover":
            send({"id": identity, "error": {"code": -32601, "message": "Method not found"}})
        else:
            send({"id": identity, "result": {}})
        if not only and method != "initialize" and chance.random() < 0.3:
            told, params = chance.choice(TOLD)
            send({"method": told, "params": odd(chance, params)})


if __name__ == "__main__":
    main()
