#!/usr/bin/env python3
"""The pointer clicks the element that is meant, scrolled into view if need be, and nothing else: what got the click is read from
the application's own log."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults     # noqa: E402
from lab import lab, page     # noqa: E402
from tap import Skip     # noqa: E402
from tools import has, opened, run, same, until     # noqa: E402

SCROLLED = """
w = Gtk.Window(title="Scrolled", default_width=400, default_height=500)
v = Gtk.VBox()
w.add(v)
def button(box, name):
    b = Gtk.Button(label=name)
    b.connect("clicked", lambda b: log(name))
    box.pack_start(b, False, False, 0)
def area(fill):
    s, box = Gtk.ScrolledWindow(), Gtk.VBox()
    s.set_size_request(300, 80)
    s.add(box)
    v.pack_start(s, False, False, 0)
    fill(box)
area(lambda box: [button(box, "In %d" % i) for i in range(12)])
for i in range(6):
    button(v, "Out %d" % i)
def fields(box):
    for i in range(8):
        h, e = Gtk.HBox(), Gtk.Entry()
        h.pack_start(Gtk.Label(label="F%d:" % i), False, False, 0)
        h.pack_start(e, False, False, 0)
        e.connect("focus-in-event", lambda e, _, i=i: log("focus F%d" % i))
        box.pack_start(h, False, False, 0)
area(fields)
w.show_all()
"""

BUTTONS = "".join(f"<button style='display:block' onclick=\"L('out{i}')\">Out{i}</button>" for i in range(8))
PAGE = """<script>log=[];function L(x){log.push(x);document.title=log.join(',')}</script><button>Ready</button>
<div style="height:60px;overflow:auto;border:1px solid"><button onclick="L('s1')">S1</button><br><br><br><br><br>
<button onclick="L('s2')">S2</button></div>""" + BUTTONS + """
<div style="position:relative;height:30px"><button onclick="L('under')" style="position:absolute;width:200px">Under</button>
<button onclick="L('over')" style="position:absolute;width:200px">Over</button></div>
<button style="position:absolute;top:3000px" onclick="L('far')">Far</button>"""

WARNS = """<button>Ready</button><button onclick="setTimeout(() => alert('hi'), 0)">Warn</button>"""
CLOCK = """<button onclick="event.stopPropagation()">Ready</button>
<ul id=feed></ul><div id=clock>0</div><script>n = 0
setInterval(() => { clock.innerHTML = '<b>' + ++n + '</b>' }, 130)
setInterval(() => { const l = document.createElement('li'); l.textContent = 'news ' + n; feed.appendChild(l)
if (feed.children.length > 4) feed.firstChild.remove() }, 170)</script>"""


def scrolled_away_in_gtk(tools, desktop):
    """These were refused: GTK 3 has no action that scrolls to a button, and tells no place of one that is scrolled away."""
    with lab(tools, desktop, SCROLLED) as it:
        for name, more in (("In 5", {"method": "pointer"}), ("In 11", {"count": 2}), ("In 0", {"method": "pointer"})):
            before = len(it.log())
            it.click(f'button "{name}"', **more)
            wanted = [name] * more.get("count", 1)
            until(lambda: len(it.log()) >= before + len(wanted), name)
            same(it.log()[before:], wanted)
        it.click('entry "F6"')
        same(it.log()[-1], "focus F6")


def scrolled_away_in(browser):
    """Another element at the place of a clipped button got the click, and it was confirmed. A far button was not in view yet
    when the browser had answered that it scrolls."""
    def case(tools, desktop):
        with page(tools, desktop, browser, PAGE) as (app, title):
            done = []
            for name, count in (("S2", 1), ("S2", 2), ("Far", 1), ("S1", 1), ("Out3", 1), ("Far", 1)):
                tools("click_element", application=app, element=f'button "{name}"', method="pointer", count=count)
                done += [name.lower()] * count
                until(lambda: title() == ",".join(done), f"{done} in {title()!r}")     # pylint: disable=cell-var-from-loop
            result = tools("click_element", application=app, element='button "Under"', method="pointer")
            same((result["effect"], "over" in title()), ("partial", True), result)
            has(result["evidence"], "it may have got the click")
    return case


def closed_popover(tools, _desktop):
    """GTK 4 says of what was in an open popover that it is shown, at its old place: the text behind it got the click."""
    with opened(tools, "gnome-text-editor") as app:
        def click(element, **more):
            return tools("click_element", application=app, element=element, method="pointer", **more)
        until(lambda: tools("find_elements", application=app, selector='button "Menu"')["elements"], "the window")
        click('button "Menu"')
        until(lambda: tools("find_elements", application=app, selector='menuitem "Preferences"')["elements"], "the menu")
        tools("create_input", action="keys", keys="escape")
        until(lambda: "expanded" not in tools.text("get_element", application=app, element='button "Menu" nth 1'), "its end")
        text = tools.fails("NOT_IN_VIEW", "click_element", application=app, element='menuitem "Preferences"', method="pointer")
        has(text, 'is in a popover of button "Menu" that is closed')

        def opens():    # not while it closes
            click('button "Menu"')
            return "expanded" in tools.text("get_element", application=app, element='button "Menu" nth 1')
        until(opens, "the menu once more")
        result = click('menuitem "Preferences"')
        same(result["effect"], "confirmed", result)


def check_boxes_of(browser):
    """These have an action, named check or uncheck, and were clicked by the pointer, which brings their window to the front."""
    def case(tools, desktop):
        with page(tools, desktop, browser, "<button>Ready</button><label><input type=checkbox> Agree</label>") as (app, _title):
            until(lambda: "actions: " in tools.text("get_element", application=app, element='checkbox "Agree"'), "its actions")
            off = "uncheck" if browser == "chromium" else "check"
            for name, evidence in (("check", "it is checked now"), (off, "it is not checked any more")):
                result = tools("click_element", application=app, element='checkbox "Agree"')
                same((result["route"], result["effect"], result["evidence"]), (f"action {name}", "confirmed", evidence))
    return case


def cells_of_a_sheet(tools, _desktop):
    """Selecting one was confirmed, and what was typed then went into A1, where the cursor still was."""
    with opened(tools, shutil.which("soffice"), arguments=["--calc", "--norestore", "--nologo"]) as app:
        def cell(name):
            found = tools("find_elements", application=app, selector=f'cell "{name}"')["elements"]
            return found[0].get("value", "") if found else None
        until(lambda: cell("C5") is not None, "the cells")
        told = tools("act", application=app, steps=[{"click": 'cell "C5"'}, {"type": "hello\n"}])
        same(told["done"], True, told)
        until(lambda: cell("C5") == "hello", "the text")
        same(cell("A1"), "")


def a_menu_that_was_open(tools, _desktop):
    """Its end confirmed whatever was clicked."""
    with opened(tools, "mousepad") as app:
        tools("click_element", application=app, element='menu "File"')
        result = tools("select_menu_item", application=app, path="Edit > Select All")     # there is no text
        same((result["effect"], result["evidence"]), ("partial", "its menu took it and closed, and nothing else changed"), result)
        tools("click_element", application=app, element='menu "File"')
        result = tools("click_element", application=app, element='menuitem "New"')
        same(result["effect"], "confirmed", result)


def a_page_with_a_clock(browser):
    """Its ticks confirmed one of forty clicks that did nothing: a group had another value."""
    def case(tools, desktop):
        with page(tools, desktop, browser, CLOCK) as (app, _title):
            for turn in range(20):
                result = tools("click_element", application=app, element='button "Ready"', method=("auto", "pointer")[turn % 2])
                same(result["effect"] in ("partial", "none_seen"), True, result)
    return case


def an_alert_of_a_page(tools, desktop):
    """It was a group that came. It may be late: nothing else changes in that page, and the step waits for an effect."""
    with page(tools, desktop, "chromium", WARNS) as (app, _title):
        step = tools("act", application=app, steps=[{"click": 'button "Warn"', "must": True}])["steps"][0]
        same(step["effect"], "partial", step)
        has(step["evidence"], 'dialog "')


ENDING = """
import os
w = Gtk.Window(title="Ending")
v = Gtk.VBox()
w.add(v)
for name in ("Crash", "Quit"):
    b = Gtk.Button(label=name)
    b.connect("clicked", lambda *_: os.kill(os.getpid(), 9))
    v.pack_start(b, False, False, 0)
w.show_all()
"""


def an_application_that_ends(tools, desktop):
    """Its window closed: confirmed, and no word of the crash."""
    for name, effect in (("Crash", "partial"), ("Quit", "confirmed")):
        with lab(tools, desktop, ENDING) as it:
            result = it.click(f'button "{name}"')
            same((result["effect"], result["evidence"]), (effect, "the application ended"), name)


MODAL = """
w = Gtk.Window(title="Main")
v = Gtk.VBox()
w.add(v)
def button(box, name, do=None):
    b = Gtk.Button(label=name)
    b.connect("clicked", lambda *_: (log(name), do and do()))
    box.pack_start(b, False, False, 0)
def dialog(name, parent, modal):
    d = Gtk.Dialog(title=name, transient_for=parent, modal=modal)
    box = d.get_content_area()
    c = Gtk.ComboBoxText()
    for each in ("One", "Two"):
        c.append_text(each)
    c.connect("changed", lambda c: log(c.get_active_text()))
    box.pack_start(c, False, False, 0)
    button(box, "In " + name)
    button(box, "Deeper", lambda: dialog("Deep", d, True))
    d.show_all()
e = Gtk.Entry()
v.pack_start(e, False, False, 0)
button(v, "Behind")
button(v, "Ask", lambda: dialog("Asking", w, True))
button(v, "Show", lambda: dialog("Showing", w, False))
w.show_all()
"""


def behind_a_modal_dialog(tools, desktop):
    """Elements that people cannot use while the dialog is open were pressed and written all the same."""
    with lab(tools, desktop, MODAL) as it:
        it.click('button "Show"')
        until(lambda: tools("find_elements", application=it.app, selector='button "In Showing"')["elements"], "the dialog")
        it.click('button "Behind"')      # that one is not modal
        it.click('button "Ask"')
        until(lambda: tools("find_elements", application=it.app, selector='button "In Asking"')["elements"], "the dialog")
        for tool, more in (("click_element", {"element": 'button "Behind"'}), ("write_element_value",
                           {"element": 'entry in window "Main"', "value": "x"})):
            has(tools.fails("DIALOG_IN_FRONT", tool, application=it.app, **more), 'dialog "Asking" is in front')
        it.click('button "In Asking"')
        tools("select_option", application=it.app, element='combobox in dialog "Asking"', option="Two")
        it.click('combobox in dialog "Asking"')
        it.click('menuitem "One"', method="pointer")
        until(lambda: it.log()[-1] == "One", "the option")
        it.click('button "Deeper" in dialog "Asking"')
        until(lambda: tools("find_elements", application=it.app, selector='button "In Deep"')["elements"], "the next dialog")
        has(tools.fails("DIALOG_IN_FRONT", "click_element", application=it.app, element='button "In Asking"'), 'dialog "Deep"')
        it.click('button "In Deep"')
        same(it.log(), ["Show", "Behind", "Ask", "In Asking", "Two", "One", "Deeper", "In Deep"])


UNTITLED = """
w, b = Gtk.Window(title="Main"), Gtk.VBox()
w.add(b)
def ask(kind):
    d = Gtk.MessageDialog(transient_for=w, modal=True, message_type=kind, buttons=Gtk.ButtonsType.YES_NO, text="Do you want to stay?")
    d.connect("response", lambda d, response: (log(response), d.destroy()))
    d.show()
for name, kind in (("Ask", Gtk.MessageType.QUESTION), ("Other", Gtk.MessageType.OTHER)):
    button = Gtk.Button(label=name)
    button.connect("clicked", lambda _, kind=kind: ask(kind))
    b.add(button)
w.show_all()
"""


def behind_an_untitled_dialog(tools, desktop):
    """A refusal called it dialog "", and an alert without a name could not be named to a tool."""
    called = 'dialog "Do you want to stay?" is in front'
    with lab(tools, desktop, UNTITLED) as it:
        it.click('button "Ask"')
        until(lambda: tools("find_elements", application=it.app, selector='button "Yes"')["elements"], "the dialog")
        has(tools.fails("DIALOG_IN_FRONT", "click_element", application=it.app, element='button "Other"'), called)
        has(tools.text("wait_for", application=it.app, condition="element", element='button "Never"', timeout=0.1), called[1:])
        tools("handle_dialog", application=it.app, button="Yes")
        until(lambda: len(tools("list_windows", parent=it.app)["windows"]) == 1, "the end of the dialog")
        it.click('button "Other"')
        until(lambda: tools("find_elements", application=it.app, selector='button "No"')["elements"], "the other dialog")
        has(tools.fails("DIALOG_IN_FRONT", "click_element", application=it.app, element='button "Ask"'), called)
        it.click('button "No" in alert "Do you want to stay?"')
        same(it.log(), ["-8", "-9"])


WIDE = """
w, g = Gtk.Window(title="Wide"), Gtk.Fixed()
w.add(g)
w.set_size_request(2600, 300)
def button(name, x, width):
    b = Gtk.Button(label=name)
    b.set_size_request(width, 30)
    b.connect("clicked", lambda *_: log(name))
    g.put(b, x, 10)
button("Half", 1000, 1400)
button("Far", 2450, 100)
c = Gtk.CheckButton(label="Mark")
c.connect("toggled", lambda c: log("mark %s" % c.get_active()))
g.put(c, 2450, 80)
e = Gtk.Entry()
e.connect("changed", lambda e: log("text " + e.get_text()))
g.put(e, 2450, 120)
w.show_all()
"""


def outside_all_displays(tools, desktop):
    """Nothing was pressed: the pointer was sent to where no display is, and that failed."""
    with lab(tools, desktop, WIDE) as it:
        for element, route, said in (('button "Half"', "pointer at", "Half"), ('button "Far"', "action", "Far"),
                                     ('checkbox "Mark"', "action", "mark True")):
            has(it.click(element)["route"], route)
            until(lambda said=said: it.log()[-1:] == [said], said)
        tools("write_element_value", application=it.app, element="entry", value="abc")
        until(lambda: it.log()[-1:] == ["text abc"], "the text")
        has(tools.fails("NOT_IN_VIEW", "click_element", application=it.app, element='button "Far"', method="pointer"),
            "is outside all displays")


def needs(present, case):
    """The case, skipped where something is missing."""
    def skipping(tools, desktop):
        if not present:
            raise Skip("it is not installed (vendor/install wide)")
        case(tools, desktop)
    return skipping


run((("a button that is scrolled away in GTK 3 is scrolled to and clicked", needs(click_faults.has_gtk(), scrolled_away_in_gtk)),
     ("elements of a window that is larger than the screen", needs(click_faults.has_gtk(), outside_all_displays)),
     ("an item of a closed popover of GTK 4 is not clicked", needs(shutil.which("gnome-text-editor"), closed_popover)),
     ("a button that is scrolled away in Chromium is scrolled to and clicked",
      needs(shutil.which("chromium"), scrolled_away_in("chromium"))),
     ("a button that is scrolled away in Firefox is scrolled to and clicked",
      needs(shutil.which("firefox"), scrolled_away_in("firefox"))),
     ("check boxes of Chromium have an action", needs(shutil.which("chromium"), check_boxes_of("chromium"))),
     ("check boxes of Firefox have an action", needs(shutil.which("firefox"), check_boxes_of("firefox"))),
     ("a menu that was open closes, and that proves nothing", needs(shutil.which("mousepad"), a_menu_that_was_open)),
     ("a clock in a page proves nothing (Chromium)", needs(shutil.which("chromium"), a_page_with_a_clock("chromium"))),
     ("an alert of a page is a dialog (Chromium)", needs(shutil.which("chromium"), an_alert_of_a_page)),
     ("a clock in a page proves nothing (Firefox)", needs(shutil.which("firefox"), a_page_with_a_clock("firefox"))),
     ("an application that ends of a click", needs(click_faults.has_gtk(), an_application_that_ends)),
     ("an element behind a modal dialog is left alone", needs(click_faults.has_gtk(), behind_a_modal_dialog)),
     ("an untitled dialog is called by its text", needs(click_faults.has_gtk(), behind_an_untitled_dialog)),
     ("text goes into the cell that was clicked", needs(os.path.exists("/usr/share/applications/libreoffice-calc.desktop"), cells_of_a_sheet))),
    ("Xvfb", "openbox", "dbus-daemon"))
