#!/usr/bin/env python3
"""Our server in the official conformance suite, with the fixtures of tests/conformance/lua: every
scenario that counts, of each revision that has any; and those of tasks, which the suite does not score. It has
them for 2026-07-28 only, and one of the ten (status notifications) checks nothing yet."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import official         # noqa: E402
from official import tap        # noqa: E402
from http_peer import HttpServer        # noqa: E402

REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
TASKS = {"2025-11-25": 0, "2026-07-28": 9}
ROOT = os.path.join(official.HERE, "lua")


def whole(revision, required):
    official.need()
    with HttpServer("--root", ROOT, "--toolset", "conformance", "--no-user-root") as server:
        url = server.url.replace("127.0.0.1", "localhost")
        official.report("server", revision, required,
                        *official.run("server", "--url", url, "--requirements", revision), also="tasks-",
                        more=TASKS[revision])


def all_of_them():
    official.need()
    with HttpServer("--root", ROOT, "--toolset", "conformance", "--no-user-root") as server:
        url = server.url.replace("127.0.0.1", "localhost")
        official.everything("server", official.run("server", "--url", url, "--suite", "all")[0], lacking=(),
                            empty=("server-sse-polling", "tasks-status-notifications"))


def main():
    for revision, required in REQUIRED.items():
        if official.installed():
            whole(revision, required)
        else:
            tap.skip(f"server {revision}", "the official suite is not installed (tests/conformance/install)")
    if official.installed():
        all_of_them()
    else:
        tap.skip("server --suite all", "the official suite is not installed (tests/conformance/install)")
    tap.done()


main()
