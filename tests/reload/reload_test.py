#!/usr/bin/env python3
"""Files change while the server runs: the next call runs the new code, and clients are told when
a list's content changed, then only."""

import os

from project import (PROMPTS_CHANGED, RESOURCES_CHANGED, RESOURCE_UPDATED, TOOLS_CHANGED, Project,
                     holds, prompt, report, same, saying, tap, tool)
from server import perigee

SLOW = tool('''
    call:progress(1)
    time.sleep(0.6)
    return words.mine()''', head='''local time = require "sys.time"
local words = require "words"''')


def edited_tool():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        same(p.server.text("a"), "one")
        for text in ("two", "three", "four"):
            p.write("tools/test/a.lua", saying(text))
            report(p.await_text("a", text), "an edited tool")


def edited_at_once():
    """Files are watched a moment after the first answers."""
    for _ in range(5):
        with Project({"tools/test/a.lua": saying("one")}) as p:
            p.server.ask("tools/list")
            p.write("tools/test/a.lua", saying("two", description="New."))
            p.await_changed()
            p.await_text("a", "two")


def body_alone_is_no_news():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        p.names()
        p.write("tools/test/a.lua", saying("two"))
        p.await_text("a", "two")
        same(p.changes(), 0, "list_changed after an edit of run() alone")
        p.write("tools/test/b.lua", saying("b"))
        p.await_changed()
        same(p.changes(), 0, "more than one list_changed for one new tool")


def edited_description():
    with Project({"tools/test/a.lua": saying("one", description="Old.")}) as p:
        p.names()
        p.write("tools/test/a.lua", saying("one", description="New."))
        p.await_changed()
        tools = p.server.ask("tools/list")["result"]["tools"]
        same([t["description"] for t in tools if t["name"] == "a"], ["New."])


def edited_schema():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        same(p.server.text("a"), "one")
        p.write("tools/test/a.lua", saying("one").replace(
            '{ type = "object" }', '{ type = "object", required = { "must" } }'))
        p.await_changed()
        same(p.server.call("a")["result"].get("isError"), True, "called without what is required")


def added_tool():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        same("b" in p.names(), False)
        p.write("tools/test/b.lua", saying("new"))
        p.await_changed()
        same("b" in p.names(), True, "listed after list_changed")
        same(p.server.text("b"), "new")


def first_tool_of_a_toolset():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        p.names()
        for number in range(5):
            p.write(f"tools/fresh{number}/t{number}.lua", saying("fresh"))
            report(p.await_text(f"t{number}", "fresh"), "a tool in a new folder")
        p.write("tools/fresh0/t0.lua", saying("fresher"))
        p.await_text("t0", "fresher")


def deleted_tool():
    with Project({"tools/test/a.lua": saying("one"), "tools/test/b.lua": saying("b")}) as p:
        same("b" in p.names(), True)
        p.remove("tools/test/b.lua")
        p.await_changed()
        same("b" in p.names(), False, "listed after its file was deleted")
        same(p.server.call("b")["error"]["code"], -32602)
        same(p.server.text("a"), "one")


def renamed_tool():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        p.names()
        os.rename(p.path("tools/test/a.lua"), p.path("tools/test/z.lua"))
        p.await_changed()
        same([n for n in p.names() if n in "az"], ["z"])
        same(p.server.text("z"), "one")


def alias():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        p.names()
        p.write("tools/test/a.lua", saying("two", extra='\n  aliases = { "uno" },'))
        p.await_text("uno", "two")


def toolset_folder():
    with Project({"tools/test/a.lua": saying("a"), "tools/more/b.lua": saying("b"),
                  "tools/more/c.lua": saying("c")}) as p:
        same({"a", "b", "c"} <= set(p.names()), True, "listed at the start")
        os.rename(p.path("tools/more"), p.path("tools/moved"))
        p.await_text("b", "b")
        os.rename(p.path("tools/moved"), p.path("../away"))
        p.await_that("b and c gone", lambda: not {"b", "c"} & set(p.names()))
        os.rename(p.path("../away"), p.path("tools/back"))
        p.await_that("b and c back", lambda: {"b", "c"} <= set(p.names()))
        same(p.server.text("a"), "a")


def prompts():
    with Project({"prompts/ask.lua": prompt("first")}) as p:
        def said(name="ask"):
            answer = p.server.ask("prompts/get", {"name": name})
            return "error" not in answer and answer["result"]["messages"][0]["content"]["text"]
        p.names()
        same(said(), "first")
        p.write("prompts/ask.lua", prompt("second"))
        report(p.await_that("the new text", lambda: said() == "second"), "an edited prompt")
        same(p.changes(PROMPTS_CHANGED), 0, "list_changed after an edit of render() alone")
        p.write("prompts/ask.lua", prompt("second", description="Other."))
        p.await_changed(PROMPTS_CHANGED)
        p.write("prompts/more.lua", prompt("more"))
        p.await_changed(PROMPTS_CHANGED)
        same(said("more"), "more")
        p.remove("prompts/ask.lua")
        p.await_changed(PROMPTS_CHANGED)
        same([n for n in p.prompts() if n in ("ask", "more")], ["more"])
        same(p.changes(TOOLS_CHANGED), 0, "tools/list_changed for prompts")


def resource(text, uri="test://it", description="One."):
    return f'''return {{ uri = "{uri}", description = "{description}", read = function() return "{text}" end }}
'''


def resources():
    with Project({"resources/it.lua": resource("first")}) as p:
        def said(uri="test://it"):
            answer = p.server.ask("resources/read", {"uri": uri})
            return "error" not in answer and answer["result"]["contents"][0]["text"]
        p.names()
        same(said(), "first")
        same(p.server.ask("resources/subscribe", {"uri": "test://it"})["result"], {})
        p.write("resources/it.lua", resource("second"))
        p.await_changed(RESOURCE_UPDATED)
        same(said(), "second", "what was announced is there")
        same(p.changes(RESOURCES_CHANGED), 0, "list_changed after an edit of read() alone")
        p.write("resources/it.lua", resource("second", description="Other."))
        p.await_changed(RESOURCES_CHANGED)
        p.write("resources/deep/more.lua", resource("more", uri="test://more"))
        p.await_changed(RESOURCES_CHANGED)
        same(said("test://more"), "more")
        p.write("resources/it.lua", "return {")
        p.await_that("the broken file to be told of", lambda: "it.lua" in p.server.stderr())
        same(said(), "second", "the last good version serves on")
        p.remove("resources/it.lua")
        p.await_changed(RESOURCES_CHANGED)
        same(said(), False, "read after its file was deleted")
        same(p.changes(TOOLS_CHANGED), 0, "tools/list_changed for resources")


def library():
    files = {"lib/words.lua": 'return { mine = function() return "one" end }',
             "lib/deep/down.lua": 'local words = require "words"\n'
                                  "return { said = function() return words.mine() end }",
             "tools/test/a.lua": tool("return words.mine()", head='local words = require "words"'),
             "tools/test/b.lua": tool("return down.said()", head='local down = require "deep.down"')}
    with Project(files) as p:
        p.names()
        same((p.server.text("a"), p.server.text("b")), ("one", "one"))
        p.write("lib/words.lua", 'return { mine = function() return "two" end }')
        report(p.await_text("a", "two"), "an edited lib file")
        report(p.await_text("b", "two"), "a lib file used by a lib file")
        same(p.changes(), 0, "list_changed after an edit of a lib file")
        p.write("lib/words.lua", "return {")
        holds(p.await_problem("lib/words.lua")["message"], "words.lua:1:")
        same((p.server.text("a"), p.server.text("b")), ("two", "two"))
        p.write("lib/words.lua", 'return { mine = function() return "three" end }')
        p.await_text("b", "three")
        p.await_well("lib/words.lua")


def provider():
    def text(reply):
        return f'''return {{
          description = "{reply}", supports_tools = false,
          complete = function() return {{ text = "{reply}" }} end }}'''
    look = tool('return engine.provider("mine").description',
                head='local engine = require "sys.engine"')
    with Project({"providers/mine.lua": text("one"), "tools/test/look.lua": look}) as p:
        same(p.server.text("look"), "one")
        p.write("providers/mine.lua", text("two"))
        report(p.await_text("look", "two"), "an edited provider")


def call_in_flight():
    files = {"lib/words.lua": 'return { mine = function() return "old" end }',
             "tools/test/slow.lua": SLOW, "tools/test/probe.lua": saying("old")}
    with Project(files) as p:
        first = p.server.post("tools/call", {"name": "slow", "arguments": {},
                                             "_meta": {"progressToken": 1}})
        p.server.notified("notifications/progress")
        p.write("lib/words.lua", 'return { mine = function() return "new" end }')
        p.write("tools/test/slow.lua", SLOW.replace("words.mine()", 'words.mine() .. "er"'))
        p.write("tools/test/probe.lua", saying("new"))
        p.await_text("probe", "new")
        second = p.server.post("tools/call", {"name": "slow", "arguments": {}})
        old, new = p.server.answer(first)["result"], p.server.answer(second)["result"]
        same(old["content"][0]["text"], "old", "the call that began before the save")
        same(new["content"][0]["text"], "newer", "the call that began after it")


def deleted_in_flight():
    files = {"lib/words.lua": 'return { mine = function() return "old" end }',
             "tools/test/slow.lua": SLOW}
    with Project(files) as p:
        first = p.server.post("tools/call", {"name": "slow", "arguments": {},
                                             "_meta": {"progressToken": 1}})
        p.server.notified("notifications/progress")
        p.remove("tools/test/slow.lua")
        p.remove("lib/words.lua")
        p.await_that("slow gone", lambda: "slow" not in p.names())
        same(p.server.answer(first)["result"]["content"][0]["text"], "old")


def state():
    body = 'local s = state.open "count"; s.n = (s.n or 0) + 1; mine = mine + 1; return s.n .. " " .. mine'
    code = tool(body, head='local state = require "sys.state"\nlocal mine = 0')
    with Project({"tools/test/a.lua": code}) as p:
        same([p.server.text("a"), p.server.text("a")], ["1 1", "2 2"])
        p.write("tools/test/a.lua", code.replace('" "', '"-"'))
        p.await_that("the new code", lambda: "-" in p.server.text("a"))
        count, mine = p.server.text("a").split("-")
        same(int(count) > int(mine), True, "sys.state outlives the reload, a file's variables do not")


def engine_tools():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        holds(p.server.text("search_tools", {"query": "marmalade"}), "No tool matches")     # its kept index is old now
        p.write("tools/test/marmalade.lua", saying("new", description="Spreads marmalade."))
        p.await_changed()
        holds(p.server.text("search_tools", {"query": "marmalade"}), "marmalade")
        holds(p.server.text("describe_tool", {"name": "marmalade"}), "Spreads marmalade.")
        same(p.server.text("call_tool", {"name": "marmalade", "arguments": {}}), "new")
        holds(p.server.text("run_lua", {"code": "return tools.marmalade{}"}), "new")
        p.remove("tools/test/marmalade.lua")
        p.await_changed()
        holds(p.server.text("search_tools", {"query": "marmalade"}), "No tool matches")


def generation():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        before = p.status()["generation"]
        p.write("tools/test/a.lua", saying("two"))
        p.await_text("a", "two")
        same(p.status()["generation"] > before, True, "the generation grew")


def listened():
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}}
    with Project({"tools/test/a.lua": saying("one")}, start=False) as p:
        p.server = perigee("--root", p.roots[0])
        p.server.ask("tools/list", {"_meta": meta})
        listening = p.server.post("subscriptions/listen", {
            "notifications": {"toolsListChanged": True}, "_meta": meta})
        p.server.notified("notifications/subscriptions/acknowledged")
        p.write("prompts/new.lua", prompt("new"))
        p.write("tools/test/b.lua", saying("b"))
        told = p.server.notified(TOOLS_CHANGED)
        same(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], listening)
        p.server.notify("notifications/cancelled", {"requestId": listening})
        p.server.ask("tools/list", {"_meta": meta})     # the end of the subscription was read before this
        p.server.early.clear()
        p.write("tools/test/c.lua", saying("c"))

        def listed():
            tools = p.server.ask("tools/list", {"_meta": meta})["result"]["tools"]
            return "c" in [t["name"] for t in tools]
        p.await_that("c listed", listed)
        same([m for m in p.server.early if "method" in m], [],
             "notifications nobody asked for, or after the subscription's end")


def before_the_handshake():
    with Project({"tools/test/a.lua": saying("one")}, start=False) as p:
        p.server = perigee("--root", p.roots[0])
        p.names()
        p.write("tools/test/b.lua", saying("b"))
        p.await_text("b", "b")
        same(p.changes(), 0, "list_changed before initialize")
        p.server.initialize()
        p.write("tools/test/c.lua", saying("c"))
        p.await_changed()


def outside_the_picked_toolset():
    with Project({"tools/test/a.lua": saying("one")}, arguments=["--toolset", "test"]) as p:
        p.names()
        p.write("tools/other/b.lua", saying("b"))
        p.write("tools/test/c.lua", saying("c"))
        p.await_changed()
        names = p.names()
        same(("b" in names, "c" in names), (False, True))
        same(p.changes(), 0, "list_changed for a toolset that is not listed")


tap.case("an edited tool runs its new code at the next call", edited_tool)
tap.case("a tool that is edited right after the first list is news", edited_at_once)
tap.case("an edit of run() alone sends no list_changed; a new tool sends one", body_alone_is_no_news)
tap.case("an edited description is announced and listed", edited_description)
tap.case("an edited schema is announced and enforced", edited_schema)
tap.case("an added tool is announced, listed and callable", added_tool)
tap.case("a new toolset's folder and its first tool are seen at once", first_tool_of_a_toolset)
tap.case("a deleted tool is announced and gone", deleted_tool)
tap.case("a renamed tool changes its name", renamed_tool)
tap.case("a new alias answers", alias)
tap.case("a toolset's folder renamed, moved out and moved in", toolset_folder)
tap.case("prompts edited, added and deleted, announced as prompts", prompts)
tap.case("resources edited, added and deleted; subscribers are told", resources)
tap.case("a lib file reaches every tool that uses it, over lib files too", library)
tap.case("an edited provider is the one the engine finds", provider)
tap.case("a call in flight finishes on the code it started with", call_in_flight)
tap.case("a call in flight outlives its file", deleted_in_flight)
tap.case("sys.state outlives a reload", state)
tap.case("search_tools, describe_tool, call_tool and run_lua see the new tool", engine_tools)
tap.case("engine_status counts generations", generation)
tap.case("a stateless client is told as far as it listens", listened)
tap.case("nobody is told before the handshake", before_the_handshake)
tap.case("a toolset that is not served is no news", outside_the_picked_toolset)
tap.done()
