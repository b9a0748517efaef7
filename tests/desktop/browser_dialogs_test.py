#!/usr/bin/env python3
"""Dialogs that pages open in browsers: alerts, questions, prompts and the choice of a file."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab import page                    # noqa: E402
from tap import Skip                    # noqa: E402
from tools import run, same, until      # noqa: E402

PROMPTS = """<button>Ready</button><button onclick="alert('hello there'); document.title = 'alerted'">Alert</button>
<button onclick="document.title = 'confirmed ' + confirm('sure?')">Confirm</button>
<button onclick="document.title = 'prompted ' + prompt('who?', 'me')">Prompt</button>"""


def prompts_of(browser):
    """Firefox says of them that they are panels. Chromium ignores a click right after they came, and that was the answer."""
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip("it is not installed (vendor/install wide)")
        with page(tools, desktop, browser, PROMPTS) as (app, title):
            for button, kind, answer, told in (("Alert", "message", "OK", "alerted"), ("Confirm", "question", "Cancel", "confirmed false"),
                                               ("Prompt", "other", "OK", "prompted me")):
                tools("click_element", application=app, element=f'button "{button}"')
                tools("wait_for", condition="element", element="dialog", application=app, timeout=55)
                result = tools("handle_dialog", application=app, button=answer)
                same((result["effect"], result["dialog"]["kind"]), ("confirmed", kind), result)
                until(lambda wanted=told: title() == wanted, told)
                tools.fails("DIALOG_NOT_FOUND", "handle_dialog", application=app)
    return case


UPLOAD = """<button>Ready</button><input type=file aria-label="Upload" onchange="document.title = 'got ' + this.files[0].name">"""


def a_file_for(browser):
    """Chromium tells nothing of what is in its file dialog: there was no dialog."""
    def case(tools, desktop):
        if not shutil.which(browser):
            raise Skip("it is not installed (vendor/install wide)")
        path = desktop.folder / f"for {browser}.txt"
        path.write_text("a file\n", encoding="utf-8")
        with page(tools, desktop, browser, UPLOAD) as (app, title):
            tools("click_element", application=app, element='button text*="Upload"')
            dialog = until(lambda: tools.result("handle_dialog", application=app).get("structuredContent"), "the dialog")["dialog"]
            same(dialog["kind"], "other" if browser == "chromium" else "file", dialog)
            result = tools("handle_dialog", application=app, path=str(path), button="Open")
            same(result["effect"], "confirmed", result)
            until(lambda: title() == f"got {path.name}", "the file")
    return case


run((("prompts of a page are answered (Chromium)", prompts_of("chromium")),
     ("prompts of a page are answered (Firefox)", prompts_of("firefox")),
     ("a file is chosen for a page (Chromium)", a_file_for("chromium")),
     ("a file is chosen for a page (Firefox)", a_file_for("firefox"))),
    ("Xvfb", "openbox", "dbus-daemon"))
