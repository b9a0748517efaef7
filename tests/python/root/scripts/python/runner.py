"""A small runner, which does only what the jail's tests need: it forks, closes the jail, runs the code of one JOB, and hands
over what the guest left. The one that is shipped is lua/scripts/python/runner.py; both speak src/guest/control.h."""

import array
import ctypes
import io
import json
import os
import select
import signal
import socket
import stat
import struct
import sys
import traceback

RECORD, HEAD = struct.Struct("=IIi"), struct.Struct("<IBI")
FORK, KILL, END, READY, CHILD, FILES = range(1, 7)
DONE, OUTPUT, FILE = 13, 14, 15
CALLS, LANDLOCK, NAMESPACES = 1, 4, 8

# Modules of the attempts.
WANTED = """asyncio fcntl gc glob math mmap multiprocessing.process multiprocessing.context multiprocessing.popen_fork pickle platform pty
    pwd resource select shutil sqlite3 stat subprocess tarfile tempfile time urllib.request""".split()

jail = ctypes.CDLL(sys.argv[2], use_errno=True)
control = socket.socket(fileno=3)


def string(data):
    return struct.pack("<I", len(data)) + data


def frame(kind, payload):
    return HEAD.pack(len(payload), kind, 0) + payload


def send(verb, number, status=0, fd=None):
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))] if fd is not None else []
    control.sendmsg([RECORD.pack(verb, number, status)], rights)


def files_of(folder):
    for name in sorted(os.listdir(folder))[:32]:
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        except OSError:
            continue
        if stat.S_ISREG(os.fstat(fd).st_mode) and not name.startswith("."):
            with open(fd, "rb") as file:
                yield frame(FILE, string(name.encode()) + string(file.read(1 << 20)))
        else:
            os.close(fd)


def hand_over(number, mount, path):
    fd = os.memfd_create("files")
    folder = os.open("." if mount >= 0 else path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=mount if mount >= 0 else None)
    frames = list(files_of(folder))
    os.close(folder)
    with open(fd, "wb", closefd=False) as file:
        file.write(b"".join(frames))
    send(FILES, number, len(frames), fd)
    os.close(fd)


def remove(box):
    for folder, folders, files in os.walk(box, topdown=False):
        for name in files:
            os.unlink(os.path.join(folder, name))
        for name in folders:
            path = os.path.join(folder, name)
            os.unlink(path) if os.path.islink(path) else os.rmdir(path)
    os.rmdir(box)


def read_job():
    data = b""
    while len(data) < HEAD.size or len(data) < HEAD.size + HEAD.unpack_from(data)[0]:
        more = os.read(3, 65536)
        if not more:
            os._exit(0)
        data += more
    return json.loads(data[HEAD.size + 4:])


def live():
    job, out, error = read_job(), io.StringIO(), None
    sys.stdout = out
    try:
        exec(compile(job["code"], "<code>", "exec"), {"__name__": "__main__"})
    except BaseException as failure:  # pylint: disable=broad-except
        error = {"kind": type(failure).__name__, "message": str(failure), "traceback": "".join(traceback.format_exception(
            type(failure), failure, failure.__traceback__))}
    done = json.dumps({"ok": not error, "error": error}).encode()
    os.write(3, frame(OUTPUT, b"\1" + string(out.getvalue().encode("utf-8", "replace")[:60000])) + frame(DONE, string(done)))
    os._exit(0)


def become(line, mount, path):
    null, kept = os.open("/dev/null", os.O_RDWR), os.dup(line)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.dup2(kept, 3)
    layers = jail.perigee_python_enter(mount, path.encode())
    if layers < 0:
        os._exit(71)
    if layers & LANDLOCK:
        os.chdir(path)
        os.environ.update(HOME=path, TMPDIR=path)
    if jail.perigee_python_lock(int(bool(layers & LANDLOCK)), b"") < 0:
        os._exit(72)
    live()


def main():
    layers = jail.perigee_python_begin()
    guests = {}
    for name in WANTED:     # without Landlock guests open no file, so no module either
        __import__(name)
    for name in [each for each in os.environ if each.startswith("PERIGEE_")]:
        del os.environ[name]
    send(READY, layers)
    if not layers & CALLS:
        return
    poll = select.poll()
    poll.register(3, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != 3:
                pid, number, mount, path = guests.pop(fd)
                status = os.waitpid(pid, 0)[1]
                poll.unregister(fd)
                hand_over(number, mount, path)
                send(END, number, status)
                os.close(fd)
                if mount >= 0:
                    os.close(mount)
                else:
                    remove(path)
                continue
            data, rights, _, _ = control.recvmsg(RECORD.size, socket.CMSG_SPACE(4))
            if len(data) < RECORD.size:
                return
            verb, number, _ = RECORD.unpack(data)
            if verb == FORK:
                line = struct.unpack("i", rights[0][2][:4])[0]
                mount = jail.perigee_python_box()
                path = "/box" if mount >= 0 else f"/tmp/perigee-python-test-{os.getpid()}-{number}"
                if mount < 0:
                    os.mkdir(path, 0o700)
                pid = os.fork()
                if pid == 0:
                    try:
                        become(line, mount, path)
                    finally:
                        os._exit(70)
                os.close(line)
                pidfd = os.pidfd_open(pid)
                guests[pidfd] = (pid, number, mount, path)
                poll.register(pidfd, select.POLLIN)
                send(CHILD, number, 0, pidfd)
            for pid, other, mount, path in guests.values():
                if other == number and verb == KILL:
                    os.kill(pid, signal.SIGKILL)
                elif other == number and verb == FILES:
                    hand_over(number, mount, path)


main()
