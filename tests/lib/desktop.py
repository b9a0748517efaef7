#!/usr/bin/env python3
"""A private desktop for tests and the demo: Xvfb, a window manager (openbox, unless told otherwise) and a D-Bus session,
started and taken down whole.

    desktop.py run [--size WxH] [--dir DIR] -- COMMAND ARG...   run a command on a desktop of its own
    desktop.py start [--size WxH] DIR                           start one and print NAME='value' lines
    desktop.py stop DIR                                         stop it
    desktop.py screenshot [--settle SECONDS] [--dir DIR] OUT.png

It has its own HOME and XDG_RUNTIME_DIR (a second session in the same runtime folder would take over the
first one's accessibility bus), takes the first free display number, and says nothing to the user's desktop.
`run` ends with the command's exit code (128 + n after signal n) and leaves no process behind, not even
those that moved to a session of their own. Every wait is for an event (a line on a pipe, a process's end);
only `--settle` looks at the picture again and again, because a desktop does not say when it has painted, and most
window managers do not say when they have begun.

The picture comes straight from Xvfb's frame buffer file, so no X client is needed for it. Linux only.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import ctypes
import itertools
import json
import os
import pathlib
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import folders  # noqa: E402  (the folder of this file is not on the path of a program that imports it)
import png  # noqa: E402
import xlook  # noqa: E402
from managers import MANAGERS  # noqa: E402
from procs import descendants  # noqa: E402

START_LIMIT = 30.0       # seconds for one server to say that it is ready; only guards against hanging
PATIENCE = 3.0           # seconds between asking a process to end and killing it
QUIET = 0.6              # seconds a picture must stay the same to count as settled
DIR_VARIABLE = "PERIGEE_DESKTOP_DIR"
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_CHILD_SUBREAPER = 36
DROPPED = ("WAYLAND_DISPLAY", "XAUTHORITY", "SESSION_MANAGER", "NO_AT_BRIDGE", "GTK_MODULES",
           "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "DESKTOP_STARTUP_ID")


class DesktopError(RuntimeError):
    """A part of the desktop is missing or did not start."""


_serial = itertools.count()


def far_display() -> str:
    """A display that no other server takes over while this one's is dead: others use the first free number from :0 on."""
    return f":{20000 + (os.getpid() * 16 + next(_serial)) % 30000}"


def socket_of(display: str) -> pathlib.Path:
    return pathlib.Path(f"/tmp/.X11-unix/X{display[1:]}")


class Desktop:
    """`with Desktop() as desktop:` then start programs with `env=desktop.env`. A test that kills the server passes
    display=far_display(); otherwise another desktop could take over the number."""

    def __init__(self, size: tuple[int, int] = (1280, 800), folder: str | None = None, display: str | None = None,
                 manager: str = "openbox", server: tuple[str, ...] = ()) -> None:
        self.size = size
        self.server = server                    # further options for Xvfb
        self.manager = MANAGERS[manager]
        self.display = display
        self.own_folder = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="perigee-desktop-")).absolute()
        self.env: dict[str, str] = {}
        self.servers: list[subprocess.Popen] = []

    def __enter__(self) -> "Desktop":
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        atexit.register(self.stop)              # for a program that ends in the middle
        for name in ("home", "run", "fb"):
            (self.folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        self.env = {key: value for key, value in os.environ.items() if key not in DROPPED}
        self.env.update(HOME=str(self.folder / "home"), XDG_RUNTIME_DIR=str(self.folder / "run"),
                        XDG_CURRENT_DESKTOP=self.manager.name, LC_ALL="C.UTF-8")
        self.env[DIR_VARIABLE] = str(self.folder)
        self.env.setdefault("GSK_RENDERER", "cairo")    # GTK 4 emulates OpenGL here: 2.3 s of the processor for each start
        for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            self.env.pop(name, None)
        folders.give_catalogs(self.folder / "home" / ".cache")
        self.env["DISPLAY"] = ":" + self._start_display()
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self._start_bus()
        if self.manager.name == "openbox":
            self._start_openbox()
        elif self.manager.argv:
            self._start_manager()

    def stop(self) -> None:
        """Ends every server and all they started, last started first."""
        for server in reversed(self.servers):
            end_tree(server, signal.SIGTERM)    # a killed Xvfb leaves its lock and its socket in /tmp
        self.servers.clear()
        if self.display:                        # a server that was killed leaves it, and programs that look for
            socket_of(self.display).unlink(missing_ok=True)     # the user's display try each that is there
        atexit.unregister(self.stop)
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def screenshot(self, path: str | os.PathLike, settle: float = 0) -> None:
        take_screenshot(self.folder, pathlib.Path(path), settle)

    def _start_display(self) -> str:
        width, height = self.size
        with ready_pipe() as (reader, writer):
            server = self._launch(
                ["Xvfb", *([self.display] if self.display else []), "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
                 "-noreset", "-fbdir", str(self.folder / "fb"), "+extension", "XINERAMA", *self.server], pass_fds=(writer,))
            os.close(writer)
            return read_ready_line(reader, server, "Xvfb")

    def _start_bus(self) -> str:
        with ready_pipe() as (reader, writer):
            server = self._launch(["dbus-daemon", "--session", "--nofork", "--nopidfile",
                                   f"--address=unix:path={self.folder}/run/bus",
                                   f"--print-address={writer}"], pass_fds=(writer,))
            os.close(writer)
            return read_ready_line(reader, server, "dbus-daemon")

    def _start_manager(self) -> None:
        """A window manager is there when it alone may redirect requests, and has said that it speaks EWMH if it does."""
        home = self.env["HOME"]
        for name, text in self.manager.files.items():
            pathlib.Path(home, name).write_text(text)
        self.env.update(self.manager.env)
        server = self._launch([word.format(home=home) for word in self.manager.argv])
        deadline = time.monotonic() + START_LIMIT
        with xlook.Look(self.env["DISPLAY"]) as look:
            while not (look.managed() and (look.speaks_ewmh() or not self.manager.ewmh)):
                if server.poll() is not None or time.monotonic() > deadline:
                    raise DesktopError(f"{self.manager.name} did not start: {last_words(server)}")
                time.sleep(0.01)

    def _start_openbox(self) -> None:
        """openbox runs its --startup command once it manages the screen; that is the sign to go on."""
        fifo = self.folder / "openbox-ready"
        with contextlib.suppress(FileNotFoundError):
            fifo.unlink()
        os.mkfifo(fifo, 0o600)
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        try:
            signal_ready = f"sh -c {shlex.quote('echo ready > ' + shlex.quote(str(fifo)))}"
            server = self._launch(["openbox", "--sm-disable", "--startup", signal_ready])
            read_ready_line(reader, server, "openbox")
        finally:
            os.close(reader)
            fifo.unlink()

    def _launch(self, argv: list[str], pass_fds: tuple[int, ...] = ()) -> subprocess.Popen:
        log = self.folder / (argv[0] + ".log")
        try:
            with open(log, "ab") as out:
                server = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.env,
                                          pass_fds=pass_fds, start_new_session=True)
        except FileNotFoundError:
            raise DesktopError(f"{argv[0]} is not installed; install the packages xvfb, openbox and dbus") from None
        server.log = log  # type: ignore[attr-defined]
        self.servers.append(server)
        return server


@contextlib.contextmanager
def ready_pipe():
    reader, writer = os.pipe()
    try:
        yield reader, writer
    finally:
        os.close(reader)
        with contextlib.suppress(OSError):
            os.close(writer)


def read_ready_line(reader: int, server: subprocess.Popen, name: str) -> str:
    """The first line written to a pipe; raises with the server's own words when it ends or stays silent."""
    text = b""
    deadline = time.monotonic() + START_LIMIT
    while not text.endswith(b"\n"):
        readable, _, _ = select.select([reader], [], [], 0.05)
        if readable:
            text += os.read(reader, 4096)
        if server.poll() is not None or time.monotonic() > deadline:
            why = "ended" if server.poll() is not None else f"was not ready after {START_LIMIT:.0f} s"
            raise DesktopError(f"{name} {why}: {last_words(server)}")
    return text.decode().strip()


def last_words(server: subprocess.Popen) -> str:
    said = pathlib.Path(server.log).read_text(errors="replace")[-500:]  # type: ignore[attr-defined]
    return said.strip() or "it said nothing"


# --- processes ---------------------------------------------------------------

def end_tree(process: subprocess.Popen, first: int) -> None:
    """Ends a child that leads a group: asks with a signal, then kills its group and all that descended from it."""
    if process.returncode is not None:
        return
    below = descendants(process.pid)
    os.killpg(process.pid, first)
    with contextlib.suppress(subprocess.TimeoutExpired):
        wait_unreaped(process, PATIENCE)
    with contextlib.suppress(PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # not reaped yet, so the number is still this group's
    for pid in below:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def wait_unreaped(process: subprocess.Popen, seconds: float) -> None:
    handle = os.pidfd_open(process.pid)
    try:
        select.select([handle], [], [], seconds)
    finally:
        os.close(handle)


def adopt_orphans() -> None:
    """Processes whose parent ends become ours, so that none can hide from kill_descendants()."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise DesktopError("prctl(PR_SET_CHILD_SUBREAPER) was refused: " + os.strerror(ctypes.get_errno()))


def kill_descendants() -> None:
    """Until none is left: killing one may hand us its children."""
    while True:
        below = descendants(os.getpid())
        for pid in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG if below else 0)[0]:
                pass
        except ChildProcessError:
            return


# --- pictures ----------------------------------------------------------------

def frame_buffer(folder: pathlib.Path) -> bytes:
    file = folder / "fb" / "Xvfb_screen0"
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise DesktopError(f"no desktop runs in {folder}: {file} is missing") from None


def read_xwd(data: bytes) -> png.Picture:
    """Xvfb's frame buffer: an X window dump of 32 bits a pixel, blue first."""
    header = struct.unpack_from(">25I", data)
    size, width, height, order, bits, stride = header[0], header[4], header[5], header[7], header[11], header[12]
    if header[1] != 7 or bits != 32 or order != 0:
        raise DesktopError(f"unexpected frame buffer: version {header[1]}, {bits} bits, byte order {order}")
    start = size + header[19] * 12
    rows = data[start:start + stride * height]
    if stride != width * 4:
        rows = b"".join(rows[y * stride:y * stride + width * 4] for y in range(height))
    rgb = bytearray(width * height * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = rows[2::4], rows[1::4], rows[0::4]
    return png.Picture(width, height, bytes(rgb))


def settled_frame(folder: pathlib.Path, limit: float) -> bytes:
    """The frame buffer once it has not changed for a moment, or as it is when the limit is up."""
    frame = frame_buffer(folder)
    mark, since = zlib.crc32(frame), time.monotonic()
    deadline = since + limit
    while time.monotonic() < deadline and time.monotonic() - since < QUIET:
        time.sleep(0.05)
        frame = frame_buffer(folder)
        if zlib.crc32(frame) != mark:
            mark, since = zlib.crc32(frame), time.monotonic()
    return frame


def take_screenshot(folder: pathlib.Path, path: pathlib.Path, settle: float = 0) -> None:
    frame = settled_frame(folder, settle) if settle > 0 else frame_buffer(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(png.encode(read_xwd(frame)))
    beside.replace(path)


# --- commands ----------------------------------------------------------------

class Stopped(Exception):
    def __init__(self, number: int) -> None:
        self.number = number


def raise_stopped(number: int, _frame: object) -> None:
    for name in ENDING:
        signal.signal(name, signal.SIG_IGN)     # one is enough; taking down must not be cut short
    raise Stopped(number)


def watch_signals() -> None:
    for name in ENDING:
        signal.signal(name, raise_stopped)


def run_command(options: argparse.Namespace) -> int:
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise DesktopError("run needs a command after --")
    watch_signals()
    adopt_orphans()
    try:
        with Desktop(options.size, options.dir) as desktop:
            return wait_for(command, desktop.env)
    except Stopped as stopped:
        return 128 + stopped.number
    except FileNotFoundError as error:
        raise DesktopError(f"{command[0]}: {error.strerror}") from None
    finally:
        kill_descendants()


def wait_for(command: list[str], env: dict[str, str]) -> int:
    """Runs the command to its end. A signal during its start is handled afterwards, when it can be passed on."""
    early: list[int] = []
    for name in ENDING:
        signal.signal(name, lambda number, _frame: early.append(number))
    child = subprocess.Popen(command, env=env, start_new_session=True)
    try:
        watch_signals()
        if early:
            raise_stopped(early[0], None)
        code = child.wait()
    except Stopped as stopped:
        end_tree(child, stopped.number)
        raise
    return code if code >= 0 else 128 - code


def keep(options: argparse.Namespace) -> int:
    """The process behind `start`: holds the desktop until SIGTERM."""
    watch_signals()
    adopt_orphans()
    answer = os.fdopen(options.answer, "w")
    try:
        with Desktop(options.size, options.dir) as desktop:
            (desktop.folder / "keeper.pid").write_text(f"{os.getpid()} {started(os.getpid())}\n")
            json.dump({"env": changes(desktop.env)}, answer)
            answer.close()
            signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
            signal.sigwait(ENDING)
    except Stopped:
        return 0
    except DesktopError as error:
        json.dump({"error": str(error)}, answer)
        answer.close()
        return 1
    finally:
        kill_descendants()
    return 0


def start_command(options: argparse.Namespace) -> int:
    reader, writer = os.pipe()
    width, height = options.size
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "keeper.log"), "ab") as log:     # it must not hold our caller's pipes
        subprocess.Popen([sys.executable, __file__, "keep", "--size", f"{width}x{height}", "--dir", options.folder,
                          "--answer", str(writer)], pass_fds=(writer,), start_new_session=True,
                         stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    answer = json.loads(text) if text else {"error": "the desktop's keeper ended"}
    if "error" in answer:
        raise DesktopError(answer["error"])
    for name, value in answer["env"].items():
        print(f"unset {name}" if value is None else f"export {name}={shlex.quote(value)}")
    return 0


def changes(env: dict[str, str]) -> dict[str, str | None]:
    """What a desktop's environment changes in ours; None stands for a name it does without."""
    names = sorted(set(env) | set(os.environ))
    return {name: env.get(name) for name in names if env.get(name) != os.environ.get(name)}


def stop_command(options: argparse.Namespace) -> int:
    file = pathlib.Path(options.folder) / "keeper.pid"
    try:
        pid, birth = (int(word) for word in file.read_text().split())
    except FileNotFoundError:
        raise DesktopError(f"no desktop was started in {options.folder}") from None
    if started(pid) == birth:                   # else the number belongs to somebody else by now
        handle = os.pidfd_open(pid)
        signal.pidfd_send_signal(handle, signal.SIGTERM)
        if not select.select([handle], [], [], START_LIMIT)[0]:
            raise DesktopError(f"the desktop's keeper (process {pid}) did not end")
    file.unlink()
    return 0


def started(pid: int) -> int | None:
    """When a process began, in clock ticks since boot; None when there is none."""
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return None


def screenshot_command(options: argparse.Namespace) -> int:
    folder = options.dir or os.environ.get(DIR_VARIABLE)
    if not folder:
        raise DesktopError(f"which desktop? give --dir or run inside one ({DIR_VARIABLE} is not set)")
    take_screenshot(pathlib.Path(folder), pathlib.Path(options.out), options.settle)
    return 0


def parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(f"{text!r} is not WIDTHxHEIGHT with 64 to 8192 each")
    return int(width), int(height)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="desktop.py", description="A private desktop for tests.")
    commands = parser.add_subparsers(required=True)

    def command(name, run, *, folder=False):
        sub = commands.add_parser(name)
        sub.set_defaults(run=run)
        sub.add_argument("folder") if folder else sub.add_argument("--dir")
        return sub

    for sub in (run := command("run", run_command), keeper := command("keep", keep),
                command("start", start_command, folder=True)):
        sub.add_argument("--size", type=parse_size, default=(1280, 800))
    run.add_argument("command", nargs=argparse.REMAINDER)
    keeper.add_argument("--answer", type=int, required=True)
    command("stop", stop_command, folder=True)
    shot = command("screenshot", screenshot_command)
    shot.add_argument("--settle", type=float, default=0)
    shot.add_argument("out")
    return parser


def main() -> int:
    options = arguments().parse_args()
    try:
        return options.run(options)
    except (DesktopError, OSError) as error:
        print(f"desktop.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
