#!/usr/bin/env python3
"""A double of a protected MCP server and of its authorization servers. Standard library only, and
the program openssl where tokens are to be signed.

    oauth_double.py

listens on a free port of 127.0.0.1, prints the port, and ends when its stdin does. One address
plays everybody: the MCP server at /mcp, an authorization server at the root and one below each
first part of a path that `issuers` names. They keep the rules of RFC 6749, 7591, 7636, 8414,
8707, 9207 and 9728: codes are good for one use, verifiers must fit, refresh tokens are replaced
at each use and a second use ends the whole line, tokens are good for their resource and scopes.

Tokens are opaque, or, with "signed", JWTs (RFC 9068) by the keys that /jwks lists.

POST /control  a JSON object of settings (see DEFAULTS) forgets everything and begins anew;
               with "keep": true only the settings change
POST /sign     {"key", "claims", "header"} gives {"token"} by that key, listed or not
GET /log       what was asked, in order: {method, path, query, form, authorization, json}
POST /mcp      for a token that will do a small MCP server, and for what is no JSON-RPC 200 with
               {"method", "scopes"}; else 401 or 403
"""

import atexit
import base64
import hashlib
import http.server
import json
import secrets
import sys
import threading
import time
import urllib.parse

import jose

DEFAULTS = {
    "keep": False,
    "issuers": [""],            # paths; what the resource metadata lists
    "resource_at": "/.well-known/oauth-protected-resource/mcp",
    "named": True,              # the challenge names the resource metadata
    "resource": {},             # members of it that are other
    "server_at": None,          # where the metadata of the first issuer is; None: as RFC 8414 says
    "server": {},               # members of it that are other; null takes one away
    "iss": "right",             # "right", "none", "wrong", "slash"
    "challenge": "",            # more parameters of the 401, as they stand in the header
    "needs": {},                # method of JSON-RPC -> scopes; "*": every other one
    "grants": None,             # scopes given whatever is asked for; None: those asked for
    "deny": None,               # the error with which people are sent back
    "methods": ["none"],        # token_endpoint_auth_methods_supported
    "known": {},                # client id -> secret or null, known beforehand
    "registers": True,
    "register_status": 201,
    "expires_in": 3600,
    "refreshes": True,
    "token_status": 200,
    "token": {},                # members of the token's answer that are other
    "only_newest": False,       # tokens given before the last are refused
    "keys": {},                 # name -> "RS256" or "ES256": what /jwks lists
    "signed": None,             # access tokens are JWTs by the key of this name
    "claims": {},               # members of them that are other
    "redirects": {},            # path -> Location
    "status": {},               # path -> status, for anything
}


class World:
    def __init__(self):
        self.lock = threading.Lock()
        self.settings = dict(DEFAULTS)
        self.made = {}
        self.forget()

    def key(self, name):
        if name not in self.made:
            self.made[name] = jose.Key(self.settings["keys"].get(name, "ES256"), name)
            atexit.register(self.made[name].remove)
        return self.made[name]

    def forget(self):
        self.log, self.codes, self.tokens, self.refreshers, self.dead = [], {}, {}, {}, set()
        self.clients, self.newest, self.port = {}, None, getattr(self, "port", 0)

    def set(self, settings):
        strange = set(settings) - set(DEFAULTS)
        if strange:
            raise ValueError(f"no settings: {sorted(strange)}")
        if settings.get("keep"):
            self.settings = {**self.settings, **settings}
            return
        self.settings = {**DEFAULTS, **settings}
        self.forget()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"


world = World()


def merge(document, changes):
    document = {**document, **changes}
    return {key: value for key, value in document.items() if value is not None}


def resource_metadata():
    s = world.settings
    path = "" if s["resource_at"].endswith("oauth-protected-resource") else "/mcp"
    return merge({"resource": world.base + path,
                  "authorization_servers": [world.base + path for path in s["issuers"]]}, s["resource"])


def server_metadata(path):
    s, issuer = world.settings, world.base + path
    document = {
        "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": s["methods"],
        "authorization_response_iss_parameter_supported": s["iss"] != "none",
        "revocation_endpoint": issuer + "/revoke", "jwks_uri": world.base + "/jwks",
    }
    if s["registers"]:
        document["registration_endpoint"] = issuer + "/register"
    return merge(document, s["server"])


def metadata_places():
    s = world.settings
    places = {s["resource_at"]: resource_metadata} if s["resource_at"] else {}
    for i, path in enumerate(s["issuers"]):
        at = s["server_at"] if i == 0 and s["server_at"] else "/.well-known/oauth-authorization-server" + path
        places[at] = lambda path=path: server_metadata(path)
    return places


class Refused(Exception):
    def __init__(self, error, status=400, text=None):
        super().__init__(error)
        self.error, self.status, self.text = error, status, text


def client_of(issuer, form, authorization):
    """The client that asks, proven in the one way it may."""
    method = "client_secret_post" if "client_secret" in form else "none"
    name, secret = form.get("client_id"), form.get("client_secret")
    if authorization.startswith("Basic "):
        pair = base64.b64decode(authorization[6:]).decode()
        name, secret = (urllib.parse.unquote_plus(part) for part in pair.split(":", 1))
        method = "client_secret_basic"
        if "client_secret" in form:
            raise Refused("invalid_request", text="two proofs")
    if method not in world.settings["methods"]:
        raise Refused("invalid_client", 401, f"{method} is not supported")
    known = world.clients.get((issuer, name), world.settings["known"].get(name, ""))
    if known == "" and not (name or "").startswith("https://"):
        raise Refused("invalid_client", 401, "unknown client")
    if known and known != secret:
        raise Refused("invalid_client", 401, "wrong secret")
    return name


def give(client, scopes, resource, line=None, renewable=True):
    s = world.settings
    granted = s["grants"] if s["grants"] is not None else scopes
    access, refresh, line = "at-" + secrets.token_urlsafe(16), None, line or secrets.token_hex(8)
    if s["signed"]:
        now = int(time.time())
        access = world.key(s["signed"]).sign(merge({
            "iss": world.base + s["issuers"][0], "sub": "somebody", "aud": resource, "client_id": client, "iat": now,
            "exp": now + s["expires_in"], "scope": " ".join(granted), "jti": secrets.token_hex(8)}, s["claims"]))
    world.tokens[access] = {"scopes": granted, "resource": resource, "line": line}
    world.newest = access
    answer = {"access_token": access, "token_type": "Bearer", "expires_in": s["expires_in"]}
    if granted:
        answer["scope"] = " ".join(granted)
    if s["refreshes"] and renewable:
        refresh = answer["refresh_token"] = "rt-" + secrets.token_urlsafe(16)
        world.refreshers[refresh] = {"client": client, "scopes": granted, "resource": resource, "line": line,
                                     "used": False}
    return merge(answer, s["token"])


def redeem_code(issuer, form, client):
    grant = world.codes.pop(form.get("code"), None)
    if not grant or grant["issuer"] != issuer or grant["client"] != client:
        raise Refused("invalid_grant", text="no such code")
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    if base64.urlsafe_b64encode(digest).decode().rstrip("=") != grant["challenge"]:
        raise Refused("invalid_grant", text="the verifier does not fit")
    if form.get("redirect_uri") != grant["redirect"] or form.get("resource") != grant["resource"]:
        raise Refused("invalid_grant", text="another redirect or resource")
    return give(client, grant["scopes"], grant["resource"])


def redeem_refresh(form, client):
    grant = world.refreshers.get(form.get("refresh_token"))
    if not grant or grant["client"] != client or grant["line"] in world.dead:
        raise Refused("invalid_grant", text="no such refresh token")
    if grant["used"]:
        world.dead.add(grant["line"])
        raise Refused("invalid_grant", text="used twice")
    if form.get("resource") != grant["resource"]:
        raise Refused("invalid_target")
    grant["used"] = True
    return give(client, grant["scopes"], grant["resource"], grant["line"])


def give_unattended(form, client):
    """RFC 6749, section 4.4: only to those that can keep a secret, and without a refresh token."""
    if not world.settings["known"].get(client):
        raise Refused("unauthorized_client")
    return give(client, form.get("scope", "").split(), form.get("resource"), renewable=False)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, status, document=None, headers=()):
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if document is not None:
            self.send_header("Content-Type", "application/json")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def read(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        kind = self.headers.get("Content-Type", "")
        form = dict(urllib.parse.parse_qsl(body)) if "urlencoded" in kind else {}
        return form, json.loads(body) if "json" in kind and body else None

    def do_GET(self):
        self.handle_any("GET")

    def do_POST(self):
        self.handle_any("POST")

    def handle_any(self, method):
        where = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(where.query))
        form, document = self.read()
        with world.lock:
            if where.path == "/control":
                world.set(document)
                self.send(204)
            elif where.path == "/log":
                self.send(200, world.log)
            else:
                world.log.append({"method": method, "path": where.path, "query": query, "form": form,
                                  "authorization": self.headers.get("Authorization", ""), "json": document})
                try:
                    self.answer(where.path, query, form, document)
                except Refused as why:
                    self.send(why.status, merge({"error": why.error}, {"error_description": why.text}))

    def answer(self, path, query, form, document):
        s = world.settings
        places = metadata_places()
        issuer, _, last = path.rpartition("/")
        if path in s["redirects"]:
            self.send(302, None, [("Location", s["redirects"][path])])
        elif path in s["status"]:
            self.send(s["status"][path])
        elif path == "/jwks":
            self.send(200, {"keys": [world.key(name).jwk() for name in s["keys"]]})
        elif path == "/sign":
            self.send(200, {"token": world.key(document["key"]).sign(document["claims"], **document["header"])})
        elif path in places:
            self.send(200, places[path]())
        elif path == "/mcp" and document:
            self.mcp(document)
        elif path == "/mcp":
            self.send(405)
        elif last == "authorize" and issuer in s["issuers"]:
            self.authorize(issuer, query)
        elif last == "token" and issuer in s["issuers"]:
            self.token(issuer, form)
        elif last == "register" and issuer in s["issuers"]:
            self.register(issuer, document)
        elif last == "revoke":
            client_of(issuer, form, self.headers.get("Authorization", ""))
            self.send(200)
        else:
            self.send(404)

    def mcp(self, document):
        s = world.settings
        wanted = s["needs"].get(document.get("method"), s["needs"].get("*", []))
        where = f', resource_metadata="{world.base}{s["resource_at"]}"' if s["named"] else ""
        held = world.tokens.get(self.headers.get("Authorization", "")[len("Bearer "):])
        if held and s["only_newest"] and world.tokens.get(world.newest) is not held:
            held = None
        if not held:
            more = s["challenge"] and ", " + s["challenge"]
            self.send(401, {}, [("WWW-Authenticate", f'Bearer realm="mcp"{where}{more}')])
        elif not set(wanted) <= set(held["scopes"]):
            self.send(403, {}, [("WWW-Authenticate", f'Bearer error="insufficient_scope", '
                                 f'scope="{" ".join(wanted)}"{where}')])
        else:
            if "jsonrpc" in document:
                self.rpc(document, held)
            else:
                self.send(200, {"method": document.get("method"), "scopes": held["scopes"]})

    def rpc(self, document, held):
        """As much of MCP as a client needs to begin, list and call."""
        results = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "double", "title": "The Double", "version": "1"}},
            "tools/list": {"tools": [{"name": "whoami", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": " ".join(held["scopes"])}]},
        }
        if "id" not in document:
            self.send(202)
            return
        answer = {"jsonrpc": "2.0", "id": document["id"]}
        if document["method"] in results:
            self.send(200, {**answer, "result": results[document["method"]]})
        else:
            self.send(404, {**answer, "error": {"code": -32601, "message": "Method not found"}})

    def authorize(self, issuer, query):
        s = world.settings
        for name in ("client_id", "redirect_uri", "code_challenge", "state", "resource"):
            if name not in query:
                raise Refused("invalid_request", text=f"{name} is missing")
        if query["response_type"] != "code" or query["code_challenge_method"] != "S256":
            raise Refused("invalid_request", text="not the flow with PKCE")
        answer = {"state": query["state"]}
        if s["deny"]:
            answer["error"], answer["error_description"] = s["deny"], "a person said <no>"
        else:
            answer["code"] = code = secrets.token_urlsafe(16)
            world.codes[code] = {"issuer": issuer, "client": query["client_id"], "redirect": query["redirect_uri"],
                                 "challenge": query["code_challenge"], "resource": query["resource"],
                                 "scopes": query.get("scope", "").split()}
        iss = {"right": world.base + issuer, "slash": world.base + issuer + "/",
               "wrong": "https://evil.example"}.get(s["iss"])
        if iss:
            answer["iss"] = iss
        self.send(302, None, [("Location", query["redirect_uri"] + "?" + urllib.parse.urlencode(answer))])

    def token(self, issuer, form):
        if world.settings["token_status"] != 200:
            raise Refused("temporarily_unavailable", world.settings["token_status"])
        client = client_of(issuer, form, self.headers.get("Authorization", ""))
        if form.get("grant_type") == "authorization_code":
            self.send(200, redeem_code(issuer, form, client))
        elif form.get("grant_type") == "refresh_token":
            self.send(200, redeem_refresh(form, client))
        elif form.get("grant_type") == "client_credentials":
            self.send(200, give_unattended(form, client))
        else:
            raise Refused("unsupported_grant_type")

    def register(self, issuer, document):
        s = world.settings
        if s["register_status"] >= 400:
            raise Refused("invalid_redirect_uri", s["register_status"], "loopback is not allowed")
        name, method = "client-" + secrets.token_hex(4), document["token_endpoint_auth_method"]
        secret = None if method == "none" else "secret " + secrets.token_hex(8)
        world.clients[(issuer, name)] = secret
        self.send(s["register_status"], merge({"client_id": name, "client_secret": secret, **document}, {}))


def gone_away(*_):
    """A client that does not wait for its answer is no fault of ours; anything else is."""
    if not isinstance(sys.exc_info()[1], ConnectionError):
        raise sys.exc_info()[1]


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = gone_away
    world.port = server.server_address[1]
    print(world.port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


main()
