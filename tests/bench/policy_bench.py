#!/usr/bin/env python3
"""`make bench`, the part of the policy: what its decision adds to a call.

    tests/bench/policy_bench.py [--calls 20000]

Times are medians of rounds. The floor of the decision is a call of an empty function. Nothing fails by time: an aim is `met` or
`MISSED`."""

import argparse
import json
import pathlib
import subprocess
import tempfile

from session import ENVIRONMENT, PERIGEE, aim

DECISION_US = 5.0       # aims
GATE_US = 1.0

# Each line: what, microseconds. A caller of its own for each kind, as a session has one.
SCRIPT = """
local policy, time = require "sys.policy", require "sys.time"
local calls = %d
local decide = assert(policy.decider())
local client = { kind = "client", name = "bench", id = 1 }
local function median(list) table.sort(list) return list[#list // 2 + 1] end
local function measure(fn)
  local took = {}
  for round = 1, 7 do
    local begun = time.monotonic()
    for _ = 1, calls do fn() end
    took[round] = (time.monotonic() - begun) / calls * 1e6
  end
  return median(took)
end
local function rule(name, args)
  local subject = assert(policy.subject("tool", name), name)
  return function() return decide(subject, client, nil, nil, args) end
end
local found = {
  floor = measure(function() end),
  reads = measure(rule("get_window", { name = "applications/1/windows/2" })),
  clicks = measure(rule("click_element", { element = 'button "Save"' })),
  points = measure(rule("create_input", { action = "click", x = 10, y = 10 })),
  types = measure(rule("create_input", { action = "type", text = "a few words" })),
  opens = measure(rule("open_application", { name = "Text Editor" })),
}
-- What was seen before: outlines of an application, which differ.
local provenance, taint = require "policy.provenance", require "sys.taint"
local subject, count, look = assert(policy.subject("tool", "get_ui_tree")), 0, {}
local function outline()
  count = count + 1
  local lines = {}
  for i = 1, 300 do lines[i] = ("e%%d button %%q at row %%d of page %%d"):format(i, "Item " .. i * count, i, count) end
  return { content = { { type = "text", text = table.concat(lines, "\\n") } } }
end
local args = { action = "type", text = "a sentence that somebody said, and that is on no screen" }
local function search() return provenance.of(client, args, true) end
local function see(many)
  while count < many do
    provenance.note(subject, client, outline())
    local begun = time.monotonic()
    search()   -- looks through it, which the engine does between two calls
    look[#look + 1] = (time.monotonic() - begun) * 1e6
  end
  return measure(search)
end
found.after_1, found.after_5, found.after_128 = see(1), see(5), see(128)
found.look = median(look)
-- What is done besides with what was called, and with what it brought.
local typing = policy.subject("tool", "create_input")
found.notes = measure(function()
  provenance.said(client, args)
  return provenance.bits(typing) > 0 and provenance.note(typing, client, "Typed it.")
end)
print(require("sys.json").encode(found))
"""


# What the gate adds to an effect, beside a function of C that does as little.
EFFECT = """
local effect, policy, time = require "sys.effect", require "sys.policy", require "sys.time"
local calls, given = %d, { text = "a few words" }
local function median(list) table.sort(list) return list[#list // 2 + 1] end
local function measure(fn)
  local took = {}
  for round = 1, 7 do
    local begun = time.monotonic()
    for _ = 1, calls do fn(given) end
    took[round] = (time.monotonic() - begun) / calls * 1e6
  end
  return median(took)
end
assert(effect.settings(given))
print(measure(effect.settings) - measure(policy.dry_run))
"""


def gate(rules, calls):
    """Microseconds that the gate takes for an effect that these rules let pass."""
    with tempfile.TemporaryDirectory() as home:
        (pathlib.Path(home) / "policy.lua").write_text("return { rules = { %s { allow = true } } }" % rules)
        done = subprocess.run([PERIGEE, "run", "-e", EFFECT % calls], env={**ENVIRONMENT, "PERIGEE_HOME": home}, check=True,
                              capture_output=True, text=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=20000)
    options = parser.parse_args()
    done = subprocess.run([PERIGEE, "run", "--no-user-root", "-e", SCRIPT % options.calls], env=ENVIRONMENT, check=True,
                          capture_output=True, text=True)
    found = json.loads(done.stdout)
    print(f"policy, beside an empty call of {found['floor']:.2f} us")
    for name, what in (("reads", "a tool that reads"), ("clicks", "a click"), ("points", "a click at a point"),
                       ("types", "typing, with nothing seen before"), ("opens", "a tool with rules about its arguments")):
        aim(f"deciding about {what}", found[name], DECISION_US, "us")
    for count in (1, 5, 128):
        aim(f"searching for a sentence, {count} long outlines seen", found[f"after_{count}"], DECISION_US, "us")
    aim("the same, and keeping what the call said and brought", found["after_128"] + found["notes"], DECISION_US, "us")
    aim("the gate of effects, no rule reads a fact", gate("", options.calls), GATE_US, "us")
    known = gate('{ deny = "never", effect = "settings", text = "nobody writes this" },', options.calls)
    print(f"          the same, and a rule that reads its text: {known:.2f} us")
    print(f"          looking through such an outline, after its call was answered: {found['look']:.0f} us")


main()
