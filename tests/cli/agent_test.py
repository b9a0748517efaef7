#!/usr/bin/env python3
"""perigee agent: from the command line to the outcome, with tools that draw nothing."""

import json
import re
import signal
import stat
import sys

from kit import (FOLDER, Running, Terminal, TOP, done, folder, has, hasnt, must, perigee, same, shell, soon, tap, write)

ROOT = str(FOLDER / "root")
TOOL = "return {{ description = 'A stand-in.', inputSchema = {{ type = 'object', properties = {{ {} }} }}, run = {} }}"
NUMBERS = ", ".join(f"{name} = {{ type = 'integer' }}" for name in ("x", "y", "width", "height"))

for name, properties, run in [
    ("open_keynote", "", "function() return 'KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080' end"),
    ("get_slide_size", "", "function() return 'SLIDE_SIZE: slide_width=1920, slide_height=1080' end"),
    ("draw_rectangle", NUMBERS, "function(a) return ('RECTANGLE_OK: id=R1, x=%d, y=%d, width=%d, height=%d')"
                                ":format(a.x, a.y, a.width, a.height) end"),
    ("add_text_in_keynote", "text = { type = 'string' }", "function(a) return 'TEXT_OK: id=R1, characters=' .. #a.text end"),
    ("screenshot_slide", "path = { type = 'string' }", "function(a) return 'SCREENSHOT_SAVED: path=' .. a.path end"),
]:
    write(f"root/tools/keynote/{name}.lua", TOOL.format(properties, run))

SLOW = str(FOLDER / "slow")
write("slow/tools/keynote/open_keynote.lua", TOOL.format("", "function() require('sys.time').sleep(600) end"))

REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello."


def agent(*words, **options):
    return perigee("agent", "--root", ROOT, "--model", "offline", *words, **options)


def whole_run():
    here = folder("whole")
    answer = agent(REQUEST, cwd=here)
    same((answer.code, answer.out), (0, "[done]\n"), str(answer))      # the final answer alone
    has(answer.err, "rule-based planner", "FUNCTION_CALL: open_keynote\n", "FUNCTION_CALL: draw_rectangle|384|378|1152|324\n",
        "[server] TEXT_OK: id=R1, characters=6\n" if "Hello.\n" in answer.err else "[server] TEXT_OK", "FINAL_ANSWER: [done]")
    hasnt(answer.err, "\x1b")
    has((here / "logs/agent.log").read_text(), "run started", "run ended: ok")
    return next((here / "logs/runs").iterdir())


def existing_logs_become_private():
    here, named = folder("existing"), folder("existing-named")
    (here / "logs" / "runs").mkdir(parents=True)
    (here / "logs" / "agent.log").write_text("")
    for path in (named, here / "logs", here / "logs" / "runs"):
        path.chmod(0o755)
    (here / "logs" / "agent.log").chmod(0o644)
    same(agent(REQUEST, cwd=here).code, 0)
    modes = [stat.S_IMODE((here / name).stat().st_mode) for name in ("logs", "logs/runs", "logs/agent.log")]
    same(modes, [0o700, 0o700, 0o600])
    same(agent("--log", str(named / "my.log"), REQUEST, cwd=here).code, 0)
    same(stat.S_IMODE(named.stat().st_mode), 0o755)     # a folder that was named may be anybody's


def replayed():
    journal = str(whole_run())
    answer = perigee("agent", "--replay", journal)
    same(answer.code, 0, str(answer))
    has(answer.err, "replay => FUNCTION_CALL: draw_rectangle|384|378|1152|324")
    elsewhere = perigee("agent", "--model", "replay/" + journal, cwd=folder("replaying"))
    same(elsewhere.code, 0, str(elsewhere))


def as_json():
    answer = agent("--json", REQUEST)
    events = [json.loads(line) for line in answer.out.splitlines()]
    same([events[0]["type"], events[-1]["type"], events[-1]["ok"]], ["start", "outcome", True])
    same(answer.code, 0)


def tools_of_a_prompt():
    """Those that the server does not list are offered as well, whole; one that it does not have is told."""
    write("named/prompts/few.lua", """return { description = "Few tools.", arguments = { { name = "tools_description", description = "Tools." } },
        rules = { "tool_calling" }, tools = { "get_display", "no_such_tool", "list_windows", "neither" }, render = function() return "Do it." end }""")
    named = re.search(r'tools = \{(.*?)\}', (TOP / "lua/prompts/desktop.lua").read_text(), re.S).group(1)
    for prompt, wanted, missing in (("desktop", re.findall(r'"(\w+)"', named), None),
                                    ("few", ["get_display", "list_windows"], "no_such_tool, neither")):
        answer = perigee("agent", "--no-user-root", "--root", str(FOLDER / "named"), "--model", "offline", "--prompt", prompt, "--json",
                         "Which is it?", PERIGEE_DESKTOP="fake", cwd=folder("named-run"))
        events = [json.loads(line) for line in answer.out.splitlines()]
        tools = {tool["name"]: tool for tool in events[0]["tools"]}
        same(sorted(tools), sorted(wanted))
        must(all(tool["description"] and tool["inputSchema"] for tool in tools.values()), "a tool without its description or parameters")
        said = [event["text"] for event in events if event["type"] == "note"]
        same(said, [f"the prompt few names tools that the server does not have: {missing}"] if missing else [], str(said))
    from kit import PERIGEE  # pylint: disable=import-outside-toplevel
    answer = perigee("agent", "--no-user-root", "--root", str(FOLDER / "named"), "--model", "offline", "--prompt", "few", "--json",
                     "--server", f"{PERIGEE} serve --no-user-root", "Which is it?", PERIGEE_DESKTOP="fake", cwd=folder("named-run"))
    said = [event["text"] for event in map(json.loads, answer.out.splitlines()) if event["type"] == "note"]
    same(said, ["the prompt few names tools that the servers do not list (Perigee lists every one with --toolset all): "
                "get_display, no_such_tool, neither"], str(said))


def places():
    away = folder("away")
    answer = agent("--log", str(away / "deep" / "a.log"), "--journal", str(away / "runs"), REQUEST, cwd=folder("clean"))
    same(answer.code, 0, str(answer))
    must((away / "deep" / "a.log").exists() and list((away / "runs").iterdir()), "log and journal are where they were sent")
    same(list(folder("clean").iterdir()), [])


def words_of_a_request():
    """Without quotes the words are one request, as people type."""
    answer = agent(*REQUEST.split(), "--max-turns", "9")
    same(answer.code, 0, str(answer))


def own_server():
    double = TOP / "tests" / "lib" / "mcp_server_double.py"
    must(double.exists(), "the double is there")
    command = f"'{sys.executable}' \"{double}\""
    answer = perigee("agent", "--model", "offline", "--server", command, "--max-turns", "2", "List the tools.")
    must(answer.code in (0, 1), str(answer))
    hasnt(answer.out + answer.err, "did not start")


def variables_of_a_server():
    """Keys stay here, what --env names goes along."""
    seen = FOLDER / "variables"
    script = f"printf '%s %s' \"$WANTED\" \"$OPENAI_API_KEY\" > {seen}; exec {sys.executable} {TOP}/tests/lib/mcp_server_double.py"
    perigee("agent", "--model", "offline", "--env", "WANTED", "--server", f"sh -c '{script}'".replace("'%s %s'", '"%s %s"'),
            "--max-turns", "2", "List the tools.", WANTED="here", OPENAI_API_KEY="sk-123")
    same(seen.read_text(encoding="utf-8"), "here ")


def from_a_file():
    from kit import PERIGEE  # pylint: disable=import-outside-toplevel
    path = write("servers.json", json.dumps({"mcpServers": {"own": {"command": PERIGEE, "args": ["serve", "--root", ROOT]}}}))
    home = folder("trusting")
    (home / "policy.lua").write_text("return { rules = { { allow = true } } }", encoding="utf-8")
    answer = perigee("agent", "--model", "offline", "--servers", path, REQUEST, PERIGEE_HOME=str(home))
    same(answer.code, 0, str(answer))


tap.case("an agent run, with log and journal in the current folder", whole_run)
tap.case("logs that others could read are private from then on", existing_logs_become_private)
tap.case("a journal is replayed, from anywhere", replayed)
tap.case("--json gives every event as a line of JSON", as_json)
tap.case("every tool that a prompt names is offered, or told to be missing", tools_of_a_prompt)
tap.case("--log and --journal may lie anywhere", places)
tap.case("a request of several words", words_of_a_request)
def default_request():
    answer = perigee("agent", "--root", ROOT, "--model", "offline")
    same(answer.code, 0, str(answer))
    has(answer.out + answer.err, "add_text_in_keynote|Hello from MCP on ")


tap.case("without a request it runs the default one", default_request)
tap.case("--server takes a command with quotes", own_server)
tap.case("--env names what a server of --server inherits", variables_of_a_server)
tap.case("--servers takes a file of mcpServers", from_a_file)


def ends(words, code, *said):
    answer = perigee("agent", *words)
    same(answer.code, code, f"exit status ({answer})")
    has(answer.err, *said)


for name, words, code, said in [
    ("an empty request", [""], 2, ["what shall it do?"]),
    ("an unknown model", ["--model", "nobody", "x"], 2, ["nobody", "PROVIDER/MODEL"]),
    ("an unknown prompt", ["--root", ROOT, "--model", "offline", "--prompt", "nothing", REQUEST], 2, ['There is no prompt "nothing"']),
    ("turns that are no number", ["--max-turns", "many", "x"], 2, ["--max-turns takes a whole number from 1 to 1000"]),
    ("a quote that is not closed", ["--server", "a 'b", "x"], 2, ["a quote in --server is not closed"]),
    ("an empty server", ["--server", " ", "x"], 2, ["--server is a command"]),
    ("variables for no server", ["--env", "HOME", "x"], 2, ["--env is for --server"]),
    ("a variable that is not set", ["--server", "a", "--env", "NOPE", "x"], 2, ["--env NOPE: there is no such"]),
    ("two kinds of server", ["--server", "a", "--servers", "b", "x"], 2, ["exclude each other"]),
    ("a server that does not start", ["--model", "offline", "--server", "/no/such/server", REQUEST], 1, ["did not start"]),
    ("a journal that is not there", ["--replay", "/no/such.jsonl"], 1, ["/no/such"]),
    ("what the stand-in cannot do", ["--root", ROOT, "--model", "offline", "Close all windows."], 1, ["perigee agent: "]),
]:
    tap.case("ends: " + name, ends, words, code, *said)


def interrupted():
    here = folder("interrupted")
    running = Running("agent", "--root", ROOT, "--root", SLOW, "--model", "offline", "--json", REQUEST, cwd=here)
    running.wait_for('"type":"call"')
    running.signal(signal.SIGINT)
    answer = running.end()
    same(answer.code, 130, str(answer))
    has(answer.out, "cancelled")
    has((here / "logs/agent.log").read_text(), "run ended: cancelled")
    journal = next((here / "logs/runs").iterdir()).read_text().splitlines()
    same(json.loads(journal[-1])["reason"], "cancelled")


# A rule whose function FAULTY never returns: line 9 of its file runs for ever.
LOOPING = """local FAULTY = '{faulty}'
local function loops(name)
  if name == FAULTY then
    print 'looping'
    local n = 0
    while true do


      n = n + 1
    end
  end
end
return {{ description = 'Loops.', {timeout} parse = function() end,
  describe = function() loops 'describe' return '' end,
  request = function(state) loops 'request' return {{ messages = state.messages }} end,
  decide = function()
    loops 'decide'
    return {{ calls = {{ {{ id = '1', tool = 'open_keynote', arguments = {{}}, line = 'open_keynote' }} }} }}
  end,
  results = function() loops 'results' return {{}} end }}
"""


def looping_root(faulty, timeout):
    name = f"loops_{faulty}{'_for_ever' if not timeout else ''}"
    write(f"{name}/prompts/{name}.lua", LOOPING.format(faulty=faulty, timeout=timeout))
    write(f"{name}/providers/says.lua", "return { description = 'Says x.', supports_tools = false, "
          "complete = function() return { text = 'x', stop = 'end' } end }")
    write(f"{name}/prompts/asks.lua", f"return {{ description = 'Asks.', rules = {{ '{name}' }}, render = function() return 'x' end }}")
    return name, ["--root", ROOT, "--root", str(FOLDER / name), "--prompt", "asks", "--model", "says"]


def rule_that_loops(faulty):
    """It hung until Ctrl-C, and nothing said where."""
    name, words = looping_root(faulty, "timeout = 0.3,")
    answer = perigee("agent", *words, REQUEST)
    same(answer.code, 1, str(answer))
    has(answer.err, f"the rule {name} (prompts/{name}.lua): {faulty}() was stopped after 0.3 s, its time limit, at "
                    f"prompts/{name}.lua:", ". Mend what runs there, or allow more with `timeout` in the file\n")
    must(f"prompts/{name}.lua:6." in answer.err or f"prompts/{name}.lua:9." in answer.err, str(answer))


def provider_that_loops():
    write("loops_model/providers/loops.lua", "return { description = 'Loops.', supports_tools = false, timeout = 0.3,\n"
          "complete = function()\nwhile true do end\nend }")
    answer = perigee("agent", "--root", ROOT, "--root", str(FOLDER / "loops_model"), "--model", "loops", REQUEST)
    same(answer.code, 1, str(answer))
    has(answer.err, "the provider loops (providers/loops.lua): complete() was stopped after 0.3 s, its time limit, at "
                    "providers/loops.lua:3. Mend")


def interrupted_while_a_rule_loops():
    here = folder("interrupted-loop")
    name, words = looping_root("decide", "")
    running = Running("agent", *words, REQUEST, cwd=here)
    running.wait_for("looping")
    running.signal(signal.SIGINT)
    answer = running.end()
    same(answer.code, 130, str(answer))
    has(answer.err, f"Cancelled by the user. It was in prompts/{name}.lua:")
    has((here / "logs/agent.log").read_text(), f"It was in prompts/{name}.lua:")


def reader_gone():
    here = folder("gone")
    answer = shell(f"cd '{here}'; \"$P\" agent --root '{ROOT}' --root '{SLOW}' --model offline --json '{REQUEST}' | head -1")
    same(answer.code, [141, 0])
    soon(lambda: "run ended: cancelled" in (here / "logs/agent.log").read_text(), "the log is not closed")


def colours():
    with Terminal("agent", "--root", ROOT, "--model", "offline", REQUEST, width=200) as terminal:
        has(terminal.end().out, "\x1b[36m[client]\x1b[0m", "\x1b[32m[server]\x1b[0m")
    with Terminal("agent", "--root", ROOT, "--model", "offline", REQUEST, NO_COLOR="1") as terminal:
        hasnt(terminal.end().out, "\x1b")


tap.case("Ctrl-C ends the run, and log and journal say so: 130", interrupted)
for which in ("describe", "request", "decide", "results"):
    tap.case(f"an endless loop in {which}() of a rule ends the run and is told with its line", rule_that_loops, which)
tap.case("an endless loop of a provider ends the run and is told with its line", provider_that_loops)
tap.case("Ctrl-C in an endless loop of a rule names its line", interrupted_while_a_rule_loops)
tap.case("a reader that goes away ends it, too, its log closed: 141", reader_gone)
tap.case("colours on a terminal only", colours)

done()
