#!/usr/bin/env python3
"""Runs wire transcripts against `perigee serve` and prints TAP.

    tests/wire/run.py [--server COMMAND] [FILE or FOLDER ...]

COMMAND (default: $PERIGEE serve) gets the transcript's arguments and roots. transcript.py says
how a .wire file is written, pattern.py what a pattern means, shape.py what is checked of every
message besides.
"""

import json
import os
import re
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import shape        # noqa: E402
import tap          # noqa: E402
from pattern import brief, mismatch          # noqa: E402
from server import GUARD, PERIGEE, TOP, Closed, Server, Silent     # noqa: E402
from transcript import META, Bad, fill_in, parse_file, repeat      # noqa: E402

ROOT = "tests/wire/root"


class Wrong(Exception):
    """An expectation that was not met; the text is the report."""


def kind_of(message):
    """Returns the key by which < tells messages apart: the answers to one id, the progress of one call, one method's
    other messages, ... Of two calls at once, either may be the first to tell how far it is."""
    if isinstance(message, list):
        return "batch"
    if not isinstance(message, dict):
        return "other"
    if "method" in message:
        token = message.get("params", {}).get("progressToken", "!absent")
        return "method", message["method"], json.dumps(token)
    identity = message.get("id", "!absent")
    return "answer", "!absent" if identity == "!absent" else json.dumps(identity)


def kinds_of(pattern):
    if isinstance(pattern, dict) and list(pattern) == ["|"]:
        return [kind_of(p) for p in pattern["|"]]
    return [kind_of(pattern)]


class Run:
    """One case in one era against one server."""

    def __init__(self, server, names):
        self.server = server
        self.names = names
        self.abilities = {}
        self.lint = shape.Lint()
        self.code = 0
        self.drip = False
        self.line = b""
        self.unsent = b""
        self.rest = False
        self.stderr = []
        self.talk = []

    def write(self, data):
        *lines, self.line = (self.line + data).split(b"\n")
        for line in lines:
            self.lint.sent(line)
        self.talk.append("> " + (repr(data[:300]) if len(data) > 300 else repr(data)))
        if self.drip:
            for at in range(len(data)):
                self.server.write(data[at:at + 1])
        else:
            self.server.write(data)

    def send(self, text):
        """Keeps the line until something else is to be done. Lines that follow each other are then written at once,
        so that a cancellation is not late because this process did not run between two of them."""
        self.unsent += repeat(fill_in(text, self.names)).encode() + b"\n"

    def flush(self):
        unsent, self.unsent = self.unsent, b""
        if unsent:
            self.write(unsent)

    def heard(self, message):
        self.talk.append("< " + brief(message))
        faults = self.lint.received(message)
        if faults:
            raise Wrong(f"{'; '.join(faults)}\nin {brief(message)}")

    def expect(self, pattern, exact, strict_order):
        if strict_order:
            message = self.server.receive()
        else:
            wanted = kinds_of(pattern)
            message = self.server.find(lambda m: kind_of(m) in wanted)
        self.heard(message)
        report = mismatch(pattern, message, self.names, exact)
        if report:
            raise Wrong(f"{report}\nin {brief(message)}")

    def init(self, version):
        self.send(json.dumps({
            "jsonrpc": "2.0", "id": "init", "method": "initialize",
            "params": {"protocolVersion": version, "capabilities": self.abilities,
                       "clientInfo": {"name": "wire", "version": "1"}}}))
        self.flush()
        self.expect({"id": "init", "result": {"protocolVersion": version}}, False, False)
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def step(self, kind, argument):
        if kind not in ("send", "let"):
            self.flush()
        if kind == "send":
            self.send(argument)
        elif kind == "raw":
            self.write(argument)
        elif kind in ("<", "<<", "<!"):
            self.expect(argument, kind == "<!", kind == "<<")
        elif kind == "client":
            self.abilities = json.loads(argument)
        elif kind == "init":
            self.init(self.names["era"] if argument == "$era" else argument)
        elif kind == "eof":
            self.server.close_stdin()
        elif kind == "exits":
            self.exits(int(argument))
        elif kind == "drip":
            self.drip = True
        elif kind == "stderr":
            self.stderr.append(argument.strip("/"))
        elif kind == "let":
            name, _, value = argument.partition(" ")
            self.names[name] = json.loads(fill_in(value, self.names))
        elif kind == "forget":
            self.server.early.clear()
        elif kind == "rest":
            self.rest = True

    def exits(self, code):
        got = self.server.wait()
        if got is None:
            raise Wrong(f"still running {GUARD:g} s later, expected exit code {code}")
        if got != code:
            raise Wrong(f"exit code {got}, expected {code}")

    def end(self):
        """stdin closes, nothing more may come, and the process ends with 0."""
        self.flush()
        ended = self.server.process.poll() is not None
        self.server.close_stdin()
        for message in self.server.drain():
            self.talk.append("< " + brief(message))
            if self.rest:
                continue
            raise Wrong(f"not expected: {brief(message)}")
        if not ended:
            self.exits(0)
        if self.server.faults:
            raise Wrong("stdout: " + "; ".join(self.server.faults))
        for expression in self.stderr:
            if not re.search(expression, self.server.stderr()):
                raise Wrong(f"stderr does not hold /{expression}/")


def run_case(command, case, era):
    roots = case.head["root"] or [ROOT]
    argv = command + [a for r in roots for a in ("--root", os.path.join(TOP, r))]
    argv += case.head["args"]
    names = {"meta": META, "era": era}
    at = 0
    try:
        started = Server(argv, dict(e.split("=", 1) for e in case.head["env"]))
    except tap.Failure as failure:
        return str(failure)
    with started as server:
        run = Run(server, names)
        try:
            for at, kind, argument in case.steps:
                run.step(kind, argument)
            run.end()
        except (Wrong, Silent, Closed, Bad) as error:
            report = [f"line {at}: {error}"] + run.talk[-12:]
            if server.errors:
                report += ["stderr:"] + server.errors[-12:]
            return "\n".join(report)
    return None


def find_files(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, files in sorted(os.walk(path)):
                yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".wire"))
        else:
            yield path


def main(arguments):
    command = [PERIGEE, "serve"]
    if arguments[:1] == ["--server"]:
        command = shlex.split(arguments[1])
        arguments = arguments[2:]
    for path in tap.share(find_files(arguments or [HERE])):
        folder = os.path.relpath(os.path.dirname(os.path.abspath(path)), HERE)
        try:
            cases = parse_file(path)
        except Bad as error:
            tap.ok(False, f"{path} can be read", str(error))
            continue
        for case in cases:
            for era in case.head["eras"] or [None]:
                report = run_case(command, case, era)
                name = f"{folder}/{case.name}" + (f" ({era})" if era else "")
                tap.ok(report is None, name, report or "")
    tap.done()


if __name__ == "__main__":
    main(sys.argv[1:])
