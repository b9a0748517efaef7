#!/usr/bin/env python3
"""Clients of the HTTP server that leave, are slow, or are many."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from http_peer import HttpServer, connect, wait_for          # noqa: E402
from kit import ROOT, answered, ask, metric, must          # noqa: E402
from procs import seconds_of_work          # noqa: E402
from server import GUARD          # noqa: E402


def leaving_cancels():
    with HttpServer(*ROOT) as server:
        connection = server.connect()
        ask(connection, "tools/call", (), name="sleep", arguments={"seconds": 50})
        wait_for("the call runs", lambda: metric(server, "calls_active") == 1)
        connection.close()
        wait_for("the call was cancelled", lambda: metric(server, "calls_active") == 0)
        wait_for("the stream is forgotten", lambda: metric(server, "streams") == 0)


def leaving_a_subscription():
    with HttpServer(*ROOT) as server:
        connection = server.connect()
        ask(connection, "subscriptions/listen", (), notifications={"toolsListChanged": True})
        connection.head()
        must("acknowledged" in connection.event().text, "not acknowledged")
        must(metric(server, "streams") == 1, "no stream is counted")
        connection.close()
        wait_for("the stream is forgotten", lambda: metric(server, "streams") == 0)


def begin_session(post, stream):
    """A session made on one connection, its stream opened on the other; the headers that name it."""
    post.request("POST", None, [("Content-Type", "application/json")], json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}}).encode())
    session = [("Mcp-Session-Id", post.answer().header("mcp-session-id"))]
    stream.request("GET", None, [("Accept", "text/event-stream"), *session])
    stream.head()
    return session


def ended_streams():
    """A session ends, its client keeps the connection of its stream: the server closes it, and keeps no descriptor for it."""
    with HttpServer(*ROOT) as server:
        for _ in range(3):
            with server.connect() as post, server.connect() as stream:
                session = begin_session(post, stream)
                post.request("DELETE", None, session)
                must(post.answer("DELETE").status == 200, "the session is not ended")
                must(stream.ended(), "the connection of the ended stream is kept")


def many_calls_of_a_session():
    """A session has as many calls in progress as a client of a pipe; those beyond are told so, and a ping is answered."""
    most, more = 1024, 8
    with HttpServer(*ROOT) as server, server.connect() as post, server.connect() as stream:
        head = [("Content-Type", "application/json"), *begin_session(post, stream)]

        def send(connection, method, **params):
            connection.request("POST", None, head, json.dumps(
                {"jsonrpc": "2.0", "id": id(connection), "method": method, "params": params}).encode())

        calls = [server.connect() for _ in range(most + more)]
        for call in calls[:most]:
            send(call, "tools/call", name="sleep", arguments={"seconds": 60})
        wait_for("the calls run", lambda: metric(server, "calls_active") == most)
        for call in calls[most:]:
            send(call, "tools/call", name="sleep", arguments={"seconds": 60})
            result = json.loads(call.answer().body)["result"]
            must(result["isError"] and result["_meta"]["perigee/code"] == "busy", f"{result}")
        send(post, "ping")
        must(json.loads(post.answer().body)["result"] == {}, "a ping is not answered")
        for call in calls:
            call.close()


def change_is_told():
    """It is told to a subscription of the newest revision, and on the stream of a session."""
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "tools"))
        os.mkdir(os.path.join(root, "tools", "test"))
        with HttpServer("--root", root) as server:
            listening, stream, post = (server.connect() for _ in range(3))
            begin_session(post, stream)
            must(stream.event().id == "0-0", "no priming event")
            ask(listening, "subscriptions/listen", (), notifications={"toolsListChanged": True})
            listening.head()
            must("acknowledged" in listening.event().text, "not acknowledged")
            with open(os.path.join(root, "tools", "test", "fresh.lua"), "w", encoding="utf-8") as file:
                file.write('return { description = "x", inputSchema = { type = "object" }, '
                           'run = function() return "x" end }')
            for connection in (listening, stream):
                must("tools/list_changed" in connection.event().text, "the change is not told")
                connection.close()
            post.close()


def crowd():
    """A connection that holds a place without asking anything goes first; a client that asks is served."""
    with HttpServer(*ROOT, "--max-connections", "20") as server:
        holders = [connect(server.url) for _ in range(60)]
        for holder in holders[::2]:
            holder.sendall(b"POST /mcp HTTP/1.1\r\nX-Slow: ")
        must(answered(server).status == 200, "no place for a client that asks")
        wait_for("the crowd was thinned", lambda: metric(server, "http_connections") <= 21)
        must(metric(server, "http_connections_dropped_total") >= 40, "nobody was sent away")
        for holder in holders:
            holder.close()


def burst():
    """Whole requests, many times the limit, that all arrive in one turn of the loop."""
    with HttpServer(*ROOT, "--max-connections", "4") as server:
        pid = server.process.pid
        os.kill(pid, signal.SIGSTOP)
        clients = [connect(server.url) for _ in range(40)]
        for client in clients:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        os.kill(pid, signal.SIGCONT)
        for client in clients:
            client.settimeout(GUARD)
            must(client.recv(100).startswith(b"HTTP/1.1 200"), "a request of the burst is not answered")
            client.close()


def silent_connections():
    """Those that never send anything, and those that leave at once, are in nobody's way, and go in time."""
    with HttpServer(*ROOT, "--head-timeout", "1") as server:
        silent = [connect(server.url) for _ in range(32)]
        for _ in range(32):
            connect(server.url).close()
        must(answered(server).status == 200, "another client is not served")
        for connection in silent:
            connection.settimeout(GUARD)
            must(connection.recv(1) == b"", "a silent connection was answered")
            connection.close()
        wait_for("they are forgotten", lambda: metric(server, "http_connections") == 1)


def begun_heads(server):
    """Heads that were begun and stand still cost no work; then one of them goes on."""
    begun = [connect(server.url) for _ in range(32)]
    for connection in begun:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
    must(metric(server, "http_connections") == 33, "not all are waited for")
    must(answered(server).status == 200, "another client is not served")
    before = seconds_of_work(server.process.pid)
    time.sleep(1)       # the time over which work is measured
    spent = seconds_of_work(server.process.pid) - before
    must(spent < 0.3, f"{spent:.2f} s of work in a second of heads that stand still")
    for connection in begun:
        connection.sendall(b"host\r\n\r\n")
        connection.settimeout(GUARD)
        must(connection.recv(100).startswith(b"HTTP/1.1 200"), "a head in two pieces is not answered")
        connection.close()


def begun_heads_tcp():
    with HttpServer(*ROOT) as server:
        begun_heads(server)


def begun_heads_unix():
    with tempfile.TemporaryDirectory() as home, HttpServer(*ROOT, http=f"unix:{home}/socket") as server:
        begun_heads(server)


def slow_head():
    with HttpServer(*ROOT, "--head-timeout", "1") as server:
        slow = connect(server.url)
        end = time.monotonic() + GUARD
        dropped = False
        while not dropped:
            must(time.monotonic() < end, "a head that never ends is waited for")
            try:
                slow.sendall(b"X")
                slow.settimeout(0.05)
                dropped = slow.recv(1) == b""
            except (ConnectionError, BrokenPipeError):
                dropped = True
            except (socket.timeout, TimeoutError):
                pass
        slow.close()
        must(answered(server).status == 200, "another client is not served")


def dropped_slowly(server, plug, step):
    """step() moves a few bytes each time, until the server has ended the connection."""
    plug.settimeout(0.05)

    def gone():
        try:
            step()
        except OSError:         # nothing to read yet, or the end
            pass
        return metric(server, "http_connections_dropped_total") == 1
    wait_for("the slow client is dropped", gone)


def narrow(url):
    """A connection whose system takes few bytes before they are read."""
    host, port = url.split("/")[2].split(":")
    plug = socket.socket()
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plug.settimeout(GUARD)
    plug.connect((host, int(port)))
    return plug


IMPATIENT = ["--head-timeout", "1", "--min-rate", "1000000", "--max-result", "0"]
BIG = 8000000       # more than the system keeps for one who does not read


def big_is_answered(server):
    text = json.loads(answered(server, (), "tools/call", name="big", arguments={"bytes": BIG}).body)
    must(len(text["result"]["content"][0]["text"]) == BIG, "another client is not served")


def slow_body():
    with HttpServer(*ROOT, *IMPATIENT) as server:
        slow = connect(server.url)
        slow.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                     b"Content-Length: 5000000\r\n\r\n")

        def drip():
            slow.sendall(b"   ")
            return slow.recv(1)
        dropped_slowly(server, slow, drip)
        slow.close()
        big_is_answered(server)


def endless_chunk_lines():
    """More than the buffer has room for: a chunk's extension, its length, a header behind the last chunk; and an extension that ends
    with a line feed alone, which libmicrohttpd takes before 1.0 and refuses since then."""
    head = (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
    for line in (b"2;" + b"x" * 50000, b"0" * 50000, b"2\r\n{}\r\n0\r\nX: " + b"x" * 9000, b"2;a=b\n", b"2;a=b\n{}\n"):
        with HttpServer(*ROOT, "--head-timeout", "2", "--min-rate", "1000000") as server:
            slow = connect(server.url)
            slow.sendall(head + line)
            try:
                while slow.recv(4096):
                    pass
            except (socket.timeout, TimeoutError):
                raise tap.Failure(f"{line[:20]} is waited for") from None
            except ConnectionError:
                pass
            slow.close()
            work = seconds_of_work(server.process.pid)
            must(work < 0.5, f"{line[:20]} kept the server busy for {work:g} s")
            must(answered(server).status == 200, "another client is not served")


def read_slowly(streamed):
    """A big answer, or one on a stream that began before, read a few bytes at a time."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "tools", "test"))
        with open(os.path.join(root, "tools", "test", "told.lua"), "w", encoding="utf-8") as file:
            file.write('return { description = "x", inputSchema = { type = "object" }, run = function(_, call) '
                       f'call:progress(1, 2) return ("x"):rep({BIG}) end }}')
        with HttpServer(*ROOT, "--root", root, *IMPATIENT) as server, server.connect() as slow:
            slow.plug.close()
            slow.plug = narrow(server.url)
            name, arguments = ("told", {}) if streamed else ("big", {"bytes": BIG})
            ask(slow, "tools/call", (), name=name, arguments=arguments, token=streamed)
            kind = slow.head().header("content-type")
            must(kind == ("text/event-stream" if streamed else "application/json"), kind)
            dropped_slowly(server, slow.plug, lambda: slow.plug.recv(16))
            wait_for("nothing is kept of it", lambda: metric(server, "streams") == 0)
            big_is_answered(server)


def slow_reader():
    read_slowly(False)


def slow_stream_reader():
    read_slowly(True)


def other_user():
    """A peer of another user is refused, should the socket's mode ever let it in."""
    if os.geteuid():
        raise tap.Skip("only root can become another user")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "s")
        with HttpServer(*ROOT, http=f"unix:{path}", token=True) as server:
            script = ("import os, socket, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
                      "s = socket.socket(socket.AF_UNIX); s.settimeout(20)\n"
                      "try: s.connect(sys.argv[1])\n"
                      "except PermissionError: sys.exit(3)\n"
                      "try:\n"
                      "  s.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')\n"
                      "  sys.exit(4 if s.recv(100) else 5)\n"
                      "except (ConnectionError, BrokenPipeError): sys.exit(5)\n")

            def as_nobody():
                return subprocess.run([sys.executable, "-c", script, path], cwd="/", check=False).returncode
            must(as_nobody() == 3, "the mode lets others in")
            os.chmod(path, 0o666)
            must(as_nobody() == 5, "another user was answered")
            must(metric(server, "http_connections_refused_total") == 1, "it is not counted")
            wait_for("a warning", lambda: "another user" in server.stderr())
            must(answered(server).status == 200, "its own user is not served")


def among_a_thousand():
    """Idle streams and slow heads in the hundreds: who asks is answered, each time, and nobody else goes."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 4096:
        raise tap.Skip(f"only {most} open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, 4096), most))    # the server's, too
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "tools", "test"))
        with HttpServer(*ROOT, "--root", root, "--head-timeout", "600") as server:
            streams = [server.connect() for _ in range(1000)]
            slow = [connect(server.url) for _ in range(300)]
            try:
                for stream in streams:
                    ask(stream, "subscriptions/listen", (), notifications={"toolsListChanged": True})
                for stream in streams:
                    stream.head()
                    must("acknowledged" in stream.event().text, "not acknowledged")
                with server.connect() as normal:
                    for number in range(300):
                        slow[number].sendall(b"P" if number % 2 else b"POST /mcp HTTP/1.1\r\nX-Slow: ")
                        ask(normal, "tools/call", (), name="echo", arguments={"text": str(number)})
                        answer = normal.answer()
                        must(json.loads(answer.body)["result"]["content"][0]["text"] == str(number), answer.body)
                must(metric(server, "http_connections_dropped_total") == 0, "somebody was sent away")
                must(metric(server, "streams") == 1000, "a stream is gone")
                with open(os.path.join(root, "tools", "test", "fresh.lua"), "w", encoding="utf-8") as file:
                    file.write('return { description = "x", inputSchema = { type = "object" }, '
                               'run = function() return "x" end }')
                for stream in streams:
                    must("tools/list_changed" in stream.event().text, "a change is not told to all")
            finally:
                for one in [*streams, *slow]:
                    one.close()
            wait_for("all are forgotten", lambda: metric(server, "http_connections") == 1)


def many_sessions():
    with HttpServer(*ROOT, "--max-sessions", "3") as server:
        ids = []
        for number in range(5):
            with server.connect() as connection:
                connection.request("POST", None, [("Content-Type", "application/json")], json.dumps(
                    {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": {
                        "protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "t", "version": "1"}}}).encode())
                ids.append(connection.answer().header("mcp-session-id"))
        must(metric(server, "sessions") == 3, "more sessions than allowed")
        statuses = []
        for name in ids:
            with server.connect() as connection:
                connection.request("DELETE", None, [("Mcp-Session-Id", name)])
                statuses.append(connection.answer().status)
        must(statuses == [404, 404, 200, 200, 200], f"{statuses}")


for name, function in [
        ("a client that leaves has cancelled its call", leaving_cancels),
        ("a subscription ends when its client leaves", leaving_a_subscription),
        ("a stream that ended is closed with its connection", ended_streams),
        ("a session has a thousand calls in progress", many_calls_of_a_session),
        ("a changed list is told in both eras", change_is_told),
        ("a crowd that asks nothing makes room", crowd),
        ("a burst of requests beyond the limit is answered", burst),
        ("connections that send nothing, or leave at once, disturb nobody", silent_connections),
        ("heads that were begun cost no work until they go on", begun_heads_tcp),
        ("heads that were begun on a Unix socket cost no work until they go on", begun_heads_unix),
        ("a head that never ends is not waited for", slow_head),
        ("a body that hardly comes is not waited for", slow_body),
        ("a chunk's line that never ends is not waited for, and costs no work", endless_chunk_lines),
        ("an answer that is hardly read is given up", slow_reader),
        ("a stream that is hardly read is given up", slow_stream_reader),
        ("a Unix socket refuses another user", other_user),
        ("a thousand idle streams and hundreds of slow heads disturb nobody", among_a_thousand),
        ("the oldest unused sessions make room", many_sessions)]:
    tap.case(name, function)
tap.done()
