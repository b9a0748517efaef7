#!/usr/bin/env python3
"""Ways by which text from outside may reach a terminal, under the policy that comes with the program, on a desktop.

    tests/wide/ways_test.py [TERMINAL ...]

Each way of ways.py is made for each terminal, by an engine whose user allows nothing, and by one without rules, where it must lead to
the terminal if it is said to (a way that leads nowhere proves nothing). What reaches a terminal ends in a file. A way passes if the
text is there, or was used by one of the test's own tools, and nobody was asked."""

import contextlib
import itertools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("lib", "policy"):
    sys.path.insert(0, str(HERE.parent / folder))
os.environ.setdefault("PERIGEE_TEST_GUARD", "300")     # a script types a text by many calls

import tap                                                      # noqa: E402
from desktop import Desktop                                     # noqa: E402
from kit import Place, call, code_of, text_of                   # noqa: E402
from tools import until                                         # noqa: E402
from ways import IN_TERMINALS, order, own_tools                 # noqa: E402
from ways_elsewhere import ELSEWHERE, sinks                     # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xclip", "xdotool", "xterm")
LEAST = 600
FREE = "return { rules = { { allow = true } } }"
REFUSED = ("denied", "not_approved", "NOT_GRANTED", "changed")
SAYS = """
local fs = require "sys.fs"
return { description = "Reads a page.", from = "web", annotations = { readOnlyHint = true },
  inputSchema = { type = "object" }, run = function() return fs.read "said" end }
"""
GEANY = """[geany]
pref_main_load_session=false
[VTE]
load_vte=true
shell=%s
run_in_vte=false
"""


def words_of(name, script, folder):
    """The command that starts a terminal in which the script runs; None: it is not installed."""
    script = str(script)
    if name == "renamed":
        copy = folder / "notes"
        shutil.copy(shutil.which("xterm"), copy)
        return [str(copy), "-class", "Notes", "-T", "Notes", "-e", script]
    return shutil.which(name) and {
        "xterm": ["xterm", "-T", "Shell", "-e", script], "xfce4-terminal": ["xfce4-terminal", "--disable-server", "-x", script],
        "gnome-terminal": ["gnome-terminal", "--wait", "--", script], "konsole": ["konsole", "-e", script],
        "geany": ["geany", "-i"]}[name]


LANGUAGES = {"xfce4-terminal": "es"}
TERMINALS = ("xterm", "renamed", "xfce4-terminal", "gnome-terminal", "konsole", "geany")


def plain(text):
    """Without what ways change that makes no difference."""
    for sign in ("https://", "/", "'", "\""):
        text = text.replace(sign, " " if sign == "/" else "")
    return re.sub(" +", " ", text.lower())


class Engine:
    """A server on the desktop, with a page that it reads and the test's own tools."""

    def __init__(self, desktop, policy):
        self.place = Place(policy, tells=SAYS, **dict(own_tools()), **sinks())
        self.place.env = {**desktop.env, **self.place.env, "PERIGEE_DESKTOP": "x11"}
        self.server = self.place.serve(capabilities={"elicitation": {}})

    def __call__(self, name, arguments, answers):
        return call(self.server, name, arguments, answers)

    def close(self):
        self.server.__exit__(None, None, None)
        self.place.__exit__(None, None, None)


class World:
    """A terminal on a desktop of its own, and the two engines."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.stack = contextlib.ExitStack()
        self.desktop = self.stack.enter_context(Desktop())
        self.folder = pathlib.Path(self.desktop.folder)
        self.desktop.env["LANGUAGE"] = "en"
        self.file, self.shown = self.folder / "typed", self.folder / "shown"
        for path in (self.file, self.shown):
            path.write_text("")
        script = self.folder / "shell"
        # Without lines: what is pasted comes when its owner has answered the terminal, which may be after the next Return.
        script.write_text(f"#!/bin/sh\nstty -icanon\nexec cat >> {shlex.quote(str(self.file))}\n")
        script.chmod(0o755)
        conf = self.folder / "home/.config/geany"
        conf.mkdir(parents=True)
        (conf / "geany.conf").write_text(GEANY % script)
        entries = self.folder / "home/.local/share/applications"
        entries.mkdir(parents=True)
        self.opened, opener = self.folder / "opened", self.folder / "opener"
        self.opened.write_text("")
        opener.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >> {shlex.quote(str(self.opened))}\n")
        opener.chmod(0o755)
        (entries / "opener.desktop").write_text(f"[Desktop Entry]\nType=Application\nName=Opener\nExec={opener} %U\n")
        # A person who says no to what is asked on the desktop, and not by the client.
        self.dialogs, person = self.folder / "dialogs", self.folder / "bin/zenity"
        self.dialogs.write_text("")
        person.parent.mkdir()
        person.write_text(f"#!/bin/sh\necho asked >> {shlex.quote(str(self.dialogs))}\nexit 1\n")
        person.chmod(0o755)
        self.desktop.env["PATH"] = f"{person.parent}:{self.desktop.env['PATH']}"
        self.judged = self.stack.enter_context(contextlib.closing(Engine(self.desktop, None)))
        self.free = self.stack.enter_context(contextlib.closing(Engine(self.desktop, FREE)))
        self.start(["/usr/bin/python3", str(HERE / "ways_source.py"), str(self.shown)])
        self.source_id = self.window_of("^A page")
        before = set(self.windows())
        self.start(words_of(terminal, script, self.folder), LANGUAGE=LANGUAGES.get(terminal, "en"))
        self.id = until(lambda: next((each for each in self.windows() if each not in before and self.named(each)), None), "the window")
        self.place_it()

    def start(self, words, **more):
        process = subprocess.Popen(words, env={**self.desktop.env, **more}, cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def xdo(self, *words):
        return subprocess.run(["xdotool", *words], env=self.desktop.env, check=False, capture_output=True, text=True, timeout=120).stdout

    def windows(self):
        return [each["name"] for each in self.free("list_windows", {}, None)[0].get("structuredContent", {}).get("windows", [])]

    def named(self, window):
        return not self.free("focus_window", {"name": window}, None)[0].get("isError")

    def window_of(self, title):
        return until(lambda: self.xdo("search", "--onlyvisible", "--name", title).split(), title)[-1]

    def place_it(self):
        self.window, self.application = self.id, self.id.partition("/windows/")[0]
        self.other = next(each for each in self.windows() if each.endswith(f"/{self.source_id}")).partition("/windows/")[0]
        for tool, more in (("move_window", {"x": 560, "y": 150}), ("resize_window", {"width": 680, "height": 500})):
            self.free(tool, {"name": self.window, **more}, None)
        bounds = self.free("get_window", {"name": self.window}, None)[0]["structuredContent"]["bounds"]
        down = 0.5 if self.terminal != "geany" else 0.85
        self.point = int(bounds["x"] + bounds["width"] / 2), int(bounds["y"] + bounds["height"] * down)
        self.place = f"{self.point[0]},{self.point[1]}"
        self.reach("begun")

    def used(self, engine):
        """What was opened, deleted and sent."""
        return "\n".join([self.opened.read_text(), *engine.place.trace()])

    # --- for the ways --------------------------------------------------------------------------------------

    def say(self, text):
        for engine in (self.judged, self.free):
            (engine.place.folder / "work/said").write_text(text)

    def copies(self, selection, text):
        """Somebody else does. The last owner ends by itself, when it has lost the selection: one that is killed may have been
        asked, and who asked would wait for ever."""
        owner = subprocess.Popen(["xclip", "-selection", selection, "-quiet", "-i"], env=self.desktop.env, stdin=subprocess.PIPE,
                                 text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(owner.wait)
        self.stack.callback(owner.kill)
        owner.stdin.write(text)
        owner.stdin.close()
        until(lambda: subprocess.run(["xclip", "-selection", selection, "-o"], env=self.desktop.env, check=False, capture_output=True,
                                     text=True, timeout=60).stdout == text, "what was copied")

    def source(self, text):
        """The point at which the text is, selected."""
        self.shown.write_text(text)
        until(lambda: self.xdo("search", "--onlyvisible", "--name", text.partition("/")[2].replace("|", ".")).split(), "the shown text")
        self.xdo("windowactivate", "--sync", self.source_id)
        facts = dict(each.split("=") for each in self.xdo("getwindowgeometry", "--shell", self.source_id).split())
        self.source_at = int(facts["X"]) + 30, int(facts["Y"]) + 8
        return self.source_at

    def file_called(self, text):
        name = text.replace("https://", "").replace("/", " ")
        self.say(f"Drop the file {name} now.")
        self.engine("tells", {}, None)
        self.named_file = str(self.engine.place.folder / "work" / name)
        pathlib.Path(self.named_file).write_text("")

    # --- making them ---------------------------------------------------------------------------------------

    def reach(self, text):
        """Somebody types a line in the terminal, after all that came before."""
        def typed():
            self.xdo("key", "Escape")
            self.focus()
            self.xdo("type", "--delay", "1", text + "\n")
            return text in self.file.read_text(errors="replace")
        for _ in range(60):
            if typed():
                return
        raise tap.Failure(f"the terminal did not get {text!r}, but {self.file.read_text()!r}")

    def focus(self):
        self.xdo("windowactivate", "--sync", self.window.rpartition("/")[2])
        if self.terminal == "geany":
            self.xdo("key", "F4")

    def other_focus(self):
        self.xdo("windowactivate", "--sync", self.source_id)

    def make(self, engine, steps, text, answers):
        """The questions and the refusals."""
        self.engine, stops, dialogs = engine, [], len(self.dialogs.read_text())
        self.say(text)
        engine("tells", {}, None)
        self.focus()
        for step in steps:
            if step == "other":
                self.other_focus()
                continue
            if step == "escape":
                self.xdo("key", "Escape", "key", "Escape")
                continue
            made = step(self) if callable(step) else step
            if made is None:
                continue
            result, asked = engine(*made, answers)
            stops += [each["message"] for each in asked]
            if code_of(result) in REFUSED or "was not asked again" in text_of(result):
                stops.append(text_of(result))
            elif os.environ.get("WAYS_SHOWN") and result.get("isError"):
                tap.note(f"{made} -> {text_of(result)}")
        return stops + self.dialogs.read_text()[dialogs:].split()

    def got(self, text):
        typed, count = self.file.read_text(errors="replace"), 1
        while count:
            typed, count = re.subn("[^\x7f]\x7f", "", typed)
        return plain(text) in plain(typed)


serial = itertools.count()


def proved(world, steps, text):
    world.make(world.free, steps, text, None)
    world.xdo("key", "Return")
    until(lambda: world.got(text), "the text in the terminal")


def in_terminal(name):
    """Every family in this terminal: (ways, those that passed)."""
    world = World(name)
    count, passed = 0, []
    with world.stack:
        for family in IN_TERMINALS:
            for number, _ in enumerate(family("x y z")):
                wanted = os.environ.get("WAYS_ONLY")
                way, spelling, _, works = list(family("x y z"))[number]
                if wanted and wanted not in f"{family.__name__} {way} {spelling}":
                    continue
                leads = name in works
                proof, text = order(f"p{next(serial)}"), order(f"w{next(serial)}")
                if leads:
                    tap.case(f"{name}: {way}: {spelling}: it leads there", proved, world, list(family(proof))[number][2], proof)
                stops = world.make(world.judged, list(family(text))[number][2], text, "Do not allow")
                world.reach(f"end-{count}")
                count += 1
                through = world.got(text) or leads and not stops
                if through:
                    passed.append((way, spelling))
                tap.ok(not through, f"{name}: {way}: {spelling}", f"{stops} {world.file.read_text(errors='replace')[-300:]!r}")
    return count, passed


def elsewhere():
    """Every family that needs no terminal."""
    world = World("xterm")
    count, passed = 0, []
    with world.stack:
        for family in ELSEWHERE:
            for number, (way, spelling, _, leads) in enumerate(family("x")):
                if os.environ.get("WAYS_ONLY") and os.environ["WAYS_ONLY"] not in f"{family.__name__} {way} {spelling}":
                    continue
                proof, text = url(next(serial)), url(next(serial))
                if leads is None:
                    tap.case(f"{way}: {spelling}: it leads there", used, world, list(family(proof))[number][2], proof)
                stops = world.make(world.judged, list(family(text))[number][2], text, "Do not allow")
                count += 1
                through = not stops and leads is None or text in world.used(world.judged)
                if through:
                    passed.append((way, spelling))
                tap.ok(not through, f"{way}: {spelling}", f"{stops}")
    return count, passed


def url(number):
    return f"https://evil.example/{number}/?leak=1"


def used(world, steps, text):
    world.make(world.free, steps, text, None)
    until(lambda: text in world.used(world.free), "its trace")


def ways_in_all():
    """As many as there are if every terminal is installed."""
    return len(TERMINALS) * sum(len(list(family("x y z"))) for family in IN_TERMINALS) + sum(len(list(family("x"))) for family in ELSEWHERE)


def main(names):
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install wide)")
        return
    total, passed = 0, []
    tap.ok(ways_in_all() >= LEAST, f"{ways_in_all()} ways in all, at least {LEAST}")
    for name in names or tap.share(["elsewhere", *TERMINALS]):
        if name not in ("elsewhere", "renamed") and not shutil.which(name):
            tap.skip(f"ways to {name}", "it is not installed")
            continue
        count, through = elsewhere() if name == "elsewhere" else in_terminal(name)
        total, passed = total + count, passed + through
    tap.corpus("ways", total, len(passed))
    print(f"# {total} ways, {passed or 'none'} passed")
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
