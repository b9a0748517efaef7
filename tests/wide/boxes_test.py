#!/usr/bin/env python3
"""Option boxes, numbers and sliders of each toolkit: what is chosen and written is what the application gets, what is not there is
refused with what there is, and no list or menu stays open."""

import contextlib
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from applications import HERE, window_of    # noqa: E402
from tap import Skip                        # noqa: E402
from tools import Failure, has, run, same, until     # noqa: E402

PYTHON = "/usr/bin/python3"
WRAPPER = "/usr/share/java/java-atk-wrapper.jar"
JAVA = f"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:{WRAPPER}"

GTK = """
import gi, sys
gi.require_version("Gtk", sys.argv[1])
from gi.repository import Gtk
MAJOR = Gtk.get_major_version()
grid, rows = Gtk.Grid(), []
def say(name, value): print(f"{name}={value}", flush=True)
def add(name, field):
    label = Gtk.Label(label=name + ":")
    label.set_mnemonic_widget(field)
    grid.attach(label, 0, len(rows), 1, 1)
    grid.attach(field, 1, len(rows), 1, 1)
    rows.append(field)
    return field
def drop(name, options):
    if MAJOR < 4: return text(name, options)
    box = Gtk.DropDown.new_from_strings(options)
    box.connect("notify::selected", lambda box, _: say(name, box.get_selected_item().get_string()))
    return add(name, box)
def text(name, options, field=False):
    box = Gtk.ComboBoxText.new_with_entry() if field else Gtk.ComboBoxText()
    for option in options: box.append_text(option)
    box.set_active(0)
    box.connect("changed", lambda box: say(name, box.get_active_text()))
    return add(name, box)
def number(name, field):
    field.connect("value-changed", lambda field: say(name, f"{field.get_value():g}"))
    return add(name, field)
def fill():
    drop("Color", ["Red", "Green", "Green dark", "Blue"])
    drop("Long", [f"item {i}" for i in range(150)])
    text("Free", ["One", "Two"], True)
    drop("Off", ["One", "Two"]).set_sensitive(False)
    if MAJOR > 3:
        drop("Huge", [f"item {i}" for i in range(700)])
        drop("Twins", ["One", "Two", "One"])
        text("Silent", ["One", "Two"])
    number("Number", Gtk.SpinButton.new_with_range(0, 100, 1))
    number("Slider", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 2000, 1))
def show(app):
    window = Gtk.ApplicationWindow(application=app, title="Boxes")
    fill()
    if MAJOR < 4:
        window.add(grid)
        window.show_all()
    else:
        window.set_child(grid)
        window.present()
app = Gtk.Application(application_id="org.example.Boxes")
app.connect("activate", show)
app.run([])
"""

QT = """
import sys
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QComboBox, QDial, QDoubleSpinBox, QFormLayout, QScrollBar, QSlider, QSpinBox, QWidget
app, w = QApplication(sys.argv), QWidget()
w.setWindowTitle("Boxes")
form = QFormLayout(w)
def say(name, value): print(f"{name}={value}", flush=True)
def box(name, options, **more):
    field = QComboBox(**more)
    field.addItems(options)
    field.currentTextChanged.connect(lambda text: say(name, text))
    form.addRow(name + ":", field)
    return field
def number(name, field):
    field.valueChanged.connect(lambda value: say(name, f"{value:g}"))
    form.addRow(name + ":", field)
box("Color", ["Red", "Green", "Green dark", "Blue"])
box("Long", [f"item {i}" for i in range(150)])
box("Free", ["One", "Two"], editable=True)
box("Off", ["One", "Two"]).setEnabled(False)
number("Number", QSpinBox(maximum=100))
number("Real", QDoubleSpinBox(maximum=9, singleStep=0.25))
number("Slider", QSlider(Qt.Horizontal, maximum=2000))
number("Bar", QScrollBar(Qt.Horizontal, maximum=100))
number("Dial", QDial(maximum=100))
w.show()
app.exec_()
"""

#: What every toolkit has: a tool, the element, what is chosen or written, and what the application is told of it.
EACH = (
    ("select_option", 'combobox "Color"', "Green", "Color=Green"),
    ("write_element_value", 'combobox "Color"', "Blue", "Color=Blue"),
    ("select_option", 'combobox "Color"', "Green dark", "Color=Green dark"),
    ("select_option", 'combobox "Long"', "item 137", "Long=item 137"),
    ("select_option", 'combobox "Long"', "item 11", "Long=item 11"),
    ("write_element_value", 'combobox "Free"', "Two", "Free=Two"),
    ("write_element_value", 'combobox "Free"', "Seven", "Free=Seven"),
    ("write_element_value", 'spin "Number"', "42", "Number=42"),
    ("write_element_value", 'slider "Slider"', "1234", "Slider=1234"),
)
#: What every toolkit refuses, and words of the error.
REFUSED = (
    ("select_option", 'combobox "Color"', "Green d", "Nearest: "),
    ("write_element_value", 'combobox "Color"', "Violet", 'has no option "Violet"'),
    ("select_option", 'combobox "Off"', "Two", "is off"),
)
REAL = ("write_element_value", 'spin "Real"', "2.25", "Real=2.25")
OWN = {
    "Swing": ((REAL, ("select_option", 'combobox "Free"', "One", "Free=One"),
               ("write_element_value", 'scrollbar "Bar"', "40", "Bar=40"),
               ("write_element_value", 'spin "List"', "high", "List=high"),
               ("write_element_value", 'spin "Date"', "2021-05-06", "Date=Thu May 06")), ()),
    "GTK 4": ((("select_option", 'combobox "Huge"', "item 650", "Huge=item 650"),
               ("select_option", 'combobox "Huge"', "item 180", "Huge=item 180")),
              (("select_option", 'combobox "Huge"', "item 333", 'between "item 204" and "item 495" were not read'),
               ("select_option", 'combobox "Twins"', "One", 'has 2 options "One"'),
               ("select_option", 'combobox "Silent"', "Two", "does not tell the text of its options"),
               ("select_option", 'combobox "Free"', "Two", "Write one of them with write_element_value"))),
    "GTK 3": ((), ()),
    "Qt 5": ((REAL, ("write_element_value", 'scrollbar "Bar"', "40", "Bar=40"),
              ("write_element_value", 'slider "Dial"', "30", "Dial=30")), ()),
}


def has_module(*code):
    return not subprocess.run([PYTHON, "-c", "; ".join(code)], check=False, capture_output=True).returncode


def program_of(kind):
    if kind == "Swing":
        if not shutil.which("javac") or not os.path.exists(WRAPPER):
            raise Skip("default-jdk or libatk-wrapper-java is not installed (vendor/install wide)")
        return ["java", str(HERE / "SwingBoxes.java")]
    if kind == "Qt 5":
        if not has_module("import PyQt5.QtWidgets"):
            raise Skip("python3-pyqt5 is not installed (vendor/install wide)")
        return [PYTHON, "-c", QT]
    version = f"{kind[-1]}.0"
    if not has_module("import gi", f"gi.require_version('Gtk', '{version}')"):
        raise Skip(f"gir1.2-gtk-{version} is not installed (vendor/install wide)")
    return [PYTHON, "-c", GTK, version]


class Boxes:
    def __init__(self, tools, process, path):
        self.tools, self.app, self.path = tools, f"applications/{process.pid}", path

    def log(self):
        return self.path.read_text(encoding="utf-8").split("\n")[:-1]

    def ask(self, tool, element, value):
        name = "option" if tool == "select_option" else "value"
        return self.tools.result(tool, application=self.app, element=element, **{name: value})

    def popups(self):
        return [each for each in self.tools("list_windows", all_kinds=True)["windows"] if each["kind"] == "popup"]

    def sets(self, tool, element, value, told):
        result = self.ask(tool, element, value)
        same(result.get("structuredContent", {}).get("effect"), "confirmed", (element, value, result))
        until(lambda: self.log() and self.log()[-1].startswith(told), f"{told} in the log, which has {self.log()[-3:]}")
        same(self.popups(), [], (element, value))

    def refuses(self, tool, element, value, words):
        before = self.log()
        result = self.ask(tool, element, value)
        same(result.get("isError"), True, (element, value, result))
        has(result["content"][0]["text"], words)
        same((self.log(), self.popups()), (before, []), (element, value))


@contextlib.contextmanager
def boxes(tools, desktop, kind):
    path = desktop.folder / f"boxes.{os.urandom(4).hex()}.log"
    argv = program_of(kind)
    env = {**desktop.env, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "JAVA_TOOL_OPTIONS": JAVA, "GSK_RENDERER": "cairo"}
    with open(path, "wb") as log, subprocess.Popen(argv, env=env, stdout=log) as process:
        try:
            window_of(tools, "Boxes")
            it = Boxes(tools, process, path)
            until(lambda: "Slider" in tools.text("get_ui_tree", application=it.app, source="tree"), "the elements")
            yield it
        finally:
            process.kill()


def matrix(kind):
    def case(tools, desktop):
        sets, refuses = OWN[kind]
        wrong = []
        with boxes(tools, desktop, kind) as it:
            for what, rows in ((it.sets, EACH + sets), (it.refuses, REFUSED + refuses)):
                for row in rows:
                    try:
                        what(*row)
                    except Failure as failure:
                        wrong.append(f"{row}: {failure}")
        if wrong:
            raise Failure("\n".join(wrong))
    return case


def steps_that_miss(tools, desktop):
    """The slider of Swing that goes by tens: what it came to is told, and why."""
    with boxes(tools, desktop, "Swing") as it:
        result = tools("write_element_value", application=it.app, element='slider "Ticks"', value="73")
        same((result["effect"], result["value"]), ("partial", "70"), result)
        has(result["evidence"], "it moves by steps of 10")
        until(lambda: it.log()[-1] == "Ticks=70", "the slider")


def menus_of_swing(tools, desktop):
    """Its menu stayed open after a click on an item, and one of a menu in a menu was clicked at a wrong place."""
    with boxes(tools, desktop, "Swing") as it:
        def is_open():
            return "checked" in tools("get_element", application=it.app, element='menu "File"').get("states", [])
        tools("click_element", application=it.app, element='menu "File"')
        for name in ("Count", "Deep", "Count"):
            result = tools("click_element", application=it.app, element=f'menuitem "{name}"')
            has(result["evidence"], "its menu stayed open and was closed")
            same((it.log()[-1], is_open()), (f"menu={name}", False), result)
        tools("select_menu_item", application=it.app, path="File > More > Deep")
        same((it.log()[-1], is_open()), ("menu=Deep", False))
        tools("click_element", application=it.app, element='menuitem "Ask"')
        same(it.log()[-1], "menu=Ask")
        tools("handle_dialog", application=it.app, button="Yes")
        until(lambda: it.log()[-1] == "answer=0", "the answer: Escape would have been -1")


run([(f"boxes, numbers and sliders ({kind})", matrix(kind)) for kind in OWN]
    + [("steps that do not meet the number (Swing)", steps_that_miss), ("menus that stay open (Swing)", menus_of_swing)],
    ("Xvfb", "openbox", "dbus-daemon"))
