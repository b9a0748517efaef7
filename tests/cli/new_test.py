#!/usr/bin/env python3
"""`perigee new`: what it writes works as it is."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import FOLDER, PERIGEE, done, folder, has, must, perigee, same, tap      # noqa: E402

HOME = FOLDER / "home"
KINDS = {"tool": "tools/mine", "prompt": "prompts", "resource": "resources", "rule": "prompts", "provider": "providers",
         "command": "commands", "service": "services"}


def each_kind_passes_its_own_examples():
    for kind, place in KINDS.items():
        made = perigee("new", kind, f"my_{kind}", "--json")
        same((made.code, made.err), (0, ""), made)
        said = json.loads(made.out)
        same(said["path"], str(HOME / place / f"my_{kind}.lua"))
        tested = perigee(*said["test"].split()[1:])
        same(tested.code, 0, tested)
        must(" 0 failed" in tested.out and not tested.out.startswith("0 passed"), tested)
        text = (HOME / place / f"my_{kind}.lua").read_text()
        must(not any(word in text for word in ("NAME", "TITLE", "SCHEME", "VARIABLE")), text)
    checked = perigee("check")
    same(checked.code, 0, checked)
    both = perigee("test", "my_tool", "my_service")   # the file of a service is no hindrance to the others
    same((both.code, both.err), (0, ""), both)
    has(both.out, "4 passed, 0 failed")


def each_is_at_work():
    same(perigee("call", "my_tool", "name=Ann").out, "Hello, Ann.\n")
    has(perigee("mcp", "prompt", "my_prompt", "subject=rainbows", "--", PERIGEE, "serve").out, "Explain rainbows in three")
    has(perigee("mcp", "read", "my-resource://ann", "--", PERIGEE, "serve").out, "ann@example.com")
    same(perigee("my_command", "Ann", "--loud").out, "HELLO, ANN.\n")


def an_editor_knows_the_types():
    same(json.loads((HOME / ".luarc.json").read_text())["runtime.version"], "Lua 5.4")
    (HOME / ".luarc.json").write_text('{"mine": 1}')
    same(perigee("new", "tool", "office/count").code, 0)
    must((HOME / "tools/office/count.lua").exists(), "it is in its toolset")
    same((HOME / ".luarc.json").read_text(), '{"mine": 1}')


def nothing_is_overwritten():
    path = HOME / "tools/mine/my_tool.lua"
    path.write_text("-- mine")
    again = perigee("new", "tool", "my_tool")
    same(again.code, 1, again)
    has(again.err, "exists already")
    same(path.read_text(), "-- mine")
    for words in (["tool", "../x"], ["tool", "X"], ["tool", "a/b/c"], ["prompt", "a/b"], ["toll", "x"], ["tool"], []):
        same(perigee("new", *words).code, 2, words)


def another_root():
    root = folder("elsewhere/root")
    made = perigee("new", "tool", "x", "--root", str(root))
    same(made.code, 0, made)
    must((root / "tools/mine/x.lua").exists() and (root / ".luarc.json").exists(), made)
    same(perigee("new", "tool", "x", "--no-user-root").code, 2)


def a_pack():
    """Its examples and tests pass, and it can be added as it is."""
    here = folder("here")
    for name, word in (("moon", "moon"), ("word-list", "word_list")):
        made = perigee("new", "pack", name, "--json")
        same((made.code, made.err), (0, ""), made)
        said = json.loads(made.out)
        same(said["path"], str(here / name))
        tested = perigee(*said["test"].split()[1:])
        same((tested.code, tested.err), (0, ""), tested)
        has(tested.out, "2 passed, 0 failed", f"{word}_test.lua")
        added = perigee(*said["try"].split()[1:], "--yes")
        same((added.code, added.err), (0, ""), added)
        has(added.out, f"{name} 0.1.0", f"Added {name}, approved.")
        same(json.loads(perigee("call", f"{word}_count", "text=a b a", "--json").out)["structuredContent"], {"counts": {"a": 2, "b": 1}})
        for path in (here / name).rglob("*.*"):
            must(not path.is_file() or not any(word in path.read_text() for word in ("NAME", "TITLE", "WORD")), path)
    again = perigee("new", "pack", "moon")
    same(again.code, 1, again)
    has(again.err, f"{here}/moon exists already, and was left as it is")
    same(perigee("new", "pack", "Moon").code, 2)


tap.case("each kind passes the examples it comes with", each_kind_passes_its_own_examples)
tap.case("each is at work", each_is_at_work)
tap.case("an editor knows the types, and settings stay", an_editor_knows_the_types)
tap.case("an existing file stays as it is", nothing_is_overwritten)
tap.case("a pack", a_pack)
tap.case("another root", another_root)
done()
