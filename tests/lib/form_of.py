#!/usr/bin/python3
"""A form with one of each: a field, a password, a check box, radio buttons, a box of options, a slider, a number, rows with equal
buttons, tabs, a menu and a button that sends it: form_of.py gtk3|gtk4|qt

It prints "NAME=VALUE" for each thing that is done with it. SwingForm.java is the same in Java.
"""

import sys

SIZES, ROWS = ["Small", "Medium", "Large"], ["Pear", "Plum"]


def say(name, value=""):
    print(f"{name}={value}", flush=True)


def gtk(major):
    import gi
    gi.require_version("Gtk", f"{major}.0")
    from gi.repository import Gio, GLib, Gtk
    new = major == 4

    def put(box, child, grow=False):
        if new:
            child.set_vexpand(grow)
            box.append(child)
        else:
            box.pack_start(child, grow, grow, 0)
        return child

    def named(grid, name, field):
        label = Gtk.Label(label=name)
        label.set_mnemonic_widget(field)
        grid.attach(label, 0, named.row, 1, 1)
        grid.attach(field, 1, named.row, 1, 1)
        named.row += 1
        return field
    named.row = 0

    def button(name, told=None):
        made = Gtk.Button(label=name)
        made.connect("clicked", lambda _: say(told or name))
        return made

    def size_box():
        if new:
            box = Gtk.DropDown.new_from_strings(SIZES)
            box.connect("notify::selected", lambda box, _: say("Size", box.get_selected_item().get_string()))
            return box
        box = Gtk.ComboBoxText()
        for size in SIZES:
            box.append_text(size)
        box.set_active(0)
        box.connect("changed", lambda box: say("Size", box.get_active_text()))
        return box

    def order():
        grid = Gtk.Grid(row_spacing=6, column_spacing=6)
        name = named(grid, "Name", Gtk.Entry())
        name.connect("changed", lambda entry: say("Name", entry.get_text()))
        secret = Gtk.PasswordEntry() if new else Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD)
        named(grid, "Password", secret)
        named(grid, "Size", size_box())
        volume = named(grid, "Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
        volume.set_size_request(220, -1)
        volume.connect("value-changed", lambda field: say("Volume", f"{field.get_value():g}"))
        count = named(grid, "Count", Gtk.SpinButton.new_with_range(0, 100, 1))
        count.connect("value-changed", lambda field: say("Count", f"{field.get_value():g}"))
        gift = Gtk.CheckButton(label="Gift")
        gift.connect("toggled", lambda check: say("Gift", check.get_active()))
        grid.attach(gift, 1, named.row, 1, 1)
        group = None
        for row, way in enumerate(("Card", "Cash"), named.row + 1):
            radio = Gtk.CheckButton(label=way) if new else Gtk.RadioButton(label=way, group=group)
            if new:
                radio.set_group(group)
            group = group or radio
            radio.connect("toggled", lambda radio, way=way: radio.get_active() and say("Pay", way))
            grid.attach(radio, 1, row, 1, 1)
        group.set_active(True)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        put(box, grid)
        rows = put(box, Gtk.ListBox(), True)
        for fruit in ROWS:
            line = Gtk.Box(spacing=30)
            put(line, Gtk.Label(label=fruit))
            put(line, button("Add", f"Add {fruit}"))
            if new:
                rows.append(line)
            else:
                rows.add(line)
        put(box, button("Send"))
        return box

    def menus(app):
        bar, file = Gio.Menu(), Gio.Menu()
        for name in ("Copy", "Print"):
            action = Gio.SimpleAction.new(name.lower(), None)
            action.connect("activate", lambda *_, name=name: say("menu", name))
            app.add_action(action)
            file.append(name, f"app.{name.lower()}")
        bar.append_submenu("File", file)
        app.set_menubar(bar)

    def show(app):
        menus(app)
        window = Gtk.ApplicationWindow(application=app, title="Form", show_menubar=True)
        book = Gtk.Notebook()
        book.append_page(order(), Gtk.Label(label="Order"))
        book.append_page(button("Empty"), Gtk.Label(label="Notes"))
        if new:
            window.set_child(book)
            window.present()
        else:
            window.add(book)
            window.show_all()

    GLib.set_prgname("form")
    app = Gtk.Application(application_id="org.example.Form")
    app.connect("activate", show)
    app.run([])


def qt():
    from PyQt5.QtCore import Qt
    from PyQt5.QtWidgets import (QApplication, QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QListWidget,
                                 QMainWindow, QPushButton, QRadioButton, QSlider, QSpinBox, QTabWidget, QVBoxLayout, QWidget)
    app = QApplication(["form"])
    window = QMainWindow(windowTitle="Form")
    menu = window.menuBar().addMenu("File")
    for name in ("Copy", "Print"):
        menu.addAction(name, lambda name=name: say("menu", name))

    def button(name, told=None):
        made = QPushButton(name)
        made.clicked.connect(lambda: say(told or name))
        return made

    page, book = QWidget(), QTabWidget()
    column, form = QVBoxLayout(page), QFormLayout()
    column.addLayout(form)
    name, secret, size = QLineEdit(), QLineEdit(echoMode=QLineEdit.Password), QComboBox()
    name.textChanged.connect(lambda text: say("Name", text))
    size.addItems(SIZES)
    size.currentTextChanged.connect(lambda text: say("Size", text))
    volume, count, gift = QSlider(Qt.Horizontal, maximum=100), QSpinBox(maximum=100), QCheckBox("Gift")
    volume.valueChanged.connect(lambda value: say("Volume", value))
    count.valueChanged.connect(lambda value: say("Count", value))
    gift.toggled.connect(lambda on: say("Gift", on))
    for label, field in (("Name", name), ("Password", secret), ("Size", size), ("Volume", volume), ("Count", count), ("", gift)):
        form.addRow(label, field)
    for number, way in enumerate(("Card", "Cash")):
        radio = QRadioButton(way)
        radio.setChecked(number == 0)
        radio.toggled.connect(lambda on, way=way: on and say("Pay", way))
        form.addRow("", radio)
    fruits = QListWidget(maximumHeight=80)
    fruits.addItems(ROWS)
    fruits.currentTextChanged.connect(lambda text: say("Fruit", text))
    column.addWidget(fruits)
    for fruit in ROWS:
        line = QHBoxLayout()
        line.addWidget(QLabel(fruit))
        line.addWidget(button("Add", f"Add {fruit}"))
        column.addLayout(line)
    column.addWidget(button("Send"))
    book.addTab(page, "Order")
    book.addTab(button("Empty"), "Notes")
    window.setCentralWidget(book)
    window.show()
    app.exec_()


qt() if sys.argv[1] == "qt" else gtk(int(sys.argv[1][-1]))
