#!/usr/bin/env python3
"""The HTTP server as an OAuth resource server, against tests/lib/oauth_double.py: whose tokens count,
what is said about the others, keys that change or cannot be had, and our own client logging in."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import jose          # noqa: E402
import tap          # noqa: E402
from http_peer import HttpServer, TOP, wait_for          # noqa: E402
from server import PERIGEE          # noqa: E402

TRUSTING = ["--root", os.path.join(TOP, "tests/lib/trusting")]
ROOT = ["--root", os.path.join(TOP, "tests/wire/root"), "--toolset", "test"]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}
DIRECT = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
KEYS = {"r": "RS256", "e": "ES256"}

if not jose.available():
    tap.case("the server as an OAuth resource server", lambda: (_ for _ in ()).throw(tap.Skip("openssl is not here")))
    tap.done()
    sys.exit()

double = subprocess.Popen([sys.executable, os.path.join(TOP, "tests/lib/oauth_double.py")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True)
BASE = f"http://127.0.0.1:{double.stdout.readline().strip()}"


def must(condition, text):
    if not condition:
        raise tap.Failure(text)


def same(a, b, what=""):
    must(a == b, f"{a!r} is not {b!r} {what}")


# --- the issuer -----------------------------------------------------------------------

def post(path, document):
    request = urllib.request.Request(BASE + path, json.dumps(document).encode(), {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request) as answer:
        return json.loads(answer.read() or b"null")


def control(**settings):
    post("/control", {"keys": KEYS, **settings})


def asked(path):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(BASE + "/log") as answer:
        return sum(entry["path"] == path for entry in json.load(answer))


def claims(server, **changes):
    now = int(time.time())
    made = {"iss": BASE, "aud": server.url, "sub": "ann", "iat": now, "exp": now + 600, **changes}
    return {name: value for name, value in made.items() if value is not None}


def token(server, key="e", header=None, **changes):
    return post("/sign", {"key": key, "claims": claims(server, **changes), "header": header or {}})["token"]


# --- the server -----------------------------------------------------------------------

def protected(*arguments, issuer=None, env=None, policy=TRUSTING):
    return HttpServer(*ROOT, *policy, "--oauth-issuer", issuer or BASE, "--oauth-refetch", "1", *arguments,
                      token=True, env={**DIRECT, **(env or {})})


def bearer(text):
    return [("Authorization", f"Bearer {text}")] if text is not None else []


def ask(connection, text, method="server/discover", more=(), **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}).encode()
    named = [("Mcp-Name", params["name"])] if "name" in params else []
    connection.request("POST", None, [
        ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), *named, *bearer(text), *more], body)


def answered(server, text=None, method="server/discover", more=(), **params):
    with server.connect() as connection:
        ask(connection, text, method, more, **params)
        return connection.answer()


def got(server, path, headers=()):
    with server.connect() as connection:
        connection.request("GET", path, headers)
        return connection.answer("GET")


def message(answer):
    return json.loads(answer.body)["error"]["message"]


def refused(server, text, why, **more):
    answer = answered(server, text, **more)
    same(answer.status, 401, f"{why}: {answer.body!r}")
    must('error="invalid_token"' in answer.header("www-authenticate"), answer.header("www-authenticate"))
    must(why in message(answer), f"'{why}' is not said: {message(answer)}")
    must(text not in answer.body.decode() and text not in server.stderr(), "the token is shown")


# --- cases ----------------------------------------------------------------------------

def good_tokens():
    control()
    with protected() as server:
        for key in KEYS:
            same(answered(server, token(server, key)).status, 200, key)
        for header in ({"typ": "JWT"}, {"typ": None}, {"typ": "application/AT+jwt"}):
            same(answered(server, token(server, header=header)).status, 200, header)
        same(answered(server, token(server, "r", {"kid": None})).status, 200, "without kid")
        same(answered(server, token(server, aud=["https://other.example", server.url])).status, 200)
        same(answered(server, token(server, exp=time.time() - 30)).status, 200, "within the leeway")
        again = token(server)
        for _ in range(3):
            same(answered(server, again).status, 200, "again")
        local = server.url.replace("127.0.0.1", "localhost")
        same(answered(server, token(server, aud=local), more=[("Host", local.split("/")[2])]).status, 200)
        same(asked("/jwks"), 1, "looked at the keys more often")
        must("perigee_" in got(server, "/metrics", bearer(token(server))).body.decode(), "no metrics")
        same(got(server, "/metrics").status, 401)
        same(got(server, "/healthz").status, 200)


def no_token():
    control()
    with protected("--oauth-scope", "desktop:use", "--oauth-scope", "x") as server:
        answer = answered(server)
        origin = server.url[:-len("/mcp")]
        same((answer.status, answer.header("www-authenticate")),
             (401, f'Bearer resource_metadata="{origin}/.well-known/oauth-protected-resource/mcp", '
                   'scope="desktop:use x"'))
        must(BASE in message(answer), message(answer))
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
            answer = got(server, path)
            same((answer.status, json.loads(answer.body)), (200, {
                "resource": server.url, "authorization_servers": [BASE], "scopes_supported": ["desktop:use", "x"],
                "bearer_methods_supported": ["header"], "resource_name": "Perigee"}))
        same(got(server, "/.well-known/oauth-protected-resource/other").status, 404)
        same(got(server, "/.well-known/oauth-protected-resource", [("Origin", "https://evil.example")]).status, 403)


def wrong_claims():
    control()
    now = int(time.time())
    with protected() as server:
        for why, changes in {
                "expired": {"exp": now - 3600}, "does not say when it expires": {"exp": None},
                "when it expires": {"exp": "soon"}, "not valid yet": {"nbf": now + 3600},
                "another issuer": {"iss": BASE + "/"}, "issuer (iss)": {"iss": None},
                "another resource": {"aud": server.url + "/"}, "resource (aud)": {"aud": None},
                "for another": {"aud": ["https://other.example"]}, "name its subject": {"sub": None},
                "bound to a key": {"cnf": {"jkt": "x"}}}.items():
            refused(server, token(server, **changes), why)
        refused(server, token(server, aud=server.url.replace("127.0.0.1", "evil.example")), "another resource")
        same(answered(server, token(server, sub=None, client_id="robot")).status, 200)


def wrong_headers():
    control()
    with protected() as server:
        good = token(server)
        head, body, signature = good.split(".")
        none = jose.part({"alg": "none", "typ": "JWT"})
        for name in ("none", "None", "RS512", "HS256", "EdDSA", 7, None):
            refused(server, ".".join([jose.part({"alg": name, "kid": "e"}), body, signature]), "RS256 or ES256")
        refused(server, f"{none}.{body}.", "RS256 or ES256")
        refused(server, token(server, header={"crit": ["exp"]}), "crit")
        refused(server, token(server, header={"crit": []}), "crit")
        refused(server, token(server, header={"typ": "dpop+jwt"}), "typ")
        refused(server, token(server, header={"kid": 7}), "kid")
        key = jose.Key("RS256", "own")
        for secret in (key.public_pem(), json.dumps(key.jwk()).encode()):
            refused(server, jose.sign_shared(secret, claims(server), kid="r"), "RS256 or ES256")
        key.remove()
        # the algorithm of one key with the name of the other
        refused(server, token(server, "e", {"kid": "r"}), "does not list")
        refused(server, token(server, "r", {"alg": "ES256"}), "does not list")
        refused(server, token(server, "r", {"alg": "ES256", "kid": "e"}), "signature is wrong")
        twice = jose.part(b'{"alg":"none","alg":"ES256","kid":"e"}')
        refused(server, f"{twice}.{body}.{signature}", "not a signed JSON Web Token")


def tampered():
    control()
    with protected() as server:
        for key in KEYS:
            head, body, signature = token(server, key).split(".")
            other = jose.part(claims(server, sub="mallory"))
            refused(server, f"{head}.{other}.{signature}", "signature is wrong")
            flipped = ("B" if signature[9] == "A" else "A")
            refused(server, f"{head}.{body}.{signature[:9]}{flipped}{signature[10:]}", "signature is wrong")
            refused(server, f"{head}.{body}.", "signature is wrong")
            refused(server, f"{head}.{body}.{jose.encode(bytes(64 if key == 'e' else 256))}", "signature is wrong")
        jwk = jose.Key("ES256", "e")
        refused(server, jwk.sign(claims(server)), "signature is wrong")
        refused(server, jwk.sign(claims(server), jwk=jwk.jwk()), "signature is wrong")
        refused(server, jwk.sign(claims(server), kid=None), "does not list")
        jwk.remove()


def garbage():
    control()
    with protected() as server:
        head, body, signature = token(server).split(".")
        for text in ("x", ".", "..", "...", "a.b.c", f"{head}.{body}", f"{head}.{body}.{signature}.x",
                     f"{head}=.{body}.{signature}", f"{head}.{body}.{signature}!", f"{body}.{head}.{signature}",
                     f"{jose.part([1])}.{body}.{signature}", f"{head}.{jose.part(b'{')}.{signature}",
                     f"{head}.{jose.part(b'null')}.{signature}", "%00" * 9, f"{head}.{body}.{signature} x"):
            same(answered(server, text).status, 401, text)
        refused(server, "e30." + "A" * 12500 + ".AAAA", "too long")
        same(answered(server, "A" * 40000).status, 431, "a head beyond the limit")
        same(answered(server, None, more=[("Authorization", "Basic YTpi")]).status, 401)
        twice = bearer(token(server)) * 2
        same(answered(server, None, more=twice).status, 400, "two tokens")
        with server.connect() as connection:
            connection.request("POST", f"/mcp?access_token={token(server)}", [("Content-Type", "application/json")],
                               b"{}")
            same(connection.answer().status, 401, "a token of the URL")
        same(answered(server, token(server)).status, 200)


def scopes():
    control()
    with protected("--oauth-scope", "desktop:use", "--oauth-scope", "x") as server:
        for given in ({"scope": "x desktop:use y"}, {"scope": ["desktop:use", "x"]}, {"scp": "desktop:use x"},
                      {"scp": ["x", "desktop:use"]}, {"scope": "x", "scp": ["desktop:use"]}):
            same(answered(server, token(server, **given)).status, 200, given)
        for given in ({}, {"scope": ""}, {"scope": "x"}, {"scope": "desktop:user x"}, {"scope": {"x": 1}},
                      {"scope": "Desktop:use x"}):
            answer = answered(server, token(server, **given))
            same(answer.status, 403, given)
            challenge = answer.header("www-authenticate")
            must(challenge.startswith('Bearer error="insufficient_scope", resource_metadata="http')
                 and challenge.endswith('scope="desktop:use x"'), challenge)
            must("desktop:use" in message(answer), message(answer))


def rotation():
    control()
    with protected() as server:
        old = token(server)
        same(answered(server, old).status, 200)
        post("/control", {"keep": True, "keys": {"f": "ES256"}})
        new = token(server, "f")
        wait_for("the new key counts", lambda: answered(server, new).status == 200)
        refused(server, old, "does not list")


def strangers_fetch_seldom():
    control()
    with HttpServer(*ROOT, "--oauth-issuer", BASE, "--oauth-refetch", "3600", token=True, env=DIRECT) as server:
        same(answered(server, token(server)).status, 200)
        for _ in range(5):
            refused(server, token(server, "stranger"), "does not list")
        same(asked("/jwks"), 1)


def keys_are_down():
    control(status={"/jwks": 500})
    with protected() as server:
        answer = answered(server, token(server))
        same((answer.status, json.loads(answer.body)["error"]["code"]), (503, -32000), answer.body)
        must(answer.header("retry-after") and "status 500" in message(answer), message(answer))
        same(answered(server, token(server, exp=1)).status, 401, "an expired one is no matter of keys")
        same(answered(server).status, 401)
        post("/control", {"keep": True, "status": {}})
        wait_for("the keys are there", lambda: answered(server, token(server)).status == 200)
        post("/control", {"keep": True, "status": {"/jwks": 500}})
        same(answered(server, token(server)).status, 200, "known keys count on")
        wait_for("a failure is no verdict", lambda: answered(server, token(server, "stranger")).status == 503)
        same(answered(server, token(server)).status, 200, "known keys count on")


def issuer_is_odd():
    for why, settings in {
            "another issuer": {"server": {"issuer": "https://evil.example"}},
            "jwks_uri": {"server": {"jwks_uri": None}},
            "neither https": {"server": {"jwks_uri": "http://keys.example/jwks"}},
            "private network": {"server": {"jwks_uri": "https://2130706433/jwks"}},
            "status 302": {"redirects": {"/jwks": "http://127.0.0.1:1/"}},
            "no key for": {"keys": {}}}.items():
        control(**settings)
        with protected() as server:
            answer = answered(server, token(server))
            same(answer.status, 503, why)
            must(why in message(answer), message(answer))
    control(server_at="/.well-known/openid-configuration")
    with protected() as server:
        same(answered(server, token(server)).status, 200, "OpenID Connect's place")
    control(issuers=["/tenant"], server_at="/tenant/.well-known/openid-configuration")
    with protected(issuer=BASE + "/tenant") as server:
        same(answered(server, token(server, iss=BASE + "/tenant")).status, 200, "OpenID Connect's older place")
    control(issuers=["/tenant"])
    with protected(issuer=BASE + "/tenant") as server:
        same(answered(server, token(server, iss=BASE + "/tenant")).status, 200, "an issuer with a path")


def issuer_says_nothing():
    """A client that waits for keys may leave; the others are told after a while, and other requests go on."""
    control()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        issuer = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with protected(issuer=issuer) as server:
            leaving = server.connect()
            ask(leaving, token(server, iss=issuer))
            staying = server.connect()
            ask(staying, token(server, iss=issuer))
            same(got(server, "/healthz").status, 200)
            same(answered(server).status, 401)
            leaving.close()
            answer = staying.answer()
            same(answer.status, 503, answer.body)
            staying.close()
        with protected(issuer=issuer) as server:
            waiting = server.connect()
            ask(waiting, token(server, iss=issuer))
            same(got(server, "/healthz").status, 200)
            same(server.stop(), 0, "it ended badly while somebody waited")
            waiting.close()


def sessions():
    """A session is its subject's, whoever learns the id."""
    control()
    with protected() as server:
        def call(text, method, session=None, verb="POST"):
            headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                       *bearer(text), *([("Mcp-Session-Id", session)] if session else [])]
            params = {"protocolVersion": "2025-11-25", "capabilities": {},
                      "clientInfo": {"name": "t", "version": "1"}} if method == "initialize" else {}
            with server.connect() as connection:
                connection.request(verb, None, headers, json.dumps(
                    {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
                    if verb == "POST" else None)
                return connection.answer(verb) if verb != "GET" else connection.head()
        ann, bob = token(server), token(server, sub="bob")
        session = call(ann, "initialize").header("mcp-session-id")
        same(call(ann, "ping", session).status, 200)
        same(call(token(server, "r"), "ping", session).status, 200, "another token of the same subject")
        same(call(bob, "ping", session).status, 404)
        same(call(token(server, sub=None, client_id="ann"), "ping", session).status, 404, "a client of that name")
        same(call(bob, None, session, "GET").status, 404)
        same(call(bob, None, session, "DELETE").status, 404)
        same(call(None, "ping", session).status, 401)
        same(call(ann, None, session, "DELETE").status, 200)


def questions():
    """The state that a client brings back to have its call go on is valid for its subject only."""
    control()
    with protected() as server:
        able = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}

        def call(text, **more):
            with server.connect() as connection:
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                        "params": {"name": "ask", "arguments": {"what": "form"}, **more, "_meta": {**META, **able}}}
                connection.request("POST", None, [
                    ("Content-Type", "application/json"), ("Accept", "application/json"),
                    ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "ask"),
                    *bearer(text)], json.dumps(body).encode())
                return json.loads(connection.answer().body)
        asked_for = call(token(server))["result"]
        same(asked_for["resultType"], "input_required", asked_for)
        back = {"requestState": asked_for["requestState"],
                "inputResponses": {name: {"action": "accept", "content": {"name": "Ann", "age": 3}}
                                   for name in asked_for["inputRequests"]}}
        must("error" in call(token(server, sub="bob"), **back), "another subject's question was answered")
        same(call(token(server), **back)["result"]["resultType"], "complete")


def tasks():
    """A task is its subject's, whoever learns the id."""
    control()
    with protected() as server:
        able = {"io.modelcontextprotocol/clientCapabilities":
                {"extensions": {"io.modelcontextprotocol/tasks": {}}}}

        def call(text, method, named, **params):
            with server.connect() as connection:
                body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": {**META, **able}}}
                connection.request("POST", None, [
                    ("Content-Type", "application/json"), ("Accept", "application/json"),
                    ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", named),
                    *bearer(text)], json.dumps(body).encode())
                return json.loads(connection.answer().body)
        made = call(token(server), "tools/call", "work", name="work", arguments={"seconds": 3000})["result"]["taskId"]
        for method in ("tasks/get", "tasks/cancel"):
            same(call(token(server, sub="bob"), method, made, taskId=made)["error"]["code"], -32602, method)
        same(call(token(server, "r"), "tasks/get", made, taskId=made)["result"]["status"], "working",
             "another token of the same subject")


def strangers():
    """A token says who may connect; what its subject does is asked about, and not at the subject's own client."""
    control()
    able = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    with protected(policy=[], env={"PERIGEE_DESKTOP": "fake"}) as server, server.connect() as connection:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "echo", "arguments": {"text": "x"}, "_meta": {**META, **able}}}
        connection.request("POST", None, [
            ("Content-Type", "application/json"), ("Accept", "application/json"), ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"), ("Mcp-Name", "echo"), *bearer(token(server))], json.dumps(body).encode())
        result = json.loads(connection.answer().body)["result"]
        same(result["resultType"], "complete", "it was asked for input")
        same(result["_meta"]["perigee/code"], "not_approved", result)
        must("the subject of a token cannot approve its own calls" in result["content"][0]["text"], result)


def static_token():
    control()
    given = "0123456789abcdef0123456789abcdef"
    with protected(env={"PERIGEE_TOKEN": given}) as server:
        same(answered(server, given).status, 401)
        wait_for("it is said", lambda: "PERIGEE_TOKEN is ignored" in server.stderr())
        must(not os.path.exists(os.path.join(server.home, "token")), "a token was made")
    with protected("--token", env={"PERIGEE_TOKEN": given}) as server:
        same(answered(server, given).status, 200)
        same(answered(server, token(server)).status, 200)
        refused(server, given[:-1] + "0", "not a signed JSON Web Token")


def behind_a_proxy():
    control()
    outside = "https://desk.example.com/tools/mcp"
    with protected("--oauth-audience", outside, "--oauth-audience", "api://desk", "--allow-host",
                   "desk.example.com") as server:
        answer = answered(server, more=[("Host", "desk.example.com")])
        same(answer.header("www-authenticate"), 'Bearer resource_metadata="https://desk.example.com/.well-known/'
             'oauth-protected-resource/tools/mcp"')
        for path in ("/tools/mcp", "/mcp", ""):
            same(json.loads(got(server, "/.well-known/oauth-protected-resource" + path).body)["resource"], outside)
        same(answered(server, token(server, aud=outside)).status, 200)
        same(answered(server, token(server, aud="api://desk")).status, 200)
        refused(server, token(server), "another resource")


def wrong_words():
    with tempfile.TemporaryDirectory() as home:
        for words, why in (
                (["--oauth-issuer", "http://issuer.example"], "https"),
                (["--oauth-issuer", "ftp://x"], "https"), (["--oauth-issuer", "https://x/?a"], "query"),
                (["--oauth-issuer", "http://localhost.evil.example"], "https"),
                (["--oauth-issuer", "http://127.0.0.1@evil.example"], "user"),
                (["--oauth-issuer", BASE, "--no-token"], "contradict"),
                (["--oauth-issuer", BASE, "--oauth-scope", "a b"], "not a scope"),
                (["--oauth-issuer", BASE, "--oauth-audience", "api://x"], "first"),
                (["--oauth-issuer", BASE, "--oauth-refetch", "0"], "from 1"),
                (["--oauth-issuer", BASE, "--http", "*:0"], "many names"),
                (["--oauth-issuer", BASE, "--http", "unix:/nowhere/x", "--only"], "no token"),
                (["--oauth-scope", "a"], "go with --oauth-issuer"), (["--token"], "go with --oauth-issuer")):
            first = [] if "--only" in words else ["--http", "0"]
            words = [word for word in words if word != "--only"]
            said = subprocess.run([PERIGEE, "serve", *first, *words], capture_output=True, text=True,
                                  check=False, env=dict(os.environ, PERIGEE_HOME=home))
            must(said.returncode == 2 and why in said.stderr, f"{words}: {said}")


def our_own_client():
    """perigee login at the issuer, then a call of a tool: everything by discovery."""
    control(signed="r")
    with tempfile.TemporaryDirectory() as home, protected("--oauth-scope", "desktop:use") as server:
        browser = os.path.join(home, "browser")
        with open(browser, "w", encoding="ascii") as file:
            file.write(f"#!{sys.executable}\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n")
        os.chmod(browser, 0o755)

        def perigee(*words):
            done = subprocess.run([PERIGEE, *words], capture_output=True, text=True, check=False, env=dict(
                os.environ, PERIGEE_HOME=home, XDG_STATE_HOME=home, BROWSER=browser, LC_ALL="C.UTF-8", **DIRECT))
            return done.returncode, done.stdout, done.stderr
        code, out, err = perigee("mcp", "list", server.url)
        must(code and "perigee login" in err, f"no word of a login: {code} {out} {err}")
        code, out, err = perigee("login", server.url)
        same(code, 0, out + err)
        must(re.search(r"Logged in to .*, which has \d+ tools", out), out)
        code, out, err = perigee("mcp", "call", server.url, "echo", "text=hello")
        same((code, "hello" in out), (0, True), out + err)
        control(signed="r", grants=["other"])
        perigee("logout", server.url)
        code, out, err = perigee("login", server.url)
        must(code != 0 or "desktop:use" in out + err, f"scopes that do not suffice: {code} {out} {err}")


try:
    for name, function in [
            ("tokens of the issuer count: RS256 and ES256", good_tokens),
            ("no token: where to get one", no_token),
            ("a token that says something else is refused", wrong_claims),
            ("none, shared secrets and other kinds are refused", wrong_headers),
            ("a token that was changed after signing is refused", tampered),
            ("garbage and huge tokens are refused", garbage),
            ("scopes that are missing: 403, and which", scopes),
            ("a new key counts at once, an old one no more", rotation),
            ("strange keys do not make it ask again and again", strangers_fetch_seldom),
            ("keys that cannot be had: 503, not 401", keys_are_down),
            ("an issuer's metadata: where it is, and what it may not say", issuer_is_odd),
            ("an issuer that says nothing holds nobody else up", issuer_says_nothing),
            ("a session is for the subject that opened it", sessions),
            ("a question is for the subject that was asked", questions),
            ("a task is its subject's", tasks),
            ("the subject of a token cannot approve its own calls", strangers),
            ("the token of `perigee token` counts when asked for", static_token),
            ("another address outside, and other audiences", behind_a_proxy),
            ("our own client logs in and calls a tool", our_own_client),
            ("wrong options are named", wrong_words)]:
        tap.case(name, function)
    tap.done()
finally:
    double.stdin.close()
    double.wait()
