#!/usr/bin/env python3
"""tools/list leaves out tools with `listed = false`, and tools whose `programs` are not installed."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap                           # noqa: E402
from server import PERIGEE, perigee  # noqa: E402
from tap import Failure              # noqa: E402

TOOL = """return {{
  description = "Answers {name}.",
  inputSchema = {{ type = "object" }},
  {more}
  run = function() return "{name}" end,
}}
"""
TOOLS = {
    "always": "",
    "rare": "listed = false,",
    "runs_here": 'programs = { "no-such-program-7", "sh" },',
    "runs_nowhere": 'programs = { "no-such-program-7", "/no/such/path" },',
    "runs_by_path": 'programs = { "/bin/sh" },',
    "rare_here": 'listed = false, programs = { "sh" },',
}


def write(root, name, more):
    folder = root / "tools" / "mine"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.lua").write_text(TOOL.format(name=name, more=more))


def same(got, want, note=""):
    if got != want:
        raise Failure(f"{note} got {got!r}, wanted {want!r}")


def listed(server):
    return sorted(t["name"] for t in server.ask("tools/list")["result"]["tools"] if t["name"] in TOOLS)


def started(root, *arguments):
    server = perigee("--no-user-root", "--root", str(root), *arguments)
    server.initialize()
    return server


def by_default(root):
    with started(root) as server:
        same(listed(server), ["always", "runs_by_path", "runs_here"])


def named_toolset(root):
    with started(root, "--toolset", "mine") as server:
        same(listed(server), sorted(TOOLS))


def called_all_the_same(root):
    with started(root) as server:
        same(server.text("rare"), "rare")
        same(server.text("call_tool", {"name": "runs_nowhere", "arguments": {}}), "runs_nowhere")
        found = server.call("search_tools", {"query": "rare"})["result"]["structuredContent"]["tools"]
        same("rare" in [tool["name"] for tool in found], True)


def told_of_the_change(root):
    with started(root) as server:
        same(listed(server), ["always", "runs_by_path", "runs_here"])
        write(root, "rare", "")
        server.notified("notifications/tools/list_changed")
        same(listed(server), ["always", "rare", "runs_by_path", "runs_here"])
        write(root, "rare", TOOLS["rare"])
        server.notified("notifications/tools/list_changed")
        same(listed(server), ["always", "runs_by_path", "runs_here"])


RESULT = """
  inputSchema = { type = "object", additionalProperties = false, properties = {
    text = { type = "string", maxLength = 20, minLength = 1 },
    level = { type = "integer", minimum = 1, maximum = 100000 },
    scale = { type = "number", minimum = 0.1 }, shown = { type = "boolean", default = false },
    seldom = { type = "string", ["$comment"] = "not listed" },
    list = { type = "array", ["$comment"] = "The author's own.", maxItems = 3, items = { type = "string", maxLength = 5, enum = { "a", "b" } } },
    maximum = { anyOf = { { type = "number", minimum = -1000000 }, { type = "null" } } },
    wait = { type = "object", description = "As wait_for.", ["$comment"] = "listed short", required = { "x" },
      properties = { x = { type = "string" } }, additionalProperties = false } } },
  outputSchema = { type = "object", required = { "bounds", "type" }, additionalProperties = false,
    properties = { name = { description = "The name." }, type = { type = { "string", "null" } },
      bounds = { type = "object", description = "Points.", required = { "x" }, properties = { x = { type = "number" } } } } },
"""
PARAMETERS = {"type": "object", "properties": {
    "text": {"type": "string"}, "level": {"type": "integer"}, "scale": {"type": "number", "minimum": 0.1}, "shown": {"type": "boolean"},
    "list": {"type": "array", "$comment": "The author's own.", "items": {"type": "string", "enum": ["a", "b"]}},
    "maximum": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    "wait": {"type": "object", "description": "As wait_for."}}}
OUTLINE = {"type": "object", "properties": {"type": {}, "bounds": {}}}


def write_whole(root, answer):
    write(root, "rare", RESULT)
    path = root / "tools" / "mine" / "rare.lua"
    path.write_text(path.read_text().replace('inputSchema = { type = "object" },', "", 1).replace('return "rare"', f"return {answer}"))


def schemas_in_outline(root):
    write_whole(root, "{}")
    with started(root) as server:
        tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
        same(tools["rare"]["inputSchema"], PARAMETERS)
        same(tools["rare"]["outputSchema"], OUTLINE)
        same("outputSchema" in tools["always"], False)
        whole = server.call("describe_tool", {"name": "rare"})["result"]["structuredContent"]
        same(whole["outputSchema"]["properties"]["bounds"]["properties"], {"x": {"type": "number"}})
        same(whole["outputSchema"]["properties"]["name"], {"description": "The name."})
        same(whole["inputSchema"]["properties"]["text"]["maxLength"], 20)
        same(whole["inputSchema"]["properties"]["wait"]["required"], ["x"])
        same(whole["inputSchema"]["properties"]["seldom"]["type"], "string")


def whole_parameters(root):
    """With --toolset they are those of describe_tool, also of files whose declarations were kept; results stay an outline."""
    write_whole(root, "{}")
    for options in (("--toolset", "mine"), ("--toolset", "all"), ("--toolset", "mine", "--dry-run")):
        with started(root, *options) as server:
            tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
            whole = server.call("describe_tool", {"name": "rare"})["result"]["structuredContent"]
            same(tools["rare"]["inputSchema"], whole["inputSchema"], options)
            same(tools["rare"]["inputSchema"]["properties"]["seldom"], {"type": "string"}, options)
            same(tools["rare"]["inputSchema"]["properties"]["wait"]["properties"], {"x": {"type": "string"}})
            same("listed short" in json.dumps([tools, whole]), False, "how it is listed")
            same(tools["rare"]["inputSchema"]["properties"]["list"]["$comment"], "The author's own.")
            same(tools["rare"].get("outputSchema"), None if "--dry-run" in options else OUTLINE, options)


FREE = {"call_tool/arguments", "create_macro/steps/items/arguments", "update_macro/steps/items/arguments", "execute_macro/parameter_values",
        "create_session/metadata", "get_session/names"}


def without_members(schema, place):
    """The places of objects whose members are not told."""
    if isinstance(schema, list):
        return set().union(*(without_members(each, place) for each in schema))
    if not isinstance(schema, dict):
        return set()
    own = {place} if schema.get("type") == "object" and not {"properties", "additionalProperties"} & schema.keys() else set()
    return own.union(*(without_members(value, place if key in ("properties", "anyOf") else f"{place}/{key}") for key, value in schema.items()))


def members_are_told(root):
    """Each object among the parameters of our own tools has members, but for those that take any."""
    with started(root, "--toolset", "all") as server:
        tools = server.ask("tools/list")["result"]["tools"]
        found = set().union(*(without_members(tool["inputSchema"].get("properties", {}), tool["name"]) for tool in tools))
        same(found, FREE)


def no_marks(root):
    """Neither in the list of all tools, nor where one is described, nor in what the command prints."""
    with started(root, "--toolset", "all") as server:
        tools = server.ask("tools/list")["result"]["tools"]
        same([tool["name"] for tool in tools if "$comment" in json.dumps(tool)], [])
        whole = server.call("describe_tool", {"name": "find_elements"})["result"]["structuredContent"]
        same(("near" in whole["inputSchema"]["properties"], "$comment" in json.dumps(whole)), (True, False))
    for arguments in (("--json",), ("--toolset", "all", "--json")):
        told = subprocess.run([PERIGEE, "tools", *arguments], capture_output=True, text=True, timeout=120, check=True).stdout
        same(("find_elements" in told, "$comment" in told), (True, False), arguments)


def all_toolsets(root):
    """`all` stands for every one, with the tools that lists leave out; a console's are not among them."""
    folders = {path.parent.name for path in (pathlib.Path(__file__).resolve().parents[2] / "lua/tools").glob("*/*.lua")} - {"console"}
    files = {path.stem for folder in folders for path in (pathlib.Path(__file__).resolve().parents[2] / "lua/tools" / folder).glob("*.lua")}
    for given in ("all", "mine,all"):
        with started(root, "--toolset", given) as server:
            names = {tool["name"] for tool in server.ask("tools/list")["result"]["tools"]}
            same(names, files | set(TOOLS), given)


def checked_by_the_whole(root):
    write_whole(root, '{ bounds = { x = "left" }, type = "a" }')
    with started(root) as server:
        for arguments, wrong in (({}, "bounds.x"), ({"text": "x" * 21}, "text"), ({"level": 200000}, "level"),
                                 ({"list": ["a"] * 4}, "list"), ({"wait": {"y": 1}}, "wait")):
            answer = server.call("rare", arguments)["result"]
            same(answer.get("isError"), True)
            if wrong not in answer["content"][0]["text"].replace("/", "."):
                raise Failure(f"{arguments}: what is wrong is not named: {answer}")


def wrong_values(root):
    write(root, "wrong", "programs = { 7 },")
    write(root, "wrong_too", 'listed = "no",')
    write(root, "wrong_task", 'execution = { taskSupport = "always" },')
    write(root, "wrong_key", "execution = { tasks = true },")
    with started(root) as server:
        status = server.text("engine_status")
        for part in ("'programs'[1] must be a string", "'listed' must be a boolean, not a string",
                     r'execution.taskSupport: \"optional\", \"required\" or \"forbidden\", not \"always\"',
                     "unknown key 'tasks' in a tool's execution"):
            if part not in status:
                raise Failure(f"{part!r} is not in {status}")


def as_the_readme_says(root):
    """Its table has every tool that is listed, and those in italics are not."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    table = text[text.index("| for | tools"):].split("\n\n")[0]
    rare = set(re.findall(r"\*`(\w+)`\*", table))
    with started(root) as server:
        all_listed = {each["name"] for each in server.ask("tools/list")["result"]["tools"]} - set(TOOLS)
    same((sorted(all_listed & rare), sorted(all_listed - set(re.findall(r"`(\w+)`", table)))), ([], []))
    same(len(rare) > 20 and len(all_listed) > 25, True)


def main():
    for name, case in (("the tools that are listed by default", by_default),
                       ("lists of a toolset tell the members of parameters", members_are_told),
                       ("--toolset lists all of a toolset", named_toolset),
                       ("a tool that is not listed is found and called", called_all_the_same),
                       ("clients are told when a tool comes to the list or leaves it", told_of_the_change),
                       ("schemas are listed in outline and described whole", schemas_in_outline),
                       ("--toolset lists parameters whole", whole_parameters),
                       ("--toolset all lists every tool", all_toolsets),
                       ("nothing that is sent says how a tool is listed", no_marks),
                       ("arguments and results are held against the whole schemas", checked_by_the_whole),
                       ("the README's table", as_the_readme_says),
                       ("wrong values are load errors", wrong_values)):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for tool, more in TOOLS.items():
                write(root, tool, more)
            tap.case(name, case, root)
    tap.done()


if __name__ == "__main__":
    main()
