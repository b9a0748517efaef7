#!/usr/bin/env python3
"""Observations of real applications: what happens is kept until it is read, whoever brought it about, and watching costs
nothing while nothing happens."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import server as servers                                        # noqa: E402
from tap import Failure                                         # noqa: E402
from tools import Tools, bare_client, has, opened, run, same, until     # noqa: E402

PERIGEE = servers.PERIGEE


@contextlib.contextmanager
def observed(tools, **about):
    name = tools("create_observation", **about)["name"]
    try:
        yield name
    finally:
        tools("cancel_observation", name=name)


def read(tools, name, wanted, after=0):
    """Reads until so many events are there, or one that `wanted` accepts."""
    events = []
    while not (len(events) >= wanted if isinstance(wanted, int) else any(wanted(e) for e in events)):
        page = tools("get_observation", name=name, after=after, wait=15)
        same(page["missed"], 0, page)
        if not page["events"]:
            raise Failure(f"no more events after {events}")
        events += page["events"]
        after = page["next"]
    return events


def running(tools, name):
    return [o for o in tools("list_observations")["observations"] if o["name"] == name][0]["running"]


def told(events):
    return [(e["event"], e.get("title")) for e in events]


def windows_without_accessibility(tools, desktop):
    """A client that tells nothing of itself is observed by X alone."""
    with bare_client(tools, desktop) as client, observed(
            tools, what="windows", window="bare",
            events=["window_opened", "window_titled", "window_moved", "window_closed", "popup_opened", "popup_closed"]) as name:
        window = client.window("one")
        read(tools, name, lambda e: e["event"] == "window_opened")
        client.retitle(window, 'a "two"\x1b\u202e')
        titled = read(tools, name, lambda e: e["event"] == "window_titled")[-1]
        same(titled["was"], "one", titled)
        has(tools.text("get_observation", name=name), r'"a \"two\"')
        same("\x1b" in tools.text("get_observation", name=name), False)
        after = titled["number"]
        popup = client.window("menu", at=(300, 300, 50, 50), popup=True)
        read(tools, name, lambda e: e["event"] == "popup_opened", after)
        client.destroy(popup)
        client.destroy(window)
        last = read(tools, name, lambda e: e["event"] == "window_closed", after)
        numbers = [e["number"] for e in last]
        same(numbers, list(range(after + 1, after + 1 + len(numbers))))


def elements_of_an_editor(tools, _desktop):
    """A dialog that comes and goes, and a text, each told to those that asked for it. Nothing gets the focus for it."""
    with opened(tools, "mousepad") as app:
        with observed(tools, what="tree", application=app) as tree, \
                observed(tools, what="attributes", application=app, element="text") as text, \
                observed(tools, what="elements", application=app, element='button "Cancel"') as cancel:
            tools("create_input", action="type", text="hello")
            same(read(tools, text, lambda e: e.get("value") == "hello")[-1]["changed"], ["value"])
            tools("create_input", action="keys", keys="ctrl+o")
            came = read(tools, cancel, 1)[0]
            same((came["event"], came["role"], came["name"]), ("element_added", "button", "Cancel"))
            same(tools("get_element", element=came["ref"])["name"], "Cancel")
            tools("create_input", action="keys", keys="escape")
            gone = read(tools, cancel, 1, after=came["number"])[0]
            same((gone["event"], gone["name"]), ("element_removed", "Cancel"))
            dialogs = [(e["event"], e["role"]) for e in
                       read(tools, tree, lambda e: e["event"] == "element_removed" and e["role"] == "dialog") if e["role"] == "dialog"]
            same(dialogs, [("element_added", "dialog"), ("element_removed", "dialog")])


def an_application_that_dies(tools, _desktop):
    """The observations can still be read, and say that the application has ended."""
    with observed(tools, what="applications") as name:
        app = tools("open_application", name="mousepad", wait=30)["application"]["name"]
        until(lambda: not tools.result("get_ui_tree", application=app).get("isError"), "its elements")
        tree = tools("create_observation", what="tree", application=app)["name"]
        os.kill(int(app.partition("/")[2]), signal.SIGKILL)
        events = read(tools, name, lambda e: e["event"] == "application_exited" and e["application"] == app)
        same([e["event"] for e in events if e["application"] == app][0], "application_opened", events)
        until(lambda: not tools("get_observation", name=tree, wait=5)["running"], "the end of the observation")
        same(tools("get_observation", name=tree)["ended"], "the application exited")
        tools("cancel_observation", name=tree)
        tools.fails("OBSERVATION_NOT_FOUND", "get_observation", name=tree)


def states_that_are_lost(tools, _desktop):
    """An event says which states were set and which were lost, also of a window that another one has taken the focus from."""
    with opened(tools, "mousepad") as app, observed(tools, what="attributes", application=app) as name:
        window = tools("list_windows", parent=app)["windows"][0]["name"]
        minimized = tools("minimize_window", name=window, diff=True)
        same(any("not active" in line for line in minimized["changes"]), True, minimized)
        events = read(tools, name, lambda e: e["role"] == "window" and "active" in e.get("lost", []))
        for event in events:
            same(sorted(event.get("set", []) + event.get("lost", [])),
                 [each for each in event["changed"] if each not in ("name", "value")], event)


def windows_of_an_application_that_ends(tools, desktop):
    """Observations of its windows and of itself end with it, also when it had no window; its name is told."""
    with contextlib.ExitStack() as stack:
        everything = stack.enter_context(observed(tools, what="applications"))
        app, _, pid = tools.xterm("ends soon")
        names = [tools("create_observation", what=what, application=app)["name"] for what in ("windows", "applications")]
        os.kill(pid, signal.SIGKILL)
        for name in names:
            until(lambda: not tools("get_observation", name=name, wait=5)["running"], "the end of the observation")
            same(tools("get_observation", name=name)["ended"], "the application exited")
        exited = read(tools, everything, lambda e: e["event"] == "application_exited" and e["application"] == app)[-1]
        has(exited["app"].lower(), "xterm")
    with subprocess.Popen(["sleep", "600"]) as bare:
        tools("get_application", name=f"applications/{bare.pid}")
        name = tools("create_observation", what="windows", application=f"applications/{bare.pid}")["name"]
        bare.kill()
        bare.wait()
        until(lambda: not tools("get_observation", name=name)["running"], "the end of one without windows")


def stays(tools, name):
    """Whether the second since which an application cannot be read has passed, and is told again. Events from before the application
    stopped may come late, and begin it again."""
    def begun():
        return tools("get_observation", name=name)["unread"][len("since "):len("since 00:00:00")]
    since = begun()
    return since != time.strftime("%H:%M:%S", time.gmtime()) and begun() == since


def an_application_that_stops(tools, _desktop):
    """It tells nothing, and the answer says that it cannot be read, until it can."""
    with opened(tools, "mousepad") as app, observed(tools, what="attributes", application=app) as name:
        pid = int(app.partition("/")[2])
        same("unread" in tools("get_observation", name=name), False)
        os.kill(pid, signal.SIGSTOP)
        try:
            page = tools("get_observation", name=name)
            same(page["unread"].startswith("since "), True, page)
            has(tools.text("get_observation", name=name), f"{app} cannot be read since ")
            has(tools.text("list_observations"), "cannot be read since ")
            until(lambda: stays(tools, name), "a beginning that stays")
        finally:
            os.kill(pid, signal.SIGCONT)
        until(lambda: "unread" not in tools("get_observation", name=name), "that it can be read again")
        after = tools("get_observation", name=name)["next"]
        tools("minimize_window", name=tools("list_windows", parent=app)["windows"][0]["name"])
        read(tools, name, lambda e: "active" in e.get("lost", []), after)


def more_than_are_kept(tools, desktop):
    """The oldest give way, and the reader is told how many."""
    with bare_client(tools, desktop) as client:
        window = client.window("title 0")
        tools("wait_for", condition="window", window="title 0")
        with observed(tools, what="windows", events=["window_titled"], keep=3) as name:
            for number in range(1, 9):
                client.retitle(window, f"title {number}")
                tools("wait_for", condition="title", window="bare", text=f"title {number}")
                until(lambda: tools("list_observations")["observations"][-1]["total"] == number, "the event")
            page = tools("get_observation", name=name)
            same(([e["title"] for e in page["events"]], page["missed"], page["next"]), (["title 6", "title 7", "title 8"], 5, 8))
            has(tools.text("get_observation", name=name), "5 events before these are lost")
            page = tools("get_observation", name=name, after=6, limit=1)
            same(([e["title"] for e in page["events"]], page["missed"], page["more"]), (["title 7"], 0, 1))


def nobody_reads(tools, _desktop):
    """It ends by itself and says so, and there is a limit."""
    name = tools("create_observation", what="windows", life=1)["name"]
    until(lambda: not running(tools, name), "its end")
    same(tools("get_observation", name=name)["ended"], "it had no reader for 1 seconds")
    names = [tools("create_observation", what="applications")["name"] for _ in range(32)]
    has(tools.fails("TOO_MANY_OBSERVATIONS", "create_observation", what="windows"), "Cancel one with cancel_observation")
    for each in names:
        tools("cancel_observation", name=each)


def subscribers(tools, desktop):
    """They are told, may read it as a resource, and keep it alive."""
    with bare_client(tools, desktop) as client, observed(tools, what="windows", window="bare", life=1) as name:
        uri = f"perigee://{name}"
        same(tools.server.ask("resources/subscribe", {"uri": uri})["result"], {})
        client.window("subscribed")
        same(tools.server.notified("notifications/resources/updated")["params"]["uri"], uri)
        content = json.loads(tools.server.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])
        same(told(content["events"])[0], ("window_opened", "subscribed"))
        unread = tools("create_observation", what="windows", life=1)["name"]
        until(lambda: not running(tools, unread), "the end of one that has no reader either")
        same(running(tools, name), True)
        missing = tools.server.ask("resources/subscribe", {"uri": "perigee://observations/9999"})
        same(missing["error"]["code"], -32002, missing)
        tools.server.ask("resources/unsubscribe", {"uri": uri})
        until(lambda: not running(tools, name), "its end without subscribers")


def across_a_reload(_tools, desktop):
    """Files are saved while something is observed: nothing is lost, neither before nor after the new ones take over."""
    root = desktop.folder / "root"
    (root / "tools" / "mine").mkdir(parents=True)
    file = root / "tools" / "mine" / "one.lua"
    source = 'return { description = "One, version %d.", inputSchema = { type = "object" }, run = function() return "%d" end }\n'
    file.write_text(source % (1, 1))
    tools = Tools.__new__(Tools)
    tools.server = servers.perigee("--no-user-root", "--root", servers.TRUSTING, "--root", str(root), env=desktop.env)
    with contextlib.closing(tools), bare_client(tools, desktop) as client:
        tools.server.initialize()
        name = tools("create_observation", what="windows", events=["window_opened"], window="bare")["name"]
        client.window("before")
        read(tools, name, 1)
        file.write_text(source % (2, 2))
        until(lambda: tools.text("one") == "2", "the new version")
        client.window("old code")       # before anybody reads
        until(lambda: tools("list_observations")["observations"][0]["total"] == 2, "the event")
        tools("get_observation", name=name)     # the new code takes over
        client.window("new code")
        same([e["title"] for e in read(tools, name, 3)], ["before", "old code", "new code"])
        same("observing" in tools.server.stderr(), False, tools.server.stderr())


def processor_time(pid):
    """Milliseconds that its threads have run."""
    return sum(int(path.read_text(encoding="ascii").split()[0])
               for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e6


def costs_nothing(tools, _desktop):
    """Observing windows and the elements of two applications takes at most 4 ms of the processor in a second of rest."""
    with opened(tools, "mousepad") as one, opened(tools, "gnome-calculator") as two, \
            observed(tools, what="windows"), observed(tools, what="tree", application=one), \
            observed(tools, what="attributes", application=two) as name:
        until(lambda: not tools("get_observation", name=name, wait=1.5)["events"], "rest")
        pid = tools.server.process.pid
        spent = []
        while len(spent) < 20:      # other programs may still be settling
            before = processor_time(pid)
            time.sleep(1)           # the time over which work is measured
            spent.append(processor_time(pid) - before)
            if spent[-1] <= 4:
                return
        raise Failure(f"{min(spent):.1f} ms at least")


SCRIPT = """
local observe = require "observe"
local windows <close> = observe { what = "windows", window = "observed by a script" }
local said = {}
windows:on("window_opened", function(event) said[#said + 1] = event.title end)
windows:on("*", function(event, self) if event.event == "window_closed" then self:stop() end end)
print "ready"
windows:run(30)
print(table.concat(said, ","))
"""


def in_a_script(tools, desktop):
    """observe{...}:on(...) of `perigee run`, which ends by itself."""
    path = desktop.folder / "observing.lua"
    path.write_text(SCRIPT)
    with bare_client(tools, desktop) as client, subprocess.Popen(
            [PERIGEE, "run", "--no-user-root", str(path)], env={**os.environ, **desktop.env}, stdout=subprocess.PIPE,
            text=True) as script:
        same(script.stdout.readline(), "ready\n")
        window = client.window("observed by a script")
        tools("wait_for", condition="window", window="observed by a script")
        time.sleep(0.3)     # a window that comes and goes in one moment may never be seen
        client.destroy(window)
        same(script.communicate(timeout=60)[0], "observed by a script\n")
        same(script.returncode, 0)


LEFT = 'local o = require "observe" { what = "windows" }; %s return o.name'


def left_by_a_script(tools, _desktop):
    """Observations by `observe` end with the script of run_lua, even if it fails; one by create_observation stays."""
    def running():
        return [o["name"] for o in tools("list_observations")["observations"] if o["running"]]

    before = running()
    for code in (LEFT % "", LEFT % "error 'x'", LEFT % "while true do end"):
        tools.result("run_lua", code=code, timeout=2)
        same(running(), before, code)
    name = tools.text("run_lua", code='return tools.create_observation{ what = "windows" }.name').strip('"')
    same(running(), before + [name])
    tools("cancel_observation", name=name)


run((("windows are observed without accessibility", windows_without_accessibility),
     ("states that are lost are told", states_that_are_lost),
     ("an application that stops", an_application_that_stops),
     ("elements of an editor", elements_of_an_editor),
     ("an application that dies", an_application_that_dies),
     ("the windows of an application that ends", windows_of_an_application_that_ends),
     ("more events than are kept", more_than_are_kept),
     ("an observation that nobody reads ends", nobody_reads),
     ("subscribers are told", subscribers),
     ("a reload loses nothing", across_a_reload),
     ("it costs nothing while nothing changes", costs_nothing),
     ("observe in a script", in_a_script),
     ("the observations of a script end with it", left_by_a_script)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gnome-calculator"), lambda desktop: Tools(desktop.env))
