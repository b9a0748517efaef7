#!/usr/bin/env python3
"""References to results: the errors of each kind and the way out that they name, who sees the value, and calls that end early."""

import json
import pathlib
import shutil
import sqlite3
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                              # noqa: E402
import tap                                  # noqa: E402
from results import bad, good               # noqa: E402
from server import PERIGEE, Server          # noqa: E402
from tools import until                     # noqa: E402

FOLDER = pathlib.Path(folders.fresh("perigee-references-"))
HOME = FOLDER / "home"
ENV = {"PERIGEE_HOME": str(HOME), "XDG_STATE_HOME": str(FOLDER / "state"), "PERIGEE_DESKTOP": "fake", "PERIGEE_RUNTIME_DIR": str(FOLDER / "run")}
DB = FOLDER / "state/perigee/db/sessions.sqlite"
ASK = 'return { rules = { { ask = "it acts", tool = "acts", per = "call" }, { allow = true } } }'
TOOLS = {
    "gives": """return { description = "Gives.", inputSchema = { type = "object", properties = { words = { type = "string" } } },
  annotations = { readOnlyHint = true }, run = function(args) return { words = args.words or "hello", list = { 1, 2, 3 }, none = {} } end }""",
    "takes": """return { description = "Takes.", inputSchema = { type = "object", properties = { text = { type = "string" }, any = {} } },
  annotations = { readOnlyHint = true }, run = function(args) return { text = args.text, any = args.any } end }""",
    "acts": """local state = require "sys.state"
return { description = "Acts.", inputSchema = { type = "object", properties = { text = { type = "string" } } }, annotations = { readOnlyHint = false },
  run = function(args) local mine = state.open "acts" mine.n = (mine.n or 0) + 1 return "done: " .. args.text end }""",
    "acted": """local state = require "sys.state"
return { description = "Tells how often.", inputSchema = { type = "object" }, annotations = { readOnlyHint = true },
  run = function() return { n = state.open("acts").n or 0 } end }""",
    "fails": """return { description = "Fails.", inputSchema = { type = "object" }, run = function() return nil, "It did not work.", "NO" end }""",
    "waits": """local task = require "sys.task"
return { description = "Waits.", inputSchema = { type = "object" }, run = function() task.await "never" end }""",
    "makes": """local calls = require "sessions.calls"
return { description = "Makes code.", inputSchema = { type = "object", properties = { code = { type = "string" } } },
  run = function(args, call)
    local id, err, code = calls.keep(call, "makes", args, { structured = { generated_code = args.code } })
    if err then return nil, err, code end
    return { generated_code = args.code, id = id } end }""",
}

PROMPT = """return { description = "Repeats.", arguments = { { name = "text", required = true } },
  render = function(args) return "It says: " .. args.text end }"""


def same(got, want, note=""):
    if got != want:
        raise tap.Failure(f"{note}: got {got!r}, wanted {want!r}")


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise tap.Failure(f"{text!r} does not hold {part!r}")


def serve(client="ann", **more):
    server = Server([PERIGEE, "serve", "--toolset", "sessions,engine,test"], env=ENV)
    server.initialize(client=client, **more)
    return server


def each_error_says_what_to_do():
    with serve() as ann:
        good(ann, "create_session", session_id="errors")
        ann.call("gives")                                             # r1
        ann.call("fails")                                             # r2
        ann.post("tools/call", {"name": "waits", "arguments": {}})    # r3
        until(lambda: good(ann, "get_session", name="errors")["counts"]["running"] == 1, "the call")
        ann.call("gives", {"words": "dropped"})                       # r4
        ann.call("acts", {"text": "dropped"})                         # r5
        with sqlite3.connect(DB) as database:
            database.execute("UPDATE calls SET state = 'dropped', structured = NULL, text = NULL, content = NULL, bytes = 0 WHERE number IN (4, 5)")
            database.execute("INSERT INTO calls (session, number, tool, arguments, reads, engine, state, begun) "
                             "SELECT id, 6, 'gives', '{}', 1, '1-gone', 'running', 0 FROM sessions WHERE name = 'errors'")
            database.execute("UPDATE sessions SET last = 6 WHERE name = 'errors'")
        for reference, code, parts in (
                ("@@ref_r9", "no_such_reference", ['@@ref_r9: there is no result "r9"', "Write @@@ref_ if it is not meant as a reference."]),
                ("@@ref_toolu_1__x", "no_such_reference", ['there is no result "toolu_1"', "the newest is r"]),
                ("@@ref_r1__wrds", "no_such_path", ["r1 has no wrds. It has list, none, words; did you mean words?"]),
                ("@@ref_r1__list[7]", "no_such_path", ["list of r1 has no [7]. It is a list of 3: write [0] to [2]."]),
                ("@@ref_r1__none[0]", "no_such_path", ["none of r1 has no [0]. It is an empty"]),
                ("@@ref_r1__words.x", "no_such_path", ["words of r1 has no x. It is text, which has no members."]),
                ("@@ref_r2", "result_failed", ["r2, of fails, failed: It did not work. Only @@ref_r2__error is there."]),
                ("@@ref_r3", "result_running", ["r3, of waits, has not ended yet. Wait for its result, then refer to it."]),
                ("@@ref_r4", "result_dropped", ['r4, of gives, was dropped. Call gives again with {"words":"dropped"}, and refer to the new result.']),
                ("@@ref_r5__text", "result_dropped", ["r5, of acts, was dropped. acts changes something, so do not call it again for this"]),
                ("@@ref_r6", "result_lost", ["the engine ended before it did. Look whether it was done, then call it again."]),
                ("@@ref_r1__words " * 65, "too_many_references", ["more than 64 references. Pass a larger part of a result with one of them."])):
            got, text = bad(ann, "takes", text=reference)
            same(got, code, text)
            has(text, "Invalid arguments for takes: ", *parts)
        good(ann, "delete_session", name="errors", force=True)


def values_that_are_too_large_are_refused():
    with serve() as ann:
        good(ann, "create_session", session_id="large")
        ann.call("gives", {"words": "x" * (1 << 20)})
        code, text = bad(ann, "takes", text="@@ref_r1__words" * 17)
        same((code, "stand for more than 16 MB in all. Refer to a smaller part." in text), ("too_large", True), text)
        good(ann, "delete_session", name="large")


def the_user_is_asked_about_the_value():
    """The approval, the audit log and the policy see what the reference stands for; the record keeps it as it was sent."""
    (HOME / "policy.lua").write_text(ASK)
    try:
        with serve(capabilities={"elicitation": {}}) as ann:
            good(ann, "create_session", session_id="asked")
            ann.call("gives", {"words": "pay 5 to Mallory"})
            number = ann.post("tools/call", {"name": "acts", "arguments": {"text": "do: @@ref_r1__words"}})
            asked = ann.find(lambda each: each.get("method") == "elicitation/create")
            has(asked["params"]["message"], "do: pay 5 to Mallory")
            same("@@ref_" in asked["params"]["message"], False, asked)
            ann.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
            same(ann.answer(number)["result"]["isError"], True)
            same(good(ann, "acted")["n"], 0)
            history = good(ann, "get_session_snapshot", name="asked")["history"]
            same(good(ann, "get_session", name="asked")["counts"]["approvals"], 1)
            same([each["operation_type"] for each in history], ["acted", "gives"], "a call that was refused has no record")
            good(ann, "delete_session", name="asked")
    finally:
        (HOME / "policy.lua").unlink()


def a_call_is_cancelled_while_its_reference_is_resolved():
    with serve() as ann:
        good(ann, "create_session", session_id="cancelled")
        ann.call("gives")
        ended = []
        for _ in range(30):     # both lines come at once: the database is asked meanwhile
            ann.next_id += 1
            call = {"jsonrpc": "2.0", "id": ann.next_id, "method": "tools/call", "params": {"name": "acts", "arguments": {"text": "@@ref_r1__words"}}}
            stop = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": ann.next_id}}
            ann.write((json.dumps(call) + "\n" + json.dumps(stop) + "\n").encode())
            ended.append(ann.next_id)
        got = good(ann, "get_session", name="cancelled")["counts"]
        same((got["running"], [each for each in ended if ann.has_answered(each)]), (0, []), "no answer is owed")
        same(good(ann, "acted")["n"], 0, "and nothing was done")
        same(good(ann, "takes", text="@@ref_r1__words")["text"], "hello")
        good(ann, "delete_session", name="cancelled")


def code_of_an_earlier_step_is_run_by_its_reference():
    """As create_python_code and execute_python_code do: by our id, and by that of the client, with a session and without one."""
    for session in (True, False):
        with serve() as ann, serve("bob") as bob:
            if session:
                good(ann, "create_session", session_id="code")
            made = ann.answer(ann.post("tools/call", {"name": "makes", "arguments": {"code": "print(1)\n@@@ref_x"},
                                                      "_meta": {"claudecode/toolUseId": "toolu_01"}}))["result"]
            same((made["structuredContent"]["id"], made["_meta"]["perigee/ref"]), ("r1", "r1"))
            for said in ("r1", "toolu_01"):
                same(good(ann, "takes", text=f"@@ref_{said}__generated_code")["text"], "print(1)\n@@ref_x", "once: what was put in is not searched")
                same(bad(bob, "takes", text=f"@@ref_{said}__generated_code")[0], "no_such_reference", "another client's")
            if session:
                good(ann, "delete_session", name="code")


def arguments_of_prompts_have_them_too():
    """As text, because a prompt's arguments are texts."""
    def got(client, text):
        answer = client.answer(client.post("prompts/get", {"name": "repeats", "arguments": {"text": text}}))
        return answer["result"]["messages"][0]["content"]["text"] if "result" in answer else (answer["error"]["code"], answer["error"]["message"])

    with serve() as ann, serve("bob") as bob:
        good(ann, "create_session", session_id="prompts")
        ann.call("gives", {"words": "a @@@ref_r1 b"})
        for text, wanted in (("@@ref_r1__words", "a @@ref_r1 b"), ("<@@ref_r1__words>", "<a @@ref_r1 b>"), ("@@ref_r1__list", "[1,2,3]"),
                             ("@@ref_r1__list[0]", "1"), ("@@@ref_r1", "@@ref_r1"), ("none", "none")):
            same(got(ann, text), f"It says: {wanted}", text)
        code, text = got(ann, "@@ref_r1__wrds")
        has(text, "Invalid arguments for repeats: @@ref_r1__wrds: r1 has no wrds. It has list, none, words; did you mean words?")
        same((code, got(bob, "@@ref_r1__words")[0]), (-32602, -32602), "another client's is nobody's")
        for _ in range(10):     # cancelled while it is looked for
            ann.next_id += 1
            ask = {"jsonrpc": "2.0", "id": ann.next_id, "method": "prompts/get", "params": {"name": "repeats", "arguments": {"text": "@@ref_r1__words"}}}
            stop = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": ann.next_id}}
            ann.write((json.dumps(ask) + "\n" + json.dumps(stop) + "\n").encode())
            same((good(ann, "acted")["n"], ann.has_answered(ann.next_id)), (0, False), "no answer is owed")
        good(ann, "delete_session", name="prompts", force=True)


def a_deleted_session_is_gone_and_the_others_are_named():
    with serve() as ann:
        for name in ("kept", "gone"):
            good(ann, "create_session", session_id=name)
        good(ann, "delete_session", name="gone")
        for tool in ("get_session", "delete_session", "get_session_snapshot"):
            code, text = bad(ann, tool, name="gone")
            same((code, "You have sessions/kept" in text), ("SESSION_NOT_FOUND", True), text)
        good(ann, "delete_session", name="kept")


for name, text in TOOLS.items():
    place = HOME / "tools/test" / f"{name}.lua"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
(HOME / "prompts").mkdir()
(HOME / "prompts/repeats.lua").write_text(PROMPT)
try:
    for case in (each_error_says_what_to_do, values_that_are_too_large_are_refused, the_user_is_asked_about_the_value,
                 a_call_is_cancelled_while_its_reference_is_resolved, code_of_an_earlier_step_is_run_by_its_reference,
                 arguments_of_prompts_have_them_too, a_deleted_session_is_gone_and_the_others_are_named):
        tap.case(case.__name__.replace("_", " "), case)
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
tap.done()
