#!/usr/bin/env python3
"""Keys that a call holds down are for the window in which it pressed them: they are up before another one gets the keyboard by a
call, and soon after it gets it in another way. Letting go is never refused."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
from desktop import Desktop                       # noqa: E402
from tools import until                           # noqa: E402
from two_windows import World                     # noqa: E402
import tap                                        # noqa: E402
import xclient                                    # noqa: E402

NEEDED = ("Xvfb", "openbox", "xterm", "xdotool")
DENY = "return { rules = { { deny = 'no', effect = 'input', terminal = true, how = '*' }, { allow = true } } }"
DOES = """
local input = require "sys.input"
return { description = "Does it.", inputSchema = { type = "object" }, run = function()
  local done, err, code = (%s)()
  if not done then return nil, err, code end
  return "done"
end }
"""


def window_of(server, title):
    found = until(lambda: [each for each in call(server, "list_windows", {})[0]["structuredContent"]["windows"] if title in each["title"]], title)
    return found[0]["name"]


class Held:
    """A window with the focus, in which a key is held down, and a terminal."""

    def __init__(self, desktop, at, server, client):
        self.world, self.at, self.server, self.client = desktop, at, server, client
        self.names = {title: window_of(server, title) for title in ("the terminal", "the notes")}

    def hold(self, keys):
        self.world.xdo("windowactivate", "--sync", self.world.notes)
        until(lambda: self.focused() == self.names["the notes"], "the focus")
        result, _ = call(self.server, "create_input", {"action": "key_down", "keys": keys})
        assert not result.get("isError"), (keys, result)
        assert self.client.keys_down(), "the keys are down"

    def to_the_terminal(self):
        self.world.xdo("windowactivate", "--sync", self.world.terminal)
        until(lambda: self.focused() == self.names["the terminal"], "the focus")

    def focused(self):
        return next((each["name"] for each in call(self.server, "list_windows", {})[0]["structuredContent"]["windows"] if each.get("focused")), None)

    def release(self, keys):
        result, _ = call(self.server, "create_input", {"action": "key_up", "keys": keys})
        assert not result.get("isError"), text_of(result)
        assert not self.client.keys_down()


def held(test):
    def run():
        with Desktop() as desktop:
            world = World(desktop)
            with world.stack, Place(DENY) as at:
                at.env = {**desktop.env, **at.env, "PERIGEE_DESKTOP": "x11"}
                with at.serve() as server, xclient.Client(desktop.env["DISPLAY"]) as client:
                    test(Held(world, at, server, client))
    return run


# Calls that give the keyboard to the terminal.
MOVES = (("focus_window", lambda it: {"name": it.names["the terminal"]}),
         ("activate_application", lambda it: {"name": it.names["the terminal"].split("/windows")[0]}),
         ("minimize_window", lambda it: {"name": it.names["the notes"]}),
         ("run_lua", lambda it: {"code": "local w = tools.focus_window { name = '%s' } return w" % it.names["the terminal"]}))


@held
def by_a_call(it):
    for tool, arguments in MOVES:
        for keys in ("Return", "x", "ctrl+Return"):
            it.hold(keys)
            call(it.server, tool, arguments(it))
            assert not it.client.keys_down(), (tool, keys)
            it.release(keys)
    assert it.world.typed("terminal") == "", it.world.typed("terminal")


@held
def by_keys_of_the_window_manager(it):
    it.hold("Return")
    call(it.server, "create_input", {"action": "keys", "keys": "alt+tab"})
    assert not it.client.keys_down()
    it.release("Return")


@held
def by_others(it):
    for keys in ("Return", "x"):
        it.hold(keys)
        it.world.xdo("windowfocus", "--sync", it.world.terminal)
        until(lambda: not it.client.keys_down(), "the release")
        it.release(keys)


@held
def held_for_a_time(it):
    """Keys of a call that holds them for a duration."""
    it.world.xdo("windowfocus", "--sync", it.world.notes)
    until(lambda: it.focused() == it.names["the notes"], "the focus")
    waiting = it.server.post("tools/call", {"name": "create_input", "arguments": {"action": "hold", "keys": "Return", "duration": 60}})
    until(lambda: it.client.keys_down(), "the key")
    it.world.xdo("windowfocus", "--sync", it.world.terminal)
    until(lambda: not it.client.keys_down(), "the release")
    answer = it.server.find(lambda each: each.get("id") == waiting and "method" not in each)
    assert code_of(answer["result"]) == "FOCUS_LOST", answer


@held
def in_the_same_window(it):
    """A game: keys that are held while others are pressed and the pointer moves stay down."""
    it.hold("w")
    for arguments in ({"action": "keys", "keys": "space"}, {"action": "move", "x": 200, "y": 200}, {"action": "type", "text": "abc"},
                      {"action": "keys", "keys": "shift+a"}):
        assert not call(it.server, "create_input", arguments)[0].get("isError"), arguments
        assert it.client.keys_down(), arguments
    it.release("w")


# Actions that change the modifiers which are down, and how many they leave down.
CHANGES = (({"action": "key_down", "keys": "ctrl"}, 1), ({"action": "key_down", "keys": "ctrl+shift"}, 2),
           ({"action": "key_down", "keys": "alt"}, 1), ({"action": "keys", "keys": "ctrl"}, 0),
           ({"action": "hold", "keys": "control", "duration": 0.05}, 0), ({"action": "keys", "keys": "Ctrl+c"}, 0),
           ({"action": "click", "x": 200, "y": 200, "modifiers": ["ctrl"]}, 0),
           ({"action": "scroll", "x": 200, "y": 200, "scroll_y": 1, "modifiers": ["ctrl", "shift"]}, 0))
SHIFT = (({"action": "key_down", "keys": "shift"}, 1), ({"action": "keys", "keys": "shift"}, 0), ({"action": "keys", "keys": "A"}, 0),
         ({"action": "type", "text": "aA"}, 0), ({"action": "click", "x": 200, "y": 200, "modifiers": ["shift"]}, 0))


def after(it, held, down, arguments, keys_left):
    """So many keys are down after the action, while `held` was down, and the modifier `down` before it."""
    for keys in filter(None, (down, held)):
        it.hold(keys)
    result, _ = call(it.server, "create_input", arguments)
    assert not result.get("isError"), (held, arguments, text_of(result))
    assert it.client.keys_down() == keys_left, (held, down, arguments, it.client.keys_down())
    assert not call(it.server, "create_input", {"action": "key_up", "keys": "ctrl+alt+shift"})[0].get("isError")
    if it.client.keys_down():
        it.release(held)


@held
def other_modifiers(it):
    """A held key is up before modifiers make another one of it, which the server would repeat, unjudged."""
    for key in ("w", "Return"):
        for arguments, left in CHANGES:
            after(it, key, None, arguments, left)
        for arguments, left in SHIFT:
            after(it, key, None, arguments, left + (key == "w"))
        for arguments, left in (({"action": "key_down", "keys": "shift"}, 2), ({"action": "key_up", "keys": "ctrl"}, 0),
                                ({"action": "type", "text": "a"}, 0)):
            after(it, key, "ctrl", arguments, left)


@held
def letting_go_where_nothing_may_go(it):
    """Also by a call that was refused something before."""
    it.hold("shift")
    it.to_the_terminal()
    assert code_of(call(it.server, "create_input", {"action": "keys", "keys": "a"})[0]) == "denied"
    it.release("shift")
    for number, way in enumerate(("input.key_up 'shift'", "input.send { kind = 'key_up', chord = 'shift' }")):
        it.hold("shift")
        it.to_the_terminal()
        name = f"does_{number}"
        it.at.put(f"home/tools/test/{name}.lua", DOES % ("function() input.keys 'a' return %s end" % way))
        until(lambda name=name: name in [each["name"] for each in it.server.ask("tools/list")["result"]["tools"]], "the tool")
        assert code_of(call(it.server, name)[0]) == "denied" and not it.client.keys_down(), way


@held
def letting_go_where_no_call_may_be_made(it):
    """The call is refused, and the keys are let go; those that no call holds are not."""
    for keys in ("shift", "ctrl+shift", "x"):
        it.hold(keys)
        it.at.policy("return { rules = { { allow = true, tool = 'list_*' }, { deny = 'no', tool = 'create_input' }, { allow = true } } }")
        until(lambda: code_of(call(it.server, "create_input", {"action": "move", "x": 1, "y": 1})[0]) == "denied", "the policy")
        assert it.client.keys_down(), keys
        result, _ = call(it.server, "create_input", {"action": "key_up", "keys": keys})
        assert code_of(result) == "denied" and "The keys were let go" in text_of(result) and not it.client.keys_down(), (keys, result)
        assert "Nothing was done" in text_of(call(it.server, "create_input", {"action": "key_up", "keys": keys})[0])
        it.at.policy(DENY)
        until(lambda: not call(it.server, "create_input", {"action": "move", "x": 1, "y": 1})[0].get("isError"), "the policy")


for title, function in (("before a call gives the keyboard to another window", by_a_call), ("before keys that a window manager takes", by_keys_of_the_window_manager),
                        ("when somebody else does", by_others),
                        ("keys that are held for a time", held_for_a_time), ("keys that stay down", in_the_same_window),
                        ("before other modifiers", other_modifiers),
                        ("letting go where nothing may go", letting_go_where_nothing_may_go),
                        ("letting go where no call may be made", letting_go_where_no_call_may_be_made)):
    def case(function=function):
        missing = [name for name in NEEDED if not shutil.which(name)]
        if missing:
            raise tap.Skip("not installed: " + ", ".join(missing))
        function()
    tap.case(title, case)
tap.done()
