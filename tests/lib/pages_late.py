"""Browsers that do late what they agreed to."""

import random

import procs
from tools import same


def halting(browser, app):
    """The processes of the pages are stopped again and again for up to 0.1 s."""
    mark = b"--type=renderer" if browser == "chromium" else b"-contentproc"
    pages = [pid for pid in procs.descendants(int(app.rpartition("/")[2])) if mark in procs.words_of(pid)]
    same(bool(pages), True, "processes of pages")
    chance = random.Random(7)
    return procs.pulses(pages, stopped=lambda: chance.random() / 10, going=lambda: chance.random() / 20)
