#!/usr/bin/env python3
"""Steps of a macro in a window with a dialog in front, in four toolkits: a modal one, as the toolkit or the window system tells it,
ends the run with its name, and the window behind it receives nothing. One that holds nothing ends none.

    tests/wide/macro_fronts_test.py [KIND ...]
"""

import contextlib
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import folders                                           # noqa: E402
import tap                                               # noqa: E402
from applications import HERE                            # noqa: E402
from desktop import Desktop                              # noqa: E402
from drift_kinds import JAVA, PYTHON, WRAPPER            # noqa: E402
from macro_drift_test import told_to_tell                # noqa: E402
from tools import Tools, has, same, until                # noqa: E402

ROOT = folders.fresh("perigee-fronts-")

STEPS = {"set": """window:set('entry "Name"', "lost")""", "click": """window:click 'button "Send"'""", "keys": """window:keys "x" """,
         "type": """window:type "lost" """, "menu": """window:menu "File > Copy" """, "point": "window:point(200, 200)"}

PAGE = """local macro_tool = require "macros.tool"
local s          = require "schema"

local function run(args, macro)
  local window = macro:window { title = args.title }
  %s
end

return macro_tool { title = "Step", description = "Do a step.", run = run, inputSchema = s.object { { "title", s.string "Of the window." } } }
"""

ALERT = """<!doctype html><title>Order</title><label>Name <input></label><button>Send</button>
<script>setTimeout(() => alert("Hello"), 1500)</script>"""


def swing(kind):
    return ["java", *JAVA.split(), str(HERE / "SwingFronts.java"), kind], {}


def form(toolkit, kind):
    return [PYTHON, str(HERE / "fronts_of.py"), toolkit, kind], {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}


ALL = tuple(STEPS)

# The program, the window of the steps, and those that are refused because of the dialog.
KINDS = {
    "Swing, a message box": (*swing("owned"), "Order", ALL),
    "Swing, a message box of no window": (*swing("free"), "Order", ALL),
    "Swing, a message box of another window": (*swing("second"), "Second", ALL),
    "Swing, modal for its window": (*swing("document"), "Order", ALL),
    "Swing, modal for another window": (*swing("document"), "Second", ()),
    "Swing, not modal": (*swing("open"), "Order", ()),
    "Qt, modal": (*form("qt", "modal"), "Order", ALL),
    "Qt, modal for its window": (*form("qt", "window"), "Order", ALL),
    "Qt, not modal": (*form("qt", "open"), "Order", ()),
    "GTK 4, modal": (*form("gtk4", "modal"), "Order", ALL),
    "GTK 4, not modal": (*form("gtk4", "open"), "Order", ()),
    "Chromium, an alert": (["chromium", "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--window-size=700,500",
                            "--force-renderer-accessibility"], {}, "Order", ("set", "click")),   # keys would go to it, and that may be meant
}


def write_steps():
    place = os.path.join(ROOT, "tools", "macros")
    os.makedirs(place)
    for name, line in STEPS.items():
        with open(os.path.join(place, f"step_{name}.lua"), "w", encoding="utf-8") as file:
            file.write(PAGE % line)


def needs(name, program):
    missing = not shutil.which(program) or name.startswith("Swing") and not os.path.exists(WRAPPER)
    for toolkit, line in (("Qt", "import PyQt5.QtWidgets"), ("GTK 4", "import gi; gi.require_version('Gtk', '4.0')")):
        missing = missing or name.startswith(toolkit) and subprocess.run([PYTHON, "-c", line], check=False, capture_output=True).returncode
    if missing:
        raise tap.Skip(f"{name.partition(',')[0]} is not installed (vendor/install wide)")


@contextlib.contextmanager
def opened(desktop, argv, env):
    """The application, and the file of what it received."""
    path = desktop.folder / "received"
    if argv[0] == "chromium":
        (desktop.folder / "alert.html").write_text(ALERT, encoding="utf-8")
        argv = [*argv, f"--user-data-dir={desktop.folder}/chromium", f"--app=file://{desktop.folder}/alert.html"]
    with open(path, "wb") as log, subprocess.Popen(argv, env={**desktop.env, **env}, stdout=log, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"applications/{process.pid}", path
        finally:
            process.kill()


def asking(tools, app):
    """The dialog that asks, once it is in front."""
    dialog = tools.result("handle_dialog", application=app).get("structuredContent", {}).get("dialog", {})
    return dialog if dialog.get("title") in ("Asking", "This page says") else None


def steps_refuse(name):
    argv, env, title, refused = KINDS[name]
    needs(name, argv[0])
    with Desktop() as desktop, contextlib.closing(Tools(desktop.env, "--root", ROOT, "--toolset", "all")) as tools:
        if argv[0] == "chromium":
            told_to_tell(desktop.env)
        with opened(desktop, argv, env) as (app, path):
            asks = until(lambda: asking(tools, app), "the dialog")
            until(lambda: any(each["focused"] for each in tools("list_windows", parent=app)["windows"]), "the focus")
            for element in ('entry "Name"', 'button "Send"') if argv[0] != "chromium" else ():   # it may tell of them late
                until(lambda element=element: tools.result("get_element", element=element, window=title, application=app).get("structuredContent"), element)
            for step in STEPS if refused != ("set", "click") else refused:
                done = tools.result(f"step_{step}", title=title)
                code = done["_meta"].get("perigee/code")
                same(code == "MACRO_DIALOG_IN_FRONT", step in refused, f"{step}: {done['content'][0]['text']}")
                if step in refused:
                    has(done["content"][0]["text"], f'dialog "{asks["title"]}"')
            if refused:
                same(path.read_text(encoding="utf-8").strip("name \n"), "", "what the window behind it received")
                same(asking(tools, app) is not None, True, "the dialog is still there")
            else:
                has(path.read_text(encoding="utf-8"), "sent")


def main(words):
    write_steps()
    for name in KINDS:
        if not words or name in words:
            tap.case(name, steps_refuse, name)
    shutil.rmtree(ROOT, ignore_errors=True)
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
