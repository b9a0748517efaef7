#!/usr/bin/env python3
"""Odd shapes of every list and result, through everything in Lua that reads them: `perigee mcp`, `perigee tools --mount`, and a
gateway. A server can be wrong; nothing of ours may end in a traceback, and what is mounted keeps being watched.

PERIGEE_ODD=N tries N seeds (default 5); `make fuzz-shapes` tries many."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))
sys.path.insert(0, str(TOP / "tests" / "gateway"))

import tap                                   # noqa: E402
from folders import fresh, lent              # noqa: E402
from server import GUARD, PERIGEE, Server    # noqa: E402
from tap import Failure                      # noqa: E402

ODD = str(TOP / "tests/gateway/odd_double.py")
SEEDS = int(os.environ.get("PERIGEE_ODD", "5"))
FIRST = int(os.environ.get("PERIGEE_ODD_FIRST", "1"))
ALLOWED = {0, 1, 2, 3}

# words of `perigee mcp`, and the method whose answers are odd
VERBS = [
    (["list"], "tools/list"), (["list"], "prompts/list"), (["list"], "resources/list"), (["list"], "resources/templates/list"),
    (["list", "--json"], "tools/list"), (["info"], "initialize"), (["show", "one"], "tools/list"),
    (["show", "hail"], "prompts/list"), (["call", "one", "a=1"], "tools/list"), (["call", "one", "a=1"], "tools/call"),
    (["call", "one", "a=1", "-o", "-"], "tools/call"), (["read", "odd:/a"], "resources/read"),
    (["prompt", "hail", "who=x"], "prompts/list"), (["prompt", "hail", "who=x"], "prompts/get"),
    (["complete", "prompt", "hail", "who", "x"], "completion/complete"), (["ping"], "initialize")]
MOUNTED = [["tools", "--mount", "odd"], ["tools", "odd_one", "--mount", "odd"], ["tools", "--markdown", "--mount", "odd"],
           ["tools", "--json", "--mount", "odd"], ["call", "odd_one", "a=1", "--mount", "odd"],
           ["run", "--mount", "odd", "-e", "for _, t in ipairs(require('sys.engine').tools()) do print(t.name, t.title) end "
                                           "print(pcall(tools.search_tools, {query='does'})) print(pcall(tools.describe_tool, {name='odd_one'}))"]]


def bad_words(text):
    return [line for line in text.splitlines() if "traceback" in line.lower() or "attempt to" in line]


def run(home, words, what):
    env = dict(os.environ, PERIGEE_HOME=home, XDG_STATE_HOME=home, NO_COLOR="1", PERIGEE_DESKTOP="fake")
    done = subprocess.run([PERIGEE, *words], env=env, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, timeout=GUARD * 3,
                          check=False)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if bad_words(said) or done.returncode not in ALLOWED:
        raise Failure(f"{what}: {words} ended with {done.returncode}:\n{done.stderr.decode('utf-8', 'replace')[-1500:]}")


def verbs(words, method):
    with lent("perigee-odd-") as home:
        for seed in range(FIRST, FIRST + SEEDS):
            run(home, ["mcp", words[0], *words[1:], "--", sys.executable, ODD, str(seed), "--odd", method], f"seed {seed}")


def write_config(home, seed):
    entry = {"command": sys.executable, "args": [ODD, str(seed)]}
    pathlib.Path(home, "mcp.json").write_text(json.dumps({"mcpServers": {"odd": entry}}))


def mounted(words):
    for seed in range(FIRST, FIRST + SEEDS):
        with lent("perigee-odd-") as home:
            write_config(home, seed)
            run(home, words, f"seed {seed}")


def text_of(chance, names, default):
    return chance.choice(sorted(names)) if names and chance.random() < 0.9 else default


def names_in(answer, key, name):
    return {item[name] for item in answer.get("result", {}).get(key, [])}


def one_round(server, chance):
    tools = {name for name in names_in(server.ask("tools/list"), "tools", "name") if name.startswith("odd_")}
    prompts = names_in(server.ask("prompts/list"), "prompts", "name")
    uris = names_in(server.ask("resources/list"), "resources", "uri")
    server.ask("resources/templates/list")
    server.ask("tools/call", {"name": text_of(chance, tools, "odd_one"), "arguments": {"a": "1"}})
    server.ask("tools/call", {"name": "call_tool", "arguments": {"name": text_of(chance, tools, "odd_one"),
                                                                 "arguments": {"a": "1"}}})
    server.ask("tools/call", {"name": "describe_tool", "arguments": {"name": text_of(chance, tools, "odd_one")}})
    server.ask("tools/call", {"name": "search_tools", "arguments": {"query": "does"}})
    server.ask("prompts/get", {"name": text_of(chance, prompts, "odd_hail"), "arguments": {"who": "x"}})
    server.ask("resources/read", {"uri": text_of(chance, uris, "odd+odd:/a")})
    server.ask("completion/complete", {"ref": {"type": "ref/prompt", "name": text_of(chance, prompts, "odd_hail")},
                                       "argument": {"name": "who", "value": ""}})
    return tools


def answer_questions(message):
    """Returns a client's answer to a question of the mounted server; None if the message is not a question."""
    results = {"elicitation/create": {"action": "accept", "content": {"a": "x"}}, "roots/list": {"roots": []},
               "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "m"}, "model": "m"}}
    return results.get(message.get("method"))


class Asked(Server):
    """Answers questions while it waits for something else."""

    def _line(self, guard):
        while True:
            message = super()._line(guard)
            result = isinstance(message, dict) and "id" in message and answer_questions(message)
            if not result:
                return message
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})


def gateway(seed):
    home = fresh("perigee-odd-")
    write_config(home, seed)
    env = {"PERIGEE_HOME": home, "XDG_STATE_HOME": home, "PERIGEE_DESKTOP": "fake"}
    try:
        with Asked([PERIGEE, "serve", "--mount", "odd"], env=env) as server:
            server.initialize(capabilities={"elicitation": {}, "sampling": {}, "roots": {}})
            chance, seen = random.Random(seed), set()
            for _ in range(25):
                seen |= one_round(server, chance)
                server.early.clear()
            wrong = bad_words(server.stderr())
            if wrong or server.faults:
                raise Failure(f"seed {seed}: {server.faults}\n" + server.stderr()[-3000:])
            server.close_stdin()
            if server.wait() != 0:
                raise Failure(f"seed {seed}: ended with {server.process.returncode}\n" + server.stderr()[-1500:])
    finally:
        shutil.rmtree(home, ignore_errors=True)


def gateways():
    for seed in range(FIRST, FIRST + SEEDS):
        gateway(seed)


CASES = [(f"perigee mcp {' '.join(verb)} takes odd answers to {spoiled}", verbs, verb, spoiled) for verb, spoiled in VERBS]
CASES += [(f"perigee {' '.join(command[:3])} takes odd definitions", mounted, command) for command in MOUNTED]
CASES += [("a gateway takes odd answers of what it mounts", gateways)]
for case in tap.share(CASES):
    tap.case(*case)
tap.done()
