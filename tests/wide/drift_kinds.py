"""Eight applications for the drift tests: how each is opened, the calls that a macro is made of, the same by the hands of a person,
and what came of a run of it, read in what the application wrote: its file, its folder, or its own log of all that it received."""

import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import zipfile

import drift_form
from ordinary import titled
from tap import Skip
from tools import Failure, until

LIB = pathlib.Path(drift_form.__file__).resolve().parent
WRAPPER = "/usr/share/java/java-atk-wrapper.jar"
JAVA = f"-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper -Xbootclasspath/a:{WRAPPER}"
PYTHON = "/usr/bin/python3"     # that of the system has its bindings of toolkits

RIGHT, NOTHING = "right", "nothing wrong"   # what came of a run; any other text says what is wrong


class Kind:
    """An application on a desktop. `parts` are in the titles of its windows."""

    needs = ()
    tells = False           # it tells of its elements whether or not accessibility is on

    def __init__(self, desktop, tools, folder):
        self.desktop, self.tools, self.folder = desktop, tools, folder
        self.processes = []
        for program in self.needs:
            if not shutil.which(program) and not os.path.exists(program):
                raise Skip(f"{program} is not installed (vendor/install wide)")

    def entry(self):
        """Lines of desktop entries, by name."""
        return {}

    def start(self, *argv, **env):
        log = open(self.folder / "out.log", "ab")   # pylint: disable=consider-using-with
        self.processes.append(subprocess.Popen(argv, env={**self.desktop.env, **env}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                               start_new_session=True))
        log.close()

    def arguments(self):
        """Of the macro."""
        return []

    def windows(self, part):
        return [each for each in self.tools("list_windows")["windows"] if part in each["title"]]

    def shown(self, part, element):
        """Waits for the window and an element of it. Returns the window's name."""
        found = until(lambda: self.windows(part), f"a window {part}")[0]["name"]
        seen = {}

        def is_there():
            seen["last"] = self.tools.result("find_elements", selector=element, window=found)
            return not seen["last"].get("isError") and seen["last"]["structuredContent"]["total_size"]
        try:
            until(is_there, f"{element} in {part}")
        except Failure as failure:
            raise Failure(f"{failure}: {seen['last']['content'][0]['text']}") from None
        return found

    def end(self):
        """Ends what it started, with what that started."""
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            process.wait()
        self.processes = []
        until(lambda: not any(self.windows(part) for part in self.parts), "the end of the windows")

    def text(self, path):
        return path.read_text(encoding="utf-8") if path.exists() else None


# --- forms -------------------------------------------------------------------------------------------

class Form(Kind):
    """The order form: it logs all that it receives. The order is: Ada, one pear, sent."""

    parts, tells = ("Order", "sent "), True
    name, wm_class = "Drift form", None
    pressed = ["Add Pear", "Send"]
    dwell = 0.3             # seconds for which a person rests
    hides = False           # what is behind a dialog is not told

    def __init__(self, desktop, tools, folder):
        super().__init__(desktop, tools, folder)
        self.log, self.other = folder / "order.log", folder / "other.log"

    def argv(self, plan):
        raise NotImplementedError

    def write(self, path, log, title, **more):
        drift_form.plan(path, log, title, **more)

    def open(self, second=False, dark=False, german=False, inserted=False, env=None, **plan):
        for log in (self.log, self.other):
            log.unlink(missing_ok=True)
        more = {**({"font": 22} if dark else {}), **({"names": drift_form.GERMAN} if german else {}),
                **({"rows": drift_form.MORE_ROWS} if inserted else {}), **plan}
        self.write(self.folder / "order.plan", self.log, "Order", **more)
        self.run(self.folder / "order.plan", env or {})
        names = more.get("names", drift_form.PLAIN)
        found = self.shown("Order", f'button "{names["ok" if more.get("tip") and self.hides else "send"]}"')
        if second:
            self.write(self.folder / "other.plan", self.other, "Other Order")
            self.run(self.folder / "other.plan", env or {})
            self.shown("Other Order", 'button "Send"')
        return found

    def run(self, plan, env):
        self.start(*self.argv(plan), **env)

    def entry(self):
        return {"drift-form": f"Name={self.name}\nExec={' '.join(self.argv(self.folder / 'order.plan'))}\nStartupWMClass={self.wm_class}\n"}

    def calls(self, window):
        tools = self.tools
        app = tools("open_application", application=self.name, wait=120)["application"]["name"]
        tools("get_ui_tree", application=app)
        tools("write_element_value", element='entry "Name"', value="Ada", application=app)
        pear = tools("find_elements", selector='button "Add"', application=app)["elements"][1]
        tools("click_element", element=pear["ref"], application=app)
        tools("click_element", element='button "Send"', application=app)
        tools("verify", predicates=[{"condition": "title", "text": "sent Ada", "window": window}])

    values = {"name": "Ada"}

    def work(self, it):
        it.dwell = self.dwell
        it.click('entry "Name"')
        it.type("Ada", None, 'entry "Name"')
        it.click('button "Add" nth 2')
        it.click('button "Send"')
        until(lambda: self.windows("sent Ada"), "the title of what was sent")
        it.one.await_step("wait { title")

    def received(self, log):
        return [json.loads(line) for line in (self.text(log) or "").splitlines()]

    def came(self):
        if self.other.exists():
            return f"the other window received {self.text(self.other)}"
        lines, values, sent = self.received(self.log), {}, None
        presses = [line["press"] for line in lines if "press" in line]
        for line in lines:
            if "field" in line:
                values[line["field"]] = line["value"]
            elif line["press"] == "Send":
                sent = dict(values)
        if presses != self.pressed[:len(presses)] or values.get("Mail") or sent not in (None, {"Name": "Ada"}):
            return f"it received {lines}"
        return RIGHT if presses == self.pressed else NOTHING


class Qt(Form):
    needs, wm_class = (PYTHON,), "driftqt"

    def __init__(self, *given):
        super().__init__(*given)
        if subprocess.run([PYTHON, "-c", "import PyQt5.QtWidgets"], check=False, capture_output=True).returncode:
            raise Skip("python3-pyqt5 is not installed (vendor/install wide)")

    def argv(self, plan):
        return [PYTHON, str(LIB / "drift_qt.py"), str(plan)]


class Gtk4(Form):
    needs, wm_class, dwell = (PYTHON,), "driftgtk", 1.2

    def __init__(self, *given):
        super().__init__(*given)
        if subprocess.run([PYTHON, "-c", "import gi; gi.require_version('Gtk', '4.0')"], check=False, capture_output=True).returncode:
            raise Skip("gir1.2-gtk-4.0 is not installed (vendor/install wide)")

    def argv(self, plan):
        return [PYTHON, str(LIB / "drift_gtk4.py"), str(plan)]


class Swing(Form):
    needs, wm_class = ("javac", WRAPPER), "DriftSwing"

    def __init__(self, *given):
        super().__init__(*given)
        subprocess.run(["javac", "-d", str(self.folder), str(LIB / "DriftSwing.java")], check=True)

    def argv(self, plan):
        return ["java", *JAVA.split(), "-cp", str(self.folder), "DriftSwing", str(plan)]

    def write(self, path, log, title, **more):
        super().write(path, log, title, **more)
        plan = json.loads(path.read_text(encoding="utf-8"))
        names = plan.pop("names")
        plan = {**plan, **{f"names.{key}": text for key, text in names.items()}, "rows": ",".join(plan["rows"]), "more": ",".join(plan["more"]),
                "tip": "true" if plan["tip"] else "false"}
        path.write_text("".join(f"{key}={value}\n" for key, value in plan.items()), encoding="utf-8")


class Page(Form):
    """In Chromium, from a server that keeps the log."""

    needs, name, parts, hides, tells = ("chromium",), "Chromium", ("Chromium",), True, False
    options = ("--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--force-renderer-accessibility")

    def __init__(self, desktop, tools, folder):
        super().__init__(desktop, tools, folder)
        kind, folder_of_it = self, folder

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                path = folder_of_it / (self.path[1:] + ".plan")
                text = kind.page(path).encode() if path.exists() else b""
                self.send_response(200 if text else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def do_POST(self):
                line = self.rfile.read(int(self.headers["Content-Length"])).decode()
                log = kind.other if "/other" in self.headers.get("Referer", "") else kind.log
                with open(log, "a", encoding="utf-8") as file:
                    file.write(line + "\n")
                self.send_response(204)
                self.end_headers()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.started, self.env = [], {}

    def page(self, path):
        plan = json.loads(path.read_text(encoding="utf-8"))
        return drift_form.page(plan, plan["font"] > 0)

    def argv(self, plan):
        profile = f"--user-data-dir={self.folder / 'chromium'}"
        return ["chromium", *self.options, profile, "--new-window", f"http://127.0.0.1:{self.server.server_port}/{plan.stem}"]

    def run(self, plan, env):
        options = ["--lang=de"] if env.get("LANGUAGE") else []
        self.start(*self.argv(plan), *options, **env)

    def entry(self):
        return {"chromium": f"Name=Chromium\nExec={' '.join(self.argv(self.folder / 'order.plan')[:-2])} %U\n"}

    def end(self):
        super().end()
        shutil.rmtree(self.folder / "chromium", ignore_errors=True)


# --- documents -----------------------------------------------------------------------------------------

def save_as(it, path, kind):
    """A person saves in another file, by the menu and the dialog of GTK."""
    it.click('menu "File"')
    it.click('menuitem "Save As..."')
    it.has('button "Save"')
    it.keys("ctrl+a")
    it.type(str(path), None, 'entry "Name"')
    it.click('button "Save" in dialog')
    until(lambda: kind.windows(path.name), "the title with the file")
    it.one.await_step("wait { title")


class Mousepad(Kind):
    def arguments(self):
        return [f"file={self.saved}"]

    needs, parts = ("mousepad",), (" - Mousepad",)

    def open(self, second=False, dark=False, german=False, env=None, tip=False, exists=False):
        self.draft, self.saved, self.other = (self.folder / name for name in ("draft.txt", "saved.txt", "other.txt"))
        self.draft.write_text("a draft\n", encoding="utf-8")
        self.other.write_text("another\n", encoding="utf-8")
        self.saved.unlink(missing_ok=True)
        if exists:
            self.saved.write_text("it was there\n", encoding="utf-8")
        env = {**(env or {}), **({"GTK_THEME": "HighContrast"} if dark else {}), **({"LANGUAGE": "de"} if german else {})}
        self.start("mousepad", "--disable-server", str(self.draft), **env)
        found = self.shown("draft.txt", "text")
        if second:
            self.start("mousepad", "--disable-server", str(self.other), **env)
            self.shown("other.txt", "text")
        if tip:
            self.tools("act", window=found, steps=[{"keys": "ctrl+o", "must": True}])
        return found

    def calls(self, window):
        tools = self.tools
        app = tools("open_application", application="mousepad", wait=120)["application"]["name"]
        tools("get_ui_tree", application=app)
        tools("write_element_value", element="text", value="for Ada", application=app)
        tools("select_menu_item", path="File > Save As...", application=app)
        tools("handle_dialog", path=str(self.saved), button="Save", application=app)
        tools("verify", predicates=[{"condition": "title", "text": "saved.txt", "window": window}])

    @property
    def values(self):
        return {"text": "for Ada", "file": str(self.saved)}

    def work(self, it):
        it.click("text")
        it.keys("ctrl+a")
        it.type("for Ada", None, "text")
        save_as(it, self.saved, self)

    def came(self):
        if (self.text(self.draft), self.text(self.other)) != ("a draft\n", "another\n") or titled(self.desktop, r"^\*.*other"):
            return f"the draft holds {self.text(self.draft)!r}, the other file {self.text(self.other)!r}"
        saved = (self.text(self.saved) or "").rstrip("\n")
        if saved == "for Ada":
            return RIGHT
        return NOTHING if saved in ("", "it was there") else f"it saved {saved!r}"


class Office(Kind):
    """LibreOffice, with a document that is there."""

    needs = ("soffice",)

    def write_document(self, path, source):
        """Makes a document of a text file, once; later it is copied."""
        if not source.with_suffix(path.suffix).exists():
            subprocess.run(["soffice", f"-env:UserInstallation=file://{self.folder}/office-make", "--headless", "--convert-to", path.suffix[1:],
                            "--outdir", str(self.folder), str(source)], env=self.desktop.env, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        shutil.copy(source.with_suffix(path.suffix), path)

    def soffice(self, path, env):
        self.start("soffice", f"-env:UserInstallation=file://{self.folder}/office", "--norestore", "--nologo", str(path),
                   **{"SAL_USE_VCLPLUGIN": "gtk3", **env})

    def open(self, second=False, dark=False, german=False, env=None, tip=False, exists=False, inserted=False):
        env = {**(env or {}), **({"GTK_THEME": "HighContrast"} if dark else {}), **({"LC_ALL": "de_DE.UTF-8"} if german else {})}
        self.draft, self.saved, self.other = (self.folder / (name + self.suffix) for name in ("draft", "saved", "other"))
        self.write_document(self.draft, self.source(inserted))
        self.write_document(self.other, self.source(False))
        self.saved.unlink(missing_ok=True)
        self.before = self.contents(self.draft)
        if exists:
            shutil.copy(self.other, self.saved)
        self.soffice(self.draft, env)
        found = self.shown("draft" + self.suffix, self.ready)
        self.tools.result("wait_for", condition="still", window=found, timeout=30)      # a tip comes late, and something may blink
        app = found.partition("/windows/")[0]
        while not self.tools.result("handle_dialog", application=app).get("isError"):       # a tip of the day
            self.tools("handle_dialog", application=app, button="cancel")
        if second:
            self.soffice(self.other, env)
            self.shown("other" + self.suffix, self.ready)
        if tip:
            self.tools("act", window=found, steps=[{"keys": "ctrl+o", "must": True}])
        return found

    def end(self):
        super().end()
        shutil.rmtree(self.folder / "office", ignore_errors=True)
        for lock in self.folder.glob(".~lock*"):
            lock.unlink()

    def arguments(self):
        return [f"file={self.saved}"]

    def save(self, window, app):
        self.tools("select_menu_item", path="File > Save As...", application=app)
        self.tools("handle_dialog", path=str(self.saved), button="Save", application=app)
        self.tools("verify", predicates=[{"condition": "title", "text": "saved" + self.suffix, "window": window}])

    @staticmethod
    def contents(path):
        with zipfile.ZipFile(path) as file:
            return file.read("content.xml").decode()

    def came(self):
        others = self.windows("other" + self.suffix)
        held = others and self.tools("get_element", element=self.target, window=others[0]["name"])["value"]
        if self.contents(self.draft) != self.before or others and held != self.at_first:
            return f"the draft was saved, or the other document holds {held!r}"
        if not self.saved.exists() or self.contents(self.saved) == self.contents(self.other):
            return NOTHING
        return RIGHT if self.is_right() else f"it saved {re.sub('<[^>]+>', ' ', self.contents(self.saved))[-300:]!r}"


class Writer(Office):
    suffix, parts, ready = ".odt", ("LibreOffice",), 'menu "File"'
    target, at_first = "paragraph", "a draft"

    def source(self, _):
        path = self.folder / "letter.txt"
        path.write_text("a draft\n", encoding="utf-8")
        return path

    def calls(self, window):
        app = self.tools("open_application", application="libreoffice-writer", wait=120)["application"]["name"]
        self.tools("get_ui_tree", application=app, max_tokens=4000)
        self.tools("write_element_value", element="paragraph", value="Dear Ada", application=app)
        self.save(window, app)

    @property
    def values(self):
        return {"text": "Dear Ada", "file": str(self.saved)}

    def work(self, it):
        it.writing()
        it.keys("ctrl+a")
        it.type("Dear Ada", None, "paragraph")
        save_as(it, self.saved, self)

    def is_right(self):
        text = self.contents(self.saved)
        return "Dear Ada" in text and "a draft" not in text


class Calc(Office):
    suffix, parts, ready = ".ods", ("LibreOffice",), 'cell "B3"'
    target, at_first = 'cell "B3"', "2"

    def source(self, inserted):
        rows = ["Item,Count", "Plum,1", *(["Apple,7"] if inserted else []), "Pear,2", "Quince,3"]
        path = self.folder / ("inserted.csv" if inserted else "sheet.csv")
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return path

    def calls(self, window):
        app = self.tools("open_application", application="libreoffice-calc", wait=120)["application"]["name"]
        self.tools("get_ui_tree", application=app, max_tokens=4000)
        self.tools("write_element_value", element='cell "B3"', value="20", application=app)
        self.save(window, app)

    @property
    def values(self):
        return {"b3": "20", "file": str(self.saved)}

    def work(self, it):
        it.click('cell "B3"')
        it.type("20", None)
        it.keys("Return")
        until(lambda: it.value('cell "B3"') == "20", "the cell's value")
        save_as(it, self.saved, self)

    def rows(self, path):
        """What is in its cells, row by row."""
        rows = re.findall(r"<table:table-row[^>]*>(.*?)</table:table-row>", self.contents(path))
        return [row for row in (re.findall(r"<text:p>(.*?)</text:p>", row) for row in rows) if row]

    def is_right(self):
        wanted = self.rows(self.draft)
        wanted[2][1] = "20"     # B3, whatever row it is in: the address is what was said
        return self.rows(self.saved) == wanted


class Thunar(Kind):
    """A folder is renamed; each has a file that says which one it was."""

    needs, parts = ("thunar",), (" - Thunar", "Rename ", "Create ")

    def open(self, second=False, dark=False, german=False, env=None, tip=False, inserted=False):
        self.place, self.other = self.folder / "place", self.folder / "elsewhere"
        self.names = ["Pear", "Plum", "Quince"] + (["Apple"] if inserted else [])
        for place in (self.place, self.other):
            shutil.rmtree(place, ignore_errors=True)
            for name in self.names:
                (place / name).mkdir(parents=True)
                (place / name / "was").write_text(name, encoding="utf-8")
        env = {**(env or {}), **({"GTK_THEME": "HighContrast"} if dark else {}), **({"LANGUAGE": "de"} if german else {})}
        self.start("thunar", str(self.place), **env)
        found = self.shown("place", "menubar")
        if second:
            self.start("thunar", str(self.other), **env)
            self.shown("elsewhere", "menubar")
        if tip:
            self.tools("select_menu_item", path="File > Create Folder...", window=found)
        return found

    def calls(self, window):
        tools = self.tools
        app = tools("open_application", application="thunar", wait=120)["application"]["name"]
        tools("get_ui_tree", application=app, max_tokens=4000)
        tools("select_menu_item", path="View > List View", application=app)
        tools("get_ui_tree", application=app, max_tokens=4000)
        tools("click_element", element='cell "Pear"', application=app)
        tools("select_menu_item", path="Edit > Rename...", application=app)
        tools("get_ui_tree", application=app, max_tokens=4000)
        tools("write_element_value", element="entry in dialog", value="Peach", application=app)
        tools("handle_dialog", button="Rename", application=app)

    values = {"enter_the_new_name": "Peach"}

    def work(self, it):
        it.click('menu "View"')
        it.click('checkitem "List View"')
        it.has('cell "Pear"')
        it.click('cell "Pear"')
        it.click('menu "Edit"')
        it.click('menuitem "Rename..."')
        it.has('button "Rename"')
        it.keys("ctrl+a")
        it.type("Peach", None, "entry in dialog")
        it.click('button "Rename"')
        until((self.place / "Peach").is_dir, "the other name")
        it.one.await_step("dialog(")

    def came(self):
        was = {path.name: self.text(path / "was") for path in self.place.iterdir()}
        same = {name: name for name in self.names}
        if {path.name: self.text(path / "was") for path in self.other.iterdir()} != same:
            return f"the other folder has {sorted(os.listdir(self.other))}"
        if was == same:
            return NOTHING
        del same["Pear"]
        return RIGHT if was == {**same, "Peach": "Pear"} else f"the folder has {was}"


FORMS = {"Qt": Qt, "GTK 4": Gtk4, "Swing": Swing, "Chromium": Page}
KINDS = {**FORMS, "mousepad": Mousepad, "Writer": Writer, "Calc": Calc, "Thunar": Thunar}
