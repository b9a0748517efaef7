#!/usr/bin/env python3
"""Dictionaries as xmllint counts them and as the model has them: nothing is dropped, and nothing counted twice.

The dictionaries are our own of Keynote, one for each quirk that real dictionaries have, those of ../shared where it is at hand, and
those in the folder that PERIGEE_SDEF_DIR names.
"""

import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import folders      # noqa: E402
import tap          # noqa: E402
from server import PERIGEE, TOP          # noqa: E402

NAMED = "[@name!='']"
# What is counted, as an XPath; the script below counts the same in the model.
XPATHS = {
    "suites": "//suite",
    "commands": f"//command{NAMED}",
    "events": f"//event{NAMED}",
    "classes": f"//class{NAMED}",
    "extensions": "//class-extension[@extends!='']",
    "records": f"//record-type{NAMED}",
    "values": f"//value-type{NAMED}",
    "enumerations": f"//enumeration{NAMED}",
    "enumerators": f"//enumeration{NAMED}/enumerator{NAMED}",
    "properties": f"//property{NAMED}",
    "contents": "//contents",
    "elements": "//element[@type]",
    "parameters": "//parameter[not(@code='----' and not(../direct-parameter))]",
    "directs": "//direct-parameter | //parameter[@code='----' and not(../direct-parameter)]",
    "optional": "//parameter[@optional='yes'] | //direct-parameter[@optional='yes']",
    "results": "//result",
    "types": "//parameter/type | //direct-parameter/type | //result/type | //property/type | //contents/type",
    "inner": "//type/type",
    "plain": "//parameter[@type!=''] | //direct-parameter[@type!=''] | //result[@type!=''] | //property[@type!='']"
             " | //contents[@type!='']",
    "lists": "//type[@list='yes'][not(parent::class)] | //parameter[@type!=''][@list='yes'] | //direct-parameter[@type!=''][@list='yes']"
             " | //result[@type!=''][@list='yes'] | //property[@type!=''][@list='yes']",
    "synonyms": "//*[@name!='' or @extends!='']/synonym",
    "hidden": "//suite[@hidden='yes'] | //command[@hidden='yes'] | //class[@hidden='yes'] | //property[@hidden='yes']"
              " | //element[@hidden='yes'] | //enumeration[@hidden='yes'] | //enumerator[@hidden='yes'] | //parameter[@hidden='yes']"
              " | //direct-parameter[@hidden='yes'] | //class-extension[@hidden='yes'] | //record-type[@hidden='yes']",
    "written": "//property[@access='w']",
    "readable": "//property[@access='r']",
    "described": f"//command[@description]{NAMED}",
}
SCRIPT = """
local fs, json, suites = require "sys.fs", require "sys.json", require "applescript.suites"
for _, path in ipairs { ... } do
  local read, err, code = suites.read(assert(fs.read(path)))
  if not read then print(json.encode { error = err, code = code }) goto continue end
  local n = {}
  for name in ([[%s]]):gmatch "%%a+" do n[name] = 0 end
  local function add(name, by) n[name] = n[name] + (by or 1) end
  local function thing(it)
    if it.hidden then add "hidden" end
    add("synonyms", #(it.synonyms or {}))
  end
  local attributes = {}
  local function typed(it, raw)
    for _, kind in ipairs(it.types) do
      add "all"
      if kind.list then add "lists" end
      for _, inner in ipairs(kind.of or {}) do
        add "inner"
        if inner.list then add "lists" end
      end
    end
  end
  local function command(it)
    thing(it)
    if it.direct then add "directs" thing(it.direct) typed(it.direct) end
    if it.direct and not it.direct.required then add "optional" end
    for _, one in ipairs(it.parameters) do
      add "parameters" thing(one) typed(one)
      if not one.required then add "optional" end
    end
    if it.result then add "results" typed(it.result) end
  end
  local function class(it, name)
    add(name) thing(it)
    for _, one in ipairs(it.properties) do
      add "properties" thing(one) typed(one)
      if one.access == "w" then add "written" elseif one.access == "r" then add "readable" end
    end
    for _, one in ipairs(it.elements) do add "elements" if one.hidden then add "hidden" end end
  end
  for _, suite in ipairs(read.suites) do
    add "suites" thing(suite)
    for _, one in ipairs(suite.commands) do add "commands" command(one) if one.description then add "described" end end
    for _, one in ipairs(suite.events) do add "events" command(one) end
    for _, one in ipairs(suite.classes) do class(one, one.extends and "extensions" or "classes") end
    for _, one in ipairs(suite.records) do class(one, "records") end
    for _, one in ipairs(suite.values) do add "values" thing(one) end
    for _, one in ipairs(suite.enumerations) do
      add "enumerations" thing(one)
      for _, value in ipairs(one.values) do add "enumerators" thing(value) end
    end
  end
  print(json.encode(n))
  ::continue::
end
"""

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE dictionary SYSTEM "file://localhost/System/Library/DTDs/sdef.dtd">\n'
# A dictionary for each quirk of real ones.
QUIRKS = {
    "an internal subset whose bracket is on the next line": HEAD.replace('sdef.dtd">', 'sdef.dtd"\n[\n<!ELEMENT class ANY>\n]>')
    + '<dictionary><suite name="S" code="SSSS"><class name="c" code="cccc"/></suite></dictionary>',
    "several types, in lists and in one another": HEAD + """<dictionary><suite name="S" code="SSSS">
<command name="a" code="aaaabbbb"><direct-parameter><type type="file" list="yes"/><type type="text"/></direct-parameter>
<parameter name="with" code="with" optional="yes"><type type="list"><type type="record" list="yes"/></type></parameter>
<result><type type="text"/><type type="missing value"/></result></command>
<class name="c" code="cccc"><type type="specifier"/><property name="p" code="pppp"><type type="integer"/></property></class>
</suite></dictionary>""",
    "no types": HEAD + '<dictionary><suite name="S" code="SSSS"><command name="a" code="aaaabbbb"><direct-parameter/>'
    '<parameter name="b" code="bbbb"/><result description="something"/></command><class name="c" code="cccc">'
    '<property name="p" code="pppp"/></class></suite></dictionary>',
    "a class that is there twice, extended, and its own parent": HEAD + """<dictionary><suite name="A" code="AAAA">
<class name="item" code="cobj" inherits="item"><property name="name" code="pnam" type="text" access="r"/></class>
<class name="item" code="cobj"><property name="index" code="pidx" type="integer" access="w"/></class></suite>
<suite name="B" code="BBBB"><class-extension extends="item"><property name="size" code="size" type="integer"/><synonym name="thing"/>
<element type="item" access="r"><cocoa key="x"/></element></class-extension></suite></dictionary>""",
    "a command that is there twice": HEAD + '<dictionary><suite name="A" code="AAAA"><command name="a" code="aaaabbbb"/></suite>'
    '<suite name="B" code="BBBB"><command name="a" code="aaaacccc"><parameter name="x" code="xxxx" type="text"/></command></suite></dictionary>',
    "hidden things of every kind": HEAD + """<dictionary><suite name="A" code="AAAA" hidden="yes">
<command name="a" code="aaaabbbb" hidden="yes"><direct-parameter type="text" hidden="yes"/><parameter name="b" code="bbbb" type="text" hidden="yes"/></command>
<class name="c" code="cccc" hidden="yes"><property name="p" code="pppp" type="text" hidden="yes"/><element type="d" hidden="yes"/></class>
<enumeration name="e" code="eeee" hidden="yes"><enumerator name="v" code="vvvv" hidden="yes"/></enumeration></suite></dictionary>""",
    "synonyms by name, by code, and both": HEAD + """<dictionary><suite name="A" code="AAAA"><class name="c" code="cccc">
<synonym name="d"/><synonym code="dddd"/><synonym name="e" code="eeee"/><property name="p" code="pppp" type="text"><synonym name="q"/></property></class>
<command name="a" code="aaaabbbb"><parameter name="x" code="xxxx" type="text"><synonym name="y"/></parameter></command>
<enumeration name="n" code="nnnn"><enumerator name="v" code="vvvv"><synonym name="w"/></enumerator></enumeration></suite></dictionary>""",
    "codes with blanks, beyond ASCII, as numbers, empty": HEAD + """<dictionary><suite name="A" code="AAAA"><class name="c" code="ID  ">
<property name="p" code="ƒhlp" type="text"/><property name="q" code="0x70706c62" type="text"/><property name="r" code="" type="text"/></class></suite></dictionary>""",
    "all on one line": '<dictionary title="X"><suite name="A" code="AAAA"><command name="a" code="aaaabbbb"/><event name="e" code="eeeeffff"/></suite></dictionary>',
    "line ends of old Macs": HEAD.replace("\n", "\r") + '<dictionary>\r<suite name="A" code="AAAA">\r<class name="c" code="cccc"/>\r</suite>\r</dictionary>\r',
    "documentation as HTML": HEAD + """<dictionary><documentation><html>all of <b>it</b></html></documentation><suite name="A" code="AAAA">
<documentation><html><![CDATA[<p>Say <i>more</i> &amp; more</p><command name="no"/>]]></html></documentation>
<command name="a" code="aaaabbbb"><documentation><html>&lt;p&gt;escaped&lt;/p&gt;</html></documentation></command></suite></dictionary>""",
    "included suites, by both namespaces": HEAD + """<dictionary xmlns:xi="http://www.w3.org/2003/XInclude"><xi:include
 href="file:///System/Library/ScriptingDefinitions/CocoaStandard.sdef" xpointer="xpointer(/dictionary/suite)"/>
<suite name="A" code="AAAA"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///x/Other.sdef"/><class name="c" code="cccc"/></suite></dictionary>""",
    "a direct parameter by its code": '<dictionary><suite name="Standard Suite"><command name="open" code="aevtodoc">'
    '<cocoa class="NSOpenCommand"/><parameter name="target" type="file" code="----"/></command></suite></dictionary>',
    "record types, value types, contents, events": HEAD + """<dictionary><suite name="A" code="AAAA">
<record-type name="r" code="rrrr"><property name="p" code="pppp" type="integer"/></record-type><value-type name="v" code="vvvv"/>
<class name="c" code="cccc"><contents type="text"/><responds-to name="print"/><accessor style="index"/></class><event name="e" code="eeeeffff">
<direct-parameter type="any" optional="yes"/></event></suite></dictionary>""",
    "an inline element, an id, what nobody knows": HEAD + """<dictionary><suite name="A" code="AAAA" id="x"><xref target="y"/>
<enumeration name="e" code="eeee" inline="0"><enumerator name="v" code=""/></enumeration><unknown name="u"><command name="in it" code="aaaabbbb"/></unknown>
<class name="" code="none"/><access-group identifier="x" access="r"/></suite></dictionary>""",
}


def write_quirks(folder):
    paths = {}
    for number, (title, text) in enumerate(QUIRKS.items()):
        paths[title] = os.path.join(folder, f"quirk{number}.sdef")
        with open(paths[title], "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return paths


def xml_counts(path):
    """Lines of names and numbers, all of one run of xmllint."""
    joined = ", ' ', ".join(f"count({xpath})" for xpath in XPATHS.values())
    out = subprocess.run(["xmllint", "--nonet", "--xpath", f"concat({joined})", path], capture_output=True, check=True, text=True).stdout
    return dict(zip(XPATHS, map(int, out.split())))


def model_counts(paths, folder):
    script = os.path.join(folder, "count.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SCRIPT % " ".join([*XPATHS, "all"]))
    grants = [word for place in {os.path.dirname(path) for path in paths} for word in ("--grant", place)]
    out = subprocess.run([PERIGEE, "run", "--no-user-root", *grants, script, *paths], capture_output=True, check=False, text=True)
    assert out.returncode == 0, out.stderr
    return [json.loads(line) for line in out.stdout.splitlines()]


def is_as_counted(wanted, got):
    assert "error" not in got, got
    got["contents"] = wanted["contents"]                       # the model has them among the properties
    got["properties"] -= wanted["contents"]
    # A type is an attribute or an element: the model has both in one list.
    assert got.pop("all") == wanted["types"] + wanted["plain"], (got, wanted)
    got["types"], got["plain"] = wanted["types"], wanted["plain"]
    wrong = {name: (got[name], number) for name, number in wanted.items() if got[name] != number}
    assert not wrong, f"model and xmllint: {wrong}"


def main():
    if not shutil.which("xmllint"):
        tap.skip("dictionaries as xmllint counts them", "needs xmllint (libxml2-utils)")
        return
    folder = folders.fresh("perigee-counts-")
    paths = write_quirks(folder)
    shared = os.environ.get("PERIGEE_SHARED") or os.path.join(TOP, "..", "shared")
    for place in (os.path.join(TOP, "tests/macos/dictionaries"), os.path.join(shared, "data/sdef"), os.environ.get("PERIGEE_SDEF_DIR")):
        for path in sorted(glob.glob(os.path.join(glob.escape(place), "*.sdef"))) if place else []:
            paths[os.path.relpath(path, TOP)] = os.path.realpath(path)
    counts = model_counts(list(paths.values()), folder)
    tap.ok(len(counts) == len(paths), "each dictionary is read", f"{len(counts)} of {len(paths)}")
    for (title, path), got in zip(paths.items(), counts):
        tap.case(f"counts of {title}", lambda path=path, got=got: is_as_counted(xml_counts(path), got))
    shutil.rmtree(folder)


main()
tap.done()
