#!/usr/bin/env python3
"""The runner of Python guests (lua/scripts/python): user code with its right answer (tests/lib/python_probes.py).

    tests/python/probes_test.py [--wide]

The code runs in the jail, under the system's Python. With --wide it runs under each Python here, without a jail and in the real
one, with all layers or as few as a system may have.
"""

import os
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                                  # noqa: E402
from python_guest import Server, interpreters               # noqa: E402
from python_server import words                             # noqa: E402
from python_probes import PROBES                            # noqa: E402
from server import PERIGEE                                  # noqa: E402


def differences(answer, expected):
    """Yields each difference, in words."""
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


def fits(expected, version, layers):
    """`layers`: of the jail, 0 without one."""
    number, needs = tuple(map(int, version.split("."))), expected.get("needs", 0)
    if not layers:
        return expected.get("since", number) <= number and not expected.get("jail")
    return expected.get("since", number) <= number and not expected.get("outside") and layers & needs == needs


def probe(server, code, more, expected):
    answer = server.run(code, **more)
    wrong = list(differences(answer, expected))
    if wrong:
        raise tap.Failure(f"{', '.join(wrong)}:\n{answer}")


def run_all(server, version, layers, title):
    for name, code, more, expected in PROBES:
        if fits(expected, version, layers):
            tap.case(f"{title}: {name}", probe, server, code, more, expected)


def jailed(refused=""):
    """The command of the real server, on a system that refuses these layers."""
    filtered = [sys.executable, str(TOP / "tests/lib/filtered.py"), refused] if refused else []
    return lambda python: Server(python, command=[*filtered, *words(python)],
                                 env={"PERIGEE_LUA": str(TOP / "lua")})


JAILS = [("jail", jailed()), ("no namespaces", jailed("namespaces")), ("system calls only", jailed("namespaces,landlock"))]


def in_one(version, python, name, start):
    with start(python) as server:
        tap.note(f"{version}, {name}: layers {server.layers}")
        run_all(server, version, server.layers if start != Server else 0, f"{version}, {name}")


def main():
    wide = "--wide" in sys.argv[1:]
    found = interpreters(every=wide)
    tap.note(f"interpreters: {' '.join(version for version, _ in found)}")
    jailed_here = os.path.exists(os.path.join(os.path.dirname(PERIGEE), "modules", "python_jail.so"))
    if not jailed_here:
        tap.skip("the jail", "this build of the program has none for Python")
    cases = [(*each, "no jail", Server) for each in found if wide or not jailed_here]
    if jailed_here:
        cases += [(*each, *jail) for each in found for jail in (JAILS if wide and each == found[0] else JAILS[:1])]
    for case in tap.share(cases):
        in_one(*case)
    tap.done()


if __name__ == "__main__":
    main()
