"""Running the official conformance suite: what its halves, client and server, share."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))

import tap      # noqa: E402

NODE = os.path.join(HERE, "node_modules/node/bin/node")
SUITE = os.path.join(HERE, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
LIMIT = 840     # seconds for a whole half; only against hanging
SCENARIO_SECONDS = 420      # for one client; the suite's own 30 are too few where the processors are shared
SCENARIO = re.compile(r"^\s*([✓✗])\s+(\S+): (\d+) passed, (\d+) failed")
UNSCORED = re.compile(r"^\s*[✓✗]\s+(\S+) \((extension|added-after-release|informational|.*)\)\s*$")


def installed():
    return os.path.exists(NODE) and os.path.exists(SUITE)


def need():
    if not installed():
        raise tap.Skip("the official suite is not installed (tests/conformance/install)")


def run(*words):
    """(what it said, its exit status)"""
    done = subprocess.run([NODE, SUITE, *words], capture_output=True, text=True, timeout=LIMIT, cwd=TOP,
                          stdin=subprocess.DEVNULL, check=False)
    return done.stdout + done.stderr, done.returncode


def scenarios(text, also):
    """The scored scenarios of a summary: name -> (checks passed, checks failed). Those whose names begin with
    `also` and that check anything count here, though the suite does not score them."""
    found, unscored = {}, set()
    for line in text.splitlines():
        if match := SCENARIO.match(line):
            found[match[2]] = (int(match[3]), int(match[4]))
        elif match := UNSCORED.match(line):
            unscored.add(match[1])
    if also:
        unscored -= {name for name, checks in found.items() if name.startswith(also) and any(checks)}
    return {name: checks for name, checks in found.items() if name not in unscored}


def report(half, revision, required, text, status, also=(), more=0):
    """One point for each scenario, one for the total; fails when one is missing or not whole. Of those that `also`
    names there are `more`; the revision does not require them."""
    scored = scenarios(text, also)
    for name, (passed, failed) in sorted(scored.items()):
        tap.ok(failed == 0 and passed > 0, f"{half} {revision}: {name}", f"{passed} passed, {failed} failed")
    whole = {name for name, (passed, failed) in scored.items() if failed == 0 and passed > 0}
    extra = {name for name in whole if also and name.startswith(also)}
    tap.note(f"{half} {revision}: {len(whole - extra)} of {required} required scenarios"
             f"{f' and {len(extra)} others' if extra else ''}, {sum(passed for passed, _ in scored.values())} checks")
    tap.ok(len(whole - extra) == required and len(extra) == more and status == 0,
           f"{half} {revision}: all {required} required scenarios", "\n".join(text.splitlines()[-40:]))


def everything(half, text, lacking, empty):
    """The whole list of the suite, scored or not: what fails is `lacking` and nothing else, what checks nothing is `empty`.
    docs/conformance.md names both; what changes is to be changed there."""
    found = {match[2]: (int(match[3]), int(match[4])) for match in map(SCENARIO.match, text.splitlines()) if match}
    failing = {name for name, (_, failed) in found.items() if failed}
    silent = {name for name, checks in found.items() if not any(checks)}
    tap.note(f"{half} --suite all: {len(found) - len(failing) - len(silent)} of {len(found)} scenarios; "
             f"fail: {', '.join(sorted(failing)) or 'none'}; check nothing: {', '.join(sorted(silent)) or 'none'}")
    tap.ok(bool(found) and failing == set(lacking), f"{half} --suite all: what fails is known",
           f"failing: {sorted(failing)}\nknown: {sorted(lacking)}\n" + "\n".join(text.splitlines()[-20:]))
    tap.ok(silent == set(empty), f"{half} --suite all: what checks nothing is known", f"{sorted(silent)}")
    with open(os.path.join(TOP, "docs/conformance.md"), encoding="utf-8") as file:
        said = file.read()
    unsaid = [name for name in sorted(failing | silent) if f"`{name}`" not in said]
    tap.ok(not unsaid, f"{half} --suite all: docs/conformance.md names what is not passed", f"{unsaid}")
