"""The effect of each kind of input in each application: one cell for an application and an action, some runs each.

A run is "exact" (the application holds, or has selected, just what was meant), "error" (the tool failed, with a code),
"unsure" (something else came of it, but `settled` is false), or "wrong": something else came of it, and the tool called
it confirmed; or of a click or a drag, that no tool confirms, something else is selected.

Of text that is entered it is also told how it went there: by keys or by a paste, as the tool's answer has it.

What an application holds it tells itself (a saved file, its title, what it writes); what is selected in it the X server
tells: PRIMARY. LibreOffice, which at times gives that up while its text is selected, copies it.
"""

import collections
import time

import tap
from tap import Failure

FIRST, SECOND = "Alphabetical words", "and another line"
LINES = f"{FIRST}\n{SECOND}"
APART = 1.1             # seconds after which a click begins a new double click: kitty looks back for a second
ARRIVE = 5.0            # seconds for what was sent to be seen


class Count(collections.Counter):
    """How often each word came, and the ways that text took."""

    def __init__(self):
        super().__init__()
        self.ways = set()


class Run:
    """One tool call, and what it led to."""

    def __init__(self, subject, **arguments):
        self.result = subject.tools.result("create_input", **arguments)
        self.text = self.result["content"][0]["text"]
        self.failed = self.result.get("isError", False)
        facts = {} if self.failed else self.result["structuredContent"]
        self.settled = facts.get("settled", False)
        self.way = {"xtest": "by keys", "paste": "pasted"}.get(facts.get("route", "").partition(" ")[0].strip(","))

    def word(self, look, wanted):
        """What became of it, and why where it is not exact."""
        if self.failed:
            return "error", f"{self.result['_meta']['perigee/code']}: {self.text}"
        got = arrives(look, wanted)
        if got == wanted:
            return "exact", ""
        return "wrong" if self.settled or self.settled is None else "unsure", f"{got!r}, wanted {wanted!r}: {self.text}"


def arrives(look, wanted):
    """Looks until it gets the wanted value or its time is over. Returns the last value."""
    limit = time.monotonic() + ARRIVE
    while (got := look()) != wanted and time.monotonic() < limit:
        time.sleep(0.02)
    return got


# --- text -----------------------------------------------------------------------------------

ANY = "Run {}: Привет 世界 😀 é{{}}~\nline {}, ąß\"'"
# has only characters that each application takes by keys, and nothing that LibreOffice corrects as it is typed
PLAIN = "Run {}: plain words a+b=c (1*2)/3 [x] {{y}} <z> @#$%&;!?\nLine {}, été, Привет ąß"


def entered(action, pattern):
    def cell(subject, n):
        subject.clear()
        text = pattern.format(n, n)
        run = Run(subject, action=action, text=text)
        return *run.word(subject.holds, subject.as_held(text)), run.way
    return cell


# --- the pointer ------------------------------------------------------------------------------

def unselect(subject):
    """Nothing is selected, and the next click begins anew."""
    subject.focus()
    time.sleep(APART)
    subject.unselect()


def selected(wanted, **arguments):
    def cell(subject, _):
        unselect(subject)
        x, y = subject.word
        at = {key: value(subject) if callable(value) else value for key, value in arguments.items()}
        run = Run(subject, **{"x": x, "y": y, **at})
        run.settled = None
        return *run.word(lambda: subject.selected().rstrip("\n"), wanted), None
    return cell


CELLS = {
    "type": entered("type", ANY),
    "type plain": entered("type", PLAIN),
    "paste": entered("paste", ANY),
    "double click": selected(FIRST.split()[0], action="double_click"),
    "triple click": selected(FIRST, action="triple_click"),
    "drag": selected(LINES, action="drag", x=lambda s: s.start[0], y=lambda s: s.start[1],
                     to_x=lambda s: s.end[0], to_y=lambda s: s.end[1]),
}


def run_cell(subject, action, times):
    """Counts the results of so many runs, and notes each that is not exact."""
    count = Count()
    if action in ("double click", "triple click", "drag"):
        subject.fill(LINES)
    for n in range(times):
        word, why, way = CELLS[action](subject, n)
        count[word] += 1
        count.ways |= {way} - {None}
        if why:
            tap.note(f"{subject.name}, {action}, run {n}: {word}: {why}")
    return count


def check(count):
    """Fails where something was called so that was not so, or too little arrived."""
    if count["wrong"]:
        raise Failure(f"{count['wrong']} of {count.total()} runs: not what was meant, and nothing said so")
    if count["unsure"]:
        raise Failure(f"{count['unsure']} of {count.total()} runs: something else arrived, unconfirmed")


def as_text(count):
    if not count:
        return "not run"
    parts = [" ".join([f"{count['exact']} of {count.total()}", " or ".join(sorted(count.ways))]).strip()]
    parts += [f"{count[word]} {word}" if word == "error" else f"**{count[word]} {word}**"
              for word in ("error", "unsure", "wrong") if count[word]]
    return ", ".join(parts)
