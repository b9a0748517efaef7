#!/usr/bin/env python3
"""Children of an engine end with it, also if it is killed with -9: programs, mounted servers, scripts that are watched.
One that it let go stays."""

import json
import os
import signal
import subprocess

from kit import FOLDER, PERIGEE, Running, done, environment, must, same, tap, write
import procs
from tools import until

# A child for each way to live on: one that only sleeps, one that started another, one that does not heed SIGTERM, one that does
# not notice that its stdin ended, and one that was let go.
SCRIPT = """
local process, time = require "sys.process", require "sys.time"
local kept = {}
local function start(name, code, seconds)
  local child = assert(process.start { "sh", "-c", code })
  kept[#kept + 1] = child
  print(name, assert(child:read_line()))
  return child
end
start("plain", "echo $$; exec sleep 1000")
start("parent", "sleep 1000 & echo $!; wait")
start("stubborn", "trap '' TERM HUP INT; echo $$; while :; do sleep 1; done")
start("deaf", "echo $$; exec 0</dev/null; exec sleep 1000")
start("released", "echo $$; exec sleep 1000"):release()
print "all"
time.sleep(1000)
"""


def gone(pid, what):
    until(lambda: not procs.alive(pid), f"the end of {what}")


def children():
    running = Running("run", "-e", SCRIPT)
    lines = running.wait_for("all")
    pids = {name: int(pid) for name, pid in (line.split("\t") for line in lines[:-1])}
    try:
        must(all(procs.alive(pid) for pid in pids.values()), "they live while the engine does")
        running.signal(signal.SIGKILL)
        same(running.end().code, -signal.SIGKILL)
        for name in ("plain", "parent", "stubborn", "deaf"):
            gone(pids[name], name)
        must(procs.alive(pids["released"]), "what was let go stays")
    finally:
        for pid in pids.values():
            if procs.alive(pid):
                os.kill(pid, signal.SIGKILL)


CALL = """
local process, task, time = require "sys.process", require "sys.task", require "sys.time"
local run <close> = task.spawn(function() return process.run { "sh", "-c", "echo $$ > %s; exec sleep 1000", timeout = 900 } end)
time.sleep(0)   -- by now it waits for its child
print "under way"
time.sleep(1000)
"""


def in_a_call():
    """process.run() waits for its child; nobody would take its output."""
    note = FOLDER / "run.pid"
    running = Running("run", "-e", CALL % note)
    running.wait_for("under way")
    until(lambda: note.exists() and note.read_text().endswith("\n"), "the child's number")
    pid = int(note.read_text())
    must(procs.alive(pid), "it lives")
    running.signal(signal.SIGKILL)
    running.process.wait()
    gone(pid, "the child of a call")


SERVER = """#!/bin/sh
echo $$ > "$1"
read line
printf '%s\\n' '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'
exec 0</dev/null
exec sleep 1000
"""


def mounted():
    """A server that does not end with its stdin, as MCP wants it to."""
    note = FOLDER / "mounted.pid"
    script = write("deaf-server", SERVER, 0o755)
    config = write("mounted.json", json.dumps({"mcpServers": {"deaf": {"command": script, "args": [str(note)]}}}))
    running = Running("serve", "--mount", "deaf", "--config", config, stdin=subprocess.PIPE)
    running.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    running.process.stdin.flush()
    until(lambda: note.exists() and note.read_text().strip(), "the mounted server")
    pid = int(note.read_text())
    must(procs.alive(pid), "it lives")
    running.signal(signal.SIGKILL)
    running.process.wait()
    gone(pid, "the mounted server")


def watched():
    """A script that is run again when it is saved has a process of its own."""
    path = write("watched.lua", f"""
      local child <close> = assert(require("sys.process").start {{ "sh", "-c", "echo $PPID $$; exec sleep 1000" }})
      print("pids " .. assert(child:read_line()))
      require("sys.time").sleep(1000)""")
    running = Running("run", "--watch", path)
    script, child = (int(pid) for pid in running.wait_for("pids ")[-1].split()[1:])
    must(script != running.process.pid and procs.alive(child), "the script is another process, and has a child")
    running.signal(signal.SIGKILL)
    running.process.wait()
    gone(script, "the script")
    gone(child, "its child")


def agents():
    """The agent's server, and what that started."""
    write("waiting/providers/slow.lua", """
      return { description = "Says its server's number, and never answers.", supports_tools = true,
        complete = function() require("sys.time").sleep(1000) end }""")
    running = Running("agent", "--root", str(FOLDER / "waiting"), "--model", "slow", "Do it")
    server = until(lambda: [p for p in procs.descendants(running.process.pid) if b"serve" in procs.words_of(p)], "its server")[0]
    until(lambda: (FOLDER / "here" / "logs" / "agent.log").exists(), "the run")
    running.signal(signal.SIGKILL)
    running.process.wait()
    gone(server, "the agent's server")


def ends_well():
    """Where nothing was killed, the guardian ends as well and touches nothing."""
    before = guards()
    ended = subprocess.run([PERIGEE, "run", "-e",
                            'print(require("sys.process").run { "echo", "said" }.stdout)'],
                           env=environment(), capture_output=True, text=True, timeout=60, check=False)
    same((ended.returncode, ended.stdout.strip()), (0, "said"))
    until(lambda: guards() <= before, "the end of the guardian")


def guards():
    found = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                with open(f"/proc/{entry.name}/comm", encoding="utf-8") as file:
                    if file.read().strip() == "perigee-guard" and procs.alive(int(entry.name)):
                        found.add(int(entry.name))
            except OSError:
                pass
    return found


tap.case("children end with an engine that is killed, and what was let go does not", children)
tap.case("so does the child of a call under way", in_a_call)
tap.case("so does a mounted server that does not heed the end of its stdin", mounted)
tap.case("so does a script that is watched, and its child", watched)
tap.case("so does the agent's server", agents)
tap.case("a guardian leaves with its engine", ends_well)
done()
