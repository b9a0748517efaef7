#!/usr/bin/env python3
"""Marks that only Perigee sets ("perigee/..." of `_meta`), and text that hides nothing from its reader: in all that reaches a
client, whatever its source."""

import json
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place       # noqa: E402
from tools import until     # noqa: E402
import tap                  # noqa: E402

ALLOW = "return { rules = { { allow = true } } }"
FORGER = str(pathlib.Path(__file__).resolve().parent / "forging_double.py")
CLEAN = "ab[31mc"
LIES = r"""{ ["perigee/from"] = {}, ["perigee/hidden"] = 0, ["perigee/forged"] = 1, ["per\u{200b}igee/forged"] = 2, own = 3 }"""
HIDDEN = r'"a\u{202e}b\27[31mc"'
FOREIGN = f"""
return {{ description = {HIDDEN}, trust = "foreign", _meta = {LIES},
  inputSchema = {{ type = "object", properties = {{ x = {{ type = "string", description = {HIDDEN} }} }} }},
  run = function(args, call)
    call:progress(1, nil, {HIDDEN})
    call:log("error", {{ said = {HIDDEN} }})
    if args.x then return nil, {HIDDEN}, "failed", {LIES} end
    return {{ said = {HIDDEN}, _meta = {LIES} }}
  end }}
"""
MINE = f"""
return {{ description = "Mine.", inputSchema = {{ type = "object", properties = {{ x = {{ type = "string" }} }} }},
  execution = {{ taskSupport = "optional" }},
  run = function(args, call)
    call:progress(1, nil, {HIDDEN})
    call:log("error", {{ said = {HIDDEN} }}, {HIDDEN})
    if args.x then return nil, {HIDDEN}, "failed", {LIES} end
    return call:result {{ content = {{ {{ type = "text", text = {HIDDEN}, _meta = {LIES} }} }}, _meta = {LIES} }}
  end }}
"""
RESOURCE = f"""
return {{ uri = "mine://a", description = "Mine.", from = "file",
  read = function(_, _, call) return call:contents {{ {{ text = {HIDDEN}, _meta = {LIES} }} }} end }}
"""
BROKEN = f"""
return {{ uriTemplate = "broken://{{id}}", description = "Mine.", complete = {{ id = {{ {HIDDEN} }} }},
  read = function() return nil, {HIDDEN} end }}
"""
PROMPT = f"""
return {{ description = "Mine.",
  render = function() return {{ {{ role = "user", content = {{ type = "text", text = {HIDDEN}, _meta = {LIES} }} }} }} end }}
"""


def place():
    made = Place(ALLOW, mine=MINE, foreign=FOREIGN)
    made.put("home/resources/mine.lua", RESOURCE)
    made.put("home/resources/broken.lua", BROKEN)
    made.put("home/prompts/mine.lua", PROMPT)
    made.put("home/mcp.json", json.dumps({"mcpServers": {"liar": {"command": sys.executable, "args": [FORGER]}}}))
    return made


def metas(value):
    """Yields each `_meta` in the value."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "_meta":
                yield item
            yield from metas(item)
    elif isinstance(value, list):
        for item in value:
            yield from metas(item)


def strings(value):
    """Yields each text in the value, keys included."""
    if isinstance(value, str):
        yield value
    for item in [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from strings(item)


def honest(value, own=True):
    """Nothing forged, nothing hidden."""
    for meta in metas(value):
        assert not {"perigee/forged", "per\u200bigee/forged"} & set(meta), value
    found = list(metas(value))
    assert not own or any(meta.get("own") == 3 for meta in found), value
    assert not [text for text in strings(value) if {"\u202e", "\u200b", "\x1b"} & set(text)], value
    return value


def wait_for(server, name):
    def listed():
        tools = server.ask("tools/list")["result"]["tools"]
        return name in [tool["name"] for tool in tools] and tools
    return until(listed, f"a tool {name}")


def of_tools(name, source):
    with place() as here, here.serve("--mount", "all") as server:
        wait_for(server, "liar_lie")
        result = honest(server.ask("tools/call", {"name": name})["result"], own=name != "foreign")
        assert CLEAN in json.dumps(result), result
        assert result["_meta"].get("perigee/from") == source and result["_meta"].get("perigee/hidden", 0) >= 2, result
        through = honest(server.ask("tools/call", {"name": "call_tool", "arguments": {"name": name}})["result"], own=False)
        assert through["_meta"].get("perigee/from") == source, through
        if name != "liar_lie":
            failed = honest(server.ask("tools/call", {"name": name, "arguments": {"x": ""}})["result"])
            assert failed["_meta"]["perigee/code"] == "failed" and CLEAN in failed["content"][0]["text"], failed


def of_definitions():
    with place() as here, here.serve("--mount", "all") as server:
        tools = {tool["name"]: tool for tool in wait_for(server, "liar_lie")}
        for name in ("liar_lie", "foreign"):
            assert honest(tools[name])["description"].startswith(CLEAN), tools[name]
        for method in ("prompts/list", "resources/list"):
            honest(server.ask(method)["result"])
        for name, arguments in (("describe_tool", {"name": "foreign"}), ("search_tools", {"query": "foreign"})):
            honest(server.ask("tools/call", {"name": name, "arguments": arguments})["result"], own=False)


def of_contents():
    with place() as here, here.serve("--mount", "all") as server:
        wait_for(server, "liar_lie")
        names = [each["name"] for each in server.ask("prompts/list")["result"]["prompts"]]
        uris = [each["uri"] for each in server.ask("resources/list")["result"]["resources"]]
        for name in [name for name in names if name in ("mine", "liar_lie")]:
            honest(server.ask("prompts/get", {"name": name})["result"])
        read = [uri for uri in uris if "lie" in uri or uri.startswith("mine:")]
        assert len(read) == 2, uris
        for uri in read:
            result = honest(server.ask("resources/read", {"uri": uri})["result"])
            assert result["_meta"] == {"perigee/from": ["file" if uri == "mine://a" else "mount"],
                                       "perigee/hidden": result["_meta"]["perigee/hidden"]}, result
        result = server.ask("prompts/get", {"name": "liar_lie"})["result"]
        assert result["_meta"]["perigee/from"] == ["mount"], result
        honest(server.ask("resources/read", {"uri": "broken://x"})["error"], own=False)
        honest(server.ask("completion/complete", {"ref": {"type": "ref/resource", "uri": "broken://{id}"},
                                                  "argument": {"name": "id", "value": ""}})["result"], own=False)
        honest(server.ask("completion/complete", {"ref": {"type": "ref/prompt", "name": "liar_lie"},
                                                  "argument": {"name": "mood", "value": ""}})["result"], own=False)


def of_observations():
    with place() as here, here.serve() as server:
        made = server.ask("tools/call", {"name": "create_observation", "arguments": {"what": "windows"}})["result"]
        number = re.search(r"observations/(\d+)", json.dumps(made)).group(1)
        result = server.ask("resources/read", {"uri": f"perigee://observations/{number}"})["result"]
        assert result["_meta"]["perigee/from"] == ["screen"], result


def misspelled():
    with Place(ALLOW) as here:
        here.put("home/resources/mine.lua", RESOURCE.replace('from = "file"', 'from = "flie"'))
        with here.serve() as server:
            status = json.dumps(server.ask("tools/call", {"name": "engine_status", "arguments": {}})["result"])
            assert 'did you mean' in status and 'flie' in status, status


def of_notifications():
    with place() as here, here.serve("--mount", "all") as server:
        wait_for(server, "liar_lie")
        for name in ("mine", "foreign", "liar_lie"):
            asked = server.post("tools/call", {"name": name, "_meta": {"progressToken": "t"}})
            said = honest(server.notified("notifications/progress"), own=False)
            assert said["params"]["message"] == CLEAN, said
            if name != "liar_lie":
                honest(server.notified("notifications/message"), own=False)
            server.answer(asked)


def of_questions():
    """A question of a tool, to the user or to the client's model."""
    asks = f"""
return {{ description = "Asks.", inputSchema = {{ type = "object" }},
  run = function(_, call) local answer, err = call:sample {{ prompt = {HIDDEN} }} return answer and answer.text or err end }}
"""
    with place() as here:
        here.put("home/tools/test/asks.lua", asks)
        with here.serve(capabilities={"sampling": {}}) as server:
            asked = server.post("tools/call", {"name": "asks"})
            question = honest(server.find(lambda message: message.get("method") == "sampling/createMessage"), own=False)
            server.send({"jsonrpc": "2.0", "id": question["id"], "result": {
                "role": "assistant", "model": "m", "content": {"type": "text", "text": "x\u202ey"}}})
            honest(server.answer(asked), own=False)


def of_scripts():
    code = f"local log = require 'sys.log' log.error({HIDDEN}) return {HIDDEN}"
    with place() as here, here.serve() as server:
        honest(server.ask("tools/call", {"name": "run_lua", "arguments": {"code": code}}), own=False)


def of_tasks():
    """The message of a task's status is its failure, or its progress."""
    with place() as here, here.serve(version="2025-11-25") as server:
        task = server.ask("tools/call", {"name": "mine", "arguments": {"x": ""}, "task": {}})["result"]["task"]

        def failed():
            status = server.ask("tasks/get", {"taskId": task["taskId"]})["result"]
            return status["status"] == "failed" and status
        status = until(failed, "the end of the task")
        assert status["statusMessage"] == CLEAN, status


def main():
    for name, source in (("mine", None), ("foreign", ["mount"]), ("liar_lie", ["mount"])):
        tap.case(f"results of {name}", of_tools, name, source)
    for name, function in (
            ("definitions", of_definitions), ("contents, prompts and completions", of_contents),
            ("an observation is from the screen", of_observations), ("a source that is misspelled is an error", misspelled),
            ("progress and log messages", of_notifications), ("questions", of_questions), ("scripts", of_scripts), ("status of a task", of_tasks)):
        tap.case(name, function)
    tap.done()


main()
