#!/usr/bin/env python3
"""A window of Tk with an entry and a text field: tk_window.py TITLE FILE [--reads-late]

It keeps FILE a JSON object of what the fields hold. With --reads-late Ctrl+V in the field only reads the clipboard, twice,
and again whenever there is a file FILE.read, as applications do that read it more than once for one paste.
"""

import json
import os
import sys
import tkinter

AGAIN = 5      # milliseconds between the two reads, which must not overlap: Tk runs timers while it waits for an answer


def main():
    title, path = sys.argv[1:3]
    root = tkinter.Tk()
    root.title(title)
    root.geometry("500x300+60+60")
    entry = tkinter.Entry(root, width=60)
    entry.pack()
    field = tkinter.Text(root, height=8)
    field.pack()
    reads = []

    def read():
        try:
            reads.append(root.selection_get(selection="CLIPBOARD", type="UTF8_STRING"))
        except tkinter.TclError:
            reads.append(None)

    def look():
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump({"entry": entry.get(), "field": field.get("1.0", "end-1c"), "reads": reads}, file)
        os.replace(path + ".new", path)
        if os.path.exists(path + ".read"):
            os.remove(path + ".read")
            read()
        root.after(10, look)

    def read_twice():
        read()
        root.after(AGAIN, read)

    def read_often(_event):
        root.after(0, read_twice)
        return "break"

    if "--reads-late" in sys.argv:
        field.bind("<Control-v>", read_often)
    field.wait_visibility()     # a click before that meets no field
    look()
    root.mainloop()


main()
