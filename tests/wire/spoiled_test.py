#!/usr/bin/env python3
"""Lines with errors of every kind, made from good ones by chance (the same chance each time): each
is answered or passed over, and the session goes on."""

import json
import random

from wire import INIT, call, ended, must, request, serve, tap
from server import Closed
import shape

SEEDS = [json.dumps(m, ensure_ascii=a).encode() for a in (True, False) for m in (
    INIT, request(1, "ping"), request(2, "tools/list"), call(3, "echo", text="é 漢 😀 \u2028", times=2),
    call(4, "types", whole=12345678901234567890, any=[1, {"a": [None, True, -0.5e-3]}]),
    request(5, "prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}),
    request(6, "server/discover", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                             "io.modelcontextprotocol/clientCapabilities": {}}}),
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
    {"jsonrpc": "2.0", "id": 9, "result": {}}, [request(7, "ping"), request(8, "ping")])]
SALT = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\\u0000", b"\\ud800", b"\xff", b"\xf0\x9f",
        b"\x00", b"1e400", b"-", b"null", b"\t", b"9" * 30, b'"id":', b'"method":', b"\xef\xbb\xbf"]


def spoil(chance, line):
    """One to four edits: bytes changed, cut, doubled, salted."""
    line = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(line) + 1)
        kind = chance.randrange(4)
        if kind == 0 and at < len(line):
            line[at] = chance.randrange(256)
        elif kind == 1:
            del line[at:at + chance.randint(1, 12)]
        elif kind == 2:
            line[at:at] = line[at:at + chance.randint(1, 20)]
        else:
            line[at:at] = chance.choice(SALT)
    return bytes(line).replace(b"\n", b" ")


def spoiled_lines(seed):
    chance, lint = random.Random(seed), shape.Lint()
    lint.version = None     # it changes with what is left of the lines
    with serve() as server:
        for turn in range(40):
            lines = [spoil(chance, chance.choice(SEEDS)) for _ in range(50)]
            server.write(b"".join(line + b"\n" for line in lines))
            identity = f"turn-{turn}"
            server.send(request(identity, "ping" if turn % 2 else "server/discover",
                                {"_meta": json.loads(SEEDS[6])["params"]["_meta"]}))
            try:
                server.answer(identity)
            except Closed:
                raise tap.Failure(f"ended in turn {turn} with {server.wait()}: {server.stderr()[-1500:]}"
                                  f"\namong {lines!r}") from None
            for message in server.early:
                for one in message if isinstance(message, list) else [message]:
                    faults = [f for f in lint.received(one) if "was not asked" not in f]
                    must(not faults, f"{faults} in {str(one)[:300]}")
            server.early.clear()
        must(not server.faults, f"stdout: {server.faults[:3]}")
        server.close_stdin()
        must(ended(server, "stdin closed") == 0, "exit code is not 0")


for a_seed in range(1, 5):
    tap.case(f"spoiled lines are answered or passed over, seed {a_seed}", spoiled_lines, a_seed)
tap.done()
