#!/usr/bin/env python3
"""A tool's file is a page: what it does and two to five examples, in at most 150 lines. Only tests require the testing library."""

import os
import re
import subprocess
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))

import tap      # noqa: E402

PERIGEE = os.environ.get("PERIGEE", os.path.join(TOP, "build", "perigee"))
LINES = 150
EXAMPLES = range(2, 6)
RUNNERS = {"lua/commands/check.lua", "lua/commands/policy.lua", "lua/commands/test.lua"}    # the commands that run examples
SHOW = """
local files = require "sys.files"
for _, file in ipairs(files.list()) do
  if file.kind == "tool" then
    local loaded = assert(files.load("tool", file.name, function() end))
    print(file.path .. "\\t" .. #loaded:table().examples)
  end
end
"""
REQUIRE = re.compile(r'require\s*\(?\s*"testing\.')


def lua_files(folder):
    for path, _, names in os.walk(os.path.join(TOP, folder)):
        for name in names:
            if name.endswith(".lua"):
                yield os.path.relpath(os.path.join(path, name), TOP)


def text_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def counted():
    """How many examples each tool's file has, by its path."""
    done = subprocess.run([PERIGEE, "run", "--quiet", "--no-user-root", "-"], input=SHOW, encoding="utf-8", cwd=TOP,
                          stdout=subprocess.PIPE, check=True)
    return {os.path.relpath(path, TOP): int(count) for path, count in (line.split("\t") for line in done.stdout.splitlines())}


def report(name, wrong):
    tap.ok(not wrong, name, "\n".join(wrong))


def main():
    tools = sorted(lua_files("lua/tools"))
    examples = counted()
    assert len(tools) > 60 and set(tools) == set(examples), set(tools) ^ set(examples)
    report(f"no tool's file has more than {LINES} lines",
           [f"{path}: {count} lines. Move examples to tests/tools, work to lua/lib" for path in tools
            if (count := text_of(path).count("\n")) > LINES])
    report("each tool's file has two to five examples",
           [f"{path}: {examples[path]} examples" for path in tools if examples[path] not in EXAMPLES])
    report("only tests and the commands that run them require the testing library",
           [f"{path} requires it" for path in lua_files("lua")
            if not path.startswith("lua/testing/") and path not in RUNNERS and REQUIRE.search(text_of(path))])
    tap.done()


main()
