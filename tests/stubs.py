#!/usr/bin/env python3
"""Every function that C gives to Lua has a stub in lua/types, and every stub a function.

In C, an array `NAME_funcs` of luaL_Reg is a module and `NAME_methods` an object (one without a
name is no concern here: it stands in for functions of Lua itself); an array `NAME_actions`, a line
each, has functions of the module that are one in C. In the stubs
`local NAME = {}` stands for either, functions of modules are written with a dot and methods with
a colon. What luaopen_sys_NAME() sets besides is a `---@field` of the module's class.
"""

import glob
import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TYPES = "lua/types"

TABLE = re.compile(r"luaL_Reg (\w+)\[\] = \{(.*?)\};", re.S)
ENTRY = re.compile(r'\{\s*"(\w+)"')
ACTIONS = re.compile(r"struct action (\w+)_actions\[\] = \{\n(.*?)^\};", re.S | re.M)
ACTION = re.compile(r'^ *\{ "(\w+)"', re.M)
OPEN = re.compile(r"^int luaopen_(?:sys_|guest_)?(\w+)\(lua_State \*L\)\n\{\n(.*?)^\}", re.S | re.M)
FIELD = re.compile(r'(?:lua_setfield\(L, -2, |set_string\(L, )"(\w+)"')

LOCAL = re.compile(r"((?:^---.*\n)*)^local (\w+) = \{\}", re.M)
STUB = re.compile(r"((?:^---.*\n)*)^function (\w+)([.:])(\w+)\(", re.M)
STUB_FIELD = re.compile(r"---@field (\w+)\??\s")


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def from_c():
    """{(name, "." or ":" or "field"): {function: file}}"""
    found = {}
    for path in sorted(glob.glob("src/**/*.c", recursive=True, root_dir=TOP)):
        text = read(path)
        for array, body in TABLE.findall(text):
            name, _, kind = array.rpartition("_")
            if not name or kind not in ("funcs", "methods"):
                continue
            group = found.setdefault((name, "." if kind == "funcs" else ":"), {})
            group.update((entry, path) for entry in ENTRY.findall(body))
        for name, body in ACTIONS.findall(text):
            found.setdefault((name, "."), {}).update((entry, path) for entry in ACTION.findall(body))
        for name, body in OPEN.findall(text):
            for field in FIELD.findall(body):
                if not field.startswith("__"):
                    found.setdefault((name, "field"), {})[field] = path
    return found


def from_stubs(problems):
    found = {}
    for path in sorted(glob.glob(TYPES + "/**/*.lua", recursive=True, root_dir=TOP)):
        text = read(path)
        if not text.startswith("---@meta"):
            continue
        for comment, name in LOCAL.findall(text):
            for field in STUB_FIELD.findall(comment):
                found.setdefault((name, "field"), {})[field] = path
        for comment, name, sign, function in STUB.findall(text):
            found.setdefault((name, sign), {})[function] = path
            if not comment:
                problems.append(f"{path}: {name}{sign}{function} says nothing of what it takes and gives")
    return found


def main():
    problems = []
    c, stubs = from_c(), from_stubs(problems)
    if len(c) < 10:
        problems.append("the tables of functions in src were not understood")
    modules = {name for name, sign in c if sign == "."}
    for key in sorted(set(c) | {key for key in stubs if key[1] != "field" or key[0] in modules}):
        name, sign = key
        for function in sorted(set(c.get(key, {})) - set(stubs.get(key, {}))):
            what = f"{name}.{function}" if sign == "field" else f"{name}{sign}{function}()"
            problems.append(f"{c[key][function]}: {what} has no stub in {TYPES}")
        for function in sorted(set(stubs.get(key, {})) - set(c.get(key, {}))):
            what = f"{name}.{function}" if sign == "field" else f"{name}{sign}{function}()"
            problems.append(f"{stubs[key][function]}: there is no {what} in src")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
