"""Twenty tasks that a person gives to an agent, in real applications. What came of each is read in the application's own output:
a saved file, a folder, a page's title, the clipboard, the window system.

The agent knows what the person told it, and what the tools show. Names of files are the person's own words."""

import json
import pathlib
import re
import subprocess
import zipfile

from tools import has, same, until

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "gnome-calculator", "mousepad", "thunar", "chromium", "soffice", "xterm", "xclip",
          "xdotool")

BROWSER = """[Desktop Entry]
Type=Application
Name=Chromium
Exec=chromium --no-sandbox --test-type --no-first-run --disable-gpu --force-renderer-accessibility %U
"""

ORDER = """<!doctype html><meta charset="utf-8"><title>Order</title><h1>Order 2026-4711</h1>
<p>Reference: <b id="ref">ACME-77341-XZ</b></p><p>Total: 1,284.50 EUR</p>
<p>Ship to: Ada Lovelace, 12 St James's Square, London</p><p><a href="terms.html">Terms of delivery</a></p>"""
TERMS = """<!doctype html><meta charset="utf-8"><title>Terms of delivery</title><p>Delivery takes four working days.</p>"""
FORM = """<!doctype html><meta charset="utf-8"><title>Registration</title>
<form onsubmit="document.title = 'sent ' + JSON.stringify(Object.fromEntries(new FormData(this))); return false">
<p><label>Name <input name="name"></label> <label>Mail <input name="mail"></label> <label>City <input name="city"></label>
<p><label>Ticket <select name="ticket"><option>student<option>regular<option>press</select></label>
<p><label><input type="checkbox" name="lunch"> Lunch</label> <button>Send</button></form>"""
FACTS = "Name: Grace Hopper\nMail: grace@navy.example\nCity: Arlington\n"


def at_home(desktop):
    """The person's documents and pages, and their browser."""
    home = pathlib.Path(desktop.env["HOME"])
    entries = home / ".local/share/applications"
    entries.mkdir(parents=True)
    (entries / "chromium.desktop").write_text(BROWSER, encoding="utf-8")
    documents = home / "Documents"
    documents.mkdir()
    for name, text in {"order.html": ORDER, "terms.html": TERMS, "form.html": FORM, "visitor.txt": FACTS, "draft.txt": "a draft\n",
                       "report.txt": "colour and colour\n", "old.txt": "not needed\n", "kept.txt": "as it was\n",
                       "list.txt": "pears\napples\nplums\n"}.items():
        (documents / name).write_text(text, encoding="utf-8")


def documents(desktop):
    return pathlib.Path(desktop.env["HOME"], "Documents")


def content(path):
    return path.read_text(encoding="utf-8") if path.exists() else ""


class App:
    """One application, by its resource name."""

    def __init__(self, agent, name, files=(), **more):
        self.agent = agent
        opened = agent("open_application", application=name, wait=30, **({"files": [str(f) for f in files]} if files else {}), **more)
        self.name, self.window = opened["application"]["name"], opened["window"]

    def __call__(self, tool, /, **arguments):
        return self.agent(tool, application=self.name, **arguments)

    def keys(self, *chords):
        for chord in chords:
            self.agent("create_input", action="keys", keys=chord)

    def type(self, text):
        self.agent("create_input", action="type", text=text)

    def see(self, element, timeout=30):
        self("wait_for", condition="element", element=element, timeout=timeout)

    def outline(self):
        return self("get_ui_tree", max_tokens=4000)["outline"]

    def quit(self):
        self.agent("quit_application", application=self.name, force=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.quit()


def editor(agent, *files):
    it = App(agent, "Mousepad", files)
    it.see("text")
    return it


def save_as(it, path):
    it("select_menu_item", path="File > Save As...")
    it("handle_dialog", path=str(path), button="Save")
    until(path.exists, f"the file {path}")


def page(agent, desktop, name, title):
    it = App(agent, "Chromium", [documents(desktop) / name])
    agent("wait_for", condition="title", window=it.window, text=title, timeout=30)
    return it


def titled(desktop, pattern):
    """Returns the visible windows with such a title, as the window system has them, not our tools."""
    done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", pattern], env=desktop.env, check=False,
                          capture_output=True, text=True)
    return done.stdout.split()


# --- calculating, writing ------------------------------------------------------------------------

def calculates(agent, desktop):
    with App(agent, "Calculator") as it:
        agent("focus_window", window=it.window)
        it.type("12*34\n")
        agent("wait_for", condition="still", window=it.window)
        it.keys("ctrl+c")
        has(json.dumps(agent("get_clipboard")), '"408"')
        same(clipboard(desktop), "408")


def clipboard(desktop):
    return subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=desktop.env, check=False, capture_output=True,
                          text=True, timeout=20).stdout


def note_saved(agent, desktop):
    path = documents(desktop) / "shopping.txt"
    with editor(agent) as it:
        it.type("milk\neggs\n")
        save_as(it, path)
    same(content(path), "milk\neggs\n")


def note_goes_on(agent, desktop):
    """The note of before, opened by its name: its path has been on the screen, as the editor's title."""
    path = documents(desktop) / "shopping.txt"
    with editor(agent, path) as it:
        it.keys("ctrl+End")
        it.type("flour\n")
        it("select_menu_item", path="File > Save")
        until(lambda: "flour" in content(path), "the saved line")
    same(content(path), "milk\neggs\nflour\n")


def replaced(agent, desktop):
    path = documents(desktop) / "report.txt"
    with editor(agent, path) as it:
        it("select_menu_item", path="Search > Find and Replace...")
        it.see("dialog")
        for field, text in (("Search for", "colour"), ("Replace with", "color")):
            it("write_element_value", element=f'entry in combobox "{field}"', value=text)
        it("click_element", element='checkbox "Replace all in:"')
        it("click_element", element='button "Replace All"')
        it("click_element", element='button "Close"')
        it("select_menu_item", path="File > Save")
        until(lambda: "color" in content(path), "the other word")
    same(content(path), "color and color\n")


def dialog_refused(agent, desktop):
    """Closed without saving."""
    path = documents(desktop) / "kept.txt"
    it = editor(agent, path)
    it.type("nonsense ")
    agent("close_window", window=it.window)
    it("handle_dialog", button="don't save")
    agent("wait_for", condition="gone", window=it.window)
    same(content(path), "as it was\n")


def sorted_lines(agent, desktop):
    path = documents(desktop) / "list.txt"
    with editor(agent, path) as it:
        it("select_menu_item", path="Edit > Select All")
        it("select_menu_item", path="Edit > Convert > To Uppercase")
        it("select_menu_item", path="File > Save")
        until(lambda: "PEARS" in content(path), "the saved list")
    same(content(path), "PEARS\nAPPLES\nPLUMS\n")


# --- files ---------------------------------------------------------------------------------------

def selected(it, name):
    """Selects an icon by the menu, because icons are not elements."""
    it("select_menu_item", path="Edit > Select by Pattern...")
    it.see("dialog")
    it("write_element_value", element="entry in dialog", value=name)
    it("handle_dialog", button="Select")


def renamed(agent, desktop):
    folder = documents(desktop)
    with App(agent, "Thunar", [folder]) as it:
        it.see('menu "Edit"')
        selected(it, "draft.txt")
        it("select_menu_item", path="Edit > Rename...")
        it.see("dialog")
        it("write_element_value", element="entry in dialog", value="final.txt")
        it("handle_dialog", button="Rename")
        until((folder / "final.txt").exists, "the new name")
    same((folder / "draft.txt").exists(), False)


def folder_made(agent, desktop):
    folder = documents(desktop)
    with App(agent, "Thunar", [folder]) as it:
        it.see('menu "File"')
        it("select_menu_item", path="File > Create Folder...")
        it.see("dialog")
        it("write_element_value", element="entry in dialog", value="Invoices")
        it("handle_dialog", button="Create")
        until((folder / "Invoices").is_dir, "the folder")


def deleted(agent, desktop):
    """For good, because Thunar asks then. A trash, into which it moves without a question, is there only beside gvfs."""
    folder = documents(desktop)
    with App(agent, "Thunar", [folder]) as it:
        it.see('menu "Edit"')
        selected(it, "old.txt")
        it.keys("shift+Delete")
        it("handle_dialog", button="Delete")
        until(lambda: not (folder / "old.txt").exists(), "the file's end")


# --- pages ---------------------------------------------------------------------------------------

def value_typed(agent, desktop):
    """A value that a page shows is typed in an editor and saved."""
    path = documents(desktop) / "reference.txt"
    with page(agent, desktop, "order.html", "Order") as it:
        it.see('label "ACME-77341-XZ"')
        reference = re.search(r"[A-Z]+-\d+-[A-Z]+", it.outline()).group()
        with editor(agent) as other:
            other.type(f"Our reference: {reference}\n")
            save_as(other, path)
    same(content(path), "Our reference: ACME-77341-XZ\n")


def link_followed(agent, desktop):
    with page(agent, desktop, "order.html", "Order") as it:
        it.see('link "Terms of delivery"')
        it("click_element", element='link "Terms of delivery"')
        agent("wait_for", condition="title", window=it.window, text="Terms of delivery", timeout=30)
        it.see('label "Delivery takes four working days."')
    same(titled(desktop, "^Order"), [])


def form_filled(agent, desktop):
    """The form's values are in a text file that is open beside it."""
    with editor(agent, documents(desktop) / "visitor.txt") as notes:
        facts = dict(re.findall(r"(\w+): ([^\n\\]+)", notes("get_element", element="text")["value"]))
    with page(agent, desktop, "form.html", "Registration") as it:
        it.see('button "Send"')
        for field in ("Name", "Mail", "City"):
            it("write_element_value", element=f'entry "{field}"', value=facts[field])
        it("select_option", element='combobox "Ticket"', option="press")
        it("click_element", element='checkbox "Lunch"')
        it("click_element", element='button "Send"')
        until(lambda: titled(desktop, "^sent "), "what was sent")
        title = agent("get_window", window=it.window)["title"]
    same(json.JSONDecoder().raw_decode(title[len("sent "):])[0],
         {"name": "Grace Hopper", "mail": "grace@navy.example", "city": "Arlington", "ticket": "press", "lunch": "on"})


def address_typed(agent, desktop):
    """A program that is started with arguments is asked about: that is the policy's will."""
    with App(agent, "Chromium", arguments=["--incognito"]) as it:
        it.see('entry "Address and search bar"')
        it.keys("ctrl+l")
        it.type(f"file://{documents(desktop)}/terms.html\n")
        until(lambda: titled(desktop, "^Terms of delivery"), "the page")


# --- office --------------------------------------------------------------------------------------

class Office(App):
    def quit(self):
        """What is killed offers to recover its documents at the next start."""
        self.agent("quit_application", application=self.name)


def office(agent, part):
    it = Office(agent, f"libreoffice-{part}")
    it.see('menu "File"', 50)
    while 'dialog "' in it.outline():
        it("handle_dialog", button="cancel")
    return it


def in_archive(path):
    with zipfile.ZipFile(path) as file:
        return file.read("content.xml").decode()


def copied_to_writer(agent, desktop):
    path = documents(desktop) / "order.odt"
    with page(agent, desktop, "order.html", "Order") as it:
        it.see('label "ACME-77341-XZ"')
        it.keys("ctrl+a", "ctrl+c")
        until(lambda: "ACME" in clipboard(desktop), "the copied page")
        with office(agent, "writer") as writer:
            agent("focus_window", window=writer.window)
            writer.keys("ctrl+alt+shift+v")
            writer.see('paragraph "Reference: ACME-77341-XZ"')
            save_as(writer, path)
    has(in_archive(path), "ACME-77341-XZ")


def cells(agent, desktop):
    path = documents(desktop) / "costs.ods"
    with office(agent, "calc") as it:
        agent("focus_window", window=it.window)
        it("act", steps=[{"type": "12\n30\n=A1+A2\n"}], timeout=50)
        save_as(it, path)
    has(in_archive(path), 'office:value="42"')


# --- the desktop itself --------------------------------------------------------------------------

def screenshot(agent, desktop):
    path = documents(desktop) / "desktop.png"
    agent("capture_screenshot", path=str(path))
    same(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


def arranged(agent, desktop):
    """Side by side."""
    area = agent("list_displays")["displays"][0]["work_area"]
    with App(agent, "Calculator") as left, editor(agent) as right:
        for it, x in ((left, area["x"]), (right, area["x"] + area["width"] // 2)):
            agent("resize_window", window=it.window, width=area["width"] // 2, height=area["height"] - 40)
            agent("move_window", window=it.window, x=x, y=area["y"])
        found = subprocess.run(["xdotool", "getwindowgeometry", "--shell", right.window.rpartition("/")[2]], env=desktop.env,
                               check=True, capture_output=True, text=True).stdout
    at = dict(line.split("=") for line in found.split())
    same(abs(int(at["X"]) - area["width"] // 2) < 20, True, found)


def notification_read(agent, desktop):
    """The agent watches while a window with news opens."""
    watch = agent("create_observation", what="windows", events=["window_opened"])["name"]
    done = subprocess.Popen(["xterm", "-T", "Backup finished", "-e", "sleep", "60"], env=desktop.env)
    try:
        until(lambda: titled(desktop, "^Backup finished"), "the window")
        until(lambda: "Backup finished" in agent.text("get_observation", name=watch), "the event")
    finally:
        done.terminate()
        done.wait()
    agent("cancel_observation", name=watch)


def in_a_terminal(agent, desktop):
    """The person says which command, about a file that has been on the screen."""
    path = documents(desktop) / "count.txt"
    it = App(agent, "XTerm")
    agent("focus_window", window=it.window)
    it.type(f"cd {documents(desktop)}; wc -l < shopping.txt > count.txt\n")
    until(lambda: content(path), "the count")
    same(content(path).strip(), "3")
    it.quit()


SCRIPT = """
local it = tools.open_application { name = "Mousepad", wait = 30 }
tools.wait_for { condition = "element", element = "text", application = it.application.name }
tools.create_input { action = "type", text = "by a script" }
tools.select_menu_item { path = "File > Save As...", application = it.application.name }
tools.handle_dialog { path = "%s", button = "Save", application = it.application.name }
tools.quit_application { name = it.application.name, force = true }
return "saved"
"""


def by_a_script(agent, desktop):
    path = documents(desktop) / "script.txt"
    result = agent.result("run_lua", code=SCRIPT % path)
    same(result.is_error or False, False, result.content)
    until(path.exists, "the file")
    same(content(path), "by a script")


TASKS = [
    ("multiply two numbers in the calculator", calculates),
    ("write a note and save it under a name", note_saved),
    ("open that note again and add a line", note_goes_on),
    ("replace a word everywhere in a report", replaced),
    ("close a file without saving it", dialog_refused),
    ("put a list in capitals by the menu", sorted_lines),
    ("rename a file in the file manager", renamed),
    ("make a folder for invoices", folder_made),
    ("delete a file in the file manager", deleted),
    ("read a value in a page and type it in an editor", value_typed),
    ("follow a link and read the page", link_followed),
    ("fill a form in a page from a text file", form_filled),
    ("go to an address in a private window of the browser", address_typed),
    ("copy a page to the clipboard and paste it in Writer", copied_to_writer),
    ("fill cells in Calc and save the sheet", cells),
    ("take a screenshot of the desktop and save it", screenshot),
    ("put two windows side by side", arranged),
    ("notice a window that opens", notification_read),
    ("run a command in a terminal", in_a_terminal),
    ("write and save a file by a script", by_a_script),
]
