#!/usr/bin/env python3
"""Ordinary tasks in windows behind the one that a person works in, with `background`: twenty in GTK 3, GTK 4, Qt and LibreOffice, and
twelve in a page of Chromium. Neither the pointer moves nor the focus changes, and each effect is seen. Those that cannot be done that
way are refused and counted."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab import page                     # noqa: E402
from person import Person                # noqa: E402
from tools import has, run, same         # noqa: E402

TASKS, REFUSED = 32, 2
PAGE = """<form id=f onsubmit="did('sent ' + JSON.stringify(Object.fromEntries(new FormData(f)))); return false">
<label>Name <input name=name></label>
<label>Size <select name=size onchange="did('size ' + this.value)"><option>S<option disabled>M<option>L<option>XL</select></label>
<label><input type=checkbox name=lunch onchange="did('lunch ' + this.checked)">Lunch</label>
<label><input type=radio name=way value=bus>Bus</label>
<label><input type=radio name=way value=train onchange="did('way ' + this.value)">Train</label>
<label>Level <input type=range name=level oninput="did('level ' + this.value)"></label><button>Send</button></form>
<button>Ready</button><a href="#below" onclick="did('link')">Terms</a><p id=text>The price is 12.50</p>
<div role=tablist><button role=tab aria-selected=false onclick="this.ariaSelected = true; did('tab')">Second</button></div>
<details ontoggle="did('details')"><summary>More</summary><p>inside</p></details>
<button onclick="confirm('Sure?') && did('sure')">Ask</button>
<div style="height: 2000px"></div><button id=below onclick="did('below')">Below</button>
<script>function did(what) { document.title = "page " + what }</script>"""


def widgets_of_gtk_3(person):
    with person.behind("gtk3-widget-factory", 'combobox "Middle"') as task:
        task("click_element", element="checkbox enabled not checked nth 2")
        task("write_element_value", element="entry enabled nth 3", value="Grüße 世界")
        task("write_element_value", element="spin enabled", value="33")
        task("write_element_value", element="slider enabled nth 1", value="70")
        task("select_option", element='combobox "Middle"', option="Left")
        task("select_option", element="tablist nth 1", option="page 2")
        task("click_element", element="toggle nth 6")
        task("write_element_value", element="text", value="other\nlines")
        task("select_option", element='radio "Page 1"', option="Page 3")
        task("click_element", element='cell "Bertrada of Laon"')


def editor_of_gtk_3(person):
    with person.behind("mousepad", "text") as task:
        task("write_element_value", element="text", value="hello")
        task("select_menu_item", path="File > New")


def editor_of_qt(person):
    """Its dialog takes the focus, and the application does not answer to the press before it is closed."""
    with person.behind("featherpad", "text") as task:
        task("write_element_value", element="text", value="hello")
        task("select_menu_item", path="Options > Line Numbers")
        task("select_menu_item", path="Help > About")
        task("handle_dialog", button="Close")


def calculator_of_gtk_4(person):
    with person.behind("gnome-calculator", 'button "7"') as task:
        task("act", steps=[{"click": f'button "{key}"'} for key in "7×6="])


def office(person):
    with person.behind("libreoffice-writer", 'toggle "Bold"') as task:
        task("write_element_value", element="paragraph", value="hello")
        task("select_menu_item", "confirmed", "partial", path="View > Rulers > Rulers")
        task("click_element", element='toggle "Bold"')


def browser(person):
    """No text: Chromium has nothing but keys for it. Its dialog takes the focus."""
    with page(person.tools, person.desktop, "chromium", PAGE) as (app, title):
        person.comes_back()

        def task(shown, tool, *effects, **arguments):
            text = person.task(app, tool, effects, **arguments)
            same(title(), f"page {shown}", text)

        has(person.task(app, "write_element_value", (), element='entry "Name"', value="Ada"), "takes only what is typed")
        task("size XL", "select_option", element='combobox "Size"', option="XL")
        task("lunch true", "click_element", element='checkbox "Lunch"')
        task("way train", "click_element", element='radio "Train"')
        task("level 70", "write_element_value", element="slider", value="70")
        task("tab", "click_element", element='tab "Second"')
        task("details", "click_element", element='"More"')
        task("link", "click_element", element='link "Terms"')
        task("below", "click_element", element='button "Below"')
        task('sent {"name":"","size":"XL","lunch":"on","way":"train","level":"70"}', "click_element", element='button "Send"')
        person.task(app, "click_element", ("confirmed", "partial"), element='button "Ask"')
        task("sure", "handle_dialog", button="OK")


def all_tasks(tools, desktop):
    person = Person(tools, desktop)
    with person.at_work():
        for each in (widgets_of_gtk_3, editor_of_gtk_3, editor_of_qt, calculator_of_gtk_4, office, browser):
            each(person)
    same(person.done + len(person.refused), TASKS)
    same(len(person.refused) <= REFUSED, True, person.refused)


run([("ordinary tasks move no pointer and change no focus, and at most two are refused", all_tasks)],
    ("Xvfb", "openbox", "dbus-daemon", "xterm", "xdotool", "gtk3-widget-factory", "mousepad", "featherpad", "gnome-calculator",
     "soffice", "chromium"))
