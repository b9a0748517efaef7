#!/usr/bin/env python3
"""Words that several mounted servers say of themselves may go to each of them: from a call, and from a run."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, text_of                  # noqa: E402
import tap                                   # noqa: E402

TOOL = """return { description = %r, annotations = { readOnlyHint = false, destructiveHint = false },
  inputSchema = { type = "object", additionalProperties = true }, run = function() return "saved" end }"""
COMMON = "application/json", "2026-11-29", "origin/main"
SERVERS = ("far", "near", "third")
CALL = "return tools.%s_saves { words = '%s' }"
SEEN = "local words = '%s' return tools.%s_saves { note = 'mine' }"
PASSED = "local text = tools.%s_saves { words = '%s' } return tools.%s_saves { words = 'mine' }"


def is_refused(server, tool, args):
    """A user who is asked refuses it; a second time it is not asked."""
    result, _ = call(server, tool, args, ["Do not allow"])
    return result.get("isError", False) and "refused" in text_of(result)


def check(common, own):
    """Each server says what all say, and something of its own."""
    def questions():
        with Place(None) as at:
            for server in SERVERS:
                at.mount(server, saves=TOOL % f"Saves as {common}, and {own} of {server}.")
            with at.serve("--mount", "all", capabilities={"elicitation": {}}) as server:
                for name in SERVERS:
                    at.wait_for_mounted(server, f"{name}_saves")
                for name in SERVERS:
                    for word in COMMON:
                        assert not call(server, f"{name}_saves", {"words": word})[1], (name, word)
                        for code in (CALL % (name, word), SEEN % (word, name)):
                            assert not call(server, "run_lua", {"code": code})[1], code
                    assert not call(server, "run_lua", {"code": PASSED % (name, COMMON[0], name)})[1], name
                for name, other in (("far", "near"), ("near", "third"), ("third", "far")):
                    words = f"{own} of {other}"
                    assert not call(server, f"{other}_saves", {"words": words})[1], words
                    for tool, args in ((f"{name}_saves", {"words": words}), ("run_lua", {"code": CALL % (name, words)}),
                                       ("run_lua", {"code": SEEN % (f"{words} {COMMON[0]}", name)})):
                        assert is_refused(server, tool, args), (tool, args)
                words = f"{own} of far, {own} of near"     # no server sent all of it
                assert is_refused(server, "run_lua", {"code": CALL % ("far", words)})
    return questions


tap.case("words that servers say of themselves", check(" ".join(COMMON), "nine ochre geese"))
tap.done()
