"""Servers that others wrote behind the gateway: `perigee serve --mount`."""

import base64
import json
import os
import re
import shutil
import tempfile

import tap
from folders import fresh
from kit import EVERYTHING, LIMIT, MODULES, NO_CLUSTER, NODE, kubeconfig, kubernetes, need_node, run
from server import PERIGEE, Server, TRUSTING

FILES = os.path.join(MODULES, "@modelcontextprotocol/server-filesystem/dist/index.js")
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")


class Mounted:
    """`perigee serve --mount all` over these servers, its list of tools known beforehand."""

    def __init__(self, **servers):
        self.names = sorted(servers)
        self.home = os.path.realpath(fresh("perigee-clients-"))
        env = {"PERIGEE_HOME": self.home, "XDG_STATE_HOME": self.home}
        with open(os.path.join(self.home, "mcp.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpServers": servers}, file)
        done = run([PERIGEE, "tools", "--mount", "all", "--json"], **env)
        if done.returncode:
            raise tap.Failure(done.stderr)
        self.tools = {tool["name"]: tool for tool in json.loads(done.stdout)}
        self.server = Server([PERIGEE, "serve", "--mount", "all", "--root", TRUSTING], env=env)
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
        note = whole["content"][-1]["text"]
        cut = re.fullmatch(r"\[truncated: (\d+) more bytes of 200000; the whole is kept as (r\d+): @@ref_\2(__text)?\]", note)
        assert not failed and cut and len(said) + int(cut[1]) == 200000 and len(said) <= 100000, note
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
                                   ("a path outside its folder is refused", kept_out),
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
