#!/usr/bin/env python3
"""Our client in the official conformance suite: every scenario that counts, of each revision that has any."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import official         # noqa: E402
from official import tap        # noqa: E402

REQUIRED = {"2025-11-25": 18, "2026-07-28": 32}
ALSO = ("auth/client-credentials-basic", "json-schema-2020-12-preservation")


def play(*words):
    return official.run("client", "--command", "tests/conformance/client", "--timeout",
                        str(official.SCENARIO_SECONDS * 1000), *words)


def whole(revision, required):
    official.need()
    official.report("client", revision, required, *play("--requirements", revision), also=ALSO, more=2)


# not a requirement of any revision; docs/conformance.md says why
LACKING = ("auth/2025-03-26-oauth-endpoint-fallback", "auth/client-credentials-jwt", "auth/dpop", "auth/dpop-nonce",
           "auth/enterprise-managed-authorization", "auth/wif-jwt-bearer")
EMPTY = ("sep-2640-client-no-prefetch", "sep-2640-client-verify-digest", "sep-2640-client-verify-frontmatter",
         "sep-2640-client-verify-size")


def all_of_them():
    official.need()
    official.everything("client", play("--suite", "all")[0], LACKING, EMPTY)


def main():
    for revision, required in REQUIRED.items():
        if official.installed():
            whole(revision, required)
        else:
            tap.skip(f"client {revision}", "the official suite is not installed (tests/conformance/install)")
    if official.installed():
        all_of_them()
    else:
        tap.skip("client --suite all", "the official suite is not installed (tests/conformance/install)")
    tap.done()


main()
