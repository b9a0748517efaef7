#!/usr/bin/env python3
"""`require "sys.store"`: values that outlive the process that kept them, also beside others that change them, and kill -9."""

import json
import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import FOLDER, PERIGEE, done, environment, folder, has, must, perigee, same, tap, write      # noqa: E402

STORE = FOLDER / "state/perigee/store"


def lua(code):
    answer = perigee("run", "-e", f'local store = require "sys.store".open "counts"\n{code}')
    same((answer.code, answer.err), (0, ""), answer)
    return answer.out


def start(code):
    return subprocess.Popen([PERIGEE, "run", "-e", f'local store = require "sys.store".open "counts"\n{code}'], env=environment(),
                            cwd=folder("here"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def values_survive():
    same(lua('print(store:get "x")'), "nil\n")
    same(lua('print(store:set("x", { 1, 2, { y = "ä\\0b" } }), store:set("n", 9007199254740993))'), "true\ttrue\n")
    same(lua('local x = store:get "x" print(x[1], x[2], x[3].y == "ä\\0b", store:get "n")'), "1\t2\ttrue\t9007199254740993\n")
    same(lua('print(table.concat(store:keys(), " "), store:set("x", nil), store:get "x")'), "n x\ttrue\tnil\n")
    same(lua('print(require "sys.store".open "others":get "n")'), "nil\n")
    same(oct(STORE.stat().st_mode & 0o777), "0o700")


def an_empty_table_becomes_what_is_added():
    """It came back as an object for ever: the first append failed, with a message about names."""
    same(lua('print(store:set("list", {}), store:set("names", {}), store:set("deep", { x = { {} } }))'), "true\ttrue\ttrue\n")
    same(lua("""print(store:update("list", function(l) l[#l + 1] = "a" return l end)[1])
                store:update("names", function(n) n.a = 1 return n end)
                store:update("deep", function(d) table.insert(d.x[1], 7) return d end)"""), "a\n")
    same(lua("""local list = store:get "list" table.insert(list, "b") print(store:set("list", list), #store:get "list")
                print(store:get("names").a, store:get("deep").x[1][1])"""), "true\t2\n1\t7\n")
    has(lua('print(select(2, store:set("list", { 1, nil, 3 })))'), 'the value of "list" cannot be kept', "item [2] is nil")
    same(lua('for _, key in ipairs { "list", "names", "deep" } do store:set(key, nil) end'), "")


def what_cannot_be_kept_is_refused():
    same(lua('print(select(3, store:set("f", print)), select(3, store:set("big", ("x"):rep(17 << 20))), store:get "n")'),
         "bad_value\ttoo_large\t9007199254740993\n")
    for code, part in (('store:set("", 1)', "must be a string"), ('store:get(1)', "must be a string"),
                       ('require "sys.store".open "../x"', "may contain only"), ('require "sys.store".open(1)', "may contain only")):
        has(lua(f"print(pcall(function() {code} end))"), "false", part)


def a_damaged_file_is_told_of_and_kept():
    write("state/perigee/store/counts.json", '{"n": 1')
    said = lua('print(select(2, store:get "n")) print(select(3, store:set("n", 2)))')
    has(said, "counts.json does not hold a JSON object", "damaged")
    same((STORE / "counts.json").read_text(), '{"n": 1')
    (STORE / "counts.json").unlink()


def no_change_of_another_is_lost():
    """Four processes of eight tasks each add to one number."""
    step = """require("sys.task").map({ 1, 2, 3, 4, 5, 6, 7, 8 }, function()
      for _ = 1, 10 do assert(store:update("n", function(n) return (n or 0) + 1 end)) end end, 8)"""
    several = [start(step) for _ in range(4)]
    for one in several:
        out = one.communicate(timeout=60)[0].decode()
        same((one.returncode, out), (0, ""), out)
    same(json.loads((STORE / "counts.json").read_text()), {"n": 320})


def killed_at_any_moment_it_is_whole():
    chance = random.Random(4711)
    lua('store:set("text", ("x"):rep(100000))')
    for _ in range(30):
        one = start('while true do store:update("n", function(n) return n + 1 end) end')
        time.sleep(0.03 + chance.random() * 0.1)        # any moment is fine
        one.send_signal(signal.SIGKILL)
        one.wait()
        held = json.loads((STORE / "counts.json").read_text())
        must(len(held["text"]) == 100000 and held["n"] >= 320, held["n"])
    must(held["n"] > 320, "none came to change anything")
    (STORE / ".perigee-4711-1.tmp").write_text("{")
    (STORE / ".perigee-notes.tmp").write_text("the user's")
    lua('print(store:get "n")')
    same(sorted(path.name for path in STORE.iterdir()), [".perigee-notes.tmp", "counts.json"])   # nothing of killed ones is left
    (STORE / ".perigee-notes.tmp").unlink()
    same(lua('print(store:set("n", 1))'), "true\n")


def a_dry_run_keeps_nothing():
    answer = perigee("run", "--dry-run", "-e", 'print(select(3, require "sys.store".open "counts":set("n", 2)))')
    has(answer.out, "dry_run")
    same(lua('print(store:get "n")'), "1\n")


def a_dry_run_says_of_each_change_of_files_that_it_was_not_done():
    """A write without options was answered with true, though nothing was written."""
    path = str(folder("here") / "new")
    for call in ('write(path, "x")', 'write(path, "x", { mode = 384 })', 'append(path, "x")', 'append(path, "x", { private = true })',
                 "make_folder(path)", "make_folder(path, { mode = 448 })", "remove(path)"):
        answer = perigee("run", "--dry-run", "-e", f'local path = {json.dumps(path)} local ok, err, code = require "sys.fs".{call} '
                         "print(ok, code, err)")
        has(answer.out, "nil\tdry_run\t", "dry run, which does not")
        assert not os.path.exists(path), call


def files_of_other_roots_are_not_part_of_sys():
    write("home/lib/sys/mine.lua", "return {}")
    write("home/lib/sys/store.lua", "return { open = function() return 'mine' end }")
    same(lua("print(type(store))"), "table\n")
    has(perigee("run", "-e", 'require "sys.mine"').err, "module 'sys.mine' does not exist")


tap.case("values survive", values_survive)
tap.case("an empty table becomes what is added to it", an_empty_table_becomes_what_is_added)
tap.case("a value that cannot be kept is refused", what_cannot_be_kept_is_refused)
tap.case("a damaged file is told of, and kept", a_damaged_file_is_told_of_and_kept)
tap.case("no change of another process or task is lost", no_change_of_another_is_lost)
tap.case("killed at any moment, a store is whole", killed_at_any_moment_it_is_whole)
tap.case("a dry run keeps nothing", a_dry_run_keeps_nothing)
tap.case("a dry run says of each change of files that it was not done", a_dry_run_says_of_each_change_of_files_that_it_was_not_done)
tap.case("files of other roots are not part of sys", files_of_other_roots_are_not_part_of_sys)
done()
