"""A folder with applications that describe themselves, as a Mac has them, and a server that reads it."""

import json
import os
import plistlib
import shutil
import subprocess

import folders
import tap
from server import PERIGEE, TOP, TRUSTING, Server

FINDER = """<?xml version="1.0" encoding="UTF-8"?>
<dictionary title="Finder Terminology"><suite name="Finder Basics" code="fndr" description="Common commands">
<command name="open" code="aevtodoc" description="Open the specified object(s)"><direct-parameter type="specifier"/>
<parameter name="using" code="usin" type="file" optional="yes"/></command>
<command name="reveal" code="miscmvis" description="Bring objects into view"><direct-parameter type="specifier"/></command>
<command name="sort by" code="sortby00" hidden="yes"/>
<class name="folder" code="cfol"><property name="name" code="pnam" type="text" access="r"/>
<property name="items" code="cobj" access="r"><type type="item" list="yes"/></property></class></suite></dictionary>
"""
INTENTS = {"version": 1, "actions": {"OpenNote": {"identifier": "OpenNote", "title": {"key": "Open Note"}, "parameters": [
    {"name": "note", "isOptional": False, "valueType": {"entity": {"wrapper": {"typeName": "NoteEntity"}}}}]}}, "entities": {}, "enums": []}


def bundle(folder, name, info, sdef=None, intents=None, binary=True):
    resources = os.path.join(folder, f"{name}.app", "Contents", "Resources")
    os.makedirs(resources)
    with open(os.path.join(resources, "..", "Info.plist"), "wb") as file:
        plistlib.dump(info, file, fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML)
    if sdef:
        with open(os.path.join(resources, f"{name}.sdef"), "w", encoding="utf-8") as file:
            file.write(sdef)
    if intents:
        os.makedirs(os.path.join(resources, "Metadata.appintents"))
        with open(os.path.join(resources, "Metadata.appintents", "extract.actionsdata"), "w", encoding="utf-8") as file:
            json.dump(intents, file)


class House:
    """A folder with applications as a Mac has them, and a server that reads it. `prepare` adds to the folder before the server starts."""

    def __init__(self, *wrapper, prepare=None):
        self.folder = os.path.realpath(folders.fresh("perigee-dictionaries-"))
        bundle(self.folder, "Finder", {"CFBundleIdentifier": "com.apple.finder", "CFBundleName": "Finder",
                                       "CFBundleShortVersionString": "14.1", "OSAScriptingDefinition": "Finder.sdef"}, FINDER)
        bundle(self.folder, "Notes", {"CFBundleIdentifier": "com.apple.Notes", "CFBundleDisplayName": "Notes",
                                      "CFBundleShortVersionString": "4.11"}, intents=INTENTS, binary=False)
        bundle(self.folder, "Both", {"CFBundleIdentifier": "com.example.both", "CFBundleName": "Both"}, FINDER.replace("Finder", "Both"),
               INTENTS)
        bundle(self.folder, "Silent", {"CFBundleIdentifier": "com.example.silent", "CFBundleName": "Silent"})
        shutil.copy(os.path.join(TOP, "tests/macos/dictionaries/com.apple.Keynote.sdef"), self.folder)
        if prepare:
            prepare(self.folder)
        env = {"PERIGEE_SDEF_DIR": self.folder, "DISPLAY": "", "WAYLAND_DISPLAY": "", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        self.server = Server([*wrapper, PERIGEE, "serve", "--no-user-root", "--root", TRUSTING, "--toolset", "dictionary"], env=env)
        self.server.initialize()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        shutil.rmtree(self.folder)

    def read(self, uri):
        answer = self.server.ask("resources/read", {"uri": uri})
        return answer["result"]["contents"][0]["text"] if "result" in answer else answer["error"]

    def json(self, uri):
        text = self.read(uri)
        assert isinstance(text, str), text
        return json.loads(text)

    def result(self, tool, **arguments):
        return self.server.call(tool, arguments)["result"]

    def text(self, tool, **arguments):
        return self.result(tool, **arguments)["content"][0]["text"]


class Traced(House):
    """A house under strace: what the server has opened, looked for, started and connected to."""

    def __init__(self, prepare=None):
        if not shutil.which("strace"):
            raise tap.Skip("needs strace")
        if os.environ.get("PERIGEE_ASAN"):
            raise tap.Skip("a leak checker does not work under strace")
        self.log = os.path.join(folders.fresh("perigee-strace-"), "log")
        if subprocess.run(["strace", "-o", self.log, "true"], capture_output=True, check=False).returncode:
            raise tap.Skip("strace may not trace here")
        super().__init__("strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file,socket,connect", "-o", self.log,
                         prepare=prepare)

    def __exit__(self, *_):
        super().__exit__()
        shutil.rmtree(os.path.dirname(self.log))

    def traced(self, act):
        """The lines of what happens meanwhile."""
        start = os.path.getsize(self.log)
        act()
        with open(self.log, encoding="utf-8", errors="replace") as file:
            file.seek(start)
            return file.read().splitlines()


def put(path, data):
    """A file of bytes or of JSON, with its folders."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else json.dumps(data).encode())


def same(got, wanted):
    assert got == wanted, f"\n got {got!r}\nwant {wanted!r}"
