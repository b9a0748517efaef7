#!/usr/bin/env python3
"""Roots: later ones override earlier ones by name, and they may come and go."""

import os
import shutil

from project import Project, prompt, report, same, saying, tap
from server import perigee


def override_by_name():
    files = {"/first/tools/test/a.lua": saying("lower"), "/second/tools/test/a.lua": saying("upper"),
             "/first/tools/test/b.lua": saying("b"), "/first/prompts/p.lua": prompt("lower"),
             "/second/prompts/p.lua": prompt("upper")}
    with Project(files, roots=("first", "second")) as p:
        same(p.server.text("a"), "upper")
        same(p.server.text("b"), "b")
        got = p.server.ask("prompts/get", {"name": "p"})["result"]["messages"][0]
        same(got["content"]["text"], "upper")
        same(p.names().count("a"), 1, "times listed")
        p.write("/first/tools/test/a.lua", saying("lower still"))
        p.write("/first/tools/test/b.lua", saying("b2"))
        p.await_text("b", "b2")
        same(p.server.text("a"), "upper", "an edit below an override")
        os.remove(p.path("/second/tools/test/a.lua"))
        report(p.await_text("a", "lower still"), "an override taken away")
        p.write("/second/tools/test/a.lua", saying("upper again"))
        report(p.await_text("a", "upper again"), "an override put back")


def broken_override():
    files = {"/first/tools/test/a.lua": saying("lower"), "/second/tools/test/a.lua": saying("upper")}
    with Project(files, roots=("first", "second")) as p:
        same(p.server.text("a"), "upper")
        p.write("/second/tools/test/a.lua", "return {")
        p.await_problem("a.lua")
        same(p.server.text("a"), "upper", "the last good version of the override")


USING = 'local words = require "words"'


def using(name):
    return saying("x", head=USING.replace("words", name)).replace('return "x"', "return words.mine()".replace("words", name))


def own_lib_first():
    files = {"/first/lib/words.lua": 'return { mine = function() return "lower" end }',
             "/first/tools/test/a.lua": using("words"), "/second/tools/test/b.lua": using("words"),
             "/second/lib/words.lua": 'return { mine = function() return "upper" end }',
             "/first/lib/more.lua": 'return { mine = require("words").mine }',
             "/second/tools/test/c.lua": using("more")}
    with Project(files, roots=("first", "second")) as p:
        same(p.server.text("a"), "lower", "a root's own lib file")
        same(p.server.text("b"), "upper", "a root's own lib file")
        same(p.server.text("c"), "lower", "what a lib file of another root requires")
        os.remove(p.path("/second/lib/words.lua"))
        report(p.await_text("b", "lower"), "a lib file taken away, another root has one")
        p.write("/second/lib/words.lua", 'return { mine = function() return "again" end }')
        p.await_text("b", "again")
        same(p.server.text("a"), "lower")


def shipped_libs_stay():
    """A lib file of the user's that has the name of one that comes with the engine."""
    files = {"lib/rank.lua": 'return { mine = function() return "mine" end }', "tools/test/a.lua": using("rank"),
             "lib/schema.lua": "return {}"}
    with Project(files) as p:
        same(p.server.text("a"), "mine")
        found = p.server.call("search_tools", {"query": "window"})["result"]
        same(found.get("isError", False), False, found)
        script = 'local r = require "rank" return r.mine and r.mine() or "shipped", tools.search_tools { query = "window" } ~= nil'
        same("mine" in p.server.text("run_lua", {"code": script}), True)
        same(p.ours(), [])


def shipped_tool():
    with Project({"tools/engine/search_tools.lua": saying("mine")}) as p:
        names = p.names()
        same(names.count("search_tools"), 1, "times listed")
        for name in ("engine_status", "call_tool", "describe_tool", "run_lua"):
            same(name in names, True, f"{name} listed")


def missing_at_start():
    with Project(roots=("later",)) as p:
        p.names()
        same(p.server.ask("ping")["result"], {})
        p.write("/later/tools/test/a.lua", saying("here"))
        report(p.await_text("a", "here"), "a root that appears later")
        p.write("/later/tools/test/a.lua", saying("edited"))
        p.await_text("a", "edited")


def deep_missing_at_start():
    with Project(roots=("not/yet/there",)) as p:
        p.names()
        p.write("/not/yet/there/tools/test/a.lua", saying("here"))
        report(p.await_text("a", "here"), "a root three folders deep that appears later")


def gone_and_back():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        same(p.server.text("a"), "one")
        shutil.rmtree(p.roots[0])
        p.await_that("a gone", lambda: "a" not in p.names())
        p.write("tools/test/a.lua", saying("two"))
        report(p.await_text("a", "two"), "a root deleted and made again")
        os.rename(p.roots[0], p.roots[0] + ".away")
        p.await_that("a gone again", lambda: "a" not in p.names())
        os.rename(p.roots[0] + ".away", p.roots[0])
        p.await_text("a", "two")


def tools_folder_comes_late():
    with Project(roots=("root",), start=False) as p:
        os.makedirs(p.roots[0])
        p.start()
        p.names()
        p.write("prompts/p.lua", prompt("hello"))
        p.await_that("the prompt", lambda: "p" in p.prompts())
        p.write("tools/alone.lua", saying("alone"))
        report(p.await_text("alone", "alone"), "a tool straight in tools/")


def users_folder():
    with Project({"/home/tools/test/a.lua": saying("mine")}, start=False) as p:
        p.server = perigee(env={"PERIGEE_HOME": p.path("/home")})
        p.server.initialize()
        same(p.server.text("a"), "mine")
        p.write("/home/tools/test/a.lua", saying("edited"))
        report(p.await_text("a", "edited"), "a tool in PERIGEE_HOME")


def not_the_working_directory():
    files = {"/place/tools/test/a.lua": saying("a"), "/place/lua/tools/test/b.lua": saying("b"),
             "/place/prompts/p.lua": prompt("p")}
    with Project(files, start=False) as p:
        p.server = perigee(cwd=p.path("/place"))
        p.server.initialize()
        same({"a", "b"} & set(p.names()), set(), "tools loaded unasked")
        same("p" in p.prompts(), False, "a prompt loaded unasked")


def relative_root():
    with Project({"/place/mine/tools/test/a.lua": saying("one")}, start=False) as p:
        p.server = perigee("--root", "mine", cwd=p.path("/place"))
        p.server.initialize()
        same(p.server.text("a"), "one")
        p.write("/place/mine/tools/test/a.lua", saying("two"))
        p.await_text("a", "two")


def linked_root():
    with Project({"/real/tools/test/a.lua": saying("one")}, start=False) as p:
        os.symlink(p.path("/real"), p.path("/link"))
        p.server = perigee("--root", p.path("/link"))
        p.server.initialize()
        same(p.server.text("a"), "one")
        p.write("/real/tools/test/a.lua", saying("two"))
        p.await_text("a", "two")


tap.case("a later root overrides an earlier one by name", override_by_name)
tap.case("a broken override keeps its own last good version", broken_override)
tap.case("a file gets the lib files of its own root first", own_lib_first)
tap.case("the shipped files see no lib file of the user's", shipped_libs_stay)
tap.case("the engine's own tools stay listed when one is overridden", shipped_tool)
tap.case("a root that is missing at the start and appears", missing_at_start)
tap.case("a root whose parents are missing at the start", deep_missing_at_start)
tap.case("a root deleted and made again", gone_and_back)
tap.case("prompts and tools folders that come late", tools_folder_comes_late)
tap.case("the user's folder is a root", users_folder)
tap.case("nothing is loaded from the working directory", not_the_working_directory)
tap.case("a relative root", relative_root)
tap.case("a root that is a link", linked_root)
tap.done()
