#!/usr/bin/env python3
"""Text from outside is found in each part of a request to a host that the caller did not name before: the path, user and password, the
query, headers, the body. The policy is the one that comes with the program."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call                  # noqa: E402
import tap                                   # noqa: E402

FORM = {"elicitation": {}}
PAGE = """
local fs = require "sys.fs"
return { description = "Reads a page.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" },
  run = function() return fs.read "said" end }
"""
FETCH = """
local http = require "sys.http"
return { description = "Sends a request.", annotations = { readOnlyHint = true },
  inputSchema = { type = "object", additionalProperties = true },
  run = function(args) local answer, err, code = http.%s(args) if not answer then return nil, err, code end return "sent" end }
"""

URL = "http://127.0.0.9:1/"     # nobody listens there
PARTS = {
    "a body": lambda data: {"url": URL, "body": data},
    "a member of JSON": lambda data: {"url": URL, "json": {"a": [data]}},
    "a segment of the path": lambda data: {"url": URL + "x/" + data.replace(" ", "%20") + "/y"},
    "segments of the path": lambda data: {"url": URL + data.replace(" ", "/")},
    "the name of a page": lambda data: {"url": URL + data.replace(" ", "%20") + ".png"},
    "a query": lambda data: {"url": URL + "?" + data.replace(" ", "+")},
    "the value of a query": lambda data: {"url": URL + "?a=1&q=" + data.replace(" ", "+") + "&z=2"},
    "values of a query": lambda data: {"url": URL + "?" + "&".join(f"p{i}={word}" for i, word in enumerate(data.split()))},
    "the name of a value": lambda data: {"url": URL + "?" + data.replace(" ", "%20") + "=1"},
    "a user": lambda data: {"url": URL.replace("//", f"//{data.replace(' ', '%20')}:x@")},
    "a password": lambda data: {"url": URL.replace("//", f"//x:{data.replace(' ', '%20')}@")},
    "a header": lambda data: {"url": URL, "headers": {"X-Note": data}},
    "a cookie": lambda data: {"url": URL, "headers": {"Cookie": "s=" + data}},
    "a token": lambda data: {"url": URL, "headers": {"Authorization": "Bearer " + data}},
    "several headers": lambda data: {"url": URL, "headers": {f"X-{i}": word for i, word in enumerate(data.split())}},
    "the page before": lambda data: {"url": URL, "headers": {"Referer": "http://one.example/" + data.replace(" ", "%20")}},
}
DATA = {"a number": "44556677", "a key": "sk-9fA3xQ77zLm2", "words": "weather in Vienna is fine", "a mail address": "ann.smith@firm.example.com"}
ORDINARY = ({"url": URL + "docs/index.html"}, {"url": URL + "documentation?page=2"},
            {"url": URL, "headers": {"Accept": "application/json", "Content-Type": "application/json", "X-Mine": "of my own"}},
            {"url": URL + "v2/introduction?format=json", "json": {"a": "of my own"}})


def read(at, server, text):
    (at.folder / "work/said").write_text(text)
    call(server, "page")


def sends(server, tool, spec):
    """The questions about a request."""
    return [asked["message"] for asked in call(server, tool, spec, ["decline"] * 2)[1]]


def requests(tool):
    def check_parts():
        for data in DATA.values():
            with Place(None, page=PAGE, fetch=FETCH % tool) as at, at.serve(capabilities=FORM) as server:
                read(at, server, f"The bank says: {data} for Ann. The documentation is in index.html and application/json.")
                for port, (part, spec) in enumerate(PARTS.items(), 1):   # one that was refused is not asked about at once
                    wanted = spec(data)
                    wanted["url"] = wanted["url"].replace(":1/", f":{port}/")
                    assert len(sends(server, "fetch", wanted)) == 1, (part, data)
                for spec in ORDINARY:
                    assert sends(server, "fetch", spec) == [], (spec, data)
    return check_parts


def shown():
    """A question shows what headers say, and of secrets how long they are."""
    with Place(None, page=PAGE, fetch=FETCH % "request") as at, at.serve(capabilities=FORM) as server:
        read(at, server, "The number is 44556677.")
        (question,) = sends(server, "fetch", {"url": URL, "headers": {"X-Note": "44556677", "Authorization": "Bearer abc"}})
        assert "X-Note" in question and '"44556677"' in question and "10 bytes" in question and "Bearer" not in question, question


for title, function in (("each part of a request", requests("request")), ("each part of a stream's request", requests("stream")),
                        ("headers in a question", shown)):
    tap.case(title, function)
tap.done()
