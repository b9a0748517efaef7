"""A Lua script that runs beside a test, which reads its lines as they come and writes lines to it."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import time

import server as servers
from tap import Failure

PATIENCE = 180.0    # only against hanging

# For a script that has `json`: a line with its arguments, as an array.
SAY = """
local function say(...)
  local list = table.pack(...)
  for i = 1, list.n do if list[i] == nil then list[i] = json.null end end
  list.n = nil
  print((assert(json.encode(list))))
end
"""

BUS = """<busconfig><type>session</type><listen>unix:path={path}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy></busconfig>
"""


class Script:
    def __init__(self, desktop, text, *options, **env):
        self.path = desktop.folder / f"script-{time.monotonic_ns()}.lua"
        self.path.write_text(text)
        self.process = subprocess.Popen([servers.PERIGEE, "run", "--no-user-root", *options, str(self.path)],
                                        env=dict(desktop.env, **env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self.rest = b""

    def line(self):
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise Failure(f"no line in {PATIENCE:.0f} s")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise Failure(f"the script ended: {self.rest.decode()!r}")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def says(self, *lines):
        """Exactly these, in this order."""
        for line in lines:
            got = self.line()
            if got != line:
                raise Failure(f"the script said {got!r}, wanted {line!r}")

    def ends(self):
        """What it says until it has ended by itself."""
        out, _ = self.process.communicate(timeout=PATIENCE)
        return (self.rest + out).decode()

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.path.unlink()


def running(desktop, text, *options, **env):
    return contextlib.closing(Script(desktop, text, *options, **env))


@contextlib.contextmanager
def bare_bus(desktop, name):
    """A bus that starts no services, whatever is installed. Yields its address."""
    config, path = desktop.folder / f"{name}.conf", desktop.folder / name
    config.write_text(BUS.format(path=path))
    process = subprocess.Popen([shutil.which("dbus-daemon"), f"--config-file={config}", "--nofork", "--nopidfile",
                                "--print-address=1"], stdout=subprocess.PIPE, env=desktop.env)
    try:
        process.stdout.readline()       # its address, with a number that the next bus at this place does not have
        yield f"unix:path={path}"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
