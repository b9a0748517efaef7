#!/usr/bin/env python3
"""execute_python_code and large packages: after the first use other processes have them in memory. The packages are doubles,
in a virtual environment; runner_test.py has the real ones, where they are installed."""

import atexit
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                                      # noqa: E402
import tap                                          # noqa: E402
from procs import alive, descendants                # noqa: E402
from python_guest import interpreters               # noqa: E402
from server import GUARD, perigee                   # noqa: E402

NUMPY = "import os\nfrom numpy import random\nmade = os.getpid()\n"
RANDOM = "given = None\ndef seed(number):\n    global given\n    given = number\n"
OWN = "import os, numpy\nprint(numpy.made == os.getpid())"


def environment():
    """A virtual environment with a double of numpy."""
    python = interpreters(every=False)[0][1]       # the system's: an environment of Debian's differs from others
    folder = folders.fresh("perigee-packages-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    package = next(pathlib.Path(folder, "lib").glob("python3.*/site-packages")) / "numpy"
    package.mkdir()
    (package / "__init__.py").write_text(NUMPY)
    (package / "random.py").write_text(RANDOM)
    return folder


FOLDER = environment()


def opened():
    server = perigee("--root", str(TOP / "tests/wire/root"),
                     env=dict(os.environ, PERIGEE_DESKTOP="fake", PERIGEE_CODE_PYTHON=FOLDER))
    server.initialize()
    return server


def run(server, code, **more):
    found = server.ask("tools/call", {"name": "execute_python_code", "arguments": {"code": code, **more}})["result"]["structuredContent"]
    assert found["status"] == "success", found
    return found


def make_ready(server):
    """Runs of code that imports it, until one finds it in memory. The first does not."""
    assert run(server, OWN)["stdout"] == "True\n"
    end = time.monotonic() + GUARD
    while run(server, OWN)["stdout"] != "False\n":
        assert time.monotonic() < end, "each run imports it"


def later_runs_find_it_in_memory():
    with opened() as server:
        make_ready(server)
        for _ in range(3):
            assert run(server, OWN)["stdout"] == "False\n"
        answer = run(server, "import numpy, os\nopen('a.txt', 'w').write('x')\nprint(tools.list_displays() and os.listdir())")
        assert answer["stdout"] == "['a.txt']\n" and "Files: 1" in answer["message"], answer


def each_run_has_other_random_numbers():
    with opened() as server:
        make_ready(server)
        seeds = {run(server, "import numpy\nprint(numpy.random.given)")["stdout"] for _ in range(3)}
        assert len(seeds) == 3 and "None\n" not in seeds, seeds


def code_that_names_none_runs_without():
    with opened() as server:
        make_ready(server)
        assert run(server, "import sys\nprint('num' + 'py' in sys.modules)")["stdout"] == "False\n"


def a_session_stays_where_it_began():
    with opened() as server:
        run(server, "x = 5", session="before")
        make_ready(server)
        assert run(server, OWN + "\nprint(x)", session="before")["stdout"] == "True\n5\n"
        assert run(server, OWN + "\ny = 6", session="later")["stdout"] == "False\n"
        assert run(server, "print(y)", session="later")["stdout"] == "6\n"


def nothing_of_them_outlives_the_engine():
    for ended in (lambda server: server.close_stdin(), lambda server: server.process.kill()):
        with opened() as server:
            make_ready(server)
            below = [pid for pid in descendants(server.process.pid) if alive(pid)]
            assert len(below) >= 4, below
            ended(server)
            end = time.monotonic() + GUARD
            while any(alive(pid) for pid in below):
                assert time.monotonic() < end, "a process is left"
            with contextlib.suppress(Exception):
                server.kill()


for each in (later_runs_find_it_in_memory, each_run_has_other_random_numbers, code_that_names_none_runs_without,
             a_session_stays_where_it_began, nothing_of_them_outlives_the_engine):
    tap.case(each.__name__, each)
tap.done()
