#!/usr/bin/env python3
"""Tasks of MiniWoB++ in Chromium, solved by scripts through a real MCP session with Perigee's tools, and nothing else.

    make miniwob            or: tests/miniwob/run.py [--seeds N] [TASK ...]

Prints a table: for each kind of task how many of its seeds were solved (reward 1 in the page's own title) and with how many
calls. Fails under 90 %.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import dates                    # noqa: E402, F401  (their scripts register themselves)
import desktop as desktops      # noqa: E402
import page as pages            # noqa: E402
import places                   # noqa: E402, F401
import solving                  # noqa: E402
import tap                      # noqa: E402
import tasks                    # noqa: E402
import texts                    # noqa: E402, F401
from tools import Tools, opened, still, until      # noqa: E402

WANTED = 0.9
SECONDS = 40        # limit of an episode
Result = collections.namedtuple("Result", "solved, seconds, calls, why")


def episode(page, name):
    """One seed of a task."""
    begun, calls = time.monotonic(), page.calls
    try:
        until(lambda: page.find(text="START"), "the start")
        page.start()
        until(lambda: page.title().startswith(name) and not page.ended(), "the episode")
        instruction = still(lambda: until(page.instruction, "an instruction"), 0.2)     # all of this episode's
        solving.SOLVERS[name](page, instruction)
        end = until(page.ended, "the end of the episode")
        why = end["why"] or f"reward {end['reward']}"
        solved = end["reward"] >= 1
    except Exception as error:      # pylint: disable=broad-except
        solved, why = False, f"{type(error).__name__}: {str(error)[:300]}"
        with contextlib.suppress(tap.Failure):
            until(lambda: page.ended() or not page.title().startswith(name), "the end of the time")
            until(page.ended, "the end of the time")
    return Result(solved, time.monotonic() - begun, page.calls - calls, why)


def measure(tools, desktop, names, seeds, report):
    site = desktop.folder / "site"
    site.mkdir()
    address = pages.prepare(site, names, seeds, SECONDS)
    arguments = ["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", f"--user-data-dir={desktop.folder / 'chromium'}",
                 f"--app={address}", "--window-size=500,500"]
    with opened(tools, shutil.which("chromium"), arguments=arguments) as app:
        until(lambda: tools("find_elements", application=app, role="document")["elements"], "the page")
        page = pages.Page(tools, app, title_of(tools, desktop))
        for name in names:
            report(name, [episode(page, name) for _ in range(seeds)])
            if name != names[-1]:
                until(lambda: page.find(text="START"), "the start")
                page.start()        # leads to the next task
                until(lambda was=name: not page.title().startswith(f"{was} "), "the next task")


def title_of(tools, desktop):
    """The window's title, by another program."""
    window = tools("list_windows")["windows"][0]["name"].rpartition("/")[2]
    return lambda: subprocess.run(["xdotool", "getwindowname", window], env=desktop.env, check=False, text=True,
                                  capture_output=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="episodes of each kind (default: 5)")
    parser.add_argument("task", nargs="*")
    options = parser.parse_args()
    if not pages.pages():
        print("1..0 # SKIP tests/miniwob/install was not run")
        return
    missing = [p for p in ("Xvfb", "openbox", "dbus-daemon", "xdotool", "chromium") if not shutil.which(p)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install wide)")
        return
    total = collections.Counter()

    def report(name, results):
        solved = sum(r.solved for r in results)
        total.update(solved=solved, all=len(results), kinds=1)
        middle = sorted(r.seconds for r in results)[len(results) // 2]
        tap.note(f"{name:30} {solved:3} of {len(results)}  {middle:5.1f} s  {max(r.calls for r in results):3} calls")
        for each in results:
            if not each.solved:
                tap.note(f"    {each.why}")

    with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        measure(tools, desktop, options.task or sorted(solving.SOLVERS), options.seeds, report)
    for why, names in tasks.LEFT_OUT:
        tap.note(f"left out, {why}: {len(names.split())}")
    rate = total["solved"] / total["all"]
    tap.note(f"{total['kinds']} kinds, {total['solved']} of {total['all']} seeds solved: {100 * rate:.1f} %")
    tap.ok(rate >= WANTED, "at least 90 % are solved")
    tap.done()


if __name__ == "__main__":
    os.environ.setdefault("PERIGEE_TEST_GUARD", "60")
    main()
