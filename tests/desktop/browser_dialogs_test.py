#!/usr/bin/env python3
"""Dialogs that pages open in browsers: alerts, questions and prompts."""

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
                tools("wait_for", condition="element", element="dialog", application=app, timeout=30)
                result = tools("handle_dialog", application=app, button=answer)
                same((result["effect"], result["dialog"]["kind"]), ("confirmed", kind), result)
                until(lambda wanted=told: title() == wanted, told)
                tools.fails("DIALOG_NOT_FOUND", "handle_dialog", application=app)
    return case


run((("prompts of a page are answered (Chromium)", prompts_of("chromium")),
     ("prompts of a page are answered (Firefox)", prompts_of("firefox"))),
    ("Xvfb", "openbox", "dbus-daemon"))
