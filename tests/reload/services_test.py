#!/usr/bin/env python3
"""Services: started with the server, swapped while what they listen to goes on, slowed down when they fail, and run by one engine
of several. On the desktop in memory."""

import contextlib
import os
import re
import signal
import subprocess
import urllib.request

from project import Project, holds, same, tap, tool

from procs import alive
from server import PERIGEE, perigee

SERVICE = """
local clipboard, time = require "sys.clipboard", require "sys.time"
return { description = "Version %d.",
  start = function(ctx)
    local s = ctx.state
    s.starts, s.version = (s.starts or 0) + 1, %d
    assert(clipboard.events(function(event)
      if event.what == "changed" then s.copies = (s.copies or 0) + 1 end
    end))
    assert(time.every(3600, function() end))
  end,
  stop = function(ctx) ctx.state.stops = (ctx.state.stops or 0) + 1 end,
}
"""
SEEN = """local state = require "sys.state"
local s = state.open "service.demo"
return { description = "What the service has seen.", inputSchema = { type = "object" },
  run = function() return ("version %s, %s starts, %s stops, %s copies"):format(s.version, s.starts, s.stops, s.copies) end }
"""
COPY = tool("""for i = 1, 10 do assert(require_clipboard.write { ["text/plain"] = "copy " .. i }) end return "copied" """,
            head='local require_clipboard = require "sys.clipboard"')
ENV = {"PERIGEE_DESKTOP": "fake"}


class Served(Project):
    def __init__(self, files, **more):
        super().__init__({"tools/test/seen.lua": SEEN, "tools/test/copy.lua": COPY, **files}, start=False, **more)
        self.env = {**ENV, "XDG_STATE_HOME": os.path.join(self.top, "state")}
        self.start()

    def another(self):
        options = [a for r in self.roots for a in ("--root", r)]
        server = perigee(*options, *self.arguments, env=self.env)
        server.initialize()
        return server

    def start(self):
        self.server = self.another()

    def status(self, server=None):
        services = (server or self.server).call("engine_status")["result"]["structuredContent"].get("services") or []
        return services[0] if services else None

    def await_handles(self, number, what="it listens"):
        """A service runs while its start() does: what it listens to comes a moment later."""
        self.await_that(what, lambda: (self.status() or {}).get("handles") == number)

    def await_state(self, state, server=None):
        self.await_that(f"the service is {state}", lambda: (self.status(server) or {}).get("state") == state)


def swapped():
    with Served({"services/demo.lua": SERVICE % (1, 1)}) as project:
        project.await_handles(2)
        same(project.server.text("copy"), "copied")
        project.await_text("seen", "version 1, 1 starts, nil stops, 10 copies")
        project.write("services/demo.lua", SERVICE % (2, 2))
        project.await_text("seen", "version 2, 2 starts, 1 stops, 10 copies")
        same(project.server.text("copy"), "copied")
        project.await_text("seen", "version 2, 2 starts, 1 stops, 20 copies")
        project.await_handles(2, "it listens once")
        status = project.status()
        same((status["description"], status["starts"]), ("Version 2.", 2))
        project.remove("services/demo.lua")
        project.await_that("it is gone", lambda: project.status() is None)
        project.await_text("seen", "version 2, 2 starts, 2 stops, 20 copies")


def broken():
    """A file that does not load leaves the service as it is."""
    with Served({"services/demo.lua": SERVICE % (1, 1)}) as project:
        project.await_handles(2)
        project.write("services/demo.lua", "return {")
        project.await_that("the problem is told", lambda: project.server.call("engine_status")["result"]["structuredContent"]["problems"])
        project.write("services/demo.lua", "return { description = 'x', start = function() end, stopp = 1 }")
        project.await_that("an unknown key, too", lambda: "stopp" in
                           str(project.server.call("engine_status")["result"]["structuredContent"]["problems"]))
        same(project.server.text("copy"), "copied")
        project.await_text("seen", "version 1, 1 starts, nil stops, 10 copies")
        project.write("services/half.lua", "return {")
        project.await_that("one that never loaded", lambda: "half" in
                           str(project.server.call("engine_status")["result"]["structuredContent"]["problems"]))
        done = subprocess.run([PERIGEE, "service", "--pid", str(project.server.process.pid), "--no-user-root"],
                              env={**os.environ, **project.env}, check=True, capture_output=True, text=True)
        holds(done.stdout, "failed     half\n          its file does not load: services/half.lua:1")


def failing():
    """It starts again after 1 s, then after 2, and so on, and its status shows the time of the next start."""
    crash = ("return { description = 'x', start = function(ctx) ctx.state.starts = (ctx.state.starts or 0) + 1 "
             "require('sys.time').after(0, function() end) error 'crash' end }")
    with Served({"services/demo.lua": crash}) as project:
        project.await_state("failed")
        first = project.status()
        same((first["starts"], first["failures"]), (1, 1))
        holds(first["error"], "crash")
        assert 0 < first["next_start"] - first["since"] <= 1.1, first
        project.await_that("the next start", lambda: project.status()["failures"] == 2)
        second = project.status()
        assert 1.9 <= second["next_start"] - second["since"] <= 2.1, second
        same(second["handles"], 0)
        project.write("services/demo.lua", SERVICE % (3, 3))    # and one that is corrected starts at once
        project.await_text("seen", "version 3, 3 starts, nil stops, nil copies")
        same(project.status()["state"], "runs")


PROCESS = """
local process, time = require "sys.process", require "sys.time"
local child
return { description = "Starts a program.", start = function(ctx)
  child = assert(process.start { "sleep", "86399" })
  ctx.state.pid = child.pid
  %s
end }
"""
PID = """return { description = "Its process.", inputSchema = { type = "object" },
  run = function() return tostring(require("sys.state").open "service.demo".pid) end }
"""


def processes_end_with_it():
    """They lived on until garbage was collected, beside those of the next start."""
    with Served({"services/demo.lua": PROCESS % "time.every(3600, function() end)", "tools/test/pid.lua": PID}) as project:
        env = {**os.environ, **project.env}

        def service(*words):
            subprocess.run([PERIGEE, "service", *words, "--pid", str(project.server.process.pid), "--no-user-root"], env=env,
                           check=True, stdout=subprocess.DEVNULL)

        def pid():
            project.await_that("its process", lambda: project.server.text("pid") != "nil")
            return int(project.server.text("pid"))

        def ended(number):
            project.await_that(f"the end of {number}", lambda: not alive(number))
        first = pid()
        assert alive(first)
        service("stop", "demo")
        ended(first)
        service("start", "demo")
        project.await_that("another", lambda: pid() != first)
        second = pid()
        project.write("services/demo.lua", PROCESS % "time.every(3600, function() end) ctx.log 'saved'")
        ended(second)
        project.await_that("a third", lambda: pid() != second)
        project.write("services/demo.lua", PROCESS % "ctx.state.alone = true")    # its process is all that it has
        ended(pid())
        project.await_that("a fourth", lambda: alive(pid()))
        same(project.status()["state"], "runs")
        os.kill(pid(), signal.SIGKILL)
        project.await_state("ended")


def errors_of_callbacks():
    code = ("local time = require 'sys.time' return { description = 'x', start = function() "
            "time.after(0, function() error 'in a callback' end) time.every(3600, function() end) end }")
    with Served({"services/demo.lua": code}) as project:
        env = {**os.environ, **project.env}

        def service(*words):
            return subprocess.run([PERIGEE, "service", *words, "--pid", str(project.server.process.pid), "--no-user-root"],
                                  env=env, check=False, capture_output=True, text=True).stdout
        project.await_that("the error", lambda: "sys.time.after 0 s: services/demo.lua:1: in a callback" in service("log", "demo"))
        project.write("services/demo.lua", "return {")
        project.await_that("its newest file", lambda: "its newest file does not load: services/demo.lua:1: " in service())
        holds(service(), "runs       demo")
        project.write("services/demo.lua", code + "--")
        project.await_that("that it loads", lambda: "does not load" not in service())


def a_loop_without_an_end():
    code = ("local time = require 'sys.time' return { description = 'x', start = function()\n"
            "time.after(0, function() while true do end end) time.every(3600, function() end) end }")
    with Served({"services/demo.lua": code}) as project:
        env = {**os.environ, **project.env}

        def log(*words):
            return subprocess.run([PERIGEE, *words], env=env, check=False, capture_output=True, text=True).stdout
        pid = str(project.server.process.pid)
        project.await_that("its name", lambda: "service demo: sys.time.after 0 s has worked for 3 s" in log("log", pid))
        holds(log("log", pid), "now at services/demo.lua:2")
        own = log("service", "log", "demo", "--pid", pid, "--no-user-root")
        holds(own, "sys.time.after 0 s has worked for 3 s without waiting, now at services/demo.lua:2")


def one_of_two():
    with Served({"services/demo.lua": SERVICE % (1, 1)}) as project:
        project.await_state("runs")
        with project.another() as second:
            project.await_state("elsewhere", second)
            same(second.text("seen"), "version nil, nil starts, nil stops, nil copies")
            project.server.close_stdin()
            project.server.wait()
            project.await_state("runs", second)
            project.server = second
            project.await_text("seen", "version 1, 1 starts, nil stops, nil copies")


def on_terminal(env, *words):
    """Returns the bytes that a command writes to a terminal, colors and all."""
    pid, fd = os.forkpty()
    if pid == 0:
        os.execve(PERIGEE, [PERIGEE, *words], {**env, "TERM": "xterm", "NO_COLOR": ""})
    shown = b""
    with contextlib.suppress(OSError):                      # Linux's answer when the other side has closed
        while part := os.read(fd, 4096):
            shown += part
    os.close(fd)
    os.waitpid(pid, 0)
    return shown.decode()


def commands():
    """perigee service, on the engine that runs."""
    with Served({"services/demo.lua": SERVICE % (1, 1) + "-- x"}) as project:
        project.await_handles(2)
        env = {**os.environ, **project.env}

        def service(*words, status=0):
            done = subprocess.run([PERIGEE, "service", *words, "--pid", str(project.server.process.pid), "--no-user-root"], env=env,
                                  capture_output=True, text=True, timeout=60, check=False)
            same(done.returncode, status, done.stderr)
            return done.stdout + done.stderr
        holds(service(), "runs       demo")
        holds(service("stop", "demo"), "stopped    demo")
        same(project.server.text("copy"), "copied")
        same(project.server.text("seen"), "version 1, 1 starts, 1 stops, nil copies")
        holds(service("start", "demo"), "demo")
        project.await_handles(2, "it listens again")
        same(project.status()["starts"], 2)
        holds(service("log", "demo", "--json"), '"lines"')
        holds(on_terminal(env, "service", "--pid", str(project.server.process.pid), "--no-user-root"), "\x1b[32mruns     \x1b[0m  demo")
        service("stop", "demo")
        holds(on_terminal(env, "service", "--pid", str(project.server.process.pid), "--no-user-root"), "\x1b[33mstopped  \x1b[0m  demo")
        holds(service("stop", "dem", status=1), "no service dem; did you mean demo?")


def over_http():
    """And `perigee check` counts it."""
    with Project({"services/demo.lua": SERVICE % (1, 1)}, start=False) as project:
        env = {**os.environ, **ENV, "XDG_STATE_HOME": os.path.join(project.top, "state")}

        def command(*words):
            return subprocess.run([PERIGEE, *words], env=env, capture_output=True, text=True, timeout=60, check=False)
        checked = command("check", "--no-user-root", "--root", project.roots[0])
        same(checked.returncode, 0, checked.stderr)
        holds(checked.stdout, "1 service")
        served = subprocess.Popen([PERIGEE, "serve", "--http", "0", "--no-token", "--no-user-root", "--root", project.roots[0]], env=env,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            project.await_that("the service runs", lambda: "runs       demo" in
                               command("service", "--pid", str(served.pid), "--no-user-root").stdout)
        finally:
            served.terminate()
            served.wait()


ENDS = """
local log, time = require "sys.log", require "sys.time"
return { description = "Tells that it stops.",
  start = function() time.every(3600, function() end) end,
  stop = function() time.sleep(%s) log.warn "it has stopped" end }
"""


def stopped_at_the_end():
    """stop() is called once when the server ends, by a signal or because its client has gone, and one that takes too long is
    ended with it."""
    for how, seconds, times in (("signal", 0.2, 1), ("stdin", 0.2, 1), ("signal", 60, 0)):
        with Served({"services/demo.lua": ENDS % seconds}) as project:
            project.await_that("it runs", lambda: (project.status() or {}).get("state") == "runs")
            if how == "signal":
                project.server.process.terminate()
            else:
                project.server.close_stdin()
            project.server.wait()
            same(project.server.stderr().count("it has stopped"), times, f"{how}, {seconds} s")
            same(project.server.stderr().count("is ended now"), 1 - times, f"{how}, {seconds} s")


def not_wanted():
    with Served({"services/demo.lua": SERVICE % (1, 1)}, arguments=["--no-services"]) as project:
        same(project.server.text("copy"), "copied")
        same(project.status(), None)


HOOKED = """
local webhook = require "sys.webhook"
return { description = "Takes requests.",
  start = function(ctx)
    local s = ctx.state
    local hook = assert(webhook.listen({ port = s.port or 0 }, function(request) return "version %d: " .. request.body end))
    s.port = hook:port()
  end }
"""
PORT = """local state = require "sys.state"
return { description = "Where the service listens.", inputSchema = { type = "object" },
  run = function() return tostring(state.open "service.hooked".port) end }
"""


def a_webhook_stays_where_it_is():
    """The new code listens on the port of the old one, which ended before."""
    with Served({"services/hooked.lua": HOOKED % 1, "tools/test/port.lua": PORT}) as project:
        project.await_that("it listens", lambda: project.server.text("port") not in ("nil", "0"))
        port = project.server.text("port")

        def post():
            request = urllib.request.Request(f"http://127.0.0.1:{port}/", b"hello", method="POST")
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return answer.read().decode()
            except OSError:
                return None                                 # between the old code and the new one
        same(post(), "version 1: hello")
        for version in (2, 3):
            project.write("services/hooked.lua", HOOKED % version)
            project.await_that(f"version {version} answers", lambda: post() == f"version {version}: hello")
        project.await_handles(1, "one webhook is left")
        project.remove("services/hooked.lua")
        project.await_that("nobody listens", lambda: post() is None)


def thousand_reloads():
    """No event is lost while the code changes, no handle stays behind, and memory is flat."""
    with Served({"services/demo.lua": SERVICE % (0, 0)}) as project:
        project.await_handles(2)
        memory = []
        for i in range(1, 1001):
            project.replace("services/demo.lua", SERVICE % (i, i))
            same(project.server.text("copy"), "copied")          # ten events, before, while and after it changes
            project.await_that(f"version {i}", lambda: project.server.text("seen").startswith(f"version {i},"))
            if i % 100 == 0:
                project.await_that(f"{10 * i} copies", lambda: project.server.text("seen").endswith(f" {10 * i} copies"))
                same(project.status()["starts"] - 1, int(re.search(r"(\d+) stops", project.server.text("seen"))[1]))
                memory.append(project.server.call("engine_status")["result"]["structuredContent"]["memory"]["resident"])
        project.await_handles(2, "no handle stays behind")
        same(project.status()["starts"], 1001)
        grown = (memory[-1] - memory[2]) / 1e6
        tap.note(f"{project.status()['starts']} starts, {grown:.1f} MB more after 700 saves")
        if not os.environ.get("PERIGEE_ASAN"):                   # a sanitizer keeps freed memory for a while
            assert grown < 8, memory


tap.case("a service starts with the server, and is swapped when it is saved", swapped)
tap.case("a broken file leaves the service as it is", broken)
tap.case("a service that fails is started again, later each time", failing)
tap.case("processes of a service end with it, at once", processes_end_with_it)
tap.case("errors of callbacks and of the newest file are told", errors_of_callbacks)
tap.case("a loop without an end is named", a_loop_without_an_end)
tap.case("one of two engines runs a service, and the other takes over", one_of_two)
tap.case("perigee service", commands)
tap.case("services of a server over HTTP", over_http)
tap.case("--no-services", not_wanted)
tap.case("the end of the server stops its services", stopped_at_the_end)
tap.case("a webhook stays on its port while its code changes", a_webhook_stays_where_it_is)
tap.case("a thousand reloads while events flow", thousand_reloads)
tap.done()
