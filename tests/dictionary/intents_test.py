#!/usr/bin/env python3
"""App Intents, over MCP: where bundles have them, and their texts. The metadata is made here, in the form of Xcode's."""

import json
import os
import plistlib
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from dictionary_house import INTENTS, House, put, same     # noqa: E402
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


tap.case("intents of frameworks and extensions", intents_of_members)
tap.case("intents in the older place", older_place)
tap.case("texts of keys are looked up in the tables of a bundle", texts_of_tables)
tap.done()
