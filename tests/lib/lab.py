"""Windows that a test draws itself, of GTK 3, and pages of its own in a browser: what they were told is read from a log or a
title, so that it can be held against what Perigee says of it."""

import contextlib
import os
import pathlib
import shutil
import subprocess

from tools import opened, until

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"      # the system's has gi
FIREFOX = """user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


class Lab:
    """The application, and its log."""

    def __init__(self, tools, process, path):
        self.tools, self.process, self.path = tools, process, path
        self.app = f"applications/{process.pid}"

    def log(self):
        return self.path.read_text(encoding="utf-8").split("\n")[:-1]

    def click(self, element, **more):
        return self.tools("click_element", application=self.app, element=element, **more)


@contextlib.contextmanager
def lab(tools, desktop, program):
    path = desktop.folder / f"lab.{os.urandom(4).hex()}.log"
    path.touch()
    with subprocess.Popen([PYTHON, str(HERE / "lab_window.py"), str(path), program], env=desktop.env) as process:
        it = Lab(tools, process, path)
        try:
            until(lambda: not tools.result("get_ui_tree", application=it.app, source="tree").get("isError"), "the window")
            until(lambda: any(each.get("focused") for each in tools("list_windows", parent=it.app)["windows"]), "its focus")
            yield it
        finally:
            process.kill()


@contextlib.contextmanager
def page(tools, desktop, browser, html, *more):
    """(the application, what gives its title) of a page; `html` says in the title what was done."""
    folder = desktop.folder / f"{browser}.{os.urandom(4).hex()}"
    folder.mkdir()
    path = folder / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>page</title><body>{html}", encoding="utf-8")
    (folder / "user.js").write_text(FIREFOX, encoding="utf-8")
    arguments = ["--no-remote", "--profile", str(folder), f"file://{path}"] if browser == "firefox" else [
        "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--window-size=1000,900", f"--user-data-dir={folder}", *more,
        f"--app=file://{path}"]
    with opened(tools, shutil.which(browser), arguments=arguments) as app:
        until(lambda: tools("find_elements", application=app, role="button", text="Ready")["elements"], "the page")

        def title():
            found = tools("find_elements", application=app, role="document")["elements"]
            return found[0]["name"] if found else ""
        yield app, title
