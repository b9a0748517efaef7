#!/usr/bin/env python3
"""Twenty ordinary tasks in windows behind the one that a person works in, with `background`: neither the pointer moves nor the focus
changes. Those that cannot be done that way are refused and counted."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from person import Person                # noqa: E402
from tools import run, same              # noqa: E402

TASKS, REFUSED = 20, 2


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


def all_tasks(tools, desktop):
    person = Person(tools, desktop)
    with person.at_work():
        for each in (widgets_of_gtk_3, editor_of_gtk_3, editor_of_qt, calculator_of_gtk_4, office):
            each(person)
    same(person.done + len(person.refused), TASKS)
    same(len(person.refused) <= REFUSED, True, person.refused)


run([("twenty tasks move no pointer and change no focus, and at most two are refused", all_tasks)],
    ("Xvfb", "openbox", "dbus-daemon", "xterm", "xdotool", "gtk3-widget-factory", "mousepad", "featherpad", "gnome-calculator",
     "soffice"))
