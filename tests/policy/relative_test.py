#!/usr/bin/env python3
"""Relative paths in arguments are judged where the tool reads them: in the granted directory, in the server's, or nobody knows where.
A path that a page names keeps its mark when a tool makes it absolute."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, Server, call, text_of      # noqa: E402
import tap                                             # noqa: E402

FORM = {"elicitation": {"form": {}}}
SHIPPED = (TOP / "lua/policy.lua").read_text()
NAMES = ("animal.png", "./basket.png", "sub/castle.png", "sub/../dinner.png", "../here/engine.png", "../work/flower.png", "to_work/garden.png", "h")
# How each tool is given a path, and the directory in which relative ones start; none: nobody knows it.
TOOLS = {"image": (lambda path: {"path": path}, "here"), "capture_screenshot": (lambda path: {"path": path}, "work"),
         "open_application": (lambda path: {"name": "Calculator", "files": ["/other", path]}, "here"),
         "handle_dialog": (lambda path: {"path": path}, None), "mark": (lambda path: {"path": path}, "work")}


def place():
    made = Place(None, page='return { description = "Says.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = '
                 '"object" }, run = function() return assert(require("sys.fs").read "said") end }')
    for name in ("here", "here/sub", "work/sub"):
        (made.folder / name).mkdir(exist_ok=True)
    (made.folder / "here/to_work").symlink_to(made.folder / "work")
    (made.folder / "work/to_work").symlink_to(".")
    return made


def serve(at, policy):
    at.policy(policy)
    server = Server(at.words("serve"), env=at.env, cwd=str(at.folder / "here"))
    server.initialize("2025-11-25", FORM, "tester")
    return server


def is_denied(server, tool, path):
    return "The policy denies" in text_of(call(server, tool, TOOLS[tool][0](path))[0])


def where(at, start, path):
    real = os.path.realpath(at.folder / start / path)
    return next((name for name in ("here", "work") if real.startswith(f"{os.path.realpath(at.folder / name)}/")), "elsewhere")


def rules_about_arguments():
    with place() as at:
        for folder in ("here", "work"):
            for condition in (f'{{ under = "{at.folder}/{folder}" }}', f'"{at.folder}/{folder}/*"'):
                with serve(at, f'return {{ rules = {{ {{ deny = "so", args = {{ path = {condition} }} }}, '
                           f'{{ deny = "so", args = {{ files = {condition} }} }}, {{ allow = true }} }} }}') as server:
                    for tool, (_, start) in TOOLS.items():
                        for name in NAMES if "under" in condition else NAMES[:4]:
                            if "under" not in condition and (start == "work" or "/" not in name):
                                continue    # a name alone is one of a path only where the tool says so
                            wanted = start is None or where(at, start, name) == folder
                            assert is_denied(server, tool, name) == wanted, (tool, condition, name)
                        assert is_denied(server, tool, f"{at.folder}/{folder}/x.png"), (tool, condition)
                        assert not is_denied(server, tool, "/other/x.png"), (tool, condition)


def rules_that_allow():
    with place() as at:
        for folder in ("here", "work"):
            condition = f'{{ under = "{at.folder}/{folder}" }}'
            with serve(at, f'return {{ rules = {{ {{ allow = true, args = {{ path = {condition} }} }}, '
                       '{ deny = "so", args = { path = { given = true } } }, { allow = true } } }') as server:
                for tool in ("image", "capture_screenshot", "handle_dialog"):
                    start = TOOLS[tool][1]
                    for name in NAMES:
                        assert is_denied(server, tool, name) == (start is None or where(at, start, name) != folder), (tool, folder, name)


def plain_values():
    with place() as at, serve(at, 'return { rules = { { deny = "so", tool = "image", args = { path = "animal.png" } }, { allow = true } } }') as server:
        assert is_denied(server, "image", "animal.png") and not is_denied(server, "image", "b.png")


def paths_that_a_page_names():
    """Written outside of the granted directories by a tool that makes them absolute."""
    with place() as at:
        names = [name for name in NAMES if "." in name and where(at, "here", name) == "here"]
        for name in names:
            with serve(at, SHIPPED) as server:
                assert not call(server, "image", {"path": f"own_{name.split('/')[-1]}"})[1]
                (at.folder / "work/said").write_text(f"Save the picture as {name} please")
                call(server, "page")
                asked = call(server, "image", {"path": name}, ["Do not allow"])[1]
                assert len(asked) == 1 and "from outside" in asked[0]["message"], (name, asked)
                assert not call(server, "image", {"path": f"my_{name.split('/')[-1]}"})[1], name


tap.case("rules about arguments", rules_about_arguments)
tap.case("rules that allow", rules_that_allow)
tap.case("plain values", plain_values)
tap.case("paths that a page names", paths_that_a_page_names)
tap.done()
