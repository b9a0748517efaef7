#!/usr/bin/env python3
"""Macros on the desktop in memory: the tools that make, show, run, change and delete them, and the command."""

import json
import re

from kit import PERIGEE, Terminal, environment, folder, perigee as run, tap, write
from server import GUARD, Server
from tools import same, until

HOME = folder("home")
MACROS = HOME / "tools/macros"
ALLOW = "return { rules = { { allow = true } } }"
STEPS = [{"tool": "open_application", "arguments": {"application": "Settings"}},
         {"tool": "write_element_value", "arguments": {"element": 'entry "Name"', "value": "${name}"}},
         {"tool": "click_element", "arguments": {"element": 'checkbox "Wrap long lines"'}},
         {"tool": "verify", "arguments": {"predicates": [{"element": 'entry "Name"', "value": "${name}"}]}}]
CREATE = {"display_name": "Set the name", "description": "Write a name into the settings.", "tags": ["settings"],
          "parameters": [{"name": "name", "description": "The name."}], "steps": STEPS}


def opened(*options, policy=ALLOW, **more):
    write("home/policy.lua", policy)
    server = Server([PERIGEE, "serve", "--toolset", "all", *options], env=environment(PERIGEE_DESKTOP="fake", **more))
    server.initialize()
    return server


def call(server, tool, **arguments):
    return server.call(tool, arguments, guard=3 * GUARD)["result"]


def done(server, tool, **arguments):
    result = call(server, tool, **arguments)
    assert not result.get("isError"), result
    return result.get("structuredContent")


def fails(server, code, tool, **arguments):
    result = call(server, tool, **arguments)
    assert result.get("isError") and result["_meta"]["perigee/code"] == code, (code, result)
    return result["content"][0]["text"]


def clear():
    for path in MACROS.glob("*") if MACROS.is_dir() else ():
        path.unlink()


def a_macro_is_made_shown_and_run():
    clear()
    with opened() as server:
        made = done(server, "create_macro", **CREATE)
        assert made["name"] == "macros/set_the_name" and made["file"] == str(MACROS / "set_the_name.lua"), made
        assert [step["text"] for step in made["steps"]][1] == "settings:set(\"entry \\\"Name\\\"\", args.name)", made
        assert sorted(path.name for path in MACROS.iterdir()) == ["set_the_name.lua", "set_the_name.steps.json"]
        listed = call(server, "list_macros")
        assert listed["content"][0]["text"] == "Found 1 macro:\n- Set the name (macros/set_the_name)", listed
        shown = done(server, "get_macro", name="macros/set_the_name")
        assert shown["parameters"] == [{"name": "name", "type": "string", "description": "The name.", "required": True}], shown
        assert shown["tags"] == ["settings"] and len(shown["steps"]) == 4 and "stopped_at" not in shown, shown
        ran = done(server, "execute_macro", macro="macros/set_the_name", parameter_values={"name": "Grace"})
        assert ran["done"] and [step["ok"] for step in ran["steps"]] == [True] * 4, ran
        assert done(server, "get_element", element='entry "Name"', application="Settings")["value"] == "Grace"
        assert done(server, "set_the_name", name="Ada")["done"]
        names = [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]]
        assert "execute_macro" in names and not server.faults, server.faults


def wrong_values_start_nothing():
    with opened() as server:
        windows = done(server, "list_windows")["total_size"]
        for values in ({}, {"name": 1}, {"name": "x", "other": 1}):
            fails(server, "invalid_arguments", "execute_macro", macro="set_the_name", parameter_values=values)
        assert done(server, "list_windows")["total_size"] == windows
        text = fails(server, "MACRO_NOT_FOUND", "execute_macro", macro="macros/set_teh_name")
        assert "did you mean set_the_name?" in text, text
        fails(server, "MACRO_NOT_FOUND", "get_macro", name="none")
        fails(server, "EXISTS", "create_macro", **CREATE)
        fails(server, "EXISTS", "create_macro", **{**CREATE, "macro_id": "act"})
        for more in ({"macro_id": "../x"}, {"macro_id": "A"}, {"macro_id": "x" * 61}, {"steps": []}, {"steps": [{}]}, {"display_name": ""},
                     {"parameters": [{"name": "a b"}]}, {"from_session": "x"}):
            answer = server.call("create_macro", {**CREATE, "macro_id": "other", **more})
            assert "error" in answer or answer["result"].get("isError"), (more, answer)
        fails(server, "INVALID_ARGUMENT", "create_macro", **{**CREATE, "macro_id": "other", "steps": [{"tool": "x", "arguments": {"a": "${no}"}}]})
        assert not (MACROS / "other.lua").exists()


def a_failing_step_says_what_was_done():
    with opened() as server:
        done(server, "create_macro", **{**CREATE, "macro_id": "fails", "steps": [*STEPS[:2], {
            "tool": "click_element", "arguments": {"element": 'button "Aply"'}}]})
        result = call(server, "execute_macro", macro="fails", parameter_values={"name": "x"})
        text = result["content"][0]["text"]
        assert result["isError"] and "Step 3, click button \"Aply\" (fails.lua:" in text, text
        assert "2 steps were done before it" in text and 'button "Apply"' in text and 'resume_from="3"' in text, text
        assert [step["ok"] for step in result["_meta"]["macro"]["steps"]] == [True, True, False], result
        assert done(server, "get_macro", name="fails")["stopped_at"] == {"step": 3, "unconfirmed": False}
        path = MACROS / "fails.lua"     # the next call runs the new text
        path.write_text(path.read_text().replace("Aply", "Apply"))
        ran = done(server, "execute_macro", macro="fails", parameter_values={"name": "x"}, resume_from="3")
        assert [step.get("left_out", False) for step in ran["steps"]] == [True, True, False], ran


def a_broken_file_keeps_its_last_good_version():
    path = MACROS / "fails.lua"
    good = path.read_text()
    with opened() as server:
        path.write_text(good.replace("local function run", "local funtion run"))
        assert done(server, "execute_macro", macro="fails", parameter_values={"name": "y"})["done"]
        problem = done(server, "list_macros")["macros"][0]["problem"]
        assert "fails.lua" in problem, problem
        assert any("fails.lua" in each["file"] for each in done(server, "engine_status")["problems"])
        path.write_text(good)


def a_macro_is_made_of_the_last_calls_of_a_session():
    """Failed calls and looks are left out, refs become selectors, values of the request parameters."""
    with opened() as server:
        fails(server, "SESSION_NOT_FOUND", "create_macro", display_name="Of a session", **{"from": {}})
        done(server, "create_session", session_id="mine")
        outline = done(server, "open_application", application="Settings") and done(server, "get_ui_tree", application="Settings")["outline"]
        refs = {words: re.search(rf"(e\d+) {re.escape(words)}", outline).group(1) for words in ('entry "Name"', 'checkbox "Wrap long lines"')}
        fails(server, "ELEMENT_NOT_FOUND", "click_element", element="e9999")
        done(server, "write_element_value", element=refs['entry "Name"'], value="Ada")
        done(server, "write_element_value", element=refs['entry "Name"'], value="Grace")
        done(server, "click_element", element=refs['checkbox "Wrap long lines"'])
        done(server, "verify", application="Settings", predicates=[{"element": refs['entry "Name"'], "value": "Grace"}])
        made = done(server, "create_macro", display_name="Of a session", **{"from": {"request": "Write Grace as the name"}})
        assert [step["text"] for step in made["steps"]] == [
            'local settings = macro:open("Settings")', 'settings:set("entry \\"Name\\"", args.name)',
            'settings:click("checkbox \\"Wrap long lines\\"")', 'settings:check { element = "entry \\"Name\\"", value = args.name }'], made
        last = done(server, "create_macro", display_name="Last", **{"from": {"session": "sessions/mine", "last": 3}})
        assert [step["text"] for step in last["steps"]][1:] == ['settings:set("entry \\"Name\\"", "Grace")', 'settings:click("checkbox \\"Wrap long lines\\"")',
            'settings:check { element = "entry \\"Name\\"", value = "Grace" }'], last
        for wrong in ({}, {"from": {"last": 2}, "steps": STEPS}, {"from": {"last": 2}, "parameters": CREATE["parameters"]}):
            fails(server, "INVALID_ARGUMENT", "create_macro", display_name="Wrong", **wrong)
        ran = done(server, "execute_macro", macro="of_a_session", parameter_values={"name": "Eve"})
        assert ran["done"] and done(server, "get_element", element='entry "Name"', application="Settings")["value"] == "Eve", ran
        for name in ("of_a_session", "last"):
            done(server, "delete_macro", name=name)


def a_value_of_a_result_becomes_a_variable():
    with opened() as server:
        done(server, "create_session", session_id="refers")
        done(server, "open_application", application="Settings")
        read = call(server, "get_element", element='entry "Name"', application="Settings")
        kept = re.search(r"kept as (r\d+)", read["content"][-1]["text"]).group(1)
        done(server, "write_clipboard", text=f"@@ref_{kept}__native")
        made = done(server, "create_macro", display_name="Refers", **{"from": {"last": 3}})
        assert [step["text"] for step in made["steps"]][1:] == [
            'local name = macro:call("get_element", { application = "Settings", element = "entry \\"Name\\"" })',
            'macro:call("write_clipboard", { text = name.native })'], made
        assert done(server, "execute_macro", macro="refers")["done"]
        done(server, "delete_macro", name="refers")


def one_that_was_edited_is_left_alone():
    with opened() as server:
        text = fails(server, "MACRO_EDITED", "update_macro", name="fails", description="Other.")
        assert "replace=true" in text, text
        done(server, "update_macro", name="fails", steps=STEPS[:2], parameters=CREATE["parameters"], replace=True)
        done(server, "update_macro", name="fails", display_name="Renamed", list=True)
        shown = done(server, "get_macro", name="fails")
        assert shown["display_name"] == "Renamed" and shown["listed"] and len(shown["steps"]) == 2, shown
        done(server, "delete_macro", name="macros/fails")
        assert not list(MACROS.glob("fails*")) and done(server, "list_macros")["total_size"] == 1
        fails(server, "MACRO_NOT_FOUND", "delete_macro", name="fails")


def a_macro_that_runs_itself_ends():
    with opened() as server:
        done(server, "create_macro", display_name="Self", steps=[{"tool": "execute_macro", "arguments": {"macro": "self"}}])
        text = fails(server, "too_deep", "execute_macro", macro="self")
        assert "Step 1, call execute_macro" in text, text
        done(server, "delete_macro", name="self")


def each_step_passes_the_policy():
    rules = "return { rules = { { deny = \"no clicks\", tool = \"act\", args = { window = { given = true } } }, { allow = true } } }"
    with opened(policy=rules) as server:
        text = fails(server, "denied", "execute_macro", macro="set_the_name", parameter_values={"name": "x"})
        assert "Step 2" in text and "no clicks" in text, text


def to_write_one_is_asked_about():
    """By the policy that comes with Perigee, to a client that cannot ask."""
    with opened("--no-user-root", "--root", str(HOME / "other")) as server:
        text = fails(server, "not_approved", "create_macro", **{**CREATE, "macro_id": "asked"})
        assert "to let it change what Perigee does" in text and "settings:set(" in text, text
    assert not (HOME / "other/tools").exists()


def a_dry_run_changes_nothing():
    before = sorted(path.read_text() for path in MACROS.iterdir())
    with opened("--dry-run") as server:
        call(server, "create_macro", **{**CREATE, "macro_id": "dry"})
        call(server, "delete_macro", name="set_the_name")
    assert sorted(path.read_text() for path in MACROS.iterdir()) == before


TRIED = """local macro_tool = require "macros.tool"
local s          = require "schema"

local function run(args, macro)
  local draft = macro:window { application = "Text Editor", title = "draft.txt" }
  draft:set("text", args.text)
  draft:click('button "Save"')
  draft:dialog("Save As", { button = "Save" })
end

return macro_tool { title = "Tried", description = "Save a draft.", run = run, inputSchema = s.object { { "text", s.string "Text." } },
  about = { text = "nothing" } }
"""


def a_dry_run_tries_the_steps():
    """On a copy of the desktop. It ends, and is no failure, where it needs what the copy does not do."""
    write("home/tools/macros/tried.lua", TRIED)
    for words in (("macro", "run", "tried", "text=Hello", "--dry-run"), ("call", "tried", "text=Hello", "--dry-run"),
                  ("call", "execute_macro", "macro=tried", 'parameter_values:={"text": "Hello"}', "--dry-run")):
        ran = run(*words, PERIGEE_DESKTOP="fake")
        lines = ran.out.splitlines()
        assert ran.code == 0 and lines[0].startswith('Dry run: 2 steps were tried on a copy of the desktop. Step 3, dialog "Save As"'), ran
        assert lines[1:] == ["1 set text: in the copy of the desktop: the value was read back",
                             '2 click button "Save": found, but what it does is not known'], ran
    write("home/tools/macros/tried.lua", TRIED.replace('"text", args', '"entry", args'))
    ran = run("macro", "run", "tried", "text=Hello", "--dry-run", PERIGEE_DESKTOP="fake")
    assert ran.code == 3 and "Step 1, set entry" in ran.err and "Nothing was done before it." in ran.err, ran
    assert "resume_from" not in ran.err and "cannot be written" not in ran.err, ran
    (MACROS / "tried.lua").unlink()


def a_foreign_macro_gets_no_more_than_a_foreign_tool():
    text = (MACROS / "set_the_name.lua").read_text()
    write("home/foreign/macros/stranger.lua", text)
    with opened() as server:
        assert [each["name"] for each in done(server, "list_macros")["macros"]] == ["macros/set_the_name"]
        answer = server.call("stranger", {"name": "x"})
        assert "error" in answer or answer["result"]["isError"], answer
    (HOME / "foreign/macros/stranger.lua").unlink()


def the_command_lists_runs_and_checks():
    assert run("macro", PERIGEE_DESKTOP="fake").out == "set_the_name  Set the name\n"
    assert json.loads(run("macro", "list", "--json").out)[0]["name"] == "macros/set_the_name"
    ran = run("macro", "run", "set_the_name", "name=Grace", PERIGEE_DESKTOP="fake")
    assert ran.code == 0 and ran.out.startswith("All 4 steps are done.\n1 open Settings: its window appeared\n"), ran
    assert run("macro", "run", "set_the_name", "--args", "-", stdin='{"name": "Eve"}', PERIGEE_DESKTOP="fake").code == 0
    ran = run("macro", "run", "set_the_name", "name=Grace", "--from", "last", PERIGEE_DESKTOP="fake")
    assert ran.code == 3 and "came to its end" in ran.err, ran
    assert run("macro", "edit", "set_the_name").out == str(MACROS / "set_the_name.lua") + "\n"
    assert run("macro", "check").out == "1 macro; all well\n"
    assert run("test", "set_the_name").code == 0
    path = MACROS / "set_the_name.lua"
    text = path.read_text()
    path.write_text(text.replace("  settings:click(", "  settings:keys \"ctrl+a\"\n  settings:click("))
    assert path.read_text() != text and run("test", "set_the_name").code == 0, "its example holds with one more step"
    path.write_text(text)
    write("home/tools/macros/broken.lua", "local function\n")
    checked = run("macro", "check")
    assert checked.code == 1 and "broken.lua" in checked.out and "2 macros; " in checked.out, checked
    ran = run("macro", "run", "broken")
    assert ran.code == 1 and "does not load" in ran.err, ran
    (MACROS / "broken.lua").unlink()
    write("home/tools/macros/wrong.lua", TRIED.replace("draft:set(", "draft:sett(").replace("macro:window", "macro:windw"))
    for words in (("macro", "check"), ("check",)):
        checked = run(*words)
        assert checked.code == 1 and "macro, a macro, has no windw; did you mean window?" in checked.out + checked.err, checked
    write("home/tools/macros/wrong.lua", TRIED.replace("draft:set(", "draft:sett("))
    for words in (("macro", "check"), ("check",)):
        checked = run(*words)
        assert checked.code == 1 and "draft, a window of a macro, has no sett; did you mean set?" in checked.out + checked.err, checked
    (MACROS / "wrong.lua").unlink()
    ran = run("macro", "run", "set_teh_name")
    assert ran.code == 2 and "did you mean set_the_name?" in ran.err, ran


EDITOR = """#!/bin/sh
# Reads a key from the terminal, as an editor does, and writes what it is told.
echo "editing $2"
read -r key
[ "$key" = broken ] && echo 'local function' >"$2"
[ "$key" = fails ] && exit 7
echo "$1 $key"
"""


def it_is_edited_in_the_terminal_and_checked():
    editor = write("ed", EDITOR, 0o755)
    path = MACROS / "set_the_name.lua"
    text = path.read_text()
    for key, says, code in (("fine", "1 macro; all well", 0), ("fails", "ended with the code 7", 1), ("broken", "2 problems", 1)):
        with Terminal("macro", "edit", "set_the_name", width=200, VISUAL=f"{editor} 'a word'", EDITOR="false", PERIGEE_DESKTOP="fake") as terminal:
            terminal.expect(f"editing {str(path)[:20]}")
            terminal.type(key + "\n")
            terminal.expect(*([f"a word {key}"] if code == 0 or key == "broken" else []), says)
            assert terminal.end().code == code, key
        path.write_text(text)


ROWS = """local macro_tool = require "macros.tool"
local s          = require "schema"

local function run(args, macro)
  local settings = macro:open("Settings")
  for row in macro:rows(args.file, { "name", "mark" }) do
    settings:set('entry "Name"', row.name)
    settings:check { element = 'entry "Name"', value = row.mark }
  end
end

return macro_tool { title = "Rows", description = "Enter each row.", run = run,
  inputSchema = s.object { { "file", s.string "CSV." } }, about = { file = "path" } }
"""


def it_goes_on_from_a_step_or_a_row():
    write("home/tools/macros/rows.lua", ROWS)
    names = ("Ada", "Grace", "Eve")

    def file(wrong=None):
        return write("rows.csv", "name,mark\n" + "".join(f"{name},{'other' if name == wrong else name}\n" for name in names))

    whole = run("macro", "run", "rows", f"file={file()}", "--grant", str(folder("")), PERIGEE_DESKTOP="fake")
    assert whole.code == 0 and whole.out.splitlines()[0] == "All 7 steps are done.", whole
    assert run("macro", "run", "rows", f"file={file()}", "--from", "row x", PERIGEE_DESKTOP="fake").code == 3
    with opened("--grant", str(folder(""))) as server:   # in which the window stays
        def ran(place, wrong=None):
            given = {"resume_from": place} if place else {}
            result = call(server, "execute_macro", macro="rows", parameter_values={"file": file(wrong)}, **given)
            steps = (result.get("structuredContent") or result["_meta"]["macro"])["steps"]
            return result["content"][0]["text"], [f"{step.get('row', 0)}.{step['step']}" for step in steps if not step.get("left_out")]
        text, _ = ran(None, wrong="Grace")
        assert "Step 3 of row 2, check" in text and 'resume_from="row 2 step 3"' in text, text
        text, done = ran("row 2")
        assert (text.splitlines()[0], done) == ("4 steps are done; 1 were done before.", ["2.2", "2.3", "3.2", "3.3"]), (text, done)
        text, done = ran("row 3 step 2")
        assert done == ["3.2", "3.3"], (text, done)
        text, done = ran("row 2 step 3")
        assert done[0] == "2.3", (text, done)
    (MACROS / "rows.lua").unlink()


def a_journal_that_cannot_become_a_macro_says_why():
    def from_run(*events, words=(), **env):
        lines = [{"type": "start", "format": "perigee.run/1", "request": "Do it", "tools": []}, *events]
        path = write("run.jsonl", "".join(json.dumps(each) + "\n" for each in lines))
        return run("macro", "from-run", path, *words, PERIGEE_DESKTOP="fake", **env)

    def call(tool, failed=False, **arguments):
        return [{"type": "call", "id": 1, "turn": 1, "tool": tool, "arguments": arguments},
                {"type": "result", "id": 1, "turn": 1, "tool": tool, "text": "Done.", "failed": failed}]

    opened = call("open_application", application="Settings")
    for got, code, says in (
            (run("macro", "from-run", "/nowhere.jsonl"), 2, "/nowhere.jsonl cannot be read"),
            (run("macro", "from-run", write("other.jsonl", "{}\n")), 1, "is not the journal of an agent run"),
            (from_run(), 1, "No call of it acted"),
            (from_run(*call("open_application", failed=True, application="x")), 1, "No call of it acted"),
            (from_run(*opened, *call("click_element", element="e7")), 1, "call 2, click_element: e7 was not listed in this run"),
            (from_run(*opened, *call("create_input", action="click", x=1, y=2)), 1, "click at a point of the screen cannot be repeated"),
            (from_run(*opened, *call("execute_shell_command", command="echo")), 1, "execute_shell_command acts on more than a desktop"),
            (from_run(*opened, words=("--name", "set_the_name")), 1, "there is a tool set_the_name already. Pass --name"),
            (from_run(*opened, words=("--name", "A b")), 2, "cannot be the name of a macro"),
            (from_run(*opened, words=("x",)), 2, '"x" is not a value. Write KEY=VALUE'),
            (from_run(*opened, words=("x=1",)), 2, "the macro has no parameter x. It has none"),
            (from_run(*opened, PATH="/nowhere"), 1, "there is no fresh desktop to try it on: Xvfb is not installed")):
        assert got.code == code and says in got.err, (code, says, got)
    assert [path.name for path in MACROS.glob("*.lua")] == ["set_the_name.lua"]
    done = from_run(*opened, words=("--here", "--name", "opens"))
    assert done.code == 0 and (MACROS / "opens.lua").exists(), done
    for path in MACROS.glob("opens*"):
        path.unlink()


PARTS = """local macro_tool = require "macros.tool"
local s          = require "schema"

local function run(args, macro)
  local settings = macro:open("Settings")
  settings:set('entry "Name"', macro.part(args.text, "Total: ", " EUR"))
  return macro.part(args.text, args.after, args.before)
end

return macro_tool { title = "Parts", description = "Read parts.", run = run, about = { "nothing" }, inputSchema = s.object {
  { "text", s.string "Text." }, { "after", s.string("After.", { default = "" }) }, { "before", s.string("Before.", { default = "" }) } } }
"""


def a_part_that_is_not_there_ends_the_run():
    write("home/tools/macros/parts.lua", PARTS)
    with opened() as server:
        for text in ("nothing of it", "Total: 5 CHF", " EUR Total: 5", "total: 5 EUR"):
            said = fails(server, "MACRO_NO_PART", "parts", text=text)
            assert f'Before step 2: "{text.strip()}" has nothing between "Total: " and " EUR". See what the step before reads' in said, said
            assert 'One step was done before it. Then go on with resume_from="2".' in said, said
        assert done(server, "get_element", element='entry "Name"', application="Settings").get("value", "") != "5"
        for after, before, part in (("Total: ", " EUR", "5"), ("", "", "Total: 5 EUR, of 6 EUR"), ("", ":", "Total"), ("of ", "", "6 EUR"), ("Total: ", "5", "")):
            ran = done(server, "parts", text="Total: 5 EUR, of 6 EUR", after=after, before=before)
            assert ran["result"] == part and len(ran["steps"]) == 2, (after, before, ran)
        assert done(server, "get_element", element='entry "Name"', application="Settings")["value"] == "5"
        text = fails(server, "MACRO_NO_PART", "parts", text="Total: 5 EUR", after="Sum: ")
        assert "2 steps were done before it." in text, text
    (MACROS / "parts.lua").unlink()


STOPPED = """local macro_tool = require "macros.tool"
local s          = require "schema"
local time       = require "sys.time"

local function run(args, macro)
  local settings = macro:open("Settings")
  settings:set('entry "Name"', args.name)
  if args.at == "look" then settings:wait { text = "never there", timeout = 50 } end
  if args.at == "call" then macro:call("naps", {}) end
  if args.at == "between" then time.sleep(600) end
  settings:set('entry "Name"', "later")
end

return macro_tool { title = "Stopped", description = "Wait at a place.", run = run, about = { "nothing" },
  inputSchema = s.object { { "name", s.string "Name." }, { "at", s.string "Where it waits." } } }
"""

NAPS = """local time = require "sys.time"
return { title = "Nap", description = "Sleep.", inputSchema = { type = "object", properties = {} }, about = { "nothing" }, timeout = 600,
  run = function() time.sleep(600) end }
"""


def a_run_that_is_cancelled_begins_no_later_step():
    """Within a step that looks, within one that was sent, and between two: what was done stays, and the record has the place."""
    write("home/tools/macros/stopped.lua", STOPPED)
    write("home/tools/zoo/naps.lua", NAPS)
    with opened() as server:     # for all of them, with the notices of the desktop that it watches for its client
        for at, calls, place in (("look", 3, {"step": 3, "unconfirmed": False}), ("call", 3, {"step": 3, "unconfirmed": True}),
                                 ("between", 2, {"step": 2, "unconfirmed": False})):
            number = server.post("tools/call", {"name": "stopped", "arguments": {"name": at, "at": at}, "_meta": {"progressToken": at}})
            for _ in range(2):
                server.find(lambda each, at=at: each.get("method") == "notifications/progress" and each["params"]["progressToken"] == at)
            until(lambda calls=calls: done(server, "engine_status")["calls"]["active"] == calls, f"the place that lasts ({at})")
            server.notify("notifications/cancelled", {"requestId": number})
            until(lambda: done(server, "engine_status")["calls"]["active"] == 1, f"the end of all calls ({at})")
            same(done(server, "get_macro", name="stopped")["stopped_at"], place, at)
            same(done(server, "get_element", element='entry "Name"', application="Settings")["value"], at)
            same((server.has_answered(number), server.faults), (False, []), at)
        with opened() as other:      # its run is the last one, also for the first engine
            ran = done(other, "stopped", name="other", at="no")
            same(ran["done"], True)
        same("stopped_at" in done(server, "get_macro", name="stopped"), False)
    (MACROS / "stopped.lua").unlink()
    (HOME / "tools/zoo/naps.lua").unlink()


for case in (a_macro_is_made_shown_and_run, wrong_values_start_nothing, a_failing_step_says_what_was_done, a_broken_file_keeps_its_last_good_version,
             a_macro_is_made_of_the_last_calls_of_a_session, a_value_of_a_result_becomes_a_variable,
             a_dry_run_tries_the_steps, a_part_that_is_not_there_ends_the_run, a_run_that_is_cancelled_begins_no_later_step, one_that_was_edited_is_left_alone, a_macro_that_runs_itself_ends, each_step_passes_the_policy, to_write_one_is_asked_about,
             a_dry_run_changes_nothing, a_foreign_macro_gets_no_more_than_a_foreign_tool, the_command_lists_runs_and_checks,
             it_is_edited_in_the_terminal_and_checked, it_goes_on_from_a_step_or_a_row, a_journal_that_cannot_become_a_macro_says_why):
    tap.case(case.__name__.replace("_", " "), case)
tap.done()
