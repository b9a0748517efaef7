#!/usr/bin/env python3
"""The fork server of Python guests (lua/scripts/python/runner.py) and its guests over time: records, files, sessions,
deadlines and ends; and that a thousand runs leave nothing behind.

    tests/python/runner_test.py [--wide]      with --wide under each Python here, else under the system's
"""

import os
import pathlib
import signal
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                                  # noqa: E402
from python_guest import KILL, RUNNER, Server, interpreters     # noqa: E402

RUNS = 1000


# --- ends -----------------------------------------------------------------------------------------

def needs_a_jail(python):
    """Without a jail nothing runs unless the caller says so."""
    ended = subprocess.run([python, "-I", "-S", "-B", str(RUNNER)], capture_output=True, text=True, check=False)
    assert ended.returncode and "--no-jail" in ended.stderr, ended


def killed_by_id(server):
    """Output is kept that was printed last and not sent yet."""
    guest = server.fork().begin("print('a'); print('b')\nwhile True:\n  try:\n    while True: pass\n  except BaseException: pass")
    guest.until(lambda answer: answer.out)
    answer = guest.kill()
    assert answer.status == signal.SIGKILL and answer.done is None, answer
    assert "a\nb\n".startswith(answer.out), answer


def killed_by_pidfd(server):
    """In C code that nothing interrupts, after output that was not sent yet."""
    guest = server.fork().begin("print('a'); print('b')\nimport os\nopen('told', 'w').close()\nx = 3**(10**9)")
    guest.until(lambda answer: answer.out)
    while "told" not in server.files(guest).files:
        pass
    signal.pidfd_send_signal(server.pidfds[guest.number], signal.SIGKILL)
    answer = guest.end()
    assert answer.status == signal.SIGKILL and answer.out == "a\nb\n", answer


def swallowed(server):
    """The deadline comes twice to code that catches it, and a run that went on then is none that was in time."""
    answer = server.run("import signal\nprint('a')\nfor _ in range(3):\n  try: signal.raise_signal(signal.SIGALRM)\n"
                        "  except BaseException as e: print(type(e).__name__)\nprint('on')")
    assert answer.out == "a\nTimeout\nTimeout\non\n" and answer.done["timeout"] and not answer.done["ok"], answer


def sent_at_the_deadline(server):
    """The engine may kill soon: what was printed is sent before code can catch the deadline."""
    guest = server.fork().begin("import signal, sys\nprint('a')\nprint('b')\ntry: signal.raise_signal(signal.SIGALRM)\n"
                                "except BaseException: sys.stdout = None\nwhile True: pass")
    guest.until(lambda answer: answer.out == "a\nb\n")
    assert guest.kill().done is None, guest.answer


def engine_gone(python):
    """The server takes its guests along, even one that reads nothing."""
    with Server(python) as server:
        guest = server.fork().begin("print('a', flush=True)\nwhile True: pass")
        guest.until(lambda answer: answer.out)
        waiting = server.fork()
        pidfds = [os.dup(server.pidfds[each.number]) for each in (guest, waiting)]
    import select
    for pidfd in pidfds:
        assert select.select([pidfd], [], [], 0)[0], "a guest is alive"
        os.close(pidfd)


def guest_loses_engine(server):
    guest = server.fork()
    guest.line.close()
    server.until(lambda: guest.number in server.ends)
    assert server.ends[guest.number] == 0, server.ends[guest.number]


def unknown_ids(server):
    server.tell(KILL, 999999)
    assert server.run("print(1)").out == "1\n"


# --- files ------------------------------------------------------------------------------------------

FILES = """
import os
open('b.txt', 'w').write('b')
open('a.txt', 'w').write('a')
open('.hidden', 'w').write('h')
os.mkdir('folder'); open('folder/c.txt', 'w').write('c')
os.symlink('/etc/passwd', 'link')
os.mkfifo('pipe')
"""


def files_of_a_run(server):
    answer = server.run(FILES)
    assert list(answer.files.items()) == [("a.txt", b"a"), ("b.txt", b"b")], answer
    assert answer.left_out.startswith("not handed over: folder, link, pipe. "), answer.left_out
    assert not os.listdir(os.path.join(server.folder, os.listdir(server.folder)[0])), "a box was left"


def too_many_files(server):
    answer = server.run("for i in range(60): open(f'{i:02}', 'w').write(str(i))")
    assert sorted(answer.files) == [f"{i:02}" for i in range(32)], answer.left_out
    assert "51 and 8 more." in answer.left_out, answer.left_out


def too_large_files(server):
    answer = server.run("for n in 'abc': open(n, 'wb').write(b'x' * (9 << 20))\nopen('d', 'w').write('d')")
    assert {name: len(data) for name, data in answer.files.items()} == {"a": 9 << 20, "d": 1}, answer.left_out
    assert "b, c." in answer.left_out, answer.left_out


def files_of_a_session(server):
    """Each time, what is new or changed."""
    guest = server.fork(session=True)
    guest.begin("open('a', 'w').write('1'); open('b', 'w').write('1')", session=True).finish()
    assert server.files(guest).files == {"a": b"1", "b": b"1"}
    guest.begin("open('b', 'w').write('2')", session=True).finish()
    assert server.files(guest).files == {"b": b"2"}
    assert server.files(guest).files == {} and server.counts[guest.number] == 0
    guest.begin("open('c', 'w').write('3'); import os; os._exit(0)", session=True).finish()
    assert guest.answer.done["lost"] and guest.end().files == {"c": b"3"}, guest.answer


# --- sessions -----------------------------------------------------------------------------------------

def session(server):
    guest = server.fork(session=True)

    def job(code, **more):
        return guest.begin(code, session=True, **more).finish()

    job("import asyncio\nx = [1, 2, 3]\ndef f(): return sum(x)\nq = asyncio.Queue(); await q.put(5)")
    assert job("x.append(4); print(f(), await q.get())").out == "10 5\n", guest.answer
    assert job("1/0").done["error"]["traceback"].count("1/0") == 1, guest.answer
    assert not job("import sys; sys.exit(2)").done["ok"]
    timeout = job("y = 7\nwhile True: pass", seconds=0.2).done
    assert timeout["timeout"] and not timeout["lost"], timeout
    assert job("print(x, y)").out == "[1, 2, 3, 4] 7\n", guest.answer
    assert job("import asyncio\nawait asyncio.sleep(1000)", seconds=0.2).done["timeout"]
    assert job("await asyncio.sleep(0); print(len(asyncio.all_tasks()))").out == "1\n", guest.answer
    assert job("def generated_function_name(a): return a", args=[1]).done["result"] == 1
    assert not job("1").done["function_called"], guest.answer
    guest.line.close()
    server.until(lambda: guest.number in server.ends)


LIMITED = """
import resource
used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
x, held = 5, []
"""


def full_session(server):
    """A session whose variables use up the memory goes on while that can be told; else it is lost, and says so."""
    guest = server.fork(session=True)

    def job(code):
        return guest.begin(code, session=True).finish()

    job(LIMITED)
    done = job("while True: held.append(bytearray(1 << 20))").done
    assert done["error"]["kind"] == "MemoryError" and not done["lost"] and "line 1" in done["error"]["traceback"], done
    assert job("held.clear(); print(x)").out == "5\n", guest.answer
    for _ in range(9):
        done = job("while True: held.append([1])").done
        assert done["error"]["kind"] == "MemoryError", guest.answer
        if done["lost"]:
            assert guest.end().status == 0, guest.answer
            return
    assert job("held.clear(); print(x)").out == "5\n", guest.answer
    guest.line.close()


def output_of_each_job(server):
    """The limit, and what is counted as left out, begin anew."""
    guest = server.fork(session=True)
    for _ in range(2):
        answer = guest.begin("print('x' * 50); import os; os.write(1, b'raw')", session=True, output=20).finish()
        assert answer.out == "x" * 20 and "34 bytes of output" in answer.done["message"], answer
    guest.line.close()


# --- what runs share -----------------------------------------------------------------------------------

def nothing_shared(server):
    server.run("import json, builtins, sys, os\njson.dumps = builtins.print = None\nsys.path.clear(); os.environ['X'] = '1'")
    answer = server.run("import json, os, sys\nprint(json.dumps(1), os.environ.get('X'), bool(sys.path))")
    assert answer.out == "1 None True\n", answer


def random_numbers(server):
    """Modules that were imported before the fork do not give each run the same numbers."""
    code = "import random; print(random.random())"
    while server.run("import sys; print('random' in sys.modules)").out != "True\n":
        pass
    assert server.run(code, seed=1).out == server.run(code, seed=1).out != server.run(code, seed=2).out


def harms_itself(server):
    """Code that patches the runner loses its own result, and no more."""
    answer = server.run("import sys\nsys.modules['perigee_python.channel'].json_bytes = None\n"
                        "sys.modules['perigee_python.guest'].json_bytes = None")
    assert answer.done is None and answer.status, answer
    assert "a guest failed" in answer.err, answer
    assert server.run("print(1)").out == "1\n"


def pieces(server):
    """Output comes in frames of at most 8 kB, and a character is in one frame."""
    answer = server.run("print('é' * 30000)\nfor i in range(9000): print('ü', i)")
    assert max(answer.pieces) <= 8192 and "\ufffd" not in answer.out, answer.pieces
    assert answer.out.count("é") == 30000 and answer.out.count("ü") == 9000
    assert len(answer.pieces) < 60, answer.pieces


def grows(server):
    """(descriptors, memory that is no file's in kB) of the server."""
    folder = pathlib.Path(f"/proc/{server.process.pid}")
    lines = (folder / "smaps_rollup").read_text().splitlines()
    return len(list((folder / "fd").iterdir())), sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))


def thousand_runs(server):
    """Files, output, calls and deaths, a thousand times: the server has as many descriptors as before, and as much memory."""
    def some(count):
        for i in range(count // 5):
            answer = server.run("open('a', 'w').write('x' * 10000); print('y' * 1000)")
            assert len(answer.files["a"]) == 10000 and len(answer.out) == 1001, answer
            assert server.run("1/0").done["error"]["kind"] == "ZeroDivisionError"
            assert server.run("import os; os.write(2, b'z' * 1000); os._exit(3)").err == "z" * 1000
            assert server.run(f"print(tools['t'](i={i}))", tools=[{"name": "t"}], on_call=lambda _, given: given).out
            assert server.fork().kill().status == signal.SIGKILL

    some(RUNS // 4)             # until it has imported what it wants
    before = grows(server)
    some(RUNS * 3 // 4)
    after = grows(server)
    tap.note(f"descriptors and kB: {before}, then {after}")
    assert after[0] == before[0] and after[1] <= before[1] + 512, (before, after)


# --- packages ---------------------------------------------------------------------------------------------

HEAVY = """
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.title('t'); plt.show()
plt.figure(5); plt.plot([3])
print(np.random.rand() > 0, len(pd.DataFrame({'a': [1, 2]})))
def generated_function_name(): return {'n': np.int64(3), 'l': np.arange(3)}
"""


def packages(python):
    """numpy, pandas and matplotlib, imported before the fork: pictures, seeds, numbers as JSON."""
    asked = subprocess.run([python, "-I", "-c", "import numpy, pandas, matplotlib"], capture_output=True, check=False)
    if asked.returncode:
        raise tap.Skip("numpy, pandas or matplotlib is not installed")
    with Server(python, "--no-jail", "--heavy") as server:
        answer = server.run(HEAVY, seed=1)
        assert answer.done["ok"] and answer.out == "True 2\n" and answer.done["result"] == {"n": 3, "l": [0, 1, 2]}, answer
        assert [(mime, name, data[:4]) for mime, name, data in answer.pictures] == [
            ("image/png", "figure-1.png", b"\x89PNG"), ("image/png", "figure-5.png", b"\x89PNG")], answer
        assert not answer.err and not answer.files, answer
        code = "import numpy as np; print(np.random.rand())"
        assert server.run(code, seed=1).out == server.run(code, seed=1).out != server.run(code, seed=2).out
        assert not server.said(), server.said()


def seatbelt(python):
    """The profile of macOS, of which only the text can be tried here."""
    code = """if True:
        import importlib.util, sys
        spec = importlib.util.spec_from_file_location("runner", sys.argv[1])
        runner = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(runner)
        for box in ("/b", None):
            print(runner.seatbelt(["/usr/lib", 'a"b', "a\\\\b"], box).decode())"""
    asked = subprocess.run([python, "-I", "-c", code, str(RUNNER)], capture_output=True, text=True, check=False)
    start = "(version 1)(deny default)(allow sysctl-read)(allow signal (target self))"
    assert asked.stdout.splitlines() == [start + '(allow file-read* (subpath "/usr/lib"))(allow file-read* file-write* (subpath "/b"))',
                                         start], asked


OF_PYTHON = [needs_a_jail, seatbelt, engine_gone, packages]
OF_SERVER = [killed_by_id, killed_by_pidfd, swallowed, sent_at_the_deadline, guest_loses_engine, unknown_ids, files_of_a_run, too_many_files,
             too_large_files, files_of_a_session, session, full_session, output_of_each_job, nothing_shared, random_numbers, harms_itself, pieces]
# As on macOS, where no guest is forked.
SPAWNED = [killed_by_id, swallowed, guest_loses_engine, files_of_a_run, files_of_a_session, session, output_of_each_job,
           nothing_shared, harms_itself, pieces]


def main():
    found = interpreters(every="--wide" in sys.argv[1:])
    for version, python in found:
        for case in OF_PYTHON:
            tap.case(f"{version}: {case.__name__}", case, python)
        with Server(python, "--no-jail", "--spawn") as server:
            for case in SPAWNED:
                tap.case(f"{version}, not forked: {case.__name__}", case, server)
        with Server(python) as server:
            for case in OF_SERVER + ([thousand_runs] if python == found[-1][1] else []):
                tap.case(f"{version}: {case.__name__}", case, server)
    tap.done()


if __name__ == "__main__":
    main()
