"""Files that the office writes for us: whole or not at all, with errors a person understands."""

from __future__ import annotations

import contextlib
import os
import pathlib
import secrets
from typing import Any, Iterator

from wire import Fault

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def url(path: str) -> str:
    return pathlib.Path(path).as_uri()


def template_url(path: Any) -> str:
    checked = absolute(path, "template")
    if not os.path.isfile(checked):
        raise Fault("not_found", f"the template {checked} is not there or not a file")
    return url(checked)


def target(path: Any) -> str:
    """A path that a file can be written to; its folders are made."""
    checked = absolute(path, "path")
    if os.path.isdir(checked) or path.endswith("/"):
        raise Fault("bad_argument", f"{checked} is a folder; give the path of a file")
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


@contextlib.contextmanager
def written_whole(path: str, ending: str) -> Iterator[str]:
    """A name beside the target to write to; it takes the target's place, or is removed."""
    folder = os.path.dirname(path)
    beside = os.path.join(folder, f".perigee-{secrets.token_hex(6)}{ending}")
    try:
        yield beside
        if not os.path.isfile(beside):
            raise Fault("io_error", f"LibreOffice wrote nothing to {folder}")
        os.replace(beside, path)
    except OSError as error:
        raise Fault("io_error", f"{path} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)


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
