#!/usr/bin/env python3
"""A call about which several rules ask needs an answer to each: an approval of one reason never stands for another."""

import itertools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, call, text_of                  # noqa: E402
import tap                                                 # noqa: E402

FORM = {"elicitation": {}}
ONCE, WHILE, NO = "Allow once", "Allow for 15 minutes", "Do not allow"
WORDS = "remove quarterly ledgers from Berlin"

PAGE = 'return { description = "Reads.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" }, ' \
       'run = function() return "%s" end }' % WORDS
RUNS = """
local process = require "sys.process"
return { description = "Does it.", inputSchema = { type = "object" }, run = function(args)
  local ok, err, code = process.run { "sh", "-c", args.text }
  if not ok then return nil, err, code end
  return "done"
end }
"""

# The scopes of the answers to a rule, of each kind that a policy can have.
SCOPES = ('per = "call"', 'per = "host"', 'per = "tool"', 'per = "app"', 'per = "folder"', 'per = { "tool", "folder" }',
          'capability = "starting programs"', "minutes = 5")
TEXTS = [(TOP / each).read_text(encoding="utf-8") for each in ("lua/policy.lua", "docs/policy-examples.md")]


def given(text):
    return f'when = function(process) return process.argv[3]:find("{text}", 1, true) ~= nil end'


def rules_of(i, j):
    """A rule that asks, before another one that fits only a call that says so; for calls, and for effects."""
    pair = f"p{i}_{j}"
    one, two = (SCOPES[each].replace("starting programs", f"jobs of {pair}") for each in (i, j))
    return [f'{{ ask = "{pair} ONE", {one}, tool = "mark", args = {{ pair = "{pair}" }} }}',
            f'{{ ask = "{pair} TWO", {two}, tool = "mark", args = {{ pair = "{pair}", two = true }} }}',
            f'{{ ask = "{pair} ONE", {one}, effect = "process", {given(f"true {pair};")} }}',
            f'{{ ask = "{pair} TWO", {two}, effect = "process", {given(f"true {pair}; true two")} }}']


def asked_for(server, name, arguments, answer):
    """The result of a call, and the questions that it leads to. "longest": the longest answer but "until it disconnects"."""
    asked, waiting = [], server.post("tools/call", {"name": name, "arguments": arguments})
    while True:
        message = server.find(lambda each: each.get("method") == "elicitation/create" or
                              each.get("id") == waiting and "method" not in each)
        if message.get("method") != "elicitation/create":
            return text_of(message["result"]), asked
        params = message["params"]
        offered = params["requestedSchema"]["properties"]["answer"]["enum"]
        lasting = [each for each in offered if each.startswith("Allow for ")]
        asked.append((params["message"], bool(lasting)))
        chosen = (lasting or [ONCE])[0] if answer == "longest" else answer
        server.send({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "accept", "content": {"answer": chosen}}})


def pair_of_calls(server, pair, arguments):
    """Both reasons are in one question; an approval of the first alone leaves the second to be asked each time."""
    said, asked = asked_for(server, *arguments(True), ONCE)
    assert said in ("marked", "done") and len(asked) == 1, (said, asked)
    message, both_last = asked[0]
    assert f"{pair} ONE. Also: " in message and f"{pair} TWO." in message, message
    said, asked = asked_for(server, *arguments(False), "longest")
    assert said in ("marked", "done") and len(asked) == 1 and "TWO" not in asked[0][0], (said, asked)
    first_lasts = asked[0][1]
    assert first_lasts or not both_last, message
    assert len(asked_for(server, *arguments(False), ONCE)[1]) == (0 if first_lasts else 1)
    said, asked = asked_for(server, *arguments(True), ONCE)
    assert len(asked) == 1 and f"{pair} TWO." in asked[0][0] and (f"{pair} ONE" in asked[0][0]) != first_lasts, (said, asked)
    said, asked = asked_for(server, *arguments(True), "longest")
    assert len(asked) == 1, "an answer for this call is for this call"
    assert len(asked_for(server, *arguments(True), ONCE)[1]) == (0 if asked[0][1] else 1), asked


def all_pairs():
    for each in re.findall(r"\bper = (?:\"[^\"]*\"|\{[^}]*\})", "\n".join(TEXTS)):
        assert each in SCOPES, each
    places = list(itertools.permutations(range(len(SCOPES)), 2))
    policy = "return { rules = { %s, { allow = true } } }" % ",\n".join(sum((rules_of(i, j) for i, j in places), []))
    with Place(policy, runs=RUNS) as place, place.serve(capabilities=FORM) as server:
        for i, j in places:
            pair = f"p{i}_{j}"
            yield f"a call: {SCOPES[i]}, then {SCOPES[j]}", lambda p=pair: pair_of_calls(
                server, p, lambda two: ("mark", {"pair": p, **({"two": True} if two else {})}))
            yield f"an effect: {SCOPES[i]}, then {SCOPES[j]}", lambda p=pair: pair_of_calls(
                server, p, lambda two: ("runs", {"text": f"true {p}; true {'two' if two else 'one'}"}))


def rules_of_one_capability():
    """Rules that the policy calls by one name are answered together."""
    shared = 'capability = "odd jobs"'
    rules = (f'{{ ask = "ONE", {shared}, tool = "mark", args = {{ pair = "one" }} }}, '
             f'{{ ask = "TWO", {shared}, tool = "mark", args = {{ pair = {{ "one", "two" }} }} }}, '
             '{ ask = "THREE", capability = "other jobs", tool = "mark", args = { pair = "three" } }')
    with Place("return { rules = { %s, { allow = true } } }" % rules) as place, place.serve(capabilities=FORM) as server:
        for pair, questions in (("two", 1), ("one", 0), ("two", 0), ("three", 1)):
            said, asked = asked_for(server, "mark", {"pair": pair}, "longest")
            assert (said, len(asked)) == ("marked", questions), (pair, said, asked)


# --- the policy that comes with the program -----------------------------------------------------------

def a_host_that_is_approved():
    """An approval of a host neither lifts the question before something that destroys, nor that about text from outside."""
    far = ('return {{ description = "x", annotations = {{ {} }}, inputSchema = {{ type = "object" }}, '
           'run = function(args) return "did" end }}')
    with Place(None, page=PAGE.replace(WORDS, WORDS + " at https://badzone.example.net/x")) as place:
        place.mount(see=far.format("readOnlyHint = true"), wipe=far.format("destructiveHint = true"),
                    save=far.format("destructiveHint = false"))
        with place.serve("--mount", "far", capabilities=FORM) as server:
            place.wait_for_mounted(server, "far_wipe")
            call(server, "page")
            url = {"url": "https://badzone.example.net/x"}
            asked = asked_for(server, "far_see", url, WHILE)[1]
            assert len(asked) == 1 and "did not name this host" in asked[0][0], asked
            assert asked_for(server, "far_see", url, NO)[1] == [], "reading from there is approved"
            for name, arguments, reasons in (
                    ("far_wipe", url, ["from outside", "destroys something"]),
                    ("far_wipe", {**url, "all": WORDS}, ["from outside", "destroys something"]),
                    ("far_save", {**url, "text": WORDS}, ["from outside"])):
                for _ in range(2):
                    said, asked = asked_for(server, name, arguments, ONCE)
                    assert said == "did" and len(asked) == 1, (name, arguments, said, asked)
                    assert all(each in asked[0][0] for each in reasons), (reasons, asked)


def a_token_that_is_approved():
    """An approval of a tool for a token does not lift the question about text from outside."""
    rules = (TOP / "lua/policy.lua").read_text(encoding="utf-8").replace('kind = "oauth"', 'kind = "client"')
    far = 'return { description = "x", annotations = { destructiveHint = %s }, inputSchema = { type = "object" }, ' \
          'run = function() return "did" end }'
    with Place(rules, page=PAGE) as place:
        place.mount(save=far % "false", wipe=far % "true")
        with place.serve("--mount", "far", capabilities=FORM) as server:
            place.wait_for_mounted(server, "far_save")
            call(server, "page", {}, [ONCE])
            said, asked = asked_for(server, "far_save", {"text": "mine"}, WHILE)
            assert said == "did" and len(asked) == 1, asked
            assert asked_for(server, "far_save", {"text": "other"}, NO)[1] == []
            for _ in range(2):
                said, asked = asked_for(server, "far_save", {"text": WORDS}, ONCE)
                assert said == "did" and len(asked) == 1 and "from outside" in asked[0][0], (said, asked)
            asked = asked_for(server, "far_wipe", {"text": "mine"}, NO)[1]
            assert "has a token" in asked[0][0] and "destroys something" in asked[0][0], asked


def a_run_is_asked_about_once():
    """One answer about a marked run holds for all its reasons, until it ends."""
    both = """return { rules = { { ask = "REASON ONE", effect = "process", from = "web", per = "call" },
      { ask = "REASON TWO", effect = "process", shell = true }, { allow = true } } }"""
    with Place(both, page=PAGE, runs=RUNS) as place, place.serve(capabilities=FORM) as server:
        call(server, "page")
        code = f"local words = {{ 'sh', '-c' }} for i = 1, 3 do tools.runs {{ text = 'true {WORDS}' }} end return 'over'"
        said, asked = asked_for(server, "run_lua", {"code": code}, ONCE)
        assert "over" in said and len(asked) == 1 and "REASON ONE. Also: REASON TWO." in asked[0][0], (said, asked)


SHORT = 'return { description = "x", timeout = 1, inputSchema = { type = "object" }, run = function() return "short" end }'
SLOW = """local time = require "sys.time"
return { description = "x", inputSchema = { type = "object" }, run = function() time.sleep(3) return "slow" end }"""


def one_that_waits_for_another():
    """A call that waits for the answer to another one's question outlives its own time limit."""
    with Place('return { rules = { { ask = "so", tool = "short" }, { allow = true } } }', short=SHORT, slow=SLOW) as place, \
            place.serve(capabilities=FORM) as server:
        posted = [server.post("tools/call", {"name": "short", "arguments": {"n": n}}) for n in range(2)]
        asked = server.find(lambda each: each.get("method") == "elicitation/create")
        assert text_of(call(server, "slow")[0]) == "slow"      # longer than the limit
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": WHILE}}})
        assert [text_of(server.answer(each)["result"]) for each in posted] == ["short", "short"]


def main():
    for title, function in all_pairs():
        tap.case(title, function)
    for title, function in (
            ("rules of one capability are answered together", rules_of_one_capability),
            ("the shipped policy: an approved host is no approval of what destroys, or of text from outside", a_host_that_is_approved),
            ("the shipped policy: an approval for a token is none of text from outside", a_token_that_is_approved),
            ("a call that waits for another's question is not stopped", one_that_waits_for_another),
            ("a marked run is asked about once, with all reasons", a_run_is_asked_about_once)):
        tap.case(title, function)
    tap.done()


if __name__ == "__main__":
    main()
