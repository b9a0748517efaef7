#!/usr/bin/env python3
"""A tool that is judged cannot judge: it gives itself no approval, lifts no stop, and acts by no way that no rule sees."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, call, code_of, text_of      # noqa: E402
import tap                                        # noqa: E402

ALL = "return { rules = { { allow = true } } }"


def tool(body, more=""):
    return 'return { description = "Does it.", inputSchema = { type = "object" }, %s run = function(args) %s end }' % (more, body)


def no_file_of_another_root_takes_part():
    """Not by the module, not by the libs around it, nor by what they remember; neither does a script or a foreign tool."""
    modules = ["sys.policy", *("policy." + str(path.relative_to(TOP / "lua/lib/policy"))[:-4].replace("/", ".")
                               for path in sorted((TOP / "lua/lib/policy").rglob("*.lua")))]
    body = 'local ok, err = pcall(require, args.name) return ok and "it has it" or tostring(err)'
    with Place(ALL, reach=tool(body), foreign=tool(body, 'trust = "foreign",')) as place, place.serve() as server:
        for name in modules:
            said = text_of(call(server, "reach", {"name": name})[0])
            assert "only for the files that come with the program" in said, (name, said)
        # In a process of their own a lib that only computes is a copy, and has nothing to give.
        for name in ("sys.policy", "sys.input", "sys.state", "policy.approvals", "policy.consent"):
            for said in (text_of(call(server, "foreign", {"name": name})[0]),
                         text_of(call(server, "run_lua", {"code": f'return tostring(select(2, pcall(require, "{name}")))'})[0])):
                assert "not available here" in said or "sys." in said and "cannot" in said, (name, said)
        kept = tool('local list = {} for _, each in ipairs(require("sys.state").list()) do list[#list + 1] = each.name end '
                    'return table.concat(list, " ") .. "."')
        place.put("home/tools/test/kept.lua", kept)
    with Place(ALL, kept=kept) as place, place.serve() as server:
        call(server, "create_input", {"action": "type", "text": "x"})
        assert "policy" not in text_of(call(server, "kept")[0])


def what_needs_no_grant_is_for_own_files():
    """Functions that read the user's settings, look for programs or run one with paths to read would read every other file, too."""
    body = ('local f = require("sys.files") '
            'return tostring(f.trusted) .. tostring(f.look) .. tostring(require("sys.python").run) .. tostring(f.list)')
    with Place(ALL, reach=tool(body), foreign=tool(body, 'trust = "foreign",')) as place:
        place.put("script.lua", "print(require('sys.files').trusted, require('sys.files').look, require('sys.python').run)")
        with place.serve() as server:
            assert text_of(call(server, "reach")[0]).startswith("nilnilnilfunction"), text_of(call(server, "reach")[0])
            for name, args in (("foreign", {}), ("run_lua", {"code": body})):
                said = text_of(call(server, name, args)[0])
                assert "not available here" in said, said
        done = subprocess.run(place.words("run", str(place.folder / "script.lua")), env={**os.environ, **place.env}, capture_output=True,
                              text=True, check=False)
        assert done.stdout == "nil\tnil\tnil\n", done


def a_library_of_that_name():
    """A file of the user's own may be called so."""
    with Place(ALL, uses=tool('return require("policy.mine")')) as place:
        place.put("home/lib/policy/mine.lua", 'return "its own"')
        with place.serve() as server:
            assert text_of(call(server, "uses")[0]) == "its own"


LIFTS = 'local ok, err, code = require("sys.input").allow() if not ok then return nil, err, code end return "lifted"'


def a_stop_is_lifted_by_the_user():
    """The shipped policy asks before a call lifts it, as before all changes of what Perigee does."""
    for name, arguments in (("lifts", {}), ("run_lua", {"code": "return tools.lifts {}"})):
        for answer, lifted in (("Do not allow", False), ("Allow once", True)):
            with Place(None, lifts=tool(LIFTS)) as place, place.serve(capabilities={"elicitation": {}}) as server:
                result, asked = call(server, name, arguments, [answer])
                assert len(asked) == 1 and "let input go on that the user stopped" in asked[0]["message"], asked
                assert ("lifted" in text_of(result)) == lifted, result


# Ways that had no effect, or the name of another one.
WAYS = {
    "settings": LIFTS,
    "listen": 'local ok, err, code = require("sys.webhook").listen { path = "/x" } if not ok then return nil, err, code end return "listens"',
    "clipboard": 'local ok, err, code = require("sys.clipboard").keep_history { entries = 5 } if not ok then return nil, err, code end return "k"',
    "drop": 'local ok, err, code = require("sys.input").drop(300, 200, "x") if not ok then return nil, err, code end return "dropped"',
}


def what_has_an_effect():
    for effect, body in WAYS.items():
        for denied in (True, False):
            policy = 'return { rules = { { deny = "no", effect = "%s" }, { allow = true } } }' % (effect if denied else "quit")
            with Place(policy, does=tool(body)) as place, place.serve() as server:
                result, _ = call(server, "does")
                assert (code_of(result) == "denied") == denied, (effect, denied, result)


def a_drop_by_another_function():
    """sys.input.send does all but this, which a rule about drops would not see."""
    body = 'local ok, err = pcall(require("sys.input").send, { kind = "drop", x = 300, y = 200, text = "x" }) return tostring(err)'
    with Place('return { rules = { { deny = "no", effect = "drop" }, { allow = true } } }', does=tool(body)) as place, place.serve() as server:
        assert "a drop is made by sys.input.drop" in text_of(call(server, "does")[0])


def what_was_done_before():
    """Each function once, with how often. What a message to another program does is not known: it counts."""
    reads = '{ to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", member = "ListNames" }'
    gets = '{ to = "a.b", path = "/", interface = "org.freedesktop.DBus.Properties", member = "Get" }'
    body = ('local fs, dbus, process = require "sys.fs", require "sys.dbus", require "sys.process" %s '
            'local ok, err, code = process.run { "true" } if not ok then return nil, err, code end return "ran"')
    policy = 'return { rules = { { deny = "no", effect = "process" }, { allow = true } } }'
    for does, said in (('fs.append("a", "x") fs.append("a", "y") fs.write("b", "z") fs.append("a", "x")',
                        "What it did before stays done: fs.append (3 times), fs.write."),
                       (f'dbus.calls("session", {{ {reads}, {gets} }}) dbus.calls("session", {{ {reads} }})', "stays done: dbus.calls (2 times)."),
                       ('for i = 1, 40 do fs.append("a", "x") end', "stays done: fs.append (40 times)."),
                       ("", "Nothing was done.")):
        with Place(policy, does=tool(body % does)) as place, place.serve() as server:
            assert said in text_of(call(server, "does")[0]), (said, call(server, "does")[0])


def a_foreign_tool_that_calls_others():
    """Each of its calls is judged for the caller who called it, and `via` names it; so are the effects of what it calls."""
    writes = tool('local ok, err, code = require("sys.fs").write("a", "x") if not ok then return nil, err, code end return "written"')
    for require in ('require("tools").writes {}', 'require("perigee").call("writes", {})'):
        foreign = tool(f'return {require}', 'trust = "foreign",')
        for rule in ('tool = "writes", via = "foreign"', 'effect = "file", via = "foreign"', 'tool = "writes", via = "foreign", caller = "client"'):
            with Place('return { rules = { { deny = "not by it", %s }, { allow = true } } }' % rule, foreign=foreign,
                       writes=writes) as place, place.serve() as server:
                assert "not by it" in text_of(call(server, "foreign")[0]), (require, rule, call(server, "foreign")[0])
                assert text_of(call(server, "writes")[0]) == "written", rule


for title, function in (("no file of another root takes part", no_file_of_another_root_takes_part),
                        ("leave what needs no grant to own files", what_needs_no_grant_is_for_own_files),
                        ("a library of that name", a_library_of_that_name),
                        ("a stop is lifted by the user", a_stop_is_lifted_by_the_user),
                        ("ways that had no effect", what_has_an_effect),
                        ("a drop by another function", a_drop_by_another_function),
                        ("deeds before a refusal", what_was_done_before),
                        ("a foreign tool that calls others", a_foreign_tool_that_calls_others)):
    tap.case(title, function)
tap.done()
