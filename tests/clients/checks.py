"""Checks that every Python client must pass with the server. Prints TAP.

An adapter gives: tools(), call(name, arguments, progress, meta), prompts(), prompt(name, arguments),
loud(level), listen(), failed(result), structured(result), error, cancels (does it tell the server?),
and the queues logs and changes.
"""

import asyncio
import base64
import json
import os
import sys
import traceback

TEXTS = ["", "plain", 'quote " backslash \\ slash /', "line\nbreak\r\n tab\t", "é ß 漢字 かな 한글", "😀 👩‍👩‍👧 🇨🇭",
         "¦|`'$(rm)%s{}[]", "x" * 100000, "漢" * 50000]
# Invisible characters are taken out (docs/untrusted-text.md).
HIDDEN = [("e\u0301 \u202eright to left\u202c", "e\u0301 right to left"), ("a\u0001\u007f b\u200b", "a b"), ("a\u2028b", "a\nb")]
HOT = '''return {{ description = "{0}", inputSchema = {{ type = "object" }},
  run = function() return "{0}" end }}'''
GUARD = 30      # only against hanging
_points = []


def point(name, passed, detail=""):
    _points.append(passed)
    print(f"{'ok' if passed else 'not ok'} {len(_points)} - {name}", flush=True)
    for line in str(detail).splitlines() if not passed else []:
        print(f"# {line}", flush=True)


def done():
    print(f"1..{len(_points)}", flush=True)
    sys.exit(0 if all(_points) else 1)


def text(result):
    return "\n".join(getattr(block, "text", f"[{block.type}]") for block in result.content)


async def listed(at, _):
    tools = {t.name: t for t in await at.tools()}
    assert tools["echo"].title == "Echo" and "run_lua" in tools, sorted(tools)


async def odd_texts(at, _):
    for odd, seen in [*((each, each) for each in TEXTS), *HIDDEN]:
        got = text(await at.call("echo", {"text": odd}))
        assert got == seen, f"{got[:100]!r} for {odd[:100]!r}"


async def megabyte(at, _):
    big = "é" * 500000
    assert text(await at.call("echo", {"text": big})) == big


async def structured(at, _):
    result = await at.call("structured", {"id": 7})
    wanted = {"id": 7, "title": "Inbox — 📬", "bounds": [0, 25.5, 800, 600], "tags": [], "extra": {}}
    assert at.structured(result) == wanted, at.structured(result)
    assert json.loads(text(result)) == wanted, text(result)


async def image(at, _):
    words, picture = (await at.call("image")).content
    assert words.text == "one pixel" and base64.b64decode(picture.data)[1:4] == b"PNG"


async def failures(at, _):
    for name in ("fail", "raise"):
        assert at.failed(await at.call(name)), name
    result = await at.call("echo", {"text": 7})
    assert at.failed(result) and "text" in text(result), text(result)


async def unknown(at, _):
    try:
        await at.call("no_such_tool")
    except at.error as error:
        assert error.error.code == -32602, error
    else:
        raise AssertionError("it was not refused")


async def progress(at, _):
    seen = []

    async def told(done_, total, message):
        seen.append((done_, total, message))
    result = await at.call("progress", {"steps": 4, "seconds": 0.02}, progress=told)
    assert text(result) == "counted to 4"
    assert seen == [(n, 4, f"step {n}") for n in (1, 2, 3, 4)], seen


async def cancelled(at, _):
    begun = int(text(await at.call("slept")).split()[1].strip(",")) + 1
    waiting = asyncio.create_task(at.call("sleep", {"seconds": 600}))
    while not text(await at.call("slept")).startswith(f"begun {begun},"):
        pass
    waiting.cancel()
    while text(await at.call("slept")) != f"begun {begun}, closed {begun}":
        pass


async def at_once(at, _):
    answers = await asyncio.gather(*(at.call("echo", {"text": f"n{n}"}) for n in range(200)))
    assert [text(a) for a in answers] == [f"n{n}" for n in range(200)]


async def logging(at, _):
    meta = await at.loud("critical")
    await at.call("log", meta=meta)
    while len(at.logs) < 3:
        await asyncio.sleep(0)
    assert at.logs == ["critical", "alert", "emergency"], at.logs


async def prompts(at, _):
    names = {p.name: p for p in await at.prompts()}
    assert [a.name for a in names["greet"].arguments] == ["name", "mood"]
    got = await at.prompt("greet", {"name": "Ada"})
    assert got.messages[0].content.text == "Greet Ada warmly.", got
    try:
        await at.prompt("none")
    except at.error as error:
        assert error.error.code == -32602, error
    else:
        raise AssertionError("it was not refused")


async def hot(at, hot_root):
    """In a stateless session an event may come by two ways, so the text is asked for until it is new."""
    folder = os.path.join(hot_root, "tools", "test")
    await at.listen()
    for words in ("one", "two"):
        os.makedirs(folder, exist_ok=True)
        while not at.changes.empty():
            at.changes.get_nowait()
        with open(os.path.join(folder, "hot.lua"), "w", encoding="utf-8") as file:
            file.write(HOT.format(words))
        await at.changes.get()
        while text(await at.call("hot")) != words:
            await at.changes.get()


CHECKS = [
    ("tools/list", listed), ("odd texts come back as they went", odd_texts),
    ("a text of a megabyte", megabyte),
    ("a structured result, checked against its schema by the client", structured),
    ("an image", image), ("tools that fail and bad arguments are results", failures),
    ("an unknown tool is refused with -32602", unknown), ("progress", progress),
    ("a cancelled call is let go by the server", cancelled), ("two hundred calls at once", at_once),
    ("log messages of the level asked for", logging), ("prompts", prompts),
    ("a saved tool is announced and its new code runs", hot),
]


async def run(at, hot_root):
    for name, check in CHECKS:
        if check is cancelled and not at.cancels:
            continue
        try:
            await asyncio.wait_for(check(at, hot_root), GUARD)
        except Exception:  # pylint: disable=broad-except
            point(name, False, traceback.format_exc())
        else:
            point(name, True)
