#!/usr/bin/env python3
"""tests/tidy: clean files are not checked again until something changes. clang-tidy is a double."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import tap          # noqa: E402

TOOL = """#!/bin/sh
[ "$1" = --version ] && { cat "$TREE/version"; exit; }
echo "$2" >>"$TREE/looked"
! grep -n BAD "$TREE/$2" "$TREE/a.h"
"""


class Tree:
    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="perigee-tidy-"))
        for name, text in {".clang-tidy": "Checks: '*'\n", "a.c": '#include "a.h"\nint a = A;\n', "b.c": "int b;\n",
                           "a.h": "#define A 1\n", "version": "14\n", "bin/clang-tidy": TOOL,
                           "bin/clang": '#!/bin/sh\nexec cc "$@"\n'}.items():
            (self.top / name).parent.mkdir(exist_ok=True)
            (self.top / name).write_text(text)
        for name in ("clang-tidy", "clang"):
            (self.top / "bin" / name).chmod(0o755)
        (self.top / "tests" / "lib").mkdir(parents=True)
        shutil.copy(HERE.parent / "tidy", self.top / "tests" / "tidy")
        shutil.copy(HERE / "clean.py", self.top / "tests" / "lib" / "clean.py")
        self.cache = tempfile.mkdtemp(prefix="perigee-tidy-cache-")

    def add(self, name, text):
        with open(self.top / name, "a", encoding="utf-8") as file:
            file.write(text)

    def move(self):
        """The same files in another folder, as in a fresh checkout."""
        other = tempfile.mkdtemp(prefix="perigee-tidy-")
        os.rmdir(other)
        os.rename(self.top, other)
        self.top = pathlib.Path(other)

    def looked(self, *flags, status=0, **more):
        """The files passed to clang-tidy."""
        (self.top / "looked").unlink(missing_ok=True)
        env = {key: value for key, value in os.environ.items() if key not in ("ALL", "CHECK_TERMINAL")}
        env.update(TREE=str(self.top), PATH=f"{self.top / 'bin'}:{os.environ['PATH']}", PERIGEE_CHECK_CACHE=self.cache, **more)
        argv = [sys.executable, str(self.top / "tests/tidy"), "a.c", "b.c", "--", "-I.", *flags]
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == status, f"exit status {done.returncode}: {done.stdout}{done.stderr}"
        self.said = done.stdout
        return sorted((self.top / "looked").read_text().split()) if (self.top / "looked").exists() else []

    def __enter__(self):
        assert self.looked() == ["a.c", "b.c"]
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.rmtree(self.cache, ignore_errors=True)


def same(got, wanted):
    assert got == wanted, f"{got}, expected {wanted}"


def known():
    with Tree() as tree:
        same(tree.looked(), [])


def in_another_checkout():
    with Tree() as tree:
        tree.move()
        same(tree.looked(), [])
        tree.add("a.h", "#define B\n")
        same(tree.looked(), ["a.c"])


def back_again():
    """Each state that was found clean is known."""
    with Tree() as tree:
        before = (tree.top / "a.h").read_text()
        tree.add("a.h", "#define B\n")
        same(tree.looked(), ["a.c"])
        (tree.top / "a.h").write_text(before)
        same(tree.looked(), [])


def everything():
    with Tree() as tree:
        same(tree.looked(ALL="1"), ["a.c", "b.c"])
        same(tree.looked(), [])


def changed(name, text, wanted):
    with Tree() as tree:
        tree.add(name, text)
        same(tree.looked(), wanted)
        same(tree.looked(), [])


def other_flags():
    with Tree() as tree:
        same(tree.looked("-DX"), ["a.c", "b.c"])


def not_clean():
    with Tree() as tree:
        tree.add("b.c", "/* BAD */\n")
        for _ in range(2):
            same(tree.looked(status=1), ["b.c"])
            assert "BAD" in tree.said, tree.said
        tree.add("a.h", "/* BAD */\n")
        same(tree.looked(status=1), ["a.c", "b.c"])


def cannot_be_compiled():
    """clang-tidy runs each time and reports the reason."""
    with Tree() as tree:
        tree.add("b.c", '#include "none.h"\n')
        same((tree.looked(), tree.looked()), (["b.c"], ["b.c"]))


BOTH = ["a.c", "b.c"]
tap.case("a clean file is not checked again", known)
tap.case("a clean file is not checked again in another checkout", in_another_checkout)
tap.case("a clean file is not checked again when a change was taken back", back_again)
tap.case("ALL=1 checks everything", everything)
for a_name, a_file, a_text, a_wanted in (
        ("a file", "b.c", "int c;\n", ["b.c"]), ("a header", "a.h", "#define B\n", ["a.c"]),
        ("a comment (it may be NOLINT)", "a.h", "/* c */\n", ["a.c"]),
        ("the list of checks", ".clang-tidy", "#\n", BOTH), ("the tool", "version", "15\n", BOTH)):
    tap.case(f"a change causes a new check: {a_name}", changed, a_file, a_text, a_wanted)
tap.case("a change causes a new check: the flags", other_flags)
tap.case("findings fail each time and are printed", not_clean)
tap.case("a file that cannot be preprocessed is checked each time", cannot_be_compiled)
tap.done()
