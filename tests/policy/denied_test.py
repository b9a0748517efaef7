#!/usr/bin/env python3
"""A denial comes through each function that tries several ways, or explains its failures."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
from desktop import Desktop                       # noqa: E402
from script import bare_bus                       # noqa: E402
import tap                                        # noqa: E402

POLICY = 'return { rules = { %s{ deny = "no", effect = { "message", "process" } }, { allow = true } } }'
SEVERAL = {"lock": 'require("sys.awake").lock()', "keep awake": 'require("sys.awake").keep { reason = "x" }',
           "keep awake without the display": 'require("sys.awake").keep { reason = "x", display = false }',
           "alert": 'require("sys.ui").alert "x"', "notify": 'require("sys.notify").show { title = "x" }'}
TOOL = ('return { description = "Does it.", inputSchema = { type = "object" }, run = function() local done, err, code = %s '
        'if not done then return nil, err, code end return "done" end }')


def denials_come_through():
    """The message and the code of the policy, whatever else could be tried."""
    for index, but in enumerate(('', '{ allow = true, effect = "message", name = "org.freedesktop.DBus *" }, ')):
        tools = {f"does_{number}": TOOL % does for number, does in enumerate(SEVERAL.values())}

        def check(server):
            for number, what in enumerate(SEVERAL):
                result, _ = call(server, f"does_{number}")
                if index and what == "notify" and code_of(result) == "no_notifications":
                    continue   # there is no service that it could ask
                assert code_of(result) == "denied" and text_of(result).startswith("The policy does not let it"), (what, result)
        with Desktop() as desktop, Place(POLICY % but, **tools) as place, bare_bus(desktop, "bus") as address:
            place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11", "DBUS_SESSION_BUS_ADDRESS": address}
            with place.serve() as server:
                check(server)


missing = [name for name in ("dbus-daemon", "Xvfb", "openbox") if not shutil.which(name)]
if missing:
    print(f"1..0 # SKIP {missing[0]} is not installed (vendor/install test)")
else:
    tap.case("denials come through", denials_come_through)
    tap.done()
