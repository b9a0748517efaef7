"""The parts that the gateway's tests share: a home with mounted servers, and the program started in it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                                       # noqa: E402
from server import GUARD, PERIGEE, Server           # noqa: E402

DOUBLE = str(TOP / "tests/lib/mcp_server_double.py")
LIST = "echo,structured,die,steps,never,announce,read-me,ask,wants_input"


class House:
    """A home with mcp.json, a state folder, and journals."""

    def __init__(self, **servers):
        self.folder = pathlib.Path(folders.fresh("perigee-gateway-"))
        self.env = {"PERIGEE_HOME": str(self.folder / "home"), "XDG_STATE_HOME": str(self.folder / "state"),
                    "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
        (self.folder / "home/lib/mounts").mkdir(parents=True)
        self.servers = {}
        for name, words in servers.items():
            self.add(name, *words)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, name, *words, **entry):
        if not entry:
            entry = {"command": sys.executable, "args": [DOUBLE, "--journal", str(self.folder / name), "--list", LIST,
                                                         *words]}
        self.servers[name] = entry
        (self.folder / "home/mcp.json").write_text(json.dumps({"mcpServers": self.servers}))

    def rules(self, name, text):
        (self.folder / f"home/lib/mounts/{name}.lua").write_text(text)

    def journal(self, name):
        try:
            return (self.folder / name).read_text().splitlines()
        except FileNotFoundError:
            return []

    def starts(self, name):
        return self.journal(name).count("start")

    def serve(self, *options, capabilities=None):
        server = Server([PERIGEE, "serve", "--mount", "all", *options], env=self.env)
        server.initialize(capabilities=capabilities)
        return server

    def run(self, *words):
        return subprocess.run([PERIGEE, *words], env=os.environ | self.env, capture_output=True, text=True,
                              timeout=GUARD, cwd=self.folder, stdin=subprocess.DEVNULL, check=False)


def until(what, wanted, text):
    end = time.monotonic() + GUARD
    while not wanted(value := what()):
        if time.monotonic() > end:
            raise AssertionError(f"{text}: {value}")
        time.sleep(0.01)
    return value


def names(server):
    found, cursor = [], None
    while True:
        page = server.ask("tools/list", {"cursor": cursor} if cursor else None)["result"]
        found += [tool["name"] for tool in page["tools"]]
        cursor = page.get("nextCursor")
        if not cursor:
            return found


def wait_for(server, name):
    return until(lambda: names(server), lambda found: name in found, f"{name} does not appear")


def result(server, name, arguments=None):
    return server.ask("tools/call", {"name": name, "arguments": arguments or {}})["result"]


def warm(house):
    done = house.run("tools", "--mount", "all", "--json")
    assert done.returncode == 0, done.stderr
    return {tool["name"]: tool for tool in json.loads(done.stdout)}
