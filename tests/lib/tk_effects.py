#!/usr/bin/env python3
"""A window of Tk whose keys have effects, some of them late: tk_effects.py TITLE

    F2   a popup opens, and closes after 0.15 seconds      F6   for a second something moves in it
    F3   after 0.3 seconds a window "An answer" opens      F7   nothing
    F4   after 0.3 seconds its title has " - saved"        F8   a popup opens and stays; the next F8 closes it
    F5   after 0.3 seconds the other windows close         F9   at once a window "An answer" opens

A click into it has the effect of F9, and Shift with a key that of the key without the delay.
"""

import sys
import tkinter

LATE = 300          # milliseconds


class Effects:
    def __init__(self, title):
        self.title, self.root, self.menu, self.windows = title, tkinter.Tk(), None, []
        self.root.title(title)
        self.root.geometry("300x200+60+60")
        self.label = tkinter.Label(self.root, text="0")
        self.label.pack()
        for key, effect in (("F3", self.open), ("F4", self.save), ("F5", self.close)):
            self.root.bind(f"<{key}>", lambda _event, effect=effect: self.root.after(LATE, effect))
            self.root.bind(f"<Shift-{key}>", lambda _event, effect=effect: effect())
        self.root.bind("<F2>", lambda _event: (self.toggle(), self.root.after(150, self.toggle)))
        self.root.bind("<F6>", lambda _event: self.count(40))
        self.root.bind("<F8>", lambda _event: self.toggle())
        self.root.bind("<F9>", lambda _event: self.open())
        self.root.bind("<Button-1>", lambda _event: self.open())

    def open(self):
        window = tkinter.Toplevel(self.root)
        window.title("An answer")
        window.geometry("200x100+400+60")
        self.windows.append(window)

    def save(self):
        self.root.title(self.title + " - saved")

    def close(self):
        while self.windows:
            self.windows.pop().destroy()

    def toggle(self):
        if self.menu:
            self.menu = self.menu.destroy()
            return
        self.menu = tkinter.Toplevel(self.root)
        self.menu.overrideredirect(True)
        self.menu.geometry("100x80+100+120")

    def count(self, left):
        self.label.config(text=str(left) * 10)
        if left:
            self.root.after(25, self.count, left - 1)


effects = Effects(sys.argv[1])
effects.root.mainloop()
