#!/usr/bin/env python3
"""Transactions: what a client did is undone, also by another process, and what is not undone is said by item with the reason."""

import json
import os
import pathlib
import shutil
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                              # noqa: E402
import tap                                  # noqa: E402
from http_peer import HttpServer            # noqa: E402
from results import bad, good               # noqa: E402
from server import PERIGEE, Server          # noqa: E402
from tools import until                     # noqa: E402

FOLDER = pathlib.Path(folders.fresh("perigee-transactions-"))
HOME, WORK = FOLDER / "home", FOLDER / "work"
ENV = {"PERIGEE_HOME": str(HOME), "XDG_STATE_HOME": str(FOLDER / "state"), "PERIGEE_DESKTOP": "fake", "PERIGEE_RUNTIME_DIR": str(FOLDER / "run")}
SHOWN = ("--toolset", "sessions,engine,test,desktop,elements", "--grant", str(WORK))
FILES = """local fs = require "sys.fs"
return { description = "Works on files.", inputSchema = { type = "object", properties = { how = { type = "string" }, path = { type = "string" },
  to = { type = "string" }, text = { type = "string" } } }, run = function(args)
    local ok, err, code
    if args.how == "write" or args.how == "append" then ok, err, code = fs[args.how](args.path, args.text)
    elseif args.how == "rename" or args.how == "copy" then ok, err, code = fs[args.how](args.path, args.to, { replace = true })
    else ok, err, code = fs[args.how](args.path) end
    if not ok then return nil, err, code end
    return "done" end }"""
TOOLS = {
    "files": FILES,
    "again": """local fs = require "sys.fs"
return { description = "Removes and makes.", inputSchema = { type = "object", properties = { path = { type = "string" } } },
  run = function(args) assert(fs.remove(args.path)) assert(fs.write(args.path, "new")) return "done" end }""",
    "waits": """local fs, task = require "sys.fs", require "sys.task"
return { description = "Writes and waits.", inputSchema = { type = "object", properties = { path = { type = "string" } } },
  run = function(args) assert(fs.write(args.path, "half")) task.await "never" end }""",
    "copies": """local clipboard = require "sys.clipboard"
return { description = "Copies.", inputSchema = { type = "object", properties = { text = { type = "string" } } },
  run = function(args) local ok, err, code = clipboard.write { ["text/plain"] = args.text } if not ok then return nil, err, code end return "done" end }""",
    "runs": """local process = require "sys.process"
return { description = "Runs.", inputSchema = { type = "object" }, run = function() process.run { "true" } return "done" end }""",
}


META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
ALLOW = "return { rules = { { allow = true } } }"


def same(got, want, note=""):
    if got != want:
        raise tap.Failure(f"{note}: got {got!r}, wanted {want!r}")


def serve(client="ann"):
    server = Server([PERIGEE, "serve", *SHOWN], env=ENV)
    server.initialize(client=client)
    return server


def kill(server):
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait()


def begin(server, name):
    good(server, "create_session", session_id=name)
    return good(server, "begin_transaction", session=name)["transaction_id"]


def back(server, name, transaction, **more):
    return good(server, "rollback_transaction", name=name, transaction_id=transaction, **more)


def path(name, text=None):
    place = WORK / name
    if text is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return str(place)


def left(result):
    return [(each["what"], each["why"]) for each in result["not_undone"]]


def undone(result):
    return [each["what"] for each in result["undone"]]


def files_are_as_they_were():
    with serve() as ann:
        transaction = begin(ann, "files")
        old, gone, moved, bytes_ = path("old", "before"), path("gone", "all"), path("moved", "m"), path("bytes")
        pathlib.Path(bytes_).write_bytes(b"\0\xff\n" * 5)
        good(ann, "files", how="write", path=old, text="after")
        good(ann, "files", how="append", path=old, text=" and more")
        good(ann, "files", how="write", path=path("new/deep/er"), text="new")
        good(ann, "files", how="remove", path=gone)
        good(ann, "files", how="rename", path=moved, to=path("new/moved"))
        good(ann, "files", how="copy", path=old, to=path("copy"))
        good(ann, "files", how="write", path=bytes_, text="text")
        good(ann, "files", how="make_folder", path=path("empty/inner"))
        good(ann, "files", how="write", path=path("brief"), text="x")
        good(ann, "files", how="remove", path=path("brief"))
        result = back(ann, "files", transaction)
        same(left(result), [])
        same({str(each.relative_to(WORK)): each.read_bytes() if each.is_file() else None for each in WORK.rglob("*")},
             {"old": b"before", "gone": b"all", "moved": b"m", "bytes": b"\0\xff\n" * 5})
        same((result["ended"], result["operations_rolled_back"], len(result["undone"])), (True, len(result["undone"]), len(result["undone"])))
        same({each["tool"] for each in result["undone"]}, {"files"})
        same(result["session"].get("transaction_id"), None)
        code, text = bad(ann, "rollback_transaction", name="files", transaction_id=transaction)
        same((code, "was rolled back at 20" in text), ("TRANSACTION_ENDED", True), text)
        good(ann, "delete_session", name="files")


def mode(name, value=None):
    if value is not None:
        os.chmod(path(name), value)
    got = os.stat(path(name))
    return oct(got.st_mode & 0o7777), got.st_uid, got.st_gid


def permissions_and_owners_are_as_they_were():
    with serve() as ann:
        transaction = begin(ann, "permissions")
        before = {}
        for name, bits in (("m/written", 0o600), ("m/appended", 0o640), ("m/removed", 0o600), ("m/renamed", 0o751), ("m/again", 0o606),
                           ("m/covered", 0o620), ("m/same", 0o600)):
            path(name, "before")
            if os.geteuid() == 0:
                os.chown(path(name), 12345, 54321)
            before[name] = mode(name, bits)
        path("cover", "cover")
        mode("cover", 0o666)
        (WORK / "m/private").mkdir()
        before["m/private"] = mode("m/private", 0o700)
        good(ann, "files", how="write", path=path("m/written"), text="after")
        good(ann, "files", how="append", path=path("m/appended"), text="after")
        good(ann, "files", how="remove", path=path("m/removed"))
        good(ann, "files", how="rename", path=path("m/renamed"), to=path("elsewhere"))
        good(ann, "again", path=path("m/again"))
        good(ann, "files", how="copy", path=path("cover"), to=path("m/covered"))
        good(ann, "files", how="copy", path=path("m/appended"), to=path("m/same"))
        good(ann, "files", how="remove", path=path("m/private"))
        same(left(back(ann, "permissions", transaction)), [])
        same({name: mode(name) for name in before}, before)
        same({pathlib.Path(path(name)).read_text() for name in before if name != "m/private"}, {"before"})
        good(ann, "delete_session", name="permissions")


def permissions_that_the_user_changed_stay():
    with serve() as ann:
        transaction = begin(ann, "changed")
        written = path("written", "before")
        good(ann, "files", how="write", path=written, text="after")
        now = mode("written", 0o400)
        same(left(back(ann, "changed", transaction)), [(written, "it was changed since by something else")])
        same((mode("written"), pathlib.Path(written).read_text()), (now, "after"))
        good(ann, "delete_session", name="changed")


def what_is_kept_is_the_users_alone_and_ends_with_the_transaction():
    database = FOLDER / "state/perigee/db"

    def kept():
        return b"a secret of the old file" in b"".join(each.read_bytes() for each in sorted(database.iterdir()))

    with serve() as ann:
        for how in ("commit", "rollback", "delete"):
            transaction = begin(ann, how)
            secret = path(how, "a secret of the old file " * 1000)
            good(ann, "files", how="remove", path=secret)
            same({oct(each.stat().st_mode & 0o777) for each in database.iterdir()}, {"0o600"})
            same((oct(database.stat().st_mode & 0o777), kept()), ("0o700", True))
            if how != "delete":
                good(ann, f"{how}_transaction", name=how, transaction_id=transaction)
            good(ann, "delete_session", name=how, force=how == "delete")
            until(lambda: not kept(), "the end of what was kept")


def a_folder_that_was_moved_goes_back():
    with serve() as ann:
        transaction = begin(ann, "folders")
        path("folder/inner", "x")
        good(ann, "files", how="rename", path=path("folder"), to=path("elsewhere"))
        same(left(back(ann, "folders", transaction)), [])
        same((pathlib.Path(path("folder/inner")).read_text(), os.path.exists(path("elsewhere"))), ("x", False))
        good(ann, "delete_session", name="folders")


def what_somebody_else_changed_stays_and_is_said():
    with serve() as ann:
        transaction = begin(ann, "others")
        one, two, three = path("one", "1"), path("two", "2"), path("three")
        for each in (one, two, three):
            good(ann, "files", how="write", path=each, text="mine")
        good(ann, "files", how="make_folder", path=path("shared"))
        pathlib.Path(one).write_text("theirs")
        pathlib.Path(two).unlink()
        path("shared/theirs", "t")
        result = back(ann, "others", transaction)
        same(left(result), [(path("shared"), "other files are in it now"), (two, "it was changed since by something else"),
                            (one, "it was changed since by something else")])
        same((pathlib.Path(one).read_text(), os.path.exists(two), os.path.exists(three)), ("theirs", False, False))
        transaction = good(ann, "begin_transaction")["transaction_id"]   # in between: back to what they made of it
        good(ann, "files", how="write", path=one, text="A")
        pathlib.Path(one).write_text("B")
        good(ann, "files", how="write", path=one, text="C")
        result = back(ann, "others", transaction)
        same((undone(result), left(result), pathlib.Path(one).read_text()), ([one], [(one, "it was changed since by something else")], "B"))
        good(ann, "delete_session", name="others")


def a_file_that_is_too_large_is_said():
    with serve() as ann:
        transaction = begin(ann, "large")
        large = WORK / "large"
        large.write_bytes(b"x" * (9 << 20))
        good(ann, "files", how="write", path=str(large), text="small")
        same(left(back(ann, "large", transaction)), [(str(large), "it is too large to be kept")])
        large.unlink()
        good(ann, "delete_session", name="large")


def a_kill_between_begin_and_rollback_loses_nothing():
    with serve() as ann:
        transaction = begin(ann, "killed")
        kept, half = path("kept", "before"), path("half", "whole")
        good(ann, "files", how="write", path=kept, text="after")
        good(ann, "copies", text="copied by the transaction")
        ann.post("tools/call", {"name": "waits", "arguments": {"path": half}})
        until(lambda: pathlib.Path(half).read_text() == "half", "the write")
        kill(ann)
    with serve() as ann:
        same(bad(ann, "commit_transaction", name="killed", transaction_id=transaction[:-1] + ("a" if transaction[-1] != "a" else "b"))[0],
             "TRANSACTION_NOT_FOUND")
        got = good(ann, "get_session", name="killed", use=True)
        same(got["transaction_id"], transaction)
        later = path("later", "before")
        good(ann, "files", how="write", path=later, text="after")
        result = back(ann, "killed", transaction)
        same([pathlib.Path(each).read_text() for each in (kept, half, later)], ["before", "whole", "before"], "all three")
        same([what for what, _ in left(result)], [], left(result))
        good(ann, "delete_session", name="killed")


def a_call_that_is_cancelled_is_undone_as_well():
    with serve() as ann:
        transaction = begin(ann, "cancelled")
        half = path("half", "whole")
        number = ann.post("tools/call", {"name": "waits", "arguments": {"path": half}})
        until(lambda: pathlib.Path(half).read_text() == "half", "the write")
        code, text = bad(ann, "rollback_transaction", name="cancelled", transaction_id=transaction)
        same((code, "still runs" in text), ("TRANSACTION_BUSY", True), text)
        ann.notify("notifications/cancelled", {"requestId": number})
        until(lambda: good(ann, "get_session", name="cancelled")["counts"]["running"] == 0, "its end")
        same((undone(back(ann, "cancelled", transaction)), pathlib.Path(half).read_text()), ([half], "whole"))
        good(ann, "delete_session", name="cancelled")


def only_the_client_that_began_it_may_end_it():
    with serve("ann") as ann, serve("bob") as bob:
        transaction = begin(ann, "shared")
        mine, his = path("mine", "before"), path("his", "before")
        same(good(bob, "get_session", name="shared", use=True).get("transaction_id"), None)
        good(ann, "files", how="write", path=mine, text="after")
        good(bob, "files", how="write", path=his, text="after")
        for tool in ("commit_transaction", "rollback_transaction"):
            code, text = bad(bob, tool, name="shared", transaction_id=transaction)
            same((code, "Only that one" in text), ("NOT_YOURS", True), text)
        code, text = bad(bob, "begin_transaction", session="shared")
        same((code, transaction in text), ("TRANSACTION_ACTIVE", False), text)
        code, text = bad(bob, "commit_transaction", name="shared", transaction_id="guess")
        same((code, transaction in text), ("TRANSACTION_NOT_FOUND", False), text)
        code, text = bad(ann, "begin_transaction", session="shared")
        same((code, transaction in text), ("TRANSACTION_ACTIVE", True), text)
        code, text = bad(ann, "commit_transaction", name="shared", transaction_id=transaction + "x")
        same((code, f"did you mean {transaction}?" in text), ("TRANSACTION_NOT_FOUND", True), text)
        code, text = bad(ann, "delete_session", name="shared")
        same((code, "open transaction" in text), ("SESSION_BUSY", True), text)
        same(undone(back(ann, "shared", transaction)), [mine])
        same((pathlib.Path(mine).read_text(), pathlib.Path(his).read_text()), ("before", "after"), "of the other client nothing is undone")
        good(ann, "delete_session", name="shared")


def requests_without_a_session_of_http_are_of_the_client_that_they_name():
    """Each is a connection of its own; the name in its _meta tells whose it is, also to the next server."""
    def call(server, client, tool, **arguments):
        meta = {**META, "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"}}
        with server.connect() as connection:
            connection.request("POST", None, [
                ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"), ("Mcp-Method", "tools/call"),
                ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Name", tool)],
                json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                            "params": {"name": tool, "arguments": arguments, "_meta": meta}}).encode())
            result = json.loads(connection.answer().body.decode().split("data:")[-1])["result"]
        return result.get("_meta", {}).get("perigee/code") if result.get("isError") else result.get("structuredContent", {})

    old, others = path("over http", "before"), path("of another")
    with HttpServer(*SHOWN, env=ENV) as server:
        call(server, "ann", "create_session", session_id="net")
        transaction = call(server, "ann", "begin_transaction")["transaction_id"]
        call(server, "ann", "files", how="write", path=old, text="after")
        call(server, "bob", "files", how="write", path=others, text="bob's")
        same(call(server, "bob", "list_sessions")["sessions"], [])
        same(call(server, "bob", "rollback_transaction", name="net", transaction_id=transaction), "SESSION_NOT_FOUND")
        same(call(server, "bob", "get_session", name="net", use=True).get("transaction_id"), None)
        same(call(server, "bob", "rollback_transaction", name="net", transaction_id=transaction), "NOT_YOURS")
        same(call(server, "bob", "commit_transaction", name="net", transaction_id=transaction), "NOT_YOURS")
        server.process.kill()
        server.wait()
    with HttpServer(*SHOWN, env=ENV) as server:
        same(call(server, "ann", "get_session", name="net", use=True)["transaction_id"], transaction)
        call(server, "ann", "files", how="append", path=old, text=" and more")
        result = call(server, "ann", "rollback_transaction", name="net", transaction_id=transaction)
        same((undone(result), left(result)), ([old, old], []))
        same((pathlib.Path(old).read_text(), pathlib.Path(others).read_text()), ("before", "bob's"))
        same(call(server, "ann", "delete_session", name="net")["deleted"], True)
    for each in (old, others):
        os.remove(each)


def a_commit_keeps_the_changes():
    with serve() as ann:
        transaction = begin(ann, "commit")
        one = path("one", "before")
        good(ann, "files", how="write", path=one, text="after")
        good(ann, "files", how="write", path=one, text="later")
        same(good(ann, "commit_transaction", name="commit", transaction_id=transaction)["operations_applied"], 2)
        code, text = bad(ann, "rollback_transaction", name="commit", transaction_id=transaction)
        same((code, "was committed at 20" in text), ("TRANSACTION_ENDED", True), text)
        same(pathlib.Path(one).read_text(), "later")
        good(ann, "files", how="write", path=one, text="outside of any")
        same(good(ann, "commit_transaction", name="commit", transaction_id=good(ann, "begin_transaction")["transaction_id"])["operations_applied"], 0)
        good(ann, "delete_session", name="commit")


def a_rollback_that_is_refused_goes_on_later():
    with serve() as ann:
        transaction = begin(ann, "refused")
        old, new, later = path("old", "before"), path("new"), path("later", "before")
        for each in (old, new, later):
            good(ann, "files", how="write", path=each, text="after")
        (HOME / "policy.lua").write_text('return { rules = { { deny = "no files are deleted", effect = "file", how = "remove" }, { allow = true } } }')
        until(lambda: bad(ann, "files", how="remove", path=path("nothing"))[0] == "denied", "the rule")
        code, text = bad(ann, "rollback_transaction", name="refused", transaction_id=transaction)
        same((code, "no files are deleted" in text), ("denied", True), text)
        same([pathlib.Path(each).read_text() for each in (old, new, later)], ["after", "after", "before"], "the latest was undone, and then it stopped")
        same(good(ann, "get_session", name="refused")["transaction_id"], transaction, "it is open")
        (HOME / "policy.lua").unlink()   # the policy that comes with the program: it asks before files are deleted
        until(lambda: bad(ann, "files", how="remove", path=path("nothing"))[0] == "not_approved", "the rule")
        result = back(ann, "refused", transaction)
        same((sorted(undone(result)), left(result), os.path.exists(new), pathlib.Path(old).read_text()), (sorted([old, new, later]), [], False, "before"))
        (HOME / "policy.lua").write_text(ALLOW)
        good(ann, "delete_session", name="refused")


def a_part_is_undone_by_the_id_of_a_result():
    with serve() as ann:
        transaction = begin(ann, "parts")
        one = path("one", "0")
        for text in ("1", "2", "3"):
            good(ann, "files", how="write", path=one, text=text)
        result = back(ann, "parts", transaction, revision_id="r1")
        same((result["ended"], result["session"]["transaction_id"], [each["call"] for each in result["undone"]], pathlib.Path(one).read_text()),
             (False, transaction, ["r3", "r2"], "1"))
        good(ann, "files", how="write", path=one, text="4")
        same((len(back(ann, "parts", transaction)["undone"]), pathlib.Path(one).read_text()), (2, "0"))
        good(ann, "delete_session", name="parts")


def window(server, title):
    return next(each for each in good(server, "list_windows")["windows"] if each["title"] == title)


def windows_fields_and_the_clipboard_are_as_they_were():
    with serve() as ann:
        good(ann, "copies", text="the user's own")
        first = window(ann, "draft.txt")
        good(ann, "write_element_value", application="Text Editor", element='text in window "draft.txt"', value="what the user wrote")
        transaction = begin(ann, "desktop")
        good(ann, "move_window", window=first["name"], x=200, y=150)
        good(ann, "resize_window", window=first["name"], width=500, height=400)
        good(ann, "minimize_window", window=first["name"])
        good(ann, "restore_window", window=first["name"])
        good(ann, "copies", text="in place of it")
        good(ann, "write_element_value", application="Text Editor", element='text in window "draft.txt"', value="what the model wrote")
        ann.call("runs")
        ann.call("runs")
        result = back(ann, "desktop", transaction)
        same(left(result), [("the program true", "what a program did is not known")] * 2, "by item")
        now = window(ann, "draft.txt")
        same({key: now[key] for key in ("bounds", "states") if key in now}, {key: first[key] for key in ("bounds", "states") if key in first})
        same(good(ann, "get_clipboard")["text"], "the user's own")
        same("what the user wrote" in json.dumps(ann.call("get_ui_tree", {"application": "Text Editor"})), True, "the field")
        text = ann.text("rollback_transaction", {"name": "desktop", "transaction_id": transaction})
        same("was rolled back" in text, True, text)
        good(ann, "delete_session", name="desktop")


def a_snapshot_tells_what_happened():
    with serve() as ann:
        begin_id = begin(ann, "snapshot")
        good(ann, "files", how="write", path=path("a"), text="x")
        bad(ann, "files", how="remove", path=path("missing"))
        ann.call("list_windows", {"application": "Text Editor"})
        good(ann, "files", how="write", path=path("b"), text="@@ref_r1__text")
        got = good(ann, "get_session_snapshot", name="snapshot")
        same([(each["ref"], each["operation_type"], each["success"], each.get("resource"), each["transaction_id"]) for each in got["history"]],
             [("r4", "files", True, path("b"), begin_id), ("r3", "list_windows", True, "Text Editor", begin_id),
              ("r2", "files", False, path("missing"), begin_id), ("r1", "files", True, path("a"), begin_id)])
        same((got["applications"], got["observations"], got["total_size"], got["session"]["transaction_id"]), (["Text Editor"], [], 4, begin_id))
        same(got["history"][0]["arguments"]["text"], "@@ref_r1__text", "as it was sent")
        same(pathlib.Path(path("b")).read_text(), "done")
        page = good(ann, "get_session_snapshot", name="snapshot", page_size=3)
        same(([each["ref"] for each in page["history"]], bool(page["next_page_token"])), (["r4", "r3", "r2"], True))
        same([each["ref"] for each in good(ann, "get_session_snapshot", name="snapshot", page_token=page["next_page_token"])["history"]], ["r1"])
        same(bad(ann, "get_session_snapshot", name="none")[0], "SESSION_NOT_FOUND")
        back(ann, "snapshot", begin_id)
        good(ann, "delete_session", name="snapshot")


def a_snapshot_names_the_observations_that_were_begun():
    with serve() as ann:
        good(ann, "create_session", session_id="watches")
        begun = [good(ann, "create_observation", what="windows")["name"] for _ in range(2)]
        good(ann, "cancel_observation", name=begun[0])
        same(good(ann, "get_session", name="watches")["counts"]["observations"], 2)
        kill(ann)
    with serve() as ann:
        same(good(ann, "get_session_snapshot", name="watches")["observations"], begun, "also when their engine is gone")
        good(ann, "delete_session", name="watches")


def wrong_arguments_are_told():
    with serve() as ann:
        for tool in ("commit_transaction", "rollback_transaction"):
            for arguments in ({}, {"name": "x"}, {"transaction_id": "x"}, {"name": 5, "transaction_id": "x"}, {"name": "x", "transaction_id": ""},
                              {"name": "x", "transaction_id": "x" * 65}, {"name": "x", "transaction_id": "x", "other": 1}):
                same(bad(ann, tool, **arguments)[0], "invalid_arguments", arguments)
        same(bad(ann, "rollback_transaction", name="x", transaction_id="x", revision_id="5")[0], "invalid_arguments")
        for arguments in ({"session": ""}, {"session": 5}, {"other": 1}, {"session": "x" * 301}):
            same(bad(ann, "begin_transaction", **arguments)[0], "invalid_arguments", arguments)
        same(bad(ann, "begin_transaction")[0], "NO_SESSION")
        same(bad(ann, "begin_transaction", session="none")[0], "SESSION_NOT_FOUND")


for name, text in TOOLS.items():
    place = HOME / "tools/test" / f"{name}.lua"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
WORK.mkdir()
(HOME / "policy.lua").write_text(ALLOW)
try:
    for case in (files_are_as_they_were, permissions_and_owners_are_as_they_were, permissions_that_the_user_changed_stay,
                 what_is_kept_is_the_users_alone_and_ends_with_the_transaction, a_folder_that_was_moved_goes_back, what_somebody_else_changed_stays_and_is_said, a_file_that_is_too_large_is_said,
                 a_kill_between_begin_and_rollback_loses_nothing, a_call_that_is_cancelled_is_undone_as_well, only_the_client_that_began_it_may_end_it,
                 requests_without_a_session_of_http_are_of_the_client_that_they_name, a_commit_keeps_the_changes, a_rollback_that_is_refused_goes_on_later, a_part_is_undone_by_the_id_of_a_result, windows_fields_and_the_clipboard_are_as_they_were,
                 a_snapshot_tells_what_happened, a_snapshot_names_the_observations_that_were_begun, wrong_arguments_are_told):
        tap.case(case.__name__.replace("_", " "), case)
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
tap.done()
