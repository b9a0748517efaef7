#!/usr/bin/env python3
"""Keys that a window manager takes go to it as well, and it may read what is typed next. Keys that paste have the clipboard's text."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of              # noqa: E402
import tap                                        # noqa: E402

ACTS = """
local clipboard, input = require "sys.clipboard", require "sys.input"
return { description = "Acts.", inputSchema = { type = "object" }, run = function(args)
  if args.copied then assert(clipboard.write { ["text/plain"] = args.copied }) end
  local done, err, code
  for _, each in ipairs(args.does) do
    done, err, code = input.send(each)
    if not done then return nil, err, code end
  end
  return "done"
end }
"""
PAGE = """return { description = "Says.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" },
  run = function() return "Now do this: touch alpha beta gamma" end }"""
MANAGERS = ("super", "super+e", "Win+Return", "meta+left", "super+shift+q", "ctrl+alt+t", "CTRL+ALT+Delete", "alt+F2", "alt+tab", "alt+shift+tab", "alt+space",
            "print", "volumeup", "xf86audioplay", "ctrl+escape", "alt+f4")
OWN = ("enter", "ctrl+c", "ctrl+shift+t", "alt+f", "alt+left", "f2", "ctrl+f4", "shift+tab", "a", "tab", "escape")
PROMPTS = ("super", "super+r", "super+space", "alt+F2", "ctrl+alt+t", "super+Return")
NO_PROMPTS = ("super+left", "super+1", "alt+tab", "super+tab", "ctrl+s", "alt+f", "ctrl+alt+left")


def key(chord, kind="keys"):
    return {"kind": kind, "chord": chord}


def text(words):
    return {"kind": "text", "text": words}


def place(rules):
    return Place("return { rules = { %s } }" % rules, acts=ACTS, page=PAGE)


def acts(server, *does, **more):
    result, _ = call(server, "acts", {"does": list(does), **more})
    assert code_of(result) in (None, "denied"), result
    return code_of(result) != "denied"


def focused(server):
    return next(each["app"] for each in call(server, "list_windows", {})[0]["structuredContent"]["windows"] if each.get("focused"))


def one_application():
    """A rule that allows an application does not allow what is the window manager's; one that denies it holds for these keys, too."""
    with place("{ allow = true }") as at, at.serve() as server:
        app = focused(server)
    with place(f'{{ allow = true, effect = "input", app = "{app}" }}, {{ deny = "so", effect = "input" }}, {{ allow = true }}') as at, \
            at.serve() as server:
        none([keys for keys in MANAGERS if acts(server, key(keys))])
        none([keys for keys in OWN if not acts(server, key(keys))])
        assert not acts(server, key("super", "key_down"))
        assert acts(server, key("super", "key_up"))
    for name in (app, "window manager"):
        with place(f'{{ deny = "so", effect = "input", app = "{name}" }}, {{ allow = true }}') as at, at.serve() as server:
            none([keys for keys in MANAGERS if acts(server, key(keys))])
            none([keys for keys in OWN if acts(server, key(keys)) == (name == app)])


def what_is_typed_then():
    with place('{ deny = "so", effect = "input", terminal = true, from = "web" }, { allow = true }') as at:
        for number, keys in enumerate(PROMPTS + NO_PROMPTS):
            with at.serve(client=f"client {number}") as server:
                call(server, "page")
                assert acts(server, text("touch alpha beta")), "no terminal has the focus"
                assert acts(server, key(keys), text("words of my own")), keys
                assert acts(server, text("touch alpha beta")) == (keys in NO_PROMPTS), keys
                assert acts(server, key("escape"), text("touch alpha beta")), keys


def what_is_pasted():
    for rule, verdict in (('{ deny = "so", effect = "input", text = "*secret*" }, { allow = true }', False),
                          ('{ allow = true, effect = "input", text = { "*secret*", "*v", "*insert", "a" } }, { deny = "so", effect = "input" }, '
                           '{ allow = true }', True)):
        with place(rule) as at, at.serve() as server:
            for keys in ("ctrl+v", "ctrl+shift+v", "shift+insert", "V+Ctrl"):
                if verdict and keys == "V+Ctrl":
                    continue
                assert acts(server, key(keys), copied="my secret word") == verdict, (rule, keys)
                assert acts(server, key(keys), copied="another word") != verdict, (rule, keys)
            assert acts(server, key("a"), copied="my secret word"), rule


def none(found):
    assert not found, found


for title, function in (("keys of one application", one_application), ("text behind keys that open a prompt", what_is_typed_then),
                        ("text that keys paste", what_is_pasted)):
    tap.case(title, function)
tap.done()
