#!/usr/bin/env python3
"""perigee record: what another program does with the pointer and the keyboard becomes a macro, which does it again."""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import folders                                                      # noqa: E402
import server as servers                                            # noqa: E402
import xclient                                                      # noqa: E402
from lab import lab                                                 # noqa: E402
from recordings import recording, stop_command                      # noqa: E402
from script import bare_bus                                         # noqa: E402
from tools import PATIENCE, Tools, has, run, same, until            # noqa: E402

ROOT = folders.fresh("perigee-record-")
ORDERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "order_window.py")
NOTES = os.path.join(ROOT, "notes")
os.mkdir(NOTES)


def opened(tools, program, *arguments):
    """A new window: its name."""
    window = tools("open_application", application=program, new=True, wait=PATIENCE, arguments=list(arguments))["window"]
    until(lambda: not tools.result("get_ui_tree", window=window, source="tree").get("isError"), f"the elements of {program}")
    return window


@contextlib.contextmanager
def note(tools, *arguments):
    window = opened(tools, "mousepad", "--opening-mode=window", *arguments)
    until(lambda: not tools.result("get_element", element="text", window=window).get("isError"), "the text of the window")
    try:
        yield window
    finally:
        for each in tools("list_applications")["applications"]:
            if "mousepad" in (each.get("id", "") + each["display_name"]).lower():
                tools.result("quit_application", application=each["name"], force=True)
        until(lambda: not [each for each in tools("list_windows")["windows"] if "ousepad" in each["app"]], "the end of the windows")


def value_is(tools, window, element, text):
    until(lambda: tools("get_element", element=element, window=window).get("value") == text, f"the value {text!r}")


def replay(tools, macro, /, **arguments):
    until(lambda: not tools.result("describe_tool", name=macro).get("isError"), f"the tool {macro}")
    return tools(macro, **arguments)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# --- cases ------------------------------------------------------------------------------------------------------

def dialog_of(tools, title):
    return until(lambda: next((each["name"] for each in tools("list_windows")["windows"] if each["title"] == title), None), title)


def a_note_is_typed_and_saved(tools, desktop):
    """Typed text, a menu, and a file dialog; the macro then does it with other values in a new window."""
    first, second = os.path.join(NOTES, "first.txt"), os.path.join(NOTES, "second.txt")
    with note(tools) as window, recording(tools, desktop, ROOT, "save_note") as one:
        one.click("text", window=window)
        one.xdotool("type", "Hello there")
        value_is(tools, window, "text", "Hello there")
        one.click('menu "File"', window=window)
        one.click('menuitem "Save As..."', window=window)
        dialog = dialog_of(tools, "Save As")
        one.xdotool("key", "ctrl+a")
        one.xdotool("type", first)
        value_is(tools, dialog, 'entry "Name"', first)
        one.click('button "Save"', window=dialog)
        one.await_step("wait { title")
        for name in ("77.png", "mine.txt"):
            with open(os.path.join(one.path[:-len(".lua")] + ".steps", name), "wb"):
                pass
        has(one.stop(), "Recorded 4 steps")
        same(one.steps(), [
            'local mousepad = macro:window { application = "org.xfce.mousepad" }',
            'mousepad:set("text", args.text)',
            'mousepad:menu("File > Save As...")',
            'mousepad:dialog("Save As", { button = "Save", path = args.file })',
            "mousepad:wait { title = macro.base(args.file) }"])
        same(text_of(first), "Hello there")
        pictures = sorted(os.listdir(one.path[:-len(".lua")] + ".steps"))
        same(len(pictures) >= 3, True, pictures)
        of_steps = {os.path.basename(each["image"]) for each in json.loads(text_of(one.path[:-len(".lua")] + ".steps.json"))["steps"]
                    if "image" in each}
        same(sorted([*of_steps, "77.png", "mine.txt"]), pictures, "pictures of no step, and files of others")
    with note(tools):
        told = replay(tools, "save_note", text="Once more", file=second)
        same([each["ok"] for each in told["steps"]], [True] * 4, told)
        same((text_of(second), text_of(first)), ("Once more", "Hello there"))


@contextlib.contextmanager
def orders(tools, desktop):
    """The window of an order form, its name and the file of its orders."""
    path = os.path.join(NOTES, f"orders{len(os.listdir(NOTES))}.jsonl")
    program = subprocess.Popen(["/usr/bin/python3", ORDERS, path], env=desktop.env)
    name = f"applications/{program.pid}"
    try:
        window = until(lambda: next((each["name"] for each in tools("list_windows")["windows"]
                                     if each["name"].startswith(name + "/")), None), "the form")
        until(lambda: not tools.result("get_element", element='entry "Name"', window=window).get("isError"), "its fields")
        yield window, path
    finally:
        program.kill()
        program.wait()
    until(lambda: not [each for each in tools("list_windows")["windows"] if each["name"].startswith(name + "/")], "its end")


def sent(path):
    return [json.loads(line) for line in text_of(path).splitlines()] if os.path.exists(path) else []


def order(one, tools, window, name, size, password, gift):
    one.click('entry "Name"', window=window)
    one.xdotool("type", name)
    value_is(tools, window, 'entry "Name"', name)
    one.click('password', window=window)
    one.xdotool("type", password)
    one.click("combobox", window=window)
    one.click(f'menuitem "{size}"', window=window)
    if gift:
        one.click('checkbox "Gift"', window=window)
    one.click('button "Send"', window=window)
    until(lambda: tools("get_window", window=window)["title"] == f"sent {name}", "the order")


def a_form_is_filled_in(tools, desktop):
    """A text, an option and a check mark by their labels; the password is nowhere on the disk."""
    with orders(tools, desktop) as (window, path), recording(tools, desktop, ROOT, "order_one") as one:
        order(one, tools, window, "Ada", "Large", "geheim-77", True)
        one.stop("ctrl+alt+Escape")
        subprocess.run([servers.PERIGEE, "stop", "--allow"], env=desktop.env, check=True, capture_output=True)
        same(one.steps(), [
            'local orders = macro:window { application = "Orders" }',
            'orders:set("entry \\"Name\\"", args.name)',
            'orders:set("password \\"Password\\"", args.password, { unseen = true })',
            'orders:choose("combobox \\"Size\\"", args.size)',
            'orders:set("checkbox \\"Gift\\"", "true")',
            'orders:click("button \\"Send\\"")',
            'orders:wait { title = "sent " .. args.name }'], one.text())
        same(sent(path), [{"name": "Ada", "password": "geheim-77", "size": "Large", "gift": True}])
        same(b"geheim" in one.everything(), False, "the password is in a file")
    with orders(tools, desktop) as (window, path):
        has(tools.text("order_one", name="Bob"), "password")
        replay(tools, "order_one", name="Bob", size="Small", password="other")
        same(sent(path), [{"name": "Bob", "password": "other", "size": "Small", "gift": True}])


def what_is_done_again_is_a_loop(tools, desktop):
    """Two orders become a loop over the rows of a file, and its rows are beside it."""
    with orders(tools, desktop) as (window, path), recording(tools, desktop, ROOT, "order_all", "--rows") as one:
        order(one, tools, window, "Ada", "Large", "p", False)
        order(one, tools, window, "Bob", "Medium", "p", False)
        has(one.stop(), "rows.csv")
        has(one.text(), 'for row in macro:rows(args.rows, { "name", "size" }) do')
        same(text_of(one.path[:-len(".lua")] + ".steps/rows.csv"), "name,size\nAda,Large\nBob,Medium\n")
    rows = os.path.join(NOTES, "rows.csv")
    with open(rows, "w", encoding="utf-8") as file:
        file.write("name,size\nCleo,Small\nDan,Large\nEve,Medium\n")
    with orders(tools, desktop) as (window, path):
        replay(tools, "order_all", rows=rows, password="q")
        same([(each["name"], each["size"]) for each in sent(path)], [("Cleo", "Small"), ("Dan", "Large"), ("Eve", "Medium")])


def it_is_ended_by_force(tools, desktop):
    """All steps up to then are in a file that runs."""
    with orders(tools, desktop) as (window, path), recording(tools, desktop, ROOT, "order_killed") as one:
        one.click('checkbox "Gift"', window=window)
        one.click('button "About"', window=window)
        dialog = dialog_of(tools, "About orders")
        one.click("button", window=dialog)
        one.await_step("dialog(")
        one.process.send_signal(signal.SIGKILL)
        one.process.wait()
        same(one.steps(), ['local orders = macro:window { application = "Orders" }', 'orders:set("checkbox \\"Gift\\"", "true")',
                           'orders:click("button \\"About\\"")', 'orders:dialog("About orders", { button = "OK" })'])
    with orders(tools, desktop) as (window, path):
        same(len(replay(tools, "order_killed")["steps"]), 3)
        same(tools("get_element", element='checkbox "Gift"', window=window)["states"].count("checked"), 1)


CANVAS = """
window, canvas, style = Gtk.Window(title="Drawing"), Gtk.DrawingArea(), Gtk.CssProvider()
style.load_from_data(b"* {{ background-color: {color}; }}")
Gtk.StyleContext.add_provider_for_screen(window.get_screen(), style, Gtk.STYLE_PROVIDER_PRIORITY_USER)
canvas.set_size_request(300, 200)
canvas.add_events(1 << 8)
canvas.connect("button-press-event", lambda _, event: log(f"{{event.x:.0f}},{{event.y:.0f}}"))
window.add(canvas)
window.realize()
window.get_frame_clock().connect("after-paint", lambda _: log("drawn"))
window.show_all()
"""
RED, BLUE = "red", "blue"


def a_place_without_an_element(tools, desktop):
    """Its step is marked. A run clicks there, also where the window was moved, but only if the place looks as it did."""
    def window_of(it):
        """Once it is painted."""
        until(lambda: "drawn" in it.log(), "the drawing")
        window = tools("list_windows", parent=it.app)["windows"][0]
        tools("wait_for", condition="still", window=window["name"], timeout=55)
        return window

    def clicks(it):
        return [line for line in it.log() if line != "drawn"]

    with lab(tools, desktop, CANVAS.format(color=RED)) as it, recording(tools, desktop, ROOT, "drawn", "--json") as one:
        box = window_of(it)["content"]
        x, y = int(box["x"] + 140), int(box["y"] + 90)
        one.xdotool("mousemove", x, y)
        one.await_line("the pointer rests on", f"at {x},{y}")
        one.xdotool("click", 1)
        one.await_step("point(")
        said = json.loads(one.end())
        same([line.partition(":")[2] for line in one.steps()[1:]], ["point(140, 90)"], one.text())
        same(said["notes"], ["step 1: no element is known there: it is a place in the window"])
        until(lambda: clicks(it) == ["140,90"], "the click")
    with lab(tools, desktop, CANVAS.format(color=RED)) as it:
        tools("move_window", window=window_of(it)["name"], x=333, y=222)
        replay(tools, "drawn")
        until(lambda: clicks(it) == ["140,90"], "the click of the run")
    with lab(tools, desktop, CANVAS.format(color=BLUE)) as it:
        window_of(it)
        has(tools.fails("MACRO_OTHER_PICTURE", "drawn"), "record the step again")
        same(clicks(it), [], "what the other picture received")


def it_says_so_once_it_knows_what_is_there(tools, desktop):
    """A person who clicks as soon as the recorder says that it records."""
    with orders(tools, desktop) as (window, path):
        box = tools("get_element", element='checkbox "Gift"', window=window)["bounds"]
        x, y = int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)
        for i in range(2):
            subprocess.run(["xdotool", "mousemove", str(x), str(y)], env=desktop.env, check=True)
            with recording(tools, desktop, ROOT, f"at_once{i}", "--json") as one:
                one.xdotool("click", 1)
                told = ["rests on" if f'the pointer rests on checkbox "Gift" at {x},{y}' in line else "Recording" for line in one.log
                        if "the pointer rests on" in line or "Recording the macro" in line]
                same(told[-2:], ["rests on", "Recording"], one.log)
                one.await_step("Gift")
                said = json.loads(one.end())
                same((said["notes"], one.steps()[1:]), ([], ['orders:set("checkbox \\"Gift\\"", "%s")' % ("false" if i % 2 else "true")]))


def wakeups(pid):
    """How often each of its threads has waited, by its number."""
    found = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        for line in text_of(f"/proc/{pid}/task/{thread}/status").splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                found[int(thread)] = int(line.split()[1])
    return found


def it_costs_nothing(tools, desktop):
    """While the pointer rests no thread of it is woken. While it moves one is, 25 times in a second, and not the one of Lua."""
    with orders(tools, desktop) as (window, path), recording(tools, desktop, ROOT, "costs") as one, \
            xclient.Client(desktop.env["DISPLAY"]) as client:
        xtest, pid = ctypes.CDLL("libXtst.so.6"), one.process.pid

        def calls(count, before_each=lambda i: None):
            """Of another engine: a millisecond or two each."""
            for i in range(count):
                before_each(i)
                tools("list_displays")

        def move(i):
            xtest.XTestFakeMotionEvent(ctypes.c_void_p(client.display), -1, 100 + i % 500, 200 + i % 90, ctypes.c_ulong(0))
            client.lib.XSync(client.display, False)

        def is_quiet():
            before = wakeups(pid)
            calls(30)
            return wakeups(pid) == before

        def during(*what):
            """The wakeups of Lua's thread and of all, once the recorder has nothing to do any more, and the readings of 25 in
            a second."""
            until(is_quiet, "a rest of the recorder")
            before, began = wakeups(pid), time.monotonic()
            calls(*what)
            seconds, after = time.monotonic() - began, wakeups(pid)
            more = {thread: count - before.get(thread, 0) for thread, count in after.items()}
            print(f"# in {seconds:.1f} s {more[pid]} wakeups of Lua's thread, {sum(more.values())} of all")
            return more[pid], sum(more.values()), seconds / 0.04

        one.rest_on('entry "Name"', {"window": window})
        of_lua, of_all, _ = during(800)
        same((of_lua <= 6, of_all <= 12), (True, True), (of_lua, of_all))      # what it had begun may be left
        for tries in range(5):                          # on a busy machine this program may let the pointer rest
            of_lua, of_all, readings = during(800, move)
            if of_lua <= 3 + readings / 5 and of_all <= 12 + 2 * readings:
                break
            same(tries < 4, True, f"{of_lua} wakeups of Lua's thread and {of_all} of all in the time of {readings:.0f} readings")


def displayed(desktop):
    """The number of notifications on the screen."""
    done = subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=True, stdout=subprocess.PIPE)
    return int(done.stdout)


def the_sign_of_one_that_was_killed(tools, desktop):
    """The next recording removes it, and so does --stop; that of another one which runs stays."""
    subprocess.run(["dunstctl", "close-all"], env=desktop.env, check=True)
    same(displayed(desktop), 0)
    with recording(tools, desktop, ROOT, "killed_a") as one:
        same(displayed(desktop), 1)
        one.kill()
    same(displayed(desktop), 1)
    with recording(tools, desktop, ROOT, "living") as one:
        same(displayed(desktop), 1)
        with recording(tools, desktop, ROOT, "killed_b") as two:
            same(displayed(desktop), 2)
            two.kill()
        with recording(tools, desktop, ROOT, "living_too") as two:
            same(displayed(desktop), 2)
            two.kill()
        with recording(tools, desktop, ROOT, "ended") as two:
            two.process.send_signal(signal.SIGINT)
            two.process.wait(timeout=PATIENCE)
        until(lambda: displayed(desktop) == 1, "that of the one that runs, alone")
        one.kill()
    has(subprocess.run([servers.PERIGEE, "record", "--stop", "--no-user-root"], env=desktop.env, capture_output=True,
                       text=True).stderr, "No recording runs")
    same(displayed(desktop), 0)


def another_command_ends_it(tools, desktop):
    """--stop ends it, Ctrl-C does, and what was typed last is saved."""
    with orders(tools, desktop) as (window, path):
        for name, end in (("stopped", lambda one: stop_command(one.env)), ("interrupted", lambda one: one.process.send_signal(signal.SIGINT))):
            with recording(tools, desktop, ROOT, name) as one:
                one.click('entry "Name"', window=window)
                one.xdotool("key", "ctrl+a")
                one.xdotool("type", name)
                value_is(tools, window, 'entry "Name"', name)
                end(one)
                one.process.wait(timeout=PATIENCE)
                has(one.text(), f'default = "{name}"')
        same(one.process.returncode, 130)
        has(subprocess.run([servers.PERIGEE, "record", "--stop", "--no-user-root"], env=desktop.env, capture_output=True,
                           text=True).stderr, "No recording runs")


def a_tool_records(tools, desktop):
    """create_macro with record: what it answers with, that nothing done is no macro, and that the user has to see it."""
    call = ("call", "create_macro", "record:=true", "list:=true", "description=Order a gift.")
    with bare_bus(desktop, "bare") as address:
        unseen = subprocess.run([servers.PERIGEE, *call, "macro_id=unseen", "display_name=Unseen", "--no-user-root", "--root", ROOT],
                                env=dict(desktop.env, DBUS_SESSION_BUS_ADDRESS=address), stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=PATIENCE)
    same(unseen.returncode, 3, unseen)
    has(unseen.stdout + unseen.stderr, "shows no notifications")
    same([each for each in os.listdir(os.path.join(ROOT, "tools", "macros")) if "unseen" in each], [])
    with orders(tools, desktop) as (window, path):
        with recording(tools, desktop, ROOT, "macro_id=gifts", "--json", "display_name=Gifts", command=call) as one:
            one.path = os.path.join(one.folder, "gifts.lua")
            one.click('checkbox "Gift"', window=window)
            one.await_step("Gift")
            facts = json.loads(one.stop().partition("\n--- ")[0])["structuredContent"]
        same((facts["name"], facts["file"], [each["text"] for each in facts["steps"]], facts["notes"]),
             ("macros/gifts", one.path, one.steps(), []))
        for part in ("Order a gift.", "list        = true"):
            has(one.text(), part)
        with recording(tools, desktop, ROOT, "macro_id=nothing", "display_name=Nothing", command=call) as one:
            one.rest_on('checkbox "Gift"', {"window": window})
            stop_command(one.env)
            one.await_line("Nothing was recorded")
            one.process.wait(timeout=PATIENCE)
            same((one.process.returncode, [each for each in os.listdir(one.folder) if "nothing" in each]), (3, []))


run((("it says so once it knows what is there", it_says_so_once_it_knows_what_is_there),
     ("it costs nothing while the pointer moves or rests", it_costs_nothing),
     ("the sign of one that was killed is removed", the_sign_of_one_that_was_killed),
     ("a form is filled in", a_form_is_filled_in),
     ("a task that is done again is a loop", what_is_done_again_is_a_loop),
     ("it is ended by force", it_is_ended_by_force),
     ("a place without an element", a_place_without_an_element),
     ("another command ends it", another_command_ends_it),
     ("a tool records", a_tool_records),
     ("a note is typed and saved", a_note_is_typed_and_saved),),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "xdotool", "dunst", "dunstctl"), lambda desktop: Tools(desktop.env, "--root", ROOT, "--grant", NOTES, "--toolset", "all"))
shutil.rmtree(ROOT, ignore_errors=True)
