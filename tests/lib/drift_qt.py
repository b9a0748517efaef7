#!/usr/bin/python3
"""The order form of drift_form.py in Qt: drift_qt.py PLAN"""

import os
import sys

os.environ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from PyQt5.QtCore import QTimer                                                             # noqa: E402
from PyQt5.QtWidgets import QApplication, QFormLayout, QGroupBox, QHBoxLayout, QLabel, QLineEdit, QMessageBox, QPushButton, QWidget  # noqa: E402

from drift_form import Form                                                                 # noqa: E402


class Window(QWidget):
    def __init__(self, form):
        super().__init__(windowTitle=form.plan["title"])
        self.form, names = form, form.names
        layout, self.said = QFormLayout(self), QLabel("nothing added")
        for key in ("name", "mail"):
            field = QLineEdit()
            field.textChanged.connect(lambda text, key=key: form.wrote(key, text))
            layout.addRow(names[key], field)
        for row in form.rows:
            box = QGroupBox(row)
            QHBoxLayout(box).addWidget(self.button(names["add"], f"Add {row}", lambda row=row: self.said.setText(f"added {row}")))
            layout.addRow(box)
        for name in form.plan["more"]:
            layout.addRow(self.button(name, name))
        layout.addRow(self.button(names["remove"], "Remove"))
        layout.addRow(self.button(names["send"], "Send", lambda: self.setWindowTitle(form.title_when_sent())))
        layout.addRow(self.said)

    def button(self, text, name, effect=None):
        made = QPushButton(text)

        def pressed():
            self.form.note(press=name)
            if effect:
                QTimer.singleShot(self.form.plan["delay"], effect)
        made.clicked.connect(pressed)
        return made


def main():
    form = Form(sys.argv[1])
    application = QApplication(sys.argv[:1])
    application.setApplicationName("driftqt")
    if form.plan["font"]:
        application.setStyleSheet(f"* {{ font-size: {form.plan['font']}pt; background: #222; color: #fd0 }}")
    window = Window(form)
    window.show()
    if form.plan["tip"]:
        tip = QMessageBox(QMessageBox.Information, form.names["tip"], form.names["tip"], QMessageBox.NoButton, window)
        tip.addButton(form.names["ok"], QMessageBox.AcceptRole).clicked.connect(lambda: form.note(press="OK"))
        tip.open()
    application.exec_()


main()
