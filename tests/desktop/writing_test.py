#!/usr/bin/env python3
"""Values of fields that are more than a line of text: a combo box that takes other text, a date of Qt, check marks in cells, also
those that are scrolled away. Each is held against what its application was told."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab import lab                         # noqa: E402
from tap import Skip                        # noqa: E402
from tools import has, run, same, until     # noqa: E402

GTK = """
w, v = Gtk.Window(title="Values"), Gtk.VBox()
w.add(v)
c = Gtk.ComboBoxText.new_with_entry()
for name in ("Red", "Green"):
    c.append_text(name)
c.set_active(0)
c.connect("changed", lambda c: log("color " + c.get_active_text()))
v.pack_start(c, False, False, 0)
area, rows = Gtk.ScrolledWindow(), Gtk.ListStore(bool, str)
area.set_size_request(200, 100)
for i in range(60):
    rows.append([False, "row %d" % i])
mark = Gtk.CellRendererToggle()
def toggled(_, path):
    rows[path][0] = not rows[path][0]
    log("%s is %s" % (path, rows[path][0]))
mark.connect("toggled", toggled)
table = Gtk.TreeView(model=rows)
table.append_column(Gtk.TreeViewColumn("On", mark, active=0))
table.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=1))
area.add(table)
v.pack_start(area, True, True, 0)
w.show_all()
"""

CELLS = """
w, v = Gtk.Window(title="Cells"), Gtk.VBox()
w.add(v)
area, rows, options = Gtk.ScrolledWindow(), Gtk.ListStore(str, str, str, str, int), Gtk.ListStore(str)
area.set_size_request(500, 100)
for name in ("Red", "Green"):
    options.append([name])
for i in range(30):
    rows.append(["fixed %d" % i, "text %d" % i, "entry %d" % i, "box %d" % i, 100 + i])
table = Gtk.TreeView(model=rows)
table.connect("row-activated", lambda _, path, column: log("ACTIVATED %s" % path))
def column(i, cell, **more):
    def edited(_, path, text):
        rows[path][i] = int(text) if i == 4 else text
        log("%s: %s" % (path, text))
    cell.connect("edited", edited)
    table.append_column(Gtk.TreeViewColumn("Column %d" % i, cell, text=i))
combo = {"editable": True, "model": options, "text_column": 0}
column(0, Gtk.CellRendererText())
column(1, Gtk.CellRendererText(editable=True))
column(2, Gtk.CellRendererCombo(has_entry=True, **combo))
column(3, Gtk.CellRendererCombo(has_entry=False, **combo))
column(4, Gtk.CellRendererSpin(editable=True, adjustment=Gtk.Adjustment(upper=1000, step_increment=1)))
accel = Gtk.CellRendererAccel(editable=True)
accel.connect("accel-edited", lambda *_: log("ACCELERATOR"))
table.append_column(Gtk.TreeViewColumn("Keys", accel, accel_key=4))
area.add(table)
v.add(area)
w.show_all()
"""

BARE = """
w, area, rows = Gtk.Window(title="Bare"), Gtk.ScrolledWindow(), Gtk.TreeStore(bool, str)
area.set_size_request(300, 100)
for i in range(40):
    rows.append(rows.append(None, [False, "row %d" % i]), [False, "child"])
mark = Gtk.CellRendererToggle()
def toggled(_, path):
    rows[path][0] = not rows[path][0]
    log("%s is %s" % (path, rows[path][0]))
mark.connect("toggled", toggled)
table = Gtk.TreeView(model=rows, headers_visible=False)
table.connect("row-expanded", lambda _, at, path: log("EXPANDED %s" % path))
table.append_column(Gtk.TreeViewColumn("On", mark, active=0))
table.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=1))
area.add(table)
w.add(area)
w.show_all()
"""

QT = """
import sys
from PyQt5.QtCore import QDate, Qt
from PyQt5.QtWidgets import (QApplication, QComboBox, QDateEdit, QFormLayout, QListWidget, QListWidgetItem, QTableWidget,
    QTableWidgetItem, QTreeWidget, QTreeWidgetItem, QWidget)
app, w = QApplication(sys.argv), QWidget()
form = QFormLayout(w)
date, color, table = QDateEdit(QDate(2020, 1, 1), displayFormat="yyyy-MM-dd"), QComboBox(editable=True), QTableWidget(60, 1)
tree, list_ = QTreeWidget(), QListWidget()
color.addItems(["Red", "Green"])
for i in range(60):
    item, leaf, row = QTableWidgetItem("mark %d" % i), QTreeWidgetItem(tree, ["leaf %d" % i]), QListWidgetItem("row %d" % i, list_)
    item.setCheckState(Qt.Unchecked)
    leaf.setCheckState(0, Qt.Unchecked)
    row.setCheckState(Qt.Unchecked)
    table.setItem(i, 0, item)
def told(*_):
    marks = [[i for i in range(60) if state(i)] for state in (lambda i: table.item(i, 0).checkState(),
             lambda i: tree.topLevelItem(i).checkState(0), lambda i: list_.item(i).checkState())]
    texts = [table.item(i, 0).text() for i in range(60) if table.item(i, 0).text() != "mark %d" % i]
    w.setWindowTitle(" ".join((date.date().toString(Qt.ISODate), color.currentText(), str(marks + texts))))
date.dateChanged.connect(told)
color.currentTextChanged.connect(told)
form.addRow("Date:", date)
form.addRow("Start:", QDateEdit(QDate(2020, 1, 1), displayFormat="dd.MM.yyyy"))
form.addRow("Color:", color)
for each in (table, tree, list_):
    each.itemChanged.connect(told)
    form.addRow(each)
told()
w.show()
app.exec_()
"""


def write(tools, app, element, value):
    result = tools("write_element_value", application=app, element=element, value=value)
    same(result["effect"], "confirmed", (element, value, result))


def of_gtk(tools, desktop):
    """A value that is not an option was refused; a check cell took no value; a cell without a place was near nothing."""
    with lab(tools, desktop, GTK) as it:
        for value in ("Blue", "Green"):
            write(tools, it.app, "combobox", value)
            same(it.log()[-1], f"color {value}")
        for value, held in (("true", "True"), ("off", "False")):
            write(tools, it.app, 'cell near "row 1"', value)
            until(lambda held=held: it.log()[-1] == f"1 is {held}", "the mark")
        write(tools, it.app, 'cell near "row 40"', "true")
        until(lambda: it.log()[-1] == "40 is True", "the mark of a row that was scrolled away")


def cells_of_gtk(tools, desktop):
    """They took no value. A double click activates the row, and a cell of keys takes what is typed for a shortcut."""
    with lab(tools, desktop, CELLS) as it:
        for cell, value in (("text 1", "new text"), ("text 25", "scrolled"), ("text 0", ""), ("entry 25", "Other"), ("box 2", "Green"),
                            ("103", "7")):
            write(tools, it.app, f'cell "{cell}"', value)
        written = ["1: new text", "25: scrolled", "0: ", "25: Other", "2: Green", "3: 7"]
        same(it.log(), written)
        for code, cell, said in (("ELEMENT_REFUSED", 'cell "fixed 1"', "opened no editor"), ("INVALID_ARGUMENT", 'cell "box 1"', '"Red"'),
                                 ("ELEMENT_REFUSED", 'cell near "box 1" nth 5', "not a field of text")):
            has(tools.fails(code, "write_element_value", application=it.app, element=cell, value="Pink"), said)
        has(tools.fails("NEEDS_FRONT", "write_element_value", application=it.app, element='cell "text 2"', value="x", background=True),
            "in the background")
        write(tools, it.app, 'cell "text 2"', "last")      # no editor was left open
        same(it.log(), written + ["2: last"])


def marks_without_place(tools, desktop):
    """A mark beside the arrows has no place, so a neighbor's was near and it was not in view. Its toggle opens the row."""
    with lab(tools, desktop, BARE) as it:
        for row, value, held in ((1, "true", "True"), (30, "on", "True"), (1, "false", "False")):
            write(tools, it.app, f'cell near "row {row}"', value)
            same(it.log()[-1], f"{row} is {held}")
        same(len(it.log()), 3, it.log())


def of_qt(tools, desktop):
    """The date was refused as not a number, and rows that are scrolled away were not shown: only the wheel brings them."""
    if subprocess.run(["/usr/bin/python3", "-c", "import PyQt5.QtWidgets"], check=False, capture_output=True).returncode:
        raise Skip("python3-pyqt5 is not installed")
    with subprocess.Popen(["/usr/bin/python3", "-c", QT], env={**desktop.env, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}) as process:
        try:
            app = f"applications/{process.pid}"
            until(lambda: "spin" in tools.text("get_ui_tree", application=app), "the window")
            for element, value in (('spin "Date:"', "2026-02-03"), ('combobox "Color:"', "Blue"), ('cell "mark 1"', "true"),
                                   ('cell "mark 40"', "true"), ('"leaf 30"', "true"), ('"row 50"', "true"),
                                   ('cell "mark 2"', "edited"), ('cell "mark 1"', "false")):
                write(tools, app, element, value)
            said = tools("write_element_value", application=app, element='spin "Start:"', value="2026-03-05")["evidence"]
            has(said, '"01.01.2020": write a date as it shows them')
            write(tools, app, 'spin "Start:"', "05.03.2026")
            has(tools("list_windows", parent=app)["windows"][0]["title"], "2026-02-03 Blue [[40], [30], [50], 'edited']")
        finally:
            process.kill()


run((("a combo box with a field, and check cells (GTK 3)", of_gtk),
     ("marks that report no place, in a tree without headers (GTK 3)", marks_without_place),
     ("cells of text, of options and of numbers (GTK 3)", cells_of_gtk),
     ("a date, a combo box and a check cell (Qt 5)", of_qt)),
    ("Xvfb", "openbox", "dbus-daemon"))
