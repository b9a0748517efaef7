#!/usr/bin/env python3
"""Homebrew's versions of the libraries: the Lua that the Makefile takes, with a double of pkg-config that
knows a given set of libraries; what a build says that lacks a library; and whether the sources compile with the headers of both
versions of nettle."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "lib"))

import tap_unittest  # noqa: E402

# pkg-config --exists 'NAME >= A' 'NAME < B', of the libraries that the variable LIBRARIES names as
# NAME=VERSION; those after KEG= only when the keg's folder is searched.
DOUBLE = """#!/bin/sh
name=${2%% *}
set -- $LIBRARIES
for one in "$@"; do
  case $one in
    keg:*) case ":$PKG_CONFIG_PATH:" in *:"$KEG":*) one=${one#keg:} ;; *) continue ;; esac ;;
  esac
  [ "${one%=*}" = "$name" ] || continue
  case ${one#*=} in 5.4.*) exit 0 ;; esac
done
exit 1
"""


class LeftOut(unittest.TestCase):
    """What a build can do without is named at its end, with what brings it."""

    def said(self, *more: str) -> list[str]:
        build = os.environ.get("BUILD", "build")
        env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
        done = subprocess.run(["make", "-s", "--no-print-directory", "left-out", f"BUILD={build}", *more], cwd=TOP,
                              env=env, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if "built without" in line]

    def test_nothing_is_said_of_a_whole_build(self) -> None:
        self.assertEqual(self.said("WITH_MAIL=yes", "WITH_OCR=yes"), [])

    def test_each_is_named_with_its_cure(self) -> None:
        mail = "built without mail: GMime is not here. Run vendor/install build, then make"
        text = "built without text recognition: tesseract is not here. Run vendor/install build, then make"
        self.assertEqual(self.said("WITH_MAIL=", "WITH_OCR=yes"), [mail])
        self.assertEqual(self.said("WITH_MAIL=yes", "WITH_OCR="), [text])
        self.assertEqual(self.said("WITH_MAIL=no", "WITH_OCR=no"), [mail, text])

    def test_what_is_named_is_what_brings_it(self) -> None:
        for double, packages in (("apt-get", ("libgmime-3.0-dev", "libtesseract-dev", "tesseract-ocr-eng")),
                                 ("brew", ("gmime", "tesseract"))):
            with self.subTest(double), tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
                note = pathlib.Path(folder) / "note"
                for name in {double, "dpkg-query", "sudo", "id"}:
                    path = pathlib.Path(folder) / name
                    path.write_text(f'#!/bin/sh\ncase $0 in */id) echo 1000 ;; esac\n'
                                    f'[ "$1" = list ] && exit 1\necho "$@" >> {note}\n', encoding="utf-8")
                    path.chmod(0o755)
                for name in ("sh", "cut", "uname", "env", "command"):
                    found = shutil.which(name)
                    if found:
                        (pathlib.Path(folder) / name).symlink_to(found)
                subprocess.run(["/bin/sh", str(TOP / "vendor/install"), "build"], env={"PATH": folder}, check=True,
                               capture_output=True, text=True)
                words = note.read_text(encoding="utf-8").split()
                for package in packages:
                    self.assertIn(package, words)


class Names(unittest.TestCase):
    """The targets that other projects have, each thin over what exists; `make help` lists them."""

    def made(self, *words: str) -> str:
        env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
        return subprocess.run(["make", "--no-print-directory", f"BUILD={os.environ.get('BUILD', 'build')}", *words], cwd=TOP,
                              env=env, capture_output=True, text=True, check=True).stdout

    def test_help_lists_them(self) -> None:
        listed = [line.split()[0] for line in self.made("help").splitlines() if line.startswith("  ")]
        for name in ("setup", "run-client", "run-server-dev", "lint", "test", "demo-video", "demo-animation"):
            self.assertIn(name, listed)

    def test_each_runs_what_exists(self) -> None:
        for name, part in (("setup", "vendor/install build demo"), ("run-client", "/perigee agent "), ("lint", "tests/check"),
                           ("run-server-dev", "/perigee serve --log-calls"), ("demo-video", "examples/demo/video")):
            self.assertIn(part, self.made("-n", name), name)

    def test_the_build_before_them_says_nothing_in_their_output(self) -> None:
        for name in ("run-client", "run-server-dev"):
            self.assertNotIn("check-libraries", self.made("-n", name), name)


class Lua(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="perigee-test-")
        self.addCleanup(self.folder.cleanup)
        self.prefix = pathlib.Path(self.folder.name) / "brew"
        self.keg = self.prefix / "opt/lua@5.4/lib/pkgconfig"
        double = pathlib.Path(self.folder.name) / "pkg-config"
        double.write_text(DOUBLE, encoding="utf-8")
        double.chmod(0o755)

    def taken(self, libraries: str, system: str = "Darwin") -> str:
        env = dict(os.environ, PATH=f"{self.folder.name}:{os.environ['PATH']}", LIBRARIES=libraries,
                   KEG=str(self.keg), HOMEBREW_PREFIX=str(self.prefix), PKG_CONFIG_PATH="/elsewhere")
        env.pop("MAKEFLAGS", None)
        done = subprocess.run(["make", "-s", "--no-print-directory", f"UNAME={system}", "print-LUA"], cwd=TOP,
                              env=env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def test_debian_has_it_by_its_version(self) -> None:
        self.assertEqual(self.taken("lua5.4=5.4.4 lua=5.1.5", "Linux"), "lua5.4")

    def test_homebrews_lua_will_do_while_it_is_5_4(self) -> None:
        self.assertEqual(self.taken("lua=5.4.7"), "lua")

    def test_homebrews_newer_lua_stands_aside_for_the_one_in_its_keg(self) -> None:
        self.keg.mkdir(parents=True)
        self.assertEqual(self.taken("lua=5.5.0 keg:lua5.4=5.4.8"), "lua5.4")
        self.assertEqual(self.taken("lua=5.5.0 keg:lua=5.4.8"), "lua")

    def test_a_newer_lua_alone_is_not_taken(self) -> None:
        self.assertEqual(self.taken("lua=5.5.0 lua5.5=5.5.0"), "lua5.4")


FLAGS = """#!/bin/sh
case $1 in
  --cflags) echo "-I/brew/include/x -DX=1 -I/Library/SDKs/MacOSX.sdk/usr/include -I/SDK/usr/include/editline" ;;
  --libs) echo "-L/brew/lib -lx" ;;
esac
"""


class Flags(unittest.TestCase):
    def test_others_headers_are_the_systems_and_the_systems_folder_stays_in_its_place(self) -> None:
        with tempfile.TemporaryDirectory(prefix="perigee-test-") as folder:
            double = pathlib.Path(folder) / "pkg-config"
            double.write_text(FLAGS, encoding="utf-8")
            double.chmod(0o755)
            env = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
            env.pop("MAKEFLAGS", None)
            done = subprocess.run(["make", "-s", "--no-print-directory", "UNAME=Darwin", "print-MOD_CC", "print-LDLIBS"],
                                  cwd=TOP, env=env, capture_output=True, text=True, check=True)
        self.assertIn("-isystem /brew/include/x -DX=1 -isystem /SDK/usr/include/editline -std=c11", done.stdout)
        self.assertIn("-L/brew/lib -lx -lpthread", done.stdout)


class Nettle(unittest.TestCase):
    """Version 4, Homebrew's since May 2026, took the length from its functions for digests."""

    def compile(self, *more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Isrc", *more,
                               "src/base/nettle/nettle.c", "src/base/nettle/digests.c", "src/base/hogweed/hogweed.c"],
                              cwd=TOP, capture_output=True, text=True, check=False)

    def test_it_compiles_with_the_version_that_is_installed(self) -> None:
        self.assertEqual(self.compile().stderr, "")

    def test_it_compiles_with_the_digests_of_version_4(self) -> None:
        self.assertEqual(self.compile("-isystem", str(HERE / "libraries/nettle4")).stderr, "")


if __name__ == "__main__":
    tap_unittest.main()
