#!/usr/bin/env python3
"""`require "sys.webhook"` in a script that somebody runs: its answer arrives though the script ends, and the script ends though
senders hang on."""

import http.client
import os
import signal
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import GUARD, Running, done, must, same, tap, write      # noqa: E402

ONCE = """
local hook = assert(require "sys.webhook".listen { path = "/hook" })
print(hook:port())
local request = hook:next()
print(request.method, request.body)
request:reply(200, ("x"):rep(200000))
"""

FOREVER = """
local hook <close> = assert(require "sys.webhook".listen())
print(hook:port())
for request in hook do print(request.body) end
"""


def started(code):
    script = Running("run", write("hook.lua", code))
    return script, int(script.line())


def post(port, body, path="/"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=GUARD)
    connection.request("POST", path, body)
    return connection


def the_answer_arrives():
    script, port = started(ONCE)
    answer = post(port, "hello", "/hook").getresponse()
    same((answer.status, len(answer.read())), (200, 200000))
    same(script.line(), "POST\thello")
    same(script.end().code, 0)


def senders_do_not_keep_it():
    script, port = started(FOREVER)
    idle = socket.create_connection(("127.0.0.1", port), timeout=GUARD)
    waiting = post(port, "first")
    same(script.line(), "first")
    script.signal(signal.SIGINT)
    must(script.end().code != 0, "it was interrupted")
    try:
        same(waiting.getresponse().status, 503)
    except (ConnectionError, http.client.RemoteDisconnected):
        pass                                            # the process may end before the answer is written
    idle.close()
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


tap.case("the answer of a script that ends arrives", the_answer_arrives)
tap.case("senders do not keep a script that is interrupted", senders_do_not_keep_it)
sys.exit(done())
