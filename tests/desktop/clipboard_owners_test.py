#!/usr/bin/env python3
"""The clipboard of old and odd owners: text that is not UTF-8, and owners that do not list what they have."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops      # noqa: E402
import tap                      # noqa: E402
from tools import Tools, same, until   # noqa: E402

OWNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "bare_owner.py")
LATIN, JAPANESE = "stra\u00dfe", "\u65e5\u672c"
CODED = b"\x1b$(B\x46\x7c\x4b\x5c\x1b(B"       # ISO 2022, as COMPOUND_TEXT has it

# what is asked for, the type that it comes as, the bytes, and the text that they are
TEXTS = [
    ("STRING", "STRING", LATIN.encode("latin-1"), LATIN), ("STRING", "STRING", LATIN.encode(), LATIN),
    ("TEXT", "STRING", LATIN.encode("latin-1"), LATIN), ("TEXT", "UTF8_STRING", JAPANESE.encode(), JAPANESE),
    ("TEXT", "COMPOUND_TEXT", CODED, JAPANESE), ("COMPOUND_TEXT", "COMPOUND_TEXT", CODED + b" ok", JAPANESE + " ok"),
    ("COMPOUND_TEXT", "COMPOUND_TEXT", LATIN.encode("latin-1"), LATIN), ("UTF8_STRING", "UTF8_STRING", JAPANESE.encode(), JAPANESE)]
LISTED = [
    (f"text/plain;charset={name}", f"text/plain;charset={name}", LATIN.encode(codec), LATIN)
    for name, codec in (("iso-8859-1", "latin-1"), ("utf-16", "utf-16"), ("UTF-8", "utf-8"))]


def owned(tools, desktop, words, data):
    """The result of get_clipboard while this owner has it."""
    with subprocess.Popen([sys.executable, OWNER, words[0], words[1], data.hex(), *words[2:]], env=desktop.env,
                          stdout=subprocess.PIPE, text=True) as owner:
        try:
            same(owner.stdout.readline(), "owns\n")
            return tools.result("get_clipboard")
        finally:
            owner.kill()


def texts(tools, desktop):
    for target, kind, data, text in TEXTS + LISTED:
        got = owned(tools, desktop, (target, kind, "--targets"), data)["structuredContent"]
        same((target, kind, got.get("text"), got["empty"]), (target, kind, text, False))


def without_targets(tools, desktop):
    for target, kind, data, text in TEXTS:
        got = owned(tools, desktop, (target, kind), data)["structuredContent"]
        same((target, kind, got.get("text"), got["empty"]), (target, kind, text, False))


def nothing_to_read(tools, desktop):
    for more in ((), ("--targets",)):
        got = owned(tools, desktop, ("image/x-odd", "image/x-odd", *more), b"x")
        same((got["structuredContent"]["empty"], got["structuredContent"].get("text")), (False, None), got)
    # The X server notices the end of the last owner a moment later.
    until(lambda: tools.result("get_clipboard").get("structuredContent", {}).get("empty"), "an empty clipboard")


def main():
    with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        tap.case("text comes as UTF-8, whatever its type", texts, tools, desktop)
        tap.case("an owner that does not list its types is asked for text", without_targets, tools, desktop)
        tap.case("a clipboard with an owner is not empty", nothing_to_read, tools, desktop)
    tap.done()


main()
