#!/usr/bin/env python3
"""A program is judged by the file that is really started: by the PATH and the directory that its process gets, and behind links."""

import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, Server, call, text_of      # noqa: E402
import tap                                        # noqa: E402

RUNS = """
local process = require "sys.process"
return { description = "Runs.", inputSchema = { type = "object" }, run = function(args)
  local env = args.path and { PATH = args.path } or args.unset and { PATH = false } or nil
  local argv = { table.unpack(args.argv) }
  argv.env, argv.cwd = env, args.cwd
  local done, err, code = process.run(argv)
  return done and "ran " .. done.stdout or code .. ": " .. err
end }
"""
SCRIPT = '#!/bin/sh\nexec /usr/bin/readlink -f "$0"\n'


class Found:
    def __init__(self):
        self.place = Place(None, runs=RUNS)
        self.top = pathlib.Path(os.path.realpath(self.place.folder / "work"))
        for name in ("usual", "one", "two", "odd", "dir/prog", "cwd/sub"):
            (self.top / name).mkdir(parents=True, exist_ok=True)
        self.programs = [self.top / name for name in ("usual/prog", "one/prog", "two/other", "cwd/prog", "cwd/sub/prog")]
        for path in self.programs:
            path.write_text(SCRIPT)
            path.chmod(0o755)
        (self.top / "odd/prog").write_text("no program\n")
        (self.top / "two/prog").symlink_to("other")
        (self.top / "one/link").symlink_to("../usual/prog")
        (self.top / "two/date").symlink_to("/bin/sh")
        self.place.env["PATH"] = f"{self.top}/usual:{os.environ['PATH']}"

    def server(self, rules):
        self.place.policy(f"return {{ rules = {{ {rules} }} }}")
        server = Server(self.place.words("serve"), env=self.place.env, cwd=str(self.top))
        server.initialize("2025-11-25", {}, "tester")
        return server

    def cases(self):
        top = self.top
        for cwd in (None, "cwd", "one"):
            more = {"cwd": str(top / cwd)} if cwd else {}
            yield {"argv": ["prog"], **more}
            for path in ("{0}/one", "{0}/two", "{0}/odd:{0}/one", "{0}/dir:{0}/two", "{0}/nowhere:{0}/usual:{0}/one", ".", "", "sub", "sub/../.",
                         "{0}/odd:sub:{0}/one", ":{0}/two", "{0}/one/../two", "cwd/sub:{0}/two"):
                yield {"argv": ["prog"], "path": path.format(top) + ":/bin", **more}
            yield {"argv": ["prog"], "unset": True, **more}
            for program in ("./prog", "sub/prog", f"{top}/one/prog", "../two/prog", "../one/link", f"{top}/one/link"):
                yield {"argv": [program], "path": f"{top}/two", **more}
            yield {"argv": ["link"], "path": f"{top}/one", **more}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.__exit__()


def told(server, case):
    said = text_of(call(server, "runs", case)[0])
    return None if "does not let it" in said else said


def rules_that_deny():
    with Found() as found:
        cases = list(found.cases())
        with found.server("{ allow = true }") as server:
            ran = [told(server, case).removeprefix("ran ").strip() for case in cases]
        for program in found.programs:
            assert str(program) in ran, f"no case runs {program}"
            for argv in (f'"{program}"', f'{{ under = "{program}" }}', *([f'"{program.name}"'] if program.name == "other" else [])):
                with found.server(f'{{ deny = "so", effect = "process", argv = {argv} }}, {{ allow = true }}') as server:
                    for case, what in zip(cases, ran):
                        assert what != str(program) or told(server, case) is None, (argv, case)
                        assert what == str(program) or "not_found" in what or told(server, case) is not None, (argv, case, what)


def rules_that_allow():
    with Found() as found:
        cases = list(found.cases())
        with found.server("{ allow = true }") as server:
            ran = [told(server, case).removeprefix("ran ").strip() for case in cases]
        usual = str(found.programs[0])
        with found.server('{ allow = true, effect = "process", argv = "prog" }, { deny = "so", effect = "process" }, { allow = true }') as server:
            for case, what in zip(cases, ran):
                passes = told(server, case) is not None
                assert not passes or what == usual or "not_found" in what or "no program" in what, (case, what)
                assert passes or case["argv"] != ["prog"] or what != usual or "odd" in case.get("path", ""), (case, what)


def shells_behind_links():
    with Found() as found, found.server('{ deny = "so", effect = "process", shell = true }, { allow = true }') as server:
        top = found.top
        for case in ({"argv": [f"{top}/two/date", "-c", "true"]}, {"argv": ["date", "-c", "true"], "path": f"{top}/two"},
                     {"argv": ["./date", "-c", "true"], "cwd": f"{top}/two"}, {"argv": ["date", "-c", "true"], "path": ".", "cwd": f"{top}/two"}):
            assert told(server, case) is None, case
        for case in ({"argv": ["date", "-u"]}, {"argv": [f"{top}/two/date", "file.sh"]}, {"argv": ["prog", "-c", "true"], "path": f"{top}/two"}):
            assert told(server, case) is not None, case


tap.case("rules that deny", rules_that_deny)
tap.case("rules that allow", rules_that_allow)
tap.case("shells behind links", shells_behind_links)
tap.done()
