#!/usr/bin/env python3
"""Macros of runs of an agent on a real application: with dead ends, with a value that the run read, and one that is not kept. The
fresh desktops are the program's own. More applications are in tests/wide/macro_runs_test.py."""

import os
import pathlib
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import agent_runs                       # noqa: E402
import desktop as desktops              # noqa: E402
import folders                          # noqa: E402
import tap                              # noqa: E402
from tools import has, same             # noqa: E402

ROOT = pathlib.Path(folders.fresh("perigee-from-run-"))
NEEDED = ("Xvfb", "openbox", "dbus-daemon", "mousepad")
MOUSEPAD = {"application": "mousepad"}
OPENED = ("open_application", {"wait": 120, **MOUSEPAD})


class Runs:
    """One desktop with a model, and the commands of a person on it."""

    def __init__(self, desktop, model):
        self.model, self.work, self.documents = model, ROOT / "work", ROOT / "documents"
        self.env = agent_runs.clean_env(desktop.env, ROOT / "home")
        self.work.mkdir()
        self.documents.mkdir()

    def journal(self, request, *answers):
        return agent_runs.journal_of(self.model, request, answers, self.env, self.work)

    def from_run(self, journal, name, *words):
        """How the command ends; no model was asked."""
        asked = self.model.asked
        done = agent_runs.perigee("macro", "from-run", str(journal), "--name", name, *words, env=self.env, cwd=self.work)
        same(self.model.asked, asked, "requests to the model")
        same(list(ROOT.glob("tmp/perigee-desktop-*")), [], "folders of fresh desktops")
        return done

    def kept(self, journal, name, *words):
        done = self.from_run(journal, name, *words)
        same(done.returncode, 0, done.stdout + done.stderr)
        return agent_runs.main_of(agent_runs.own(self.env, name)), done.stdout

    def run(self, name, *words):
        return agent_runs.perigee("macro", "run", name, *words, env=self.env, cwd=self.work)

    def end(self):
        """Ends the editor that the run left open."""
        agent_runs.perigee("call", "quit_application", "application=mousepad", "force=true", env=self.env, cwd=self.work)


def a_note_after_dead_ends(runs):
    path = runs.documents / "thoughts.txt"
    journal = runs.journal('Write "second thoughts" in Mousepad and save it as thoughts.txt.',
        OPENED, ("click_element", {"element": "e999"}), ("get_ui_tree", MOUSEPAD),
        ("write_element_value", {"element": "@text", "value": "first thoughts"}),
        ("write_element_value", {"element": "@text", "value": "second thoughts"}),
        ("select_menu_item", {"path": "File > Open...", **MOUSEPAD}), ("handle_dialog", {"button": "cancel", **MOUSEPAD}),
        ("select_menu_item", {"path": "File > Save As...", **MOUSEPAD}),
        ("handle_dialog", {"path": str(path), "button": "Save", **MOUSEPAD}), ("get_ui_tree", MOUSEPAD))
    same(path.read_text(encoding="utf-8"), "second thoughts")
    runs.end()
    facts = [event["structured"] for event in agent_runs.events(journal) if event["type"] == "result" and "structured" in event]
    same(facts[0]["application"]["id"], "org.xfce.mousepad")
    lines, said = runs.kept(journal, "thoughts")
    same(lines, ['local mousepad = macro:open("mousepad")', 'mousepad:set("text", args.text)', 'mousepad:menu("File > Save As...")',
                 'mousepad:dialog("Save As", { button = "Save", path = args.file })', "mousepad:check { title = macro.base(args.file) }",
                 'mousepad:check { element = "text", value_contains = args.text }'])
    has(said, 'It held on a fresh desktop with the same values, and with text="tfdpoe uipvhiut" file="thoughts-2.txt"')
    other = runs.documents / "third.txt"
    done = runs.run("thoughts", "text=third thoughts", f"file={other}")
    same((done.returncode, other.read_text(encoding="utf-8"), path.read_text(encoding="utf-8")),
         (0, "third thoughts", "second thoughts"), done.stderr)
    runs.end()


def a_value_that_was_read(runs):
    """It is read again, so that another file gives another one. The user passes the file for the second trial."""
    for name, total in (("bill.txt", "408"), ("other.txt", "17")):
        (runs.documents / name).write_text(f"Total: {total} EUR", encoding="utf-8")
    journal = runs.journal("Open bill.txt in Mousepad, and leave only its total there. Save it.",
        ("open_application", {"files": [str(runs.documents / "bill.txt")], "wait": 120, **MOUSEPAD}), ("get_ui_tree", MOUSEPAD),
        ("act", {"steps": [{"set": "@text", "value": "408"}, {"keys": "ctrl+s"}], **MOUSEPAD}),
        ("find_elements", {"selector": "text", **MOUSEPAD}))
    runs.end()
    (runs.documents / "bill.txt").write_text("Total: 408 EUR", encoding="utf-8")
    lines, _ = runs.kept(journal, "total")
    same(lines[1:4], ['local text_read = macro:call("get_element", { application = "mousepad", element = "text" })',
                      'local text = macro.part(text_read.value, "Total: ", " EUR")', 'mousepad:set("text", text)'], lines)
    done = runs.run("total", f"file={runs.documents / 'other.txt'}")
    same((done.returncode, (runs.documents / "other.txt").read_text(encoding="utf-8")), (0, "17"), done.stderr)
    runs.end()


def one_that_does_not_hold(runs):
    """The check of the run was about a value that no other run has."""
    journal = runs.journal("Write pears in Mousepad.", OPENED, ("get_ui_tree", MOUSEPAD),
        ("write_element_value", {"element": "@text", "value": "pears"}),
        ("verify", {"predicates": [{"element": "text", "value_contains": "ear"}], **MOUSEPAD}))
    runs.end()
    done = runs.from_run(journal, "pears")
    same(done.returncode, 1, done.stdout)
    has(done.stderr, 'The macro was not kept: with other values it failed: Step 3, check element "text", value_contains "ear"')
    same(os.path.exists(agent_runs.own(runs.env, "pears")), False)
    same(runs.kept(journal, "pears", "text=bears")[0][1], 'mousepad:set("text", args.text)')


def main():
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install test)")
        return
    (ROOT / "tmp").mkdir()
    os.environ["TMPDIR"] = str(ROOT / "tmp")
    model = agent_runs.Model()
    try:
        with desktops.Desktop() as desktop:
            runs = Runs(desktop, model)
            for name, case in (("a note after dead ends", a_note_after_dead_ends), ("a value that was read", a_value_that_was_read),
                               ("one that does not hold is not kept", one_that_does_not_hold)):
                tap.case(name, case, runs)
    finally:
        model.close()
    shutil.rmtree(ROOT, ignore_errors=True)
    tap.done()


if __name__ == "__main__":
    main()
