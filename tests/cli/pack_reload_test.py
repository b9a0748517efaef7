#!/usr/bin/env python3
"""A changed file loads the services and tools again that require it, and no others. A change of a pack reaches that pack only."""

import json
import shutil

from kit import done, perigee, same, soon, tap
from packs import HOME, PACK, PACKS, fresh, make, serve

COUNT = '''local ok, state = pcall(require, "sys.state")
if ok then
  local loads = state.open "loads"
  loads["%s"] = (loads["%s"] or 0) + 1
end
'''
SERVICE = '''local state, time = require "sys.state", require "sys.time"
%s
return { description = "A service.", start = function()
  %s
  local loads = state.open "loads"
  loads["%s"] = (loads["%s"] or 0) + 1
  assert(time.every(3600, function() end))
end }
'''
SEEN = '''local json, state = require "sys.json", require "sys.state"
return { description = "Who was loaded how often.", inputSchema = { type = "object" },
  run = function() return json.encode(state.open "loads") end }
'''


def tool(name, head=""):
    return head + "\n" + COUNT % (name, name) + '''return { description = "A tool.", inputSchema = { type = "object" }, run = function() return "done" end }
'''


def service(name, head="", later=""):
    return SERVICE % (head, later, name, name)


USER = {
    "lib/shared.lua": "return { n = 1 }", "lib/deep.lua": "return { n = 1 }",
    "lib/middle.lua": 'return { n = require("deep").n }', "lib/unused.lua": "return { n = 1 }",
    "services/direct.lua": service("direct", 'local shared = require "shared"'),
    "services/indirect.lua": service("indirect", later='require "middle"'),
    "services/hopes.lua": service("hopes", later='pcall(require, "hoped")'),
    "services/alone.lua": service("alone"),
    "tools/mine/uses.lua": tool("uses", 'local shared = require "shared"'),
    "tools/mine/html_tool.lua": tool("html_tool", 'local html = require "html"'),
    "tools/mine/plain.lua": tool("plain"),
    "tools/mine/seen.lua": SEEN,
    "prompts/asks.lua": 'return { description = "Asks.", render = function() return "?" end }',
}


def pack(name):
    return {
        "pack.lua": PACK % name,
        f"lib/{name}/own.lua": "return { n = 1 }", "lib/shared.lua": "return { n = 2 }",
        f"services/{name}_needs.lua": service(f"{name}_needs", f'local own = require "{name}.own"'),
        f"services/{name}_alone.lua": service(f"{name}_alone"),
        f"tools/{name}_needs_tool.lua": tool(f"{name}_needs_tool", 'local shared = require "shared"'),
        f"tools/{name}_tool.lua": tool(f"{name}_tool"),
        f"prompts/ask_{name}.lua": 'return { description = "Asks.", render = function() return "?" end }',
        "scripts/help.sh": "echo help\n",
    }


def all_of(name):
    return {f"{name}_needs", f"{name}_alone", f"{name}_needs_tool", f"{name}_tool"}


def save(path, text="-- saved again\n"):
    """Adds a line to a file."""
    def change():
        path.write_text((path.read_text() if path.exists() else "") + text)
    return change


def in_pack(path, text="-- saved again\n"):
    def change():
        save(PACKS / "moon" / path, text)()
        same(perigee("pack", "approve", "moon", "--yes").code, 0)
    return change


def remove_pack():
    same(perigee("pack", "remove", "moon", "--yes").code, 0)


def add_pack():
    shutil.rmtree(HOME.parent / "made", ignore_errors=True)
    same(perigee("pack", "add", str(make("moon", pack("moon"))), "--yes").code, 0)


MOON = all_of("moon")
CHANGES = (     # what changes, how, and who is loaded again
    ("a lib file of the user", save(HOME / "lib/shared.lua"), {"direct", "uses"}),
    ("a lib file that a lib file requires", save(HOME / "lib/deep.lua"), {"indirect"}),
    ("a lib file between them", save(HOME / "lib/middle.lua"), {"indirect"}),
    ("a lib file that nothing requires", save(HOME / "lib/unused.lua"), set()),
    ("a new lib file that one tried to require", save(HOME / "lib/hoped.lua", "return {}\n"), {"hopes"}),
    ("a new lib file with the name of one of Perigee", save(HOME / "lib/html.lua", "return {}\n"), {"html_tool"}),
    ("that file is gone", lambda: (HOME / "lib/html.lua").unlink(), {"html_tool"}),
    ("a lib file does not load", save(HOME / "lib/shared.lua", "x y\n"), set()),
    ("it loads again", lambda: (HOME / "lib/shared.lua").write_text("return { n = 3 }"), {"direct", "uses"}),
    ("a service of the user", save(HOME / "services/alone.lua"), {"alone"}),
    ("a tool of the user", save(HOME / "tools/mine/plain.lua"), {"plain"}),
    ("a prompt of the user", save(HOME / "prompts/asks.lua"), set()),
    ("a tool of a pack", in_pack("tools/moon_tool.lua"), MOON),
    ("a lib file of a pack", in_pack("lib/moon/own.lua"), MOON),
    ("a lib file that the user has, too", in_pack("lib/shared.lua"), MOON),
    ("a service of a pack", in_pack("services/moon_alone.lua"), MOON),
    ("a prompt of a pack", in_pack("prompts/ask_moon.lua"), MOON),
    ("a script of a pack", in_pack("scripts/help.sh", "echo more\n"), MOON),
    ("the manifest of a pack", in_pack("pack.lua"), MOON),
    ("a pack is removed", remove_pack, set()),
    ("a pack is added", add_pack, MOON),
)


def who_is_loaded_again():
    fresh()
    make(HOME, USER)
    for name in ("moon", "sun"):
        same(perigee("pack", "add", str(make(name, pack(name))), "--yes").code, 0)
    with serve(PERIGEE_DESKTOP="fake") as server:
        server.initialize()
        probes = 0

        def counts():
            return json.loads(server.text("seen"))

        def generation():
            return server.call("engine_status")["result"]["structuredContent"]["generation"]

        def settle():
            """Waits until the last service has heard of a change that comes after all others."""
            nonlocal probes
            probes += 1
            name = f"probe{probes}"
            (HOME / "services/zz_probe.lua").write_text(service(name))
            soon(lambda: name in counts(), f"{name} does not run")
        services = {"direct", "indirect", "hopes", "alone", *(s for s in MOON | all_of("sun") if not s.endswith("tool"))}
        soon(lambda: services <= counts().keys(), "not all services run")
        settle()
        for what, change, wanted in CHANGES:
            before, was = counts(), generation()
            change()
            if wanted:
                soon(lambda: all(counts().get(n, 0) > before.get(n, 0) for n in wanted), f"{what}: not all of {wanted}")  # noqa: B023
            else:
                soon(lambda: generation() != was, f"{what}: no change was seen")                 # noqa: B023
            settle()
            after = counts()
            again = {n for n, times in after.items() if times != before.get(n) and not n.startswith("probe")}
            same(again, wanted, what)


tap.case("a change reaches what requires it, and one of a pack that pack only", who_is_loaded_again)
done()
