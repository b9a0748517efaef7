#!/usr/bin/env python3
"""docs/python.md: what a reader types works, and prints what the document shows (tests/cli/guides_test.py)."""

import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "tests" / "lib"), str(TOP / "tests" / "cli")]

import tap                          # noqa: E402
from guides_test import follow      # noqa: E402

follow("python.md")
tap.done()
