#!/usr/bin/env python3
"""A question as a dialog on a real desktop: a person answers it, and no tool can."""

import contextlib
import fcntl
import html
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import termios
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, Terminal, call, code_of, get, text_of    # noqa: E402
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

    def __init__(self, program, policy=ASK):
        self.stack = contextlib.ExitStack()
        self.desktop = self.stack.enter_context(Desktop())
        self.place = self.stack.enter_context(Place(policy))
        programs = self.desktop.folder / "programs"
        programs.mkdir()
        (programs / program).symlink_to(shutil.which(program))
        self.env = {**self.desktop.env, **self.place.env, "PERIGEE_DESKTOP": "x11", "PATH": str(programs)}

    def server(self, capabilities=None):
        server = Server(self.place.words("serve"), env=self.env)
        server.initialize("2025-11-25", capabilities or {}, "tester")
        return self.stack.enter_context(server)

    def dialogs(self):
        """The windows of dialogs that are shown."""
        done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Perigee( — KDialog)?$"], env=self.desktop.env,
                              capture_output=True, text=True, check=False)
        return done.stdout.split()

    def dialog(self):
        """The dialog's window, once it is shown."""
        return until(self.dialogs, "the dialog")[0]

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
    with Here(program) as here, here.server() as server:   # a user who was typing has not said yes
        thread, found = begin(server)
        here.press(here.dialog(), "Return")
        assert code_of(ended(thread, found)) == "denied" and here.place.trace() == []
    with Here(program) as here, here.server() as server:
        thread, found = begin(server, arguments={"note": "b"})
        here.press(here.dialog(), *YES[program])
        result = ended(thread, found)
        again = call(server, "mark", {"note": "c"})[0] if text_of(result) == "marked" else None
        assert text_of(result) == "marked" and here.place.trace()[0] == "b", (result, again)


HELD = "a question to the user is open on this display, so nothing was done"
GONE = ("click_element", "perform_element_action", "close_window", "quit_application")    # their subject ends with the dialog

BUSY = ("the display server is busy", "other work on the desktop used up the time limit")
MISSED = ("ELEMENT_NOT_FOUND", "NO_DIALOG", "WINDOW_NOT_FOUND", "APP_NOT_FOUND", "NO_TREE", "NO_ACCESSIBILITY")


class Tries:
    """Calls that would answer a question: keys, clicks, elements, and closing it; also a script's and a command's."""

    def __init__(self, here, server, other, program):
        script = "return tools.create_input{action='keys', keys='Return'}"
        self.other = other
        self.posted = [(each, name, each.post("tools/call", {"name": name, "arguments": arguments})) for each, name, arguments in (
            (other, "create_input", {"action": "keys", "keys": "Return"}), (other, "create_input", {"action": "keys", "keys": "Tab"}),
            (other, "create_input", {"action": "click", "x": 640, "y": 440}),
            (other, "create_input", {"action": "type", "text": "typed\n"}),
            (other, "click_element", {"element": 'button "Allow once"'}),
            (other, "perform_element_action", {"element": 'button "Allow once"', "action": "click"}),
            (other, "act", {"steps": [{"keys": "Return"}]}), (other, "handle_dialog", {"button": "Allow once"}),
            (other, "close_window", {"name": "Perigee"}), (other, "quit_application", {"name": program}),
            (server, "run_lua", {"code": script}))]
        words = [PERIGEE, "call", "create_input", "action=keys", "keys=Return", "--timeout", "5"]
        done = subprocess.run(words, env=here.env, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 3 and HELD in done.stderr, done

    def held(self):
        """Nothing of it was done yet: input waits or failed because a question is open, and elements fail otherwise only if
        there are none. Looking goes on."""
        listed = json.dumps(self.other.call("list_windows"))
        for server, name, number in self.posted:
            for message in server.early:
                if message.get("id") == number:
                    code = code_of(message["result"])
                    assert code == "HELD" and HELD in text_of(message["result"]) or code in MISSED and name != "create_input", \
                        (name, message)
        return listed

    def end(self):
        """What came of each after the question: it failed while that was open, or was done to what is there now."""
        for server, name, number in self.posted:
            result = server.answer(number, PATIENCE)["result"]
            code = code_of(result)
            assert code or name not in GONE, (name, result)
            assert not (result.get("isError") and not code), (name, result)
            if name == "create_input":
                assert code in (None, "HELD", "NO_FOCUS") or code == "TIMEOUT" and \
                    any(words in text_of(result) for words in BUSY), (name, result)


def no_tool_answers(program):
    """While it is up, neither this engine's tools nor another's act."""
    with Here(program) as here, here.server() as server, here.server() as other:
        thread, found = begin(server)
        window = here.dialog()
        tries = Tries(here, server, other, program)
        assert not found, "the dialog was answered"
        here.dialog()
        assert here.place.trace() == []
        assert "Perigee" in tries.held(), "looking goes on"
        here.press(window, "Escape")
        assert code_of(ended(thread, found)) == "denied"
        assert here.place.trace() == []
        tries.end()
        assert here.place.trace() == []


def no_tool_answers_a_page():
    """The same while a page is open: a terminal gets nothing, and what was held comes after the answer."""
    with Here("zenity") as here, here.server({"elicitation": {"url": {}}}) as server, here.server() as other, \
            contextlib.closing(Terminal(here.desktop)) as terminal:
        terminal.focus(other)
        waiting = server.post("tools/call", {"name": "mark", "arguments": {"note": "a"}})
        asked = server.find(lambda message: message.get("method") == "elicitation/create")
        url = asked["params"]["url"]
        moved = other.call("create_input", {"action": "move", "x": 5, "y": 5}, PATIENCE)["result"]
        assert not moved.get("isError"), f"a page that nobody opened holds the desktop: {moved}"
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
        status, page = get(url)
        assert status == 200 and "wants to use mark" in page, page
        tries = Tries(here, server, other, "zenity")
        tries.held()
        subprocess.run(["xdotool", "key", "x", "Return"], env=here.desktop.env, check=True)
        until(lambda: terminal.path.read_text(), "what another program types")
        assert terminal.path.read_text() == "x\n" and here.place.trace() == [], terminal.path.read_text()
        action, token = (re.search(each, page).group(1) for each in ('action="([^"]+)"', 'value="([0-9a-f]+)">Do not allow<'))
        assert get(f"{url[:url.index('/', 8)]}{action}?answer={token}")[0] == 200
        assert code_of(server.answer(waiting)["result"]) == "denied"
        tries.end()
        until(lambda: "typed\n" in terminal.path.read_text(), "what was held")
        assert here.place.trace() == []


def no_tool_answers_on_a_terminal():
    """The same while a question is on a terminal, which may be a window of the desktop."""
    with Here("xdotool") as here, here.server() as server, here.server() as other, \
            contextlib.closing(Terminal(here.desktop)) as terminal:
        terminal.focus(other)
        ours, theirs = pty.openpty()
        with subprocess.Popen(here.place.words("call", "mark", "note=a"), env=here.env, stdin=theirs, stdout=theirs, stderr=theirs,
                              start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) as asking:
            os.close(theirs)
            shown = b""
            while b"Your answer" not in shown:
                shown += os.read(ours, 4096)
            tries = Tries(here, server, other, "zenity")
            tries.held()
            assert terminal.path.read_text() == "" and here.place.trace() == [], terminal.path.read_text()
            os.write(ours, b"3\n")
            assert asking.wait(PATIENCE) != 0 and here.place.trace() == []
        os.close(ours)
        tries.end()
        until(lambda: "typed\n" in terminal.path.read_text(), "what was held")


OTHER_WAYS = {
    "starts": 'require("sys.process").run { "xdotool", "version" }', "keeps": 'require("sys.process").start { "xdotool", "version" }',
    "opens": 'require("sys.app").open("xdotool")', "requests": 'require("sys.http").request { url = "http://127.0.0.1:9/" }',
    "messages": 'require("sys.dbus").calls("session", { { to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", '
                'method = "GetId" } })',
    "connects": 'require("sys.mcp").connect { command = "xdotool", args = { "version" } }',
}


def no_code_answers(program):
    """Effects other than input, by which code of others could press a button of the dialog, wait as well."""
    with Here(program) as here:
        here.place.mount(do="return { description = 'x', inputSchema = { type = 'object' }, run = function() return 'did' end }")
        for name, code in OTHER_WAYS.items():
            here.place.put(f"home/tools/test/{name}.lua", "return { description = 'x', inputSchema = { type = 'object' }, run = function() "
                           f"local ok, err = {code} return ok and 'did' or tostring(err) end }}")
        (here.desktop.folder / "programs/xdotool").symlink_to(shutil.which("xdotool"))
        with here.server() as server, Server(here.place.words("serve", "--mount", "far"), env=here.env) as other:
            other.initialize("2025-11-25", {}, "other")
            here.place.wait_for_mounted(other, "far_do")
            thread, found = begin(server)
            window = here.dialog()
            posted = {other.post("tools/call", {"name": name, "arguments": {}}): name for name in (*OTHER_WAYS, "far_do")}
            for _ in range(3):
                other.call("list_windows")
            done = [posted[each["id"]] for each in other.early if each.get("id") in posted]
            assert done == [], f"done while the dialog was open: {done}"
            here.press(window, "Escape")
            assert code_of(ended(thread, found)) == "denied"
            for number in posted:
                other.answer(number)


def nobody_sits_there(program):
    """The process that shows it is killed: nobody said yes."""
    with Here(program) as here, here.server() as server:
        thread, found = begin(server)
        window = here.dialog()
        subprocess.run(["xdotool", "windowkill", window], env=here.desktop.env, check=True)
        assert code_of(ended(thread, found)) in ("denied", "not_approved")
        assert here.place.trace() == []


def all_is_shown(program):
    """Text that a program could take for markup or a line end hides nothing of the question."""
    note = "<!-- hidden --> C:\\new &amp; <b>bold</b>"
    with Here(program) as here, here.server() as server, here.server() as other:
        thread, found = begin(server, arguments={"note": note, "url": "https://example.com/" + "letters" * 300})
        window = here.dialog()
        if os.environ.get("PICTURES"):
            here.desktop.screenshot(pathlib.Path(os.environ["PICTURES"]) / f"{program}-markup.png", settle=0.5)
        shape = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], env=here.desktop.env, check=True,
                               capture_output=True, text=True).stdout
        assert int(re.search(r"WIDTH=(\d+)", shape).group(1)) < here.desktop.size[0], f"a long line is not whole: {shape}"
        def shows():
            read = other.text("get_ui_tree", {"application": program, "source": "ocr"})
            return all(part in read for part in ("hidden", "new", "amp", "<b>bold"))
        until(shows, "all of the question")
        here.press(window, "Escape")
        assert code_of(ended(thread, found)) == "denied"


EACH = 'return { rules = { { ask = "it leaves a trace", tool = "mark", per = "call" }, { allow = true } } }'


def said_by(program, env):
    """The words of the dialogs that are open: what the program was started with."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            mine = f"DISPLAY={env['DISPLAY']}".encode() in (folder / "environ").read_bytes().split(b"\0")
        except (OSError, UnicodeDecodeError):
            continue
        if words[0].endswith(program) and mine:
            found.append(html.unescape("\n".join(words)))
    return found


def one_at_a_time(program):
    """Each dialog says for whom it is. Others wait for it, and after three refusals none opens."""
    with Here(program, EACH) as here:
        del here.env["PERIGEE_REFUSALS"]
        with here.server() as server:
            posted = [server.post("tools/call", {"name": "mark", "arguments": {"note": f"number {i}"}}) for i in range(5)]
            seen = set()
            for _ in range(3):
                said = until(lambda: set(said_by(program, here.env)) - seen, "the next dialog")
                assert len(said) == 1 and 'The client "tester" wants to use mark.' in min(said), said
                seen |= said
                window = here.dialog()
                here.press(window, "Escape")
                until(lambda window=window: window not in here.dialogs(), "the dialog's end")    # the next one is another window
            texts = [text_of(server.answer(each, PATIENCE)["result"]) for each in posted]
            assert [("without asking" in text) for text in texts].count(True) == 2, texts
            assert not said_by(program, here.env) and here.place.trace() == []


def one_at_a_time_among_processes(program):
    """A click that is meant for one question could go to another process's, which comes up over it."""
    with Here(program, EACH) as here, here.server() as server, here.server() as other:
        first = server.post("tools/call", {"name": "mark", "arguments": {"note": "first"}})
        window = here.dialog()
        second = other.post("tools/call", {"name": "mark", "arguments": {"note": "second"}, "_meta": {"progressToken": 1}})
        other.notified("notifications/progress")        # it asks now
        for _ in range(20):
            assert here.dialogs() == [window], "two dialogs at once"
            time.sleep(0.1)
        here.press(window, "Escape")
        assert code_of(server.answer(first, PATIENCE)["result"]) == "denied"
        here.press(here.dialog(), "Escape")      # its window may have the same number: the first one's program has ended
        assert code_of(other.answer(second, PATIENCE)["result"]) == "denied" and here.place.trace() == []


def cancelled(program):
    """The dialog of a call that was cancelled goes, and with it the hold on the desktop."""
    with Here(program) as here, here.server() as server, here.server() as other:
        waiting = server.post("tools/call", {"name": "mark", "arguments": {}})
        here.dialog()
        server.notify("notifications/cancelled", {"requestId": waiting})
        until(lambda: not said_by(program, here.env), "its end")
        moved = other.call("create_input", {"action": "move", "x": 5, "y": 5}, PATIENCE)["result"]
        assert not moved.get("isError") and here.place.trace() == [], moved


def killed(program):
    """The dialog goes with its engine, and the next one can ask."""
    with Here(program) as here, here.server() as server, here.server() as other:
        server.post("tools/call", {"name": "mark", "arguments": {"note": "a"}})
        here.dialog()
        server.process.kill()
        until(lambda: not said_by(program, here.env), "its end")
        until(lambda: not here.dialogs(), "the end of its window")     # the display hears of the end later
        thread, found = begin(other, arguments={"note": "b"})
        here.press(here.dialog(), "Escape")
        assert code_of(ended(thread, found)) == "denied" and here.place.trace() == []


CASES = (("a person answers it", answered), ("no tool answers it", no_tool_answers),
         ("a dialog that is killed is not a yes", nobody_sits_there), ("it shows all of the question", all_is_shown),
         ("no code answers it", no_code_answers), ("one is open at a time", one_at_a_time),
         ("one is open at a time among processes", one_at_a_time_among_processes), ("it ends with its call", cancelled),
         ("it ends with its engine", killed))


def main():
    for program in YES:
        missing = [name for name in (*NEEDED, program) if not shutil.which(name)]
        for name, function in CASES:
            if missing:
                tap.skip(f"{name} ({program})", f"{' and '.join(missing)} not installed")
            else:
                tap.case(f"{name} ({program})", function, program)
    missing = [name for name in (*NEEDED, "xterm", "zenity") if not shutil.which(name)]
    if missing:
        tap.skip("no tool answers a page", f"{' and '.join(missing)} not installed")
    else:
        tap.case("no tool answers a page", no_tool_answers_a_page)
        tap.case("no tool answers a question on a terminal", no_tool_answers_on_a_terminal)
    tap.done()


main()
