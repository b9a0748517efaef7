"""Folders of tests that take the paths of earlier ones."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

LONG = 60       # seconds that a program may take to make a catalog; only against hanging


def fresh(prefix):
    """A new, empty folder, with the path of an earlier one that is gone if there was one. An engine names its catalog
    of compiled files after the paths of its roots: with a path that nobody had before, every start would compile all."""
    number = 1
    while True:
        path = os.path.join(tempfile.gettempdir(), f"{prefix}{number}")
        try:
            os.mkdir(path, 0o700)
            return path
        except FileExistsError:
            number += 1


def make_catalogs(perigee, folder, sets_of_roots, env):
    """Catalogs of the shipped files, and of these roots beside them. Returns the path of the folder of them, for
    give_catalogs(). A failure is shown and ends nothing: tests without catalogs only take longer."""
    for roots in sets_of_roots if os.access(perigee, os.X_OK) else []:
        words = [perigee, "tools", "--no-user-root", *(word for root in roots for word in ("--root", root))]
        try:
            done = subprocess.run(words, env=dict(env, XDG_CACHE_HOME=folder, DISPLAY=""), timeout=LONG, check=False, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            print(f"no catalog was made: {' '.join(words)} did not end within {LONG} s", file=sys.stderr, flush=True)
            continue
        if done.returncode != 0:
            print(f"no catalog was made: {' '.join(words)} had exit status {done.returncode}:\n{done.stderr}", file=sys.stderr, flush=True)
    return os.path.join(folder, "perigee")


def give_catalogs(caches):
    """Links the catalogs that tests/run made into a new folder for caches: without them, the first engine of each part and of each
    display would compile all files. An engine replaces a catalog, and writes none in place."""
    made = os.environ.get("PERIGEE_TEST_CATALOGS", "")
    if not os.path.isdir(made):
        return
    os.makedirs(os.path.join(caches, "perigee"), mode=0o700, exist_ok=True)
    for name in os.listdir(made):
        with contextlib.suppress(OSError):      # another file system
            os.link(os.path.join(made, name), os.path.join(caches, "perigee", name))


@contextlib.contextmanager
def lent(prefix):
    """fresh(), for the block."""
    path = fresh(prefix)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
