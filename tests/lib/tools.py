"""Tools called through a real MCP session, and what tests of them ask."""

import contextlib
import os
import shutil
import time

import desktop as desktops
import server as servers
import tap
import xclient
from tap import Failure

PATIENCE = 120.0    # only against hanging; also the longest wait that tools take
OURS = f"applications/{os.getpid()}"    # the windows of bare_client()


def same(got, want, note=""):
    if got != want:
        raise Failure(f"{note or 'value'}: got {got!r}, wanted {want!r}")


def has(text, part):
    if part not in text:
        raise Failure(f"{text!r} does not hold {part!r}")


class Tools:
    """A session; a tool's structured result, or its failure."""

    def __init__(self, env, *options):
        self.server = servers.perigee("--no-user-root", "--root", servers.TRUSTING, *options, env=env)
        self.server.initialize()

    def result(self, name, /, **arguments):
        answer = self.server.call(name, arguments)
        if "error" in answer:
            raise Failure(f"{name}: {answer['error']}")
        return answer["result"]

    def __call__(self, name, /, **arguments):
        result = self.result(name, **arguments)
        if result.get("isError"):
            raise Failure(f"{name}: {result['content'][0]['text']}")
        return result["structuredContent"]

    def text(self, name, /, **arguments):
        return self.result(name, **arguments)["content"][0]["text"]

    def fails(self, code, name, /, **arguments):
        """The text of a failure that has this code."""
        result = self.result(name, **arguments)
        if not result.get("isError"):
            raise Failure(f"{name} did not fail: {result['content'][0]['text']}")
        same(result["_meta"]["perigee/code"], code, result["content"][0]["text"])
        return result["content"][0]["text"]

    def close(self):
        self.server.kill()

    def xterm(self, title):
        """(application's name, window's name, process id) of a new one."""
        opened = self("open_application", name=shutil.which("xterm"), new=True, wait=PATIENCE,
                      arguments=["-T", title, "-e", "sh", "-c", f"printf '\\033]2;{title}\\007'; exec sleep 600"])
        return opened["application"]["name"], opened["window"], opened["application"]["pid"]


def until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise Failure(f"{what}: not seen in {PATIENCE:.0f} s")


def quickest(most, act, tries=5):
    """act() does not wait: the quickest of some tries takes less than `most` seconds, as long as what it must not wait
    for always takes. A busy machine may hold some of them up."""
    took = []
    while len(took) < tries:
        began = time.monotonic()
        act()
        took.append(time.monotonic() - began)
        if took[-1] < most:
            return
    raise Failure(f"the quickest of {tries} tries took {min(took):.1f} s, wanted less than {most:g} s")


def still(look, seconds=0.5):
    """Looks until the value stays the same for so long. Returns it."""
    since, last = time.monotonic(), look()
    while time.monotonic() < since + seconds:
        time.sleep(0.02)
        now = look()
        if now != last:
            since, last = time.monotonic(), now
    return last


@contextlib.contextmanager
def bare_client(tools, desktop):
    """An X client whose windows end with the block. There is one for a desktop: a new connection's windows would get
    the numbers of the last one's, and a window manager that lags behind takes them for those."""
    client = desktop.__dict__.setdefault("bare", None) or xclient.Client(desktop.env["DISPLAY"])
    desktop.bare = client
    try:
        yield client
    finally:
        client.destroy_all()
    until(lambda: not tools("list_windows", parent=OURS, all_kinds=True)["windows"], "the end of the windows")


@contextlib.contextmanager
def opened(tools, name, **more):
    """An application that tells of its elements."""
    app = tools("open_application", name=name, wait=PATIENCE, **more)["application"]["name"]
    until(lambda: not tools.result("get_ui_tree", application=app, source="tree").get("isError"), f"the elements of {name}")
    try:
        yield app
    finally:
        tools("quit_application", name=app, force=True)


def run(cases, needed, session=lambda desktop: Tools(desktop.env)):
    """Each (name, case) with case(session, desktop), all on one desktop of their own; skipped where one of the `needed`
    programs is missing."""
    missing = [program for program in needed if not shutil.which(program)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install test)")
        return
    with desktops.Desktop() as desktop, contextlib.closing(session(desktop)) as tools:
        for name, case in cases:
            tap.case(name, case, tools, desktop)
        tap.ok(not tools.server.faults, "every line was valid", "\n".join(tools.server.faults))
    tap.done()
