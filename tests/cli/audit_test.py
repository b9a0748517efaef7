#!/usr/bin/env python3
"""perigee audit: what it shows of a log, what it finds wrong with one, and that it follows one over its files.

The lines are those of build/tests/c/audit_faults_test, which appends with the engine's own code."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from kit import FOLDER, GUARD, TOP, Running, Terminal, done, has, hasnt, must, perigee, same, tap

WRITER = TOP / os.environ.get("BUILD", "build") / "tests/c/audit_faults_test"
LOG = FOLDER / "state/perigee/audit"
NOW = LOG / "audit.jsonl"


def fresh():
    shutil.rmtree(LOG, ignore_errors=True)


MANY = 200_000          # lines: more than any test waits for, and an end to what goes wrong


def writer(count, size=1 << 24, files=1000):
    return subprocess.Popen([str(WRITER), "append", str(LOG), str(count), str(size), str(files)])


def write(count, size=1 << 24):
    same(writer(count, size).wait(timeout=GUARD), 0, "the writer's exit status")


def entry(seq, prev, members, when="2026-11-25T10:00:00.000Z", pid=42):
    return f'{{"time":"{when}","seq":{seq},"pid":{pid},{members},"prev":"{prev}"}}'.encode()


def digest(line):
    return hashlib.sha256(line).hexdigest()


def chain(*members, times=None):
    """A log of these lines, as bytes without line ends."""
    lines, prev = [], "0" * 64
    for i, each in enumerate(members):
        lines.append(entry(i + 1, prev, each, times[i] if times else f"2026-11-25T10:00:{i:02}.000Z"))
        prev = digest(lines[-1])
    return lines


def put(lines, name="audit.jsonl"):
    LOG.mkdir(parents=True, exist_ok=True)
    (LOG / name).write_bytes(b"".join(line + b"\n" for line in lines))


def lines_of(path=None):
    return (path or NOW).read_bytes().split(b"\n")[:-1]


def verified():
    answer = perigee("audit", "--verify", "--json")
    same(answer.err, "")
    return json.loads(answer.out)


def wrong(place, what, *more):
    answer = perigee("audit", "--verify")
    same(answer.code, 1, answer)
    must(answer.out.splitlines()[-1].startswith(f"{place}: {what}: "), answer)
    has(answer.out, *more)


def whole():
    answer = perigee("audit", "--verify")
    same(answer.code, 0, answer)
    return answer.out


CALL = ('"kind":"call","id":{id},"tool":"{tool}","caller":{{"kind":"http","name":"{caller}","subject":"ann"}},"args":{{}},'
        '"decision":"allow","rule":"desk"')


def call(number, tool="move_window", caller="claude"):
    return CALL.format(id=number, tool=tool, caller=caller)


def end(number, code="ok"):
    return f'"kind":"end","id":{number},"code":"{code}","ms":12,"bytes":340'


# --- what it shows --------------------------------------------------------------------------

def rows():
    fresh()
    put(chain('"kind":"file","reason":"new"', call(1), call(2, "capture_screenshot", "codex"), end(2), end(1, "not_found"),
              '"kind":"refused","tool":"rm","caller":{"kind":"stdio"},"code":"unknown_tool","decision":"deny"',
              call(3, "click_element"), '"kind":"approval","id":3,"outcome":"given","rule":"ask"'))
    same(perigee("audit").out.splitlines(), [
        "TIME (UTC)           CALLER        WHAT                DECISION              RESULT        MS  BYTES",
        "2026-11-25 10:00:01  claude (ann)  move_window         allow (desk)          not_found     12  340",
        "2026-11-25 10:00:02  codex (ann)   capture_screenshot  allow (desk)          ok            12  340",
        "2026-11-25 10:00:05  stdio         rm                  deny                  unknown_tool  -   -",
        "2026-11-25 10:00:06  claude (ann)  click_element       allow (desk)          -             -   -",
        "2026-11-25 10:00:07  claude (ann)  click_element       approval given (ask)  -             -   -"])
    same(len(perigee("audit", "--last", "2").out.splitlines()), 3)
    has(perigee("audit", "--tool", "capture_screenshot").out, "codex (ann)  capture_screenshot  allow (desk)  ok      12  340")
    same(len(perigee("audit", "--caller", "CODEX").out.splitlines()), 2)
    same(len(perigee("audit", "--caller", "http").out.splitlines()), 4)
    same(perigee("audit", "--tool", "nothing").out, "Nothing in the audit log fits.\n")


def no_log():
    fresh()
    same(perigee("audit").out, "Nothing in the audit log fits.\n")
    same(perigee("audit", "--verify").out, "There is no audit log yet.\n")
    same(perigee("audit", "--json").out, "")


def since():
    fresh()
    now = time.gmtime(time.time() - 300)
    put(chain(call(1), call(2), call(3), times=["2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z",
                                                time.strftime("%Y-%m-%dT%H:%M:%S.000Z", now)]))
    for word, count in (("2026-02-01", 2), ("2026-02-01T00:00:00Z", 2), ("2026-02-01T01:00:00+01:00", 2), ("10m", 1), ("2h", 1),
                        ("1m", 0), ("2026-01-31T23:59:59.5Z", 3), ("1970-01-01", 3)):
        same(len(perigee("audit", "--since", word, "--json").out.splitlines()), count, word)
    for word in ("", "x", "10", "2026-02-30", "2026-13-01", "2026-02-01T25:00:00Z", "2026-02-01T00:00:00"):
        same(perigee("audit", f"--since={word}").code, 2, word)


def since_a_clock_was_set_back():
    """--since stopped at the first line that was older, and hid the ones before it."""
    fresh()
    put(chain(call(1), call(2), call(3), call(4), times=["2026-02-02T10:00:00.000Z", "2026-02-02T11:00:00.000Z",
                                                         "2026-02-01T10:00:00.000Z", "2026-02-02T12:00:00.000Z"]))
    same([json.loads(each)["id"] for each in perigee("audit", "--since", "2026-02-02", "--json").out.splitlines()], [1, 2, 4])


def raw_lines():
    fresh()
    lines = chain('"kind":"file","reason":"new"', call(1), call(2, caller="codex"), end(1), end(2))
    put(lines)
    same(perigee("audit", "--json").out.encode(), b"".join(line + b"\n" for line in lines))
    same(perigee("audit", "--json", "--last", "2").out.encode(), b"".join(line + b"\n" for line in lines[-2:]))
    same(perigee("audit", "--json", "--caller", "codex").out.encode(), lines[2] + b"\n" + lines[4] + b"\n")


def strange_bytes():
    """Garbage neither ends the command nor reaches the terminal."""
    fresh()
    lines = chain(call(1, caller="\\u001b[31mred\\u202eder\\u0007"), call(2, tool="a\u202eb\u009b31m\x7f"))
    put([lines[0], b"\0" * 1000, b"\xff\xfe{", b"x" * 10_000_000, b"{}", b"[1]", b'{"time":5}', b"\x1b[2J", lines[1]])
    answer = perigee("audit")
    same((answer.code, len(answer.out.splitlines())), (0, 3), answer)
    has(answer.err, "7 lines are not of the audit log: `perigee audit --verify` says where")
    for words in (["audit"], ["audit", "--json"], ["audit", "--verify"]):
        with Terminal(*words, width=300, NO_COLOR="1") as terminal:
            shown = terminal.end().out
            hasnt(shown.replace("\x1b[?", ""), "\x1b", "\x07", "\u202e", "\u009b", "\x7f")
    wrong("audit.jsonl:2", "inserted")


def one_call_over_files():
    """A row is made of lines of the file of one process and of the shared one."""
    fresh()
    put(chain('"kind":"file","reason":"new"', call(1)))
    put(chain('"kind":"file","reason":"busy","removed":[]', end(1)), "own-20261125T100002.000Z-42.jsonl")
    has(perigee("audit").out, "move_window  allow (desk)  ok      12  340")


tap.case("a row for each call, approval and refusal", rows)
tap.case("without a log there is nothing", no_log)
tap.case("--since takes spans, dates and times", since)
tap.case("--since finds what was written before a clock was set back", since_a_clock_was_set_back)
tap.case("--json prints lines as they are", raw_lines)
tap.case("strange bytes do not end it, and do not reach the terminal", strange_bytes)
tap.case("a call may begin in one file and end in another", one_call_over_files)


# --- what it finds wrong ------------------------------------------------------------------------

def written():
    fresh()
    write(400, 10000)
    files = sorted(LOG.glob("audit-*.jsonl"))
    same(verified()["ok"], True)
    return files


def no_fault():
    written()
    out = whole()
    must(out.endswith(": whole\n") and " lines in " in out, out)
    same(verified()["last"], digest(lines_of()[-1]))


def tampering():
    """Each kind is tried in the middle of a file, at its first line and in the last file."""
    files = written()
    for path, at in ((files[2], 10), (files[2], 1), (NOW, 3), (files[0], 5)):
        lines, name = lines_of(path), path.name
        for what, changed, place in (
                ("changed", [*lines[:at], lines[at].replace(b'"x":', b'"y":').replace(b'"kind":"file"', b'"kind":"fail"'),
                             *lines[at + 1:]], at + 1),
                ("changed", [*lines[:at], lines[at][:-20], *lines[at + 1:]], at + 1),
                ("changed", [*lines[:at], lines[at][:-66] + b"0" * 64 + b'"}', *lines[at + 1:]], at + 1),
                ("removed", lines[:at] + lines[at + 1:], at + 1),
                ("removed", lines[:at] + lines[at + 3:], at + 1),
                ("inserted", [*lines[:at], b"hello", *lines[at:]], at + 1),
                ("inserted", [*lines[:at], lines[at], *lines[at:]], at + 2),
                ("inserted", [*lines[:at], entry(json.loads(lines[at])["seq"], digest(lines[at - 1]), '"kind":"call"'),
                              *lines[at:]], at + 1),
                ("inserted", [*lines[:at], entry(json.loads(lines[at])["seq"], "1" * 64, '"kind":"call"'), *lines[at:]], at + 1),
                ("reordered", [*lines[:at], lines[at + 1], lines[at], *lines[at + 2:]], at + 1)):
            put(changed, name)
            wrong(f"{name}:{place}", what)
        put(lines, name)
    whole()


def missing_files():
    files = written()
    kept = {path: path.read_bytes() for path in [*files, NOW]}
    for path, place in ((files[3], f"{files[4].name}:1"), (files[0], f"{files[1].name}:1")):
        path.unlink()
        wrong(place, "removed")
        path.write_bytes(kept[path])
    NOW.unlink()
    write(1, 10000)
    wrong("audit.jsonl:1", "removed", "the log begins again here")
    NOW.write_bytes(kept[NOW])
    whole()


def lost_lines():
    """A process knows what it wrote."""
    fresh()
    running = writer(MANY, 1 << 30)
    try:
        while not (NOW.exists() and len(lines_of()) > 50):
            must(running.poll() is None, "the writer ended")
        running.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, running.pid, os.WSTOPPED | os.WNOWAIT)
        NOW.unlink()
        running.send_signal(signal.SIGCONT)
        while not (NOW.exists() and len(lines_of()) > 5):
            must(running.poll() is None, "the writer ended")
    finally:
        running.kill()
        running.wait()
    wrong("audit.jsonl:1", "removed", "had written line number")


def torn():
    """An unfinished line, last or before one that names it, is reported and is not a fault; any other damage is one."""
    fresh()
    write(3)
    lines = lines_of()
    for cut in (1, 30, len(lines[-1]) - 1):
        NOW.write_bytes(b"\n".join(lines[:-1]) + b"\n" + lines[-1][:cut])
        has(whole(), f"audit.jsonl:4: torn: the rest of an unfinished write, {cut} bytes", "3 lines in 1 file: whole")
        write(2)
        same(json.loads(lines_of()[4])["kind"], "torn")
        has(whole(), "audit.jsonl:4: torn: ", "6 lines in 1 file: whole")
    put([*lines_of()[:3], b'{"time":"another', *lines_of()[4:]])
    wrong("audit.jsonl:4", "changed")
    NOW.write_bytes(b"\n".join(lines))
    same(whole(), "4 lines in 1 file: whole\n")
    write(1)
    same(whole(), "5 lines in 1 file: whole\n")
    NOW.write_bytes(b"\n".join(lines) + b"\nhello\n")
    wrong("audit.jsonl:5", "inserted")
    NOW.write_bytes(b"\n".join(lines) + b"\n" + b"\0" * 4000)
    has(whole(), "audit.jsonl:5: torn: the rest of an unfinished write, 4000 bytes")


def other_bytes():
    """The same text in other bytes is not what was written, in all lines, in the last one and in a log that goes on."""
    fresh()
    write(3)
    lines = lines_of()
    entry_of = json.loads(lines[-1])
    last = {
        "reordered keys": json.dumps(dict(reversed(entry_of.items())), separators=(",", ":")).encode(),
        "another order of the first keys": re.sub(rb'("seq":\d+),("pid":\d+)', rb"\2,\1", lines[-1]),
        "a key twice": lines[-1].replace(b',"kind"', b',"pid":1,"kind"'),
        "an escaped key": lines[-1].replace(b'"kind"', b'"k\\u0069nd"'),
        "blanks between": json.dumps(entry_of).encode(),
        "a tab in it": lines[-1].replace(b',"prev"', b'\t,"prev"'),
        "half a value": lines[-1].replace(b',"prev"', b',"prev"', 1).replace(b'{"x"', b'{"x'),
        "a zero byte in it": lines[-1].replace(b"call", b"ca\0l"),
        "a zero byte behind it": lines[-1] + b"\0",
    }
    for name, log in {
            "CRLF": b"".join(line + b"\r\n" for line in lines),
            "CRLF at the end": b"\n".join(lines) + b"\r\n",
            "CR": b"\r".join(lines) + b"\r",
            "trailing blanks": b"".join(line + b"  \n" for line in lines),
            "a blank line": b"\n".join([*lines, b"", b""]),
            "a blank line in front": b"\n" + b"\n".join(lines) + b"\n",
            "a blank": b"\n".join([*lines, b" "]),
            "a byte order mark": b"\xef\xbb\xbf" + b"\n".join(lines) + b"\n",
            "UTF-16": (b"\n".join(lines) + b"\n").decode().encode("utf-16"),
            **{name: b"\n".join([*lines[:-1], each, b""]) for name, each in last.items()}}.items():
        NOW.write_bytes(log)
        answer = perigee("audit", "--verify")
        same((name, answer.code), (name, 1), answer)
        must(re.match(r"audit\.jsonl:\d: (changed|inserted): ", answer.out), answer)
        if name in ("CRLF", "a tab in it"):                         # a log that goes on
            write(1)
            same((name, perigee("audit", "--verify").code), (name, 1))


def own_files():
    """A stopped process keeps the lock, so the writer has a file of its own, which goes missing afterwards."""
    fresh()
    write(1)
    holder = subprocess.Popen([sys.executable, "-c", "import fcntl, os, signal, sys\n"
                               "file = open(sys.argv[1], 'r+')\nfcntl.flock(file, fcntl.LOCK_EX)\nos.kill(os.getpid(), signal.SIGSTOP)",
                               str(NOW)])
    os.waitid(os.P_PID, holder.pid, os.WSTOPPED | os.WNOWAIT)
    running = writer(MANY, 1 << 30)
    try:
        while not any(len(lines_of(path)) > 5 for path in LOG.glob("own-*.jsonl")):
            must(running.poll() is None, "the writer ended")
        holder.kill()
        holder.wait()
        while len(lines_of()) < 20:
            must(running.poll() is None, "the writer ended")
    finally:
        running.kill()
        running.wait()
        holder.kill()
    own = next(LOG.glob("own-*.jsonl"))
    same(verified()["ok"], True)
    lines = lines_of(own)
    put(lines[:2] + lines[3:], own.name)
    wrong(f"{own.name}:3", "removed")
    put(lines[:-3], own.name)
    wrong(f"{own.name}:{len(lines) - 3}", "removed", "knows of line number")
    own.unlink()
    wrong("audit.jsonl:3", "removed", own.name)


tap.case("a log of several files is whole", no_fault)
tap.case("each kind of tampering is found, with its line", tampering)
tap.case("a file that is missing is found", missing_files)
tap.case("lines that a process wrote and that are gone are noticed", lost_lines)
tap.case("the rest of an unfinished write is told apart", torn)
tap.case("a log with other bytes than were written is not whole", other_bytes)
tap.case("files of one process are tied to the log", own_files)


# --- many processes ---------------------------------------------------------------------------

def interleaved():
    fresh()
    writers = [writer(1000, 50000) for _ in range(4)]
    same([each.wait(timeout=3 * GUARD) for each in writers], [0] * 4)
    calls = sum(line.count(b'"kind":"call"') for path in LOG.glob("*.jsonl") for line in lines_of(path))
    same(calls, 4000)
    same(verified()["ok"], True)


def killed():
    """kill -9 at any moment, 100 times, with other writers beside it: no line is lost that was whole."""
    fresh()
    others = [writer(MANY, 200000, 20) for _ in range(2)]
    chance = random.Random(4711)
    try:
        for i in range(100):
            victim = writer(MANY, 200000, 20)
            time.sleep(chance.random() * 0.02)      # any moment is fine
            victim.kill()
            victim.wait()
            if i % 10 == 9:
                for other in others:
                    other.send_signal(signal.SIGSTOP)
                verdict = verified()
                must(verdict["ok"], verdict)
                for other in others:
                    other.send_signal(signal.SIGCONT)
    finally:
        for other in others:
            other.kill()
            other.wait()
    verdict = verified()
    must(verdict["ok"] and verdict["lines"] > 100, verdict)


tap.case("processes that append by turns make one chain", interleaved)
tap.case("kill -9 at any moment leaves a chain that is whole", killed)


# --- following ----------------------------------------------------------------------------------

def followed():
    """Each line of rotated files comes once."""
    fresh()
    write(2)
    running = Running("audit", "--follow", "--json", "--last", "1")
    try:
        same(json.loads(running.line())["id"], 2)
        same(writer(50, 2000).wait(timeout=GUARD), 0)
        ids = []
        while len(ids) < 50:
            line = json.loads(running.line())
            if line["kind"] == "call":
                ids.append(line["id"])
        same(ids, list(range(1, 51)))
    finally:
        running.signal(signal.SIGINT)
        same(running.end().code, 130)


def followed_rows():
    fresh()
    lines = chain('"kind":"file","reason":"new"', call(1), end(1), call(2, "wait_for"), end(2, "timeout"))
    put(lines[:2])
    running = Running("audit", "--follow")
    try:
        has(running.line(), "TIME (UTC)")
        has(running.line(), "move_window", "allow (desk)")
        with open(NOW, "ab") as file:
            file.write(lines[2] + b"\n" + lines[3][:50])
            file.flush()
            has(running.line(), "move_window", "ok")
            file.write(lines[3][50:] + b"\n" + lines[4] + b"\n")
        has(running.line(), "wait_for", "timeout")
    finally:
        running.signal(signal.SIGINT)
        running.end()


tap.case("--follow goes on over rotated files", followed)
tap.case("--follow shows a row when its call has ended", followed_rows)

done()
