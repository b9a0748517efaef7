#!/usr/bin/env python3
"""Approvals of a client of 2026-07-28, which answers with the same request once more: a yes is one to the question that it was
given to, and to no other."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, text_of       # noqa: E402
import tap                           # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", per = "call" }, { allow = true } } }'
BOTH = """
local engine = require "sys.engine"
return {
  description = "Leaves two traces.", inputSchema = { type = "object", properties = { notes = { type = "array" } } },
  run = function(args)
    for _, note in ipairs(args.notes) do
      local ok, err = engine.call("mark", { note = note })
      if not ok then return nil, err end
    end
    return "both"
  end,
}
"""
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
YES = {"action": "accept", "content": {"answer": "Allow once"}}


def serve(place):
    place.env["PERIGEE_STATE_KEY"] = "a long secret of these engines"
    return place.serve(version=None)


def call(server, notes, asked=None, **more):
    """The result of a call; with `asked`, the answer to its questions is yes."""
    if asked:
        more = {"requestState": asked["requestState"], "inputResponses": {key: YES for key in asked["inputRequests"]}, **more}
    answer = server.ask("tools/call", {"name": "both", "arguments": {"notes": notes}, "_meta": META, **more})
    assert "result" in answer, answer
    return answer["result"]


def question(result):
    """Returns the message of the question; None if there is none."""
    if result["resultType"] != "input_required":
        return None
    (asked,) = result["inputRequests"].values()
    return asked["params"]["message"]


def one_by_one():
    with Place(ASK, both=BOTH) as place, serve(place) as server:
        first = call(server, ["a", "b"])
        second = call(server, ["a", "b"], first)
        assert 'note: "a"' in question(first) and 'note: "b"' in question(second), (first, second)
        assert text_of(call(server, ["a", "b"], second)) == "both" and place.trace() == ["a", "b"]


def begun_again():
    """Another process begins the call again: what was answered is not asked again, and nothing else is answered."""
    with Place(ASK, both=BOTH) as place:
        with serve(place) as server:
            first = call(server, ["a", "b"])
        with serve(place) as server:
            second = call(server, ["a", "b"], first)
            assert 'note: "b"' in (question(second) or ""), second
            assert place.trace() == ["a"]
        with serve(place) as server:
            assert text_of(call(server, ["a", "b"], second)) == "both"
            assert place.trace() == ["a", "a", "b"]


def the_same_twice():
    """Each of two questions with the same words has an answer of its own."""
    with Place(ASK, both=BOTH) as place:
        with serve(place) as server:
            first = call(server, ["a", "a"])
        with serve(place) as server:
            second = call(server, ["a", "a"], first)
            assert question(second) and place.trace() == ["a"], second
            assert text_of(call(server, ["a", "a"], second)) == "both"


def sent_twice():
    """A client that did not get the second question sends its first answer again."""
    for notes in (["a", "b"], ["a", "a"]):
        with Place(ASK, both=BOTH) as place, serve(place) as server:
            first = call(server, notes)
            for _ in range(2):
                second = call(server, notes, first)
                assert f'note: "{notes[1]}"' in (question(second) or ""), second
                assert place.trace() == ["a"]
            assert text_of(call(server, notes, second)) == "both"


def unasked():
    """An answer to what was not asked is none."""
    with Place(ASK, both=BOTH) as place:
        with serve(place) as server:
            names = list(call(server, ["a"])["inputRequests"])
        with serve(place) as server:
            assert question(call(server, ["a"], inputResponses={name: YES for name in names})) and place.trace() == []


def main():
    for name, function in (
            ("each question is answered by itself", one_by_one),
            ("an answer does not approve the next question of a call that begins again", begun_again),
            ("an answer is good once", the_same_twice),
            ("an answer that is sent twice does not approve the next question", sent_twice),
            ("an answer that comes before the question is none", unasked)):
        tap.case(name, function)
    tap.done()


main()
