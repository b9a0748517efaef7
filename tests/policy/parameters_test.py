#!/usr/bin/env python3
"""Rules about arguments whose parameter has two names: a rule may use either, and so may the call."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, code_of, text_of     # noqa: E402
import tap                                                 # noqa: E402

RULES = "return { rules = { { %s }, { allow = true } } }"
# A tool, the two names of its parameter, what it is called with, and something else.
TOOLS = (("get_window", "window", "name", "Home", "notes.txt"), ("list_windows", "application", "parent", "Files", "Text Editor"),
         ("open_application", "application", "name", "org.perigee.Calculator", "org.perigee.Files"))


def ways(tool, key, value):
    """The calls that are one and the same: directly, by call_tool, and in a script."""
    yield tool, {key: value}
    yield "call_tool", {"name": tool, "arguments": {key: value}}
    yield "run_lua", {"code": f'return tools.{tool} {{ {key} = "{value}" }}'}


def is_denied(result):
    return "The policy denies" in text_of(result)


def by_either_name():
    for tool, own, other, denied, left in TOOLS:
        for rule in (own, other):
            with Place(RULES % f'deny = "no", tool = "{tool}", args = {{ {rule} = "{denied}" }}') as place, place.serve() as server:
                for key in (own, other):
                    for name, arguments in ways(tool, key, denied):
                        assert is_denied(call(server, name, arguments)[0]), (tool, rule, key, name)
                    assert code_of(call(server, tool, {key: left})[0]) != "denied", (tool, rule, key)


def by_functions():
    for key in ("window", "name"):
        with Place(RULES % f'deny = "no", when = function(facts) return facts.args.{key} == "Home" end') as place, place.serve() as server:
            for given in ("window", "name"):
                assert code_of(call(server, "get_window", {given: "Home"})[0]) == "denied", (key, given)
                assert code_of(call(server, "get_window", {given: "notes.txt"})[0]) != "denied", (key, given)


def by_what_it_is_about():
    """The application that a call is about is found under either name."""
    with Place(RULES % 'deny = "no", app = "Files"') as place, place.serve() as server:
        for key in ("window", "name"):
            for name, arguments in ways("focus_window", key, "Home"):
                assert is_denied(call(server, name, arguments)[0]), (key, name)
            assert code_of(call(server, "focus_window", {key: "notes.txt"})[0]) != "denied", key


def explained():
    """`perigee policy explain` answers the same for either."""
    with Place(RULES % 'deny = "no", tool = "get_window", args = { name = "Home" }') as place:
        for key in ("window", "name"):
            said = subprocess.run([PERIGEE, "policy", "explain", "get_window", f"{key}=Home"], env={**os.environ, **place.env},
                                  capture_output=True, text=True, check=False)
            assert "denies" in said.stdout or "deny" in said.stdout, (key, said)


for title, function in (("a condition on arguments", by_either_name), ("a function of the policy", by_functions),
                        ("the application that a call is about", by_what_it_is_about), ("policy explain", explained)):
    tap.case(title, function)
tap.done()
