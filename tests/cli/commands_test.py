#!/usr/bin/env python3
"""Commands that are Lua files: a user's own, what overrides what, mistakes, and --json everywhere."""

import json
import os

from kit import FOLDER, done, folder, has, hasnt, must, perigee, same, tap, write

GREET = """
return {{
  summary   = "{summary}",
  arguments = {{ {{ "name", "string", "whom", optional = true }} }},
  options   = {{ {{ "loud", "flag", "in capitals", letter = "l" }}, {{ "times", "integer", "how often", default = 1, minimum = 1 }},
                {{ "json", "flag", "print JSON" }} }},
  run = function(args, io)
    local text = ("Hello, " .. (args.name or "you")):rep(args.times, " ")
    if args.name == "nobody" then return nil, "there is no nobody", "not_found" end
    if args.json then io:json {{ text = text }} else io:print(args.loud and text:upper() or text) end
  end,
  examples = {{ {{ "greets", args = {{ "Ann" }}, out = "Hello, Ann\\n" }} }},
}}
"""


def greet(path, summary="greet somebody", text=GREET):
    return write(path, text.format(summary=summary))


def own_command():
    path = greet("home/commands/greet.lua")
    same(perigee("greet", "Ann", "-l", "--times=2").out, "HELLO, ANN HELLO, ANN\n")
    has(perigee("help").out, f"  greet        greet somebody ({os.path.dirname(path)})\n")
    answer = perigee("help", "greet")
    has(answer.out, "usage: perigee greet [NAME] [options]", "-l, --loud", "how often (default: 1)")
    same(perigee("greet", "--help").out, answer.out)
    same(perigee("test", "commands/greet").out, "commands/greet.lua\n  ok   greets\n1 passed, 0 failed\n")


def hot():
    greet("home/commands/greet.lua")
    same(perigee("greet").out, "Hello, you\n")
    write("home/commands/greet.lua", GREET.format(summary="greet somebody").replace("Hello", "Hi"))
    same(perigee("greet").out, "Hi, you\n")
    os.remove(FOLDER / "home/commands/greet.lua")
    same(perigee("greet").code, 2)
    hasnt(perigee("help").out, "greet")


def of_a_root():
    root = str(FOLDER / "root")
    greet("root/commands/wave.lua", "wave at somebody")
    same(perigee("wave", "Bob", "--root", root).out, "Hello, Bob\n")
    same(perigee("wave", f"--root={root}", "Bob").out, "Hello, Bob\n")
    same(perigee("wave", "Bob").code, 2)


def later_roots_win():
    first, second = str(FOLDER / "first"), str(FOLDER / "second")
    greet("first/commands/doctor.lua")
    write("second/commands/doctor.lua", GREET.format(summary="x").replace("Hello", "Bye"))
    same(perigee("doctor", "--root", first).out, "Hello, you\n")
    same(perigee("doctor", "--root", first, "--root", second).out, "Bye, you\n")
    has(perigee("check", "--root", first).out, "commands/doctor.lua: note: overridden by ")


def native_commands_stay():
    root = str(FOLDER / "native")
    greet("native/commands/version.lua")
    has(perigee("version", "--root", root).out, "perigee 0.")
    answer = perigee("check", "--root", root)
    same(answer.code, 1)
    has(answer.out, "commands/version.lua: the command version is a part of the program and cannot be overridden")


WRONG = [
    ("a key", "summary   =", "summry = 1, summary   =", "unknown key 'summry' in a command (did you mean 'summary'?)"),
    ("a field", "default = 1,", "defualt = 1,", 'option "times": unknown field "defualt": did you mean default?'),
    ("a type", '"integer"', '"intger"', 'option "times": unknown type "intger": did you mean integer?'),
    ("a name of every command", '"loud", "flag"', '"verbose", "flag"', 'option "verbose": every command has an option of this name'),
    ("no summary", 'summary   = "greet"', 'summary = ""', "'summary' is missing (it is empty)"),
    ("a summary that cannot be read", 'summary   = "greet"', 'summary = ("greet")', "`perigee help` cannot read the summary"),
    ("no run", "run = function", "cancelled = function", "it has neither run nor subcommands"),
]


def checked(name, before, after, said):
    text = GREET.format(summary="greet")
    must(before in text, before)
    root = folder("wrong-" + name.replace(" ", "-"))
    write(f"wrong-{name.replace(' ', '-')}/commands/greet.lua", text.replace(before, after))
    answer = perigee("check", "--root", str(root))
    same(answer.code, 1)
    has(answer.out, f"{root}/commands/greet.lua", said)


def broken_file():
    write("broken/commands/half.lua", "return {\n")
    answer = perigee("half", "--root", str(FOLDER / "broken"))
    same((answer.code, answer.out), (1, ""))
    has(answer.err, "perigee half: commands/half.lua:2:")
    write("raising/commands/raise.lua", 'return { summary = "x", options = { { "json", "flag", "x" } }, run = function() error "oh" end }')
    answer = perigee("raise", "--root", str(FOLDER / "raising"), "--json")
    same(answer.code, 1)
    same(json.loads(answer.out)["error"]["code"], "runtime")
    has(answer.err, "commands/raise.lua:1: oh", "stack traceback")


def failures():
    greet("home/commands/greet.lua")
    answer = perigee("greet", "nobody")
    same((answer.code, answer.out, answer.err), (1, "", "perigee greet: there is no nobody\n"))
    answer = perigee("greet", "nobody", "--json")
    same((answer.code, json.loads(answer.out)), (1, {"error": {"code": "not_found", "message": "there is no nobody"}}))


def unknown():
    for words, said in ((["docter"], 'perigee: unknown command "docter": did you mean doctor?'),
                        (["serve", "--leen"], "perigee serve: unknown option --leen: did you mean --lean?"),
                        (["stop", "--jsn"], "perigee stop: unknown option --jsn: did you mean --json?"),
                        (["doctor", "--jsn"], "perigee doctor: unknown option --jsn: did you mean --json or --ask?"),
                        (["check", "--jsn=1"], "perigee check: unknown option --jsn: did you mean --json?"),
                        (["help", "docter"], 'perigee help: unknown command "docter": did you mean doctor?'),
                        (["../lua/commands/doctor"], "perigee: unknown command"), (["xyzzy"], 'unknown command "xyzzy"\n')):
        answer = perigee(*words)
        same((answer.code, answer.out), (2, ""), words)
        has(answer.err, said)


def wrong_in_json():
    """With an option for JSON, stdout has one object; with Peekaboo's option, stderr has nothing."""
    for words, message in ((["xyzzy"], 'unknown command "xyzzy"'), (["docter"], 'unknown command "docter": did you mean doctor?'),
                           (["stop", "--jsn"], "unknown option --jsn: did you mean --json?"),
                           (["version", "word"], 'it takes no argument ("word")'),
                           (["list", "--root", "/no/such"], "--root /no/such is not a directory")):
        for option, code in (("--json", "usage"), ("--json-output", "INVALID_ARGUMENT")):
            if option == "--json-output" and words[0] in ("stop", "version"):
                continue        # they have no such option
            for argv in ([option, *words], [*words[:1], option, *words[1:]]):
                answer = perigee(*argv)
                failure = json.loads(answer.out)
                same((answer.code, failure["success"], failure["error"]), (2, False, {"message": message, "code": code}), argv)
                has(answer.err, message) if option == "--json" else same(answer.err, "", argv)
    answer = perigee("--json-output")
    same(json.loads(answer.out)["error"]["message"], 'no command is given with "--json-output"')


def same_grammar():
    """C and Lua read command lines alike."""
    for command in ("stop", "doctor"):      # one is C, one is Lua
        for words, said in ((["-x"], "unknown option -x"), (["-vx"], "unknown option -x"), (["--json=1"], "--json takes no value"),
                            (["--root"], "--root needs a value"), (["word"], 'it takes no argument ("word")'),
                            (["--", "--json"], 'it takes no argument ("--json")')):
            answer = perigee(command, *words)
            same((answer.code, answer.out), (2, ""), [command, *words])
            has(answer.err, f"perigee {command}: {said}", f"Run `perigee help {command}` for its usage.")
    for words in (["-vq", "--status"], ["--root=/x", "--status", "--"], ["--config=--root", "--status"]):
        same(perigee("stop", *words).code, 0, words)
    for command in ("stop", "doctor"):
        for words in (["--config", "--json"], ["--root", "--no-such"], ["--grant", "-v"]):
            answer = perigee(command, *words)
            same(answer.code, 2, [command, *words])
            has(answer.err, f"{words[0]} needs a value; write {words[0]}={words[1]} if it is this one")


def options_before_the_command():
    for words in (["--json", "version"], ["-v", "--json", "version"], ["--root", str(FOLDER), "--json", "version"],
                  ["--root=/x", "version", "--json"]):
        same(perigee(*words).out[:11], '{"version":', words)
    same(json.loads(perigee("--json", "tools", "run_lua").out)["name"], "run_lua")
    same(perigee("--version").out[:8], "perigee ")
    same(perigee("--json").code, 2)


JSON = [["version"], ["token"], ["token", "--path"], ["stop", "--status"], ["doctor"], ["check"], ["test", "commands/tools"], ["tools"],
        ["tools", "run_lua"], ["help"], ["help", "serve"], ["call", "engine_status"], ["mcp", "servers"], ["login", "--list"],
        ["list", "apps"], ["list", "windows", "--app", "editor"], ["image", "--app", "editor"]]


def as_json(words):
    answer = perigee(*words, "--json", PERIGEE_DESKTOP="fake", TMPDIR=str(folder("tmp")))
    same((answer.code, answer.out.count("\n")), (0, 1), answer)
    json.loads(answer.out)


def json_of_what_cannot_start():
    answer = perigee("doctor", "--json", "--grant", "/no/such/folder")
    same(answer.code, 1)
    has(json.loads(answer.out)["error"]["message"], "/no/such/folder")


tap.case("a command of one's own is run, listed, explained and tested", own_command)
tap.case("options stand before the command, too", options_before_the_command)
tap.case("a command that was saved or removed is so at once", hot)
tap.case("a root has commands, too", of_a_root)
tap.case("a later root overrides a command in Lua", later_roots_win)
tap.case("a command in C cannot be overridden, and check says so", native_commands_stay)
for row in WRONG:
    tap.case(f"check names what is wrong: {row[0]}", checked, *row)
tap.case("a file that is broken, and one that raises", broken_file)
tap.case("a command that fails says so, as JSON where that was asked for", failures)
tap.case("an unknown option or command is 2 and names the nearest", unknown)
tap.case("an unknown command and a wrong option of a C command in JSON were told in plain text", wrong_in_json)
tap.case("commands in C and in Lua have one grammar", same_grammar)
for line in JSON:
    tap.case(f"perigee {' '.join(line)} --json is one line of JSON", as_json, line)
tap.case("--json is JSON even where the command cannot start", json_of_what_cannot_start)
done()
