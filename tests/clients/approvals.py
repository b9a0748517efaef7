"""The questions that the Python SDK v2 (`mcp` 2) shows its user if the policy asks, and the answer to a client without questions.

    python approvals.py legacy|modern form|url|none SERVER [ARGUMENT ...]

The server has two tools of the user that the policy asks about: run_shell and create_tool. PERIGEE is our program."""

import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.request

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import checks
from checks import GUARD, text

LABELS = ["Allow once", "Allow for 15 minutes", "Allow until it disconnects", "Do not allow"]
MESSAGE = """The client "mcp" wants to use {tool}.
Why you are asked: it runs what it is given.
Its arguments:
  command: "echo {word}"
Allowing it for longer covers: every call of {tool}, whatever its arguments, for the client "mcp"."""


def approvals(*words):
    done = subprocess.run([os.environ["PERIGEE"], "approvals", *words], capture_output=True, text=True, check=True)
    return done.stdout


def by_page(url, label):
    """Presses the button with this label on the page, as a browser and its user do. Returns the page."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=GUARD) as page:
        shown = page.read().decode()
    action = re.search('action="([^"]+)"', shown).group(1)
    token = re.search(f'value="([0-9a-f]+)">{label}<', shown).group(1)
    opener.open(f"{url[:url.index('/', 8)]}{action}?answer={token}", timeout=GUARD).close()
    return shown


class User:
    """Answers what is next in `answers`: a label, "decline" or "cancel"."""

    def __init__(self, how):
        self.how, self.answers, self.asked = how, [], []

    async def __call__(self, _context, params):
        if params.mode == "form" and self.how == "url":
            return types.ErrorData(code=types.INVALID_PARAMS, message="this client only opens pages")
        answer = self.answers.pop(0)
        if answer in ("decline", "cancel"):
            self.asked.append(params.message)
            return types.ElicitResult(action=answer)
        if params.mode == "url":
            self.asked.append(await asyncio.to_thread(by_page, params.url, answer))
            return types.ElicitResult(action="accept")
        assert params.requested_schema["properties"]["answer"]["enum"] == LABELS, params
        self.asked.append(params.message)
        return types.ElicitResult(action="accept", content={"answer": answer})


class Session:
    def __init__(self, client, user):
        self.client, self.user = client, user

    async def call(self, tool, word, *answers):
        """(text, code, how often the user was asked)"""
        self.user.answers, before = list(answers), len(self.user.asked)
        result = await asyncio.wait_for(self.client.call_tool(tool, {"command": f"echo {word}"}), GUARD)
        assert self.user.answers == [], f"not asked: {self.user.answers}"
        return text(result), (result.meta or {}).get("perigee/code"), len(self.user.asked) - before


async def asked_in_words(it):
    assert await it.call("run_shell", "a", "Allow for 15 minutes") == ("ran echo a", None, 1)
    if it.user.how == "form":
        assert it.user.asked == [MESSAGE.format(tool="run_shell", word="a")], it.user.asked
    else:
        assert "echo a" in it.user.asked[0] and "wants to use run_shell" in it.user.asked[0], it.user.asked


async def remembered_and_revoked(it):
    assert await it.call("run_shell", "b") == ("ran echo b", None, 0)
    listed = json.loads(approvals("--json"))["approvals"]
    what = "every call of run_shell, whatever its arguments"
    assert [(each["what"], each["caller"]) for each in listed] == [(what, 'the client "mcp"')], listed
    assert re.match(rf'[0-9a-f]{{8}}  {what}, for the client "mcp": 14 min left\n$', approvals()), approvals()
    assert approvals("revoke", listed[0]["id"]) == "1 approval revoked\n"
    assert await it.call("run_shell", "c", "Allow once") == ("ran echo c", None, 1)
    assert await it.call("run_shell", "d", "Allow once") == ("ran echo d", None, 1)


async def for_the_session(it):
    assert await it.call("create_tool", "e", "Allow until it disconnects") == ("ran echo e", None, 1)
    assert await it.call("create_tool", "f") == ("ran echo f", None, 0)
    approvals("revoke", "--all")


async def refused(it):
    said, code, asked = await it.call("run_shell", "g", "decline")
    assert (said, code, asked) == ("The user refused run_shell. Nothing was done.", "denied", 1), said
    said, code, asked = await it.call("run_shell", "h")
    assert code == "denied" and asked == 0 and "was not asked again" in said, said
    said, code, asked = await it.call("create_tool", "i", "cancel")
    assert code == "denied" and asked == 1, said


async def not_approved(it):
    said, code, _ = await it.call("run_shell", "a")
    assert code == "not_approved", said
    for part in ("needs the user's approval: run_shell (it runs what it is given; rule ", "the client has no elicitation",
                 "rule in policy.lua", "perigee policy explain run_shell", "Nothing was done."):
        assert part in said, said


WITH = [("is asked, in words that say who wants what, and why", asked_in_words),
        ("is not asked again, until the approval is revoked", remembered_and_revoked),
        ("approves until it disconnects", for_the_session), ("declines, and cancels", refused)]
WITHOUT = [("gets not_approved, and what the user can do", not_approved)]


async def main(mode, how, command, *arguments):
    user = User(how) if how != "none" else None
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server, mode="2026-07-28" if mode == "modern" else mode, elicitation_callback=user) as client:
        for name, check in WITH if user else WITHOUT:
            try:
                await check(Session(client, user or User(how)))
            except Exception as error:  # pylint: disable=broad-except
                checks.point(name, False, repr(error))
            else:
                checks.point(name, True)
    checks.done()


asyncio.run(main(*sys.argv[1:]))
