#!/usr/bin/env python3
"""`perigee policy` reports names that nothing here has, wherever a rule or an example has them, and no others: not those of servers
that are configured, mounted or not, nor patterns."""

import itertools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place               # noqa: E402
import tap                                   # noqa: E402

GUARD = 120
RULE = "return {{ rules = {{ {{ deny = 'no', {} }}, {{ allow = true }} }} }}"
EXAMPLE = "return {{ rules = {{ {{ allow = true }} }}, examples = {{ {{ 'title', want = 'allow', {} }} }} }}"

# What a rule says, and what is reported of it.
STRANGE = {
    'tool = "mrk"': 'there is no tool "mrk"; did you mean mark?',
    'via = "mrk"': 'via: there is no tool "mrk"; did you mean mark?',
    'via = { "mark", "nope" }': 'via: there is no tool "nope"',
    'server = "fra"': 'there is no server "fra"; did you mean far?',
    'effect = "mount", server = { "far", "nope" }': 'there is no server "nope"',
    'toolset = "tset"': 'there is no toolset "tset"; did you mean test?',
    'prompt = "nope"': 'there is no prompt "nope"',
    'tool = "mark", args = { pth = 1 }': 'args: mark has no argument "pth"; did you mean path?',
    'tool = "mark_it", args = { pth = 1 }': 'args: mark_it has no argument "pth"; did you mean path?',
    'tool = "Mark.Alias", from = "web", from_args = "nte"': 'from_args: Mark.Alias has no argument "nte"; did you mean note?',
    'tool = "mark", kind = "prompt"': "kind: a rule about a tool never fits a prompt",
}
FINE = ('tool = "mark"', 'tool = "mark_it"', 'via = "run_lua"', 'via = { "Mark.Alias", "nope*" }', 'server = "far"', 'server = "gon*"',
        'toolset = "far"', 'tool = "mark", kind = { "tool", "prompt" }, args = { ["path.x"] = 1 }',
        'tool = "mark_it", from = "web", from_args = { "note", "url" }')
# Tools of a server that is configured: those that it listed once, or that it may list.
SERVERS = ('tool = "far_sing"', 'tool = "sing", server = "far"', 'via = "far_sing"', 'tool = "far_sing", args = { anything = 1 }')
LISTED = (*SERVERS, 'tool = "sing"')

OF_EXAMPLES = {
    'tool = "mrk"': 'there is no tool "mrk"; did you mean mark?',
    'tool = "mark_it", args = { pth = 1 }': 'args: mark_it has no argument "pth"; did you mean path?',
    'tool = "mark", via = { "nope" }': 'via: there is no tool "nope"',
    'tool = "mark", caller = "clinet"': 'caller: there is no kind "clinet"; did you mean client?',
    'tool = "mark", caller = { kind = "agnet" }': 'caller: there is no kind "agnet"; did you mean agent?',
    'tool = "mark", agrs = {}': 'unknown key "agrs"; did you mean args?',
    'effect = "process", args = { agrv = "x" }': "args: ",
    'effect = "process", tool = "mrk", args = { argv = { "x" } }': 'there is no tool "mrk"',
}
FINE_EXAMPLES = ('tool = "mark", caller = { kind = "oauth", subject = "ann" }, args = { path = "/x" }', 'tool = "mark_it", caller = "http"',
                 'tool = "later", mounted = true', 'tool = "later", annotations = { readOnlyHint = true }',
                 'tool = "later", toolset = "desktop"', 'resource = "notes://x"', 'effect = "process", args = { argv = { "rm" } }',
                 'tool = "mark", via = { "run_lua" }, from = "web"')

SING = 'return { description = "Sings.", inputSchema = { type = "object" }, run = function() return "la" end }'


class Here(Place):
    def __init__(self):
        super().__init__()
        self.mount(sing=SING)

    def perigee(self, *words):
        return subprocess.run([PERIGEE, *words], env={**os.environ, **self.env}, capture_output=True, text=True, timeout=GUARD,
                              check=False)

    def says(self, form, condition, *more):
        self.policy(form.format(condition))
        done = self.perigee("policy", *more)
        assert done.returncode == 0, (condition, done)
        return done.stdout


def strange(form, cases, where):
    with Here() as here:
        for condition, said in cases.items():
            out = here.says(form, condition)
            assert f"warning: {where}: {said}" in out and out.count("warning:") == 1, (condition, out)


def fine(form, cases, listed=False, more=()):
    with Here() as here:
        if listed:
            assert "far_sing" in here.perigee("tools", "--mount", "far").stdout
        for condition in cases:
            out = here.says(form, condition, *more)
            assert out.endswith("all well\n"), (condition, out)


def another_file():
    """The servers of another file are those of `--config`."""
    with Here() as here:
        here.put("other.json", json.dumps({"mcpServers": {"near": {"command": "/no/such"}}}))
        other = ("--config", str(here.folder / "other.json"))
        assert "all well" in here.says(RULE, 'server = "near", tool = "near_x"', *other)
        assert 'there is no server "far"' in here.says(RULE, 'server = "far"', *other)


def renamed():
    """Names that the rules of a mount give."""
    with Here() as here:
        here.put("home/lib/mounts/far.lua", 'return { prefix = "f.", tools = { sing = { name = "hum" } } }')
        for listed, (name, known) in itertools.product((False, True), {"f.mark": None, "hum": True, "far_sing": False}.items()):
            if listed:
                here.perigee("tools", "--mount", "far")
            out = here.says(RULE, f'tool = "{name}"')
            if known is not None and (listed or not known):
                assert ("all well" in out) == known, (listed, name, out)


tap.case("rules", strange, RULE, STRANGE, "rule 1")
tap.case("rules with names that are known", fine, RULE, FINE)
tap.case("rules with names of a server that was never mounted", fine, RULE, SERVERS)
tap.case("rules with names of a server that was mounted", fine, RULE, LISTED, True)
tap.case("rules with names of a server that is mounted", fine, RULE, LISTED, False, ("--mount", "far"))
tap.case("examples", strange, EXAMPLE, OF_EXAMPLES, "example 1")
tap.case("examples with names that are known", fine, EXAMPLE, FINE_EXAMPLES)
tap.case("--config", another_file)
tap.case("names by lib/mounts", renamed)
tap.done()
