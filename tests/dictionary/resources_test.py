#!/usr/bin/env python3
"""Dictionaries as resources and tools, over MCP: what is found, read, paged, completed, watched, and what is refused."""

import json
import os
import plistlib
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import pace         # noqa: E402
import tap          # noqa: E402
from dictionary_house import FINDER, House, Traced, bundle, same     # noqa: E402

NOT_FOUND = -32002
HIT = 0.005         # seconds of processor time for a dictionary that was read before
READING = 1.5       # times the floor of pace.py for reading 100 kB of one


def ours(apps):
    """Those of the folder: a machine has others of its own."""
    return [one for one in apps if one["bundleId"].startswith(("com.apple.", "com.example."))]


def lists():
    with House() as house:
        listed = house.server.ask("resources/list")["result"]["resources"]
        assert [one for one in listed if one["uri"] == "osa://apps" and one["mimeType"] == "application/json"], listed
        templates = [one["uriTemplate"] for one in house.server.ask("resources/templates/list")["result"]["resourceTemplates"]]
        for wanted in ("osa://apps/{id}/dictionary", "osa://apps/{id}/dictionary/summary", "osa://apps/{id}/dictionary/full{?page}"):
            assert wanted in templates, templates
        apps = house.json("osa://apps")["apps"]
        same(ours(apps), [
            {"bundleId": "com.example.both", "name": "Both", "version": "", "source": "sdef"},
            {"bundleId": "com.apple.finder", "name": "Finder", "version": "14.1", "source": "sdef"},
            {"bundleId": "com.apple.Keynote", "name": "Keynote", "version": "", "source": "sdef"},
            {"bundleId": "com.apple.Notes", "name": "Notes", "version": "4.11", "source": "intents"}])
        result = house.result("discover_apps", page_size=1000)["structuredContent"]
        same(result, {"apps": apps, "total": len(apps)})


def forms():
    with House() as house:
        same(house.json("osa://apps/com.apple.finder/dictionary"), {"version": "14.1", "commands": [
            {"name": "open", "description": "Open the specified object(s)", "source": "sdef", "parameters": [
                {"name": "target", "type": "specifier", "required": True}, {"name": "using", "type": "file", "required": False}]},
            {"name": "reveal", "description": "Bring objects into view", "source": "sdef", "parameters": [
                {"name": "target", "type": "specifier", "required": True}]}],
            "classes": [{"name": "folder", "properties": [{"name": "name", "type": "text", "access": "r"},
                                                          {"name": "items", "type": "list<item>", "access": "r"}]}]})
        summary = house.json("osa://apps/com.apple.finder/dictionary/summary")
        same(summary["categories"], {"Finder Basics": [
            {"command": "open", "args": ["specifier", "[using file]"], "description": "Open the specified object(s)"},
            {"command": "reveal", "args": ["specifier"], "description": "Bring objects into view"}]})
        same(sorted(set(summary) - {"more"}), ["app", "categories", "examples"])
        whole = house.json("osa://apps/com.apple.finder/dictionary/full")
        same([one["name"] for one in whole["suites"][0]["commands"]], ["open", "reveal", "sort by"])
        same(whole["suites"][0]["commands"][2]["hidden"], True)
        both = house.json("osa://apps/com.example.both/dictionary/full")
        same([(one["name"], one["source"]) for one in both["suites"]], [("Finder Basics".replace("Finder", "Both"), "sdef"),
                                                                       ("App Intents", "intents")])


def tools():
    with House() as house:
        for name in ("com.apple.finder", "com.apple.Notes", "com.apple.Keynote"):
            for form in ("summary", "full"):
                same(house.text("get_app_capabilities", appBundleId=name, format=form), house.read(f"osa://apps/{name}/dictionary/{form}"))
        same(house.text("get_app_capabilities", appBundleId="com.apple.finder"), house.read("osa://apps/com.apple.finder/dictionary/summary"))
        info = house.result("get_app_info", appBundleId="com.apple.finder")["structuredContent"]
        same(info, {"bundleId": "com.apple.finder", "name": "Finder", "version": "14.1", "path": f"{house.folder}/Finder.app",
                    "running": False, "scriptable": True, "suites": ["Finder Basics"], "commands": 2, "classes": 1,
                    "uri": "osa://apps/com.apple.finder/dictionary", "source": "sdef"})
        same(house.result("get_app_info", appBundleId="Finder")["structuredContent"], info)
        for tool, arguments in (("get_app_info", {}), ("get_app_info", {"appBundleId": 7}), ("get_app_info", {"appBundleId": "x" * 301}),
                                ("get_app_capabilities", {"appBundleId": "com.apple.finder", "format": "short"}),
                                ("discover_apps", {"all": True}), ("list_running_apps", {"x": 1})):
            result = house.result(tool, **arguments)
            assert result["isError"] and result["_meta"]["perigee/code"] == "invalid_arguments", (tool, arguments, result)
        missing = house.result("get_app_info", appBundleId="com.apple.findre")
        assert missing["isError"] and "com.apple.finder" in missing["content"][0]["text"], missing


def pages():
    """A page is never longer than the result of a tool may be: cut JSON would be no JSON."""
    with House() as house:
        commands = "".join(f'<command name="order {i}" code="aa{i:06}" description="{"Word " * 40}"/>' for i in range(1500))
        with open(os.path.join(house.folder, "com.example.pages.sdef"), "w", encoding="utf-8") as file:
            file.write(f'<dictionary><suite name="{"Long " * 100}" code="abcd">{commands}</suite></dictionary>')
        uri, page, seen = "osa://apps/com.example.pages/dictionary/full", 1, []
        while uri:
            text = house.text("get_app_capabilities", appBundleId="com.example.pages", format="full", page=page)
            same(text, house.read(uri))
            assert len(text.encode()) <= 100000, len(text)
            whole = json.loads(text)
            seen += [one["name"] for suite in whole["suites"] for one in suite["commands"]]
            uri, page = whole.get("next"), page + 1
        assert page > 3 and seen == [f"order {i}" for i in range(1500)], (page, len(seen))


def unknown():
    with House() as house:
        secret = os.path.join(house.folder, "..", "secret.sdef")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(FINDER)
        for name in ("com.apple.findr", "../secret", "..%2Fsecret", "%2e%2e%2Fsecret", "com.apple.finder%00", "%00", "a%2Fb", "", "." * 3000):
            for form in ("", "/summary", "/full"):
                error = house.read(f"osa://apps/{name}/dictionary{form}")
                assert isinstance(error, dict) and error["code"] == NOT_FOUND, (name, form, error)
        assert "com.apple.finder" in json.dumps(house.read("osa://apps/com.apple.findr/dictionary")), "the nearest"
        silent = house.read("osa://apps/com.example.silent/dictionary")
        assert silent["code"] == NOT_FOUND and "describes what it can do" in json.dumps(silent), silent
        for page in ("0", "2", "x", "-1", "99999999999999999999"):
            error = house.read(f"osa://apps/com.apple.finder/dictionary/full?page={page}")
            assert isinstance(error, dict) and error["code"] == NOT_FOUND and "page" in json.dumps(error), (page, error)
        os.remove(secret)


def completes():
    with House() as house:
        for uri in ("osa://apps/{id}/dictionary", "osa://apps/{id}/dictionary/full{?page}", "osa://apps/{id}/dictionary/full"):
            answer = house.server.ask("completion/complete", {"ref": {"type": "ref/resource", "uri": uri},
                                                              "argument": {"name": "id", "value": "com.apple.f"}})
            same(answer["result"]["completion"]["values"], ["com.apple.finder"])
        for uri in ("osa://apps/{id}/dictionary/ful", "osa://apps/{id}/dictionary/full{", "osa://apps/{id}/dictionary/full{?other}", ""):
            answer = house.server.ask("completion/complete", {"ref": {"type": "ref/resource", "uri": uri},
                                                              "argument": {"name": "id", "value": ""}})
            same(answer.get("error", {}).get("code"), -32602)


def tells_of_changes():
    with House() as house:
        uris = ("osa://apps", "osa://apps/com.apple.finder/dictionary/summary")
        for uri in uris:
            house.server.ask("resources/subscribe", {"uri": uri})
        told = lambda uri: house.server.find(lambda m: m.get("method") == "notifications/resources/updated"   # noqa: E731
                                             and m["params"]["uri"] == uri)
        bundle(house.folder, "Later", {"CFBundleIdentifier": "com.example.later", "CFBundleName": "Later"}, FINDER)
        told(uris[0])
        assert "com.example.later" in house.read(uris[0])
        same(house.result("discover_apps", query="later")["structuredContent"],
             {"apps": [{"bundleId": "com.example.later", "name": "Later", "version": "", "source": "sdef"}], "total": 1})
        same(house.result("get_app_info", appBundleId="com.example.later")["structuredContent"]["commands"], 2)
        path = os.path.join(house.folder, "Finder.app/Contents/Resources/Finder.sdef")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FINDER.replace('name="reveal"', 'name="disclose"'))
        told(uris[1])
        assert '"disclose"' in house.read(uris[1])
        info = os.path.join(house.folder, "Finder.app/Contents/Info.plist")
        with open(info, "wb") as file:
            plistlib.dump({"CFBundleIdentifier": "com.apple.finder", "CFBundleName": "Finder", "CFBundleShortVersionString": "15.0"}, file)
        told(uris[1])
        same(house.json("osa://apps/com.apple.finder/dictionary")["version"], "15.0")
        shutil.rmtree(os.path.join(house.folder, "Later.app"))
        told(uris[0])
        assert "com.example.later" not in house.read(uris[0])


def entities(depth):
    declared = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, depth))
    return f'<!DOCTYPE dictionary [<!ENTITY e0 "x">{declared}]><dictionary title="&e{depth - 1};"/>'


HOSTILE = {
    "entities that expand": entities(12),
    "an external entity": '<!DOCTYPE dictionary [<!ENTITY x SYSTEM "file:///etc/hostname">]><dictionary title="&x;"/>',
    "an external parameter entity": '<!DOCTYPE dictionary [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x">%x;]><dictionary/>',
    "an external document type": '<!DOCTYPE dictionary SYSTEM "http://127.0.0.1:9/x.dtd"><dictionary title="&x;"/>',
    "depth 10000": "<dictionary>" + "<suite>" * 10000,
    "200001 elements": "<dictionary><suite name='S'>" + "<command name='a' code='b'/>" * 200001 + "</suite></dictionary>",
    "not XML": "bplist00" + "\x01" * 100,
    "another root": "<plist/>",
    "cut off": FINDER[:200],
    "an include of a file": '<dictionary xmlns:xi="http://www.w3.org/2003/XInclude"><xi:include href="file:///etc/hostname"/>'
                            '<suite name="S" code="SSSS"><command name="kept" code="aaaabbbb"/></suite></dictionary>',
}


def survives():
    with House() as house:
        for number, text in enumerate(HOSTILE.values()):
            with open(os.path.join(house.folder, f"com.example.hostile{number}.sdef"), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(house.folder, "com.example.huge.sdef"), "wb") as file:
            file.truncate(100 * 1024 * 1024)
        before = memory(house.server.process.pid)
        for number, title in enumerate(HOSTILE):
            error = house.read(f"osa://apps/com.example.hostile{number}/dictionary/full")
            if title == "an include of a file":
                assert "kept" in error and "was not followed" in error, error
            else:
                assert isinstance(error, dict) and "cannot be read" in json.dumps(error), (title, error)
        error = house.read("osa://apps/com.example.huge/dictionary")
        assert isinstance(error, dict) and "bytes" in json.dumps(error), error
        cut = list(HOSTILE).index("cut off")
        assert re.search(r"line \d+, column \d+: ", json.dumps(house.read(f"osa://apps/com.example.hostile{cut}/dictionary"))), "its place"
        same(house.result("get_app_info", appBundleId="com.apple.finder")["structuredContent"]["commands"], 2)
        assert memory(house.server.process.pid) - before < 150 * 1024, "memory in kB"


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def fetches_nothing():
    with Traced() as house:
        house.read("osa://apps/com.apple.finder/dictionary/full")     # what is loaded with the first dictionary
        for number, text in enumerate(HOSTILE.values()):
            with open(os.path.join(house.folder, f"com.example.hostile{number}.sdef"), "w", encoding="utf-8") as file:
                file.write(text)

        def read_all():
            for number in range(len(HOSTILE)):
                house.read(f"osa://apps/com.example.hostile{number}/dictionary/full")
        lines = house.traced(read_all)
        assert any("hostile" in line for line in lines), "nothing was traced"
        for line in lines:
            assert "/etc/hostname" not in line and "AF_INET" not in line and "execve" not in line and ".dtd" not in line, line


def an_id_is_no_path():
    """Nothing is looked for by an ID: an unknown one makes the server look at the list of applications, as any other does."""
    with Traced() as house:
        house.read("osa://apps/com.apple.finder/dictionary/full")

        def read_all():
            for name in ("..", "%2E%2E%2Fprobed", "..%2F..%2Fprobed.sdef", "probed", "%2Fetc%2Fprobed", "com.apple.finder%00probed"):
                assert house.read(f"osa://apps/{name}/dictionary/full")["code"] == NOT_FOUND, name
        lines = house.traced(read_all)
        assert any(house.folder in line for line in lines), "nothing was traced"
        for line in lines:
            assert "probed" not in line and "/..\"" not in line and '"..' not in line, line


def reads_when_asked():
    """The list needs names and versions only: a dictionary is opened when somebody asks for it."""
    with Traced() as house:
        def opened(act):
            return {word for line in house.traced(act) if "open" in line for word in re.findall(r"[\w.]+\.(?:sdef|actionsdata)", line)}
        same(opened(lambda: (house.read("osa://apps"), house.result("discover_apps"))), set())
        same(opened(lambda: house.read("osa://apps/com.apple.finder/dictionary")), {"Finder.sdef"})
        same(opened(lambda: house.read("osa://apps/com.apple.finder/dictionary/summary")), set())


def a_hit_is_quick():
    """By processor time: a dictionary that was read is answered without reading it again."""
    with House() as house:
        parts = "".join(f'<command name="do {i}" code="aaaa{i:04d}" description="{"It does. " * 20}"/>' for i in range(900))
        with open(os.path.join(house.folder, "com.example.large.sdef"), "w", encoding="utf-8") as file:
            file.write(f'<dictionary><suite name="S" code="SSSS">{parts}</suite></dictionary>')
        pid = house.server.process.pid

        def spent(times, uri):
            before = processor(pid)
            for _ in range(times):
                house.read(uri)
            return (processor(pid) - before) / times
        house.read("osa://apps")
        uri = "osa://apps/com.example.large/dictionary/summary"
        first, later = spent(1, uri), spent(50, uri)
        tap.note(f"first {first * 1000:.1f} ms, later {later * 1000:.2f} ms")
        assert later < HIT, (first, later)


def processor(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Reads a dictionary so many times.
READ = """
local fs, suites = require "sys.fs", require "applescript.suites"
local path, times = ...
local bytes = assert(fs.read(path))
for _ = 1, tonumber(times) do assert(suites.read(bytes)) end
"""
COMMAND = """<command name="do {0}" code="aaaa{0:04d}" description="Does the thing of this number with a document, and returns what came of it.">
<direct-parameter type="document" description="the document, or several of them"/>
<parameter name="with options" code="opts" type="record" optional="yes" description="how it is done; without them as the last time"/>
<result type="text" description="a line for each document that could be read"/></command>
"""


def reading_costs_little():
    """100 kB with as many elements as real dictionaries have; 3 ms where the floor takes 2."""
    if os.environ.get("PERIGEE_ASAN"):
        raise tap.Skip("a sanitizer takes several times as long")
    with tempfile.TemporaryDirectory(prefix="perigee-reading-") as folder:
        script, path = os.path.join(folder, "read.lua"), os.path.join(folder, "large.sdef")
        text = '<dictionary><suite name="S" code="SSSS">' + "".join(COMMAND.format(i) for i in range(230)) + "</suite></dictionary>"
        for name, content in ((script, READ), (path, text)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(content)
        scale = 100000 / len(text)
        times, seconds = pace.times_the_floor(lambda count: ["--grant", folder, script, path, str(count)], 40, READING / scale)
        tap.note(f"{seconds * scale * 1000:.2f} ms for 100 kB, {times * scale:.2f} times the floor")
        assert times * scale < READING, times * scale


tap.case("the applications are listed by resource and tool", lists)
tap.case("a dictionary in its three forms", forms)
tap.case("tools show what resources have", tools)
tap.case("pages of a large dictionary are whole in both", pages)
tap.case("IDs that are none are refused with the nearest", unknown)
tap.case("IDs are completed", completes)
tap.case("subscribers are told what was installed, updated, changed, removed", tells_of_changes)
tap.case("hostile dictionaries are refused, and the server lives", survives)
tap.case("a dictionary leads to no other file and no connection", fetches_nothing)
tap.case("an ID leads to no file", an_id_is_no_path)
tap.case("a dictionary is read once, when it is asked for", reads_when_asked)
tap.case("a dictionary that was read is kept", a_hit_is_quick)
tap.case("reading 100 kB costs at most 1.5 times a cut by patterns", reading_costs_little)
tap.done()
