"""Folders of tests that take the paths of earlier ones."""

import contextlib
import os
import shutil
import subprocess
import tempfile


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


def make_catalogs(perigee, folder, sets_of_roots):
    """Catalogs of the shipped files, and of these roots beside them, in a folder for give_catalogs()."""
    env = dict(os.environ, XDG_CACHE_HOME=folder, DISPLAY="")
    for roots in sets_of_roots if os.access(perigee, os.X_OK) else []:
        subprocess.run([perigee, "tools", "--no-user-root", *(word for root in roots for word in ("--root", root))], env=env,
                       check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.environ["PERIGEE_TEST_CATALOGS"] = os.path.join(folder, "perigee")


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
