#!/usr/bin/env python3
"""The launcher of Python guests (`perigee --python-server`): the interpreter that it finds, what guests have of the system, kills,
and files."""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                          # noqa: E402
from procs import descendants, words_of             # noqa: E402
from python_server import NAMESPACES, PythonServer, Refused, found   # noqa: E402
from server import GUARD, PERIGEE                   # noqa: E402

PYTHON = os.path.realpath("/usr/bin/python3")
SECRET = "a-secret-" + os.urandom(8).hex()


class Folder:
    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="perigee-python-test-"))
        self.path.chmod(0o755)
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def refusal(interpreter, *path):
    try:
        found(interpreter, *path)
    except Refused as refused:
        return str(refused)
    raise AssertionError(f"{interpreter} was taken")


def a_script_is_no_interpreter():
    with Folder() as folder:
        shim = folder / "python3"
        shim.write_text("#!/bin/sh\nexec python3 \"$@\"\n")
        shim.chmod(0o755)
        said = refusal(str(shim))
        assert "is a script" in said and "pyenv which" in said, said
        passed = found("python3", f"{folder}:/usr/bin")
        assert passed["program"] == PYTHON, passed


def what_is_not_there_is_refused_with_the_reason():
    with Folder() as folder:
        assert "not the absolute path of a program" in refusal(str(folder / "none"))
        assert "not the absolute path of a program" in refusal("./python3")
        assert "is on PATH" in refusal("no-such-python", "/usr/bin")
        lone = folder / "bin" / "python3"
        lone.parent.mkdir()
        shutil.copy("/usr/bin/true", lone)
        said = refusal(str(lone))
        assert "standard library" in said and "os.py" in said, said


def a_server_without_an_interpreter_ends():
    said = subprocess.run([PERIGEE, "--python-server"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    assert said.returncode == 1 and b"interpreter" in said.stderr, said


def a_virtual_environment_is_used_with_its_packages():
    with Folder() as folder:
        home = folder / "venv"
        (home / "bin").mkdir(parents=True)
        (home / "bin/python3").symlink_to(PYTHON)
        (home / "pyvenv.cfg").write_text(f"home = {os.path.dirname(PYTHON)}\ninclude-system-site-packages = false\n")
        version = ".".join(map(str, sys.version_info[:2]))
        packages = home / "lib" / f"python{version}" / "site-packages"
        packages.mkdir(parents=True)
        (packages / "ours.py").write_text("value = 7\n")
        (packages / "evil.pth").write_text(f"import os; open({str(folder / 'ran')!r}, 'w')\n")
        (packages / "__editable__.thing.pth").write_text("/somewhere/else\n")
        (folder / "private").write_text(SECRET)
        with PythonServer(str(home / "bin/python3")) as server:
            guest = server.run("import sys, ours; print(ours.value, sys.executable)\n"
                               f"print(open({str(folder / 'private')!r}).read())")
        assert guest.output == f"7 {home / 'bin/python3'}\n", guest.output
        assert guest.done["error"]["kind"] in ("FileNotFoundError", "PermissionError"), guest.done
        assert not (folder / "ran").exists(), "a .pth file ran"
        note = found(str(home))["note"]
        assert "editable" in note and "thing" in note, note


def a_guest_that_is_not_forked_is_shut_in():
    """As on macOS, with Landlock in Seatbelt's place."""
    with Folder() as folder, PythonServer("/usr/bin/python3", "--spawn", refused="namespaces") as server:
        (folder / "private").write_text(SECRET)
        for _ in range(2):
            guest = server.run(f"""
import os, socket
open("kept.txt", "w").write("kept")
for act in (lambda: open({str(folder / 'private')!r}).read(), lambda: open("/etc/passwd").read(), os.fork, socket.socket,
            lambda: open({str(folder / 'new')!r}, "w")):
    try:
        print("did", act())
    except OSError as error:
        print(type(error).__name__)
""")
            assert guest.output == "PermissionError\n" * 5 and guest.files == {"kept.txt": b"kept"} and guest.status == 0, guest.__dict__


def links_on_the_way_to_it_are_followed():
    with Folder() as folder:
        (folder / "a").symlink_to(folder / "b")
        (folder / "b").symlink_to(PYTHON)
        with PythonServer(str(folder / "a")) as server:
            assert server.run("print(2)").output == "2\n"


def a_guest_sees_only_what_python_needs():
    with PythonServer() as server:
        if not server.layers & NAMESPACES:
            raise tap.Skip("there are no namespaces here")
        guest = server.run(f"way = {[str(path) for path in TOP.parents]}" + """
import os
for path in ("/etc/passwd", "/home", "/root", "/proc", "/sys", "/usr/bin/env", "/run", "/var", "/usr/share/doc", "/dev/shm"):
    if path in way:         # to the runner, which is in there
        try:
            assert len(os.listdir(path)) == 1, path
        except PermissionError:
            pass
    else:
        assert not os.path.exists(path), path
assert os.getcwd() == "/box" and os.listdir(".") in ([], [".mpl"])
assert os.environ["LC_ALL"] == "C.UTF-8" and os.environ["OPENBLAS_NUM_THREADS"] == "1"
import getpass, tempfile, locale
assert getpass.getuser() == "user" and tempfile.gettempdir() == "/box"
import zoneinfo, datetime
print(datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset())
""")
        assert guest.output == "2:00:00\n" and guest.done["ok"], (guest.output, guest.done)


def a_box_has_a_size():
    with PythonServer() as server:
        if not server.layers & NAMESPACES:
            raise tap.Skip("there are no namespaces here")
        guest = server.run("""
import errno
def fails(work):
    try:
        work()
    except OSError as error:
        return errno.errorcode[error.errno]
def fill():
    for i in range(3):
        with open(f"big{i}", "wb") as file:
            for _ in range(50): file.write(b"x" * (1 << 20))
def many():
    for i in range(2000): open(f"f{i}", "w").close()
print(fails(fill), fails(many))
""")
        assert guest.output == "ENOSPC ENOSPC\n", (guest.output, guest.done)


def files_outlive_the_guest_that_wrote_them():
    with PythonServer() as server:
        for end in ("os._exit(3)", "os.kill(os.getpid(), 9)", "while True: pass"):
            guest = server.fork()
            guest.ask("import os\nos.symlink('/etc/passwd', 'link'); os.mkdir('folder'); open('.dot', 'w').close()\n"
                      f"with open('left.txt', 'w') as file: file.write('kept')\n{end}\n")
            while end.startswith("while") and "left.txt" not in guest.files:
                server.tell(6, guest.number)                # FILES, while it runs
                server.hear()
            if end.startswith("while"):
                guest.kill()
            server.finish(guest)
            assert guest.files.get("left.txt") == b"kept", (end, guest.files)
            assert not {"link", "folder", ".dot"} & set(guest.files), guest.files


def no_run_finds_what_another_left():
    with PythonServer() as server:
        server.run("open('left', 'w').write('x')")
        assert "left" not in server.run("import os; print(os.listdir('.'))").output


def the_token_of_the_engine_is_not_there():
    with PythonServer(env={"PERIGEE_TOKEN": SECRET, "OPENAI_API_KEY": SECRET, "HOME": "/" + SECRET}) as server:
        assert SECRET not in server.run("import os; print(dict(os.environ))").output
        for pid in descendants(server.process.pid):
            try:
                assert SECRET.encode() not in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            except (PermissionError, ProcessLookupError):
                tap.note("the environment of a process that is shut in cannot be read: not tried")


def runners(server):
    """The server, which is the process that was started where there are no namespaces, and its guests."""
    return sorted(pid for pid in [server.process.pid, *descendants(server.process.pid)] if b"runner.py" in words_of(pid))


def a_kill_needs_no_server():
    with PythonServer() as server:
        guest = server.fork()
        server_pid = runners(server)[0]
        assert len(runners(server)) > 1
        os.kill(server_pid, signal.SIGSTOP)         # as one that imports for seconds
        began = time.monotonic()
        guest.kill()
        assert select.select([guest.pidfd], [], [], GUARD)[0], "it is alive"
        tap.note(f"killed within {1000 * (time.monotonic() - began):.1f} ms while the server stood still")
        os.kill(server_pid, signal.SIGCONT)
        server.finish(guest)
        assert guest.status == signal.SIGKILL, guest.status


def everything_ends_with_the_engine():
    server = PythonServer()
    guest = server.fork()
    guest.ask("while True: pass")
    pids = [server.process.pid, *descendants(server.process.pid)]
    assert len(pids) >= 2
    server.line.close()
    server.process.wait(GUARD)
    end = time.monotonic() + GUARD
    while any(pathlib.Path(f"/proc/{pid}/cmdline").exists() and pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids[1:]):
        assert time.monotonic() < end, "a process is left"
        time.sleep(0.01)
    server.close()


def a_thousand_runs_leave_nothing():
    with PythonServer() as server:
        for _ in range(20):
            server.run("open('a', 'w').write('x')")
        pid = runners(server)[0]
        before = size(pid)
        for _ in range(1000):
            server.run("open('a', 'w').write('x')")
        end = time.monotonic() + GUARD
        while size(pid)[1] != before[1] and time.monotonic() < end:     # it closes them after it has told of the end
            server.run("pass")
        after = size(pid)
        tap.note(f"the server had {before[0]} kB and {before[1]} descriptors, and has {after[0]} kB and {after[1]}")
        assert after[1] == before[1], (before, after)
        assert after[0] < before[0] + 2048, (before, after)


def size(pid):
    """(kB resident, number of descriptors, or 0 where this user may not look)."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    try:
        files = len(os.listdir(f"/proc/{pid}/fd"))
    except PermissionError:
        files = 0
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]), files


def main():
    if not sys.platform.startswith("linux"):
        tap.skip("the launcher of Python guests", "its layers are Linux's")
        return tap.done()
    for case in (a_script_is_no_interpreter, what_is_not_there_is_refused_with_the_reason, a_server_without_an_interpreter_ends,
                 a_virtual_environment_is_used_with_its_packages, links_on_the_way_to_it_are_followed,
                 a_guest_that_is_not_forked_is_shut_in, a_guest_sees_only_what_python_needs,
                 a_box_has_a_size, files_outlive_the_guest_that_wrote_them, no_run_finds_what_another_left,
                 the_token_of_the_engine_is_not_there, a_kill_needs_no_server, everything_ends_with_the_engine,
                 a_thousand_runs_leave_nothing):
        tap.case(case.__name__.replace("_", " "), case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
