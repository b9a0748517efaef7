"""Test Anything Protocol, the writing half: what every Python suite here prints.

A suite calls ok/skip/note while it goes and done() at the end; the plan comes last, so that a
suite which dies half way has no plan and counts as crashed.
"""

import os
import sys
import traceback

_count = 0
_failed = 0


def note(text):
    """Lines of comment: measured values, and what led to a failure."""
    for line in str(text).splitlines():
        print(f"# {line}", flush=True)


def corpus(name, count, passed=0):
    """How many attempts of a corpus were made, and how many of them succeeded: `# corpus: NAME COUNT, PASSED passed`.
    tests/run adds the numbers of all such lines to its closing line."""
    print(f"# corpus: {name} {count}, {passed} passed", flush=True)


def ok(passed, name, detail=""):
    """One test point. `detail` is shown when it failed."""
    global _count, _failed
    _count += 1
    name = name.replace("#", "no.")
    print(f"{'ok' if passed else 'not ok'} {_count} - {name}", flush=True)
    if not passed:
        _failed += 1
        if detail:
            note(detail)
    return passed


def skip(name, why):
    global _count
    _count += 1
    print(f"ok {_count} - {name.replace('#', 'no.')} # SKIP {why}", flush=True)


def case(name, function, *args):
    """Runs function; the case passes when nothing is raised. Skip from inside with Skip("why")."""
    try:
        function(*args)
    except Skip as why:
        skip(name, why)
    except Exception as error:  # pylint: disable=broad-except
        if isinstance(error, (AssertionError, Failure)) and str(error):
            where = traceback.extract_tb(error.__traceback__)[-1]
            ok(False, name, f"{error}\nat {where.filename}:{where.lineno}: {where.line}")
        else:
            ok(False, name, traceback.format_exc())
    else:
        ok(True, name)


def share(things):
    """The items for this piece of a part that tests/run splits: every n-th, or all of them."""
    number, _, pieces = os.environ.get("PERIGEE_TEST_SHARE", "1/1").partition("/")
    return list(things)[int(number) - 1::int(pieces)]


class Skip(Exception):
    """Raised by a case that cannot run here; its text says what is missing."""


class Failure(Exception):
    """Raised by a case whose expectation was not met; its text is the report."""


def done():
    """The plan, and the process's exit code."""
    print(f"1..{_count}", flush=True)
    sys.exit(1 if _failed or _count == 0 else 0)


def main():
    """For suites written with unittest: runs the calling program's cases instead."""
    import tap_unittest
    tap_unittest.main()
