#!/usr/bin/env python3
"""Files that compute without end while they are loaded: the server answers meanwhile, and one of them costs one budget.

What such a file costs is measured in processor time, which a busy machine does not change."""

import resource
import subprocess
import time

from project import Project, holds, saying, tap

from procs import seconds_of_work
from server import PERIGEE

LOOP = "while true do end"
USER = saying("here", head='local loop = require "loop"')
TEN = [f"tools/test/t{i}.lua" for i in range(10)]
BUDGET = 2.0    # seconds of work
PINGS = 50      # while ten files are loaded. A look that holds the loop up answers the first one after ten budgets


def worked(project):
    """Seconds of the processor that the server has used."""
    return seconds_of_work(project.server.process.pid)


def costs_less(took, most, what):
    if took > most:
        raise tap.Failure(f"{what} took {took:.1f} s of the processor")


def pings_cost(project):
    """No ping waits for more work of the server than one budget."""
    for _ in range(PINGS):
        before = worked(project)
        project.server.ask("ping")
        costs_less(worked(project) - before, BUDGET / 2, "a ping")
        time.sleep(0.03)    # some of them during each load


def library():
    with Project(dict({"lib/loop.lua": "return 1"}, **{name: USER for name in TEN})) as p:
        p.await_text("t0", "here")
        p.write("lib/loop.lua", LOOP)
        before = worked(p)
        pings_cost(p)
        p.await_that("problems of all ten", lambda: len(p.ours()) == 10)
        costs_less(worked(p) - before, 4 * BUDGET, "ten tools")     # with ten budgets 20 s
        holds(" ".join(x["message"] for x in p.ours()), "took longer than")
        holds(" ".join(x["message"] for x in p.ours()), "loop")
        p.await_text("t9", "here")      # the last good version
        p.write("tools/test/t3.lua", saying("freed"))
        p.await_text("t3", "freed")
        p.write("lib/loop.lua", "return 2")
        p.await_that("no problems", lambda: not p.ours())


def tool():
    with Project({"tools/test/a.lua": saying("one"), "tools/test/b.lua": saying("one")}) as p:
        p.await_text("a", "one")
        p.write("tools/test/a.lua", saying("two", head=LOOP))
        time.sleep(0.3)
        p.write("tools/test/a.lua", saying("three"))      # not behind the two seconds of the other
        begun = time.monotonic()
        p.await_text("a", "three")
        tap.note(f"mended after {time.monotonic() - begun:.2f} s")
        p.write("tools/test/a.lua", saying("four", head=LOOP))
        p.await_problem("a.lua")
        for text in ("two", "three", "four"):   # a file that is known to spin is not run at every save of another
            before = worked(p)
            p.write("tools/test/b.lua", saying(text))
            p.await_text("b", text)
            costs_less(worked(p) - before, BUDGET / 2, "another's save")


def at_the_start():
    with Project(dict({"lib/loop.lua": LOOP, "tools/test/fine.lua": saying("fine")}, **{n: USER for n in TEN})) as p:
        p.await_text("fine", "fine")
        costs_less(worked(p), BUDGET, "the first call")
        pings_cost(p)
        p.await_that("problems of all ten", lambda: len(p.ours()) == 10)


def waiting():
    with Project({"tools/test/a.lua": saying("one")}) as p:
        p.await_text("a", "one")
        p.write("tools/test/a.lua", saying("two", head='require "sys.time".sleep(0.01)'))
        holds(p.await_problem("a.lua")["message"], "cannot wait while a file is loaded")


def check():
    files = dict({"lib/loop.lua": LOOP}, **{name: USER for name in TEN})
    files.update({f"lib/l{i}.lua": 'return require "loop"' for i in range(10)})
    with Project(files, start=False) as p:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([PERIGEE, "check", "--no-user-root", "--root", p.roots[0]], capture_output=True, text=True,
                              timeout=200, check=False)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        holds(done.stdout, "lib/loop.lua:1: took longer than 2000 ms")
        holds(done.stdout, "; 21 problems")
        costs_less(took, 3 * BUDGET, "perigee check")


tap.case("a lib file that loops at load holds up no ping, and costs one budget", library)
tap.case("a tool that loops at load holds up no other tool's edit", tool)
tap.case("a lib file that loops from the start holds up no first call", at_the_start)
tap.case("a file that waits while it is loaded in turns is told", waiting)
tap.case("perigee check with a lib file that loops ends in one budget", check)
tap.done()
