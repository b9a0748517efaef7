#!/usr/bin/env python3
"""App Intents, over MCP: where bundles have them, and their texts. The metadata is made here, in the form of Xcode's."""

import json
import os
import plistlib
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from dictionary_house import INTENTS, House, Traced, bundle, put, same     # noqa: E402
from tools import until     # noqa: E402

METADATA = "Metadata.appintents/extract.actionsdata"


def titled(**titles):
    """Metadata of intents with these titles, each a text or an object."""
    return {"version": 1, "actions": {name: {"identifier": name, "title": title if isinstance(title, dict) else {"key": title}, "parameters": []}
                                      for name, title in titles.items()}, "entities": {}, "enums": []}


def names(house, app):
    return [one["name"] for one in house.json(f"osa://apps/{app}/dictionary")["commands"]]


def intents_of_members():
    """Frameworks and extensions have intents as well: each is told once, and a change of one is seen."""
    def said(name):
        return json.dumps(INTENTS).replace("OpenNote", name)
    with House() as house:
        for folder, name in (("Frameworks/Core.framework/Versions/A/Resources", "OpenNote"), ("PlugIns/Widget.appex/Contents/Resources", "ShareNote"),
                             ("Extensions/More.appex/Contents/Resources", "PinNote"), ("PlugIns/Other.bundle/Contents/Resources", "NoNote")):
            for app in ("Notes", "Silent"):
                path = os.path.join(house.folder, f"{app}.app/Contents", folder, "Metadata.appintents/extract.actionsdata")
                os.makedirs(os.path.dirname(path))
                with open(path, "w", encoding="utf-8") as file:
                    file.write(said(name))
        for app in ("com.apple.Notes", "com.example.silent"):
            def names(app=app):
                suites = house.json(f"osa://apps/{app}/dictionary/full")["suites"]
                return [(suite["name"], [one["name"] for one in suite["commands"]]) for suite in suites]
            until(lambda names=names: house.result("discover_apps", query="Silent")["structuredContent"]["total"] and
                  names() == [("App Intents", ["OpenNote", "ShareNote", "PinNote"])], "the intents")
        with open(os.path.join(house.folder, "Notes.app/Contents/PlugIns/Widget.appex/Contents/Resources/Metadata.appintents/extract.actionsdata"),
                  "w", encoding="utf-8") as file:
            file.write(said("SendNote"))
        until(lambda: '"SendNote"' in house.read("osa://apps/com.apple.Notes/dictionary"), "the changed intents")


def older_place():
    """Both places of an application are read, and what both say is told once."""
    def prepare(folder):
        for app in ("Notes", "Silent"):
            put(f"{folder}/{app}.app/Contents/Resources/Link.data/extract.actionsdata", titled(OpenNote="Open", Older="Older"))
    with House(prepare=prepare) as house:
        same(names(house, "com.apple.Notes"), ["OpenNote", "Older"])
        same(names(house, "com.example.silent"), ["Older", "OpenNote"])


def texts_of_tables():
    """Texts of keys are in tables of the bundle that has the metadata, also an extension; the English ones are taken."""
    def binary(**texts):
        return plistlib.dumps({"LocProvenance": {}, "de": {key: "deutsch" for key in texts}, "en": texts}, fmt=plistlib.FMT_BINARY)

    def prepare(folder):
        contents = f"{folder}/Silent.app/Contents"
        for resources, own in ((f"{contents}/Resources", "own"), (f"{contents}/PlugIns/Widget.appex/Contents/Resources", "extension's")):
            put(f"{resources}/Localizable.loctable", binary(TITLE_A=f"The {own} A", TITLE_B="wrong", TITLE_F=f"The {own} F"))
            put(f"{resources}/Intents.loctable", plistlib.dumps({"en": {"TITLE_B": "Ä B", "TITLE_E": {"NSStringLocalizedFormatKey": "%#@n@"}}}))
            put(f"{resources}/Broken.loctable", b"bplist00" + b"\1" * 50)
        put(f"{contents}/Secret.loctable", binary(TITLE_C="secret"))
        put(f"{contents}/PlugIns/Widget.appex/Contents/Resources/{METADATA}", titled(F={"key": "TITLE_F"}))
        put(f"{contents}/Resources/{METADATA}", titled(**{
            name: {"key": f"TITLE_{name}", "alternatives": [], **more} for name, more in (
                ("A", {}), ("B", {"table": "Intents"}), ("C", {"table": "../Secret"}), ("D", {"table": "Broken"}), ("E", {"table": "Intents"}))}))
    with House(prepare=prepare) as house:
        whole = house.json("osa://apps/com.example.silent/dictionary/full")
        same({one["name"]: one.get("title") for one in whole["suites"][0]["commands"]},
             {"A": "The own A", "B": "Ä B", "C": None, "D": None, "E": None, "F": "The extension's F"})
        same(len(whole["notes"]), 1)
        assert "Broken.loctable cannot be read" in whole["notes"][0], whole["notes"]


def framework(folder, name, metadata):
    """A framework as the system's folder has them. It is moved there as a whole."""
    made = f"{folder}/.{name}"
    put(f"{made}/Versions/A/Resources/{METADATA}", metadata)
    os.makedirs(f"{made}/Versions/A/Resources/en.lproj", exist_ok=True)
    os.rename(made, f"{folder}/{name}.framework")


def attributed(**of):
    """Metadata of intents, each with the application that it appears under, if any, and with an entity, an enumeration of its own."""
    metadata = titled(**{name: f"Do {name}" for name in of})
    for name, app in of.items():
        action = metadata["actions"][name]
        if app:
            action["attributionBundleIdentifier"] = app
        entity = {"typeName": f"{name}Entity", "properties": [
            {"identifier": "how", "valueType": {"linkEnumeration": {"wrapper": {"identifier": f"{name}How"}}}}]}
        metadata["entities"][f"{name}Entity"] = entity
        metadata["enums"].append({"identifier": f"{name}How", "cases": [{"identifier": "slow"}]})
        action["parameters"] = [{"name": "it", "valueType": {"array": {"wrapper": {"memberValueType": {
            "entity": {"wrapper": {"typeName": f"{name}Entity"}}}}}}}]
    return metadata


def system_frameworks(folder):
    framework(folder, "NotesLink", attributed(Pin="com.apple.Notes", Wait="com.example.SILENT", Nobody=None, Elsewhere="com.example.absent"))
    framework(folder, "FinderLink", attributed(Reveal="com.apple.finder", OpenNote="com.apple.Notes"))
    framework(folder, "Spoiled", b'{"actions":{"X":{"attributionBundleIdentifier":"com.apple.finder"')
    framework(folder, "KeynoteLink", attributed(Present="com.apple.Keynote"))
    framework(folder, "Entities", {"actions": {}, "entities": {"E": {"attributionBundleIdentifier": "com.example.entities"}}})
    bundle(folder, "Entities", {"CFBundleIdentifier": "com.example.entities", "CFBundleName": "Entities"})


def intents_of_the_system():
    """Intents of frameworks are of the application that they name, and of no other."""
    with House(prepare=system_frameworks) as house:
        def suites(app):
            return {suite["name"]: suite for suite in house.json(f"osa://apps/{app}/dictionary/full")["suites"]}
        same(names(house, "com.apple.Notes"), ["OpenNote", "Pin"])      # the one that it has itself is told once
        suite = suites("com.apple.Notes")["App Intents"]
        same([one["name"] for one in suite["classes"]], ["OpenNoteEntity", "PinEntity"])
        same([one["name"] for one in suite["enumerations"]], ["OpenNoteHow", "PinHow"])
        same({name: [one["name"] for one in suite["commands"]] for name, suite in suites("com.apple.finder").items()},
             {"Finder Basics": ["open", "reveal", "sort by"], "App Intents": ["Reveal"]})
        same(sorted(suites("com.example.both")), ["App Intents", "Both Basics"])
        assert "App Intents" not in suites("com.apple.Keynote"), "a dictionary without an application"
        found = house.result("search_commands", query="pin", appBundleId="com.apple.Notes")["structuredContent"]["results"]
        same(found[0]["command"], "Pin")


def applications_of_frameworks_only():
    """An application that describes nothing itself is known when it is asked for, and is in no list."""
    with House(prepare=system_frameworks) as house:
        found = house.result("search_commands", query="wait")["structuredContent"]["results"]
        same([(one["bundleId"], one["command"]) for one in found if one["command"] == "Wait"], [("com.example.silent", "Wait")])
    with House(prepare=system_frameworks) as house:
        def listed():
            return "com.example.silent" in house.read("osa://apps")
        same((listed(), names(house, "com.example.silent"), listed()), (False, ["Wait"], False))
        same(house.result("get_app_info", appBundleId="Silent")["structuredContent"]["source"], "intents")
        for app in ("com.example.entities", "com.example.absent"):
            assert "describes what it can do" in json.dumps(house.read(f"osa://apps/{app}/dictionary")), app


def frameworks_change():
    with House(prepare=system_frameworks) as house:
        same(names(house, "com.apple.Notes"), ["OpenNote", "Pin"])
        framework(house.folder, "More", attributed(Share="com.apple.Notes"))
        until(lambda: names(house, "com.apple.Notes") == ["OpenNote", "Share", "Pin"], "another framework")
        put(f"{house.folder}/More.framework/Versions/A/Resources/{METADATA}", attributed(Send="com.apple.Notes", Hold="com.apple.finder"))
        until(lambda: names(house, "com.apple.Notes") == ["OpenNote", "Send", "Pin"], "the changed framework")
        shutil.rmtree(f"{house.folder}/More.framework")
        until(lambda: names(house, "com.apple.Notes") == ["OpenNote", "Pin"], "the framework that is gone")


def frameworks_are_read_when_asked():
    """No list of applications opens the folder of one."""
    with Traced(prepare=system_frameworks) as house:
        def seen(act):
            return {word for line in house.traced(act) if "open" in line for word in re.findall(r"(\w+)\.framework", line)}
        same(seen(lambda: (house.read("osa://apps"), house.result("discover_apps"), house.result("list_running_apps"))), set())
        same(seen(lambda: house.read("osa://apps/com.apple.Notes/dictionary")),
             {"NotesLink", "FinderLink", "Spoiled", "KeynoteLink", "Entities"})


tap.case("intents of frameworks and extensions", intents_of_members)
tap.case("intents in the older place", older_place)
tap.case("texts of keys are looked up in the tables of a bundle", texts_of_tables)
tap.case("intents of applications that are in frameworks of the system", intents_of_the_system)
tap.case("applications of which only frameworks say anything", applications_of_frameworks_only)
tap.case("frameworks of the system that come, change and go", frameworks_change)
tap.case("frameworks of the system are read when a dictionary is asked for", frameworks_are_read_when_asked)
tap.done()
