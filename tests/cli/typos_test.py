#!/usr/bin/env python3
"""Names that are nearly right are refused, and the right one is named."""

import json

from kit import FOLDER, Running, done, folder, has, must, perigee, same, tap, write

ROOT = str(folder("root"))
write("root/tools/mine/pick.lua", """return { description = "Pick.", inputSchema = { type = "object", properties = {
  fruit = { type = "string", enum = { "apple", "apricot", "banana", "blackberry", "cherry", "date", "elder", "fig", "grape",
    "kiwi", "lemon", "lime", "mango", "orange" } } } }, run = function(args) return args.fruit end }
""")


def refused(code, *words, **more):
    answer = perigee(*words, **more)
    same((answer.code, answer.out), (code, ""), answer)
    return answer.err


def toolsets():
    for words in (["tools"], ["call", "run_lua", "code=1"], ["run", "-e", "return 1"], ["serve"], ["repl"]):
        at = 1 if words[0] == "run" else len(words)
        has(refused(2, *words[:at], "--toolset", "desktop,kenote", *words[at:]), 'there is no toolset "kenote": did you mean keynote?')
    same(perigee("tools", "--root", ROOT, "--toolset", "mine,engine").code, 0)
    same(json.loads(perigee("tools", "--json", "--toolset", "nothing").out)["error"]["code"], "usage")


def toolsets_that_nothing_is_near():
    said = refused(2, "tools", "--toolset", "zzz", "--root", ROOT)
    has(said, 'there is no toolset "zzz"; there are ', "keynote", "desktop", "mine", ", all")
    same(said.count("desktop"), 1, said)


def the_file_of_servers():
    write("here/servers.json", '{"mcpServers": {}}')
    for words in (["tools"], ["call", "engine_status"], ["run", "-e", "return 1"], ["repl"], ["inspect", "x"]):
        at = 1 if words[0] == "run" else len(words)
        has(refused(2, *words[:at], "--config", str(FOLDER / "here/severs.json"), *words[at:]),
            f"severs.json: there is no such file. Did you mean {FOLDER}/here/servers.json?")
    same(perigee("tools", "--config", str(FOLDER / "here/servers.json")).code, 0)
    server = perigee("serve", "--config", str(FOLDER / "here/severs.json"))
    same(server.code, 0)
    has(server.err, "severs.json: there is no such file yet")


def filters_of_test():
    answer = perigee("test", "draw_rectangl_", "describe_tool", "serch_tools", "--no-user-root")
    same(answer.code, 1)
    has(answer.err, "no example matches draw_rectangl_, serch_tools; did you mean draw_rectangle?")
    same(perigee("test", "describe_tool", "--no-user-root").code, 0)


def values_of_options():
    has(refused(2, "image", "--mode", "scren"), '--mode takes screen, window or multi, not "scren"; did you mean screen?')
    has(refused(2, "tools", "--root", ROOT, "--toolset", "mne"), "did you mean mine?")
    answer = perigee("agent", "--model", "gemni/x", "hi", "--server", "/no/such", cwd=folder("agent"))
    has(answer.err, "providers/gemni.lua", "(did you mean 'gemini'?)")


def modules():
    has(perigee("run", "-e", "require 'schma'").err, "no root has lib/schma.lua (did you mean 'schema'?)")
    has(perigee("run", "-e", "require 'sys.tme'").err, "module 'sys.tme' does not exist (did you mean 'sys.time'?)")
    must("did you mean" not in perigee("run", "-e", "require 'quite_other'").err, "one is near")


def roots():
    for words in (["tools"], ["run", "-e", "return 1"], ["repl"]):
        at = 1 if words[0] == "run" else len(words)
        has(refused(2, *words[:at], "--root", str(FOLDER / "rot"), *words[at:]), f"--root {FOLDER}/rot is not a directory",
            f"did you mean {ROOT}?")
    server = perigee("serve", "--root", str(FOLDER / "later"))      # one may appear while it runs
    same(server.code, 0)
    has(server.err, "is not there yet")


def keys_of_mcp_json():
    config = write("mcp.json", json.dumps({"mcpServers": {
        "typo": {"comand": "cat", "args": []}, "url": {"ulr": "https://x.example/"},
        "fine": {"command": "cat", "description": "mine", "autoApprove": [], "alwaysAllow": ["x"], "icon": "y"}}}))
    has(refused(1, "mcp", "info", "typo", "--config", config), 'server "typo": unknown key "comand" (did you mean \'command\'?)')
    has(refused(1, "mcp", "info", "url", "--config", config), "unknown key \"ulr\" (did you mean 'url'?)")
    must("unknown key" not in perigee("mcp", "info", "fine", "--config", config, "--timeout", "0.5").err, "fine")


def values_of_an_enumeration():
    said = refused(2, "call", "pick", "fruit=orage", "--root", ROOT)
    has(said, '"apple", "apricot"', '"mango", "orange"', "(did you mean 'orange'?)")
    must("..." not in said, said)


def tools_in_scripts():
    for words in (["run", "--toolset", "engine", "-e", "tools.engine_sttus()"], ["call", "run_lua", "code=tools.engine_sttus()"]):
        has(perigee(*words).err, "there is no tool 'engine_sttus' (did you mean 'engine_status'?)")


def files():
    write("here/script.lua", "print 'x'")
    has(refused(1, "run", "scirpt.lua"), 'scirpt.lua', "did you mean script.lua?")
    has(refused(1, "run", "../here/scirpt.lua"), "did you mean ../here/script.lua?")


def modules_beside_a_script():
    write("job/main.lua", "print(require('parts.one').name, require 'perigee' ~= nil)")
    write("job/parts/one.lua", "return { name = require('two') }")
    write("job/two.lua", "return 'two'")
    write("job/schema.lua", "return 'mine'")
    write("job/own.lua", "print(type(require 'schema'))")
    same(perigee("run", str(FOLDER / "job/main.lua")).out, "two\ttrue\n")
    same(perigee("run", str(FOLDER / "job/own.lua")).out, "string\n")   # its own first, as for files of a root
    answer = perigee("run", "-e", "require 'two'", cwd=FOLDER / "job")
    has(answer.err, "module 'two' not found")       # a text on the command line is in no folder
    running = Running("run", "-", cwd=FOLDER / "job")
    same(running.end().code, 0)


tap.case("an unknown toolset", toolsets)
tap.case("an unknown toolset that nothing is near: those there are", toolsets_that_nothing_is_near)
tap.case("a --config that is not there", the_file_of_servers)
tap.case("a filter of `perigee test` that nothing matches, also beside one that does", filters_of_test)
tap.case("values of options: the nearest", values_of_options)
tap.case("modules that a script requires", modules)
tap.case("a root that is not there", roots)
tap.case("keys of mcp.json that would do nothing", keys_of_mcp_json)
tap.case("a value out of an enumeration: the nearest, and all of them", values_of_an_enumeration)
tap.case("tools in scripts", tools_in_scripts)
tap.case("files", files)
tap.case("require finds modules beside a script", modules_beside_a_script)
done()
