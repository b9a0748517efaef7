#!/usr/bin/env python3
"""Our client in the official conformance suite: every scenario that counts, of each revision that has any."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import official         # noqa: E402
from official import tap        # noqa: E402

REQUIRED = {"2025-11-25": 18, "2026-07-28": 32}
ALSO = ("auth/client-credentials-basic", "json-schema-2020-12-preservation")


def whole(revision, required):
    official.need()
    official.report("client", revision, required,
                    *official.run("client", "--command", "tests/conformance/client", "--requirements", revision), also=ALSO)


def main():
    for revision, required in REQUIRED.items():
        if official.installed():
            whole(revision, required)
        else:
            tap.skip(f"client {revision}", "the official suite is not installed (tests/conformance/install)")
    tap.done()


main()
