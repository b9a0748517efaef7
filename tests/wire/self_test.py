#!/usr/bin/env python3
"""The transcript runner itself: what must match, what must not, and which faults shape.py sees."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap                                    # noqa: E402
from pattern import mismatch                  # noqa: E402
from server import check_line                 # noqa: E402
from shape import Lint                        # noqa: E402
from transcript import Bad, fill_in, parse_line, raw_bytes, repeat     # noqa: E402

MATCH = [
    ({"a": 1}, {"a": 1, "b": 2}), ({"a": "*"}, {"a": None}), ("*int", 9007199254740993),
    (["...", 3], [1, 2, 3]), (["...", 2, "..."], [1, 2, 3]), (["..."], []), ([], []),
    ({"a": "!absent"}, {}), ({"!exact": True, "a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
    ("/b+/", "abbc"), ("=*", "*"), ({"|": [1, 2]}, 2), (2, 2.0), (True, True),
    ({"x": "$v", "y": "$v"}, {"x": [1], "y": [1]}), ({"a": {"|": ["!absent", 1]}}, {}),
    ({"a": {"|": ["!absent", 1]}}, {"a": 1}),
]
DIFFER = [
    ({"a": 1}, {"b": 1}), ({"a": 1}, [1]), ("*int", True), ("*int", 1.5), ("*string", 1),
    ([1], [1, 2]), ([1, 2], [1]), (["...", 3], [3, 4]), ({"a": "!absent"}, {"a": None}),
    ({"!exact": True, "a": 1}, {"a": 1, "b": 2}), ("/^b/", "abc"), ("=*", "x"),
    ({"|": [1, 2]}, 3), (1, True), (0, False), (True, 1), (None, 0), (9007199254740993, 9007199254740992),
    ({"x": "$v", "y": "$v"}, {"x": [1], "y": [2]}), ([], ""), ({}, []),
    ({"a": {"|": ["!absent", 1]}}, {"a": 2}), ({"a": {"|": [1, 2]}}, {}),
]
LINES = [(b'{"a":1}\n', True), ('"\u2028é"\n'.encode(), True), (b'{"a":1}', False),
         (b'{"a":1}\r\n', False), (b'"\xff"\n', False), (b'"\\ud800"\n', False), (b"NaN\n", False),
         (b"{} {}\n", False), (b"\n", False), (b'"\t"\n', False)]
ASK = '{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s}}'
ENVELOPE = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'
TOOL = {"name": "t", "description": "d", "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False,
                        "openWorldHint": True}}


def answer(result):
    return {"jsonrpc": "2.0", "id": 1, "result": result}


SHAPES = [
    ("ping", "", answer({}), True),
    ("ping", "", {"id": 1, "result": {}}, False),
    ("ping", "", {"jsonrpc": "2.0", "id": 2, "result": {}}, False),
    ("ping", "", {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}}, True),
    ("ping", "", {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}}, False),
    ("ping", ENVELOPE, {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}}, False),
    ("ping", ENVELOPE, {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}}, True),
    ("ping", "", {"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "m"}}, False),
    ("ping", "", {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}, "result": 1}, False),
    ("ping", "", {"jsonrpc": "2.0", "id": 7, "method": "roots/list"}, False),
    ("tools/call", "", answer({"content": [{"type": "text", "text": "x"}]}), True),
    ("tools/call", "", answer({}), False),
    ("tools/call", "", answer({"content": [{"type": "image", "data": ""}]}), False),
    ("tools/call", "", answer({"content": [], "resultType": "complete"}), False),
    ("tools/call", ENVELOPE, answer({"content": []}), False),
    ("tools/call", ENVELOPE, answer({"content": [], "resultType": "complete"}), True),
    ("tools/list", "", answer({"tools": [TOOL]}), True),
    ("tools/list", "", answer({"tools": [TOOL, TOOL]}), False),
    ("tools/list", "", answer({"tools": [dict(TOOL, run=1)]}), False),
    ("tools/list", "", answer({"tools": [dict(TOOL, inputSchema={})]}), False),
    ("tools/list", ENVELOPE, answer({"tools": [TOOL], "resultType": "complete"}), False),
    ("tools/list", ENVELOPE, answer({"tools": [TOOL], "resultType": "complete", "ttlMs": 0,
                                     "cacheScope": "private"}), True),
]


def patterns():
    for pattern, value in MATCH:
        report = mismatch(pattern, value, {})
        assert report is None, f"{pattern} and {value}: {report}"
    for pattern, value in DIFFER:
        assert mismatch(pattern, value, {}), f"{pattern} matched {value}"
    assert mismatch({"a": {}}, {"a": {"b": 1}}, {}, exact=True), "exact goes all the way down"


def lines():
    for raw, good in LINES:
        _, fault = check_line(raw)
        assert (fault is None) == good, f"{raw!r}: {fault}"


def shapes():
    for method, params, message, good in SHAPES:
        lint = Lint()
        lint.sent(ASK % (method, params))
        faults = lint.received(message)
        assert (not faults) == good, f"{method} {message}: {faults}"


def reading():
    assert raw_bytes(r"a\xff\n\\n\0é") == b"a\xff\n\\n\x00\xc3\xa9"
    assert repeat('"${ab*3}"') == '"ababab"' and repeat("${[*2}${]*2}") == "[[]]"
    assert fill_in('{"x":"$v"}', {"v": [1]}) == '{"x":[1]}'
    assert parse_line("# note") is None and parse_line("") is None
    for bad in ("< {", "<< nothing", "? what", "@ no_such_word", ">no space"):
        try:
            parse_line(bad)
        except (Bad, ValueError):
            continue
        raise AssertionError(f"{bad!r} was taken")


tap.case("patterns match and differ as they should", patterns)
tap.case("stdout's lines are judged", lines)
tap.case("messages are judged by their method and era", shapes)
tap.case("transcripts are read", reading)
tap.done()
