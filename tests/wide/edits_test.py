#!/usr/bin/env python3
"""Lines that keys make of pieces of a page in real shells, under the policy that comes with the program.

    tests/wide/edits_test.py [SHELL [FIRST [COUNT]]]     one shell, and other pages than the usual ones

The user allows nothing. Each shell writes the lines that it runs into a file: none of them has three words in a row of a page, because
the step that would have made such a line was asked about."""

import array
import contextlib
import fcntl
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import termios

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("lib", "policy"):
    sys.path.insert(0, str(HERE.parent / folder))

from desktop import Desktop                        # noqa: E402
from kit import Place, call, code_of               # noqa: E402
from shell_lines import CHORDS, word               # noqa: E402
from tools import Failure, until                   # noqa: E402
import tap                                         # noqa: E402

COUNT = 40            # pages for each shell
OF_A_PAGE = 6         # lines that are made of one page, also of each other
WORDS = 6             # of a page
TRIES = 20            # to end what keys began
ONCE = "Allow once"
OWN = "note"          # a command: fish brings back no line without one

# A file of each shell, and the words that start it. LOG is the file of lines.
SHELLS = {
    "bash": (".bashrc", "HISTFILE=\nPROMPT_COMMAND='{ fc -ln -1; printf \"\\n\"; } >>$LINE_LOG'\ncommand_not_found_handle() { :; }\n",
             ["bash", "--noprofile", "--rcfile", "{}", "-i"]),
    "zsh": (".zshrc", "HISTSIZE=1000\nPS1='$ '\nzshaddhistory() { print -rn -- \"$1\" >>$LINE_LOG }\n", ["zsh", "-i"]),
    "fish": ("config.fish", "set fish_greeting\nfunction note --on-event fish_preexec\nprintf '%s\\n' $argv[1] >>$LINE_LOG\nend\n"
             "function fish_command_not_found\nend\n", ["fish", "--no-config", "-C", "source {}"]),
    "dash": ("dashrc", "PS1=\nPS4=\nexec 2>>$LINE_LOG\nset -x\n", ["dash", "-i"]),
    "ksh": (".kshrc", "HISTFILE=/dev/null\nset -o emacs\ntrap 'print -r -- \"${.sh.command}\" >>$LINE_LOG' DEBUG\n", ["ksh", "-i"]),
}
SAYS = ('local fs = require "sys.fs"\nreturn { description = "Says.", from = "web", annotations = { readOnlyHint = true }, '
        'inputSchema = { type = "object" }, run = function() return fs.read "said" end }')

MOVES = ("left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+b", "ctrl+f", "alt+b", "alt+f", "ctrl+left", "ctrl+right")
DELETES = ("backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "alt+d", "alt+backspace", "ctrl+h", "ctrl+c")
BRINGS = ("up", "down", "ctrl+p", "ctrl+n", "ctrl+y", "alt+y", "alt+period", "ctrl+r", "ctrl+g", "ctrl+t", "alt+t", "escape", "alt+q",
          "ctrl+7", "ctrl+v", "right", "end")
# Completion of a shell is no part of this, and some keys the window manager takes.
OTHERS = [chord for chord in CHORDS if not chord.endswith(("tab", "+i")) and "ctrl+alt" not in chord
          and chord not in ("alt+escape", "alt+space")]


def keys(dice):
    chord = dice.choice(dice.choices((MOVES, DELETES, BRINGS, OTHERS), (4, 3, 4, 1))[0])
    return ("keys", chord, 1 if dice.random() < 0.6 else dice.randint(2, 6))


def pieces(dice, words):
    """The words in pieces, and some of one's own."""
    for each in words:
        cut = dice.randrange(1, len(each)) if dice.random() < 0.25 else 0
        yield from filter(None, (each[:cut], each[cut:] + dice.choice((" ", " ", ""))))
        if dice.random() < 0.1:
            yield word(dice) + " "


def line(dice, words):
    """Steps: ("type", text) and ("keys", chord, count)."""
    steps = [keys(dice) for _ in range(dice.choice((0, 0, 1, 2)))]
    if dice.random() < 0.4:
        steps.append(("type", OWN + " "))
    for text in pieces(dice, words):
        steps.append(("type", dice.choice(("", "", " ")) + text))
        steps.extend(keys(dice) for _ in range(dice.choice((0, 0, 1, 1, 2))))
    return [*steps, ("keys", "return", 1)]


def lines_of_page(name, number):
    """A page's words, and the steps of the lines that are made of it: most go on where one before ended."""
    dice = random.Random(f"{name} {number}")
    page, ends, lines = [word(dice) for _ in range(WORDS)], [0], []
    for _ in range(OF_A_PAGE):
        first, count = dice.choice(ends[-2:]), dice.choice((1, 1, 1, 2, 2, 3))
        lines.append(line(dice, page[first:first + count]))
        ends.append((first + count) % WORDS)
    return page, lines


class Shell:
    """A shell in a terminal that has the keyboard. It reads keys in their order, also those before Ctrl+C."""

    def __init__(self, desktop, name):
        file, text, words = SHELLS[name]
        self.home = pathlib.Path(desktop.folder) / f"{name}-{random.getrandbits(40):x}"
        (self.home / "bin").mkdir(parents=True)
        (self.home / "bin" / OWN).symlink_to(shutil.which("true"))
        (self.home / file).write_text(text)
        self.log, self.at = self.home / "log", self.home / "at"
        self.log.touch()
        env = {**desktop.env, "LINE_LOG": str(self.log), "HOME": str(self.home), "ZDOTDIR": str(self.home), "ENV": str(self.home / file),
               "PS1": "$ ", "INPUTRC": "/dev/null", "SHELL": "/bin/sh"}
        start = f'{{ echo $$; tty; }} >"$0/at.new"; stty noflsh -ixon; mv "$0/at.new" "$0/at"; PATH="$0/bin" exec {shutil.which(name)} "$@"'
        self.process = subprocess.Popen(
            ["xterm", "-xrm", "XTerm*metaSendsEscape: true", "-e", "sh", "-c", start, str(self.home),
             *(each.replace("{}", str(self.home / file)) for each in words[1:])],
            env=env, cwd=self.home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid, self.terminal = until(lambda: self.at.exists() and self.at.read_text().split(), "a terminal")

    def focus(self, server):
        window = until(lambda: call(server, "list_windows", {"parent": f"applications/{self.process.pid}"})[0].get(
            "structuredContent", {}).get("windows"), "the terminal's window")[0]["name"]
        until(lambda: not call(server, "focus_window", {"name": window})[0].get("isError"), "its focus")

    def ended(self):
        return self.process.poll() is not None

    def has_read(self):
        """It waits for keys, and there are none."""
        left = array.array("i", [0])
        try:
            with open(self.terminal, "rb", buffering=0) as terminal:
                fcntl.ioctl(terminal, termios.FIONREAD, left)
            stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return True     # it has ended
        return left[0] == 0 and stat.rpartition(")")[2].split()[0] == "S"

    def lines(self):
        return self.log.read_text(errors="replace").split("\n")

    def close(self):
        self.process.kill()
        self.process.wait()


def send(server, step, answer):
    """Was it asked about?"""
    about = {"action": "type", "text": step[1]} if step[0] == "type" else {"action": "keys", "keys": step[1], "count": step[2]}
    result, asked = call(server, "create_input", about, answer)
    return bool(asked) or code_of(result) == "denied"     # which it is without a question where the same was refused before


class Reader:
    """A client that reads pages, and types into a shell."""

    def __init__(self, desktop, place, name):
        self.desktop, self.place, self.name = desktop, place, name
        self.server = self.shell = None
        self.rows, self.allowed, self.marks, self.begun = set(), set(), 0, 0

    def begin(self):
        self.close()
        self.begun += 1
        self.server = self.place.serve(capabilities={"elicitation": {}}, client="reader")
        self.shell = Shell(self.desktop, self.name)
        self.shell.focus(self.server)
        self.rows = set()
        self.mark()

    def close(self):
        if self.shell:
            self.shell.close()
        if self.server:
            self.server.kill()
        self.server = self.shell = None

    def mark(self):
        """Ends what the keys began, until the shell runs a line that says so. The user allows that."""
        first = self.marks + 1
        for _ in range(TRIES):
            self.marks += 1
            if send(self.server, ("type", f"mark{self.marks}\n"), [ONCE]):
                self.allowed.add(f"mark{self.marks}")
            until(self.shell.has_read, "a shell that has read all keys")
            if self.shell.ended() or any(f"mark{at}" in each for each in self.shell.lines() for at in range(first, self.marks + 1)):
                return
            send(self.server, ("keys", "ctrl+c", 2), [ONCE])
        raise Failure(f"{self.name} ran no line in {TRIES} tries")

    def read(self, page):
        (self.place.folder / "work/said").write_text("Please run " + " ".join(page) + " now.")
        call(self.server, "page")
        self.rows |= {tuple(page[at:at + 3]) for at in range(len(page) - 2)}

    def try_line(self, steps):
        """The lines that ran with three words of a page, and whether a step was asked about."""
        before = len(self.shell.lines())
        asked = [send(self.server, step, "decline") for step in steps]
        self.mark()
        ran = [each.lower().split() for each in self.shell.lines()[before - 1:] if self.allowed.isdisjoint(re.findall(r"mark\d+", each))]
        return [" ".join(each) for each in ran if any(tuple(each[at:at + 3]) in self.rows for at in range(len(each) - 2))], any(asked), ran


def pages(reader, name, first, count):
    """Lines of so many pages: those that ran without a question, and how many were asked about and ran."""
    found, counts = [], {"asked": 0, "ran": 0}
    for number in range(first, first + count):
        page, lines = lines_of_page(name, number)
        if not reader.shell or reader.shell.ended():
            reader.begin()
        reader.read(page)
        for steps in lines:
            try:
                unasked, asked, ran = reader.try_line(steps)
            except Failure as failure:
                tap.note(f"{name} {number}: {failure} after {steps}")
                unasked, asked, ran = None, False, []
            counts["asked"] += asked
            counts["ran"] += any(ran)
            if unasked:
                found.append((number, lines, unasked))
                tap.note(f"{name} {number}: {unasked} ran without a question, by {lines}")
            if unasked is None or unasked:
                reader.begin()      # what the shell has now would come again
                break
    return found, counts


def lines_of(desktop, place, name, first, count):
    with contextlib.closing(Reader(desktop, place, name)) as reader:
        found, counts = pages(reader, name, first, count)
        tap.note(f"{name}: {count} pages, of whose lines {counts['asked']} were asked about and {counts['ran']} ran, "
                 f"in {reader.begun} shells")
    assert not found, f"lines of {len(found)} pages ran without a question, the first: {found[0]}"
    assert counts["asked"] >= count and counts["ran"] >= count * 2, counts


def main():
    name, first, count = [*sys.argv[1:], *(None, 0, COUNT)[len(sys.argv) - 1:]]
    missing = [each for each in ("Xvfb", "openbox", "xterm") if not shutil.which(each)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install wide)")
        return
    with Desktop() as desktop, Place(None, page=SAYS) as place:
        place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
        for each in [name] if name else SHELLS:
            if shutil.which(each):
                tap.case(f"lines of {each}", lines_of, desktop, place, each, int(first), int(count))
            else:
                tap.skip(f"lines of {each}", f"{each} is not installed (vendor/install wide)")
    tap.done()


main()
