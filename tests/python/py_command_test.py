#!/usr/bin/env python3
"""perigee py: code from a file, stdin or the command line; output as it comes; exit codes."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                          # noqa: E402
from procs import alive, descendants                # noqa: E402
from server import GUARD, PERIGEE                   # noqa: E402

ENV = dict(os.environ, PERIGEE_DESKTOP="fake")


def py(*words, given="", **more):
    done = subprocess.run([PERIGEE, "py", *words], input=given, capture_output=True, text=True, timeout=GUARD * 6,
                          env=dict(ENV, **more), check=False)
    return done.returncode, done.stdout, done.stderr


def code_comes_from_a_file_stdin_or_the_line():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.py")
        path.write_text("print('file')\n", encoding="utf-8")
        assert py(str(path)) == (0, "file\n", "")
        assert py("-", given="print('stdin')\n") == (0, "stdin\n", "")
        assert py("-e", "print('line')") == (0, "line\n", "")


def arguments_go_to_the_function():
    code = "def generated_function_name(*words): return list(words)"
    assert py("-e", code, "a", "b") == (0, '["a","b"]\n', "")
    assert py("-e", "def generated_function_name(): return 'text'") == (0, "text\n", "")


def each_end_has_its_status():
    status, _, err = py("-e", "1/0")
    assert status == 1 and "ZeroDivisionError" in err, err
    assert py("-e", "import sys; sys.exit(3)")[0] == 3
    assert py("-e", "import sys; sys.exit(0)")[0] == 0
    status, _, err = py("--timeout", "1", "-e", "while True: pass")
    assert status == 124 and "longer than 1 second and" in err and "Raise --timeout, or do less" in err, err
    assert py()[0] == 2
    assert py("/nowhere.py")[0] == 1


def bytes_come_as_they_are():
    done = subprocess.run([PERIGEE, "py", "-e", "import sys; sys.stdout.buffer.write(b'\\xff\\n')"], capture_output=True,
                          timeout=GUARD * 6, env=ENV, check=False)
    assert done.stdout == b"\xff\n", done


def output_comes_before_the_end():
    with subprocess.Popen([PERIGEE, "py", "-e", "print('now', flush=True)\nwhile True: pass"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=ENV) as child:
        assert child.stdout.readline() == b"now\n"
        below = descendants(child.pid)
        child.send_signal(signal.SIGINT)
        assert child.wait(GUARD * 6) == 130
        end = time.monotonic() + GUARD
        while any(alive(pid) for pid in below):
            assert time.monotonic() < end, "it runs on"
            time.sleep(0.01)


def files_are_saved_where_wanted():
    with tempfile.TemporaryDirectory() as folder:
        into = os.path.join(folder, "new")
        assert py("-e", "open('a.txt', 'w').write('x')", "-o", into)[0] == 0
        assert pathlib.Path(into, "a.txt").read_text(encoding="utf-8") == "x"
    status, _, err = py("-e", "open('a.txt', 'w').write('x')")
    assert status == 0 and "not saved: a.txt" in err, err


def tools_are_functions():
    assert py("-e", "print(len(tools.list_displays()['displays']))") == (0, "2\n", "")


def the_interpreter_is_configured():
    status, _, err = py("-e", "print(1)", PERIGEE_CODE_PYTHON="/nowhere/python3")
    assert status == 1 and "/nowhere/python3" in err, err
    assert "The code was not run" in err and "Set PERIGEE_CODE_PYTHON to another interpreter" in err, err
    with tempfile.TemporaryDirectory() as folder:
        status, _, err = py("-e", "print(1)", PATH=folder)
    assert status == 1 and "The code was not run" in err and "Install Python 3.9 or later" in err, err


for each in (code_comes_from_a_file_stdin_or_the_line, arguments_go_to_the_function, each_end_has_its_status, bytes_come_as_they_are,
             output_comes_before_the_end, files_are_saved_where_wanted, tools_are_functions, the_interpreter_is_configured):
    tap.case(each.__name__, each)
tap.done()
