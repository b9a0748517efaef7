#!/usr/bin/env python3
"""The entries of pages that are not text, of every kind and in languages with other orders: what is written is what the page gets, or
the result says that it is not."""

import contextlib
import itertools
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import pages_late                           # noqa: E402
from lab import page                        # noqa: E402
from tap import Skip                        # noqa: E402
from tools import Failure, has, run, same, until     # noqa: E402

LANGUAGES = ("", "de", "vi", "hu", "ar-EG")    # month, day or year first, the time first, other digits
AWARE = "--enable-blink-features=LangAttributeAwareFormControlUI"

#: The values of each kind, each written into an empty entry and over the one before. 0 and 12 differ by the half of the day.
KINDS = {
    "date": ("2026-02-03", "2024-02-29", "2026-12-31", "1999-01-01"),
    "time": ("13:45", "00:00", "12:00", "00:30", "23:59"),
    "time step=1": ("13:45:07", "00:00:00"),
    "datetime-local": ("2026-02-03T13:45", "2026-11-12T00:00", "2026-12-11T12:05"),
    "month": ("2026-02", "2025-12"),
    "week": ("2026-W07", "2026-W53"),
    "number": ("0", "7", "-3", "2000000"),
    "number max=10": ("-5", "10"),
    "number step=0.5": ("12.5",),
    "range": ("30", "0"),
    "date min=2026-07-01 max=2026-07-31": ("2026-07-09", "2026-07-31"),
    "date min=2026-01-01 max=2026-12-31 value=2031-02-03": ("2026-02-03",),
}
ROLES = {"number": "spin", "range": "slider"}

#: What is refused or told as something else: the attributes, the value, and words of the answer.
WRONG = (
    ("date", "2026-02-30", "such as 2026-02-03"),
    ("date", "02/03/2026", "such as 2026-02-03"),
    ("date", "13:45", "such as 2026-02-03"),
    ("time", "13:45:10", "such as 13:45"),
    ("datetime-local", "2026-02-03", "such as 2026-02-03T13:45"),
    ("date disabled", "2026-02-03", "is off"),
    ("date onblur=\"this.value='2020-01-01'\"", "2026-02-03", 'it holds something else: "2020-01-01"'),
    ("range step=10", "33", 'it holds something else: "30"'),
)


def form(language, kinds):
    fields = "".join(f"<div><label>No {i}! <input type={kind}></label></div>" for i, kind in enumerate(kinds))
    return f"""<button>Ready</button><form lang="{language}">{fields}</form><script>
const f = document.forms[0];
function show() {{ document.title = "page " + [...f.elements].map(e => e.value).join("|") }}
f.addEventListener("input", show); f.addEventListener("change", show); f.addEventListener("focusout", show); show();
</script>"""


class Form:
    def __init__(self, tools, browser, app, title, kinds):
        self.tools, self.browser, self.app, self.title, self.kinds = tools, browser, app, title, kinds

    def values(self):
        """Those of all entries, once the title has them: it is read while it changes."""
        def told():
            held = self.title().removeprefix("page ").split(" — ")[0].split("|")
            return held if len(held) == len(self.kinds) else None
        return until(told, "a title with all values")

    def comes_to_hold(self, number, value):
        """The title tells of a value a moment after the value itself."""
        with contextlib.suppress(Failure):
            until(lambda: is_so(value, self.values()[number]), "the value in the page")
        return is_so(value, self.values()[number])

    def write(self, number, value):
        kind = self.kinds[number].split()[0]
        role = ROLES.get(kind, "group" if self.browser == "firefox" and kind == "time" else "entry")
        return self.tools.result("write_element_value", application=self.app, element=f'{role} "No {number}!"', value=value)


def shown(tools, desktop, browser, language, kinds, *more):
    html = form(language, kinds)
    return page(tools, desktop, browser, html, *more)


def is_so(wanted, held):
    return wanted == held or wanted.endswith(":00:00") and wanted.removesuffix(":00") == held     # as HTML says it


def written(browser, language):
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip(f"{browser} is not installed (vendor/install wide)")
        kinds = tuple(KINDS)
        with shown(tools, desktop, browser, language, kinds, *(AWARE,) * (language != "")) as (app, title):
            it = Form(tools, browser, app, title, kinds)
            wrong = []
            for number, value in itertools.chain.from_iterable(((i, v) for v in KINDS[kind]) for i, kind in enumerate(kinds)):
                result = it.write(number, value)
                effect = result.get("structuredContent", {}).get("effect")
                if effect != "confirmed" or not it.comes_to_hold(number, value):
                    wrong.append((kinds[number], value, it.values()[number], result["content"][0]["text"]))
            if wrong:
                raise Failure("\n".join(map(str, wrong)))
            same(it.write(0, "").get("structuredContent", {}).get("effect"), "confirmed")
            same(it.values()[0], "")
    return case


def late(browser):
    """A year went into the day: the request for the day's focus came after the browser had gone on to the year."""
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip(f"{browser} is not installed (vendor/install wide)")
        kinds = ("date", "datetime-local")
        with shown(tools, desktop, browser, "", kinds) as (app, title), pages_late.halting(browser, app):
            it = Form(tools, browser, app, title, kinds)
            for turn in range(12):
                for number, value in enumerate((f"20{26 + turn}-{1 + turn:02}-{3 + turn:02}", f"2026-11-{12 + turn}T1{turn % 10}:05")):
                    result = it.write(number, value)
                    same(result.get("structuredContent", {}).get("effect"), "confirmed", result["content"][0]["text"])
                    until(lambda: it.values()[number] == value, "the value in the page")
                    same(it.write(number, "").get("structuredContent", {}).get("effect"), "confirmed")
    return case


def refused(browser):
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip(f"{browser} is not installed (vendor/install wide)")
        kinds = tuple(kind for kind, *_ in WRONG)
        with shown(tools, desktop, browser, "", kinds) as (app, title):
            it = Form(tools, browser, app, title, kinds)
            for number, (kind, value, words) in enumerate(WRONG):
                result = it.write(number, value)
                has(result["content"][0]["text"], words)
                same(it.values()[number] == value, False, kind)
            text = tools.text("click_element", application=app, element='button "Ready"')
            until(lambda: "Ready" in text, "an answer after all of these")
    return case


run([(f"entries in {language or 'the default language'} ({browser})", written(browser, language))
     for browser, languages in (("chromium", LANGUAGES), ("firefox", ("",))) for language in languages]
    + [(f"values that are not taken ({browser})", refused(browser)) for browser in ("chromium", "firefox")]
    + [(f"a page that does late what was asked for ({browser})", late(browser)) for browser in ("chromium", "firefox")],
    ("Xvfb", "openbox", "dbus-daemon"))
