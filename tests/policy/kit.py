"""A server with a policy, and tools that leave a trace when they ran."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                             # noqa: E402
from server import PERIGEE, Server        # noqa: E402
from tools import until                   # noqa: E402

# A tool that nobody may call in these tests: it leaves a file behind.
MARK = """
local fs = require "sys.fs"
return {
  description = "Leaves a trace.", aliases = { "mark_it", "Mark.Alias" },
  inputSchema = { type = "object", properties = { note = { type = "string" }, path = { type = "string" },
    url = { type = "string" }, files = { type = "array" } } },
  run = function(args) assert(fs.append("trace", (args.note or "ran") .. "\\n")) return "marked" end,
}
"""

DENY = 'return { rules = { { deny = "it is for nobody", tool = "mark" }, { allow = true } } }'


class Place:
    """A root, a granted folder and a state folder of their own."""

    def __init__(self, policy=DENY, **tools):
        self.folder = pathlib.Path(folders.fresh("perigee-policy-"))
        self.env = {"PERIGEE_HOME": str(self.folder / "home"), "XDG_STATE_HOME": str(self.folder / "state"),
                    "PERIGEE_DESKTOP": "fake", "PERIGEE_REFUSALS": "0"}
        self.policy(policy)
        self.put("home/tools/test/mark.lua", MARK)
        for name, text in tools.items():
            self.put(f"home/tools/test/{name}.lua", text)
        (self.folder / "work").mkdir()

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(text)
        os.replace(new, path)

    def policy(self, text):
        if text is not None:
            self.put("home/policy.lua", text)

    def words(self, *more):
        return [PERIGEE, *more[:1], "--grant", str(self.folder / "work"), *more[1:]]

    def serve(self, *more, capabilities=None, client="tester", version="2025-11-25"):
        server = Server(self.words("serve", *more), env=self.env)
        if version:
            server.initialize(version, capabilities or {}, client)
        return server

    def mount(self, server="far", **tools):
        """A server with these tools, to be mounted as `server`."""
        for name, text in tools.items():
            self.put(f"{server}/tools/test/{name}.lua", text)
        self.put(f"{server}/policy.lua", "return { rules = { { allow = true } } }")
        path = self.folder / "home/mcp.json"
        servers = json.loads(path.read_text())["mcpServers"] if path.exists() else {}
        servers[server] = {"command": PERIGEE, "args": ["serve", "--grant", str(self.folder / "work")],
                           "env": {"PERIGEE_HOME": str(self.folder / server), "PERIGEE_DESKTOP": "fake"}}
        self.put("home/mcp.json", json.dumps({"mcpServers": servers}))

    @staticmethod
    def wait_for_mounted(server, tool):
        until(lambda: tool in [each["name"] for each in server.ask("tools/list")["result"]["tools"]], "the mounted tool")

    def trace(self):
        path = self.folder / "work" / "trace"
        return path.read_text().split("\n")[:-1] if path.exists() else []

    def clear(self):
        (self.folder / "work" / "trace").unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


class Terminal:
    """A terminal with the keyboard focus: what is typed there ends in a file."""

    def __init__(self, desktop):
        handle, path = tempfile.mkstemp(dir=desktop.folder)
        os.close(handle)
        self.path = pathlib.Path(path)
        self.process = subprocess.Popen(["xterm", "-T", "Terminal", "-e", "sh", "-c", f"exec cat >> '{self.path}'"], env=desktop.env,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def focus(self, server):
        window = until(lambda: server.call("list_windows", {"parent": f"applications/{self.process.pid}"})[
            "result"].get("structuredContent", {}).get("windows"), "the terminal")[0]["name"]
        until(lambda: not server.call("focus_window", {"name": window})["result"].get("isError"), "its focus")

    def close(self):
        self.process.kill()
        self.process.wait()


def text_of(result):
    return "\n".join(block.get("text", "") for block in result["content"])


def code_of(result):
    return result.get("_meta", {}).get("perigee/code")


def call(server, name, arguments=None, answers=None):
    """The result of a call, and the questions that were put to the client meanwhile; `answers` is what it says to them:
    a label, "decline" or "cancel". Other messages stay for whoever waits for them."""
    asked, waiting = [], server.post("tools/call", {"name": name, "arguments": arguments or {}})
    while True:
        message = server.find(lambda each: each.get("method") == "elicitation/create" or
                              each.get("id") == waiting and "method" not in each)
        if message.get("method") == "elicitation/create":
            asked.append(message["params"])
            answer = answers.pop(0) if isinstance(answers, list) else answers
            assert answer, f"nobody expected a question: {message}"
            result = {"action": answer} if answer in ("decline", "cancel") else \
                {"action": "accept", "content": {"answer": answer}}
            server.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            assert "result" in message, json.dumps(message)
            return message["result"], asked


def get(url):
    """Status and text of a page, as a browser gets it."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
