#!/usr/bin/env python3
"""A question as a dialog on a real desktop: a person answers it, and no tool can."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, code_of, text_of       # noqa: E402
from desktop import Desktop                                   # noqa: E402
from tools import PATIENCE, until                             # noqa: E402
from server import Server                                     # noqa: E402
import tap                                                    # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", minutes = 5 }, { allow = true } } }'
NEEDED = ("Xvfb", "openbox", "xdotool")

# The keys for "Allow for 5 minutes" in each: it begins with the refusal.
YES = {"zenity": ("Tab", "Tab", "Return"), "kdialog": ("Down", "Down", "Return")}


class Here:
    """A desktop where `program` is the only one that can ask, and a server on it with the policy above."""

    def __init__(self, program):
        self.stack = contextlib.ExitStack()
        self.desktop = self.stack.enter_context(Desktop())
        self.place = self.stack.enter_context(Place(ASK))
        programs = self.desktop.folder / "programs"
        programs.mkdir()
        (programs / program).symlink_to(shutil.which(program))
        self.env = {**self.desktop.env, **self.place.env, "PERIGEE_DESKTOP": "x11", "PATH": str(programs)}

    def server(self):
        server = Server(self.place.words("serve"), env=self.env)
        server.initialize("2025-11-25", {}, "tester")
        return self.stack.enter_context(server)

    def dialog(self):
        """The dialog's window, once it is shown."""
        def find():
            done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Perigee( — KDialog)?$"], env=self.desktop.env,
                                  capture_output=True, text=True, check=False)
            return done.stdout.split()
        return until(find, "the dialog")[0]

    def press(self, window, *keys):
        def xdotool(*words):
            return subprocess.run(["xdotool", *words], env=self.desktop.env, check=True, capture_output=True, text=True).stdout
        xdotool("windowactivate", "--sync", window)
        until(lambda: xdotool("getwindowfocus").strip() == window, "the dialog's focus")
        xdotool("key", "--clearmodifiers", *keys)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()


def begin(server, name="mark", arguments=None):
    """The call, and what waits for its result on another thread."""
    found = []
    thread = threading.Thread(target=lambda: found.append(call(server, name, arguments)[0]))
    thread.start()
    return thread, found


def ended(thread, found):
    thread.join(PATIENCE)
    assert found, "the call did not end"
    return found[0]


def answered(program):
    """Escape is a no; an answer is what it says. The picture is kept where PICTURES says."""
    with Here(program) as here, here.server() as server:
        thread, found = begin(server, arguments={"note": "a"})
        window = here.dialog()
        if os.environ.get("PICTURES"):
            here.desktop.screenshot(pathlib.Path(os.environ["PICTURES"]) / f"{program}.png", settle=0.5)
        here.press(window, "Escape")
        result = ended(thread, found)
        assert code_of(result) == "denied" and here.place.trace() == [], result
    with Here(program) as here, here.server() as server:   # whoever was typing has not said yes
        thread, found = begin(server)
        here.press(here.dialog(), "Return")
        assert code_of(ended(thread, found)) == "denied" and here.place.trace() == []
    with Here(program) as here, here.server() as server:
        thread, found = begin(server, arguments={"note": "b"})
        here.press(here.dialog(), *YES[program])
        result = ended(thread, found)
        again = call(server, "mark", {"note": "c"})[0] if text_of(result) == "marked" else None
        assert text_of(result) == "marked" and here.place.trace()[0] == "b", (result, again)


def no_tool_answers(program):
    """While it is up, neither this engine's tools nor another's act: by keys, clicks, elements, or closing it."""
    with Here(program) as here, here.server() as server, here.server() as other:
        thread, found = begin(server)
        window = here.dialog()
        tries = [("create_input", {"action": "keys", "keys": "Return"}), ("create_input", {"action": "keys", "keys": "Tab"}),
                 ("create_input", {"action": "click", "x": 640, "y": 440}),
                 ("click_element", {"element": 'button "Allow once"'}),
                 ("perform_element_action", {"element": 'button "Allow once"', "action": "click"}),
                 ("act", {"steps": [{"keys": "Return"}]}), ("handle_dialog", {"button": "Allow once"}),
                 ("close_window", {"name": "Perigee"}), ("quit_application", {"name": program})]
        waiting = [other.post("tools/call", {"name": name, "arguments": arguments}) for name, arguments in tries]
        waiting += [server.post("tools/call", {"name": "run_lua", "arguments": {
            "code": "return tools.create_input{action='keys', keys='Return'}"}})]
        commands = [subprocess.Popen([PERIGEE, "call", "create_input", "action=keys", "keys=Return", "--timeout", "5"], env=here.env,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)]
        assert commands[0].wait(PATIENCE) != 0
        assert not found, "the dialog was answered"
        here.dialog()
        assert here.place.trace() == []
        listed = other.call("list_windows")
        assert "Perigee" in json.dumps(listed), "looking goes on"
        here.press(window, "Escape")
        assert code_of(ended(thread, found)) == "denied"
        assert here.place.trace() == []
        assert len(waiting) == len(tries) + 1


def nobody_sits_there(program):
    """The process that shows it is killed: nobody said yes."""
    with Here(program) as here, here.server() as server:
        thread, found = begin(server)
        window = here.dialog()
        subprocess.run(["xdotool", "windowkill", window], env=here.desktop.env, check=True)
        assert code_of(ended(thread, found)) in ("denied", "not_approved")
        assert here.place.trace() == []


def all_is_shown(program):
    """What a program would take for markup or a line end hides nothing of the question."""
    note = "<!-- hidden --> C:\\new &amp; <b>bold</b>"
    with Here(program) as here, here.server() as server, here.server() as other:
        thread, found = begin(server, arguments={"note": note})
        window = here.dialog()
        if os.environ.get("PICTURES"):
            here.desktop.screenshot(pathlib.Path(os.environ["PICTURES"]) / f"{program}-markup.png", settle=0.5)
        read = until(lambda: other.text("get_ui_tree", {"application": program, "source": "ocr"}), "its text")
        here.press(window, "Escape")
        assert code_of(ended(thread, found)) == "denied"
        for part in ("hidden", "new", "amp", "<b>bold"):
            assert part in read, read


CASES = (("a person answers it", answered), ("no tool answers it", no_tool_answers),
         ("a dialog that is killed is no yes", nobody_sits_there), ("it shows all of the question", all_is_shown))


def main():
    for program in YES:
        missing = [name for name in (*NEEDED, program) if not shutil.which(name)]
        for name, function in CASES:
            if missing:
                tap.skip(f"{name} ({program})", f"{' and '.join(missing)} not installed")
            else:
                tap.case(f"{name} ({program})", function, program)
    tap.done()


main()
