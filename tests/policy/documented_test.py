#!/usr/bin/env python3
"""docs/policy.md and docs/policy-examples.md: each policy in it loads and does what its heading says, and its commands say what the page says."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, TOP, Place, call, code_of, text_of       # noqa: E402
import tap                                                        # noqa: E402

PAGE = "\n".join((TOP / "docs" / name).read_text(encoding="utf-8") for name in ("policy.md", "policy-examples.md"))
# The desktop in memory has no calculator; its editor has the focus.
IN_MEMORY = {"org.gnome.Calculator": "org.perigee.TextEditor"}
FILES = "applications/102/windows/104"
RUN_SHELL = """return { description = "Runs.", inputSchema = { type = "object" }, run = function()
  local done, err, code = require("sys.process").run { "echo", "ran" } return done and done.stdout, err, code end }"""


def block(heading):
    """The Lua code that follows these words."""
    found = re.search(re.escape(heading) + r".*?```lua\n(.*?)```", PAGE, re.DOTALL)
    assert found, f"the pages have no code after {heading!r}"
    text = found.group(1)
    for there, here in IN_MEMORY.items():
        text = text.replace(there, here)
    return text


def perigee(place, *words, status=0):
    env = {**os.environ, **place.env, "NO_COLOR": "1"}
    done = subprocess.run([PERIGEE, *words], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status, (words, done)
    return done.stdout


def place(heading):
    made = Place(block(heading), run_shell=RUN_SHELL)
    said = perigee(made, "policy")
    assert said.endswith("all well\n"), (heading, said)
    return made


def code(server, name, /, **arguments):
    """The code of the call's failure, or None."""
    return code_of(call(server, name, arguments)[0])


MOVE = {"name": FILES, "x": 5, "y": 5}


def read_only():
    with place("**Read only**") as here, here.serve() as server:
        assert code(server, "list_windows") is None and code(server, "get_window", name=FILES) is None
        assert code(server, "move_window", **MOVE) == "denied" and code(server, "run_lua", code="return 1") == "denied"
        assert code(server, "mark") == "denied" and here.trace() == []
        perigee(here, "call", "move_window", f"name={FILES}", "x=5", "y=5", status=3)


def ask_for_everything():
    with place("**Ask for everything**") as here, here.serve(capabilities={"elicitation": {}}) as server:
        assert call(server, "list_windows")[1] == []
        result, asked = call(server, "move_window", MOVE, "Do not allow")
        assert len(asked) == 1 and code_of(result) == "denied", result
        result, asked = call(server, "run_lua", {"code": "return tools.mark{}"}, "Allow once")
        assert len(asked) == 1 and "It is called by run_lua." in asked[0]["message"], asked
        assert here.trace() == ["ran"]
        perigee(here, "call", "move_window", f"name={FILES}", "x=5", "y=5")


def one_application():
    with place("**One application only**") as here, here.serve() as server:
        assert code(server, "create_input", action="type", text="x") is None
        assert code(server, "get_ui_tree", application="Text Editor") is None
        assert code(server, "list_windows", parent="Text Editor") is None
        for name, arguments in (("move_window", MOVE), ("get_ui_tree", {"application": "Files"}), ("get_clipboard", {}),
                                ("list_windows", {}), ("capture_screenshot", {}), ("mark", {}), ("open_application", {"name": "Files"})):
            assert code(server, name, **arguments) == "denied", name
        said = text_of(call(server, "run_lua", {"code": "return tools.move_window{name='%s', x=1, y=1}" % FILES})[0])
        assert "denies move_window" in said, said


def unattended():
    with place("**Unattended in a container**") as here, here.serve() as server:
        assert code(server, "move_window", **MOVE) is None and code(server, "mark") is None
        assert code(server, "run_shell") == "denied"


def team():
    with place("**A team's HTTP server**") as here:
        def verdict(tool, *more):
            return json.loads(perigee(here, "policy", "explain", "--json", *more, tool))["verdict"]
        for subject, other in (("ann@example.com", "allow"), ("joe@example.com", "allow"), ("eve@example.com", "deny")):
            as_subject = ("--caller", "oauth", "--subject", subject)
            assert verdict("list_windows", *as_subject) == "allow" and verdict("click_element", *as_subject) == other, subject
        assert verdict("click_element", "--caller", "client", "--client", "ann@example.com") == "deny"


def first_example():
    with place("## A file of your own") as here, here.serve(capabilities={"elicitation": {}}) as server:
        assert code(server, "get_clipboard") == "denied" and code(server, "list_windows") is None
        result, asked = call(server, "capture_screenshot", {"path": str(here.folder / "work/a.png")}, "Do not allow")
        assert len(asked) == 1 and "Why you are asked: it saves a file." in asked[0]["message"], asked
        assert code_of(result) == "denied", result
        assert len(call(server, "create_input", {"action": "type", "text": "x"}, "decline")[1]) == 1, "otherwise"


def explained():
    """`perigee policy explain` of a program's path, under the policy that comes with the program."""
    with Place(None) as here:
        said = perigee(here, "policy", "explain", "start", "name=/bin/sh")
        assert said.startswith("ask\n") and "it is not an application of the desktop" in said, said


def examples():
    rules = block("## A file of your own").replace('otherwise = "ask",', 'otherwise = "ask",\n' + block("## Examples in the file"))
    with Place(rules) as here:
        said = perigee(here, "policy", "test")
        for line in ("  ok   no client reads the clipboard", "  ok   typing into the editor", " passed, 0 failed"):
            assert line in said, said


for title, function in (("read only", read_only), ("ask for everything", ask_for_everything),
                        ("one application only", one_application), ("unattended in a container", unattended),
                        ("a team's HTTP server", team), ("the file of your own", first_example),
                        ("the rule that decides", explained), ("examples in the file", examples)):
    tap.case(f"docs/policy.md: {title}", function)
tap.done()
