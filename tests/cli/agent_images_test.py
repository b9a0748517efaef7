#!/usr/bin/env python3
"""perigee agent and images: a screenshot of a real server (the desktop in memory) as each model's API gets it."""

import base64
import json
import sys

from kit import FOLDER, TOP, done, folder, has, hasnt, must, perigee, same, tap

sys.path.insert(0, str(TOP / "tests/lib"))
from model_apis.shape import image_size  # noqa: E402
from models import KEYS, Double  # noqa: E402

DOUBLE = Double()
SHOT = [{"tool_calls": [{"name": "capture_screenshot", "arguments": {}}]}, {"text": "A desktop."}]


def agent(provider, model, scenario, replies):
    """Returns how the command ended, and the requests that the API got."""
    session = f"{provider}-{scenario}"
    DOUBLE.script(session, replies)
    answer = perigee("agent", "--model", f"{provider}/{model}", "What is on the screen?", cwd=folder(session),
                     PERIGEE_DESKTOP="fake", **DOUBLE.variables(provider, session, scenario), **KEYS)
    return answer, DOUBLE.requests(session)


def sees(provider, model):
    def case():
        answer, (asked, problems) = agent(provider, model, "ok", SHOT)
        same((answer.code, answer.out), (0, "A desktop.\n"), str(answer))
        same(problems, [], json.dumps(asked)[:2000])
        data = max(asked[-1]["raw"].split('"'), key=len).split("base64,")[-1]
        width, height = image_size(base64.b64decode(data, validate=True))
        must(0 < max(width, height) <= 1568, f"{width} x {height}")
        has(asked[-1]["raw"], f"{width} x {height} pixels]")
        journal = next((FOLDER / f"{provider}-ok" / "logs/runs").iterdir()).read_text()
        has(journal, '"images":[{')
        hasnt(journal, data[:200])
    return case


def sees_nothing(provider, model):
    def case():
        answer, (asked, _) = agent(provider, model, "no-images", SHOT)
        same((answer.code, answer.out), (0, "A desktop.\n"), str(answer))
        last = asked[-1]["raw"]
        has(last, f"not shown, because {model}", "takes no images", "The elements there, instead of an image:")
        hasnt(last, "base64,", "iVBORw0KGgo")
    return case


for provider_name, seeing in (("openai", "local-model"), ("anthropic", "claude-haiku-4-5"), ("gemini", "gemini-2.0-flash"),
                              ("gemini", "gemini-3.8-flash"), ("ollama", "llava")):
    tap.case(f"{provider_name}/{seeing} is shown the screenshot", sees(provider_name, seeing))
tap.case("a server that refuses images is asked again with the elements", sees_nothing("openai", "local-model"))
tap.case("a model that is known to take no images gets the elements", sees_nothing("ollama", "llama3.2"))
DOUBLE.stop()
done()
