#!/usr/bin/env python3
"""A path is judged as the function reads it that opens it: "~", relative ones, links, and the directory that a process starts in."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, Server, call, text_of         # noqa: E402
from desktop import Desktop                          # noqa: E402
import tap                                           # noqa: E402
from tools import until                              # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon")

ACTS = """
local app, fs, process, screen = require "sys.app", require "sys.fs", require "sys.process", require "sys.screen"
local ACTS = {
  write = function(path) return fs.write(path .. ".txt", "x") end,
  append = function(path) return fs.append(path .. ".txt", "x") end,
  make_folder = function(path) return fs.make_folder(path .. ".txt") end,
  copy = function(path) return fs.copy("from", path .. ".txt") end,
  rename = function(path) return fs.rename("from", path .. ".txt") end,
  remove = function(path) return fs.remove(path) end,
  capture = function(path) return screen.capture { path = path .. ".png" } end,
  cwd = function(path) return process.run { "touch", "made.txt", cwd = path ~= "" and path or nil } end,
  program = function(path, cwd) return process.run { path, cwd = cwd } end,
  start = function(path) return app.open { name = "org.example.logger", files = { path }, new = true, wait = 0.1 } end,
}
return { description = "Acts.", inputSchema = { type = "object" }, run = function(args)
  local done, err, code = ACTS[args.act](args.path, args.cwd)
  return { said = done and "done" or code .. ": " .. err }
end }
"""
PLACES = ("work", "here", "home")      # the first granted directory, the server's own, and the user's home
NAMES = ("made", "./made", "sub/../made", "~/made", "~//made", "~/./made", "~/../here/made", "~/../work/made", "../here/made", "../home/made",
         "./~/made", "sub/../../home/made", "to_here/made", "to_home/made", "~/to_work/made", "to_home/../here/made")
FOLDERS = ("", ".", "~", "./~", "~/", "~/.", "~/sub", "../work", "../home", "sub/..", "to_home", "~/to_work", "~/../work", "~/../here")


class Judged:
    """A server for each of the directories that denies what is done in it."""

    def __init__(self, condition, env=None):
        self.place = Place(None, acts=ACTS)
        if env:
            self.place.env.update(env, XDG_DATA_HOME=str(self.place.folder / "home_of_user/.local/share"))
            del self.place.env["PERIGEE_DESKTOP"]
        self.place.env["HOME"] = str(self.place.folder / "home_of_user")
        self.at = {"work": self.place.folder / "work", "here": self.place.folder / "here", "home": self.place.folder / "home_of_user"}
        for folder in self.at.values():
            for name in (folder, folder / "sub", folder / "~"):
                name.mkdir(exist_ok=True)
            for name, to in (("here", self.at["here"]), ("home", self.at["home"]), ("work", self.at["work"])):
                (folder / f"to_{name}").symlink_to(to)
        tools = (self.place.folder / "home").rename(self.place.folder / "tools")
        (self.place.folder / "home").symlink_to(self.at["home"])     # "../home" is a directory as the others
        self.servers = {}
        for name, folder in self.at.items():
            rules = f'{{ {{ deny = "so", {condition.format(folder)} }}, {{ allow = true }} }}'
            shutil.copytree(tools, self.place.folder / f"denies_{name}")
            self.place.put(f"denies_{name}/policy.lua", f"return {{ rules = {rules} }}")
            self.place.env["PERIGEE_HOME"] = str(self.place.folder / f"denies_{name}")
            words = self.place.words("serve", "--grant", str(self.at["here"]), "--grant", str(self.at["home"]))
            self.servers[name] = Server(words, env=self.place.env, cwd=str(self.at["here"]))
            self.servers[name].initialize("2025-11-25", {}, "tester")

    def made(self):
        return [each for folder in self.at.values() for each in folder.rglob("*")
                if not each.is_symlink() and each.suffix in (".txt", ".png")]

    def judge(self, act, path, **more):
        """The names of the servers that deny it, and the places where the others did it."""
        denies, places = set(), set()
        for name, server in self.servers.items():
            (self.at["work"] / "from").write_text("x")
            said = text_of(call(server, "acts", {"act": act, "path": path, **more})[0])
            made = until(self.made, f"a file of {path}, {name}: {said}") if act == "start" and "does not let it" not in said else self.made()
            if "does not let it" in said:
                assert not made, (act, path, name, made)
                denies.add(name)
            else:
                assert '"done"' in said and len(made) == 1, (act, path, name, said, made)
                where = os.path.realpath(made[0])
                places |= {each for each, folder in self.at.items() if where.startswith(f"{folder}/")}
                if made[0].is_dir():
                    made[0].rmdir()
                else:
                    made[0].unlink()
        return denies, places

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers.values():
            server.__exit__(*_)
        self.place.__exit__()


def files_that_are_made():
    with Judged('effect = "file", paths = {{ under = "{}" }}') as judged:
        for act in ("write", "append", "make_folder", "copy", "rename", "capture"):
            for name in NAMES:
                denies, places = judged.judge(act, name)
                source = {"work"} if act in ("copy", "rename") else set()
                assert len(places) == 1 and denies == places | source, (act, name, denies, places)


def directories_of_processes():
    with Judged('effect = "process", cwd = {{ under = "{}" }}') as judged:
        for folder in FOLDERS:
            denies, places = judged.judge("cwd", folder)
            assert denies == places and len(places) == 1, (folder, denies, places)


def programs_in_directories():
    """A program with a path starts in the directory of its process."""
    with Judged('effect = "process", argv = {{ under = "{}" }}') as judged:
        for folder in judged.at.values():
            for each in ("made", "~/made"):
                path = folder / each.replace("made", "prog")
                path.write_text('#!/bin/sh\ntouch "$0.txt"\n')
                path.chmod(0o755)
        for cwd in (None, ".", "~", str(judged.at["work"]), "../work", "../home"):
            for program in ("./prog", "../work/prog", "~/prog", "sub/../prog", "./~/prog"):
                denies, places = judged.judge("program", program, **({"cwd": cwd} if cwd else {}))
                assert len(places) == 1 and denies == places, (program, cwd, denies, places)


def files_that_are_opened():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        raise tap.Skip("not installed: " + ", ".join(missing))
    with Desktop() as desktop:
        with Judged('effect = "start", paths = {{ under = "{}" }}', desktop.env) as judged:
            judged.place.put("home_of_user/.local/share/applications/org.example.logger.desktop", "[Desktop Entry]\nType=Application\nName=Logger\n"
                             f"Exec={judged.place.folder}/log %f\n")
            program = judged.place.folder / "log"
            program.write_text('#!/bin/sh\ntouch "$1.tmp"\nmv "$1.tmp" "$1.txt"\n')
            program.chmod(0o755)
            for name in NAMES:
                denies, places = judged.judge("start", name)
                assert len(places) == 1 and denies == places, (name, denies, places)


tap.case("files that are made", files_that_are_made)
tap.case("directories of processes", directories_of_processes)
tap.case("programs in the directories of their processes", programs_in_directories)
tap.case("files that are opened", files_that_are_opened)
tap.done()
