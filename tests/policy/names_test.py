#!/usr/bin/env python3
"""A name is of one tool: of the user's file, then of a mounted server's, then of a foreign file. The others are told of."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, text_of           # noqa: E402
from tools import until                                   # noqa: E402
import tap                                                # noqa: E402

TOOL = ('return { description = "Says %s.", aliases = { %s }, inputSchema = { type = "object" }, '
        'annotations = { readOnlyHint = true }, run = function() return "%s" end }')
ALL = "return { rules = { { allow = true, tool = '*', mounted = false }, { allow = true } } }"
NAME = "far_save"

# Claims to the name, those that have it first: (who, the place of the file below the folder, its alias).
CLAIMS = [("own", "home/tools/test/far_save.lua", ""), ("own_alias", "home/tools/test/keep.lua", NAME),
          ("mounted", "far/tools/test/save.lua", ""), ("foreign", "home/foreign/far_save.lua", ""),
          ("foreign_alias", "home/foreign/other.lua", NAME)]
PAIRS = [(first, second) for i, first in enumerate(CLAIMS) for second in CLAIMS[i + 1:]
         if (first[0], second[0]) != ("own", "own_alias")]


def put(place, claim):
    who, path, alias = claim
    place.put(path, TOOL % (who, f'"{alias}"' if alias else "", who))


def said(server):
    return text_of(call(server, "call_tool", {"name": NAME})[0])


def checked(place):
    done = subprocess.run([PERIGEE, "check", "--mount", "all"], env={**os.environ, **place.env}, capture_output=True, text=True,
                          timeout=60)
    return done.stdout + done.stderr


def has_it(first, second, late):
    """`late` comes when the other one is there."""
    with Place(ALL) as place:
        place.mount()
        early = second if late == first else first
        put(place, ("mounted", "far/tools/test/there.lua", ""))
        put(place, early)
        with place.serve("--mount", "all") as server:
            place.wait_for_mounted(server, "far_there")
            until(lambda: said(server) == early[0], early[0])
            if late[0] == "mounted":
                place.wait_for_mounted(server, "far_there")
            put(place, late)
            put(place, ("last", "far/tools/test/last.lua" if late[0] == "mounted" else "home/tools/test/last.lua", ""))
            place.wait_for_mounted(server, "far_last" if late[0] == "mounted" else "last")
            assert said(server) == first[0], (first[0], second[0], late[0], said(server))
            listed = {each["name"]: each["description"] for each in server.ask("tools/list")["result"]["tools"]}
            assert listed.get(NAME, f"Says {first[0]}.") == f"Says {first[0]}.", (first[0], second[0], listed[NAME])
        told = checked(place)
        silent = (first[0], second[0]) == ("own", "mounted")      # a file replaces it, as its user wants
        assert (NAME in told) != silent, (first[0], second[0], told)


def the_first_has_it():
    for first, second in PAIRS:
        for late in (first, second):
            has_it(first, second, late)


def names_of_others_mark_a_run():
    """They are text that others wrote: what a script does after it read them is asked about."""
    writes = ('local fs = require "sys.fs" return { description = "Writes.", inputSchema = { type = "object" }, '
              'run = function() assert(fs.write("/tmp/perigee-names-test/x", "y")) return "done" end }')
    policy = 'return { rules = { { deny = "it is from outside", effect = "file", from = "mount" }, { allow = true } } }'
    for reads, marks in (("for name in pairs(tools) do end", True), ("local all = tostring(tools)", True), ("", False)):
        with Place(policy, writes=writes) as place:
            place.mount(there=TOOL % ("there", "", "there"))
            with place.serve("--mount", "all") as server:
                place.wait_for_mounted(server, "far_there")
                result = call(server, "run_lua", {"code": reads + " return tools.writes {}"})[0]
                assert ("it is from outside" in text_of(result)) == marks, (reads, result)


for title, function in (("a name is of the first that may have it", the_first_has_it),
                        ("a script that reads names of others has read text of theirs", names_of_others_mark_a_run)):
    tap.case(title, function)
tap.done()
