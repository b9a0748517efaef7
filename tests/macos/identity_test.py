#!/usr/bin/env python3
"""--own-identity, with a double of what macOS has for it (doubles/disclaim.c); and its refusal elsewhere."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

import server  # noqa: E402
import tap_unittest  # noqa: E402

SCRIPT = """
local child = assert(require("sys.process").run { "/bin/sh", "-c", 'echo "$PPID [$PERIGEE_OWN_IDENTITY]"' })
return child.stdout
"""


@unittest.skipIf(sys.platform == "darwin", "a Mac has the real thing")
class OwnIdentity(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        cls.double = os.path.join(cls.folder.name, "disclaim.so")
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-o", cls.double,
                        str(HERE / "doubles" / "disclaim.c"), "-ldl"], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def env(self, **more: str) -> dict[str, str]:
        env = {name: value for name, value in os.environ.items() if name != "PERIGEE_OWN_IDENTITY"}
        env.update(PERIGEE_HOME=self.folder.name, XDG_STATE_HOME=self.folder.name, LD_PRELOAD=self.double)
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        env.update(more)
        return env

    def start(self, *words: str, **more: str) -> subprocess.Popen:
        child = subprocess.Popen([server.PERIGEE, *words], env=self.env(**more), text=True, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def test_a_server_keeps_its_process_id_arguments_and_streams(self) -> None:
        child = self.start("serve", "--own-identity", "--page-size", "7")
        request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        self.assertEqual(json.loads(child.stdout.readline())["result"]["serverInfo"]["name"], "perigee")
        process = pathlib.Path("/proc", str(child.pid))
        self.assertEqual((process / "cmdline").read_bytes().split(b"\0")[1:-1],
                         [b"serve", b"--own-identity", b"--page-size", b"7"])
        environ = (process / "environ").read_bytes().split(b"\0")
        self.assertIn(f"PERIGEE_OWN_IDENTITY={child.pid}".encode(), environ, "it was not started again")
        self.assertIn(f"DOUBLE_DISCLAIMED={child.pid}".encode(), environ, "it was not disclaimed")
        out, _ = child.communicate(timeout=server.GUARD)
        self.assertEqual((child.returncode, out), (0, ""))

    def test_what_was_on_stdin_is_read_once_and_children_hear_nothing_of_it(self) -> None:
        child = self.start("run", "--own-identity", "-")
        out, err = child.communicate(SCRIPT, timeout=server.GUARD)
        self.assertEqual(out.strip(), f"{child.pid} []", err)

    def test_a_mark_of_another_process_is_no_mark(self) -> None:
        child = self.start("run", "--own-identity", "-e", SCRIPT, PERIGEE_OWN_IDENTITY="1")
        out, err = child.communicate(timeout=server.GUARD)
        self.assertEqual(out.strip(), f"{child.pid} []", err)

    def refused(self, **more: str) -> str:
        child = self.start("serve", "--own-identity", **more)
        out, err = child.communicate(timeout=server.GUARD)
        self.assertEqual((child.returncode, out), (2, ""), err)
        self.assertTrue(err.startswith("perigee serve: "), err)
        return err

    def test_it_is_started_again_once_only(self) -> None:
        self.assertIn(f"process {os.getpid()} is still responsible for its permissions", self.refused(DOUBLE_STUBBORN="1"))

    def test_a_system_that_refuses_is_told(self) -> None:
        self.assertIn("with an identity of its own: operation not permitted", self.refused(DOUBLE_REFUSES="1").lower())

    def test_elsewhere_it_is_refused(self) -> None:
        self.assertIn("--own-identity is only for macOS", self.refused(LD_PRELOAD=""))


if __name__ == "__main__":
    tap_unittest.main()
