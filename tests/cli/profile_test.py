#!/usr/bin/env python3
"""perigee profile: where a tool or a script spends its time, as text, JSON and a flame graph."""

import json
import os
import re
import signal
import xml.etree.ElementTree as tree

from kit import FOLDER, Running, done, folder, has, hasnt, must, perigee, same, soon, tap, write

SVG = "{http://www.w3.org/2000/svg}"

SCRIPT = write("here/work.lua", """local time, tools = require "sys.time", require "tools"
local function spin(n)
  local x = 0
  for i = 1, n do x = x + i % 7 end
  return x
end
local function outer() return spin(3000000) + 1 end
outer()
time.sleep(0.2)
tools.naps {}
print "worked"
return 7""")
write("home/tools/t/naps.lua", """local time = require "sys.time"
local function nap() time.sleep(0.1) end
return { description = "Nap.", inputSchema = { type = "object" }, run = function() nap() return "<rested> & well" end }""")
write("home/tools/t/fails.lua", """return { description = "Fail.", inputSchema = { type = "object" },
  run = function() local n = 0 for i = 1, 300000 do n = n + i end return nil, "There is no lion." end }""")
write("home/tools/t/waits.lua", """local time, fs = require "sys.time", require "sys.fs"
return { description = "Wait.", inputSchema = { type = "object" }, run = function()
  assert(fs.write("begun", "waits"))
  time.sleep(600)
end }""")


def bars(path):
    """The bars of a flame graph: title, left, right, top."""
    root = tree.parse(path).getroot()
    same(root.tag, SVG + "svg")
    found = []
    for group in root.iter(SVG + "g"):
        rect = group.find(SVG + "rect")
        left = float(rect.get("x"))
        found.append((group.find(SVG + "title").text, left, left + float(rect.get("width")), int(rect.get("y"))))
    return root, found


def a_script():
    answer = perigee("profile", SCRIPT, "-o", "out.svg")
    same((answer.code, answer.err), (0, ""), answer)
    lines = answer.out.splitlines()
    same(lines[0], "worked")
    must(re.match(re.escape(SCRIPT) + r": [\d.]+ ms in all: code ran for [\d.]+ ms, nothing ran for [\d.]+ ms$", lines[1]), lines[1])
    ran, waited = answer.out.split("\n\n")[1:3]
    has(ran, "Lua code and the C functions that it calls: ")
    row = re.compile(r" +\d+\.\d % +[\d.]+ ms  " + re.escape(SCRIPT) + r":4 +for i = 1, n do x = x \+ i % 7 end$")
    must(any(row.match(line) for line in ran.splitlines()), ran)
    must(re.match(r"Waiting, of all tasks together: [\d.]+ ms$", waited.splitlines()[0]), waited)
    for place, source, least in ((SCRIPT + ":9", "time.sleep(0.2)", 190), ("tools/t/naps.lua:2", "local function nap()", 90)):
        row = next((line for line in waited.splitlines() if place in line), "")
        has(row, source)
        must(float(row.split()[2]) >= least, row)
    same(lines[-1], "The flame graph is in out.svg.")


def the_picture():
    perigee("profile", SCRIPT, "-o", "picture.svg")
    path = FOLDER / "here/picture.svg"
    root, found = bars(path)
    width, height = float(root.get("width")), float(root.get("height"))
    for title, left, right, top in found:
        must(0 <= left <= right <= width and 0 <= top <= height, (title, left, right, top))
    titles = [bar[0] for bar in found]
    spin = next(bar for bar in found if bar[0].startswith(f"spin ({SCRIPT}:2)\n"))
    outer = next(bar for bar in found if bar[0].startswith(f"outer ({SCRIPT}:7)\n"))
    must(outer[1] <= spin[1] and spin[2] <= outer[2] + 0.1 and spin[3] < outer[3], "what is called is on top of who calls it")
    must(re.search(r"\n[\d.]+ ms, [\d.]+ %", spin[0]), spin[0])
    sleeps = [title for title in titles if re.match(r"sys\.time\.sleep\n\d{2,}", title)]
    same(len(sleeps), 2, titles)
    has("\n".join(titles), "tools.naps\n", "nap (tools/t/naps.lua:2)\n")
    text = path.read_text()
    hasnt(text.replace('xmlns="http://www.w3.org/2000/svg"', ""), "http", "<script", "href", "onload")


def of_a_tool():
    answer = perigee("profile", "naps", cwd=folder("tool"))
    same((answer.code, answer.err), (0, ""), answer)
    has(answer.out, "naps: ", "tools/t/naps.lua:2", "The flame graph is in profile.svg.")
    _, found = bars(FOLDER / "tool/profile.svg")
    has("\n".join(bar[0] for bar in found), "sys.time.sleep\n")
    same(perigee("profile", "naps", cwd=folder("tool")).code, 0, "an image of the same kind is replaced")


def several_runs():
    answer = json.loads(perigee("profile", "--json", "naps", "-n", "3").out)
    must(answer["waits_ms"] >= 3 * 90, answer["waits_ms"])
    same(not os.path.exists(FOLDER / "here/profile.svg"), True, "with --json no image is written")


def as_json():
    answer = json.loads(perigee("profile", "--json", "naps", "-o", "json.svg").out)
    same(sorted(answer), ["frames", "lines", "ms", "name", "runs_ms", "waits_ms"])
    line = next(line for line in answer["lines"] if line["source"] == "tools/t/naps.lua" and line["line"] == 2)
    must(line["waits_ms"] >= 90 > line["runs_ms"], line)
    sleep = next(i for i, frame in enumerate(answer["frames"]) if frame["name"] == "sys.time.sleep")
    same((answer["frames"][sleep - 1]["name"], answer["frames"][sleep - 1]["depth"]), ("nap", answer["frames"][sleep]["depth"] - 1))
    must((FOLDER / "here/json.svg").exists(), "the image that was asked for")


def to_stdout():
    out = perigee("profile", "fails", "-o", "-").out
    must(out.index("<?xml") > 0 and out.endswith("</svg>\n"), out[-200:])


def what_is_there_stays():
    path = write("here/notes.svg", "<p>mine</p>")
    answer = perigee("profile", "naps", "-o", "notes.svg")
    same((answer.code, answer.out), (1, ""), answer)
    has(answer.err, "notes.svg exists and is not an SVG image. Choose another file with --output")
    same(open(path, encoding="utf-8").read(), "<p>mine</p>")
    answer = perigee("profile", "fails", "-o", "no/such/folder.svg")
    same(answer.code, 1, answer)
    has(answer.err, "no/such/folder.svg")


def of_what_fails():
    answer = perigee("profile", "fails", "-o", "failed.svg")
    same(answer.code, 3, answer)
    has(answer.out, "tools/t/fails.lua:2")
    has(answer.err, "There is no lion.")
    must((FOLDER / "here/failed.svg").exists(), "the image of a run that failed")
    broken = perigee("profile", write("here/broken.lua", "local x = 1\nerror 'broke'"))
    same(broken.code, 1)
    has(broken.err, "broken.lua:2: broke", "stack traceback")
    same(perigee("profile", "no_such_tool").code, 2)
    same(perigee("profile").code, 2)


def interrupted():
    write("here/begun", "")
    running = Running("profile", "waits", "-o", "never.svg")
    soon(lambda: b"waits" in (FOLDER / "here/begun").read_bytes(), "it begins")
    running.signal(signal.SIGINT)
    same(running.end().code, 130)
    same((FOLDER / "here/never.svg").exists(), False)


tap.case("the lines that take the most, running and waiting", a_script)
tap.case("the flame graph: an SVG on its own, each function on top of who called it", the_picture)
tap.case("a tool, into profile.svg", of_a_tool)
tap.case("several runs are added up", several_runs)
tap.case("--json has the lines and the functions", as_json)
tap.case("-o - writes the image to stdout", to_stdout)
tap.case("a file that is not an SVG image stays as it is", what_is_there_stays)
tap.case("a run that fails has its profile, and its error", of_what_fails)
tap.case("Ctrl-C ends it without an image", interrupted)
done()
