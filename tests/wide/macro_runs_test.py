#!/usr/bin/env python3
"""Runs of an agent become macros: the runs of macro_runs.py are made on a desktop with a model whose answers were recorded, and
`perigee macro from-run` tries each on fresh desktops, with the same values and with others, without a model. Prints the table."""

import os
import pathlib
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import agent_runs                           # noqa: E402
import folders                              # noqa: E402
import tap                                  # noqa: E402
from desktop import Desktop                 # noqa: E402
from macro_runs import at_home, runs        # noqa: E402

ROOT = pathlib.Path(folders.fresh("perigee-macro-runs-"))


def made(model, number, run):
    """Makes the run on a desktop of its own, and the macro. Returns (it was kept, what was said)."""
    _, _, request, _ = run
    place = ROOT / str(number)
    place.mkdir()
    with Desktop() as desktop:
        answers = runs(at_home(desktop))[number][3]
        env = agent_runs.clean_env({**desktop.env, "GSETTINGS_BACKEND": "keyfile"}, ROOT / "home")
        journal = agent_runs.journal_of(model, request, answers, env, place)
        asked = model.asked
        done = agent_runs.perigee("macro", "from-run", str(journal), "--name", f"run_{number}", env=env, cwd=place)
    if model.asked != asked:
        raise tap.Failure("the model was asked for the macro")
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def main(words):
    rows, every = [], runs(pathlib.Path("/nowhere"))
    model = agent_runs.Model()
    try:
        for number, run in enumerate(every):
            program, title = run[:2]
            if words and not any(word in title or word == program for word in words):
                continue
            if not shutil.which(program):
                tap.note(f"{title}: {program} is not installed (vendor/install wide)")
                continue
            try:
                kept, said = made(model, number, run)
            except tap.Failure as failure:
                kept, said = False, str(failure)
            rows.append(kept)
            tap.note(f"{program:<17} {title:<42} {'held' if kept else 'not kept'}")
            for line in said.splitlines()[:6]:
                tap.note(f"    {line[:240]}")
    finally:
        model.close()
    missed = rows.count(False)
    tap.ok(missed <= 1 and (words or len(rows) >= 20 or missed == 0), f"{rows.count(True)} of {len(rows)} runs became macros that hold")
    shutil.rmtree(ROOT, ignore_errors=True)
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
