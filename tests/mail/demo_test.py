#!/usr/bin/env python3
"""The demo's second half, on a small picture: it is sent, and what arrives is shown and the same."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import HERE, Failure, need_emulator, servers, tap          # noqa: E402

DEMO = os.path.join(HERE, "..", "..", "examples", "demo", "mail")


def run(folder):
    return subprocess.run([sys.executable, DEMO], env={**os.environ, "DEMO_OUT": folder, "PERIGEE": servers.PERIGEE},
                          capture_output=True, text=True, timeout=120, check=False)


def shows_what_arrived():
    need_emulator()
    with tempfile.TemporaryDirectory() as folder:
        slide = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
        with open(os.path.join(folder, "slide.png"), "wb") as file:
            file.write(slide)
        done = run(folder)
        if done.returncode != 0:
            raise Failure(done.stdout + done.stderr)
        for part in ("You are logged in", "EMAIL_SENT: to=ada@example.com, id=msg_", "Subject: The slide of the demo 🙂",
                     "here is the slide that the agent drew", "attached: slide.png, image/png", "the same bytes as"):
            if part not in done.stdout:
                raise Failure(f"{part!r} is missing in {done.stdout}")
        with open(os.path.join(folder, "received.png"), "rb") as file:
            if file.read() != slide:
                raise Failure("another picture was received")


def says_what_is_missing():
    need_emulator()
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder)
        if done.returncode == 0 or "Run `make demo`" not in done.stderr:
            raise Failure(f"{done.returncode}: {done.stderr}")


tap.case("the demo shows the message that arrived", shows_what_arrived)
tap.case("the demo says when there is no slide", says_what_is_missing)
tap.done()
