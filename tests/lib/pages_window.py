#!/usr/bin/python3
"""A window of GTK 4, without bindings of it: the button "Turn" turns a stack and a notebook to their other page, and opens or closes two revealers."""

import ctypes

GTK = ctypes.CDLL("libgtk-4.so.1")
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
CROSSFADE, SLIDE_UP = 1, 4       # kinds of GtkRevealerTransitionType


def make(kind, *arguments):
    function = getattr(GTK, f"gtk_{kind}")
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*arguments))


def button(label):
    return make("button_new_with_label", label.encode())


GTK.gtk_init()
window, box, turn = make("window_new"), make("box_new", 1, 0), button("Turn")
stack, notebook, revealers = make("stack_new"), make("notebook_new"), []
for name in ("first", "second"):
    GTK.gtk_stack_add_named(stack, button(f"{name} of the stack"), name.encode())
    GTK.gtk_notebook_append_page(notebook, button(f"{name} of the notebook"), make("label_new", name.encode()))
for kind in (CROSSFADE, SLIDE_UP):
    revealers.append(make("revealer_new"))
    GTK.gtk_revealer_set_child(revealers[-1], button(f"second of the revealer {kind}"))
    GTK.gtk_revealer_set_transition_duration(revealers[-1], 0)
    GTK.gtk_revealer_set_transition_type(revealers[-1], kind)
for each in (turn, stack, notebook, *revealers):
    GTK.gtk_box_append(box, each)
turned = [False]


@CALLBACK
def on_turn(*_):
    turned[0] = not turned[0]
    GTK.gtk_stack_set_visible_child_name(stack, b"second" if turned[0] else b"first")
    GTK.gtk_notebook_set_current_page(notebook, int(turned[0]))
    for revealer in revealers:
        GTK.gtk_revealer_set_reveal_child(revealer, int(turned[0]))


GTK.g_signal_connect_data(turn, b"clicked", on_turn, None, None, 0)
GTK.gtk_window_set_title(window, b"Pages")
GTK.gtk_window_set_child(window, box)
GTK.gtk_window_present(window)
GTK.g_main_loop_new.restype = ctypes.c_void_p
GTK.g_main_loop_run(ctypes.c_void_p(GTK.g_main_loop_new(None, 0)))
