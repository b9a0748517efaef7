"""Twenty-three kinds of tasks in applications that nobody prepared, with the tools of the default list only. What came of each is
read in the application's own output: a saved file, a setting in its file, a page's title."""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import zipfile
import zlib

from ordinary import App, content, documents, save_as, titled
from tap import Failure, Skip
from tools import Tools, has, same, until

BROWSER = """[Desktop Entry]
Type=Application
Name=Chromium
Exec=chromium --no-sandbox --test-type --no-first-run --disable-gpu --force-renderer-accessibility %U
"""


class Agent(Tools):
    """A session that calls listed tools with listed parameters only, and counts calls and tokens: four bytes of what it sends and
    reads are about one."""

    def __init__(self, env):
        super().__init__(env)
        listed = self.server.ask("tools/list")["result"]["tools"]
        self.listed = {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in listed}
        self.calls = self.bytes = 0
    def result(self, name, /, **arguments):
        strange = [name] if name not in self.listed else sorted(set(arguments) - self.listed[name])
        if strange:
            raise Failure(f"{name} {arguments}: {', '.join(strange)} is not in the default list")
        result = super().result(name, **arguments)
        self.calls += 1
        self.bytes += len(name) + len(json.dumps(arguments)) + sum(len(part.get("text", "")) for part in result["content"])
        return result


class Work(App):
    """One application, started by the name that a person calls it by."""

    def __init__(self, agent, name, *files):
        if not shutil.which(name) and not name.startswith("libreoffice-"):
            raise Skip(f"{name} is not installed (vendor/install wide)")
        super().__init__(agent, name, files)

    def see(self, element, timeout=15):
        super().see(element, timeout)

    def quit(self):
        self.agent.result("quit_application", application=self.name, force=True)   # it may have ended by itself

    def done(self, tool, /, **arguments):
        """The result of a tool that has to say that something was seen, or that the application answers too slowly to see it."""
        result = self(tool, **arguments)
        same(result["effect"] in ("confirmed", "partial", "unknown"), True, (tool, arguments, result))
        return result

    def click(self, *elements):
        for element in elements:
            self.done("click_element", element=element)

    def write(self, element, value):
        same(self("write_element_value", element=element, value=value)["effect"], "confirmed", (element, value))

    def menu(self, path):
        self.done("select_menu_item", path=path)

    def press(self, *buttons):
        for button in buttons:
            same(self("handle_dialog", button=button)["effect"], "confirmed", button)

    def refs(self, pattern):
        """The refs of the lines in the outline that match."""
        return re.findall(rf"^ *(e\d+) {pattern}", self.outline(), re.MULTILINE)

    def ref(self, pattern):
        return until(lambda: self.refs(pattern), pattern)[0]


def written(desktop, *names):
    """Returns the content of a file below the home folder, once it is there."""
    return until(lambda: content(pathlib.Path(desktop.env["HOME"], *names)), "/".join(names))


# --- writing ----------------------------------------------------------------------------------------

def a_document_is_saved_under_a_name(agent, desktop):
    path = documents(desktop) / "note.txt"
    with Work(agent, "mousepad") as it:
        it.write("text", "Dear Ada,\nit works.\n")
        save_as(it, path)
    same(content(path), "Dear Ada,\nit works.\n")


def text_is_replaced(agent, desktop):
    path = documents(desktop) / "colour.txt"
    path.write_text("colour and colour\n", encoding="utf-8")
    with Work(agent, "featherpad", path) as it:
        it.see("text")
        it.menu("Search > Replace...")
        it.write(it.ref('entry "Find'), "colour")
        it.write(it.ref('entry "Replace'), "color")
        it.click(it.refs("button$")[-1])    # it has a picture only: find next, find previous, replace all
        it.keys("ctrl+s")
        until(lambda: "colour" not in content(path), "the replaced text")
    same(content(path), "color and color\n")


def a_change_is_undone(agent, desktop):
    path = documents(desktop) / "kept.txt"
    path.write_text("as it was\n", encoding="utf-8")
    with Work(agent, "geany", path) as it:
        it.see("text")
        it.keys("ctrl+a")
        it.type("lost")
        until(lambda: 'button "Save" off' in it.outline() or it.menu("Edit > Undo"), "a document that is as it was")
        save_as(it, path.with_name("again.txt"))
    same(content(path.with_name("again.txt")), "as it was\n")


# --- settings ---------------------------------------------------------------------------------------

def settings_on_tabs_are_changed(agent, desktop):
    """Spin fields, a combo box and a check box on two tabs."""
    with Work(agent, "geany") as it:
        it.menu("Edit > Preferences")
        it.click('tab "Editor"')
        it.write('spin "Line breaking column"', "100")
        it.click('tab "Files"')
        it.write('combobox "Default end of line characters"', "Classic Mac (CR)")
        it.write('spin "Recent files list length"', "7")
        it.click('checkbox "Strip trailing spaces and tabs"')
        it.press("OK")
        it.menu("File > Quit")
        text = written(desktop, ".config", "geany", "geany.conf")
    for line in ("line_break_column=100", "mru_length=7", "default_eol_character=1", "pref_editor_trail_space=true"):
        has(text, line)


def a_combo_box_and_an_entry_of_preferences(agent, desktop):
    with Work(agent, "xfce4-terminal") as it:
        it.menu("Edit > Preferences")
        it.write('combobox "Scrollbar is"', "On the left side")
        it.write('combobox "Cursor shape"', "Underline")
        it.write('entry "Initial title"', "work")
        it.write('spin "Scrollback"', "5000")
        it.press("Close")
        text = until(lambda: "5000" in (text := terminal_settings(desktop)) and text, "the settings")
    for value in ("left", "underline", "work"):
        has(text.lower(), value)


def terminal_settings(desktop):
    home = pathlib.Path(desktop.env["HOME"], ".config")
    return content(home / "xfce4/terminal/terminalrc") + content(home / "xfce4/xfconf/xfce-perchannel-xml/xfce4-terminal.xml")


TASKS_OF_OSMO = (".local", "share", "osmo", "tasks_entries.xml")


# --- forms ------------------------------------------------------------------------------------------

def a_wizard_is_followed(agent, desktop):
    """Grisbi's three assistants, one after another; leaves the file that the next task books in."""
    path = documents(desktop) / "house.gsb"
    with Work(agent, "grisbi") as it:
        it.press("Forward", "Forward", "Forward")
        it.write('entry "Filename"', str(path))
        it.press("Forward", "Forward", "Forward", "Forward", "Close", "Forward", "Forward")
        it.write('entry "Opening balance"', "100")
        it.press("Forward")
        it.write('entry "Please enter the name of the new account"', "Household")
        it.press("Close")
        it.menu("File > Save")
        if "Save changes" in it.outline():
            it.press("Save")
        until(path.exists, "the file of accounts")
    has(content(path), 'Name="Household"')
    has(content(path), 'Initial_balance="100.00"')


def a_booking_is_entered(agent, desktop):
    """Fields that show what they are for as their text."""
    path = documents(desktop) / "house.gsb"
    with Work(agent, "grisbi", path) as it:
        agent("maximize_window", window=it.window)
        it.see("alert")
        it.press("Close")       # the tip of the day
        it.see('cell "Household"')
        it.click('cell "Household"', 'button "New transaction"')
        fields = [(it.ref(pattern), value) for pattern, value in (
            (r'entry ="\d+/\d+/\d+"', "15/11/2026"), ('entry ="Payee"', "Grocer"), ('entry ="Debit"', "12.50"))]
        for ref, value in fields:
            it.write(ref, value)
        it.click('button "Validate"')
        it.menu("File > Save")
        if "Save changes" in it.outline():
            it.press("Save")
        until(lambda: "Grocer" in content(path), "the booking")
    has(content(path), 'Dt="11/15/2026"')
    has(content(path), 'Am="-12.50"')


def a_task_with_a_date(agent, desktop):
    """By the buttons of a calendar that pops up."""
    with Work(agent, "osmo") as it:
        it.click('tab "Tasks"', 'button "New task"')
        it.write('entry "Summary"', "pay the rent")
        it.write('combobox "Priority"', "High")
        it.click('button "Select date and time"', 'button "Tomorrow"')
        same(it("get_element", element='"Due date"')["value"] != "No date", True)
        it.press("OK")
        has(written(desktop, *TASKS_OF_OSMO), "<summary>pay the rent</summary>")
    has(written(desktop, *TASKS_OF_OSMO), "<priority>2</priority>")
    same("<due_date>0</due_date>" in written(desktop, *TASKS_OF_OSMO), False, "a date")


def a_check_cell_is_set(agent, desktop):
    """The task before gets the mark that it is done."""
    with Work(agent, "osmo") as it:
        it.see('cell "pay the rent"')       # it shows the tab that it showed last
        it.click('cell "pay the rent"')
        it.write(it.ref("cell selected"), "true")
        until(lambda: "<status>1</status>" in written(desktop, *TASKS_OF_OSMO), "the mark")


def spin_fields_of_a_timer(agent, desktop):
    """With the ratio sign between them. The window has its row of tabs twice."""
    with Work(agent, "gnome-clocks") as it:
        it.click('tab "Timer" nth 1')
        for n, value in enumerate(("01", "20", "30"), 1):
            it.write(f"spin nth {n}", value)
        it.click(it.refs("button$")[-1])
        until(lambda: "4830" in settings(desktop), "the timer")


def settings(desktop):
    return content(pathlib.Path(desktop.env["HOME"], ".config/glib-2.0/settings/keyfile"))


def a_list_is_reordered(agent, desktop):
    """By dragging, in Audacious, which Debian 12 builds for GTK 2."""
    with Work(agent, "audacious") as it:
        it.menu("File > Settings")
        it("act", steps=[{"drag": 'cell "Album"', "to": 'cell "Title"'}])
        it.click('button "Close"')
        it.keys("ctrl+q")
        text = written(desktop, ".config", "audacious", "config")
    has(text, "playlist_columns=album title artist")


# --- files ------------------------------------------------------------------------------------------

def an_archive_is_extracted_into_a_folder(agent, desktop):
    place = documents(desktop)
    (place / "out").mkdir()
    with zipfile.ZipFile(place / "both.zip", "w") as file:
        file.writestr("one.txt", "one")
    with Work(agent, "engrampa", place / "both.zip") as it:
        it.see('cell "one.txt"')
        it.click('button "Extract"')
        same(it("handle_dialog", path=str(place / "out"), button="Extract")["effect"], "confirmed")
        it.press("Close")
    same(content(place / "out" / "one.txt"), "one")


def a_file_is_added_to_an_archive(agent, desktop):
    place = documents(desktop)
    (place / "two.txt").write_text("two", encoding="utf-8")
    with zipfile.ZipFile(place / "more.zip", "w") as file:
        file.writestr("one.txt", "one")
    with Work(agent, "engrampa", place / "more.zip") as it:
        it.see('cell "one.txt"')
        it.click('button "Add Files"')
        it("handle_dialog", path=str(place / "two.txt"), button="Add")
        it.see('cell "two.txt"')
    with zipfile.ZipFile(place / "more.zip") as file:
        same((sorted(file.namelist()), file.read("two.txt")), (["one.txt", "two.txt"], b"two"))


def a_folder_is_renamed_by_its_menu(agent, desktop):
    place = documents(desktop) / "place"
    (place / "first").mkdir(parents=True)
    with Work(agent, "thunar", place) as it:
        it.menu("View > List View")
        it("click_element", element='cell "first"', button="right")
        it.click('menuitem "Rename..."')
        it.see("dialog")
        it.write("entry in dialog", "second")
        it.press("Rename")
        until((place / "second").is_dir, "the other name")
    same(os.listdir(place), ["second"])


# --- pictures and sums --------------------------------------------------------------------------------

def image(path, width, height):
    """A white PNG image."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xff" * 3 * width) * height
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def size_of(path):
    return struct.unpack(">II", path.read_bytes()[16:24]) if path.exists() else None


def an_image_is_turned(agent, desktop):
    path = documents(desktop) / "wide.png"
    image(path, 60, 20)
    with Work(agent, "eom", path) as it:
        it.menu("Edit > Rotate Clockwise")
        it.menu("Image > Save")
        until(lambda: size_of(path) == (20, 60), "the turned image")


def an_image_is_saved_under_another_name(agent, desktop):
    """GTK 2 in Debian 12."""
    path, other = documents(desktop) / "first.png", documents(desktop) / "second.png"
    image(path, 30, 20)
    with Work(agent, "gpicview", path) as it:
        it.see('button "Save As"')
        it.click('button "Save As"')
        it("handle_dialog", path=str(other), button="Save")
        until(other.exists, "the other image")
    same(size_of(other), (30, 20))


def a_sum_is_copied_into_a_document(agent, desktop):
    """Between two applications."""
    path = documents(desktop) / "sum.txt"
    with Work(agent, "galculator") as it:
        it("act", steps=[{"click": f'toggle "{key}"'} for key in "12*34="])
        it("select_menu_item", path="Edit > Copy Display Value")
        has(agent.text("get_clipboard"), "408")
        with Work(agent, "mousepad") as other:
            other.see("text")
            other.keys("ctrl+v")
            save_as(other, path)
    same(content(path).strip(), "408")


def a_command_in_a_terminal(agent, desktop):
    path = documents(desktop) / "lines.txt"
    with Work(agent, "xfce4-terminal") as it:
        it.see("terminal")
        it.type(f"seq 3 >{path}; wc -l {path}\n")
        until(path.exists, "the file")
        it("wait_for", condition="element", element=f'text*="3 {path}"')
    same(content(path), "1\n2\n3\n")


# --- pages, offices, Java -----------------------------------------------------------------------------

BOOKING = """<!doctype html><meta charset="utf-8"><title>Booking</title><h1>Book a room</h1>
<form onsubmit="document.title = 'sent ' + JSON.stringify(Object.fromEntries(new FormData(this))); return false">
<p><label>Guest <input name="guest"></label> <label>Nights <input name="nights" type="number" value="1"></label>
<p><label>Arrival <input name="arrival" type="date"></label>
<p><label>Room <select name="room"><option>single<option>double<option>suite</select></label>
<p><label><input type="checkbox" name="breakfast"> Breakfast</label>
<label><input type="radio" name="pay" value="card" checked> Card</label> <label><input type="radio" name="pay" value="cash"> Cash</label>
<p><label>Wishes <textarea name="wishes"></textarea></label> <button>Book</button></form>"""
DIALOG = """<!doctype html><meta charset="utf-8"><title>Files</title><button id="remove">Remove all</button>
<dialog id="sure"><p>Remove 3 files?</p><form method="dialog"><button value="no">Keep</button> <button value="yes">Remove</button></form></dialog>
<script>
remove.onclick = () => sure.showModal();
sure.onclose = () => { document.title = "answered " + sure.returnValue + (sure.returnValue == "yes" && confirm("Really?") ? " twice" : ""); };
</script>"""


def page(agent, desktop, name, text):
    path = documents(desktop) / name
    path.write_text(text, encoding="utf-8")
    return Work(agent, "chromium", path)


def title_of(desktop, begin):
    found = until(lambda: titled(desktop, "^" + begin), f"a window {begin}")
    return subprocess.run(["xdotool", "getwindowname", found[0]], env=desktop.env, check=True, capture_output=True, text=True).stdout


def a_room_is_booked(agent, desktop):
    with page(agent, desktop, "booking.html", BOOKING) as it:
        it.see('button "Book"')
        for element, value in (('entry "Guest"', "Ada Grüße"), ('spin "Nights"', "3"), ('entry "Arrival"', "2026-12-24"),
                               ('combobox "Room"', "suite"), ('checkbox "Breakfast"', "true"), ('entry "Wishes"', "a quiet one")):
            it.write(element, value)
        it.click('radio "Cash"', 'button "Book"')
        title = title_of(desktop, "sent")
    same(json.JSONDecoder().raw_decode(title[len("sent "):])[0],
         {"guest": "Ada Grüße", "nights": "3", "arrival": "2026-12-24", "room": "suite", "breakfast": "on", "pay": "cash",
          "wishes": "a quiet one"})


def dialogs_of_a_page_are_answered(agent, desktop):
    with page(agent, desktop, "files.html", DIALOG) as it:
        it.see('button "Remove all"')
        it.click('button "Remove all"')
        it.press("Remove")
        it.press("OK")
        has(title_of(desktop, "answered"), "answered yes twice")


def text_is_edited_in_java(agent, desktop):
    """By keys, because Swing tells nothing of its elements. A tip of the day comes in front of the window."""
    path = documents(desktop) / "java.txt"
    path.write_text("one\n", encoding="utf-8")
    with Work(agent, "jedit", path) as it:
        until(lambda: not agent.result("wait_for", condition="window", window="Tip of the Day", timeout=15).get("isError"), "the tip")
        agent("close_window", window="Tip of the Day")
        agent("focus_window", window="jEdit - java.txt")
        it.keys("ctrl+end")
        it.type("two")
        it.keys("ctrl+s")
        until(lambda: "two" in content(path), "the saved text")
    same(content(path).split(), ["one", "two"])


def office(agent, part):
    """Past the dialogs that may come first: a choice of templates, a tip."""
    if not os.path.exists(f"/usr/share/applications/libreoffice-{part}.desktop"):
        raise Skip(f"libreoffice-{part} is not installed (vendor/install wide)")
    it = Work(agent, f"libreoffice-{part}")
    it.see('menu "File"')
    agent("wait_for", condition="still", window=it.window, timeout=15)
    if 'dialog "' in it.outline():
        it.press("cancel")
    return it


def a_letter_is_written(agent, desktop):
    path = documents(desktop) / "letter.odt"
    with office(agent, "writer") as it:
        it.write("paragraph", "Dear Ada")
        it.keys("ctrl+a")
        it.click('toggle "Bold"')
        it.menu("File > Save As...")
        it("handle_dialog", path=str(path), button="Save")
        until(path.exists, "the letter")
    text = in_document(path)
    has(text, "Dear Ada")
    has(text, 'fo:font-weight="bold"')


def a_sheet_is_filled(agent, desktop):
    path = documents(desktop) / "sheet.ods"
    with office(agent, "calc") as it:
        for cell, value in (("A1", "12"), ("A2", "30")):
            it.write(f'cell "{cell}"', value)
        it("write_element_value", element='cell "A3"', value="=A1+A2")
        it.menu("File > Save As...")
        it("handle_dialog", path=str(path), button="Save")
        until(path.exists, "the sheet")
    has(in_document(path), 'office:value="42"')


def in_document(path):
    with zipfile.ZipFile(path) as file:
        return file.read("content.xml").decode()


TASKS = [
    ("a document is written and saved under a name (Mousepad)", a_document_is_saved_under_a_name),
    ("text is replaced everywhere (FeatherPad)", text_is_replaced),
    ("a change is undone (Geany)", a_change_is_undone),
    ("settings on two tabs are changed (Geany)", settings_on_tabs_are_changed),
    ("combo boxes of preferences are set (Xfce Terminal)", a_combo_box_and_an_entry_of_preferences),
    ("a wizard is followed (Grisbi)", a_wizard_is_followed),
    ("a booking is entered (Grisbi)", a_booking_is_entered),
    ("a task with a date is made (Osmo)", a_task_with_a_date),
    ("a check cell of a table is set (Osmo)", a_check_cell_is_set),
    ("spin fields of a timer are set (Clocks)", spin_fields_of_a_timer),
    ("a list is put in another order (Audacious)", a_list_is_reordered),
    ("an archive is extracted into a folder (Engrampa)", an_archive_is_extracted_into_a_folder),
    ("a file is added to an archive (Engrampa)", a_file_is_added_to_an_archive),
    ("a folder is renamed by its context menu (Thunar)", a_folder_is_renamed_by_its_menu),
    ("an image is turned and saved (Eye of MATE)", an_image_is_turned),
    ("an image is saved under another name (GPicView)", an_image_is_saved_under_another_name),
    ("a sum is copied into a document (Galculator, Mousepad)", a_sum_is_copied_into_a_document),
    ("a command runs in a terminal (Xfce Terminal)", a_command_in_a_terminal),
    ("a room is booked on a page (Chromium)", a_room_is_booked),
    ("dialogs of a page are answered (Chromium)", dialogs_of_a_page_are_answered),
    ("text is edited in an application in Java (jEdit)", text_is_edited_in_java),
    ("a letter is written in bold type (LibreOffice Writer)", a_letter_is_written),
    ("a sheet is filled (LibreOffice Calc)", a_sheet_is_filled),
]
