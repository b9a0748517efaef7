"""Runs of an agent in real applications, with the answers that its model gave: which become macros, and are tried again without a
model. Answers have `@role "name"` where the model took a ref from what it had read (agent_runs)."""

import pathlib
import zipfile

BROWSER = """[Desktop Entry]
Type=Application
Name=Chromium
Exec=chromium --no-sandbox --test-type --no-first-run --disable-gpu --force-renderer-accessibility %U
"""
ORDER = """<!doctype html><meta charset="utf-8"><title>Order</title><h1>Order 2026-4711</h1>
<p>Reference: <input aria-label="Reference" readonly value="ACME-77341-XZ"></p>"""
FORM = """<!doctype html><meta charset="utf-8"><title>Registration</title>
<form onsubmit="document.title = 'sent ' + JSON.stringify(Object.fromEntries(new FormData(this))); return false">
<p><label>Name <input name="name"></label> <label>Mail <input name="mail"></label> <label>City <input name="city"></label>
<p><label>Ticket <select name="ticket"><option>student<option>regular<option>press</select></label>
<p><label><input type="checkbox" name="lunch"> Lunch</label> <button>Send</button></form>"""


def at_home(desktop):
    """The person's documents, and a browser that starts as root, too."""
    home = pathlib.Path(desktop.env["HOME"])
    entries = home / ".local/share/applications"
    entries.mkdir(parents=True, exist_ok=True)
    (entries / "chromium.desktop").write_text(BROWSER, encoding="utf-8")
    documents = home / "Documents"
    documents.mkdir(exist_ok=True)
    for name, text in {"order.html": ORDER, "form.html": FORM, "draft.txt": "a draft\n", "report.txt": "colour and colour\n",
                       "list.txt": "pears\n"}.items():
        (documents / name).write_text(text, encoding="utf-8")
    (documents / "place" / "first").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(documents / "both.zip", "w") as file:
        file.writestr("one.txt", "one")
    return documents


def opened(name, *files, **more):
    return ("open_application", {"application": name, "wait": 120, **({"files": [str(file) for file in files]} if files else {}), **more})


def look(name):
    return ("get_ui_tree", {"application": name, "max_tokens": 4000})


def wrote(element, value, **more):
    return ("write_element_value", {"element": element, "value": value, **more})


def click(element, **more):
    return ("click_element", {"element": element, **more})


def menu(path, name):
    return ("select_menu_item", {"path": path, "application": name})


def answered(name, **more):
    return ("handle_dialog", {"application": name, **more})


def keys(chord):
    return ("create_input", {"action": "keys", "keys": chord})


def typed(text):
    return ("create_input", {"action": "type", "text": text})


def steps(name, *list_of):
    return ("act", {"application": name, "steps": list(list_of)})


def holds(name, *predicates):
    return ("verify", {"application": name, "predicates": list(predicates)})


def runs(documents):
    """(program, title, request, answers)"""
    d = str(documents)
    return [
        ("mousepad", "a note", 'In Mousepad write "milk and eggs" and save it as shopping.txt in Documents.',
         [opened("mousepad"), look("mousepad"), wrote("@text", "milk and eggs"), menu("File > Save As...", "mousepad"),
          answered("mousepad", path=f"{d}/shopping.txt", button="Save"), look("mousepad")]),
        ("mousepad", "a note in one call", "Write Dear Ada into a new note of Mousepad and save it as ada.txt.",
         [opened("mousepad"), steps("mousepad", {"set": "text", "value": "Dear Ada"}, {"keys": "ctrl+shift+s"}),
          answered("mousepad"), answered("mousepad", path=f"{d}/ada.txt", button="Save"),
          holds("mousepad", {"element": "text", "value": "Dear Ada"})]),
        ("mousepad", "a note after dead ends", 'Write "second thoughts" in Mousepad and save it as thoughts.txt.',
         [opened("mousepad"), click("e999"), look("mousepad"), wrote("@text", "first thoughts"), wrote("@text", "second thoughts"),
          menu("Edit > Preferences...", "mousepad"), answered("mousepad", button="Close"), menu("File > Open...", "mousepad"),
          answered("mousepad", button="cancel"), menu("File > Save As...", "mousepad"),
          answered("mousepad", path=f"{d}/thoughts.txt", button="Save"), look("mousepad")]),
        ("mousepad", "a note by clicks on menus", 'In Mousepad save "by clicks" as clicks.txt.',
         [opened("mousepad"), look("mousepad"), wrote("@text", "by clicks"), click('@menu "File"'), look("mousepad"),
          click('@menuitem "Save As..."'), answered("mousepad", path=f"{d}/clicks.txt", button="Save"), look("mousepad")]),
        ("mousepad", "a note goes on", "Open draft.txt in Mousepad, write flour at its end, and save it.",
         [opened("mousepad", f"{d}/draft.txt"), look("mousepad"), keys("ctrl+End"), typed("flour"), keys("ctrl+s"),
          ("find_elements", {"application": "mousepad", "selector": "text"})]),
        ("mousepad", "text is replaced", 'Replace "colour" with "color" in report.txt, in Mousepad.',
         [opened("mousepad", f"{d}/report.txt"), menu("Search > Find and Replace...", "mousepad"), look("mousepad"),
          wrote("@entry focused", "colour"), wrote("@entry", "color"), look("mousepad"),
          click('@button "Replace"'), look("mousepad")]),
        ("featherpad", "a note in FeatherPad", 'In FeatherPad write "plums" and save it as plums.txt.',
         [opened("featherpad"), look("featherpad"), wrote("@text", "plums"), menu("File > Save As...", "featherpad"),
          answered("featherpad", path=f"{d}/plums.txt", button="Save"), look("featherpad")]),
        ("featherpad", "a list goes on in FeatherPad", "Open list.txt in FeatherPad and replace all of it by apples. Save it.",
         [opened("featherpad", f"{d}/list.txt"), look("featherpad"), wrote("@text", "apples"), keys("ctrl+s"),
          ("find_elements", {"application": "featherpad", "selector": "text"})]),
        ("geany", "a document in Geany", 'Write "int x;" in Geany and save it as x.c.',
         [opened("geany"), look("geany"), keys("ctrl+n"), typed("int x;"), menu("File > Save As...", "geany"),
          answered("geany", path=f"{d}/x.c", button="Save"), ("list_windows", {"application": "geany"})]),
        ("geany", "preferences of Geany", "Set the line breaking column of Geany to 100, and strip trailing spaces.",
         [opened("geany"), menu("Edit > Preferences", "geany"), look("geany"), click('@tab "Editor"'), look("geany"),
          wrote('@spin "Line breaking column"', "100"), click('@tab "Files"'), look("geany"),
          click('@checkbox "Strip trailing spaces and tabs"'), answered("geany", button="OK")]),
        ("xfce4-terminal", "preferences of the terminal", 'Give the terminal the initial title "work" and 5000 lines of scrollback.',
         [opened("xfce4-terminal"), menu("Edit > Preferences", "xfce4-terminal"), look("xfce4-terminal"),
          wrote('entry "Initial title"', "work", application="xfce4-terminal"),
          wrote('spin "Scrollback"', "5000", application="xfce4-terminal"), look("xfce4-terminal")]),
        ("xfce4-terminal", "a command", "Run echo plums in a terminal.",
         [opened("xfce4-terminal"), look("xfce4-terminal"), typed("echo plums\n"),
          ("find_elements", {"application": "xfce4-terminal", "selector": "terminal"})]),
        ("zenity", "an answer", 'Answer "Grace Hopper" when zenity asks for a name.',
         [opened("zenity", arguments=["--entry", "--title", "Name", "--text", "Your name"]), look("zenity"),
          wrote("@entry \"Your name\"", "Grace Hopper"), look("zenity")]),
        ("zenity", "a form", "In the form of zenity, enter Ada as first name and Lovelace as last name.",
         [opened("zenity", arguments=["--forms", "--title", "Person", "--text", "Who", "--add-entry", "First", "--add-entry", "Last"]),
          look("zenity"), wrote('@entry "First"', "Ada"), wrote('@entry "Last"', "Lovelace"), look("zenity")]),
        ("thunar", "a folder is made", "In the folder place, make a folder called second with Thunar.",
         [opened("thunar", f"{d}/place"), look("thunar"), menu("File > Create Folder...", "thunar"), look("thunar"),
          wrote("entry in dialog", "second", application="thunar"), answered("thunar", button="Create"), look("thunar")]),
        ("thunar", "a view is changed", "Show the folder place as a list in Thunar.",
         [opened("thunar", f"{d}/place"), menu("View > List View", "thunar"),
          ("find_elements", {"application": "thunar", "selector": 'cell "first"'})]),
        ("osmo", "a task", 'Note the task "pay the rent" in Osmo.',
         [opened("osmo"), look("osmo"), click('@tab "Tasks"'), look("osmo"), click('@button "New task"'), look("osmo"),
          wrote('@entry "Summary"', "pay the rent"), answered("osmo", button="OK"), look("osmo")]),
        ("gnome-calculator", "a sum", "What is 12*34 in the calculator?",
         [opened("gnome-calculator"), look("gnome-calculator"), typed("12*34\n"), look("gnome-calculator")]),
        ("engrampa", "a file is added to an archive", "Add list.txt to both.zip with Engrampa.",
         [opened("engrampa", f"{d}/both.zip"), look("engrampa"), click('@button "Add Files"'),
          answered("engrampa", path=f"{d}/list.txt", button="Add"), look("engrampa")]),
        ("chromium", "a form on a page", "Register Grace Hopper, grace@navy.example, of Arlington, with form.html in Chromium.",
         [opened("chromium", f"{d}/form.html"), ("wait_for", {"application": "chromium", "condition": "element", "element": 'entry "Name"', "timeout": 55}),
          look("chromium"), wrote('@entry "Name"', "Grace Hopper"), wrote('@entry "Mail"', "grace@navy.example"),
          wrote('@entry "City"', "Arlington"), click('@button "Send"'), look("chromium")]),
        ("chromium", "a value is carried from a page to a note", "Write the reference of order.html into a note of Mousepad.",
         [opened("chromium", f"{d}/order.html"),
          ("wait_for", {"application": "chromium", "condition": "element", "element": 'entry "Reference"', "timeout": 55}), look("chromium"),
          opened("mousepad"), look("mousepad"), wrote("@text", "ACME-77341-XZ"), look("mousepad")]),
    ]
