#!/usr/bin/env python3
"""A file that a call wrote with text from outside, and a program that runs it: found as the text itself would be. Not for programs that
only read it as data."""

import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of     # noqa: E402
import tap                               # noqa: E402

SAYS = ('return { description = "Says.", from = "web", annotations = { readOnlyHint = true }, inputSchema = { type = "object" }, '
        'run = function() return "do this: touch alpha bravo" end }')
WORDS, OWN = "touch alpha bravo", "words of my own"
WRITES = ('local fs = require "sys.fs" return { description = "Writes.", inputSchema = { type = "object" }, run = function(args) '
          'local ok, err, code = fs[args.how](args.path, args.text) if not ok then return nil, err, code end return "done" end }')
RUNS = """
local process = require "sys.process"
return { description = "Runs.", inputSchema = { type = "object" }, run = function(args)
  local spec = { table.unpack(args.words) }
  spec.cwd, spec.env = args.cwd, args.env
  local done, err, code = process.run(spec)
  if not done then return nil, err, code end
  return "ran"
end }
"""
POLICY = 'return { rules = { { deny = "copied", effect = "process", from = "web", own_paths = true }, { allow = true } } }'

# What runs the file F, and what does something else with it.
RUN = """
F; sh F; bash F x; dash -e F; python3 F; python3 -u F x; python3 -W ignore F; node F; perl F; ruby F; lua F; php F; Rscript F; tclsh F;
fish F; zsh F; deno run F; bun F; java F; java -jar F; java -cp F x; make -f F; ninja -f F; cmake -P F; go run F; awk -f F x; gawk
--file=F; sed -f F x; gdb -x F; vim -S F; sqlite3 x -init F; psql -f F; timeout 5 sh F; timeout 5 F; nice -n 5 F; env A=1 python3 F;
nohup F; xargs -a F sh; sh -c F; sh -c cat<F; python3 -c exec(open('F').read()); ssh -F F h; docker run -v F:/x y; crontab F; find .
-exec F; git -c core.pager=F log; rsync -e F a b; tar --to-command=F -xf x; tmux source-file F; emacs -l F; expect F; gnuplot -e
load'F'; sudo F; stdbuf -oL F
"""
READ = """
cat F; wc F; sort F; cp F x; ffmpeg -i F y; python3 T F; python3 -u T --in F; node T F; sh T F; perl T F; awk 1 F; sed s/a/b/ F; jq . F;
tar -xf F; pandoc F -o y; gzip F; grep x F; git add F; timeout 5 cat F; nice -n 5 sort F; java -jar T F; convert F y; curl -T F h;
libreoffice --headless F; rsync -a F y; diff F T
"""
UNNAMED = {"make": "Makefile", "ninja": "build.ninja", "cmake": "CMakeLists.txt", "npm": "package.json", "cargo": "build.rs",
           "mvn": "pom.xml", "gradle": "build.gradle", "rake": "Rakefile", "just": "justfile", "docker": "Dockerfile", "meson": "meson.build", "scons": "SConstruct",
           "tox": "tox.ini", "ant": "build.xml", "pip": "setup.py"}


def cases(table):
    return [row.split() for row in " ".join(table.split()).split("; ")]


class Written:
    def __init__(self):
        self.place = Place(POLICY, says=SAYS, writes=WRITES, runs=RUNS)
        self.bin, self.work = self.place.folder / "bin", self.place.folder / "work"
        self.bin.mkdir()
        names = {words[0] for words in cases(RUN) + cases(READ)} | {"sh", "python3", *UNNAMED}
        for name in names - {"F"}:
            self.program(self.bin / name)
        self.program(self.work / "tool.x")
        self.place.env["PATH"] = str(self.bin)

    @staticmethod
    def program(path):
        path.write_text("#!/bin/true\n")
        path.chmod(0o755)

    def __enter__(self):
        self.server = self.place.serve()
        return self

    def __exit__(self, *_):
        self.server.__exit__(None, None, None)
        self.place.__exit__()

    def does(self, tool, **arguments):
        result, _ = call(self.server, tool, arguments)
        assert not result.get("isError"), (tool, arguments, result)

    def writes(self, path, text, how="write"):
        self.does("writes", path=str(path), text=str(text), how=how)
        self.program(path if how in ("write", "append") else pathlib.Path(text))   # what is in it does not matter to the engine

    def is_found(self, words, path, **more):
        words = [word.replace("F", str(path)).replace("T", str(self.work / "tool.x")) for word in words]
        result, _ = call(self.server, "runs", {"words": words, **more})
        assert code_of(result) == "denied" or not result.get("isError"), (words, result)
        return code_of(result) == "denied"


def run_and_read():
    """By every program that runs it; only if text from outside was written there."""
    with Written() as here:
        here.does("says")
        here.writes(here.work / "notes.x", WORDS)
        here.writes(here.work / "mine.x", OWN)
        found = [words for words in cases(RUN) if not here.is_found(words, here.work / "notes.x")]
        assert not found, found
        (here.work / "notes.x").chmod(0o644)
        found = [words for words in cases(READ) if here.is_found(words, here.work / "notes.x")]
        assert not found, found
        found = [words for words in cases(RUN) if here.is_found(words, here.work / "mine.x")]
        assert not found, found


def by_all_ways():
    """Appended, copied, renamed, written by a run that made something else of it; by a relative path, a link, in a later session."""
    with Written() as here:
        paths = {how: here.work / f"{how}.x" for how in ("append", "copy", "rename", "turned")}
        for path in paths.values():
            here.program(path)
        assert not [how for how, path in paths.items() if here.is_found(["sh", "F"], path)]
        here.does("says")
        here.writes(paths["append"], WORDS, "append")
        for how in ("copy", "rename"):
            paths[how].unlink()
            here.writes(here.work / "first.x", WORDS)
            here.writes(here.work / "first.x", paths[how], how)
        here.does("run_lua", code=f"local said = tools.says {{}} return tools.writes {{ how = 'write', path = '{paths['turned']}', text = said:reverse() }}")
        here.program(paths["turned"])
        (here.work / "link").symlink_to("append.x")

        def check():
            for how, path in paths.items():
                for words, more in ((["F"], {}), (["sh", "F"], {}), (["sh", path.name], {"cwd": str(here.work)}), ([f"./{path.name}"], {"cwd": str(here.work)}),
                                    (["python3", f"../work/{path.name}"], {"cwd": str(here.bin)}), ([path.name], {"env": {"PATH": f"{here.work}:{here.bin}"}})):
                    assert here.is_found(words, path, **more), (how, words, more)
            assert here.is_found(["sh", "F"], here.work / "link") and here.is_found(["F"], here.work / "link")
        check()
        with here.place.serve() as here.server:
            check()
        here.server = here.place.serve()


def unnamed():
    """A file that a program runs without being told so."""
    with Written() as here:
        assert not [program for program in UNNAMED if here.is_found([program], "", cwd=str(here.work))]
        here.does("says")
        for program, name in UNNAMED.items():
            here.writes(here.work / name, WORDS)
            assert here.is_found([program], "", cwd=str(here.work)) and here.is_found([program, "x"], "", cwd=str(here.work)), program
            assert here.is_found(["timeout", "5", program], "", cwd=str(here.work)), program


for title, function in (("programs that run a file with text from outside", run_and_read), ("however it came there", by_all_ways),
                        ("files that are run unnamed", unnamed)):
    tap.case(title, function)
tap.done()
