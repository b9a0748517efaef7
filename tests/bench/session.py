"""A session with our server, and what the parts of the bench share: one line out, one line in, nothing of the client in the figures."""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = TOP / os.environ.get("BUILD", "build")
PERIGEE = os.path.abspath(os.environ.get("PERIGEE", BUILD / "perigee"))
ENVIRONMENT = dict(os.environ, PERIGEE_HOME=str(BUILD / "bench" / "home"), XDG_CACHE_HOME=str(BUILD / "bench" / "cache"))

INIT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Server:
    """Started with these options of `serve`, and introduced."""

    def __init__(self, *options):
        self.process = subprocess.Popen([PERIGEE, "serve", *options], env=ENVIRONMENT,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0
        self.kept = {}
        self.ask("initialize", INIT)

    def post(self, method, params):
        self.last += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.last

    def answer(self, wanted):
        while wanted not in self.kept:
            message = json.loads(self.process.stdout.readline())
            if "id" in message:
                self.kept[message["id"]] = message
        return self.kept.pop(wanted)

    def ask(self, method, params=None):
        return self.answer(self.post(method, params or {}))

    def script(self, code, **more):
        return {"name": "run_lua", "arguments": {"code": code, **more}}

    def run(self, code, **more):
        result = self.ask("tools/call", self.script(code, **more))["result"]
        if result.get("isError"):
            sys.exit(f"bench: {result['content'][0]['text']}")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def times(tries, work):
    """Seconds that each took."""
    took = []
    for _ in range(tries):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return took


def aim(what, value, limit, unit):
    print(f"  {'met' if value <= limit else 'MISSED':<7} {what}: {value:.2f} {unit} (aim <= {limit:g})")
