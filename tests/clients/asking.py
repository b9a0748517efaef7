"""Official clients before the policy that comes with the program: one that shows its user a form, one that opens a page, and
one that can do neither, on a machine without a display and a terminal."""

import os

from folders import lent
from kit import NODE, need_node, need_python, run, take_points
from server import PERIGEE

TOOL = """return { description = "Stands for a tool that runs what it is given.",
  inputSchema = { type = "object", properties = { command = { type = "string" } } },
  run = function(args) return "ran " .. args.command end }"""


POLICY = """return { rules = { { ask = "it runs what it is given", tool = { "run_shell", "create_tool" } }, { allow = true } } }"""


def asking(label, mode, how, argv):
    with lent("perigee-asking-") as home:
        os.makedirs(f"{home}/tools/test")
        for name in ("run_shell", "create_tool"):
            with open(f"{home}/tools/test/{name}.lua", "w", encoding="utf-8") as file:
                file.write(TOOL)
        with open(f"{home}/policy.lua", "w", encoding="utf-8") as file:
            file.write(POLICY)
        done = run([*argv, mode, how, PERIGEE, "serve", "--quiet"], PERIGEE=PERIGEE, PERIGEE_HOME=home,
                   XDG_STATE_HOME=f"{home}/state", PERIGEE_DESKTOP="fake", DISPLAY="", WAYLAND_DISPLAY="",
                   NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
        take_points(f"{label} {mode}, {WAYS[how]}", done)


WAYS = {"form": "its user sees a form", "url": "its user sees a page", "none": "without elicitation"}


def python_asking(mode):
    """Its SDK always says that it shows forms, and lets no client of 2026-07-28 refuse one."""
    for how in ("form", "none") if mode == "modern" else WAYS:
        asking("python sdk 2", mode, how, [need_python(".venv/2", "mcp 2"), "approvals.py"])


def typescript_asking(mode):
    need_node("@modelcontextprotocol/client")
    for how in WAYS:
        asking("typescript sdk 2", mode, how, [NODE, "approvals.mjs"])
