#!/usr/bin/env python3
"""The cost of the default list of tools with the instructions, of an interface's outline and of a change in it: tokens, counted by npm's
gpt-tokenizer (o200k)."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))

import desktop as desktops                  # noqa: E402
import tap                                  # noqa: E402
from kit import HERE, NODE, need_node       # noqa: E402
from server import PERIGEE, perigee         # noqa: E402
from tools import Tools, bare_client, until     # noqa: E402

MOST = 8000
JOINED = {"get_element", "maximize_window", "get_clipboard", "capture_element_screenshot"}     # tasks needed them often
OUTLINE, DIFF = 1500, 150       # the outline has 300 elements; the diff has one change
NOTICES = 150                   # that ride on one result
LUA = os.path.join(HERE, "..", "lua")
COUNT = """const {encode} = require("gpt-tokenizer");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(text => encode(text).length)));"""


def tokens(texts):
    done = subprocess.run([NODE, "-e", COUNT], cwd=HERE, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def default_list():
    need_node("gpt-tokenizer")
    with perigee("--no-user-root") as server:
        instructions = server.initialize()["result"]["instructions"]
        tools = server.ask("tools/list")["result"]["tools"]
    listed, told, *each = tokens([json.dumps(tools, separators=(",", ":")), instructions] +
                                 [json.dumps(tool, separators=(",", ":")) for tool in tools])
    dear = sorted(zip(each, (tool["name"] for tool in tools)), reverse=True)[:5]
    tap.note(f"{len(tools)} tools, {listed} tokens, and {told} of instructions; the dearest: "
             f"{', '.join(f'{name} {cost}' for cost, name in dear)}")
    if listed + told > MOST:
        raise tap.Failure(f"the default list and the instructions have {listed + told} tokens, at most {MOST}")


def descriptions(value):
    if isinstance(value, dict):
        yield from [value["description"]] if isinstance(value.get("description"), str) else []
        value = list(value.values())
    for each in value if isinstance(value, list) else []:
        yield from descriptions(each)


def what_is_named():
    with perigee("--no-user-root") as server:
        told = [server.initialize()["result"]["instructions"]]
        tools = server.ask("tools/list")["result"]["tools"]
        every = server.call("search_tools", {"query": "", "limit": 200})["result"]["structuredContent"]["tools"]
    told += [text for tool in tools for text in descriptions(tool)]
    listed = {tool["name"] for tool in tools}
    for name in JOINED - listed:
        raise tap.Failure(f"{name} is not in the list")
    for name in {tool["name"] for tool in every} - listed:
        for text in told:
            if re.search(rf"\b{name}\b", text):
                raise tap.Failure(f"{name} is not listed, and a description that is names it: {text}")


def sizes():
    need_node("gpt-tokenizer")
    done = subprocess.run([PERIGEE, "run", "--quiet", "--no-user-root", "--root", LUA, os.path.join(LUA, "outline_sizes.lua")],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def an_outline():
    told = sizes()
    cost = tokens([told["outline"]])[0] * 300 / told["elements"]
    tap.note(f"{told['elements']} elements of Impress; {cost:.0f} tokens for each 300")
    if cost > OUTLINE:
        raise tap.Failure(f"300 elements have {cost:.0f} tokens, at most {OUTLINE}")


def differences():
    told = sizes()["diffs"]
    for name, cost in zip(told, tokens(list(told.values()))):
        tap.note(f"{name}: {cost} tokens")
        if cost > DIFF:
            raise tap.Failure(f"{name} has {cost} tokens, at most {DIFF}")


TITLES = ("the window with the number {} of all", "とても長いウィンドウの題名 {} 漢字漢字漢字漢字", "😀🎉👩‍👩‍👧‍👦🚀 {} 😀🎉👩‍👩‍👧‍👦",
          "$#@!~^&*()_+{{}}|:<>? {} zqxjkvw")


def notices():
    """Those of titles that are all signs, or emoji, had up to 200."""
    need_node("gpt-tokenizer")
    if not all(shutil.which(name) for name in ("Xvfb", "openbox", "dbus-daemon")):
        raise tap.Skip("Xvfb, openbox or dbus-daemon is not installed")
    with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        tools("list_windows")
        for title in TITLES:
            observation = tools("create_observation", what="windows", events=["window_opened"])["name"]
            with bare_client(tools, desktop) as client:
                for number in range(12):
                    client.window(title.format(number))
                until(lambda name=observation: len(tools("get_observation", name=name, notices=False)["events"]) >= 12, "the windows")
                told = tools.result("list_displays")["content"][-1]["text"]
                cost = tokens([told])[0]
                tap.note(f"{cost} tokens: {told.splitlines()[1][:60]}")
                if not told.startswith("Meanwhile") or cost > NOTICES:
                    raise tap.Failure(f"a notice has {cost} tokens, at most {NOTICES}: {told}")


tap.case(f"notices have at most {NOTICES} tokens", notices)
tap.case(f"an outline of 300 elements has at most {OUTLINE} tokens", an_outline)
tap.case(f"a change has at most {DIFF} tokens: a dialog, a long menu, many elements that are switched off", differences)
tap.case(f"the default list of tools and the instructions have at most {MOST} tokens", default_list)
tap.case("tools that the default list and the instructions name are listed", what_is_named)
tap.done()
