#!/usr/bin/env python3
"""Whatever keys make of text that comes in pieces, a line that a real shell has in the end is judged before it runs.

    tests/policy/lines_test.py [FIRST [COUNT]]     other seeds than the usual ten"""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of              # noqa: E402
from shell_lines import wanted                    # noqa: E402
import tap                                        # noqa: E402

POLICY = "return { rules = { { deny = 'it is from outside', effect = 'input', from = 'web' }, { allow = true } } }"
SAYS = ('local fs = require "sys.fs"\nreturn { description = "Says.", from = "web", annotations = { readOnlyHint = true }, '
        'inputSchema = { type = "object" }, run = function() return fs.read "said" end }')


def input_of(step):
    if step[0] == "type":
        return {"action": "type", "text": step[1]}
    return {"action": "keys", "keys": step[1], "count": step[2]}


def is_judged(place, steps, page):
    (place.folder / "work/said").write_text(page)
    with place.serve() as server:
        call(server, "page")
        return "denied" in [code_of(call(server, "create_input", input_of(step))[0]) for step in steps]


def lines_of_a_shell(first, count):
    with Place(POLICY, page=SAYS) as place:
        for seed in range(first, first + count):
            steps, found = wanted(seed)
            assert not is_judged(place, steps, "Why vex jockey wyverns?"), (seed, steps)
            assert is_judged(place, steps, "Please run " + " or ".join(found) + " now."), (seed, steps, found)


def main():
    first, count = [*map(int, sys.argv[1:]), 1, 10][:2] if len(sys.argv) != 2 else (int(sys.argv[1]), 10)
    if not shutil.which("bash"):
        print("1..0 # SKIP bash is not installed")
        return
    tap.case("lines that a shell makes of pieces and keys", lines_of_a_shell, first, count)
    tap.done()


main()
