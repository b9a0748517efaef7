"""A form with a dialog in front, in a toolkit: fronts_of.py gtk4|qt KIND. SwingFronts.java is the same in Java.

KIND: "modal", "window" (Qt: modal for its window alone) or "open" (it holds nothing). It prints a line for each thing that it receives.
"""
# pylint: disable=import-outside-toplevel

import sys


def note(text):
    print(text, flush=True)


def gtk4(kind):
    import gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import GLib, Gtk

    def opened(application):
        window = Gtk.ApplicationWindow(application=application, title="Order")
        box, name, send = Gtk.Box(orientation=Gtk.Orientation.VERTICAL), Gtk.Entry(), Gtk.Button(label="Send")
        name.update_property([Gtk.AccessibleProperty.LABEL], ["Name"])
        name.connect("changed", lambda field: note("name " + field.get_text()))
        send.connect("clicked", lambda *_: note("sent"))
        box.append(name)
        box.append(send)
        window.set_child(box)
        window.set_default_size(420, 260)
        window.present()

        def ask():
            dialog = Gtk.MessageDialog(transient_for=window, modal=kind == "modal", text="Hello", buttons=Gtk.ButtonsType.OK)
            dialog.set_title("Asking")
            dialog.present()
        GLib.timeout_add(300, ask)
    application = Gtk.Application(application_id="org.example.Fronts")
    application.connect("activate", opened)
    application.run([])


def qt(kind):
    from PyQt5 import QtCore, QtWidgets
    application = QtWidgets.QApplication(sys.argv)
    window, middle, name, send = QtWidgets.QMainWindow(), QtWidgets.QWidget(), QtWidgets.QLineEdit(), QtWidgets.QPushButton("Send")
    form = QtWidgets.QFormLayout(middle)
    form.addRow("Name", name)
    form.addRow(send)
    name.textChanged.connect(lambda text: note("name " + text))
    send.clicked.connect(lambda: note("sent"))
    window.setWindowTitle("Order")
    window.setCentralWidget(middle)
    window.menuBar().addMenu("File").addAction("Copy", lambda: note("copied"))
    window.resize(420, 260)
    window.show()
    dialog = QtWidgets.QDialog(window)
    dialog.setWindowTitle("Asking")
    QtWidgets.QVBoxLayout(dialog).addWidget(QtWidgets.QPushButton("OK"))
    dialog.setWindowModality({"modal": QtCore.Qt.ApplicationModal, "window": QtCore.Qt.WindowModal, "open": QtCore.Qt.NonModal}[kind])
    QtCore.QTimer.singleShot(300, dialog.show)
    application.exec_()



{"gtk4": gtk4, "qt": qt}[sys.argv[1]](sys.argv[2])
