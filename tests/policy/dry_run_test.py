#!/usr/bin/env python3
"""`dry_run = true` in the policy holds for every caller: also for what commands, services, prompts, resources and the prompt for
Lua do by modules, before any tool is called."""

import contextlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, until        # noqa: E402
import tap                                   # noqa: E402

SERVICES = "does not run services"
DRY, REAL = "return { dry_run = true, rules = { { allow = true } } }", "return { rules = { { allow = true } } }"
GUARD = 60

# A file's deeds by modules: each leaves a trace in the granted directory, or at the server. `folder` is that directory.
DEEDS = {
    "a file": 'require("sys.fs").append(%(work)s .. "/trace", "file\\n")',
    "a directory": 'require("sys.fs").make_folder(%(work)s .. "/made")',
    "a program": 'require("sys.process").run { "sh", "-c", "echo ran >> trace", cwd = %(work)s }',
    "a program that goes on": 'local child = require("sys.process").start { "sh", "-c", "echo ran >> trace", cwd = %(work)s } '
                              'if child then child:wait() end',
    "a request": 'require("sys.http").request { url = %(url)s, method = "POST", body = "x" }',
    "a server": 'require("sys.mcp").connect { command = "sh", args = { "-c", "echo ran >> " .. %(work)s .. "/trace" } }',
    "a secret": 'if require("sys.secrets").write("one", "two") then require("sys.fs").append(%(work)s .. "/trace", "secret\\n") end',
}

COMMAND = """
return { summary = "does it", run = function(args, io) %(deed)s end }
"""
SERVICE = """
return { description = "x", start = function() %(deed)s require("sys.log").info "it was done" end }
"""
PROMPT = """return { description = "x", render = function() %(deed)s return "said" end }"""
RESOURCE = """return { uri = "deed://it", name = "it", description = "x", read = function() %(deed)s return "said" end }"""


@contextlib.contextmanager
def requests():
    """A server that counts what is sent to it."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):     # pylint: disable=invalid-name
            seen.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", seen
    finally:
        server.shutdown()
        server.server_close()


class Here:
    def __init__(self, policy, url="", seen=()):
        self.place, self.url, self.seen = Place(policy), url, seen
        self.work = self.place.folder / "work"

    def deed(self, what):
        return DEEDS[what] % {"work": json.dumps(str(self.work)), "url": json.dumps(self.url)}

    def run(self, *words, text=None):
        return subprocess.run([PERIGEE, words[0], "--grant", str(self.work), *words[1:]], env={**os.environ, **self.place.env},
                              text=True, cwd=self.place.folder, input=text, capture_output=True, timeout=GUARD, check=False)

    def done(self):
        return bool(list(self.work.glob("trace")) or list(self.work.glob("made")) or self.seen)


def command(here, deed):
    here.place.put("home/commands/does.lua", COMMAND % {"deed": deed})
    return here.run("does")


def in_place(here, deed):
    """A command of the user's in the place of one that comes with Perigee, which works in a dry run."""
    here.place.put("home/commands/help.lua", COMMAND % {"deed": deed})
    return here.run("help")


def script(here, deed):
    return here.run("run", "-e", deed)


def measured(command_):
    """A script that another command runs."""
    def way(here, deed):
        here.place.put("does.lua", deed)
        return here.run(command_, "./does.lua")
    way.__name__ = command_
    return way


def typed(here, deed):
    return here.run("repl", text=deed + "\n")


def prompt(here, deed):
    here.place.put("home/prompts/does.lua", PROMPT % {"deed": deed})
    with here.place.serve() as server:
        return server.ask("prompts/get", {"name": "does"})


def resource(here, deed):
    here.place.put("home/resources/does.lua", RESOURCE % {"deed": deed})
    with here.place.serve() as server:
        return server.ask("resources/read", {"uri": "deed://it"})


WAYS = (command, in_place, script, measured("time"), measured("trace"), measured("profile"), typed, prompt, resource)


def holds(way, what):
    with requests() as (url, seen):
        with contextlib.closing(Closing(DRY, url, seen)) as here:
            said = way(here, here.deed(what))
            assert not here.done(), said
        with contextlib.closing(Closing(REAL, url, seen)) as here:
            said = way(here, here.deed(what))
            assert here.done(), ("without a dry run it is done", said)


class Closing(Here):
    def close(self):
        self.place.__exit__(None, None, None)


def no_service():
    """Services that start with the engine are not run, as with --dry-run."""
    for policy, runs in ((REAL, True), (DRY, False)):
        with contextlib.closing(Closing(policy)) as here:
            here.place.put("home/services/does.lua", SERVICE % {"deed": here.deed("a program")})
            here.place.env["PERIGEE_LOG_LEVEL"] = "info"
            here.place.env["PERIGEE_LOG_FILE"] = str(here.place.folder / "log")
            log = here.place.folder / "log"
            with here.place.serve() as server:
                server.ask("tools/list")
                until(lambda: "it was done" in log.read_text() or SERVICES in log.read_text(), "its start")
                assert here.done() == runs, log.read_text()


def is_refused(words, *files):
    """A command that cannot say what it would do fails, and says why. One that can, does."""
    for policy, dry in ((DRY, True), (REAL, False)):
        with contextlib.closing(Closing(policy)) as here:
            here.place.mount(mark=(here.place.folder / "home/tools/test/mark.lua").read_text())
            said = here.run(*[word.replace("WORK", str(here.work)) for word in words])
            assert ("ry run" in said.stdout + said.stderr) == dry, (policy, said)
            assert [(here.work / name).exists() for name in files] == [not dry] * len(files), (policy, said)


def saves():
    for policy, dry in ((DRY, True), (REAL, False)):
        with contextlib.closing(Closing(policy)) as here:
            deed = f"return io:save({json.dumps(str(here.work / 'made'))}, 'x')"
            said = command(here, deed)
            assert here.done() != dry and ("this is a dry run" in said.stderr) == dry, (policy, said)


def works():
    """Commands about Perigee itself do what they say."""
    with contextlib.closing(Closing(DRY)) as here:
        for words in (("policy",), ("policy", "explain", "mark"), ("approvals",), ("list", "apps"), ("tools",), ("help",), ("doctor", "--help"),
                      ("new", "tool", "fresh"), ("call", "mark")):
            said = here.run(*words)
            assert said.returncode == 0, said
        assert (here.place.folder / "home/tools/user/fresh.lua").exists() or list(
            pathlib.Path(here.place.folder / "home/tools").rglob("fresh.lua")), "the new tool"


for each in WAYS:
    for deed_ in DEEDS:
        tap.case(f"{each.__name__}: {deed_}", holds, each, deed_)
tap.case("services are not run", no_service)
tap.case("perigee image saves nothing", is_refused, ("image", "--path", "WORK/i.png"), "i_display0_main.png")
tap.case("perigee mcp call calls nothing", is_refused, ("mcp", "call", "far", "mark"), "trace")
tap.case("a file that a command of the user's saves", saves)
tap.case("commands about Perigee itself work", works)
tap.done()
