#!/usr/bin/env python3
"""URLs that an application may take for commands are arguments: before it gets one, the user is asked."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, call, text_of      # noqa: E402
import tap                            # noqa: E402

FORM = {"elicitation": {"form": {}}}
SHIPPED = (TOP / "lua/policy.lua").read_text()
COMMANDS = ("macro:///Tools.UCB.CreateFolder(file:///tmp/x)", "vnd.sun.star.script:Tools.UCB.CreateFolder?language=Basic&location=application",
            "service:com.sun.star.Thing?x", "slot:5500", ".uno:Quit", "javascript:alert(1)", "data:text/html,x", "x-scheme:do", "steam://run/1",
            "view-source:macro:x", "a_b:c")
OTHERS = ("http://a.example/x", "https://a.example/?q=macro:x", "ftp://a.example/x", "mailto:ann@a.example", "file:///tmp/x", "/tmp/macro:x", "./x",
          "notes.txt", "~/x", "sub/a:b", "smb://a.example/x", "trash:///", "tel:1", "FILE:///tmp/x")


def spellings(url):
    scheme, rest = url.split(":", 1)
    return {url, f"{scheme.upper()}:{rest}", f"{scheme.title()}:{rest}", f" {url}", f"{scheme[:2]}\t{scheme[2:]}:{rest}"}


def is_asked(server, *files):
    result, questions = call(server, "open_application", {"name": "Calculator", "files": list(files)}, "decline")
    return bool(questions) or "was not asked again" in text_of(result)


def commands():
    with Place(SHIPPED) as place:
        for url in COMMANDS:
            with place.serve(capabilities=FORM) as server:
                for spelling in sorted(spellings(url)):
                    assert is_asked(server, spelling), spelling
                assert is_asked(server, "/tmp/x", url), url


def others():
    with Place(SHIPPED) as place, place.serve(capabilities=FORM) as server:
        for url in OTHERS:
            assert not is_asked(server, url), url
        assert not is_asked(server, *OTHERS)


tap.case("commands", commands)
tap.case("other URLs", others)
tap.done()
