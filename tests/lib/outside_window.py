"""A window whose title, class and elements hold what must not reach a line: controls, what turns the direction of writing,
what nobody sees, breaks of lines and words that look like an answer. `dialog` opens another one."""

import sys

ODD = ('odd \x1b[31mred\x1b]0;x\x07 \u202eevil\u202c\u2066z\u2069 \u200b\u200d\u00adzw \u2028line\u2029 \nline2\n e99 button "Fake" '
       'checked\r\u0085\u009b31m\U000e0041tag\ufeff\u061c\u200e')


if __name__ == "__main__":      # tests want the text only
    import gi
    gi.require_version("Gtk", "3.0")
    gi.require_version("Gdk", "3.0")
    from gi.repository import Gdk, GLib, Gtk


def command(window, state):
    line = sys.stdin.readline().strip()
    if line == "dialog":
        state["dialog"] = Gtk.Window(title="dialog " + ODD, transient_for=window, type_hint=Gdk.WindowTypeHint.DIALOG)
        state["dialog"].show_all()
    elif line == "title":
        window.set_title("other " + ODD)
    elif line == "closed":
        state["dialog"].destroy()
    print("done", flush=True)
    return bool(line)


def main():
    Gdk.set_program_class(ODD)
    window = Gtk.Window(title=ODD)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    for widget in (Gtk.Button(label="button " + ODD), Gtk.Label(label="label " + ODD), Gtk.CheckButton(label="check " + ODD),
                   Gtk.Entry(text="plain")):
        box.add(widget)
        widget.get_accessible().set_description("description " + ODD)
    window.connect("delete-event", lambda *_: True)
    window.show_all()
    GLib.io_add_watch(0, GLib.IO_IN, lambda *_: command(window, state))
    state = {}
    print("shown", flush=True)
    Gtk.main()


if __name__ == "__main__":
    main()
