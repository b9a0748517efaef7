#!/usr/bin/env python3
"""tests/lua_errors.py: what it finds in small trees."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import lua_errors   # noqa: E402
import tap          # noqa: E402

OPEN = 'local M = {}\nfunction M.open(x)\n  if not x then return nil, "nothing to open" end\n  return x\nend\n\nreturn M\n'


def case(title, text, *lines):
    """Exactly these lines of the text lose an error."""
    def run():
        with tempfile.TemporaryDirectory(prefix="perigee-errors-") as top:
            for name, content in (("lib/files/door.lua", OPEN), ("tools/a.lua", text)):
                path = pathlib.Path(top, "lua", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            found = [int(line.split(":")[1]) for line in lua_errors.Tree(top).faults()]
        assert found == list(lines), found
    tap.case(title, run)


FIRST = 'local function first(x)\n  return nil, "no " .. x\nend\n'
case("the error of a function of the file", FIRST + "local function g(x)\n  return x or first(x)\nend\n", 5)
case("an error on the line of a condition", FIRST + "local function g(x)\n  if x then return x and first(g(x)) end\nend\n", 5)
case("the error of a function that passes on another's", FIRST + "local function h(x)\n  return first(x)\nend\nreturn x or h(1)\n", 7)
case("the error of a function of one line", 'local function no(x) return nil, x end\nlocal function h() return no "x" end\nreturn x or h()\n', 3)
case("the error of a module", 'local door = require "files.door"\nlocal function g(x)\n  return x.door or door.open(x)\nend\n', 3)
case("no error where the call is all", FIRST + "local function g(x)\n  if x then return x end\n  return first(x)\nend\n")
case("no error where one value is used", FIRST + "local function g(x)\n  return x or first(x) ~= nil\nend\n")
case("no error of a function that returns none", "local function two(x)\n  return x, x\nend\nreturn x or two(1)\n")
tap.done()
