#!/usr/bin/env python3
"""`perigee tools generate`: tools made of every dictionary at hand load, pass their examples, and write scripts in which the
checker finds nothing; values arrive unchanged and are in no script."""

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
from server import PERIGEE, TOP, TRUSTING, Server          # noqa: E402

SHARED = os.environ.get("PERIGEE_SHARED") or os.path.join(TOP, "..", "shared")
SDEF = """<dictionary title="Notes"><suite name="Notes" code="note">
<command name="find" code="notefind" description="Search text. And more."><direct-parameter type="document"/>
<parameter name="for" code="forr" type="text" description="The text."/><parameter name="in" code="innn" type="file" optional="yes"/>
<parameter name="as" code="asss" type="format" optional="yes"/><parameter name="at" code="atat" type="integer" optional="yes"/>
<parameter name="backwards" code="back" type="boolean" optional="yes"/></command>
<command name="delete" code="coredelo"><direct-parameter type="file"/></command>
<command name="arrange" code="arrange0"><direct-parameter type="picture" list="yes"/></command>
<command name="reindex" code="reindex0"/><command name="secret" code="secret00" hidden="yes"/>
<class name="document" code="docu"><property name="name" code="pnam" type="text" access="r"/></class>
<enumeration name="format" code="form"><enumerator name="plain text" code="plai"/><enumerator name="PDF" code="pdff"/></enumeration>
</suite></dictionary>"""
# Values that must arrive as they are.
VALUES = ['"', "\\", "\n", "\r\n", "a\tb", "😀", "¬", "« »", "$(id)", "`id`", "'", '" & (do shell script "id") & "', "-e", "--", "",
          "end tell", "item 1 of argv", "%s %d %%", "é" * 2000, "\u2028"]

# Runs in the place of osascript on this system: prints what it got.
CALLS = """
local caller, json, files = require "dictionary.apple_command", require "sys.json", require "sys.files"
local call = { app = "com.example.Notes", command = "find", arguments = {
  { name = "document", kind = "object", class = "document" }, { name = "for", label = "for", kind = "text" },
  { name = "in", label = "in", kind = "file" }, { name = "as", label = "as", kind = "choice", choices = { PDF = "PDF" } },
  { name = "at", label = "at", kind = "number" }, { name = "backwards", label = "backwards", kind = "boolean" } } }
for _, args in ipairs(assert(json.decode(...))) do
  local text, values = caller.script(call, args)
  print(json.encode { text = text, values = json.array(values) })
end
"""


class Home:
    def __init__(self):
        self.folder = os.path.realpath(folders.fresh("perigee-generate-"))
        self.sdefs = os.path.join(self.folder, "sdefs")
        os.mkdir(self.sdefs)
        with open(os.path.join(self.sdefs, "com.example.Notes.sdef"), "w", encoding="utf-8") as file:
            file.write(SDEF)
        self.env = dict(os.environ, PERIGEE_HOME=os.path.join(self.folder, "home"), PERIGEE_SDEF_DIR=self.sdefs, NO_COLOR="1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def run(self, *words, code=0):
        done = subprocess.run([PERIGEE, *words], env=self.env, capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done

    def tool(self, name):
        return os.path.join(self.env["PERIGEE_HOME"], "tools/notes", f"{name}.lua")


def writes():
    with Home() as home:
        said = json.loads(home.run("tools", "generate", "Notes", "find", "reindex", "--json").stdout)
        assert [one["name"] for one in said["written"]] == ["notes_find", "notes_reindex"], said
        shown = json.loads(home.run("tools", "notes_find", "--json").stdout)
        assert shown["description"] == "Search text." and shown["toolset"] == "notes", shown
        schema = shown["inputSchema"]
        assert schema["required"] == ["for"], schema
        assert schema["properties"]["as"]["enum"] == ["plain text", "PDF"], schema
        assert [schema["properties"][name]["type"] for name in ("document", "for", "in", "at", "backwards")] == [
            "string", "string", "string", "integer", "boolean"], schema
        home.run("test", "notes_find", "notes_reindex")
        home.run("tools", "generate", "com.example.Notes")
        assert not os.path.exists(home.tool("notes_secret")) and not os.path.exists(home.tool("notes_arrange"))
        assert json.loads(home.run("tools", "notes_delete", "--json").stdout)["annotations"]["destructiveHint"] is True


def refuses():
    with Home() as home:
        assert "did you mean find?" in home.run("tools", "generate", "Notes", "fnd", code=1).stderr
        assert "com.example.Notes" in home.run("tools", "generate", "com.example.Note", code=1).stderr
        assert "execute_applescript" in home.run("tools", "generate", "Notes", "arrange", code=1).stdout
        assert "secret" in home.run("tools", "generate", "Notes", "secret", code=1).stderr
        property_of = home.run("tools", "generate", "Notes", "find", "Name", code=1).stderr
        assert "'Name' is a property of Notes, and only commands become tools. A script reads or sets it" in property_of, property_of
        assert not os.path.exists(home.tool("notes_find")), "one wrong name, and nothing is written"
        home.run("tools", "notes", "find", code=2)
        home.run("tools", "--force", code=2)
        home.run("tools", "generate", "Notes", "reindex")
        with open(home.tool("notes_reindex"), "w", encoding="utf-8") as file:
            file.write("-- mine")
        assert "left as it is" in home.run("tools", "generate", "Notes", "reindex").stdout
        with open(home.tool("notes_reindex"), encoding="utf-8") as file:
            assert file.read() == "-- mine"
        home.run("tools", "generate", "Notes", "reindex", "--force")
        home.run("test", "notes_reindex")


# A dictionary that would write code, if its words became code, or a script of its own.
HOSTILE = """<dictionary><suite name="S" code="abcd">
<command name="boo&#10;local x = ruin()&#10;--" code="abcdefgh"><direct-parameter type="text"/></command>
<command name="quit&#13;do shell script &quot;id&quot;" code="abcdefgi"/><command name="a -- b" code="abcdefgj"/><command name="a (* b" code="abcdefgk"/>
<command name="a &#172;" code="abcdefgl"/><command name="a &#8232; b" code="abcdefgm"/>
<command name="send" code="abcdefgn"><parameter name="to&#10;me" code="tome" type="text" optional="yes"/><parameter name="as" code="asas"
type="kind"/><parameter name="via" code="viav" type="th&#10;ing" optional="yes"/></command>
<command name="reach" code="abcdefgo"><parameter name="to&#10;me" code="tome" type="text"/></command>
<command name="日本語" code="abcdefgp"/><command name="日本" code="abcdefgq"/>
<enumeration name="kind" code="kkkk"><enumerator name="a&#10;b" code="aaaa"/><enumerator name="plain" code="bbbb"/></enumeration>
<class name="th&#10;ing" code="thng"/></suite></dictionary>"""


def hostile_words():
    """The words of a dictionary are neither code of a tool nor of its script."""
    with Home() as home:
        with open(os.path.join(home.sdefs, "two.lines.sdef"), "w", encoding="utf-8") as file:
            file.write(HOSTILE)
        said = json.loads(home.run("tools", "generate", "two.lines", "--json").stdout)
        assert len(said["written"]) == 3 and len({one["path"] for one in said["written"]}) == 3, said
        assert len(said["skipped"]) == 7 and not any("\n" in each for each in said["skipped"]), said
        assert " problems" not in home.run("check").stdout
        home.run("test", *[one["name"] for one in said["written"]])
        schema = json.loads(home.run("tools", "lines_send", "--json").stdout)["inputSchema"]["properties"]
        assert sorted(schema) == ["as"] and schema["as"]["enum"] == ["plain"], schema
        os.rename(os.path.join(home.sdefs, "two.lines.sdef"), os.path.join(home.sdefs, 'a "b"\nlocal x.sdef'))
        failed = home.run("tools", "generate", 'a "b"\nlocal x', code=1)
        assert failed.stdout.count("cannot be the bundle ID") == 1 and "can be a tool" in failed.stderr, failed


# Tools of one program: two methods of a name, a switch, and an action that takes something away.
ON_BUS = """
local files, fs, generate, json = require "sys.files", require "sys.fs", require "dictionary.generate", require "sys.json"
local function command(name, call) return { name = name, parameters = {}, call = call } end
local commands = { command("Open", { kind = "method", interface = "org.a.Files" }), command("Open", { kind = "method", interface = "org.a.Pages" }),
  command("open", { kind = "action", of = "app" }), command("wrap", { kind = "action", of = "win", stateful = true, state = false }),
  command("edit.delete-line", { kind = "action", of = "win" }), command("UnlinkFiles", { kind = "method", interface = "org.a.Files" }) }
local model = { id = "org.a", name = "A", suites = {} }
local made = json.object {}
for i, name in ipairs(generate.names(model, commands)) do
  local text = assert(generate.tool(model, commands[i]))
  made[name] = { text = text, destroys = text:find("destructiveHint = true", 1, true) ~= nil }
end
print(json.encode(made))
"""


def programs_of_the_bus():
    with Home() as home:
        script = os.path.join(home.folder, "bus.lua")
        with open(script, "w", encoding="utf-8") as file:
            file.write(ON_BUS)
        made = json.loads(home.run("run", script).stdout)
        assert sorted(made) == ["a_app_open", "a_edit_delete_line", "a_open", "a_pages_open", "a_unlink_files", "a_wrap"], sorted(made)
        assert 'method = "org.a.Pages.Open"' in made["a_pages_open"]["text"] and 'method = "app.open"' in made["a_app_open"]["text"]
        assert "state = args.state" in made["a_wrap"]["text"] and "s.boolean(" in made["a_wrap"]["text"], made["a_wrap"]["text"]
        assert sorted(name for name, one in made.items() if one["destroys"]) == ["a_edit_delete_line", "a_unlink_files"], made


def lives_at_once():
    with Home() as home:
        os.makedirs(home.env["PERIGEE_HOME"])
        with Server([PERIGEE, "serve", "--root", TRUSTING], env=home.env) as server:
            server.initialize()
            server.ask("tools/list")
            home.run("tools", "generate", "Notes", "find")
            server.notified("notifications/tools/list_changed")
            shown = server.ask("tools/call", {"name": "describe_tool", "arguments": {"name": "notes_find"}})["result"]
            assert not shown.get("isError"), shown


def values_arrive():
    with Home() as home:
        script = os.path.join(home.folder, "calls.lua")
        with open(script, "w", encoding="utf-8") as file:
            file.write(CALLS)
        calls = [{"for": value, "document": value, "in": value, "as": "PDF", "at": -7, "backwards": False} for value in VALUES]
        calls += [{"for": "x"}, {"for": "x", "backwards": True, "at": 2.5}]
        out = home.run("run", script, json.dumps(calls)).stdout.strip("\n").split("\n")
        made = [json.loads(line) for line in out]
        for value, one in zip(VALUES, made):
            assert one["values"] == [value, value, value, "-7", "false"], one
        assert len({one["text"] for one in made[:len(VALUES)]}) == 1, "the text depends on values"
        assert made[0]["text"] == ('on run argv\n\ttell application id "com.example.Notes"\n\t\tfind (document (item 1 of argv)) '
                                   'for (item 2 of argv) in (POSIX file (item 3 of argv)) as PDF at ((item 4 of argv) as number) '
                                   'backwards ((item 5 of argv) is "true")\n\tend tell\nend run\n'), made[0]["text"]
        assert "find (front document) for (item 1 of argv)\n" in made[-2]["text"], made[-2]
        assert made[-1]["values"] == ["x", "2.5", "true"], made[-1]


# For each tool of a home: its script with the required arguments and with all, through the checker.
EACH = """
local applescript, caller, dictionaries = require "applescript.check", require "dictionary.apple_command", require "applescript.dictionaries"
local files, fs, json = require "sys.files", require "sys.fs", require "sys.json"
local known = dictionaries.new()
for _, entry in ipairs(fs.list(...)) do
  assert(known:add(entry.name:match "^(.*)%.sdef$", assert(fs.read(... .. "/" .. entry.name))))
end
local scripts = 0
for _, file in ipairs(files.list()) do
  local call
  if file.kind == "tool" and file.path:find "/home/tools/" then
    local loaded = assert(files.load("tool", file.name, function(module)
      if module ~= "dictionary.apple_command" then return nil end
      return { call = function(command) call = command return { result = "" } end }
    end))
    local least, all = json.object {}, json.object {}
    local schema = loaded:table().inputSchema
    for name, one in pairs(schema.properties) do
      all[name] = one.enum and one.enum[1] or one.type == "boolean" and true or one.type == "string" and "/tmp/x" or 1
    end
    for _, name in ipairs(schema.required or {}) do least[name] = all[name] end
    for _, args in ipairs { least, all } do
      call = nil
      assert(loaded:call(args))
      local text = caller.script(call, args)
      local report = applescript.run(text, { dictionaries = known })
      scripts = scripts + 1
      for _, finding in ipairs(report.findings) do print(file.name, finding.message, text) end
    end
  end
end
print("scripts " .. scripts)
"""


def every_dictionary():
    with Home() as home:
        for place in (os.path.join(TOP, "tests/macos/dictionaries"), os.path.join(SHARED, "data/sdef")):
            for path in sorted(glob.glob(os.path.join(place, "*.sdef"))):
                shutil.copy(path, home.sdefs)
        for name in sorted(os.listdir(home.sdefs)):
            home.run("tools", "generate", name[:-len(".sdef")], "--force", "--json")
        checked = home.run("check")
        assert " problems" not in checked.stdout, checked.stdout
        home.run("test", *[os.path.splitext(name)[0] for _, _, names in os.walk(os.path.join(home.env["PERIGEE_HOME"], "tools"))
                           for name in names])
        script = os.path.join(home.folder, "each.lua")
        with open(script, "w", encoding="utf-8") as file:
            file.write(EACH)
        lines = home.run("run", script, home.sdefs).stdout.splitlines()
        tap.note(lines[-1])
        assert len(lines) == 1 and int(lines[0].split()[1]) >= 10, "\n".join(lines[:20])


tap.case("a tool for each wanted command, with its parameters", writes)
tap.case("commands that cannot be tools are refused, and nothing is overwritten", refuses)
tap.case("words of a dictionary do not become code", hostile_words)
tap.case("each command over D-Bus has a tool of its own, which sets a switch", programs_of_the_bus)
tap.case("a running server has a generated tool at once", lives_at_once)
tap.case("values arrive unchanged, and the script is the same for all", values_arrive)
tap.case("every dictionary makes tools whose scripts are valid", every_dictionary)
tap.done()
