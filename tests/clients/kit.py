"""The parts that tests with other people's programs share: where those are, and their points of TAP."""

import glob
import json
import os
import re
import shutil
import subprocess

import tap
from server import PERIGEE, TOP

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(HERE, "node_modules")
EVERYTHING = os.path.join(MODULES, "@modelcontextprotocol/server-everything/dist/index.js")
LIMIT = 180         # seconds for one client; only against hanging


def node():
    """A Node of at least version 20, or None."""
    own = os.path.join(MODULES, ".node/bin/node")
    for path in (shutil.which("node"), own):
        if path and os.path.exists(path):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if said.returncode == 0 and int(said.stdout.lstrip("v").split(".")[0]) >= 20:
                return path
    return None


NODE = node()


def need_node(package):
    if not os.path.exists(os.path.join(MODULES, package)):
        raise tap.Skip(f"npm package {package} is not installed (tests/clients/install)")
    if not NODE:
        raise tap.Skip("needs Node 20 or newer (tests/clients/install)")


def need_python(folder, package):
    if not os.path.exists(os.path.join(HERE, folder, ".installed")):
        raise tap.Skip(f"{package} for Python is not installed (tests/clients/install)")
    return os.path.join(HERE, folder, "bin/python")


def run(argv, **environment):
    env = dict(os.environ, NO_COLOR="1", **environment)
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT, check=False, cwd=HERE,
                              stdin=subprocess.DEVNULL, env=env)
    except subprocess.TimeoutExpired as late:
        raise tap.Failure(f"{argv[:4]} took longer than {LIMIT} s; it said {late.stdout!r}") from None


def take_points(name, done):
    """Hands on the points of a client's own TAP, with its name before each."""
    points, planned, failed = 0, False, None
    for line in done.stdout.splitlines():
        point = re.match(r"(not )?ok \d+ - (.*)", line)
        if point:
            if failed:
                tap.ok(False, *failed)
            failed = (f"{name}: {point.group(2)}", "") if point.group(1) else None
            points += 1
            if not failed:
                tap.ok(True, f"{name}: {point.group(2)}")
        elif line.startswith("1.."):
            planned = int(line[3:]) == points
        elif failed:
            failed = (failed[0], failed[1] + line.lstrip("# ") + "\n")
    if failed:
        tap.ok(False, *failed)
    tap.ok(planned, f"{name}: came to its end", f"exit code {done.returncode}\n{done.stderr[-3000:]}")


def lua(script, *arguments):
    """The command of a script beside this file; tests/lua is where it finds `check`."""
    return [PERIGEE, "run", "--no-user-root", "--root", os.path.join(TOP, "tests/lua"), os.path.join(HERE, script),
            *arguments]


# --- a server written in Go ---------------------------------------------------------------

NO_CLUSTER = "http://127.0.0.1:9"       # the discard port: nobody listens


def kubernetes():
    """The server's program, without the Node script before it."""
    found = sorted(glob.glob(os.path.join(MODULES, "kubernetes-mcp-server-*/bin/kubernetes-mcp-server-*")))
    if not found:
        raise tap.Skip("npm package kubernetes-mcp-server is not installed, or not for this system "
                       "(tests/clients/install)")
    return found[0]


def kubeconfig(folder):
    path = os.path.join(folder, "kubeconfig")
    with open(path, "w", encoding="utf-8") as file:     # JSON is YAML
        json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "none",
                   "clusters": [{"name": "none", "cluster": {"server": NO_CLUSTER}}],
                   "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
                   "users": [{"name": "none", "user": {}}]}, file)
    return path
