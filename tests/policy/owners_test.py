#!/usr/bin/env python3
"""Messages by D-Bus are judged by all names of the program that gets them."""

import os
import shutil
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
from script import bare_bus                       # noqa: E402
import tap                                        # noqa: E402

# Has names on the bus, and sends messages in each way.
TALKS = """
local dbus, state, task = require "sys.dbus", require "sys.state", require "sys.task"
local function message(to, kind)
  return { kind = kind, to = to, path = "/a", interface = "org.example.A", member = "Do" }
end
local WAYS = {
  calls = function(to) return dbus.calls("session", { message(to[1]), message(to[2] or to[1]) }, { timeout = 0.2 }) end,
  call = function(to, wire) return wire:call(message(to[1], "call"), 0.2) end,
  send = function(to, wire) return wire:send(message(to[1], "call")) end,
  signal = function(to, wire) return wire:send(message(to[1], "signal")) end,
}
return { description = "Talks.", inputSchema = { type = "object" }, run = function(args)
  local wires = state.open "wires"
  if args.take then
    local wire = assert(dbus.connect "session")
    for _, name in ipairs(args.take) do
      assert(not assert(wire:call { kind = "call", to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus",
        interface = "org.freedesktop.DBus", member = "RequestName", signature = "su", args = { name, 4 } }).error)
    end
    wires[args.take[1]] = wire
    return wire:name()
  end
  local wire <close> = assert(dbus.connect "session")
  local done, err, code = WAYS[args.way](args.to, wire)
  if not done and code ~= "timeout" then return nil, err, code end
  return "sent"
end }
"""
WAYS = ("calls", "call", "send", "signal")
SECRET, OPEN, OTHER = "org.example.Secret", "org.example.Open", "org.example.Other"


def with_bus(policy, function, **tools):
    with Place(policy, **tools) as place:
        with bare_bus(types.SimpleNamespace(folder=place.folder, env=dict(os.environ)), "bus") as address:
            place.env["DBUS_SESSION_BUS_ADDRESS"] = address
            with place.serve() as server:
                function(server)


def denied(server, way, *to):
    result, _ = call(server, "talks", {"way": way, "to": list(to)})
    assert code_of(result) == "denied" or text_of(result) == "sent", result
    return code_of(result) == "denied"


def names(server):
    return [text_of(call(server, "talks", {"take": take})[0]) for take in ([SECRET, OPEN], [OTHER])]


def rules_that_deny():
    """By another name of its owner, by its unique name, as one of several."""
    def check(server):
        owner, other = names(server)
        for way in WAYS:
            for to in (SECRET, OPEN, owner):
                assert denied(server, way, to), (way, to)
            for to in (OTHER, other, ":1.999", "org.example.Nobody"):
                assert not denied(server, way, to), (way, to)
        for to in (SECRET, OPEN, owner):
            assert denied(server, "calls", OTHER, to), to
    with_bus('return { rules = { { deny = "no", effect = "message", name = "org.example.Secret *" }, { allow = true } } }', check, talks=TALKS)


def rules_that_allow():
    """Only as they are given, each of several."""
    def check(server):
        owner, other = names(server)
        for way in WAYS:
            assert not denied(server, way, OPEN), way
            for to in (SECRET, owner, OTHER, other):
                assert denied(server, way, to), (way, to)
        assert denied(server, "calls", OPEN, OTHER) and denied(server, "calls", OTHER, OPEN)
    with_bus('return { rules = { { allow = true, effect = "message", name = { "org.example.Open *", "org.freedesktop.DBus *" } }, '
             '{ deny = "no", effect = "message" }, { allow = true } } }', check, talks=TALKS)


def asked_once():
    """Asking the bus for the names is no effect of the call."""
    def check(server):
        owner, _ = names(server)
        result, _ = call(server, "talks", {"way": "calls", "to": [owner]})
        assert code_of(result) == "not_approved" and "org.example.A.Do" in text_of(result), result
    with_bus('return { rules = { { deny = "no", effect = "message", name = "org.example.Nothing *" }, '
             '{ allow = true, effect = "message", name = "org.freedesktop.DBus *.RequestName" }, '
             '{ ask = "so", effect = "message" }, { allow = true } } }', check, talks=TALKS)


if not shutil.which("dbus-daemon"):
    print("1..0 # SKIP dbus-daemon is not installed (vendor/install test)")
else:
    for title, test in (("rules that deny", rules_that_deny), ("rules that allow", rules_that_allow),
                        ("the names are looked up unasked", asked_once)):
        tap.case(title, test)
    tap.done()
