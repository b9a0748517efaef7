#!/usr/bin/env python3
"""tests/layers_lua.py: what it says of small trees."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import layers_lua   # noqa: E402
import tap          # noqa: E402

ABOVE = 'lua/{}:{} requires "{}", which is above it'


def said(files):
    with tempfile.TemporaryDirectory(prefix="perigee-layers-") as top:
        for name, text in files.items():
            path = pathlib.Path(top, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return layers_lua.faults(top)


def case(title, files, *wanted):
    def run():
        found = said(files)
        assert found == list(wanted), found
    tap.case(title, run)


case("a file requires its own folder and those before it",
     {"lib/keys.lua": "", "lib/desktop/names.lua": 'local keys = require "keys"\n',
      "lib/desktop/apps.lua": 'local keys, names = require("keys"), require "desktop.names"\n',
      "tools/a/b.lua": 'local apps = require "desktop.apps"\n'})
case("a file does not require a folder after its own",
     {"lib/keys.lua": '\nlocal names = require "desktop.names"\n', "lib/desktop/names.lua": ""},
     ABOVE.format("lib/keys.lua", 2, "desktop.names"))
case("a function does not require a folder after its file's own either",
     {"lib/keys.lua": 'return function() return require("desktop.names").of() end\n', "lib/desktop/names.lua": ""},
     ABOVE.format("lib/keys.lua", 1, "desktop.names"))
case("two folders do not require each other",
     {"lib/desktop/a.lua": 'local b = require "elements.read.b"\n', "lib/desktop/c.lua": "",
      "lib/elements/read/b.lua": 'local c = require "desktop.c"\n'},
     ABOVE.format("lib/desktop/a.lua", 1, "elements.read.b"))
case("a folder and its folders have places of their own",
     {"lib/desktop/a.lua": 'local b = require "desktop.tools.b"\n', "lib/desktop/tools/b.lua": ""},
     ABOVE.format("lib/desktop/a.lua", 1, "desktop.tools.b"))
case("the file beside a folder is of that folder",
     {"lib/oauth.lua": 'local flow = require "oauth.flow"\n', "lib/oauth/flow.lua": "", "lib/sys/url.lua": "",
      "lib/keys.lua": 'local oauth = require "oauth"\n'},
     ABOVE.format("lib/keys.lua", 1, "oauth"))
case("one file can have a place of its own",
     {"lib/sys/path.lua": "", "lib/sys/url.lua": "", "lib/icons.lua": 'local path = require "sys.path"\nlocal url = require "sys.url"\n'},
     ABOVE.format("lib/icons.lua", 2, "sys.url"))
case("files of one folder make no circle",
     {"lib/mail/a.lua": 'local b = require "mail.b"\n', "lib/mail/b.lua": 'return function() return require "mail.c" end\n',
      "lib/mail/c.lua": 'local a = require "mail.a"\n', "lib/mail/d.lua": 'local a = require "mail.a"\n'},
     "files require one another: lua/lib/mail/a.lua, lua/lib/mail/b.lua, lua/lib/mail/c.lua")
case("a module of C is not its rest in Lua",
     {"lib/sys/time.lua": "local M = {}\nfunction M.every() end\nreturn M\n",
      "lib/icons.lua": 'local time = require "sys.time"\nprint(time.now())\n'})
case("the rest is what a file uses of it",
     {"lib/sys/time.lua": "local M = {}\nfunction M.every() end\nreturn M\n",
      "lib/icons.lua": 'local time = require "sys.time"\nprint(time.every(1))\n'},
     ABOVE.format("lib/icons.lua", 1, "sys.time"))
case("a new folder needs a place", {"lib/novel/a.lua": ""}, "lua/lib/novel/a.lua is in no layer (tests/layers_lua.py)")
for text in ("local a = require(name)", "local ok, a = pcall(require, name)", "local a = require"):
    case(f"a computed name is told: {text}", {"lib/keys.lua": text + "\n"},
         "lua/lib/keys.lua:1 computes the name of a module: add it to COMPUTED of tests/layers_lua.py")
case("the modules of a system are required by the file that names them",
     {"lib/power/backend.lua": '  linux = "policy.rule", macos = "power.macos",\n', "lib/power/macos.lua": "", "lib/policy/rule.lua": ""},
     ABOVE.format("lib/power/backend.lua", 1, "policy.rule"))
case("comments and templates require nothing",
     {"lib/keys.lua": '-- local a = require "desktop.a"\nlocal t = [[\nlocal a = require "desktop.a"\n]]\nlocal n = "require it"\n',
      "lib/desktop/a.lua": ""})


def the_tour_names_each_folder():
    with tempfile.TemporaryDirectory(prefix="perigee-layers-") as top:
        for name in ("lib/keys.lua", "lib/mail/a.lua", "lib/mail/gmail/b.lua"):
            path = pathlib.Path(top, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        found = layers_lua.untold(top, "| `mail` | mail |")
        assert found == ["docs/tour.md lacks `mail/gmail`, a folder of lua/lib"], found
        assert layers_lua.untold(top, "| `mail/gmail`, `mail` | mail |") == []


tap.case("the tour names each folder", the_tour_names_each_folder)
tap.done()
