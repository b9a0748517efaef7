#!/usr/bin/env python3
"""Values that nothing can have are errors when the policy loads, with the line, and `perigee policy` warns of arguments that a rule's
tools do not have."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, TOP, Place          # noqa: E402
import tap                                   # noqa: E402

IMPOSSIBLE = {
    'effect = "input", keys = "ctl+w"': "ctrl", 'effect = "input", keys = { "ctrl+w", "ctrl+retrun" }': "return", 'effect = "input", keys = "f25"': "",
    'effect = "input", keys = "ctrl+a+b"': "not modifiers", 'effect = "input", keys = ""': "", 
    'effect = "input", keys = "ctrl+*+ent"': "enter", 'effect = "input", keys = "ctrl w"': "",
    'effect = "request", host = "https://x.example"': "host alone", 'effect = "request", host = "x.example:80"': "host alone",
    'effect = "request", host = { "y.example", "x.example/" }': "not a host", 'effect = "request", host = "*.example:443"': "host alone",
    'effect = "request", host = "u@x.example"': "not a host", 'effect = "request", host = "x..example"': "not a host",
    'args = { url = { host = "https://x.example" } }': "host alone", 'args = { url = { host = { "a.example", "x.example:80" } } }': "host alone",
    'effect = "press", role = "buton"': "button", 'effect = "press", role = { "button", "push button" }': "", 'effect = "press", role = "xx*"': "",
}
POSSIBLE = ('effect = "input", keys = "ctrl+w"', 'effect = "input", keys = { "Control+W", "enter", "F24", "+", "ctrl++", "Page_Up", "shift+\u00e9" }',
            'effect = "input", keys = "ctrl"', 'effect = "input", keys = { "*", "ctrl+*", "*+shift+x" }', 'effect = "input", keys = "xf86_audio_play"',
            'effect = "request", host = { "x.example", "*.example", "127.0.0.1", "::1", "[::1]", "localhost", "X.EXAMPLE." }',
            'effect = "request", host = "b\u00fccher.example"', 'args = { url = { host = "*.example.com" } }',
            'effect = "press", role = { "button", "menu*", "checkbox" }')


def check(policy, **tools):
    with Place(policy, **tools) as at:
        return subprocess.run([PERIGEE, "policy", "check"], env={**os.environ, **at.env}, capture_output=True, text=True, timeout=120)


def rule(condition, before=""):
    return f'return {{\n  rules = {{\n    {before}{{ deny = "no", {condition} }},\n    {{ allow = true }} }} }}'


def impossible():
    for condition, said in IMPOSSIBLE.items():
        done = check(rule(condition, "\n\n"))
        assert done.returncode == 1 and "rules[1]" in done.stderr and said in done.stderr, (condition, done)
        assert re.search(r"policy\.lua:5: rules\[1\]\.(keys|host|role|args\.url): ", done.stderr), (condition, done.stderr)


def possible():
    for condition in POSSIBLE:
        done = check(rule(condition))
        assert done.returncode == 0 and "all well" in done.stdout, (condition, done)


def names_are_those_of_the_program():
    lua = (TOP / "lua/lib/policy/possible.lua").read_text()
    chord = (TOP / "src/platform/chord.c").read_text()
    keys = {name.replace("_", "") for name in re.findall(r'\{ "(\w+)", ', chord)}
    listed = set(re.search(r"MODIFIER_NAMES = list_of \[\[(.*?)\]\]", lua, re.S)[1].split()) | \
        set(re.search(r"KEY_NAMES = list_of \[\[(.*?)\]\]", lua, re.S)[1].split())
    assert len(keys) > 80 and keys == listed, keys ^ listed
    roles = set(re.findall(r'\[ELEMENT_\w+\] = "(\w+)"', (TOP / "src/platform/element_words.c").read_text()))
    assert len(roles) > 40 and roles == set(re.search(r"ROLE_NAMES = list_of \[\[(.*?)\]\]", lua, re.S)[1].split())


def arguments():
    for condition, said in (('tool = "mark", args = { pth = { given = true } }', 'args: mark has no argument "pth"; did you mean path?'),
                            ('tool = "mark", from = "screen", from_args = "nte"', 'from_args: mark has no argument "nte"; did you mean note?'),
                            ('tool = { "mark", "create_input" }, args = { ["bogus.x"] = 1 }', 'no argument "bogus"'),
                            ('tool = "mark", args = { path = { given = true } }', None), ('tool = { "mark", "create_input" }, args = { keys = "x" }', None),
                            ('tool = "mark", from = "screen", from_args = { "note", "url" }', None), ('args = { anything = 1 }', None),
                            ('tool = "mar*", args = { pth = 1 }', None), ('tool = "free", args = { pth = 1 }', None),
                            ('tool = "mrk", args = { pth = 1 }', 'there is no tool "mrk"')):
        done = check(rule(condition), free='return { description = "Takes all.", inputSchema = { type = "object", additionalProperties = true }, '
                     'run = function() return "x" end }')
        assert done.returncode == 0 and ("warning" in done.stdout) == (said is not None) and (said or "") in done.stdout, (condition, done)


for title, function in (("impossible values", impossible), ("possible values", possible), ("keys and roles are those of the program",
                        names_are_those_of_the_program), ("arguments that no tool has", arguments)):
    tap.case(title, function)
tap.done()
