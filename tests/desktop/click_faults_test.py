#!/usr/bin/env python3
"""Clicks that go wrong, a few of each fault; tests/wide has the hundreds. What Perigee says of them is compared with what
the application logged: "confirmed" is never said of a click that did not arrive."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults     # noqa: E402

click_faults.main(times=3, least=60)
