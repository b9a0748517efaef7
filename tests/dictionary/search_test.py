#!/usr/bin/env python3
"""The search of dictionaries: through its tool over MCP, with examples that are edited while the engine runs, and its cost."""

import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import folders      # noqa: E402
import pace         # noqa: E402
import tap          # noqa: E402
from procs import seconds_of_work                         # noqa: E402
from server import PERIGEE, TOP, TRUSTING, Server         # noqa: E402
from tools import has, same, until                        # noqa: E402

MOST = 0.37          # of a search without an index for a question: 5 ms where that takes 13.5
QUESTIONS = 200
PLAIN = 40           # questions without the index

SDEF = """<?xml version="1.0" encoding="UTF-8"?>
<dictionary title="Finder Terminology"><suite name="Finder Basics" code="fndr">
<command name="make" code="corecrel" description="Make a new element"><parameter name="new" code="kocl" type="type"/>
<parameter name="at" code="insh" type="location specifier" optional="yes"/></command>
<command name="empty" code="fndrempt" description="Empty the trash"/>
<command name="sort by" code="sortby00" hidden="yes"/>
<class name="disk" code="cdis"><property name="free space" code="frsp" type="integer" access="r"/></class></suite></dictionary>
"""
OTHER = SDEF.replace("Finder", "Ledger").replace("empty", "reconcile").replace("Empty the trash", "Compare the books with the bank")

EXAMPLE = """return {{ app = "Ledger", name = "Ledger", words = "bookkeeping",
  examples = {{ {{ task = "{task}", command = "reconcile", script = 'tell application "Ledger" to reconcile' }} }} }}
"""


class House:
    """A folder of dictionaries, a root, and a server that reads both."""

    def __init__(self):
        self.top = os.path.realpath(folders.fresh("perigee-search-"))
        self.root = os.path.join(self.top, "root")
        os.makedirs(os.path.join(self.root, "dictionary"))
        self.write("sdef/Finder.sdef", SDEF)
        self.write("sdef/Ledger.sdef", OTHER)
        env = {"PERIGEE_SDEF_DIR": os.path.join(self.top, "sdef"), "DISPLAY": "", "WAYLAND_DISPLAY": "",
               "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        self.server = Server([PERIGEE, "serve", "--no-user-root", "--root", TRUSTING, "--root", self.root,
                              "--toolset", "dictionary"], env=env)
        self.server.initialize()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        shutil.rmtree(self.top)

    def write(self, name, text):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def search(self, query, **more):
        result = self.server.ask("tools/call", {"name": "search_commands", "arguments": {"query": query, **more}})["result"]
        return result.get("structuredContent") or result

    def examples(self, app):
        arguments = {"appBundleId": app, "format": "summary"}
        result = self.server.ask("tools/call", {"name": "get_app_capabilities", "arguments": arguments})["result"]
        return json.loads(result["content"][0]["text"])["examples"]

    def names(self, query, **more):
        return [f"{one['app']}: {one['command']}" for one in self.search(query, **more)["results"]]


def shows_examples_in_summaries():
    with House() as house:
        has(house.examples("Finder")[0], 'tell application "Finder"')
        same(house.examples("Ledger"), [])
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="Tally up a month."))
        until(lambda: house.examples("Ledger") == ['tell application "Ledger" to reconcile'], "the new example")
        os.remove(os.path.join(house.root, "dictionary/ledger.lua"))
        until(lambda: house.examples("Ledger") == [], "the summary without the example")


def finds_commands():
    with House() as house:
        first = house.search("make a new folder")["results"][0]
        same({key: first[key] for key in ("bundleId", "app", "command", "description", "args")},
             {"bundleId": "Finder", "app": "Finder", "command": "make", "description": "Make a new element",
              "args": ["new type", "[at location specifier]"]})
        has(first["example"], 'tell application "Finder"')
        same(type(first["score"]) in (int, float), True)
        same(house.names("how much room is left")[0], "Finder: disk.free space")
        same(house.names("trash", appBundleId="Ledger"), [])
        same(house.names("compare with the bank", appBundleId="ledger"), ["Ledger: reconcile"])
        same(len(house.names("make", limit=1)), 1)
        for name in house.names("sort by", limit=100):
            same("sort by" in name, False, "a hidden command")


def says_what_is_wrong():
    with House() as house:
        for query in ("", "  \n"):
            result = house.search(query)
            same(result["isError"], True)
            has(result["content"][0]["text"], "The query is empty.")
        result = house.search("x", appBundleId="Findr")
        same(result["isError"], True)
        has(result["content"][0]["text"], "did you mean Finder?")
        same(house.search("zzyzx")["results"], [])


def follows_dictionaries():
    with House() as house:
        same(house.names("compare with the bank"), ["Ledger: reconcile"])
        house.write("sdef/Ledger.sdef", OTHER.replace("reconcile", "balance up"))
        until(lambda: house.names("compare with the bank") == ["Ledger: balance up"], "the changed dictionary")
        os.remove(os.path.join(house.top, "sdef/Ledger.sdef"))
        until(lambda: house.names("compare with the bank") == [], "the dictionary without its file")
        house.write("sdef/Ledger.sdef", "<dictionary><suite")
        until(lambda: "Ledger" in str(house.search("trash").get("problems")), "the broken dictionary")
        same(house.names("trash")[0], "Finder: empty")


def follows_examples():
    """The next search knows what was saved; a file that is wrong is told, and all others count."""
    with House() as house:
        same(house.names("tally up the month"), [])
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="Tally up a month."))
        until(lambda: house.names("tally up the month") == ["Ledger: reconcile"], "the new example")
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="Audit a quarter."))
        until(lambda: house.names("audit the quarter") == ["Ledger: reconcile"], "the edited example")
        same(house.names("tally up the month"), [])
        same(house.names("bookkeeping: the bank"), ["Ledger: reconcile"], "words about the application")

        house.write("root/dictionary/ledger.lua", "return {")
        until(lambda: house.search("quarter").get("problems"), "the problem")
        has(house.search("quarter")["problems"][0], "dictionary/ledger.lua:1:")
        same(house.names("audit the quarter"), ["Ledger: reconcile"], "the last version that was right")
        same(house.names("make a new folder")[0], "Finder: make", "other files")
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="x").replace("task =", "tsk ="))
        until(lambda: 'unknown key "tsk"; did you mean task?' in str(house.search("quarter").get("problems")), "the problem of the table")
        os.remove(os.path.join(house.root, "dictionary/ledger.lua"))
        until(lambda: "problems" not in house.search("quarter"), "the end of the problem")
        same(house.names("audit the quarter"), [])


def checks_examples():
    """Against the dictionary as it is: an example that does not fit it is neither found nor in the summary."""
    with House() as house:
        def example():
            found = house.search("tally up the month")["results"]
            return [(one["command"], one.get("example"), one.get("checked")) for one in found]
        script = 'tell application "Ledger" to set free space of disk 1 to 5'
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="Tally up a month."))
        until(lambda: example() == [("reconcile", 'tell application "Ledger" to reconcile', "dictionary")], "the example, checked")
        house.write("root/dictionary/ledger.lua", EXAMPLE.format(task="Tally up a month.").replace(
            'tell application "Ledger" to reconcile', script))
        until(lambda: example() == [("reconcile", None, None)], "no example: the property is read-only")
        same(house.examples("Ledger"), [])
        house.write("sdef/Ledger.sdef", OTHER.replace('type="integer" access="r"', 'type="integer"'))
        until(lambda: example() == [("reconcile", script, "dictionary")], "the property can be set now")
        same(house.examples("Ledger"), [script])


def leaves_wrong_files_out():
    """A file that is wrong is told once and counts no more; a bad example is found by its script, its call and its types."""
    wrong = {
        "a script that is not closed": ("'tell application \"Ledger\" to reconcile'", "'tell application \"Ledger'", "never closed"),
        "a call with a function": ("script = 'tell application \"Ledger\" to reconcile'",
                                   "call = { path = '/', interface = 'a.b', member = 'M', args = { print } }",
                                   "call.args[1]: a function cannot be written as JSON"),
        "a number for a name": ('name = "Ledger"', "name = 5", "name is not a string"),
        "a key that is not known": ('words =', "wrods =", 'unknown key "wrods"; did you mean words?'),
        "examples that are no list": ("examples = { {", "examples = { first = {", "examples is not a list"),
    }
    with House() as house:
        right = EXAMPLE.format(task="Tally up a month.")
        for name, (old, new, message) in wrong.items():
            same(right.count(old) > 0, True, name)
            house.write("root/dictionary/ledger.lua", right.replace(old, new))
            until(lambda text=message: text in str(house.search("month").get("problems")), name)
            same(house.names("tally up the month"), [], name)
            same(house.names("make a new folder")[0], "Finder: make", name)
        house.write("root/dictionary/other.lua", EXAMPLE.format(task="Audit a quarter."))
        until(lambda: house.names("audit the quarter") == ["Ledger: reconcile"], "the right file beside the wrong one")
        has(str(house.search("month")["problems"]), "dictionary/ledger.lua: examples is not a list")
        same(house.server.stderr().count("examples is not a list"), 1, "how often the log tells it")
        house.write("root/dictionary/ledger.lua", right)
        until(lambda: "problems" not in house.search("month"), "the end of the problem")
        same(house.names("tally up the month"), ["Ledger: reconcile"])


def endless_file_costs_little():
    """A file that does not end has a budget, and is tried once until it changes."""
    with House() as house:
        house.search("trash")
        before = seconds_of_work(house.server.process.pid)
        house.write("root/dictionary/endless.lua", 'require "sys.log".warn "I AM TRIED" while true do end')
        until(lambda: "dictionary/endless.lua:1: took longer than 200 ms" in str(house.search("trash").get("problems")), "its error")
        house.write("root/dictionary/other.lua", EXAMPLE.format(task="Audit a quarter."))
        until(lambda: house.names("audit the quarter") == ["Ledger: reconcile"], "another file that changes")
        has(house.search("trash")["problems"][0], "took longer than 200 ms")
        took = seconds_of_work(house.server.process.pid) - before
        same(house.server.stderr().count("I AM TRIED"), 1, "how often it was tried")
        tap.note(f"the endless file and the searches took {took:.2f} s of processor time")
        if took > 1.5:
            raise tap.Failure(f"the endless file took {took:.2f} s of processor time")
        house.write("root/dictionary/endless.lua", EXAMPLE.format(task="Tally up a month."))
        until(lambda: house.names("tally up the month") == ["Ledger: reconcile"], "the file after a change")
        same("problems" in house.search("trash"), False)


def later_root_replaces():
    with House() as house:
        has(house.search("make a new folder")["results"][0]["example"], "folder at desktop")
        house.write("root/dictionary/finder.lua", EXAMPLE.format(task="Build a folder.").replace("Ledger", "Finder")
                    .replace("reconcile", "make"))
        until(lambda: house.search("make a new folder")["results"][0]["example"] == 'tell application "Finder" to make',
              "the user's examples")


def costs_little():
    def asking(questions, *how):
        return ["--root", os.path.join(TOP, "tests/lua"), os.path.join(TOP, "tests/lua/dictionary_search_cost.lua"), str(questions), *how]
    times, seconds = pace.times_the_floor(asking, QUESTIONS, MOST, lambda questions: asking(questions, "plain"), PLAIN)
    rows, found = pace.spent(asking(QUESTIONS))[1].split()
    tap.note(f"{rows} rows: {seconds * 1000:.2f} ms of processor time a question, {times:.2f} times a search without an index")
    same(int(rows) >= 6000 and int(found) > QUESTIONS, True, f"{rows} rows, {found} found")
    if times >= MOST:
        raise tap.Failure(f"a question took {times:.2f} times a search without an index at best, at most {MOST:g} are allowed")


def main():
    tap.case("finds commands and properties, with an example", finds_commands)
    tap.case("an empty query and an unknown application are errors", says_what_is_wrong)
    tap.case("dictionaries that come, change, go and break", follows_dictionaries)
    tap.case("examples that are edited while the engine runs", follows_examples)
    tap.case("a file that is wrong is left out and told once", leaves_wrong_files_out)
    tap.case("a file that does not end has 0.2 s, once", endless_file_costs_little)
    tap.case("summaries show examples, as they are now", shows_examples_in_summaries)
    tap.case("examples are checked against the dictionary as it is", checks_examples)
    tap.case("a file of a later root replaces one of the same name", later_root_replaces)
    tap.case("a question over 6,000 rows costs at most 0.37 of a search without an index", costs_little)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
