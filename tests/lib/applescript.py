"""A structural check of AppleScript text, for machines without a Mac: strings, comments, blocks.

AppleScript cannot be parsed without the dictionaries of the applications it names, so this says nothing about
whether a script compiles. It finds what is wrong in any dictionary: an open string, an `end if` that closes a
`repeat`, an `else` outside `if`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CONTINUES = "\u00ac"            # the sign at the end of a line that goes on in the next
HANDLER = re.compile(r"(?:on|to)\s+(\w+)")
SIMPLE = (                      # first words of a line, the name that `end` may carry
    (r"repeat\b", "repeat"), (r"try$", "try"), (r"considering\b", "considering"), (r"ignoring\b", "ignoring"),
    (r"with timeout\b", "timeout"), (r"with transaction\b", "transaction"), (r"using terms from\b", "using terms from"),
    (r"script\b", "script"),
)


class StructureError(ValueError):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True)
class Line:
    number: int
    code: str                   # lower case kept; comments gone; strings emptied to ""
    strings: tuple[str, ...]    # their contents, in order


def lines_of(text: str) -> list[Line]:
    """The logical lines that hold code."""
    lines, code, strings, number, start = [], "", [], 1, 1
    at = 0
    while at <= len(text):
        rest = text[at:at + 2]
        if at == len(text) or text[at] == "\n":
            if code.rstrip().endswith(CONTINUES) and at < len(text):
                code = code.rstrip()[:-1] + " "
            else:
                if code.strip():
                    lines.append(Line(start, " ".join(code.split()), tuple(strings)))
                code, strings, start = "", [], number + 1
            number, at = number + 1, at + 1
        elif rest == "--" or text[at] == "#":
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif rest == "(*":
            at, passed = _skip_comment(text, at, number)
            number += passed
        elif text[at] == '"':
            string, at, passed = _take_string(text, at, number)
            strings.append(string)
            code += '""'
            number += passed
        elif text[at] == "|":
            end = text.find("|", at + 1)
            if end < 0 or "\n" in text[at:end]:
                raise StructureError(number, "a |name| is not closed")
            code, at = code + text[at:end + 1], end + 1
        else:
            code, at = code + text[at], at + 1
    return lines


def check(text: str) -> list[Line]:
    """The logical lines of a script whose structure is sound; raises StructureError else."""
    lines = lines_of(text)
    stack: list[tuple[str, int]] = []
    for line in lines:
        _check_brackets(line)
        _follow(line, stack)
    if stack:
        raise StructureError(stack[-1][1], f"'{stack[-1][0]}' is never closed")
    return lines


def _skip_comment(text: str, at: int, number: int) -> tuple[int, int]:
    start, depth = at, 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*)", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at, text.count("\n", start, at)
        else:
            at += 1
    raise StructureError(number, "a comment (* is not closed")


def _take_string(text: str, at: int, number: int) -> tuple[str, int, int]:
    end = at + 1
    while end < len(text) and text[end] != '"':
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise StructureError(number, "a string is not closed")
    return text[at + 1:end], end + 1, text.count("\n", at, end)


def _check_brackets(line: Line) -> None:
    pairs, open_ones = {")": "(", "}": "{"}, []
    for sign in line.code:
        if sign in "({":
            open_ones.append(sign)
        elif sign in ")}" and (not open_ones or open_ones.pop() != pairs[sign]):
            raise StructureError(line.number, f"a {sign!r} without its opening one")
    if open_ones:
        raise StructureError(line.number, f"a {open_ones[-1]!r} is not closed")


def _follow(line: Line, stack: list[tuple[str, int]]) -> None:
    code = line.code
    inside = stack[-1][0] if stack else ""
    if code == "end" or code.startswith("end "):
        _close(line, stack)
    elif code == "else" or code.startswith("else "):
        if inside != "if":
            raise StructureError(line.number, "'else' outside 'if'")
    elif re.match(r"on error\b", code):
        if inside != "try":
            raise StructureError(line.number, "'on error' outside 'try'")
    elif code == "exit repeat" or code.endswith(" exit repeat"):
        if "repeat" not in (name for name, _ in stack):
            raise StructureError(line.number, "'exit repeat' outside 'repeat'")
    else:
        name = _opens(code)
        if name:
            stack.append((name, line.number))


def _opens(code: str) -> str | None:
    """The name that the matching `end` may carry, if the line opens a block."""
    if code.startswith("tell "):
        inner = re.search(r" to (.+)$", code)
        return _opens(inner[1]) if inner else "tell"
    if code.startswith("if "):
        found = re.search(r"\bthen\b(.*)$", code)
        return "if" if not found or not found[1].strip() else None
    for pattern, name in SIMPLE:
        if re.match(pattern, code):
            return name
    handler = HANDLER.match(code)
    return handler[1] if handler else None


def _close(line: Line, stack: list[tuple[str, int]]) -> None:
    if not stack:
        raise StructureError(line.number, f"'{line.code}' closes nothing")
    name, opened = stack.pop()
    said = line.code[3:].strip()
    if said and said != name:
        raise StructureError(line.number, f"'{line.code}' closes the '{name}' of line {opened}")
