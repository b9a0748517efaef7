#!/usr/bin/env python3
"""sys.power on doubles of UPower and systemd-logind (python3-dbusmock), on a bus that stands for the system's: no machine that
tests run on can be unplugged or sent to sleep."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
import tap                      # noqa: E402
from desktop import Desktop     # noqa: E402
from script import SAY, bare_bus, running    # noqa: E402
from tools import has, same, until      # noqa: E402

HEAD = ('local dbus, json, power, time = require "sys.dbus", require "sys.json", require "sys.power", require "sys.time"'
        + SAY + """local wire = dbus.connect "system"
local function mock(to, path, member, signature, ...)
  local answer = assert(wire:call { kind = "call", to = to, path = path, interface = "org.freedesktop.DBus.Mock", member = member,
    signature = signature, args = { ... } })
  if answer.error then error(answer.text) end
end
local UPOWER = "org.freedesktop.UPower"
local function battery(state, percent, to_empty, to_full)
  mock(UPOWER, "/org/freedesktop/UPower", "SetupDisplayDevice", "uuddddxxbsu", 2, state, percent, 0, 0, 0, to_empty, to_full, true,
    "", 1)
end
local function unplugged(is)
  mock(UPOWER, "/org/freedesktop/UPower", "UpdateProperties", "sa{sv}", UPOWER, { OnBattery = { "b", is } })
end
local function sleeps(is)
  mock("org.freedesktop.login1", "/org/freedesktop/login1", "EmitSignal", "sssav", "org.freedesktop.login1.Manager",
    "PrepareForSleep", "b", { { "b", is } })
end
""")


def owner(desktop, address, name):
    done = subprocess.run(["dbus-send", f"--bus={address}", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                           "org.freedesktop.DBus.NameHasOwner", f"string:{name}"], env=desktop.env, check=True,
                          stdout=subprocess.PIPE)
    return b"true" in done.stdout


@contextlib.contextmanager
def double(desktop, address, template, name):
    with applications.program(desktop, "/usr/bin/python3", "-m", "dbusmock", "--system", "--template", template,
                              DBUS_SYSTEM_BUS_ADDRESS=address) as process:
        until(lambda: owner(desktop, address, name), template)
        yield process


def upower(desktop, address):
    return double(desktop, address, "upower", "org.freedesktop.UPower")


def logind(desktop, address):
    return double(desktop, address, "logind", "org.freedesktop.login1")


def script_on(desktop, address, text, *options):
    return running(desktop, HEAD + text, *options, DBUS_SYSTEM_BUS_ADDRESS=address)


def states(desktop):
    with bare_bus(desktop, "system") as address, upower(desktop, address), script_on(desktop, address, """
            say(power.state())
            battery(2, 64.5, 7200, 0) unplugged(true)
            say(power.state())
            battery(1, 70, 0, 1800) unplugged(false)
            say(power.state())
            battery(4, 100, 0, 0)
            say(power.state())
            battery(0, 50, 0, 0)
            say(power.state())""") as script:
        lines = [json.loads(line)[0] for line in script.ends().splitlines()]
    same(lines, [{"source": "mains"},
                 {"source": "battery", "percent": 64.5, "charging": False, "seconds_left": 7200},
                 {"source": "mains", "percent": 70, "charging": True, "seconds_to_full": 1800},
                 {"source": "mains", "percent": 100, "charging": False},
                 {"source": "mains", "percent": 50}])


def a_dry_run_reads(desktop):
    with bare_bus(desktop, "system") as address, upower(desktop, address), \
         script_on(desktop, address, "say(power.state())", "--dry-run") as script:
        same(json.loads(script.line())[0], {"source": "mains"})


def events(desktop):
    with bare_bus(desktop, "system") as address, upower(desktop, address), logind(desktop, address), \
         script_on(desktop, address, """
            battery(2, 50, 100, 0)
            local source <close> = assert(power.events())
            local function next_one()
              local event, err, code = source:next(10)
              if not event then return say(code, err) end
              return say(event.what, event.state and event.state.percent, event.state and event.state.source)
            end
            unplugged(true) next_one()
            battery(2, 50.2, 100, 0)
            battery(2, 49.4, 100, 0) next_one()
            battery(1, 49.4, 0, 100) next_one()
            unplugged(false) next_one()
            sleeps(true) next_one()
            sleeps(false) next_one()
            say(source:next(0.1))
            say(source:dropped())""") as script:
        script.says('["unplugged",50,"battery"]', '["percent",49.4,"battery"]', '["charging",49.4,"battery"]',
                    '["plugged",49.4,"mains"]', '["sleeping",49.4,"mains"]', '["woke",49.4,"mains"]')
        same(json.loads(script.line())[2], "timeout")
        script.says("[0]")


def a_function(desktop):
    """With logind only, sleep is told all the same."""
    with bare_bus(desktop, "system") as address, logind(desktop, address), script_on(desktop, address, """
            local handle
            handle = assert(power.events(function(event)
              say(event.what, event.state)
              if event.what == "woke" then handle:stop() end
            end))
            say((select(3, power.state())))
            sleeps(true) sleeps(false)""") as script:
        script.says('["no_power"]', '["sleeping",null]', '["woke",null]')
        same(script.ends(), "")


def where_nothing_knows(desktop):
    with bare_bus(desktop, "system") as address, script_on(desktop, address, "say(power.state()) say(power.events())") as script:
        for part in ("UPower", "UPower and systemd-logind"):
            _, message, code = json.loads(script.line())
            same(code, "no_power")
            has(message, f"{part} does not answer on the system's D-Bus")
    with script_on(desktop, "unix:path=/nowhere", "say(power.state()) say(power.events())") as script:
        same([json.loads(script.line())[2] for _ in range(2)], ["no_power", "no_power"])


def one_that_comes_back(desktop):
    """UPower restarts: what changed meanwhile is told."""
    with bare_bus(desktop, "system") as address, contextlib.ExitStack() as stack:
        with upower(desktop, address):
            script = stack.enter_context(script_on(desktop, address, """
                battery(2, 50, 100, 0)
                local source <close> = assert(power.events())
                say "watches"
                while true do
                  local event = assert(source:next(20))
                  say(event.what)
                  if event.what == "percent" then break end
                end"""))
            script.says('["watches"]')
        with upower(desktop, address), script_on(desktop, address, "battery(2, 20, 100, 0)") as other:
            other.ends()
            script.says('["percent"]')
            same(script.ends(), "")


def a_bus_that_dies(desktop):
    with contextlib.ExitStack() as stack:
        with bare_bus(desktop, "system") as address, logind(desktop, address):
            script = stack.enter_context(script_on(desktop, address, """
                local source <close> = assert(power.events())
                say "watches"
                say(source:next(20).what)
                say(source:next(20).what)"""))
            script.says('["watches"]')
        script.says('["lost"]')
        with bare_bus(desktop, "system") as address, logind(desktop, address):
            script.says('["found"]')


CASES = [("states", states), ("a dry run reads", a_dry_run_reads), ("events", events), ("a function, and logind alone", a_function),
         ("where nothing knows of power, the message says why", where_nothing_knows),
         ("a service that comes back", one_that_comes_back), ("a bus that dies, and comes back", a_bus_that_dies)]


def main():
    if subprocess.run(["/usr/bin/python3", "-c", "import dbusmock"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("1..0 # SKIP python3-dbusmock is not installed (vendor/install test)")
        return
    with Desktop() as desktop:
        for name, case in CASES:
            tap.case(name, case, desktop)
    tap.done()


if __name__ == "__main__":
    main()
