#!/usr/bin/env python3
"""A message of our own that repeats the caller's words does not make them text from outside. Nor does what shows the caller its own
deeds: the screen, the clipboard, a file. Other text there is from outside, even if the caller said it first."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of      # noqa: E402
import tap                                # noqa: E402

RULE = 'return { rules = { { ask = "it is from outside", tool = "mark", from = "screen", per = "call" }, { allow = true } } }'
FORM = {"elicitation": {}}
BECAUSE = "is from outside"
WORDS = "wipe the whole archive"
EDITOR = {"application": "Text Editor"}
TEXT = 'text in window "draft.txt"'
# Each repeats the words.
REPEATS = [("click_element", {**EDITOR, "element": f'button "{WORDS}"'}), ("find_elements", {**EDITOR, "text": WORDS}),
           ("get_element", {**EDITOR, "element": f'"{WORDS}"'}), ("get_application", {"name": WORDS}), ("focus_window", {"name": WORDS}),
           ("get_display", {"name": WORDS}), ("get_ui_tree", {"application": WORDS}),
           ("find_elements", {**EDITOR, "near": WORDS, "role": "button"}), ("get_ui_tree", {**EDITOR, "window": WORDS}),
           ("list_windows", {"parent": WORDS}), ("list", {"item_type": "application_windows", "app": WORDS}),
           ("capture_window_screenshot", {"window": WORDS}), ("capture_screenshot", {"display": WORDS}),
           ("quit_application", {"name": WORDS}), ("close_window", {"name": WORDS}), ("open_application", {"name": WORDS}),
           ("activate_application", {"name": WORDS}), ("image", {"app": WORDS}), ("annotate_screenshot", {"window": WORDS}),
           ("list_applications", {"query": WORDS, "installed": True}), ("select_menu_item", {**EDITOR, "path": f"File > {WORDS}"}),
           ("drag_element", {**EDITOR, "element": f'button "{WORDS}"', "to": "1,1"}),
           ("perform_element_action", {**EDITOR, "element": TEXT, "action": WORDS}),
           ("wait_for", {"condition": "text", "text": WORDS, "timeout": 0}),
           ("wait_for", {**EDITOR, "condition": "element", "element": f'button "{WORDS}"', "timeout": 0}),
           ("wait_for", {"condition": "window", "window": WORDS, "timeout": 0}),
           ("wait_for", {**EDITOR, "condition": "value", "element": TEXT, "value": WORDS, "timeout": 0}),
           *[("verify", {**EDITOR, "predicates": [each]}) for each in (
               {"text": WORDS}, {"element": TEXT, "value": WORDS}, {"element": TEXT, "value_contains": WORDS}, {"window": WORDS})],
           *[("act", {**EDITOR, "steps": [each]}) for each in (
               {"find": f'button "{WORDS}"'}, {"menu": WORDS}, {"verify": {"element": TEXT, "value": WORDS}},
               {"wait": {"text": WORDS, "timeout": 0}})],
           ("run_lua", {"code": f"print(select(2, pcall(tools.wait_for, {{ condition = 'text', text = '{WORDS}', timeout = 0 }})))"}),
           ("run_lua", {"code": f'print(select(2, pcall(tools.get_display, {{ name = "{WORDS}" }})))'})]


def asks(server, words):
    return len(call(server, "mark", {"note": words}, ["Do not allow"])[1]) == 1


def repeated():
    for name, arguments in REPEATS:
        with Place(RULE) as place, place.serve(capabilities=FORM) as server:
            said, _ = call(server, name, arguments)
            assert WORDS in text_of(said), (name, said)
            assert not asks(server, WORDS), (name, said)


def refused():
    """The reason of a question about words that were refused is not that they are from outside."""
    rules = """return { rules = { { ask = "it is from outside", effect = "input", from = "screen", per = "call" },
      { ask = "it is input", effect = "input", per = "call" }, { allow = true } } }"""
    with Place(rules) as place, place.serve(capabilities=FORM) as server:
        for arguments in ({"action": "type", "text": WORDS}, {"action": "type", "text": "and then " + WORDS},
                          {"action": "keys", "keys": "ctrl+shift+pageup"}, {"action": "keys", "keys": "Ctrl+Shift+PageUp"}):
            _, asked = call(server, "create_input", arguments, ["Do not allow"])
            assert asked and "it is input" in asked[0]["message"] and BECAUSE not in asked[0]["message"], (arguments, asked)


def pressed_twice():
    """A result says which keys were pressed."""
    rule = 'return { rules = { { deny = "it is from outside", effect = "input", from = "screen" }, { allow = true } } }'
    with Place(rule) as place:
        for _ in range(2):   # also in the next session
            with place.serve() as server:
                for keys in ("ctrl+shift+c", "Ctrl+Shift+C", "ctrl+alt+shift+pageup", "ctrl+alt+t", "shift+pageup", "ctrl+alt+t"):
                    for _ in range(2):
                        result = call(server, "create_input", {"action": "keys", "keys": keys})[0]
                        assert not result.get("isError"), (keys, result)


def from_outside_before():
    """Words that were from outside stay so, however often messages repeat them."""
    shown = "notes.txt (Text Editor)"
    for name, arguments in (("get_display", {"name": shown}), ("wait_for", {"condition": "text", "text": shown, "timeout": 0}),
                            ("create_input", {"action": "type", "text": shown}), ("write_clipboard", {"text": shown})):
        with Place(RULE) as place, place.serve(capabilities=FORM) as server:
            assert "notes.txt" in text_of(call(server, "list_windows")[0])
            call(server, name, arguments)
            assert asks(server, shown), name


def on_the_screen():
    """The nearest elements of such a message, and a result that has the same words, are from the screen."""
    with Place(RULE) as place, place.serve(capabilities=FORM) as server:
        said, _ = call(server, "click_element", {**EDITOR, "element": 'button "Sav"'})
        assert 'in window "draft.txt"' in text_of(said), said
        assert asks(server, 'button Save in window draft.txt'), said
    title = "notes.txt (Text Editor)"
    with Place(RULE) as place, place.serve(capabilities=FORM) as server:
        call(server, "get_display", {"name": title})
        assert not asks(server, title)
        assert "notes.txt" in text_of(call(server, "list_windows")[0])
        assert asks(server, title)


PAGE = """
return { description = "Shows something.", from = "%s", annotations = { readOnlyHint = true },
  inputSchema = { type = "object", properties = { word = { type = "string" } } }, run = function() return (require("sys.fs").read("shown")) end }
"""
SENT = "my dear friend how are you"
ROWS = [("see", "that " + SENT), ("how are", "you today then"), ("you today", "then again")]
# By each of them a caller sends words of its own.
DEEDS = [("write_clipboard", {"text": SENT}), ("create_input", {"action": "type", "text": SENT}),
         ("create_input", {"action": "type", "text": SENT + "\n"}), ("create_input", {"action": "paste", "text": SENT}),
         ("write_element_value", {**EDITOR, "element": TEXT, "value": SENT}), ("act", {"steps": [{"type": SENT}]}),
         ("run_lua", {"code": f'tools.write_clipboard{{ text = tostring("{SENT}") }}'})]
OUTSIDE = '{ "screen", "clipboard", "file", "web" }'
JUDGED = """return { rules = {
  { allow = "its effects count", tool = { "show", "page" } },
  { ask = "it is from outside", tool = "mark", from = %s, own_paths = true, per = "call" },
  { deny = "it is from outside", effect = { "clipboard", "input", "press" }, from = %s, own_paths = true },
  { allow = true } } }""" % (OUTSIDE, OUTSIDE)


def world():
    return Place(JUDGED, show=PAGE % "screen", page=PAGE % "web", clip=PAGE % "clipboard", file=PAGE % "file")


def shows(place, server, *texts, by="show"):
    place.put("work/shown", " ".join(texts))
    assert texts[0] in text_of(call(server, by)[0])


def sent_again(shower):
    for name, arguments in DEEDS:
        with world() as place, place.serve(capabilities=FORM) as server:
            assert not call(server, name, arguments)[0].get("isError"), name
            shows(place, server, "Here is", SENT, "as it was sent", by=shower)
            assert not asks(server, SENT), (name, "as it is")
            for again, more in DEEDS:   # each begins a line
                assert not call(server, "create_input", {"action": "keys", "keys": "enter"})[0].get("isError")
                result, _ = call(server, again, more)
                assert not result.get("isError"), (name, again, result)
            assert not asks(server, SENT), (name, "once more")
            assert asks(server, "Here is " + SENT), (name, "with words beside it")
            assert asks(server, "dear friend how"), (name, "a part")


def not_laundered():
    """Words that were outside first are never the caller's: not by typing, copying, saving or repeating them, nor in pieces."""
    for name, arguments in DEEDS:
        with world() as place, place.serve(capabilities=FORM) as server:
            shows(place, server, "Here is", SENT, "as it was sent")
            call(server, name, arguments)
            shows(place, server, "Here is", SENT, "as it was sent")
            assert asks(server, SENT), name
    with world() as place, place.serve(capabilities=FORM) as server:   # nor by a source that shows none of its deeds
        call(server, "write_clipboard", {"text": SENT})
        shows(place, server, SENT, by="page")
        assert asks(server, SENT)
    for first, second in ROWS:   # a row across two texts, of which the caller chose one or both
        with world() as place, place.serve(capabilities=FORM) as server:
            for each in (first, second):
                call(server, "write_clipboard", {"text": each})
            shows(place, server, first, second)
            _, asked = call(server, "mark", {"note": first, "path": second}, ["Do not allow"])
            assert len(asked) == 1, (first, second)


def words_beside():
    """An argument takes no word out of a sentence that somebody else wrote: the words around it would be no row any more."""
    for word in ("archive", "the", "whole archive", "wipe", "old-archive", "apt+install"):
        sentence = f"now wipe {word} quickly then"
        with world() as place, place.serve(capabilities=FORM) as server:
            place.put("work/shown", sentence)
            assert sentence in text_of(call(server, "show", {"word": word})[0])
            assert asks(server, f"wipe {word} quickly"), word


tap.case("words that a message repeats are the caller's", repeated)
tap.case("words around the caller's are from outside", words_beside)


def sent_once_more():
    """The very same words, copied or opened by their author, who has seen them on the screen since; no others."""
    rule = 'return { rules = { { deny = "no", effect = { "clipboard", "start" }, from = "screen" }, { allow = true } } }'
    shown = "notes.txt (Text Editor)"
    with Place(rule) as place, place.serve() as server:
        def copies(text):
            return code_of(call(server, "write_clipboard", {"text": text})[0])
        assert copies(shown) is None
        assert "notes.txt" in text_of(call(server, "list_windows")[0])
        assert copies(shown) is None and copies("open notes.txt now") == "denied" and copies("notes.txt") == "denied"


tap.case("words of one's own may be sent once more", sent_once_more)
for source in ("show", "clip", "file"):
    tap.case(f"words of one's own may be sent again after they were read: {source}", lambda source=source: sent_again(source))
tap.case("words from outside never become one's own", not_laundered)
tap.case("words that were refused are not from outside", refused)
tap.case("keys may be pressed twice", pressed_twice)
tap.case("words that were from outside before stay so", from_outside_before)
tap.case("words of the screen are from outside", on_the_screen)
tap.done()
