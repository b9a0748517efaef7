#!/usr/bin/env python3
"""The runner of Python guests (lua/scripts/python), under each Python here: user code with its right answer
(tests/lib/python_probes.py). The code runs without a jail, or in the real one where the program has it."""

import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                                  # noqa: E402
from python_guest import Server, interpreters               # noqa: E402
from python_probes import PROBES                            # noqa: E402


def differences(answer, expected):
    """What is not as it should be, in words."""
    done = answer.done
    if expected.get("killed"):
        if done or answer.status & 127 != expected["killed"]:
            yield f"ended with status {answer.status}"
        done = {"ok": True, "error": None, "function_called": False, "timeout": False, "result": None, "message": ""}
    if done is None:
        yield "the guest died"
        return
    yield from errors(done, expected)
    yield from values(done, expected)
    yield from streams(answer, expected)
    if "files" in expected and answer.files != expected["files"]:
        yield "files"


def errors(done, expected):
    error, wanted = done["error"], expected.get("error")
    if done["ok"] != (wanted is None):
        yield "ok"
    if error and wanted and error["kind"] not in (wanted if isinstance(wanted, tuple) else (wanted,)):
        yield "the error's kind"
    if wanted and error and expected.get("says", "") not in error["message"]:
        yield "the error's message"
    for part in expected.get("trace", ()):
        if not error or part not in (error["traceback"] or ""):
            yield f"no {part!r} in the traceback"
    if error and "scripts/python" in (error["traceback"] or ""):
        yield "frames of ours"
    if done["timeout"] != expected.get("timeout", False):
        yield "timeout"


def values(done, expected):
    if done["function_called"] != expected.get("calls", False):
        yield "function_called"
    if done["result"] != expected.get("result"):
        yield "the result"
    if "shown" in expected and done.get("result_repr") != expected["shown"]:
        yield "result_repr"
    if expected.get("message", "") not in done["message"]:
        yield "the message"


def streams(answer, expected):
    for stream, text in (("out", answer.out), ("err", answer.err)):
        wanted = expected.get(stream)
        parts = expected.get(stream + "_has")
        if wanted is not None and text != wanted:
            yield f"std{stream}"
        if wanted is None and parts is None and text and expected.get("quiet", True):
            yield f"std{stream} is not empty"
        if any(part not in text for part in parts or ()):
            yield f"std{stream} has not {parts}"


def fits(expected, version, jailed):
    number = tuple(map(int, version.split(".")))
    return expected.get("since", number) <= number and not expected.get("outside" if jailed else "jail")


def probe(server, code, more, expected):
    answer = server.run(code, **more)
    wrong = list(differences(answer, expected))
    if wrong:
        raise tap.Failure(f"{', '.join(wrong)}:\n{answer}")


def main():
    found = interpreters()
    tap.note(f"interpreters: {' '.join(version for version, _ in found)}")
    for version, python in tap.share(found):
        with Server(python) as server:
            for name, code, more, expected in PROBES:
                if fits(expected, version, False):
                    tap.case(f"{version}: {name}", probe, server, code, more, expected)
    tap.done()


if __name__ == "__main__":
    main()
