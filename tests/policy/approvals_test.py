#!/usr/bin/env python3
"""An approval covers what its question said, and ends when what it was given for is another thing."""

import json
import os
import stat
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, code_of, text_of     # noqa: E402
from tools import until                                    # noqa: E402
import tap                                                 # noqa: E402

FORM = {"elicitation": {}}
NO, ONCE, WHILE = "Do not allow", "Allow once", "Allow for 15 minutes"


def tool(body, more=""):
    return ('local fs, process, app = require "sys.fs", require "sys.process", require "sys.app"\n'
            'return { description = "Does it.", inputSchema = { type = "object" }, %s run = function(args) '
            'local ok, err, code = %s if not ok then return nil, err, code end return "done" end }' % (more, body))


def rules(*list_of_rules):
    return "return { rules = { %s, { allow = true } } }" % ", ".join(list_of_rules)


def asks(server, name, arguments=None, answer=NO):
    """The question that a call leads to, or None."""
    asked = call(server, name, arguments or {}, [answer])[1]
    return asked[0]["message"] if asked else None


# --- what it was given for --------------------------------------------------------------------------

def mounted(place, description, more="", env=None):
    """The other server, whose tool is described so."""
    place.put("far/policy.lua", "return { rules = { { allow = true } } }")
    place.put("far/tools/test/do_it.lua", f'return {{ description = "{description}", {more} inputSchema = {{ type = "object", properties = '
              '{ note = { type = "string" } } }, run = function() return "reached" end }')
    place.put("home/mcp.json", json.dumps({"mcpServers": {"far": {"command": PERIGEE, "args": ["serve"], "env": {
        "PERIGEE_HOME": str(place.folder / "far"), "PERIGEE_DESKTOP": "fake", **(env or {})}}}}))


def definition(server):
    return next((json.dumps(each) for each in server.ask("tools/list")["result"]["tools"] if each["name"] == "far_do_it"), "")


def a_mounted_tool_with_another_definition():
    """Its description, its annotations, and the command of its server."""
    with Place(rules('{ ask = "so", mounted = true, minutes = 15 }')) as place:
        mounted(place, "Looks.")
        for times in (1, 0):      # an approval lasts longer than an engine
            with place.serve("--mount", "far", capabilities=FORM) as server:
                until(lambda: definition(server), "the mounted tool")     # noqa: B023
                assert bool(asks(server, "far_do_it", {}, WHILE) if times else not asks(server, "far_do_it")), times
                assert not asks(server, "far_do_it", {"note": "x"}), "whatever its arguments"
        with place.serve("--mount", "far", capabilities=FORM) as server:
            until(lambda: definition(server), "the mounted tool")
            assert not asks(server, "far_do_it"), "its server runs"
            for words, more in (("Looks, and sends it on.", ""), ("Looks.", "annotations = { idempotentHint = true },")):
                before = definition(server)
                mounted(place, words, more)
                until(lambda: definition(server) not in ("", before), "the new definition")     # noqa: B023
                assert asks(server, "far_do_it", {}, WHILE), words
                assert not asks(server, "far_do_it"), "approved as it is now"
            before = definition(server)
            mounted(place, "Looks.")
            until(lambda: definition(server) not in ("", before), "the old definition")
            assert asks(server, "far_do_it", {}, WHILE), "the definition that was approved first: that approval has ended"
        mounted(place, "Looks.", env={"FAR_MODE": "other"})
        with place.serve("--mount", "far", capabilities=FORM) as server:
            until(lambda: definition(server), "the mounted tool")
            assert asks(server, "far_do_it"), "another command"


def a_definition_that_changes_while_the_user_is_asked():
    """The answer is for nothing: neither for this call, nor for later ones of either definition."""
    with Place(rules('{ ask = "so", mounted = true, minutes = 15 }')) as place:
        mounted(place, "Looks.")
        with place.serve("--mount", "far", capabilities=FORM) as server:
            until(lambda: definition(server), "the mounted tool")
            waiting = server.post("tools/call", {"name": "far_do_it", "arguments": {}})
            asked = server.find(lambda each: each.get("method") == "elicitation/create")
            before = definition(server)
            mounted(place, "Looks, and sends it on.")
            until(lambda: definition(server) not in ("", before), "the new definition")
            server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": WHILE}}})
            result = server.answer(waiting)["result"]
            assert code_of(result) == "changed" and "came to be another one" in text_of(result), result
            before = definition(server)
            assert asks(server, "far_do_it", {"note": "new"}, ONCE), "the new definition"
            mounted(place, "Looks.")
            until(lambda: definition(server) not in ("", before), "the old definition")
            assert asks(server, "far_do_it", {"note": "old"}, ONCE), "the old one"


def a_program_that_is_written_anew():
    """In place or by another file, if it was approved by itself: per call of these arguments, or as the application that it is."""
    for per in ('{ "app" }', '{ "app", "tool" }'):
        policy = rules('{ ask = "so", effect = "start", per = %s }' % per)
        with Place(policy, starts=tool('app.open { name = args.path, wait = 0 }')) as place, place.serve(capabilities=FORM) as server:
            program = place.folder / "work/b"
            program.write_text("#!/bin/sh\nexit 0\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            assert asks(server, "starts", {"path": str(program)}, WHILE)
            assert not asks(server, "starts", {"path": str(program)}), "approved"
            with open(program, "r+") as file:
                file.write("#!/bin/sh\nexit 1\n")     # the same inode and the same size
            assert asks(server, "starts", {"path": str(program)}), per


def a_program_that_is_written_while_the_user_is_asked():
    """The program that would start is not the one that the user was asked about."""
    policy = rules('{ ask = "so", effect = { "start", "process" }, per = "call" }')
    runs = tool('process.run { args.path }')
    with Place(policy, runs=runs) as place, place.serve(capabilities=FORM) as server:
        program = place.folder / "work/b"
        program.write_text("#!/bin/sh\necho old > ran\n")
        program.chmod(0o755)
        waiting = server.post("tools/call", {"name": "runs", "arguments": {"path": str(program)}})
        asked = server.find(lambda message: message.get("method") == "elicitation/create")
        with open(program, "r+") as file:
            file.write("#!/bin/sh\necho new > ran\n")
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": ONCE}}})
        result = server.answer(waiting)["result"]
        assert code_of(result) == "changed" and "rewritten" in text_of(result), result
        assert asks(server, "runs", {"path": str(program)}, ONCE) and code_of(call(server, "runs", {"path": "/bin/true"}, [ONCE])[0]) is None


def answer_late(place, server, name, policy, arguments=None):
    """The result of a call that the user allowed after the policy was saved."""
    waiting = server.post("tools/call", {"name": name, "arguments": arguments or {}})
    asked = server.find(lambda message: message.get("method") == "elicitation/create")
    place.policy(policy)
    until(lambda: code_of(call(server, "other", {}, [NO])[0]) == "denied", "the saved policy")
    server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": WHILE}}})
    return server.answer(waiting)["result"]


def a_yes_after_the_policy_denies():
    """For a call and for an effect, whether the rule denies by name, by fact, or does not load."""
    other = tool('"x"')
    writes = tool('fs.write("a", "x")')
    for name, rule in (("mark", '{ ask = "so", tool = "mark" }'), ("writes", '{ ask = "so", effect = "file" }')):
        denied = rules('{ deny = "not any more", tool = "other" }', rule.replace("ask = \"so\"", "deny = \"not this\""))
        asked_otherwise = rules('{ deny = "not any more", tool = "other" }', rule.replace("so", "for another reason"))
        allowed = rules('{ deny = "not any more", tool = "other" }')
        for policy, code in ((denied, "denied"), (asked_otherwise, "changed"), (allowed, None)):
            with Place(rules(rule), other=other, writes=writes) as place, place.serve(capabilities=FORM) as server:
                result = answer_late(place, server, name, policy)
                assert code_of(result) == code, (name, policy, result)
                done = place.trace() if name == "mark" else (place.folder / "work/a").exists()
                assert bool(done) == (code is None), (name, code)
                if code == "denied":
                    place.policy(rules(rule))
                    until(lambda: asks(server, name), "the answer that came too late is no approval")     # noqa: B023


# --- what it covers ----------------------------------------------------------------------------------

def where(place, name):
    return str(place.folder / "work" / name)


def covers():
    """For each scope: the question says whether another tool, another directory, another host are covered, and so it is."""
    note = {"note": "x"}

    def at(name):
        return lambda place: {"path": where(place, name)}

    def url(text):
        return lambda place: {"url": text}
    inside, beside, deeper = at("in/a"), at("out/a"), at("in/deep/a")
    here, same, port = url("http://a.example:1/x"), url("http://a.example:1/y?z"), url("http://a.example:2/x")
    # The scopes; the call that is approved; words of the question, and words that it must not have; what is covered, and what is not.
    cases = [
        ('"tool"', inside, ["every call of mark, whatever its arguments, for"], ["any tool", "director"],
         [("mark", note), ("mark", beside), ("mark", here)], [("other", inside)]),
        ('"folder"', inside, ["by any tool", "/in\"", "the directories in it"], [],
         [("mark", deeper), ("other", inside), ("other", deeper)], [("mark", beside), ("mark", note), ("mark", here)]),
        ('{ "tool", "folder" }', inside, ["every call of mark", "/in\"", "the directories in it"], ["any tool"],
         [("mark", deeper)], [("other", inside), ("mark", beside), ("mark", note)]),
        ('{ "tool", "folder" }', note, ["every call of mark", "names no file"], ["any tool"],
         [("mark", {"note": "y"}), ("mark", here)], [("mark", inside), ("other", note)]),
        ('"host"', here, ["by any tool", "http://a.example:1", "any path"], [],
         [("mark", same), ("other", same)], [("mark", port), ("mark", note), ("mark", inside)]),
        ('{ "tool", "host" }', here, ["every call of mark", "http://a.example:1"], ["any tool"],
         [("mark", same)], [("other", same), ("mark", port), ("mark", note)]),
        ('{ "tool", "call" }', note, ["with these arguments only"], ["whatever", "any tool"],
         [], [("mark", {"note": "y"}), ("other", note)]),
    ]
    for per, approved, says, says_not, yes, no in cases:
        policy = rules('{ ask = "so", tool = { "mark", "other" }, per = %s }' % per)
        with Place(policy) as place:
            place.put("home/tools/test/other.lua", (place.folder / "home/tools/test/mark.lua").read_text().replace(
                'aliases = { "mark_it", "Mark.Alias" },', ""))
            check(place, ("mark", approved), says, says_not, yes, no, (per,))


def given(place, arguments):
    return arguments(place) if callable(arguments) else arguments


def is_covered(server, name, arguments):
    """It passes without a question. One that was refused a moment ago is refused without one."""
    result, asked = call(server, name, arguments, [NO])
    return not asked and code_of(result) != "denied"


def check(place, approved, says, says_not, yes, no, about):
    with place.serve(capabilities=FORM) as server:
        question = asks(server, approved[0], given(place, approved[1]), WHILE)
        line = question.split("\n")[-1]
        assert line.startswith("Allowing it for longer covers: ") and line.endswith(', for the client "tester".'), question
        assert all(word in line for word in says) and not any(word in line for word in says_not), (about, line)
        assert not asks(server, approved[0], given(place, approved[1])), about
        for name, arguments in yes:
            assert is_covered(server, name, given(place, arguments)), (about, line, name, arguments)
        for name, arguments in no:
            assert not is_covered(server, name, given(place, arguments)), (about, line, name, arguments)
    with place.serve(capabilities=FORM, client="another") as server:
        assert asks(server, approved[0], given(place, approved[1])), "another client"


def covers_of_effects():
    does = {"writes": tool('fs.write(args.path, "x")'), "writes_too": tool('fs.write(args.path, "x")'), "deletes": tool("fs.remove(args.path)"),
            "runs": tool("process.run { table.unpack(args.words) }"), "runs_too": tool("process.run { table.unpack(args.words) }")}

    def at(name):
        return lambda place: {"path": where(place, name)}
    ls, true = {"words": ["ls", "-l"]}, {"words": ["true"]}
    cases = [
        ('effect = "file"', "", ("writes", at("in/a")), ["writing files by writes"], ["any tool", "/in"],
         [("writes", at("out/a"))], [("writes_too", at("in/a")), ("deletes", at("in/a"))]),
        ('effect = "file", per = { "tool", "folder" }', "", ("writes", at("in/a")), ["writing files by writes", "/in\""], ["any tool"],
         [("writes", at("in/deep/a"))], [("writes", at("out/a")), ("writes_too", at("in/a")), ("deletes", at("in/a"))]),
        ('effect = "file", per = "folder"', "", ("deletes", at("in/a")), ["deleting files by any tool", "/in\""], [],
         [("deletes", at("in/deep/a"))], [("deletes", at("out/a")), ("writes", at("in/a"))]),
        ('effect = "process"', "", ("runs", ls), ["running programs with any arguments and input by runs"], ["any tool", "-l"],
         [("runs", true)], [("runs_too", ls)]),
        ('effect = "process", capability = "shell commands"', "", ("runs", ls), ["shell commands by runs"], ["any tool", "-l"],
         [("runs", true)], [("runs_too", ls)]),
        ('effect = "process", per = { "tool", "call" }', "", ("runs", ls), ['run "ls -l"'], ["whatever", "any tool"],
         [], [("runs", true), ("runs_too", ls)]),
    ]
    for condition, _, approved, says, says_not, yes, no in cases:
        with Place(rules('{ ask = "so", %s }' % condition), **does) as place:
            for name in ("in/deep", "out"):
                (place.folder / "work" / name).mkdir(parents=True)
            check(place, approved, says, says_not, yes, no, (condition,))


def of_an_application():
    """Whatever is done in it, and in no other."""
    files, editor = "applications/102/windows/104", "applications/105/windows/107"
    for per, says, says_not in (('"app"', ["by any tool", 'in "Files"'], []), ('{ "tool", "app" }', ["every call of focus_window", 'in "Files"'],
                                                                               ["any tool"])):
        any_tool = per == '"app"'
        with Place(rules('{ ask = "so", tool = { "focus_window", "get_window" }, per = %s }' % per)) as place:
            yes, no = [("focus_window", {"name": "Home"})], [("focus_window", {"name": editor})]
            (yes if any_tool else no).append(("get_window", {"name": files}))
            check(place, ("focus_window", {"name": files}), says, says_not, yes, no, (per,))


# --- what a question shows -----------------------------------------------------------------------------

def the_surroundings_of_a_program():
    """Its variables and its directory may make another program of it."""
    policy = rules('{ deny = "it loads something", effect = "process", env = "LD_*" }',
                   '{ deny = "not there", effect = "process", cwd = { under = "/etc" } }', '{ ask = "so", effect = "process", per = "call" }')
    runs = tool('process.run { "true", env = args.env, cwd = args.cwd }')
    with Place(policy, runs=runs) as place, place.serve(capabilities=FORM) as server:
        question = asks(server, "runs", {"env": {"GREETING": "hello", "OTHER": "x"}, "cwd": str(place.folder / "work")})
        assert '"GREETING=hello"' in question and '"OTHER=x"' in question and f'in the directory "{place.folder}/work"' in question, question
        for arguments, why in (({"env": {"LD_PRELOAD": "/tmp/x.so"}}, "it loads something"), ({"cwd": "/etc/../etc"}, "not there")):
            assert why in text_of(call(server, "runs", arguments)[0]), arguments
    with Place(rules('{ deny = "a shell", effect = "process", shell = true }'), runs=runs) as place, place.serve() as server:
        for name, shell in (("LD_PRELOAD", True), ("LD_AUDIT", True), ("PYTHONSTARTUP", True), ("GIT_SSH_COMMAND", True),
                            ("GIT_CONFIG_COUNT", True), ("BASH_ENV", True), ("LANG", False), ("HOME", False), ("GIT_DIR", False)):
            assert (code_of(call(server, "runs", {"env": {name: "x"}})[0]) == "denied") == shell, name


def a_server_that_is_connected():
    connects = ('local mcp = require "sys.mcp" return { description = "Connects.", inputSchema = { type = "object" }, run = function(args) '
                'local ok, err, code = mcp.connect(args) if not ok then return nil, err, code end return "done" end }')
    with Place(rules('{ ask = "so", effect = { "process", "request" }, per = "call" }'), connects=connects) as place, \
            place.serve(capabilities=FORM) as server:
        for where in ({"url": "http://a.invalid:1/mcp"}, {"socket": "/nowhere/s.sock"}):
            assert f'connect to the server at "{[*where.values()][0]}"' in asks(server, "connects", where), where
        question = asks(server, "connects", {"command": "far", "args": ["a b", "c"], "env": {"LD_PRELOAD": "x"}})
        assert "run \"far 'a b' c\" with the environment \"LD_PRELOAD=x\"" in question, question
        question = asks(server, "connects", {"command": "far", "args": ["a' 'b", "$(id)", "", "k=v", "\u00a0"]})
        assert r'''run "far 'a'\\'' '\\''b' '$(id)' '' k=v ' '"''' in question, question


for title, function in (("an approval of a mounted tool ends with its definition", a_mounted_tool_with_another_definition),
                        ("a definition that changes while the user is asked", a_definition_that_changes_while_the_user_is_asked),
                        ("an approval of a program ends when it is written anew", a_program_that_is_written_anew),
                        ("a program that is written while the user is asked", a_program_that_is_written_while_the_user_is_asked),
                        ("a yes that comes after the policy denies", a_yes_after_the_policy_denies),
                        ("an approval covers what its question says", covers),
                        ("an approval of effects covers what its question says", covers_of_effects),
                        ("an approval for an application", of_an_application),
                        ("the variables and the directory of a program", the_surroundings_of_a_program),
                        ("the server that is connected", a_server_that_is_connected)):
    tap.case(title, function)
tap.done()
