"""A folder of tools in the making, a server that watches it, and waiting for what changes.

Nothing here sleeps to let time pass: await_text() calls the tool again until the new code
answers, which is what a client would see, and measures how long that took.
"""

import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))

import tap                                               # noqa: E402
from server import GUARD, perigee                        # noqa: E402

TOOLS_CHANGED = "notifications/tools/list_changed"
PROMPTS_CHANGED = "notifications/prompts/list_changed"
RESOURCES_CHANGED = "notifications/resources/list_changed"
RESOURCE_UPDATED = "notifications/resources/updated"

TOOL = '''{head}
return {{
  description = "{description}",
  inputSchema = {{ type = "object" }},{extra}
  run = function(args, call) {body} end,
}}
'''

PROMPT = '''return {{
  description = "{description}",
  render = function() return "{text}" end,
}}
'''


def tool(body, description="A tool.", head="", extra=""):
    return TOOL.format(body=body, description=description, head=head, extra=extra)


def saying(text, **more):
    return tool(f'return "{text}"', **more)


def prompt(text, description="A prompt."):
    return PROMPT.format(text=text, description=description)


class Project:
    """A temporary root (or several) with a server on it."""

    def __init__(self, files=None, roots=("root",), arguments=(), start=True):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="perigee-reload-"))
        self.roots = [os.path.join(self.top, r) for r in roots]
        self.arguments = list(arguments)
        self.slowest = 0.0
        for path, content in (files or {}).items():
            self.write(path, content)
        self.server = None
        if start:
            try:
                self.start()
            except tap.Failure:
                shutil.rmtree(self.top)
                raise

    def start(self):
        options = [a for r in self.roots for a in ("--root", r)]
        self.server = perigee(*options, *self.arguments)
        self.server.initialize()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.server:
            if kind and self.server.errors:
                tap.note("stderr: " + "\n".join(self.server.errors[-8:]))
            self.server.kill()
        shutil.rmtree(self.top, ignore_errors=True)

    # --- files ----------------------------------------------------------------

    def path(self, name):
        """tools/test/a.lua is in the first root; /other/... is beside the roots."""
        if name.startswith("/"):
            return os.path.join(self.top, name[1:])
        return os.path.join(self.roots[0], name)

    def write(self, name, content):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w" if isinstance(content, str) else "wb") as file:
            file.write(content)
        return path

    def replace(self, name, content):
        """Saves as careful programs do: a new file is renamed over the old one."""
        path = self.path(name)
        temporary = os.path.join(os.path.dirname(path), ".new-" + os.path.basename(path))
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(content)
        os.rename(temporary, path)

    def remove(self, name):
        os.remove(self.path(name))

    # --- what a client sees -----------------------------------------------------

    def await_that(self, what, test, guard=GUARD):
        """Waits until test() is true, and returns the seconds that it took. `what` names it in the failure."""
        begun = time.monotonic()
        while not test():
            if time.monotonic() - begun > guard:
                raise tap.Failure(f"{guard:g} s later still not: {what}")
            time.sleep(0.002)
        took = time.monotonic() - begun
        self.slowest = max(self.slowest, took)
        return took

    def await_text(self, name, text, arguments=None):
        seen = {}

        def test():
            seen["text"] = self.server.text(name, arguments)
            return seen["text"] == text
        try:
            return self.await_that(f"{name} answers {text!r}", test)
        except tap.Failure as failure:
            raise tap.Failure(f"{failure}, but {seen.get('text')!r}") from None

    def names(self):
        names, cursor = [], None
        while True:
            result = self.server.ask("tools/list", {"cursor": cursor} if cursor else {})["result"]
            names += [t["name"] for t in result["tools"]]
            cursor = result.get("nextCursor")
            if not cursor:
                return names

    def prompts(self):
        return [p["name"] for p in self.server.ask("prompts/list")["result"]["prompts"]]

    def status(self):
        return self.server.call("engine_status")["result"]["structuredContent"]

    def ours(self):
        return [p for p in self.status()["problems"] if p["file"].startswith(self.top)]

    def problems(self, name):
        """What engine_status reports of our files whose path ends so, or that name such a file:
        a broken lib file is a problem of the tools that use it."""
        return [p for p in self.ours() if p["file"].endswith("/" + name) or f"{name}:" in p["message"]]

    def await_problem(self, name):
        self.await_that(f"a problem of {name}", lambda: self.problems(name))
        return self.problems(name)[0]

    def await_well(self, name):
        self.await_that(f"{name} well again", lambda: not self.problems(name))

    def await_changed(self, method=TOOLS_CHANGED):
        self.server.notified(method)

    def changes(self, method=TOOLS_CHANGED):
        """Takes the notifications of this method that came so far, and returns their number. A ping comes first, so that all that
        was written before it has been read."""
        self.server.ask("ping")
        mine = [m for m in self.server.early if m.get("method") == method]
        self.server.early = [m for m in self.server.early if m.get("method") != method]
        return len(mine)


def same(got, wanted, what=""):
    if got != wanted:
        raise tap.Failure(f"{what or 'got'}: {got!r}, expected {wanted!r}")


def holds(text, part):
    if part not in text:
        raise tap.Failure(f"{part!r} is not in {text!r}")


def report(took, what):
    tap.note(f"{what}: {took * 1000:.0f} ms from the save to the new code's answer")
