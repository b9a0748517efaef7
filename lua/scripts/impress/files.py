"""Files that the office writes for us: whole or not at all, with errors a person understands."""

from __future__ import annotations

import contextlib
import os
import pathlib
import secrets
from typing import Any, Callable, Tuple

from wire import Fault

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_NAMES = 10_000


def url(path: str) -> str:
    return pathlib.Path(path).as_uri()


def template_url(path: Any) -> str:
    checked = absolute(path, "template")
    if not os.path.isfile(checked):
        raise Fault("not_found", f"the template {checked} is not there or not a file")
    return url(checked)


def target(path: Any, ending: str) -> str:
    """A path that a file of this kind can be written to; its folders are made."""
    checked = absolute(path, "path")
    if os.path.isdir(checked) or path.endswith("/"):
        raise Fault("bad_argument", f"{checked} is a folder; give the path of a file")
    if not checked.lower().endswith(ending):
        raise Fault("bad_argument", f"{checked} does not end in {ending}; give a path that does")
    folder = os.path.dirname(checked)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Fault("io_error", f"the folder {folder} cannot be made: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Fault("permission_denied", f"nothing can be written into {folder}")
    return checked


def absolute(path: Any, name: str) -> str:
    if not isinstance(path, str) or not path or "\0" in path:
        raise Fault("bad_argument", f"{name} is not a path")
    if not os.path.isabs(path):
        raise Fault("bad_argument", f"{name} {path!r} is not absolute")
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Fault("bad_argument", f"{name} has characters that no file name can hold") from None
    return os.path.normpath(path)


def write_whole(path: str, ending: str, write: Callable[[str], None], replace: bool = True) -> str:
    """Has `write` make a file beside the path, which then takes its place whole. Without `replace` a
    file that is there stays, and the new one gets a number; the path that it has."""
    folder = os.path.dirname(path)
    beside = os.path.join(folder, f".perigee-{secrets.token_hex(6)}{ending}")
    try:
        write(beside)
        if not os.path.isfile(beside):
            raise Fault("io_error", f"LibreOffice wrote nothing to {folder}")
        if not replace:
            return _place_new(beside, path)
        os.replace(beside, path)
        return path
    except OSError as error:
        raise Fault("io_error", f"{path} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)


def _place_new(beside: str, path: str) -> str:
    """talk.odp, else talk-2.odp and so on: the first name that nothing has, taken in one step."""
    stem, ending = os.path.splitext(path)
    for number in range(1, MOST_NAMES + 1):
        name = path if number == 1 else f"{stem}-{number}{ending}"
        try:
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        os.replace(beside, name)
        return name
    raise Fault("io_error", f"{path} and {MOST_NAMES - 1} numbered names after it are taken")


Stamp = Tuple[int, int, int]


def stamp(path: str) -> Stamp | None:
    """What tells whether a file is still the one that was written."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def check_png(path: str, done: bool) -> None:
    try:
        with open(path, "rb") as file:
            good = file.read(len(PNG_SIGNATURE)) == PNG_SIGNATURE
    except FileNotFoundError:
        good = False
    if not (done and good):
        raise Fault(
            "io_error",
            f"LibreOffice could not write the picture into {os.path.dirname(path)}; "
            "is the disk full?",
        )
