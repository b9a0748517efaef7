#!/usr/bin/env python3
"""A dry run acts on a copy of the desktop: the real one, its applications, files and programs stay as they are, and what is read
afterwards is what the run did to the copy."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from procs import descendants                                   # noqa: E402
from server import PERIGEE                                      # noqa: E402
from tap import Failure                                         # noqa: E402
from tools import Tools, has, opened, run, same, until          # noqa: E402

SCRIPT = """
local call = require("sys.engine").call
local window, app, picture = ...
local function say(name, args)
  local result, err, code = call(name, args)
  print(require("sys.json").encode { tool = name, code = code, meta = result and result._meta,
    error = not result and err or result and result.isError and result.content[1].text or nil,
    text = result and result.content[1].text, structured = result and result.structuredContent })
end
say("move_window", { name = window, x = 33, y = 44 })
say("resize_window", { name = window, width = 500, height = 400 })
say("write_element_value", { application = app, element = "text", value = "of the dry run" })
say("select_menu_item", { application = app, path = "File > Save As..." })
say("create_input", { action = "type", text = " and more" })
say("write_clipboard", { text = "a dry clip" })
say("open_application", { name = "xterm" })
say("capture_window_screenshot", { window = window, path = picture })
say("draw_rectangle", { x = 1, y = 1, width = 20, height = 20 })
say("get_window", { name = window })
say("find_elements", { application = app, role = "text" })
say("get_clipboard", {})
say("list_windows", {})
say("close_window", { name = window })
say("get_window", { name = window })
"""
ACTS = 9    # the first ones of the script


@contextlib.contextmanager
def editor(tools, desktop):
    """An editor with a file in it: (application, window)."""
    path = desktop.folder / "note.txt"
    path.write_text("as it was\n")
    with opened(tools, "mousepad", files=[str(path)]) as app:
        until(lambda: "as it was" in tools.text("get_ui_tree", application=app), "its text")
        window = until(lambda: tools("list_windows", parent=app)["windows"], "its window")[0]["name"]
        tools("write_clipboard", text="as it was, too")
        yield app, window


def program(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""    # it has ended


def state(tools, desktop, app, window):
    """Returns all that a dry run must leave alone."""
    seen = tools("get_window", name=window)
    return {"frame": seen["bounds"], "focused": seen["focused"], "states": seen["states"], "title": seen["title"],
            "elements": tools("get_ui_tree", application=app)["outline"].partition("\n")[2],
            "clipboard": tools("get_clipboard")["text"],
            "windows": [each["name"] for each in tools("list_windows")["windows"]],
            "terminals": [pid for pid in descendants(os.getpid()) if program(pid) == "xterm"],
            "files": sorted(each.name for each in desktop.folder.iterdir()),
            "text": (desktop.folder / "note.txt").read_text()}


def dry(desktop, *words, stdin=None):
    """A command's lines as JSON, of those that are."""
    env = dict(os.environ, PERIGEE_HOME=str(desktop.folder / "dry home"), **desktop.env)
    done = subprocess.run([PERIGEE, *words], env=env, input=stdin, capture_output=True, text=True, check=False,
                          cwd=desktop.folder, timeout=60)
    if done.returncode:
        raise Failure(f"{words}: {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def effects(value):
    """All that is said of effects, however deep."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "effect":
                yield member
            yield from effects(member)
    elif isinstance(value, list):
        for member in value:
            yield from effects(member)


def whole_script(tools, desktop):
    with editor(tools, desktop) as (app, window):
        before = state(tools, desktop, app, window)
        picture = desktop.folder / "picture.png"
        out = dry(desktop, "run", "--dry-run", "-", window, app, str(picture), stdin=SCRIPT)
        done = [json.loads(line) for line in out.splitlines()]
        same(state(tools, desktop, app, window), before, "the real desktop")
    for each in done[:ACTS]:
        same(each.get("error"), None, each["tool"])
        same(each["text"][:9], "Dry run: ", each["tool"])
        same(set(effects(each.get("structured"))) - {"unknown"}, set(), each["tool"])
    for each in done[:-1]:
        same(each["meta"]["perigee/dry_run"], True, each["tool"])
    moved, resized, written, chosen, typed, _, started, shot, drawn, now, found, clip, windows, closed, gone = done
    has(moved["text"], "at 33,44")
    has(resized["text"], "500x400")
    has(written["text"], 'text ="of the dry run"')
    has(chosen["text"], 'menuitem "Save As..."')
    has(chosen["structured"]["evidence"], "in the copy of the desktop")
    has(typed["text"], "Typed 9 characters")
    has(started["text"], "Opened applications/")
    has(shot["text"], f"Would be saved to {picture}.")
    has(drawn["text"], "Dry run: would call draw_rectangle with {")
    same(drawn["structured"]["dry_run"], True)
    same(now["structured"]["bounds"], {"x": 33, "y": 44, "width": 500, "height": 400})
    has(found["text"], 'text ="of the dry run and more"')
    has(clip["text"], "a dry clip")
    same(len(windows["structured"]["windows"]), 2, "windows, with the one that stands for what would be opened")
    has(closed["text"], "it is gone")
    has(gone["error"], f"Window {window} no longer exists")


def no_waiting(tools, desktop):
    """A dry run does not wait for an effect that only the application would have."""
    with editor(tools, desktop) as (app, _):
        out = dry(desktop, "call", "--dry-run", "create_input", "action=keys", "keys=ctrl+shift+s",
                  'wait:={"condition":"window","window":"Save As","timeout":600}')
        has(out, "Dry run: ")
        has(out, 'Then it would wait for {"condition":"window","window":"Save As","timeout":600}.')
        has(tools.text("get_ui_tree", application=app), "as it was")


def typing_comes_first(tools, desktop):
    """It ended the program: nothing had read elements before, which the copy reads for text."""
    with editor(tools, desktop) as (app, _):
        for action in ("type", "keys"):
            has(dry(desktop, "call", "--dry-run", "create_input", f"action={action}", "text=zz" if action == "type" else "keys=a"), "Dry run: ")
        has(tools.text("get_ui_tree", application=app), "as it was")


def each_call(tools, desktop):
    """A command has a copy of its own."""
    with editor(tools, desktop) as (app, window):
        before = state(tools, desktop, app, window)
        for _ in range(2):
            has(dry(desktop, "call", "--dry-run", "move_window", f"name={window}", "x=5", "y=6"), "Dry run: Moved ")
            same(state(tools, desktop, app, window), before, "the real desktop")


def served(tools, desktop):
    """A server keeps its copy, and calls within calls act on it, too."""
    with editor(tools, desktop) as (app, window), contextlib.closing(Tools(desktop.env, "--dry-run")) as trial:
        before = state(tools, desktop, app, window)
        listed = trial.server.ask("tools/list")["result"]["tools"]
        same([each["name"] for each in listed if "outputSchema" in each], [], "tools that promise a result")
        result = trial.result("run_lua", code=f"""
            tools.move_window {{ name = "{window}", x = 7, y = 8 }}
            return tools.draw_rectangle {{ x = 1, y = 1, width = 20, height = 20 }}""")
        same(result["_meta"]["perigee/dry_run"], True)
        has(result["content"][0]["text"], "draw_rectangle")
        same(trial("get_window", name=window)["bounds"]["x"], 7)
        result = trial.result("call_tool", name="resize_window", arguments={"name": window, "width": 450, "height": 350})
        has(result["content"][0]["text"], "Dry run: Resized ")
        same(trial("get_window", name=window)["bounds"]["width"], 450)
        same(trial("engine_status")["dry_run"], True)
        same(trial("list_applications")["applications"][0]["name"], app)
        result = trial.result("quit_application", name=app, force=True)
        has(result["content"][0]["text"], "Dry run: ")
        same(state(tools, desktop, app, window), before, "the real desktop")


def agent_run(tools, desktop):
    """The offline planner works the copy: its answer is about what it would do, and the recorded run has all of it."""
    own = desktop.folder / "agent"
    own.mkdir()
    with editor(tools, desktop) as (app, window):
        before = state(tools, desktop, app, window)
        out = dry(desktop, "agent", "--dry-run", "--model", "offline", "--prompt", "desktop", "--log", str(own / "log"),
                  "--journal", str(own / "runs"), 'In Mousepad: click "File", type "of the agent", press ctrl+s, '
                  'check "of the agent"')
        same(state(tools, desktop, app, window), before, "the real desktop")
    same(out[:40], "[Dry run: All 4 steps are done. 4 verify")
    has(out, 'text ="of the agent')
    events = [json.loads(line) for line in next((own / "runs").iterdir()).read_text().splitlines()]
    results = {event["tool"]: event["text"] for event in events if event["type"] == "result"}
    same(sorted(results), ["act", "get_ui_tree"])
    has(results["get_ui_tree"], "as it was")
    has(results["act"], "Dry run: All 4 steps are done.")
    has(results["act"], "in the copy of the desktop")


def by_policy(tools, desktop):
    """`dry_run = true` in the policy, for every caller."""
    home = desktop.folder / "dry home"
    home.mkdir(exist_ok=True)
    policy = home / "policy.lua"
    policy.write_text('return { dry_run = true, rules = { { ask = "a move", tool = "move_window" }, '
                      '{ deny = "no end", tool = "quit_application" } }, otherwise = "allow" }\n')
    try:
        with editor(tools, desktop) as (app, window):
            before = state(tools, desktop, app, window)
            text = dry(desktop, "call", "move_window", f"name={window}", "x=5", "y=6")
            has(text, "Dry run: Moved ")
            has(text, "The policy would ask the user first (a move)")
            out = dry(desktop, "run", "-e", 'print((select(3, require("sys.fs").write("new.txt", "x"))))')
            same(out, "dry_run\n")
            out = dry(desktop, "run", "-e", f'print((select(3, require("perigee").call("quit_application", {{ name = "{app}" }}))))')
            same(out, "denied\n")
            same(state(tools, desktop, app, window), before, "the real desktop")
    finally:
        policy.unlink()


def bindings(_tools, desktop):
    """Functions of sys by which a script could act without tools are refused."""
    (desktop.folder / "kept.txt").write_text("kept\n")
    out = dry(desktop, "run", "--dry-run", "-e", """
        local fs, process, http, secrets, mcp, input =
          require "sys.fs", require "sys.process", require "sys.http", require "sys.secrets", require "sys.mcp", require "sys.input"
        local function code(...) print((select(3, ...))) end
        code(fs.write("new.txt", "x"))
        code(fs.append("kept.txt", "x"))
        code(fs.remove("kept.txt"))
        code(fs.rename("kept.txt", "other.txt"))
        code(fs.copy("kept.txt", "other.txt"))
        code(fs.make_folder("folder"))
        code(process.run { "touch", "touched" })
        code(process.start { "touch", "touched" })
        code(http.request { url = "http://127.0.0.1:9/", method = "POST", body = "x" })
        code(secrets.write("name", "x"))
        code(mcp.connect { command = "touch", args = { "touched" } })
        local dbus = require "sys.dbus"
        local wire = assert(dbus.connect "session")
        local names = { kind = "call", to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus",
          member = "ListNames" }
        code(dbus.calls("session", { {} }))
        code(wire:send { kind = "signal", path = "/a", interface = "a.b", member = "C" })
        code(dbus.serve("session", { name = "a.b", objects = {} }))
        code(require("sys.notify").show { title = "x" })
        code(require("sys.menu").new { title = "x" })
        assert(wire:call(names) and dbus.calls("session", { names }))
        code(input.allow())
        code(require("sys.policy").approve("abc", "{}"))
        code(require("sys.policy").revoke("abc"))
        print(fs.read("kept.txt"))""")
    same(out, "dry_run\n" * 19 + "kept\n\n", "codes")
    (desktop.folder / "kept.txt").unlink()
    for name in ("new.txt", "other.txt", "folder", "touched"):
        same((desktop.folder / name).exists(), False, name)


def own_tools(_tools, desktop):
    """A tool that does not say that it only reads is not called, nor is one of a mounted server."""
    root = desktop.folder / "root"
    (root / "tools" / "mine").mkdir(parents=True)
    tool = """return { description = "Writes.", inputSchema = { type = "object" }, annotations = { readOnlyHint = %s },
      run = function() require("sys.log").info "x" return "it was called" end }"""
    for name, reads in (("acts", "false"), ("reads", "true")):
        path = pathlib.Path(root, "tools", "mine", f"{name}.lua")
        path.write_text('local log = require "sys.log"\n' + (tool % reads).replace('require("sys.log")', "log"))
    same(dry(desktop, "call", "--dry-run", "acts", "--root", str(root)), "Dry run: would call acts with {}.\n")
    same(dry(desktop, "call", "--dry-run", "reads", "--root", str(root)), "it was called\n")
    config = desktop.folder / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"other": {
        "command": PERIGEE, "args": ["serve", "--no-user-root", "--root", str(root), "--toolset", "mine"]}}}))
    mounted = ("--mount", "other", "--config", str(config))
    same(dry(desktop, "call", "--dry-run", "other_acts", *mounted), "Dry run: would call other_acts with {}.\n")
    same(dry(desktop, "call", "--dry-run", "other_reads", *mounted), "it was called\n")


run((("a script of many actions, as a whole", whole_script),
     ("one call", each_call),
     ("text is the first that it does", typing_comes_first),
     ("an effect that only an application would have is not awaited", no_waiting),
     ("a server, and calls within calls", served),
     ("the agent", agent_run),
     ("by the policy", by_policy),
     ("scripts that write files, start programs and connect", bindings),
     ("tools of other toolsets", own_tools)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "xterm"))
