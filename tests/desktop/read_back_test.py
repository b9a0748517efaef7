#!/usr/bin/env python3
"""Typed text is read back if the application tells of it, and is not called confirmed if something else is there."""

import contextlib
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from server import PERIGEE      # noqa: E402
from tap import Failure, Skip, note     # noqa: E402
from tools import Tools, bare_client, has, quickest, run, same, until   # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "xdotool", "xterm")
FIELDS = ("plain", "cut", "password", "upper", "lines", "late", "fixed", "completed", "brackets")
READ = "the text was read back from the field"
TRIES = 5                # of a case whose text is told of too late
LAST_LOOK = 0.18         # seconds: sooner nobody looks again who has heard of no change


class TooLate(Exception):
    """An application told of its text too late for a comparison, as it may on a busy machine."""


class Prompt:
    """The tools, in whose answers about input a text was compared: TooLate otherwise."""

    def __init__(self, tools):
        self.tools = tools

    def __call__(self, name, /, **arguments):
        result = self.tools(name, **arguments)
        if "did not tell in time" in result.get("evidence", ""):
            raise TooLate(result)
        return result

    def __getattr__(self, name):
        return getattr(self.tools, name)


def give_up(why, most=8):
    """Fails, unless so many processes wait for a processor, `most` for each, that an application may not get one in time."""
    raise Skip(f"the machine is busy: {why}") if os.getloadavg()[0] > most * (os.cpu_count() or 1) else Failure(why)


def compared(case):
    """The case, begun again if a text in it could not be compared in time: at most TRIES times in all."""
    def again(tools, desktop):
        for n in range(TRIES):
            try:
                return case(Prompt(tools), desktop)
            except TooLate as late:
                note(f"{case.__name__}, try {n + 1} of {TRIES}: {late}")
        return give_up(f"no text was compared in {TRIES} tries")
    return again


def ask_bus(desktop, bus, name, path, member, *arguments):
    """The last word of an answer."""
    done = subprocess.run(["dbus-send", bus, "--print-reply=literal", f"--dest={name}", path, f"{name}.{member}", *arguments],
                          env=desktop.env, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.split()[-1]


def bus_runs(desktop):
    return ask_bus(desktop, "--session", "org.freedesktop.DBus", "/", "NameHasOwner", "string:org.a11y.Bus") == "true"


class Fields:
    def __init__(self, tools, window, path):
        self.tools, self.window, self.path = tools, window, path

    def enter(self, name, **arguments):
        """What the tool answers about a text for the end of a field."""
        x, y = self.window["bounds"]["x"], self.window["bounds"]["y"] + 20
        self.tools("create_input", action="click", x=x + 60, y=y + 40 * FIELDS.index(name) + 20)
        self.tools("create_input", action="keys", keys="ctrl+end" if name == "lines" else "end")
        arguments = {"action": "type", **arguments}
        return self.tools("create_input", **arguments)

    def holds(self, name):
        return applications.read_json(self.path)[name]


@contextlib.contextmanager
def fields(tools, desktop):
    path = desktop.folder / "fields.json"
    with applications.program(desktop, "/usr/bin/python3", str(applications.HERE / "fields_window.py"), "some fields",
                              str(path)):
        window = applications.window_of(tools, "some fields")
        until(path.exists, "the fields")
        plain = tools.tools if isinstance(tools, Prompt) else tools     # at first no text may be compared
        first = Fields(plain, window, path)

        def is_told():
            """Whether the text was read back. A try leaves no other text than "x"."""
            if "read back" in first.enter("plain", text="x")["evidence"]:
                return True
            for chord in ("ctrl+a", "Delete"):
                plain("create_input", action="keys", keys=chord)
            return False
        until(is_told, "an application that tells of its text")
        yield Fields(tools, window, path)


def no_bus_is_started(tools, desktop):
    with applications.terminal(tools, desktop, "xterm", "-e") as arrived:
        tools("create_input", action="type", text="no bus")
        until(lambda: arrived() == "no bus", "the text")
    same(bus_runs(desktop), False, "an accessibility bus")


def a_bus_that_answers_nothing_costs_only_time(tools, desktop):
    """The engine ended: it took an answer that had not come."""
    script = 'print(select(3, require "sys.element".field { timeout = 0.2, present = true }))'
    with subprocess.Popen(["/usr/bin/python3", str(applications.HERE / "silent_bus.py")], env=desktop.env, stdout=subprocess.PIPE,
                          text=True) as silent:
        same(silent.stdout.readline(), "named\n")
        with applications.terminal(tools, desktop, "xterm", "-e"):
            done = subprocess.run([PERIGEE, "run", "--no-user-root", "-e", f"{script} {script}"], env=desktop.env, check=False,
                                  capture_output=True, text=True)
        silent.kill()
    same((done.stdout, done.returncode), ("timeout\ntimeout\n", 0), done.stderr)
    until(lambda: not bus_runs(desktop), "that nobody has the name")


def what_arrived_is_confirmed(tools, desktop):
    with fields(tools, desktop) as window:
        for name, text in (("plain", "Grüße, 世界 😀"), ("lines", "one\n\ttwo 😀\nthree")):
            for action in ("type", "paste"):
                result = window.enter(name, text=text, action=action)
                same((result["settled"], result["evidence"]), (True, READ))
                same((result.get("code"), result.get("seen")), (None, None))
        same(window.holds("lines"), "one\n\ttwo 😀\nthree" * 2)


def what_replaces_a_selection_is_confirmed(tools, desktop):
    with fields(tools, desktop) as window:
        window.enter("plain", text="the first text")
        tools("create_input", action="keys", keys="ctrl+a")
        result = tools("create_input", action="type", text="the second")
        same((result["evidence"], window.holds("plain")), (READ, "the second"))


def what_differs_is_told(tools, desktop):
    """A field that takes five characters, and one that changes them, were confirmed by an answered ping."""
    with fields(tools, desktop) as window:
        for name in ("cut", "upper"):
            for action in ("type", "paste"):
                result = window.enter(name, text="hello world", action=action)
                same((result["settled"], result.get("code")), (False, "TEXT_DIFFERS"), f"{name}, {action}")
                same(result["seen"], window.holds(name))
                has(result["evidence"], "do not enter it again")
                tools("create_input", action="keys", keys="ctrl+a")
                tools("create_input", action="keys", keys="Delete")


def a_field_that_takes_none_is_told(tools, desktop):
    """Text for a read-only field was confirmed by an answered ping."""
    with fields(tools, desktop) as window:
        result = window.enter("fixed", text="hello")
        same((result["settled"], window.holds("fixed")), (False, "fixed"))
        has(result["evidence"], "the focused field is read-only")


def what_was_added_to_a_text_is_told(tools, desktop):
    """It was confirmed where the text was there and more behind it: a completion, a closing bracket."""
    with fields(tools, desktop) as window:
        for name, text, held in (("completed", "hello", "hello world"), ("brackets", "(", "()")):
            result = window.enter(name, text=text)
            until(lambda: window.holds(name) == held, "the rest")
            same((result["settled"], result.get("code"), result.get("seen")), (False, "TEXT_DIFFERS", held), name)


def what_was_changed_before_a_text_is_told(tools, desktop):
    """It was confirmed where a correction changed what was typed before."""
    with fields(tools, desktop) as window:
        same(window.enter("brackets", text="teh")["settled"], True)
        result = tools("create_input", action="type", text=" end")
        same((window.holds("brackets"), result["settled"]), ("the end", False))
        has(result.get("seen", ""), "the end")


def what_is_not_told_in_time_is_unknown(tools, desktop):
    """A field that cuts its text was confirmed by an answered ping when the reading took too long."""
    with fields(tools, desktop) as window:
        window.enter("cut", text="a")
        address = ask_bus(desktop, "--session", "org.a11y.Bus", "/org/a11y/bus", "GetAddress")
        daemon = int(ask_bus(desktop, f"--bus={address}", "org.freedesktop.DBus", "/", "GetConnectionUnixProcessID",
                             "string:org.freedesktop.DBus"))
        for action in ("type", "paste"):
            os.kill(daemon, signal.SIGSTOP)
            try:
                result = tools("create_input", action=action, text="hello world")
            finally:
                os.kill(daemon, signal.SIGCONT)
            same((result["settled"], result.get("code")), (False, None), action)
            has(result["evidence"], "did not tell in time")
        until(lambda: window.holds("cut") == "ahell", "the text")


def password_is_not_read(tools, desktop):
    with fields(tools, desktop) as window:
        result = window.enter("password", text="secret")
        same((window.holds("password"), result.get("code"), result.get("seen")), ("sec", None, None))
        result = window.enter("cut", text="hello world", secret=True)
        same((window.holds("cut"), result.get("code"), result.get("seen")), ("hello", None, None))


def keys_before_a_text_are_no_difference(tools, desktop):
    """They may move the caret after it was looked at."""
    with fields(tools, desktop) as window:
        for n in range(10):
            result = window.enter("lines", text=f"some text {n}")
            tools("create_input", action="keys", keys="Home")
            result = tools("create_input", action="type", text=f"{n} before ")
            same((result["settled"], result.get("code")), (True, None))


def keys_in_a_text_are_no_difference(tools, desktop):
    """Return in a field of one line is a key that sends it off, not a character."""
    with fields(tools, desktop) as window:
        result = window.enter("plain", text="sent\n")
        same((window.holds("plain"), result["settled"], result.get("code")), ("xsent", True, None))


def text_that_goes_on_elsewhere_is_unknown(tools, desktop):
    """Tab leaves the field: of what was typed into the next one nothing is known."""
    with fields(tools, desktop) as window:
        same(window.enter("plain", text="one\t")["settled"], True)
        result = window.enter("plain", text="two\tsix")
        same((window.holds("plain"), result["settled"], result.get("code")), ("xonetwo", False, None))
        has(result["evidence"], "not all could be read back")


def typed_anew(tools, is_empty, text, arrives):
    """Types into an empty document until the text was compared: a busy machine leaves Writer too little time. Text that
    arrives is never called different, and text that does not is never confirmed."""
    def told():
        for chord in ("ctrl+a", "Delete"):
            tools("create_input", action="keys", keys=chord)
        until(is_empty, "an empty document")     # Writer does what these ask behind the keys that follow
        result = tools("create_input", action="type", text=text)
        return result if "code" in result or is_read(result) else None

    def is_read(result):
        return result["settled"] and result["evidence"] == READ
    try:
        result = until(told, "a text of Writer that was compared")
    except Failure as why:
        return give_up(why, 4)      # it needs more of a processor than a window of fields
    same((is_read(result), "code" in result), (arrives, not arrives), result)
    return result


def lines_of_paragraphs_are_read_back(tools, desktop):
    """LibreOffice has an object for each: the one that had the focus at first was not asked, and what autocorrection made of
    its line was confirmed."""
    with subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], env=desktop.env) as bus:
        try:
            until(lambda: bus_runs(desktop), "the accessibility bus")
            with applications.writer(tools, desktop), contextlib.closing(Tools(desktop.env)) as witness:
                app = applications.window_of(tools, "Writer")["name"].rpartition("/windows/")[0]

                def is_empty():
                    lines = witness("find_elements", application=app, role="paragraph")["elements"]
                    return len(lines) == 1 and not lines[0].get("value")

                result = typed_anew(tools, is_empty, "One\n\nTwo", True)
                same((result["settled"], result["evidence"]), (True, READ))
                result = typed_anew(tools, is_empty, "a\nb", False)
                same((result["settled"], result.get("code"), result.get("seen")), (False, "TEXT_DIFFERS", "A"))
        finally:
            bus.terminate()


QT = """
import sys
from PyQt5.QtWidgets import QApplication, QLineEdit
application = QApplication([])
field = QLineEdit()
field.setWindowTitle("a field of Qt")
field.textChanged.connect(lambda text: open(sys.argv[1], "w").write(text))
field.resize(400, 60)
field.show()
application.exec_()
"""


def text_of_qt_is_read_back(tools, desktop):
    """Qt counts UTF-16 units, of which a character above U+FFFF has two."""
    if subprocess.run(["/usr/bin/python3", "-c", "import PyQt5.QtWidgets"], check=False, capture_output=True).returncode:
        raise Skip("python3-pyqt5 is not installed")
    path = desktop.folder / "qt.txt"
    with subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], env=desktop.env) as bus:
        try:
            until(lambda: bus_runs(desktop), "the accessibility bus")
            with applications.program(desktop, "/usr/bin/python3", "-c", QT, str(path), QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1"):
                applications.window_of(tools, "a field of Qt")
                plain = tools.tools
                until(lambda: plain("create_input", action="type", text="x")["evidence"] == READ, "an application that tells")
                for chord in ("ctrl+a", "Delete"):
                    tools("create_input", action="keys", keys=chord)
                held = ""
                for action, text in (("paste", "a 😀 b"), ("type", "cé"), ("type", "世"), ("paste", "😀😀")):
                    result = tools("create_input", action=action, text=text)
                    held += text
                    same((result["settled"], result["evidence"]), (True, READ), f"{action} {text}")
                    until(lambda: path.read_text(encoding="utf-8") == held, "the text")
        finally:
            bus.terminate()


def it_is_quick(tools, desktop):
    """Within its budget, and much less once the field is known."""
    with fields(tools, desktop) as window:
        window.enter("plain", text="x")
        quickest(0.2, lambda: same(tools("create_input", action="type", text="x")["settled"], True), tries=20)


def a_change_that_is_announced_ends_the_wait(tools, desktop):
    """A text that comes late was found by the last look alone, had TextChanged not been heard. A busy machine may take longer."""
    with fields(tools, desktop) as window:
        took = []
        window.enter("late", text="x")
        for _ in range(20):
            began = time.monotonic()
            result = tools("create_input", action="type", text="x")
            took.append(time.monotonic() - began)
            same((result["settled"], result["evidence"]), (True, READ))
            if took[-1] < LAST_LOOK:
                break
        same(window.holds("late"), "x" * (len(took) + 1))
        assert min(took) < LAST_LOOK, f"{min(took) * 1000:.0f} ms at best: the wait was not ended by the event"


def what_changes_between_two_texts_is_looked_at_again(tools, desktop):
    """The next text is compared with how the last one left the field, unless that has changed."""
    with fields(tools, desktop) as window:
        for first, second in (("lines", "upper"), ("cut", "plain")):
            window.enter(first, text="a")
            same(tools("create_input", action="type", text="b")["evidence"], READ)
            xdotool(desktop, "key", "Tab" if first == "cut" else "ctrl+Home")   # not ours: nobody tells the tool
        result = tools("create_input", action="type", text="c")
        same((result["settled"], result.get("code")), (True, None), "in the next field")
        same((window.holds("lines"), window.holds("cut")), ("ab", "ab"))


def what_is_selected_between_two_texts_is_replaced(tools, desktop):
    with fields(tools, desktop) as window:
        window.enter("plain", text="a")
        for text in ("one", "two"):
            tools("create_input", action="keys", keys="ctrl+a")
            same(tools("create_input", action="type", text=text)["evidence"], READ)
        same(window.holds("plain"), "two")


def another_window_between_two_texts_is_noticed(tools, desktop):
    """A terminal has nothing to read back, and its answer does not hold for the window that gets the next text."""
    with applications.terminal(tools, desktop, "xterm", "-e") as arrived, fields(tools, desktop) as window:
        names = [item["name"] for item in tools("list_windows")["windows"]]
        terminal = next(name for name in names if name != window.window["name"])
        for n in range(3):
            for name, said in ((terminal, "has not confirmed it"), (window.window["name"], "was read back")):
                tools("focus_window", name=name)
                for _ in range(2):
                    has(tools("create_input", action="type", text=str(n))["evidence"], said)
        until(lambda: arrived() == "001122", "the text")
        same(window.holds("plain"), "x001122")


def text_beside_a_list_of_suggestions(tools, desktop):
    """It arrives, and is confirmed; what took the place of as much that was the same proves nothing."""
    with fields(tools, desktop) as window, bare_client(tools, desktop) as client:
        client.window("suggestions", at=(900, 500, 80, 60), popup=True, kind="COMBO", owner=int(window.window["name"].split("/")[1]))
        result = window.enter("plain", text="yz")
        same((result["settled"], result["evidence"], result.get("held_by")), (True, READ, None))
        tools("create_input", action="keys", keys="ctrl+a")
        result = tools("create_input", action="type", text="xyz")
        same((result["settled"], window.holds("plain")), (False, "xyz"))
        result = window.enter("cut", text="hello world")
        same((result["settled"], result.get("code")), (False, None))
        has(result["evidence"], "a menu of Bare is open and takes the keys")


def xdotool(desktop, *words):
    subprocess.run(["xdotool", *words], env=desktop.env, check=True)


CASES = [
    ("no accessibility bus is started", no_bus_is_started),
    ("an accessibility bus that answers nothing costs only time", a_bus_that_answers_nothing_costs_only_time),
    ("text that arrived is confirmed", compared(what_arrived_is_confirmed)),
    ("text that replaces a selection is confirmed", compared(what_replaces_a_selection_is_confirmed)),
    ("text that differs is told", compared(what_differs_is_told)),
    ("a field that takes no text is told", compared(a_field_that_takes_none_is_told)),
    ("an addition to a text is told", compared(what_was_added_to_a_text_is_told)),
    ("a change before a text is told", compared(what_was_changed_before_a_text_is_told)),
    ("text that is not told in time is unknown", what_is_not_told_in_time_is_unknown),
    ("a password is not read", compared(password_is_not_read)),
    ("keys before a text are not a difference", compared(keys_before_a_text_are_no_difference)),
    ("keys in a text are not a difference", compared(keys_in_a_text_are_no_difference)),
    ("text that goes on in another field is unknown", compared(text_that_goes_on_elsewhere_is_unknown)),
    ("lines that are paragraphs of their own are read back", lines_of_paragraphs_are_read_back),
    ("text of Qt is read back", compared(text_of_qt_is_read_back)),
    ("an announced change ends the wait, not the last look", compared(a_change_that_is_announced_ends_the_wait)),
    ("a field that changes between two texts is looked at again", compared(what_changes_between_two_texts_is_looked_at_again)),
    ("a selection between two texts is replaced", compared(what_is_selected_between_two_texts_is_replaced)),
    ("another window between two texts is noticed", another_window_between_two_texts_is_noticed),
    ("text beside an open list of suggestions is confirmed if it is read back", compared(text_beside_a_list_of_suggestions)),
    ("reading back is quick", compared(it_is_quick)),
]

if __name__ == "__main__":
    run(CASES, NEEDED)
