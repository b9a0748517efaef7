#!/usr/bin/env python3
"""Macros on a desktop that is not what it was when they were made: for each of eight applications a macro is made of calls that
worked, another one is recorded while a person works (xdotool), and each is run by `perigee macro run` after each drift. A run is right, as the application itself says, or it is refused with a
code and a message that names the step, the reason and what to do. Nothing receives what was not meant for it, in either case.

    tests/wide/macro_drift_test.py [APPLICATION[", recorded"] [DRIFT...]]
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import agent_runs                                       # noqa: E402
import drift_form                                       # noqa: E402
import folders                                          # noqa: E402
import server as servers                                # noqa: E402
import tap                                              # noqa: E402
from desktop import Desktop                             # noqa: E402
from drift_kinds import FORMS, KINDS, NOTHING, RIGHT    # noqa: E402
from procs import descendants, pulses                           # noqa: E402
from recordings import Person, recording                         # noqa: E402
from tools import PATIENCE, Failure, Tools, has, same, until     # noqa: E402

ROOT = pathlib.Path(folders.fresh("perigee-drift-"))
LEAST = 60      # combinations, where all applications are installed
PLACE = re.compile(r"(Step|Before step) \d+[,:] ")
ADVICE = re.compile(r"\b(add|answer|bring|call|change|close|correct|give|look|open|pass|record|run|see)\b", re.IGNORECASE)


# --- drifts --------------------------------------------------------------------------------------------

def moved(tools, window):
    tools("move_window", window=window, x=8, y=30)


def resized(tools, window):
    bounds = tools("get_window", window=window)["bounds"]
    tools("resize_window", window=window, width=bounds["width"] + 160, height=bounds["height"] + 120)


# How the application is opened, what is done to its window then, the environment of the run, and whether it is stopped meanwhile.
DRIFTS = {
    "nothing else": {},
    "moved": {"after": moved},
    "resized": {"after": resized},
    "a second window": {"open": {"second": True}},
    "another theme and font": {"open": {"dark": True}},
    "another language of the session": {"run": {"LC_ALL": "de_DE.UTF-8"}},
    "another language of the application": {"open": {"german": True}},
    "another dialog first": {"open": {"tip": True}},
    "stopped again and again": {"pulses": True},
    "a label renamed": {"open": {"names": {**drift_form.PLAIN, "send": "Submit"}, "more": ["Send later"]}},
    "a row before the target": {"open": {"inserted": True}},
    "effects that are late": {"open": {"delay": 1000}},
    "effects that do not come": {"open": {"delay": 600000}},
    "the file is there": {"open": {"exists": True}},
}

ALL = {"nothing else": RIGHT, "moved": RIGHT, "resized": RIGHT, "a second window": "MACRO_SEVERAL_WINDOWS",
       "another theme and font": RIGHT, "another language of the session": "MACRO_OTHER_LOCALE",
       "another language of the application": "MACRO_NO_MATCH", "another dialog first": "MACRO_DIALOG_IN_FRONT",
       "stopped again and again": RIGHT}
OF_FORMS = {**ALL, "a label renamed": "MACRO_NO_MATCH", "a row before the target": RIGHT, "effects that are late": RIGHT,
            "effects that do not come": "MACRO_EFFECT_MISSING"}
# The documents of LibreOffice, which has no other language here, are the same under another number format.
OF_OFFICE = {**ALL, "another language of the application": RIGHT, "the file is there": "MACRO_DIALOG_IN_FRONT"}

# What comes of each combination: RIGHT, or the code that it is refused with.
EXPECTED = {
    "Qt": OF_FORMS, "GTK 4": OF_FORMS, "Swing": OF_FORMS,
    "Chromium": {**OF_FORMS, "a row before the target": "MACRO_COUNT_CHANGED"},     # its rows have no name, so that it counts
    "mousepad": {**ALL, "the file is there": "MACRO_DIALOG_IN_FRONT"},
    "Writer": OF_OFFICE,
    "Calc": {**OF_OFFICE, "a row before the target": RIGHT},    # the cell has the address that was said
    "Thunar": {**ALL, "a row before the target": RIGHT},
}


# --- an application ---------------------------------------------------------------------------------------

class Maker(Tools):
    """A client whose session keeps its calls, of which it makes a macro."""

    def __init__(self, env):    # pylint: disable=super-init-not-called  (it has a root of the user's own)
        self.server = servers.perigee("--toolset", "all", env=env)
        self.server.initialize()

    def result(self, name, /, **arguments):
        """An office takes its time."""
        answer = self.server.call(name, arguments, PATIENCE)
        if "error" in answer:
            raise Failure(f"{name}: {answer['error']}")
        return answer["result"]

    def macro(self, kind, window):
        """Makes a macro of the kind's calls. Returns its lines."""
        self("create_session", session_id="drift", display_name="Drift")
        kind.calls(window)
        made = self("create_macro", display_name="Drift", macro_id="drift", **{"from": {"last": 40}})
        self("delete_session", name="drift", force=True)
        return [step["text"] for step in made["steps"]]


class Trial:
    """An application on a desktop, and a macro made of calls on it."""

    def __init__(self, name, label):
        self.name, self.label, self.stack = name, label, contextlib.ExitStack()
        self.folder = ROOT / str(list(TRIALS).index(label))     # an office takes no folder with a space
        self.folder.mkdir()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.desktop = stack.enter_context(Desktop())
            self.desktop.env.update(GSETTINGS_BACKEND="keyfile", LOCPATH=str(ROOT / "locales"))
            self.env = agent_runs.clean_env(self.desktop.env, self.folder / "home")
            self.tools = stack.enter_context(contextlib.closing(Maker(self.env)))
            self.kind = KINDS[self.name](self.desktop, self.tools, self.folder)
            if not self.kind.tells:
                told_to_tell(self.desktop.env)
            entries = pathlib.Path(self.env["HOME"], ".local/share/applications")
            entries.mkdir(parents=True, exist_ok=True)
            for entry, text in self.kind.entry().items():
                (entries / f"{entry}.desktop").write_text(f"[Desktop Entry]\nType=Application\n{text}", encoding="utf-8")
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def arguments(self):
        return self.kind.arguments()

    def expected(self, drift):
        """What comes of it; None: either."""
        return EXPECTED[self.name][drift]

    def make(self):
        try:
            lines = self.tools.macro(self.kind, self.kind.open())
            same(self.kind.came(), RIGHT, "the calls of which the macro is made")
        finally:
            self.kind.end()
        for line in lines:
            tap.note(f"    {line}")
        same(3 <= len([line for line in lines if "macro:window" not in line]) <= 6, True, "3 to 6 steps")

    def run(self, drift):
        """Opens the application with the drift, and runs the macro. Returns (code or None, message, what came of it)."""
        plan = DRIFTS[drift]
        try:
            window = self.kind.open(**plan.get("open", {}))
            plan.get("after", lambda *_: None)(self.tools, window)
            pids = [pid for process in self.kind.processes for pid in (process.pid, *descendants(process.pid))]
            with pulses(pids) if plan.get("pulses") else contextlib.nullcontext():
                done = agent_runs.perigee("macro", "run", "drift", *self.arguments(), "--json", env={**self.env, **plan.get("run", {})},
                                          cwd=self.folder)
            return (*told(done), self.kind.came())
        finally:
            self.kind.end()

    def case(self, drift, rows):
        code, text, came = self.run(drift)
        rows.append((self.label, drift, code or "right", text))
        if came not in (RIGHT, NOTHING):
            raise Failure(f"{came}\n{text}")
        if code and not (PLACE.match(text) and ADVICE.search(text)):
            raise Failure(f"it names no step, or does not say what to do: {text}")
        if not code:
            same(came, RIGHT, f"a run that ended well: {text}")
        same(code or RIGHT, self.expected(drift) or code or RIGHT, text)
        if "NO_MATCH" in (code or "") or "window" in text.partition(":")[2][:30]:
            has(text, '"')


class Recorded(Trial):
    """An application on a desktop, and a macro that was recorded in it."""

    def make(self):
        try:
            window = self.kind.open()
            app = window.partition("/windows/")[0]
            until(lambda: any(each["focused"] for each in self.tools("list_windows", parent=app)["windows"]), "its focus")
            with recording(self.tools, self.desktop, str(self.folder), "drift", "--json") as one:
                self.kind.work(Person(self.tools, one, app))
                notes = json.loads(one.end())["notes"]
            for line in one.steps():
                tap.note(f"    {line}")
            same(notes, [], "what is not sure of the recording")
            same(self.kind.came(), RIGHT, "what was recorded")
        finally:
            self.kind.end()

    def arguments(self):
        return [*(f"{key}={value}" for key, value in self.kind.values.items()), "--root", str(self.folder)]

    def expected(self, _):
        return None


def told(done):
    """(the code of a refusal, the text)"""
    if done.returncode not in (0, 3):
        raise Failure(f"exit status {done.returncode}: {done.stdout}{done.stderr}")
    result = json.loads(done.stdout)
    return (result["_meta"]["perigee/code"] if done.returncode else None), result["content"][0]["text"]


def told_to_tell(env):
    """Programs that are started outside of Perigee tell of their elements from now on."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
                    "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", "IsEnabled", "<true>"], env=env, check=True,
                   stdout=subprocess.DEVNULL)


def make_locale():
    """German, where the system may not have it."""
    (ROOT / "locales").mkdir()
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(ROOT / "locales" / "de_DE.UTF-8")], check=True)


TRIALS = {f"{name}{how}": (name, kind) for how, kind in (("", Trial), (", recorded", Recorded)) for name in KINDS}


def all_of(label, words, rows):
    name, kind = TRIALS[label]
    with kind(name, label) as trial:
        trial.make()
        for drift in EXPECTED[name]:
            if not words or drift in words:
                tap.case(f"{label}: {drift}", trial.case, drift, rows)


def main(words):
    rows = []
    make_locale()
    for label in [label for label in tap.share(TRIALS) if not words or label == words[0]]:
        try:
            all_of(label, words[1:], rows)
        except tap.Skip as why:
            tap.skip(label, why)
        except Failure as failure:
            tap.ok(False, f"{label}: a macro is made", str(failure))
    for label, drift, code, text in rows:
        tap.note(f"{label:<19} {drift:<36} {code:<22} {text.splitlines()[0][:150]}")
    every = sum(len(EXPECTED[name]) for name in EXPECTED)
    tap.ok(every >= LEAST and set(EXPECTED) == set(KINDS) and set(FORMS) < set(KINDS), f"{every} combinations, each for calls and for a recording; {len(rows)} ran here")
    shutil.rmtree(ROOT, ignore_errors=True)
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
