#!/usr/bin/env python3
"""A step of act is judged as the tools that it stands for, and so are its waits and checks."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
import tap                                        # noqa: E402

SAVE = 'button "Save"'
PREDICATE = {"element": SAVE, "condition": "enabled"}
STEPS = {
    "get_element": {"find": SAVE}, "click_element": {"click": SAVE}, "write_element_value": {"set": "text", "value": "x"},
    "drag_element": {"drag": SAVE, "to": SAVE}, "drop_files": {"drop": ["/a"], "to": SAVE}, "select_menu_item": {"menu": "File > New"},
    "create_input": {"type": "x"}, "verify": {"verify": PREDICATE}, "wait_for": {"wait": {**PREDICATE, "timeout": 0}},
}


def by_name():
    """The step is refused where its tool is, and no other is."""
    for tool, step in STEPS.items():
        for other, theirs in STEPS.items():
            policy = 'return { rules = { { deny = "not this", tool = "%s" }, { allow = true } } }' % tool
            denied = tool == other or (tool, other) == ("verify", "wait_for")
            with Place(policy) as place, place.serve() as server:
                result, _ = call(server, "act", {"application": "Text Editor", "steps": [{"find": SAVE}, theirs] if tool != "get_element"
                                                 else [theirs]})
                assert (code_of(result) == "denied" and f"denies {tool}" in text_of(result)) == denied, (tool, other, result)
        assert step


def of_an_application():
    """A wait or a check that names none is about what has the focus, as verify is."""
    policy = 'return { rules = { { allow = true, app = "org.perigee.TextEditor" } }, otherwise = "deny" }'
    with Place(policy) as place, place.serve() as server:
        for kind in ("wait", "verify"):
            for predicate, denied in ((PREDICATE, False), ({**PREDICATE, "application": "Files"}, True), ({**PREDICATE, "window": "Home"}, True),
                                      ({"text": "Home", "application": "applications/102"}, True)):
                result, _ = call(server, "act", {"steps": [{kind: predicate}]})
                assert (code_of(result) == "denied") == denied, (kind, predicate, result)


PAGE = 'return { description = "Reads.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" }, ' \
       'run = function() return "harmless page words" end }'


def all_steps_are_shown():
    """The question about one step shows all steps: the answer holds for all of them."""
    policy = 'return { rules = { { ask = "so", effect = { "input", "press" }, from = "web", per = "call" }, { allow = true } } }'
    for count in (3, 20):
        with Place(policy, page=PAGE) as place, place.serve(capabilities={"elicitation": {}}) as server:
            call(server, "page")
            steps = [{"type": "harmless page words"}] + [{"type": f"rm -rf number{i}"} for i in range(1, count)]
            _, asked = call(server, "act", {"application": "Text Editor", "steps": steps}, ["Allow once"])
            assert len(asked) == 1 and "also holds for what act does" in asked[0]["message"], asked
            for i in range(1, count):
                assert f'steps {i + 1}: {{ type = "rm -rf number{i}" }}' in asked[0]["message"], asked[0]["message"]


for title, function in (("all steps are shown", all_steps_are_shown), ("by the names of their tools", by_name), ("by their application", of_an_application)):
    tap.case(title, function)
tap.done()
