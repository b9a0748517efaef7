#!/usr/bin/env python3
"""Signals of D-Bus that a service listens to while its file is saved: none is lost."""

import os
import re
import shutil
import subprocess

from project import Project, same, tap, tool

from server import perigee

SERVICE = """
local dbus = require "sys.dbus"
return { description = "Version %d.",
  start = function(ctx)
    local s = ctx.state
    s.version = %d
    assert(dbus.signals("session", { interface = "test.Told" }, function(event)
      s.sum, s.count, s.last = (s.sum or 0) + event.values[1], (s.count or 0) + 1, event.values[1]
    end))
  end,
}
"""
SEEN = """local state = require "sys.state"
local s = state.open "service.demo"
return { description = "What the service has seen.", inputSchema = { type = "object" },
  run = function() return ("version %s, %s signals, sum %s"):format(s.version, s.count, s.sum) end }
"""
SEND = tool("""
  local wire <close> = assert(dbus.connect "session")
  for i = 1, 10 do
    assert(wire:send { kind = "signal", path = "/a", interface = "test.Told", member = "C", signature = "i", args = { i } })
  end
  assert(wire:call { kind = "call", to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", member = "GetId" })
  return "sent"
""", head='local dbus = require "sys.dbus"')


class Served(Project):
    def __init__(self, bus):
        super().__init__({"tools/test/seen.lua": SEEN, "tools/test/send.lua": SEND, "services/demo.lua": SERVICE % (0, 0)},
                         start=False)
        self.env = {"PERIGEE_DESKTOP": "fake", "XDG_STATE_HOME": os.path.join(self.top, "state"), "DBUS_SESSION_BUS_ADDRESS": bus}
        self.start()

    def start(self):
        self.server = perigee(*[a for r in self.roots for a in ("--root", r)], env=self.env)
        self.server.initialize()


def saved_while_signals_come(bus):
    with Served(bus) as project:
        def handles():
            services = project.server.call("engine_status")["result"]["structuredContent"].get("services")
            return services and services[0]["handles"]
        project.await_that("it listens", lambda: handles() == 1)
        same(project.server.text("send"), "sent")
        project.await_text("seen", "version 0, 10 signals, sum 55")
        for i in range(1, 51):
            project.replace("services/demo.lua", SERVICE % (i, i))
            same(project.server.text("send"), "sent")       # before, while and after it changes
            project.await_that(f"version {i}", lambda: project.server.text("seen").startswith(f"version {i},"))
        project.await_text("seen", "version 50, 510 signals, sum 2805")
        same(handles(), 1)


def main():
    if not shutil.which("dbus-daemon"):
        print("1..0 # SKIP dbus-daemon is not installed (vendor/install test)")
        return
    with subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        bus = re.sub(r",guid=.*", "", daemon.stdout.readline().strip())
        tap.case("a service that is saved while signals come", saved_while_signals_come, bus)
        daemon.terminate()
    tap.done()


main()
