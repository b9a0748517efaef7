#!/usr/bin/env python3
"""perigee check and perigee test."""

import json
import os

from kit import FOLDER, TOP, Terminal, done, has, hasnt, must, perigee, same, shell, tap, write

OK = "return { description = 'Fine.', inputSchema = { type = 'object' }, run = function() return 'x' end }"
GOOD = str(FOLDER / "good")
BAD = str(FOLDER / "bad")

write("good/tools/zoo/fine.lua", OK)

write("bad/tools/zoo/half.lua", "return {\n  description = 'x',\n")
write("bad/tools/zoo/unknown_key.lua", OK.replace("run =", "runs = 1, run ="))
write("bad/tools/zoo/raises.lua", "local t\nlocal x = t.y\nreturn x\n")
write("bad/tools/zoo/bad name.lua", OK)
write("bad/tools/zoo/search_tools.lua", OK)
write("bad/prompts/needs.lua", "require 'broken'\nreturn {}\n")
write("bad/lib/broken.lua", "\n\nlocal x = = 1\n")
write("shadow/lib/rank.lua", "return {}")
write("curated/dictionary/finder.lua", 'return { app = "com.apple.finder", name = "Finder", examples = {} }')
write("curated/dictionary/wrong.lua", 'return { app = "com.example.x", name = "X", examples = { { task = "Open it." } } }')
write("examples/dictionary/boxes.lua", """return { app = "org.example.boxes", name = "Boxes", examples = {
  { task = "Fine.", command = "box.size", script = [[tell application "Boxes" to get size of box 1]] },
  { task = "Has no end.", command = "box.size", script = [[tell application "Boxes]] },
  { task = "Reads only.", command = "box.size", script = [[tell application "Boxes" to set size of box 1 to 3]] },
  { task = "Has no such row.", command = "shrink", script = [[tell application "Boxes" to get size of box 1]] },
  { task = "Is a number.", command = 5, script = "beep" },
  { tsk = "Is misspelled.", command = "box.size", script = "beep" },
} }
""")
write("examples/dictionary/endless.lua", "while true do end")
write("bad/lib/unused.lua", "return nothing.at.all\n")


def check(*words):
    return perigee("check", *words)


def all_well():
    answer = check("--root", GOOD)
    same((answer.code, answer.err), (0, ""), answer)
    lines = answer.out.splitlines()
    same(len(lines), 1)
    has(lines[0], "1 tool, ", " prompts, ", " rules, ", " providers, ", " lib files, ", " AppleScript files in 2 roots; all well")


def problems():
    answer = check("--root", BAD)
    same((answer.code, answer.err), (1, ""))
    base = os.path.realpath(BAD)
    has(answer.out, f"{base}/tools/zoo/half.lua:3: ", "near <eof>",
        f"{base}/tools/zoo/unknown_key.lua:1: ", "'runs'",
        f"{base}/tools/zoo/raises.lua:2: attempt to index a nil value (local 't')",
        f"{base}/tools/zoo/bad name.lua: the file's name is the tool's name",
        f"{base}/prompts/needs.lua:1: lib/broken.lua:3:",
        f"{base}/lib/broken.lua:3: unexpected symbol near '='",
        f"{base}/lib/unused.lua:1: ",
        "/tools/engine/search_tools.lua: note: overridden by " + f"{base}/tools/zoo/search_tools.lua",
        "; 7 problems\n")


def hidden():
    """A lib file with the name of a module of the program: `require` never finds it."""
    write("hidden/lib/tools.lua", "return {}")
    write("hidden/lib/sys/mine.lua", "return {}")
    write("hidden/lib/perigee/mine.lua", "return {}")
    base = os.path.realpath(FOLDER / "hidden")
    answer = check("--root", base)
    same((answer.code, answer.err), (1, ""), answer)
    has(answer.out, f'{base}/lib/tools.lua: it is never loaded: require "tools" gives a module of Perigee. Rename it\n',
        f'{base}/lib/sys/mine.lua: it is never loaded: require "sys.mine" gives', "; 2 problems\n")
    has(perigee("call", "--root", base, "list_tools_of_nothing").err, f"cannot load {base}/lib/tools.lua: it is never loaded")


def shadowing():
    answer = check("--root", str(FOLDER / "shadow"))
    same((answer.code, answer.err), (0, ""), answer)
    has(answer.out, os.path.realpath(FOLDER / "shadow") + "/lib/rank.lua: note: ",
        "/lua/lib/rank.lua has the same name. Files of its root still use that one")
    same(len(json.loads(check("--root", str(FOLDER / "shadow"), "--json").out)["shadowed"]), 1)


def curated():
    answer = check("--root", str(FOLDER / "curated"))
    same(answer.code, 1, answer)
    place = os.path.realpath(FOLDER / "curated")
    has(answer.out, place + "/dictionary/finder.lua: note: it replaces ", "/lua/dictionary/finder.lua",
        place + "/dictionary/wrong.lua:1: examples[1]: command is missing", "2 lib files", "1 problem")


def bad_examples():
    """By form and structure without a dictionary, by their terms with it."""
    root = str(FOLDER / "examples")
    boxes, endless = (os.path.realpath(root) + f"/dictionary/{name}.lua" for name in ("boxes", "endless"))
    wrong = [f"{boxes}:3: examples[2]: script: line 1: A string begins here with \" and is never closed\n",
             f"{boxes}:6: examples[5]: command is not a string\n",
             f"{boxes}: examples[6]: unknown key \"tsk\"; did you mean task?\n",
             f"{endless}:1: took longer than 200 ms."]
    answer = check("--root", root)
    same((answer.code, answer.err), (1, ""), answer)
    has(answer.out, *wrong, "; 4 problems\n")
    has(check(boxes, "--root", root).out, *wrong[:3], "1 lib file; 3 problems\n")
    answer = perigee("check", "--root", root, PERIGEE_SDEF_DIR=DICTIONARIES)
    has(answer.out, *wrong, f"{boxes}:4: warning: examples[3]: line 1: The property 'size' of the class 'box' is read-only.",
        f'{boxes}:5: warning: examples[4]: boxes has no command, property or action "shrink"', "; 4 problems, 2 warnings\n")
    answer = check("--root", root, "--dictionaries", DICTIONARIES)
    has(answer.out, f"{boxes}:4: warning: examples[3]: line 1: The property 'size'", "; 4 problems, 1 warning\n")


def as_json():
    report = json.loads(check("--root", BAD, "--json").out)
    same(len(report["problems"]), 7)
    half = next(p for p in report["problems"] if p["file"].endswith("half.lua"))
    same(half["line"], 3)
    hasnt(half["message"], "half.lua")
    same(report["hints"], [])
    same(report["roots"][-1], os.path.realpath(BAD))
    same(len(report["overridden"]), 1)
    same(json.loads(check("--root", GOOD, "--json").out)["problems"], [])


def strict():
    answer = check("--root", GOOD, "--strict")
    same(answer.code, 1)
    fine = os.path.realpath(GOOD) + "/tools/zoo/fine.lua: hint: "
    has(answer.out, fine + "has no title", fine + "has no annotations", fine + "has no examples", "; all well")


def missing_root():
    answer = check("--root", "/no/such/root")
    same((answer.code, answer.out), (2, ""))
    has(answer.err, "--root /no/such/root is not a directory")
    answer = check("no-such-file.lua")
    same((answer.code, answer.out), (2, ""))
    has(answer.err, "no-such-file.lua")


# Each statement and each kind of name that is there. A function whose fields are written is no fixed module any more.
write("names/well.lua", """#!/usr/bin/env -S perigee run
local window, json <const> = require "sys.window", require("sys.json")
local own = require "sys.text"
own = { anything = print }
total, string.half = 1, function() end
function helper(self, ...) local n <const> = select("#", ...) return n, self end
function string.third() end
local list = { 1, [2] = 0x1p-4, name = 3.5e+2; f = function(a) return a end, [==[long ]] text]==] }
for i = #list, 1, -1 do total = total + i // 1 end
for _, w in ipairs(window.list() or {}) do print(w.title:upper(), 'it\\'s', "a\\z
   b") end
while total > 1e3 and not false do total = total - 1 if total == 7 then break elseif total == 8 then goto on else end ::on:: end
repeat local enough = true until enough
if window.move then window.move(1, 2, 3) end
own.anything(json.null, string.half, string.third, require("sys.text").distance("a", "b", 2), (helper), tools.list_windows)
tools["list_windows"] {} --[[ a
comment ]]
return total
""")
WRONG = {    # what is wrong in line 3 or 4 of a script, and what is said of it
    "prnt 'x'": "there is no global prnt; did you mean print?",
    "local sum = { tostrng(1) }": "there is no global tostrng; did you mean tostring or string?",
    "window.lst()": "sys.window has no lst; did you mean list or get?",
    "print(window.lst.x)": "sys.window has no lst",
    "window:lst()": "sys.window has no lst",
    "print(require('sys.window').lst())": "sys.window has no lst",
    "for _ in string.gmtch('', '') do end": "string has no gmtch; did you mean gmatch or match?",
    "tools.drw_rectangle { x = 1 }": "tools has no drw_rectangle; did you mean draw_rectangle?",
    "local w = require 'sys.windw'": "there is no module sys.windw; did you mean sys.window?",
    "print(os.time())": '"os" is not available. Require a sys module to reach the machine',
    "local x = = 1": "an expression expected near '='",
    "if window then … end": 'unexpected character "…"',     # its first byte alone was said, which is no text
    "local x = \033[31m": 'unexpected character "\\27"',
    "local y = \u009b31m": 'unexpected character "\\194"',
    "print 'half": "the string that begins here is not closed",
    "window.list": "'=' expected near 'return'",
    "if window.lst then window.lst() end": "warning: sys.window has no lst",
    "local f = prnt": "warning: there is no global prnt; did you mean print?",
}


def names():
    answer = check(str(FOLDER / "names/well.lua"))
    same((answer.code, answer.out, answer.err), (0, "1 script; all well\n", ""))
    files = [write(f"names/{i}.lua", f'local window = require "sys.window"\n\n{line}\nreturn window\n')
             for i, line in enumerate(WRONG)]
    answer = check(*map(str, files))
    same((answer.code, answer.err), (1, ""), answer)
    for file, (line, said) in zip(files, WRONG.items()):
        place = f"{file}:4: " if line == "window.list" else f"{file}:3: "
        must(any(row.startswith(place + said) for row in answer.out.splitlines()), (line, answer.out))
    has(answer.out, f"{len(WRONG)} scripts; {len(WRONG) - 2} problems, 2 warnings\n")


def names_in_roots():
    """A tool file may write no global, and what its lib files return is known."""
    base = os.path.realpath(FOLDER / "named")
    write("named/lib/zoo.lua", "return { feed = print }")
    tool = "local zoo = require 'zoo'\n" + OK.replace("return 'x'", "count = 1 zoo.fed() zoo.feed() return tostrng(1)")
    path = f"{base}/tools/zoo/keeper.lua"
    write("named/tools/zoo/keeper.lua", tool)
    write("named/tools/zoo/other.lua", "return {")
    expected = [f"{path}:2: count is not declared: write `local count`", f"{path}:2: zoo has no fed; did you mean feed?",
                f"{path}:2: there is no global tostrng; did you mean tostring or string?"]
    answer = check("--root", base)
    same(answer.code, 1)
    has(answer.out, *expected, "2 tools, ", "1 lib file, ", "in 2 roots; 4 problems\n")
    answer = check("--root", base, path)
    same(answer.code, 1)
    has(answer.out, *expected, "1 tool; 3 problems\n")


SCRIPTS = str(FOLDER / "scripts_root")
DICTIONARIES = str(FOLDER / "dictionaries")
write("scripts_root/scripts/a/half.applescript", 'tell application "Boxes"\n  set x to {1, 2\n')
write("scripts_root/scripts/a/deep/odd.applescript", 'tell application "Boxes"\n  set size of box 1 to 3\nend tell\n')
write("scripts_root/scripts/a/fine.applescript", "beep\n")
write("scripts_root/scripts/a/other.txt", "end end end\n")
write("dictionaries/org.example.boxes.sdef", """<dictionary title="Boxes Terminology"><suite name="S" code="SSSS">
<class name="box" code="boxx"><property name="size" code="size" type="integer" access="r"/></class></suite></dictionary>""")
write("broken/scripts/x.sdef", "<dictionary>")


def scripts():
    answer = check("--root", SCRIPTS)
    base = os.path.realpath(SCRIPTS) + "/scripts/a"
    same((answer.code, answer.err), (1, ""))
    has(answer.out, f"{base}/half.applescript:1:1: The 'tell' that begins here is never closed",
        f"{base}/half.applescript:2:12: This '{{' is not closed in its line.", "AppleScript files in 2 roots; 2 problems\n")
    hasnt(answer.out, "warning", "odd.applescript", "other.txt")


def script_terms():
    answer = check("--root", SCRIPTS, "--dictionaries", DICTIONARIES)
    odd = os.path.realpath(SCRIPTS) + "/scripts/a/deep/odd.applescript"
    has(answer.out, f"{odd}:2:7: warning: The property 'size' of the class 'box' is read-only.", "2 problems, 1 warning\n")
    report = json.loads(check("--root", SCRIPTS, "--dictionaries=" + DICTIONARIES, "--json").out)
    same([(w["file"], w["line"], w["column"], w["code"]) for w in report["warnings"]], [(odd, 2, 7, "read_only")])
    same(sorted(p["code"] for p in report["problems"]), ["open_block", "unbalanced"])
    os.remove(SCRIPTS + "/scripts/a/half.applescript")
    same(check("--root", SCRIPTS, "--dictionaries", DICTIONARIES).code, 0)           # a warning is no failure
    same(check("--root", SCRIPTS, "--dictionaries", DICTIONARIES, "--strict").code, 1)


def wrong_dictionaries():
    answer = check("--root", str(FOLDER / "broken"))
    same(answer.code, 1)
    has(answer.out, "/broken/scripts/x.sdef: The dictionary x cannot be read: line 1, column 13: no element found")
    answer = check("--dictionaries", "/no/such/folder")
    same(answer.code, 1)
    has(answer.err, "/no/such/folder")
    same(check("--dictionaries").code, 2)


def own_scripts():
    answer = check("--all", "--root", GOOD, "--strict", "--dictionaries", str(TOP / "tests/macos/dictionaries"))
    hasnt(answer.out, ".applescript", ".sdef", "problem", "warning")    # so no name in them is told wrongly, either
    has(answer.out, " AppleScript files in 3 roots; ")


tap.case("AppleScript files whose structure is wrong are problems", scripts)
tap.case("a script that contradicts a dictionary gets a warning", script_terms)
tap.case("dictionaries that cannot be read, or are not there, are told", wrong_dictionaries)
tap.case("the project's own files are well, and its scripts agree with what is known of Keynote", own_scripts)
tap.case("says that all is well, and counts", all_well)
tap.case("tells each problem with its line, and what is overridden", problems)
tap.case("a lib file that a module of the program hides is a problem", hidden)
tap.case("a lib file with the name of another root's is a note", shadowing)
tap.case("files of examples: one that replaces another, and one that is wrong", curated)
tap.case("files of examples: each bad example is reported, by its application's dictionary, too", bad_examples)
tap.case("--json reports the same problems", as_json)
tap.case("--strict gives hints, and fails for them", strict)
tap.case("a root or a file that is not there is refused", missing_root)
tap.case("names that are not there are found in a script, which does not run", names)
tap.case("names that are not there are found in the files of a root", names_in_roots)


# --- perigee test -------------------------------------------------------------------------

TRIED = str(FOLDER / "tried")

write("tried/lib/far.lua", """
local http = require "sys.http"
return { fetch = function(url) return assert(http.request { url = url }).body end, twice = function(x) return x .. x end }
""")
write("tried/tools/try/works.lua", """
local env     = require "sys.env"
local fs      = require "sys.fs"
local process = require "sys.process"
local state   = require "sys.state"
local time    = require "sys.time"

local loaded = 0  -- a file that is loaded for each example starts anew

return {
  description = "Does this and that.",
  inputSchema = { type = "object", properties = { what = { type = "string" }, n = { type = "integer" } },
                  additionalProperties = false },
  run = function(args, call)
    loaded = loaded + 1
    local kept = state.open "try"
    kept.count = (kept.count or 0) + 1
    if args.what == "state" then return ("%d %d"):format(loaded, kept.count) end
    if args.what == "sleep" then time.sleep(3600) return "slept" end
    if args.what == "env" then return env.get("TRY_NAME", "unset") end
    if args.what == "read" then
      local bytes, err, code = fs.read "a.txt"
      if not bytes then return nil, err, code end
      return bytes
    end
    if args.what == "run" then
      local texts = {}
      for i = 1, args.n do texts[i] = process.run({ "count", tostring(i), timeout = 5 }).stdout end
      return table.concat(texts, ",")
    end
    if args.what == "table" then return { a = 1, b = { 1, 2, { c = "x" } } } end
    if args.what == "raise" then error "oh" end
    return call:result { content = { { type = "text", text = "one" }, call:image("x", "image/png") } }
  end,
  examples = {
    { "starts anew", args = { what = "state" }, want = "1 1" },
    { "starts anew again", args = { what = "state" }, want = "1 1" },
    { "does not wait", args = { what = "sleep" }, want = "slept" },
    { "knows no variable", args = { what = "env" }, want = "unset" },
    { "but those of the example", args = { what = "env" }, env = { TRY_NAME = "Ann" }, want = "Ann" },
    { "one value", args = { what = "read" }, given = { ["sys.fs.read"] = "bytes" }, want = "bytes", did = { "fs.read a.txt" } },
    { "several values", args = { what = "read" }, given = { ["sys.fs.read"] = { n = 3, false, "no such file", "not_found" } },
      err = "no such", code = "not_found" },
    { "one value a call", args = { what = "run", n = 2 },
      given = { ["sys.process.run"] = { { stdout = "a" }, { stdout = "b" } } },
      want = "a,b", did = { "process.run count 1 timeout=5", "process.run count 2" } },
    { "a function", args = { what = "run", n = 3 },
      given = { ["sys.process.run"] = function(spec) return { stdout = spec[2]:rep(2) } end }, want = "11,22,33" },
    { "part of a table", args = { what = "table" }, want = { b = { 1, 2, { c = "x" } } } },
    { "parts of a text", args = { what = "table" }, has = { '"a":1', '"c":"x"' } },
    { "a full result", args = {}, want = "one" },
    { "arguments that do not fit", args = { what = 5 }, err = "what: expected string", code = "invalid_arguments" },
    { "our own bug", args = { what = "raise" }, err = "oh", code = "runtime" },
  },
}""")
write("tried/tools/try/far.lua", """
local far = require "far"
return {
  description = "Uses a lib file that reaches out.", inputSchema = { type = "object" },
  run = function() return far.fetch "http://example.org/" end,
  examples = { { "asks the lib file's stand-in", args = {}, given = { ["far.fetch"] = "page" }, want = "page",
                 did = { "far.fetch http://example.org/" } } },
}""")

FAILING = str(FOLDER / "failing")
write("failing/tools/try/fails.lua", """
local fs = require "sys.fs"
return {
  description = "x", inputSchema = { type = "object" },
  run = function() local ok = pcall(fs.write, "a", "b c") return ok and { list = { 1, 2 }, n = 1 } or "caught" end,
  examples = {
    { "wants another text", args = {}, given = { ["sys.fs.write"] = true }, want = "other" },
    { "wants another value", args = {}, given = { ["sys.fs.write"] = true }, want = { n = 2 } },
    { "wants a shorter list", args = {}, given = { ["sys.fs.write"] = true }, want = { list = { 1 } } },
    { "lacks a part", args = {}, given = { ["sys.fs.write"] = true }, has = { "absent" } },
    { "does not fail", args = {}, given = { ["sys.fs.write"] = true }, err = "bad" },
    { "gives no answer", args = {} },
    { "gives too few answers", args = {}, given = { ["sys.fs.write"] = { { n = 1, true } } }, did = { "fs.write a", "fs.write b" } },
    { "names what is not there", args = {}, given = { ["sys.fs.wrote"] = true } },
    { "made another call", args = {}, given = { ["sys.fs.write"] = true }, did = { "fs.write b" } },
    { "made a call too many", args = {}, given = { ["sys.fs.write"] = true }, did = {} },
  },
}""")
write("failing/tools/try/broken.lua", "return {")
write("failing/prompts/asks.lua", """
return {
  description = "x", render = function(args) return "Hello " .. args.name end, arguments = { { name = "name" } },
  examples = { { "greets", args = { name = "Ann" }, has = { "Bob" } } },
}""")


def run_examples(*words):
    return perigee("test", *words)


def passes():
    answer = run_examples("--root", TRIED, "tools/try")
    same((answer.code, answer.err), (0, ""), str(answer))
    has(answer.out, "tools/try/works.lua\n  ok   starts anew\n", "tools/try/far.lua\n  ok   asks", "\n15 passed, 0 failed\n")


def fails():
    answer = run_examples("--root", FAILING, "tools/try", "prompts/asks")
    same((answer.code, answer.err), (1, ""), str(answer))
    has(answer.out, 'FAIL wants another text\n         the text is "{', 'expected "other"',
        "the result.n is 1, expected 2", "the result.list has 2 items, expected 1", 'lacks "absent"',
        "it does not fail, it answers",
        'sys.fs.write is called, and the example does not say what it answers: add given = { ["sys.fs.write"] = ... }',
        "call 2, fs.write b, was not made", "given names sys.fs.wrote, which does not exist",
        'call 1 is fs.write a "b c", expected fs.write b', 'call 1 is fs.write a "b c", expected no more',
        "tools/try/broken.lua\n  FAIL loads\n", "prompts/asks.lua\n  FAIL greets\n", 'lacks "Bob"',
        "\n0 passed, 12 failed\n")


def shipped():
    """Runs some examples of each kind. The part examples/shipped runs all of them."""
    answer = run_examples("--no-user-root", "describe_tool", "desktop_agent", "offline", "tools")
    same(answer.code, 0, str(answer))
    has(answer.out, "tools/engine/", "prompts/", "providers/", "commands/", " passed, 0 failed\n")


def as_tap():
    answer = run_examples("--root", TRIED, "--tap", "starts anew")
    same(answer.out, "ok 1 - tools/try/works.lua: starts anew\nok 2 - tools/try/works.lua: starts anew again\n1..2\n")
    bad = run_examples("--root", FAILING, "--tap", "greets")
    has(bad.out, "not ok 1 - prompts/asks.lua: greets\n# ", "\n1..1\n")
    same(bad.code, 1)


def no_match():
    answer = run_examples("no such example")
    same(answer.code, 1)
    has(answer.err, "no example matches no such example")


def a_file_without_examples_does_not_suggest_itself():
    write("bare/tools/mine/bare.lua", 'return { description = "Bare.", inputSchema = { type = "object" }, '
          'annotations = { readOnlyHint = true }, run = function() return "x" end }')
    for word in ("bare", "mine/bar"):
        answer = run_examples("--root", str(FOLDER / "bare"), word)
        same((answer.code, answer.err), (1, "perigee test: tools/mine/bare.lua has no examples\n"))


def colours():
    with Terminal("test", "--root", TRIED, "far.lua") as terminal:
        has(terminal.end().out, "\x1b[32mok", "\x1b[1mtools/try/far.lua")
    piped = shell(f"\"$P\" test --root '{TRIED}' | head -1")
    hasnt(piped.out, "\x1b")
    must(piped.code in ([0, 0], [141, 0]), piped)


tap.case("runs examples on stand-ins, which answer as the example says", passes)
tap.case("tells what differs", fails)
tap.case("examples of shipped files are true", shipped)
tap.case("--tap", as_tap)
tap.case("a filter that matches nothing fails", no_match)
tap.case("`perigee test NAME` of a file without examples says so, and does not suggest NAME", a_file_without_examples_does_not_suggest_itself)
write("named/tools/try/find.lua", OK.replace("run =", "examples = { { 'one' } }, run ="))
write("named/tools/try/find_all.lua", OK.replace("run =", "examples = { { 'find two' } }, run ="))


def by_name():
    for name in ("find", "tools/try/find.lua", os.path.realpath(FOLDER / "named/tools/try/find.lua")):
        same(run_examples("--no-user-root", "--root", str(FOLDER / "named"), "--tap", name).out,
             "ok 1 - tools/try/find.lua: one\n1..1\n", name)
    has(run_examples("--no-user-root", "--root", str(FOLDER / "named"), "--tap", "find_a", "find").out, "1..2\n")


tap.case("perigee test NAME runs the examples of that file alone", by_name)
tap.case("colours on a terminal only", colours)

done()
