#!/usr/bin/env python3
"""The tools whose answers are a grammar begin every failure with ERROR:, whoever reports it; others do not have the word."""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap                  # noqa: E402
from server import perigee  # noqa: E402
from tap import Failure     # noqa: E402

GOOD = {"open_keynote": {}, "get_slide_size": {}, "draw_rectangle": {"x": 1, "y": 1, "width": 9, "height": 9},
        "add_text_in_keynote": {"text": "a"}, "screenshot_slide": {"path": "/tmp/a.png"},
        "send_email": {"to": "ann@a.example", "subject": "a", "body": "a"}}
WRONG = [*((name, {**arguments, "foo": 1}) for name, arguments in GOOD.items()), ("draw_rectangle", {"x": "ten"}), ("send_email", {}),
         ("add_text_in_keynote", {"text": 7}), ("draw_rectangle", {"x": 0, "y": 0, "width": 0, "height": 1})]
SLOW = """return { description = "Waits.", says_error = true, timeout = 0.05, inputSchema = { type = "object" },
  run = function() require("sys.time").sleep(600) end }"""
BROKEN = """return { description = "Breaks.", says_error = %s, inputSchema = { type = "object" }, run = function() error "no wheel" end }"""


def failure(server, name, arguments):
    """The text of a failure, as a client, another tool and a list of calls get it."""
    said = set()
    for tool, given in ((name, arguments), ("call_tool", {"name": name, "arguments": arguments})):
        result = server.call(tool, given)["result"]
        if not result.get("isError"):
            raise Failure(f"{name} {arguments} did not fail: {result}")
        said.add(result["content"][0]["text"])
    if len(said) != 1:
        raise Failure(f"{name}: {said}")
    return said.pop()


def check(text, worded=True):
    if text.startswith("ERROR: ") != worded or text.startswith("ERROR: ERROR"):
        raise Failure(text)


def started(root, policy, **tools):
    (root / "policy.lua").write_text(policy)
    (root / "tools/mine").mkdir(parents=True, exist_ok=True)
    for name, text in tools.items():
        (root / "tools/mine" / f"{name}.lua").write_text(text)
    server = perigee("--root", str(root), env={**os.environ, "PERIGEE_HOME": str(root), "PERIGEE_DESKTOP": "fake"})
    server.initialize()
    return server


def wrong_arguments(root):
    with started(root, "return { rules = { { allow = true } } }") as server:
        for name, arguments in WRONG:
            check(failure(server, name, arguments))
        check(failure(server, "get_window", {"foo": 1}), worded=False)


def refusals(root):
    for verdict in ("deny", "ask"):     # the client cannot be asked
        with started(root, 'return { rules = { { %s = "so", tool = { %s } }, { allow = true } } }' % (
                verdict, ", ".join(f'"{name}"' for name in [*GOOD, "get_window"]))) as server:
            for name, arguments in GOOD.items():
                check(failure(server, name, arguments))
            check(failure(server, "get_window", {"window": "Home"}), worded=False)


def ends(root):
    """Those that the engine stops, and whose code fails; also those of a declaration that was kept."""
    for _ in range(2):
        with started(root, "return { rules = { { allow = true } } }", slow=SLOW, broken=BROKEN % "true", plain=BROKEN % "false") as server:
            check(failure(server, "slow", {}))
            check(failure(server, "broken", {}))
            check(failure(server, "plain", {}), worded=False)


def main():
    for name, case in (("arguments that do not fit", wrong_arguments), ("refusals of the policy", refusals),
                       ("calls that end otherwise", ends)):
        with tempfile.TemporaryDirectory() as folder:
            tap.case(name, case, pathlib.Path(folder))
    tap.done()


if __name__ == "__main__":
    main()
