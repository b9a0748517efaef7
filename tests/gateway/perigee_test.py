#!/usr/bin/env python3
"""A mounted Perigee: the outer one takes what the inner one takes, and knows the tools that it does not list."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from house import House, PERIGEE, Server, names, result, wait_for, warm   # noqa: E402
import tap                                                                # noqa: E402

TOOL = """return {{ description = "Says {name}.", {more} inputSchema = {{ type = "object", additionalProperties = false,
  required = {{ "window" }}, properties = {{ window = {{ type = "string", ["x-also-called"] = "name", maxLength = 9 }},
    seldom = {{ type = "integer", ["$comment"] = "not listed" }}, wait = {{ type = "object", ["$comment"] = "listed short",
      additionalProperties = false, properties = {{ x = {{ type = "string" }} }} }} }} }},
  outputSchema = {{ type = "object", required = {{ "window" }}, properties = {{ window = {{ type = "string", description = "Which." }},
    seldom = {{ type = "integer" }} }} }},
  _meta = {{ ["ours.example/a"] = 1 }},
  annotations = {{ readOnlyHint = true, destructiveHint = false }},
  run = function(args) return {{ window = args.window, seldom = args.seldom }} end }}"""


class Inner(House):
    """A home that mounts a Perigee with two tools, of which it lists one."""

    def __init__(self, *options):
        super().__init__()
        for name, more in (("shown", ""), ("hidden", "listed = false,")):
            path = self.folder / f"inner/tools/mine/{name}.lua"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TOOL.format(name=name, more=more))
        self.words = ["serve", "--no-user-root", "--root", str(self.folder / "inner"), *options]
        self.add("in", command=PERIGEE, args=self.words, env={"PERIGEE_DESKTOP": "fake"})

    def itself(self):
        server = Server([PERIGEE, *self.words], env=self.env | {"PERIGEE_DESKTOP": "fake"})
        server.initialize()
        return server


def same(got, want, note=""):
    assert got == want, f"{note}: got {got!r}, wanted {want!r}"


def tools_of(server):
    found, cursor = {}, None
    while True:
        page = server.ask("tools/list", {"cursor": cursor} if cursor else {})["result"]
        found |= {tool["name"]: tool for tool in page["tools"]}
        cursor = page.get("nextCursor")
        if not cursor:
            return found


def former_names():
    with Inner() as house, house.serve() as server:
        wait_for(server, "in_shown")
        for name in ("in_shown", "in_hidden"):
            for arguments in ({"window": "w"}, {"name": "w"}, {"name": "w", "window": "w"}, {"window": "w", "seldom": 3}):
                got = result(server, name, arguments)
                same((got.get("isError"), got.get("structuredContent", {}).get("window")), (None, "w"), got)
        for arguments, wrong in (({}, "window"), ({"name": "v", "window": "w"}, "name"), ({"window": "w", "nme": 1}, "nme"),
                                 ({"window": "w" * 10}, "window"), ({"window": "w", "wait": {"y": 1}}, "wait")):
            got = result(server, "in_shown", arguments)
            same((got.get("isError"), wrong in got["content"][0]["text"]), (True, True), got)
        found = result(server, "in_focus_window", {"name": "applications/1/windows/1"})
        assert "no longer exists" in found["content"][0]["text"], found


def lists():
    """It is that of the inner one, byte for byte but for the names; what it does not list is found and described whole."""
    with Inner() as house, house.serve() as server, house.itself() as inner:
        wait_for(server, "in_shown")
        listed = {name: tool for name, tool in tools_of(server).items() if name.startswith("in_")}
        theirs = tools_of(inner)
        same(sorted(listed), sorted("in_" + name for name in theirs))
        for name, tool in theirs.items():
            tool.pop("execution", None)     # the two speak a version of the protocol in which lists do not tell it
            same(json.dumps(listed[f"in_{name}"]), json.dumps({**tool, "name": f"in_{name}"}), name)
        assert "in_hidden" not in listed and "perigee/" not in json.dumps(listed)
        same(listed["in_shown"]["_meta"], {"ours.example/a": 1})
        found = result(server, "search_tools", {"query": "Says hidden"})["structuredContent"]["tools"]
        assert "in_hidden" in [tool["name"] for tool in found], found
        for name in ("shown", "hidden", "focus_window"):
            mine = result(server, "describe_tool", {"name": f"in_{name}"})["structuredContent"]
            own = result(inner, "describe_tool", {"name": name})["structuredContent"]
            for schema in ("inputSchema", "outputSchema"):
                same(mine[schema], own[schema], name)
        kept = warm(house)
        assert "in_hidden" in kept and "perigee/" not in json.dumps(kept), kept.get("in_hidden")


def others_are_told_nothing():
    """Only who asks as a Perigee gets more than the list."""
    with Inner() as house, house.itself() as inner:
        assert "perigee/" not in json.dumps(inner.ask("tools/list"))
        same([name for name in names(inner) if name == "hidden"], [])
        for asked in (False, 1, "true", None, {}):
            assert "perigee/" not in json.dumps(inner.ask("tools/list", {"_meta": {"perigee/known": asked}})), asked
        told = {tool["name"]: tool for tool in inner.ask("tools/list", {"_meta": {"perigee/known": True}})["result"]["tools"]}
        same(told["hidden"]["_meta"]["perigee/listed"], False)
        assert "perigee/listed" not in told["shown"]["_meta"], told["shown"]
        same(told["shown"]["_meta"]["perigee/whole"]["inputSchema"]["properties"]["seldom"], {"type": "integer"})


def toolsets():
    """--toolset of the outer one names its own tools, and that of the inner one limits what there is to know."""
    with Inner() as house, house.serve("--toolset", "screen") as server:
        assert "in_hidden" not in wait_for(server, "in_shown")
        same(result(server, "in_hidden", {"name": "w"})["structuredContent"]["window"], "w")
    with Inner("--toolset", "mine") as house, house.serve() as server:
        found = [name for name in wait_for(server, "in_shown") if name.startswith("in_")]
        assert "in_hidden" in found and "in_focus_window" not in found, found
        got = server.call("in_focus_window", {"window": "w"})
        assert "error" in got, got


def rules():
    """A rule may list what its server does not."""
    with Inner() as house:
        house.rules("in", "return { tools = { hidden = { listed = true }, shown = { listed = false } } }")
        with house.serve() as server:
            found = wait_for(server, "in_hidden")
            assert "in_shown" not in found, found


tap.case("the outer one takes the former names of parameters, and checks the rest as the inner one does", former_names)
tap.case("its list is that of the inner one, and what that leaves out is known", lists)
tap.case("a client that is no Perigee gets the list and nothing else", others_are_told_nothing)
tap.case("toolsets of both", toolsets)
tap.case("rules about what is listed", rules)
tap.done()
