#!/usr/bin/env python3
"""A rule about paths, URLs or words of a command takes all their spellings alike, or counts them as not known: a rule that asks or
denies then fits, and one that allows does not."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of         # noqa: E402
import tap                                   # noqa: E402

HOME = os.path.expanduser("~")
# What programs may read as a URL of evil.example, and what they do not.
URLS = ("https://evil.example/x", "HTTPS://evil.example/x", "https://EVIL.example/x", "https://evil.example:443/x", "https://evil.example./x",
        "https://u:p@evil.example/x", "https://evil.example/%78", "https://evil.example/a/../x", "https://evil.example/./x",
        "https://%65vil.example/x", "https://evil.example/%2578", "https:/evil.example/x", "https:evil.example/x", "https:\\\\evil.example\\x",
        " https://evil.example/x", "ht\ttps://evil.example/x", "view-source:https://evil.example/x", "VIEW-SOURCE:https://evil.example/x",
        "blob:https://evil.example/x", "jar:https://evil.example/x", "feed:view-source:https://evil.example/x",
        "https://evil\u3002example/x", "https://\uff45vil.example/x")
OTHER_URLS = ("https://good.example/x", "https://evil.example.good.example/x", "https://good.example/https/evil.example/x",
              "https://evil.example:8443/x", "mailto:ann@evil.example")
# Those of /etc/passwd, and of a file in the granted directory.
PATHS = ("/etc/passwd", "//etc/passwd", "/etc/./passwd", "/etc/../etc/passwd", "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd",
         "file://localhost/etc/passwd", "file://LOCALHOST./etc/passwd", "file://127.0.0.1/etc/passwd", "file:///%65tc/passwd",
         "file:///etc/passwd?x#y", "file:///x/%2e%2e/etc/passwd")
ODD_PATHS = ("file:///%2565tc/passwd", "file://host/etc/passwd", "file://u@localhost/etc/passwd", "file://localhost:80/etc/passwd",
             "file:///x\\..\\etc\\passwd", "view-source:file:///etc/passwd", "jar:file:///etc/passwd!/x", "blob:file:///etc/passwd",
             "data:text/plain,/etc/passwd", "fi\tle:///etc/passwd", " /etc/passwd", "/etc/passwd ", " file:///etc/passwd", "$HOME/../etc/passwd",
             "${HOME}/x", "$(echo /etc)/passwd", "`echo /etc/passwd`", "~root/x", "%2fetc%2fpasswd", "/%2e%2e/etc/passwd", "x:/etc/passwd")


def denied(server, name, arguments):
    result, _ = call(server, name, arguments)
    assert code_of(result) in (None, "denied") or result.get("isError"), result
    return code_of(result) == "denied"


def none(found, about):
    assert not found, (about, found)


def rules(condition, verdict, rest="allow = true"):
    return f'return {{ rules = {{ {{ {verdict}, {condition} }}, {{ {rest} }} }} }}'


ACTS = """
local app, http, process = require "sys.app", require "sys.http", require "sys.process"
local ACTS = {
  request = function(text) return http.request { url = text } end,
  process = function(text) return process.run { "true", text } end,
  start = function(text) return app.open { name = "Calculator", files = { text } } end,
}
return { description = "Acts.", inputSchema = { type = "object" }, run = function(args)
  local _, err, code = ACTS[args.effect](args.text)
  return { said = code == "denied" and err or "done" }
end }
"""


def in_effects(condition, effect, fits, not_fits, verdict='deny = "so"'):
    """The rule fits the effect with each of these texts, and with none of those."""
    with Place(rules(condition, verdict), acts=ACTS) as place, place.serve() as server:
        for text, is_denied in [(each, True) for each in fits] + [(each, False) for each in not_fits]:
            result = call(server, "acts", {"effect": effect, "text": text})[0]
            assert ("does not let it" in json.dumps(result)) == is_denied, (condition, text, result)


def urls_of_effects():
    for name in ("https://evil.example/x", "HTTPS://Evil.example:443/x", "https://evil.example/*", "https://evil.example./x"):
        in_effects(f'effect = "start", url = "{name}"', "start", URLS, OTHER_URLS)
    in_effects('effect = "start", host = "evil.example"', "start", URLS, OTHER_URLS[:3])
    plain = [url for url in URLS if url.lower().startswith("https:") and "\\" not in url and url.isascii()]
    in_effects('effect = "request", url = "https://evil.example/x"', "request", plain, OTHER_URLS[:1])


def allowed_urls():
    """A rule that allows a URL allows those of its spellings that all programs read alike."""
    allow = 'return { rules = { { allow = true, effect = "start", url = "https://evil.example/x" }, { deny = "so", effect = "start" }, ' \
        "{ allow = true } } }"
    alike = URLS[:9] + URLS[-2:]
    with Place(allow, acts=ACTS) as place, place.serve() as server:
        for url in URLS:
            result = call(server, "acts", {"effect": "start", "text": url})[0]
            assert ("does not let it" in json.dumps(result)) == (url not in alike), (url, result)


def paths_of_effects():
    harmless = ("/usr/share/x", "https://good.example/etc/passwd", "mailto:ann@good.example")
    in_effects('effect = "start", paths = { under = "/etc" }', "start", PATHS + ODD_PATHS, harmless)
    in_effects('effect = "start", granted = false', "start", PATHS + ODD_PATHS, ())


def words_of_commands():
    home = [f"{HOME}/.ssh/id", "~/.ssh/id", "$HOME/.ssh/id", "${HOME}/.ssh/id", f"file://{HOME}/.ssh/id", f"--key={HOME}/.ssh/id",
            "--key=~/.ssh/id", f"{HOME}//.ssh/./id", f"{HOME}/x/../.ssh/id", f"file://localhost{HOME}/%2essh/id", f"-i={HOME}/x/../.ssh/id"]
    for name in (f"{HOME}/.ssh/*", "~/.ssh/*"):
        in_effects(f'effect = "process", argv = "{name}"', "process", home, ("~/ssh/id", "/etc/ssh/id", ".ssh"))
    in_effects('effect = "process", argv = "/etc/passwd"', "process", PATHS, ("/etc/passwd2", "passwd"))


def places_of_commands():
    """{ under = DIR } holds for what is behind an option, and for a path from where the process is started."""
    runs = ("return { description = 'Runs.', inputSchema = { type = 'object' }, run = function(args) args.argv.cwd = args.cwd local _, err, code = "
            "require('sys.process').run(args.argv) return { said = code == 'denied' and err or 'done' } end }")
    under = ([[each] for each in PATHS] + [[sign + "/etc/x"] for sign in ("-o", "--out=", "if=", "@", "-d@", "x@", "-v", "a:", "/x:", "--x:", "-I")]
             + [["-o", "/etc/x"], ["--out", "/usr/../etc/x"], ["a", "b", "--f=file:///etc/x"]])
    other = [["/usr/x"], ["-o/usr/x"], ["--out=/usr/x"], ["-etc"], ["https://good.example/etc/x"], ["usr/x"]]
    for verdict, fits, not_fits in (('deny = "so"', under, other), ("allow = true", [["/etc/x"], ["-o/etc/x"], ["--out=/etc/x", "-v"]],
                                                                    other[:3] + [["/etc/x", "-o/usr/x"], ["/etc/x", "if=/usr/x"], ["/etc/../usr/x"]])):
        policy = f'return {{ rules = {{ {{ {verdict}, effect = "process", argv = {{ under = {{ "/etc", "/usr/bin", "/bin" }} }} }}, %s {{ allow = true }} }} }}'
        if verdict.startswith("deny"):
            policy = policy.replace('{ "/etc", "/usr/bin", "/bin" }', '"/etc"')
        with Place(policy % ('' if verdict.startswith("deny") else '{ deny = "so", effect = "process" },'), runs=runs) as place, place.serve() as server:
            def stopped(words, cwd=None, server=server):
                return "does not let it" in json.dumps(call(server, "runs", {"argv": ["true", *words], **({"cwd": cwd} if cwd else {})})[0])
            wanted = verdict.startswith("deny")
            none([words for words in fits if stopped(words) != wanted], verdict)
            none([words for words in not_fits if stopped(words) == wanted], verdict)
            for words, cwd, fit in ((["passwd"], "/etc", True), (["../etc/x"], "/usr", True), (["--out=x"], "/etc", True), (["./x"], "/etc", True),
                                    (["passwd"], "/usr", False), (["--out=x"], "/usr", False), (["../usr/x"], "/etc", False)):
                assert (stopped(words, cwd) == wanted) == fit, (verdict, words, cwd)


def arguments_of_calls():
    for matcher in ('{ under = "/etc" }', "{ granted = false }"):
        with Place(rules(f'tool = "mark", args = {{ path = {matcher} }}', 'deny = "so"')) as place, place.serve() as server:
            for text in PATHS + ODD_PATHS:
                assert denied(server, "mark", {"path": text}), (matcher, text)
            assert not denied(server, "mark", {"path": str(place.folder / "work/a")}), matcher
    with Place("") as place:
        work = str(place.folder / "work")
        for matcher in (f'{{ under = "{work}" }}', "{ granted = true }"):
            place.policy(rules(f'tool = "mark", args = {{ path = {matcher} }}', "allow = true", 'deny = "so", tool = "mark"'))
            with place.serve() as server:
                for text in ODD_PATHS + PATHS + tuple(each.replace("/etc/passwd", work + "/a") for each in ODD_PATHS if "/etc/passwd" in each):
                    assert denied(server, "mark", {"path": text}), (matcher, text)
                for text in (f"{work}/a", f"file://{work}/a", f"file://localhost{work}/%61", f"{work}/a%20b", f"{work}/costs $5"):
                    assert not denied(server, "mark", {"path": text}), (matcher, text)


def places_in_arguments():
    """Names of paths and URLs in a rule about arguments hold for all spellings."""
    own = ("/usr/share/x", "passwd", "notes: see /usr", "etc", "https://good.example/etc/passwd", "a $5 note", "50 % of it", "C:\\x")
    read = [each for each in PATHS if each not in ("file:///etc/passwd?x#y",)]
    for name in ("/etc/passwd", "/etc/*", "file:///etc/passwd", "/etc/./passwd"):
        with Place(rules(f'tool = "mark", args = {{ path = "{name}" }}', 'deny = "so"')) as place, place.serve() as server:
            none([text for text in read if not denied(server, "mark", {"path": text})], name)
            none([text for text in own if denied(server, "mark", {"path": text})], name)
    for text in (f"{HOME}/.ssh/id", "~/.ssh/id", "$HOME/.ssh/id", f"{HOME}/x/../.ssh/id", f"file://{HOME}/%2essh/id"):
        with Place(rules('tool = "mark", args = { path = { "x", "~/.ssh/*" } }', 'deny = "so"')) as place, place.serve() as server:
            assert denied(server, "mark", {"path": text}), text
    for name in ("https://evil.example/x", "HTTPS://Evil.example:443/x", "https://evil.example/*", "*://evil.example/x", "https://*.example/x"):
        with Place(rules(f'tool = "mark", args = {{ url = "{name}" }}', 'deny = "so"')) as place, place.serve() as server:
            none([text for text in URLS if not denied(server, "mark", {"url": text})], name)
            others = ("https://good.invalid/x", "mailto:ann@evil.invalid", "note: evil.example", "x", "https://good.invalid/.example/x")
            none([text for text in others if denied(server, "mark", {"url": text})], name)


def places_that_are_allowed():
    with Place("") as place:
        for name, fits, not_fits in (("https://*.example/*", ("https://evil.example/x", "HTTPS://a.EVIL.example:443/x"),
                                      ("https://evil.invalid/.example/x", "https://u@evil.invalid/x.example/", "https://evil.invalid?.example/x",
                                       "https:/evil.example/x", "x")),
                                     ("/etc/*", PATHS[:5], ("/etc/../usr/x", "file:///etc/%2e%2e/usr/x", "/usr/etc/x", "~/etc/x", *ODD_PATHS)),
                                     ("https://evil.example/x", URLS[:9] + URLS[-2:], URLS[9:-2])):
            place.policy(rules(f'tool = "mark", args = {{ url = "{name}" }}', "allow = true", 'deny = "so", tool = "mark"'))
            with place.serve() as server:
                none([text for text in fits if denied(server, "mark", {"url": text})], name)
                none([text for text in not_fits if not denied(server, "mark", {"url": text})], name)


# Recipients of a mail that are those of evil.example among others, in one place.
RECIPIENTS = ("x@evil.example", "X@EVIL.example.", "a@good.example,x@evil.example", "a@good.example;x@evil.example", "a@good.example, x@evil.example",
              "x@evil.example,a@good.example", "Ann <x@evil.example>", "Ann <a@good.example>, <x@evil.example>", '"b@good.example" <x@evil.example>',
              '"a, b" <x@evil.example>', " x@evil.example ", "a@good.example,,x@evil.example,", "a@good.example\n,x@evil.example",
              '"open <x@evil.example>', "<a@good.example> x@evil.example", "a@good.example x@evil.example")

OTHER_RECIPIENTS = ("a@good.example", "a@good.example, b@good.example", "Ann <a@good.example>", '"evil.example" <a@good.example>')


def recipients_of_mail():
    mails = ("return { description = 'Mails.', inputSchema = { type = 'object' }, run = function(args) local done, err, code = "
             "require('sys.effect').mail { recipients = { args.to }, message = 'm' } return { said = code == 'denied' and err or 'done' } end }")
    deny = rules('effect = "mail", to = "x@evil.example"', 'deny = "so"')
    allow = 'return { rules = { { allow = true, effect = "mail", to = "*@good.example" }, { deny = "so", effect = "mail" }, { allow = true } } }'
    for policy in (deny, allow):
        with Place(policy, mails=mails) as place, place.serve() as server:
            def is_denied(to, server=server):
                return "does not let it" in json.dumps(call(server, "mails", {"to": to})[0])
            passed = [each for each in RECIPIENTS if not is_denied(each)]
            refused = [each for each in OTHER_RECIPIENTS if is_denied(each)]
            assert not passed and not refused, (policy, passed, refused)


for title, function in (("URLs of effects", urls_of_effects), ("URLs that a rule allows", allowed_urls), ("paths of effects", paths_of_effects),
                        ("words of commands", words_of_commands), ("paths in commands", places_of_commands), ("paths in arguments", arguments_of_calls), ("recipients of mail", recipients_of_mail),
                        ("names of places in arguments", places_in_arguments), ("names of places that are allowed", places_that_are_allowed)):
    tap.case(title, function)
tap.done()
