"""Folders of tests that take the paths of earlier ones."""

import contextlib
import os
import shutil
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


@contextlib.contextmanager
def lent(prefix):
    """fresh(), for the block."""
    path = fresh(prefix)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
