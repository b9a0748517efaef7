"""The shapes of the models' APIs as their documentation gives them: what a request must look like, what an answer and
an error look like. Used by model_double.py."""

import re

from model_apis.anthropic import Anthropic
from model_apis.gemini import Gemini
from model_apis.ollama import Ollama
from model_apis.openai import OpenAI
from model_apis.shape import SAYS, Refused  # noqa: F401  (for model_double)

ALL = (Gemini(), OpenAI(), Anthropic(), Ollama())
LISTINGS = {"/v1beta/models": ALL[0], "/v1/models": ALL[1], "/api/tags": ALL[3]}


def find(method, path):
    if method == "GET":
        return LISTINGS.get(path)
    return next((api for api in ALL if api.path.fullmatch(path)), None)


def draw(api, body):
    """The next step of the drawing agent, from the transcript; with tool calls when there are tools."""
    texts, native = api.heard(body)
    heard = "\n".join(texts)
    wanted = re.search(r"exact text inside it: ([^\n\"]*)", heard)

    def step(tool, **arguments):
        if native:
            return {"tool_calls": [{"name": tool, "arguments": arguments}]}
        return {"text": "|".join([f"FUNCTION_CALL: {tool}", *map(str, arguments.values())])}

    size = re.search(r"slide_width=([\d.]+), slide_height=([\d.]+)", heard)
    if not size:
        return step("open_keynote")
    if "RECTANGLE_OK" not in heard:
        width, height = (float(value) for value in size.groups())
        w, h = round(0.6 * width), round(0.3 * height)
        return step("draw_rectangle", x=round((width - w) / 2), y=round((height - h) / 2), width=w, height=h)
    if "TEXT_OK" not in heard:
        return step("add_text_in_keynote", text=wanted.group(1) if wanted else "?")
    return {"text": "The text is in the rectangle." if native else "FINAL_ANSWER: [done]"}
