#!/usr/bin/env python3
"""The twenty-three tasks of kinds.py: each is a case, and the calls and tokens that it took are printed."""

import contextlib
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap                                  # noqa: E402
from desktop import Desktop                 # noqa: E402
from kinds import BROWSER, TASKS, Agent     # noqa: E402


def at_home(desktop):
    """The person's documents folder and browser. Settings of GNOME's kind go to a file."""
    home = pathlib.Path(desktop.env["HOME"])
    entries = home / ".local/share/applications"
    entries.mkdir(parents=True)
    (entries / "chromium.desktop").write_text(BROWSER, encoding="utf-8")
    (home / "Documents").mkdir()
    desktop.env["GSETTINGS_BACKEND"] = "keyfile"


def main(words):
    chosen = [task for task in TASKS if not words or any(word in task[0] for word in words)]
    rows = []
    with Desktop() as desktop:
        at_home(desktop)
        with contextlib.closing(Agent(desktop.env)) as agent:
            for name, task in chosen:
                calls, size = agent.calls, agent.bytes
                tap.case(name, task, agent, desktop)
                rows.append((name, agent.calls - calls, (agent.bytes - size) // 4))
            tap.ok(not agent.server.faults, "every line was valid", "\n".join(agent.server.faults))
    for name, calls, tokens in [*rows, ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))]:
        tap.note(f"{name:<78} {calls:>4} calls {tokens:>7} tokens")
    tap.ok(words or len(TASKS) == 23, f"{len(TASKS)} tasks")
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
