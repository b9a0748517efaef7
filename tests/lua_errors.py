#!/usr/bin/env python3
"""Finds errors that Lua loses: `return a or f(x)` passes on the first result of f alone, and the message and the code behind
it are gone. Prints each place where f is a function that returns them; exit 1 if there is one.

f is a function of the same file, or of a module that the file requires by `local NAME = require "MODULE"`. It returns an
error if it has a line `return nil, ...`, or if `---@return string? err` stands above it.

Usage: lua_errors.py [ROOT]
"""
import pathlib
import re
import sys

TOP = re.compile(r"^(?:local )?function ([\w.:]+)\(")
LOST = re.compile(r"^\s*(?:if .* then )?return .*\b(?:or|and) ([A-Za-z_][\w.:]*)\(")
PASSES = re.compile(r"\breturn ([A-Za-z_][\w.:]*)[( {]", re.MULTILINE)
REQUIRE = re.compile(r'^local (\w+)\s*= require "([\w.]+)"', re.MULTILINE)
FAILS = re.compile(r"\breturn nil, |^---@return string\? err", re.MULTILINE)


def functions(text):
    """(name, what stands above it and in it) of each function at the margin."""
    notes, lines = [], text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("---"):
            notes.append(line)
            continue
        found = TOP.match(line)
        if found:
            end = number if line.endswith(" end") else lines.index("end", number)
            yield found[1].replace(":", "."), "\n".join(notes + lines[number:end + 1])
        notes = []


def failing(text):
    """The names of a file's functions that return an error, or all that such a function returns."""
    bodies = dict(functions(text))
    names = {name for name, body in bodies.items() if FAILS.search(body)}
    before = -1
    while before != len(names):
        before = len(names)
        names |= {name for name, body in bodies.items() if any(passed.replace(":", ".") in names for passed in PASSES.findall(body))}
    return names


def ends_with_call(line, at):
    """True if the call whose parenthesis opens before `at` is the last thing that the line returns."""
    depth = 1
    while at < len(line) and depth:
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        at += 1
    return depth == 0 and line[at:].strip() in ("", "end")


def module_table(text):
    """The table that the file returns: `M` of `return M`."""
    found = re.findall(r"^return (\w+)$", text, re.MULTILINE)
    return found[-1] if found else None


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.known = {}

    def module(self, name):
        """The failing functions of a module, by their names without its table."""
        if name not in self.known:
            path = self.root / "lua" / "lib" / (name.replace(".", "/") + ".lua")
            text = path.read_text() if path.exists() else ""
            table = module_table(text)
            self.known[name] = {each.split(".", 1)[1] for each in failing(text) if table and each.startswith(table + ".")}
        return self.known[name]

    def faults(self):
        for path in sorted((self.root / "lua").rglob("*.lua")):
            text = path.read_text()
            own, modules = failing(text), dict(REQUIRE.findall(text))
            for number, line in enumerate(text.split("\n"), 1):
                for found in LOST.finditer(line):
                    name = found[1].replace(":", ".")
                    first, _, rest = name.partition(".")
                    fails = name in own or first in modules and rest in self.module(modules[first])
                    if fails and ends_with_call(line, found.end()):
                        yield f"{path.relative_to(self.root)}:{number}: {found[1]}() returns an error, and this passes on nil alone"


def main():
    found = list(Tree(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent).faults())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
