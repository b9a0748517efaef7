#!/usr/bin/env python3
"""Values and options of forms: in GTK 3, and of pages in Chromium and Firefox."""

import contextlib
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications     # noqa: E402
import click_faults     # noqa: E402
from lab import lab                                     # noqa: E402
from tap import Skip                                    # noqa: E402
from tools import Tools, has, opened, run, same, until     # noqa: E402

PAGE = """<!doctype html><meta charset="utf-8"><title>starting</title><script>
const log = [];
function did(what) { log.push(what); document.title = "page " + log.join(","); }
</script><body onload="did('loaded')">
<form onsubmit="did('SENT'); return false"><input aria-label="Name"><button>Go</button></form>
<input aria-label="Upper" onchange="this.value = this.value.toUpperCase()">
<textarea aria-label="Area"></textarea><button onclick="did('DANGER')">Danger</button>
<input type="number" aria-label="Count" min="0" max="10000000">
<input type="date" aria-label="Arrival" onchange="document.title = 'page ' + this.value">
<input type="checkbox" aria-label="Mixed" id="mixed"><script>mixed.indeterminate = true</script>
<input type="checkbox" aria-label="Slow" onclick="busy()"><input type="number" aria-label="Slow count" oninput="busy()">
<input aria-label="Slow to leave" onkeydown="if (event.key == 'Tab') busy()" onchange="this.value = this.value.toUpperCase()"><script>
function busy() { for (const since = Date.now(); Date.now() < since + 600;); }
</script>
<select aria-label="Size" onchange="did(this.value)"><option>S<option>M<option disabled>L<option>XL</select>
<div role="tablist"><div role="tab" aria-selected="true">First</div>
<div role="tab" aria-selected="false" onclick="did('tab')">Second</div></div>
<select aria-label="Box" size="3" onchange="did(this.value)"><option>b1<option>b2<option>b3<option>b4<option>b5</select>
<button onclick="did('BELOW')">Below</button>
<select aria-label="Long" id="long" onchange="did(this.value)"></select><script>
for (let i = 0; i < 80; i++) long.add(new Option("n" + i));
</script>
<select aria-label="Grouped"><optgroup label="A"><option>g1</optgroup><optgroup label="B"><option selected>g2</optgroup></select>
<div id="texts"></div><script>
function add(kind, text) { const e = document.createElement(kind); e.textContent = text; texts.append(e); }
add("button", "Accept " + "all of this ".repeat(60) + "now");
add("p", "Start " + "words ".repeat(2000) + "the very end");
add("h4", "Begin " + "words ".repeat(500) + "the tail");
</script>"""


@contextlib.contextmanager
def form(tools, desktop):
    path = desktop.folder / "form.json"
    with applications.program(desktop, "/usr/bin/python3", str(applications.HERE / "form_window.py"), "a form", str(path)):
        window = applications.window_of(tools, "a form")["name"]
        until(lambda: not tools.result("get_ui_tree", window=window, source="tree").get("isError"), "the elements")
        yield window, lambda: applications.read_json(path)
    path.unlink()


def write(tools, window, element, value):
    result = tools("write_element_value", window=window, element=element, value=value)
    return result["effect"], result["route"]


def numbers(tools, desktop):
    """Those of seven digits were called something else, and equal ones were typed once more, which took the focus."""
    with form(tools, desktop) as (window, holds):
        same(write(tools, window, "spin", "2000000"), ("confirmed", "number, then tab"))
        same(write(tools, window, "spin", "2000000"), ("confirmed", "nothing to do"))
        same(holds()["count"], 2000000)


def mixed_boxes(tools, desktop):
    """false was nothing to do, and true confirmed of one that stays mixed."""
    with form(tools, desktop) as (window, holds):
        same(write(tools, window, 'checkbox "Kept"', "true")[0], "partial")
        same(write(tools, window, 'checkbox "Cleared"', "false")[0], "confirmed")
        same(holds()["cleared"], False)


def hidden_characters(tools, desktop):
    """The text that is read has none, so a field that held exactly the value was called partial."""
    value = "a\u202eb\u2028c\x01d"
    with form(tools, desktop) as (window, holds):
        result = tools("write_element_value", window=window, element='entry "Entry"', value=value)
        same((result["effect"], holds()["entry"]), ("confirmed", value), result)
        has(result["evidence"], "3 characters that are not shown")
        tools.fails("INVALID_ARGUMENT", "write_element_value", window=window, element='entry "Entry"', value="a\nb")
        same(holds()["entry"], value)


def several_options(tools, desktop):
    """One more in a list that keeps several was clicked twice, and called not seen."""
    with form(tools, desktop) as (window, holds):
        result = tools("select_option", window=window, element='list "Colors"', option="Blue")
        same((result["effect"], result["value"], holds()["colors"]), ("confirmed", "Blue", ["Green", "Blue"]), result)
        has(result["evidence"], 'also chosen: "Green"')
        has(tools.fails("ELEMENT_AMBIGUOUS", "select_option", window=window, element='list "Colors"', option="Gray"), "2 options")


def an_option_that_is_off(tools, desktop):
    """The list stayed open."""
    with form(tools, desktop) as (window, holds):
        tools.fails("ELEMENT_DISABLED", "select_option", window=window, element="combobox", option="L")
        same((holds()["chosen"], len(popups(tools))), ([], 0))
        same(tools("select_option", window=window, element="combobox", option="XL")["effect"], "confirmed")
        same(holds()["chosen"], ["XL"])


def popups(tools):
    return [w for w in tools("list_windows", all_kinds=True)["windows"] if w["kind"] == "popup"]


@contextlib.contextmanager
def page(tools, desktop, browser):
    path, profile = desktop.folder / "values.html", desktop.folder / f"profile of {browser}"
    path.write_text(PAGE, encoding="utf-8")
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text(applications.FIREFOX, encoding="utf-8")
    options = {"chromium": ["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", f"--user-data-dir={profile}",
                            f"--app=file://{path}"],
               "firefox-esr": ["--no-remote", "--profile", str(profile), f"file://{path}"]}
    with opened(tools, shutil.which(browser), arguments=options[browser]) as app:
        until(lambda: tools("find_elements", application=app, selector='button "Danger"')["total_size"], "the page")
        yield app


def title(tools, app):
    found = [w["title"] for w in tools("list_windows", parent=app)["windows"] if w["title"].startswith("page ")]
    return found[0].split()[1] if found else None


def in_page(tools, app, element, value):
    result = tools("write_element_value", application=app, element=element, value=value)
    return result["effect"], result["route"]


def text_of_lines(tools, app):
    """Typed, the line end sent the form, and the tab left the field: the next Return pressed a button."""
    tools.fails("INVALID_ARGUMENT", "write_element_value", application=app, element='entry "Name"', value="a\nb")
    same(in_page(tools, app, '"Area"', "x\ty\nz"), ("confirmed", "paste"))
    for element, value, effect in (('spin "Count"', "2000000", "confirmed"), ('checkbox "Mixed"', "false", "confirmed"),
                                   ('entry "Upper"', "abc", "partial")):     # the page changes it when it is left
        result = tools("write_element_value", application=app, element=element, value=value)
        same(result["effect"], effect, f"{element}: {result}")
    same(in_page(tools, app, 'spin "Count"', "2000000"), ("confirmed", "nothing to do"))
    same(title(tools, app), "loaded")


def late_values(tools, app):
    """A page that was busy took a value after the answer, which called it not seen, or changed one that was called confirmed."""
    for element, value in (('checkbox "Slow"', "true"), ('checkbox "Slow"', "false"), ('spin "Slow count"', "5")):
        result = tools("write_element_value", application=app, element=element, value=value)
        same(result["effect"], "confirmed", f"{element}: {result}")
    for evidence in ("it is checked now", "it is not checked any more"):
        result = tools("click_element", application=app, element='checkbox "Slow"')
        same((result["effect"], result["evidence"]), ("confirmed", evidence), result)
    result = tools("write_element_value", application=app, element='entry "Slow to leave"', value="abc")
    same((result["effect"], result["value"]), ("partial", "ABC"), result)


def a_date(tools, app):
    """It took no value, and in Firefox keys that were meant for the whole entry."""
    same(in_page(tools, app, 'entry "Arrival"', "2026-02-03"), ("confirmed", "keys, then tab"))
    until(lambda: title(tools, app) == "2026-02-03", "what the page was told")
    has(tools.fails("INVALID_ARGUMENT", "write_element_value", application=app, element='entry "Arrival"', value="3.2.2026"),
        "such as 2026-02-03")


def chosen_option_is_the_value(tools, app):
    """A box showed no value: which option is chosen could not be told. It is in a group here."""
    for element, value in (("Size", "S"), ("Long", "n0"), ("Grouped", "g2")):
        has(tools("get_ui_tree", application=app)["outline"], f'combobox "{element}" ="{value}"')
        same(tools("get_element", application=app, element=f'combobox "{element}"')["value"], value)


def names_longer_than_a_look_told(tools, app):
    """They were found by their first 512 bytes only, and nothing said so."""
    def found(**wanted):
        return tools("find_elements", application=app, hidden=True, **wanted)["elements"]

    accept = "Accept " + "all of this " * 60 + "now"
    same([e["role"] for e in found(text=accept)], ["button"])
    same(tools("get_element", application=app, element=found(text=accept)[0]["ref"])["name"], accept)
    same(any(e["name"].startswith("Begin words") and e["name"].endswith("…") for e in found(text_contains="THE TAIL")), True)
    told = tools.text("find_elements", application=app, hidden=True, text_contains="the very end")
    has(told, "only the beginning was searched")
    tools("click_element", application=app, element=found(text=accept)[0]["ref"])   # scrolls there
    tools("wait_for", application=app, condition="text", text="the very end")


def options(tools, app):
    """L is off: XL was chosen for it. Firefox chose behind the page's back, and ended the page where L was before the option."""
    tools.fails("ELEMENT_DISABLED", "select_option", application=app, element='combobox "Size"', option="L")
    for option in ("XL", "M"):
        result = tools("select_option", application=app, element='combobox "Size"', option=option)
        same((result["effect"], result["value"]), ("confirmed", option), result)
        has(tools("get_ui_tree", application=app)["outline"], f'combobox "Size" ="{option}"')
    until(lambda: title(tools, app) == "loaded,XL,M", "what the page was told")
    same(popups(tools), [])


def scrolled_options(tools, app):
    """An option that was scrolled away was clicked below its list, and another one in an open, scrolled list (Chromium)."""
    for element, option in (('list "Box"', "b5"), ('combobox "Long"', "n70"), ('combobox "Long"', "n2")):
        result = tools("select_option", application=app, element=element, option=option)
        same((result["effect"], result["value"]), ("confirmed", option), result)
    until(lambda: title(tools, app) == "loaded,XL,M,tab,b5,n70,n2", "what the page was told")


def tabs_that_tell_nothing(tools, app):
    """The page does not say that the tab is selected, and did something: it was pressed three times."""
    result = tools("select_option", application=app, element='tablist in document', option="Second")
    same(result["effect"], "partial", result)
    until(lambda: title(tools, app) == "loaded,XL,M,tab", "one press")


DATES = """
w = Gtk.Window(title="Dates")
v = Gtk.VBox()
w.add(v)
def field(name, text):
    label, e = Gtk.Label(label=name), Gtk.Entry(text=text)
    label.set_mnemonic_widget(e)
    def left(e, _):
        kept = e.get_text() if len(e.get_text()) == 10 else text
        e.set_text(kept)
        log(name + " " + kept)
    e.connect("focus-out-event", left)
    for each in (label, e):
        v.pack_start(each, False, False, 0)
field("Date", "2020-01-01")
field("Until", "2020-02-02")
w.show_all()
"""


def fields_that_are_left(tools, desktop):
    """An application took over the date that was there before, because it never heard of the new one."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    with lab(tools, desktop, DATES) as it:
        for name, text, kept, effect in (("Date", "2024-05-06", "2024-05-06", "confirmed"), ("Until", "never", "2020-02-02", "none_seen"),
                                         ("Date", "", "2020-01-01", "partial")):
            result = tools("write_element_value", application=it.app, element=f'entry "{name}"', value=text)
            until(lambda wanted=f"{name} {kept}": wanted in it.log(), "that the field was left")
            same((result["effect"], result["value"]), (effect, kept), result)


LEFT = """
w = Gtk.Window(title="Left")
v = Gtk.VBox()
w.add(v)
number = Gtk.SpinButton.new_with_range(0, 100, 1)
number.connect("focus-out-event", lambda *_: log("number %d" % number.get_value()) or False)
def check(label):
    mark = Gtk.CheckButton(label=label)
    mark.connect("button-release-event", lambda *_: log("clicked " + label) or False)
    mark.connect("toggled", lambda *_: log("%s %s" % (label, mark.get_active())))
    return mark
below = Gtk.EventBox(above_child=True)
below.add(check("Below"))
for each in (Gtk.Entry(), number, Gtk.Entry(), check("Mark"), below):
    v.pack_start(each, False, False, 0)
w.show_all()
"""


def numbers_and_marks(tools, desktop):
    """Qt tells an application of a number when its field is left, and of a mark only if it is clicked."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    with lab(tools, desktop, LEFT) as it:
        for element, value, logged in (("spin", "7", ["number 7"]), ('checkbox "Mark"', "true", ["clicked Mark", "Mark True"]),
                                       ('checkbox "Below"', "true", ["Below True"])):
            before = len(it.log())
            result = tools("write_element_value", application=it.app, element=element, value=value)
            same((result["effect"], it.log()[before:]), ("confirmed", logged), result)
        it.click('checkbox "Below"')
        same(it.log()[4:], ["Below False"])


def in_browser(name):
    def case(tools, desktop):
        if not shutil.which(name):
            raise Skip(f"{name} is not installed (vendor/install wide)")
        with page(tools, desktop, name) as app:
            for part in (text_of_lines, late_values, a_date, chosen_option_is_the_value, options, tabs_that_tell_nothing, scrolled_options,
                         names_longer_than_a_look_told):
                part(tools, app)
    return case


run((("numbers of many digits, and equal ones (GTK 3)", numbers),
     ("boxes that are mixed are neither on nor off (GTK 3)", mixed_boxes),
     ("characters that are not shown, and line ends in one line (GTK 3)", hidden_characters),
     ("a field is left, and what it holds then is told (GTK 3)", fields_that_are_left),
     ("a number is left, a mark is clicked, and one below something is pressed (GTK 3)", numbers_and_marks),
     ("one of several options, and two of the same name (GTK 3)", several_options),
     ("an option that is off is not chosen, and no list stays open (GTK 3)", an_option_that_is_off),
     ("a page's fields, options and tabs (Chromium)", in_browser("chromium")),
     ("a page's fields, options and tabs (Firefox)", in_browser("firefox-esr"))),
    ("Xvfb", "openbox", "dbus-daemon"), lambda desktop: Tools(desktop.env))
