#!/usr/bin/env python3
"""How often a person is asked in twenty ordinary tasks: an official client that shows questions does them in real applications,
with the policy that comes with the program, and once more without its rules about where text is from.

    tests/wide/questions_test.py [WORD ...]     only the tasks with one of these words in their names

At most one question in all, and the rules about text from outside add none."""

import asyncio
import contextlib
import logging
import os
import pathlib
import shutil
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("lib", "clients"):
    sys.path.insert(0, str(HERE.parent / folder))

import tap                                      # noqa: E402
from desktop import Desktop                     # noqa: E402
from kit import need_python                     # noqa: E402
from ordinary import NEEDED, TASKS, at_home     # noqa: E402
from server import PERIGEE, TOP                 # noqa: E402

MOST = 1            # question in twenty tasks
PATIENCE = 90       # seconds for one call; only against hanging
COPIED = "text in it is from outside"
WITHOUT = """
for i = #policy.rules, 1, -1 do
  if policy.rules[i].from then table.remove(policy.rules, i) end
end
return policy
"""


class Agent:
    """A session of the official client, from a thread of its own. It says yes to each question and keeps it."""

    def __init__(self, env):
        self.calls, self.questions = 0, []
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.ending, self.ended = asyncio.Event(), None
        ready = asyncio.run_coroutine_threadsafe(self._start(env), self.loop)
        self.client = ready.result(PATIENCE)

    async def _start(self, env):
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters
        ready = self.loop.create_future()

        async def live():
            server = StdioServerParameters(command=PERIGEE, args=["serve", "--quiet"], env=env)
            try:
                async with Client(server, mode="legacy", elicitation_callback=self._asked) as client:
                    ready.set_result(client)
                    await self.ending.wait()
            except BaseException as error:      # pylint: disable=broad-except
                if ready.done():
                    raise
                ready.set_exception(error)
        self.ended = asyncio.ensure_future(live())
        return await ready

    async def _asked(self, _context, params):
        from mcp.types import ElicitResult
        self.questions.append(params.message)
        labels = params.requested_schema["properties"]["answer"]["enum"]
        wanted = next((label for label in labels if " minute" in label), "Allow once")
        return ElicitResult(action="accept", content={"answer": wanted})

    def result(self, name, /, **arguments):
        self.calls += 1
        waiting = asyncio.run_coroutine_threadsafe(self.client.call_tool(name, arguments), self.loop)
        return waiting.result(PATIENCE)

    def __call__(self, name, /, **arguments):
        result = self.result(name, **arguments)
        if result.is_error:
            raise tap.Failure(f"{name} {arguments}: {result.content[0].text}")
        return result.structured_content

    def text(self, name, /, **arguments):
        return self.result(name, **arguments).content[0].text

    def close(self):
        async def end():
            self.ending.set()
            await self.ended
        asyncio.run_coroutine_threadsafe(end(), self.loop).result(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


class Round:
    """All tasks under one policy: what each took, and what went wrong."""

    def __init__(self, label, policy, tasks):
        self.rows = {}
        with Desktop() as desktop, tempfile.TemporaryDirectory(prefix="perigee-home-") as home:
            if policy:
                pathlib.Path(home, "policy.lua").write_text(policy, encoding="utf-8")
            at_home(desktop)
            env = {**desktop.env, "PERIGEE_HOME": home, "XDG_STATE_HOME": f"{home}/state", "NO_COLOR": "1"}
            with contextlib.closing(Agent(env)) as agent:
                for name, task in tasks:
                    calls, asked = agent.calls, len(agent.questions)
                    tap.case(f"{label}: {name}", task, agent, desktop)
                    self.rows[name] = (agent.calls - calls, agent.questions[asked:])


def without_provenance():
    shipped = (pathlib.Path(TOP) / "lua/policy.lua").read_text(encoding="utf-8")
    begin, returned, rest = shipped.partition("\nreturn {\n")
    assert returned and "from = " in rest, "lua/policy.lua is not as it is known here"
    return f"{begin}\nlocal policy = {{\n{rest}{WITHOUT}"


def table(tasks, full, bare):
    """Calls differ a little between two rounds, because some are made until something is seen."""
    print(f"\n# {'task':<62} calls  questions  by provenance")
    sums = [0, 0, 0]
    for name, _ in tasks:
        calls, asked = full.rows[name]
        row = (calls, len(asked), sum(COPIED in each for each in asked))
        sums = [a + b for a, b in zip(sums, row)]
        print("# {:<62} {:>5} {:>10} {:>14}".format(name, *row))
        for each in asked:
            tap.note("    " + each.replace("\n", "\n    "))
    print("# {:<62} {:>5} {:>10} {:>14}".format("all", *sums))
    others = sum(len(asked) for _, asked in bare.rows.values())
    tap.note(f"without the rules about text from outside: {others} questions")
    return sums[1], others


def main(words):
    logging.disable(logging.WARNING)    # the client's, of tools that are not in the short list
    chosen = [task for task in TASKS if not words or any(word in task[0] for word in words)]
    missing = [name for name in NEEDED if not shutil.which(name)]
    try:
        python = need_python(".venv/2", "mcp 2")
    except tap.Skip as why:
        python, missing = None, [*missing, str(why)]
    if missing:
        print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install wide)")
        return
    if pathlib.Path(sys.prefix).resolve() != pathlib.Path(python).parent.parent.resolve():
        os.execv(python, [python, __file__, *words])
    full = Round("the policy as it comes", None, chosen)
    bare = Round("without provenance", without_provenance(), chosen)
    asked, others = table(chosen, full, bare)
    tap.ok(len(TASKS) == 20, f"{len(TASKS)} tasks")
    tap.ok(asked <= MOST, f"{asked} questions in {len(chosen)} tasks, at most {MOST}")
    tap.ok(asked <= others, f"text from outside adds {asked - others} questions, and none is allowed")
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
