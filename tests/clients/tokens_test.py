#!/usr/bin/env python3
"""What the default list of tools costs a model: its tokens, counted by npm's gpt-tokenizer (o200k)."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))

import tap                                  # noqa: E402
from kit import HERE, NODE, need_node       # noqa: E402
from server import perigee                  # noqa: E402

MOST = 8000
COUNT = """const {encode} = require("gpt-tokenizer");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(text => encode(text).length)));"""


def tokens(texts):
    done = subprocess.run([NODE, "-e", COUNT], cwd=HERE, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def default_list():
    need_node("gpt-tokenizer")
    with perigee("--no-user-root") as server:
        server.initialize()
        tools = server.ask("tools/list")["result"]["tools"]
    whole, *each = tokens([json.dumps(tools, separators=(",", ":"))] +
                          [json.dumps(tool, separators=(",", ":")) for tool in tools])
    dear = sorted(zip(each, (tool["name"] for tool in tools)), reverse=True)[:5]
    tap.note(f"{len(tools)} tools, {whole} tokens; the dearest: {', '.join(f'{name} {cost}' for cost, name in dear)}")
    if whole > MOST:
        raise tap.Failure(f"the default list has {whole} tokens, at most {MOST}")


tap.case(f"the default list of tools has at most {MOST} tokens", default_list)
tap.done()
