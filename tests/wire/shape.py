"""Rules for every message that a server writes, whatever the transcript expects of it.

The rules are the protocol's: one of result and error, an integer code, which notifications a
server may send, what each result must carry, and what the 2026-07-28 revision adds.
"""

import json
import re

import task_shape

MODERN = "io.modelcontextprotocol/protocolVersion"
CACHED = {"server/discover", "tools/list", "prompts/list", "resources/list",
          "resources/templates/list", "resources/read"}
NOTICES = {"notifications/progress", "notifications/message", "notifications/cancelled",
           "notifications/tools/list_changed", "notifications/prompts/list_changed",
           "notifications/resources/list_changed", "notifications/resources/updated",
           "notifications/subscriptions/acknowledged", "notifications/tasks/status", "notifications/tasks"}
ASKS = {"elicitation/create", "sampling/createMessage", "roots/list"}
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def bad_content(block):
    if not isinstance(block, dict):
        return "a content block is no object"
    need = {"text": ["text"], "image": ["data", "mimeType"], "audio": ["data", "mimeType"],
            "resource_link": ["uri", "name"], "resource": ["resource"]}.get(block.get("type"))
    if need is None:
        return f"content of type {block.get('type')!r}"
    missing = [k for k in need if k not in block]
    return f"{block['type']} content without {', '.join(missing)}" if missing else None


def bad_tool(tool):
    name = tool.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"tool name {name!r}"
    if not isinstance(tool.get("inputSchema"), dict) or tool["inputSchema"].get("type") != "object":
        return f"{name}: inputSchema's root is not of type object"
    for word in ("oneOf", "anyOf", "allOf", "not", "if"):
        if word in tool["inputSchema"]:
            return f"{name}: inputSchema has {word} at its root"
    if not isinstance(tool.get("description"), str) or not tool["description"]:
        return f"{name}: no description"
    for hint in HINTS:
        if not isinstance(tool.get("annotations", {}).get(hint), bool):
            return f"{name}: annotations lack {hint}"
    strange = {"run", "examples", "platforms", "aliases", "timeout", "file", "toolset"} & set(tool)
    return f"{name}: {', '.join(sorted(strange))} crosses the wire" if strange else None


def bad_contents(contents):
    if not isinstance(contents, list):
        return "resources/read without contents"
    for content in contents:
        if not isinstance(content.get("uri"), str) or ("text" in content) == ("blob" in content):
            return "a content without uri, or not with one of text and blob"
    return None


def bad_questions(method, result):
    if method not in ("tools/call", "prompts/get", "resources/read"):
        return f"{method} asks for input"
    if not isinstance(result.get("requestState"), str) or not result.get("inputRequests"):
        return "input_required without requestState or inputRequests"
    strange = {q.get("method") for q in result["inputRequests"].values()} - ASKS
    return f"asks for {strange}" if strange else None


def bad_result(method, result):
    """The first thing wrong with a method's result, or None."""
    if not isinstance(result, dict):
        return "the result is no object"
    if method == "tools/call" and (result.get("resultType") == "task" or "task" in result):
        return task_shape.bad_created(result, "resultType" in result)
    if method == "tools/call" and result.get("resultType", "complete") == "complete":
        if not isinstance(result.get("content"), list):
            return "tools/call without a content array"
        if not isinstance(result.get("isError", False), bool):
            return "isError is no boolean"
        return next(filter(None, map(bad_content, result["content"])), None)
    if method == "tools/list":
        if not isinstance(result.get("tools"), list):
            return "tools/list without a tools array"
        names = [t.get("name") for t in result["tools"]]
        if len(set(names)) != len(names):
            return "tools/list names a tool twice"
        return next(filter(None, map(bad_tool, result["tools"])), None)
    if method.startswith("tasks/"):
        return task_shape.bad_answer(method, result, "resultType" in result)
    if method == "prompts/list" and not isinstance(result.get("prompts"), list):
        return "prompts/list without a prompts array"
    if result.get("resultType") == "input_required":
        return bad_questions(method, result)
    if method == "prompts/get":
        if not isinstance(result.get("messages"), list):
            return "prompts/get without messages"
        for message in result["messages"]:
            if message.get("role") not in ("user", "assistant"):
                return f"a message's role is {message.get('role')!r}"
            if bad_content(message.get("content")):
                return bad_content(message.get("content"))
    if method == "resources/list" and not isinstance(result.get("resources"), list):
        return "resources/list without resources"
    if method == "resources/templates/list" and not isinstance(result.get("resourceTemplates"), list):
        return "resources/templates/list without resourceTemplates"
    if method == "resources/read":
        return bad_contents(result.get("contents"))
    if method == "completion/complete":
        values = result.get("completion", {}).get("values")
        return None if isinstance(values, list) and len(values) <= 100 else f"completed values are {values!r}"
    if method == "initialize":
        for key in ("protocolVersion", "capabilities", "serverInfo"):
            if key not in result:
                return f"initialize without {key}"
        if not {"name", "version"} <= set(result["serverInfo"]):
            return "serverInfo without name or version"
    return None


def bad_era(method, result, modern):
    if not modern:
        extra = {"resultType", "ttlMs", "cacheScope"} & set(result)
        return f"{', '.join(sorted(extra))} in a legacy result" if extra else None
    if not isinstance(result.get("resultType"), str):
        return "no resultType"
    if method in CACHED and result["resultType"] == "complete":
        ttl, scope = result.get("ttlMs"), result.get("cacheScope")
        if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
            return f"ttlMs is {ttl!r}"
        if scope not in ("public", "private"):
            return f"cacheScope is {scope!r}"
    return None


class Lint:
    """Remembers what was asked, so that an answer can be judged by its method."""

    def __init__(self):
        self.asked = {}
        self.version = ""     # agreed on by initialize; None: not known

    def sent(self, line):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        for one in message if isinstance(message, list) else [message]:
            if isinstance(one, dict) and "method" in one and "id" in one:
                params = one.get("params") if isinstance(one.get("params"), dict) else {}
                meta = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
                self.asked[json.dumps(one["id"])] = one["method"], MODERN in meta

    def received(self, message):
        """A list of faults; empty is good."""
        if isinstance(message, list):
            if not message:
                return ["an empty batch"]
            return [f for m in message for f in self.received(m)]
        if not isinstance(message, dict):
            return ["no JSON-RPC message"]
        if message.get("jsonrpc") != "2.0":
            return ['no "jsonrpc":"2.0"']
        if "method" in message:
            return self.notice(message)
        return [f for f in [self.answer(message)] if f]

    def notice(self, message):
        if "id" in message:
            legacy = any(method == "initialize" for method, _ in self.asked.values())
            return [] if legacy and message["method"] in ASKS else [f"the server asks the client: {message['method']}"]
        if message["method"] not in NOTICES:
            return [f"unknown notification {message['method']}"]
        params = message.get("params", {})
        if message["method"] == "notifications/message" and params.get("level") not in LEVELS:
            return [f"a log message's level is {params.get('level')!r}"]
        if message["method"] == "notifications/tasks/status":
            return list(filter(None, [task_shape.bad_task(params, False)]))
        if message["method"] == "notifications/tasks":
            return list(filter(None, [task_shape.bad_detailed(params)]))
        return []

    def bad_null(self, message):
        """An unknown id is null, as JSON-RPC wants it; since 2025-11-25 it is left out."""
        if self.version is None:
            return None
        old = self.version < "2025-11-25" and not any(modern for _, modern in self.asked.values())
        if "id" not in message:
            return "an error without an id" if old else None
        return "the id is null" if message["id"] is None and not old else None

    def answer(self, message):
        if ("result" in message) == ("error" in message):
            return "not one of result and error"
        if "error" in message:
            error = message["error"]
            if not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
                return "an error without integer code or message"
            if not error["message"]:
                return "an error with an empty message"
            return self.bad_null(message)
        if json.dumps(message.get("id")) not in self.asked:
            return f"a result for id {json.dumps(message.get('id'))}, which was not asked"
        method, modern = self.asked[json.dumps(message["id"])]
        if method == "initialize":
            self.version = message["result"].get("protocolVersion", "")
        return bad_result(method, message["result"]) or bad_era(method, message["result"], modern)
