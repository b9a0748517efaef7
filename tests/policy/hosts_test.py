#!/usr/bin/env python3
"""A host is known only if the caller named it first, before any text from outside of the last day had it, in any spelling."""

import itertools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call                  # noqa: E402
import tap                                   # noqa: E402

RULES = 'return { rules = { { ask = "unknown", known_host = false, tool = "mark", per = "call" }, { allow = true } } }'
PAGE = """
local fs = require "sys.fs"
return { description = "Reads a page.", from = "web", inputSchema = { type = "object" }, run = function() return fs.read "said" end }
"""
NAMES = """
return { description = "Names something.", inputSchema = { type = "object", properties = { url = { type = "string" } } },
  run = function() return "named" end }
"""

# The spellings of one host each. The first is the one that a caller may name, because all programs read it alike.
ALIKE = {
    "a name": ("https://evil.example/x", "HTTPS://Evil.Example:8443/", "see evil.example now", "ann@evil.example", "evil.example/a?b",
               "https://user:pass@evil.example/", "//evil.example/x", "https://evil.example./", "(https://evil.example)",
               "\u201chttps://evil.example/\u201d", "http:\\\\evil.example\\x", "https://ev\u00adil.exam\u200bple/x",
               "https://\uff45\uff56\uff49\uff4c.example/", "https://evil\u3002example/", "https://evil\uff0eexample/", "https://evil\uff61example/",
               "https://e%76il.example/", "aHR0cHM6Ly9ldmlsLmV4YW1wbGUveA==", "view-source:https://evil.example/", "--url=evil.example",
               "evil.example:8080"),
    "a short name": ("https://t.co/", "t.co", "https://T.CO:443/x", "ann@t.co", "https://t\u3002co/"),
    "a name beyond ASCII": ("https://b\u00fccher.example/", "https://xn--bcher-kva.example/", "https://B\u00dcCHER.example/x", "b\u00fccher.example",
                            "https://bu\u0308cher.example/", "XN--BCHER-KVA.EXAMPLE", "https://b%C3%BCcher.example/"),
    "a sharp s": ("https://xn--strae-oqa.example/", "https://stra\u00dfe.example/", "stra\u00dfe.example"),
    "another script": ("https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/", "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
                       "https://xn--e1afmkfd.xn--p1ai/x"),
    "IPv4": ("http://93.184.216.34/", "http://1572395042/", "http://0x5db8d822/", "http://0135.0270.0330.042/", "http://93.184.55330/x",
             "93.184.216.34", "http://[::ffff:93.184.216.34]/", "http://[::ffff:5db8:d822]:80/", "http://\uff19\uff13.184.216.34/",
             "http://93.184.216.34.:81/"),
    "this machine": ("http://localhost/", "http://127.0.0.1:80/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://2130706433/",
                     "http://0x7f.1/", "http://0177.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://0/", "http://LOCALHOST./", "http://127.9.9.9/"),
    "IPv6": ("http://[2001:db8::1]/", "http://[2001:DB8:0:0:0:0:0:1]:8080/", "http://[2001:0db8::0001]/", "http://u@[2001:db8:0::1]/"),
}
DOUBTFUL = ("http://127.1/", "http://0x7f000001/", "http://0300.0.2.1/", "http://evil.example../", "https://e%76il.example/",
            "https://stra\u00dfe.example/", "http://[fe80::1%25eth0]/", "https://evil.example\\@good.example/", "https://a b.example/")


def place(rules=RULES):
    return Place(rules, page=PAGE, names=NAMES)


def read(at, server, *texts):
    for text in texts:
        (at.folder / "work/said").write_text(text)
        call(server, "page")


def knows(server, url):
    """Names the host, and returns whether it counts as known from then on."""
    call(server, "names", {"url": url})
    return not call(server, "mark", {"url": url}, ["Allow once"])[1]


# Scripts that read something and go to mine.example then.
SCRIPTS = ('tools.page{} return tools.mark{ url = "https://mine.example/1" }',
           'tools.mark{ url = "https://mine.example/1" } tools.page{} return tools.mark{ url = "https://mine.example/2" }',
           'local u = { "https://mine.example/1", "https://mine.example/2" } for _, x in ipairs(u) do tools.page{} tools.mark{ url = x } end',
           "tools.page{} return tools.mark{ note = 'see https://mine.example:8080/x?y' }",
           '-- https://mine.example/\ntools.page{} return tools.mark{ url = "https://" .. "mine" .. ".example/" }',
           'local base = "https://mine.example" tools.page{} return tools.mark{ url = base .. "/2" }')


def named_in_a_script():
    """A host in the code of a script is named before its calls, and for those of later ones, unless text from outside has it."""
    rules = """return { rules = { { ask = "unknown", from = "web", known_host = false, tool = "mark", per = "call" },
      { allow = true } } }"""
    for code in SCRIPTS:
        with place(rules) as at, at.serve(capabilities={"elicitation": {}}) as server:
            read(at, server, "The page says nothing")
            for _ in range(2):
                result, asked = call(server, "run_lua", {"code": code}, ["Do not allow"])
                assert not asked and not result.get("isError"), (code, result)
    for said in ("go to https://mine.example/now", "mine.example is good", "write to ann@mine[.]example"):
        for code in SCRIPTS:
            with place(rules) as at, at.serve(capabilities={"elicitation": {}}) as server:
                read(at, server, said)
                result, asked = call(server, "run_lua", {"code": code}, ["Do not allow"])
                assert len(asked) == 1, (said, code, result)
    with place(rules) as at, at.serve(capabilities={"elicitation": {}}) as server:   # it names none
        read(at, server, "The page says nothing")
        code = 'tools.page{} return tools.mark{ url = "https://" .. "mine" .. ".example/" }'
        assert len(call(server, "run_lua", {"code": code}, ["Do not allow"])[1]) == 1


def in_an_earlier_session():
    for about, spellings in ALIKE.items():
        for used, seen in itertools.product(spellings[:1], spellings):
            with place() as at:
                with at.serve() as server:
                    read(at, server, "The page has " + seen)
                    server.call("engine_status")
                with at.serve(capabilities={"elicitation": {}}) as server:
                    assert not knows(server, used), (about, seen, used)
                    assert knows(server, "https://mine.example/x"), about


def long_ago():
    """Also where more results came meanwhile than are kept whole."""
    with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
        read(at, server, *(f"{about}: {spellings[-1]}" for about, spellings in ALIKE.items()))
        read(at, server, *(f"page {number} says nothing" for number in range(140)))
        for about, spellings in ALIKE.items():
            assert not knows(server, spellings[0]), about
        assert knows(server, "https://mine.example/")


def in_this_session():
    for about, spellings in ALIKE.items():
        with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
            assert knows(server, "https://mine.example/x")
            read(at, server, *spellings[1:2])
            for used in spellings:
                if ":/" in used:
                    assert not knows(server, used), (about, spellings[1], used)


def named_first():
    """A host that the caller named before stays known, in each spelling that all programs read alike."""
    for about, spellings in ALIKE.items():
        with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
            assert knows(server, spellings[0]), about
            read(at, server, *spellings)
            assert knows(server, spellings[0]), about


def before_another():
    """A host without a scheme that has one which is known in its path or its query."""
    with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
        assert knows(server, "https://good.example/")
        for text in ("good.example/?to=https://www.good.example/", "www.good.example/x", "view-source:https://good.example/", "ann@good.example"):
            assert not call(server, "mark", {"url": text}, ["Do not allow"])[1], text
        for text in ("evil.example/?to=https://good.example/", "evil.example/https://good.example/", "evil.example/ann@good.example",
                     "evil.example?https://good.example", "evil.example#u@good.example", "93.184.216.34/?http://good.example"):
            assert call(server, "mark", {"url": text}, ["Do not allow"])[1], text


def within():
    """A host is known within a domain that the caller named first, also where a page names it; no other one is."""
    for first, known, other in (("example.com", ("www.example.com", "a.b.example.com", "WWW.Example.Com."), ("example.org", "evilexample.com",
                                 "example.com.evil.org", "com.example")), ("docs.firm-site.com", ("x.docs.firm-site.com",),
                                                                           ("firm-site.com", "www.firm-site.com"))):
        with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
            assert knows(server, f"http://{first}/")
            read(at, server, *(f"see http://{each}/page" for each in known + other))
            for host in known + other:
                asked = call(server, "mark", {"url": f"http://{host}/page"}, ["Allow once"])[1]
                assert bool(asked) == (host in other), (first, host)


def doubtful():
    for url in DOUBTFUL:
        with place() as at, at.serve(capabilities={"elicitation": {}}) as server:
            assert not knows(server, url), url


def in_rules():
    """A rule about a host holds for all its spellings: it asks about those that are doubtful, and allows none of them."""
    for spellings in ALIKE.values():
        name = spellings[0].split("/")[2]
        asks = f'return {{ rules = {{ {{ deny = "no", args = {{ url = {{ host = "{name}" }} }} }}, {{ allow = true }} }} }}'
        allows = f'return {{ rules = {{ {{ allow = true, args = {{ url = {{ host = "{name}" }} }} }} }}, otherwise = "deny" }}'
        urls = [each for each in spellings if each.lower().startswith("http") and "\\" not in each]
        with place(asks) as at, at.serve() as server:
            for url in urls:
                assert call(server, "mark", {"url": url})[0].get("isError"), (name, url)
            assert not call(server, "mark", {"url": "https://other.example/"})[0].get("isError")
        with place(allows) as at, at.serve() as server:
            for url in urls[:1]:
                assert not call(server, "mark", {"url": url})[0].get("isError"), (name, url)
            for url in DOUBTFUL:
                assert call(server, "mark", {"url": url})[0].get("isError"), (name, url)


for title, function in (("seen in an earlier session", in_an_earlier_session), ("seen long ago", long_ago),
                        ("seen in this session", in_this_session), ("named first", named_first),
                        ("within a domain that was named first", within),
                        ("hosts that programs may read differently", doubtful), ("hosts in rules", in_rules)):
    tap.case(title, function)
tap.case("a host before one that is known", before_another)
tap.case("a script names the hosts in its code before it goes there", named_in_a_script)
tap.done()
