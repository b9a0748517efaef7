#!/usr/bin/env python3
"""Calls of tools from Python guests (lua/scripts/python): from threads, coroutines and several event loops at once, the
functions of `tools`, and failures. The test answers as the engine does."""

import pathlib
import random
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                                          # noqa: E402
from python_guest import CALL, GUARD, SIZE, Server, ToolFailure, interpreters, strings     # noqa: E402

TOOLS = [
    {"name": "move_window", "python": "move_window", "description": "Move a window.",
     "params": [{"name": "x", "python": "x", "required": False}, {"name": "window", "python": "window", "required": True},
                {"name": "from", "python": "from_", "required": False},
                {"name": "cik-A", "python": "cik_A", "required": False}]},
    {"name": "a-b", "params": [{"name": "class", "required": False}]},
    {"name": "a.b", "params": []},
    {"name": "list_windows", "params": []},
    {"name": "class", "params": []},
]


def echo(name, arguments):
    if name == "fail":
        raise ToolFailure("it did not work. Try another", "BROKEN")
    return {"tool": name, "given": arguments}


def run(server, code, on_call=echo, **more):
    answer = server.run(code, on_call=on_call, listed=TOOLS, **more)
    assert answer.done and answer.done["ok"], answer
    return answer


# --- one call -----------------------------------------------------------------------------------

def awaited(server):
    answer = run(server, "r = await _call_mcp_tool('t', {'a': 1})\nprint(r['given'])")
    assert answer.out == "{'a': 1}\n" and answer.calls == [("t", {"a": 1})], answer


def named(server):
    answer = run(server, "await _call_mcp_tool(tool_name='t', arguments={'a': 1})\nawait _call_mcp_tool('u', arguments=None)\nprint(1)")
    assert answer.calls == [("t", {"a": 1}), ("u", {})], answer


def awaited_in_the_function(server):
    answer = run(server, "async def generated_function_name(n):\n  return [await _call_mcp_tool('t', {'a': i}) for i in range(n)]",
                 args=[3])
    assert [each["given"]["a"] for each in answer.done["result"]] == [0, 1, 2], answer


def printed_before_the_call(server):
    """Output that was printed before a call comes before it."""
    seen = []
    guest = server.fork().begin("print('a'); print('b'); tools.list_windows(); print('c')", tools=TOOLS)
    guest.finish(on_call=lambda name, _: seen.append((name, guest.answer.out)) or {})
    assert seen == [("list_windows", "a\nb\n")], seen
    assert guest.answer.out == "a\nb\nc\n", guest.answer


def failure_raises(server):
    answer = run(server, "try: await _call_mcp_tool('fail')\nexcept ToolError as e: print(e, '|', e.code, '|', e.message, '|', e.tool)")
    assert answer.out == "fail: it did not work. Try another (BROKEN) | BROKEN | it did not work. Try another | fail\n", answer


def failure_uncaught(server):
    answer = server.run("x = 1\nawait _call_mcp_tool('fail')", on_call=echo)
    error = answer.done["error"]
    assert error["kind"] == "ToolError" and "BROKEN" in error["message"], answer
    assert 'File "<code>", line 2' in error["traceback"] and "scripts/python" not in error["traceback"], answer


def arguments_that_are_not_json(server):
    answer = server.run("await _call_mcp_tool('t', {'a': object()})", on_call=echo)
    assert answer.done["error"]["kind"] == "TypeError" and not answer.calls, answer
    answer = server.run("tools.list_windows", tools=TOOLS)
    assert answer.done["result_repr"] == "<tool list_windows(none)>", answer


def model_asked(server):
    answer = run(server, "print(await ask_model('why?', system='s'))", on_call=lambda name, given: {"text": f"{name} {given}"})
    assert answer.out == "ask_model {'prompt': 'why?', 'system': 's'}\n", answer


def large_both_ways(server):
    answer = run(server, "r = tools['a.b'](**{})\nprint(len(r['big']))\nr = await _call_mcp_tool('t', r)\nprint(len(r['given']['big']))",
                 on_call=lambda name, given: {"big": "x" * 3_000_000} if name == "a.b" else {"given": given})
    assert answer.out == "3000000\n3000000\n", answer


# --- functions of tools ---------------------------------------------------------------------------

WRAPPERS = [
    ("by position, required first", "tools.move_window('w', 1)", {"window": "w", "x": 1}),
    ("by name, renamed", "tools.move_window(window='w', from_=2, cik_A=[1])", {"window": "w", "from": 2, "cik-A": [1]}),
    ("by the tool's own names", "tools.move_window(**{'window': 'w', 'from': 2, 'cik-A': 1})", {"window": "w", "from": 2, "cik-A": 1}),
    ("awaited", "await tools.move_window('w')", {"window": "w"}),
    ("keyword of a keyword's name", "tools['a-b'](class_=1)", {"class": 1}),
    ("tool of a keyword's name", "tools.class_()", {}),
]
REFUSED = [
    ("two tools with one identifier", "tools.a_b", "AttributeError", "tools['a-b'] or tools['a.b']"),
    ("no such tool", "tools.list_window", "AttributeError", "list_windows"),
    ("no such tool by name", "tools['move-window']", "KeyError", "move_window"),
    ("missing", "tools.move_window(x=1)", "TypeError", "needs window"),
    ("unknown parameter", "tools.move_window('w', y=1)", "TypeError", "It has window, x, from_, cik_A"),
    ("twice", "tools.move_window('w', window='v')", "TypeError", "twice"),
    ("too many", "tools.list_windows(1)", "TypeError", "name them"),
]


def wrapper(server, tools, code, given):
    answer = server.run(f"r = {code}\nprint(r['given'] == {given!r}, isinstance(r, dict))", on_call=echo, tools=tools, listed=TOOLS)
    assert answer.out == "True True\n", answer


def refused(server, code, kind, says):
    answer = server.run(code, on_call=echo, tools=TOOLS)
    assert answer.done["error"]["kind"] == kind and says in answer.done["error"]["message"], answer
    assert not answer.calls, answer


def told(server):
    answer = run(server, "import inspect\nprint(inspect.signature(tools.move_window), tools.move_window.__doc__)\n"
                 "print(list(tools), 'a-b' in tools, 'list_windows' in dir(tools))\ntools", tools=TOOLS)
    assert answer.out == ("(window, x=None, from_=None, cik_A=None) Move a window.\n"
                          "['a-b', 'a.b', 'class', 'list_windows', 'move_window'] True True\n"), answer
    assert answer.done["result_repr"] == "<5 tools>", answer


def typed(server):
    tools = [{"name": "t", "params": [{"name": "n", "required": False, "type": "integer"}, {"name": "s", "required": True, "type": "string"},
                                      {"name": "any", "required": False}, {"name": "odd", "required": False, "type": "null"}]}]
    answer = run(server, "import inspect\nprint(inspect.signature(tools.t))", tools=tools)
    assert answer.out == "(s: str, n: int = None, any=None, odd=None)\n", answer


# --- many at once -----------------------------------------------------------------------------------

GATHER = """
import asyncio
r = await asyncio.gather(*(_call_mcp_tool('t', {'i': i}) for i in range(64)))
print([x['given']['i'] for x in r] == list(range(64)))
"""

LOAD = """
import asyncio, threading
lost = []
def check(i, r):
    if r['given']['i'] != i: lost.append(i)
def thread(base):
    for i in range(base, base + 50):
        check(i, tools['t'](i=i))
async def one(i):
    check(i, await _call_mcp_tool('t', {'i': i}))
async def loop(base):
    for at in range(base, base + 60, 12):
        await asyncio.gather(*(one(i) for i in range(at, at + 12)))
        check(at, tools['t'](i=at))         # blocks the loop, whose answers others may read
threads = [threading.Thread(target=thread, args=(1000 * n,)) for n in range(8)]
threads += [threading.Thread(target=lambda n=n: asyncio.run(loop(20000 + 1000 * n))) for n in range(2)]
for t in threads: t.start()
await loop(30000)
for t in threads: t.join()
print('lost', lost)
"""


def gathered(server):
    """All calls are there before the first is answered, and the answers come in another order."""
    guest = server.fork().begin(GATHER)
    held = hold(guest, 64)
    random.Random(1).shuffle(held)
    for number, given in held:
        guest.reply(number, {"given": given})
    assert guest.finish().out == "True\n", guest.answer


def hold(guest, count):
    """(id, arguments) of so many calls, none of them answered."""
    import json
    held = []
    while len(held) < count:
        for kind, number, payload in guest.frames():
            if kind == CALL:
                held.append((number, json.loads(strings(payload[:-8])[1])))
            else:
                guest.take(kind, number, payload, None, ())
    return held


def load(server):
    """8 threads, 3 event loops with calls that run together, and calls that block a loop."""
    answer = run(server, LOAD, tools=[{"name": "t"}], seconds=GUARD)
    assert answer.out == "lost []\n", answer
    assert len(answer.calls) == 8 * 50 + 3 * (60 + 5), len(answer.calls)


def cancelled(server):
    code = """
import asyncio
t = asyncio.create_task(_call_mcp_tool('slow', {}))
await _call_mcp_tool('quick', {})
t.cancel()
try: await t
except asyncio.CancelledError: print('cancelled')
print(await _call_mcp_tool('quick', {}))
"""
    guest = server.fork().begin(code)
    held = []
    while not guest.answer.done:
        for kind, number, payload in guest.frames():
            name = strings(payload[:SIZE.size + SIZE.unpack_from(payload)[0]])[0].decode() if kind == CALL else None
            if name == "slow":
                held.append(number)
            elif name == "quick":
                guest.reply(number, {})
            else:
                guest.take(kind, number, payload, None, ())
    assert guest.answer.cancelled == held and guest.answer.out == "cancelled\n{}\n", (held, guest.answer)


def deadline_in_a_call(server):
    """The call is cancelled; and so is one that blocks."""
    for code in ("await _call_mcp_tool('slow', {})", "tools['slow']()"):
        guest = server.fork().begin(code, seconds=0.2, tools=[{"name": "slow"}])
        guest.until(lambda answer: answer.done)
        assert guest.answer.done["timeout"] and '"<code>", line 1, in' in guest.answer.done["error"]["traceback"], guest.answer
        guest.end()


WAYS = [
    "tools['slow']()",
    "await _call_mcp_tool('slow', {})",
    "import threading\nt = threading.Thread(target=lambda: tools['slow']())\nt.start()\nt.join()",
    "import asyncio\nt = asyncio.ensure_future(_call_mcp_tool('slow', {}))\nwhile not t.done(): await asyncio.sleep(0)",
    "import asyncio\nasync def f(): await _call_mcp_tool('slow', {})\nawait asyncio.sleep(0)\nasyncio.run(f())",
]


def time_that_stands(server):
    """The deadline comes while a call waits for a person, and the time stands: it goes on with the answer."""
    for code in WAYS:
        for left, end in ((60, ""), (0.001, "\nwhile True: pass")):
            guest = server.fork().begin(f"{code}\nprint('on'){end}", seconds=0.2, tools=[{"name": "slow"}])
            answers = [None, left]
            guest.left_time = lambda: answers.pop(0)    # noqa: B023
            held = hold(guest, 1)
            while len(answers) == 2:
                for kind, number, payload in guest.frames():
                    guest.take(kind, number, payload, None, ())
            assert not guest.answer.done, guest.answer
            guest.reply(held[0][0], {})
            guest.until(lambda answer: answer.done)
            assert guest.answer.done["timeout"] == bool(end) and (end or guest.answer.out == "on\n"), (code, guest.answer)
            assert not end or not answers, "it did not ask again"
            guest.end()


def deadline_beside_a_call(server):
    """Code that computes while a call of it is under way hears that its time is over."""
    guest = server.fork().begin("import asyncio\nt = asyncio.ensure_future(_call_mcp_tool('slow', {}))\nawait asyncio.sleep(0)\n"
                                "while True: pass", seconds=0.2)
    guest.until(lambda answer: answer.done)
    assert guest.answer.done["timeout"] and '"<code>", line 4, in' in guest.answer.done["error"]["traceback"], guest.answer
    guest.end()


def thread_after_the_end(server):
    """A thread that a session's job left may call while there is a job, and not between two."""
    guest = server.fork(session=True)
    guest.begin("import threading\ngo = threading.Event()\ndef late():\n  go.wait()\n  while True:\n    try: tools['t']()\n"
                "    except ToolError as e: code = e.code; break\n  open('said', 'w').write(code)\n"
                "threading.Thread(target=late, daemon=True).start()", session=True, tools=[{"name": "t"}]).finish()
    guest.begin("go.set()", session=True, tools=[{"name": "t"}]).finish(on_call=echo)
    while not (files := server.files(guest).files).get("said"):
        assert not files.get("said")
    assert files == {"said": b"no_run"}, files
    guest.line.close()


CASES = [awaited, named, awaited_in_the_function, printed_before_the_call, failure_raises, failure_uncaught,
         arguments_that_are_not_json, model_asked, large_both_ways, told, typed, gathered, load, cancelled, deadline_in_a_call,
         time_that_stands, deadline_beside_a_call, thread_after_the_end]


def main():
    for version, python in tap.share(interpreters()):
        with Server(python) as server:
            for case in CASES:
                tap.case(f"{version}: {case.__name__}", case, server)
            for name, code, given in WRAPPERS:
                tap.case(f"{version}: tools: {name}", wrapper, server, TOOLS, code, given)
            tap.case(f"{version}: tools asked for on first use", wrapper, server, None, *WRAPPERS[1][1:])
            for name, *rest in REFUSED:
                tap.case(f"{version}: tools: {name}", refused, server, *rest)
    tap.done()


if __name__ == "__main__":
    main()
