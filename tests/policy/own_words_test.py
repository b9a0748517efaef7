#!/usr/bin/env python3
"""A message of our own that repeats the caller's words does not make them text from outside; what is on the screen is from there,
even if the caller said it first."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of      # noqa: E402
import tap                                # noqa: E402

RULE = 'return { rules = { { ask = "it is from outside", tool = "mark", from = "screen", per = "call" }, { allow = true } } }'
FORM = {"elicitation": {}}
WORDS = "wipe the whole archive"
EDITOR = {"application": "Text Editor"}
# Each repeats the words and finds nothing.
REPEATS = [("click_element", {**EDITOR, "element": f'button "{WORDS}"'}), ("find_elements", {**EDITOR, "text": WORDS}),
           ("get_element", {**EDITOR, "element": f'"{WORDS}"'}), ("get_application", {"name": WORDS}), ("focus_window", {"name": WORDS}),
           ("get_display", {"name": WORDS}), ("get_ui_tree", {"application": WORDS})]


def asks(server, words):
    return len(call(server, "mark", {"note": words}, ["Do not allow"])[1]) == 1


def repeated():
    for name, arguments in REPEATS:
        with Place(RULE) as place, place.serve(capabilities=FORM) as server:
            said, _ = call(server, name, arguments)
            assert WORDS in text_of(said), (name, said)
            assert not asks(server, WORDS), (name, said)


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


tap.case("words that a message repeats are the caller's", repeated)
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
tap.case("words of the screen are from outside", on_the_screen)
tap.done()
