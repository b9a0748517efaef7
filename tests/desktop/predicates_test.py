#!/usr/bin/env python3
"""wait_for, verify and act on elements of real applications: what holds is told when it does, and what cannot be read is
unknown, never gone."""

import contextlib
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import Tools, has, opened, run, same, until     # noqa: E402


def waiting(tools, **arguments):
    """A call of wait_for that is under way: others were answered after it, and it was not."""
    call = tools.server.post("tools/call", {"name": "wait_for", "arguments": {"timeout": 30, **arguments}})
    tools.server.ask("ping")
    for _ in range(3):
        tools("list_windows")
    same([m for m in tools.server.early if m.get("id") == call], [], "answers before anything came")
    return call


def result(tools, call):
    answer = tools.server.answer(call)["result"]
    same(answer.get("isError"), None, answer["content"][0]["text"])
    return answer["structuredContent"]


def results(tools, *predicates, **more):
    """(all, the result of each)"""
    told = tools("verify", predicates=list(predicates), **more)
    return told["all"], [each["result"] for each in told["results"]]


@contextlib.contextmanager
def editor(tools, path, text):
    """mousepad with a file that holds this, as it is when it has come to rest. It is saved in the end: else the next one
    asks what to restore."""
    path.write_text(text, encoding="utf-8")
    with opened(tools, "mousepad", files=[str(path)]) as app:
        same(results(tools, {"element": "text", "value": text}, {"element": "text", "condition": "focused"},
                     {"window": path.name, "condition": "focused"}, application=app, timeout=55), ("true", ["satisfied"] * 3))
        try:
            yield app
        finally:
            tools.result("act", application=app, steps=[
                {"keys": "ctrl+s"}, {"wait": {"window": "*", "condition": "gone", "timeout": 10}}])


def wait_for_elements(tools, desktop):
    """A dialog that comes and goes, and a value, while other calls bring them about."""
    with editor(tools, desktop.folder / "waited.txt", "one\n") as app:
        call = waiting(tools, condition="element", element="dialog", application=app)
        tools("create_input", action="keys", keys="ctrl+o")
        seen = result(tools, call)
        same(seen["element"][:1], "e", seen)
        call = waiting(tools, condition="element_gone", element="dialog", application=app)
        tools("create_input", action="keys", keys="escape")
        result(tools, call)
        call = waiting(tools, condition="text", text="two three", application=app)
        tools("create_input", action="keys", keys="ctrl+end")
        tools("create_input", action="type", text="two three")
        result(tools, call)
        text = tools.fails("WAIT_TIMEOUT", "wait_for", condition="element", element='menu "Fil"', application=app, timeout=0.5)
        has(text, 'menu "File"')
        waited = tools("create_input", action="keys", keys="ctrl+o",
                       wait={"condition": "element", "element": "dialog", "application": app})["waited"]
        same((waited["met"], waited.get("already")), (True, None), waited)
        tools("create_input", action="keys", keys="escape")


def predicates_of_an_editor(tools, desktop):
    with editor(tools, desktop.folder / "verified.txt", "first line\nsecond line\n") as app:
        same(results(tools, {"element": "text", "value": "first line\nsecond line\n"},
                     {"element": "text", "value_contains": "SECOND"}, {"text": "first line"},
                     {"window": "verified.txt"}, {"element": "dialog", "condition": "gone"},
                     application=app), ("true", ["satisfied"] * 5))
        same(results(tools, {"element": "text", "value": "first line"}, {"element": 'menu "File"', "condition": "expanded"},
                     {"element": "menu", "count": 1}, {"text": "third line"}, {"window": "verified.txt", "condition": "gone"},
                     application=app), ("false", ["unsatisfied"] * 5))
        ref = tools("find_elements", application=app, role="text")["elements"][0]["ref"]
        same(results(tools, {"element": ref}, {"element": "menu", "condition": "enabled"}), ("unknown", ["satisfied", "unknown"]))
    same(results(tools, {"element": ref, "condition": "gone"}, {"element": ref}), ("false", ["satisfied", "unsatisfied"]))


def one_that_does_not_answer(tools, desktop):
    """Nothing is known of it while it does not answer: neither that something is there, nor that it is gone."""
    with editor(tools, desktop.folder / "hung.txt", "hung\n") as app:
        pid = int(app.partition("/")[2])
        os.kill(pid, signal.SIGSTOP)
        try:
            same(results(tools, {"element": "menu"}, {"element": "dialog", "condition": "gone"},
                         {"element": "text", "value": ""}, {"window": "hung.txt"}, application=app),
                 ("unknown", ["unknown", "unknown", "unknown", "satisfied"]))
            text = tools.fails("WAIT_TIMEOUT", "wait_for", condition="element_gone", element="menu", application=app, timeout=1)
            has(text, "it is not known")
            call = waiting(tools, condition="element", element='menu "File"', application=app)
        finally:
            os.kill(pid, signal.SIGCONT)
        result(tools, call)


def a_sum_in_one_call(tools, _desktop):
    """GTK 4. The display is read by another call."""
    with opened(tools, "gnome-calculator") as app:
        tools("wait_for", condition="element", element='button "7"', application=app, timeout=55)
        told = tools("act", application=app, steps=[
            {"click": 'button "7"'}, {"click": 'button "×"'}, {"click": 'button "6"'}, {"click": 'button "="', "must": True},
            {"wait": {"text": "42", "timeout": 10}}])
        same((told["done"], len(told["steps"])), (True, 5), told)
        has(tools("get_ui_tree", application=app)["outline"], '"42"')
        same(any("42" in line for line in told["changes"]), True, told["changes"])


def an_act_that_stops(tools, desktop):
    """Steps behind the one that does not hold are not done."""
    path = desktop.folder / "stopped.txt"
    with editor(tools, path, "") as app:
        told = tools("act", application=app, steps=[
            {"type": "kept"}, {"verify": {"text": "never written"}}, {"type": " lost"}, {"keys": "ctrl+s"}])
        same((told["done"], told["stopped_at"], len(told["steps"])), (False, 2, 2), told)
        same(told["steps"][0]["effect"], "confirmed", told)
        same(results(tools, {"element": "text", "value": "kept"}, application=app), ("true", ["satisfied"]))
        told = tools("act", application=app, timeout=1, steps=[{"wait": {"element": "dialog"}}, {"keys": "ctrl+o"}])
        has(told["steps"][0]["evidence"], "unsatisfied, no element matches dialog")
        told = tools("act", application=app, steps=[
            {"set": "text", "value": "whole"}, {"menu": "File > Save"}, {"wait": {"window": "*", "condition": "gone", "timeout": 10}}])
        same(told["done"], True, told)
        until(lambda: path.read_text(encoding="utf-8").rstrip("\n") == "whole", "the file")


run((("wait_for ends when an element comes, goes or holds a text", wait_for_elements),
     ("verify tells what holds and what does not", predicates_of_an_editor),
     ("an element of an application that does not answer is unknown, and not gone", one_that_does_not_answer),
     ("act makes a sum in gnome-calculator in one call", a_sum_in_one_call),
     ("act stops at the first step that does not hold", an_act_that_stops)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gnome-calculator"), lambda desktop: Tools(desktop.env))
