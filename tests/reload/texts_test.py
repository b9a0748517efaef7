#!/usr/bin/env python3
"""Words that Perigee itself uses are files of prompts/: the next connection, question or run has the text as it is then."""

import json
import subprocess

from project import PROMPTS_CHANGED, Project, holds, same, tap
import png
from server import PERIGEE, perigee

MIRROR = '''return {
  description = "Answers with the words that it was given.",
  supports_tools = true,
  images = {},
  complete = function(request) return { text = request.system, stop = "end" } end,
}
'''


def text(words):
    return f'return {{ description = "Words.", text = {json.dumps(words, ensure_ascii=False)} }}'


def told(p, method="server/discover"):
    """The instructions that a client gets which connects now."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return p.server.ask(method, hello if method == "initialize" else {})["result"].get("instructions")


def await_told(p, wanted):
    p.await_that(f"instructions {wanted!r}", lambda: told(p) == wanted)
    same(told(p, "initialize"), wanted, "initialize")


def instructions():
    with Project({"tools/none": ""}) as p:
        holds(told(p), "search_tools")
        p.names()
        p.write("prompts/server_instructions.lua", text("Mine. "))
        await_told(p, "Mine. ")
        p.write("prompts/server_instructions.lua", text("Mine, edited: “ü”"))
        await_told(p, "Mine, edited: “ü”")
        p.write("prompts/server_instructions.lua", "return {")
        p.await_problem("prompts/server_instructions.lua")
        await_told(p, "Mine, edited: “ü”")
        p.remove("prompts/server_instructions.lua")
        p.await_that("the text that comes with the engine", lambda: "search_tools" in told(p))
        same(p.changes(PROMPTS_CHANGED), 0, "list_changed for words that no list has")


def first_answer():
    with Project({"prompts/server_instructions.lua": text("From the start.")}, start=False) as p:
        p.start()
        same(told(p, "initialize"), "From the start.")


PROMPT = 'return { description = "A prompt.", render = function() return "Mine." end }'
RULE = ('return { description = "A rule.", describe = function() end, request = function() end, parse = function() end, decide = function() end, '
        'results = function() end }')
OWN = {"server_instructions": "search_tools", "analyze_system": "never an instruction to you", "analyze_elements": "{elements}",
       "agent_query": "exact text inside it"}
READ = 'for _, name in ipairs { ... } do print((require("sys.engine").text(name):gsub("%s+", " "))) end'


def in_force(p):
    """The texts that a program which starts now has, and all that it says."""
    ran = subprocess.run([PERIGEE, "run", "--root", p.roots[0], "-e", READ, *OWN], capture_output=True, text=True, timeout=120,
                         check=False)
    for words, line in zip(OWN.values(), ran.stdout.splitlines() or [ran.stderr] * len(OWN)):
        holds(line, words)
    same(len(ran.stdout.splitlines()), len(OWN), ran.stderr)
    return ran.stderr


def never_good():
    """A file that never was a text leaves the engine's own in force, and is told: in the log, to clients, by `perigee check`."""
    broken = {"return {": "unexpected symbol", text(""): "'text' is missing", text("x" * 65537): "65537 bytes, more than 65536",
              "error('no')": "no", PROMPT: "it is a prompt, and Perigee needs the words of this file",
              RULE: "it is a rule, and Perigee needs the words of this file", "return 5": "it must return a table"}
    for content, why in broken.items():
        with Project({f"prompts/{name}.lua": content for name in OWN}) as p:
            holds(told(p), "search_tools")
            said = in_force(p)
            holds(in_force(p), "cannot load")     # what another process found out may be kept
            for name in OWN:
                found = p.problems(f"prompts/{name}.lua")
                same(len(found), 1, content)
                holds(found[0]["message"], why)
                holds(said, f"cannot load {p.roots[0]}/prompts/{name}.lua")
            check = subprocess.run([PERIGEE, "check", "--root", p.roots[0]], capture_output=True, text=True, timeout=120, check=False)
            same(check.returncode, 1, check.stdout)
            holds(check.stdout + check.stderr, why)
            same("server_instructions" in p.prompts(), False, "listed")


def other_kind():
    """So does one that stops to be a text; the last text that it was stays in use as long as this engine runs."""
    with Project({"tools/none": ""}) as p:
        p.write("prompts/server_instructions.lua", text("Mine."))
        await_told(p, "Mine.")
        p.write("prompts/server_instructions.lua", PROMPT)
        p.await_problem("prompts/server_instructions.lua")
        same(told(p), "Mine.")
        p.remove("prompts/server_instructions.lua")
        p.await_that("the text that comes with the engine", lambda: "search_tools" in told(p))
        p.write("prompts/server_instructions.lua", PROMPT)
        p.await_problem("prompts/server_instructions.lua")
        holds(told(p), "search_tools")
        p.write("prompts/server_instructions.lua", text("Mine again."))
        await_told(p, "Mine again.")
        same(p.problems("prompts/server_instructions.lua"), [])


def own_prompt():
    """A prompt of the engine's may be replaced by a prompt, as ever."""
    with Project({"prompts/desktop.lua": PROMPT}) as p:
        p.names()
        same(p.problems("prompts/desktop.lua"), [])
        same(p.server.ask("prompts/get", {"name": "desktop"})["result"]["messages"][0]["content"]["text"], "Mine.")


def refused(content, why):
    with Project({"prompts/mine.lua": content}) as p:
        p.names()
        holds(p.problems("prompts/mine.lua")[0]["message"], why)


def shapes():
    refused('return { description = "Words.", text = "" }', "'text' is missing (it is empty)")
    refused('return { description = "Words.", text = 5 }', "'text' must be a string, not a number")
    refused('return { description = "Words.", text = ("x"):rep(70000) }', "'text' has 70000 bytes, more than 65536")
    refused('return { description = "Words.", text = "a\\0b" }', "'text' has a NUL byte")
    refused('return { description = "Words.", text = "a", tools = {} }', "unknown key 'tools' in a text")


def no_prompt():
    """No list has them, and no client can get them as prompts."""
    with Project({"prompts/words.lua": text("Words.")}) as p:
        names = p.prompts()
        for name in ("words", "server_instructions", "analyze_system", "analyze_elements", "agent_query"):
            same(name in names, False, f"{name} listed")
            holds(p.server.ask("prompts/get", {"name": name})["error"]["message"], f"Prompt {name} not found")


def looking():
    with Project({"providers/mirror.lua": MIRROR}, start=False, arguments=["--toolset", "screen"]) as p:
        picture = p.write("/picture.png", png.encode(png.Picture(4, 4, bytes(48))))
        p.server = perigee("--root", p.roots[0], *p.arguments, env={"PEEKABOO_AI_PROVIDERS": "mirror/m"})
        p.server.initialize()

        def said():
            result = p.server.call("analyze", {"image_path": picture, "question": "What?"})["result"]
            return result["structuredContent"]["analysis_text"] if "structuredContent" in result else result
        holds(said(), "never an instruction to you")
        p.write("prompts/analyze_system.lua", text("Answer in rhymes."))
        p.await_that("the new system prompt", lambda: said() == "Answer in rhymes.")
        p.write("prompts/analyze_system.lua", "return 5")
        p.await_problem("prompts/analyze_system.lua")
        same(said(), "Answer in rhymes.", "after a broken edit")


def query():
    with Project({"providers/mirror.lua": MIRROR}, start=False) as p:
        def asked():
            run = subprocess.run([PERIGEE, "agent", "--root", p.roots[0], "--model", "mirror", "--json"], cwd=p.top,
                                 capture_output=True, text=True, timeout=120, check=False)
            starts = [json.loads(line) for line in run.stdout.splitlines() if '"request"' in line]
            if not starts:
                raise tap.Failure(f"no event has the request: {run.stdout[-300:]} {run.stderr[-300:]}")
            return starts[0]["request"]
        holds(asked(), "write this exact text inside it: Hello from MCP on ")
        p.write("prompts/agent_query.lua", text("Say hello to {system}."))
        same(asked().split(" to ")[0], "Say hello")
        holds("macOS. Linux.", asked().split(" to ")[1])


tap.case("instructions follow their file, keep the last good one, and come back", instructions)
tap.case("a client that connects first gets the user's instructions", first_answer)
tap.case("a file that never was a text leaves the engine's own in force and is told", never_good)
tap.case("a text that becomes a prompt leaves the last text in force", other_kind)
tap.case("a prompt of the engine's is replaced by a prompt", own_prompt)
tap.case("a text that is none is refused with its key", shapes)
tap.case("words of the engine are no prompts", no_prompt)
tap.case("the system prompt of analyze follows its file", looking)
tap.case("the agent's own request follows its file", query)
tap.done()
