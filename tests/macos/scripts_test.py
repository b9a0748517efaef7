#!/usr/bin/env python3
"""AppleScript and JavaScript of a client's, on a double of osascript: what it gets, what comes back, and what is refused before it
starts."""

from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE.parent / "policy"))

import folders                          # noqa: E402
import tap                              # noqa: E402
from kit import call as answered        # noqa: E402
from procs import alive                 # noqa: E402
from scripted import application, program    # noqa: E402
from server import PERIGEE, Server      # noqa: E402
from tools import until                 # noqa: E402

FOLDER = pathlib.Path(folders.fresh("perigee-scripts-"))
DOUBLE, GRANTED = FOLDER / "double", FOLDER / "granted"
FINDER = {"appBundleId": "com.apple.finder"}
TOOLS = (("execute_apple_script", {}), ("execute_applescript", FINDER), ("execute_javascript", {}))


def plan(*answers: dict[str, Any]) -> None:
    (DOUBLE / "plan.json").write_text(json.dumps({"answers": [{"script": "*", **each} for each in answers]}))


def calls(name: str = "calls") -> list[dict[str, Any]]:
    path = DOUBLE / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def prepare() -> dict[str, str]:
    for path in (GRANTED, FOLDER / "home"):
        path.mkdir()
    application(FOLDER, "Finder", "com.apple.finder")
    application(FOLDER, "System Events", "com.apple.systemevents")
    (FOLDER / "home/policy.lua").write_text("return { rules = { { allow = true } } }")
    program(FOLDER, "osacompile")
    return {"PERIGEE_HOME": str(FOLDER / "home"), "XDG_STATE_HOME": str(FOLDER / "state"), "PERIGEE_DESKTOP": "fake",
            "PERIGEE_SDEF_DIR": str(FOLDER / "apps"), "OPENAI_API_KEY": "secret", "PATH": f"{FOLDER / 'bin'}:{os.environ['PATH']}", "PERIGEE_OSASCRIPT": str(program(FOLDER, "osascript"))}


ENV = prepare()


def opened(**more: str) -> Server:
    server = Server([PERIGEE, "serve", "--toolset", "scripting,dictionary", "--grant", str(GRANTED)], env={**ENV, **more})
    server.initialize()
    return server


def call(server: Server, name: str, **arguments: Any) -> dict[str, Any]:
    return server.call(name, arguments, guard=120)["result"]


def text_of(result: dict[str, Any]) -> str:
    return result["content"][0]["text"]


def fails(server: Server, name: str, code: str, **arguments: Any) -> str:
    result = call(server, name, **arguments)
    assert result.get("isError") and result["_meta"]["perigee/code"] == code, result
    return text_of(result)


def a_script_goes_in_by_stdin(server: Server) -> None:
    script = 'return "é \\"quoted\\" $(id) `id`"\n-- \'\n'
    for name, more in TOOLS:
        plan({"text": "first\nsecond", "errors": "logged\n"})
        result = call(server, name, script=script, **more)
        seen, last = result["structuredContent"], calls()[-1]
        assert text_of(result) == "first\nsecond" and seen["result"] == "first\nsecond" and seen["stderr"] == "logged\n", result
        assert (last["stdin"], last["argv"], last["file"]) == (script, [], ""), last
        assert last.get("language", "") == ("JavaScript" if name == "execute_javascript" else ""), last
        assert result["_meta"]["perigee/from"] == ["screen"], result
    assert set(call(server, "execute_apple_script", script="beep")["structuredContent"]) == {"result", "stderr", "duration_ms"}
    assert set(call(server, "execute_applescript", script="beep", **FINDER)["structuredContent"]) == {"result", "stdout", "stderr", "duration"}
    assert "OPENAI_API_KEY" not in (DOUBLE / "osascript.env").read_text(), "none of our secrets"


def an_error_keeps_words_number_and_place(server: Server) -> None:
    script = "beep\n" * 20 + "-- é\n" + "x" * 100
    for name, more in TOOLS:
        plan({"fail": -1728})
        result = call(server, name, script=script, **more)
        meta = result["_meta"]
        assert result["isError"] and meta["perigee/code"] == "NOT_FOUND" and meta["error_number"] == -1728, result
        assert (meta["line"], meta["column"]) == (22, 16), meta
        assert text_of(result).startswith('line 22, column 16: execution error: Keynote got an error: Can\u2019t get document id "X"'), result
        plan({"do": "syntax"})
        assert "syntax error" in fails(server, name, "SCRIPT_INVALID", script=script, **more)
        plan({"fail": -1743})
        assert "Automation" in fails(server, name, "PERMISSION_DENIED_AUTOMATION", script="x", **more)
        plan({"do": "silent"})
        fails(server, name, "SCRIPT_ERROR", script="x", **more)
        plan({"do": "die"})
        assert "signal 9" in fails(server, name, "SCRIPT_ERROR", script="x", **more)


def a_script_that_hangs_is_stopped(server: Server) -> None:
    plan({"do": "hang"})
    for name, more in TOOLS:
        assert "within 1 s" in fails(server, name, "TIMEOUT", script="x", timeout=1, **more)
        pid = int((DOUBLE / "osascript.pid").read_text())
        until(lambda pid=pid: not alive(pid), "the script")
    for timeout in (0, 601, "x"):
        answer = server.call("execute_apple_script", {"script": "x", "timeout": timeout})
        assert "error" in answer or answer["result"]["isError"], answer


def much_output_is_cut(server: Server) -> None:
    plan({"do": "huge"})
    result = call(server, "execute_apple_script", script="x")
    assert len(result["structuredContent"]["result"]) == 1000000 and "truncated" in text_of(result)[-200:], text_of(result)[-200:]
    plan({"do": "invalid_utf8"})
    assert call(server, "execute_apple_script", script="x")["structuredContent"]["result"] == "D1|\ufffd\ufffd|768|"


def another_application_is_refused(server: Server) -> None:
    """By its ID, its name, a path, anywhere in the script, System Events as well."""
    plan({"text": "done"})
    before = len(calls())
    for script, place in (('tell application id "com.apple.mail" to beep', (1, 6)), ('tell app "Mail" to beep', (1, 6)),
                          ('beep\n  tell application "System Events" to keystroke "x"', (2, 8)), ('set x to application "Mail"', (1, 10)),
                          ('tell application "/Applications/Mail.app" to beep', (1, 6)), ('tell application "Finder"\ntell app "Mail" to quit\nend', (2, 6)),
                          ('tell application "Macintosh HD:Finder" to beep', (1, 6)), ('tell application ¬\n "Mail" to quit', (1, 6))):
        said = fails(server, "execute_applescript", "OTHER_APPLICATION", script=script, **FINDER)
        assert said.startswith(f"line {place[0]}, column {place[1]}: the script names application "), (script, said)
    assert len(calls()) == before, "nothing was started"
    for script, bundle in (('tell application id "com.apple.finder" to beep', "com.apple.finder"), ('tell app "Finder" to beep', "com.apple.finder"),
                           ('tell application "FINDER.app" to beep', "com.apple.Finder"), ('tell application "System Events" to beep',
                                                                                           "com.apple.systemevents"),
                           ("beep", "com.apple.mail"), ('display dialog "x"', "com.apple.mail"), ("tell me to beep", "com.apple.mail")):
        assert not call(server, "execute_applescript", script=script, appBundleId=bundle).get("isError"), script
    # Where it cannot be told, the policy's question says so (tests/policy/scripts_test.py).
    assert not call(server, "execute_applescript", script='tell app ("Ma" & "il") to beep', **FINDER).get("isError")


def a_file_is_run_with_its_arguments(server: Server) -> None:
    odd = ["a b", "$(id)", "'", "-e", "é"]
    plan({"text": "done"})
    for name in ("tidy.scpt", "tidy.applescript", "Tidy.SCPT"):
        path = GRANTED / name
        path.write_text("beep")
        result = call(server, "execute_applescript_file", path=str(path), args=odd)
        last = calls()[-1]
        assert result["structuredContent"]["result"] == "done" and last["file"] == str(path) and last["argv"] == odd, (result, last)
    before = len(calls())
    (FOLDER / "outside.scpt").write_text("beep")
    (GRANTED / "notes.txt").write_text("beep")
    os.symlink(FOLDER / "outside.scpt", GRANTED / "link.scpt")
    os.symlink(GRANTED / "notes.txt", GRANTED / "notes.scpt")
    for path, code in ((FOLDER / "outside.scpt", "NOT_GRANTED"), (GRANTED / "link.scpt", "NOT_GRANTED"), (GRANTED / "../outside.scpt", "NOT_GRANTED"),
                       (GRANTED / "missing.scpt", "NOT_FOUND"), (GRANTED / "notes.txt", "INVALID_ARGUMENT"),
                       (GRANTED / "notes.scpt", "INVALID_ARGUMENT"), (GRANTED / "scpt", "INVALID_ARGUMENT")):
        fails(server, "execute_applescript_file", code, path=str(path))
    fails(server, "execute_applescript_file", "INVALID_ARGUMENT", path=str(GRANTED / "tidy.scpt"), args=["a\0b"])
    assert server.call("execute_applescript_file", {"path": "tidy.scpt"})["result"]["isError"]
    assert len(calls()) == before, "nothing was started"


MAIN = "Contents/Resources/Scripts/main.scpt"


def bundle_of(name: str) -> pathlib.Path:
    """A bundle without a script in it."""
    bundle = GRANTED / name
    (bundle / MAIN).parent.mkdir(parents=True)
    return bundle


def a_bundle_is_run_by_the_script_in_it(server: Server) -> None:
    plan({"text": "done"})
    for name in ("tidy.scptd", "Tidy.SCPTD"):
        bundle = bundle_of(name)
        (bundle / MAIN).write_bytes(b"FasdUAS 1.101.10")
        for path in (str(bundle), f"{bundle}/"):
            result = call(server, "execute_applescript_file", path=path, args=["a"])
            assert result["structuredContent"]["result"] == "done", result
            assert calls()[-1]["file"] == str(bundle) and calls()[-1]["argv"] == ["a"], calls()[-1]
    os.symlink(GRANTED / "tidy.scptd", GRANTED / "other.scptd")
    (bundle_of("inner.scptd") / MAIN).symlink_to("../real.scpt")
    (GRANTED / "inner.scptd/Contents/Resources/real.scpt").write_text("beep")
    for name in ("other.scptd", "inner.scptd"):
        assert not call(server, "execute_applescript_file", path=str(GRANTED / name)).get("isError"), name


def a_bundle_without_a_script_of_its_own_is_refused(server: Server) -> None:
    before = len(calls())
    (FOLDER / "secret.scpt").write_text("beep")
    (GRANTED / "empty.scptd").mkdir()
    bundle_of("bare.scptd")
    (bundle_of("folder.scptd") / MAIN).mkdir()
    (bundle_of("out.scptd") / MAIN).symlink_to(FOLDER / "secret.scpt")
    (GRANTED / "near.scpt").write_text("beep")
    (bundle_of("beside.scptd") / MAIN).symlink_to(GRANTED / "near.scpt")
    (GRANTED / "scripts").mkdir()
    (GRANTED / "scripts/main.scpt").write_text("beep")
    (GRANTED / "linked.scptd/Contents/Resources").mkdir(parents=True)
    (GRANTED / "linked.scptd/Contents/Resources/Scripts").symlink_to(GRANTED / "scripts")
    (bundle_of("dangling.scptd") / MAIN).symlink_to("nowhere.scpt")
    (GRANTED / "folder.scpt").mkdir()
    os.symlink(FOLDER, GRANTED / "away.scptd")
    for name, code, words in (("empty.scptd", "NOT_FOUND", "has no script: Contents/Resources/Scripts/main.scpt is missing"),
                              ("bare.scptd", "NOT_FOUND", "has no script"), ("dangling.scptd", "NOT_FOUND", "has no script"),
                              ("folder.scptd", "INVALID_ARGUMENT", "is not a file"), ("out.scptd", "NOT_GRANTED", "outside the directories"),
                              ("beside.scptd", "INVALID_ARGUMENT", "leads to"), ("linked.scptd", "INVALID_ARGUMENT", "leads to"),
                              ("folder.scpt", "INVALID_ARGUMENT", "only one that ends in .scptd"),
                              ("away.scptd", "NOT_GRANTED", "outside the directories")):
        said = fails(server, "execute_applescript_file", code, path=str(GRANTED / name))
        assert words in said, said
    assert len(calls()) == before, "nothing was started"


def the_policy_sees_a_bundle() -> None:
    """A rule about the path is one about the bundle, also where a link leads to it, and the question names it."""
    bundle = bundle_of("Judged.scptd")
    (bundle / MAIN).write_text("beep")
    os.symlink(bundle, GRANTED / "harmless.scptd")
    home, before = FOLDER / "judged", len(calls())
    home.mkdir()
    rule = f'args = {{ path = {{ under = "{bundle}" }} }}, tool = "execute_applescript_file"'
    for verdict, asked in (("deny", 0), ("ask", 1)):
        (home / "policy.lua").write_text(f'return {{ rules = {{ {{ {verdict} = "not that one", {rule} }}, {{ allow = true }} }} }}')
        for name in ("Judged.scptd", "harmless.scptd"):
            with Server([PERIGEE, "serve", "--toolset", "dictionary", "--grant", str(GRANTED)],
                        env={**ENV, "PERIGEE_HOME": str(home), "XDG_STATE_HOME": str(home / verdict / name)}) as server:
                server.initialize("2025-11-25", {"elicitation": {"form": {}}}, "tester")
                result, questions = answered(server, "execute_applescript_file", {"path": str(GRANTED / name)}, "decline")
                assert result["isError"] and len(questions) == asked, (name, verdict, result, questions)
                assert all(name in question["message"] for question in questions), questions
    assert len(calls()) == before, "nothing was started"


def a_check_asks_the_compiler(server: Server) -> None:
    def check(**arguments: Any) -> dict[str, Any]:
        return call(server, "validate_script", **arguments)["structuredContent"]

    for kind, script, language in (("applescript", 'tell application "Finder" to beep', "AppleScript"), ("javascript", "1 + 1", "JavaScript")):
        (DOUBLE / "compile.json").write_text("{}")
        assert check(type=kind, script=script) == {"valid": True, "checked": "compiled", "errors": [], "warnings": []}
        assert calls("compiles")[-1] == {"argv": ["-l", language, "-o", "/dev/null"], "stdin": script}, calls("compiles")
        (DOUBLE / "compile.json").write_text(json.dumps({"errors": "<stdin>:5:8: error: Expected end of line but found identifier. (-2741)\n"}))
        seen = check(type=kind, script=script)
        assert not seen["valid"] and seen["checked"] == "compiled", seen
        assert seen["errors"] == [{"line": 1, "column": 6, "message": "Expected end of line but found identifier. (-2741)"}], seen
        (DOUBLE / "compile.json").write_text(json.dumps({"errors": "osacompile: cannot write /dev/null\n"}))
        seen = check(type=kind, script=script)
        assert seen["valid"] and seen["checked"] == "structure", "what is not about the script is no verdict"
    count = len(calls("compiles"))
    assert not check(script='set x to "a')["valid"] and len(calls("compiles")) == count, "what the structure shows needs no compiler"
    assert check(script='tell application "No Such Thing" to beep')["checked"] == "structure"
    assert len(calls("compiles")) == count, "the compiler would open a dialog that asks where it is"
    assert not [each for each in calls() if each["stdin"] == "1 + 1"], "nothing ran"
    assert "OPENAI_API_KEY" not in (DOUBLE / "osacompile.env").read_text()


def a_check_knows_the_applications_terms(server: Server) -> None:
    """By name, by ID and by appBundleId; an application that is not here is no error, but a warning."""
    (DOUBLE / "compile.json").write_text("{}")
    wrong = 'set title of window 1 to "x"'
    for script, more in ((f'tell application "Finder"\n{wrong}\nend tell', {}), (f'tell application id "com.apple.finder"\n{wrong}\nend tell', FINDER)):
        seen = call(server, "validate_script", script=script, **more)["structuredContent"]
        assert seen["valid"] and [each["line"] for each in seen["warnings"]] == [2] and "title" in seen["warnings"][0]["message"], seen
    seen = call(server, "validate_script", script='tell application "Nothing" to beep', appBundleId="com.example.nothing")["structuredContent"]
    assert seen["valid"] and [each["code"] for each in seen["warnings"]] == ["other_application"], seen
    seen = call(server, "validate_script", script='tell application "Nothing" to beep', **FINDER)["structuredContent"]
    assert not seen["valid"] and [each["code"] for each in seen["errors"]] == ["other_application"], seen


def one_of_the_two_names_is_listed_by_default(_: Server) -> None:
    def listed(*words: str, **more: str) -> set[str]:
        with Server([PERIGEE, "serve", *words], env={**ENV, **more}) as server:
            server.initialize()
            return {tool["name"] for tool in server.ask("tools/list")["result"]["tools"]}

    names = {"execute_apple_script", "execute_applescript"}
    assert listed() & names == {"execute_applescript"}, "where there is an osascript"
    assert not listed(PATH="/usr/bin:/bin") & names, "elsewhere"
    assert names <= listed("--toolset", "scripting,dictionary", PATH="/usr/bin:/bin")


def elsewhere_nothing_is_started(_: Server) -> None:
    with opened(PERIGEE_OSASCRIPT="") as server:
        before = len(calls())
        for name, more in (("execute_apple_script", {"script": "beep"}), ("execute_applescript", {"script": "beep", **FINDER}),
                           ("execute_javascript", {"script": "1"}), ("execute_applescript_file", {"path": str(GRANTED / "tidy.scpt")})):
            said = fails(server, name, "NOT_SUPPORTED", **more)
            assert "call_dbus" in said and "run_lua" in said and "nothing was started" in said, said
        assert call(server, "validate_script", script="beep")["structuredContent"]["checked"] == "structure"
        assert len(calls()) == before


with opened() as one:
    for title, case in (("a script goes in by stdin, its result and its log come back", a_script_goes_in_by_stdin),
                        ("an error keeps osascript's words, its number and the place", an_error_keeps_words_number_and_place),
                        ("a script that hangs is stopped", a_script_that_hangs_is_stopped),
                        ("much output is cut, and invalid bytes are replaced", much_output_is_cut),
                        ("a script for another application is refused before it starts", another_application_is_refused),
                        ("a file is run with its arguments, if it is a granted script", a_file_is_run_with_its_arguments),
                        ("a bundle is run by the script in it", a_bundle_is_run_by_the_script_in_it),
                        ("a bundle without a script of its own is refused", a_bundle_without_a_script_of_its_own_is_refused),
                        ("a check asks the compiler, if its answer is about the script", a_check_asks_the_compiler),
                        ("a check knows the terms of the applications", a_check_knows_the_applications_terms),
                        ("one of the two names is listed by default", one_of_the_two_names_is_listed_by_default),
                        ("on another system nothing is started", elsewhere_nothing_is_started)):
        tap.case(title, case, one)
tap.case("the policy sees a bundle", the_policy_sees_a_bundle)
tap.done()
