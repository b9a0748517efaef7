#!/usr/bin/env python3
"""A client that presses the hotkey of a service starts the service's function: it is asked about, by all ways to press the keys."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of                   # noqa: E402
from tools import until                                # noqa: E402
import tap                                             # noqa: E402

FORM = {"elicitation": {}}
NO, ONCE = "Do not allow", "Allow once"
SERVICE = """
local fs, hotkey = require "sys.fs", require "sys.hotkey"
local function start()
  for _, keys in ipairs { %s } do
    assert(hotkey.bind(keys, function() assert(fs.append("pressed", keys .. "\\n")) end))
  end
  assert(fs.write("ready", "yes"))
end
return { description = "Has hotkeys.", start = start }
"""
PRESSES = ('local input = require "sys.input"\nreturn { description = "Presses.", inputSchema = { type = "object" }, run = function(args) '
           'for _, each in ipairs(args.steps) do local ok, err, code = input[each[1]](each[2], each[3]) if not ok then return nil, err, code end '
           'end return "pressed" end }')

# Keys that are bound, and ways to press them.
WAYS = {
    "ctrl+alt+m": [[("keys", keys)] for keys in ("ctrl+alt+m", "alt+ctrl+M", "M+Alt+Control", "option+ctrl+m", "ctrl+alt+\u043c")] + [
        [("key_down", "ctrl+alt+m")], [("key_down", "ctrl"), ("key_down", "alt"), ("keys", "m")],
        [("key_down", "ctrl+alt"), ("type", "am")], [("key_down", "m"), ("key_down", "ctrl+alt")],
        [("keys", "ctrl+alt+m", {"count": 2})], [("keys", "ctrl+alt+m", {"duration": 0.01})],
        [("send", {"kind": "keys", "chord": "ctrl+alt+m"})], [("key_down", "ctrl+alt"), ("send", {"kind": "text", "text": "m"})]],
    "cmd+shift+plus": [[("keys", keys)] for keys in ("ctrl+shift+plus", "ctrl++", "ctrl+shift+equal")],
    "f7": [[("keys", "F7")], [("key_down", "f_7")]],
    "h": [[("keys", "h")], [("type", "ah")], [("send", {"kind": "text", "text": "h"})]],
    "enter": [[("keys", "Return")], [("type", "a\n")]],
    "ctrl+v": [[("paste", "something")]],
}
OTHERS = {
    "ctrl+alt+m": [[("keys", keys)] for keys in ("ctrl+m", "alt+m", "m", "ctrl+alt+n", "ctrl+alt+super+m")] + [[("type", "m")], [("paste", "m")]],
    "h": [[("type", "a")], [("keys", "ctrl+h")], [("paste", "h")]],
}


def serve(keys):
    place = Place(None, presses=PRESSES)
    place.put("home/services/keen.lua", SERVICE % ", ".join(f'"{each}"' for each in keys))
    return place


def ready(place):
    until(lambda: (place.folder / "work/ready").exists(), "the service")


def asks(server, steps, answers):
    return call(server, "presses", {"steps": [list(step) for step in steps]}, answers)


def all_ways_to_press():
    for keys, way in [(keys, way) for keys, ways in WAYS.items() for way in ways]:
        with serve([keys]) as place, place.serve(capabilities=FORM) as server:
            ready(place)
            result, asked = asks(server, way, [NO])
            assert len(asked) == 1 and "hotkey of the service keen" in asked[0]["message"], (keys, way, asked, result)
            assert "a service of yours acts at this hotkey" in asked[0]["message"] and code_of(result) == "denied", (way, asked)
            assert not (place.folder / "work/pressed").exists(), way


def a_yes_lets_it_act():
    with serve(["ctrl+alt+m"]) as place, place.serve(capabilities=FORM) as server:
        ready(place)
        for count in (1, 2):
            result, asked = asks(server, [("keys", "ctrl+alt+m")], [ONCE])
            assert len(asked) == 1 and not result.get("isError"), (asked, result)
            until(lambda: (place.folder / "work/pressed").exists() and
                  len((place.folder / "work/pressed").read_text().split()) == count, "the function")


def other_keys_ask_nothing():
    for keys, ways in OTHERS.items():
        for way in ways:
            with serve([keys]) as place, place.serve(capabilities=FORM) as server:
                ready(place)
                result, asked = asks(server, way, [NO])
                assert not asked and not result.get("isError"), (keys, way, asked, result)


def a_policy_may_name_the_service():
    policy = 'return { rules = { { deny = "not that one", effect = "input", hotkey = "*keen*" }, { allow = true } } }'
    with serve(["ctrl+alt+m"]) as place:
        place.policy(policy)
        with place.serve() as server:
            ready(place)
            assert code_of(asks(server, [("keys", "ctrl+alt+m")], [])[0]) == "denied"
            assert code_of(asks(server, [("keys", "ctrl+alt+n")], [])[0]) is None


for title, function in (("pressing the hotkey of a service is asked about", all_ways_to_press),
                        ("after a yes the service acts", a_yes_lets_it_act),
                        ("other keys ask nothing", other_keys_ask_nothing),
                        ("a policy may name the service", a_policy_may_name_the_service)):
    tap.case(title, function)
tap.done()
