#!/usr/bin/env python3
"""Pages that are busy when they are told to do something: what they do late is told as done, and was done once, in both browsers."""

import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import pages_late                           # noqa: E402
from lab import page                        # noqa: E402
from tap import Skip                        # noqa: E402
from tools import Failure, run, same, until     # noqa: E402

FORM = """<form onsubmit="event.preventDefault()">
<input aria-label="Text" name="text">
<input aria-label="Upper" name="upper" onchange="this.value = this.value.toUpperCase()">
<textarea aria-label="Area" name="area"></textarea>
<input type="number" aria-label="Count" name="count">
<input type="checkbox" aria-label="Mark" name="mark">
<select aria-label="Size" name="size"><option>S<option>M<option>L</select><button>Ready</button></form>
<textarea aria-label="Slow to paste" id="slow" onkeydown="if (event.key == 'v' && event.ctrlKey) busy()"></textarea>
<textarea aria-label="Takes none" onkeydown="if (event.key == 'v' && event.ctrlKey) event.preventDefault()"></textarea>
<script>
let pastes = 0;
slow.onpaste = () => { pastes++; setTimeout(tell) };
function busy() { for (const since = Date.now(); Date.now() < since + 2500;); }
function tell() {
  const held = Object.fromEntries([...document.forms[0].elements].filter(e => e.name).map(e => [e.name, e.type == "checkbox" ? e.checked : e.value]));
  document.title = "page " + JSON.stringify({ ...held, slow: slow.value, pastes });
}
for (const kind of ["input", "change"]) document.addEventListener(kind, () => setTimeout(tell));
tell();
</script>"""
TURNS = 12


def held(title):
    """The values that the page tells."""
    text = title().removeprefix("page ")
    return json.loads(text[:text.rindex("}") + 1]) if text.startswith("{") else {}


def in_page(browser, act):
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip(f"{browser} is not installed (vendor/install wide)")
        with page(tools, desktop, browser, FORM) as (app, title):
            act(tools, browser, app, title)
    return case


def write(tools, app, element, value):
    return tools("write_element_value", application=app, element=element, value=value)


def pasted_late(tools, browser, app, title):
    result = write(tools, app, 'entry "Slow to paste"', "x\ny")
    same((result["effect"], result["route"]), ("confirmed", "paste"), result)
    until(lambda: held(title).get("slow") == "x\ny", "the text in the page")
    same(held(title)["pastes"], 1)
    if browser == "firefox":
        tools.fails("PASTE_UNKNOWN", "write_element_value", application=app, element='entry "Takes none"', value="x\ny")
    else:       # it reads the text before it asks the page
        same(write(tools, app, 'entry "Takes none"', "x\ny")["effect"], "none_seen")
    same(tools("get_element", application=app, element='entry "Takes none"').get("value", ""), "")


def halted(tools, browser, app, title):
    """Each answer is what the page holds, though the page's process is stopped again and again."""
    wrong = []
    with pages_late.halting(browser, app):
        for turn in range(TURNS):
            for element, name, value, wanted in (
                    ("entry", "text", f"text {turn}", ("confirmed", f"text {turn}")), ("entry", "upper", f"abc {turn}", ("partial", f"ABC {turn}")),
                    ("entry", "area", f"a\tb\n{turn}", ("confirmed", f"a\tb\n{turn}")), ("spin", "count", str(turn + 1), ("confirmed", str(turn + 1))),
                    ("checkbox", "mark", "false" if turn % 2 else "true", ("confirmed", turn % 2 == 0)),
                    ("combobox", "size", "MSL"[turn % 3], ("confirmed", "MSL"[turn % 3]))):
                result = tools.result("write_element_value", application=app, element=f'{element} "{name.capitalize()}"', value=value)
                effect = result.get("structuredContent", {}).get("effect")
                try:
                    until(lambda name=name, wanted=wanted: held(title).get(name) == wanted[1], "the value in the page")
                    came = True
                except Failure:
                    came = False
                if effect != wanted[0] or not came:
                    wrong.append((name, value, held(title).get(name), result["content"][0]["text"]))
    if wrong:
        raise Failure("\n".join(map(str, wrong)))


run([(f"{what} ({browser.capitalize()})", in_page(browser, act))
     for browser in ("chromium", "firefox")
     for what, act in (("text that is pasted late", pasted_late), ("a form that is stopped again and again", halted))],
    ("Xvfb", "openbox", "dbus-daemon"))
