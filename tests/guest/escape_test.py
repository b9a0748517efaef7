#!/usr/bin/env python3
"""Ways out of a script of a client, tried from Lua: through what it is given, what it may require, what its tools take, and
what it sends back. What raw system calls from inside could do is tests/c/guest/jail_test.c."""

import json
import pathlib
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                  # noqa: E402
from server import perigee                  # noqa: E402

SECRET = "a-secret-that-no-script-reads"
MODULES = ("app", "clipboard", "crypto", "dbus", "display", "element", "engine", "env", "files", "fs", "http", "input", "loopback",
           "mcp", "ocr", "osascript", "picture_file", "process", "screen", "secrets", "state", "text", "window")

# Each is a chunk whose value must not be the secret, and not `true`.
GLOBALS = [f"return {name} ~= nil" for name in (
    "io", "os", "debug", "package", "dofile", "loadfile", "arg", "ffi", "jit", "perigee", "sys", "_LOADED", "newproxy", "unpack", "module",
    "setfenv", "getfenv")]
REQUIRED = [f"return (pcall(require, 'sys.{name}'))" for name in MODULES] + [
    f"return (pcall(require, {name!r}))" for name in (
        "io", "os", "debug", "package", "../../etc/passwd", "/etc/passwd", "sys/fs", "sys.fs.init", "sys..fs", "SYS.FS", "sys.fs\0", "", ".",
        "..", "a" * 5000, "doctor.program", "cli.install", "secrets", "oauth")]
REACHED = [
    # code that was compiled elsewhere can do anything to the VM
    "local f = load(string.dump(function() return 1 end)) return f ~= nil",
    "return load('\\27Lua', 'x', 'b') ~= nil",
    "return load(function() return nil end, 'x', 'b') and false",
    "return pcall(string.dump, print) == true",
    # the environment of others
    "local t = getmetatable('') t.__index = function() return 'x' end return false",
    "local ok = pcall(function() getmetatable(tools).__index = nil end) return ok and next(tools) == 'x'",
    "return rawget(_G, 'tools') == nil and true or false",
    "local e = _ENV return e.io ~= nil or e.os ~= nil or e.package ~= nil",
    "local g = getmetatable(_ENV) return g and g.__index and (g.__index.io or g.__index.os or g.__index.debug) ~= nil",
    "for k, v in pairs(_G) do if k == 'io' or k == 'os' or k == 'debug' then return true end end return false",
    "return (pcall(collectgarbage, 'setpause', -1)) and false",
    "local c = coroutine.running() return c == nil",
    "return (pcall(setmetatable, 'x', {}))",
    "return (pcall(rawset, string, 'format', print)) and ('x'):format() == nil",
    # through the tools
    "local ok, r = pcall(tools.capture_display, {path = SECRETFILE .. '.png'}) return ok and r ~= nil",
    "local ok, r = pcall(tools.capture_display, {path = '/etc/x.png'}) return ok and r ~= nil",
    "local ok, r = pcall(tools.capture_display, {path = '../../../etc/x.png'}) return ok and r ~= nil",
    "local ok, r = pcall(tools.run_lua, {code = 'return io'}) return ok and r == 'table'",
    "local ok, r = pcall(tools.call_tool, {name = 'run_lua', arguments = {code = 'return os.getenv(\"HOME\")'}}) return ok and type(r) == 'string' "
    "and r:find('/', 1, true) ~= nil and not r:find('attempt') and true",
    "return tools['../echo'] ~= nil and (pcall(tools['../echo']))",
    "return (pcall(tools[('x'):rep(100000)]))",
    "return (pcall(tools['echo\\0']))",
    "return (pcall(tools.echo, {message = setmetatable({}, {__index = print})})) and false",
    # what goes back
    "return setmetatable({}, {__tostring = function() return SECRET end}) == 1",
    "return {[1] = function() end} and false",
    "local t = {} t.t = t return t == nil",
    "print(('\\27]0;x\\7'):rep(10)) return false",
    "error(setmetatable({}, {__tostring = function() return io.open(SECRETFILE):read() end}))",
    "return setmetatable({}, {__close = function() tools.echo{message = 'late'} end}) == nil",
    "coroutine.wrap(function() while true do coroutine.yield() end end)() return false",
    "local t = setmetatable({}, {__gc = function() while true do end end}) t = nil collectgarbage() return false",
]


def attempts():
    return GLOBALS + REQUIRED + REACHED


def tried(folder):
    """(attempts, those that came through)."""
    secret = folder / "secret"
    secret.write_text(SECRET, encoding="utf-8")
    through, codes = [], attempts()
    with perigee("--no-user-root", "--root", str(TOP / "tests/wire/root")) as server:
        server.initialize()
        control = server.call("run_lua", {"code": "return tools.echo ~= nil"})["result"]["content"][0]["text"]
        assert control == "true", control    # one that comes through would be seen
        for code in codes:
            text = f"local SECRETFILE, SECRET = {json.dumps(str(secret))}, 'nothing'\n{code}"
            answer = server.call("run_lua", {"code": text, "timeout": 2})
            said = "\n".join(part.get("text", "") for part in answer.get("result", {}).get("content", []))
            if "error" in answer or said.strip() == "true" or SECRET in said:
                through.append(f"{code}: {said or answer}")
        alive = server.call("run_lua", {"code": "return 'alive'"})["result"]["content"][0]["text"]
        assert alive == "alive", alive
    return len(codes), through


def none_comes_through():
    with tempfile.TemporaryDirectory() as folder:
        count, through = tried(pathlib.Path(folder))
    print(f"# {count} ways out tried from Lua, {len(through)} came through")
    assert not through, "\n".join(through)


tap.case("no script of a client comes out by Lua", none_comes_through)
tap.done()
