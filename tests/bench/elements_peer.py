#!/usr/bin/python3
"""The time of the work of our element tools with Debian's pyatspi, as JSON; elements_bench.py runs it by /usr/bin/python3.

    elements_peer.py outline APPLICATION     {"ms": [...], "nodes": N}
    elements_peer.py press APPLICATION NAME  {"ms": [...], "states": [...]}   finds a check box, presses it and reads its state
"""

import json
import sys
import time

import pyatspi

TRIES = 5


def application(name):
    return next(app for app in pyatspi.Registry.getDesktop(0) if app and name in app.name.lower())


def outline(node, lines):
    """One line an element that is shown, with what ours has: role, name, value, states and bounds."""
    states = [pyatspi.stateToString(state) for state in node.getState().getStates()]
    if node.getRole() != pyatspi.ROLE_APPLICATION and "showing" not in states:
        return
    value, bounds = "", None
    try:
        value = node.queryText().getText(0, 200)
    except NotImplementedError:
        pass
    try:
        bounds = tuple(node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS))
    except NotImplementedError:
        pass
    lines.append((node.getRoleName(), node.name, value, states, bounds))
    for child in node:
        if child is not None:
            outline(child, lines)


def outlines(name):
    took = []
    for _ in range(TRIES):
        pyatspi.Registry.getDesktop(0).clearCache()
        lines, start = [], time.perf_counter()
        outline(application(name), lines)
        took.append((time.perf_counter() - start) * 1e3)
    return {"ms": took, "nodes": len(lines)}


def find(node, name):
    if node.name == name and node.getRole() == pyatspi.ROLE_CHECK_BOX:
        return node
    for child in node:
        found = child is not None and find(child, name)
        if found:
            return found
    return None


def checked(node):
    return node.getState().contains(pyatspi.STATE_CHECKED)


def press(app, name):
    took, states = [], []
    for _ in range(TRIES):
        pyatspi.Registry.getDesktop(0).clearCache()
        start = time.perf_counter()
        box = find(application(app), name)
        before, action = checked(box), box.queryAction()
        action.doAction(next(i for i in range(action.nActions) if action.getName(i) in ("click", "toggle", "press")))
        while checked(box) == before:
            time.sleep(0.001)
        took.append((time.perf_counter() - start) * 1e3)
        states.append(checked(box))
    return {"ms": took, "states": states}


print(json.dumps(outlines(sys.argv[2].lower()) if sys.argv[1] == "outline" else press(sys.argv[2].lower(), sys.argv[3])))
