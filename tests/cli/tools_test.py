#!/usr/bin/env python3
"""perigee tools: the list, one tool, JSON, Markdown; and help and version."""

import json
import os
import re
import shutil
import subprocess

from kit import FOLDER, TOP, Terminal, done, has, hasnt, must, perigee, same, shell, tap, write

ROOT = str(FOLDER / "root")

write("root/tools/zoo/feed.lua", """
local s = require "schema"
return {
  title = "Feed an animal",
  description = "Put food before an animal of the zoo, whose name may be given in part, and wait until it has eaten all of it. "
             .. "More is said here.\\n\\nAnd in a second paragraph.",
  inputSchema = s.object {
    { "animal", s.string("Which one.", { maxLength = 40 }) },
    { "grams", s.integer("How much.", { optional = true, minimum = 1, maximum = 5000, default = 100 }) },
    { "kind", s.enum({ "hay", "meat" }, "What.", { optional = true }) },
  },
  outputSchema = { type = "object", properties = {
    left = { type = "integer", description = "Grams left." },
    eaten = { type = "array", items = { type = "object", properties = { what = { type = "string" } } } },
  }, required = { "left" } },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  aliases = { "nourish" },
  codes = { no_animal = "There is none, or <more> than one." },
  run = function(args) return { left = 0 } end,
  examples = {
    { "feeds the lion", args = { animal = "lion's", grams = 5000 }, want = { left = 0 } },
    { "refuses a ghost", args = { animal = "ghost" }, err = "There is no ghost." },
  },
}""")
write("root/tools/zoo/a_tool_with_quite_a_long_name_indeed.lua",
      "return { description = 'Short.', inputSchema = { type = 'object' }, run = function() end }")


def tools(*words, **options):
    return perigee("tools", "--root", ROOT, *words, **options)


def listed():
    answer = tools("--toolset", "zoo")
    same((answer.code, answer.err), (0, ""))
    lines = answer.out.splitlines()
    same(lines[0], "engine")
    at = lines.index("zoo")
    same(lines[at - 1], "")
    same(re.sub(" +", " ", lines[at + 1]), " a_tool_with_quite_a_long_name_indeed Short.")
    summary = ("Put food before an animal of the zoo, whose name may be given in part, "
               "and wait until it has eaten all of it.")
    same(lines[at + 2], "  feed" + " " * 24 + "  " + summary)
    has(answer.out, "  search_tools ")
    hasnt(answer.out, "keynote", "\x1b", "More is said")


def fits_the_terminal():
    with Terminal("tools", "--root", ROOT, width=60) as terminal:
        shown = terminal.end().out
    lines = re.sub("\x1b\\[[0-9]*m", "", shown).replace("\r", "").splitlines()
    must(all(len(line) <= 60 for line in lines), lines)
    must(any(line.startswith("  feed ") and line.endswith("…") for line in lines), lines)


def colours():
    with Terminal("tools", "--root", ROOT) as terminal:
        has(terminal.end().out, "\x1b[1mzoo\x1b[0m", "\x1b[36mfeed")
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        with Terminal("tools", "--root", ROOT, **plain) as terminal:
            hasnt(terminal.end().out, "\x1b")
    with Terminal("tools", "--root", ROOT, NO_COLOR="") as terminal:
        has(terminal.end().out, "\x1b[1m")
    hasnt(shell(f"\"$P\" tools --root '{ROOT}' | cat").out, "\x1b")


tap.case("lists tools by toolset, a line each", listed)
tap.case("lines fit the terminal", fits_the_terminal)
tap.case("colours on a terminal only, and not with NO_COLOR or a dumb one", colours)


def detail():
    answer = tools("feed")
    same((answer.code, answer.err), (0, ""))
    has(answer.out, "feed - Feed an animal\n", "And in a second paragraph.\n",
        "  animal  string, required, at most 40 characters\n      Which one.\n",
        "  grams  integer, 1 to 5000, default 100\n", '  kind  string, one of "hay", "meat"\n',
        "Result\n  eaten  list of object\n  eaten[].what  string\n  left  integer\n      Grams left.\n",
        "Codes of failures\n  no_animal\n      There is none, or <more> than one.\n",
        "  # feeds the lion\n  perigee call feed 'animal=lion'\\''s' grams=5000\n    {\"left\":0}\n",
        "    fails: There is no ghost.\n", "Toolset   zoo\n", "Aliases   nourish\n",
        "destroys nothing", f"File      {ROOT}/tools/zoo/feed.lua\n")
    must(answer.out.index("  animal  ") < answer.out.index("  grams  ") < answer.out.index("  kind  "), "order of parameters")
    same(tools("nourish").out, answer.out)
    must(all(len(line) <= 100 for line in answer.out.splitlines() if "File" not in line), answer.out)


def example_works():
    """The command that the detail prints as an example can be typed."""
    command = next(line for line in tools("feed").out.splitlines() if "lion" in line and "perigee call" in line)
    answer = shell(command.strip().replace("perigee call", f"\"$P\" call --root '{ROOT}'"))
    same((answer.code, answer.out), ([0], '{"left":0}\n'))


def unknown():
    answer = tools("fed")
    same((answer.code, answer.out), (2, ""))
    has(answer.err, "there is no tool 'fed'; did you mean feed?")
    same(tools("feed", "more").code, 2)
    same(tools("--nope").code, 2)
    same(tools("feed", "--markdown").code, 2)


tap.case("shows one tool with parameters, examples and file", detail)
tap.case("its examples are commands that work", example_works)
tap.case("an unknown tool is 2, with near names", unknown)


def as_json():
    answer = tools("--json")
    same(answer.out.count("\n"), 1)
    listed_tools = {tool["name"]: tool for tool in json.loads(answer.out)}
    feed = listed_tools["feed"]
    same(feed["toolset"], "zoo")
    same(feed["aliases"], ["nourish"])
    same(feed["file"], os.path.realpath(ROOT) + "/tools/zoo/feed.lua")
    same(list(feed["inputSchema"]["properties"]), ["animal", "grams", "kind"])
    same(json.loads(tools("feed", "--json").out), feed)
    must("run_lua" in listed_tools, "the engine's tools")


def markdown():
    answer = tools("--markdown")
    same(answer.code, 0)
    has(answer.out, "# Tools\n", "| [zoo](#zoo) | [a_tool_with", "\n## zoo\n", "\n### feed\n", "\n## engine\n",
        "| `animal` | string | *required* | at most 40 characters | Which one. |\n",
        "| `grams` | integer | `100` | 1 to 5000 | How much. |\n",
        "| `left` | integer | Grams left. |\n", "| `eaten[].what` (optional) | string |  |\n",
        "| `no_animal` | There is none, or &lt;more> than one. |\n",
        "```sh\n# feeds the lion\nperigee call feed 'animal=lion'\\''s' grams=5000\n#> {\"left\":0}\n\n# refuses",
        "\n#> fails: There is no ghost.\n```\n", "; also called nourish.*\n")
    same(tools("--markdown").out, answer.out)


def codes_are_texts():
    write("odd/tools/zoo/odd.lua", "return { description = 'Odd.', inputSchema = { type = 'object' }, codes = { 'x' }, "
                                   "run = function() end }")
    has(perigee("check", "--root", str(FOLDER / "odd")).out, "'codes': write each as CODE = \"when it occurs\"")


def reader_gone():
    answer = shell(f"\"$P\" tools --root '{ROOT}' --markdown | head -1")
    same((answer.out, answer.err), ("# Tools\n", ""))
    must(answer.code in ([0, 0], [141, 0]), answer)


tap.case("--json has the definitions, keys in order, with toolset and file", as_json)
tap.case("--markdown writes a reference, the same each time", markdown)
tap.case("codes of a tool are texts with names", codes_are_texts)
tap.case("a reader that stops reading is no crash", reader_gone)


# --- help ----------------------------------------------------------------------------

COMMANDS = ["serve", "call", "tools", "run", "agent", "check", "test", "repl", "help", "version"]


def helps():
    answer = perigee("help")
    same((answer.code, answer.err), (0, ""))
    has(answer.out, "usage: perigee COMMAND", "Exit status", *[f"\n  {name} " for name in COMMANDS])
    same(perigee("--help").out, answer.out)
    for name in COMMANDS:
        told = perigee("help", name)
        same(told.code, 0)
        has(told.out, f"usage: perigee {name}")
        must(all(len(line) <= 96 for line in told.out.splitlines()), told.out)
        if name not in ("help", "version"):
            same(perigee(name, "--help").out, told.out.split("\nSee also: ")[0], f"perigee {name} --help")
            same(perigee(name, "-h").code, 0)


def mistyped():
    none = perigee()
    same(none.code, 2)
    has(none.out + none.err, "usage: perigee COMMAND")
    wrong = perigee("cal")
    same((wrong.code, wrong.out), (2, ""))
    has(wrong.err, 'perigee: unknown command "cal": did you mean call?')
    same(perigee("help", "xqzzy").code, 2)          # no page has it
    same(perigee("--version").out, perigee("version").out)
    must(re.fullmatch(r"perigee \d+\.\d+\.\d+\n", perigee("version").out), "the version")


def manual_page():
    """The commands' part of the page is what they declare, and roff has nothing against it."""
    page = TOP / "man" / "perigee.1"
    text = page.read_text()
    same(perigee("help", "--man", "--no-user-root", stdin=text).out, text)
    has(text, ".It Cm doctor\n", ".It Cm serve\n", ".It Fl -lean\n", ".It Fl o , Fl -output Ar FILE\n")
    if not shutil.which("man"):
        raise tap.Skip("needs man")
    shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)], capture_output=True, text=True,
                           check=False)
    same((shown.returncode, shown.stderr), (0, ""))


def options():
    same(perigee("tools", "--root").code, 2)
    has(perigee("tools", "--toolset", ",").err, "--toolset needs names")
    has(perigee("call", "echo", "--grant", "/no/such/folder").err, "/no/such/folder")
    same(perigee("serve", "--page-sizes", "3").code, 2)
    same(perigee("serve", "extra").code, 2)
    no_home = perigee("tools", "--no-user-root", "--json", HOME="/nowhere")
    same(no_home.code, 0)


tap.case("help for every command, by help NAME, --help and -h", helps)
tap.case("a mistyped command is 2, with near names", mistyped)
tap.case("the manual page is current", manual_page)
tap.case("common options are read alike", options)

done()
