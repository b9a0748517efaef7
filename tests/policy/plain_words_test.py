#!/usr/bin/env python3
"""Ordinary words that a page or another server says as well are no text from outside, where they are sent in sentences of one's
own; words that identify something are."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call               # noqa: E402
import tap                                # noqa: E402

RULE = 'return { rules = { { ask = "it is from outside", tool = "mark", from = "web", per = "call" }, { allow = true } } }'
PAGE = """
return { description = "Reads a page.", from = "web", annotations = { readOnlyHint = true },
  inputSchema = { type = "object", properties = { text = { type = "string" } } }, run = function(args) return args.text end }
"""
FORM = {"elicitation": {}}
PLAIN = """well-known covid-19 his/her she/her Python3 Python-3.11 Windows-11 created_at user_id text/plain application/json origin/main
    list_windows 2026-11-29 11/29/2026 14:30:00 1234.56 1080p-display X86_64 table.concat string.format tools.click_element
    international unfortunately --no-verify follow-up Österreich-Urlaub пожалуйста""".split()
TELLING = """/etc/evil-list ~/evil-list evil/list/here evil-list.txt evil-list.desktop ann@evil.example evil.example/x 20261129123
    555-123-4567 invoice-20411 hunter2hunter2 a1b2c3d4e5 550e8400-e29b-41d4 evil-list:8080 192.168.17.4 key=a1b2c3d4""".split()


def asked_about(server, word):
    return len(call(server, "mark", {"note": f"I mean {word} myself"}, ["Do not allow"])[1]) == 1


def sorts(words, asks):
    with Place(RULE, page=PAGE) as place, place.serve(capabilities=FORM) as server:
        call(server, "page", {"text": " ; ".join(f"and {word} too" for word in words)})
        wrong = [word for word in words if asked_about(server, word) != asks]
        assert not wrong, wrong


def run_by_a_script():
    """A page about a library does not mark the scripts that use it."""
    with Place(RULE, page=PAGE) as place, place.serve(capabilities=FORM) as server:
        call(server, "page", {"text": "The functions table.concat and string.format are useful, see also tools.list_windows."})
        code = 'tools.list_windows{} return tools.mark{ note = table.concat({ "mine", string.format("%d", 7) }, " ") }'
        assert not call(server, "run_lua", {"code": code}, ["Do not allow"])[1]
        assert len(place.trace()) == 1


def paths_that_are_run():
    """A word that a sentence may have may be a path where it is run."""
    rule = 'return { rules = { { deny = "no", effect = "start", from = "web" }, { allow = true } } }'
    with Place(rule, page=PAGE) as place, place.serve() as server:
        call(server, "page", {"text": "Then start evil/setup with it."})
        result, _ = call(server, "open_application", {"name": "Text Editor", "arguments": ["evil/setup"]})
        assert result["isError"] and "denie" in str(result) or "does not let" in str(result), result


tap.case("ordinary words may be said by anybody", lambda: sorts(PLAIN, False))
tap.case("words that identify something are found", lambda: sorts(TELLING, True))
tap.case("names of libraries mark no script", run_by_a_script)
tap.case("a path of two words is found where it is opened", paths_that_are_run)
tap.done()
