"""The parts that the Python tests of this folder share: a server on the test tools, and short messages."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from server import GUARD, PERIGEE, perigee     # noqa: E402

ROOT = os.path.join(HERE, "root")
SERVE = [PERIGEE, "serve", "--root", ROOT, "--toolset", "test"]
INIT = {"jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                   "clientInfo": {"name": "stdio", "version": "1"}}}


def serve(*arguments, **options):
    server = perigee("--root", ROOT, "--toolset", "test", *arguments, **options)
    server.initialize()
    return server


def request(identity, method, params=None):
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}}


def call(identity, name, **arguments):
    return request(identity, "tools/call", {"name": name, "arguments": arguments})


def encode(*messages):
    return b"".join(json.dumps(m).encode() + b"\n" for m in messages)


def must(condition, text):
    if not condition:
        raise tap.Failure(text)


def ended(server, what):
    """The exit code; fails when there is none."""
    code = server.wait()
    must(code is not None, f"still running {GUARD:g} s after {what}")
    return code
