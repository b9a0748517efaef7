#!/usr/bin/env python3
"""Mounted servers: `perigee serve --mount` and the other commands, with doubles behind them.

Nothing here sleeps to let time pass: what takes time is asked for again until it is there, or is read from the journal
that a double keeps of its life."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))
sys.path.insert(0, str(TOP / "tests" / "gateway"))

import tap                                          # noqa: E402
from server import PERIGEE, Server                  # noqa: E402
from house import DOUBLE, House, names, result, until, wait_for, warm  # noqa: E402

HTTP_DOUBLE = str(TOP / "tests/lib/mcp_http_double.py")


def appear_with_a_prefix():
    with House(one=[]) as house, house.serve() as server:
        found = wait_for(server, "one_echo")
        assert "one_read-me" in found, found
        tool = next(t for t in server.ask("tools/list")["result"]["tools"] if t["name"] == "one_echo")
        assert tool["x-of-theirs"] == 1 and list(tool["inputSchema"]["$defs"]) == ["z", "a"], tool


def listed_without_a_start():
    with House(one=["--era", "legacy"]) as house:
        warm(house)
        before = house.starts("one")
        with house.serve() as server:
            assert "one_echo" in wait_for(server, "one_echo")
            assert house.starts("one") == before, house.journal("one")
            assert result(server, "one_echo", {"a": 1})["content"][0]["text"] == '{"a": 1}'
            # the era is kept as well: no probe, one start
            assert house.starts("one") == before + 1, house.journal("one")


def known_in_the_first_list():
    with House(one=[]) as house:
        warm(house)
        server = Server([PERIGEE, "serve", "--mount", "all"], env=house.env)
        with server:
            # both in one write: the list is asked for before anything was read
            lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                          "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                     {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
            server.write("".join(json.dumps(line) + "\n" for line in lines).encode())
            assert "one_echo" in [tool["name"] for tool in server.answer(2)["result"]["tools"]]


def results_verbatim():
    with House(one=[]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_structured")
            said = result(server, "one_structured", {"n": 1, "list": [], "object": {}})
            assert said["isError"] is True, said
            assert said["structuredContent"] == {"n": 1, "list": [], "object": {}}, said
            assert [block.get("text", block.get("mimeType")) for block in said["content"]] == \
                ["one", "image/png", "two"], said


DIGITS = {"beyond_double": 9007199254740993, "most": 2 ** 63 - 1, "least": -2 ** 63, "unsigned": 2 ** 64 - 1,
          "in": [{"list": [10 ** 40, -10 ** 25 - 1]}]}


def digits_stay():
    """There and back: what a client sends is what the mounted server gets, and what that answers what the client gets."""
    with House(one=[]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_structured")
            said = result(server, "one_structured", DIGITS)
            assert said["structuredContent"] == DIGITS, said
            assert json.loads(result(server, "one_echo", DIGITS)["content"][0]["text"]) == DIGITS
            said = result(server, "call_tool", {"name": "one_structured", "arguments": DIGITS})
            assert said["structuredContent"] == DIGITS, said
            # in a script the numbers are Lua's: integers of 64 bits
            said = result(server, "run_lua", {"code": "local r = tools.one_echo{a = 9007199254740993, b = math.maxinteger} "
                                                      "return {r = r.content[1].text, n = 9007199254740995}"})
            said = json.loads(said["content"][0]["text"])
            assert said["n"] == 9007199254740995 and json.loads(said["r"]) == {"a": 9007199254740993, "b": 2 ** 63 - 1}, said
        done = house.run("call", "one_structured", "--args", json.dumps(DIGITS), "--json", "--mount", "all")
        assert json.loads(done.stdout)["structuredContent"] == DIGITS, done  # its isError is the double's own


ORDERED = {"zeta": {"y": 1, "b": [{"q": 1, "c": 2}, {"q": 3, "c": {"z": [], "a": None}}]}, "alpha": "x", "m": 3}


def order_stays():
    """Query builders, templates and columns of tables depend on the order of keys, in both directions."""

    def texts(said):
        return said["content"][0]["text"], json.dumps(said["structuredContent"])

    with House() as house:
        house.add("one", command=sys.executable, args=[DOUBLE, "--era", "legacy", "--list", "ordered"])
        warm(house)
        wanted = (json.dumps(ORDERED), json.dumps({"z": 1, "m": [{"q": 1, "b": 2}], "a": ORDERED}))
        with house.serve() as server:
            wait_for(server, "one_ordered")
            said = result(server, "one_ordered", ORDERED)
            assert texts(said) == wanted, said
            assert [key for key in said["_meta"] if key in "yc"] == ["y", "c"] and list(said["_meta"]["c"]) == ["e", "d"], said
            said = result(server, "call_tool", {"name": "one_ordered", "arguments": ORDERED})
            assert texts(said) == wanted, said
        for words in (["call", "one_ordered", "--mount", "all"], ["mcp", "call", "one", "ordered"]):
            said = json.loads(house.run(*words, "--args", json.dumps(ORDERED), "--json").stdout)
            assert texts(said) == wanted, said


def nothing_hidden():
    """Neither a description nor a result can say to a model what its user does not see. A pipe gets the text as it is."""
    sent = {"s": "a\u202eb\u200bc\U000e0041\x1b[31m", "family": "\U0001f469\u200d\U0001f467", "lines": "1\u20282"}
    shown = {"s": "abc[31m", "family": "\U0001f469\u200d\U0001f467", "lines": "1\n2"}
    with House(one=[]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_structured")
            tool = next(t for t in server.ask("tools/list")["result"]["tools"] if t["name"] == "one_echo")
            assert tool["description"] == "Does echo.", tool
            said = result(server, "one_structured", sent)
            assert said["structuredContent"] == shown and said["_meta"]["perigee/hidden"] == 4, said
            assert json.loads(result(server, "one_echo", sent)["content"][0]["text"]) == sent, "what the server got"
        done = house.run("call", "one_structured", "--args", json.dumps(sent), "--json", "--mount", "all")
        assert json.loads(done.stdout)["structuredContent"] == sent, done


def a_server_that_dies():
    with House(one=[]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_die")
            said = result(server, "one_die")
            assert said["isError"] and "exited with status 3" in said["content"][0]["text"], said
            assert "cheese" in said["content"][0]["text"], said
            # once may be chance: the next call is not refused
            said = result(server, "one_echo", {"x": 1})
            assert not said.get("isError"), said
            # it dies young again: for a moment nobody tries, and that is said
            assert result(server, "one_die")["isError"]
            said = result(server, "one_echo")
            assert said["isError"] and "Try again in" in said["content"][0]["text"], said
            until(lambda: result(server, "one_echo", {"x": 2}), lambda r: not r.get("isError"), "no second life")


def progress_and_cancellation():
    with House(one=[]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_steps")
            server.send({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
                "name": "one_steps", "arguments": {"steps": 2}, "_meta": {"progressToken": "p"}}})
            first = server.notified("notifications/progress")["params"]
            assert (first["progressToken"], first["message"], first["total"]) == ("p", "step 1", 2), first
            server.answer(7)
            server.send({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "one_never"}})
            until(lambda: house.journal("one")[-1], lambda line: line == "got tools/call", "the call does not arrive")
            server.notify("notifications/cancelled", {"requestId": 8})
            until(lambda: house.journal("one"), lambda j: "got notifications/cancelled" in j, "not cancelled")


FORM = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}


def questions_reach_the_client(era, tool, arguments):
    with House(one=["--era", era]) as house:
        warm(house)
        with house.serve(capabilities={"elicitation": {}}) as server:
            wait_for(server, "one_echo")
            call = server.post("tools/call", {"name": f"one_{tool}", "arguments": arguments})
            ask = server.find(lambda m: m.get("method") == "elicitation/create")
            assert ask["params"]["message"] == 'The mounted server "one" asks: Who?', ask
            server.send({"jsonrpc": "2.0", "id": ask["id"], "result": {"action": "accept", "content": {"name": "Ann"}}})
            said = server.answer(call)["result"]["content"][0]["text"]
            assert '"name": "Ann"' in said and '"action": "accept"' in said, said


def nobody_to_ask():
    with House(one=["--era", "legacy"]) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_ask")
            said = result(server, "one_ask", {"method": "elicitation/create", "params": FORM})
            assert "-32601" in said["content"][0]["text"], said


def stopped_when_idle():
    with House(one=[]) as house:
        house.rules("one", "return { idle = 0.3 }")
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_echo")
            result(server, "one_echo")
            ends = house.journal("one").count("eof")
            until(lambda: house.journal("one").count("eof"), lambda n: n > ends, "it is not stopped")
            assert not result(server, "one_echo").get("isError")


def broken_hurts_nobody():
    with House(one=[]) as house:
        house.add("gone", command="/does/not/exist")
        house.add("deaf", url="http://127.0.0.1:1/mcp")
        house.add("odd", type="sse", url="http://127.0.0.1:1/sse")
        with house.serve() as server:
            wait_for(server, "one_echo")
            assert not result(server, "one_echo").get("isError")
        done = house.run("call", "one_echo", "--mount", "all")
        assert done.returncode == 0, done.stderr
        assert "gone" in done.stderr and "no such file" in done.stderr, done.stderr


def a_known_server_that_is_gone_says_so():
    with House(one=[]) as house:
        warm(house)
        words = house.servers["one"]
        os.rename(house.folder / "state/perigee/mounts/one.json", house.folder / "kept")
        house.add("one", command=words["command"], args=[DOUBLE, "--journal", "/does/not/exist/at/all"])
        # the kept list belongs to what the entry said before: it does not count
        done = house.run("tools", "--mount", "one", "--json")
        assert done.returncode == 0 and "one_echo" not in done.stdout, done.stdout


def rules_rename_hide_and_wrap():
    with House(one=[]) as house:
        house.rules("one", """
return {
  prefix = "x-", hide = { "ann*" }, tools = {
    die  = false,
    echo = { name = "say", description = "Says it back.",
             run = function(args, call, next)
               args.more = "wrapped"
               local result, err, code = next(args)
               if not result then return nil, err, code end
               result.content[1].text = result.content[1].text:upper()
               return result
             end },
  },
}""")
        tools = warm(house)
        mine = sorted(name for name, tool in tools.items() if tool["toolset"] == "one")
        assert mine == ["say", "x-ask", "x-never", "x-read-me", "x-steps", "x-structured", "x-wants_input"], mine
        assert tools["say"]["description"] == "Says it back.", tools["say"]
        with house.serve() as server:
            wait_for(server, "say")
            assert result(server, "say", {"a": 1})["content"][0]["text"] == '{"A": 1, "MORE": "WRAPPED"}'
            house.rules("one", 'return { tools = { echo = { name = "repeat" } } }')
            wait_for(server, "repeat")
            assert "say" not in names(server)
            house.rules("one", "return { tols = {} }")
            until(lambda: server.stderr(), lambda text: "unknown key" in text, "the fault is not told")
            assert "repeat" in names(server)


def a_rule_is_blamed_by_its_own_file():
    with House(one=[]) as house:
        for given, said in [
                ("return nil, {}", "lib/mounts/one.lua:2: its function returned nil, a table"),
                ('return false, "m"', 'lib/mounts/one.lua:2: its function returned false, "m"'),
                ("return next(5)", "lib/mounts/one.lua: next() in the run of tools.echo needs a table of arguments, or "
                                   "nothing, not a number")]:
            house.rules("one", "return { tools = { echo = {\nrun = function(args, call, next) %s end } } }" % given)
            done = house.run("call", "one_echo", "--mount", "one")
            assert done.returncode == 3 and said in done.stderr, done.stderr
            assert "lib/gateway" not in done.stderr, done.stderr


def a_wrong_key_of_a_rule_has_the_nearest():
    with House(one=[]) as house:
        for given, said in [
                ("toosl = {}", 'unknown key "toosl"; did you mean tools?'),
                ("tools = { echo = { hdie = true } }", 'unknown key "hdie" of tools.echo; did you mean hide?'),
                ('era = "modrn"', '"era" must be "legacy" or "modern", not "modrn"; did you mean modern?'),
                ("only = { 5 }", '"only" must be a list of strings'),
                ("prompts = { hide = { 5 } }", '"hide" of prompts must be a list of strings'),
                ("tools = { {} }", "tools has the key 1: name the server's tool")]:
            house.rules("one", f"return {{ {given} }}")
            done = house.run("tools", "--mount", "one")
            assert done.returncode == 0 and f"lib/mounts/one.lua: {said}" in done.stderr, (given, done.stderr)


def a_file_of_the_same_name_wins():
    with House(one=[]) as house:
        (house.folder / "home/tools/mine").mkdir(parents=True)
        (house.folder / "home/tools/mine/one_echo.lua").write_text(
            'return { description = "Mine.", inputSchema = { type = "object" }, run = function() return "mine" end }')
        assert warm(house)["one_echo"]["toolset"] == "mine"


def callable_from_scripts():
    with House(one=[]) as house:
        done = house.run("run", "--mount", "one", "-e", "print(tools.one_echo { a = { 1, 2 } }.content[1].text)")
        assert done.stdout == '{"a": [1, 2]}\n', (done.stdout, done.stderr)
        done = house.run("call", "run_lua", "code=return tools.one_echo{b=1}.content[1].text", "--mount", "one")
        assert done.stdout == '{"b": 1}\n', (done.stdout, done.stderr)


def over_http():
    double = subprocess.Popen([sys.executable, HTTP_DOUBLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = double.stdout.readline().strip()
        with House() as house:
            house.add("far", url=f"http://127.0.0.1:{port}/legacy/gateway")
            done = house.run("call", "far_echo", "message=hi", "--mount", "far")
            assert (done.stdout, done.returncode) == ("hi\n", 0), (done.stdout, done.stderr)
            house.add("old", serverUrl=f"http://127.0.0.1:{port}/legacy/told", era="legacy")
            done = house.run("call", "old_echo", "message=hi", "--mount", "old")
            assert (done.stdout, done.returncode) == ("hi\n", 0), (done.stdout, done.stderr)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/journal/told") as journal:
                asked = [(each["message"] or {}).get("method") for each in json.load(journal)["requests"]]
            assert "initialize" in asked and "server/discover" not in asked, asked
    finally:
        double.stdin.close()
        double.wait()


def a_tool_that_is_a_task_only():
    """It is called like any other; of a server with `initialize` tests/clients has the same."""
    with House() as house:
        house.add("far", command=PERIGEE, args=["serve", "--no-user-root", "--toolset", "test", "--root",
                                                str(TOP / "tests/wire/root")])
        with house.serve() as server:
            wait_for(server, "far_only_task")
            answer = result(server, "far_only_task", {})
            assert answer["content"][0]["text"] == "ran as a task", answer


def an_unknown_name_is_told():
    with House(one=[]) as house:
        done = house.run("tools", "--mount", "two")
        assert done.returncode == 1 and 'no server "two". Use one of these: one' in done.stderr, done.stderr
        done = house.run("tools", "--mount", "all", "--config", "/does/not/exist.json")
        assert done.returncode == 1 and "/does/not/exist.json does not exist. Create it" in done.stderr, done.stderr
        assert done.stderr.count("does not exist") == 1, done.stderr
        with Server([PERIGEE, "serve", "--mount", "two"], env=house.env) as server:
            server.initialize()
            until(server.stderr, lambda text: 'no servers are mounted: ' in text and 'no server "two"' in text, "not told")
            assert server.ask("tools/list")["result"]["tools"]


def no_name_is_taken():
    """Whichever server is named first, answers first, or is known already."""
    lists = {"a": "b_echo,b+x,b x,_b_echo,ok", "a_b": "echo,x", "a_b_": "echo"}
    wanted = {"a__b_echo": "b_echo", "a__b_x": "b+x", "a_ok": "ok", "a_b_echo": "echo", "a_b_x": "x", "a_b__echo": "echo"}
    for order in (("a", "a_b", "a_b_"), ("a_b_", "a_b", "a")):
        with House() as house:
            for name in order:
                house.add(name, command=sys.executable, args=[DOUBLE, "--journal", str(house.folder / name), "--list", lists[name]])
            for known in ([], ["--mount", "a_b"], ["--mount", "all"]):
                if known:
                    house.run("tools", *known)
                with house.serve() as server:
                    for name in wanted:
                        wait_for(server, name)
                    tools = {each["name"]: each["description"] for each in server.ask("tools/list")["result"]["tools"]
                             if each["name"].startswith("a_")}
                    more = sorted(set(tools) - set(wanted))
                    assert len(more) == 2 and all(each.startswith("a__b_") for each in more), tools
                    for name, theirs in wanted.items():
                        assert tools[name] == f"Does {theirs}.", (order, name, tools[name])
                    before = house.journal("a_b")
                    result(server, "a_b_echo", {"message": "hi"})
                    assert len(house.journal("a_b")) > len(before), "it is called there"


def one_name_by_rules():
    """The first server by name has a name that rules give to two, and both are named to the person."""
    for order in (("one", "two"), ("two", "one")):
        with House() as house:
            for name in order:
                house.add(name, command=sys.executable, args=[DOUBLE, "--journal", str(house.folder / name), "--list", "echo," + name])
                house.rules(name, 'return { prefix = "same_" }')
            with house.serve() as server:
                wait_for(server, "same_one")
                wait_for(server, "same_two")
                told = "the server one has 'echo' under this name, so 'echo' of the server two is left out"
                until(server.stderr, lambda text: told in text, "not told")
                assert told in json.dumps(result(server, "engine_status", {})["structuredContent"]["problems"])
                before = {name: house.journal(name) for name in order}
                result(server, "same_echo", {"message": "hi"})
                assert house.journal("two") == before["two"] and house.journal("one") != before["one"], "the first one answers"


def main():
    tap.case("the tools of a mounted server appear with a prefix, as the server wrote them", appear_with_a_prefix)
    tap.case("tools that are known are listed without a start, and the era is known, too", listed_without_a_start)
    tap.case("the first list has what is known, however early it is asked for", known_in_the_first_list)
    tap.case("results are handed on as they came", results_verbatim)
    tap.case("the digits of large numbers stay as they are", digits_stay)
    tap.case("keys stay in the order that they came in, there and back", order_stays)
    tap.case("nothing hidden in a description or a result reaches a client", nothing_hidden)
    tap.case("a server that dies is started again, after a while, and says so until then", a_server_that_dies)
    tap.case("progress and cancellation are handed on", progress_and_cancellation)
    tap.case("questions of an older server reach the client", questions_reach_the_client, "legacy", "ask",
             {"method": "elicitation/create", "params": FORM})
    tap.case("questions of a modern server reach the client", questions_reach_the_client, "modern", "wants_input", {})
    tap.case("a server is told when nobody can be asked", nobody_to_ask)
    tap.case("a server that nobody calls is stopped, and started again", stopped_when_idle)
    tap.case("a broken server hurts no other", broken_hurts_nobody)
    tap.case("the lists that were kept of another server under the same name are not used", a_known_server_that_is_gone_says_so)
    tap.case("a rules file renames, hides and wraps, while it runs", rules_rename_hide_and_wrap)
    tap.case("a rule that returns nonsense is blamed by its own file", a_rule_is_blamed_by_its_own_file)
    tap.case("a mistyped key of a rules file is told with the nearest", a_wrong_key_of_a_rule_has_the_nearest)
    tap.case("a tool file of the same name wins", a_file_of_the_same_name_wins)
    tap.case("mounted tools are callable from scripts and from run_lua", callable_from_scripts)
    tap.case("a server over HTTP is mounted like any other", over_http)
    tap.case("a tool that runs as a task only is called like any other", a_tool_that_is_a_task_only)
    tap.case("no server takes the name of another one's tool", no_name_is_taken)
    tap.case("one name for tools of two servers is told", one_name_by_rules)
    tap.case("an unknown name and a missing file are told", an_unknown_name_is_told)
    tap.done()


main()
