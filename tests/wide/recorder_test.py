#!/usr/bin/env python3
"""perigee record in the kinds of applications: xdotool works as a person would, and each recorded step has to name the element that
was clicked. Prints a table.

    tests/wide/recorder_test.py [KIND ...]

A click is right if its step, or the step that it is a part of, is in the macro as it has to be. A step that nobody did is wrong
unless the recording says of it that it is not sure. A recording has at most as many lines as the person did actions: a click, a text
typed, a key combination are one each. Its lines are those of run() but `macro:window`, which is no step, and `wait`, which the
recorder adds by itself for what came between two actions.
"""

import contextlib
import difflib
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops                               # noqa: E402
import folders                                           # noqa: E402
import tap                                               # noqa: E402
from applications import HERE                            # noqa: E402
from recordings import Person, recording                 # noqa: E402
from tap import Failure, Skip                            # noqa: E402
from tools import PATIENCE, Tools, same, still, until    # noqa: E402

PYTHON = "/usr/bin/python3"
WRAPPER = "/usr/share/java/java-atk-wrapper.jar"
JAVA = f"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:{WRAPPER}"
SECRET = "geheim-77"
SHARE = 0.9


def plain(line):
    """A line without the variable of its window."""
    return re.sub(r"^(?:local \w+ = )?\w+:", "", line)


class Verdict:
    """What a recording is worth, held against the plan."""

    def __init__(self, plan, lines, notes):
        steps = [plain(line) for line in lines if not re.match(r"local \w+ = macro:window", line)]
        self.lines = sum(not step.startswith("wait") for step in steps)
        marked = {int(note.split()[1].rstrip(":")) - 1 for note in notes}
        wanted = [(step, hasty) for _, _, step, hasty in plan if step]
        blocks = difflib.SequenceMatcher(None, [step for step, _ in wanted], steps, autojunk=False).get_matching_blocks()
        there = {block.a + i for block in blocks for i in range(block.size)}
        used = {block.b + i for block in blocks for i in range(block.size)}
        self.wrong = [step for i, step in enumerate(steps) if i not in used and i not in marked and not step.startswith("wait")]
        self.missing = [step for i, (step, hasty) in enumerate(wanted) if i not in there and not hasty]
        self.marked = [steps[i] for i in marked if i < len(steps)]
        self.clicks = self.right = at = 0
        for _, is_click, step, hasty in plan:
            self.clicks += is_click and not hasty
            self.right += is_click and not hasty and at in there
            at += step is not None

    def holds(self):
        return not self.wrong and self.right >= SHARE * self.clicks


# --- what is written somewhere -------------------------------------------------------------------------------------

def files_with(text, *places):
    """The files below these places that have it."""
    found = []
    for place in places:
        for path in pathlib.Path(place).rglob("*"):
            if path.is_file() and not path.is_symlink() and "fb" not in path.parts and text.encode() in path.read_bytes():
                found.append(str(path))
    return found


# --- forms ---------------------------------------------------------------------------------------------------------

def form(program, *arguments, option="menuitem", cash="radio", row='in listitem "Plum"', menu="menu", boxes=(0, 0), menus=(0, 0), env=None,
         dwell=0.3, tab=("tab", '\\"{}\\"')):
    """The same form in a toolkit; `boxes` and `menus`: the way from where it says that their items are."""
    @contextlib.contextmanager
    def opened(desktop, _tools):
        path = desktop.folder / "form.log"
        with open(path, "wb") as log, subprocess.Popen([program, *arguments], env={**desktop.env, **(env or {})}, stdout=log,
                                                       stderr=subprocess.DEVNULL) as process:
            try:
                yield process.pid
            finally:
                process.kill()

    def work(it, desktop):
        path = desktop.folder / "form.log"
        tabs = [f'click("tab {tab[1].format(name, number)}")' for number, name in enumerate(("Order", "Notes"), 1)]
        it.dwell = dwell
        it.has('button "Send"')
        it.click('entry "Name"')
        it.type("Ada", 'set("entry \\"Name\\"", args.name)', 'entry "Name"')
        it.click('password')
        it.type(SECRET, 'set("password \\"Password\\"", args.password, { unseen = true })')
        it.click('combobox "Size"')
        it.click(f'{option} "Large"', 'choose("combobox \\"Size\\"", args.size)', moved=boxes)
        until(lambda: not it.popups(), "the list is closed")
        it.click('slider "Volume"', "VOLUME", across=0.75)
        try:
            until(lambda: b"Volume=" in path.read_bytes(), "a moved slider")
        except Failure as failure:
            raise Failure(f"{failure}: {it.place}, {it.found('slider ' + chr(34) + 'Volume' + chr(34))}, {it.popups()}, {path.read_bytes()}") from None
        volume = still(lambda: it.value('slider "Volume"'))
        it.plan[-1] = (*it.plan[-1][:2], f'set("slider \\"Volume\\"", "{volume}")', False)
        it.click('checkbox "Gift"', 'set("checkbox \\"Gift\\"", "true")')
        it.click(f'{cash} "Cash"', 'click("radio \\"Cash\\"")' if cash == "radio" else 'set("checkbox \\"Cash\\"", "true")')
        it.click('button "Add" nth 2', f'click("button \\"Add\\" {row.replace(chr(34), chr(92) + chr(34))}")')
        it.click(f'{menu} "File"')
        it.click('menuitem "Copy"', 'menu("File > Copy")', moved=menus)
        it.click(f'{tab[0]} "Notes"', tabs[1])
        it.click('button "Empty"', 'click("button \\"Empty\\"")')
        it.click(f'{tab[0]} "Order"', tabs[0])
        it.click('button "Send"', 'click("button \\"Send\\"")')
        it.hasty('button "Add" nth 1', f'click("button \\"Add\\" {row.replace("Plum", "Pear").replace(chr(34), chr(92) + chr(34))}")')
        log = until(lambda: (now := path.read_text(encoding="utf-8").split()).count("Add") == 2 and now, "all that was done")
        for told in ("Name=Ada", "Size=Large", "Pay=Cash", "menu=Copy", "Empty=", "Send=", "Plum=", "Pear="):
            same(told in log, True, (told, log))
    return opened, work


KINDS = {
    "GTK 4": form(PYTHON, str(HERE / "form_of.py"), "gtk4", option="listitem", cash="checkbox", menu="menuitem", boxes=(-3, 32),
                  menus=(-11, 18), dwell=1.2, tab=("label", '\\"Tab\\" nth {1}')),
    "Qt": form(PYTHON, str(HERE / "form_of.py"), "qt", option="listitem", row='near "Plum"', menu="menuitem",
               env={"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}),
    "Swing": form("java", str(HERE / "SwingForm.java"), option="label", row='near "Plum"', menus=(0, 19), env={"JAVA_TOOL_OPTIONS": JAVA}),
    "GTK 3": form(PYTHON, str(HERE / "form_of.py"), "gtk3"),
}


# --- applications ---------------------------------------------------------------------------------------------------

def started(*argv, env=None):
    """A program that is started before the recording."""
    @contextlib.contextmanager
    def opened(desktop, _tools):
        if not shutil.which(argv[0]):
            raise Skip(f"{argv[0]} is not installed (vendor/install wide)")
        words = [word.format(folder=desktop.folder) for word in argv]
        with subprocess.Popen(words, env={**desktop.env, "GSETTINGS_BACKEND": "memory", **(env or {})}, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            try:
                yield process.pid
            finally:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                process.kill()
    return opened


def in_mousepad(it, desktop):
    path = desktop.folder / "first.txt"
    it.click("text")
    it.type("Hello there", 'set("text", args.text)', "text")
    it.click('menu "View"')
    it.click('menuitem "Line Numbers"', 'menu("View > Line Numbers")')
    it.click('menu "Edit"')
    it.click('menuitem "Select All"', 'menu("Edit > Select All")')
    it.click('menu "Edit"')
    it.click('menu "Convert"')
    it.click('menuitem "To Uppercase"', 'menu("Edit > Convert > To Uppercase")')
    until(lambda: it.value("text") == "HELLO THERE", "the converted text")
    it.click('menu "File"')
    it.click('menuitem "Save As..."', 'menu("File > Save As...")')
    it.has('button "Save"')
    it.keys("ctrl+a")
    it.type(str(path), None, 'entry "Name"')
    it.click('button "Save"', 'dialog("Save As", { button = "Save", path = args.file })')
    until(path.exists, "the file")
    it.click('menu "Edit"')
    it.click('menuitem "Preferences..."', 'menu("Edit > Preferences...")')
    it.click('tab "Editor"', 'click("tab \\"Editor\\"")')
    it.click('checkbox "Enable automatic indentation" in dialog', 'set("checkbox \\"Enable automatic indentation\\"", "true")')


def in_thunar(it, desktop):
    """Its view of icons tells of none of them: clicks there are marked."""
    place = desktop.folder / "home" / "place"
    it.empty(0.4, 0.45)
    it.empty(0.8, 0.8)
    it.click('menu "View"')
    it.click('checkitem "List View"', 'menu("View > List View")')
    it.has('cell "first"')
    it.click('cell "first"', 'click("cell \\"first\\"")')
    it.click('cell "second"', 'click("cell \\"second\\"", { count = 2 })', times=2)
    it.has('cell "inner"')
    it.click('button "Open Parent"', 'click("button \\"Open Parent\\"")')
    it.has('cell "first"')
    it.click('cell "first"', 'call("click_element", { application = "Thunar", button = "right", element = "cell \\"first\\"" })', button=3)
    it.click('menuitem "Rename..."', 'click("menuitem \\"Rename...\\"")')
    it.has('button "Rename"')
    it.keys("ctrl+a")
    it.type("third", 'set("entry \\"Enter the new name\\"", args.enter_the_new_name)')
    it.click('button "Rename"', 'dialog("Rename \\"first\\"", { button = "Rename" })')
    until((place / "third").is_dir, "the other name")
    it.one.await_step("dialog(")


PAGE = """<!doctype html><meta charset="utf-8"><title>Order</title><h1>Order fruit</h1><p id="told">nothing</p>
<form onsubmit="document.title = 'sent ' + guest.value; return false">
<p><label>Guest <input id="guest"></label> <label>Password <input type="password"></label>
<p><label>Size <select id="size"><option>Small<option>Medium<option>Large</select></label>
<label>Volume <input id="volume" type="range" min="0" max="100" value="0"></label>
<p><label><input type="checkbox" id="gift"> Gift</label>
<label><input type="radio" name="pay" checked> Card</label> <label><input type="radio" name="pay" id="cash"> Cash</label>
<ul><li>Pear <button type="button" onclick="told.textContent = 'pear'">Add</button>
<li>Plum <button type="button" onclick="told.textContent = 'plum'">Add</button></ul>
<p><a href="#terms">Terms</a> <button><b>Send</b> it</button></form>"""


def in_a_page(it, _desktop):
    it.has('button "Send it"')
    it.click('entry "Guest"')
    it.type("Ada", 'set("entry \\"Guest\\"", args.guest)', 'entry "Guest"')
    it.click("password")
    it.type(SECRET, 'set("password \\"Password\\"", args.password, { unseen = true })')
    it.click('combobox "Size"')
    it.click('menuitem "Large"', 'choose("combobox \\"Size\\"", args.size)')
    it.click('slider "Volume"', "VOLUME", across=0.75)
    until(lambda: it.value('slider "Volume"') != "0", "a moved slider")
    it.plan[-1] = (*it.plan[-1][:2], f'set("slider \\"Volume\\"", "{it.value("slider " + chr(34) + "Volume" + chr(34))}")', False)
    it.click('checkbox "Gift"', 'set("checkbox \\"Gift\\"", "true")')
    it.click('radio "Cash"', 'click("radio \\"Cash\\"")')
    it.click('button "Add" nth 2', 'click("button \\"Add\\" near \\"Plum\\"")')
    it.has('label "plum"')
    it.click('link "Terms"', 'click("link \\"Terms\\"")')
    it.click('heading "Order fruit"', 'click("heading \\"Order fruit\\"")')
    it.click('button "Send it"', 'click("button \\"Send it\\"")')
    until(lambda: any(each["title"].startswith("sent Ada") for each in it.tools("list_windows")["windows"]), "the title")


def in_writer(it, _desktop):
    it.has('toggle "Bold"')
    it.writing()
    it.type("Dear Ada", 'set("paragraph", args.text)')
    it.keys("ctrl+a", step='keys("ctrl+a")')
    for name in ("Bold", "Italic", "Formatting Marks"):
        it.click(f'toggle "{name}"', f'click("toggle \\"{name}\\"")')
    it.click('menu "Insert"')
    it.click('menuitem "Bookmark..."', 'menu("Insert > Bookmark...")')
    it.has('button "Close"')
    it.click('button "Close"', 'dialog("Bookmark", { button = "Close" })')
    it.one.await_step("dialog(")
    it.click('menu "Table"')
    it.click('menuitem "Insert Table..."', 'menu("Table > Insert Table...")')


def in_calc(it, _desktop):
    it.has('cell "C5"')
    for cell, text in (("B2", "12"), ("C3", "30"), ("D4", "words")):
        it.click(f'cell "{cell}"', f'click("cell \\"{cell}\\"")')
        it.type(text, f'set("cell \\"{cell}\\"", args.{cell.lower()})')
        it.keys("Return")
        until(lambda cell=cell, text=text: it.value(f'cell "{cell}"') == text, f"{cell} with {text}")
    it.click('cell "B2"', 'click("cell \\"B2\\"")')
    it.click('toggle "Bold"', 'click("toggle \\"Bold\\"")')
    it.click('toggle "Italic"', 'click("toggle \\"Italic\\"")')
    it.click('menu "Sheet"')
    it.click('menuitem "Insert Sheet..."', 'menu("Sheet > Insert Sheet...")')
    it.has('button "Cancel"')
    it.click('button "Cancel"', 'dialog("Insert Sheet", { button = "Cancel" })')
    it.one.await_step("dialog(")


@contextlib.contextmanager
def chromium(desktop, tools):
    """A page that was opened by a tool: Chromium tells of its elements only if the bus for that is there."""
    words = ["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--window-size=900,700",
             f"--user-data-dir={desktop.folder}/chromium", f"--app=file://{desktop.folder}/order.html"]
    if not shutil.which("chromium"):
        raise Skip("chromium is not installed (vendor/install wide)")
    opened = tools("open_application", name=shutil.which("chromium"), wait=PATIENCE, arguments=words)
    try:
        yield opened["application"]["pid"]
    finally:
        tools.result("quit_application", name=opened["application"]["name"], force=True)


KINDS.update({
    "mousepad": (started("mousepad"), in_mousepad),
    "Thunar": (started("thunar", "{folder}/home/place"), in_thunar),
    "Chromium": (chromium, in_a_page),
    "Writer": (started("soffice", "--writer", "--norestore", "--nologo", env={"SAL_USE_VCLPLUGIN": "gtk3"}), in_writer),
    "Calc": (started("soffice", "--calc", "--norestore", "--nologo", env={"SAL_USE_VCLPLUGIN": "gtk3"}), in_calc),
})


# --- terminals ------------------------------------------------------------------------------------------------------

def in_a_terminal(it, desktop):
    """Text that is typed at `read -s` is in no file."""
    first, second = desktop.folder / "first", desktop.folder / "second"
    it.writing()
    it.one.xdotool("type", "--delay", 20, f"touch {first}; read -s x; touch {second}")
    it.plan.append(("type a command", False, None, False))
    it.keys("Return", step='keys("return")')
    until(first.exists, "the command")
    until(lambda: hides(desktop), "a secret that is read")
    it.one.xdotool("type", "--delay", 20, SECRET)
    it.plan.append(("type a secret", False, None, False))
    it.keys("Return", step='keys("return")')
    until(second.exists, "the secret was read")


def hides(desktop):
    """True if some terminal of this desktop reads a secret."""
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"DISPLAY={desktop.env['DISPLAY']}\0".encode() not in path.read_bytes():
                continue
            tty = os.readlink(path.parent / "fd" / "0")
            if tty.startswith("/dev/pts/"):
                told = subprocess.run(["stty", "-a", "-F", tty], capture_output=True, text=True).stdout.split()
                if "-echo" in told and "icanon" in told:
                    return True
    return False


KINDS.update({
    "xterm": (started("xterm", "-e", "bash", "--norc"), in_a_terminal),
    "xfce4-terminal": (started("xfce4-terminal", "--disable-server", "-x", "bash", "--norc"), in_a_terminal),
})
TERMINALS = {"xterm", "xfce4-terminal"}


# --- all of them -----------------------------------------------------------------------------------------------------

def prepared(desktop):
    """The files that the applications are given."""
    for name in ("first", "second/inner"):
        (desktop.folder / "home" / "place" / name).mkdir(parents=True)
    (desktop.folder / "order.html").write_text(PAGE, encoding="utf-8")
    return desktop


def app_of(tools, pid):
    """The application that a process is, or started: the one with the focus."""
    windows = [each for each in tools("list_windows")["windows"] if each["focused"]]
    own = [each for each in windows if each["application"] == f"applications/{pid}"]
    return (own or windows)[0]["application"] if windows else None


def recorded(kind, rows):
    opened, work = KINDS[kind]
    root = folders.fresh("perigee-wide-recorder-")
    name = re.sub(r"\W+", "_", kind.lower())
    with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env, "--toolset", "all")) as tools, \
            opened(prepared(desktop), tools) as pid:
        app = until(lambda: app_of(tools, pid), "its window")
        until(lambda: any(each["focused"] for each in tools("list_windows", parent=app)["windows"]), "its window")
        if kind != "xterm":
            until(lambda: not tools.result("get_ui_tree", application=app, source="tree").get("isError"), "its elements")
        with recording(tools, desktop, root, name, "--json") as one:
            it, undone = Person(tools, one, app), None
            try:
                work(it, desktop)
            except Failure as failure:
                tap.note(f"{kind}: {failure}")
                undone = str(failure)
            said = json.loads(one.end())
            lines = one.steps()
        verdict = Verdict(it.plan, lines, said["notes"])
        rows.append((kind, verdict.clicks, verdict.right, len(verdict.marked), len(verdict.wrong)))
        tap.note(f"{kind}: {verdict.right} of {verdict.clicks} clicks right")
        for title, list_of in (("line", lines), ("note", said["notes"]), ("missing", verdict.missing), ("WRONG", verdict.wrong)):
            for each in list_of:
                tap.note(f"    {title}: {each}")
        leaks = files_with(SECRET, desktop.folder, root) + [line for line in one.log if SECRET in line]
    shutil.rmtree(root, ignore_errors=True)
    same(leaks, [], "where the password is")
    same(undone, None, "what could not be done")
    same(verdict.lines <= len(it.plan), True, f"{verdict.lines} lines for {len(it.plan)} actions: {lines}")
    if kind in TERMINALS:
        return
    same(verdict.wrong, [], "steps that nobody did")
    same(verdict.holds(), True, f"{verdict.right} of {verdict.clicks} clicks, without {verdict.missing}")


def main(words):
    rows = []
    for kind in tap.share(KINDS):
        if not words or kind in words:
            tap.case(kind, recorded, kind, rows)
    tap.note(f"{'application':<20} clicks right marked wrong")
    for row in rows:
        tap.note("{:<20} {:>6} {:>5} {:>6} {:>5}".format(*row))
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
