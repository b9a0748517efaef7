#!/usr/bin/env python3
"""The question about an effect says what is done: the point, the button, the number, the force."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of            # noqa: E402
import tap                                     # noqa: E402

ASK = 'return { rules = { { ask = "so", effect = { "input", "quit" }, per = "call" }, { allow = true } } }'
POINT = {"x": 300, "y": 200}
DEEDS = (
    ("create_input", {"action": "click", **POINT}, ": click with the left button at 300,200."),
    ("create_input", {"action": "click", **POINT, "button": "right"}, ": click with the right button at 300,200."),
    ("create_input", {"action": "click", **POINT, "count": 2}, ": click with the left button 2 times at 300,200."),
    ("create_input", {"action": "click", **POINT, "modifiers": ["ctrl", "shift"]}, "at 300,200 while ctrl+shift is held."),
    ("create_input", {"action": "move", **POINT}, ": move at 300,200."),
    ("create_input", {"action": "drag", "path": [POINT, {"x": 320, "y": 210}]}, ": drag with the left button from 300,200 to 320,210."),
    ("create_input", {"action": "keys", "keys": "ctrl+q", "count": 50}, 'press the keys "ctrl+q" 50 times in '),
    ("quit_application", {"name": "Text Editor", "force": True}, 'by force.'),
)


def said(name, arguments, words):
    with Place(ASK) as place, place.serve(capabilities={"elicitation": {}}) as server:
        asked = call(server, name, arguments, ["Do not allow"])[1]
        assert asked and words in asked[0]["message"].split("\n")[0], asked


PASTES = 'return { rules = { { ask = "so", effect = "input", per = "call" }, { allow = true } } }'


def copied_meanwhile(change):
    """A paste that was approved is of what was on the clipboard when it was asked about."""
    with Place(PASTES) as place, place.serve(capabilities={"elicitation": {}}) as server:
        call(server, "write_clipboard", {"text": "as it was"})
        waiting = server.post("tools/call", {"name": "create_input", "arguments": {"action": "keys", "keys": "ctrl+v"}})
        asked = server.find(lambda each: each.get("method") == "elicitation/create")
        if change:
            call(server, "write_clipboard", {"text": change})
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": "Allow once"}}})
        result = server.answer(waiting)["result"]
        assert (code_of(result) == "changed") == (change == "another text"), result


for text in (None, "as it was", "another text"):
    tap.case(f"a paste is asked about, and meanwhile there is copied: {text}", copied_meanwhile, text)
for tool, given, expected in DEEDS:
    tap.case(f"{tool} {given}", said, tool, given, expected)
tap.done()
