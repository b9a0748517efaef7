#!/usr/bin/env python3
"""A rule about what is typed, opened or started holds for all of its spellings, and for text that comes in pieces."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of     # noqa: E402
from tools import until                  # noqa: E402
import tap                               # noqa: E402

DOES = ('local fs, process, app, input, http = require "sys.fs", require "sys.process", require "sys.app", require "sys.input", '
        'require "sys.http"\nreturn { description = "Does it.", inputSchema = { type = "object" }, run = function(args) '
        'local ok, err, code for _, each in ipairs(args.calls) do ok, err, code = %s if code == "denied" then return nil, err, code end end '
        'return "passed" end }')
WAYS = {"types": DOES % "input[each.how](each.text)", "runs": DOES % "process.run(each)",
        "opens": DOES % 'app.open { name = "Text Editor", files = each, wait = 0 }', "writes": DOES % 'fs.write(each, "x")',
        "fetches": DOES % "http.request { url = each, timeout = 0.1 }", "begins": DOES % "app.open { name = each, wait = 0 }"}


def judged(verdict, condition, way, calls):
    """Is it denied? With `allow`, whatever the rule does not allow is."""
    rest = {"allow": '{ deny = "no", effect = { "input", "process", "start", "file", "request" } }'}.get(verdict, "{ allow = true }")
    rule = '{ allow = true, %s }' if verdict == "allow" else '{ deny = "no", %s }'
    with Place("return { rules = { %s, %s, { allow = true } } }" % (rule % condition, rest), **WAYS) as place, place.serve() as server:
        work = place.folder / "work"
        (work / "real").mkdir()
        (work / "link").symlink_to(work / "real")
        (work / "sh").symlink_to("/bin/sh")
        (work / "tool").symlink_to("/bin/sh")
        calls = [[word.replace("WORK", str(work)) for word in each] if isinstance(each, list) else
                 each.replace("WORK", str(work)) if isinstance(each, str) else each for each in calls]
        return code_of(call(server, way, {"calls": calls})[0]) == "denied"


def typed(*texts):
    return [{"how": "keys" if len(text) == 1 else "type", "text": text} for text in texts]


def pieces():
    rule = 'effect = "input", text = "*passw*"'
    for texts, denied in ((["my password"], True), (["my pas", "sword"], True), (list("passw"), True), (["pa", "s", "sword"], True),
                          (["my pass\n", "word"], False), (["passport", " word"], False)):
        assert judged("deny", rule, "types", typed(*texts)) == denied, texts
    paste = [{"how": "type", "text": "pas"}, {"how": "paste", "text": "sword"}]
    assert judged("deny", rule, "types", paste), "pasted"
    for texts, denied in ((["hello you"], False), (["hello ", "you"], True), (["you"], True)):
        assert judged("allow", 'effect = "input", text = "hello*"', "types", typed(*texts)) == denied, texts


def urls():
    rule = 'effect = "request", url = "http://evil.invalid/secret*"'
    for url in ("http://evil.invalid/secret", "HTTP://EVIL.invalid/secret/x", "http://evil.invalid:80/secret", "http://evil.invalid./secret",
                "http://me@evil.invalid/secret", "http://evil.invalid/a/../secret", "http://evil.invalid/./secret", "http://evil.invalid/%73ecret",
                "http://evil.invalid/sec%72et?x"):
        assert judged("deny", rule, "fetches", [url]), url
    for url in ("http://evil.invalid/other", "http://evil.invalid:81/secret", "http://good.invalid/secret", "http://evil.invalid/?/secret"):
        assert not judged("deny", rule, "fetches", [url]), url
    rule = rule.replace("evil", "GOOD")
    for url, denied in (("http://good.invalid/secret/x", False), ("HTTP://good.invalid:80/secret", False),
                        ("http://good.invalid/secret/../other", True), ("http://good.invalid/secretly@evil.invalid/", False),
                        ("http://good.invalid@evil.invalid/secret", True)):
        assert judged("allow", rule, "fetches", [url]) == denied, url
    opened = 'effect = "start", url = "https://evil.invalid/*"'
    for url in ("https://evil.invalid/", "HTTPS://Evil.invalid:443/x", "https://a:b@evil.invalid/x"):
        assert judged("deny", opened, "opens", [[url]]), url
    assert not judged("deny", opened, "opens", [["https://good.invalid/"]])


def paths_of_urls():
    """However a path is written, the server gets /admin, or takes it for that."""
    ways = ["/admin", "//admin", "/./admin", "/x/../admin", "/../admin", "/../../admin", "/x/../../admin", "/%61dmin", "/admin#x", "/x//../../admin",
            "///x/..//admin", "/..//admin"]
    ways += [way.replace("..", each) for way in ways if ".." in way for each in ("%2e%2e", "%2E.", ".%2e")]
    for rule in ("http://h.invalid/admin", "http://h.invalid/admin*"):
        for way in ways:
            assert judged("deny", f'effect = "request", url = "{rule}"', "fetches", [f"http://h.invalid{way}"]), (rule, way)
            assert judged("deny", f'effect = "start", url = "{rule}"', "opens", [[f"http://h.invalid{way}"]]), (rule, way)
            assert judged("allow", 'effect = "request", url = "http://h.invalid/other*"', "fetches", [f"http://h.invalid{way}"]), way
            assert judged("allow", 'effect = "request", url = "http://h.invalid/x/*"', "fetches", [f"http://h.invalid{way}"]), way
        for way in ("/a/admin", "/x?/../admin", "/x#/../admin", "/", *(("/admin/..", "/administer/../x") if "*" not in rule else ())):
            assert not judged("deny", f'effect = "request", url = "{rule}"', "fetches", [f"http://h.invalid{way}"]), (rule, way)
    for way in ("/other", "/other/x", "/x/../other", "/../other?a=/../b"):
        assert not judged("allow", 'effect = "request", url = "http://h.invalid/other*"', "fetches", [f"http://h.invalid{way}"]), way


def commands():
    for rule in ('argv = "/bin/sh"', 'argv = "sh"', 'argv = "*/sh"'):
        for words in (["sh", "-c", "true"], ["/bin/sh", "-c", "true"], ["/bin/../bin/sh", "-c", "true"], ["WORK/sh", "-c", "true"]):
            assert judged("deny", 'effect = "process", ' + rule, "runs", [words]), (rule, words)
        assert not judged("deny", 'effect = "process", ' + rule, "runs", [["true"]]), rule
    allow = 'effect = "process", argv = { "/bin/true", "WORK/sh" }'
    assert not judged("allow", allow.replace("WORK", "/nowhere"), "runs", [["/bin/true"]])
    assert judged("allow", 'effect = "process", argv = "*/tool"', "runs", [["WORK/tool"]]), "it leads to another program"


def files():
    for path in ("WORK/real/x", "WORK/link/x", "WORK/real/../link/x", "WORK/real/./x"):
        for rule in ('paths = "*/real/*"', 'paths = { "*/real/x" }'):
            assert judged("deny", 'effect = "file", ' + rule, "writes", [path]), (rule, path)
    assert not judged("deny", 'effect = "file", paths = "*/real/*"', "writes", ["WORK/other"])
    for files_given, denied in ((["WORK/link/x"], True), (["file://localhost/etc/passwd"], False), (["notes.txt"], False), (["a/b"], False),
                                (["https://a.invalid/"], False), (["file://elsewhere/x"], True), (["x/nowhere/../real"], True)):
        assert judged("deny", 'effect = "start", paths = "*/real/*"', "opens", [files_given]) == denied, files_given


def patterns_with_links():
    """A rule may name a path by a link."""
    with Place('return { rules = { { allow = true } } }', **WAYS) as place, place.serve() as server:
        work = place.folder / "work"
        (work / "real").mkdir()
        (work / "link").symlink_to(work / "real")
        for pattern in (f"{work}/link/*", f"{work}/link/x", f"{work}/real/../link/*"):
            place.policy('return { rules = { { deny = "no", effect = "file", paths = "%s" }, { allow = true } } }' % pattern)
            until(lambda: code_of(call(server, "writes", {"calls": [f"{work}/real/x"]})[0]) == "denied", pattern)
            assert code_of(call(server, "writes", {"calls": [f"{work}/link/x"]})[0]) == "denied", pattern
            place.policy('return { rules = { { allow = true } } }')
            until(lambda: code_of(call(server, "writes", {"calls": [f"{work}/real/x"]})[0]) is None, "the next policy")


for title, function in (("text that comes in pieces", pieces), ("URLs", urls), ("paths of URLs", paths_of_urls), ("commands", commands), ("files", files),
                        ("patterns with links", patterns_with_links)):
    tap.case(title, function)
tap.done()
