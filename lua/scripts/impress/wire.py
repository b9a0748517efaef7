"""The line protocol between the engine and this helper: one JSON object a line, both ways.

Nothing here knows LibreOffice. A `Fault` is the only way a request fails on purpose: its code is
stable and its message says what failed, on what and what to do next.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

LINE_LIMIT = 4 * 1024 * 1024  # bytes; the longest text a slide takes is far below
DEFAULT_TIMEOUT = 30.0  # seconds
LONGEST_TIMEOUT = 600.0


class Fault(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass
class Request:
    id: Any
    method: str
    params: dict[str, Any]
    timeout: float


class LineReader:
    """Cuts a byte stream into lines; a line over the limit is dropped and reported once."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self.limit = limit
        self.rest = b""
        self.skipping = False

    def feed(self, data: bytes) -> list[bytes | Fault]:
        *lines, self.rest = (self.rest + data).split(b"\n")
        found: list[bytes | Fault] = []
        for line in lines:
            if self.skipping:
                self.skipping = False  # the end of the line reported before
            elif len(line) > self.limit:
                found.append(self._too_long())
            elif line.strip():
                found.append(line)
        if len(self.rest) > self.limit:
            if not self.skipping:
                found.append(self._too_long())
            self.skipping, self.rest = True, b""
        return found

    def _too_long(self) -> Fault:
        return Fault("bad_request", f"a line was longer than {self.limit} bytes and was skipped")


def decode(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Fault("bad_request", f"the line is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise Fault("bad_request", "a request is a JSON object with id, method and params")
    return message


def request_of(message: dict[str, Any]) -> Request:
    method, params = message.get("method"), message.get("params", {})
    timeout = message.get("timeout", DEFAULT_TIMEOUT)
    if not isinstance(method, str):
        raise Fault("bad_request", "method is missing or not a string")
    if params == []:
        params = {}  # an empty Lua table may arrive as either
    if not isinstance(params, dict):
        raise Fault("bad_request", f"{method}: params is not an object")
    if (
        isinstance(timeout, bool)
        or not isinstance(timeout, (int, float))
        or not 0 < timeout <= LONGEST_TIMEOUT
    ):
        raise Fault(
            "bad_request",
            f"{method}: timeout is a number of seconds above 0 and up to {LONGEST_TIMEOUT:g}",
        )
    return Request(message.get("id"), method, params, float(timeout))


def write_answer(fd: int, identity: Any, outcome: dict[str, Any] | Fault) -> None:
    """One line, ASCII only. Raises BrokenPipeError when nobody reads any more."""
    if isinstance(outcome, Fault):
        body = {"id": identity, "error": {"code": outcome.code, "message": outcome.message}}
    else:
        body = {"id": identity, "result": outcome}
    data = json.dumps(body, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    while data:
        data = data[os.write(fd, data) :]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
