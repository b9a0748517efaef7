"""Random keys and words for a line of a shell, and the lines that a real shell makes of them, on a terminal of its own."""

import os
import pty
import random
import select
import signal
import tempfile

WORDS = 4
CONSONANTS, VOWELS = "bdfgklmnprst", "aeiou"
ARROWS = {"left": "D", "right": "C", "home": "H", "end": "F", "up": "A", "down": "B"}
SIGNS = {"space": " ", "minus": "-", "period": ".", "slash": "/", "backslash": "\\", "bracketright": "]", "bracketleft": "[",
         "semicolon": ";", "comma": ",", "equal": "="}
BY_CTRL = {"2": "\0", "space": "\0", "3": "\x1b", "bracketleft": "\x1b", "4": "\x1c", "backslash": "\x1c", "5": "\x1d",
           "bracketright": "\x1d", "6": "\x1e", "7": "\x1f", "slash": "\x1f", "8": "\x7f", "i": "\t", "m": "\r", "h": "\x08"}
PLAIN = {"backspace": "\x7f", "delete": "\x1b[3~", "insert": "\x1b[2~", "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "tab": "\t",
         "escape": "\x1b", "return": "\r"}
MODIFIERS = ("", "shift+", "alt+", "ctrl+", "ctrl+alt+", "ctrl+shift+")

# Keys that end or stop the shell, and those that give the line to an editor.
LEFT_OUT = {"ctrl+d", "ctrl+shift+d", "ctrl+c", "ctrl+shift+c", "ctrl+z", "ctrl+shift+z", "ctrl+4", "ctrl+backslash", "ctrl+shift+v"}


def code_of(chord):
    """Returns what a terminal sends for keys; None: nothing that is known."""
    *held, key = chord.split("+")
    alt, ctrl, shift = "alt" in held, "ctrl" in held, "shift" in held
    if key in ARROWS:
        number = 1 + shift + 2 * alt + 4 * ctrl
        return f"\x1b[1;{number}{ARROWS[key]}" if number > 1 else f"\x1b[{ARROWS[key]}"
    if key in PLAIN:
        return ("\x1b" if alt else "") + PLAIN[key] if not ctrl and not shift else None
    if ctrl:
        sent = BY_CTRL.get(key) or (chr(ord(key) - 96) if len(key) == 1 and key.isalpha() else None)
    else:
        sent = SIGNS.get(key, key)
        sent = sent.upper() if shift else sent
    return sent and ("\x1b" if alt else "") + sent


def all_chords():
    keys = [*ARROWS, *PLAIN, *SIGNS, *"abcdefghijklmnopqrstuvwxyz0123456789"]
    chords = [modifier + key for key in keys for modifier in MODIFIERS]
    return [chord for chord in chords if code_of(chord) is not None and chord not in LEFT_OUT]


CHORDS = all_chords()


def word(dice):
    return "".join(dice.choice(CONSONANTS) + dice.choice(VOWELS) for _ in range(dice.choice((2, 3)))) + dice.choice(CONSONANTS)


def sequence(dice):
    """Steps: ("type", text) and ("keys", chord, count). The last one is Return."""
    words, steps = [word(dice) for _ in range(WORDS)], []
    for each in words:
        cut = dice.randrange(1, len(each)) if dice.random() < 0.2 else 0
        for text in filter(None, (each[:cut], dice.choice(("{} ", " {}", " {} ")).format(each[cut:]))):
            steps.append(("type", text))
            for _ in range(dice.choice((0, 1, 1, 2))):
                steps.append(("keys", dice.choice(CHORDS), 1 if dice.random() < 0.7 else dice.randint(2, 6)))
    return [*steps, ("keys", "return", 1)]


def bytes_of(step):
    return step[1] if step[0] == "type" else code_of(step[1]) * step[2]


def rows(line, steps):
    """Three plain words in a row of a line that ran. Shells that do not know a key put some of its code there: these do not count."""
    words, sent = line.split(), {char for step in steps for char in step[1].lower() if len(step[1]) == 1 or step[0] == "type"}

    def plain(text):
        return text.isalpha() and 2 < len(text) < 20 and set(text.lower()) <= sent
    return [" ".join(row) for row in (words[i:i + 3] for i in range(len(words) - 2)) if all(map(plain, row))]


class Bash:
    """A shell that runs nothing, and writes each line that it was to run into a file."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="perigee-bash-")
        self.log = os.path.join(self.folder, "log")
        rc = os.path.join(self.folder, "rc")
        with open(rc, "w", encoding="ascii") as file:
            file.write(f"PS1='$ '\nset +o histexpand\nstty -ixon\nPATH=/nowhere\nunset EDITOR VISUAL FCEDIT\n"
                       f"PROMPT_COMMAND='{{ fc -ln -1; printf \"\\\\0\"; }} >>{self.log}'\n")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", HISTFILE="", INPUTRC="/dev/null", PS1="$ ", HOME=self.folder)
            os.chdir(self.folder)
            os.execvp("bash", ["bash", "--noprofile", "--rcfile", rc, "-i"])
        self.read_until(b"$ ")

    def read_until(self, sign):
        seen = b""
        while sign not in seen:
            seen += os.read(self.terminal, 65536)

    def lines(self, steps):
        """Returns what it was to run, of these steps. It ends with a line of its own, which is asked for until it comes."""
        os.write(self.terminal, "".join(map(bytes_of, steps)).encode())
        for _ in range(1000):
            os.write(self.terminal, b"\x07\x07\r\x15\x0bexit\r")
            try:
                while select.select([self.terminal], [], [], 0.05)[0]:
                    os.read(self.terminal, 65536)
            except OSError:     # it has ended
                break
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return [line.strip().replace("\n", " ") for line in file.read().split("\0")]

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def wanted(seed, make=Bash, tries=1000):
    """Steps of which the shell makes a line with three words in a row, and these words."""
    dice = random.Random(seed)
    for _ in range(tries):
        steps = sequence(dice)
        with make() as shell:
            found = [row for line in shell.lines(steps) for row in rows(line, steps)]
        if found:
            return steps, found
    raise AssertionError(f"no line of seed {seed} has three words in a row")
