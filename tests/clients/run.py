#!/usr/bin/env python3
"""Clients that others wrote against `perigee serve`, and our own client and gateway before servers
that others wrote. Prints TAP; what is not installed (tests/clients/install) is skipped by name.

    tests/clients/run.py [--wide] [NAME ...]    default: each library over stdio and HTTP, in one era each

--wide runs the others in place of these, as `make test-desktop` does (tests/wide/clients_test).

Each client starts the server through a launcher that notes its process id, so that it shows when
a client's goodbye leaves a server behind. A client that starts it twice (a probe first) is fine.
"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))

import tap                                  # noqa: E402
from http_peer import HttpServer, wait_for  # noqa: E402
from asking import python_asking, typescript_asking      # noqa: E402
from kit import (EVERYTHING, HERE, MODULES, NO_CLUSTER, NODE, kubeconfig, kubernetes, lua, need_node,      # noqa: E402
                 need_python, run, take_points)
from folders import fresh, lent                    # noqa: E402
from mounted import everything_mounted, files_mounted, go_sdk_mounted      # noqa: E402
from server import GUARD, PERIGEE, TOP      # noqa: E402


class Place:
    """A folder for one client: the server's launcher, its home, and a root for hot reload."""

    def __init__(self):
        self.top = fresh("perigee-clients-")
        self.hot = os.path.join(self.top, "hot")
        self.pids = os.path.join(self.top, "pids")
        self.launcher = os.path.join(self.top, "server")
        os.mkdir(self.hot)
        words = [PERIGEE, "serve", "--root", os.path.join(TOP, "tests/wire/root"), "--root", self.hot,
                 "--toolset", "test", "--max-result", "0"]
        with open(self.launcher, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho $$ >>'{self.pids}'\nexport PERIGEE_HOME='{self.top}/home'\n")
            for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "PERIGEE_LUA"):   # not every client hands these on
                if name in os.environ:
                    file.write(f"export {name}='{os.environ[name]}'\n")
            file.write("exec " + " ".join(f"'{w}'" for w in words) + "\n")
        os.chmod(self.launcher, 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    def servers(self):
        if not os.path.exists(self.pids):
            return []
        with open(self.pids, encoding="ascii") as file:
            return [int(line) for line in file]

    def all_gone(self):
        """Every server this client started has ended."""
        left = self.servers()
        end = time.monotonic() + GUARD
        while left and time.monotonic() < end:
            left = [pid for pid in left if alive(pid)]
            time.sleep(0.01)
        for pid in left:
            os.kill(pid, 9)
        return not left


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def with_points(name, argv):
    with Place() as place:
        done = run(argv + [place.hot, place.launcher])
        take_points(name, done)
        tap.ok(place.all_gone() and place.servers() != [],
               f"{name}: no server is left behind ({len(place.servers())} started)")


TOKEN = "the-token-of-tests/clients"


class Remote(HttpServer):
    """The same over HTTP, behind a token."""

    def __init__(self):
        self.hot = fresh("perigee-clients-hot-")
        super().__init__("--root", os.path.join(TOP, "tests/wire/root"), "--root", self.hot,
                         "--toolset", "test", "--max-result", "0", token=True, env={"PERIGEE_TOKEN": TOKEN})

    def __exit__(self, *what):
        super().__exit__(*what)
        shutil.rmtree(self.hot, ignore_errors=True)


def with_points_over_http(name, argv):
    with Remote() as server:
        take_points(f"{name} over HTTP", run(argv + [server.hot, server.url], PERIGEE_TOKEN=TOKEN))
        tap.ok(server.stop() == 0, f"{name} over HTTP: the server ends well", server.stderr()[-2000:])


def typescript1(points):
    need_node("@modelcontextprotocol/sdk")
    points("typescript sdk 1", [NODE, "typescript1.mjs"])


def tasks1(points):
    need_node("@modelcontextprotocol/sdk")
    points("typescript sdk 1, tasks", [NODE, "tasks1.mjs"])


def tasks2(points):
    need_node("@modelcontextprotocol/ext-tasks")
    points("ext-tasks", [NODE, "tasks2.mjs"])


def typescript2(points, mode):
    need_node("@modelcontextprotocol/client")
    points(f"typescript sdk 2 {mode}", [NODE, "typescript2.mjs", mode])


def python1(points):
    points("python sdk 1", [need_python(".venv/1", "mcp 1"), "python1.py"])


def python_tasks(points):
    points("python sdk 1, tasks", [need_python(".venv/1", "mcp 1"), "tasks1.py"])


def python2(points, mode):
    points(f"python sdk 2 {mode}", [need_python(".venv/2", "mcp 2"), "python2.py", mode])


def fastmcp(points, mode):
    points(f"fastmcp {mode}", [need_python(".venv/2", "fastmcp"), "fastmcp_client.py", mode])


# --- command line clients ------------------------------------------------------------

def inspector(era):
    need_node("@modelcontextprotocol/inspector")
    program = os.path.join(MODULES, ".bin/mcp-inspector")

    def ask(place, *words):
        done = run([NODE, program, "--cli", "--protocol-era", era, place.launcher, *words,
                    "--format", "json"])
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2000:]}{done.stdout[-500:]}"
        value = json.loads(done.stdout[done.stdout.index("{"):])
        return value.get("result", value)

    def check(name, function):
        with Place() as place:
            tap.case(f"inspector {era}: {name}", function, place)
            tap.ok(place.all_gone(), f"inspector {era}: {name}: no server is left behind")

    def tools(place):
        names = [t["name"] for t in ask(place, "--method", "tools/list")["tools"]]
        assert {"echo", "run_lua", "structured"} <= set(names), names

    def call(place):
        arguments = {"text": 'é "quoted" \n 漢字 😀', "times": 2}
        result = ask(place, "--method", "tools/call", "--tool-name", "echo",
                     "--tool-args-json", json.dumps(arguments))
        assert result["content"][0]["text"] == arguments["text"] * 2, result

    def structured(place):
        result = ask(place, "--method", "tools/call", "--tool-name", "structured", "--tool-arg", "id=7")
        assert result["structuredContent"]["title"] == "Inbox — 📬", result

    def prompts(place):
        assert "greet" in [p["name"] for p in ask(place, "--method", "prompts/list")["prompts"]]
        result = ask(place, "--method", "prompts/get", "--prompt-name", "greet", "--prompt-args", "name=Ada")
        assert result["messages"][0]["content"]["text"] == "Greet Ada warmly.", result

    def portable(place):
        done = run([NODE, program, "--cli", "--protocol-era", era, place.launcher, "--method",
                    "tools/list", "--strict", "--format", "json"])
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-3000:]}"

    for name, function in (("tools/list", tools), ("tools/call", call), ("a structured result", structured),
                           ("prompts", prompts), ("every schema is portable (--strict)", portable)):
        check(name, function)


def inspector_over_http():
    """The Inspector's command line, and its load test."""
    need_node("@modelcontextprotocol/inspector")
    program = os.path.join(MODULES, ".bin/mcp-inspector")

    def ask(server, era, *words):
        done = run([NODE, program, "--cli", "--protocol-era", era, "--server-url", server.url, "--header",
                    f"Authorization: Bearer {TOKEN}", *words, "--format", "json"])
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2000:]}{done.stdout[-500:]}"
        return done.stdout

    def call(server, era):
        said = ask(server, era, "--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hi")
        assert '"hi"' in said, said

    def load(server):
        said = ask(server, "legacy", "--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hi",
                   "--load", "--load-concurrency", "10", "--load-requests", "500")
        tap.note(said)

    with Remote() as server:
        for era in ("legacy", "auto", "modern"):
            tap.case(f"inspector over HTTP: tools/call, {era}", call, server, era)
        tap.case("inspector over HTTP: --load", load, server)


def mcporter_over_http():
    need_node("mcporter")
    program = os.path.join(MODULES, "mcporter/dist/cli.js")
    with Remote() as server, tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "mcporter.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"perigee": {"baseUrl": server.url, "headers": {
                "Authorization": f"Bearer {TOKEN}"}}}}, file)
        done = run([NODE, program, "--config", config, "call", "perigee.echo", "--args",
                    json.dumps({"text": "é 😀"}), "--output", "json"])
        tap.ok(done.returncode == 0 and "é 😀" in done.stdout, "mcporter over HTTP: calls",
               f"{done.stdout}{done.stderr}")


def mcporter():
    need_node("mcporter")
    program = os.path.join(MODULES, "mcporter/dist/cli.js")

    def listed(place):
        done = run([NODE, program, "list", "--stdio", place.launcher, "--name", "perigee", "--json"])
        assert done.returncode == 0, done.stderr
        assert '"echo"' in done.stdout, done.stdout[:2000]

    def called(place):
        done = run([NODE, program, "call", "--stdio", place.launcher, "echo", "--args",
                    json.dumps({"text": "é 😀 \"q\""}), "--output", "json"])
        assert done.returncode == 0 and "é 😀" in done.stdout, f"{done.stdout}{done.stderr}"

    for name, function in (("lists", listed), ("calls", called)):
        with Place() as place:
            tap.case(f"mcporter: {name}", function, place)
            tap.ok(place.all_gone(), f"mcporter: {name}: no server is left behind")


# --- the other way round: our client, their server --------------------------------------

def our_client():
    need_node("@modelcontextprotocol/server-everything")
    with lent("perigee-home-of-ours-") as home:
        theirs = os.path.join(HERE, "modern_server.mjs")
        take_points("our client", run(lua("everything.lua", NODE, EVERYTHING, theirs), PERIGEE_HOME=home))


def our_client_auto():
    need_node("@modelcontextprotocol/server")
    with lent("perigee-home-of-ours-") as home:
        theirs = os.path.join(HERE, "modern_server.mjs")
        take_points("our client", run(lua("everything.lua", "auto", NODE, theirs), PERIGEE_HOME=home))


def over_http(argv, kind, eras, **environment):
    """Our client against a server over HTTP that says its port or its URL first."""
    with lent("perigee-home-of-ours-") as home:
        server = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=TOP,
                                  stdin=subprocess.DEVNULL,
                                  env=dict(os.environ, PERIGEE_HOME=home, XDG_STATE_HOME=home, **environment))
        try:
            said = ""
            while server.poll() is None and not (found := re.search(r"(?:port |:|^)(\d{4,5})(?:/mcp)?\s*$", said)):
                said = server.stdout.readline()
            if server.poll() is not None:
                raise tap.Failure(f"{argv[0]} ended: {said}")
            take_points(f"our client, {kind}", run(
                lua("everything.lua", "http", f"http://127.0.0.1:{found[1]}/mcp",
                    "everything" if kind == "server-everything" else "theirs", *eras),
                PERIGEE_HOME=home, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1"))
        finally:
            server.kill()
            server.wait()


def free_port():
    """For a server that cannot choose one itself. A connection closed here (TIME_WAIT) reserves the number for a minute:
    the kernel gives it to no other program that asks for any free port, only to one that asks for this port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with socket.create_connection(listener.getsockname()):
            listener.accept()[0].close()
        return listener.getsockname()[1]


def everything_http():
    need_node("@modelcontextprotocol/server-everything")
    over_http([NODE, EVERYTHING, "streamableHttp"], "server-everything", ["auto", "legacy"], PORT=str(free_port()))


def sdk2_http():
    need_node("@modelcontextprotocol/node")
    over_http([NODE, os.path.join(HERE, "modern_server.mjs"), "http"], "sdk 2 server", ["auto", "modern", "legacy"])


def fastmcp_http():
    python = need_python(".venv/2", "fastmcp")
    over_http([python, os.path.join(HERE, "fastmcp_server.py")], "fastmcp server", ["auto", "legacy"])


def ours_http():
    over_http([PERIGEE, "serve", "--quiet", "--no-user-root", "--root", "tests/clients/root", "--toolset", "theirs",
               "--http", "127.0.0.1:0", "--no-token", "--max-result", "0"],
              "perigee serve", ["auto", "modern", "legacy"])


# --- a real server, written in Go -----------------------------------------------------------

def go_sdk(*eras):
    program = kubernetes()
    with lent("perigee-home-of-ours-") as home:
        take_points("go sdk server", run(
            lua("kubernetes.lua", program, NO_CLUSTER, *eras), PERIGEE_HOME=home, HOME=home, KUBECONFIG=kubeconfig(home)))


def go_sdk_http(label, options, *eras):
    program = kubernetes()
    with lent("perigee-home-of-ours-") as home:
        port = free_port()
        server = subprocess.Popen(
            [program, "--port", str(port), "--bind-address", "127.0.0.1", "--kubeconfig", kubeconfig(home), *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=home))
        try:
            wait_for("it listens", lambda: server.poll() is not None or listens(port))
            take_points(f"go sdk server over HTTP, {label}", run(
                lua("kubernetes.lua", f"http://127.0.0.1:{port}/mcp", NO_CLUSTER, *eras), PERIGEE_HOME=home, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1"))
        finally:
            server.kill()
            server.wait()


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


LIBRARIES = {
    "typescript1": (typescript1,), "tasks1": (tasks1,), "tasks2": (tasks2,), "typescript2-legacy": (typescript2, "legacy"),
    "typescript2-auto": (typescript2, "auto"), "typescript2-modern": (typescript2, "modern"),
    "python1": (python1,), "python-tasks": (python_tasks,), "python2-legacy": (python2, "legacy"),
    "python2-auto": (python2, "auto"), "python2-modern": (python2, "modern"),
    "fastmcp-legacy": (fastmcp, "legacy"), "fastmcp-auto": (fastmcp, "auto"),
}
CLIENTS = {
    **{name: (f, with_points, *more) for name, (f, *more) in LIBRARIES.items()},
    **{f"{name}-http": (f, with_points_over_http, *more) for name, (f, *more) in LIBRARIES.items()},
    "inspector-http": (inspector_over_http,), "mcporter-http": (mcporter_over_http,),
    "inspector-legacy": (inspector, "legacy"), "inspector-auto": (inspector, "auto"),
    "inspector-modern": (inspector, "modern"), "mcporter": (mcporter,), "everything": (our_client,),
    "everything-http": (everything_http,), "sdk2-http": (sdk2_http,), "fastmcp-http": (fastmcp_http,),
    "ours-http": (ours_http,), "go-sdk": (go_sdk, "modern", "legacy"), "go-sdk-auto": (go_sdk, "auto=modern"),
    "everything-auto": (our_client_auto,), "files-mounted": (files_mounted,),
    "everything-mounted": (everything_mounted,),
    "go-sdk-http": (go_sdk_http, "sessions", [], "auto=legacy", "legacy"),
    "go-sdk-stateless": (go_sdk_http, "stateless", ["--stateless"], "auto=modern", "modern", "legacy"),
    "go-sdk-mounted": (go_sdk_mounted,),
    **{f"{name}-asking-{mode}": (f, mode) for name, f in (("python2", python_asking), ("typescript2", typescript_asking))
       for mode in ("legacy", "modern")},
}
# Each of these speaks to the server as another client or the same one in another era does: they run only in `make test-desktop`.
WIDE = {
    "typescript2-legacy", "typescript2-auto", "python2-legacy", "python2-auto", "fastmcp-legacy", "inspector-auto", "inspector-modern",
    "typescript1-http", "typescript2-legacy-http", "typescript2-modern-http", "python2-legacy-http", "python2-modern-http",
    "python-tasks-http", "tasks1-http", "fastmcp-auto-http", "go-sdk-stateless", "python2-asking-legacy", "typescript2-asking-modern",
}


def arguments():
    parser = argparse.ArgumentParser(prog="tests/clients/run.py")
    parser.add_argument("--wide", action="store_true", help="run the clients that `make test` leaves out")
    parser.add_argument("names", metavar="NAME", nargs="*", help="only these")
    options = parser.parse_args()
    strange = set(options.names) - set(CLIENTS)
    if strange:
        parser.error(f"no client {', '.join(strange)}; there are {', '.join(CLIENTS)}")
    if options.wide and options.names:
        parser.error("give --wide or names, not both")
    return options


def main(options):
    for name in options.names or tap.share([name for name in CLIENTS if (name in WIDE) == options.wide]):
        function, *arguments = CLIENTS[name]
        try:
            function(*arguments)
        except tap.Skip as why:
            tap.skip(name, why)
        except tap.Failure as why:
            tap.ok(False, name, str(why))
    tap.done()


if __name__ == "__main__":
    main(arguments())
