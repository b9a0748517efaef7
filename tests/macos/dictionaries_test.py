#!/usr/bin/env python3
"""Dictionaries and scripts of the applications that run on a simulated Mac (lua_sim_test), with a double of osascript. It shows
nothing about a Mac."""

import json
import os
import pathlib
import plistlib
import shutil
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/lib"))

import folders                  # noqa: E402
import tap                      # noqa: E402
from scripted import program    # noqa: E402
from server import PERIGEE, TRUSTING, Server     # noqa: E402
from tools import same          # noqa: E402

MODULES = pathlib.Path(os.environ.get("BUILD", str(TOP / "build"))).resolve() / "sim/modules"
EDITOR, FILES, STILL = "org.perigee.TextEditor", "org.perigee.Files", "org.perigee.Still"
SDEF = """<dictionary title="{0}"><suite name="{0} Suite" code="suit"><command name="{1}" code="suitcomm" description="Does it.">
<direct-parameter type="document"/><parameter name="to" code="kfil" type="file"/></command></suite></dictionary>"""


class Mac:
    """The simulation runs Text Editor and Files; Still does not run."""

    def __init__(self):
        self.folder = pathlib.Path(os.path.realpath(folders.fresh("perigee-mac-")))
        (self.folder / "double").mkdir()
        for name, bundle, command in (("Text Editor", EDITOR, "export"), ("Files", FILES, "reveal"), ("Still", STILL, "wait")):
            self.install(name, bundle, command)
        env = {"PERIGEE_DESKTOP": "x11", "PERIGEE_MODULES": str(MODULES), "DISPLAY": "", "PERIGEE_SDEF_DIR": str(self.folder / "apps"),
               "PERIGEE_OSASCRIPT": str(program(self.folder, "osascript")), "XDG_STATE_HOME": str(self.folder / "state"),
               "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        self.server = Server([PERIGEE, "serve", "--no-user-root", "--root", TRUSTING, "--toolset", "dictionary,desktop,screen"], env=env)
        self.server.initialize()

    def install(self, name, bundle, command, version="1.0"):
        resources = self.folder / "apps" / f"{name}.app/Contents/Resources"
        resources.mkdir(parents=True, exist_ok=True)
        (resources / "it.sdef").write_text(SDEF.format(name, command))
        (resources.parent / "Info.plist").write_bytes(plistlib.dumps({"CFBundleIdentifier": bundle, "CFBundleName": name,
                                                                      "CFBundleShortVersionString": version}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        shutil.rmtree(self.folder)

    def read(self, uri):
        return json.loads(self.server.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])

    def result(self, name, **arguments):
        return self.server.call(name, arguments)["result"]

    def call(self, name, **arguments):
        result = self.result(name, **arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]


def running_ones_are_described():
    with Mac() as mac:
        same([(one["bundleId"], one["scriptable"], one["active"]) for one in mac.call("list_running_apps")["apps"]],
             [(EDITOR, True, True), (FILES, True, False)])
        listed = mac.call("list", item_type="running_applications")["application_list"]
        same([one["pid"] for one in mac.call("list_running_apps")["apps"]], [one["pid"] for one in listed])
        same([(one, mac.call("get_app_info", appBundleId=one)["running"]) for one in (EDITOR, FILES, STILL)],
             [(EDITOR, True), (FILES, True), (STILL, False)])


def resources():
    with Mac() as mac:
        mine = [one for one in mac.read("osa://apps")["apps"] if one["bundleId"].startswith("org.perigee.")]
        same(mine, [{"bundleId": bundle, "name": name, "version": "1.0", "source": "sdef"}
                    for name, bundle in (("Files", FILES), ("Still", STILL), ("Text Editor", EDITOR))])
        same([one["name"] for one in mac.read(f"osa://apps/{EDITOR}/dictionary")["commands"]], ["export"])
        same(mac.read(f"osa://apps/{EDITOR}/dictionary/summary")["categories"], {"Text Editor Suite": [
            {"command": "export", "args": ["document", "to file"], "description": "Does it."}]})
        same(mac.read(f"osa://apps/{EDITOR}/dictionary/full")["suites"][0]["commands"][0]["code"], "suitcomm")
        mac.server.ask("resources/subscribe", {"uri": f"osa://apps/{EDITOR}/dictionary"})
        mac.install("Text Editor", EDITOR, "publish", "2.0")
        mac.server.notified("notifications/resources/updated")
        read = mac.read(f"osa://apps/{EDITOR}/dictionary")
        same((read["version"], [one["name"] for one in read["commands"]]), ("2.0", ["publish"]))


def scripts():
    """For the application, by its ID and its name; for another one it is refused."""
    with Mac() as mac:
        (mac.folder / "double/plan.json").write_text(json.dumps({"answers": [{"script": "*", "text": "done"}]}))
        for who in (f'id "{EDITOR}"', '"Text Editor"'):
            same(mac.call("execute_applescript", script=f"tell application {who} to activate", appBundleId=EDITOR)["result"], "done")
        other = mac.result("execute_applescript", script='tell application "Files" to activate', appBundleId=EDITOR)
        same((other["isError"], other["_meta"]["perigee/code"]), (True, "OTHER_APPLICATION"))
        found = mac.call("search_commands", query="export the document", appBundleId=EDITOR)["results"]
        same([one["command"] for one in found], ["export"])


if (MODULES / "x11.so").exists():
    tap.case("running applications are those that describe themselves", running_ones_are_described)
    tap.case("their dictionaries are resources, also when they change", resources)
    tap.case("scripts are for one of them", scripts)
    tap.done()
else:
    print("1..0 # SKIP not built here: make unit")
