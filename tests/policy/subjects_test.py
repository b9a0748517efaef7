#!/usr/bin/env python3
"""Rules about the subject of a token: `sub` as it is. The token of a program without one is no person's, and `perigee policy` says
of each what the server does."""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, TOP                   # noqa: E402
from http_peer import HttpServer             # noqa: E402
from server import PERIGEE                   # noqa: E402
import jose                                  # noqa: E402
import tap                                   # noqa: E402

RULES = """return { rules = { { %s = "the rule", tool = "mark", caller = { kind = "oauth", subject = %s } },
  { %s = "others", tool = "mark" }, { allow = true } } }"""
NOOP = 'return { description = "Does nothing.", inputSchema = { type = "object" }, run = function() return "marked" end }'
RULE = '{ %s = "the rule", tool = "%s", caller = { subject = %s } }, { %s = "others", tool = "%s" }'
ANN, ANYBODY, ROBOT = "ann@example.com", "*", "client:robot"

# The claims of a token, the subject that it comes to, and the names of a rule that fit it.
TOKENS = [
    ({"sub": ANN}, ANN, (ANN, "ann@*", "*@example.com", ANYBODY)),
    ({"sub": ANN, "client_id": "robot"}, ANN, (ANN, "ann@*", "*@example.com", ANYBODY)),
    ({"sub": "mallory@example.com"}, "mallory@example.com", ("*@example.com", ANYBODY)),
    ({"sub": "evil" + ANN}, "evil" + ANN, ("*@example.com", "*ann@example.com", ANYBODY)),
    ({"sub": "ANN@example.com"}, "ANN@example.com", ("*@example.com", ANYBODY)),
    ({"sub": ANN + " "}, ANN + " ", ("ann@*", ANYBODY)),
    ({"client_id": ANN}, "client:" + ANN, (ANYBODY, "client:*", "client:" + ANN)),
    ({"azp": ANN}, "client:" + ANN, (ANYBODY, "client:*", "client:" + ANN)),
    ({"sub": "", "client_id": ANN}, "client:" + ANN, (ANYBODY, "client:*", "client:" + ANN)),
    ({"client_id": "robot"}, ROBOT, (ANYBODY, "client:*", ROBOT)),
    ({"sub": ROBOT}, "sub:" + ROBOT, (ANYBODY, "*robot")),
    ({"sub": "sub:" + ROBOT}, "sub:sub:" + ROBOT, (ANYBODY, "*robot")),
]
NAMES = sorted({name for _, _, names in TOKENS for name in names} | {"client:mallory", "c*"})


class Issuer:
    def __enter__(self):
        self.double = subprocess.Popen([sys.executable, os.path.join(TOP, "tests/lib/oauth_double.py")], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.double.stdout.readline().strip()}"
        self.post("/control", {"keys": {"e": "ES256"}})
        return self

    def post(self, path, document):
        request = urllib.request.Request(self.url + path, json.dumps(document).encode(), {"Content-Type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            return json.loads(answer.read() or b"null")

    def token(self, server, claims):
        claims = {"iss": self.url, "aud": server.url, "exp": int(time.time()) + 600, **claims}
        return self.post("/sign", {"key": "e", "claims": claims, "header": {}})["token"]

    def __exit__(self, *_):
        self.double.kill()
        self.double.wait()


def call(server, token, tool):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
    with server.connect() as peer:
        peer.request("POST", None, [
            ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"), ("Mcp-Name", tool),
            ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Authorization", f"Bearer {token}")],
            json.dumps(body).encode())
        return json.loads(peer.answer().body)


def explained(place, subject):
    done = subprocess.run([PERIGEE, "policy", "explain", "mark", "--caller", "oauth", "--subject", subject, "--json"],
                          capture_output=True, text=True, check=True, env={**os.environ, **place.env})
    return json.loads(done.stdout)["rule"]


def fits():
    """A rule that allows, and one that denies, holds for the subjects that it names and for no other."""
    pairs = (("allow", "deny"), ("deny", "allow"))
    tools = {f"{verdict}_{i}": (verdict, other, name) for i, name in enumerate(NAMES) for verdict, other in pairs}
    rules = [RULE % (verdict, tool, json.dumps(name), other, tool) for tool, (verdict, other, name) in tools.items()]
    with Issuer() as issuer, Place("return { rules = { %s } }" % ", ".join(rules), **dict.fromkeys(tools, NOOP)) as place, \
            HttpServer("--grant", str(place.folder / "work"), "--oauth-issuer", issuer.url, token=True,
                       env={**place.env, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}) as server:
        for claims, _, fit in TOKENS:
            token = issuer.token(server, claims)
            for tool, (verdict, _, name) in tools.items():
                result = call(server, token, tool)["result"]
                denied = "The policy denies" in json.dumps(result)
                assert denied != ("marked" in json.dumps(result)), result
                wanted = name in fit or claims.get("sub", "").endswith(ANN) and name == "*ann@example.com"
                assert (denied == (verdict == "deny")) == wanted, (verdict, name, claims, result)
        cut = call(server, issuer.token(server, {"sub": ANN + "\0x"}), f"allow_{NAMES.index(ANN)}")
        assert "marked" not in json.dumps(cut), "a subject with a zero byte is another one"


def said():
    """`perigee policy explain`, examples and the audit log have the same subject."""
    for claims, subject, fit in TOKENS:
        with Place(RULES % ("deny", json.dumps(fit[0]), "allow")) as place:
            assert explained(place, subject) == 1, (claims, subject)
            assert explained(place, "nobody") == (1 if fit[0] == ANYBODY else 2), claims
    example = '{ "x", caller = { kind = "oauth", subject = "%s" }, tool = "mark", want = "%s" }'
    with Place('return { rules = { { allow = true, caller = { subject = "ann@example.com" } } }, otherwise = "deny", examples = { '
               + example % (ANN, "allow") + ", " + example % ("client:" + ANN, "deny") + " } }") as place:
        done = subprocess.run([PERIGEE, "policy", "test"], capture_output=True, text=True, env={**os.environ, **place.env}, check=False)
        assert done.returncode == 0, done
    with Issuer() as issuer, Place() as place, \
            HttpServer("--grant", str(place.folder / "work"), "--oauth-issuer", issuer.url, token=True,
                       env={**place.env, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}) as server:
        for claims, _, _ in TOKENS:
            call(server, issuer.token(server, claims), "list_windows")
        lines = [json.loads(line) for file in sorted((place.folder / "state").rglob("*.jsonl")) for line in file.read_text().splitlines()]
        subjects = [line["caller"]["subject"] for line in lines if line.get("tool") == "list_windows" and line["kind"] == "call"]
        assert subjects == [subject for _, subject, _ in TOKENS], subjects


def team():
    """The example of docs/policy-examples.md as it stands."""
    text = pathlib.Path(TOP, "docs/policy-examples.md").read_text()
    text = text[text.index("**A team's HTTP server**"):]
    policy = text[text.index("```lua") + 6:text.index("```", text.index("```lua") + 6)]
    with Issuer() as issuer, Place(policy) as place, \
            HttpServer("--grant", str(place.folder / "work"), "--oauth-issuer", issuer.url, token=True,
                       env={**place.env, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}) as server:
        for claims, acts in (({"sub": ANN}, True), ({"sub": "joe@example.com"}, True), ({"sub": "mallory@example.com"}, False),
                             ({"client_id": ANN}, False)):
            token = issuer.token(server, claims)
            assert ("marked" in json.dumps(call(server, token, "mark"))) == acts, claims
            assert "policy" not in json.dumps(call(server, token, "list_windows")), claims


if not jose.available():
    tap.case("subjects of tokens", lambda: (_ for _ in ()).throw(tap.Skip("openssl is not here")))
else:
    tap.case("a rule about a subject compares the token's own, and no name of a person fits a program", fits)
    tap.case("explain, test and the audit log know the same subjects", said)
    tap.case("in the example of a team's HTTP server two people act", team)
tap.done()
