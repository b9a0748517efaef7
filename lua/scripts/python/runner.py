"""The fork server of Python guests, and the way into a guest.

    python3 -I -S -B runner.py --jail MODULE [--heavy] [--spawn]
    python3 -I -S -B runner.py --no-jail [--heavy] [--spawn]    tests only: the code may do what the user may
    python3 -I -S -B runner.py --guest BOX --jail MODULE        a guest that was not forked

Records (src/guest/control.h) come and go over descriptor 3. The other files here are what a guest needs: guest.py runs the
code, channel.py has its socket, output.py its streams, toolbox.py its tools, failures.py its errors.

For each FORK the server forks a child, which closes the jail around itself, rehearses an empty job, and then waits for its
JOB on the socket that came along. The server stays one thread: a fork with threads may hang. It imports little before
READY, because the first run waits for that; modules that many runs use are imported after the first run's end, one at a
time between records.

A run's files are in a box: a tmpfs of its own at /box or, where there are no namespaces, a folder. The server keeps hold
of the box and reads it once the guest is dead, or when the engine asks between two jobs of a session. A guest's
descriptors 1 and 2 are memory files, so that what C code writes there is kept until somebody reads it.

On macOS a fork of an interpreter is not safe once a framework is loaded, and there are neither pidfds nor memory files.
There (and with --spawn) a guest is a process of its own from the start, and SIGCHLD says that one has ended.

FILES comes with a memory file of frames: OUTPUT for what a dead guest wrote to its descriptors 1 and 2 and did not send, and
FILE for each regular file of the box that is new or changed since the FILES before. Nothing to hand over: no descriptor.
"""
import ctypes
import gc
import mmap
import os
import select
import stat
import struct
import sys

import _socket      # socket itself imports selectors and enum: 5 ms before READY

RECORD = struct.Struct("=IIi")
HEAD = struct.Struct("<IBI")
SIZE = struct.Struct("<I")
FORK, KILL, END, READY, CHILD, FILES = range(1, 7)
OUTPUT, FILE = 14, 15                       # kinds of src/guest/frame.h
CALLS, LANDLOCK, OPEN = 1, 4, 16            # layers of src/guest/jail/jail.h
CONTROL, TAILS = 3, 4                       # descriptors of a guest that was not forked; the first is also the server's
BOX = "/box"
FAILED = 71                                 # the exit code of a guest that could not begin, or go on
leave = os._exit                            # which guest.py replaces

FILES_MAX, FILES_BYTES, RAW_BYTES = 32, 16 << 20, 1 << 20
PIECE = 8192                                # bytes of an OUTPUT frame
TAIL = 12288                                # bytes for output not sent yet: a length, then text

# Imported after the first run's end; or before the first fork where guests cannot open files, with MORE.
COMMON = """linecache traceback asyncio inspect ast random datetime collections re math itertools functools statistics string
    decimal fractions textwrap csv io pathlib base64 hashlib hmac uuid time calendar copy operator enum dataclasses typing
    contextlib types concurrent.futures.thread threading queue heapq bisect urllib.parse html xml.etree.ElementTree zlib gzip
    bz2 lzma zipfile tempfile shutil glob fnmatch sqlite3 pprint secrets difflib unicodedata locale pickle logging warnings
    weakref abc array zoneinfo configparser subprocess socket""".split()
MORE = """__future__ getpass encodings.idna encodings.latin_1 importlib.resources platform argparse numbers cmath sched tarfile
    resource mmap graphlib colorsys html.parser urllib.request email.message xml.dom.minidom json.tool codecs timeit
    collections.abc concurrent.futures.process multiprocessing.pool multiprocessing.synchronize multiprocessing.popen_fork
    unittest doctest optparse shlex smtplib ssl http.client ipaddress binascii marshal contextvars reprlib stringprep
    _strptime _sysconfigdata sysconfig pdb cProfile pstats tracemalloc""".split()
HEAVY = ["numpy", "pandas", "matplotlib.pyplot", "perigee_python.pictures"]


class Jail:
    """The jail module (plain functions; -1 means failed, errno says why)."""

    def __init__(self, path):
        self.words = ["--jail", path]
        self.module = ctypes.CDLL(path, use_errno=True)
        self.readable = os.environ["PERIGEE_PYTHON_READS"].split("\n")

    def _ask(self, name, *values):
        answer = getattr(self.module, "perigee_python_" + name)(*values)
        if answer < 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")
        return answer

    def begin(self):
        return self._ask("begin")

    def box(self):
        try:
            return self._ask("box")
        except OSError:
            return -1           # no namespaces: a folder

    def enter(self, mount, path):
        return self._ask("enter", mount, os.fsencode(path))

    def lock(self, box):
        return self._ask("lock", int(box is not None), seatbelt(self.readable, box) if sys.platform == "darwin" else b"")


class NoJail:
    """For tests of this file: nothing is closed, and a box is a folder."""
    words = ["--no-jail"]

    def begin(self):
        return OPEN

    def box(self):
        return -1

    def enter(self, _mount, _path):
        return OPEN

    def lock(self, _box):
        return 0


def seatbelt(readable, box):
    """The profile of macOS (sandbox_init(3)): files as Landlock leaves them elsewhere, none without a box, and what threads and
    the C library ask the kernel for. No program, no process, no connection, no server of the system. Not tried on a Mac."""
    rules = ["(version 1)(deny default)(allow sysctl-read)(allow signal (target self))"]
    for what, path in [("file-read*", path) for path in readable if box] + [("file-read* file-write*", box)] * bool(box):
        if not set(path) & set('"\\'):         # which would end the string
            rules.append(f'(allow {what} (subpath "{path}"))')
    return os.fsencode("".join(rules))


class Guest:
    """A child, as the server knows it. It owns the descriptors."""

    def __init__(self, number, jail, folder):
        self.number = number
        self.pid = self.pidfd = -1
        self.seen = {}                      # file's name: what it was when it was handed over
        self.mount = jail.box()
        self.path = BOX if self.mount >= 0 else os.path.join(folder(), str(number))
        if self.mount < 0:
            os.mkdir(self.path, 0o700)
        self.raw = [memory_file("stdout"), memory_file("stderr")]
        self.tail_file = memory_file("tails")
        os.ftruncate(self.tail_file, 2 * TAIL)
        self.tails = mmap.mmap(self.tail_file, 2 * TAIL)

    def descriptors(self):
        return [fd for fd in (self.pidfd, self.mount, self.tail_file, *self.raw) if fd >= 0]

    def close(self):
        for fd in self.descriptors():
            os.close(fd)
        self.tails.close()
        if self.mount < 0:
            try:
                remove(self.path)
            except OSError as error:
                complain(f"a folder of a guest is left: {error}")

    def open_box(self):
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        return os.open(".", flags, dir_fd=self.mount) if self.mount >= 0 else os.open(self.path, flags)


def memory_file(name):
    """Opens a file that has no path."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"perigee-{name}-{os.urandom(8).hex()}")
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    return fd


def remove(path):
    """Removes a folder whose owner is dead. os.walk follows no links, and names in a dead folder do not change."""
    for folder, folders, files in os.walk(path, topdown=False):
        for name in files:
            os.unlink(os.path.join(folder, name))
        for name in folders:
            whole = os.path.join(folder, name)
            os.unlink(whole) if os.path.islink(whole) else os.rmdir(whole)
    os.rmdir(path)


# --- what a guest leaves -------------------------------------------------------------------------

class Frames:
    """A memory file of frames, made when there is one. Content goes from file to file in the kernel: what had been in this
    process's memory would be in that of later guests, too."""

    def __init__(self):
        self.fd = -1

    def add(self, kind, members, content, at=0, room=0):
        """A frame of the members and, as a string, at most `room` bytes of a file from `at` on; or of the bytes given.
        Returns how many that were."""
        if self.fd < 0:
            self.fd = memory_file("frames")
        begun = os.lseek(self.fd, 0, os.SEEK_CUR)
        members = [HEAD.pack(0, kind, 0), *members, SIZE.pack(0)]
        os.writev(self.fd, members)
        copied = os.write(self.fd, content) if isinstance(content, bytes) else copy(self.fd, content, at, room)
        members[0] = HEAD.pack(sum(map(len, members[1:])) + copied, kind, 0)
        members[-1] = SIZE.pack(copied)
        os.pwritev(self.fd, members, begun)
        return copied

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)


def copy(target, source, at, room):
    """A file that shrinks meanwhile has less."""
    copied = 0
    while sys.platform == "darwin" and copied < room and (data := os.pread(source, min(room - copied, 1 << 16), at + copied)):
        copied += os.write(target, data)    # sendfile() there takes sockets only, and no guest gets this process's memory
    if sys.platform == "darwin":
        return copied
    while copied < room and (more := os.sendfile(target, source, at + copied, room - copied)):
        copied += more
    return copied


def string(name):
    data = name.encode("utf-8", "replace")
    return SIZE.pack(len(data)) + data


def add_output(frames, guest):
    """Output that a dead guest had not sent: of sys.stdout and sys.stderr, then of descriptors 1 and 2."""
    for stream, fd in enumerate(guest.raw, 1):
        begun = (stream - 1) * TAIL
        size = min(SIZE.unpack_from(guest.tails, begun)[0], TAIL - SIZE.size)
        sources = [(guest.tail_file, begun + SIZE.size, size), (fd, 0, min(os.fstat(fd).st_size, RAW_BYTES))]
        for source, first, room in sources:
            for at in range(0, room, PIECE):
                frames.add(OUTPUT, [struct.pack("<B", stream)], source, first + at, min(PIECE, room - at))


def new_entries(guest, folder):
    """(name, whether it is a regular file) of what is new or changed since it was handed over, in the names' order."""
    with os.scandir(folder) as found:
        listed = sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)
    for entry in listed:
        now = entry.stat(follow_symlinks=False)
        state = (now.st_ino, now.st_size, now.st_ctime_ns)      # a guest can set mtime, not ctime
        if guest.seen.get(entry.name) != state:
            guest.seen[entry.name] = state
            yield entry.name, stat.S_ISREG(now.st_mode)


def add_file(frames, name, folder, room):
    """The bytes of a regular file of at most `room`; None if it is not one, or went away."""
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return None
    try:
        found = os.fstat(fd)
        if stat.S_ISREG(found.st_mode) and found.st_size <= room:
            return frames.add(FILE, [string(name)], fd, 0, found.st_size)
        return None
    finally:
        os.close(fd)


def add_files(frames, guest):
    """The box's files, and last a frame without a name that says what was left out. Returns how many files."""
    count, left_out, room = 0, [], FILES_BYTES
    folder = guest.open_box()
    try:
        for name, regular in new_entries(guest, folder):
            size = add_file(frames, name, folder, room) if regular and count < FILES_MAX else None
            if size is None:
                left_out.append(name)
            else:
                room -= size
                count += 1
    finally:
        os.close(folder)
    if left_out:
        more = f" and {len(left_out) - 20} more" if len(left_out) > 20 else ""
        frames.add(FILE, [string("")], f"not handed over: {', '.join(left_out[:20])}{more}. At most {FILES_MAX} regular "
                   f"files, {FILES_BYTES >> 20} MB together, are".encode("utf-8", "replace"))
    return count


# --- the server ----------------------------------------------------------------------------------

class Server:
    def __init__(self, jail, heavy, spawns):
        self.jail, self.spawns = jail, spawns
        self.environment, self.spawn_call = dict(os.environ), os.posix_spawn
        self.control = _socket.socket(fileno=CONTROL)
        self.poll = select.poll()
        self.poll.register(CONTROL, select.POLLIN)
        self.guests = {}                    # by pidfd; without one, by a number below 0
        self.ended = self.hear_of_ends() if spawns else -1
        self.null = os.open("/dev/null", os.O_RDWR)
        self.folder = None                  # holds the boxes, where they are folders
        self.layers = jail.begin()
        self.send(READY, self.layers)
        self.fork_call = refuse_processes()
        self.imports = iter(HEAVY + COMMON if heavy else COMMON)
        self.importing = False              # whether it is time to
        prepare(heavy, self.home())
        if heavy or not self.layers & (LANDLOCK | OPEN):    # without Landlock guests open no file, so no module either
            for name in [*self.imports, *(() if self.layers & (LANDLOCK | OPEN) else MORE)]:
                preload(name)

    def home(self):
        return BOX if os.path.isdir(BOX) else self.folder_of_boxes()

    def folder_of_boxes(self):
        if not self.folder:
            place = os.path.realpath(os.environ.get("TMPDIR", "/tmp"))      # as Seatbelt names it
            self.folder = os.path.join(place, f"perigee-python-{os.urandom(8).hex()}")
            os.mkdir(self.folder, 0o700)
        return self.folder

    def send(self, verb, number, status=0, fd=-1):
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", fd))] if fd >= 0 else []
        self.control.sendmsg([RECORD.pack(verb, number, status)], rights)

    def receive(self):
        """(verb, id, descriptor or -1); None once the engine is gone."""
        data, rights, _, _ = self.control.recvmsg(RECORD.size, _socket.CMSG_SPACE(4))
        fd = struct.unpack("i", rights[0][2][:4])[0] if rights else -1
        return (*RECORD.unpack(data)[:2], fd) if len(data) == RECORD.size else None

    def serve(self):
        while True:
            ready = self.poll.poll(0 if self.importing else None)
            if not ready and self.importing:
                self.import_next()
            for fd, _ in ready:
                if fd == self.ended:
                    self.bury_ended()
                elif fd != CONTROL:
                    self.bury(self.guests[fd])
                elif not self.obey(self.receive()):
                    return

    def hear_of_ends(self):
        """A descriptor that has something to read when a guest has ended."""
        import signal
        reader, writer = os.pipe()
        for end in (reader, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poll.register(reader, select.POLLIN)
        return reader

    def bury_ended(self):
        os.read(self.ended, 4096)
        for guest in list(self.guests.values()):
            if os.waitid(os.P_PID, guest.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                self.bury(guest)

    def import_next(self):
        name = next(self.imports, None)
        self.importing = name is not None
        if name:
            preload(name)

    def obey(self, record):
        if record is None:
            return False
        verb, number, fd = record
        if verb == FORK and fd >= 0:
            self.fork(number, fd)
            os.close(fd)
        elif verb in (KILL, FILES):
            for guest in self.guests.values():
                if guest.number == number:
                    os.kill(guest.pid, 9) if verb == KILL else self.hand_over(guest)
        return True

    def fork(self, number, line):
        """A failure, here or in the child before it began, is an END to the engine."""
        if not self.layers & (CALLS | OPEN):
            self.send(END, number, FAILED << 8)
            return
        guest = None
        try:
            guest = Guest(number, self.jail, self.folder_of_boxes)
            gc.collect(0)
            gc.freeze()                     # the child's collections would copy each page that they look at
            guest.pid = self.spawn(guest, line) if self.spawns else self.fork_call()
        except OSError as error:
            complain(f"no process for a guest: {error}")
            self.send(END, number, FAILED << 8)
            if guest:
                guest.close()
            return
        if guest.pid == 0:
            try:
                self.become(guest, line)
            except BaseException as error:  # pylint: disable=broad-except
                complain(f"a guest failed: {error!r}")
            finally:
                leave(FAILED)
        if self.spawns:
            self.guests[-number] = guest
            return
        guest.pidfd = os.pidfd_open(guest.pid)
        self.guests[guest.pidfd] = guest
        self.poll.register(guest.pidfd, select.POLLIN)
        self.send(CHILD, number, 0, guest.pidfd)

    def spawn(self, guest, line):
        """Starts a guest that is not forked."""
        targets = [(CONTROL, line), (0, self.null), (1, guest.raw[0]), (2, guest.raw[1]), (TAILS, guest.tail_file)]
        words = [sys.executable, "-I", "-S", "-B", os.path.abspath(__file__), "--guest", guest.path, *self.jail.words]
        return self.spawn_call(sys.executable, words, self.environment,
                               file_actions=[(os.POSIX_SPAWN_DUP2, fd, target) for target, fd in targets])

    def become(self, guest, line):
        """In the child: descriptors, jail, and then the job."""
        known = [CONTROL, line, self.null, *guest.descriptors()]
        for other in self.guests.values():
            known += other.descriptors()
            other.tails.close()             # another's output
        for target, fd in ((0, self.null), (1, guest.raw[0]), (2, guest.raw[1]), (CONTROL, line)):
            os.dup2(fd, target)
        mount = -1 if guest.mount < 0 else guest.mount
        for fd in set(known) - {CONTROL, mount}:
            os.close(fd)
        self.control.detach()
        enter(self.jail, mount, guest.path, guest.tails)

    def hand_over(self, guest, dead=False):
        """FILES for the engine."""
        frames = Frames()
        try:
            if dead:
                add_output(frames, guest)
            count = add_files(frames, guest)
            if frames.fd >= 0:
                os.lseek(frames.fd, 0, os.SEEK_SET)
        except OSError as error:
            count = -(error.errno or 5)
        self.send(FILES, guest.number, count, frames.fd)
        frames.close()

    def bury(self, guest):
        _, status = os.waitpid(guest.pid, 0)
        self.hand_over(guest, dead=True)
        if guest.pidfd >= 0:
            self.poll.unregister(guest.pidfd)
        del self.guests[guest.pidfd if guest.pidfd >= 0 else -guest.number]
        guest.close()
        self.send(END, guest.number, status)
        self.importing = not self.spawns    # the first answer was given: time for what later guests inherit

    def close(self):
        """The engine is gone: nobody may outlive it."""
        for guest in self.guests.values():
            os.kill(guest.pid, 9)
            os.waitpid(guest.pid, 0)
            guest.close()
        if self.folder:
            remove(self.folder)


# --- a guest, which never returns ----------------------------------------------------------------

def enter(jail, mount, path, tails):
    """Closes the jail and waits for the job."""
    layers = jail.enter(mount, path)
    if mount >= 0:
        os.close(mount)
    box = path if layers & (LANDLOCK | OPEN) else None
    if box:
        os.chdir(box)
        name_box(box)
    from perigee_python import guest as inside
    jail.lock(box)
    gc.enable()
    inside.Guest(CONTROL, box, tails).live()


def begin_guest(jail, path):
    """A guest that was not forked."""
    try:
        tails = mmap.mmap(TAILS, 2 * TAIL)
        os.close(TAILS)
        jail.begin()
        refuse_processes()
        prepare(False, path)
        enter(jail, -1, path, tails)
    except BaseException as error:  # pylint: disable=broad-except
        complain(f"a guest failed: {error!r}")
    finally:
        leave(FAILED)


# --- the interpreter -----------------------------------------------------------------------------

def complain(message):
    os.write(2, f"perigee: python: {message}\n".encode("utf-8", "replace"))


def preload(name):
    try:
        __import__(name)
    except Exception as error:  # pylint: disable=broad-except
        if not isinstance(error, ImportError):
            complain(f"{name} cannot be imported: {error!r}")


def refuse_processes():
    """A guest cannot start processes: calls that would say so in a way that nobody understands say what to do instead.
    Returns the real fork."""
    fork = os.fork

    def refuse(*_args, **_named):
        raise PermissionError(1, "no other process can be started here. Use threads "
                                 "(concurrent.futures.ThreadPoolExecutor), or call a tool")

    import _posixsubprocess
    _posixsubprocess.fork_exec = refuse     # before subprocess is imported, which may copy it
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system"):
        setattr(os, name, refuse)
    return fork


def packages():
    """The folders of installed packages. -S leaves them out, and with them .pth files, which are code."""
    import site
    beside = os.path.dirname(os.path.dirname(sys.executable or ""))
    prefixes, own = [sys.prefix, sys.exec_prefix], []
    try:
        with open(os.path.join(beside, "pyvenv.cfg"), encoding="utf-8") as file:
            config = file.read().replace(" ", "").lower()
        prefixes = prefixes if "include-system-site-packages=true" in config else []
        version = "python%d.%d" % sys.version_info[:2]      # Debian's getsitepackages() knows no environment without site
        own = [os.path.join(beside, lib, version, "site-packages") for lib in ("lib", "lib64")]
    except OSError:
        pass
    site.setquit()                          # exit() and quit(), which code of models uses
    site.sethelper()
    return [folder for folder in own + site.getsitepackages(prefixes) if os.path.isdir(folder)]


def prepare(heavy, home):
    """The environment and the path of all guests, and our own modules."""
    kept = {name: os.environ[name] for name in ("TZ", "LC_ALL", "LANG") if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, PATH="/nonexistent", LOGNAME="user", USER="user", HOME=home, TMPDIR=home,
                      MPLCONFIGDIR=os.path.join(home, ".mpl"), MPLBACKEND="module://perigee_python.pictures",
                      OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    sys.path += packages()
    package = type(sys)("perigee_python")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["perigee_python"] = package
    __import__("perigee_python.guest")
    if heavy:
        prepare_fonts()


def prepare_fonts():
    """matplotlib refuses to be imported without a folder to write to, in which it makes a cache of the system's fonts. That
    takes seconds, once: guests have the fonts in memory."""
    try:
        os.makedirs(os.environ["MPLCONFIGDIR"], exist_ok=True)
    except OSError as error:
        complain(f"no folder for matplotlib, which each run will have to import: {error}")
    import logging
    log = logging.getLogger("matplotlib")
    log.setLevel(logging.ERROR)             # it would say that this may take a moment
    preload("matplotlib.font_manager")
    log.setLevel(logging.NOTSET)


def name_box(path):
    """In the child: the environment speaks of its box."""
    if os.environ["HOME"] != path:
        os.environ.update(HOME=path, TMPDIR=path, MPLCONFIGDIR=os.path.join(path, ".mpl"))


def main(words):
    box = words[1] if words[:1] == ["--guest"] else None
    words = words[2:] if box else words
    if words[:1] == ["--jail"] and len(words) > 1:
        jail = Jail(words[1])
    elif words[:1] == ["--no-jail"]:
        jail = NoJail()
    else:
        sys.exit("usage: runner.py --jail MODULE [--heavy]. Without a jail (--no-jail) only tests run")
    if box:
        begin_guest(jail, box)
    gc.disable()
    spawns = sys.platform == "darwin" or "--spawn" in words
    server = Server(jail, "--heavy" in words and not spawns, spawns)
    try:
        server.serve()
    except ConnectionError:
        pass                                # the engine is gone while something was sent
    finally:
        server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
