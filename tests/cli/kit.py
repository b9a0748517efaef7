"""The parts that the tests of the command line share: running it as a user would, with and without a terminal.

Every command gets a home, a state folder and a current folder of its own, and no variable of the
user's that would change what it does. GUARD only ends what hangs."""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders  # noqa: E402
import tap  # noqa: E402,F401  (for the tests)

PERIGEE = os.environ.get("PERIGEE", str(TOP / "build" / "perigee"))
GUARD = float(os.environ.get("PERIGEE_TEST_GUARD", "20"))
WIRE_ROOT = str(TOP / "tests" / "wire" / "root")

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="perigee-cli-"))
folders.give_catalogs(FOLDER / "cache")
DROPPED = re.compile(r"^(PERIGEE_(?!TEST).*|PEEKABOO_.*|LOG_LEVEL|NO_COLOR|COLUMNS|XDG_.*|.*_API_KEY|OPENAI_.*|OLLAMA_.*|KEYNOTE_.*)$")


def environment(**more):
    env = {key: value for key, value in os.environ.items() if not DROPPED.match(key)}
    env.update(PERIGEE_HOME=str(FOLDER / "home"), XDG_STATE_HOME=str(FOLDER / "state"),
               XDG_CACHE_HOME=str(FOLDER / "cache"), TERM="xterm-256color",
               PERIGEE_RUNTIME_DIR=str(FOLDER / "run"), LC_ALL="C.UTF-8")      # `stop` reaches only our own engines
    env.update(more)
    return env


def folder(name):
    path = FOLDER / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def write(path, text, mode=0o644):
    path = FOLDER / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return str(path)


class Done:
    """How a command ended: code, out, err."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit status {self.code}\nstdout: {self.out[-2000:]!r}\nstderr: {self.err[-2000:]!r}"


def perigee(*words, stdin=b"", cwd=None, **env):
    """Runs a command to its end."""
    done = subprocess.run([PERIGEE, *words], input=stdin if isinstance(stdin, bytes) else stdin.encode(),
                          capture_output=True, cwd=cwd or folder("here"), env=environment(**env), timeout=3 * GUARD,
                          check=False)
    return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def shell(script, **env):
    """A pipeline; $P is the program. Ends in the exit statuses of its parts: `0 141`, ..."""
    done = subprocess.run(["bash", "-c", script + '\necho "${PIPESTATUS[@]}" >&2'], capture_output=True, text=True,
                          cwd=folder("here"), env=environment(P=PERIGEE, **env), timeout=3 * GUARD, check=False)
    lines = done.stderr.splitlines()
    return Done([int(n) for n in lines[-1].split()], done.stdout, "\n".join(lines[:-1]))


def heed_signals():
    """Undoes that Ctrl-C is ignored: a shell starts a job in the background so, and children inherit it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Running:
    """A command under way, to be sent signals."""

    def __init__(self, *words, cwd=None, stdin=subprocess.DEVNULL, **env):
        self.process = subprocess.Popen([PERIGEE, *words], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=cwd or folder("here"), env=environment(**env),
                                        preexec_fn=heed_signals)

    def line(self):
        """The next line of its stdout."""
        ready, _, _ = select.select([self.process.stdout], [], [], GUARD)
        must(ready, "nothing came on stdout")
        text = b""
        while not text.endswith(b"\n"):
            byte = os.read(self.process.stdout.fileno(), 1)
            must(byte, f"stdout ended after {text!r}")
            text += byte
        return text.decode().rstrip("\n")

    def wait_for(self, text):
        """Reads lines up to one with this text."""
        lines = []
        while not lines or text not in lines[-1]:
            lines.append(self.line())
        return lines

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        try:
            out, err = self.process.communicate(timeout=GUARD)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise tap.Failure("it did not end") from None
        return Done(self.process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


class Screen:
    """What a terminal shows of the bytes it gets: lines without end, and the cursor. Only what line editing needs."""

    def __init__(self, width):
        self.width = width
        self.lines = [[]]
        self.row = self.column = 0
        self.rest = ""

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        while text:
            code = re.match(r"\x1b\[([?0-9;]*)([@-~])|\x1b[()].|\x1b[=>78]|\x1b\][^\x07]*\x07", text)
            if code:
                if code.group(2):
                    self.code(code.group(2), code.group(1))
                text = text[code.end():]
            elif text[0] == "\x1b":
                self.rest = text        # the rest of it is still to come
                return
            else:
                self.char(text[0])
                text = text[1:]

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append([])
        line = self.lines[self.row]
        line += " " * (self.column - len(line))
        return line

    def char(self, char):
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.row += 1
            self.line()
        elif char == "\b":
            self.column = max(0, self.column - 1)
        elif char >= " ":
            if self.column >= self.width:
                self.row, self.column = self.row + 1, 0
            self.line()[self.column:self.column + 1] = [char]
            self.column += 1

    def code(self, final, numbers):
        count = int(numbers) if numbers.isdigit() else None
        line = self.line()
        if final in "AB":
            self.row = max(0, self.row + (-1 if final == "A" else 1) * (count or 1))
        elif final == "C":
            self.column += count or 1
        elif final == "D":
            self.column = max(0, self.column - (count or 1))
        elif final == "G":
            self.column = (count or 1) - 1
        elif final == "K":
            del line[self.column:]
        elif final == "J":
            del line[self.column:]
            del self.lines[self.row + 1:]
        elif final == "P":
            del line[self.column:self.column + (count or 1)]
        elif final == "@":
            line[self.column:self.column] = " " * (count or 1)

    def text(self, row=0, column=0):
        lines = ["".join(line).rstrip() if i != self.row else "".join(line) for i, line in enumerate(self.lines)]
        return "\n".join([lines[row][column:] if row < len(lines) else "", *lines[row + 1:]])


class Terminal:
    """A command on a terminal of its own; `with Terminal(...) as t`."""

    def __init__(self, *words, width=80, height=24, cwd=None, **env):
        self.seen = ""                  # every byte
        self.screen = Screen(width)
        self.mark = (0, 0)              # row and column that expect() looks from
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            heed_signals()
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.chdir(cwd or folder("here"))
            os.execve(PERIGEE, [PERIGEE, *words], environment(**env))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def resize(self, width, height=24):
        self.screen.width = width
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def read(self):
        """Some more of what it shows; False when it shows no more."""
        ready, _, _ = select.select([self.fd], [], [], GUARD)
        must(ready, f"the terminal shows nothing new; on it is\n{self.screen.text()}")
        try:
            data = os.read(self.fd, 65536).decode("utf-8", "replace")
        except OSError:
            data = ""
        self.seen += data
        self.screen.feed(data)
        return bool(data)

    def expect(self, *texts):
        """Waits until each text is on the screen, in this order and behind the text that was expected before."""
        for text in texts:
            while text not in self.screen.text(*self.mark):
                must(self.read(), f"{text!r} was not shown, but\n{self.screen.text(*self.mark)}")
            before = self.screen.text(*self.mark).partition(text)[0] + text
            row, column = self.mark
            lines = before.split("\n")
            self.mark = (row + len(lines) - 1, len(lines[-1]) + (column if len(lines) == 1 else 0))

    def empty_line(self):
        """Empties the line; expect() goes on from its start."""
        self.type("\x01\x0b")
        while self.screen.text(self.screen.row).rstrip() != ">":
            must(self.read(), "the line does not get empty")
        self.mark = (self.screen.row, 0)

    def expect_bytes(self, text):
        while text not in self.seen:
            must(self.read(), f"{text!r} was not shown, but {self.seen!r}")

    def modes(self):
        """Returns whether the terminal hands over whole lines, and whether it shows typed characters."""
        lflag = termios.tcgetattr(self.fd)[3]
        return bool(lflag & termios.ICANON), bool(lflag & termios.ECHO)

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self):
        """Every byte shown up to the end, and the exit status."""
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return Done(os.waitstatus_to_exitcode(status), self.seen, "")


def certificate(folder, name):
    """Paths of a key and of a certificate that it signed itself, for this host name."""
    key, file = os.path.join(folder, f"{name}.key"), os.path.join(folder, f"{name}.pem")
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                           f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", file],
                          capture_output=True, check=False)
    if made.returncode:
        raise tap.Skip("openssl makes no certificate")
    return key, file


def must(true, why):
    if not true:
        raise tap.Failure(str(why))


def same(got, want, what="value"):
    must(got == want, f"{what} is {got!r}, expected {want!r}")


def has(text, *parts):
    for part in parts:
        must(part in text, f"{part!r} is not in {text!r}")


def hasnt(text, *parts):
    for part in parts:
        must(part not in text, f"{part!r} is in {text!r}")


def soon(true, why):
    """Waits until true() is."""
    end = time.monotonic() + GUARD
    while not true():
        must(time.monotonic() < end, why)
        time.sleep(0.01)


def done():
    shutil.rmtree(FOLDER, ignore_errors=True)
    tap.done()
