#!/usr/bin/env python3
"""Exec lines of desktop entries beside GLib: quoting x field codes x file names. build/tests/c/exec_test prints our words.

GLib puts a name in quotes and splits the line then. Where the code is within quotes (the specification leaves that open),
its quotes become a part of the name, so there its splitting is compared, and the name is the one that we were given. For
%u GLib passes a local file's path and we its URL, which are both allowed."""

import itertools
import json
import os
import subprocess
import sys
import urllib.parse

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(TOP, "lib"))
import tap                                                    # noqa: E402
from tools import same                                        # noqa: E402

OURS = os.path.join(TOP, "..", os.environ.get("BUILD", "build"), "tests/c/exec_test")
OPEN = ("@", "--file=@", "@x", "a@:b", "--first @ --last", "a\\ b=@", '"a b"@', "'a b'@", "%%@%%", '"%%" @', '"" @', "'' @",
        '"\\$x\\`\\"\\\\" @', '"a\\nb" @', "'a\\b' @", "C:\\\\users\\\\Start\\ Menu @", "a\\\"b @", "a'b c'd\"e f\"@", "\t@\t",
        "x \\\n@", "a#b @", "#a\n@", "x %m%v @", "@ %i", "a%z @", "a\\\tb @", "\"it's\" @", "'say \"x\"' @")
CLOSED = ('"@"', "'@'", '"a @ b"', "'--x=@'", 'x"y @"z', "'a \" @'", "\"it's @\"")
NAMES = ("/a", "/a b", "/x'; touch y; '", '/q"q', "/$HOME", "/back\\slash", "/é", "/-c", "/new\nline", "/%f", "/%41", "/#x", "/*",
         "/`id`", "/a  b ", "/~", "/a;b&c|d>e(f)")
BAD = ("'@", '"@', "@\\", "'a\\'b' @", "\"a\\\" @", "a' b")


def ours(line, files):
    done = subprocess.run([OURS, "record " + line, *files], capture_output=True, check=False)
    return done.stdout.decode().split("\0")[1:-1] if done.returncode == 0 else None


def of_glib(cases):
    done = subprocess.run([os.path.join(TOP, "lib/glib_launch.py")], input=json.dumps(cases), capture_output=True,
                          text=True, check=False)
    if done.returncode == 77:
        raise tap.Skip("no Python with GLib (vendor/install test)")
    return json.loads(done.stdout)


def compare(lines):
    cases = [(form.replace("@", "%" + code), files) for form, code, files in lines]
    for (line, files), expected in zip(cases, of_glib(cases)):
        words = ours(line, files)
        for name in sorted(files, key=len, reverse=True) if words and ("%u" in line or "%U" in line) else ():
            url = "file://" + urllib.parse.quote(name, safe="/-._~!$&'()*+,;=:@")
            words = [word.replace(url, name) for word in words]
        same(words, expected, f"{line!r} with {files}")
    tap.note(f"{len(cases)} lines")


def outside_quotes():
    one = [(form, code, [name]) for form, code, name in itertools.product(OPEN, "fu", NAMES)]
    several = [(form, code, list(NAMES[at:at + 3])) for form, code, at in itertools.product(OPEN, "FU", (0, 5, 11))]
    compare(one + several)


def broken():
    compare([(form, "f", ["/a"]) for form in BAD])


def within_quotes():
    for form, words in zip(CLOSED, of_glib([(form.replace("@", "QQ"), []) for form in CLOSED])):
        for name in NAMES:
            same(ours(form.replace("@", "%f"), [name]), [word.replace("QQ", name) for word in words], f"{form} with {name!r}")


for title, case in (("words and names outside of quotes are GLib's", outside_quotes), ("lines that GLib refuses are refused", broken),
                    ("a name within quotes stays one piece of its word", within_quotes)):
    tap.case(title, case)
tap.done()
