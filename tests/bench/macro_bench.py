#!/usr/bin/env python3
"""`make bench`, the part of macros: a replay beside a script with the same calls of tools, on a private desktop.

    tests/bench/macro_bench.py [--tries 9] [--json FILE]

The macro and the script (`perigee run`) fill in and send the same form, by turns, in a program that is reopened for each. Processor
time is that of the command with all that it starts: the least of the tries, since other programs can only add to it. The time that
it takes is a median. Only the ratios are judged, because both are of the same run. One above its bound is `over`, and the exit code
is 1 then.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from desktop_bench import PERIGEE

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import desktop      # noqa: E402  (its folder has to be on the path)

AIM = 1.1
JUDGED = {"processor time, the least": min, "elapsed, the median": statistics.median}
GUARD = 120         # seconds, only against hanging
TITLE = "Order form"

MACRO = """--- Sends an order.

local macro_tool = require "macros.tool"
local s          = require "schema"


---@param args table
---@param macro Macro
local function run(args, macro)
  local form = macro:window { title = "Order form" }
  form:set('entry "Name"', args.name)
  form:choose('combobox "Size"', "Large")
  form:click('checkbox "Gift"')
  form:click('button "Send"')
  form:check { title = "sent Ada" }
end


return macro_tool {
  title = "Order", description = "Send an order.", inputSchema = s.object { { "name", s.string "Who orders." } }, run = run,
}
"""

SCRIPT = """local tools = require "tools"

local windows = assert(tools.list_windows {}).windows
local form
for _, each in ipairs(windows) do
  if each.title == "Order form" then form = each.name end
end

local function act(step)
  step.must = true
  assert(assert(tools.act { steps = { step }, window = form }).done)
end

act { set = 'entry "Name"', value = "Ada" }
assert(assert(tools.select_option { element = 'combobox "Size"', option = "Large", window = form }).effect == "confirmed")
act { click = 'checkbox "Gift"' }
act { click = 'button "Send"' }
local told = assert(tools.verify { predicates = { { condition = "title", text = "sent Ada", window = form } }, timeout = 2 })
assert(told.results[1].result == "satisfied")
print "sent"
"""


class Failed(Exception):
    """Something did not work; there is no figure for it."""


class Form:
    """The program that is worked in, once per run."""

    def __init__(self, env, folder):
        self.env, self.path = env, folder / "orders"

    def __enter__(self):
        self.path.unlink(missing_ok=True)
        self.process = subprocess.Popen(["/usr/bin/python3", str(HERE.parent / "lib" / "order_window.py"), str(self.path)], env=self.env,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = subprocess.run([PERIGEE, "call", "wait_for", "condition=element", 'element=button "Send"', "window=" + TITLE, "timeout=55"],
                              env=self.env, capture_output=True, text=True, timeout=GUARD, check=False)
        if done.returncode:
            raise Failed(f"the form did not open: {done.stdout}{done.stderr}")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def sent(self):
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else None


def measured(env, folder, *words):
    """(milliseconds of processor time, milliseconds) of a command of perigee that sends the form."""
    with Form(env, folder) as form:
        begun = time.perf_counter()
        process = subprocess.Popen([PERIGEE, *words], env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        took = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or form.sent() != {"name": "Ada", "password": "", "size": "Large", "gift": True}:
            raise Failed(f"{' '.join(words)}: {said.decode()}\nthe form received {form.sent()}")
    return (used.ru_utime + used.ru_stime) * 1e3, took * 1e3


def prepare(env, folder):
    home = folder / "home"
    (home / "tools" / "macros").mkdir(parents=True)
    (home / "policy.lua").write_text("return { rules = { { allow = true } } }\n", encoding="utf-8")
    (home / "tools" / "macros" / "order.lua").write_text(MACRO, encoding="utf-8")
    (folder / "order.lua").write_text(SCRIPT, encoding="utf-8")
    env = {**env, "PERIGEE_HOME": str(home)}
    subprocess.run([PERIGEE, "tools"], env=env, stdout=subprocess.DEVNULL, check=True)     # leaves the catalog that users have
    return env


def main():
    parser = argparse.ArgumentParser(description="Macros beside scripts.")
    parser.add_argument("--tries", type=int, default=9)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    commands = {"macro": ("macro", "run", "order", "name=Ada"), "script": ("run", "order.lua")}
    took = {name: [] for name in commands}
    try:
        with desktop.Desktop() as place, tempfile.TemporaryDirectory(prefix="perigee-macro-bench-") as folder:
            folder = pathlib.Path(folder)
            env = prepare(place.env, folder)
            for round_of in range(options.tries + 1):
                for name, words in commands.items():
                    figures = measured(env, folder, *words)
                    if round_of:        # the first ones compile
                        took[name].append(figures)
    except Failed as failure:
        sys.exit(f"bench: {failure}")
    told = {name: [judge(each) for judge, each in zip(JUDGED.values(), zip(*figures))] for name, figures in took.items()}
    print(f"macros: five steps in a form, {options.tries} tries")
    for at, what in enumerate(JUDGED):
        macro, script = told["macro"][at], told["script"][at]
        print(f"  {'met' if macro <= AIM * script else 'over':<7} {what}: {macro:.1f} ms, {script:.1f} ms by a script: "
              f"{macro / script:.2f} times (aim <= {AIM:g})")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"told": told, "all": took}), encoding="utf-8")
    if any(macro > AIM * script for macro, script in zip(told["macro"], told["script"])):
        sys.exit(1)


if __name__ == "__main__":
    main()
