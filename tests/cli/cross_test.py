#!/usr/bin/env python3
"""Settings that `make` takes from the compiler when it builds for another processor than the machine's."""

import os
import pathlib
import platform
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap      # noqa: E402

# A compiler, of which only its target is asked, and a pkg-config that knows no library.
COMPILER = '#!/bin/sh\n[ "$1" = -dumpmachine ] && echo %s\n'
OTHER = "aarch64-linux-gnu" if platform.machine() == "x86_64" else "x86_64-linux-gnu"
TAKEN = ("PKG_CONFIG", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "PACK", "CC", "MAKEFLAGS", "WITH_OCR", "WITH_MAIL", "WITH_UI")
OPTIONAL = ("WITH_OCR", "WITH_MAIL", "WITH_UI")


def make(folder, *words, **more):
    env = {name: value for name, value in os.environ.items() if name not in TAKEN}
    env["PATH"] = f"{folder}:{env['PATH']}"
    return subprocess.run(["make", "-s", "--no-print-directory", *words], cwd=TOP, env={**env, **more}, capture_output=True,
                          text=True, check=False)


def program(folder, name, text):
    path = pathlib.Path(folder, name)
    path.write_text(text)
    path.chmod(0o755)


def value(folder, name, *words, **more):
    done = make(folder, *words, f"print-{name}", **more)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def compilers(folder):
    for target in ("aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf", "x86_64-linux-gnu"):
        program(folder, f"{target}-double", COMPILER % target)


def the_packer_is_the_targets(folder):
    for processor, packer in (("x86_64", "isal"), ("aarch64", "libdeflate"), ("riscv64", "libdeflate")):
        assert value(folder, "PACK", f"CC={processor}-linux-gnu-double", "UNAME=Linux") == packer, processor
    assert value(folder, "PACK", "CC=x86_64-linux-gnu-double", "UNAME=Darwin") == "libdeflate"
    assert value(folder, "PACK", "CC=x86_64-linux-gnu-double", "UNAME=Linux", PACK="libdeflate") == "libdeflate"


def the_machines_own_compiler_has_the_usual_pkg_config(folder):
    assert value(folder, "PKG_CONFIG") == "pkg-config"
    assert value(folder, "PKG_CONFIG", f"CC={platform.machine()}-linux-gnu-double") == "pkg-config"


def another_target_has_its_own_pkg_config_or_the_users(folder):
    compiler = f"CC={OTHER}-double"
    assert value(folder, "PKG_CONFIG", compiler) == f"{OTHER}-pkg-config"
    assert value(folder, "PKG_CONFIG", compiler, PKG_CONFIG_SYSROOT_DIR="/sysroot") == "pkg-config"
    assert value(folder, "PKG_CONFIG", compiler, PKG_CONFIG_LIBDIR="/sysroot/pkgconfig") == "pkg-config"
    assert value(folder, "PKG_CONFIG", compiler, PKG_CONFIG="pkgconf --static") == "pkgconf --static"
    assert value(folder, "PKG_CONFIG", compiler, "PKG_CONFIG=mine") == "mine"


def libraries_are_asked_of_that_pkg_config(folder):
    """Text recognition was linked from the machine's own library."""
    compiler = f"CC={OTHER}-double"
    assert [value(folder, name, compiler) for name in OPTIONAL] == ["", "", ""]
    done = make(folder, compiler, "deps-check")
    assert done.returncode != 0 and f"there is no {OTHER}-pkg-config" in done.stderr and "set PKG_CONFIG" in done.stderr, done.stderr
    program(folder, f"{OTHER}-pkg-config", '#!/bin/sh\necho "$@" >> "${0%/*}/asked"\n[ "$2" != libuv ]\n')
    assert [value(folder, name, compiler) for name in OPTIONAL] == ["yes", "yes", "yes"]
    done = make(folder, compiler, "deps-check")
    assert "missing: libuv\n" in done.stderr and f"where {OTHER}-pkg-config looks" in done.stderr, done.stderr
    assert "--exists libcjson" in pathlib.Path(folder, "asked").read_text()


def the_mailbox_of_the_user_is_no_option(folder):
    """A login sets MAIL, so a user who had logged in got a program without mail."""
    program(folder, "yes-pkg-config", "#!/bin/sh\n")
    pkg_config = {"PKG_CONFIG": f"{folder}/yes-pkg-config"}
    assert value(folder, "WITH_MAIL", MAIL="/var/mail/me", OCR="no", **pkg_config) == "yes"
    assert value(folder, "WITH_OCR", MAIL="/var/mail/me", OCR="no", **pkg_config) == "yes"


def main():
    with tempfile.TemporaryDirectory() as folder:
        compilers(folder)
        for each in (the_packer_is_the_targets, the_machines_own_compiler_has_the_usual_pkg_config,
                     another_target_has_its_own_pkg_config_or_the_users, libraries_are_asked_of_that_pkg_config,
                     the_mailbox_of_the_user_is_no_option):
            tap.case(each.__name__.replace("_", " "), each, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
