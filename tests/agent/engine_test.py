#!/usr/bin/env python3
"""`perigee agent` itself: the real engine, a real server as its child, real HTTP to the model double.

The presentation program is left out: a root of its own (tests/agent/root) answers in its place.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.path.insert(0, str(HERE.parent / "lib"))

import kit  # noqa: E402
import tap  # noqa: E402
from models import KEYS, Double  # noqa: E402

ROOT = str(HERE / "root")
REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello from MCP on macOS."


def agent(*words, where, **env):
    return kit.perigee("agent", "--root", ROOT, *words, cwd=kit.folder(where), **env)


def journal(where):
    files = sorted(kit.folder(where).glob("logs/runs/*.jsonl"))
    return [[json.loads(line) for line in file.read_text().splitlines()] for file in files]


def log(where):
    return (kit.folder(where) / "logs" / "agent.log").read_text()


def expect(condition, *shown):
    if not condition:
        raise tap.Failure("\n".join(map(str, shown)) or "not so")


def await_that(condition, process):
    """Until the condition holds; the guard only ends what hangs."""
    deadline = time.monotonic() + kit.GUARD
    while not condition():
        expect(process.poll() is None, "the agent has ended", process.returncode)
        expect(time.monotonic() < deadline, "it never came to that")
        time.sleep(0.02)


def draws_offline():
    done = agent(REQUEST, where="offline")
    expect(done.code == 0, done)
    expect(done.out == "[done]\n", done)
    lines = done.err.splitlines()
    expect(lines[0].startswith("[client] model: offline/rules, a rule-based planner, not a model (none of"), done)
    expect(lines[1] == "[client] tools listed: open_keynote, get_slide_size, draw_rectangle, add_text_in_keynote, "
           "screenshot_slide", done)            # as the prompt names them
    expect(lines[2:9] == [
        "[client] planner => FUNCTION_CALL: open_keynote",
        "[server] KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080",
        "[client] planner => FUNCTION_CALL: draw_rectangle|384|378|1152|324",
        "[server] RECTANGLE_OK: id=R1, x=384, y=378, width=1152, height=324",
        "[client] planner => FUNCTION_CALL: add_text_in_keynote|Hello from MCP on macOS.",
        "[server] TEXT_OK: id=R1, characters=24",
        "[client] planner => FINAL_ANSWER: [done]"], done)


def logs_both_sides():
    text = log("offline")
    for pattern in (
            r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\]\[client\]\[run_id=[0-9a-f]{6}\] FUNCTION_CALL parsed: "
            r"draw_rectangle\|384\|378\|1152\|324",
            r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\]\[server\]\[tool=draw_rectangle\] "
            r'args=\{"x":384,"y":378,"width":1152,"height":324\} -> RECTANGLE_OK: id=R1',
            r"user prompt\| Create a rectangle", r"system prompt\| You are a Keynote drawing agent",
            r"run ended: ok, 4 turns, 3 calls"):
        expect(re.search(pattern, text), pattern, text[-3000:])
    for line in text.splitlines():
        expect(re.match(r"\[\d{4}-\d\d-\d\dT[\d:.]+Z\]\[(client|server)\]", line), line)


STEPS = 'In Text Editor: set text in window "draft.txt" to "Hello", then click "Save" in window "draft.txt" and check "Hello".'


def works_an_application():
    """The real tools on the fake desktop: one outline, all steps in one call, and what was read."""
    done = kit.perigee("agent", "--no-user-root", "--prompt", "desktop", "--model", "offline", STEPS,
                       cwd=kit.folder("elements"), PERIGEE_DESKTOP="fake")
    expect(done.code == 0, done)
    expect(done.out.startswith("[All 3 steps are done. 3 verify: satisfied") and '"Hello"' in done.out, done)
    calls = [line for line in done.err.splitlines() if "=> FUNCTION_CALL" in line]
    expect([line.partition("FUNCTION_CALL: ")[2].partition("|")[0] for line in calls] == ["get_ui_tree", "act"], done)
    file = next(kit.folder("elements").glob("logs/runs/*.jsonl"))
    again = agent("--replay", str(file), where="elements again")
    expect(again.code == 0 and again.out == done.out, again)


def replays():
    file = next(kit.folder("offline").glob("logs/runs/*.jsonl"))
    done = agent("--replay", str(file), where="replay")
    expect(done.code == 0, done)
    expect("replay => FUNCTION_CALL: draw_rectangle|384|378|1152|324\n[server] RECTANGLE_OK" in done.err, done)
    run = journal("replay")[0]
    expect(run[0]["type"] == "start" and run[0]["provider"] == "replay", run[0])
    expect(not [event for event in run if event["type"] == "server"], "a server was started")


def prints_json():
    done = agent("--json", REQUEST, where="json")
    events = [json.loads(line) for line in done.out.splitlines()]
    expect([e["type"] for e in events] == ["start"] + ["reply", "call", "result"] * 3 + ["reply", "final", "outcome"],
           [e["type"] for e in events])
    expect([tool["name"] for tool in events[0]["tools"]][:3] == ["open_keynote", "get_slide_size", "draw_rectangle"]
           and done.code == 0, done)


def hides_values_of_the_env_file():
    """Words of the request stand for a secret of .env: they are in no file."""
    home = kit.folder("home-of-env")
    home.mkdir(parents=True, exist_ok=True)
    (home / ".env").write_text("MY_VALUE=Hello from MCP\n")
    (home / ".env").chmod(0o600)
    done = agent(REQUEST, where="env", PERIGEE_HOME=str(home))
    expect(done.code == 0, done)
    written = log("env") + json.dumps(journal("env"))
    expect("*** on macOS" in written and "Hello from MCP" not in written, written)


def draws_with(double, provider, model, prompt):
    session = f"{provider}-{prompt}"
    double.ask(f"{session}/draw", {})
    done = agent("--model", model, "--prompt", prompt, REQUEST, where=session, **KEYS,
                 **double.variables(provider, session))
    expect(done.code == 0, done)
    expect("LLM => FUNCTION_CALL: draw_rectangle|384|378|1152|324" in done.err, done)
    asked = double.ask(f"{session}/requests")
    expect(asked[-1].get("problem") is None, asked[-1])
    written = log(session) + json.dumps(journal(session)) + done.out + done.err
    expect(not any(key in written for key in KEYS.values()), "a key was written down")


def keeps_the_wire_order(double):
    """The line protocol is positional: x|y|width|height, not h|w|x|y."""
    asked = double.ask("gemini-keynote_agent/requests")
    text = json.dumps(asked[0]["body"])
    expect("draw_rectangle(x: integer, y: integer, width: integer, height: integer)" in text, text[:3000])


def results_of(where):
    return [(event["tool"], event["text"], event["failed"]) for event in journal(where)[0] if event["type"] == "result"]


def refers_to_its_own_calls(double):
    """The model names a result by the id of its call; the server puts the value in, once, before the schema is checked."""
    size = "SLIDE_SIZE: width=1920, height=1080"
    lines = ["get_slide_size", "add_text_in_keynote|@@ref_call_1__text", "add_text_in_keynote|@@@ref_call_1",
             "add_text_in_keynote|[@@ref_call_1__txt]", "draw_rectangle|@@ref_call_1|0|1|1"]
    for provider, model, prompt, replies in (
            ("gemini", "gemini/gemini-3.8-flash", "keynote_agent", [{"text": f"FUNCTION_CALL: {line}"} for line in lines]),
            ("anthropic", "anthropic", "desktop_agent", [{"tool_calls": [call]} for call in (
                {"name": "get_slide_size", "arguments": {}}, {"name": "add_text_in_keynote", "arguments": {"text": "@@ref_ID__text"}},
                {"name": "add_text_in_keynote", "arguments": {"text": "@@@ref_ID"}},
                {"name": "add_text_in_keynote", "arguments": {"text": "[@@ref_ID__txt]"}},
                {"name": "draw_rectangle", "arguments": {"x": "@@ref_ID", "y": 0, "width": 1, "height": 1}})])):
        where = f"refers-{provider}"
        word = "call_1" if provider == "gemini" else "toolu_0"
        if provider == "anthropic":   # the double gives each call the same id, so the newest result has it: refer to ours
            replies = json.loads(json.dumps(replies).replace("ref_ID", "ref_r1"))
            word = "r1"
        double.script(where, [*replies, {"text": "FINAL_ANSWER: [done]"}])
        done = agent("--model", model, "--prompt", prompt, REQUEST, where=where, **KEYS, **double.variables(provider, where))
        got = results_of(where)
        expect(got[0] == ("get_slide_size", size, False), done, got)
        expect(got[1] == ("add_text_in_keynote", f"TEXT_OK: id=R1, characters={len(size)}", False), got)
        expect(got[2][1] == f"TEXT_OK: id=R1, characters={len('@@ref_' + word)}", got)
        expect(got[3][2] and f"@@ref_{word}__txt: {word} has no txt." in got[3][1], got)
        expect(got[4][2] and "x: expected integer, got string" in got[4][1], got)
        asked, problems = double.requests(where)
        expect(not problems, problems)


def fails_with(double, scenario, code, says, words=()):
    session = f"fault-{scenario}"
    done = agent("--model", "gemini/gemini-3.8-flash", *words, REQUEST, where=session, **KEYS,
                 **double.variables("gemini", session, scenario))
    expect(done.code == 1 and says in done.out + done.err, done)
    outcome = journal(session)[0][-1]
    expect((outcome["type"], outcome["reason"], outcome["code"]) == ("outcome", "model_error", code), outcome)


def waits_as_told(double):
    """A 429 with Retry-After: 1 is waited for, and the run goes on."""
    double.ask("patient/draw", {})
    started = time.monotonic()
    done = agent("--model", "gemini/gemini-3.8-flash", REQUEST, where="patient", **KEYS,
                 **double.variables("gemini", "patient", "429"))
    expect(done.code == 0 and time.monotonic() - started >= 1, done)


def reacts_to_edits(double):
    """A rule written while the run goes on is the one that reads the next reply."""
    rule = (HERE.parent.parent / "lua" / "prompts" / "function_call.lua").read_text()
    edited = rule.replace('"%s returned: %s"', '"%s EDITED: %s"')
    expect(edited != rule, "the rule has nothing to edit")
    home = kit.folder("edited-home/prompts")
    # A model that goes on drawing, with a little time to think, until the edit is seen.
    double.ask("edits/script", [{"text": f"FUNCTION_CALL: draw_rectangle|0|0|{n}|1", "pace": 0.02}
                                for n in range(1, 1000)])
    process = subprocess.Popen(
        [kit.PERIGEE, "agent", "--root", ROOT, "--model", "openai/local-model", "--max-turns", "1000", REQUEST],
        cwd=kit.folder("edits"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=kit.environment(PERIGEE_HOME=str(home.parent), **KEYS, **double.variables("openai", "edits")))

    def last_told():
        asked = double.ask("edits/requests")
        return asked[-1]["body"]["messages"][-1]["content"] if asked else ""

    await_that(lambda: "returned: RECTANGLE_OK" in last_told(), process)
    (home / "function_call.lua").write_text(edited)
    await_that(lambda: "EDITED: RECTANGLE_OK" in last_told(), process)
    double.ask("edits/script", [{"text": "FINAL_ANSWER: [done]"}])
    process.communicate(timeout=kit.GUARD)
    expect(process.returncode == 0, process.returncode)


def processes():
    """(pid, parent, state) of every process."""
    return [line.split() for line in subprocess.check_output(["ps", "-eo", "pid=,ppid=,stat="], text=True).splitlines()]


def ends_at_ctrl_c(double):
    where = kit.folder("cancelled")
    env = kit.environment(**KEYS, **double.variables("gemini", "cancelled", "slow"))
    process = subprocess.Popen([kit.PERIGEE, "agent", "--root", ROOT, "--model", "gemini/gemini-3.8-flash", REQUEST],
                               cwd=where, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    await_that(lambda: double.ask("cancelled/requests"), process)
    children = [pid for pid, parent, _ in processes() if parent == str(process.pid)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=kit.GUARD)
    expect(process.returncode == 130, process.returncode, out, err)
    outcome = journal("cancelled")[0][-1]
    expect((outcome["type"], outcome["reason"]) == ("outcome", "cancelled"), outcome)
    expect("run ended: cancelled" in log("cancelled"), log("cancelled")[-500:])
    alive = [pid for pid, _, state in processes() if pid in children and not state.startswith("Z")]
    expect(children and not alive, "children were", children, "still there are", alive)


def says_what_is_wrong():
    for words, says in ((["--model", "nobody", "x"], "PROVIDER/MODEL"), (["--prompt", "nothing", "x"], "There is no prompt"),
                        (["--max-turns", "0", "x"], "--max-turns"), ([""], "what shall it do")):
        done = agent(*words, where="usage")
        expect(done.code == 2 and says in done.err, words, done)
    done = agent("--server", "nowhere-to-be-found", "--model", "offline", "x", where="usage")
    expect(done.code == 1 and "did not start" in done.out + done.err, done)


def main():
    double = Double()
    try:
        tap.case("the stand-in draws through a real server, a line a step", draws_offline)
        tap.case("the log has the client's and the server's lines", logs_both_sides)
        tap.case("a journal is replayed without a model and without a server", replays)
        tap.case("the stand-in works an application by its elements, and that is replayed", works_an_application)
        tap.case("--json gives the steps as JSON lines", prints_json)
        tap.case("values of .env are in no log and no journal", hides_values_of_the_env_file)
        for provider, model in (("gemini", "gemini/gemini-3.8-flash"), ("openai", "openai/gpt-6-luna"),
                                ("anthropic", "anthropic"), ("ollama", "ollama/llama3.2")):
            for prompt in ("keynote_agent", "desktop_agent"):
                tap.case(f"{provider} draws with {prompt}", draws_with, double, provider, model, prompt)
        tap.case("parameters keep the order of the tool file", keeps_the_wire_order, double)
        tap.case("a model refers to the results of its calls", refers_to_its_own_calls, double)
        for fault in (("401", "unauthorized", "Set GEMINI_API_KEY"), ("404", "model_not_found", "404"),
                      ("429-always", "rate_limited", "It asks to wait 3600 s"),
                      ("malformed", "bad_response", "not a JSON"),
                      ("cut-off", "cut_off", "cut off"), ("blocked", "blocked", "PROHIBITED_CONTENT"),
                      ("empty", "empty_reply", "no reply")):
            tap.case(f"scenario {fault[0]} ends the run as {fault[1]}", fails_with, double, *fault)
        tap.case("a limited rate is waited for", waits_as_told, double)
        tap.case("an edited rule counts from the next turn on", reacts_to_edits, double)
        tap.case("Ctrl-C ends the run, its server, and the journal", ends_at_ctrl_c, double)
        tap.case("wrong use and a missing server are told", says_what_is_wrong)
    finally:
        double.stop()
    tap.done()


if __name__ == "__main__":
    main()
