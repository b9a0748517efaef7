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
MODULES = ("app", "clipboard", "dbus", "display", "element", "engine", "env", "files", "fs", "http", "input", "loopback",
           "mcp", "ocr", "osascript", "picture_file", "process", "screen", "secrets", "state", "webhook", "window")

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
    "local code = BYTECODE return load(code, 'x', 'b') ~= nil",
    "local code = BYTECODE return load(code, 'x', 'bt') ~= nil",
    "local code = BYTECODE return load(function() local c = code code = nil return c end, 'x', 'b') ~= nil",
    "return (pcall(string.dump, print))",
    # the environment of others
    "local ok = pcall(function() getmetatable(tools).__index = nil end) return ok and next(tools) == 'x'",
    "return rawget(_G, 'tools') == nil and true or false",
    "local e = _ENV return e.io ~= nil or e.os ~= nil or e.package ~= nil",
    "local g = getmetatable(_ENV) return g and g.__index and (g.__index.io or g.__index.os or g.__index.debug) ~= nil",
    "for k, v in pairs(_G) do if k == 'io' or k == 'os' or k == 'debug' then return true end end return false",
    "return (pcall(collectgarbage, 'setpause', -1))",
    "return (pcall(collectgarbage, 'stop')) and not (pcall(collectgarbage, 'count'))",
    "local c = coroutine.running() return c == nil",
    "return (pcall(setmetatable, 'x', {}))",
    "return (pcall(setmetatable, {}, {__gc = print}))",
    "return (pcall(rawset, string, 'format', print)) and ('x'):format() == nil",
    # through the tools
    *(f"local d = tools.list_displays{{}}.displays[1].name return (pcall(tools.capture_screenshot, {{display = d, path = {path}}}))"
      for path in ("SECRETFILE .. '.png'", "SECRETFILE", "'/etc/perigee-escape.png'", "GRANTED .. '/../escaped.png'",
                   "GRANTED .. '/link/escaped.png'", "GRANTED .. '/secret.png'", "'../escaped.png'", "GRANTED .. '/x\\0/../../escaped.png'")),
    "local ok, r = pcall(tools.run_lua, {code = 'return io'}) return ok and r == 'table'",
    "local ok, r = pcall(tools.call_tool, {name = 'run_lua', arguments = {code = 'return os.getenv(\"HOME\")'}}) return ok and type(r) == 'string' "
    "and r:find('/', 1, true) ~= nil and not r:find('attempt') and true",
    "return tools['../echo'] ~= nil and (pcall(tools['../echo']))",
    "return (pcall(tools[('x'):rep(100000)]))",
    "return (pcall(tools['echo\\0']))",
    "local ok, r = pcall(tools.echo, {text = setmetatable({}, {__index = print})}) return ok and type(r) == 'table' and getmetatable(r) ~= nil",
    # values that go back
    "return setmetatable({}, {__tostring = function() return io.open(SECRETFILE):read() end})",
    "return {setmetatable({}, {__index = function() return io.open(SECRETFILE):read() end, __len = function() return 1 end})}",
    "return function() return true end",
    "local t = {} t.t = t return t",
    "error(setmetatable({}, {__tostring = function() return io.open(SECRETFILE):read() end}))",
]
# Each changes what scripts share in its own process; what the next script finds shows whether only there.
SPOILING = [
    "local t = getmetatable('') t.__index = function() return 'spoiled' end",
    "string.upper = function() return 'spoiled' end",
    "string.format = nil table.concat = nil math.floor = nil",
    "pcall(rawset, require('schema'), 'string', function() return {type = 'spoiled'} end)",
    "require('schema').string = function() return {type = 'spoiled'} end",
    "for k in pairs(_G) do pcall(rawset, _G, k, nil) end",
    "spoiled = true _G.spoiled = true _ENV.spoiled = true",
    "coroutine.wrap(function() while true do coroutine.yield() end end)() collectgarbage('stop')",
    "require('sys.log').warn('\\27]0;spoiled\\7') print('\\27]0;spoiled\\7')",
]
PROBE = ("return ('x'):upper() .. ('%d'):format(7) .. table.concat({math.floor(1.5)}) .. require('schema').string('x').type .. "
         "tostring(spoiled)")
PROBED = "X71stringnil"


def said_of(answer):
    return "\n".join(part.get("text", "") for part in answer.get("result", {}).get("content", []))


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def came_through(server, code, places):
    """Returns the answer that shows that the code reached something; None if it did not."""
    answer = server.call("run_lua", {"code": places + code, "timeout": 2})
    said = said_of(answer)
    if "error" in answer or said.strip() == "true" or SECRET in said or "\x1b" in "".join(server.errors):
        return said or answer
    return None


def tried(folder):
    """(attempts, those that came through)."""
    secret, granted = folder / "secret", folder / "granted"
    secret.write_text(SECRET, encoding="utf-8")
    granted.mkdir()
    (granted / "link").symlink_to(folder)
    (granted / "secret.png").symlink_to(secret)
    there, through, count = files_in(folder), [], 0
    bytecode = "'" + "".join(f"\\{byte}" for byte in b"\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08") + "'"
    places = "".join(f"local {name} = {value} " for name, value in (
        ("SECRETFILE", json.dumps(str(secret))), ("GRANTED", json.dumps(str(granted))), ("BYTECODE", bytecode)))
    with perigee("--no-user-root", "--root", str(TOP / "tests/wire/root"), "--grant", str(granted),
                 env={"PERIGEE_DESKTOP": "fake"}) as server:
        server.initialize()
        for control in ("return tools.echo ~= nil", "return (pcall(tools.echo, {text = 'x'}))",
                        "local d = tools.list_displays{}.displays[1].name "
                        "return (pcall(tools.capture_screenshot, {display = d, path = GRANTED .. '/control.png'}))"):
            assert came_through(server, control, places) == "true", control     # one that comes through would be seen
        assert files_in(folder) == sorted([*there, "granted/control.png"])
        there = files_in(folder)
        for code in GLOBALS + REQUIRED + REACHED + SPOILING:
            shown = came_through(server, code, places)
            count += 1
            if not shown and files_in(folder) != there:
                shown = files_in(folder)
            if not shown and code in SPOILING:
                shown = next((said for said in (said_of(server.call("run_lua", {"code": PROBE})) for _ in range(2)) if said != PROBED), None)
            if shown:
                through.append(f"{code}: {shown}")
    assert secret.read_text(encoding="utf-8") == SECRET
    assert not pathlib.Path("/etc/perigee-escape.png").exists()
    return count, through


def none_comes_through():
    with tempfile.TemporaryDirectory() as folder:
        count, through = tried(pathlib.Path(folder))
    tap.corpus("escapes", count, len(through))
    assert not through, "\n".join(through)
    assert count == len(GLOBALS) + len(REQUIRED) + len(REACHED) + len(SPOILING) == 103, count


tap.case("no script of a client comes out by Lua", none_comes_through)
tap.done()
