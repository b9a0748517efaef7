#!/usr/bin/env python3
"""A TEST DOUBLE of osascript: takes its command line, answers as Keynote's scripts would, and writes down each call.

    OSASCRIPT_DOUBLE=FOLDER osascript_double.py [-l LANGUAGE] [-s FLAGS] [-e TEXT]... [FILE|-] [ARGUMENT...]
    OSASCRIPT_DOUBLE=FOLDER osascript_double.py --osa-helper       the same as `perigee --osa-helper` (io/osa_helper.h)

It runs no AppleScript. A script is known by its file's name, or by the first line of its text, "-- NAME: ...", and
the scripts of lua/scripts/keynote, mail and common are played on small models of Keynote, Mail, the Finder and others. FOLDER has

    calls.jsonl   a line for each call: script, argv, stdin, terms (the bundle id of its `using terms from`), language
                  (of -l, if it is given)
    helpers       a line for each helper that was started: its process id
    keynote.json  the model: installed, running, documents; made when missing, and a test's to change in between
    .busy         locked while one runs; a call beside it has "overlaps" in calls.jsonl
    mail.json     the model of Mail: sent, refuses
    common.json   that of the others (common_apps_model.py)
    plan.json     what to do instead of playing; made by the test, see plan_for()

plan.json: {"expect": {SCRIPT: [ARGUMENT, null for any, ...]}, "answers": [{"script": SCRIPT or "*", "times": N, ...}]}.
An answer with `times` is used that often; the first that fits wins. It has one of

    {"fail": NUMBER, "message": TEXT?}    an error as osascript prints it (MESSAGES), exit code 1
    {"text": TEXT, "errors": TEXT?}       this output, exit code 0; `errors` goes to stderr
    {"do": "hang"|"huge"|"invalid_utf8"|"silent"|"die"|"syntax"|"lost"|"nonsense"}
    {"slow": SECONDS}                     then go on as usual

A call that does not fit `expect` is answered with exit code 64 and noted with "unexpected" in calls.jsonl.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from typing import IO, Any, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import common_apps_model  # noqa: E402
import keynote_model  # noqa: E402
import mail_app_model  # noqa: E402
from keynote_model import Failed  # noqa: E402


MESSAGES = {
    -43: "Keynote got an error: File /tmp/x wasn\u2019t found.",
    -128: "User canceled.",
    -600: "Keynote got an error: Application isn\u2019t running.",
    -609: "Keynote got an error: Connection is invalid.",
    -1700: "Can\u2019t make \"x\" into type number.",
    -1703: "Keynote got an error: Wrong type.",
    -1708: "Keynote got an error: document 1 doesn\u2019t understand the \u201cexport\u201d message.",
    -1712: "Keynote got an error: AppleEvent timed out.",
    -1713: "Keynote got an error: No user interaction allowed.",
    -1715: "Keynote got an error: Some parameter is missing for export.",
    -1719: "Keynote got an error: Can\u2019t get shape 9 of slide 1. Invalid index.",
    -1728: "Keynote got an error: Can\u2019t get document id \"X\".",
    -1742: "Keynote got an error: The target is not permitted.",
    -1743: "Not authorized to send Apple events to Keynote.",
    -1744: "Keynote got an error: The user must consent.",
    -1750: "An OSA system error occurred.",
    -1753: "A script error occurred.",
    -2700: "An error of the script\u2019s own.",
    -2740: "A identifier can\u2019t go after this number.",
    -2741: "Expected end of line but found identifier.",
    -2753: "The variable x is not defined.",
    -10000: "Keynote got an error: AppleEvent handler failed.",
    -10004: "Keynote got an error: A privilege violation occurred.",
    -10005: "Keynote got an error: Can\u2019t get a property that only can be set.",
    -10006: "Keynote got an error: Can\u2019t set frontmost to true.",
    -10014: "Keynote got an error: Can\u2019t handle more than one object.",
    -10810: "Keynote got an error: An error of type -10810 has occurred.",
    -10814: "Keynote is not installed.",
    -25204: "System Events got an error: The application cannot complete.",
    -25211: "System Events got an error: The accessibility API is disabled.",
    -25212: "System Events got an error: There is no value.",
    1002: "System Events got an error: osascript is not allowed to send keystrokes.",
}
ASSISTIVE = "System Events got an error: osascript is not allowed assistive access."   # also -1719


def script_of(path):
    """The file that is run: of a bundle, the script in it."""
    return path / "Contents/Resources/Scripts/main.scpt" if path.is_dir() else path


class Call:
    def __init__(self, argv: list[str]) -> None:
        self.file = ""
        self.text = ""
        self.stdin = ""
        self.args: list[str] = []
        self.language = ""
        self._parse(argv)
        self.script = self._name()
        found = re.search(r'using terms from application id "([^"]*)"', self.text)
        self.terms = found[1] if found else ""

    def _parse(self, argv: list[str]) -> None:
        typed, rest = [], list(argv)
        while rest and rest[0] in ("-e", "-l", "-s"):
            option, value, *rest = rest if len(rest) > 1 else [*rest, ""]
            if option == "-e":
                typed.append(value)
            if option == "-l":
                self.language = value
        if typed:
            self.text, self.args = "\n".join(typed), rest
        elif not rest or rest[0] == "-":
            self.stdin = sys.stdin.read()
            self.text, self.args = self.stdin, rest[1:]
        else:
            self.file, self.args = rest[0], rest[1:]
            try:
                self.text = script_of(pathlib.Path(self.file)).read_text(encoding="utf-8")
            except OSError as error:
                sys.stderr.write(f"osascript: {self.file}: {error.strerror}\n")
                sys.exit(1)

    def _name(self) -> str:
        if self.file:
            return pathlib.Path(self.file).stem
        found = re.match(r"-- (\w+):", self.text)
        return found[1] if found else ""

    def note(self) -> dict[str, Any]:
        note = {"script": self.script, "file": self.file, "argv": self.args, "stdin": self.stdin, "terms": self.terms}
        return dict(note, language=self.language) if self.language else note


def write_down(folder: pathlib.Path, note: dict[str, Any]) -> None:
    line = json.dumps(note, ensure_ascii=False) + "\n"
    with open(folder / "calls.jsonl", "a", encoding="utf-8", errors="surrogatepass") as file:
        file.write(line)


@contextlib.contextmanager
def shared(folder: pathlib.Path, name: str) -> Iterator[dict[str, Any]]:
    """A JSON file, alone; what the block does to the value is kept, also when it raises."""
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = folder / name
        value = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        try:
            yield value
        finally:
            file.write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")


def plan_for(folder: pathlib.Path, call: Call) -> tuple[dict[str, Any], list[str | None] | None]:
    """The answer planned for a call, counted off, and the arguments expected of it."""
    with shared(folder, "plan.json") as plan:
        for answer in plan.get("answers", []):
            if answer.get("script", "*") in ("*", call.script) and answer.get("times", 1) > 0:
                if "times" in answer:
                    answer["times"] -= 1
                return dict(answer), plan.get("expect", {}).get(call.script)
        return {}, plan.get("expect", {}).get(call.script)


def fits(expected: list[str | None] | None, args: list[str]) -> bool:
    return expected is None or (len(expected) == len(args) and
                                all(want is None or want == got for want, got in zip(expected, args)))


def fail(call: Call, number: int, message: str = "", kind: str = "execution") -> int:
    """`path:from:to: execution error: text (number)`; a script from stdin has no path."""
    place = f"{call.file}:120:164" if call.file else "120:164"
    text = message or MESSAGES.get(number, "Keynote got an error: An error of type has occurred.")
    sys.stderr.write(f"{place}: {kind} error: {text} ({number})\n")
    return 1


def misbehave(call: Call, what: str) -> int:
    if what == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)       # so that only a kill ends it
        while True:
            time.sleep(3600)
    if what == "huge":
        block = b"x" * 65536
        for _ in range(320):                                # 20 MB
            sys.stdout.buffer.write(block)
        return 0
    if what == "invalid_utf8":
        sys.stdout.buffer.write(b"D1|\xff\xfe|768|\n")
        return 0
    if what == "die":
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "nonsense":                                  # from the helper: no answer
        print("\x00 nonsense")
        return 0
    if what == "syntax":
        return fail(call, -2741, "Expected end of line but found identifier.", "syntax")
    if what == "lost":
        return fail(call, -1719, ASSISTIVE)
    return 1                                                # "silent": an exit code and no word


def play(folder: pathlib.Path, call: Call) -> int:
    common = call.script in common_apps_model.SCRIPTS
    with shared(folder, "mail.json" if call.script == "send_message" else "common.json" if common else "keynote.json") as state:
        try:
            if common:
                print(common_apps_model.play(state, call.script, call.args, call.terms))
                return 0
            if call.script == "send_message":
                print(mail_app_model.send_message(state, call.args, call.terms))
                return 0
            print(keynote_model.play(keynote_model.complete(state), call.script, call.args, call.terms))
        except Failed as failed:
            return fail(call, failed.number, failed.message, failed.kind)
    return 0


def taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def helper_answer(request: dict[str, Any]) -> bytes:
    """One script, by a double of its own; what it prints as the helper's answer. Output that is not UTF-8 stays so."""
    done = subprocess.run([__file__, "-", *request["args"]], input=request["text"].encode(), capture_output=True, check=False)
    if done.returncode < 0:
        os.kill(os.getpid(), -done.returncode)
    if done.stdout.startswith(b"\0 nonsense"):
        return done.stdout
    if done.returncode == 0:
        text = json.dumps(done.stdout.removesuffix(b"\n").decode(errors="surrogateescape"), ensure_ascii=False)
        return b'{"id":%d,"output":%s}\n' % (request["id"], text.encode(errors="surrogateescape"))
    said = re.match(r"(\d+):(\d+): (\w+) error: (.*) \((-?\d+)\)$", done.stderr.decode().strip(), re.S)
    error: dict[str, Any] = {"message": done.stderr.decode()}
    if said:
        error = {"message": said[4], "number": int(said[5]), "compiling": said[3] == "syntax",
                 "range": [int(said[1]), int(said[2]) - int(said[1])]}
    return (json.dumps({"id": request["id"], "error": error}) + "\n").encode()


def helper(folder: pathlib.Path) -> int:
    with open(folder / "helpers", "a") as file:
        file.write(f"{os.getpid()}\n")
    out = sys.stdout.buffer
    out.write(b'{"perigee_osa":1}\n')
    out.flush()
    for line in sys.stdin:
        out.write(helper_answer(json.loads(line)))
        out.flush()
    return 0


def main() -> int:
    folder = pathlib.Path(os.environ.get("OSASCRIPT_DOUBLE", ""))
    if not os.environ.get("OSASCRIPT_DOUBLE") or not folder.is_dir():
        sys.stderr.write("osascript_double.py: a test double, not osascript; OSASCRIPT_DOUBLE names no folder\n")
        return 64
    if sys.argv[1:] == ["--osa-helper"]:
        return helper(folder)
    busy = open(folder / ".busy", "w")                      # held until we end; a second one at the same time says so
    alone = not taken(busy)
    call = Call(sys.argv[1:])
    answer, expected = plan_for(folder, call)
    if not fits(expected, call.args):
        write_down(folder, dict(call.note(), unexpected=expected))
        sys.stderr.write(f"osascript_double.py: {call.script} got {call.args}, expected {expected}\n")
        return 64
    write_down(folder, call.note() if alone else dict(call.note(), overlaps=True))
    if "slow" in answer:
        time.sleep(answer["slow"])
    if "fail" in answer:
        return fail(call, answer["fail"], answer.get("message", ""))
    if "text" in answer:
        print(answer["text"])
        sys.stderr.write(answer.get("errors", ""))
        return 0
    return misbehave(call, answer["do"]) if "do" in answer else play(folder, call)


if __name__ == "__main__":
    sys.exit(main())
