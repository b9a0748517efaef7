#!/usr/bin/env python3
"""Declarations of files are kept in the cache folder: a list compiles no file, and is never another list than without.

A file is kept once it is two seconds old, since until then it may be saved again and look the same; the cases wait
for that by looking into the cache."""

import concurrent.futures
import json
import os
import shutil
import stat
import subprocess
import time

from project import Project, holds, same, saying, tap, tool

import folders
from server import PERIGEE, perigee


AGE = 2.1       # seconds


KEY = 4096      # bytes that have the roots


def catalogs(cache):
    folder = os.path.join(cache, "perigee")
    return [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []


def is_of_shipped(path):
    """Does its key have one root? A key begins with the program and the roots."""
    head, at, words = content_of(path)[:KEY], 28, []
    while len(words) < 3:
        size = int.from_bytes(head[at:at + 4], "little")
        words.append(head[at + 4:at + 4 + size])
        at += 4 + size
    return not words[2].startswith(b"/")


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


class Kept(Project):
    """A project with a cache folder of its own and no server yet."""

    def __init__(self, files, **more):
        super().__init__(files, start=False, **more)
        self.cache = os.path.join(self.top, "cache")
        self.env = {"XDG_CACHE_HOME": self.cache}
        folders.give_catalogs(self.cache)

    def start(self):
        options = [a for r in self.roots for a in ("--root", r)]
        self.server = perigee(*options, "--no-user-root", *self.arguments, env=self.env)
        self.server.initialize()

    def command(self, *words, status=0, **env):
        options = [a for r in self.roots for a in ("--root", r)]
        done = subprocess.run([PERIGEE, *words, *options, "--no-user-root"], capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, **{**self.env, **env}), check=False)
        same(done.returncode, status, f"{words}: {done.stderr}")
        return done.stdout

    def first_page(self):
        """What a server tells of its first tools."""
        self.start()
        return json.dumps(self.server.ask("tools/list"))

    def files(self):
        """The catalog of this project's roots; none or several: something is wrong, or it is not there yet."""
        return [path for path in catalogs(self.cache) if self.roots[0].encode() in content_of(path)[:KEY]]

    def shipped(self):
        """The catalog of the files that come with the engine, for starts with other roots."""
        return next(path for path in catalogs(self.cache) if is_of_shipped(path))

    def content(self):
        return b"".join(content_of(path) for path in self.files())

    def await_age(self):
        """Waits until all files are old enough to be kept: before that each command would compile all files in vain."""
        youngest = max(os.stat(os.path.join(folder, name)).st_ctime for root in self.roots for folder, _, files in os.walk(root)
                       for name in [".", *files])
        time.sleep(max(0, youngest + AGE - time.time()))

    def keep(self, *names):
        """Runs commands until these files are in the catalog."""
        self.await_age()

        def test():
            self.command("tools")
            content = self.content()
            return all(self.path(name).encode() in content for name in names)
        self.await_that(f"{names} in the catalog", test)

    def know(self, *names):
        """... and the list of files too, so that the next start looks at some of them only."""
        self.keep(*names)

        def test():
            self.command("tools")
            content = self.content()
            return all(len(name).to_bytes(4, "little") + name.encode() in content for name in names)
        self.await_that(f"{names} in the list of files", test)


TWO = {"tools/test/a.lua": saying("a", description="First."), "tools/test/b.lua": saying("b")}


def the_same_with_and_without():
    with Kept(TWO) as p:
        without = p.command("tools", "--json")
        p.keep("tools/test/a.lua", "tools/test/b.lua")
        same(p.command("tools", "--json"), without, "the list")
        same(p.command("call", "a"), "a\n")
        mode = os.stat(p.files()[0]).st_mode
        same(stat.S_IMODE(mode), 0o600, "the mode of the catalog")
        same(stat.S_IMODE(os.stat(os.path.dirname(p.files()[0])).st_mode), 0o700, "the mode of its folder")


def what_was_read_while_loading_is_not_kept():
    reading = 'local env = require "sys.env"\nlocal mark = env.get("MARK") or "-"'
    library = 'local env = require "sys.env"\nreturn { mark = env.get("MARK") or "-" }'
    asked = 'local env = require "sys.env"\nreturn { mark = function() return env.get("MARK") or "-" end }'
    files = dict(TWO)
    files["lib/marks.lua"], files["lib/asks.lua"] = library, asked
    for name, head, value in (("own", reading, "mark"), ("lib", 'local m = require "marks"', "m.mark"),
                              ("lib2", 'local m = require "marks"', "m.mark"), ("called", 'local m = require "asks"', "m.mark()"),
                              ("others", 'local t = require "tools"', "#tostring(t)"),
                              ("time", 'local t = require "sys.time"', "#tostring(t.now())"),
                              ("random", "", "math.random(9)")):
        files[f"tools/test/{name}.lua"] = saying("x", head=head).replace('"A tool."', f'"Mark " .. {value}')
    files["tools/test/late.lua"] = saying("x", head='local m = require "asks"').replace('return "x"', "return m.mark()")
    with Kept(files) as p:
        p.keep("tools/test/a.lua", "tools/test/late.lua")
        kept = p.content()
        for name in ("own", "lib", "lib2", "called", "others", "time", "random"):
            same(p.path(f"tools/test/{name}.lua").encode() in kept, False, f"{name} is kept")
        for mark in ("one", "two"):
            listed = p.command("tools", MARK=mark)
            same(listed.count(f"Mark {mark}"), 4, f"tools that say {mark}")
            same(p.command("call", "late", MARK=mark), mark + "\n")


def changed_files_are_seen():
    files = dict(TWO, **{"lib/words.lua": 'return { text = "old" }',
                         "tools/test/c.lua": saying("x", head='local w = require "words"').replace('"A tool."', "w.text")})
    with Kept(files) as p:
        p.keep(*files)
        p.write("tools/test/a.lua", saying("A", description="Second."))
        holds(p.command("tools"), "Second.")
        same(p.command("call", "a"), "A\n")
        p.remove("tools/test/b.lua")
        same("  b " in p.command("tools"), False, "b is listed")
        p.write("lib/words.lua", 'return { text = "new" }')
        holds(p.command("tools", "c"), "new")
        p.write("tools/test/d.lua", saying("d"))
        same(p.command("call", "d"), "d\n")


def late(module):
    """A tool that requires the lib file when it runs."""
    return tool(f'return require("{module}").text')


LIBS = dict(TWO, **{
    "lib/one.lua": 'return { text = "old 1" }', "lib/idle.lua": 'return { text = "old 2" }',
    "tools/test/c.lua": saying("x", head='local w = require "one"').replace('"A tool."', "w.text"),
    "tools/test/late.lua": late("idle"), "commands/say.lua": """return {
  summary = "Say.", run = function(_, io) io:write(require("idle").text .. " 1\\n") return 0 end }"""})


def a_lib_file_of_one_tool_edited_between_two_starts():
    with Kept(LIBS) as p:
        p.know(*LIBS)
        same(p.command("say"), "old 2 1\n")
        for turn in ("new 1", "new 2", "new 3"):
            p.write("lib/one.lua", f'return {{ text = "{turn}" }}')         # in place: its folder does not change
            holds(p.command("tools", "c"), turn)
            p.know(*LIBS)


def a_lib_file_that_no_declaration_used_edited_between_two_starts():
    with Kept(LIBS) as p:
        p.know(*LIBS)
        for turn in ("new 1", "new 2", "new 3"):
            p.write("lib/idle.lua", f'return {{ text = "{turn}" }}')
            same(p.command("call", "late"), turn + "\n")
            same(p.command("say"), turn + " 1\n")
            p.know(*LIBS)
            same(p.command("call", "late"), turn + "\n")


def a_command_edited_between_two_starts():
    with Kept(LIBS) as p:
        p.know(*LIBS)
        p.write("commands/say.lua", LIBS["commands/say.lua"].replace(" 1", " 9"))
        same(p.command("say"), "old 2 9\n")


def a_command_goes_on_when_another_lib_file_was_edited():
    """Looking at all files made new libs, and the command, loaded before that, could require no more. That look is a new
    one only once the first is 20 ms old."""
    files = {**LIBS, "lib/tardy.lua": "return { word = 'tardy' }",
             "commands/tardy.lua": "local engine, time = require 'sys.engine', require 'sys.time'\nreturn {\n"
             "  summary = \"Say.\",\n  run = function(_, io) time.sleep(0.05) engine.tools()\n"
             "    io:print(require('tardy').word) return 0 end }"}
    with Kept(files) as p:
        p.know(*LIBS)
        p.command("tardy")
        for turn in ("new 1", "new 2"):
            for name in ("one", "idle", "tardy"):
                text = "return { word = 'tardy' }" if name == "tardy" else f'return {{ text = "{turn}" }}'
                p.write(f"lib/{name}.lua", text)
                same(p.command("tardy"), "tardy\n", f"{name}, {turn}")


def replaced_by_one_that_looks_the_same():
    """Same size, same time, other inode."""
    with Kept(LIBS) as p:
        p.know(*LIBS)
        for name, old, new in (("lib/one.lua", "old 1", "new 1"), ("lib/idle.lua", "old 2", "new 2"),
                               ("tools/test/a.lua", '"a"', '"A"')):
            times = os.stat(p.path(name))
            p.replace(name, LIBS[name].replace(old, new))
            os.utime(p.path(name), ns=(times.st_atime_ns, times.st_mtime_ns))
        holds(p.command("tools", "c"), "new 1")
        same(p.command("call", "late"), "new 2\n")
        same(p.command("call", "a"), "A\n")


def written_in_place_with_the_old_time():
    with Kept(LIBS) as p:
        p.know(*LIBS)
        for name, old, new in (("lib/idle.lua", "old 2", "new 2"), ("tools/test/a.lua", '"a"', '"A"')):
            times = os.stat(p.path(name))
            p.write(name, LIBS[name].replace(old, new))
            os.utime(p.path(name), ns=(times.st_atime_ns, times.st_mtime_ns))
        same(p.command("call", "late"), "new 2\n")
        same(p.command("call", "a"), "A\n")


def added_removed_and_renamed_between_two_starts():
    with Kept(LIBS, roots=("root", "more")) as p:
        os.mkdir(p.path("/more"))
        p.know(*LIBS)
        p.write("lib/deep/new.lua", 'return { text = "deep" }')
        p.write("tools/test/late.lua", late("deep.new"))
        same(p.command("call", "late"), "deep\n")
        p.know("lib/deep/new.lua", "tools/test/late.lua")
        os.rename(p.path("tools/test/b.lua"), p.path("tools/test/bee.lua"))
        same(p.command("call", "bee"), "b\n")
        same("  b " in p.command("tools"), False, "b is listed")
        p.know("tools/test/bee.lua")
        p.remove("lib/deep/new.lua")
        holds(p.command("call", "late", "--json", status=3), "deep.new")
        p.write("/more/tools/test/a.lua", saying("more"))       # a root that was not there, and goes first
        same(p.command("call", "a"), "more\n")


def a_server_sees_what_its_short_look_did_not():
    """The file was written before the start, in place, and no declaration uses it."""
    with Kept(LIBS) as p:
        p.know(*LIBS)
        p.write("lib/idle.lua", 'return { text = "new" }')
        p.start()
        p.server.ask("tools/list")
        same(p.server.text("late"), "new", "before or after the full look")
        p.write("lib/idle.lua", 'return { text = "newer" }')
        p.await_text("late", "newer")


def a_tool_that_broke_has_the_lib_file_it_never_required():
    with Kept(LIBS) as p:
        p.know(*LIBS)
        p.start()
        p.server.ask("tools/list")
        p.write("tools/test/b.lua", saying("seen"))
        p.await_text("b", "seen")       # the full look was taken
        p.write("tools/test/late.lua", "return {")
        p.await_problem("late.lua")
        p.write("lib/one.lua", "return {")
        p.await_problem("lib/one.lua")
        same(p.server.text("late"), "old 2", "the tool whose file is broken")


def two_processes_with_other_files():
    """One reads the list while the other replaces the catalog."""
    with Kept(LIBS) as p:
        p.know(*LIBS)
        p.start()
        p.write("lib/idle.lua", 'return { text = "new" }')
        same(p.command("call", "late"), "new\n")       # removes the catalog
        p.know(*LIBS)                                   # writes another
        p.await_text("late", "new")
        same(p.command("call", "late"), "new\n")


def saved_twice_in_one_moment():
    """The second has the size of the first, and may have its time."""
    with Kept(TWO) as p:
        for text in ("1", "2", "3", "4"):
            p.write("tools/test/a.lua", saying(text, description=f"State {text}."))
            holds(p.command("tools", "a"), f"State {text}.")
            same(p.command("call", "a"), text + "\n")


def the_last_good_version_of_what_was_never_loaded():
    with Kept(dict(TWO, **{"lib/words.lua": 'return { text = "good" }',
                           "tools/test/c.lua": saying("x", head='local w = require "words"').replace('"x"', "w.text")})) as p:
        p.keep("tools/test/a.lua", "tools/test/c.lua")
        p.start()
        p.server.ask("tools/list")
        p.write("tools/test/a.lua", "return {")
        p.await_problem("a.lua")
        same(p.server.text("a"), "a", "the tool whose file is broken")
        p.write("lib/words.lua", "return {")
        p.await_problem("lib/words.lua")
        same(p.server.text("c"), "good", "the tool whose lib file is broken")
        p.write("lib/words.lua", 'return { text = "mended" }')
        p.write("tools/test/a.lua", saying("mended"))
        p.await_text("a", "mended")
        p.await_text("c", "mended")


def damage_and_strangers():
    with Kept(TWO) as p:
        p.keep("tools/test/a.lua")
        listed, path = p.command("tools", "--json"), p.files()[0]
        with open(path, "rb") as file:
            good = file.read()
        index = 24 + int.from_bytes(good[8:16], "little")
        for name, content in (("empty", b""), ("cut off", good[:index // 2]), ("without texts", good[:index]), ("noise", os.urandom(len(good))),
                              ("texts of others", good[:index] + os.urandom(len(good) - index))):
            with open(path, "wb") as file:
                file.write(content)
            same(p.command("tools", "--json"), listed, f"the list with a catalog that is {name}")
            same(p.command("call", "call_tool", "name=a"), "a\n", f"a call with a catalog that is {name}")
            p.keep("tools/test/a.lua")
            same(p.content() == content, False, f"{name}, and kept")


def kept_code_fails_as_its_text_does():
    """The error has the same words and lines, as long as the file is the same."""
    files = dict(TWO, **{"lib/odd.lua": "\n\nreturn function(t) return t.x.y end",
                         "tools/test/bad.lua": tool("return odd {}", head='local odd = require "odd"')})
    with Kept(files) as p:
        text = p.command("call", "bad", "--json", status=3)
        p.keep(*files)
        same(p.command("call", "bad", "--json", status=3), text, "the error of kept code")
        p.write("lib/odd.lua", 'return function() return "even" end')
        same(p.command("call", "bad"), "even\n")


def a_declaration_that_is_not_so():
    """Only who can write the user's files can do this. What the file says holds, and the catalog goes."""
    with Kept(TWO) as p:
        p.keep("tools/test/a.lua", "tools/test/b.lua")
        forge(p.files()[0], b"First.", b"Forged")
        holds(p.command("tools", "a"), "Forged")        # it is what is read
        same(p.command("call", "call_tool", "name=a"), "a\n")
        holds(p.command("tools", "a"), "First.")
        same(b"Forged" in p.content(), False, "the catalog is forged")


def forge(path, old, new):
    """Puts these words into the index of a catalog in place of others of the same length."""
    content = bytearray(content_of(path))
    size = int.from_bytes(content[8:16], "little")
    content[24:24 + size] = content[24:24 + size].replace(old, new)
    content[16:24] = total(bytes(content[24:24 + size])).to_bytes(8, "little")
    with open(path + ".forged", "wb") as file:
        file.write(content)
    os.replace(path + ".forged", path)      # other parts of the tests have links to this one


SHIPPED = (b"List open windows of", b"Forged is what it is")     # in the description of list_windows


def what_is_shipped_is_kept_for_others():
    """A start with roots that have no catalog yet compiles only their files."""
    with Kept(TWO) as p, Kept({"tools/test/c.lua": saying("c")}) as other:
        p.keep("tools/test/a.lua")
        listed = other.command("tools", "--json")
        forge(p.shipped(), *SHIPPED)
        other.env = p.env
        holds(other.first_page(), "Forged")
        same(other.command("call", "c"), "c\n")
        same(other.command("tools", "--json"), listed, "the list")


def a_lib_file_of_a_root_changes_nothing_that_is_shipped():
    files = dict(TWO, **{"lib/words.lua": 'return "Before."',
                         "tools/test/c.lua": saying("c", head='local w = require "words"').replace('"A tool."', "w")})
    with Kept(files) as p:
        p.keep(*files)
        forge(p.files()[0], *SHIPPED)
        p.write("lib/words.lua", 'return "After."')
        holds(p.command("tools", "c"), "After.")
        holds(p.command("tools", "a"), "First.")
        holds(p.first_page(), "Forged")


def total(data):
    """src/registry/catalog.c, sum_of()"""
    mask, sums = (1 << 64) - 1, [len(data), 1, 2, 3]

    def stepped(value, word):
        value = (value ^ word) * 0x9E3779B97F4A7C15 & mask
        return value ^ value >> 29

    whole = len(data) - len(data) % 32
    for at in range(0, whole, 8):
        lane = at // 8 % 4
        sums[lane] = stepped(sums[lane], int.from_bytes(data[at:at + 8], "little"))
    value = sums[0]
    for other in sums[1:]:
        value = stepped(value, other)
    for byte in data[whole:]:
        value = (value ^ byte) * 0x100000001B3 & mask
    return value ^ value >> 32


def many_at_once():
    with Kept(TWO) as p:
        p.keep("tools/test/a.lua")
        listed = p.command("tools", "--json")
        for _ in range(3):
            shutil.rmtree(p.cache)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                lists = list(pool.map(lambda _: p.command("tools", "--json"), range(8)))
            same(set(lists), {listed}, "the lists of eight processes")
            same([f for f in p.files() if "catalog-" not in f], [], "what is left beside the catalog")
            same(len(p.files()), 1, "catalogs")
            same(p.command("tools", "--json"), listed, "the list after them")


def nowhere_to_write():
    with Kept(TWO) as p:
        for where in ("/proc/nowhere", "/dev/null"):
            done = subprocess.run([PERIGEE, "call", "a", "--root", p.roots[0]], capture_output=True, text=True, timeout=60,
                                  env=dict(os.environ, XDG_CACHE_HOME=where), check=False)
            same((done.returncode, done.stdout, done.stderr), (0, "a\n", ""), where)


def other_toolsets_stay():
    with Kept(dict(TWO, **{"tools/other/c.lua": saying("c")})) as p:
        p.keep("tools/test/a.lua", "tools/other/c.lua")
        p.write("tools/test/a.lua", saying("a", description="Newer."))

        def added():
            p.command("tools", "--toolset", "test")
            return b"Newer." in p.content()
        p.await_that("the newer file in the catalog", added)
        holds(p.content().decode("latin-1"), p.path("tools/other/c.lua"))
        holds(p.command("tools"), "  c ")


def a_program_that_appears():
    with Kept({"tools/test/a.lua": tool('return "a"', extra='\n  programs = { "perigee-odd-program" },')}) as p:
        p.keep("tools/test/a.lua")
        folder = os.path.join(p.top, "bin")
        os.mkdir(folder)
        for there in (False, True, False):
            program = os.path.join(folder, "perigee-odd-program")
            if there:
                with open(program, "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\n")
                os.chmod(program, 0o755)
            elif os.path.exists(program):
                os.remove(program)
            p.env["PATH"] = folder + ":" + os.environ["PATH"]
            p.start()
            same("a" in p.names(), there, "listed")
            p.server.kill()
            p.server = None


if __name__ == "__main__":
    tap.case("a list is the same with the catalog and without", the_same_with_and_without)
    tap.case("a file that reads values while it is loaded is not kept", what_was_read_while_loading_is_not_kept)
    tap.case("changed, removed and new files are seen", changed_files_are_seen)
    tap.case("a lib file that only one tool uses is edited between two starts", a_lib_file_of_one_tool_edited_between_two_starts)
    tap.case("a lib file that no declaration used is edited between two starts",
             a_lib_file_that_no_declaration_used_edited_between_two_starts)
    tap.case("a command is edited between two starts", a_command_edited_between_two_starts)
    tap.case("a command goes on when another lib file was edited", a_command_goes_on_when_another_lib_file_was_edited)
    tap.case("files are replaced by others of the same size and time", replaced_by_one_that_looks_the_same)
    tap.case("files are written in place and have the old time again", written_in_place_with_the_old_time)
    tap.case("files are added, removed and renamed between two starts", added_removed_and_renamed_between_two_starts)
    tap.case("a server sees what its short look did not", a_server_sees_what_its_short_look_did_not)
    tap.case("a tool that broke has the lib file that it never required before",
             a_tool_that_broke_has_the_lib_file_it_never_required)
    tap.case("two processes with other files", two_processes_with_other_files)
    tap.case("a file that is saved again and again is never an old one", saved_twice_in_one_moment)
    tap.case("a tool whose code was never loaded has its last good version", the_last_good_version_of_what_was_never_loaded)
    tap.case("a damaged catalog is made anew", damage_and_strangers)
    tap.case("kept code fails as its text does", kept_code_fails_as_its_text_does)
    tap.case("a declaration that is not so holds until the file is loaded", a_declaration_that_is_not_so)
    tap.case("starts with any roots take what comes with the engine from a catalog", what_is_shipped_is_kept_for_others)
    tap.case("an edited lib file of a root costs no file that comes with the engine", a_lib_file_of_a_root_changes_nothing_that_is_shipped)
    tap.case("eight processes make it at the same time", many_at_once)
    tap.case("without a cache folder all is as before", nowhere_to_write)
    tap.case("a process with one toolset keeps what others declared", other_toolsets_stay)
    tap.case("a tool is listed once its program is there", a_program_that_appears)
    tap.done()
