#!/usr/bin/env python3
"""sys.ui on a real display: lists, questions and alerts of scripts, worked by real keys and clicks, and by Perigee's own tools."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops      # noqa: E402
import server as servers        # noqa: E402
import tap                      # noqa: E402
from script import SAY, running                  # noqa: E402
from tools import Tools, has, same, until    # noqa: E402

MODULE = pathlib.Path(servers.PERIGEE).parent / "modules" / "gtk.so"
HEAD = '\nlocal json, time, ui = require "sys.json", require "sys.time", require "sys.ui"' + SAY
TITLE = "the window before"
ITEMS = '{ { text = "Mail", subtext = "two new", id = 1 }, { text = "Calendar", id = 2 }, "Claws Mail" }'


def keys(desktop, *words):
    subprocess.run(["xdotool", *words], env=desktop.env, check=True)


def front(tools):
    """The title of the window that has the keyboard."""
    return next((each["title"] for each in tools("list_windows")["windows"] if each["focused"]), None)


def ours(tools, title):
    return next((each for each in tools("list_windows", all_kinds=True)["windows"] if each["title"] == title), None)


def asked(tools, desktop, title):
    """Waits until the window of the script has the keyboard and tells of its elements. Returns its outline."""
    until(lambda: front(tools) == title, title)

    def look():
        result = tools.result("get_ui_tree", application="perigee", source="tree")
        return None if result.get("isError") else result["content"][0]["text"]
    return until(look, f"the elements of {title}")


def back(tools):
    until(lambda: front(tools) == TITLE, "the keyboard where it was")


def a_list(tools, desktop):
    """Typed words filter it, and Enter chooses; then the window before has the keyboard."""
    with running(desktop, HEAD + f'say(ui.choose({ITEMS}, {{ title = "list", placeholder = "Go to" }}))'
                 f'say(require("sys.window").focused().title)') as script:
        outline = asked(tools, desktop, "list")
        for part in ('entry "Go to" focused', 'cell "Mail two new" selected', 'cell "Calendar"', 'cell "Claws Mail"'):
            has(outline, part)
        keys(desktop, "type", "mAIL c")

        def filtered():
            shown = tools.text("get_ui_tree", application="perigee")
            return 'cell "Claws Mail" selected' in shown and "Calendar" not in shown
        until(filtered, "the filtered list")
        keys(desktop, "key", "Return")
        script.says('["Claws Mail"]', f'["{TITLE}"]')
    back(tools)


def quick_keys(tools, desktop):
    """Keys that come quicker than the rows mean the rows of all that was typed."""
    with running(desktop, HEAD + f'say(ui.choose({ITEMS}, {{ title = "quick" }}))') as script:
        until(lambda: front(tools) == "quick", "quick")
        keys(desktop, "type", "--delay", "0", "--args", "1", "mail", "key", "Return")
        same(json.loads(script.line()), [{"text": "Mail", "subtext": "two new", "id": 1}])
    with running(desktop, HEAD + 'say(ui.choose(function(typed) return { typed .. " 1", typed .. " 2" } end, { title = "made" }))'
                 ) as script:
        until(lambda: front(tools) == "made", "made")
        keys(desktop, "type", "--delay", "0", "--args", "1", "ab", "key", "--delay", "0", "Down", "Return")
        script.says('["ab 2"]')


def pointer_and_tools(tools, desktop):
    """A click chooses; what Perigee's own tools select is what Enter chooses."""
    with running(desktop, HEAD + f'ui.choose({ITEMS}, {{ title = "clicked" }}, say)') as script:
        asked(tools, desktop, "clicked")
        place = ours(tools, "clicked")["bounds"]
        keys(desktop, "mousemove", str(place["x"] + 60), str(place["y"] + 53 + 52 + 20), "click", "1")
        same(json.loads(script.line()), [{"text": "Calendar", "id": 2}])
        same(script.ends(), "")
    with running(desktop, HEAD + f'ui.choose({ITEMS}, {{ title = "selected" }}, say)') as script:
        asked(tools, desktop, "selected")
        has(tools.text("click_element", application="perigee", element='cell "Calendar"'), "it is selected now")
        tools("create_input", action="keys", keys="return")
        same(json.loads(script.line())[0]["id"], 2)


def closed(tools, desktop):
    """Escape, a time limit, handle:stop() and the end of the script close it."""
    with running(desktop, HEAD + 'say(ui.choose({ "a" }, { title = "closed" }))'
                 'say(select(3, ui.choose({ "a" }, { timeout = 0.1 })))'
                 'local handle = assert(ui.ask("Sure?", { title = "stopped", buttons = { "Yes" } }, say))'
                 'time.after(0.1, function() handle:stop() print "stopped" end)') as script:
        until(lambda: front(tools) == "closed", "closed")
        keys(desktop, "key", "Escape")
        script.says('[null,"The user closed the window.","closed"]', '["timeout"]', "stopped")
        same(script.ends(), "")
    script = running(desktop, HEAD + 'ui.choose({ "a" }, { title = "left" })')
    with script:
        until(lambda: front(tools) == "left", "left")
    until(lambda: not ours(tools, "left"), "the end of the window")
    back(tools)


def questions(tools, desktop):
    with running(desktop, HEAD + 'say(ui.ask("Name?", { title = "field", value = "x", detail = "of it" }))'
                 'say(ui.ask("Word?", { title = "secret", secret = true }))'
                 'say(ui.ask("Sure?", { title = "buttons", buttons = { "Yes", "No" } }))'
                 'say(select(3, ui.ask("Name?", { title = "canceled" })))') as script:
        outline = asked(tools, desktop, "field")
        for part in ('label "of it"', 'entry "Name?" ="x" focused', 'button "Cancel"'):
            has(outline, part)
        keys(desktop, "type", "--args", "1", "a & b", "key", "Return")
        script.says('["a & b"]')
        until(lambda: front(tools) == "secret", "secret")
        keys(desktop, "type", "hidden")
        assert "hidden" not in tools.text("get_ui_tree", application="perigee")
        keys(desktop, "key", "Return")
        script.says('["hidden"]')
        asked(tools, desktop, "buttons")
        tools("click_element", application="perigee", element='button "No"')
        script.says('["No"]')
        asked(tools, desktop, "canceled")
        tools("click_element", application="perigee", element='button "Cancel"')
        script.says('["closed"]')
    back(tools)


def alerts(tools, desktop):
    """They are above all, take neither keyboard nor pointer, and go by themselves or by close()."""
    with running(desktop, HEAD + 'local long = ui.alert("long", 60) print "shown" '
                 'local short = ui.alert("short", 0.1) while short:runs() do time.sleep(0.01) end '
                 'say(long:runs()) long:close() while long:runs() do time.sleep(0.01) end say(long:runs()) '
                 'ui.alert("stays", 60)') as script:
        script.says("shown")
        alert = until(lambda: ours(tools, "Perigee script"), "the alert")
        place = alert["bounds"]
        keys(desktop, "mousemove", str(place["x"] + 10), str(place["y"] + 10))
        below = subprocess.run(["xdotool", "getmouselocation", "--shell"], env=desktop.env, check=True, stdout=subprocess.PIPE)
        assert alert["name"].rsplit("/", 1)[1] not in below.stdout.decode(), (alert, below.stdout)
        same(front(tools), TITLE)
        script.says("[true]", "[false]")
        same(script.ends(), "")
    stays = until(lambda: ours(tools, "Perigee script"), "the alert that stays when the script has ended")
    subprocess.run(["kill", stays["application"].rsplit("/", 1)[1]], check=True)


def refusals(_tools, desktop):
    folder = desktop.folder / "modules"
    folder.mkdir()
    for module in MODULE.parent.glob("*.so"):
        if module != MODULE:
            (folder / module.name).symlink_to(module)
    each = HEAD + 'say(select(2, ui.alert "a")) say(select(3, ui.choose { "a" }))'
    for env, options, text, code in (({"DISPLAY": ":20999"}, (), "GTK cannot open the display", "no_windows"),
                                     ({"PERIGEE_MODULES": str(folder)}, (), "libgtk-3-dev", "no_windows"),
                                     ({"PERIGEE_DESKTOP": "fake"}, (), "in memory", "not_supported"),
                                     ({}, ("--dry-run",), "dry run", "dry_run")):
        with running(desktop, each, *options, **env) as script:
            has(script.line(), text)
            script.says(f'["{code}"]')
    for call, part in (('choose({ 7 })', "item 1 must be"), ('choose({}, { titel = "x" })', "did you mean title?"),
                       ('choose({}, { title = " Perigee" })', "Perigee's own questions"), ('choose({}, {}, 1)', "expected a function"),
                       ('ask("a", { buttons = {} })', "1 to 8 labels"), ('ask("a", { buttons = { "b" }, value = "c" })', "not both"),
                       ('ask()', "must be a string"), ('alert("a", 99)', "0.1 to 60")):
        with running(desktop, HEAD + f"local ok, err = pcall(function() ui.{call} end) say(ok, err)") as script:
            ok, message = json.loads(script.line())
            same(ok, False, call)
            has(message, part)
            has(message, ".lua:9: ")


CASES = (("a list filters as one types, and Enter chooses", a_list),
         ("keys that are quicker than the rows", quick_keys),
         ("the pointer, and tools that select", pointer_and_tools),
         ("windows are closed by the user, a time limit, the script and its end", closed),
         ("questions with a field and with buttons", questions),
         ("alerts take no input", alerts),
         ("windows that cannot be shown, and wrong options", refusals))


def main():
    needed = next((name for name in ("Xvfb", "openbox", "xfwm4", "dbus-daemon", "xdotool", "xterm") if not shutil.which(name)), None)
    if needed or not MODULE.exists():
        print(f"1..0 # SKIP {needed or 'the module gtk'} is not here (vendor/install ui test)")
        return
    for manager in ("openbox", "xfwm4"):
        with desktops.Desktop(manager=manager) as desktop:
            session = Tools(desktop.env)
            try:
                session.xterm(TITLE)
                session("focus_window", name=TITLE)     # a window manager that has just begun may not give it the keyboard
                back(session)
                for name, case in CASES if manager == "openbox" else CASES[:1]:
                    tap.case(f"{manager}: {name}", case, session, desktop)
            finally:
                session.close()
    tap.done()


if __name__ == "__main__":
    main()
