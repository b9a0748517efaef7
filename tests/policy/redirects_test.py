#!/usr/bin/env python3
"""A redirect to another host is a request of its own: it is judged before it is followed.

The hosts are names under `localhost`, which libcurl takes for this machine."""

import http.server
import itertools
import json
import os
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
import tap                                        # noqa: E402

FORM = {"elicitation": {}}
NO, ONCE = "Do not allow", "Allow once"
STATUSES, HOWS = (301, 302, 303, 307, 308), ("request", "stream")

FETCHES = """
local http = require "sys.http"
return { description = "Fetches.", inputSchema = { type = "object" }, run = function(args)
  local got, err, code = http[args.how or "request"](args.spec)
  if not got then return nil, err, code end
  local body = got.body
  if not body then
    body = ""
    for bytes in function() return got:read() end do body = body .. bytes end
  end
  return { status = got.status, body = body, url = got.url, attempts = got.attempts }
end }
"""
SAYS = ('return { description = "Says.", from = "%s", annotations = { readOnlyHint = true }, inputSchema = { type = "object" }, '
        'run = function() return "read alpha bravo charlie today" end }')
NAMES = ('return { description = "Names.", inputSchema = { type = "object", properties = { url = { type = "string" } } }, '
         'run = function() return "named" end }')


class Web:
    """/go redirects to `to` with `status`, /leads to `leads`; all else is said to be there. Each request is kept."""

    def __init__(self):
        web = self
        self.seen, self.leads = [], None

        class Answer(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                if self.path == "/leads":
                    query["to"] = [web.leads]
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                host = self.headers["host"].rpartition(":")[0]
                web.seen.append({"host": host, "method": self.command, "path": self.path, "body": body.decode(),
                                 "headers": {name.lower(): value for name, value in self.headers.items()}})
                said = f"this is {host} with alpha bravo charlie".encode()
                self.send_response(int(query.get("status", ["302"])[0]) if "to" in query else 200)
                if "to" in query:
                    self.send_header("Location", query["to"][0].encode().decode("latin-1"))
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(said)

            do_POST = do_PUT = do_HEAD = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def url(self, host, path="/landed"):
        return f"http://{host}:{self.port}{path}"

    def go(self, host, *to, status=302, more=""):
        """A URL of the host that redirects to the first of `to`, and that to the second, ..."""
        if not to:
            return self.url(host, "/landed" + more.replace("&", "?", 1))
        there = to[0] if "://" in to[0] or to[0].startswith("/") else self.go(*to, status=status)
        return self.url(host, f"/go?status={status}{more}&to=" + urllib.parse.quote(there, safe=""))

    def hosts(self):
        """Those that got a request since the last time, in order."""
        seen, self.seen = self.seen, []
        return [each["host"] for each in seen]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def rules(*list_of_rules):
    return "return { rules = { %s, { allow = true } } }" % ", ".join(list_of_rules)


def fetch(server, url, answers=None, how="request", **spec):
    return call(server, "fetches", {"how": how, "spec": {"url": url, **spec}}, answers)


def audited(place):
    lines = (place.folder / "state/perigee/audit/audit.jsonl").read_text().splitlines()
    return [each for each in map(json.loads, lines) if each.get("effect") == "request"]


def each_kind():
    """All statuses, both functions, GET, HEAD and POST that becomes GET."""
    policy = rules('{ %s = "not there", effect = "request", host = "b.localhost" }')
    ways = [(status, how, method) for status, how, method in itertools.product(STATUSES, HOWS, ("GET", "HEAD", "POST"))
            if method != "POST" or status < 307]
    with Web() as web:
        for verdict, answer in (("deny", None), ("ask", NO), ("ask", ONCE), ("allow", None)):
            passes = verdict == "allow" or answer == ONCE
            for how in HOWS:
                with Place(policy % verdict, fetches=FETCHES) as place, place.serve(capabilities=FORM) as server:
                    for status, _, method in (each for each in ways if each[1] == how):
                        spec = {"method": method, **({"body": "mine"} if method == "POST" else {})}
                        result, asked = fetch(server, web.go("a.localhost", "b.localhost", status=status, more=f"&n={status}{method}"),
                                              answer and [answer], how, **spec)
                        about = (verdict, answer, status, how, method, result)
                        assert web.hosts() == (["a.localhost", "b.localhost"] if passes else ["a.localhost"]), about
                        assert bool(result.get("isError")) != passes, about
                        if not passes:
                            assert code_of(result) == "denied", about
                        if verdict == "deny":
                            assert "not there" in text_of(result) and "rule 1" in text_of(result), about
                            assert "a.localhost redirects" in text_of(result).replace('"', ""), about
                            assert web.url("b.localhost") in text_of(result), about
                        if verdict == "ask" and asked:
                            assert web.url("b.localhost") in asked[0]["message"] and "redirects" in asked[0]["message"], asked
                    lines = audited(place)
                    if verdict == "deny":
                        assert len(lines) == 9 + 4 and all(each["outcome"] == "denied" and each["rule"] == 1 for each in lines), lines
                        assert "localhost" not in json.dumps([each["what"] for each in lines]), lines


LANDED = '{ deny = "no landing", effect = "request", url = "http*://*/landed" }'


def the_same_host():
    """Other spellings, ports and schemes of the host are the same one to rules: no new question, and no rule sees the new URL."""
    with Web() as web, Web() as other, Place(rules(LANDED), fetches=FETCHES) as place, place.serve() as server:
        same = [("a.localhost", to) for to in ("/landed", "//a.localhost:%d/landed" % web.port, web.url("A.LOCALHOST"),
                                               web.url("me:word@a.localhost"), other.url("a.localhost"), web.url("a.localhost."))]
        same += [(name, at.url(to)) for at in (web, other) for name, to in itertools.product(
            ("localhost", "127.0.0.1", "LocalHost"), ("localhost", "127.0.0.1", "LOCALHOST", "0x7f000001", "2130706433"))]
        for (name, to), how in itertools.product(same, HOWS):
            result, _ = fetch(server, web.go(name, to), how=how)
            is_unknown = "localhost.:" in to and code_of(result) == "dns"      # to some versions of curl
            assert is_unknown or "this is" in text_of(result), (name, to, result)


# Spellings of one host, in the URL of a redirect.
SPELLED = ("b.localhost", "B.LocalHost", "u@b.localhost", "a.localhost@b.localhost", "a.localhost:80@b.localhost",
           "\uff42.localhost", "b\u3002localhost", "%62.localhost", "b.localhost.")


def spellings():
    """A rule about a host sees each spelling of it, of one beyond ASCII too; a list of allowed hosts lets none of them through."""
    denies = rules('{ deny = "not there", effect = "request", host = "b.localhost" }')
    allows = ('return { rules = { { allow = true, effect = "request", host = { "a.localhost", "localhost" } }, '
              '{ deny = "no others", effect = "request" }, { allow = true } } }')
    beyond = rules('{ deny = "not there", effect = "request", host = "xn--bcher-kva.localhost" }')
    for policy, names in ((denies, SPELLED), (allows, SPELLED), (beyond, ("xn--bcher-kva.localhost", "b\u00fccher.localhost"))):
        with Web() as web, Place(policy, fetches=FETCHES) as place, place.serve() as server:
            for name, how in itertools.product(names, HOWS):
                result, _ = fetch(server, web.go("a.localhost", f"http://{name}:{web.port}/landed"), how=how)
                assert result.get("isError") and web.hosts() == ["a.localhost"], (policy, name, result)
                assert code_of(result) == "denied" or not name.isascii(), (name, result)


def chains():
    """Each host of a chain is judged, also one that redirects back; the limits count over all of them."""
    denies = rules('{ deny = "not there", effect = "request", host = "c.localhost" }')
    with Web() as web, Place(denies, fetches=FETCHES) as place, place.serve() as server:
        for how in HOWS:
            for names, got in (("ab", "ab"), ("abab", "abab"), ("aabb", "aabb"), ("abc", "ab"), ("abca", "ab"), ("aac", "aa"),
                               ("abababc", "ababab"), ("c", "")):
                redirects = 5 if len(names) < 6 else 6
                result, _ = fetch(server, web.go(*(f"{name}.localhost" for name in names)), how=how, redirects=redirects)
                assert web.hosts() == [f"{name}.localhost" for name in got], (names, result)
                assert bool(result.get("isError")) == ("c" in names), (names, result)
                if names == got:
                    told = json.loads(text_of(result))
                    assert told["url"] == web.url(f"{names[-1]}.localhost") and told["status"] == 200, told
                    assert how == "stream" or told["attempts"] == 1, told
            for names, redirects, code in (("abab", 2, "too_many_redirects"), ("ababab", None, None), ("abababa", None, "too_many_redirects"),
                                           ("ab", 0, None)):
                result, _ = fetch(server, web.go(*(f"{name}.localhost" for name in names)), how=how,
                                  **({} if redirects is None else {"redirects": redirects}))
                assert code_of(result) == code, (names, redirects, result)
                assert len(web.hosts()) == (1 if redirects == 0 else redirects + 1 if redirects else 6), (names, redirects)


def questions_of_a_chain():
    """Each host is asked about by itself, and an answer for a while holds for a redirect as for a request."""
    asks = rules('{ ask = "it goes out", effect = "request", per = "host" }')
    for how in HOWS:
        with Web() as web, Place(asks, fetches=FETCHES) as place, place.serve(capabilities=FORM) as server:
            url = web.go("a.localhost", "b.localhost", "c.localhost")
            asked = fetch(server, url, [ONCE, ONCE, NO], how)[1]
            assert len(asked) == 3 and web.hosts() == ["a.localhost", "b.localhost"], asked
            for each, name in zip(asked, "abc"):
                assert f"http://{name}.localhost:" in each["message"], asked
            asked = fetch(server, web.go("a.localhost", "b.localhost"), ["Allow for 15 minutes"] * 2, how)[1]
            assert len(asked) == 2 and web.hosts() == ["a.localhost", "b.localhost"], asked
            assert not fetch(server, web.go("b.localhost", "a.localhost", "b.localhost"), None, how)[1]
            assert web.hosts() == ["b.localhost", "a.localhost", "b.localhost"]


FACTS = {"method": "call.method == (call.url[1]:find('HEAD', 1, true) and 'HEAD' or 'GET')", "text": "call.text == false",
         "how": "call.url[1]:find(call.how, 1, true) ~= nil", "accept": "call.headers.Accept == 'text/plain'",
         "secret": "(call.headers['X-Key'] or call.headers.Authorization) ~= nil"}


def what_a_rule_sees():
    """The method as it becomes, the new URL, no body; and no secret header goes there."""
    tests = ", ".join(f"{name} = function(call) return {test} end" for name, test in FACTS.items())
    policy = f"local tests = {{ {tests} }} " + rules(
        '{ deny = "seen", effect = "request", when = function(call) local name = call.host[1] == "b.localhost" and '
        'call.url[1]:match "fact=(%a+)" return name and tests[name](call) end }')
    given = {"Authorization": "Bearer word", "X-Key": "word", "Accept": "text/plain"}
    with Web() as web, Place(policy, fetches=FETCHES) as place, place.serve() as server:
        for how, fact, (status, method) in itertools.product(
                HOWS, FACTS, ((301, "POST"), (303, "POST"), (303, "PUT"), (307, "GET"), (308, "HEAD"))):
            url = web.go("a.localhost", web.url("b.localhost", f"/landed?fact={fact}&as={method}{how}"), status=status)
            result, _ = fetch(server, url, how=how, method=method, headers=given, **({"body": "mine"} if method[0] == "P" else {}))
            assert (code_of(result) == "denied") == (fact != "secret"), (how, status, method, fact, result)
            there = web.seen[-1]
            if fact == "secret":
                assert there["host"] == "b.localhost" and not there["body"], there
                assert "word" not in json.dumps(there) and there["headers"]["accept"] == "text/plain", there
            else:
                assert there["host"] == "a.localhost", there


def nothing_else_makes_a_redirect():
    """A script that names the fields by which the policy knows a redirect gets no request through."""
    policy = rules('{ deny = "unknown", effect = "request", known_host = false }')
    run = ('local http = require "sys.http" return { description = "Tries.", inputSchema = { type = "object" }, run = function(args) '
           'local URL = "http://b.localhost:%d/landed" local _, said = pcall(http.%s, %s) return { said = tostring(said) } end }')
    for how, (arguments, said) in itertools.product(HOWS, (
            ("{ url = URL, from = URL, redirected = { url = URL } }", "bad argument"),
            ("setmetatable({ url = URL }, { __index = { from = URL, redirected = { url = URL } } })", "nil"),
            ("{ url = URL }, { url = URL }", "nil"))):
        with Web() as web, Place(policy) as place:
            place.put("home/tools/test/tries.lua", run % (web.port, how, arguments))
            with place.serve() as server:
                result, _ = call(server, "tries")
                assert web.hosts() == [] and said in text_of(result) + "unknown" * 0 or "unknown" in text_of(result), (arguments, result)


# --- with the policy that comes with Perigee ---------------------------------------------------------

SENT = "q=alpha+bravo+charlie"


def shipped(**tools):
    return Place(None, fetches=FETCHES, says=SAYS % "web", names=NAMES, **tools)


def text_from_outside():
    """It goes to another host only after a question, whatever the server that redirects makes of it: also where only the body had it."""
    for how, spec, more in (("request", {}, "&" + SENT), ("stream", {}, "&" + SENT), ("request", {"body": "alpha bravo charlie"}, ""),
                            ("request", {"headers": {"X-Note": "alpha bravo charlie"}}, "")):
        for passes in (False, True):
            with Web() as web, shipped() as place, place.serve(capabilities=FORM) as server:
                call(server, "names", {"url": web.url("a.localhost")})
                call(server, "says")
                url = web.go("a.localhost", "b.localhost", status=303, more=more)
                result, asked = fetch(server, url, [ONCE if passes else NO], how, **spec)
                assert len(asked) == 1 and "http://b.localhost:" in asked[0]["message"], (how, spec, asked)
                assert "redirects" in asked[0]["message"] and "a.localhost" in asked[0]["message"], asked
                assert web.hosts() == (["a.localhost", "b.localhost"] if passes else ["a.localhost"]), result


def ordinary_redirects():
    """No question: from or to `www.`, to a host within the domain, to one that the caller named, without text from outside, to where
    text of a page leads that only this page had."""
    ordinary = (("x.localhost", "www.x.localhost"), ("www.x.localhost", "x.localhost"), ("x.localhost", "cdn.x.localhost"),
                ("www.x.localhost", "login.x.localhost"), ("x.localhost", "y.localhost"), ("x.localhost", "y.localhost", "x.localhost"))
    with Web() as web, shipped() as place, place.serve(capabilities=FORM) as server:
        for name in ("x.localhost", "www.x.localhost", "y.localhost"):
            call(server, "names", {"url": web.url(name)})
        call(server, "says")
        for chain, how in itertools.product(ordinary, HOWS):
            result, asked = fetch(server, web.go(*chain, more="&" + SENT), None, how)
            assert not asked and web.hosts() == list(chain), (chain, result)
    others = (("x.localhost", "ax.localhost"), ("www.x.localhost", "y.localhost"))
    for chain, asks in [(each, False) for each in ordinary[:4]] + [(each, True) for each in others]:
        with Web() as web, shipped() as place, place.serve(capabilities=FORM) as server:   # only the first host was named
            call(server, "names", {"url": web.url(chain[0])})
            call(server, "says")
            result, asked = fetch(server, web.go(*chain, more="&" + SENT), [ONCE])
            assert len(asked) == asks and web.hosts() == list(chain), (chain, asked, result)
    for chain in (("a.localhost", "b.localhost"), ("a.localhost", "b.localhost", "c.localhost")):
        with Web() as web, shipped() as place, place.serve(capabilities=FORM) as server:
            call(server, "says")
            result, asked = fetch(server, web.go(*chain, more="&q=my+own+words+here"))
            assert not asked and web.hosts() == list(chain), result
    for how in HOWS:
        with Web() as web, shipped() as place, place.serve(capabilities=FORM) as server:
            fetch(server, web.url("a.localhost"), None, how)
            to = web.url("b.localhost", "/landed?" + SENT)
            result, asked = fetch(server, web.go("a.localhost", to, more="&" + SENT), None, how)
            assert not asked and web.hosts()[1:] == ["a.localhost", "b.localhost"], result


def text_of_where_it_leads():
    """An answer is from the host that gave it, not from the one that was asked first."""
    policy = rules('{ deny = "copied", effect = "request", from = "web" }')
    for how, chain in itertools.product(HOWS, ("ab", "abc", "aab", "abb", "a")):
        with Web() as web, Place(policy, fetches=FETCHES) as place, place.serve() as server:
            result, _ = fetch(server, web.go(*(f"{name}.localhost" for name in chain)), how=how)
            assert f"this is {chain[-1]}" in text_of(result), result
            for name in "abc":
                result, _ = fetch(server, web.url(f"{name}.localhost", "/x?" + SENT))
                assert bool(result.get("isError")) == (name != chain[-1]), (how, chain, name, result)


def words_of_a_redirect():
    """The words of the URL that a server redirects to are not the caller's own, wherever in the URL they are."""
    policy = rules('{ deny = "copied", effect = "request", from = "web", url = "*/x*" }')
    for how, (user, more), to in itertools.product(HOWS, (("", "?" + SENT), ("alpha%20bravo%20charlie@", "")), "ab"):
        with Web() as web, Place(policy, fetches=FETCHES) as place, place.serve() as server:
            web.leads = f"http://{user}{to}.localhost:{web.port}/landed{more}"
            assert "alpha" in text_of(fetch(server, web.url("a.localhost", "/leads"), how=how)[0])
            result, _ = fetch(server, web.url("c.localhost", "/x?" + SENT))
            assert code_of(result) == "denied", (how, web.leads, result)


for title, function in (("each kind of redirect to another host is judged before it is followed", each_kind),
                        ("one to the same host is followed as before", the_same_host),
                        ("spellings of the host", spellings), ("chains and limits", chains), ("questions of a chain", questions_of_a_chain),
                        ("a rule sees the request as it is sent", what_a_rule_sees),
                        ("a script cannot pretend that a server redirects", nothing_else_makes_a_redirect),
                        ("text from outside goes to another host after a question", text_from_outside),
                        ("ordinary redirects raise no question", ordinary_redirects),
                        ("text is from the host that gave it", text_of_where_it_leads),
                        ("words of a redirect are not the caller's own", words_of_a_redirect)):
    tap.case(title, function)
tap.done()
