#!/usr/bin/env python3
"""Keys have one spelling for rules: whatever their case, their order and their names, they are judged as the keys that are pressed."""

import itertools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, call, text_of     # noqa: E402
import tap                                    # noqa: E402

PRESSES = """
local input = require "sys.input"
return { description = "Presses.", inputSchema = { type = "object" }, run = function(args)
  local held, err
  if args.held then held, err = input.key_down(args.held) end
  local done
  if not args.held or held then done, err = input.keys(args.keys) end
  if held then input.key_up(args.held) end
  return done and "pressed" or err
end }
"""


def names():
    """The names of each key, and those of each modifier, from the list of the binding."""
    text = (TOP / "src/platform/chord.c").read_text()
    groups = {}
    for name, key in re.findall(r'\{ "(\w+)", ((?:KEY|MOD)_\w+) \}', text):
        groups.setdefault("MOD_CTRL" if key == "MOD_COMMAND" else key, []).append(name)
    assert len(groups) > 30 and len(groups["KEY_PLAY"]) == 4 and len(groups["MOD_META"]) >= 4, groups
    groups["KEY_RETURN"] += groups.pop("KEY_KP_ENTER")
    return groups


def spellings(name):
    return {name, name.upper(), name.capitalize(), *({f"{name[:4]}_{name[4:]}"} if len(name) > 5 and name.isalpha() else ())}


def denied(server, keys, held=None):
    said = text_of(call(server, "presses", {"keys": keys, **({"held": held} if held else {})})[0])
    assert "pressed" in said or "does not let it" in said, (keys, said)
    return said.split("(", 1)[1].split(";")[0] if "does not let it" in said else None


def server_of(place, rules):
    lines = ", ".join(f'{{ deny = "{reason}", effect = "input", keys = "{keys}" }}' for reason, keys in rules)
    place.policy(f"return {{ rules = {{ {lines}, {{ allow = true }} }} }}")
    return place.serve()


def every_name_of_a_key():
    groups = {key: list_of for key, list_of in names().items() if key.startswith("KEY_")}
    for turn in range(max(len(each) for each in groups.values())):
        rules = [(key, f"shift+{list_of[turn % len(list_of)]}") for key, list_of in groups.items()]
        with Place(None, presses=PRESSES) as place, server_of(place, rules) as server:
            for key, list_of in groups.items():
                for name in list_of:
                    for keys in (f"shift+{name}", f"{name.upper()}+Shift"):
                        assert denied(server, keys) == key, (rules[list(groups).index(key)], keys)


def every_name_of_a_modifier():
    groups = {key: list_of for key, list_of in names().items() if key.startswith("MOD_")}
    for turn in range(max(len(each) for each in groups.values())):
        for key in ("left", "w", "W"):
            rules = [(modifier, f"{list_of[turn % len(list_of)]}+{key}") for modifier, list_of in groups.items()]
            with Place(None, presses=PRESSES) as place, server_of(place, rules) as server:
                for modifier, list_of in groups.items():
                    for name in list_of:
                        for spelling in spellings(name):
                            assert denied(server, f"{spelling}+{key.swapcase()}") == modifier, (rules, spelling)
                            assert denied(server, f"{key}+{spelling}") == modifier, (rules, spelling)


def letters_and_shift():
    """The case of a shortcut's letter says nothing: Shift is another one. A letter alone is typed with Shift if it is capital."""
    rules = [("w", "Ctrl+W"), ("shift", "Shift+Ctrl+W"), ("a", "A"), ("any", "Super+*"), ("more", "Alt+Control+*")]
    orders = [["+".join(words) for words in itertools.permutations(each)] for each in (
        ("ctrl", "w"), ("CONTROL", "W"), ("Cmd", "w"), ("ctrl", "shift", "w"), ("Shift", "CTRL", "W"))]
    cases = {**{keys: "w" for keys in sum(orders[:3], [])}, **{keys: "shift" for keys in sum(orders[3:], [])},
             "A": "a", "shift+a": "a", "A+SHIFT": "a", "a": None, "alt+w": None, "alt+A": None, "meta+r": "any", "Win+R": "any", "r+super": "any",
             "option+ctrl+t": "more", "Ctrl+Alt+Del": "more", "alt+t": None}
    with Place(None, presses=PRESSES) as place, server_of(place, rules) as server:
        for keys, reason in cases.items():
            assert denied(server, keys) == reason, keys
        for keys, held, reason in (("w", "ctrl", "w"), ("W", "ctrl", "shift"), ("shift+w", "ctrl", "shift"), ("Shift+W", "Control", "shift"),
                                   ("a", "shift", "a"), ("r", "Super", "any"), ("r", "ctrl", None)):
            assert denied(server, keys, held) == reason, (keys, held)


def keys_within_text():
    """Line ends and tabs in typed text are keys. A rule that allows these allows no other text beside them."""
    types = ('return { description = "Types.", inputSchema = { type = "object" }, run = function(args)\n'
             '  local done, err = require("sys.input").type(args.keys)\n  return done and "pressed" or err\nend }')
    deny = "return { rules = { { deny = 'no', effect = 'input', keys = '%s' }, { allow = true } } }"
    allow = "return { rules = { { allow = true, effect = 'input', keys = '%s' }, { deny = 'no', effect = 'input' }, { allow = true } } }"
    with Place(None, presses=types) as place:
        for key, sign in (("enter", "\n"), ("Return", "\r"), ("tab", "\t"), ("Tab", "\t")):
            place.policy(deny % key)
            with place.serve() as server:
                for text in (sign, f"a{sign}", f"{sign}b", f"a{sign}b\tc\n"):
                    assert denied(server, text) == "no", (key, text)
                for text in ("a", "enter", "a\tb" if sign != "\t" else "a\nb"):
                    assert denied(server, text) is None, (key, text)
            place.policy(allow % key)
            with place.serve() as server:
                for text in (sign, sign * 2):
                    assert denied(server, text) is None, (key, text)
                for text in ("a", f"a{sign}", f"{sign}b", "\t\n"):
                    assert denied(server, text) == "no", (key, text)


tap.case("every name of a key", every_name_of_a_key)
tap.case("every name of a modifier", every_name_of_a_modifier)
tap.case("letters and Shift", letters_and_shift)
tap.case("keys within text", keys_within_text)
tap.done()
