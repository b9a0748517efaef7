#!/usr/bin/env python3
"""The audit log of real calls: who, what, how it was decided, how it ended; also when the engine is killed, or cannot write."""

import contextlib
import json
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import DENY, PERIGEE, Place, call, code_of, text_of       # noqa: E402
from server import Server                                            # noqa: E402
from tools import until                                              # noqa: E402
import tap                                                          # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", minutes = 5 }, { allow = true } } }'


def lines(place, kind=None):
    folder = place.folder / "state/perigee/audit"
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        whole = path.read_text().split("\n")[:-1]
        for line, after in zip(whole, [*whole[1:], ""]):
            if '"kind":"torn"' not in after:       # else it is the rest of an unfinished write (docs/audit.md)
                found.append(json.loads(line))
    return [line for line in found if kind is None or line["kind"] == kind]


def audit(place, *words):
    return subprocess.run([PERIGEE, "audit", *words], env={**os.environ, **place.env}, capture_output=True, text=True, timeout=120)


def each_call():
    with Place(DENY) as place, place.serve() as server:
        call(server, "mark", {"note": "x"})
        call(server, "engine_status")
        server.ask("tools/call", {"name": "nothing", "arguments": {"a": 1}})
        server.ask("tools/call", {"name": "mark", "arguments": {"note": 5}})
        until(lambda: len(lines(place, "end")) == 2, "a line with the last call's end")
        begun, ended = lines(place, "call"), lines(place, "end")
        assert [line["tool"] for line in begun] == ["mark", "engine_status"], begun
        assert begun[0]["caller"] == {"kind": "client", "name": "tester"} and begun[0]["decision"] == "deny", begun
        assert begun[0]["rule"] == 1 and begun[0]["args"] == {"note": "x"} and begun[1]["decision"] == "allow", begun
        assert [(line["id"], line["code"]) for line in ended] == [(begun[0]["id"], "denied"), (begun[1]["id"], "ok")], ended
        assert ended[1]["bytes"] > 100 and ended[1]["ms"] >= 0, ended
        refused = lines(place, "refused")
        assert [(line["tool"], line["code"]) for line in refused] == [("nothing", "unknown_tool"), ("mark", "invalid_arguments")]
        assert audit(place, "--verify").returncode == 0


def no_secret_is_in_it():
    """Wherever the arguments go, and where they are refused before anything is known of them."""
    secret = "Zq7SecretValue"
    hides = """return { description = "Has one.", inputSchema = { type = "object", additionalProperties = false, properties = {
      n = { type = "integer" }, code = { type = "array", items = { anyOf = { { type = "string", format = "password" } } } } } },
      run = function() return "done" end }"""
    with Place("return { rules = { { allow = true } } }", hides=hides) as place, place.serve() as server:
        for name, arguments in (("hides", {"code": [secret]}), ("call_tool", {"name": "hides", "arguments": {"code": [secret]}}),
                                ("hides", {"code": [secret], "n": "x"}), ("hides", {"other": secret}), ("hides", {"code": secret}),
                                ("call_tool", {"name": "hides", "arguments": {"code": [secret], "n": "x"}})):
            call(server, name, arguments)
        server.ask("tools/call", {"name": "hide", "arguments": {"code": secret}})
        kinds = [(line["kind"], line["tool"]) for line in lines(place) if "tool" in line]
        assert kinds.count(("call", "hides")) == 2 and kinds.count(("call", "call_tool")) == 2, kinds
        assert [name for kind, name in kinds if kind == "refused"] == ["hides", "hides", "hides", "hides", "hide"], kinds
        assert secret not in json.dumps(lines(place)), lines(place)


def calls_within():
    """A call by a client's script is that client's, and its line names the calls between them."""
    with Place('return { rules = { { allow = true } } }') as place, place.serve() as server:
        call(server, "run_lua", {"code": "tools.call_tool{name='mark'} return 1"})
        by_tool = {line["tool"]: line for line in lines(place, "call")}
        assert by_tool["mark"]["caller"] == {"kind": "client", "name": "tester", "via": ["call_tool", "run_lua"]}, by_tool
        assert "via" not in by_tool["run_lua"]["caller"]


def approvals():
    with Place(ASK) as place, place.serve(capabilities={"elicitation": {}}) as server:
        call(server, "mark", {}, "Allow for 5 minutes")
        call(server, "mark")
        (given,) = lines(place, "approval")
        assert given["outcome"] == "given" and given["what"] == "mark" and given["holds"] == "minutes", given
        assert [line["decision"] for line in lines(place, "call")] == ["approved", "approved"]
        (number,) = given["ids"]
        for words, status in (("zz", 1), ("ffffffff", 1), (f"ffffffff {number[:8]} abc", 1), ("--all", 0)):
            done = subprocess.run([PERIGEE, "approvals", "revoke", *words.split()], env={**os.environ, **place.env}, check=False,
                                  capture_output=True, text=True)
            assert done.returncode == status, (words, done)
            assert all(f'"{each}"' in done.stderr for each in words.split() if each not in ("--all", number[:8])), (words, done)
        revoked = [line for line in lines(place, "approval") if line["outcome"] == "revoked"]
        assert [(line["id"], line["what"], line["caller"]) for line in revoked] == [
            (number, "every call of mark, whatever its arguments", {"kind": "client", "name": "tester"})], revoked


def cancelled():
    """A question whose call is cancelled while it is shown was put to a person all the same."""
    with Place(ASK) as place, place.serve(capabilities={"elicitation": {}}) as server:
        waiting = server.post("tools/call", {"name": "mark", "arguments": {}})
        server.find(lambda each: each.get("method") == "elicitation/create")
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
        until(lambda: lines(place, "approval"), "the line of the question")
        (line,) = lines(place, "approval")
        assert line["outcome"] == "cancelled" and line["what"] == "mark" and line["rule"] == 1, line


def unresolved():
    """A file whose path leads nowhere is named in the question, in the error and in the log, for each function of files."""
    body = """local fs = require "sys.fs" return { description = "x", inputSchema = { type = "object" }, run = function(args)
      local ok, err, code = fs[args.how](args.path, args.second) if not ok then return nil, err, code end return "done" end }"""
    for verdict in ("ask", "deny"):
        policy = 'return { rules = { { %s = "so", effect = "file", per = "call" }, { allow = true } } }' % verdict
        with Place(policy, files=body) as place, place.serve(capabilities={"elicitation": {}}) as server:
            (place.folder / "work/loop").symlink_to("loop")
            (place.folder / "work/nowhere").symlink_to("/no/such/place")
            for how in ("write", "append", "remove", "make_folder", "rename", "copy"):
                for path in ("nodir/../n2", "loop", "loop/x"):
                    second = {"second": "x"} if how in ("write", "append", "rename", "copy") else {}
                    result, asked = call(server, "files", {"how": how, "path": path, **second}, ["Do not allow"])
                    said = [each["message"] for each in asked] or [text_of(result)]
                    assert path in said[0], (how, path, said)
                    whats = [line["what"] for line in lines(place) if line["kind"] in ("approval", "effect")]
                    assert path in whats[-1], (how, path, whats[-1])


def secrets():
    """Neither typed text nor the clipboard's is in the log."""
    with Place('return { rules = { { allow = true } } }') as place, place.serve() as server:
        call(server, "create_input", {"action": "type", "text": "hunter2 is the word"})
        call(server, "write_clipboard", {"text": "hunter2"})
        call(server, "call_tool", {"name": "write_clipboard", "arguments": {"text": "hunter2"}})
        call(server, "write_element_value", {"element": 'entry "Name"', "value": "hunter2"})
        call(server, "act", {"steps": [{"set": 'entry "Name"', "value": "hunter2"}, {"type": "hunter2"}]})
        text = "\n".join(path.read_text() for path in (place.folder / "state/perigee/audit").glob("*"))
        assert "create_input" in text and "hunter2" not in text, text


def killed():
    """kill -9 at any moment leaves a log that is whole up to its last whole line; the next engine goes on with it."""
    seed = int.from_bytes(os.urandom(4), "big")
    dice = random.Random(seed)
    with Place('return { rules = { { allow = true } } }') as place:
        for _ in range(25):
            server = place.serve()
            ids = [server.post("tools/call", {"name": "mark", "arguments": {"note": "x" * dice.randrange(200)}})
                   for _ in range(40)]
            server.answer(ids[0])
            for _ in range(dice.randrange(30)):
                server.receive()
            server.process.kill()
            server.process.wait()
            server.__exit__(None, None, None)
            done = audit(place, "--verify")
            assert done.returncode == 0, (seed, done.stdout, done.stderr)
        begun = {(line["pid"], line["id"]) for line in lines(place, "call")}
        assert len(begun) > 25 and all((line["pid"], line["id"]) in begun for line in lines(place, "end"))


POLICIES = (("return { rules = { { allow = true } } }", None),
            ("return { rules = { { allow = true } }, audit = { unwritten = 'go_on' } }", None),
            ("return { rules = { { allow = true } }, audit = { unwritten = 'stop' } }", "not_recorded"))


def no_folder():
    """Where the log cannot be written, calls go on and that is told; or they stop, where the policy says so."""
    for policy, code in POLICIES:
        with Place(policy) as place:
            folder = place.folder / "state/perigee"
            folder.mkdir(parents=True)
            (folder / "audit").write_text("a file in the folder's place")
            with place.serve() as server:
                result, _ = call(server, "mark")
                assert code_of(result) == code, result
                assert len(place.trace()) == (0 if code else 1)
                if code:
                    assert "could not be written" in text_of(result), result
                    continue
                status = json.loads(text_of(call(server, "engine_status")[0]))
                assert status["unrecorded"]["lines"] >= 2 and status["unrecorded"]["why"], status
                assert any("the audit log lacks" in line for line in server.errors), server.errors


@contextlib.contextmanager
def small_files(place):
    """No file of the server's may have more than 4 KB; what lets the log grow again."""
    with Server(["sh", "-c", "trap '' XFSZ; ulimit -S -f 8; exec \"$0\" \"$@\"", *place.words("serve")], env=place.env) as server:
        server.initialize("2025-11-25", {}, "tester")
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        yield server, lambda: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextlib.contextmanager
def small_disk(place):
    """The state folder is on a file system with room for 4 KB."""
    folder = place.folder / "state"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise tap.Skip(f"needs to mount a file system: {done.stderr.strip()}")
    try:
        with place.serve() as server:
            call(server, "engine_status")       # the log and its folders are there
            filler = folder / "filler"
            with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(bytes(4096)) == 4096:
                    pass
            yield server, filler.unlink
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


PAGE = 4096     # bytes; a file of either kind may end where a page does
TURNS = 300     # calls, of which one is as quick as a call can be


def room(place):
    """Bytes of the page in which the log ends."""
    size = sum(path.stat().st_size for path in (place.folder / "state/perigee/audit").glob("*.jsonl"))
    return -size % PAGE


def shortest(place):
    """The length of the shortest line that a call can have: that of an end after less than 10 ms."""
    return min(len(json.dumps({**line, "ms": 0.1}, separators=(",", ":"))) + 1 for line in lines(place, "end"))


def fill_up(server, place):
    """Calls until nothing is added to the log: a line that is shorter than the one that did not fit may fit, and so may the line of
    an end, which comes a little later and whose length is that of the call's duration. Returns how many of these calls ran."""
    same, ran = 0, len(place.trace())
    while same < 5 or room(place) >= shortest(place) and same < TURNS:
        before = len(lines(place))
        call(server, "mark")
        same = same + 1 if len(lines(place)) == before else 0
    return len(place.trace()) - ran


def full(small):
    """A disk that becomes full between two calls: the log is whole up to the last line that fitted, nothing of the next one stays
    in it, and it goes on as soon as there is room."""
    for policy, code in POLICIES:
        with Place(policy) as place, small(place) as (server, free):
            for count in range(1, 100):
                result, _ = call(server, "mark", {"note": "x" * 150})
                unwritten = json.loads(text_of(call(server, "engine_status")[0]) or "{}").get("unrecorded") if not code else None
                if code_of(result) or unwritten:
                    break
            assert code_of(result) == code, result
            assert len(place.trace()) == count - (1 if code else 0), "a call that is not recorded does not run"
            count += fill_up(server, place)
            before = len(lines(place))
            for _ in range(5):
                result, _ = call(server, "mark")
                assert code_of(result) == code and ("could not be written" in text_of(result)) == bool(code), result
            assert len(place.trace()) == count + (-1 if code else 5)
            assert audit(place, "--verify").returncode == 0, audit(place, "--verify")
            assert len(lines(place)) == before
            until(lambda: any("the audit log" in line for line in server.errors), "a word about it")
            free()
            result, _ = call(server, "mark")
            assert text_of(result) == "marked", result
            until(lambda: len(lines(place)) >= before + 2, "the lines of a call that ended")
            assert audit(place, "--verify").returncode == 0, audit(place, "--verify")
            if not code:
                status = json.loads(text_of(call(server, "engine_status")[0]))
                assert status["unrecorded"]["lines"] >= 10 and status["unrecorded"]["why"], status


def main():
    for name, function, *arguments in (
            ("each call has a line with its decision and one with its end", each_call),
            ("no secret is in a line", no_secret_is_in_it),
            ("calls within calls are their caller's", calls_within),
            ("approvals are recorded", approvals), ("a question of a call that is cancelled is recorded", cancelled),
            ("a file that leads nowhere is named", unresolved),
            ("typed text and secrets are not in the log", secrets),
            ("a killed engine leaves a log that is whole", killed),
            ("a log that cannot be written", no_folder),
            ("a log that may not grow", full, small_files),
            ("a log on a full disk", full, small_disk)):
        tap.case(name, function, *arguments)
    tap.done()


if __name__ == "__main__":
    main()
