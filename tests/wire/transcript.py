"""Reads a .wire file: cases, each a list of steps for one server process.

    # comment                     == name of a case (everything before the first is for all)
    > {json}                      send this line, as it stands
    >> text\\xff\\r\\n              send these bytes; no newline is added
    < {pattern}                   expect; messages of other ids may have come before
    << {pattern}                  expect as the very next line
    <! {pattern}                  expect, with no other keys at any level
    @ args: --toolset test        for `serve`        @ root: DIR      a --root, from the repository's top
    @ env: NAME=VALUE             @ eras: A B        run the case once for each; "$era" is the era
    @ init VERSION                the handshake      @ eof            close stdin now
    @ client {json}               what the handshake says the client can (default: nothing)
    @ exits N                     ends by itself with this code (default: 0 after stdin closes)
    @ drip                        from here on every byte is written alone
    @ stderr /regex/              at the end, stderr must hold this
    @ let NAME {json}             "$NAME" in what is sent
    @ rest                        what still comes is not looked at
    @ forget                      what was read so far and not expected is dropped

In what is sent, "$name" stands for a captured or given value; "$meta" is the 2026-07-28 envelope.
${text*N} is text N times, in patterns too.
"""

import json
import os
import re

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HEAD = {"args", "root", "env", "eras"}
PLAIN = {"init", "client", "eof", "exits", "drip", "stderr", "let", "forget", "rest"}


class Bad(Exception):
    """The transcript itself is wrong."""


class Case:
    def __init__(self, name, head, steps):
        self.name = name
        self.head = head
        self.steps = steps


def repeat(text):
    return re.sub(r"\$\{(.*?)\*(\d+)\}", lambda m: m.group(1) * int(m.group(2)), text)


def raw_bytes(text):
    """\\xHH \\n \\r \\t \\0 \\\\ are bytes, the rest is UTF-8."""
    simple = {"n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0", "\\": b"\\"}
    out = b""
    for part in re.split(r"(\\x[0-9a-fA-F]{2}|\\[nrt0\\])", repeat(text)):
        if part.startswith("\\x") and len(part) == 4:
            out += bytes([int(part[2:], 16)])
        elif len(part) == 2 and part[0] == "\\" and part[1] in simple:
            out += simple[part[1]]
        else:
            out += part.encode()
    return out


def fill_in(text, names):
    """Puts values in the place of "$name"."""
    def value(match):
        name = match.group(1)
        if name not in names:
            raise Bad(f'"${name}" has no value yet')
        return json.dumps(names[name])
    return re.sub(r'"\$([a-z_]+)"', value, text)


def parse_line(line):
    """(kind, argument) of a step, or None for nothing."""
    if not line.strip() or line.startswith("#"):
        return None
    mark, _, rest = line.partition(" ")
    if mark == ">":
        return "send", rest
    if mark == ">>":
        return "raw", raw_bytes(rest)
    if mark in ("<", "<<", "<!"):
        return mark, json.loads(repeat(rest))
    if mark == "==":
        return "case", rest.strip()
    if mark == "@":
        word, _, argument = rest.strip().partition(" ")
        word = word.rstrip(":")
        if word in HEAD or word in PLAIN:
            return word, argument.strip()
    raise Bad(f"cannot read: {line[:80]}")


def parse_file(path):
    """The file's cases, in order."""
    base = os.path.splitext(os.path.basename(path))[0]
    head, common, cases = {"args": [], "root": [], "env": [], "eras": []}, [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                step = parse_line(line.rstrip("\n"))
            except (Bad, ValueError) as error:
                raise Bad(f"{path}:{number}: {error}") from None
            if not step:
                continue
            kind, argument = step
            if kind == "case":
                cases.append(Case(f"{base}: {argument}", copy(head), list(common)))
            elif kind in HEAD:
                target = cases[-1].head if cases else head
                target[kind] += argument.split() if kind != "env" else [argument]
            else:
                (cases[-1].steps if cases else common).append((number, kind, argument))
    return cases or [Case(base, head, common)]


def copy(head):
    return {key: list(value) for key, value in head.items()}
