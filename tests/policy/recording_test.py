#!/usr/bin/env python3
"""A recording of keys and clicks is begun by a person at the terminal; by a client each time that the user allows it, and not with
text from outside; by files of others and scripts of clients never."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, code_of, text_of      # noqa: E402
from tools import until                   # noqa: E402
import tap                                # noqa: E402

ABLE = {"elicitation": {}}
ALL = "return { rules = { { allow = true } } }"
BODY = 'local ok, err, code = require("sys.events").input(args.why or "a macro") if not ok then return nil, err, code end return "ok"'
# The fake desktop has nothing to record: that it says so means that the policy let it pass.
PASSED = "not_supported"


def tool(body=BODY, more=""):
    return """return { description = "Records.", inputSchema = { type = "object", properties = { why = { type = "string" } } }, %s
      run = function(args) %s end }""" % (more, body)


def run(place, *words):
    return subprocess.run(place.words(*words), env={**os.environ, **place.env}, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=120)


def a_person_at_the_terminal():
    with Place(None, records=tool()) as place:
        place.put("script.lua", 'print(select(3, require("sys.events").input "a macro"))')
        place.put("home/commands/mine.lua", 'return { summary = "Records.", run = function(_, io) '
                  'io:print((select(3, require("sys.events").input "a macro"))) end }')
        assert "cannot be recorded" in run(place, "call", "records").stderr
        assert run(place, "run", str(place.folder / "script.lua")).stdout == PASSED + "\n"
        done = subprocess.run([PERIGEE, "mine"], env={**os.environ, **place.env}, capture_output=True, text=True, check=False)
        assert done.stdout == PASSED + "\n", done


def a_client_each_time():
    with Place(None, records=tool()) as place, place.serve(capabilities=ABLE) as server:
        for _ in range(2):
            result, asked = call(server, "records", {"why": "saving a note"}, ["Allow once"])
            assert code_of(result) == PASSED, result
            assert len(asked) == 1, asked
            text = asked[0]["message"]
            assert "record every key and click, also those of passwords, for " in text and "saving a note" in text, text
            assert asked[0]["requestedSchema"]["properties"]["answer"]["enum"] == ["Allow once", "Do not allow"], asked
        result, _ = call(server, "records", {}, ["Do not allow"])
        assert code_of(result) == "denied", result


def a_client_that_cannot_ask():
    with Place(None, records=tool()) as place, place.serve() as server:
        assert code_of(call(server, "records")[0]) == "not_approved"


def a_policy_that_does_not_know_it():
    """Other effects that no rule is about pass with their call."""
    for rules in ('{ allow = "mine", tool = "*" }', "{ allow = true }", '{ allow = true, caller = "client" }'):
        with Place("return { rules = { %s } }" % rules, records=tool()) as place, place.serve(capabilities=ABLE) as server:
            result, asked = call(server, "records", {}, ["Allow once"])
            assert code_of(result) == PASSED and len(asked) == 1, (result, asked)
            if "client" not in rules:
                assert "cannot be recorded" in run(place, "call", "records").stderr


def a_policy_that_knows_it():
    with Place('return { rules = { { deny = "not here", effect = "record", text = "*macro*" }, { allow = "it may", effect = "record" }, '
               '{ allow = true } } }', records=tool()) as place, place.serve() as server:
        result, _ = call(server, "records")
        assert code_of(result) == "denied" and "not here" in text_of(result), result
        assert code_of(call(server, "records", {"why": "tests"})[0]) == PASSED


OUTSIDE = "press the red button below to win a prize"


def text_from_outside():
    """A client would be asked without it."""
    foreign = tool(f'return "{OUTSIDE}"', 'trust = "foreign",')
    with Place(None, records=tool(), foreign=foreign) as place, place.serve(capabilities=ABLE) as server:
        assert OUTSIDE in text_of(call(server, "foreign", {}, ["Allow once"])[0])
        result, asked = call(server, "records", {"why": OUTSIDE})
        assert code_of(result) == "denied" and not asked, (result, asked)
        assert "text in it is from outside" in text_of(result), result
        result, asked = call(server, "records", {"why": "a note of mine"}, ["Allow once"])
        assert code_of(result) == PASSED and len(asked) == 1, (result, asked)


def scripts_of_clients():
    with Place(ALL, records=tool()) as place, place.serve(capabilities=ABLE) as server:
        said = text_of(call(server, "run_lua", {"code": 'return tostring(select(2, pcall(require, "sys.events")))'})[0])
        assert "not available here" in said or "sys." in said and "cannot" in said, said
        for code in ("return tools.records {}", 'return require("perigee").call("records", {})'):
            result, asked = call(server, "run_lua", {"code": code})
            assert "never may" in text_of(result) and not asked, result


def foreign_tools():
    foreign = tool('return require("perigee").call("records", {})', 'trust = "foreign",')
    direct = tool('return tostring(select(2, pcall(require, "sys.events")))', 'trust = "foreign",')
    with Place(ALL, records=tool(), foreign=foreign, direct=direct) as place, place.serve(capabilities=ABLE) as server:
        result, asked = call(server, "foreign")
        assert "never may" in text_of(result) and not asked, result
        said = text_of(call(server, "direct")[0])
        assert "not available here" in said or "sys." in said and "cannot" in said, said
        assert code_of(call(server, "records", {}, ["Allow once"])[0]) == PASSED


PACKED = 'local _, err, code = require("sys.events").input "a macro"'


def packs():
    """Approved ones as well: a tool, a service and a command."""
    with Place(ALL) as place:
        pack = pathlib.Path(place.folder / "moon")
        files = {
            "pack.lua": 'return { name = "moon", version = "1.0.0", description = "Records." }',
            "tools/packed.lua": tool(PACKED + " return nil, err, code"),
            "commands/packed.lua": 'return { summary = "Records.", run = function(_, io) %s io:print(code .. ": " .. err) end }' % PACKED,
            "services/packed.lua": """return { description = "Records.", start = function() %s
              assert(require("sys.fs").write("service", code .. ": " .. err)) end }""" % PACKED,
        }
        for name, text in files.items():
            place.put(f"moon/{name}", text)
        done = subprocess.run([PERIGEE, "pack", "add", str(pack), "--yes"], env={**os.environ, **place.env}, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL)
        assert "Added moon, approved" in done.stdout, done
        done = subprocess.run([PERIGEE, "packed"], env={**os.environ, **place.env}, capture_output=True, text=True, check=False)
        assert "denied: " in done.stdout and "never may" in done.stdout, done
        with place.serve(capabilities=ABLE) as server:
            result, asked = call(server, "packed")
            assert code_of(result) == "denied" and not asked, result
            until(lambda: (place.folder / "work/service").exists(), "the service")
            assert "never may" in (place.folder / "work/service").read_text()


for title, function in (("a person at the terminal", a_person_at_the_terminal),
                        ("a client, each time", a_client_each_time),
                        ("a client that cannot ask", a_client_that_cannot_ask),
                        ("a policy that does not know it", a_policy_that_does_not_know_it),
                        ("a policy that knows it", a_policy_that_knows_it),
                        ("text from outside", text_from_outside),
                        ("scripts of clients", scripts_of_clients),
                        ("foreign tools", foreign_tools),
                        ("packs", packs)):
    tap.case(title, function)
tap.done()
