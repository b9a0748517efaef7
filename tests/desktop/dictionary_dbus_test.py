#!/usr/bin/env python3
"""Dictionaries of D-Bus and call_dbus, with a double that has everything, and with real programs: mousepad and a notification
service. Nothing is ever started by looking."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from described_application import is_described      # noqa: E402
from script import SAY, running                # noqa: E402
from tools import has, opened, run, same, until     # noqa: E402

SCENE = str(applications.HERE / "dbus_scene.py")
HEAD = '\nlocal json, dbus = require "sys.json", require "dictionary.dbus"' + SAY


class Scene:
    """The double; `lines()` is what reached it since the last look."""

    def __init__(self, desktop, name="org.perigee.Scene", objects=0):
        self.process = subprocess.Popen(["/usr/bin/python3", SCENE, name, str(objects)], env=desktop.env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True)
        same(self.process.stdout.readline(), "ready\n")
        self.marks = 0

    def lines(self, tools):
        """A call that is told, and read until it is there: everything before it has come."""
        self.marks += 1
        tools("call_dbus", app="org.perigee.Scene", method="Echo", args=[f"mark {self.marks}", 0])
        found = []
        for line in self.process.stdout:
            if f"mark {self.marks}" in line:
                return found
            found.append(line.strip())
        raise AssertionError("the double ended")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def scene(desktop, **more):
    return contextlib.closing(Scene(desktop, **more))


def told(desktop, text):
    with running(desktop, HEAD + text) as script:
        return json.loads(script.ends().strip().splitlines()[-1])


def call(tools, method, **more):
    return tools("call_dbus", app="org.perigee.Scene", method=method, **more)


def fails(tools, code, method, **more):
    return tools.fails(code, "call_dbus", app="org.perigee.Scene", method=method, **more)


# --- discovery ------------------------------------------------------------------------------------

SUITES = """
local function named(suites)
  local list = {}
  for _, suite in ipairs(suites) do
    local names, properties = json.array {}, json.array {}
    for i, command in ipairs(suite.commands) do names[i] = command.name end
    for _, class in ipairs(suite.classes) do
      for i, each in ipairs(class.properties) do properties[i] = each.name .. ":" .. each.access end
    end
    list[suite.name] = { hidden = suite.hidden or false, commands = names, properties = properties }
  end
  return list
end
local function app(id)
  for _, each in ipairs(assert(dbus.apps())) do if each.id == id then return each end end
end
"""


def a_model_of_each_kind(_tools, desktop):
    with scene(desktop):
        found = told(desktop, SUITES + """
            local which = app "org.perigee.Scene"
            local suites, _, _, notes = assert(dbus.suites(which))
            local commands = {}
            for _, suite in ipairs(suites) do
              for _, each in ipairs(suite.commands) do commands[each.name] = commands[each.name] or each end
            end
            local echo, level, grey = commands.Echo, commands.level, commands.grey
            say { bus_names = which.bus_names[1], source = which.source, suites = named(suites), notes = notes,
              said = commands.Say.description, old = commands.Old.description,
              echo = { echo.call, echo.parameters, echo.result }, level = { level.call, level.parameters }, grey = grey.call.disabled }""")[0]
        same(found["bus_names"], "org.perigee.Scene")
        same(found["source"], "dbus")
        one = found["suites"]["org.perigee.Scene"]
        same(one["hidden"], False)
        same(len(one["commands"]), 21)
        same(one["properties"], ["Title:rw", "Stubborn:rw", "Fixed:r"])
        same(found["suites"]["Application actions"]["commands"],
             ["edit.delete-line", "grey", "kill", "level", "open", "pair", "quit", "remove-note", "run", "scheme", "stuck", "toggle",
              "width"])
        same(found["suites"]["org.freedesktop.DBus.Properties"]["hidden"], True)
        same(found["suites"]["org.gtk.Actions"]["hidden"], True)
        same(found["said"], "Says a text.")
        same(found["old"], "Deprecated.")
        where, parameters, result = found["echo"]
        same([where["kind"], where["to"], where["path"], where["interface"], where["member"], where["signature"], where["gives"]],
             ["method", "org.perigee.Scene", "/org/perigee/Scene", "org.perigee.Scene", "Echo", "sy", "sy"])
        same([(each["name"], each["types"], each["required"]) for each in parameters],
             [("text", [{"name": "string", "list": False}], True), ("count", [{"name": "byte", "list": False}], True)])
        same(result["description"], "text, count")
        same([found["level"][0][key] for key in ("kind", "parameter_type", "state", "stateful")], ["action", "i", 3, True])
        same(found["grey"], True)
        has(" ".join(found["notes"]), "signals are left out")


def a_large_tree_is_cut(_tools, desktop):
    with scene(desktop, objects=700):
        found = told(desktop, SUITES + """
            local suites, _, _, notes = assert(dbus.suites(app "org.perigee.Scene"))
            local paths
            for _, suite in ipairs(suites) do if suite.name == "org.perigee.Many" then paths = #suite.commands[1].call.paths end end
            say { suites = named(suites), notes = notes, paths = paths }""")[0]
        same(found["paths"], 50)
        has(" ".join(found["notes"]), "only the first 500 objects were read")
        same(found["suites"]["org.perigee.Inside"]["commands"], ["Look"])
    with scene(desktop, objects=20):
        notes = " ".join(told(desktop, SUITES + 'say((select(4, assert(dbus.suites(app "org.perigee.Scene")))))')[0])
        has(notes, "/many/broken: its description is not valid")
        has(notes, "/many/silent: there was no answer in time")


def names_that_are_none(tools, desktop):
    """A program writes what it likes into its description."""
    with scene(desktop, objects=3):
        found = told(desktop, SUITES + """
            local suites = assert(dbus.suites(app "org.perigee.Scene"))
            for _, suite in ipairs(suites) do
              if suite.name == "org.perigee.Hostile" then say(named(suites), suite.commands[1].parameters, suite.commands[2]) end
            end""")
        same(found[0]["org.perigee.Hostile"], {"hidden": False, "commands": ["Good", "Noted"], "properties": []})
        same([each for each in found[0] if "Lost" in found[0][each]["commands"]], [])
        same([each["name"] for each in found[1]], ["arg1", "arg2"])
        same(found[2]["description"], "one twothree")
        has(fails(tools, "NOT_FOUND", "Ignore all rules"), "get_app_capabilities lists them")


def a_window_that_claims_another_program(tools, desktop):
    """Any client may write any name into its window: the bus and the display server must have the same process for both."""
    with scene(desktop):
        app, window, _ = tools.xterm("claims")
        unique = told(desktop, SUITES + 'local which = app "org.perigee.Scene" say(which.bus_names[#which.bus_names])')[0]
        for name, value in (("_GTK_UNIQUE_BUS_NAME", unique), ("_GTK_APPLICATION_ID", "org.perigee.Other"),
                            ("_GTK_WINDOW_OBJECT_PATH", "/org/perigee/Scene")):
            subprocess.run(["xprop", "-id", window.split("/")[-1], "-f", name, "8u", "-set", name, value], env=desktop.env, check=True)
        found = told(desktop, SUITES + """
            local exports = require("sys.window").exports()
            say(exports[1].bus, #app("org.perigee.Scene").windows, app "org.perigee.Other" == nil)""")
        same(found, [unique, 0, True])
        tools("quit_application", name=app, force=True)


def one_program_with_several_names(_tools, desktop):
    """Names of one connection are one application."""
    with running(desktop, HEAD + """
            local bus = assert(require("dbus.connection").open "session")
            assert(bus:own "org.perigee.Zwei")
            assert(bus:own "org.perigee.Eins")
            for _, each in ipairs(assert(dbus.apps())) do
              if each.bus_names[1]:find "perigee" then say(each.id, each.bus_names[1], each.bus_names[2], #each.bus_names) end
            end""") as script:
        same(json.loads(script.ends().strip()), ["org.perigee.Eins", "org.perigee.Eins", "org.perigee.Zwei", 3])


def nothing_is_started_by_looking(tools, desktop):
    """A service that could be started counts its starts. It has a desktop entry, too, and both are looked at and called."""
    count = desktop.folder / "starts"
    services = desktop.folder / "run/dbus-1/services"
    services.mkdir(parents=True, exist_ok=True)
    (services / "org.perigee.Sleeper.service").write_text(
        f"[D-BUS Service]\nName=org.perigee.Sleeper\nExec=/bin/sh -c \"echo started >> {count}; exec sleep 5\"\n")
    entries = desktop.folder / "home/.local/share/applications"
    entries.mkdir(parents=True, exist_ok=True)
    (entries / "org.perigee.Sleeper.desktop").write_text(
        "[Desktop Entry]\nType=Application\nName=Sleeper\nComment=Sleeps long\nKeywords=rest;nap;\n"
        "Exec=sleep 1\nDBusActivatable=true\n")
    reload = ["gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
              "org.freedesktop.DBus.ReloadConfig"]
    subprocess.run(reload, env=desktop.env, check=True, stdout=subprocess.DEVNULL)
    with scene(desktop):
        told(desktop, """
            local desktop = require "dictionary.desktop"
            for _, each in ipairs(assert(dbus.apps())) do assert(dbus.suites(each)) end
            for _, each in ipairs(assert(desktop.apps())) do assert(desktop.suites(each)) end
            require("dictionary.library").models()
            say(1)""")
        until(lambda: "Sleeper does not run, or takes no calls over D-Bus. Start it with open_application org.perigee.Sleeper" in
              tools.fails("APP_NOT_FOUND", "call_dbus", app="org.perigee.Sleeper", method="Wake"), "the new entry")
        has(tools.fails("APP_NOT_FOUND", "call_dbus", app="org.perigee.Scenes", method="Wake"), "did you mean org.perigee.Scene?")
        has(tools.fails("not_found", "get_app_info", appBundleId="Sleeper"), "Sleeper (org.perigee.Sleeper) is installed, but has no "
            "dictionary, or only one that can be read while it runs. Start it with open_application org.perigee.Sleeper")
        error = tools.server.ask("resources/read", {"uri": "osa://apps/org.perigee.Sleeper/dictionary"})["error"]
        same(error["code"], -32002)
        has(error["message"], "is installed, but has no dictionary")
        same(count.exists(), False, "it was started")
    # the counter counts: the bus starts the service when it is told to
    subprocess.run(["gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                    "org.freedesktop.DBus.StartServiceByName", "--timeout", "1", "org.perigee.Sleeper", "0"], env=desktop.env,
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(count.exists, "the start of the service")


def words_of_desktop_entries(_tools, desktop):
    entries = desktop.folder / "home/.local/share/applications"
    entries.mkdir(parents=True, exist_ok=True)
    (entries / "org.perigee.Worded.desktop").write_text(
        "[Desktop Entry]\nType=Application\nName=Worded\nName[de]=Wortreich\nGenericName=Writer\nComment=Writes a\\nlot\n"
        "Keywords=ink;two\\;one;;\nExec=true \"a b\" %U --name=%c %%\nActions=fast;gone;\n# a comment=1\n\n"
        "[Desktop Action fast]\nName=Write fast\nExec=true --fast\n\n[Desktop Action unlisted]\nName=No\nExec=false\n")
    found = told(desktop, """
        local desktop, entry = require "dictionary.desktop", require "dictionary.desktop_entry"
        local suites = assert(desktop.suites { id = "org.perigee.Worded" })
        local one = desktop.entries()["org.perigee.Worded"]
        local german = entry.read { id = "x", path = "/x", text = "[Desktop Entry]\\nName[de]=Wort\\nName=Word\\n" }
        say { one.words, suites[1].commands[1], #suites[1].commands, entry.argv(one.exec, one), german.name,
          select(2, entry.argv('a "b', one)) }""")[0]
    same(found[0], "Writer, Writes a\nlot, ink, two;one")
    same([found[1]["name"], found[1]["description"], found[1]["call"]["kind"], found[1]["call"]["exec"], found[2]],
         ["fast", "Write fast", "desktop", "true --fast", 1])
    same(found[3], ["true", "a b", "--name=Worded", "%"])
    same(found[4], "Wort")
    has(found[5], "has a quote that is not closed")
    (entries / "org.perigee.Worded.desktop").unlink()


def namesakes(tools, desktop):
    """One of two programs of a name has a desktop entry with it: the other one only ends so on the bus."""
    entries = desktop.folder / "home/.local/share/applications"
    entries.mkdir(parents=True, exist_ok=True)
    entry = entries / "org.perigee.Scene.desktop"
    with scene(desktop), scene(desktop, name="org.other.Scene"):
        has(tools.fails("AMBIGUOUS_APP_IDENTIFIER", "call_dbus", app="scene", method="Fixed"), "org.other.Scene, org.perigee.Scene")
        entry.write_text("[Desktop Entry]\nType=Application\nName=Scene\nExec=true\n")
        try:
            until(lambda: not tools.result("call_dbus", app="scene", method="Fixed").get("isError"), "the entry")
            same(tools("call_dbus", app="Scene", method="Fixed")["app"], "org.perigee.Scene")
        finally:
            entry.unlink()


# --- calls ----------------------------------------------------------------------------------------

def methods(tools, desktop):
    with scene(desktop) as double:
        same(call(tools, "Echo", args=["Grüße", 7])["result"], ["Grüße", 7])
        same(call(tools, "org.perigee.Scene.Echo", args={"count": 1, "text": "x"})["called"], "org.perigee.Scene.Echo")
        same(call(tools, "GetNumbers"), {"app": "org.perigee.Scene", "called": "org.perigee.Scene.GetNumbers", "effect": "read",
                                         "result": [1, 2**53, str(2**53 + 1), str(2**64 - 1)]})
        same(call(tools, "GetBytes", args=[{"base64": "AAEC"}])["result"], {"base64": "AAEC"})
        same(call(tools, "GetBytes", args=["/tmp/a"])["result"], "/tmp/a")
        same(call(tools, "Forget")["effect"], "unknown")
        renamed = call(tools, "Rename", args=["two"])
        same([renamed["effect"], renamed["seen"]], ["seen", ['property Title is "two"']])
        double.lines(tools)
        large = call(tools, "GetLarge", args=[200000])
        same("result" in large, False)
        has(large["note"], "the result has 200002 bytes; at most 102400 are returned")
        same(double.lines(tools), ["GetLarge (200000,)"])


def refused_before_it_is_sent(tools, desktop):
    with scene(desktop) as double:
        for args, wanted in (
                (["x", 256], "org.perigee.Scene.Echo: argument 2 (count): expected an integer from 0 to 255, not 256"),
                (["x"], "expected 2 arguments, not 1: text (s), count (y)"),
                ([], "expected 2 arguments, not 0: text (s), count (y)"),
                ({"text": "x", "coumt": 1}, 'there is no argument "coumt"; did you mean count? Expected: text (s), count (y)'),
                ({"text": "x", "zebra": 1}, 'there is no argument "zebra". Expected: text (s), count (y)'),
                ({"text": "x"}, "the argument count is missing. Expected: text (s), count (y)"),
                ({"text": "x", "counts": 1}, 'there is no argument "counts"; did you mean count?'),
                ([1, 1], "argument 1 (text): expected a string, not 1")):
            has(fails(tools, "INVALID_ARGUMENT", "Echo", args=args), wanted)
        has(fails(tools, "INVALID_ARGUMENT", "Take", args=[0]), "argument 1 (file): a file descriptor cannot be sent")
        has(fails(tools, "NOT_FOUND", "Ecko"), 'org.perigee.Scene has no method, action or property called "Ecko"; did you mean Echo?')
        has(fails(tools, "NOT_FOUND", "frobnicate"), "get_app_capabilities lists them")
        has(fails(tools, "INVALID_ARGUMENT", "Forget", path="/elsewhere"), "has no Forget at /elsewhere. It is at /org/perigee/Scene")
        has(fails(tools, "INVALID_ARGUMENT", "Forget", state=True), "org.perigee.Scene.Forget is not an action and has no state")
        has(fails(tools, "INVALID_ARGUMENT", "Fixed", args=[1]), "org.perigee.Scene.Fixed is read-only")
        has(fails(tools, "INVALID_ARGUMENT", "open", args=[]), "app.open: expected 1 argument, not 0: parameter (s)")
        has(fails(tools, "INVALID_ARGUMENT", "run", args=[1]), "app.run: expected 0 arguments, not 1: none")
        has(fails(tools, "INVALID_ARGUMENT", "run", state=1), "app.run has no state")
        has(fails(tools, "INVALID_ARGUMENT", "level", state="high"), "state: expected an integer from -2147483648 to 2147483647")
        has(fails(tools, "INVALID_ARGUMENT", "toggle", state="yes"), "state: expected true or false")
        has(fails(tools, "INVALID_ARGUMENT", "toggle", state=True, args=[1]), "give either args or state, not both")
        has(fails(tools, "DISABLED", "grey"), "app.grey is disabled now, so nothing was called")
        same(double.lines(tools), [], "what reached the program")


def failures_of_the_program(tools, desktop):
    with scene(desktop):
        has(fails(tools, "FAILED", "Refuse"), "not today (org.perigee.Scene.Refused)")
        has(fails(tools, "TIMEOUT", "Slow", timeout=0.5), "Whether it was done is unknown: look before you call it again")


def properties(tools, desktop):
    with scene(desktop) as double:
        same(call(tools, "Fixed"), {"app": "org.perigee.Scene", "called": "org.perigee.Scene.Fixed", "effect": "read", "result": 7})
        done = call(tools, "Title", args=["three"])
        same([done["effect"], done["before"], done["after"]], ["changed", "one", "three"])
        same(call(tools, "Title", args=["three"])["effect"], "unchanged")
        stuck = call(tools, "Stubborn", args=["other"])
        same([stuck["effect"], stuck["after"], stuck["note"]],
             ["unchanged", "same", "the property has another value than the one that was set"])
        same(double.lines(tools), ["set Title 'three'", "set Title 'three'", "set Stubborn 'other'"])


def actions(tools, desktop):
    with scene(desktop) as double:
        same(call(tools, "app.run")["effect"], "unknown")
        same(call(tools, "open", args=["a b"])["effect"], "unknown")
        call(tools, "pair", args=[[1, "x"]])
        toggled = call(tools, "toggle")
        same([toggled["effect"], toggled["before"], toggled["after"]], ["changed", False, True])
        has(toggled["note"], "each call of this action toggles its state. To set one, pass state")
        same(call(tools, "toggle", state=True)["effect"], "unchanged")
        same(call(tools, "toggle", state=False)["after"], False)
        same(call(tools, "toggle", state="true")["after"], True)
        same(call(tools, "toggle", state="false")["after"], False)
        same(call(tools, "level", state="4")["after"], 4)
        level = call(tools, "level", args=[5])
        same(level["after"], 5)
        has(level["note"], "programs take any number as a state")
        same(call(tools, "width", state=9)["after"], 9)
        nonsense = call(tools, "scheme", state="nonsense")
        same([nonsense["effect"], nonsense["after"]], ["changed", "nonsense"])
        has(nonsense["note"], "programs take any text as a state")
        has(call(tools, "scheme", args=["other"])["note"], "programs take any text as a state")
        stuck = call(tools, "stuck", state=True)
        same([stuck["effect"], stuck["note"]], ["unchanged", "the action has another state than the one that was set"])
        same(double.lines(tools), ["action run", "action open 'a b'", "action pair (1, 'x')", "state toggle true", "state toggle true",
                                   "state toggle false", "state toggle true", "state toggle false", "state level 4", "state level 5", "state width 9", "state scheme 'nonsense'", "state scheme 'other'",
                                   "state stuck true"])


# --- real programs --------------------------------------------------------------------------------

def text_of(tools, app):
    return tools("find_elements", application=app, role="text")["elements"][0].get("value", "")


def mousepad(tools, desktop):
    """Found with its desktop entry; an edit changes the text, a setting its state, and an action opens a window. It ends with a
    text that is not saved, about which its next start would ask."""
    note = desktop.folder / "note.txt"
    note.write_text("hello world")

    def act(method, **more):
        return tools("call_dbus", app="org.xfce.mousepad", method=method, **more)
    with opened(tools, "mousepad", files=[str(note)]) as app:
        until(lambda: text_of(tools, app) == "hello world", "the text")
        is_described(tools, desktop, "org.xfce.mousepad", "text in capital letters", "edit.convert.to-uppercase")
        listed = tools("list", item_type="running_applications")["application_list"]
        same([(one["bundleId"], one["name"], one["pid"], one["active"]) for one in tools("list_running_apps")["apps"]],
             [(one["bundle_id"], one["app_name"], one["pid"], one["is_active"]) for one in listed], "as list has them")
        same(act("edit.select-all")["called"], "win.edit.select-all")
        done = act("edit.convert.to-uppercase")
        same(done["effect"], "seen", str(done))
        until(lambda: text_of(tools, app) == "HELLO WORLD", "capital letters")
        wrap = act("preferences.view.word-wrap", state=True)
        same([wrap["before"], wrap["after"], wrap["effect"]], [False, True, "changed"])
        same(act("preferences.view.word-wrap", state=True)["effect"], "unchanged")
        has(tools.fails("NOT_FOUND", "call_dbus", app="Mousepad", method="edit.convert.to-uppercas"), "edit.convert.to-uppercase")
        about = act("win.help.about")
        has(" ".join(about["seen"]), 'window "About Mousepad" opened')
        entry = told(desktop, SUITES + """
            local which = app "org.xfce.mousepad"
            say(which.name, which.pid, which.words)""")
        same(entry[0], "Mousepad")
        same(f"applications/{entry[1]}", app)
        has(entry[2], "Simple Text Editor")


def a_dialog_disables_actions(tools, _desktop):
    """The action that opens it answers only when the dialog is closed."""
    with opened(tools, "mousepad"):
        asked = tools("call_dbus", app="org.xfce.mousepad", method="win.file.open", timeout=60)
        has(" ".join(asked["seen"]), "opened")
        has(asked["note"], "the program has not answered yet: it may wait until its dialog is closed")
        has(tools.fails("DISABLED", "call_dbus", app="org.xfce.mousepad", method="win.edit.select-all"), "handle_dialog")


def a_notification_service(tools, desktop):
    with applications.program(desktop, "dunst"):
        until(lambda: not tools.result("call_dbus", app="org.freedesktop.Notifications", method="GetServerInformation").get("isError"),
              "the service")
        is_described(tools, desktop, "org.freedesktop.Notifications", "show a message to the user", "Notify")
        same(tools("call_dbus", app="org.freedesktop.Notifications", method="GetServerInformation")["result"][0], "dunst")
        shown = tools("call_dbus", app="org.freedesktop.Notifications", method="Notify",
                      args=["test", 0, "", "Build", "done", [], {"urgency": {"type": "y", "value": 2}, "x-note": "a"}, 0])
        same(shown["result"] > 0, True)
        same(shown["effect"], "seen", str(shown))
        until(lambda: subprocess.run(["dunstctl", "count", "displayed"], env=desktop.env, check=True,
                                     stdout=subprocess.PIPE).stdout.strip() == b"1", "the notification")
        has(tools.fails("INVALID_ARGUMENT", "call_dbus", app="org.freedesktop.Notifications", method="Notify",
                        args=["test", -1, "", "Build", "done", [], {}, 0]), "argument 2 (")
        tools("call_dbus", app="org.freedesktop.Notifications", method="CloseNotification", args=[shown["result"]])


run((("a model of each kind", a_model_of_each_kind),
     ("a large tree is cut", a_large_tree_is_cut),
     ("names that are none", names_that_are_none),
     ("a window that claims another program", a_window_that_claims_another_program),
     ("one program with several names", one_program_with_several_names),
     ("nothing is started by looking", nothing_is_started_by_looking),
     ("words of desktop entries", words_of_desktop_entries),
     ("two programs of one name", namesakes),
     ("methods", methods),
     ("calls that are refused before they are sent", refused_before_it_is_sent),
     ("failures of the program", failures_of_the_program),
     ("properties", properties),
     ("actions", actions),
     ("a dialog disables actions", a_dialog_disables_actions),
     ("mousepad", mousepad),
     ("a notification service", a_notification_service)), ["mousepad", "dunst", "gdbus", "xprop", "Xvfb"])
