#!/usr/bin/env python3
"""Clients that others wrote against `perigee serve`, and our own client and gateway before servers
that others wrote. Prints TAP; what is not installed (tests/clients/install) is skipped by name.

    tests/clients/run.py [NAME ...]         default: all but those that auto_test runs

Each client starts the server through a launcher that notes its process id, so that it shows when
a client's goodbye leaves a server behind. A client that starts it twice (a probe first) is fine.
"""

import base64
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap                                  # noqa: E402
from http_peer import HttpServer, wait_for  # noqa: E402
from server import GUARD, PERIGEE, TOP, Server      # noqa: E402

MODULES = os.path.join(HERE, "node_modules")
EVERYTHING = os.path.join(MODULES, "@modelcontextprotocol/server-everything/dist/index.js")
LIMIT = 180         # seconds for one client; only against hanging


def node():
    """A Node of at least version 20, or None."""
    own = os.path.join(MODULES, ".node/bin/node")
    for path in (shutil.which("node"), own):
        if path and os.path.exists(path):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if said.returncode == 0 and int(said.stdout.lstrip("v").split(".")[0]) >= 20:
                return path
    return None


NODE = node()


def need_node(package):
    if not os.path.exists(os.path.join(MODULES, package)):
        raise tap.Skip(f"npm package {package} is not installed (tests/clients/install)")
    if not NODE:
        raise tap.Skip("needs Node 20 or newer (tests/clients/install)")


def need_python(folder, package):
    if not os.path.exists(os.path.join(HERE, folder, ".installed")):
        raise tap.Skip(f"{package} for Python is not installed (tests/clients/install)")
    return os.path.join(HERE, folder, "bin/python")


class Place:
    """A folder for one client: the server's launcher, its home, and a root for hot reload."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="perigee-clients-")
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


def run(argv, **environment):
    env = dict(os.environ, NO_COLOR="1", **environment)
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT, check=False, cwd=HERE,
                              stdin=subprocess.DEVNULL, env=env)
    except subprocess.TimeoutExpired as late:
        raise tap.Failure(f"{argv[:4]} took longer than {LIMIT} s; it said {late.stdout!r}") from None


def take_points(name, done):
    """Hands on the points of a client's own TAP, with its name before each."""
    points, planned, failed = 0, False, None
    for line in done.stdout.splitlines():
        point = re.match(r"(not )?ok \d+ - (.*)", line)
        if point:
            if failed:
                tap.ok(False, *failed)
            failed = (f"{name}: {point.group(2)}", "") if point.group(1) else None
            points += 1
            if not failed:
                tap.ok(True, f"{name}: {point.group(2)}")
        elif line.startswith("1.."):
            planned = int(line[3:]) == points
        elif failed:
            failed = (failed[0], failed[1] + line.lstrip("# ") + "\n")
    if failed:
        tap.ok(False, *failed)
    tap.ok(planned, f"{name}: came to its end", f"exit code {done.returncode}\n{done.stderr[-3000:]}")


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
        self.hot = tempfile.mkdtemp(prefix="perigee-clients-")
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

def lua(script, *arguments):
    """The command of a script beside this file; tests/lua is where it finds `check`."""
    return [PERIGEE, "run", "--no-user-root", "--root", os.path.join(TOP, "tests/lua"), os.path.join(HERE, script),
            *arguments]


def our_client():
    need_node("@modelcontextprotocol/server-everything")
    with tempfile.TemporaryDirectory() as home:
        theirs = os.path.join(HERE, "modern_server.mjs")
        take_points("our client", run(lua("everything.lua", NODE, EVERYTHING, theirs), PERIGEE_HOME=home))


def our_client_auto():
    need_node("@modelcontextprotocol/server")
    with tempfile.TemporaryDirectory() as home:
        theirs = os.path.join(HERE, "modern_server.mjs")
        take_points("our client", run(lua("everything.lua", "auto", NODE, theirs), PERIGEE_HOME=home))


def over_http(argv, kind, eras, **environment):
    """Our client against a server over HTTP that says its port or its URL first."""
    with tempfile.TemporaryDirectory() as home:
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


# --- real servers: files, and one written in Go -------------------------------------------

FILES = os.path.join(MODULES, "@modelcontextprotocol/server-filesystem/dist/index.js")
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
NO_CLUSTER = "http://127.0.0.1:9"       # the discard port: nobody listens


def kubernetes():
    """The server's program, without the Node script before it."""
    found = sorted(glob.glob(os.path.join(MODULES, "kubernetes-mcp-server-*/bin/kubernetes-mcp-server-*")))
    if not found:
        raise tap.Skip("npm package kubernetes-mcp-server is not installed, or not for this system "
                       "(tests/clients/install)")
    return found[0]


def kubeconfig(folder):
    path = os.path.join(folder, "kubeconfig")
    with open(path, "w", encoding="utf-8") as file:     # JSON is YAML
        json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "none",
                   "clusters": [{"name": "none", "cluster": {"server": NO_CLUSTER}}],
                   "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
                   "users": [{"name": "none", "user": {}}]}, file)
    return path


def go_sdk(*eras):
    program = kubernetes()
    with tempfile.TemporaryDirectory() as home:
        take_points("go sdk server", run(
            lua("kubernetes.lua", program, NO_CLUSTER, *eras), PERIGEE_HOME=home, HOME=home, KUBECONFIG=kubeconfig(home)))


def go_sdk_http(label, options, *eras):
    program = kubernetes()
    with tempfile.TemporaryDirectory() as home:
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


class Mounted:
    """`perigee serve --mount all` over these servers, its list of tools known beforehand."""

    def __init__(self, **servers):
        self.names = sorted(servers)
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="perigee-clients-"))
        env = {"PERIGEE_HOME": self.home, "XDG_STATE_HOME": self.home}
        with open(os.path.join(self.home, "mcp.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpServers": servers}, file)
        done = run([PERIGEE, "tools", "--mount", "all", "--json"], **env)
        if done.returncode:
            raise tap.Failure(done.stderr)
        self.tools = {tool["name"]: tool for tool in json.loads(done.stdout)}
        self.server = Server([PERIGEE, "serve", "--mount", "all"], env=env)
        self.server.initialize()

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.server.close_stdin()
        if not any(what):
            tap.ok(self.server.wait() == 0, f"{' and '.join(self.names)}, mounted: ends in good order")
        self.server.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, name, **arguments):
        said = self.server.ask("tools/call", {"name": name, "arguments": arguments}, guard=LIMIT)["result"]
        return said.get("isError", False), said["content"][0]["text"], said


def files_mounted():
    """@modelcontextprotocol/server-filesystem behind the gateway."""
    need_node("@modelcontextprotocol/server-filesystem")

    def listed(at, _):
        names = {"fs_read_text_file", "fs_write_file", "fs_list_directory", "fs_edit_file"}
        assert names <= set(at.tools), sorted(at.tools)
        assert at.tools["fs_read_text_file"]["annotations"]["readOnlyHint"] is True, at.tools["fs_read_text_file"]

    def written_and_read(at, folder):
        path, text = os.path.join(folder, "é 漢字.txt"), 'one "two"\n😀\n'
        failed, said, _ = at.call("fs_write_file", path=path, content=text)
        assert not failed, said
        with open(path, encoding="utf-8") as file:
            assert file.read() == text, "another text was written"
        failed, said, whole = at.call("fs_read_text_file", path=path)
        assert not failed and said == text, said
        assert whole["structuredContent"] == {"content": text}, whole
        failed, said, _ = at.call("fs_list_directory", path=folder)
        assert not failed and "[FILE] é 漢字.txt" in said, said

    def kept_out(at, _):
        failed, said, _ = at.call("fs_read_text_file", path="/etc/hostname")
        assert failed and "denied" in said.lower(), said

    def a_bad_argument(at, _):
        failed, said, _ = at.call("fs_read_text_file", path=7)
        assert failed and "path" in said, said

    def a_flood(at, folder):
        path = os.path.join(folder, "long.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("line\n" * 40000)
        failed, said, whole = at.call("fs_read_text_file", path=path)
        assert not failed and "[truncated: 100000 more bytes of 200000; " in said, said[-300:]
        failed, said, whole = at.call("fs_read_text_file", path=path, head=3)
        assert said == "line\nline\nline", said
        assert not failed and whole["content"][0]["type"] == "text", whole

    def a_picture(at, folder):
        path = os.path.join(folder, "pixel.png")
        with open(path, "wb") as file:
            file.write(PIXEL)
        said = at.server.ask("tools/call", {"name": "fs_read_media_file", "arguments": {"path": path}})["result"]
        assert [(b["type"], b["mimeType"]) for b in said["content"]] == [("image", "image/png")], said
        assert base64.b64decode(said["content"][0]["data"]) == PIXEL, said

    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        with Mounted(fs={"command": NODE, "args": [FILES, folder]}) as at:
            for name, function in (("its tools are listed", listed), ("writes and reads", written_and_read),
                                   ("what is outside its folder is refused", kept_out),
                                   ("a bad argument", a_bad_argument), ("a flood is cut", a_flood),
                                   ("a picture", a_picture)):
                tap.case(f"server-filesystem, mounted: {name}", function, at, folder)


def everything_mounted():
    need_node("@modelcontextprotocol/server-everything")

    def a_task(at):
        name = "all_simulate-research-query"
        tools = {tool["name"]: tool for tool in at.server.ask("tools/list")["result"]["tools"]}
        assert tools[name]["execution"] == {"taskSupport": "optional"}, tools[name]
        assert "execution" not in tools["all_echo"], tools["all_echo"]
        failed, said, _ = at.call(name, topic="moons")
        assert not failed and "Research Report: moons" in said, said
        made = at.server.ask("tools/call", {"name": name, "arguments": {"topic": "seas"}, "task": {}})["result"]["task"]
        done = at.server.ask("tasks/result", {"taskId": made["taskId"]})["result"]
        assert "Research Report: seas" in done["content"][0]["text"], done

    with Mounted(all={"command": NODE, "args": [EVERYTHING]}) as at:
        tap.case("server-everything, mounted: a tool that is a task only", a_task, at)


def go_sdk_mounted():
    program = kubernetes()

    def called(at):
        assert at.tools["k8s_pods_delete"]["annotations"]["destructiveHint"] is True, at.tools["k8s_pods_delete"]
        failed, said, _ = at.call("k8s_configuration_view")
        assert not failed and NO_CLUSTER in said, said
        failed, said, _ = at.call("k8s_namespaces_list")
        assert failed and "refused" in said, said

    with tempfile.TemporaryDirectory() as folder:
        with Mounted(k8s={"command": program, "args": ["--kubeconfig", kubeconfig(folder)]}) as at:
            tap.case("go sdk server, mounted: its tools are listed and called", called, at)


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
    "ours-http": (ours_http,), "go-sdk": (go_sdk, "modern", "legacy"), "files-mounted": (files_mounted,),
    "everything-mounted": (everything_mounted,),
    "go-sdk-http": (go_sdk_http, "sessions", [], "auto=legacy", "legacy"),
    "go-sdk-stateless": (go_sdk_http, "stateless", ["--stateless"], "auto=modern", "modern", "legacy"),
    "go-sdk-mounted": (go_sdk_mounted,),
}
# These need an idle machine: the era of a server that takes more than two seconds to start is not found out.
TIMED = {"everything-auto": (our_client_auto,), "go-sdk-auto": (go_sdk, "auto=modern")}


def main(names):
    known = {**CLIENTS, **TIMED}
    strange = set(names) - set(known)
    if strange:
        sys.exit(f"no client {', '.join(strange)}; there are {', '.join(known)}")
    for name in names or tap.share(CLIENTS):
        function, *arguments = known[name]
        try:
            function(*arguments)
        except tap.Skip as why:
            tap.skip(name, why)
        except tap.Failure as why:
            tap.ok(False, name, str(why))
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
