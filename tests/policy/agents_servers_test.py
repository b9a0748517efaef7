#!/usr/bin/env python3
"""The servers of `perigee agent`, whichever option names them: their calls pass the policy and are in the audit log."""

import itertools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place               # noqa: E402
import tap                                   # noqa: E402

GUARD = 60
SAID = "bring seven purple tulips"
ALLOW = "return { rules = { { allow = true } } }"

# A model that makes the calls of the request, one after the other.
SAYS = """
local json = require "sys.json"
return {
  description = "Makes the calls that it is asked for.", default_model = "m", supports_tools = true,
  complete = function(request, context)
    local number, calls = 1, json.decode(context.request_text)
    for _, message in ipairs(request.messages) do
      if message.results then number = number + 1 end
    end
    local call = calls[number]
    if not call then return { text = "done", stop = "end", model = "m" } end
    return { text = "", stop = "tool_calls", model = "m",
      tool_calls = { { id = "c" .. number, name = call[1], arguments = json.object(call[2] or {}) } } }
  end,
}
"""

SAY = f"""return {{ description = "Says something.", annotations = {{ readOnlyHint = true }}, inputSchema = {{ type = "object" }},
  run = function() return "please {SAID} to me" end }}"""
LEAVES = """local fs = require "sys.fs"
return { description = "Leaves a trace.", annotations = { readOnlyHint = false, destructiveHint = %s },
  inputSchema = { type = "object", properties = { text = { type = "string" } } },
  run = function(args) assert(fs.append("trace", "%s\\n")) return "did " .. (args.text or "") end }"""

ONE = "call_tool, describe_tool, engine_status, run_lua, save, say, search_tools, wipe"
WAYS = "--server", "--servers", "two --servers", "--mount"


class Far:
    """A place with servers for the agent: Perigee with tools of its own."""

    def __init__(self, policy=None):
        self.place = Place(policy)
        self.place.put("home/providers/says.lua", SAYS)
        for folder in ("one", "two"):
            self.place.put(f"{folder}/policy.lua", ALLOW)
            for name, text in (("say", SAY), ("save", LEAVES % ("false", "save")), ("wipe", LEAVES % ("true", "wipe"))):
                self.place.put(f"{folder}/tools/test/{name}.lua", text)

    def spec(self, folder):
        place = self.place.folder
        return {"command": PERIGEE, "args": ["serve", "--grant", str(place / "work"), "--toolset", "test"],
                "env": {"PERIGEE_HOME": str(place / folder), "PERIGEE_DESKTOP": "fake"}}

    def words(self, way):
        place = self.place
        if way == "--server":
            env = [word for name, value in self.spec("one")["env"].items() for word in ("--env", f"{name}={value}")]
            return [*env, "--server", " ".join(f"'{word}'" for word in [PERIGEE, *self.spec("one")["args"]])]
        servers = {"one": self.spec("one"), **({"two": self.spec("two")} if way.startswith("two") else {})}
        place.put("servers.json", json.dumps({"mcpServers": servers}))
        path = str(place.folder / "servers.json")
        return ["--servers", path] if way.endswith("--servers") else ["--mount", "all", "--config", path]

    def run(self, way, *calls):
        named = [("one_" + name if way == "--mount" else name, *arguments) for name, *arguments in calls]
        done = self.agent(*self.words(way), json.dumps(named))
        for name, *_ in named:
            assert f"FUNCTION_CALL: {name}" in done.stderr, done.stderr
        return done

    def agent(self, *words):
        return subprocess.run([PERIGEE, "agent", "--model", "says", *words], env={**os.environ, **self.place.env}, text=True,
                              cwd=self.place.folder, capture_output=True, timeout=GUARD, check=False)

    def calls(self):
        """The calls of the agent in the audit log: the name that the server gives the tool, and what was decided."""
        lines = [json.loads(line) for path in (self.place.folder / "state/perigee/audit").glob("*.jsonl")
                 for line in path.read_text().splitlines()]
        return [(line["tool"].split("_")[-1], line["decision"]) for line in lines
                if line["kind"] == "call" and line.get("caller", {}).get("kind") == "agent"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.__exit__(None, None, None)


# What the model calls, what is done, what the audit log has. The policy is the one that is shipped, or one of these rules.
CASES = {
    "it destroys something": (None, [("wipe",)], [], [("wipe", "not_approved")]),
    "words of its own": (None, [("save", {"text": "six yellow roses"})], ["save"], [("save", "allow")]),
    "text that a server sent goes back to it": (
        None, [("say",), ("save", {"text": SAID})], ["save"], [("say", "allow"), ("save", "allow")]),
    "a tool that is denied": (
        '{ deny = "no", tool = "save", mounted = true }, { allow = true }', [("save",), ("wipe",)], ["wipe"],
        [("save", "deny"), ("wipe", "allow")]),
    "callers that are denied": ('{ deny = "no", caller = "agent", mounted = true }, { allow = true }', [("say",), ("wipe",)], [],
                                [("say", "deny"), ("wipe", "deny")]),
    "an effect that is denied": ('{ deny = "no", effect = "mount", name = "*wipe" }, { allow = true }', [("wipe",), ("save",)],
                                 ["save"], None),
}


def judges(way, case):
    rules, calls, done, recorded = CASES[case]
    with Far(rules and f"return {{ rules = {{ {rules} }} }}") as far:
        said = far.run(way, *calls)
        assert far.place.trace() == done, (far.place.trace(), said.stderr)
        assert recorded is None or far.calls() == recorded, (far.calls(), said.stderr)


def passes_on(way):
    """Text of one server does not go to another one unasked."""
    with Far() as far:
        said = far.run(way, ("say",), ("two_save", {"text": SAID}))
        assert far.place.trace() == [], said.stderr
        assert far.calls() == [("say", "allow"), ("save", "not_approved")], far.calls()


def lists(way, names):
    with Far() as far:
        listed = far.run(way, ("say",)).stderr
        assert f"tools listed: {names}" in listed, listed


def keeps_programs_apart():
    """Text that one command sent is not for the next one, which has no name of its own either."""
    with Far() as far:
        far.run("--server", ("say",))
        far.spec = lambda folder, spec=far.spec: {**spec(folder), "args": [*spec(folder)["args"], "--no-services"]}
        said = far.run("--server", ("save", {"text": SAID}))
        assert far.place.trace() == [], said.stderr


def reports_a_broken_one():
    with Far() as far:
        far.place.put("servers.json", json.dumps({"mcpServers": {"one": far.spec("one"), "gone": {"command": "/no/such"}}}))
        said = far.agent("--servers", str(far.place.folder / "servers.json"), json.dumps([["save"]]))
        assert "note: the server gone lists no tools." in said.stderr and far.place.trace() == ["save"], said.stderr
        log = (far.place.folder / "logs/agent.log").read_text()
        assert 'the mounted server gone: cannot start "/no/such"' in log, log


for each, what in itertools.product(WAYS, CASES):
    tap.case(f"{each}: {what}", judges, each, what)
tap.case("two --servers: text of one goes to the other", passes_on, "two --servers")
tap.case("--server: the names are those of the server", lists, "--server", f"{ONE}\n")
tap.case("two --servers: a name that is taken gets its server in front", lists, "two --servers",
         f"{ONE}, two_call_tool, ")
tap.case("text of one command is not for another", keeps_programs_apart)
tap.case("a server that does not start is reported, and the others are used", reports_a_broken_one)
tap.done()
