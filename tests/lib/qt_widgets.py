#!/usr/bin/python3
"""A window of Qt with the widgets that tests of elements need (tests/c/elements_run.h): a check box, radio buttons, an entry, a
number, push buttons and a list."""

import os

os.environ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"

from PyQt5.QtWidgets import (QApplication, QCheckBox, QFormLayout, QLineEdit, QListWidget, QPushButton, QRadioButton,  # noqa: E402
                             QSlider, QSpinBox, QWidget)

application = QApplication([])
window = QWidget(windowTitle="widgets of Qt")
form = QFormLayout(window)
off = QPushButton("off")
off.setEnabled(False)
first, second = QRadioButton("one"), QRadioButton("two")
first.setChecked(True)
spin = QSpinBox(maximum=100)
rows = QListWidget()
rows.addItems([f"row {n}" for n in range(5)])
for name, widget in (("name", QLineEdit()), ("check", QCheckBox("check")), ("radio", first), ("radio", second), ("number", spin),
                     ("slider", QSlider()), ("button", QPushButton("push")), ("off", off), ("rows", rows)):
    form.addRow(name, widget)
window.show()
application.exec_()
