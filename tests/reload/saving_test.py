#!/usr/bin/env python3
"""How files come to be on the disk: in pieces, by rename, five hundred in a second, broken, or
as something that is no file."""

import os
import subprocess
import time

from project import Project, holds, report, same, saying, tap

A = "tools/test/a.lua"


def half_written():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        new = saying("two")
        with open(p.path(A), "w", encoding="utf-8") as file:
            file.write(new[:len(new) // 2])
            file.flush()
            p.await_problem("a.lua")
            same(p.server.text("a"), "one", "while the file is half written")
            same("a" in p.names(), True, "listed while the file is half written")
            file.write(new[len(new) // 2:])
        p.await_text("a", "two")
        p.await_well("a.lua")
        same(p.changes(), 0, "list_changed although the list stayed")


def emptied():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        p.write(A, "")
        same(p.await_problem("a.lua")["kept"], True, "kept")
        same(p.server.text("a"), "one", "while the file is empty")
        p.write(A, saying("two"))
        p.await_text("a", "two")


def in_small_pieces():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        new = saying("two", head="-- " + "x" * 3000)
        with open(p.path(A), "w", encoding="utf-8") as file:
            for at in range(0, len(new), 16):
                file.write(new[at:at + 16])
                file.flush()
                if at % 320 == 0:
                    text = p.server.text("a")
                    same(text in ("one", "two"), True, f"{text!r} while being written")
        p.await_text("a", "two")


def renamed_over():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        for text in ("two", "three", "four"):
            p.replace(A, saying(text))
            report(p.await_text("a", text), "saved by rename")


def as_vim():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        path = p.path(A)
        p.write("tools/test/.a.lua.swp", b"b0VIM\0\0")
        p.write("tools/test/4913", "")
        os.remove(p.path("tools/test/4913"))
        os.rename(path, path + "~")
        p.write(A, saying("two"))
        os.remove(path + "~")
        p.await_text("a", "two")
        os.remove(p.path("tools/test/.a.lua.swp"))
        same(p.changes(), 0, "list_changed although the list is the same")
        same(p.ours(), [])


def as_emacs():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        path = p.path(A)
        os.symlink("user@host.1234:5678", p.path("tools/test/.#a.lua"))
        p.write("tools/test/#a.lua#", saying("autosave"))
        os.rename(path, path + "~")
        p.write(A, saying("two"))
        os.remove(p.path("tools/test/.#a.lua"))
        os.remove(p.path("tools/test/#a.lua#"))
        p.await_text("a", "two")
        same(p.ours(), [])
        same([n for n in p.names() if "a.lua" in n], [])


def burst():
    with Project({A: saying("0"), "tools/test/b.lua": saying("b")}) as p:
        p.names()
        begun = time.monotonic()
        for number in range(1, 501):
            p.write(A, saying(str(number)))
            if number % 50 == 0:
                p.server.ask("ping")
        spent = time.monotonic() - begun
        took = p.await_text("a", "500")
        tap.note(f"500 saves in {spent:.2f} s, the last one seen {took * 1000:.0f} ms later")
        same(p.changes(), 0, "list_changed although the list stayed")
        same(p.server.text("b"), "b")


def burst_of_news():
    with Project({A: saying("0")}) as p:
        p.names()
        for number in range(1, 501):
            p.replace(A, saying("x", description=f"State {number}."))

        def last():
            tools = p.server.ask("tools/list")["result"]["tools"]
            return [t["description"] for t in tools if t["name"] == "a"] == ["State 500."]
        p.await_that("the last description", last)
        told = p.changes()
        tap.note(f"500 descriptions, list_changed sent {told} times")
        same(1 <= told <= 500, True, f"list_changed sent {told} times")


def many_files():
    with Project({A: saying("one")}) as p:
        p.names()
        for number in range(300):
            p.write(f"tools/many/t{number:03}.lua", saying(str(number)))
        p.await_text("t299", "299")
        p.await_that("all listed", lambda: len([n for n in p.names() if n[1:].isdigit()]) == 300)
        subprocess.run(["rm", "-rf", p.path("tools/many")], check=True)
        p.await_that("all gone", lambda: not [n for n in p.names() if n[1:].isdigit()])
        same(p.server.text("a"), "one")


BROKEN = [
    ("a syntax error", "return {\n  description = \n}", ":3:"),
    ("an error while loading", 'local x = 1\nerror("not today")', ":2:"),
    ("an unknown key", saying("x", extra="\n  colour = 1,"), "colour"),
    ("no description", 'return { inputSchema = { type = "object" }, run = function() end }',
     "description"),
    ("no run", 'return { description = "x", inputSchema = { type = "object" } }', "run"),
    ("a schema whose root is no object", saying("x").replace('"object"', '"string"'), "inputSchema"),
    ("no table", "return 7", "table"),
    ("nothing returned", "local x = 1", "table"),
    ("a module that is not there", saying("x", head='local y = require "no_such_module"'),
     "no_such_module"),
    ("a global write", saying("x", head="leaked = 1"), "leaked"),
    ("code compiled before", b"\x1bLua\x54\x00\x19\x93\r\n\x1a\n", "binary"),
    ("a loop without end", saying("x", head="while true do end"), "longer"),
    ("memory without end", saying("x", head='local t = ("x"):rep(1e9)'),
     "memory"),
]


def broken(what, content, names):
    with Project({A: saying("good"), "tools/test/b.lua": saying("b")}) as p:
        same(p.server.text("a"), "good")
        p.write(A, content)
        problem = p.await_problem("a.lua")
        holds(problem["message"], names)
        same(problem["kept"], True, "kept")
        same(p.server.text("a"), "good", "the last good version")
        same(p.server.text("b"), "b")
        p.await_that("a word on stderr", lambda: any("a.lua" in e for e in p.server.errors))
        p.write(A, saying("repaired"))
        p.await_text("a", "repaired")
        p.await_well("a.lua")
        tap.note(f"{what}: {problem['message']}")


def broken_from_the_start():
    with Project({A: "return {", "tools/test/b.lua": saying("b")}) as p:
        same("a" in p.names(), False, "listed although it never loaded")
        problem = p.await_problem("a.lua")
        same(problem["kept"], False, "kept")
        same(problem["line"], 1, "the problem's line")
        same(p.server.text("b"), "b")
        p.write(A, saying("good"))
        p.await_text("a", "good")


def broken_then_deleted():
    with Project({A: saying("good")}) as p:
        same(p.server.text("a"), "good")
        p.write(A, "return {")
        p.await_problem("a.lua")
        p.remove(A)
        p.await_that("a gone", lambda: "a" not in p.names())
        same(p.problems("a.lua"), [])


def names_that_clash():
    with Project({A: saying("a", extra='\n  aliases = { "one" },')}) as p:
        p.names()
        p.write("tools/test/b.lua", saying("b", extra='\n  aliases = { "one" },'))
        holds(p.await_problem("b.lua")["message"], "one")
        same(p.server.text("one"), "a", "the alias stays with whom it had")
        p.write(A, "return {")          # a look after which all serve as before
        p.await_problem("a.lua")
        same(len(p.problems("b.lua")), 1, "the clash is still told")
        p.write(A, saying("a", extra='\n  aliases = { "one" },'))
        p.await_well("a.lua")
        p.write("tools/test/not a name.lua", saying("x"))
        holds(p.await_problem("not a name.lua")["message"], "name")
        p.write("tools/elsewhere/a.lua", saying("another a"))
        p.await_problem("a.lua")
        same(p.names().count("a"), 1, "times listed")
        p.remove("tools/elsewhere/a.lua")
        p.await_text("a", "a")


def no_files():
    """Things named .lua that must not be read for ever, nor take others down."""
    with Project({A: saying("one")}) as p:
        p.names()
        os.makedirs(p.path("tools/test/folder.lua"))
        os.mkfifo(p.path("tools/test/pipe.lua"))
        os.symlink("nowhere.lua", p.path("tools/test/dangling.lua"))
        os.symlink("loop.lua", p.path("tools/test/loop.lua"))
        p.write("tools/test/huge.lua", "--" + "x" * 30_000_000 + "\n" + saying("huge"))
        p.write("tools/test/binary.lua", bytes(range(256)) * 64)
        p.write("tools/test/b.lua", saying("b"))
        p.await_text("b", "b")
        p.write(A, saying("two"))
        p.await_text("a", "two")
        same(p.server.ask("ping")["result"], {})


def linked():
    with Project({"/elsewhere/target.lua": saying("one"), A: saying("a")}) as p:
        p.names()
        os.symlink(p.path("/elsewhere/target.lua"), p.path("tools/test/link.lua"))
        p.await_text("link", "one")
        p.write("/elsewhere/target.lua", saying("two"))
        report(p.await_text("link", "two"), "the file a link points at")
        p.write("/elsewhere/other.lua", saying("three"))
        os.symlink(p.path("/elsewhere/other.lua"), p.path("tools/test/.link"))
        os.rename(p.path("tools/test/.link"), p.path("tools/test/link.lua"))
        p.await_text("link", "three")


def linked_folder():
    with Project({"/elsewhere/set/b.lua": saying("one"), A: saying("a")}) as p:
        p.names()
        os.symlink(p.path("/elsewhere/set"), p.path("tools/linked"))
        p.await_text("b", "one")
        p.write("/elsewhere/set/b.lua", saying("two"))
        p.await_text("b", "two")


def same_size_and_time():
    with Project({A: saying("one")}) as p:
        same(p.server.text("a"), "one")
        before = os.stat(p.path(A))
        p.write(A, saying("two"))
        os.utime(p.path(A), ns=(before.st_atime_ns, before.st_mtime_ns))
        p.await_text("a", "two")
        p.write("tools/test/.copy", saying("six"))
        os.utime(p.path("tools/test/.copy"), ns=(0, 0))
        os.rename(p.path("tools/test/.copy"), p.path(A))
        p.await_text("a", "six")


def touched():
    with Project({A: saying("one")}) as p:
        p.names()
        for _ in range(20):
            os.utime(p.path(A))
        p.write("tools/test/b.lua", saying("b"))
        p.await_changed()
        same(p.changes(), 0, "list_changed for files that were only touched")
        same(p.server.text("a"), "one")


def told():
    with Project({A: saying("one"), "tools/test/b.lua": saying("b")}) as p:
        same(p.server.call("a")["result"].get("_meta"), None)
        p.replace(A, "return {\n  description = \n}")     # at once: an empty file is told, too
        said = p.server.notified("notifications/message")["params"]
        same((said["level"], said["logger"]), ("error", "perigee"))
        same((said["data"]["file"], said["data"]["line"], said["data"]["kept"]), (p.path(A), 3, True))
        holds(said["data"]["message"], "tools/test/a.lua:3: ")
        result = p.server.call("a")["result"]
        same(result["content"][0]["text"], "one")
        holds(result["_meta"]["perigee/stale"], "tools/test/a.lua:3: ")
        same("_meta" in p.server.call("b")["result"], False)
        through = p.server.call("call_tool", {"name": "a"})["result"]
        holds(through["_meta"]["perigee/stale"], "tools/test/a.lua:3: ")
        p.write(A, saying("two"))
        p.await_text("a", "two")
        same("_meta" in p.server.call("a")["result"], False)
        p.server.ask("logging/setLevel", {"level": "critical"})
        p.changes("notifications/message")
        p.write(A, "return {")
        p.await_problem("a.lua")
        same(p.changes("notifications/message"), 0, "told although the client wants no errors")


tap.case("a save that does not load is told to the client, and marks what the old version answers", told)
tap.case("a half-written file keeps the last good version until it is whole", half_written)
tap.case("an emptied file keeps the last good version", emptied)
tap.case("a file written in small pieces never shows half", in_small_pieces)
tap.case("saved by rename over the old file", renamed_over)
tap.case("saved as vim does: backup, new file, swap file", as_vim)
tap.case("saved as emacs does: lock link, autosave, backup", as_emacs)
tap.case("five hundred saves in a row end in the last one", burst)
tap.case("five hundred new descriptions end in the last one, told at least once", burst_of_news)
tap.case("three hundred files at once, and gone at once", many_files)
for a_what, a_content, a_names in BROKEN:
    tap.case(f"{a_what} keeps the last good version and is named", broken, a_what, a_content, a_names)
tap.case("a file broken from the start is a problem, not a tool", broken_from_the_start)
tap.case("a broken file that is deleted takes its last good version along", broken_then_deleted)
tap.case("names and aliases that clash are problems, and nobody is listed twice", names_that_clash)
tap.case("folders, pipes, dangling links and heaps of bytes named .lua break nothing", no_files)
tap.case("a linked file follows its target and its link", linked)
tap.case("a linked folder is a toolset", linked_folder)
tap.case("an edit that keeps size and time is seen", same_size_and_time)
tap.case("touching files is no news", touched)
tap.done()
