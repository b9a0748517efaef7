#!/usr/bin/env python3
"""Ids in messages beyond a limit, which are looked for and not parsed: what is sent back is JSON, at each server's end."""

import itertools
import json
import os
import sys

from wire import HERE, must, request, serve, tap
from server import check_line

sys.path.insert(0, os.path.join(os.path.dirname(HERE), "http"))
from http_peer import HttpServer          # noqa: E402
from kit import ROOT                      # noqa: E402

SIGNS, DIGITS = ("", "-", "+", "--"), ("0", "00", "007", "7", "010", "0x7", "7.", "7.5", ".5", "1e3", "01e3", "1e", "0.0", "1_0")
TEXTS = ("", "a", "007", 'a"b', "a\\", "a\\\\", "a\\x", "a\\n", "\\u00e9", "\\u12", "\\ud800", "é", "\t", "\x01", "\x7f", "'")
OTHER = ("", "null", "true", "nul", "NaN", "Infinity", "'a'", "a", '"', '"a', 'a"', "7 7", "7\v", '"a" 7', "[7]", "{}", "[", "٣", "-",
         "7}", "9" * 15, "9" * 16, "7/**/", "7 //")
FORMS = [*map("".join, itertools.product(SIGNS, DIGITS)), *(f'"{text}"' for text in TEXTS), *OTHER]
DEEP = '"x":' + "[" * 200 + "]" * 200
PLACES = ('{"jsonrpc":"2.0","method":"ping","id":%s,DEEP}', '{"id" : %s , DEEP}', '{DEEP,"jsonrpc":"2.0","id":%s}', '{DEEP, "id" : %s }')


def is_json(form):
    return check_line(form.encode() + b"\n")[1] is None


def valid(raw, line, form):
    """The answer is JSON and has the id, or none."""
    message, fault = check_line(raw)
    must(not fault, f"{fault}: {raw!r} answers {line}")
    must("error" in message, f"{line}: {message}")
    must(message.get("id") is None or (is_json(form) and json.loads(form) == message["id"]), f"{line}: {message}")
    return message.get("id") is not None


def lines():
    return [(place.replace("DEEP", DEEP) % form, form) for place in PLACES for form in FORMS]


def at_stdio():
    with serve() as server:
        got = 0
        for line, form in lines():
            server.write(line.encode() + b"\n")
            server.send(request("next", "ping"))
            while (message := server.receive()).get("id") != "next":
                got += valid(json.dumps(message).encode() + b"\n", line, form)
            must(not server.faults, f"{line}: {server.faults}")
        must(got >= 20, f"{got} of the good ids came back")
        tap.note(f"{len(lines())} lines, {got} ids")


def longer_than_a_message():
    for start, end in (('{"id":%s,"x":"', '"}'), ('{"x":"', '","id":%s}')):
        for form in ("007", "-00", "7"):
            with serve() as server:
                server.write(f"{start}{'x' * 11000000}{end}".replace("%s", form).encode() + b"\n")
                server.send(request("next", "ping"))
                valid(json.dumps(server.receive()).encode() + b"\n", start, form)
                server.answer("next")
                must(not server.faults, f"{form}: {server.faults}")


def at_http():
    with HttpServer(*ROOT) as server, server.connect() as connection:
        for line, form in lines():
            connection.request("POST", None, [("Content-Type", "application/json"),
                                              ("Accept", "application/json, text/event-stream")], line.encode())
            answer = connection.answer()
            valid(answer.body.strip() + b"\n", line, form)


tap.case("over stdio", at_stdio)
tap.case("longer than a message may be", longer_than_a_message)
tap.case("over HTTP", at_http)
tap.done()
