#!/usr/bin/env python3
"""A run is marked by every text that its calls get: by titles in errors and effects of tools that act, by what is said of tools of
others when they are called wrongly or searched, and no run by what only says what it did."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
import tap                                        # noqa: E402

RULES = "return { rules = { { deny = 'copied', tool = 'mark', from = { 'screen', 'mount' } }, { allow = true } } }"
ODD = ('return { description = "%s", inputSchema = { type = "object", properties = { %s = { type = "integer", minimum = 1101 } }, '
       'required = { "%s" } }, run = function() return "done" end }')
FOREIGN = ('return { trust = "foreign", description = "echo", inputSchema = { type = "object", properties = { n = { type = "integer", '
           'minimum = 1101 } } }, run = function() return "done" end }')

# Calls whose answers have text that others chose.
TELL = {
    "titles in an error": 'pcall(tools.handle_dialog, {})',
    "candidates in an error": 'pcall(tools.focus_window, { name = "x" })',
    "items of a menu in an error": 'pcall(tools.select_menu_item, { path = "Nothing > There", application = "Text Editor" })',
    "elements in an error": 'pcall(tools.click_element, { element = "button \\"Nothing\\"", application = "Text Editor" })',
    "the number in an error of arguments": 'pcall(tools.far_odd, { wombat = 1 })',
    "the name in an error of arguments": 'pcall(tools.far_odd, {})',
    "the same by call_tool": 'pcall(tools.call_tool, { name = "far_odd", arguments = {} })',
    "a name that nearly fits": 'pcall(tools.far_od, {})',
    "a property that nearly fits": 'pcall(tools.far_odd, { wombas = 1 })',
    "an error of a foreign tool's arguments": 'pcall(tools.others, { n = 1 })',
    "a description of one word": 'tools.search_tools { query = "far_odd", limit = 1 }',
    "the same of a foreign tool": 'tools.search_tools { query = "others", limit = 1 }',
}
# Calls that only say what was done, or what of our own is wrong.
TELL_NOT = {
    "typing": 'tools.create_input { action = "type", text = "hello there" }',
    "keys": 'tools.create_input { action = "keys", keys = "ctrl+s" }',
    "a click": 'tools.create_input { action = "click", x = 100, y = 100 }',
    "wrong arguments of our own": 'pcall(tools.create_input, { action = "fly" })',
    "an unknown tool": 'pcall(tools.create_inputs, {})',
    "a search of our own": 'tools.search_tools { query = "take a screenshot", limit = 1 }',
    "copying": 'tools.write_clipboard { text = "hello there" }',
}


def denied(server, name, code):
    """Whether a run is that did this before."""
    result, _ = call(server, "run_lua", {"code": f"{code} return tools.mark {{ note = 'mine' }}"})
    said = text_of(result)
    assert said == "marked" or "copied" in said, (name, result)
    return said != "marked"


def runs():
    with Place(RULES, others=FOREIGN) as place:
        with place.serve() as server:
            marked = [name for name, code in TELL_NOT.items() if denied(server, name, code)]
            assert not marked, marked
        place.mount(odd=ODD % ("echo", "wombat", "wombat"))
        with place.serve("--mount", "far") as server:
            place.wait_for_mounted(server, "far_odd")
            missed = [name for name, code in TELL.items() if not denied(server, name, code)]
            assert not missed, missed


def codes():
    """The code of an own tool that says where its content is from is kept as its text is."""
    fails = ('return { description = "Fails.", from = "%s", inputSchema = { type = "object" }, '
             'run = function() return nil, "m", "kindly_code_alpha_of_%s" end }')
    rules = "return { rules = { { deny = 'copied', tool = 'mark', from = { 'web', 'file', 'clipboard', 'screen' } }, { allow = true } } }"
    for source in ("web", "file", "clipboard", "screen"):
        with Place(rules, fails=fails % (source, source)) as place, place.serve() as server:
            words = {"note": f"kindly_code_alpha_of_{source}"}
            assert code_of(call(server, "mark", words)[0]) is None
            call(server, "fails")
            assert code_of(call(server, "mark", words)[0]) == "denied", source


for title, function in (("a run and what its calls tell", runs), ("codes", codes)):
    tap.case(title, function)
tap.done()
