"""The parts that tests of the HTTP server as a process share: requests without a session, and their answers."""

import json
import os
import re
import subprocess

import tap
from http_peer import TOP
from server import PERIGEE

ROOT = ["--root", os.path.join(TOP, "tests/wire/root"), "--toolset", "test"]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}


def must(condition, text):
    if not condition:
        raise tap.Failure(text)


def ask(connection, method, headers=(), token=False, **params):
    """A stateless request on this connection; its answer is left to be read. token: progress is asked for."""
    meta = {**META, "progressToken": "p"} if token else META
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": {**params, "_meta": meta}}).encode()
    named = [("Mcp-Name", params["name"])] if "name" in params else []
    connection.request("POST", None, [
        ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), *named, *headers], body)


def answered(server, headers=(), method="server/discover", **params):
    with server.connect() as connection:
        ask(connection, method, headers, **params)
        return connection.answer()


def bearer(token):
    return [("Authorization", f"Bearer {token}")]


def metric(server, name):
    with server.connect() as connection:
        connection.request("GET", "/metrics")
        text = connection.answer("GET").body.decode()
    return float(re.search(rf"^perigee_{name} (\S+)$", text, re.MULTILINE).group(1))


def perigee(*arguments, home, **env):
    return subprocess.run([PERIGEE, *arguments], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PERIGEE_HOME=home, **env))
