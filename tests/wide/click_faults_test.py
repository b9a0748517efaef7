#!/usr/bin/env python3
"""Hundreds of clicks that go wrong, by the element's action and by the pointer: tests/desktop/click_faults_test.py has a
few. Prints the table of what was said and what the application logged."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults     # noqa: E402

click_faults.main(times=28, least=500)
